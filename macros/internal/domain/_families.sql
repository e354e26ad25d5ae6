{#
    Which types there are of a family of values, by the names that Spark gives types, and of which family a type is.
#}

{# The types of a family, but for decimals, which are many, and fractions: 'time', 'whole' numbers or 'approximate' ones. #}
{% macro _types_of(family) %}
    {{ return({
        'time': ['timestamp', 'timestamp_ntz', 'date'],
        'whole': ['tinyint', 'smallint', 'int', 'bigint'],
        'approximate': ['float', 'double']}[family]) }}
{% endmacro %}


{# What the values of a type are: 'time', 'whole' or 'fraction' of numbers, or else the type itself. #}
{% macro _family_of(type) %}
    {%- for family in ['time', 'whole'] if type in dbt_range_join._types_of(family) -%}
        {{ return(family) }}
    {%- endfor -%}
    {{ return('fraction' if type in dbt_range_join._types_of('approximate') or type.startswith('decimal') else type) }}
{% endmacro %}


{# Whether a type is one of texts, as Spark names it. #}
{% macro _is_text_type(type) %}{{ return(modules.re.match('(string|char|varchar)\\b', type) is not none) }}{% endmacro %}
