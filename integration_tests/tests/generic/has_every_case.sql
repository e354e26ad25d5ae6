{#
    Every case of a list has rows in the model, so that none is compared with nothing; those that are marked may_be_empty are excused.
    theme: of cases_of.
#}
{% test has_every_case(model, theme) %}

with cases as (
    {%- for case in cases_of(theme) if not case.may_be_empty %}
    select '{{ case.name | replace("'", "\\'") }}' as case_name
    {{- ' union all' if not loop.last }}
    {%- endfor %}
)

select case_name from cases
where case_name not in (select case_name from {{ model }})

{% endtest %}
