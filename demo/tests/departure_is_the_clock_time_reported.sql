-- `departure` is computed from schedule and delay; the file also has the clock time, which must agree. Expect no row.
select
    flights.flight_id,
    flights.departure,
    raw_flights.dep_time
from {{ ref('flights') }} as flights
inner join {{ source('nycflights13', 'raw_flights') }} as raw_flights
    on flights.flight_id = raw_flights.flight_id
where
    not (
        hour(flights.departure) * 100 + minute(flights.departure) <=> raw_flights.dep_time % 2400
    )
