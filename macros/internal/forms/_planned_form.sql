{#
    The join without a bin_size: as _choose_plan finds best for the data that there is, with the choice and its reasons in dbt's
    log and in a comment at the head.
#}
{% macro _planned_form(join) %}
    {%- set planned = dbt_range_join._planned_join(join, dbt_range_join._measure(join)) -%}
    {%- do log(dbt_range_join._say_where() ~ planned.reason, info=true) -%}
    {{ return('-- dbt_range_join: ' ~ planned.reason ~ '\n' ~ dbt_range_join._form_of(planned)) }}
{% endmacro %}


{# The form of a join whose plan is made. #}
{% macro _form_of(join) %}
    {{ return(dbt_range_join._naive_form(join) if join.bin is none else dbt_range_join._binned_form(join)) }}
{% endmacro %}
