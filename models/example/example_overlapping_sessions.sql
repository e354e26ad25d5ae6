{#- The article's third query: for each session on the landing page, the sessions in the app at the same time. -#}
{{ config(enabled=(project_name == 'dbt_range_join')) }}

{{ dbt_range_join.binned_range_join(
    left_relation=ref('example_landing_page_sessions'),
    left_interval=['start_time', 'end_time'],
    right_relation=ref('example_app_sessions'),
    right_interval=['start_time', 'end_time'],
    join_type='left',
    inclusive='neither',
    select=['l.session_id', 'r.session_id as app_session_id'],
    bin_size='10 minutes'
) }}
