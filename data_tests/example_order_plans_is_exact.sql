{#-
    The package's generic test, called by hand: as YAML it would need the nested `arguments:`, which dbt has only since 1.10.5.
    In a project of your own, see README.
-#}
{{ config(enabled=(project_name == 'dbt_range_join')) }}

{{ dbt_range_join.test_equals_naive_range_join(
    model=ref('example_order_plans'),
    left_relation=ref('example_orders'),
    left_point='ordered_at',
    right_relation=ref('example_customer_versions'),
    right_interval=['valid_from', 'valid_to'],
    keys=['customer_id'],
    join_type='left',
    inclusive='left',
    null_bounds='unbounded',
    select=['l.*', 'r.plan']
) }}
