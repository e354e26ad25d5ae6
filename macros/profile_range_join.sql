{#
    What a range join meets in its data, and what each bin_size would cost: printed, and returned as text.
    Arguments are described in macros/_macros.yml. dbt run-operation profile_range_join --args '{left_relation: events, ...}'
#}
{% macro profile_range_join(
    left_relation=none, left_point=none, left_interval=none,
    right_relation=none, right_point=none, right_interval=none,
    keys=none, join_type='inner', inclusive='both', null_bounds='no_match',
    join_condition=none, select=none, bin_size=none, broadcast=none, shuffle_hash=none, extent=none, longest=none
) %}
    {{ return(adapter.dispatch('profile_range_join', 'dbt_range_join')(
        left_relation=left_relation, left_point=left_point, left_interval=left_interval,
        right_relation=right_relation, right_point=right_point, right_interval=right_interval,
        keys=keys, join_type=join_type, inclusive=inclusive, null_bounds=null_bounds, join_condition=join_condition,
        select=select, bin_size=bin_size, broadcast=broadcast, shuffle_hash=shuffle_hash, extent=extent, longest=longest, **kwargs)) }}
{% endmacro %}


{# The arguments arrive by keyword from the wrapper above, so this macro names none: they are read in one place. #}
{% macro spark__profile_range_join() %}
    {%- if not execute -%}
        {{ return('') }}
    {%- endif -%}
    {%- set join = dbt_range_join._read_range_join('profile_range_join', dbt_range_join._with_relations(kwargs)) -%}
    {#- What a sample says before it is read for one plan or another: a table's and a view's are both told. -#}
    {%- set join = dict(dbt_range_join._with_sides_apart(join), built_now=false) -%}
    {%- set measured = dbt_range_join._measure(join) -%}
    {%- if measured is none -%}
        {%- do dbt_range_join._raise_unreadable('profile_range_join', dbt_range_join._plan_text(dbt_range_join._probe_sql(join))) -%}
    {%- endif -%}
    {%- if join.bin is not none -%}
        {%- do dbt_range_join._raise_faults(join.macro_name, dbt_range_join._unit_faults(join, kwargs.bin_size, measured)) -%}
    {%- endif -%}
    {%- set text = dbt_range_join._profile(join, measured, kwargs) -%}
    {%- do print(text) -%}
    {{ return(text) }}
{% endmacro %}


{% macro default__profile_range_join() %}
    {%- do kwargs -%}
    {{ return(dbt_range_join._refuse_adapter('profile_range_join')) }}
{% endmacro %}
