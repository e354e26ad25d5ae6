{#
    The join without a bin_size: as _choose_plan finds best for the data that there is, with the choice and its reasons in dbt's
    log and in a comment at the head.
#}
{% macro _planned_form(join) %}
    {%- set plan = dbt_range_join._choose_plan(join, dbt_range_join._measure(join)) -%}
    {%- do log((model.name ~ ': ' if model is defined and model.name is defined else '') ~ 'dbt_range_join: ' ~ plan.reason, info=true) -%}
    {%- set planned = dict(join, bin=plan.bin, broadcast=plan.broadcast, shuffle_hash=plan.shuffle_hash) -%}
    {%- set sql = dbt_range_join._naive_form(join) if plan.bin is none else dbt_range_join._binned_form(planned) -%}
    {{ return('-- dbt_range_join: ' ~ plan.reason ~ '\n' ~ sql) }}
{% endmacro %}
