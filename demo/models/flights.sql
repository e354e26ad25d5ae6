-- The scheduled departure plus the delay gives the actual departure with its date, also where the delay
-- reaches past midnight. All times are New York's wall clock: TIMESTAMP_NTZ, which no time zone moves.
with departures as (
    select
        *,
        make_timestamp_ntz(year, month, day, sched_dep_time div 100, sched_dep_time % 100, 0)
        + make_dt_interval(0, 0, dep_delay) as departure
    from {{ source('nycflights13', 'raw_flights') }}
)

select
    flight_id,
    carrier,
    tailnum,
    origin,
    dest,
    departure,
    departure + make_dt_interval(0, 0, air_time) as arrival
from departures
