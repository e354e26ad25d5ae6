with range_join_left as (
    select
        struct(l.*) as l,
        (l.user_id) as key_1,
        (l.area) as key_2,
        (l.event_at) as point
    from seconds as l
),

range_join_right as (
    select
        struct(r.*) as r,
        (r.user_id) as key_1,
        (upper(r.area)) as key_2,
        (r.start_time) as interval_start,
        (r.end_time) as interval_end
    from queries as r
),

-- the types in which values are compared; no rows, and gone when Spark has planned
range_join_types as (
    select
        left_side.l,
        right_side.r,
        left_side.key_1 as left_key_1,
        right_side.key_1 as right_key_1,
        left_side.key_2 as left_key_2,
        right_side.key_2 as right_key_2,
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
        key_1,
        key_2,
        point,
        if(
            key_1 is null or key_2 is null,
            null,
            xxhash64(
                case
                    when not key_1_is_hashed then 0L
                    when typeof(key_1) = 'string' then xxhash64(rtrim(cast(key_1 as string)))
                    else xxhash64(key_1)
                end,
                case
                    when not key_2_is_hashed then 0L
                    when typeof(key_2) = 'string' then xxhash64(rtrim(cast(key_2 as string)))
                    else xxhash64(key_2)
                end
            )
        ) as key_hash,
        coalesce(
            if(
                are_mixed,
                if(point is null, null, 0),
                case typeof(comparable_point)
                    when 'timestamp'
                        then
                            unix_micros(cast(comparable_point as timestamp_ltz)) div 86400000000
                            - if(unix_micros(cast(comparable_point as timestamp_ltz)) % 86400000000 < 0, 1, 0)
                    when 'timestamp_ntz'
                        then
                            (cast(comparable_point as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 86400000000
                            - if((cast(comparable_point as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 86400000000 < 0, 1, 0)
                    when 'date'
                        then
                            cast(unix_date(cast(comparable_point as date)) as bigint)
                    when 'void' then cast(null as bigint)
                    else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
                end
            ),
            -9223372036854775808
        ) as bin_num
    from (
        select
            sides.*,
            coalesce(sides.point, types.comparable) as comparable_point,
            typeof(types.left_key_1) = typeof(types.right_key_1)
            and typeof(types.left_key_1) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$' as key_1_is_hashed,
            typeof(types.left_key_2) = typeof(types.right_key_2)
            and typeof(types.left_key_2) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$' as key_2_is_hashed,
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
        key_1,
        key_2,
        interval_start,
        interval_end,
        if(
            key_1 is null or key_2 is null,
            null,
            xxhash64(
                case
                    when not key_1_is_hashed then 0L
                    when typeof(key_1) = 'string' then xxhash64(rtrim(cast(key_1 as string)))
                    else xxhash64(key_1)
                end,
                case
                    when not key_2_is_hashed then 0L
                    when typeof(key_2) = 'string' then xxhash64(rtrim(cast(key_2 as string)))
                    else xxhash64(key_2)
                end
            )
        ) as key_hash,
        coalesce(
            if(
                are_mixed,
                if(interval_start is null, null, 0),
                case typeof(comparable_interval_start)
                    when 'timestamp'
                        then
                            unix_micros(cast(comparable_interval_start as timestamp_ltz)) div 86400000000
                            - if(unix_micros(cast(comparable_interval_start as timestamp_ltz)) % 86400000000 < 0, 1, 0)
                    when 'timestamp_ntz'
                        then
                            (cast(comparable_interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 86400000000
                            - if((cast(comparable_interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 86400000000 < 0, 1, 0)
                    when 'date'
                        then
                            cast(unix_date(cast(comparable_interval_start as date)) as bigint)
                    when 'void' then cast(null as bigint)
                    else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
                end
            ),
            -9223372036854775808
        ) as bin_num,
        if(
            are_mixed,
            if(interval_end is null, null, 0),
            case typeof(comparable_interval_end)
                when 'timestamp'
                    then
                        unix_micros(cast(comparable_interval_end as timestamp_ltz)) div 86400000000
                        - if(unix_micros(cast(comparable_interval_end as timestamp_ltz)) % 86400000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(comparable_interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 86400000000
                        - if((cast(comparable_interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 86400000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(comparable_interval_end as date)) as bigint)
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end
        ) as end_bin
    from (
        select
            sides.*,
            coalesce(sides.interval_start, types.comparable) as comparable_interval_start,
            coalesce(sides.interval_end, types.comparable) as comparable_interval_end,
            typeof(types.left_key_1) = typeof(types.right_key_1)
            and typeof(types.left_key_1) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$' as key_1_is_hashed,
            typeof(types.left_key_2) = typeof(types.right_key_2)
            and typeof(types.left_key_2) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$' as key_2_is_hashed,
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
            coalesce(min(if(point is null, null, bin_num)), 9223372036854775807) as first_bin,
            coalesce(max(if(point is null, null, bin_num)), -9223372036854775808) as last_bin,
            count(bin_num) as points
        ) as extent
    from range_join_left_binned
),

range_join_right_spans as (
    select
        r,
        key_1,
        key_2,
        interval_start,
        interval_end,
        key_hash,
        bin_num,
        end_bin,
        extent.points,
        if(interval_start is null and interval_end is null, bin_num, greatest(bin_num, extent.first_bin)) as first_bin,
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
        if(half_span < 16, 0, cast(length(bin(half_span)) div 4 * 4 as int)) as fan_out_shift
    from (
        select
            *,
            case
                when
                    first_bin <= last_bin
                    and coalesce(typeof(interval_start) <> typeof(interval_end) or interval_start <> interval_end, true)
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
        key_1,
        key_2,
        interval_start,
        interval_end,
        key_hash ^ (shiftleft(cast(level_shift as bigint), 58) | level_bin & 288230376151711743) as slot
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
        key_1,
        key_2,
        point,
        key_hash ^ (shiftleft(cast(look as bigint), 58) | shiftright(bin_num, look) & 288230376151711743) as slot
    from (
        select
            *,
            explode(if(bin_num is null, null, (select level_shifts from range_join_right_used_shifts))) as look
        from range_join_left_binned
    ) as looks
)

-- step 2: join on the bin, and keep the exact predicate
select /*+ broadcast(intervals) */
    l.*,
    r.* except (user_id)
from range_join_left_level_probes as probes
inner join range_join_right_leveled as intervals
    on
        probes.slot = intervals.slot
        and if(
            typeof(probes.key_1) = typeof(intervals.key_1)
            and typeof(probes.key_1) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$',
            (probes.key_1 = intervals.key_1) is true,
            probes.key_1 = intervals.key_1
        )
        and if(
            typeof(probes.key_2) = typeof(intervals.key_2)
            and typeof(probes.key_2) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$',
            (probes.key_2 = intervals.key_2) is true,
            probes.key_2 = intervals.key_2
        )
        and (probes.point >= intervals.interval_start or intervals.interval_start is null)
        and (probes.point < intervals.interval_end or intervals.interval_end is null)
        and (
            l.kind = 'buy'
        )
