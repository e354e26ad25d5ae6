{#
    Neither side kept (but for points that need one level), both fanned out, each by little: an interval is put in each bin of its level, a point probes each level
    that is in use.

    A level is a width of bins. An interval of up to 32 bins is at the level of the bin size, a longer one at the first level, each 16
    times as wide as the one before, at which it touches 18 bins at most (fan_out_shift, see _shifts.sql). A point lies in one
    bin of each level, an interval is at one level and comes to each of its bins there once: so a pair meets at most once, and
    once where it matches. Who has no match is in no level or meets nobody, which is why no join that keeps a side can use this; but where it is known that
    there is one level, each point is one row, with or without a match, and a join that keeps points keeps these.

    A level costs a row for each point, however few intervals are at it. So where the longer intervals touch few bins in all, all
    intervals are at the first level (_one_level in _shifts.sql), each in all of its bins, and points probe that one.

    A bin's number carries its level: see _slots.sql.

    Which levels are in use is looked for by the query, or was measured (plan/_measured_facts.sql). Where it was, an interval that is too long for all of
    them is at the widest, with a copy in each bin that it touches there: it still meets each point once.
#}

{#
    range_join_<side>_leveled: the intervals that can match, once per bin of their level. Columns: those of the side, slot.
    range_join_<points_side>_level_probes: the points, once per level in use. Columns: those of the points' side, slot.
    Rows: at most 32 an interval, in one level at most 64 on average and 32 and one a point; where levels were measured at most 64 of an interval that one of
    them is for, and 16,387 of another, which are few (see _measured_levels). At most one a point and level, of which there are 16, and mostly one in use.
#}
{% macro _levels_ctes(join, side, points_side) %}
    {%- set known = join.levels[side] if join.levels else none -%}
    {%- if known is not none and known | length == 1 -%}
        {%- set shifts = known[0].shift -%}
        {%- set leveled = {'from': 'range_join_' ~ side ~ '_spans', 'shift': shifts, 'only_if': dbt_range_join._touches_a_bin(join)} -%}
    {%- else -%}
        {%- set shifts = '(select level_shifts from range_join_' ~ side ~ '_used_shifts)' if known is none
            else 'array(' ~ known | map(attribute='shift') | join(', ') ~ ')' -%}
        {%- set leveled = {
            'from': dbt_range_join._looked_for_levels(side) if known is none else dbt_range_join._known_levels(join, side, known),
            'shift': 'level_shift', 'only_if': ['level_shift is not null']} -%}
    {%- endif -%}
    {%- set bins = dbt_range_join._explode_bins(
        dbt_range_join._shifted('first_bin', leveled.shift), dbt_range_join._shifted('last_bin', leveled.shift), only_if=leveled.only_if) -%}
    {%- set look_shift = shifts if shifts is number else 'look' -%}
    {%- set is_kept = points_side in dbt_range_join._kept_by(join, 'levels', dbt_range_join._meetings(join)) -%}
    {%- set bin = dbt_range_join._shifted(
        dbt_range_join._bin_to_look_in(join, points_side, dbt_range_join._point_bin(join), is_kept=is_kept), look_shift) -%}
    {%- set sql -%}
range_join_{{ side }}_leveled as (
    select
        {{ join[side].columns | join(',\n        ') }},
        {{ dbt_range_join._slot(join, 'level_bin', leveled.shift) }} as slot
    from (
        select
            *,
            {{ bins | indent(12) }} as level_bin
        from {{ leveled.from | indent(8) }}
    ) as level_bins
),

{{ dbt_range_join._probes_cte(join, points_side, 'level_probes', shifts, bin, look_shift, is_kept=is_kept) }}
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}


{# The intervals with level_shift, as the query found which levels are in use: a subquery. #}
{% macro _looked_for_levels(side) %}
    {%- set sql -%}
(
    select
        *,
        if(fan_out_shift > 0 and (select one_level from range_join_{{ side }}_used_shifts), 0, fan_out_shift) as level_shift
    from range_join_{{ side }}_shifts
) as levels
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The same where the levels in use are known. levels: what _levels_in_use returns. #}
{% macro _known_levels(join, side, levels) %}
    {%- set sql -%}
(
    select
        *,
        case
            {%- for level in levels[:-1] %}
            when half_span < {{ level.below }} then {{ level.shift }}
            {%- endfor %}
            when half_span is not null then {{ levels[-1].shift }}
        end as level_shift
    from {{ dbt_range_join._half_spans(join, side) | indent(4) }}
) as levels
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
