{# The cases of a theme: a list of {name, arguments, ctes, may_be_empty} for join_cases. #}
{% macro cases_of(theme) %}
    {%- if theme == 'whole_numbers' -%}
        {{ return(type_cases(['tinyint', 'smallint', 'int', 'bigint'])) }}
    {%- elif theme == 'decimals' -%}
        {{ return(type_cases(['decimal_9_2', 'decimal_38_0', 'decimal_38_18'])) }}
    {%- elif theme == 'approximate_numbers' -%}
        {{ return(type_cases(['float', 'double'])) }}
    {%- elif theme == 'times' -%}
        {{ return(type_cases(['date', 'timestamp', 'timestamp_ntz'])) }}
    {%- elif theme == 'mixed_types' -%}
        {{ return(mixed_type_cases()) }}
    {%- elif theme == 'time_zones' -%}
        {{ return(time_zone_cases()) }}
    {%- elif theme == 'relations' -%}
        {{ return(relation_cases()) }}
    {%- elif theme == 'columns' -%}
        {{ return(column_cases()) }}
    {%- elif theme == 'join_types' -%}
        {{ return(join_type_cases()) }}
    {%- elif theme == 'empty_sides' -%}
        {{ return(empty_side_cases()) }}
    {%- elif theme == 'far_ends' -%}
        {{ return(far_end_cases()) }}
    {%- endif -%}
    {%- do exceptions.raise_compiler_error("no cases for '" ~ theme ~ "'") -%}
{% endmacro %}
