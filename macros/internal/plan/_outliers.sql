{#
    A few values far from all others, and what they would do to the bins.

    One point at 9999-12-31 has all open intervals reach so far, in bins of centuries, in which they meet all points. So such points are drawn close to the
    others in what is measured, and with it in the extent, whose outermost bin holds all that lies beyond (_measured_extents.sql). There they meet what reaches beyond
    the edge, and that is mostly open, and meets them anyway.

    One number of 38 nines, which stands for "none", be it of points or of starts, would have bins so wide that a BIGINT can number those up to there, and all others in
    one. In narrower bins what lies beyond is in BIGINT's last one, and meets what else is there.
#}

{#
    What was measured, with outlying points (or starts, that another side's intervals meet) drawn close to the others, and starts that are far from all points drawn
    less far. Where the query is to look how far points reach by itself, it finds the outlying ones, so they are left as they are, but for numbers beyond BIGINT's reach.
    measured: what _ask_measures returns.
#}
{% macro _without_outliers(join, measured) %}
    {%- set ns = namespace(is_known=dbt_range_join._can_know_extents(join)) -%}
    {%- set drawn = dbt_range_join._with_points_drawn(join, measured, ns.is_known) -%}
    {%- for meeting in dbt_range_join._meetings(join) if ns.is_known and dbt_range_join._reach_to_know(join, drawn, meeting) is none -%}
        {%- set ns.is_known = false -%}
    {%- endfor -%}
    {{ return(dbt_range_join._with_starts_drawn(join, drawn if ns.is_known else dbt_range_join._with_points_drawn(join, measured, false))) }}
{% endmacro %}


{# The same of outlying points alone. is_known: whether the join knows how far points reach. #}
{% macro _with_points_drawn(join, measured, is_known) %}
    {%- set drawn = dict(measured) -%}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- set intervals = measured[meeting.intervals] -%}
        {%- set ns = namespace(firsts=measured[meeting.points].firsts) -%}
        {%- set above = dbt_range_join._gap_before_outliers(ns.firsts) -%}
        {%- if above and dbt_range_join._is_better_drawn(
            above, dbt_range_join._share_as_long(intervals, above, above.edge), dbt_range_join._share_ending_after(intervals, above.edge), is_known) -%}
            {%- set ns.firsts = above.drawn -%}
        {%- endif -%}
        {#- The same from the other end, where an interval is open by where it starts. -#}
        {%- set below = dbt_range_join._gap_before_outliers(dbt_range_join._mirrored(ns.firsts)) -%}
        {%- if below and dbt_range_join._is_better_drawn(
            below, dbt_range_join._share_as_long(intervals, below, -below.end),
            dbt_range_join._share_of(intervals.firsts | select('lt', -below.edge), intervals.firsts), is_known) -%}
            {%- set ns.firsts = dbt_range_join._mirrored(below.drawn) -%}
        {%- endif -%}
        {%- do drawn.update({meeting.points: dict(measured[meeting.points], firsts=ns.firsts)}) -%}
    {%- endfor -%}
    {{ return(drawn) }}
{% endmacro %}


{#
    What was measured, with the starts of intervals no further from the points that they meet than a million times as far as these reach: where they are beyond that matters to
    nobody, and is no reason for wide bins. Not of two intervals, whose starts are points.
#}
{% macro _with_starts_drawn(join, measured) %}
    {%- set drawn = dict(measured) -%}
    {%- for meeting in dbt_range_join._meetings(join) if join.left.kind != join.right.kind -%}
        {%- set points, starts = measured[meeting.points].firsts, measured[meeting.intervals].firsts -%}
        {%- set far = 2 ** 20 * (points[-1] - points[0]) if points and starts else 0 -%}
        {%- if far and (starts[0] < points[0] - far or starts[-1] > points[-1] + far) -%}
            {%- set firsts = [] -%}
            {%- for start in starts -%}
                {%- do firsts.append([[start, points[0] - far] | max, points[-1] + far] | min) -%}
            {%- endfor -%}
            {%- do drawn.update({meeting.intervals: dict(measured[meeting.intervals], firsts=firsts)}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(drawn) }}
{% endmacro %}


{#
    The gap before the last of some quantiles, where it is eight times as long as all the others reach: {start, end, share, edge, drawn, crowded}; else none. share: of the
    points, that lie beyond. crowded: the share of the others that would be in one bin, were bins so wide that a BIGINT numbers those up to the last. edge: to where they are drawn, two steps of the others beyond these: the last that lie close to the others are between. drawn: the quantiles then.
#}
{% macro _gap_before_outliers(quantiles) %}
    {%- set others = quantiles | select('lt', quantiles[-1]) | list if quantiles else [] -%}
    {%- set reach = dbt_range_join._occupied_reach(others) -%}
    {%- if not others or quantiles[-1] - others[-1] <= 8 * reach -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set edge = others[-1] + 2 * reach / others | length -%}
    {%- set outliers = quantiles | length - others | length -%}
    {{ return({
        'start': others[-1], 'end': quantiles[-1], 'share': outliers / quantiles | length, 'edge': edge, 'drawn': others + [edge] * outliers,
        'crowded': [quantiles[-1] | abs / 9e18 / reach, 1] | min if reach else 0}) }}
{% endmacro %}


{#
    Whether outliers had better be drawn close: at the edge they meet the intervals that reach beyond it in vain, but for those that lie over the gap; far off, these
    meet all points in vain, and so do all where bins have to be as wide. Where the query looks itself, it has long intervals meet all points in any case. gap: what
    _gap_before_outliers returns. over, reaching: shares of the intervals, those that are as long as the gap, and those that reach beyond the edge. is_known: whether the
    join knows how far points reach.
#}
{% macro _is_better_drawn(gap, over, reaching, is_known) %}
    {%- if not is_known -%}
        {{ return(over == 0 and gap.crowded > 1e-6 and gap.share * reaching <= gap.crowded) }}
    {%- endif -%}
    {{ return(gap.share * (reaching - over) <= over + gap.crowded) }}
{% endmacro %}


{# The share of a side's intervals that are as long as a gap, or are open and start no later than a position. #}
{% macro _share_as_long(intervals, gap, position) %}
    {%- set ns = namespace(share=intervals.open * dbt_range_join._share_of(intervals.open_firsts | select('le', position), intervals.open_firsts)) -%}
    {%- for quantile, length in zip(dbt_range_join._length_quantiles(), intervals.lengths) if length >= gap.end - gap.start -%}
        {%- set ns.share = ns.share + quantile[1] * dbt_range_join._closed_share(intervals) -%}
    {%- endfor -%}
    {{ return(ns.share) }}
{% endmacro %}


{# The share of a side's intervals that end after a position, as if they were of the same lengths everywhere. #}
{% macro _share_ending_after(intervals, position) %}
    {%- set ns = namespace(share=intervals.open) -%}
    {%- for quantile, length in zip(dbt_range_join._length_quantiles(), intervals.lengths) -%}
        {%- set later = dbt_range_join._share_of(intervals.firsts | select('gt', position - length), intervals.firsts) -%}
        {%- set ns.share = ns.share + quantile[1] * later * dbt_range_join._closed_share(intervals) -%}
    {%- endfor -%}
    {{ return(ns.share) }}
{% endmacro %}
