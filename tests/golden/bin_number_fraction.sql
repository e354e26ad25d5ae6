select
    case
        when typeof(x) in ('float', 'double')
            then
                case
                    when cast(x as double) / 0.25D >= 9.2e18D then 9223372036854775807
                    when cast(x as double) / 0.25D <= -9.2e18D then -9223372036854775808
                    else
                        floor(cast(x as double) / 0.25D)
                end
        when typeof(x) like 'decimal%' or typeof(x) in ('tinyint', 'smallint', 'int', 'bigint')
            then
                case
                    when abs(cast(x as double)) < 9.2e16D
                        then
                            cast(floor(x, 2) * 100BD as bigint) div 25
                            - if(cast(floor(x, 2) * 100BD as bigint) % 25 < 0, 1, 0)
                    when cast(x as double) / 0.25D >= 9.2e18D then 9223372036854775807
                    when cast(x as double) / 0.25D <= -9.2e18D then -9223372036854775808
                    else
                        floor(x, 38) div 0.25BD
                        - if(sign(x % 0.25BD) < 0, 1, 0)
                end
        when typeof(x) = 'void' then cast(null as bigint)
        else raise_error('dbt_range_join: a bin_size that is a number needs a number: change bin_size, or cast the value')
    end as bin_num
from events
