{#
    Which side a sort-merge join goes through row by row. It keeps the other side's rows of the same bin in memory, however many they are: Spark spills them
    only beyond what spark.sql.sortMergeJoinExec.buffer.in.memory.threshold says, two thousand million rows by default.
#}

{#
    The side that comes first in the FROM of points and intervals that are merged, of which none is kept; none where nothing is known, or nothing is to choose.

    Each pair compared reads a row out of that memory, and points have fewer columns than intervals: where the points are in it, a join takes 0.8 to 1.0 times
    as long (medians of five, in turn, on W3, W5 to W7, G5, H3, X10). But points crowd, as at the date that stands for "unknown", and at the widest level
    a few long intervals meet them in bins that hold a part of them all. So the intervals are in memory where the sample has more than 100,000 points in one
    bin of the widest level, whatever their keys, where levels are not known, and where values are of two types, which may leave one bin for all
    (domain/_types_cte.sql). Points that lie nowhere, as NULLs do, meet nobody where levels are known.

    join: with the hints that were chosen. bin: {of, width}. levels: what _measured_levels returns.
#}
{% macro _streamed_side(join, measured, bin, levels) %}
    {%- set meetings = dbt_range_join._meetings(join) -%}
    {%- if not join.merge or levels is none or meetings | length > 1 -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set points, intervals = meetings[0].points, meetings[0].intervals -%}
    {%- set wide = bin.width * 2 ** levels[intervals][-1].shift -%}
    {%- set are_mixed = (measured.left.types + measured.right.types) | unique | list | length > 1 -%}
    {{ return(points if are_mixed or dbt_range_join._has_crowd(measured[points], wide, 100000) else intervals) }}
{% endmacro %}


{#
    Whether a bin may hold more than `most` of a side's points, as those of the sample lie: within `width` of each other, or at an end of what was measured, where
    outliers are put (_outliers.sql). side: one of what _measure returns.
#}
{% macro _has_crowd(side, width, most) %}
    {%- set positions = side.positions -%}
    {%- set of_sample = [positions | length * most / [side.rows * side.usable, 1] | max, 1] | max | round(0, 'ceil') | int -%}
    {%- for first, last in zip(positions, positions[of_sample:]) if last - first < width -%}
        {{ return(true) }}
    {%- endfor -%}
    {%- set at_first = dbt_range_join._count_within(positions, positions[0], side.firsts[0]) if positions else 0 -%}
    {%- set at_last = dbt_range_join._count_within(positions, side.firsts[-1], positions[-1]) if positions else 0 -%}
    {{ return([at_first, at_last] | max > of_sample) }}
{% endmacro %}
