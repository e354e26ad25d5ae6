{#
    How far the points reach, and which bins each interval touches within that.
#}

{#
    range_join_<side>_extent: the first and last bin of a side's points and, if counted, how many points have a bin. One row: extent, a
    struct of first_bin, last_bin and points, so that who needs several asks one subquery; NULL bins if there is no point.
    anywhere: not to look, and say that points may be in any bin.
#}
{% macro _extent_cte(side, anywhere, counted) %}
    {%- set bins = ['-9223372036854775808', '9223372036854775807'] if anywhere else ['min(bin_num)', 'max(bin_num)'] -%}
    {%- set sql -%}
range_join_{{ side }}_extent as (
    select
        struct(
            {{ bins[0] }} as first_bin,
            {{ bins[1] }} as last_bin
            {%- if counted %},
            {{ 'cast(null as bigint)' if anywhere else 'count(bin_num)' }} as points
            {%- endif %}
        ) as extent
    {%- if not anywhere %}
    from range_join_{{ side }}_binned
    {%- endif %}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    range_join_<side>_spans: each interval with the first and last bin that it touches within the extent of the points.

    Columns: those of _binned_cte; points, how many of them have a bin (or about how many there
    are, as measured), if counted; first_bin, last_bin. Rows: those of the side.
    Both ends count as inclusive: a bin too many costs a copy of a row and never a match. A NULL bound comes out as the extent's,
    since `greatest` and `least` pass over NULL: that is an open bound; _touches_a_bin tells where it is not.

    Where the extent was measured (plan/_measured_extents.sql), what lies beyond it is in the bin past its edge, as _bin_within_extent has it for points.
#}
{% macro _spans_cte(join, side, points_side, counted) %}
    {%- set columns = dbt_range_join._side_columns(join, side) + dbt_range_join._key_hash_column(join) + ['bin_num', 'end_bin'] -%}
    {%- if join.extents -%}
        {%- do columns.append(join.extents[points_side].points ~ 'L as points') -%}
        {%- do columns.append(dbt_range_join._bin_within_extent(join, points_side, 'bin_num') ~ ' as first_bin') -%}
        {%- do columns.append(dbt_range_join._bin_within_extent(join, points_side, 'end_bin', is_end=true) ~ ' as last_bin') -%}
        {%- set sql -%}
-- what lies beyond the bins that points were found in, when they were measured, counts as in the bin past the edge
range_join_{{ side }}_spans as (
    select
        {{ columns | join(',\n        ') }}
    from range_join_{{ side }}_binned
)
        {%- endset -%}
        {{ return(sql) }}
    {%- endif -%}
    {%- set sql -%}
range_join_{{ side }}_spans as (
    select
        {{ columns | join(',\n        ') }},
        {%- if counted %}
        extent.points,
        {%- endif %}
        greatest(bin_num, extent.first_bin) as first_bin,
        least(end_bin, extent.last_bin) as last_bin
    from (
        select
            *,
            (select extent from range_join_{{ points_side }}_extent) as extent
        from range_join_{{ side }}_binned
    ) as intervals
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    A bin held within the measured extent of a side's points, or as it is where there is none. A NULL comes out at the lower edge, or, if
    is_end, at the upper one.
#}
{% macro _bin_within_extent(join, points_side, bin, is_end=false) %}
    {%- if not join.extents -%}
        {{ return(bin) }}
    {%- endif -%}
    {%- set first, last = join.extents[points_side].first_bin ~ 'L', join.extents[points_side].last_bin ~ 'L' -%}
    {%- if is_end -%}
        {{ return('greatest(least(' ~ bin ~ ', ' ~ last ~ '), ' ~ first ~ ')') }}
    {%- endif -%}
    {{ return('least(greatest(' ~ bin ~ ', ' ~ first ~ '), ' ~ last ~ ')') }}
{% endmacro %}
