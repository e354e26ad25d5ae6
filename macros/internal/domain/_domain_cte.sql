{#
    The type that Spark compares the values in: a column without rows, whose type is what the points and the bounds have in
    common. `coalesce(x, (select comparable from range_join_domain))` is x in that type, at no cost when it runs.
    Without it a DATE and a TIMESTAMP, or an INT and a FLOAT, would be binned on scales of their own.
#}
{% macro _domain_cte(join) %}
    {%- set values = [] -%}
    {%- for side in ['left', 'right'] -%}
        {%- for column in dbt_range_join._value_columns(join, side) -%}
            {%- do values.append('select ' ~ column ~ (' as comparable' if loop.first and side == 'left' else '') ~ ' from range_join_' ~ side ~ '\n    where false') -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set sql -%}
range_join_domain as (
    {{ values | join('\n    union all\n    ') }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# A column of a side in the common type. #}
{% macro _in_domain(column) %}
    {{ return('coalesce(' ~ column ~ ', (select comparable from range_join_domain))') }}
{% endmacro %}


{#
    range_join_types: whether the types compared are so mixed that no scale keeps the order of them all. One row: are_mixed.

    Spark compares two values at a time, in the type that these two have in common. Where a third value makes the type of all
    of them wider, that may undo what the narrower type did: an INT is rounded to FLOAT, a DECIMAL of 38 digits drops
    decimals, and a TIMESTAMP_NTZ that the session's clock skips has no place of its own among TIMESTAMPs. All values then
    share one bin: slow, and right. Spark folds this to true or false when it plans.
#}
{% macro _types_cte(join) %}
    {%- set pairs = dbt_range_join._compared_columns(join) -%}
    {%- set mixed = [] -%}
    {%- for _ in pairs -%}
        {%- set pair = 'pair_' ~ loop.index -%}
        {%- do mixed.append(pair ~ ' <> common and ' ~ pair ~ " rlike '^(float|decimal.38|timestamp_ntz)'") -%}
    {%- endfor -%}
    {%- set sql -%}
range_join_types as (
    select
        {{ mixed | join('\n        or ') }} as are_mixed
    from (
        select
            typeof((select comparable from range_join_domain)) as common,
            {%- for left, right in pairs %}
            typeof(coalesce(
                (
                    select {{ left }} from range_join_left
                    where false
                ),
                (
                    select {{ right }} from range_join_right
                    where false
                )
            )) as pair_{{ loop.index }}{{ ',' if not loop.last }}
            {%- endfor %}
    ) as types
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# What the predicate compares, as pairs of a column on the left and one on the right. #}
{% macro _compared_columns(join) %}
    {%- if join.left.kind == 'point' -%}
        {{ return([['point', 'interval_start'], ['point', 'interval_end']]) }}
    {%- elif join.right.kind == 'point' -%}
        {{ return([['interval_start', 'point'], ['interval_end', 'point']]) }}
    {%- endif -%}
    {{ return([['interval_start', 'interval_end'], ['interval_end', 'interval_start'], ['interval_start', 'interval_start']]) }}
{% endmacro %}


{# The bin of a value in the common type; one bin for all where types are mixed. #}
{% macro _bin_in_domain(column, bin) %}
    {%- set sql -%}
if(
    (select are_mixed from range_join_types),
    0,
    {{ dbt_range_join._bin_of(column, bin) | indent(4) }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
