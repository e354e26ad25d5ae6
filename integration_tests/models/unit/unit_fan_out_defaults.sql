{{ dbt_range_join.fan_out_intervals(ref('unit_intervals'), ['start_value', 'end_value'], var('bin_size', 10)) }}
