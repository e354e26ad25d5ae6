{#
    A value in the type that it shares with others of its row, so that a DATE and a TIMESTAMP, or an INT and a DOUBLE, are
    binned in the type that Spark compares them in. Spark drops the test and keeps the cast.

    value: a SQL expression. others: SQL expressions. Returns: a SQL expression.
#}
{% macro _as_common_type(value, others) %}
    {%- if others | length > 1 -%}
        {{ return('if(true, ' ~ value ~ ', coalesce(' ~ others | join(', ') ~ '))') }}
    {%- endif -%}
    {{ return('if(true, ' ~ value ~ ', ' ~ others[0] ~ ')') }}
{% endmacro %}
