{#
    A range join by bins: the rows of naive_range_join, through an equi-join on bin numbers. Without a bin_size, the data is measured
    and the plan chosen.
    Arguments, types, units and errors are described in macros/_macros.yml.
#}
{% macro binned_range_join(
    left_relation=none, left_point=none, left_interval=none,
    right_relation=none, right_point=none, right_interval=none,
    keys=none, join_type='inner', inclusive='both', null_bounds='no_match',
    join_condition=none, select=none, bin_size=none, broadcast=none, shuffle_hash=none, extent=none, longest=none
) %}
    {{ return(adapter.dispatch('binned_range_join', 'dbt_range_join')(
        left_relation=left_relation, left_point=left_point, left_interval=left_interval,
        right_relation=right_relation, right_point=right_point, right_interval=right_interval,
        keys=keys, join_type=join_type, inclusive=inclusive, null_bounds=null_bounds,
        join_condition=join_condition, select=select, bin_size=bin_size, broadcast=broadcast, shuffle_hash=shuffle_hash, extent=extent, longest=longest, **kwargs)) }}
{% endmacro %}


{# The arguments arrive by keyword from the wrapper above, so this macro names none: they are read in one place. #}
{% macro spark__binned_range_join() %}
    {%- set join = dbt_range_join._read_range_join('binned_range_join', kwargs) -%}
    {%- if not execute -%}
        {#- dbt parses for refs and faults, and throws the text away: the shortest text will do. -#}
        {{ return(dbt_range_join._naive_form(join)) }}
    {%- endif -%}
    {{ return(dbt_range_join._planned_form(join, kwargs.bin_size)) }}
{% endmacro %}


{% macro default__binned_range_join() %}
    {%- do kwargs -%}
    {{ return(dbt_range_join._refuse_adapter('binned_range_join')) }}
{% endmacro %}
