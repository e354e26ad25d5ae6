{#
    Lengths that go with where intervals lie: sessions are short where there are many, jobs long at night, blocks small where addresses are dense. Were half of the intervals
    milliseconds in one hour, and the others hours in a year, points of that hour would seem to be in all the long ones.

    So where it is so, distances are counted for intervals of about one length at a time. Not where there are keys: what pairs of equal keys say of that is
    in _as_equal_keys_match.
#}

{#
    A side's intervals by their lengths, if these go with where they lie: a list of {least, below, share, length, distances, gaps}, from the shortest on, or an empty one.
    Intervals from the length `least` on, but shorter than `below`, are that share of all, `length` long on average, and that far from points: see _distances and _gaps.
    starts, points: what _spread_of returns.
#}
{% macro _classes_of(intervals, starts, points) %}
    {%- set classes = [] -%}
    {#- Of every other point, as dbt takes as long to count for each class as for all of them. -#}
    {%- set points = dict(points, positions=points.positions[::2], sampled=(points.sampled + 1) // 2) -%}
    {%- for class in dbt_range_join._lengths_by_place(intervals) -%}
        {%- set of_class = dbt_range_join._spread_of_rows(class.starts, starts.quantiles) -%}
        {%- do classes.append({
            'least': class.least, 'below': 1e308, 'share': class.starts | length / intervals.placed.firsts | length, 'length': class.length,
            'distances': dbt_range_join._distances(of_class, points), 'gaps': dbt_range_join._gaps(of_class, points)}) -%}
    {%- endfor -%}
    {%- for class, next in zip(classes, classes[1:]) -%}
        {%- do class.update({'below': next.least}) -%}
    {%- endfor -%}
    {{ return(classes) }}
{% endmacro %}


{#
    The intervals of a side by their lengths, if these go with where they start: a list of {least, length, starts}, from the shortest on, or an empty one. least: the length from which on
    intervals are of that class, below 0 for the first; length: of those of the sample, on average; starts: of these, in order.

    They go with it where neighbours are of one class more often than any two intervals, by a tenth of how often these are not; by chance it would be a fiftieth.
    Of a class of which the sample has fewer than five, it does not say where they lie. side: as _measure returns it.
#}
{% macro _lengths_by_place(side) %}
    {%- set least = dbt_range_join._length_classes(side.lengths) if side.placed.firsts | length >= 100 else [] -%}
    {%- if least | length < 2 -%}
        {{ return([]) }}
    {%- endif -%}
    {#- In their order in the sample where they start at once, as that of their lengths would have neighbours alike. -#}
    {%- set rows = zip(side.placed.firsts, range(side.placed.firsts | length), side.placed.lengths) | list -%}
    {%- do rows.sort() -%}
    {%- set second, third, fourth = (least[1:] + [1e308, 1e308])[:3] -%}
    {%- set classes -%}
        {%- for _, _, length in rows -%}
            {{ (length >= second) + (length >= third) + (length >= fourth) }}
        {%- endfor -%}
    {%- endset -%}
    {%- set beside = zip(classes, classes[1:]) | list -%}
    {%- set ns = namespace(alike=0.0, by_chance=0.0) -%}
    {%- for number in range(least | length) -%}
        {%- set class = number | string -%}
        {%- if classes.count(class) < 5 -%}
            {{ return([]) }}
        {%- endif -%}
        {%- set ns.alike = ns.alike + beside.count((class, class)) / beside | length -%}
        {%- set ns.by_chance = ns.by_chance + (classes.count(class) / classes | length) ** 2 -%}
    {%- endfor -%}
    {%- if ns.alike - ns.by_chance <= 0.1 * (1 - ns.by_chance) -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set by_length = [] -%}
    {%- for from in least -%}
        {%- set number = loop.index0 | string -%}
        {%- set of_class -%}
            [0,0
            {%- for (start, _, length), class in zip(rows, classes) if class == number -%}
                ,{{ start }},{{ length }}
            {%- endfor -%}]
        {%- endset -%}
        {%- set of_class = fromjson(of_class)[2:] -%}
        {%- set starts, lengths = of_class[::2], of_class[1::2] -%}
        {%- do by_length.append({'least': from, 'length': lengths | sum / [starts | length, 1] | max, 'starts': starts}) -%}
    {%- endfor -%}
    {{ return(by_length) }}
{% endmacro %}


{#
    Up to four classes of lengths, as the least of each, in rising order: each begins where lengths are some times the least of the one before it, in the middle between two
    lengths, and that as few times (a power of four) as there are four classes at most. Each has a hundredth of the intervals or more.
    lengths: at _length_quantiles(), or an empty list.
#}
{% macro _length_classes(lengths) %}
    {%- set told = [] -%}
    {%- for (share, _), length in zip(dbt_range_join._length_quantiles(), lengths) if share < 0.99 -%}
        {%- do told.append(length) -%}
    {%- endfor -%}
    {%- set ns = namespace(classes=[], times=4) -%}
    {%- for _ in range(500) if told and (not ns.classes or ns.classes | length > 4) -%}
        {%- set ns.classes = [-1] -%}
        {%- set ns.least = told[0] -%}
        {%- for _ in range(4) if ns.least is not none -%}
            {%- set least, times = ns.least, ns.times -%}
            {%- set below -%}
                {%- for length in told if length <= least or length < times * least -%}.{%- endfor -%}
            {%- endset -%}
            {%- set length, before = told[below | length] if below | length < told | length else none, told[below | length - 1] -%}
            {%- set ns.least = length -%}
            {%- do ns.classes.append((before * length) ** 0.5 if before > 0 else length / 2) if length is not none -%}
        {%- endfor -%}
        {%- set ns.times = 4 * ns.times -%}
    {%- endfor -%}
    {{ return(ns.classes) }}
{% endmacro %}
