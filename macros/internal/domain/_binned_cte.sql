{#
    range_join_<side>_binned: a side's rows with the bin of each of their values, all sides on one scale: from here on the
    join is one of whole numbers.

    Columns: those of the side; key_hash, where there are keys; bin_num, the bin of its point or of its interval's start; end_bin, that of its interval's end.
    Rows: those of the side.

    A NULL value has no bin and so no match, unless NULL bounds are open. Then a NULL start lies below every value, and a NULL
    point matches the intervals that are open at both ends: the lowest bin serves both. An open end stays NULL.
#}
{% macro _binned_cte(join, side) %}
    {%- set first, last = dbt_range_join._value_columns(join, side)[0], dbt_range_join._value_columns(join, side)[1:] -%}
    {%- set bins = {first: 'bin_num'} -%}
    {%- for value in last -%}
        {%- do bins.update({value: 'end_bin'}) -%}
    {%- endfor -%}
    {%- set sql -%}
range_join_{{ side }}_binned as (
    select
        {{ dbt_range_join._side_columns(join, side) | join(',\n        ') }},
        {%- if join['keys'] %}
        {{ dbt_range_join._key_hash(join, side) | indent(8) }} as key_hash,
        {%- endif %}
        {%- for value in bins %}
        {{ dbt_range_join._bin_in_domain(join, 'comparable_' ~ value, value == first) | indent(8) }} as {{ bins[value] }}{{ ',' if not loop.last }}
        {%- endfor %}
    from (
        select
            sides.*,
            {%- for value in bins %}
            coalesce(sides.{{ value }}, types.comparable) as comparable_{{ value }},
            {%- endfor %}
            {%- for flag in dbt_range_join._hashed_flags(join) %}
            {{ flag | indent(12) }},
            {%- endfor %}
            {{ dbt_range_join._are_mixed(join) | indent(12) }} as are_mixed
        from range_join_{{ side }} as sides
        left join range_join_types as types on true
    ) as sides
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The bin of a value in the common type; one bin for all where types are mixed. lowest: whether an open NULL is in the lowest bin. #}
{% macro _bin_in_domain(join, column, lowest) %}
    {%- set bin_num -%}
if(
    are_mixed,
    0,
    {{ dbt_range_join._bin_of(column, join.bin) | indent(4) }}
)
    {%- endset -%}
    {%- if not lowest or join.null_bounds == 'no_match' -%}
        {{ return(bin_num) }}
    {%- endif -%}
    {%- set sql -%}
coalesce(
    {{ bin_num | indent(4) }},
    -9223372036854775808
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
