{#- The bins change nothing: the rows that one of the two has more often than the other, of which there are none. -#}
{{ config(enabled=(project_name == 'dbt_range_join')) }}

with binned as (
    select * from {{ ref('example_queries_running_each_second') }}
),

naive as (
    select * from {{ ref('example_queries_running_each_second_naive') }}
),

only_binned as (
    select * from binned
    except all
    select * from naive
),

only_naive as (
    select * from naive
    except all
    select * from binned
)

select 'only with bins' as side, * from only_binned
union all
select 'only without bins' as side, * from only_naive
