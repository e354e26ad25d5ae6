select minute
from {{ ref('minutes') }}
where
    minute >= timestamp_ntz '{{ var("week_start") }}'
    and minute < timestamp_ntz '{{ var("week_start") }}' + interval '7' day
