{#
    How far the points of a join reach, as numbers in the SQL: what was measured stands in for a look at all points (_extent_cte in
    bins/_spans.sql), which takes a job of its own before the join.

    A sample does not see the outermost points. So bins end one beyond the measured extent, one of the lowest level that is known: what lies further out, point
    or interval, counts as in that last bin. That moves values, never past each other, so that who matches still meets, whatever the
    numbers are. They only decide how many strangers meet: of ten thousand points one or two are to be expected beyond an edge, where
    they meet the intervals that reach beyond it too, and nobody else does, however many points are at the edge.
#}

{#
    {left, right}, each what _extent_of returns, for the sides that have points; or none, where the query is to look. bin: {of, width}. The join gets what
    _edges makes of it.

    To look is better
    - unless dbt builds a table of the data as measured: the SQL of a view, or what `dbt compile` writes, meets other data later, and a
      pre-hook may bring some;
    - where many intervals start beyond the points, since a look leaves these out: see _are_few_beyond;
    - where bins are so small, or values so large, that the numbers of their bins go beyond those that a BIGINT has;
    - where points may be NULL and meet open bounds, or many be NaN or infinite: all of these would meet at an edge;
    - where points are DATEs or TIMESTAMP_NTZs of few days, as these may be measured by the session's clock and binned by the calendar, or the other way round.
#}
{% macro _measured_extents(join, measured, bin) %}
    {%- if not dbt_range_join._can_know_extents(join) or bin is none or bin.of == 'any' -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set extents = {} -%}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- set points = measured[meeting.points] -%}
        {%- set reach = dbt_range_join._reach_to_know(join, measured, meeting) -%}
        {%- if reach is none or [reach.first, reach.last] | map('abs') | max / bin.width > 9e18 -%}
            {{ return(none) }}
        {%- endif -%}
        {%- do extents.update({meeting.points: dbt_range_join._extent_of(reach.first, reach.last, points.rows, bin.width)}) -%}
    {%- endfor -%}
    {{ return(extents) }}
{% endmacro %}


{# How far the points of a meeting reach, with a margin, as {first, last}: positions; none where the query had better look, in whatever bins: see _measured_extents. #}
{% macro _reach_to_know(join, measured, meeting) %}
    {%- set points = measured[meeting.points] -%}
    {%- set starts = measured[meeting.intervals].firsts -%}
    {%- if not points.firsts or not starts or not dbt_range_join._unit_of(measured) or dbt_range_join._may_lie_nowhere(points) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set first, last = points.firsts[0], points.firsts[-1] -%}
    {%- set day = 86400000000 -%}
    {%- set is_by_calendar = points.types | select('in', ['date', 'timestamp_ntz']) | list -%}
    {#- Little more than what the sample may miss, since open intervals fill the room; and what a DOUBLE rounds off. -#}
    {%- set margin = (last - first) / 1024 + [first | abs, last | abs] | max / 10 ** 15 + (day if is_by_calendar else 0) -%}
    {%- set within = dbt_range_join._count_within(starts, first - margin, last + margin) / starts | length -%}
    {%- if is_by_calendar and last - first < 32 * day or not dbt_range_join._are_few_beyond(join, measured, meeting, 1 - within) -%}
        {{ return(none) }}
    {%- endif -%}
    {{ return({'first': first - margin, 'last': last + margin}) }}
{% endmacro %}


{#
    Whether so few intervals of a meeting start beyond the points that they may all be in the bins of the edges. One task sorts those beyond an edge, which is nothing for 250,000
    of them: to look took as long as two million rows, and joins of 0.05 to 0.8 million were made in 0.3 to 0.8 of the time without (H1, D8, D10, D26, D28, D40,
    D42). Of more, a tenth, and a hundredth where these are kept. Points that the sample missed are there, too, about one for each that it has one of, and meet them all.
    share: of the intervals, that start beyond.
#}
{% macro _are_few_beyond(join, measured, meeting, share) %}
    {%- set points, beyond = measured[meeting.points], share * measured[meeting.intervals].rows -%}
    {%- set of_all = 0.01 if meeting.intervals in dbt_range_join._kept_sides(join.join_type) else 0.1 -%}
    {{ return(share <= of_all or beyond <= 250000 and beyond * points.rows / points.sampled <= 5000000) }}
{% endmacro %}


{# Whether some points or starts of the sample are NaN or infinite, as far as it can tell them from NULLs. side: as _measure returns it. #}
{% macro _may_lie_nowhere(side) %}
    {%- set approximate = side.types | select('in', ['float', 'double']) | list -%}
    {{ return(approximate != [] and (side.usable + side.empty < 0.999999 or side.open > 0)) }}
{% endmacro %}


{# Whether the query may go by extents that were measured, if the values allow it: see _measured_extents. #}
{% macro _can_know_extents(join) %}
    {{ return(join.null_bounds == 'no_match' and join.built_now) }}
{% endmacro %}


{#
    Where points reach from one position to another (see _measure): {first, last, bins, points}. first, last: the bins of these two positions; bins: how many there are
    from the one before the first to the one after the last, where bins are those of level 0.
#}
{% macro _extent_of(first, last, points, width) %}
    {%- set bins = [] -%}
    {%- for position in [first, last] -%}
        {%- do bins.append([[position / width, -9e18] | max, 9e18] | min | round(0, 'floor') | int) -%}
    {%- endfor -%}
    {{ return({'first': bins[0], 'last': bins[1], 'bins': bins[1] - bins[0] + 3, 'points': points | round | int}) }}
{% endmacro %}


{#
    {left, right}, each {first_bin, last_bin, points}, SQL literals: the bins that points and intervals are held within. first_bin is the last one before those
    of `extents` that shares no bin with them at the lowest of the levels, and last_bin the first one after them.

    extents, levels: what _measured_extents and _measured_levels return, the latter none where no levels are known. once: whether both meetings of two intervals are one
    join. Then bins begin on both sides where those of the side do that begins later: see bins/_overlap.sql.
#}
{% macro _edges(extents, levels, once=false) %}
    {%- set edges = {} -%}
    {%- for side, extent in extents.items() -%}
        {%- set wide = 2 ** levels[dbt_range_join._other_side(side)][0].shift if levels else 1 -%}
        {%- do edges.update({side: {
            'first': [extent.first // wide * wide - 1, -2 ** 63] | max, 'last': [(extent.last // wide + 1) * wide, 2 ** 63 - 1] | min, 'points': extent.points}}) -%}
    {%- endfor -%}
    {%- set literals = {} -%}
    {%- for side, edge in edges.items() -%}
        {%- set first = edges.values() | map(attribute='first') | max if once else edge.first -%}
        {%- do literals.update({side: {'first_bin': first ~ 'L', 'last_bin': [first, edge.last] | max ~ 'L', 'points': edge.points ~ 'L'}}) -%}
    {%- endfor -%}
    {{ return(literals) }}
{% endmacro %}


{# What _edges returns, where points may be in any bin and nobody knows how many there are. #}
{% macro _unknown_extents() %}
    {%- set extent = {'first_bin': '-9223372036854775808L', 'last_bin': '9223372036854775807L', 'points': 'cast(null as bigint)'} -%}
    {{ return({'left': extent, 'right': extent}) }}
{% endmacro %}
