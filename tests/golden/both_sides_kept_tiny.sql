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
            case
                when typeof(comparable_point) in ('tinyint', 'smallint', 'int', 'bigint')
                    then
                        cast(comparable_point as bigint) div 60
                        - if(cast(comparable_point as bigint) % 60 < 0, 1, 0)
                when typeof(comparable_point) in ('float', 'double')
                    then
                        case
                            when cast(comparable_point as double) / 60D >= 9.2e18D then 9223372036854775807
                            when cast(comparable_point as double) / 60D <= -9.2e18D then -9223372036854775808
                            else
                                floor(cast(comparable_point as double) / 60D)
                        end
                when typeof(comparable_point) like 'decimal%'
                    then
                        case
                            when abs(cast(comparable_point as double)) < 9.2e18D
                                then
                                    cast(floor(comparable_point) as bigint) div 60
                                    - if(cast(floor(comparable_point) as bigint) % 60 < 0, 1, 0)
                            when cast(comparable_point as double) / 60D >= 9.2e18D then 9223372036854775807
                            when cast(comparable_point as double) / 60D <= -9.2e18D then -9223372036854775808
                            else
                                floor(comparable_point, 38) div 60BD
                                - if(sign(comparable_point % 60BD) < 0, 1, 0)
                        end
                when typeof(comparable_point) = 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size that is a number needs a number: change bin_size, or cast the value')
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
            case
                when typeof(comparable_interval_start) in ('tinyint', 'smallint', 'int', 'bigint')
                    then
                        cast(comparable_interval_start as bigint) div 60
                        - if(cast(comparable_interval_start as bigint) % 60 < 0, 1, 0)
                when typeof(comparable_interval_start) in ('float', 'double')
                    then
                        case
                            when cast(comparable_interval_start as double) / 60D >= 9.2e18D then 9223372036854775807
                            when cast(comparable_interval_start as double) / 60D <= -9.2e18D then -9223372036854775808
                            else
                                floor(cast(comparable_interval_start as double) / 60D)
                        end
                when typeof(comparable_interval_start) like 'decimal%'
                    then
                        case
                            when abs(cast(comparable_interval_start as double)) < 9.2e18D
                                then
                                    cast(floor(comparable_interval_start) as bigint) div 60
                                    - if(cast(floor(comparable_interval_start) as bigint) % 60 < 0, 1, 0)
                            when cast(comparable_interval_start as double) / 60D >= 9.2e18D then 9223372036854775807
                            when cast(comparable_interval_start as double) / 60D <= -9.2e18D then -9223372036854775808
                            else
                                floor(comparable_interval_start, 38) div 60BD
                                - if(sign(comparable_interval_start % 60BD) < 0, 1, 0)
                        end
                when typeof(comparable_interval_start) = 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size that is a number needs a number: change bin_size, or cast the value')
            end
        ) as bin_num,
        if(
            are_mixed,
            if(interval_end is null, null, 0),
            case
                when typeof(comparable_interval_end) in ('tinyint', 'smallint', 'int', 'bigint')
                    then
                        cast(comparable_interval_end as bigint) div 60
                        - if(cast(comparable_interval_end as bigint) % 60 < 0, 1, 0)
                when typeof(comparable_interval_end) in ('float', 'double')
                    then
                        case
                            when cast(comparable_interval_end as double) / 60D >= 9.2e18D then 9223372036854775807
                            when cast(comparable_interval_end as double) / 60D <= -9.2e18D then -9223372036854775808
                            else
                                floor(cast(comparable_interval_end as double) / 60D)
                        end
                when typeof(comparable_interval_end) like 'decimal%'
                    then
                        case
                            when abs(cast(comparable_interval_end as double)) < 9.2e18D
                                then
                                    cast(floor(comparable_interval_end) as bigint) div 60
                                    - if(cast(floor(comparable_interval_end) as bigint) % 60 < 0, 1, 0)
                            when cast(comparable_interval_end as double) / 60D >= 9.2e18D then 9223372036854775807
                            when cast(comparable_interval_end as double) / 60D <= -9.2e18D then -9223372036854775808
                            else
                                floor(comparable_interval_end, 38) div 60BD
                                - if(sign(comparable_interval_end % 60BD) < 0, 1, 0)
                        end
                when typeof(comparable_interval_end) = 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size that is a number needs a number: change bin_size, or cast the value')
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

range_join_right_spans as (
    select
        r,
        interval_start,
        interval_end,
        bin_num,
        end_bin,
        cast(null as bigint) as points,
        least(greatest(bin_num, -9223372036854775808L), 9223372036854775807L) as first_bin,
        greatest(least(end_bin, 9223372036854775807L), -9223372036854775808L) as last_bin
    from range_join_right_binned
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
        false as one_level,
        array(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60) as level_shifts
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
        point,
        shiftleft(cast(look as bigint), 58) | shiftright(bin_num, look) & 288230376151711743 as slot
    from (
        select
            *,
            explode(if(bin_num is null, null, (select level_shifts from range_join_right_used_shifts))) as look
        from range_join_left_binned
    ) as looks
),

-- both sides as they are swept: by where l ends, and where the other side starts
range_join_left_sweep as (
    select *
    from (
        select
            true as is_kept,
            l,
            point,
            point as swept_at,
            if(true, null, point) as reach
        from range_join_left
        union all
        select
            false as is_kept,
            null as l,
            null as point,
            interval_start as swept_at,
            interval_end as reach
        from range_join_right
    ) as both_sides
    where
        if(
            typeof(swept_at) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*|void)$'
            and typeof(reach) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*|void)$',
            true,
            raise_error('dbt_range_join: a bin_size that is a number needs a number: change bin_size, or cast the value')
        )
        and (is_kept or (swept_at is not null and reach is not null))
),

range_join_left_reached as (
    select
        l,
        coalesce(point <= reach, false) as has_match
    from (
        select
            is_kept,
            l,
            point,
            max(reach) over (
                order by swept_at, is_kept
                rows between unbounded preceding and current row
            ) as reach
        from range_join_left_sweep
    ) as swept
    where is_kept
),

-- both sides as they are swept: by where r ends, and where the other side starts
range_join_right_sweep as (
    select *
    from (
        select
            true as is_kept,
            r,
            interval_start,
            interval_end as swept_at,
            if(true, null, interval_start) as reach
        from range_join_right
        union all
        select
            false as is_kept,
            null as r,
            null as interval_start,
            point as swept_at,
            point as reach
        from range_join_left
    ) as both_sides
    where
        if(
            typeof(swept_at) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*|void)$'
            and typeof(reach) rlike '^(tinyint|smallint|int|bigint|float|double|decimal.*|void)$',
            true,
            raise_error('dbt_range_join: a bin_size that is a number needs a number: change bin_size, or cast the value')
        )
        and (is_kept or (swept_at is not null and reach is not null))
),

range_join_right_reached as (
    select
        r,
        coalesce(interval_start <= reach, false) as has_match
    from (
        select
            is_kept,
            r,
            interval_start,
            max(reach) over (
                order by swept_at, is_kept
                rows between unbounded preceding and current row
            ) as reach
        from range_join_right_sweep
    ) as swept
    where is_kept
)

-- step 2: join on the bin, and keep the exact predicate; whether a row has a match, told by a sweep over both sides in order
select
    l.id as l_id,
    r.id as r_id
from (
    select
        probes.l,
        intervals.r
    from range_join_left_level_probes as probes
    inner join range_join_right_leveled as intervals
        on
            probes.slot = intervals.slot
            and probes.point >= intervals.interval_start
            and probes.point <= intervals.interval_end

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
