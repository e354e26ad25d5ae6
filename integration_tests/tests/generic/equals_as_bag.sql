{#
    Two models hold the same rows, each as often, with the same column names and types. A set comparison would not do: it is blind to
    exactly the duplicates that a join by bins could make or lose.

    Fails with one row per row that differs: which side has it more often, and how much more often. Fails too where there are no rows
    to compare, unless allow_empty is true.
#}
{% test equals_as_bag(model, compare_model, allow_empty=false) %}

with this as (
    select struct(*) as row, typeof(struct(*)) as columns from {{ model }}
),

that as (
    select struct(*) as row, typeof(struct(*)) as columns from {{ compare_model }}
),

only_this as (
    select * from this
    except all
    select * from that
),

only_that as (
    select * from that
    except all
    select * from this
)

select
    'only in {{ model.identifier }}' as side,
    row,
    columns,
    count(*) as times
from only_this
group by row, columns
union all
select
    'only in {{ compare_model.identifier }}' as side,
    row,
    columns,
    count(*) as times
from only_that
group by row, columns
{%- if not allow_empty %}
union all
select
    '{{ compare_model.identifier }} has no rows, so that nothing was compared' as side,
    null as row,
    null as columns,
    0 as times
from (select count(*) as row_count from that) as rows_to_compare
where row_count = 0
{%- endif %}

{% endtest %}
