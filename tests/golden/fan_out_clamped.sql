with range_join_rows as (
    select
        struct(query_id, upper(title) as title) as selected,
        (start_time) as interval_start,
        (end_time) as interval_end,
        ((select min(ts) from seconds)) as lower_bound,
        ((select max(ts) from seconds)) as upper_bound
    from queries
),

range_join_values as (
    select
        selected,
        if(true, interval_start, coalesce(interval_end, lower_bound, upper_bound)) as interval_start,
        if(true, interval_end, coalesce(interval_start, lower_bound, upper_bound)) as interval_end,
        if(true, lower_bound, coalesce(interval_start, interval_end, upper_bound)) as lower_bound,
        if(true, upper_bound, coalesce(interval_start, interval_end, lower_bound)) as upper_bound
    from range_join_rows
    where
        (interval_start < interval_end or interval_start is null or interval_end is null)
        and lower_bound is not null
        and upper_bound is not null
),

range_join_spans as (
    select
        selected,
        greatest(
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
            end,
            case typeof(lower_bound)
                when 'timestamp'
                    then
                        unix_micros(cast(lower_bound as timestamp_ltz)) div 60000000
                        - if(unix_micros(cast(lower_bound as timestamp_ltz)) % 60000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(lower_bound as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 60000000
                        - if((cast(lower_bound as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 60000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(lower_bound as date)) as bigint) * 1440
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end
        ) as first_bin,
        least(
            case typeof(interval_end)
                when 'timestamp'
                    then
                        unix_micros(cast(interval_end as timestamp_ltz)) div 60000000
                        - if(unix_micros(cast(interval_end as timestamp_ltz)) % 60000000 <= 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 60000000
                        - if((cast(interval_end as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 60000000 <= 0, 1, 0)
                when 'date'
                    then
                        try_subtract(cast(unix_date(cast(interval_end as date)) as bigint) * 1440, 1)
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end,
            case typeof(upper_bound)
                when 'timestamp'
                    then
                        unix_micros(cast(upper_bound as timestamp_ltz)) div 60000000
                        - if(unix_micros(cast(upper_bound as timestamp_ltz)) % 60000000 < 0, 1, 0)
                when 'timestamp_ntz'
                    then
                        (cast(upper_bound as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 60000000
                        - if((cast(upper_bound as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 60000000 < 0, 1, 0)
                when 'date'
                    then
                        cast(unix_date(cast(upper_bound as date)) as bigint) * 1440
                when 'void' then cast(null as bigint)
                else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
            end
        ) as last_bin
    from range_join_values
)

select
    selected.*,
    explode(sequence(first_bin, last_bin)) as minute_bin
from range_join_spans
where first_bin <= last_bin
