select
    case
        when typeof((x + y)) in ('tinyint', 'smallint', 'int', 'bigint')
            then
                cast((x + y) as bigint) div 10
                - if(cast((x + y) as bigint) % 10 < 0, 1, 0)
        when typeof((x + y)) in ('float', 'double')
            then
                case
                    when cast((x + y) as double) / 10D >= 9.2e18D then 9223372036854775807
                    when cast((x + y) as double) / 10D <= -9.2e18D then -9223372036854775808
                    else
                        floor(cast((x + y) as double) / 10D)
                end
        when typeof((x + y)) like 'decimal%'
            then
                case
                    when abs(cast((x + y) as double)) < 9.2e18D
                        then
                            cast(floor((x + y)) as bigint) div 10
                            - if(cast(floor((x + y)) as bigint) % 10 < 0, 1, 0)
                    when cast((x + y) as double) / 10D >= 9.2e18D then 9223372036854775807
                    when cast((x + y) as double) / 10D <= -9.2e18D then -9223372036854775808
                    else
                        floor((x + y), 38) div 10BD
                        - if(sign((x + y) % 10BD) < 0, 1, 0)
                end
        when typeof((x + y)) = 'void' then cast(null as bigint)
        else raise_error('dbt_range_join: a bin_size that is a number needs a number: change bin_size, or cast the value')
    end as bin_num
from events
