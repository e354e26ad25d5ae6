{#
    range_join_<side>_binned: a side's rows with the bin of each of their values, all sides on one scale: from here on the
    join is one of whole numbers.

    Columns: those of the side; key_hash, where there are keys; bin_num, the bin of its point or of its interval's start; end_bin, that of its interval's end.
    Rows: those of the side.

    A NULL value has no bin and so no match, unless NULL bounds are open. Then a NULL start lies below every value, and a NULL
    point matches the intervals that are open at both ends: the lowest bin serves both. An open end stays NULL.
#}
{% macro _binned_cte(join, side) %}
    {%- set columns = join[side].value_columns -%}
    {%- set items = join[side].columns | list -%}
    {%- if join['keys'] -%}
        {%- do items.append(dbt_range_join._key_hash(join, side) | indent(4) ~ ' as key_hash') -%}
    {%- endif -%}
    {%- for column in columns -%}
        {%- set is_end = not loop.first -%}
        {%- do items.append(dbt_range_join._bin_in_domain(join, column, is_end) | indent(4) ~ ' as ' ~ ('end_bin' if is_end else 'bin_num')) -%}
    {%- endfor -%}
    {%- set sql -%}
range_join_{{ side }}_binned as (
    select{{ dbt_range_join._select_list(items) | indent(4) }}
    from {{ 'range_join_' ~ side if join.type is not none else dbt_range_join._comparable_values(join, side) | indent(4) }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# A side's rows with each of its values in the common type, and what else Spark knows of the types when it plans, as a subquery. #}
{% macro _comparable_values(join, side) %}
    {%- set items = ['sides.*'] -%}
    {%- for column in join[side].value_columns -%}
        {%- do items.append('coalesce(sides.' ~ column ~ ', types.comparable) as comparable_' ~ column) -%}
    {%- endfor -%}
    {%- for flag in dbt_range_join._hashed_flags(join) -%}
        {%- do items.append(flag | indent(4)) -%}
    {%- endfor -%}
    {%- do items.append(dbt_range_join._are_mixed(join) | indent(4) ~ ' as are_mixed') -%}
    {%- set sql -%}
(
    select{{ dbt_range_join._select_list(items) | indent(4) }}
    from range_join_{{ side }} as sides
    left join range_join_types as types on true
) as sides
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    The bin of a value in the common type; one bin for all where types are mixed; of a NULL none. column: of the side. is_end: whether it is an interval's end, of
    which an open NULL stays NULL, where others are in the lowest bin.

    Of an end that does not belong to the interval it is the bin of what lies below: many points at midnight and many intervals that end there have no bin in
    common then. Only where all values are of one type: compared in another one, a value below the end may be equal to it.
#}
{% macro _bin_in_domain(join, column, is_end) %}
    {%- if join.type is none -%}
        {#- A start that has no value in the type that it is compared in counts as open (_starts), and so all of them need one bin. -#}
        {%- set is_open_start = not is_end and join.null_bounds == 'unbounded' and join.left.kind == join.right.kind -%}
        {%- set one_bin = '0' if is_open_start else 'if(' ~ column ~ ' is null, null, 0)' -%}
        {%- set bin_num = 'if(\n    are_mixed,\n    ' ~ one_bin ~ ',\n    ' ~ dbt_range_join._bin_of('comparable_' ~ column, join.bin) | indent(4) ~ '\n)' -%}
    {%- else -%}
        {%- set bin_num = dbt_range_join._bin_of(column, join.bin, below=is_end and not dbt_range_join._touching_counts(join, 'end'), type=join.type) -%}
    {%- endif -%}
    {%- if is_end or join.null_bounds == 'no_match' -%}
        {{ return(bin_num) }}
    {%- endif -%}
    {%- set sql -%}
coalesce(
    {{ bin_num | indent(4) }},
    {{ dbt_range_join._lowest_bin() }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
