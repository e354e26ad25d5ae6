{#
    The bin that a value falls in: a BIGINT expression.
    Arguments, types, units and errors are described in macros/_macros.yml.
#}
{% macro bin_number(expression, bin_size) %}
    {{ return(adapter.dispatch('bin_number', 'dbt_range_join')(expression=expression, bin_size=bin_size)) }}
{% endmacro %}


{% macro spark__bin_number(expression, bin_size) %}
    {%- set expression = dbt_range_join._embeddable(expression) -%}
    {%- set faults = [] -%}
    {%- do dbt_range_join._check_expression('expression', expression, faults) -%}
    {%- set bin = dbt_range_join._read_bin_size(bin_size, faults) -%}
    {%- do dbt_range_join._raise_faults('bin_number', faults) -%}

    {{ return(dbt_range_join._bin_of(expression, bin)) }}
{% endmacro %}


{% macro default__bin_number(expression, bin_size) %}
    {{ return(dbt_range_join._refuse_adapter('bin_number')) }}
{% endmacro %}
