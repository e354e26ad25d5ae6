{#
    The bins that each interval touches, and how the interval reaches them. A bin too many costs a copy of a row and never a
    match, so both ends count as inclusive here, and the exact predicate has the last word.
#}

{#
    The bins that each interval touches within the extent of the points.

    Columns: those of the side, first_bin, last_bin, and level: 0 where these are few bins (up to 33), else the number of
    times that bins have to be made 16 times as wide until the interval touches 18 of them at most.
    Rows: the intervals that can match at all. Inverted ones, those beyond the extent, and (unless NULL bounds are open)
    those with a NULL bound touch no bin, and are left out.
    The span is halved before it is taken: the whole one can be too large for BIGINT.
#}
{% macro _intervals_ctes(join, side) %}
    {%- set columns = dbt_range_join._side_columns(join, side) | join(', ') -%}
    {%- set half_span = 'shiftright(last_bin, 1) - shiftright(first_bin, 1)' -%}
    {%- set sql -%}
range_join_spans as (
    select
        {{ columns }},
        greatest(
            {{ dbt_range_join._bin_of('start_value', join.bin) | indent(12) }},
            (select first_bin from range_join_extent)
        ) as first_bin,
        least(
            {{ dbt_range_join._bin_of('end_value', join.bin) | indent(12) }},
            (select last_bin from range_join_extent)
        ) as last_bin
    from (
        select
            *,
            {{ dbt_range_join._in_domain('interval_start') }} as start_value,
            {{ dbt_range_join._in_domain('interval_end') }} as end_value
        from range_join_{{ side }}
        {%- if join.null_bounds == 'no_match' %}
        where interval_start is not null and interval_end is not null
        {%- endif %}
    ) as sides
),

range_join_intervals as (
    select
        *,
        if({{ half_span }} < 16, 0, cast(length(bin({{ half_span }})) div 4 as int)) as level
    from range_join_spans
    where first_bin <= last_bin
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    One row per interval and bin: the last CTE, range_join_fanned_out, and those that it needs for intervals of many bins.

    An interval of few bins is put in each. One of many is put only in those of its bins that hold points of its keys:
    its copies at its level's width meet the occupied bins at the same width. Since at most one level has the interval,
    and at that level a bin lies in one wider bin, no interval comes to a bin twice.
    With keys there is one more way that it could: keys of two types can be equal without being the same ('1' and '01' both
    equal 1), so that several occupied bins stand for one; a copy therefore says whose bin it is (point_keys).
    Columns: those of the side, bin_num, and point_keys where there are keys.
#}
{% macro _fanned_out_ctes(join, side) %}
    {%- set keys = dbt_range_join._key_columns(join) -%}
    {%- set columns = dbt_range_join._side_columns(join, side) -%}
    {%- set predicates = ['long_intervals.level = occupied.level', 'long_intervals.wide_bin = occupied.wide_bin']
        + dbt_range_join._key_predicate(join, 'occupied', 'long_intervals')
        + ['occupied.bin_num between long_intervals.first_bin and long_intervals.last_bin'] -%}
    {%- set sql -%}
range_join_levels as (
    select collect_set(level) as levels
    from range_join_intervals
    where level > 0
),

range_join_occupied as (
    select
        *,
        {{ dbt_range_join._wide_bin('bin_num', 'level') }} as wide_bin
    from (
        select distinct
            {{ (keys + ['bin_num']) | join(', ') }},
            explode((select levels from range_join_levels)) as level
        from range_join_points
    ) as bins
),

range_join_long_intervals as (
    select
        *,
        {{ dbt_range_join._explode_bins(dbt_range_join._wide_bin('first_bin', 'level'), dbt_range_join._wide_bin('last_bin', 'level')) }} as wide_bin
    from range_join_intervals
    where level > 0
),

range_join_fanned_out as (
    select
        {{ columns | join(', ') }},
        {%- if keys %}
        null as point_keys,
        {%- endif %}
        {{ dbt_range_join._explode_bins('first_bin', 'last_bin') }} as bin_num
    from range_join_intervals
    where level = 0
    union all
    select
        {% for column in columns %}long_intervals.{{ column }},{{ ' ' if not loop.last }}{% endfor %}
        {%- if keys %}
        {{ dbt_range_join._point_keys(join, 'occupied') }} as point_keys,
        {%- endif %}
        occupied.bin_num
    from range_join_long_intervals as long_intervals
    inner join range_join_occupied as occupied
        on {{ predicates | join('\n        and ') }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The bin 16^level times as wide that holds a bin: a shift floors, so wider bins hold whole bins. #}
{% macro _wide_bin(bin_num, level) %}
    {{ return('shiftright(' ~ bin_num ~ ', 4 * ' ~ level ~ ')') }}
{% endmacro %}


{# All keys of an alias as one value. #}
{% macro _point_keys(join, alias) %}
    {%- set keys = [] -%}
    {%- for key in dbt_range_join._key_columns(join) -%}
        {%- do keys.append(alias ~ '.' ~ key) -%}
    {%- endfor -%}
    {{ return('struct(' ~ keys | join(', ') ~ ')') }}
{% endmacro %}


{# The conjunct that keeps a copy made for one point's keys from other keys that are equal to it; see _fanned_out_ctes. #}
{% macro _same_point_keys(join) %}
    {%- if not join['keys'] -%}
        {{ return([]) }}
    {%- endif -%}
    {{ return(['(intervals.point_keys is null or intervals.point_keys <=> ' ~ dbt_range_join._point_keys(join, 'points') ~ ')']) }}
{% endmacro %}
