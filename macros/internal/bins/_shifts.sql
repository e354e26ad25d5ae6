{#
    How wide bins have to be for an interval: as a number of bits, since a shift to the right by n makes bins 2^n times as
    wide and, as it floors, puts each bin within one wider bin.
#}

{#
    range_join_<side>_shifts: the spans with what each of the ways (_fan_out.sql, _place.sql) that the join takes needs. Rows: those
    of the spans. NULL for an interval that can't match at all.
        fan_out_shift  0 for up to 32 bins, else the first of 4, 8, ... at which the interval touches 18 bins at most
        slot_shift     the first of 0, 4, 8, ..., 60, 63 at which it touches two bins at most
    range_join_<side>_used_shifts: which of them there are. One row: fan_out_shifts (without 0), slot_shifts.

    Both ways read one aggregation without a filter: Spark 4.3 merges subqueries, and where these differed by a filter and
    both sides were one table, it failed with an internal error.
#}
{% macro _shifts_ctes(join, side, ways) %}
    {%- set half_span = dbt_range_join._half_span() -%}
    {%- set digits = 'length(bin(' ~ half_span ~ '))' -%}
    {%- set used = [] -%}
    {%- if 'fan_out' in ways -%}
        {%- do used.append('collect_set(nullif(fan_out_shift, 0)) as fan_out_shifts') -%}
    {%- endif -%}
    {%- if 'place' in ways -%}
        {%- do used.append('collect_set(slot_shift) as slot_shifts') -%}
    {%- endif -%}
    {%- set sql -%}
range_join_{{ side }}_shifts as (
    select
        *,
        {%- if 'fan_out' in ways %}
        case
            when {{ dbt_range_join._touches_a_bin(join) }}
                then if({{ half_span }} < 16, 0, cast({{ digits }} div 4 * 4 as int))
        end as fan_out_shift{{ ',' if 'place' in ways }}
        {%- endif %}
        {%- if 'place' in ways %}
        case
            when {{ dbt_range_join._touches_a_bin(join) }}
                then if({{ half_span }} = 0, 0, least(cast(({{ digits }} + 4) div 4 * 4 as int), 63))
        end as slot_shift
        {%- endif %}
    from range_join_{{ side }}_spans
),

range_join_{{ side }}_used_shifts as (
    select
        {{ used | join(',\n        ') }}
    from range_join_{{ side }}_shifts
)
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}


{#
    Whether a row of _spans_ctes can match at all. Inverted intervals, those beyond the extent of the points, and (unless
    NULL bounds are open) those with a NULL bound can't.
#}
{% macro _touches_a_bin(join) %}
    {%- set nulls = ['interval_start is not null', 'interval_end is not null'] if join.null_bounds == 'no_match' else [] -%}
    {{ return((nulls + ['first_bin <= last_bin']) | join(' and ')) }}
{% endmacro %}


{# Half the span in bins, since the whole one can be too large for BIGINT. #}
{% macro _half_span() %}
    {{ return('(shiftright(last_bin, 1) - shiftright(first_bin, 1))') }}
{% endmacro %}
