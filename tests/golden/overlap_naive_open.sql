with range_join_left as (
    select
        struct(l.*) as l,
        (l.s) as interval_start,
        (l.e) as interval_end
    from page_sessions as l
),

range_join_right as (
    select
        struct(r.*) as r,
        (r.s) as interval_start,
        (r.e) as interval_end
    from app_sessions as r
)

select
    l.id as l_id,
    r.id as r_id
from range_join_left as left_side
inner join range_join_right as right_side
    on
        (left_side.interval_start <= right_side.interval_end or left_side.interval_start is null or right_side.interval_end is null)
        and (right_side.interval_start <= left_side.interval_end or right_side.interval_start is null or left_side.interval_end is null)
