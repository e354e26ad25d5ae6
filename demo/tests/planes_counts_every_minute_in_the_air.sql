-- Counted the other way round: the year's counts add up to the minutes that all flights were in the air in 2013.
-- Expect no row.
with counted as (
    select
        count(*) as minutes,
        sum(planes) as plane_minutes
    from {{ ref('planes_in_the_air') }}
),

expected as (
    select
        365 * 24 * 60 as minutes,
        sum(
            timestampdiff(
                minute, departure, least(arrival, timestamp_ntz '2014-01-01 00:00:00')
            )
        ) as plane_minutes
    from {{ ref('flights') }}
    where
        arrival is not null
        and departure < timestamp_ntz '2014-01-01 00:00:00'
)

select *
from counted
except
select *
from expected
