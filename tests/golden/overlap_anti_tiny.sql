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
),

-- both sides as they are swept: by where l ends, and where the other side starts
range_join_left_sweep as (
    select *
    from (
        select
            true as is_kept,
            l,
            interval_start,
            interval_end as swept_at,
            if(true, null, interval_start) as reach
        from range_join_left
        union all
        select
            false as is_kept,
            null as l,
            null as interval_start,
            interval_start as swept_at,
            interval_end as reach
        from range_join_right
    ) as both_sides
    where
        if(
            typeof(swept_at) rlike '^(timestamp|timestamp_ntz|date|void)$'
            and typeof(reach) rlike '^(timestamp|timestamp_ntz|date|void)$',
            true,
            raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
        )
        and (is_kept or (swept_at is not null and reach is not null))
),

range_join_left_reached as (
    select
        l,
        coalesce(interval_start <= reach, false) as has_match
    from (
        select
            is_kept,
            l,
            interval_start,
            max(reach) over (
                order by swept_at, is_kept
                rows between unbounded preceding and current row
            ) as reach
        from range_join_left_sweep
    ) as swept
    where is_kept
)

-- whether a row has a match, told by a sweep over both sides in order
select l.*
from (
    select l
    from range_join_left_reached
    where not has_match
) as swept_rows
