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
