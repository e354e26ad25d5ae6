{#
    What was measured of both sides, as the numbers that the cost of a width follows from (_estimate.sql). They are the same for all widths.
#}

{#
    The meetings of a join (see _meetings), each as numbers: {way, ordered, points, intervals, empty, lengths, sums, furthest, classes, reach,
    key_share, visited, beside, most_pairs, pairs}.

    way: in which its pairs are made (_way_of_pairs), or none. points: those that have a value, and of two intervals all starts. empty: the share of
    intervals that hold no value. lengths: [length, share, whole, met] of the intervals, from the shortest on, an open one as long as points follow its
    start. length: no more than the points reach, as bins are made where points are; whole: all of it; met: the share of all pairs whose point is within
    such an interval, those of gaps aside. sums: of the first none, one, two ... of them, {share, length, whole, met, in_gaps}, each being that of all
    together, and whole as far as there are pairs so far apart; in_gaps: what `met` leaves aside. furthest: how far apart pairs are at most. classes: of intervals, by their lengths, as _classes_of has them. reach: of the
    points. key_share: as measured. visited: {points, intervals}, by keys, as measured. beside: see _as_equal_keys_match, whose `within` is in `met`. most_pairs: those of equal keys. pairs: those that match.
#}
{% macro _describe_meetings(join, measured) %}
    {%- set described = [] -%}
    {%- set spreads = {} -%}
    {%- for side in ['left', 'right'] -%}
        {%- do spreads.update({side: dbt_range_join._spread_of(measured[side].firsts, measured[side].positions)}) -%}
    {%- endfor -%}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- set points = measured[meeting.points] -%}
        {%- set intervals = measured[meeting.intervals] -%}
        {%- set start_spread, point_spread = spreads[meeting.intervals], spreads[meeting.points] -%}
        {%- set classes = dbt_range_join._classes_of(intervals, start_spread, point_spread) -%}
        {%- if not classes -%}
            {%- set distances = dbt_range_join._reversed(described[0].classes[0].distances) if described and described[0].classes | length == 1
                else dbt_range_join._distances_by_key(start_spread, point_spread, intervals.keyed, points.keyed, measured.key_share) -%}
            {%- do classes.append({'least': -1, 'below': 1e308, 'distances': distances, 'gaps': dbt_range_join._gaps(start_spread, point_spread)}) -%}
        {%- endif -%}
        {%- set furthest = classes | map(attribute='distances.steps') | map('last') | max -%}
        {%- set ends_that_match = dbt_range_join._ends_that_match(join, meeting) -%}
        {%- set reach = points.firsts[-1] - points.firsts[0] if points.firsts else 0 -%}
        {%- set closed = dbt_range_join._closed_share(intervals) -%}
        {%- set lengths = [] -%}
        {%- for start in intervals.open_firsts or points.firsts[:1] if intervals.open and points.firsts -%}
            {#- Open ends reach to the last of the points: mostly, versions that began last are open. -#}
            {%- set whole = [points.firsts[-1] - start, 0] | max -%}
            {%- set gaps = (classes | selectattr('least', 'le', whole) | list)[-1].gaps -%}
            {%- set in_gaps = dbt_range_join._shares_in_gaps(gaps, [whole], ends_that_match)[0] -%}
            {%- do lengths.append([whole, intervals.open / (intervals.open_firsts | length or 1),
                [dbt_range_join._share_later(points.firsts, start) - in_gaps, 0] | max, in_gaps]) -%}
        {%- endfor -%}
        {%- set opened = lengths | length -%}
        {%- for class in classes if closed -%}
            {%- set of_class = intervals.lengths | select('ge', class.least) | select('lt', class.below) | list -%}
            {%- set shares = dbt_range_join._length_quantiles()[lengths | length - opened:] -%}
            {%- set met_by_length = dbt_range_join._shares_within(class.distances.steps, class.distances.after, of_class) -%}
            {%- set in_gaps_by_length = dbt_range_join._shares_in_gaps(class.gaps, of_class, ends_that_match) -%}
            {%- for (_, share), whole, met, in_gaps in zip(shares, of_class, met_by_length, in_gaps_by_length) -%}
                {%- do lengths.append([whole, share * closed, met, in_gaps]) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- set as_keys_match = dbt_range_join._as_equal_keys_match(measured, meeting, lengths, classes[0].distances) -%}
        {%- set described_lengths = [] -%}
        {%- set sums = [{'share': 0.0, 'length': 0.0, 'whole': 0.0, 'met': 0.0, 'in_gaps': 0.0}] -%}
        {%- for whole, share, met, in_gaps in lengths | sort -%}
            {%- set length = [whole, reach] | min -%}
            {%- set met = met * as_keys_match.within -%}
            {%- do described_lengths.append([length, share, whole, met]) -%}
            {%- do sums.append({
                'share': sums[-1].share + share, 'length': sums[-1].length + share * length,
                'whole': sums[-1].whole + share * [whole, furthest] | min, 'met': sums[-1].met + share * met,
                'in_gaps': sums[-1].in_gaps + share * in_gaps}) -%}
        {%- endfor -%}
        {#- A start is a point also of an interval that holds no value. -#}
        {%- set with_value = points.rows * (points.usable if meeting.tie is none else 1) -%}
        {%- set most_pairs = with_value * intervals.rows * measured.key_share -%}
        {%- do described.append({
            'way': dbt_range_join._way_of_pairs(join), 'ordered': points.ordered or intervals.ordered,
            'points': with_value, 'intervals': intervals.rows, 'empty': intervals.empty, 'lengths': described_lengths, 'sums': sums,
            'furthest': furthest, 'classes': classes, 'reach': reach, 'key_share': measured.key_share,
            'visited': {'points': measured.visited[meeting.points], 'intervals': measured.visited[meeting.intervals]},
            'beside': as_keys_match.beside, 'most_pairs': most_pairs, 'pairs': most_pairs * [sums[-1].met + sums[-1].in_gaps, 1] | min}) -%}
    {%- endfor -%}
    {{ return(described) }}
{% endmacro %}


{#
    How many times as many pairs of equal keys match as they would if keys had nothing to do with where rows lie and how long they are, and how many
    times as many lie beside each other: {within, beside}. They mostly have to do with it: keys whose versions are many have short ones, so that a point is in one of them
    all the same; and keys may have their points just where they have no intervals. Beside an interval is what lies half its length before or after it.

    Counted are all pairs of the sample that have equal keys. Keys of which it has too few pairs to tell are taken to be independent, as are those of which it has about as many
    as if they were: how rows lie is known from more of them than have these keys.

    lengths: of the meeting, [whole, share, met, in_gaps]. distances: see _distances.
#}
{% macro _as_equal_keys_match(measured, meeting, lengths, distances) %}
    {%- set points, intervals = measured[meeting.points].keyed, measured[meeting.intervals].keyed -%}
    {%- set ns = namespace(within=0.0, beside=0.0) -%}
    {%- for whole, share, met, in_gaps in lengths -%}
        {%- set ns.within = ns.within + share * (met + in_gaps) -%}
    {%- endfor -%}
    {%- if ([points['keys'] | length, intervals['keys'] | length] | min) ** 2 * measured.key_share * ns.within < 20 -%}
        {{ return({'within': 1.0, 'beside': 1.0}) }}
    {%- endif -%}
    {%- set as_wide = [] -%}
    {%- for whole, _, _, _ in lengths -%}
        {%- do as_wide.append({'wide': whole, 'whole': whole, 'share': 1}) -%}
    {%- endfor -%}
    {%- for (_, share, _, _), strangers in zip(lengths, dbt_range_join._strangers(distances, as_wide)) -%}
        {%- set ns.beside = ns.beside + share * strangers -%}
    {%- endfor -%}
    {%- set points_of = dbt_range_join._counts_of(points['keys']) -%}
    {%- set counts -%}
        [0
        {%- for key, count in dbt_range_join._counts_of(intervals['keys']).items() if key in points_of -%}
            ,{{ count * points_of[key] }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set pairs = fromjson(counts) | sum -%}
    {%- set last = measured[meeting.points].firsts[-1] -%}
    {#- Of each interval: its key, where it begins and ends, and as wide again, half before it and half after it. -#}
    {%- set bounds -%}
        [0,0,0,0,0
        {%- for key, start, end in zip(intervals['keys'], intervals.firsts, intervals.lasts) if start != none and key in points_of -%}
            {%- set end = end if end < last else last if last > start else start -%}
            {%- set half = (end - start) / 2 -%}
            ,{{ key }},{{ start }},{{ end }},{{ start - half }},{{ end + half }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set bounds = fromjson(bounds)[5:] -%}
    {%- set placed = zip(points['keys'], points.firsts, [1] * points['keys'] | length) -%}
    {%- set placed = (placed | rejectattr(1, 'none') if none in points.firsts else placed) | list -%}
    {%- set within = dbt_range_join._pairs_within(placed, bounds[::5], bounds[1::5], bounds[2::5]) -%}
    {%- set near = dbt_range_join._pairs_within(placed, bounds[::5], bounds[3::5], bounds[4::5]) -%}
    {{ return({
        'within': dbt_range_join._times_as_many(within, pairs * ns.within), 'beside': dbt_range_join._times_as_many(near - within, pairs * ns.beside)}) }}
{% endmacro %}


{#
    How many times as many of something there are in a sample as expected, but 1 where chance may have it so, as up to twice the root of those expected more or less. A few would be
    found by chance alone, so that five more of either are compared.
#}
{% macro _times_as_many(found, expected) %}
    {{ return(1.0 if (found - expected) ** 2 <= 4 * expected else (found + 5) / (expected + 5)) }}
{% endmacro %}


{#
    How many pairs there are of a point and an interval of its key that it lies in, from its start to its end.

    A bound has as many points before it as its number among both less its rank among the bounds, and those of other keys are before a start as before its end: so
    the pairs are what the numbers of the ends come to, less those of the starts.
    points: [key, position, 1], a list. keys, starts, ends: of the intervals, none of which ends before it starts.
#}
{% macro _pairs_within(points, keys, starts, ends) %}
    {%- set ns = namespace(pairs=0) -%}
    {#- At one position a start comes before the points (1), and an end after them. -#}
    {%- for bounds, kind, sign in [[starts, 0, -1], [ends, 2, 1]] -%}
        {%- set rows = points + zip(keys, bounds, [kind] * keys | length) | list -%}
        {%- do rows.sort() -%}
        {%- set numbers -%}
            [0
            {%- for (_, _, row_is), number in zip(rows, range(rows | length)) if row_is == kind -%}
                ,{{ number }}
            {%- endfor -%}]
        {%- endset -%}
        {%- set ns.pairs = ns.pairs + sign * fromjson(numbers) | sum -%}
    {%- endfor -%}
    {{ return(ns.pairs) }}
{% endmacro %}


{# The share of a side's intervals that can match and have an end. intervals: a side as _measure returns it. #}
{% macro _closed_share(intervals) %}{{ return([intervals.usable - intervals.open, 0] | max) }}{% endmacro %}


{#
    Whether a point at the very start of an interval matches, and one at its very end, in a meeting of a join: [start, end]. Of two intervals,
    those that start at once overlap, and are found by the meeting whose tie is not 'after'.
#}
{% macro _ends_that_match(join, meeting) %}
    {%- if meeting.tie is none -%}
        {{ return([join.inclusive in ['both', 'left'], join.inclusive in ['both', 'right']]) }}
    {%- endif -%}
    {{ return([meeting.tie != 'after', join.inclusive == 'both']) }}
{% endmacro %}
