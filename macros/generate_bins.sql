{#
    One row per bin between two values, both ends included.
    Arguments, types, units and errors are described in macros/_macros.yml.
#}
{% macro generate_bins(lower, upper, bin_size, relation=none, bin_column='bin_num') %}
    {{ return(adapter.dispatch('generate_bins', 'dbt_range_join')(
        lower=lower, upper=upper, bin_size=bin_size, relation=relation, bin_column=bin_column)) }}
{% endmacro %}


{% macro spark__generate_bins(lower, upper, bin_size, relation, bin_column) %}
    {%- set lower, upper, relation = dbt_range_join._embeddable([lower, upper, relation]) -%}
    {%- set relation = dbt_range_join._without_alias(relation) -%}
    {%- set faults = [] -%}
    {%- do dbt_range_join._check_expression('lower', lower, faults) -%}
    {%- do dbt_range_join._check_expression('upper', upper, faults) -%}
    {%- if relation is not none -%}
        {%- do dbt_range_join._check_relation('relation', relation, faults) -%}
    {%- endif -%}
    {%- do dbt_range_join._check_column_name('bin_column', bin_column, faults) -%}
    {%- set bin = dbt_range_join._read_bin_size(bin_size, faults) -%}
    {%- do dbt_range_join._raise_faults('generate_bins', faults) -%}

    {%- set sql -%}
with range_join_bounds as (
    select
        ({{ lower }}) as lower_bound,
        ({{ upper }}) as upper_bound
    {%- if relation is not none %}
    from {{ relation }}
    {%- endif %}
),

range_join_span as (
    select
        {{ dbt_range_join._bin_of('lower_value', bin) | indent(8) }} as first_bin,
        {{ dbt_range_join._bin_of('upper_value', bin) | indent(8) }} as last_bin
    from (
        select
            {{ dbt_range_join._as_common_type('lower_bound', ['upper_bound']) }} as lower_value,
            {{ dbt_range_join._as_common_type('upper_bound', ['lower_bound']) }} as upper_value
        from range_join_bounds
    ) as bounds
)

select {{ dbt_range_join._explode_bins('first_bin', 'last_bin') }} as {{ bin_column }}
from range_join_span
where first_bin <= last_bin
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{% macro default__generate_bins(lower, upper, bin_size, relation, bin_column) %}
    {{ return(dbt_range_join._refuse_adapter('generate_bins')) }}
{% endmacro %}
