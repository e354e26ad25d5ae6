with flights_by_minute as (
    {{ dbt_range_join.naive_range_join(
        left_relation=ref('minutes_of_the_week'), left_point='minute',
        right_relation=ref('flights'), right_interval=['departure', 'arrival'],
        join_type='left', inclusive='left',
        select=['l.minute', 'r.flight_id']) | indent(4) }}
)

select
    minute,
    count(flight_id) as planes
from flights_by_minute
group by minute
