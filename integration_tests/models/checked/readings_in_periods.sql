{{ dbt_range_join.binned_range_join(
    left_relation=ref('readings'),
    left_point='minute',
    right_relation=ref('periods'),
    right_interval=['start_minute', 'end_minute'],
    keys=['device_id', 'site_id'],
    join_type='left',
    inclusive='left',
    null_bounds='unbounded',
    select=['l.reading_id', 'l.minute', 'r.period_id'],
    bin_size=10
) }}
