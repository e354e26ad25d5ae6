{#
    A side whose rows are probed by one value: its point, or the start of its interval where two intervals overlap.
#}

{#
    range_join_<side>_points: each row with the bin of its value. Columns: those of the side, bin_num. Rows: those of the side.

    A row with a NULL value has no bin and so no match, unless NULL bounds are open. Then a NULL start lies below every
    value, and a NULL point matches the intervals that are open at both ends; the lowest bin serves both, since it is
    within the extent that open starts are clamped to.
    range_join_<side>_extent: the first and last bin with a row in it. One row: first_bin, last_bin; NULLs if there is none.
#}
{% macro _points_ctes(join, side) %}
    {%- set value = dbt_range_join._value_columns(join, side)[0] -%}
    {%- set bin_num = dbt_range_join._bin_in_domain('comparable', join.bin) -%}
    {%- set sql -%}
range_join_{{ side }}_points as (
    select
        {{ dbt_range_join._side_columns(join, side) | join(',\n        ') }},
        {%- if join.null_bounds == 'unbounded' %}
        coalesce(
            {{ bin_num | indent(12) }},
            -9223372036854775808
        ) as bin_num
        {%- else %}
        {{ bin_num | indent(8) }} as bin_num
        {%- endif %}
    from (
        select
            *,
            {{ dbt_range_join._in_domain(value) }} as comparable
        from range_join_{{ side }}
    ) as sides
),

range_join_{{ side }}_extent as (
    select
        min(bin_num) as first_bin,
        max(bin_num) as last_bin
    from range_join_{{ side }}_points
)
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}
