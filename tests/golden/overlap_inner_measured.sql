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

-- starts were measured to lie within these bins; what lies beyond counts as in the outermost
range_join_left_spans as (
    select
        l,
        interval_start,
        interval_end,
        bin_num,
        end_bin,
        1000L as points,
        least(greatest(bin_num, -13L), 301L) as first_bin,
        greatest(least(end_bin, 301L), -13L) as last_bin
    from range_join_left_binned
),

-- starts were measured to lie within these bins; what lies beyond counts as in the outermost
range_join_right_spans as (
    select
        r,
        interval_start,
        interval_end,
        bin_num,
        end_bin,
        1000L as points,
        least(greatest(bin_num, -1L), 289L) as first_bin,
        greatest(least(end_bin, 289L), -1L) as last_bin
    from range_join_right_binned
),

range_join_left_shifts as (
    select
        *,
        if(half_span < 16, 0, cast(length(bin(half_span)) div 4 * 4 as int)) as fan_out_shift
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
        from range_join_left_spans
    ) as spans
),

range_join_left_used_shifts as (
    select
        one_level,
        if(one_level, array(0), filter(array(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60), bit -> getbit(fan_out_mask, bit) = 1)) as level_shifts
    from (
        select
            bit_or(shiftleft(1L, fan_out_shift)) as fan_out_mask,
            sum(if(fan_out_shift > 0, 2D * half_span + 2D, 0D)) <= least(max(points), 32 * count(half_span))
            and max(half_span) < 8192 as one_level
        from range_join_left_shifts
    ) as masks
),

range_join_left_leveled as (
    select
        l,
        interval_start,
        interval_end,
        shiftleft(cast(level_shift as bigint), 58) | level_bin & 288230376151711743 as slot
    from (
        select
            *,
            explode(
                if(
                    level_shift is not null,
                    sequence(shiftright(first_bin, level_shift), shiftright(last_bin, level_shift)),
                    null
                )
            ) as level_bin
        from (
            select
                *,
                if(fan_out_shift > 0 and (select one_level from range_join_left_used_shifts), 0, fan_out_shift) as level_shift
            from range_join_left_shifts
        ) as levels
    ) as level_bins
),

range_join_right_level_probes as (
    select
        r,
        interval_start,
        interval_end,
        shiftleft(cast(look as bigint), 58) | shiftright(least(greatest(bin_num, -13L), 301L), look) & 288230376151711743 as slot
    from (
        select
            *,
            explode(if(bin_num is null, null, (select level_shifts from range_join_left_used_shifts))) as look
        from range_join_right_binned
    ) as looks
),

range_join_right_shifts as (
    select
        *,
        if(half_span < 16, 0, cast(length(bin(half_span)) div 4 * 4 as int)) as fan_out_shift
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
    select
        one_level,
        if(one_level, array(0), filter(array(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60), bit -> getbit(fan_out_mask, bit) = 1)) as level_shifts
    from (
        select
            bit_or(shiftleft(1L, fan_out_shift)) as fan_out_mask,
            sum(if(fan_out_shift > 0, 2D * half_span + 2D, 0D)) <= least(max(points), 32 * count(half_span))
            and max(half_span) < 8192 as one_level
        from range_join_right_shifts
    ) as masks
),

range_join_right_leveled as (
    select
        r,
        interval_start,
        interval_end,
        shiftleft(cast(level_shift as bigint), 58) | level_bin & 288230376151711743 as slot
    from (
        select
            *,
            explode(
                if(
                    level_shift is not null,
                    sequence(shiftright(first_bin, level_shift), shiftright(last_bin, level_shift)),
                    null
                )
            ) as level_bin
        from (
            select
                *,
                if(fan_out_shift > 0 and (select one_level from range_join_right_used_shifts), 0, fan_out_shift) as level_shift
            from range_join_right_shifts
        ) as levels
    ) as level_bins
),

range_join_left_level_probes as (
    select
        l,
        interval_start,
        interval_end,
        shiftleft(cast(look as bigint), 58) | shiftright(least(greatest(bin_num, -1L), 289L), look) & 288230376151711743 as slot
    from (
        select
            *,
            explode(if(bin_num is null, null, (select level_shifts from range_join_right_used_shifts))) as look
        from range_join_left_binned
    ) as looks
)

-- step 2: join on the bin, and keep the exact predicate
select
    l.id as l_id,
    r.id as r_id
from (
    select /*+ merge(probes) */
        intervals.l,
        probes.r
    from range_join_left_leveled as intervals
    inner join range_join_right_level_probes as probes
        on
            probes.slot = intervals.slot
            and intervals.interval_start <= probes.interval_end
            and probes.interval_start <= intervals.interval_end
            and coalesce(probes.interval_start >= intervals.interval_start, true)

    union all

    select /*+ merge(intervals) */
        probes.l,
        intervals.r
    from range_join_left_level_probes as probes
    inner join range_join_right_leveled as intervals
        on
            probes.slot = intervals.slot
            and probes.interval_start <= intervals.interval_end
            and intervals.interval_start <= probes.interval_end
            and coalesce(probes.interval_start > intervals.interval_start, false)
) as parts
