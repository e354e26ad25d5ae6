{#
    The join as it is to be made. Without a bin_size that is as _choose_plan finds best for the data that there is, with the choice and its
    reasons in dbt's log and in a comment at the head; with one, as _fixed_join says. bin_size: as the caller gave it.
    Where explain_range_join asks (range_join_rendering, see reports/_rendered_model.sql), the plan is put down for it, and not logged.
#}
{% macro _planned_form(join, bin_size) %}
    {%- if join.bin is none -%}
        {%- set join = dbt_range_join._with_sides_apart(join) -%}
        {%- set planned = dbt_range_join._planned_join(join, dbt_range_join._measure(join)) -%}
    {%- else -%}
        {%- set planned = dbt_range_join._fixed_join(join, bin_size) -%}
    {%- endif -%}
    {%- if range_join_rendering is defined -%}
        {%- do range_join_rendering.joins.append(dbt_range_join._read_apart(planned)) -%}
    {%- elif planned.reason is defined -%}
        {%- do log(dbt_range_join._say_where() ~ planned.reason, info=true) -%}
    {%- endif -%}
    {{ return(('-- dbt_range_join: ' ~ planned.reason ~ '\n' if planned.reason is defined else '') ~ dbt_range_join._form_of(planned)) }}
{% endmacro %}


{# The form of a join whose plan is made. Without bins there is nothing to merge. #}
{% macro _form_of(join) %}
    {%- if join.bin is not none -%}
        {{ return(dbt_range_join._binned_form(join)) }}
    {%- endif -%}
    {{ return(dbt_range_join._naive_form(join, dbt_range_join._join_hint(dict(join, merge=false), {'left': 'left_side', 'right': 'right_side'}))) }}
{% endmacro %}
