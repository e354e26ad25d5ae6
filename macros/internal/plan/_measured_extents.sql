{#
    How far the points of a join reach, as numbers in the SQL: what was measured stands in for a look at all points (_extent_cte in
    bins/_spans.sql), which takes a job of its own before the join.

    A sample does not see the outermost points. So bins end where the measured extent does, for both sides alike: what lies beyond, point or
    interval, counts as in the bin at the edge. That moves values, never past each other, so that who matches still meets, whatever the
    numbers are. They only decide how many strangers meet: a ten-thousandth of the points at each edge, at most, with the same part of the intervals.
#}

{#
    {left, right}, each what _extent_of returns, for the sides that have points; or none, where the query is to look. bin: {of, width}.

    To look is better where a model is no table, as the SQL of a view meets data that was never measured; and where many intervals lie
    beyond the points, since a look leaves these out. Only inner joins know what to do with it.
#}
{% macro _measured_extents(join, measured, bin) %}
    {%- set is_built = model is defined and model.config is defined and model.config.materialized in ['table', 'incremental'] -%}
    {%- if join.join_type != 'inner' or not is_built or bin is none or bin.of == 'any' -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set extents = {} -%}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- set points = measured[meeting.points] -%}
        {%- set starts = measured[meeting.intervals].firsts -%}
        {%- if not points.firsts or not starts -%}
            {{ return(none) }}
        {%- endif -%}
        {%- set first, last = points.firsts[0], points.firsts[-1] -%}
        {#- Dates and TIMESTAMP_NTZ are measured as the session's clock has them, and binned by the calendar. -#}
        {%- set margin = (last - first) / 32 + (86400000000 if bin.of == 'time' and points.types != ['timestamp'] * points.types | length else 0) -%}
        {%- set within = starts | select('ge', first - margin) | select('le', last + margin) | list -%}
        {%- if within | length < 0.9 * starts | length -%}
            {{ return(none) }}
        {%- endif -%}
        {%- do extents.update({meeting.points: dbt_range_join._extent_of(first - margin, last + margin, points.rows, bin.width)}) -%}
    {%- endfor -%}
    {{ return(extents) }}
{% endmacro %}


{# {first_bin, last_bin, points}, whole numbers, of points that reach from one position to another (see _measure). #}
{% macro _extent_of(first, last, points, width) %}
    {%- set bins = [] -%}
    {%- for position in [first, last] -%}
        {%- do bins.append([[position / width, -9e18] | max, 9e18] | min | round(0, 'floor') | int) -%}
    {%- endfor -%}
    {{ return({'first_bin': bins[0], 'last_bin': bins[1], 'points': points | round | int}) }}
{% endmacro %}
