{#
    Each point with its bin. Columns: those of the side, bin_num. Rows: those of the side.

    A NULL point has no bin and so no match, unless NULL bounds are open: an interval that is open at both ends then holds
    it. Bin 0 serves, since the extent of the points, which open intervals are clamped to, takes it in.
#}
{% macro _points_cte(join, side) %}
    {%- set bin_num = dbt_range_join._bin_of('value', join.bin) -%}
    {%- set sql -%}
range_join_points as (
    select
        {{ dbt_range_join._side_columns(join, side) | join(', ') }},
        {%- if join.null_bounds == 'unbounded' %}
        coalesce(
            {{ bin_num | indent(12) }},
            0
        ) as bin_num
        {%- else %}
        {{ bin_num | indent(8) }} as bin_num
        {%- endif %}
    from (
        select
            *,
            {{ dbt_range_join._in_domain('point') }} as value
        from range_join_{{ side }}
    ) as sides
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The first and last bin that hold a point. One row: first_bin, last_bin; NULLs where there are no points. #}
{% macro _extent_cte() %}
    {%- set sql -%}
range_join_extent as (
    select
        min(bin_num) as first_bin,
        max(bin_num) as last_bin
    from range_join_points
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
