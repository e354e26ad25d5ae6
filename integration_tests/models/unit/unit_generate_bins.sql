{{ dbt_range_join.generate_bins('min(value)', 'max(value)', var('bin_size', 10), relation=ref('unit_values')) }}
