{#
    How wide bins have to be for an interval: as a number of bits, since a shift to the right by n makes bins 2^n times as
    wide and, as it floors, puts each bin within one wider bin.
#}

{#
    range_join_<side>_shifts: the spans with what each of the ways (_fan_out.sql, _place.sql, _levels.sql, _ask.sql) that the join takes needs.
    Rows: those of the spans. NULL for an interval that can't match at all.
        half_span      last bin minus first bin, halved before it is taken, since the whole can be too large for BIGINT
        fan_out_shift  0 for up to 32 bins, else the first of 4, 8, ... at which the interval touches 18 bins at most
        ask_shift      0 for up to 32 bins, else the first of 8, 16, ..., 56, 60 at which the interval touches 34 bins at most
        slot_shift     the first of 0, 4, 8, ..., 60, 63 at which it touches two bins at most
    range_join_<side>_used_shifts: which of them there are. One row: fan_out_shifts (without 0), level_shifts (the same with 0, where it is
    among them; 0 alone where one_level), one_level (see _one_level; NULL, which counts as false, where there is no interval), ask_shifts,
    slot_shifts. any_shift: not to look, and say all that there could be.

    All ways read one aggregation without a filter: Spark 4.3 merges subqueries, and where these differed by a filter and
    both sides were one table, it failed with an internal error. A set of shifts is gathered as the bits of a BIGINT, which
    Spark generates code for, as it does not for collect_set.
#}
{% macro _shifts_ctes(join, side, ways, any_shift) %}
    {%- set shifts = [] -%}
    {%- set masks = [] -%}
    {%- set used = [] -%}
    {%- if ways | reject('in', ['place', 'ask']) | list -%}
        {%- do shifts.append('if(half_span < 16, 0, cast(length(bin(half_span)) div 4 * 4 as int)) as fan_out_shift') -%}
        {%- do masks.append('bit_or(shiftleft(1L, fan_out_shift)) as fan_out_mask') -%}
    {%- endif -%}
    {%- set steps = range(4, 64, 4) | join(', ') -%}
    {%- if 'fan_out' in ways -%}
        {%- do used.append(dbt_range_join._bits_set('fan_out_mask', steps, any_shift) ~ ' as fan_out_shifts') -%}
    {%- endif -%}
    {%- if 'levels' in ways -%}
        {%- set every_level = dbt_range_join._bits_set('fan_out_mask', '0, ' ~ steps, any_shift) -%}
        {%- do masks.append(dbt_range_join._one_level() ~ ' as one_level') -%}
        {%- do used.append(('false as ' if any_shift else '') ~ 'one_level') -%}
        {%- do used.append((every_level if any_shift else 'if(one_level, array(0), ' ~ every_level ~ ')') ~ ' as level_shifts') -%}
    {%- endif -%}
    {%- if 'ask' in ways -%}
        {%- do shifts.append(dbt_range_join._ask_shift() ~ ' as ask_shift') -%}
        {%- do masks.append('bit_or(shiftleft(1L, ask_shift)) as ask_mask') -%}
        {%- do used.append(dbt_range_join._bits_set('ask_mask', range(0, 64, 8) | join(', ') ~ ', 60', any_shift) ~ ' as ask_shifts') -%}
    {%- endif -%}
    {%- if 'place' in ways -%}
        {%- do shifts.append(dbt_range_join._slot_shift() ~ ' as slot_shift') -%}
        {%- do masks.append('bit_or(shiftleft(1L, slot_shift)) as slot_mask') -%}
        {%- do used.append(dbt_range_join._bits_set('slot_mask', '0, ' ~ steps ~ ', 63', any_shift) ~ ' as slot_shifts') -%}
    {%- endif -%}
    {%- set sql -%}
range_join_{{ side }}_shifts as (
    select
        *,
        {{ shifts | join(',\n') | indent(8) }}
    from {{ (dbt_range_join._narrow_shifts(join, side) if 'place' in ways else dbt_range_join._half_spans(join, side)) | indent(4) }}
),

range_join_{{ side }}_used_shifts as (
    select{{ dbt_range_join._select_list(used) | indent(4) }}
    {%- if not any_shift %}
    from (
        select{{ dbt_range_join._select_list(masks) | indent(8) }}
        from range_join_{{ side }}_shifts
    ) as masks
    {%- endif %}
)
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}


{# The spans with half_span (see _shifts_ctes), as a subquery. #}
{% macro _half_spans(join, side) %}
    {%- set sql -%}
(
    select
        *,
        case
            when
                {{ dbt_range_join._touches_a_bin(join) | join('\n                and ') }}
                then shiftright(last_bin, 1) - shiftright(first_bin, 1)
        end as half_span
    from range_join_{{ side }}_spans
) as spans
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The same with narrow_shift, which _slot_shift reads. #}
{% macro _narrow_shifts(join, side) %}
    {%- set sql -%}
(
    select
        *,
        cast(length(bin(half_span)) div 4 * 4 as int) as narrow_shift
    from {{ dbt_range_join._half_spans(join, side) | indent(4) }}
) as half_spans
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    Whether all intervals are to be at the first level, as an aggregate: where those longer than 32 bins touch so few
    bins in all that to put them there makes no more rows than points would make by looking at one level more.
    Nor more than 32 an interval on average, since Spark may hold all intervals in a hash table, nor more than 16,384 of one
    interval, as its bins are an array in memory. _levels_at (plan/_work_of_ways.sql) foretells what this will say.
#}
{% macro _one_level() %}
    {%- set most = dbt_range_join._most_at_one_level() -%}
    {%- set sql -%}
sum(if(fan_out_shift > 0, 2D * half_span + 2D, 0D)) <= least(max(points), {{ most.bins_on_average }} * count(half_span))
and max(half_span) < {{ most.bins_of_one // 2 }}
    {%- endset -%}
    {{ return(sql | indent(4)) }}
{% endmacro %}


{# The bounds of _one_level that do not follow from the data; the second is that of _measured_levels, too. #}
{% macro _most_at_one_level() %}{{ return({'bins_on_average': 32, 'bins_of_one': 16384}) }}{% endmacro %}


{# Those of the numbers listed whose bit is set in a mask, or all of them, as an array; empty where the mask is NULL. #}
{% macro _bits_set(mask, numbers, all) %}
    {%- set listed = 'array(' ~ numbers ~ ')' -%}
    {{ return(listed if all else 'filter(' ~ listed ~ ', bit -> getbit(' ~ mask ~ ', bit) = 1)') }}
{% endmacro %}


{# The shift at which an interval touches 34 bins at most. `least` alone would make 60 of NULL, where intervals that can't match meet every point. #}
{% macro _ask_shift() %}
    {%- set sql -%}
case
    when half_span < 16 then 0
    when half_span is not null then least(cast((length(bin(half_span)) + 3) div 8 * 8 as int), 60)
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    The first of the shifts at which an interval touches two bins at most. A half span of b bits is less than 2^b, so at a shift of b + 1 it does, wherever in a
    bin it starts. Of the multiples of four, that holds from the one after narrow_shift on; at narrow_shift it does or not, and at one before it, it can't.
    63 leaves only two bins.
#}
{% macro _slot_shift() %}
    {%- set sql -%}
case
    when shiftright(last_bin, narrow_shift) - shiftright(first_bin, narrow_shift) <= 1 then narrow_shift
    when half_span is not null then least(narrow_shift + 4, 63)
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    That a row of _spans_cte can match a point at all: a list of predicates. Inverted intervals, those beyond an extent that was looked for, those of no length where an end
    is exclusive, and (unless NULL bounds are open) those with a NULL bound can't. (That such an interval overlaps another is found by its start, a point.)
#}
{% macro _touches_a_bin(join) %}
    {{ return(dbt_range_join._bounds_given(join) + ['first_bin <= last_bin'] + dbt_range_join._has_length(join)) }}
{% endmacro %}


{#
    That an interval has a length, where an end is exclusive: a list of predicates. Without one it holds no value. Many may start at once, as by a default, and would meet all points
    there in vain. Only where both bounds are of one type: BIGINT 2^53 and DOUBLE 2^53 are equal, and BIGINT 2^53 + 1 is above the one and not above the
    other. And only where they are equal, as they stay in whatever type they are compared in: of those that are inverted, the later bound
    may be the earlier one there (a TIMESTAMP_NTZ that summer time skips, as a TIMESTAMP).
#}
{% macro _has_length(join) %}
    {%- if join.inclusive == 'both' -%}
        {{ return([]) }}
    {%- endif -%}
    {{ return(['coalesce(typeof(interval_start) <> typeof(interval_end) or interval_start <> interval_end, true)']) }}
{% endmacro %}


{#
    That an interval has both bounds, where a NULL bound matches nothing: a list of predicates, empty where it is open. A bound that has no value in the type
    that it is compared in (a DECIMAL too large for it) is NULL there, and so is its bin.
#}
{% macro _bounds_given(join) %}
    {{ return(['bin_num is not null', 'end_bin is not null'] if join.null_bounds == 'no_match' else []) }}
{% endmacro %}
