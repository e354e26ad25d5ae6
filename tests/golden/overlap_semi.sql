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

-- the types in which values are compared; no rows, and gone when Spark has planned
range_join_types as (
    select
        left_side.l,
        right_side.r,
        left_side.interval_start as left_interval_start,
        left_side.interval_end as left_interval_end,
        right_side.interval_start as right_interval_start,
        right_side.interval_end as right_interval_end,
        coalesce(left_side.interval_start, left_side.interval_end, right_side.interval_start, right_side.interval_end) as comparable,
        coalesce(left_side.interval_start, right_side.interval_end) as pair_1,
        coalesce(left_side.interval_end, right_side.interval_start) as pair_2,
        coalesce(left_side.interval_start, right_side.interval_start) as pair_3
    from range_join_left as left_side
    cross join range_join_right as right_side
    limit 0
),

-- step 1: bin each side
range_join_left_binned as (
    select
        l,
        interval_start,
        interval_end,
        if(
            are_mixed,
            if(interval_start is null, null, 0),
            case typeof(comparable_interval_start)
                when 'timestamp'
                    then
                        unix_micros(cast(comparable_interval_start as timestamp_ltz)) div 300000000
                        - if(unix_micros(cast(comparable_interval_start as timestamp_ltz)) % 300000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(comparable_interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 300000000
                        - if((cast(comparable_interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 300000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(comparable_interval_start as date)) as bigint) * 288
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end
        ) as bin_num,
        if(
            are_mixed,
            if(interval_end is null, null, 0),
            case typeof(comparable_interval_end)
                when 'timestamp'
                    then
                        unix_micros(cast(comparable_interval_end as timestamp_ltz)) div 300000000
                        - if(unix_micros(cast(comparable_interval_end as timestamp_ltz)) % 300000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(comparable_interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 300000000
                        - if((cast(comparable_interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 300000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(comparable_interval_end as date)) as bigint) * 288
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end
        ) as end_bin
    from (
        select
            sides.*,
            coalesce(sides.interval_start, types.comparable) as comparable_interval_start,
            coalesce(sides.interval_end, types.comparable) as comparable_interval_end,
            typeof(types.pair_1) <> typeof(types.comparable)
            and (
                typeof(types.pair_1) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_1) = 'float' and not (typeof(types.left_interval_start) = 'float' and typeof(types.right_interval_end) = 'float')
                or typeof(types.left_interval_start) like 'string%' or typeof(types.right_interval_end) like 'string%'
            )
            or typeof(types.pair_2) <> typeof(types.comparable)
            and (
                typeof(types.pair_2) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_2) = 'float' and not (typeof(types.left_interval_end) = 'float' and typeof(types.right_interval_start) = 'float')
                or typeof(types.left_interval_end) like 'string%' or typeof(types.right_interval_start) like 'string%'
            )
            or typeof(types.pair_3) <> typeof(types.comparable)
            and (
                typeof(types.pair_3) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_3) = 'float' and not (typeof(types.left_interval_start) = 'float' and typeof(types.right_interval_start) = 'float')
                or typeof(types.left_interval_start) like 'string%' or typeof(types.right_interval_start) like 'string%'
            ) as are_mixed
        from range_join_left as sides
        left join range_join_types as types on true
    ) as sides
),

range_join_right_binned as (
    select
        r,
        interval_start,
        interval_end,
        if(
            are_mixed,
            if(interval_start is null, null, 0),
            case typeof(comparable_interval_start)
                when 'timestamp'
                    then
                        unix_micros(cast(comparable_interval_start as timestamp_ltz)) div 300000000
                        - if(unix_micros(cast(comparable_interval_start as timestamp_ltz)) % 300000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(comparable_interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 300000000
                        - if((cast(comparable_interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 300000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(comparable_interval_start as date)) as bigint) * 288
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end
        ) as bin_num,
        if(
            are_mixed,
            if(interval_end is null, null, 0),
            case typeof(comparable_interval_end)
                when 'timestamp'
                    then
                        unix_micros(cast(comparable_interval_end as timestamp_ltz)) div 300000000
                        - if(unix_micros(cast(comparable_interval_end as timestamp_ltz)) % 300000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(comparable_interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 300000000
                        - if((cast(comparable_interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 300000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(comparable_interval_end as date)) as bigint) * 288
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end
        ) as end_bin
    from (
        select
            sides.*,
            coalesce(sides.interval_start, types.comparable) as comparable_interval_start,
            coalesce(sides.interval_end, types.comparable) as comparable_interval_end,
            typeof(types.pair_1) <> typeof(types.comparable)
            and (
                typeof(types.pair_1) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_1) = 'float' and not (typeof(types.left_interval_start) = 'float' and typeof(types.right_interval_end) = 'float')
                or typeof(types.left_interval_start) like 'string%' or typeof(types.right_interval_end) like 'string%'
            )
            or typeof(types.pair_2) <> typeof(types.comparable)
            and (
                typeof(types.pair_2) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_2) = 'float' and not (typeof(types.left_interval_end) = 'float' and typeof(types.right_interval_start) = 'float')
                or typeof(types.left_interval_end) like 'string%' or typeof(types.right_interval_start) like 'string%'
            )
            or typeof(types.pair_3) <> typeof(types.comparable)
            and (
                typeof(types.pair_3) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_3) = 'float' and not (typeof(types.left_interval_start) = 'float' and typeof(types.right_interval_start) = 'float')
                or typeof(types.left_interval_start) like 'string%' or typeof(types.right_interval_start) like 'string%'
            ) as are_mixed
        from range_join_right as sides
        left join range_join_types as types on true
    ) as sides
),

-- both sides as they are swept: by where l ends, and where the other side starts
range_join_left_sweep as (
    select *
    from (
        select
            true as is_kept,
            l,
            interval_start,
            if(end_bin is null, -576460752303423489 - pmod(bin_num, 1024), shiftright(end_bin, 4)) as chunk,
            interval_end as swept_at,
            if(true, null, interval_start) as reach
        from range_join_left_binned
        union all
        select
            false as is_kept,
            null as l,
            null as interval_start,
            shiftright(bin_num, 4) as chunk,
            interval_start as swept_at,
            interval_end as reach
        from range_join_right_binned
    ) as both_sides
    where is_kept or (swept_at is not null and reach is not null)
),

range_join_left_chunks as (
    select
        chunk,
        max(reach) over (order by chunk rows between unbounded preceding and 1 preceding) as reach
    from (
        select
            chunk,
            max(reach) as reach
        from range_join_left_sweep
        group by chunk
    ) as chunks
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
                partition by chunk
                order by swept_at, is_kept
                rows between unbounded preceding and current row
            ) as reach
        from (
            select
                is_kept,
                l,
                interval_start,
                chunk,
                swept_at,
                reach
            from range_join_left_sweep
            union all
            select
                false as is_kept,
                null as l,
                null as interval_start,
                chunk,
                null as swept_at,
                reach
            from range_join_left_chunks
            where reach is not null
        ) as swept
    ) as swept
    where is_kept
)

-- step 2: whether a row has a match, told by a sweep over both sides in order
select
    l.id,
    l.s
from (
    select l
    from range_join_left_reached
    where has_match
) as swept_rows
