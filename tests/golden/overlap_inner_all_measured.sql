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

-- step 1: bin each side
range_join_left_binned as (
    select
        l,
        interval_start,
        interval_end,
        if(
            typeof(interval_start) = 'timestamp',
            unix_micros(cast(interval_start as timestamp_ltz)) div 300000000
            - if(unix_micros(cast(interval_start as timestamp_ltz)) % 300000000 < 0, 1, 0),
            raise_error('dbt_range_join: a value was of type timestamp when compiled, and is not now: build the model again, or rename a CTE named as a table')
        ) as bin_num,
        if(
            typeof(interval_end) = 'timestamp',
            unix_micros(cast(interval_end as timestamp_ltz)) div 300000000
            - if(unix_micros(cast(interval_end as timestamp_ltz)) % 300000000 < 0, 1, 0),
            raise_error('dbt_range_join: a value was of type timestamp when compiled, and is not now: build the model again, or rename a CTE named as a table')
        ) as end_bin
    from range_join_left
),

range_join_right_binned as (
    select
        r,
        interval_start,
        interval_end,
        if(
            typeof(interval_start) = 'timestamp',
            unix_micros(cast(interval_start as timestamp_ltz)) div 300000000
            - if(unix_micros(cast(interval_start as timestamp_ltz)) % 300000000 < 0, 1, 0),
            raise_error('dbt_range_join: a value was of type timestamp when compiled, and is not now: build the model again, or rename a CTE named as a table')
        ) as bin_num,
        if(
            typeof(interval_end) = 'timestamp',
            unix_micros(cast(interval_end as timestamp_ltz)) div 300000000
            - if(unix_micros(cast(interval_end as timestamp_ltz)) % 300000000 < 0, 1, 0),
            raise_error('dbt_range_join: a value was of type timestamp when compiled, and is not now: build the model again, or rename a CTE named as a table')
        ) as end_bin
    from range_join_right
),

-- starts were measured to lie within these bins; what lies beyond counts as in the outermost
range_join_left_spans as (
    select
        l,
        interval_start,
        interval_end,
        bin_num,
        end_bin,
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
        least(greatest(bin_num, -1L), 289L) as first_bin,
        greatest(least(end_bin, 289L), -1L) as last_bin
    from range_join_right_binned
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
                case
                    when half_span < 32 then 0
                    when half_span is not null then 8
                end as level_shift
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
            explode(if(bin_num is null, null, array(0, 8))) as look
        from range_join_right_binned
    ) as looks
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
                case
                    when half_span < 32 then 0
                    when half_span is not null then 8
                end as level_shift
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
            explode(if(bin_num is null, null, array(0, 8))) as look
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
