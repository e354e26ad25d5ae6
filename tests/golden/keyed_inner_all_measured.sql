with range_join_left as (
    select
        struct(l.*) as l,
        (l.user_id) as key_1,
        (l.area) as key_2,
        (l.ts) as point
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
                if(
                    typeof(key_1) = 'bigint',
                    xxhash64(key_1),
                    raise_error('dbt_range_join: a value was of type bigint when compiled, and is not now: build the model again, or rename a CTE named as a table')
                ),
                if(
                    typeof(key_2) = 'string',
                    xxhash64(rtrim(cast(key_2 as string))),
                    raise_error('dbt_range_join: a value was of type string when compiled, and is not now: build the model again, or rename a CTE named as a table')
                )
            )
        ) as key_hash,
        if(
            typeof(point) = 'timestamp',
            unix_micros(cast(point as timestamp_ltz)) div 60000000
            - if(unix_micros(cast(point as timestamp_ltz)) % 60000000 < 0, 1, 0),
            raise_error('dbt_range_join: a value was of type timestamp when compiled, and is not now: build the model again, or rename a CTE named as a table')
        ) as bin_num
    from range_join_left
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
                if(
                    typeof(key_1) = 'bigint',
                    xxhash64(key_1),
                    raise_error('dbt_range_join: a value was of type bigint when compiled, and is not now: build the model again, or rename a CTE named as a table')
                ),
                if(
                    typeof(key_2) = 'string',
                    xxhash64(rtrim(cast(key_2 as string))),
                    raise_error('dbt_range_join: a value was of type string when compiled, and is not now: build the model again, or rename a CTE named as a table')
                )
            )
        ) as key_hash,
        if(
            typeof(interval_start) = 'timestamp',
            unix_micros(cast(interval_start as timestamp_ltz)) div 60000000
            - if(unix_micros(cast(interval_start as timestamp_ltz)) % 60000000 < 0, 1, 0),
            raise_error('dbt_range_join: a value was of type timestamp when compiled, and is not now: build the model again, or rename a CTE named as a table')
        ) as bin_num,
        if(
            typeof(interval_end) = 'timestamp',
            unix_micros(cast(interval_end as timestamp_ltz)) div 60000000
            - if(unix_micros(cast(interval_end as timestamp_ltz)) % 60000000 < 0, 1, 0),
            raise_error('dbt_range_join: a value was of type timestamp when compiled, and is not now: build the model again, or rename a CTE named as a table')
        ) as end_bin
    from range_join_right
),

-- points were measured to lie within these bins; what lies beyond counts as in the outermost
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
        least(greatest(bin_num, 28401119L), 28401181L) as first_bin,
        greatest(least(end_bin, 28401181L), 28401119L) as last_bin
    from range_join_right_binned
),

range_join_right_leveled as (
    select
        r,
        key_1,
        key_2,
        interval_start,
        interval_end,
        key_hash ^ (level_bin) as slot
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
        key_1,
        key_2,
        point,
        key_hash ^ (least(greatest(bin_num, 28401119L), 28401181L)) as slot
    from range_join_left_binned
    where point is not null
)

-- step 2: join on the bin, and keep the exact predicate
select
    l.ts,
    r.query_id
from range_join_right_leveled as intervals
inner join range_join_left_level_probes as probes
    on
        probes.slot = intervals.slot
        and (probes.key_1 = intervals.key_1) is true
        and (probes.key_2 = intervals.key_2) is true
        and probes.point >= intervals.interval_start
        and probes.point <= intervals.interval_end
