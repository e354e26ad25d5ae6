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

range_join_domain as (
    select point as comparable from range_join_left
    where false
    union all
    select interval_start from range_join_right
    where false
    union all
    select interval_end from range_join_right
    where false
),

range_join_types as (
    select
        pair_1 <> common and pair_1 rlike '^(float|decimal.38|timestamp_ntz)'
        or pair_2 <> common and pair_2 rlike '^(float|decimal.38|timestamp_ntz)' as are_mixed
    from (
        select
            typeof((select comparable from range_join_domain)) as common,
            typeof(coalesce(
                (
                    select point from range_join_left
                    where false
                ),
                (
                    select interval_start from range_join_right
                    where false
                )
            )) as pair_1,
            typeof(coalesce(
                (
                    select point from range_join_left
                    where false
                ),
                (
                    select interval_end from range_join_right
                    where false
                )
            )) as pair_2
    ) as types
),

-- step 1: bin each side
range_join_left_points as (
    select
        l,
        key_1,
        key_2,
        point,
        coalesce(
            if(
                (select are_mixed from range_join_types),
                0,
                case typeof(comparable)
                    when 'timestamp'
                        then
                            unix_micros(cast(comparable as timestamp)) div 86400000000
                            - if(unix_micros(cast(comparable as timestamp)) % 86400000000 < 0, 1, 0)
                    when 'timestamp_ntz'
                        then
                            (cast(comparable as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 86400000000
                            - if((cast(comparable as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 86400000000 < 0, 1, 0)
                    when 'date'
                        then
                            cast(unix_date(cast(comparable as date)) as bigint)
                    when 'void' then cast(null as bigint)
                    else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
                end
            ),
            -9223372036854775808
        ) as bin_num
    from (
        select
            *,
            coalesce(point, (select comparable from range_join_domain)) as comparable
        from range_join_left
    ) as sides
),

range_join_left_extent as (
    select
        min(bin_num) as first_bin,
        max(bin_num) as last_bin
    from range_join_left_points
),

range_join_right_spans as (
    select
        r,
        key_1,
        key_2,
        interval_start,
        interval_end,
        greatest(
            if(
                (select are_mixed from range_join_types),
                0,
                case typeof(comparable_start)
                    when 'timestamp'
                        then
                            unix_micros(cast(comparable_start as timestamp)) div 86400000000
                            - if(unix_micros(cast(comparable_start as timestamp)) % 86400000000 < 0, 1, 0)
                    when 'timestamp_ntz'
                        then
                            (cast(comparable_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 86400000000
                            - if((cast(comparable_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 86400000000 < 0, 1, 0)
                    when 'date'
                        then
                            cast(unix_date(cast(comparable_start as date)) as bigint)
                    when 'void' then cast(null as bigint)
                    else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
                end
            ),
            (select first_bin from range_join_left_extent)
        ) as first_bin,
        least(
            if(
                (select are_mixed from range_join_types),
                0,
                case typeof(comparable_end)
                    when 'timestamp'
                        then
                            unix_micros(cast(comparable_end as timestamp)) div 86400000000
                            - if(unix_micros(cast(comparable_end as timestamp)) % 86400000000 < 0, 1, 0)
                    when 'timestamp_ntz'
                        then
                            (cast(comparable_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 86400000000
                            - if((cast(comparable_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 86400000000 < 0, 1, 0)
                    when 'date'
                        then
                            cast(unix_date(cast(comparable_end as date)) as bigint)
                    when 'void' then cast(null as bigint)
                    else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
                end
            ),
            (select last_bin from range_join_left_extent)
        ) as last_bin
    from (
        select
            *,
            coalesce(interval_start, (select comparable from range_join_domain)) as comparable_start,
            coalesce(interval_end, (select comparable from range_join_domain)) as comparable_end
        from range_join_right
    ) as sides
),

range_join_right_shifts as (
    select
        *,
        if(half_span < 16, 0, cast(length(bin(half_span)) div 4 * 4 as int)) as fan_out_shift
    from (
        select
            *,
            case
                when first_bin <= last_bin
                    then shiftright(last_bin, 1) - shiftright(first_bin, 1)
            end as half_span
        from range_join_right_spans
    ) as spans
),

range_join_right_used_shifts as (
    select collect_set(nullif(fan_out_shift, 0)) as fan_out_shifts
    from range_join_right_shifts
),

-- intervals of more than 32 bins: put only in bins that hold points, found by wider bins
range_join_right_long as (
    select
        *,
        explode(sequence(shiftright(first_bin, fan_out_shift), shiftright(last_bin, fan_out_shift))) as wide_bin
    from range_join_right_shifts
    where fan_out_shift > 0
),

range_join_left_occupied as (
    select
        *,
        shiftright(bin_num, shift) as wide_bin
    from (
        select distinct
            key_1,
            key_2,
            bin_num,
            explode((select fan_out_shifts from range_join_right_used_shifts)) as shift
        from range_join_left_points
    ) as bins
),

range_join_right_fanned_out as (
    select
        r,
        key_1,
        key_2,
        interval_start,
        interval_end,
        null as point_keys,
        explode(sequence(first_bin, last_bin)) as bin_num
    from range_join_right_shifts
    where fan_out_shift = 0
    union all
    select
        long_intervals.r,
        long_intervals.key_1,
        long_intervals.key_2,
        long_intervals.interval_start,
        long_intervals.interval_end,
        struct(occupied.key_1, occupied.key_2) as point_keys,
        occupied.bin_num
    from range_join_right_long as long_intervals
    inner join range_join_left_occupied as occupied
        on
            long_intervals.fan_out_shift = occupied.shift
            and long_intervals.wide_bin = occupied.wide_bin
            and occupied.key_1 = long_intervals.key_1
            and occupied.key_2 = long_intervals.key_2
            and occupied.bin_num between long_intervals.first_bin and long_intervals.last_bin
)

-- step 2: join on the bin, and keep the exact predicate
select /*+ broadcast(intervals) */
    l.*,
    r.* except (user_id)
from range_join_left_points as points
inner join range_join_right_fanned_out as intervals
    on
        points.bin_num = intervals.bin_num
        and points.key_1 = intervals.key_1
        and points.key_2 = intervals.key_2
        and (intervals.point_keys is null or intervals.point_keys <=> struct(points.key_1, points.key_2))
        and (points.point >= intervals.interval_start or intervals.interval_start is null)
        and (points.point < intervals.interval_end or intervals.interval_end is null)
        and (
            l.kind = 'buy' -- only purchases
        )
