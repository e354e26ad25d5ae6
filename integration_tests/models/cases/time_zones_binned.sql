{{ config(
    pre_hook='set spark.sql.session.timeZone = Europe/Berlin',
    post_hook='reset spark.sql.session.timeZone'
) }}

{{ join_cases(dbt_range_join.binned_range_join, cases_of('time_zones')) }}
