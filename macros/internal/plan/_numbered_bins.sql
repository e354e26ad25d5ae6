{#
    Bins so narrow that a BIGINT can't number them: with a bin_size of 0.0001, those of nanoseconds since 1970. What lies beyond its reach is in one bin
    (_within_bigint in domain/_bin_of.sql), and if that is most of the data, each point is compared with each interval. So wider bins stand in for those of bin_size:
    the rows that come out do not depend on it.

    But a few values may lie out of reach and all others within, as where 38 nines stand for "none": bins that are wide enough for these would have the others all in
    one. So what counts is how many pairs meet. Whole numbers in bins of 1 or more, and times, are never out of reach.
#}

{# Whether a position is so far from 0 that a BIGINT does not count up to there in bins of some width. #}
{% macro _is_out_of_reach(position, width) %}{{ return(position > 2 ** 63 * width) }}{% endmacro %}


{#
    The width to make bins of where the data is measured: that of bin_size, unless it has as much as twice as many pairs compared as the best of those that a BIGINT numbers up
    to some of the values. Then that. meetings: what _describe_meetings returns. unit: what _unit_of says.
#}
{% macro _numbered_width(join, measured, meetings, unit) %}
    {%- set given = join.bin.width -%}
    {%- set furthest = dbt_range_join._outermost(measured) | map('abs') | max -%}
    {%- if unit != 'fraction' and given >= 1 or not dbt_range_join._is_out_of_reach(furthest, given) -%}
        {{ return(given) }}
    {%- endif -%}
    {%- set compared = {given: dbt_range_join._pairs_numbered(join, measured, meetings, given)} -%}
    {%- for position in [furthest] + measured.left.firsts[::16] + measured.right.firsts[::16] if dbt_range_join._is_out_of_reach(position | abs, given) -%}
        {%- set width = dbt_range_join._widths_from(position | abs / 9e18, unit)[0] -%}
        {%- if width > given and width not in compared -%}
            {%- do compared.update({width: dbt_range_join._pairs_numbered(join, measured, meetings, width)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set least = compared.values() | min -%}
    {%- if compared[given] - least < [least, 100000] | max -%}
        {{ return(given) }}
    {%- endif -%}
    {#- Of the widths with the fewest, more or less, the narrowest. -#}
    {%- set widths = [] -%}
    {%- for width, pairs in compared.items() if pairs <= 1.01 * least -%}
        {%- do widths.append(width) -%}
    {%- endfor -%}
    {{ return(widths | min) }}
{% endmacro %}


{# How many pairs are compared in bins of some width, those in BIGINT's outermost bins too, of which _estimate knows nothing. #}
{% macro _pairs_numbered(join, measured, meetings, width) %}
    {%- set limit = 9.2e18 * width -%}
    {%- set ns = namespace(pairs=dbt_range_join._estimate(meetings, width).candidates) -%}
    {%- for sides, meeting in zip(dbt_range_join._meetings(join), meetings) -%}
        {%- set points, intervals = measured[sides.points].firsts, measured[sides.intervals] -%}
        {%- set above = dbt_range_join._share_of(points | select('gt', limit), points) -%}
        {%- set below = dbt_range_join._share_of(points | select('lt', -limit), points) -%}
        {%- if above -%}
            {%- set ns.pairs = ns.pairs + meeting.most_pairs * above * dbt_range_join._share_ending_after(intervals, limit) -%}
        {%- endif -%}
        {%- if below -%}
            {%- set ns.pairs = ns.pairs + meeting.most_pairs * below * dbt_range_join._share_of(intervals.firsts | select('lt', -limit), intervals.firsts) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(ns.pairs) }}
{% endmacro %}


{# The join in bins of that width, with what is to be said of it where these stand in for those of bin_size. unit: as the plan is to say it. #}
{% macro _in_numbered_bins(join, bin_size, width, unit) %}
    {%- if width == join.bin.width -%}
        {{ return(join) }}
    {%- endif -%}
    {{ return(dict(join, bin=dict(join.bin, width=width), reason='bins of ' ~ dbt_range_join._say_length(width, unit) ~ ', as bin_size '
        ~ dbt_range_join._show_value(bin_size) ~ ' is too small for a BIGINT to number the bins of these values')) }}
{% endmacro %}


{#
    The join in bins that a BIGINT can number where the caller states of all points that they are out of its reach. Where that is some of the extent, the others may
    be the crowd, and bins stay as they are. They are numbered as far as bins go on beyond the extent (_stated_facts).
#}
{% macro _in_stated_bins(join, bin_size) %}
    {%- set stated = join.stated -%}
    {%- if stated is none or not dbt_range_join._is_out_of_reach([stated.first, -stated.last] | max, join.bin.width) -%}
        {{ return(join) }}
    {%- endif -%}
    {%- set furthest = [stated.first, stated.last] | map('abs') | max + 8 * (stated.last - stated.first) -%}
    {{ return(dbt_range_join._in_numbered_bins(join, bin_size, dbt_range_join._widths_from(furthest / 9e18, 'fraction')[0], 'fraction')) }}
{% endmacro %}
