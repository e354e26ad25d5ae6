{#
    How Spark would run a range join, and what it comes to: the joins in its plan, rows fanned out, pairs compared and pairs kept: printed,
    and returned as text. Arguments are described in macros/_macros.yml.
    dbt run-operation explain_range_join --args '{model: events_with_version}'
#}
{% macro explain_range_join(
    model=none,
    left_relation=none, left_point=none, left_interval=none,
    right_relation=none, right_point=none, right_interval=none,
    keys=none, join_type='inner', inclusive='both', null_bounds='no_match',
    join_condition=none, select=none, bin_size=none, broadcast=none, shuffle_hash=none, extent=none, longest=none
) %}
    {{ return(adapter.dispatch('explain_range_join', 'dbt_range_join')(
        model=model,
        left_relation=left_relation, left_point=left_point, left_interval=left_interval,
        right_relation=right_relation, right_point=right_point, right_interval=right_interval,
        keys=keys, join_type=join_type, inclusive=inclusive, null_bounds=null_bounds, join_condition=join_condition,
        select=select, bin_size=bin_size, broadcast=broadcast, shuffle_hash=shuffle_hash, extent=extent, longest=longest, **kwargs)) }}
{% endmacro %}


{# The arguments arrive by keyword from the wrapper above, so this macro names none: they are read in one place. #}
{% macro spark__explain_range_join() %}
    {%- if not execute -%}
        {{ return('') }}
    {%- endif -%}
    {%- set given = dict(kwargs) -%}
    {%- set model_name = given.pop('model') -%}
    {%- if model_name is not none -%}
        {%- set text = dbt_range_join._explain_model(model_name, given) -%}
    {%- else -%}
        {%- do dbt_range_join._check_what_to_explain(given) -%}
        {%- set join = dbt_range_join._read_range_join('explain_range_join', dbt_range_join._with_relations(given)) -%}
        {%- set text = dbt_range_join._explain_join(join, given.bin_size) -%}
    {%- endif -%}
    {%- do print(text) -%}
    {{ return(text) }}
{% endmacro %}


{% macro default__explain_range_join() %}
    {%- do kwargs -%}
    {{ return(dbt_range_join._refuse_adapter('explain_range_join')) }}
{% endmacro %}
