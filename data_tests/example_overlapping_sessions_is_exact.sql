{#-
    The package's generic test, called by hand: as YAML it would need the nested `arguments:`, which dbt has only since 1.10.5.
    In a project of your own, see README.
-#}
{{ config(enabled=(project_name == 'dbt_range_join')) }}

{{ dbt_range_join.test_equals_naive_range_join(
    model=ref('example_overlapping_sessions'),
    left_relation=ref('example_landing_page_sessions'),
    left_interval=['start_time', 'end_time'],
    right_relation=ref('example_app_sessions'),
    right_interval=['start_time', 'end_time'],
    join_type='left',
    inclusive='neither',
    select=['l.session_id', 'r.session_id as app_session_id']
) }}
