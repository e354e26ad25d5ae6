with range_join_left as (
    select
        struct(l.*) as l,
        (l.site) as key_1,
        (l.s) as interval_start,
        (l.e) as interval_end
    from page_sessions as l
),

range_join_right as (
    select
        struct(r.*) as r,
        (r.site) as key_1,
        (r.s) as interval_start,
        (r.e) as interval_end
    from app_sessions as r
),

-- the types in which values are compared; no rows, and gone when Spark has planned
range_join_types as (
    select
        left_side.l,
        right_side.r,
        left_side.key_1 as left_key_1,
        right_side.key_1 as right_key_1,
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
        key_1,
        interval_start,
        interval_end,
        if(
            key_1 is null,
            0L,
            case
                when not key_1_is_hashed then 0L
                when typeof(key_1) = 'string' then xxhash64(rtrim(cast(key_1 as string)))
                else xxhash64(key_1)
            end
        ) as key_hash,
        coalesce(
            if(
                are_mixed,
                0,
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
            ),
            -9223372036854775808
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
            typeof(types.left_key_1) = typeof(types.right_key_1)
            and typeof(types.left_key_1) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$' as key_1_is_hashed,
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
        key_1,
        interval_start,
        interval_end,
        if(
            key_1 is null,
            7046029254386353131L,
            case
                when not key_1_is_hashed then 0L
                when typeof(key_1) = 'string' then xxhash64(rtrim(cast(key_1 as string)))
                else xxhash64(key_1)
            end
        ) as key_hash,
        coalesce(
            if(
                are_mixed,
                0,
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
            ),
            -9223372036854775808
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
            typeof(types.left_key_1) = typeof(types.right_key_1)
            and typeof(types.left_key_1) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$' as key_1_is_hashed,
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

range_join_left_extent as (
    select
        struct(
            coalesce(min(nullif(bin_num, -9223372036854775808)), 9223372036854775807) as first_bin,
            coalesce(max(nullif(bin_num, -9223372036854775808)), -9223372036854775808) as last_bin,
            count(bin_num) as points
        ) as extent
    from range_join_left_binned
),

range_join_right_extent as (
    select
        struct(
            coalesce(min(nullif(bin_num, -9223372036854775808)), 9223372036854775807) as first_bin,
            coalesce(max(nullif(bin_num, -9223372036854775808)), -9223372036854775808) as last_bin,
            count(bin_num) as points
        ) as extent
    from range_join_right_binned
),

range_join_left_spans as (
    select
        l,
        key_1,
        interval_start,
        interval_end,
        key_hash,
        bin_num,
        end_bin,
        extent.points,
        if(bin_num = -9223372036854775808, extent.first_bin - 1, greatest(bin_num, extent.first_bin)) as first_bin,
        greatest(least(end_bin, extent.last_bin), extent.first_bin - 1) as last_bin
    from (
        select
            *,
            (select extent from range_join_right_extent) as extent
        from range_join_left_binned
    ) as intervals
),

range_join_right_spans as (
    select
        r,
        key_1,
        interval_start,
        interval_end,
        key_hash,
        bin_num,
        end_bin,
        extent.points,
        if(bin_num = -9223372036854775808, extent.first_bin - 1, greatest(bin_num, extent.first_bin)) as first_bin,
        greatest(least(end_bin, extent.last_bin), extent.first_bin - 1) as last_bin
    from (
        select
            *,
            (select extent from range_join_left_extent) as extent
        from range_join_right_binned
    ) as intervals
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
                    first_bin <= last_bin
                    and coalesce(typeof(interval_start) <> typeof(interval_end) or interval_start <> interval_end, true)
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
        key_1,
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
                if(fan_out_shift > 0 and (select one_level from range_join_left_used_shifts), 0, fan_out_shift) as level_shift
            from range_join_left_shifts
        ) as levels
    ) as level_bins
),

range_join_right_level_probes as (
    select
        r,
        key_1,
        interval_start,
        interval_end,
        key_hash ^ (shiftleft(cast(look as bigint), 58) | shiftright(point_bin, look) & 288230376151711743) as slot
    from (
        select
            *,
            greatest(bin_num, (select extent.first_bin - 1 from range_join_right_extent)) as point_bin,
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
        interval_start,
        interval_end,
        key_hash ^ (shiftleft(cast(look as bigint), 58) | shiftright(point_bin, look) & 288230376151711743) as slot
    from (
        select
            *,
            greatest(bin_num, (select extent.first_bin - 1 from range_join_left_extent)) as point_bin,
            explode(if(bin_num is null, null, (select level_shifts from range_join_right_used_shifts))) as look
        from range_join_left_binned
    ) as looks
),

range_join_left_keys as (
    select distinct key_1
    from range_join_left
),

-- both sides as they are swept: by where l ends, and where the other side starts
range_join_left_sweep as (
    select
        is_kept,
        l,
        interval_start,
        key_1,
        swept_at,
        is_open,
        reach,
        if(not is_kept and null_rank = 2 and swept_at is null, 576460752303423487, chunk) as chunk,
        if(not is_kept and null_rank = 2 and swept_at is null, 3, null_rank) as null_rank
    from (
        select
            true as is_kept,
            l,
            interval_start,
            key_1,
            if(interval_end is null, 576460752303423488 + pmod(bin_num, 1024), shiftright(coalesce(end_bin, -9223372036854775808), 4)) as chunk,
            if(interval_end is null, 4, 2) as null_rank,
            interval_end as swept_at,
            false as is_open,
            if(true, null, interval_start) as reach
        from range_join_left_binned
        union all
        select
            false as is_kept,
            null as l,
            null as interval_start,
            named_struct(
                if(
                    typeof(same.key_1) = typeof(other_rows.key_1)
                    and typeof(same.key_1) rlike '^(.*int|decimal.*|boolean|date|timestamp.*|binary)$',
                    'taken',
                    'left'
                ),
                other_rows.key_1,
                if(
                    typeof(same.key_1) = typeof(other_rows.key_1)
                    and typeof(same.key_1) rlike '^(.*int|decimal.*|boolean|date|timestamp.*|binary)$',
                    'left',
                    'taken'
                ),
                same.key_1
            ).taken as key_1,
            shiftright(bin_num, 4) as chunk,
            if(interval_start is null, 0, 2) as null_rank,
            interval_start as swept_at,
            interval_end is null as is_open,
            interval_end as reach
        from range_join_right_binned as other_rows
        left join range_join_left_keys as same
            on
                not (
                    typeof(same.key_1) = typeof(other_rows.key_1)
                    and typeof(same.key_1) rlike '^(.*int|decimal.*|boolean|date|timestamp.*|binary)$'
                )
                and same.key_1 = other_rows.key_1
    ) as both_sides
    where is_kept or (key_1 is not null)
),

range_join_left_chunks as (
    select
        key_1,
        chunk,
        max(reach) over (partition by key_1 order by chunk rows between unbounded preceding and 1 preceding) as reach
    from (
        select
            key_1,
            chunk,
            max(if(is_kept, null, struct(is_open, reach))) as reach
        from range_join_left_sweep
        group by key_1, chunk
    ) as chunks
),

range_join_left_reached as (
    select
        l,
        coalesce(reach is not null and (interval_start < reach.reach or reach.is_open or interval_start is null), false) as has_match
    from (
        select
            is_kept,
            l,
            interval_start,
            max(if(is_kept, null, struct(is_open, reach))) over (
                partition by key_1, chunk
                order by null_rank, swept_at, not is_kept
                rows between unbounded preceding and current row
            ) as reach
        from (
            select
                is_kept,
                l,
                interval_start,
                key_1,
                chunk,
                null_rank,
                swept_at,
                is_open,
                reach
            from range_join_left_sweep
            union all
            select
                false as is_kept,
                null as l,
                null as interval_start,
                key_1,
                chunk,
                null as null_rank,
                null as swept_at,
                reach.is_open,
                reach.reach
            from range_join_left_chunks
            where reach is not null
        ) as swept
    ) as swept
    where is_kept
),

range_join_right_keys as (
    select distinct key_1
    from range_join_right
),

-- both sides as they are swept: by where r ends, and where the other side starts
range_join_right_sweep as (
    select
        is_kept,
        r,
        interval_start,
        key_1,
        swept_at,
        is_open,
        reach,
        if(not is_kept and null_rank = 2 and swept_at is null, 576460752303423487, chunk) as chunk,
        if(not is_kept and null_rank = 2 and swept_at is null, 3, null_rank) as null_rank
    from (
        select
            true as is_kept,
            r,
            interval_start,
            key_1,
            if(interval_end is null, 576460752303423488 + pmod(bin_num, 1024), shiftright(coalesce(end_bin, -9223372036854775808), 4)) as chunk,
            if(interval_end is null, 4, 2) as null_rank,
            interval_end as swept_at,
            false as is_open,
            if(true, null, interval_start) as reach
        from range_join_right_binned
        union all
        select
            false as is_kept,
            null as r,
            null as interval_start,
            named_struct(
                if(
                    typeof(same.key_1) = typeof(other_rows.key_1)
                    and typeof(same.key_1) rlike '^(.*int|decimal.*|boolean|date|timestamp.*|binary)$',
                    'taken',
                    'left'
                ),
                other_rows.key_1,
                if(
                    typeof(same.key_1) = typeof(other_rows.key_1)
                    and typeof(same.key_1) rlike '^(.*int|decimal.*|boolean|date|timestamp.*|binary)$',
                    'left',
                    'taken'
                ),
                same.key_1
            ).taken as key_1,
            shiftright(bin_num, 4) as chunk,
            if(interval_start is null, 0, 2) as null_rank,
            interval_start as swept_at,
            interval_end is null as is_open,
            interval_end as reach
        from range_join_left_binned as other_rows
        left join range_join_right_keys as same
            on
                not (
                    typeof(same.key_1) = typeof(other_rows.key_1)
                    and typeof(same.key_1) rlike '^(.*int|decimal.*|boolean|date|timestamp.*|binary)$'
                )
                and same.key_1 = other_rows.key_1
    ) as both_sides
    where is_kept or (key_1 is not null)
),

range_join_right_chunks as (
    select
        key_1,
        chunk,
        max(reach) over (partition by key_1 order by chunk rows between unbounded preceding and 1 preceding) as reach
    from (
        select
            key_1,
            chunk,
            max(if(is_kept, null, struct(is_open, reach))) as reach
        from range_join_right_sweep
        group by key_1, chunk
    ) as chunks
),

range_join_right_reached as (
    select
        r,
        coalesce(reach is not null and (interval_start < reach.reach or reach.is_open or interval_start is null), false) as has_match
    from (
        select
            is_kept,
            r,
            interval_start,
            max(if(is_kept, null, struct(is_open, reach))) over (
                partition by key_1, chunk
                order by null_rank, swept_at, not is_kept
                rows between unbounded preceding and current row
            ) as reach
        from (
            select
                is_kept,
                r,
                interval_start,
                key_1,
                chunk,
                null_rank,
                swept_at,
                is_open,
                reach
            from range_join_right_sweep
            union all
            select
                false as is_kept,
                null as r,
                null as interval_start,
                key_1,
                chunk,
                null as null_rank,
                null as swept_at,
                reach.is_open,
                reach.reach
            from range_join_right_chunks
            where reach is not null
        ) as swept
    ) as swept
    where is_kept
)

-- step 2: join on the bin, and keep the exact predicate; whether a row has a match, told by a sweep over both sides in order
select
    l.id as l_id,
    r.id as r_id
from (
    select
        intervals.l,
        probes.r
    from range_join_left_leveled as intervals
    inner join range_join_right_level_probes as probes
        on
            probes.slot = intervals.slot
            and if(
                typeof(probes.key_1) = typeof(intervals.key_1)
                and typeof(probes.key_1) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$',
                (probes.key_1 = intervals.key_1) is true,
                probes.key_1 = intervals.key_1
            )
            and (intervals.interval_start < probes.interval_end or intervals.interval_start is null or probes.interval_end is null)
            and (probes.interval_start < intervals.interval_end or probes.interval_start is null or intervals.interval_end is null)
            and coalesce(
                probes.interval_start >= intervals.interval_start,
                if(true, intervals.interval_start, probes.interval_start) is null
                or if(true, probes.interval_start, intervals.interval_start) is not null
            )

    union all

    select
        probes.l,
        intervals.r
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
            and (probes.interval_start < intervals.interval_end or probes.interval_start is null or intervals.interval_end is null)
            and (intervals.interval_start < probes.interval_end or intervals.interval_start is null or probes.interval_end is null)
            and coalesce(
                probes.interval_start > intervals.interval_start,
                if(true, intervals.interval_start, probes.interval_start) is null
                and if(true, probes.interval_start, intervals.interval_start) is not null
            )

    union all

    select
        swept_rows.l,
        types.r
    from (
        select l
        from range_join_left_reached
        where not has_match
    ) as swept_rows
    left join range_join_types as types on true

    union all

    select
        types.l,
        swept_rows.r
    from (
        select r
        from range_join_right_reached
        where not has_match
    ) as swept_rows
    left join range_join_types as types on true
) as parts
