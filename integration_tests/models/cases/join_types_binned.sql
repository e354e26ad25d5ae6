{{ join_cases(dbt_range_join.binned_range_join, cases_of('join_types')) }}
