{{ dbt_range_join.fan_out_intervals(
    ref('unit_intervals'),
    ['start_value', 'end_value'],
    var('bin_size', 10),
    select=['case_name'],
    bin_column='bin',
    inclusive=var('inclusive', 'both'),
    null_bounds=var('null_bounds', 'no_match'),
    lower=var('lower', none),
    upper=var('upper', none)
) }}
