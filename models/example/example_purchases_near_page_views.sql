{#- A band join: abs(view - purchase) <= 30 minutes, as an interval around one of the two points. -#}
{{ config(enabled=(project_name == 'dbt_range_join')) }}

{{ dbt_range_join.binned_range_join(
    left_relation=ref('example_page_views'),
    left_interval=['viewed_at - interval 30 minutes', 'viewed_at + interval 30 minutes'],
    right_relation=ref('example_purchases'),
    right_point='purchased_at',
    keys=['user_id'],
    join_type='left',
    select=['l.user_id', 'l.page_view_id', 'r.purchase_id'],
    bin_size='1 hour'
) }}
