{{ dbt_range_join.naive_range_join(
    left_relation=ref('unit_values'),
    left_point='value',
    right_relation=ref('unit_intervals'),
    right_interval=['start_value', 'end_value'],
    join_type=var('join_type', 'left'),
    inclusive=var('inclusive', 'both'),
    null_bounds=var('null_bounds', 'no_match'),
    select=['l.case_name as point', 'r.case_name as interval'],
    bin_size=var('bin_size', 10)
) }}
