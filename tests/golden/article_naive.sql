with range_join_left as (
    select
        struct(l.*) as l,
        (l.ts) as point
    from seconds as l
),

range_join_right as (
    select
        struct(r.*) as r,
        (r.start_time) as interval_start,
        (r.end_time) as interval_end
    from queries as r
)

select
    l.ts,
    r.query_id
from range_join_left as left_side
left join range_join_right as right_side
    on
        left_side.point >= right_side.interval_start
        and left_side.point <= right_side.interval_end
