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
),

-- the types in which values are compared; no rows, and gone when Spark has planned
range_join_types as (
    select
        left_side.l,
        right_side.r,
        left_side.point as left_point,
        right_side.interval_start as right_interval_start,
        right_side.interval_end as right_interval_end,
        coalesce(left_side.point, right_side.interval_start, right_side.interval_end) as comparable,
        coalesce(left_side.point, right_side.interval_start) as pair_1,
        coalesce(left_side.point, right_side.interval_end) as pair_2
    from range_join_left as left_side
    cross join range_join_right as right_side
    limit 0
),

-- step 1: bin each side
range_join_left_binned as (
    select
        l,
        point,
        if(
            are_mixed,
            if(point is null, null, 0),
            case typeof(comparable_point)
                when 'timestamp'
                    then
                        unix_micros(cast(comparable_point as timestamp_ltz)) div 60000000
                        - if(unix_micros(cast(comparable_point as timestamp_ltz)) % 60000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(comparable_point as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 60000000
                        - if((cast(comparable_point as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 60000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(comparable_point as date)) as bigint) * 1440
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end
        ) as bin_num
    from (
        select
            sides.*,
            coalesce(sides.point, types.comparable) as comparable_point,
            typeof(types.pair_1) <> typeof(types.comparable)
            and (
                typeof(types.pair_1) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_1) = 'float' and not (typeof(types.left_point) = 'float' and typeof(types.right_interval_start) = 'float')
                or typeof(types.left_point) like 'string%' or typeof(types.right_interval_start) like 'string%'
            )
            or typeof(types.pair_2) <> typeof(types.comparable)
            and (
                typeof(types.pair_2) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_2) = 'float' and not (typeof(types.left_point) = 'float' and typeof(types.right_interval_end) = 'float')
                or typeof(types.left_point) like 'string%' or typeof(types.right_interval_end) like 'string%'
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
                        unix_micros(cast(comparable_interval_start as timestamp_ltz)) div 60000000
                        - if(unix_micros(cast(comparable_interval_start as timestamp_ltz)) % 60000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(comparable_interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 60000000
                        - if((cast(comparable_interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 60000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(comparable_interval_start as date)) as bigint) * 1440
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
                        unix_micros(cast(comparable_interval_end as timestamp_ltz)) div 60000000
                        - if(unix_micros(cast(comparable_interval_end as timestamp_ltz)) % 60000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(comparable_interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 60000000
                        - if((cast(comparable_interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 60000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(comparable_interval_end as date)) as bigint) * 1440
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
                or typeof(types.pair_1) = 'float' and not (typeof(types.left_point) = 'float' and typeof(types.right_interval_start) = 'float')
                or typeof(types.left_point) like 'string%' or typeof(types.right_interval_start) like 'string%'
            )
            or typeof(types.pair_2) <> typeof(types.comparable)
            and (
                typeof(types.pair_2) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_2) = 'float' and not (typeof(types.left_point) = 'float' and typeof(types.right_interval_end) = 'float')
                or typeof(types.left_point) like 'string%' or typeof(types.right_interval_end) like 'string%'
            ) as are_mixed
        from range_join_right as sides
        left join range_join_types as types on true
    ) as sides
),

range_join_left_extent as (
    select
        struct(
            coalesce(min(bin_num), 9223372036854775807) as first_bin,
            coalesce(max(bin_num), -9223372036854775808) as last_bin
        ) as extent
    from range_join_left_binned
),

range_join_right_spans as (
    select
        r,
        interval_start,
        interval_end,
        bin_num,
        end_bin,
        greatest(bin_num, extent.first_bin) as first_bin,
        least(end_bin, extent.last_bin) as last_bin
    from (
        select
            *,
            (select extent from range_join_left_extent) as extent
        from range_join_right_binned
    ) as intervals
),

range_join_right_shifts as (
    select
        *,
        case
            when half_span < 16 then 0
            when half_span is not null then least(cast((length(bin(half_span)) + 3) div 8 * 8 as int), 60)
        end as ask_shift
    from (
        select
            *,
            case
                when
                    bin_num is not null
                    and end_bin is not null
                    and first_bin <= last_bin
                    then shiftright(last_bin, 1) - shiftright(first_bin, 1)
            end as half_span
        from range_join_right_spans
    ) as spans
),

range_join_right_used_shifts as (
    select filter(array(0, 8, 16, 24, 32, 40, 48, 56, 60), bit -> getbit(ask_mask, bit) = 1) as ask_shifts
    from (
        select bit_or(shiftleft(1L, ask_shift)) as ask_mask
        from range_join_right_shifts
    ) as masks
),

range_join_right_ask_widths as (
    select
        concat(
            slice(ask_shifts, 1, 2),
            slice(ask_shifts, greatest(3, size(ask_shifts)), 1),
            array_repeat(1, 3)
        ) as ask_shifts
    from range_join_right_used_shifts
),

range_join_right_asked as (
    select
        r,
        interval_start,
        interval_end,
        shiftleft(cast(shift as bigint), 58) | wide_bin & 288230376151711743 as slot
    from (
        select
            *,
            explode(
                if(
                    shift is not null,
                    sequence(shiftright(first_bin, shift), shiftright(last_bin, shift)),
                    null
                )
            ) as wide_bin
        from (
            select
                *,
                if(ask_shifts[2] > 1 and ask_shift > ask_shifts[1], ask_shifts[2], ask_shift) as shift
            from (
                select
                    *,
                    (select ask_shifts from range_join_right_ask_widths) as ask_shifts
                from range_join_right_shifts
            ) as intervals
        ) as widths
    ) as wide_bins
),

range_join_left_asking_1 as (
    select
        *,
        shiftleft(cast(shift as bigint), 58) | shiftright(bin_num, shift) & 288230376151711743 as slot
    from (
        select
            *,
            (select ask_shifts[0] from range_join_right_ask_widths) as shift
        from range_join_left_binned
    ) as points
),

range_join_left_unmatched_1 as (
    select /*+ merge(intervals) */
        points.l,
        points.point,
        points.bin_num
    from range_join_left_asking_1 as points
    left anti join range_join_right_asked as intervals
        on
            points.slot = intervals.slot
            and points.point >= intervals.interval_start
            and points.point <= intervals.interval_end
            and (
                l.area = r.area
            )
),

range_join_left_asking_2 as (
    select
        *,
        shiftleft(cast(shift as bigint), 58) | shiftright(bin_num, shift) & 288230376151711743 as slot
    from (
        select
            *,
            (select ask_shifts[1] from range_join_right_ask_widths) as shift
        from range_join_left_unmatched_1
    ) as points
),

range_join_left_unmatched_2 as (
    select /*+ merge(intervals) */
        points.l,
        points.point,
        points.bin_num
    from range_join_left_asking_2 as points
    left anti join range_join_right_asked as intervals
        on
            points.slot = intervals.slot
            and points.point >= intervals.interval_start
            and points.point <= intervals.interval_end
            and (
                l.area = r.area
            )
),

range_join_left_asking_3 as (
    select
        *,
        shiftleft(cast(shift as bigint), 58) | shiftright(bin_num, shift) & 288230376151711743 as slot
    from (
        select
            *,
            (select ask_shifts[2] from range_join_right_ask_widths) as shift
        from range_join_left_unmatched_2
    ) as points
)

-- step 2: join on the bin, and keep the exact predicate
select l.ts
from (
    select /*+ merge(intervals) */ points.l
    from range_join_left_asking_1 as points
    left semi join range_join_right_asked as intervals
        on
            points.slot = intervals.slot
            and points.point >= intervals.interval_start
            and points.point <= intervals.interval_end
            and (
                l.area = r.area
            )

    union all

    select /*+ merge(intervals) */ points.l
    from range_join_left_asking_2 as points
    left semi join range_join_right_asked as intervals
        on
            points.slot = intervals.slot
            and points.point >= intervals.interval_start
            and points.point <= intervals.interval_end
            and (
                l.area = r.area
            )

    union all

    select /*+ merge(intervals) */ points.l
    from range_join_left_asking_3 as points
    left semi join range_join_right_asked as intervals
        on
            points.slot = intervals.slot
            and points.point >= intervals.interval_start
            and points.point <= intervals.interval_end
            and (
                l.area = r.area
            )
) as parts
