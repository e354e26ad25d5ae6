{#
    How a bad argument is told: every check appends one line to a list, and the list is raised once, so that one
    compile error names all faults of a call. A line says what was given, what is allowed, and what to do next.
#}

{# One fault. allowed: a phrase, or a list of the legal values. next_step: a phrase; none, or undefined, where there is nothing to add. Returns: the line. #}
{% macro _fault(argument, given, allowed, next_step=none) %}
    {{ return(dbt_range_join._fault_line(argument, dbt_range_join._show_value(given), allowed, next_step)) }}
{% endmacro %}


{# The same, of what was given in words. #}
{% macro _fault_line(argument, shown, allowed, next_step=none) %}
    {%- if allowed is string -%}
        {%- set legal = allowed -%}
    {%- else -%}
        {%- set legal = "'" ~ allowed | join("', '") ~ "'" -%}
    {%- endif -%}
    {{ return(argument ~ ': got ' ~ shown ~ '; allowed: ' ~ legal ~ '.'
        ~ (' Next step: ' ~ next_step ~ ('' if next_step.endswith('?') else '.') if next_step else '')) }}
{% endmacro %}


{# A value as the caller would write it, cut where it is long. #}
{% macro _show_value(value) %}
    {%- if value is undefined -%}
        {{ return('an undefined variable') }}
    {%- endif -%}
    {%- set text = "'" ~ value ~ "'" if value is string else value | string -%}
    {{ return(text if text | length <= 100 else text[:97] ~ '...') }}
{% endmacro %}


{# Raises one compile error for all faults of one call of a macro; returns nothing where there are none. #}
{% macro _raise_faults(macro_name, faults) %}
    {%- if faults -%}
        {%- set message -%}
dbt_range_join.{{ macro_name }}: {{ faults | length }} argument{{ 's' if faults | length > 1 }} to put right
{%- for fault in faults %}
  - {{ fault }}
{%- endfor %}
        {%- endset -%}
        {%- do exceptions.raise_compiler_error(message) -%}
    {%- endif -%}
{% endmacro %}


{# The whole answer to an adapter that no implementation was written for. #}
{% macro _refuse_adapter(macro_name) %}
    {%- do exceptions.raise_compiler_error(
        "dbt_range_join." ~ macro_name ~ ": no implementation for the adapter '" ~ adapter.type()
        ~ "'; it works on 'spark' and on adapters derived from it. Next step: run it on Spark, or define "
        ~ adapter.type() ~ "__" ~ macro_name ~ " in your project and list it in the `dispatch` config for dbt_range_join.") -%}
{% endmacro %}
