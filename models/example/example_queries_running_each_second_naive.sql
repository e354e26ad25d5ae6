{{ config(enabled=(project_name == 'dbt_range_join')) }}

with seconds_and_queries as (
    {{ dbt_range_join.naive_range_join(
        left_relation=ref('example_seconds'),
        left_point='timestamp',
        right_relation=ref('example_queries'),
        right_interval=["date_trunc('second', start_time)", "date_trunc('second', end_time)"],
        join_type='left',
        select=['l.timestamp', 'r.query_id']
    ) | indent(4) }}
)

select
    timestamp,
    count(query_id) as num_queries
from seconds_and_queries
group by timestamp
