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

-- step 1: bin each side
range_join_left_binned as (
    select
        l,
        point,
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
        interval_start,
        interval_end,
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
        interval_start,
        interval_end,
        bin_num,
        end_bin,
        least(greatest(bin_num, 28401119L), 28401181L) as first_bin,
        greatest(least(end_bin, 28401181L), 28401119L) as last_bin
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
        least(greatest(bin_num, 28401119L), 28401181L) as slot
    from range_join_left_binned
    where point is not null
)

-- step 2: join on the bin, and keep the exact predicate
select /*+ merge(intervals) */
    l.ts,
    r.query_id
from range_join_right_leveled as intervals
inner join range_join_left_level_probes as probes
    on
        probes.slot = intervals.slot
        and probes.point >= intervals.interval_start
        and probes.point <= intervals.interval_end
