{#
    The definition of the right answer: the two sides, and one join whose ON clause is the contract's, word for word. hint: what the select begins with.
#}
{% macro _naive_form(join, hint='') %}
    {%- set predicates = dbt_range_join._key_predicate(join, 'left_side', 'right_side')
        + dbt_range_join._range_predicate(join)
        + dbt_range_join._join_condition(join) -%}
    {%- set sql -%}
with {{ dbt_range_join._side_cte(join, 'left') }},

{{ dbt_range_join._side_cte(join, 'right') }}

select{{ hint }}{{ dbt_range_join._select_list(join.select_items) }}
from range_join_left as left_side
{{ dbt_range_join._join_words(join.join_type) }} range_join_right as right_side
    on
        {{ predicates | join('\n        and ') }}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# SQL's words for a join type. #}
{% macro _join_words(join_type) %}
    {{ return({
        'inner': 'inner join', 'left': 'left join', 'right': 'right join', 'full': 'full join',
        'semi': 'left semi join', 'anti': 'left anti join'}[join_type]) }}
{% endmacro %}
