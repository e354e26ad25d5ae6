with range_join_left as (
    select
        struct(l.*) as l,
        (l.start_time) as interval_start,
        (l.end_time) as interval_end
    from queries as l
),

range_join_right as (
    select
        struct(r.*) as r,
        (r.ts) as point
    from seconds as r
),

-- the types in which values are compared; no rows, and gone when Spark has planned
range_join_types as (
    select
        left_side.l,
        right_side.r,
        left_side.interval_start as left_interval_start,
        left_side.interval_end as left_interval_end,
        right_side.point as right_point,
        coalesce(left_side.interval_start, left_side.interval_end, right_side.point) as comparable,
        coalesce(left_side.interval_start, right_side.point) as pair_1,
        coalesce(left_side.interval_end, right_side.point) as pair_2
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
                or typeof(types.pair_1) = 'float' and not (typeof(types.left_interval_start) = 'float' and typeof(types.right_point) = 'float')
                or typeof(types.left_interval_start) like 'string%' or typeof(types.right_point) like 'string%'
            )
            or typeof(types.pair_2) <> typeof(types.comparable)
            and (
                typeof(types.pair_2) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_2) = 'float' and not (typeof(types.left_interval_end) = 'float' and typeof(types.right_point) = 'float')
                or typeof(types.left_interval_end) like 'string%' or typeof(types.right_point) like 'string%'
            ) as are_mixed
        from range_join_left as sides
        left join range_join_types as types on true
    ) as sides
),

range_join_right_binned as (
    select
        r,
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
                or typeof(types.pair_1) = 'float' and not (typeof(types.left_interval_start) = 'float' and typeof(types.right_point) = 'float')
                or typeof(types.left_interval_start) like 'string%' or typeof(types.right_point) like 'string%'
            )
            or typeof(types.pair_2) <> typeof(types.comparable)
            and (
                typeof(types.pair_2) rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
                or typeof(types.pair_2) = 'float' and not (typeof(types.left_interval_end) = 'float' and typeof(types.right_point) = 'float')
                or typeof(types.left_interval_end) like 'string%' or typeof(types.right_point) like 'string%'
            ) as are_mixed
        from range_join_right as sides
        left join range_join_types as types on true
    ) as sides
),

range_join_right_extent as (
    select
        struct(
            coalesce(min(bin_num), 9223372036854775807) as first_bin,
            coalesce(max(bin_num), -9223372036854775808) as last_bin
        ) as extent
    from range_join_right_binned
),

range_join_left_spans as (
    select
        l,
        interval_start,
        interval_end,
        bin_num,
        end_bin,
        greatest(bin_num, extent.first_bin) as first_bin,
        least(end_bin, extent.last_bin) as last_bin
    from (
        select
            *,
            (select extent from range_join_right_extent) as extent
        from range_join_left_binned
    ) as intervals
),

range_join_left_shifts as (
    select
        *,
        case
            when shiftright(last_bin, narrow_shift) - shiftright(first_bin, narrow_shift) <= 1 then narrow_shift
            when half_span is not null then least(narrow_shift + 4, 63)
        end as slot_shift
    from (
        select
            *,
            cast(length(bin(half_span)) div 4 * 4 as int) as narrow_shift
        from (
            select
                *,
                case
                    when
                        bin_num is not null
                        and end_bin is not null
                        and first_bin <= last_bin
                        and coalesce(typeof(interval_start) <> typeof(interval_end) or interval_start <> interval_end, true)
                        then shiftright(last_bin, 1) - shiftright(first_bin, 1)
                end as half_span
            from range_join_left_spans
        ) as spans
    ) as half_spans
),

range_join_left_used_shifts as (
    select filter(array(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 63), bit -> getbit(slot_mask, bit) = 1) as slot_shifts
    from (
        select bit_or(shiftleft(1L, slot_shift)) as slot_mask
        from range_join_left_shifts
    ) as masks
),

range_join_left_placed as (
    select
        *,
        shiftleft(cast(coalesce(slot_shift, 1) as bigint), 58) | if(
            slot_shift is null, coalesce(bin_num, end_bin, 0), shiftright(first_bin, slot_shift)
        ) & 288230376151711743 as slot
    from range_join_left_shifts
),

range_join_right_probes as (
    select
        r,
        point,
        shiftleft(cast(look % 64 as bigint), 58) | try_subtract(
            shiftright(bin_num, look % 64), look div 64
        ) & 288230376151711743 as slot
    from (
        select
            *,
            explode(if(bin_num is null, null, (select concat(slot_shifts, transform(slot_shifts, shift -> shift + 64)) from range_join_left_used_shifts))) as look
        from range_join_right_binned
    ) as looks
)

-- step 2: join on the bin, and keep the exact predicate
select /*+ merge(probes) */
    l.id as l_id,
    r.id as r_id
from range_join_left_placed as intervals
left join range_join_right_probes as probes
    on
        probes.slot = intervals.slot
        and probes.point > intervals.interval_start
        and probes.point < intervals.interval_end
