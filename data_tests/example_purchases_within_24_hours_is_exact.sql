{#-
    The package's generic test, called by hand: as YAML it would need the nested `arguments:`, which dbt has only since 1.10.5.
    In a project of your own, see README.
-#}
{{ config(enabled=(project_name == 'dbt_range_join')) }}

{{ dbt_range_join.test_equals_naive_range_join(
    model=ref('example_purchases_within_24_hours'),
    left_relation="(select * from " ~ ref('example_page_views') ~ " where pathname = '/')",
    left_interval=['viewed_at', 'viewed_at + interval 24 hours'],
    right_relation=ref('example_purchases'),
    right_point='purchased_at',
    keys=['user_id'],
    inclusive='right',
    select=['l.user_id', 'l.page_view_id', 'l.viewed_at', 'r.purchase_id', 'r.purchased_at', 'r.amount']
) }}
