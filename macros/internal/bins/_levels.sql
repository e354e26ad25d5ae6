{#
    Neither side kept, both fanned out, each by little: an interval is put in each bin of its level, a point probes each level
    that is in use.

    A level is a width of bins. An interval of up to 32 bins is at the level of the bin size, a longer one at the first level, each 16
    times as wide as the one before, at which it touches 18 bins at most (fan_out_shift, see _shifts.sql). A point lies in one
    bin of each level, an interval is at one level and comes to each of its bins there once: so a pair meets at most once, and
    once where it matches. Who has no match is in no level or meets nobody, which is why no join that keeps a side can use this.

    A level costs a row for each point, however few intervals are at it. So where the longer intervals touch few bins in all, all
    intervals are at the first level (_one_level in _shifts.sql), each in all of its bins, and points probe that one.

    A bin's number carries its level: see _slots.sql.
#}

{#
    range_join_<side>_leveled: the intervals that can match, once per bin of their level. Columns: those of the side, slot.
    range_join_<points_side>_level_probes: the points, once per level in use. Columns: those of the points' side, slot.
    Rows: at most 32 an interval, in one level at most 64 on average and 32 and one a point; at most one a point and level, of which there
    are 16, and mostly one in use.
#}
{% macro _levels_ctes(join, side, points_side) %}
    {%- set bins = dbt_range_join._explode_bins(
        'shiftright(first_bin, level_shift)', 'shiftright(last_bin, level_shift)', only_if='level_shift is not null') -%}
    {%- set bin = 'shiftright(' ~ dbt_range_join._bin_within_extent(join, points_side, 'bin_num') ~ ', shift)' -%}
    {%- set sql -%}
range_join_{{ side }}_leveled as (
    select
        {{ dbt_range_join._side_columns(join, side) | join(',\n        ') }},
        {{ dbt_range_join._slot(join, 'level_bin', 'level_shift') }} as slot
    from (
        select
            *,
            {{ bins }} as level_bin
        from (
            select
                *,
                if(fan_out_shift > 0 and (select one_level from range_join_{{ side }}_used_shifts), 0, fan_out_shift) as level_shift
            from range_join_{{ side }}_shifts
        ) as levels
    ) as level_bins
),

{{ dbt_range_join._probes_cte(join, points_side, 'level_probes', '(select level_shifts from range_join_' ~ side ~ '_used_shifts)', [bin]) }}
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}
