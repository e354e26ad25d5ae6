{{ join_cases(dbt_range_join.naive_range_join, cases_of('far_ends')) }}
