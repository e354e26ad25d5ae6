with range_join_rows as (
    select
        struct(*) as selected,
        (start_time) as interval_start,
        (end_time) as interval_end
    from queries
),

range_join_values as (
    select
        selected,
        if(true, interval_start, interval_end) as interval_start,
        if(true, interval_end, interval_start) as interval_end
    from range_join_rows
    where
        interval_start <= interval_end
),

range_join_spans as (
    select
        selected,
        case typeof(interval_start)
            when 'timestamp'
                then
                    unix_micros(cast(interval_start as timestamp_ltz)) div 60000000
                    - if(unix_micros(cast(interval_start as timestamp_ltz)) % 60000000 < 0, 1, 0)
            when 'timestamp_ntz'
                then
                    (cast(interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 60000000
                    - if((cast(interval_start as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 60000000 < 0, 1, 0)
            when 'date'
                then
                    cast(unix_date(cast(interval_start as date)) as bigint) * 1440
            when 'void' then cast(null as bigint)
            else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
        end as first_bin,
        case typeof(interval_end)
            when 'timestamp'
                then
                    unix_micros(cast(interval_end as timestamp_ltz)) div 60000000
                    - if(unix_micros(cast(interval_end as timestamp_ltz)) % 60000000 < 0, 1, 0)
            when 'timestamp_ntz'
                then
                    (cast(interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 60000000
                    - if((cast(interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 60000000 < 0, 1, 0)
            when 'date'
                then
                    cast(unix_date(cast(interval_end as date)) as bigint) * 1440
            when 'void' then cast(null as bigint)
            else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
        end as last_bin
    from range_join_values
)

select
    selected.*,
    explode(sequence(first_bin, last_bin)) as bin_num
from range_join_spans
where first_bin <= last_bin
