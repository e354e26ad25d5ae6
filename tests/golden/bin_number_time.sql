select
    case typeof(ts)
        when 'timestamp'
            then
                unix_micros(cast(ts as timestamp_ltz)) div 90000000
                - if(unix_micros(cast(ts as timestamp_ltz)) % 90000000 < 0, 1, 0)
        when 'timestamp_ntz'
            then
                (cast(ts as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second div 90000000
                - if((cast(ts as timestamp_ntz) - timestamp_ntz '1970-01-01') div interval '0.000001' second % 90000000 < 0, 1, 0)
        when 'date'
            then
                cast(unix_date(cast(ts as date)) as bigint) * 960
        when 'void' then cast(null as bigint)
        else raise_error('dbt_range_join: a bin_size in units of time needs a date or timestamp: change bin_size, or cast the value')
    end as bin_num
from events
