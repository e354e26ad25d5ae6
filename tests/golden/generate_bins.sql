with range_join_bounds as (
    select
        (min(ts)) as lower_bound,
        (max(ts)) as upper_bound
    from seconds
),

range_join_span as (
    select
        case typeof(lower_value)
            when 'timestamp'
                then
                    unix_micros(cast(lower_value as timestamp_ltz)) div 3600000000
                    - if(unix_micros(cast(lower_value as timestamp_ltz)) % 3600000000 < 0, 1, 0)
            when 'timestamp_ntz'
                then
                    (cast(lower_value as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 3600000000
                    - if((cast(lower_value as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 3600000000 < 0, 1, 0)
            when 'date'
                then
                    cast(unix_date(cast(lower_value as date)) as bigint) * 24
            when 'void' then cast(null as bigint)
            else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
        end as first_bin,
        case typeof(upper_value)
            when 'timestamp'
                then
                    unix_micros(cast(upper_value as timestamp_ltz)) div 3600000000
                    - if(unix_micros(cast(upper_value as timestamp_ltz)) % 3600000000 < 0, 1, 0)
            when 'timestamp_ntz'
                then
                    (cast(upper_value as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 3600000000
                    - if((cast(upper_value as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 3600000000 < 0, 1, 0)
            when 'date'
                then
                    cast(unix_date(cast(upper_value as date)) as bigint) * 24
            when 'void' then cast(null as bigint)
            else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
        end as last_bin
    from (
        select
            if(true, lower_bound, upper_bound) as lower_value,
            if(true, upper_bound, lower_bound) as upper_value
        from range_join_bounds
    ) as bounds
)

select explode(sequence(first_bin, last_bin)) as bin_num
from range_join_span
where first_bin <= last_bin
