{#- Versions of a dimension (SCD2): for each order the customer's version at that time. The current version has no end. Without the bin_size so few rows would be
    joined plainly, and the test would compare the plain join with itself. -#}
{{ config(enabled=(project_name == 'dbt_range_join')) }}

{{ dbt_range_join.binned_range_join(
    left_relation=ref('example_orders'),
    left_point='ordered_at',
    right_relation=ref('example_customer_versions'),
    right_interval=['valid_from', 'valid_to'],
    keys=['customer_id'],
    join_type='left',
    inclusive='left',
    null_bounds='unbounded',
    select=['l.*', 'r.plan'],
    bin_size='30 days'
) }}
