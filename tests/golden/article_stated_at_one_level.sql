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

-- points are stated to lie within these bins; what lies beyond counts as in the outermost
range_join_right_spans as (
    select
        r,
        interval_start,
        interval_end,
        bin_num,
        end_bin,
        least(greatest(bin_num, 28393649L), 28410031L) as first_bin,
        greatest(least(end_bin, 28410031L), 28393649L) as last_bin
    from range_join_right_binned
),

range_join_right_leveled as (
    select
        r,
        interval_start,
        interval_end,
        level_bin as slot
    from (
        select
            *,
            explode(
                if(
                    bin_num is not null
                    and end_bin is not null
                    and first_bin <= last_bin,
                    sequence(first_bin, last_bin),
                    null
                )
            ) as level_bin
        from range_join_right_spans
    ) as level_bins
),

range_join_left_level_probes as (
    select
        l,
        point,
        if(bin_num is null, null, least(greatest(bin_num, 28393649L), 28410031L)) as slot
    from range_join_left_binned
)

-- step 2: join on the bin, and keep the exact predicate
select /*+ merge(intervals) */
    l.ts,
    r.query_id
from range_join_left_level_probes as probes
left join range_join_right_leveled as intervals
    on
        probes.slot = intervals.slot
        and probes.point >= intervals.interval_start
        and probes.point <= intervals.interval_end
        and (
            l.kind = r.kind
        )
