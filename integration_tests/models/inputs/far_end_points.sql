{#- A moment every 7 minutes of two days, and one in the far future. -#}
select
    moment,
    minute(moment) % 3 as number
from (
    select explode(sequence(
        timestamp'2024-06-01 00:00:00Z', timestamp'2024-06-02 23:59:00Z', interval 7 minutes
    )) as moment
    union all
    select timestamp'9999-12-30 12:00:00Z' as moment
) as moments
