{{ dbt_range_join.generate_bins(lower='-11', upper='10', bin_size=10, bin_column='ten') }}
