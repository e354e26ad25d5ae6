{#
    How a join without a bin_size is made: the plan of least estimated cost for data as _measure describes it.

    The model. A row copied costs 1, a pair compared 0.3: that lies between 0.1, where points come in order and so meet what is in the
    processor's cache, and 1, where they come at random (measured on two cores; see benchmarks/README.md). Points and intervals are
    spread as their quantiles say, and keys are independent of where a row lies. An interval of length x in bins of width w has
    x / w + 1 copies, w widened as fan_out_shift does it where these are many (bins/_shifts.sql), and is compared
    with the points within x + w.
#}

{#
    The plan: {bin, broadcast, shuffle_hash, reason}, with bin none where no bins at all are best: keys or small inputs leave so few
    pairs that comparing them is the least work. What the caller gave of broadcast and shuffle_hash stays.
#}
{% macro _choose_plan(join, measured) %}
    {%- set given = {'broadcast': join.broadcast, 'shuffle_hash': join.shuffle_hash} -%}
    {%- set small_bins = ', so bins begin small (1 second, or 1) and widen sixteenfold for longer intervals; give bin_size where that is slow' -%}
    {%- if measured is none -%}
        {{ return(dict(given, bin={'of': 'any'}, reason='the data could not be measured before this query runs' ~ small_bins)) }}
    {%- endif -%}
    {%- set unit = dbt_range_join._unit_of(measured) -%}
    {%- set about = dbt_range_join._say_measured(join, measured, unit) -%}
    {%- set pairs = measured.left.rows * measured.right.rows * measured.key_share -%}
    {%- if pairs <= [2000000, 3 * (measured.left.rows + measured.right.rows)] | max -%}
        {{ return(dict(given, bin=none, reason='no bins, as there are only about ' ~ dbt_range_join._say_count(pairs) ~ ' pairs'
            ~ (' of equal keys' if join['keys'] else '') ~ ' to compare; ' ~ about)) }}
    {%- endif -%}

    {%- if unit is none -%}
        {{ return(dict(given, bin={'of': 'any'}, reason='the types do not say in what to measure ('
            ~ (measured.left.types + measured.right.types) | join(', ') ~ ')' ~ small_bins)) }}
    {%- endif -%}

    {%- set best = dbt_range_join._best_estimate(join, measured, unit) -%}
    {%- set bin = {'of': 'time' if unit == 'time' else 'number', 'width': best.width} -%}
    {%- set hints = given -%}
    {%- if not given.broadcast and not given.shuffle_hash -%}
        {%- set hints = dbt_range_join._choose_hints(join, measured, best) -%}
    {%- endif -%}
    {%- set reason = 'bins of ' ~ dbt_range_join._say_length(bin.width, unit) ~ dbt_range_join._say_hints(hints)
        ~ '; ' ~ about ~ '; about ' ~ '%.1f' % (best.copies / [best.intervals, 1] | max) ~ ' copies an interval, '
        ~ dbt_range_join._say_count(best.candidates) ~ ' pairs compared for ' ~ dbt_range_join._say_count(best.pairs) ~ ' found' -%}
    {{ return(dict(hints, bin=bin, reason=reason)) }}
{% endmacro %}


{# The join with what the plan says of bin, broadcast and shuffle_hash, and the plan's reason. #}
{% macro _planned_join(join, measured) %}
    {{ return(dict(join, **dbt_range_join._choose_plan(join, measured))) }}
{% endmacro %}


{# What the cheapest of all widths would cost, as _estimate says it. #}
{% macro _best_estimate(join, measured, unit) %}
    {%- set meetings = dbt_range_join._describe_meetings(join, measured) -%}
    {%- set ns = namespace(best=none) -%}
    {%- for width in dbt_range_join._candidate_widths(measured, unit) -%}
        {%- set estimate = dbt_range_join._estimate(meetings, width) -%}
        {%- if ns.best is none or estimate.cost < ns.best.cost -%}
            {%- set ns.best = estimate -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(ns.best) }}
{% endmacro %}


{# 'time', 'whole' or 'fraction', by the types of all values; none where they are of different families or of no known one. #}
{% macro _unit_of(measured) %}
    {%- set units = [] -%}
    {%- for type in measured.left.types + measured.right.types if type != 'void' -%}
        {%- if type in ['timestamp', 'timestamp_ntz', 'date'] -%}
            {%- do units.append('time') -%}
        {%- elif type in ['tinyint', 'smallint', 'int', 'bigint'] -%}
            {%- do units.append('whole') -%}
        {%- elif type in ['float', 'double'] or type.startswith('decimal') -%}
            {%- do units.append('fraction') -%}
        {%- else -%}
            {%- do units.append(type) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set different = units | unique | list -%}
    {%- if different == ['time'] or different == ['whole'] -%}
        {{ return(different[0]) }}
    {%- elif different and different | reject('in', ['whole', 'fraction']) | list == [] -%}
        {{ return('fraction') }}
    {%- endif -%}
    {{ return(none) }}
{% endmacro %}


{#
    The meetings of a join (see _meetings), each as numbers: {points, intervals, lengths, reach, nearness}. lengths: [length, share] of the
    intervals, an open end as long as the points reach. nearness: the pairs per unit of length that points and starts leave, if
    all intervals were one unit long.
#}
{% macro _describe_meetings(join, measured) %}
    {%- set described = [] -%}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- set points = measured[meeting.points] -%}
        {%- set intervals = measured[meeting.intervals] -%}
        {%- set reach = points.firsts[-1] - points.firsts[0] if points.firsts else 0 -%}
        {%- set opened = intervals.open if join.null_bounds == 'unbounded' else 0 -%}
        {%- set closed = [intervals.usable - opened, 0] | max -%}
        {%- set lengths = [[reach, opened]] if opened else [] -%}
        {%- for quantile in dbt_range_join._length_quantiles() if intervals.lengths -%}
            {%- do lengths.append([[intervals.lengths[loop.index0], reach] | min, quantile[1] * closed]) -%}
        {%- endfor -%}
        {%- do described.append({
            'points': points.rows, 'intervals': intervals.rows, 'lengths': lengths, 'reach': reach,
            'most_pairs': points.rows * intervals.rows * measured.key_share,
            'nearness': [points.rows * intervals.rows * measured.key_share
                * dbt_range_join._overlap_of_densities(points.firsts, intervals.firsts), 1e250] | min}) -%}
    {%- endfor -%}
    {{ return(described) }}
{% endmacro %}


{#
    The integral of the product of two densities, each given by quantiles at equal steps: the chance that a point and a start, drawn
    at random, are within a unit of each other, per unit. Values that many rows share have no density, and would be
    compared whatever the width: they are left out.
#}
{% macro _overlap_of_densities(left, right) %}
    {%- set ns = namespace(sum=0.0, i=0, j=0) -%}
    {%- set cells = [] -%}
    {%- for quantiles in [left, right] -%}
        {%- set list = [] -%}
        {%- for i in range(1, quantiles | length) if quantiles[i] > quantiles[i - 1] -%}
            {%- do list.append([quantiles[i - 1], quantiles[i], 1 / (quantiles | length - 1) / (quantiles[i] - quantiles[i - 1])]) -%}
        {%- endfor -%}
        {%- do cells.append(list) -%}
    {%- endfor -%}
    {%- for _ in range(cells[0] | length + cells[1] | length) if ns.i < cells[0] | length and ns.j < cells[1] | length -%}
        {%- set a, b = cells[0][ns.i], cells[1][ns.j] -%}
        {%- set shared = [a[1], b[1]] | min - [a[0], b[0]] | max -%}
        {%- if shared > 0 -%}
            {%- set ns.sum = ns.sum + shared * a[2] * b[2] -%}
        {%- endif -%}
        {%- if a[1] <= b[1] -%}
            {%- set ns.i = ns.i + 1 -%}
        {%- else -%}
            {%- set ns.j = ns.j + 1 -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(ns.sum) }}
{% endmacro %}


{#
    The widths to choose from: round numbers, three in each power of ten (times as clocks have them), from about the shortest
    length that one interval in ten exceeds to the reach of the data.
#}
{% macro _candidate_widths(measured, unit) %}
    {%- set lengths = measured.left.lengths + measured.right.lengths -%}
    {%- set ends = measured.left.firsts[:1] + measured.right.firsts[:1] + measured.left.firsts[-1:] + measured.right.firsts[-1:] -%}
    {%- set reach = ends | max - ends | min if ends else 0 -%}
    {%- set positive = lengths | select('gt', 0) | list -%}
    {%- set shortest = ([positive | min if positive else 1, reach] | min) / 100 -%}
    {%- set widths = [] -%}
    {%- if unit == 'time' -%}
        {%- set second = 1000000 -%}
        {%- for power in range(6) -%}
            {%- for digit in [1, 2, 5] -%}
                {%- do widths.append(digit * 10 ** power) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- for seconds in [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 345600, 604800,
            1209600, 2419200, 4838400, 9676800, 19353600, 38707200, 77414400, 154828800, 309657600, 3096576000, 30965760000] -%}
            {%- do widths.append(seconds * second) -%}
        {%- endfor -%}
    {%- else -%}
        {%- for power in range(0 if unit == 'whole' else -18, 19) -%}
            {%- for digit in [1, 2, 5] -%}
                {%- do widths.append(digit * 10 ** power if power >= 0 else (digit ~ 'e' ~ power) | float) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set fitting = [] -%}
    {%- for width in widths if width >= shortest and width <= [reach, shortest] | max -%}
        {%- do fitting.append(width) -%}
    {%- endfor -%}
    {{ return(fitting or [widths | select('ge', shortest) | first or widths[-1]]) }}
{% endmacro %}


{# What a width would cost: {width, cost, copies, probes, candidates, pairs, intervals}, all as numbers of rows or pairs. #}
{% macro _estimate(meetings, width) %}
    {%- set ns = namespace(copies=0.0, probes=0, candidates=0.0, pairs=0.0, intervals=0) -%}
    {%- for meeting in meetings -%}
        {%- set levels = {} -%}
        {%- set sums = namespace(copies=0.0, within=0.0, length=0.0) -%}
        {%- for length, share in meeting.lengths if share > 0 -%}
            {#- Bins end where BIGINT does. -#}
            {%- set half_span = [length / width / 2, 4e18] | min | int -%}
            {%- set shift = half_span.bit_length() // 4 * 4 if half_span >= 16 else 0 -%}
            {%- set wide = width * 2 ** shift -%}
            {%- do levels.update({shift: true}) -%}
            {%- set sums.copies = sums.copies + share * (length / wide + 1) -%}
            {%- set sums.within = sums.within + share * (length + wide) -%}
            {%- set sums.length = sums.length + share * length -%}
        {%- endfor -%}
        {%- set ns.copies = ns.copies + meeting.intervals * sums.copies -%}
        {%- set ns.probes = ns.probes + meeting.points * levels | length -%}
        {%- set ns.candidates = ns.candidates + [meeting.nearness * sums.within, meeting.most_pairs] | min -%}
        {%- set ns.pairs = ns.pairs + [meeting.nearness * sums.length, meeting.most_pairs] | min -%}
        {%- set ns.intervals = ns.intervals + meeting.intervals -%}
    {%- endfor -%}
    {{ return({
        'width': width, 'cost': ns.copies + ns.probes + 0.3 * ns.candidates, 'copies': ns.copies, 'probes': ns.probes,
        'candidates': ns.candidates, 'pairs': ns.pairs, 'intervals': ns.intervals}) }}
{% endmacro %}


{#
    Which side to broadcast, or else to hash: the one of fewer rows among those that the join type lets Spark build, where that saves
    sorting by keys, or shuffling a side at least four times as large. Elsewhere Spark's own choice is no slower: rows sort fast by one
    BIGINT, and candidates then lie side by side. Broadcast up to about 128 MB, hashed up to 5 million rows, since a hash table can't spill.
    Returns: {broadcast, shuffle_hash}.
#}
{% macro _choose_hints(join, measured, estimate) %}
    {%- set kept = dbt_range_join._kept_sides(join.join_type) -%}
    {%- set rows = {} -%}
    {%- for side in ['left', 'right'] -%}
        {%- set fanned_out = estimate.copies / [estimate.intervals, 1] | max if join[side].kind == 'interval' else estimate.probes / [measured[side].rows, 1] | max -%}
        {%- do rows.update({side: measured[side].rows * fanned_out}) -%}
    {%- endfor -%}
    {%- set ns = namespace(side=none) -%}
    {%- for side in rows if side not in kept and (ns.side is none or rows[side] < rows[ns.side]) -%}
        {%- set ns.side = side -%}
    {%- endfor -%}
    {%- if ns.side is none or not join['keys'] and rows[dbt_range_join._other_side(ns.side)] < 4 * rows[ns.side] -%}
        {{ return({'broadcast': none, 'shuffle_hash': none}) }}
    {%- endif -%}
    {%- set all_columns = 'l.*' if ns.side == 'left' else 'r.*' -%}
    {%- set columns = 30 if all_columns in join.select_items | join(' ') or join.join_condition is not none else join.select_items | length -%}
    {%- set bytes = rows[ns.side] * 16 * (columns + 3) -%}
    {{ return({
        'broadcast': ns.side if bytes <= 128 * 2 ** 20 else none,
        'shuffle_hash': ns.side if bytes > 128 * 2 ** 20 and rows[ns.side] <= 5000000 else none}) }}
{% endmacro %}
