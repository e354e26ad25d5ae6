{#-
    The package's generic test, called by hand: as YAML it would need the nested `arguments:`, which dbt has only since 1.10.5.
    In a project of your own, see README.
-#}
{{ config(enabled=(project_name == 'dbt_range_join')) }}

{{ dbt_range_join.test_equals_naive_range_join(
    model=ref('example_purchases_near_page_views'),
    left_relation=ref('example_page_views'),
    left_interval=['viewed_at - interval 30 minutes', 'viewed_at + interval 30 minutes'],
    right_relation=ref('example_purchases'),
    right_point='purchased_at',
    keys=['user_id'],
    join_type='left',
    select=['l.user_id', 'l.page_view_id', 'r.purchase_id']
) }}
