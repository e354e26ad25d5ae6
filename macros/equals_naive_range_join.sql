{#
    A generic test: the model holds exactly the rows that naive_range_join gives for the same arguments, each as often.
    Arguments and what the rows it returns say are described in macros/_macros.yml.
#}
{% test equals_naive_range_join(
    model,
    left_relation=none, left_point=none, left_interval=none,
    right_relation=none, right_point=none, right_interval=none,
    keys=none, join_type='inner', inclusive='both', null_bounds='no_match',
    join_condition=none, select=none, bin_size=none, broadcast=none, shuffle_hash=none, extent=none, longest=none,
    left_where=none, right_where=none
) %}
    {{ return(adapter.dispatch('equals_naive_range_join', 'dbt_range_join')(
        model=model,
        left_relation=left_relation, left_point=left_point, left_interval=left_interval,
        right_relation=right_relation, right_point=right_point, right_interval=right_interval,
        keys=keys, join_type=join_type, inclusive=inclusive, null_bounds=null_bounds,
        join_condition=join_condition, select=select, bin_size=bin_size, broadcast=broadcast, shuffle_hash=shuffle_hash, extent=extent, longest=longest,
        left_where=left_where, right_where=right_where, **kwargs)) }}
{% endtest %}


{# The arguments arrive by keyword from the wrapper above, so this macro names none: they are read in one place. #}
{% macro spark__equals_naive_range_join() %}
    {%- set given = dict(kwargs) -%}
    {%- set model = given.pop('model') -%}
    {%- set wheres = {
        'left': dbt_range_join._embeddable(given.pop('left_where')),
        'right': dbt_range_join._embeddable(given.pop('right_where'))} -%}
    {%- set join = dbt_range_join._read_range_join('equals_naive_range_join', given, wheres) -%}
    {{ return(dbt_range_join._equals_naive_form(model, join, wheres)) }}
{% endmacro %}


{% macro default__equals_naive_range_join() %}
    {%- do kwargs -%}
    {{ return(dbt_range_join._refuse_adapter('equals_naive_range_join')) }}
{% endmacro %}
