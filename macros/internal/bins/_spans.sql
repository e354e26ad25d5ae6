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

    Columns: those of _binned_cte; points, how many of them have a bin, if counted; first_bin, last_bin. Rows: those of the side.
    Both ends count as inclusive: a bin too many costs a copy of a row and never a match. A NULL bound comes out as the extent's,
    since `greatest` and `least` pass over NULL: that is an open bound; _touches_a_bin tells where it is not.
#}
{% macro _spans_cte(join, side, points_side, counted) %}
    {%- set sql -%}
range_join_{{ side }}_spans as (
    select
        {{ (dbt_range_join._side_columns(join, side) + dbt_range_join._key_hash_column(join)) | join(',\n        ') }},
        bin_num,
        end_bin,
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
