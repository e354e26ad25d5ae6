{{ config(enabled=(project_name == 'dbt_range_join')) }}

select explode(sequence(
    timestamp '2024-01-15 09:00:00',
    timestamp '2024-01-15 09:02:59',
    interval 1 second
)) as timestamp
