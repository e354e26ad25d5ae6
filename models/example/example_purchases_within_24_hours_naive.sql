{{ config(enabled=(project_name == 'dbt_range_join')) }}

with home_page_views as (
    select * from {{ ref('example_page_views') }}
    where pathname = '/'
),

purchases_after_views as (
    {{ dbt_range_join.naive_range_join(
        left_relation='home_page_views',
        left_interval=['viewed_at', 'viewed_at + interval 24 hours'],
        right_relation=ref('example_purchases'),
        right_point='purchased_at',
        keys=['user_id'],
        inclusive='right',
        select=['l.user_id', 'l.page_view_id', 'l.viewed_at', 'r.purchase_id', 'r.purchased_at', 'r.amount']
    ) | indent(4) }}
)

select * from purchases_after_views
