{#
    The rows in which a model and the naive join differ, compared as bags: a set comparison would be blind to exactly the
    duplicates that a join by bins could make or lose.

    wheres: {left, right}: predicates, or none. A side's rows that meet its predicate are all that is joined, and the rows of the
    model that meet it are all that is compared; _check_wheres sees to it that this is the same thing.
    Columns: difference ('missing' from the model or 'extra' in it), times (how often), row (a struct of the model's columns).
    Rows: one for each different row; none where the model is right.
#}
{% macro _equals_naive_form(model, join, wheres) %}
    {%- set ns = namespace(actual='(select * from ' ~ model ~ ')') -%}
    {%- for side in ['left', 'right'] if wheres[side] is not none -%}
        {%- do join[side].update({'relation': dbt_range_join._rows_where(join[side].relation, join[side].alias, wheres[side])}) -%}
        {%- set ns.actual = dbt_range_join._rows_where(ns.actual, join[side].alias, wheres[side]) -%}
    {%- endfor -%}
    {%- set sql -%}
with range_join_expected as (
    {{ dbt_range_join._naive_form(join) | indent(4) }}
),

range_join_actual as (
    select * from {{ ns.actual }} as model_rows
),

range_join_differences as (
    select
        'missing' as difference,
        struct(*) as row
    from (
        select * from range_join_expected
        except all
        select * from range_join_actual
    ) as missing_rows
    union all
    select
        'extra' as difference,
        struct(*) as row
    from (
        select * from range_join_actual
        except all
        select * from range_join_expected
    ) as extra_rows
)

select
    difference,
    count(*) as times,
    row
from range_join_differences
group by difference, row
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The rows of a relation that meet a predicate over that alias, as a query in parentheses. #}
{% macro _rows_where(relation, alias, predicate) %}
    {{ return('(select * from ' ~ relation ~ ' as ' ~ alias ~ ' where (' ~ predicate ~ '\n))') }}
{% endmacro %}
