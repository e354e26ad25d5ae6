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
            null,
            case
                when not key_1_is_hashed then 0L
                when typeof(key_1) = 'string' then xxhash64(rtrim(cast(key_1 as string)))
                else xxhash64(key_1)
            end
        ) as key_hash,
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
            null,
            case
                when not key_1_is_hashed then 0L
                when typeof(key_1) = 'string' then xxhash64(rtrim(cast(key_1 as string)))
                else xxhash64(key_1)
            end
        ) as key_hash,
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

-- starts, from where both sides have some, were measured to lie within these bins; what lies beyond counts as in the outermost
range_join_left_spans as (
    select
        l,
        key_1,
        interval_start,
        interval_end,
        key_hash,
        bin_num,
        end_bin,
        least(greatest(bin_num, -1L), 121L) as first_bin,
        greatest(least(end_bin, 133L), -1L) as last_bin
    from range_join_left_binned
),

-- starts, from where both sides have some, were measured to lie within these bins; what lies beyond counts as in the outermost
range_join_right_spans as (
    select
        r,
        key_1,
        interval_start,
        interval_end,
        key_hash,
        bin_num,
        end_bin,
        least(greatest(bin_num, -1L), 133L) as first_bin,
        greatest(least(end_bin, 121L), -1L) as last_bin
    from range_join_right_binned
),

range_join_left_copies as (
    select
        l,
        key_1,
        interval_start,
        interval_end,
        key_hash ^ (level_bin) as slot,
        level_bin = first_bin as is_first
    from (
        select
            *,
            explode(
                if(
                    bin_num is not null
                    and end_bin is not null,
                    sequence(first_bin, greatest(first_bin, last_bin)),
                    null
                )
            ) as level_bin
        from range_join_left_spans
    ) as level_bins
),

range_join_right_copies as (
    select
        r,
        key_1,
        interval_start,
        interval_end,
        key_hash ^ (level_bin) as slot,
        level_bin = first_bin as is_first
    from (
        select
            *,
            explode(
                if(
                    bin_num is not null
                    and end_bin is not null,
                    sequence(first_bin, greatest(first_bin, last_bin)),
                    null
                )
            ) as level_bin
        from range_join_right_spans
    ) as level_bins
)

-- step 2: join on the bin, and keep the exact predicate
select
    l.id as l_id,
    r.id as r_id
from range_join_left_copies as left_copies
inner join range_join_right_copies as right_copies
    on
        left_copies.slot = right_copies.slot
        and if(
            typeof(left_copies.key_1) = typeof(right_copies.key_1)
            and typeof(left_copies.key_1) rlike '^(string|.*int|decimal.*|boolean|date|timestamp.*|binary)$',
            (left_copies.key_1 = right_copies.key_1) is true,
            left_copies.key_1 = right_copies.key_1
        )
        and left_copies.interval_start <= right_copies.interval_end
        and right_copies.interval_start <= left_copies.interval_end
        and (left_copies.is_first or right_copies.is_first)
