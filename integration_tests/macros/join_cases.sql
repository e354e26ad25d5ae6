{#
    The results of many joins as the rows of one model: case_name, row_type (the names and types of the result's columns) and
    row_text (their values).

    macro: the macro to call, binned_range_join or naive_range_join. cases: a list of {name, arguments} and, where the join reads a
    CTE, {ctes}. A model with one macro and its twin with the other get the same list, and are compared as bags.
#}
{% macro join_cases(macro, cases) %}
    {%- set sql -%}
    {%- for case in cases %}
select
    '{{ case.name | replace("'", "\\'") }}' as case_name,
    typeof(struct(*)) as row_type,
    cast(struct(*) as string) as row_text
from (
    with {{ case.ctes ~ ',' if case.ctes }}
    joined as (
        {{ macro(**case.arguments) | indent(8) }}
    )

    select * from joined
) as joined
{{ 'union all' if not loop.last }}
    {%- endfor -%}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
