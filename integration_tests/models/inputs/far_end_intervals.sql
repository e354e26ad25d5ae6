{#- A thousand intervals of seconds, fifty that end in 9999, one of 8,000 years, and open ones. -#}
select
    id,
    id % 3 as number,
    timestamp_seconds(1717200000 + id * 173) as valid_from,
    timestamp_seconds(1717200000 + id * 173 + id % 97) as valid_to
from (select explode(sequence(1, 1000)) as id) as short_ones
union all
select
    1000 + id as id,
    id % 3 as number,
    timestamp_seconds(1717200000 + id * 3407) as valid_from,
    timestamp'9999-12-31 00:00:00Z' as valid_to
from (select explode(sequence(1, 50)) as id) as current_ones
union all
select
    2000 as id,
    1 as number,
    timestamp'1999-12-31 00:00:00Z' as valid_from,
    timestamp'9999-12-31 00:00:00Z' as valid_to
union all
select
    2001 as id,
    1 as number,
    timestamp_seconds(1717300000) as valid_from,
    cast(null as timestamp) as valid_to
union all
select
    2002 as id,
    2 as number,
    cast(null as timestamp) as valid_from,
    cast(null as timestamp) as valid_to
