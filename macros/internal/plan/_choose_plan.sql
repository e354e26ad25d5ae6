{#
    How a join without a bin_size is made: the plan of least estimated cost for data as _measure describes it.

    The model. What rows copied and pairs compared cost is in _join_costs. Points and intervals are spread as their quantiles
    say, and keys are independent of where a row lies. An interval of length x in bins of width w has
    x / w + 1 copies, w widened as fan_out_shift does it where these are many (bins/_shifts.sql; not where _one_level holds), and is
    compared with the points within x + w.
#}

{#
    The plan: {bin, broadcast, shuffle_hash, merge, small, reason}, with what _measured_facts says where bins are chosen by the data. bin is none where no bins
    at all are best: keys or small inputs leave so few pairs that comparing them is the least work. What the caller gave of broadcast and
    shuffle_hash stays.
#}
{% macro _choose_plan(join, measured) %}
    {%- set given = {'broadcast': join.broadcast, 'shuffle_hash': join.shuffle_hash, 'merge': join.merge, 'small': join.small} -%}
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

    {%- set of = 'time' if unit == 'time' else 'number' -%}
    {%- set best = dbt_range_join._best_estimate(join, measured, unit) -%}
    {%- set hints = dbt_range_join._choose_hints(join, measured, best) -%}
    {%- if dbt_range_join._is_swept(dict(join, **hints)) -%}
        {%- set width = dbt_range_join._swept_width(measured, unit) -%}
        {{ return(dict(given, bin={'of': of, 'width': width}, reason='one sweep over both sides in order, in bins of '
            ~ dbt_range_join._say_length(width, unit) ~ ', as only matches are asked for and no join_condition has a say; ' ~ about)) }}
    {%- endif -%}

    {%- set bin = {'of': of, 'width': best.width} -%}
    {%- set facts = dbt_range_join._measured_facts(dict(join, **hints), measured, bin, best) -%}
    {%- set candidates = [best.candidates * dbt_range_join._compared_at_once(best.copies_of), best.pairs] | max if facts.meets_once else best.candidates -%}
    {%- set reason = 'bins of ' ~ dbt_range_join._say_length(bin.width, unit) ~ dbt_range_join._say_hints(hints)
        ~ '; ' ~ about ~ '; about ' ~ '%.1f' % (best.copies / [best.intervals, 1] | max) ~ ' copies an interval, '
        ~ dbt_range_join._say_count(candidates) ~ ' pairs compared for ' ~ dbt_range_join._say_count(best.pairs) ~ ' found' -%}
    {{ return(dict(hints, bin=bin, reason=reason, **facts)) }}
{% endmacro %}


{# The join with what the plan says: see _choose_plan. Raises a compile error where that is bins, and values are of types that have none. #}
{% macro _planned_join(join, measured) %}
    {%- set plan = dbt_range_join._choose_plan(join, measured) -%}
    {%- if measured is not none and plan.bin is not none -%}
        {%- do dbt_range_join._raise_faults('binned_range_join', dbt_range_join._type_faults(join, measured)) -%}
    {%- endif -%}
    {{ return(dict(join, **plan)) }}
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


{#
    The width of bins for a sweep, which has chunks of 16 (bins/_sweep.sql): for chunks of some 64 rows of a key on average, so that hot spots
    are spread over many, and 16,384 of them at most, as what they reach is gathered in one task.
#}
{% macro _swept_width(measured, unit) %}
    {%- set firsts = measured.left.firsts + measured.right.firsts -%}
    {%- set reach = firsts | max - firsts | min if firsts else 0 -%}
    {%- set chunks = [[(measured.left.rows + measured.right.rows) * measured.key_share / 64, 1] | max, 16384] | min -%}
    {%- set widths = dbt_range_join._round_widths(unit) -%}
    {{ return(widths | select('le', reach / 16 / chunks) | list | last or widths[0]) }}
{% endmacro %}


{# 'time', 'whole' or 'fraction', by the types of all values; none where they are of different families or of no known one. #}
{% macro _unit_of(measured) %}
    {%- set families = [] -%}
    {%- for type in measured.left.types + measured.right.types if type != 'void' -%}
        {%- do families.append(dbt_range_join._family_of(type)) -%}
    {%- endfor -%}
    {%- set different = families | unique | sort -%}
    {%- if different in [['time'], ['whole'], ['fraction']] -%}
        {{ return(different[0]) }}
    {%- endif -%}
    {{ return('fraction' if different == ['fraction', 'whole'] else none) }}
{% endmacro %}


{#
    A fault for each value of a type that has no bins. Text is none of them: Spark compares it with whatever it can be cast to, and a query of text
    alone raises an error itself.
#}
{% macro _type_faults(join, measured) %}
    {%- set faults = [] -%}
    {%- for side in ['left', 'right'] -%}
        {%- set given = [join[side].point] if join[side].kind == 'point' else join[side].interval -%}
        {%- for value, type in zip(given, measured[side].types) -%}
            {%- set has_bins = dbt_range_join._family_of(type) in ['time', 'whole', 'fraction', 'void'] -%}
            {%- if not has_bins and not modules.re.match('(string|char|varchar)\\b', type) -%}
                {%- do faults.append(dbt_range_join._fault(
                    side ~ '_' ~ join[side].kind, value, 'numbers, dates and timestamps, and this is of type ' ~ type | upper,
                    'cast it to one of these, such as an INTERVAL to its seconds, or join with naive_range_join')) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(faults) }}
{% endmacro %}


{#
    The meetings of a join (see _meetings), each as numbers: {leveled, ordered, points, intervals, empty, lengths, sums, distances, gaps, most_pairs, pairs}.
    leveled: whether its pairs are matched by levels. empty: the share of intervals that hold no value. lengths: [length, share, whole, met] of the intervals, from the shortest on, an open one as
    long as points follow its start. length: no more than the points reach, as bins are made where points are; whole: all of it; met: the share of
    all pairs whose point is within such an interval, those of `gaps` aside. sums: of the first none, one, two ... of them, {share, length, whole,
    met}, each being that of all together, and whole as far as there are pairs so far apart. distances: see _distances. gaps: see
    _gaps. most_pairs: those of equal keys. pairs: those that match.
#}
{% macro _describe_meetings(join, measured) %}
    {%- set described = [] -%}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- set points = measured[meeting.points] -%}
        {%- set intervals = measured[meeting.intervals] -%}
        {%- set point_spread = dbt_range_join._spread_of(points.firsts) -%}
        {%- set start_spread = dbt_range_join._spread_of(intervals.firsts) -%}
        {%- set distances = dbt_range_join._distances(start_spread, point_spread) -%}
        {%- set gaps = dbt_range_join._gaps(start_spread, point_spread) -%}
        {%- set ends_that_match = dbt_range_join._ends_that_match(join, meeting) -%}
        {%- set reach = points.firsts[-1] - points.firsts[0] if points.firsts else 0 -%}
        {%- set closed = [intervals.usable - intervals.open, 0] | max -%}
        {%- set lengths = [] -%}
        {%- for start in intervals.open_firsts or points.firsts[:1] if intervals.open and points.firsts -%}
            {#- Open ends reach to the last of the points: mostly, versions that began last are open. -#}
            {%- set whole = [points.firsts[-1] - start, 0] | max -%}
            {%- set in_gaps = dbt_range_join._share_in_gaps(gaps, whole, ends_that_match) -%}
            {%- do lengths.append([whole, intervals.open / (intervals.open_firsts | length or 1),
                [dbt_range_join._share_later(points.firsts, start) - in_gaps, 0] | max, in_gaps]) -%}
        {%- endfor -%}
        {%- for quantile in dbt_range_join._length_quantiles() if intervals.lengths and closed -%}
            {%- set whole = intervals.lengths[loop.index0] -%}
            {%- do lengths.append([whole, quantile[1] * closed,
                dbt_range_join._share_within(distances.steps, distances.after, whole), dbt_range_join._share_in_gaps(gaps, whole, ends_that_match)]) -%}
        {%- endfor -%}
        {%- set ns = namespace(lengths=[], in_gaps=0.0) -%}
        {%- set sums = [{'share': 0.0, 'length': 0.0, 'whole': 0.0, 'met': 0.0}] -%}
        {%- for whole, share, met, in_gaps in lengths | sort -%}
            {%- set length = [whole, reach] | min -%}
            {%- do ns.lengths.append([length, share, whole, met]) -%}
            {%- do sums.append({
                'share': sums[-1].share + share, 'length': sums[-1].length + share * length,
                'whole': sums[-1].whole + share * [whole, distances.steps[-1]] | min, 'met': sums[-1].met + share * met}) -%}
            {%- set ns.in_gaps = ns.in_gaps + share * in_gaps -%}
        {%- endfor -%}
        {%- set most_pairs = points.rows * intervals.rows * measured.key_share -%}
        {%- do described.append({
            'leveled': dbt_range_join._way_of_pairs(join) == 'levels', 'ordered': points.ordered or intervals.ordered,
            'points': points.rows, 'intervals': intervals.rows, 'empty': intervals.empty, 'lengths': ns.lengths, 'sums': sums,
            'distances': distances, 'gaps': gaps, 'most_pairs': most_pairs, 'pairs': most_pairs * [sums[-1].met + ns.in_gaps, 1] | min}) -%}
    {%- endfor -%}
    {{ return(described) }}
{% endmacro %}


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


{#
    How values lie, out of quantiles at equal steps: {cells, shared_values, quantiles, shared_quantiles}.
    shared_values: [value, share of the rows], for each value that quantiles of a 64th of the rows or more are, or the last few. Its rows
    may begin and end anywhere in the steps beside it, so it has half of these too.
    cells: [first, last, share], the rest, between quantiles that differ, in order. Values that fewer rows share are spread up to the next
    quantile: there may be many of them, as of dates, and dbt would take long for all pairs of two sides.
    quantiles: every other one, to count; shared_quantiles: those of them that are one of the shared_values.
#}
{% macro _spread_of(quantiles) %}
    {%- set step = 1 / ([quantiles | length - 1, 1] | max) -%}
    {%- set shares = {} -%}
    {%- for i in range(1, quantiles | length) if quantiles[i] == quantiles[i - 1] -%}
        {%- do shares.update({quantiles[i]: shares.get(quantiles[i], 0) + step}) -%}
    {%- endfor -%}
    {%- set shared = {} -%}
    {%- for value, share in shares.items() if share >= 1 / 64 or value == quantiles[-1] -%}
        {%- do shared.update({value: share}) -%}
    {%- endfor -%}
    {%- set cells = [] -%}
    {%- for i in range(1, quantiles | length) if quantiles[i] > quantiles[i - 1] -%}
        {%- set first, last = quantiles[i - 1], quantiles[i] -%}
        {%- set ns = namespace(share=step + (0 if first in shared else shares.get(first, 0))) -%}
        {%- for value in [first, last] if value in shared -%}
            {%- do shared.update({value: shared[value] + step / 2}) -%}
            {%- set ns.share = ns.share - step / 2 -%}
        {%- endfor -%}
        {%- if ns.share > 0 -%}
            {%- do cells.append([first, last, ns.share]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return({
        'cells': cells, 'shared_values': shared.items() | list,
        'quantiles': quantiles[::2], 'shared_quantiles': quantiles[::2] | select('in', shared) | list}) }}
{% endmacro %}


{#
    The pairs that overlapping cells of two sides hold, as {width: share of all pairs}: so many pairs are up to `width` apart, evenly. width: four times
    the wider cell's, rounded, since cells beside each other mostly go on alike; share: four times what the two cells have where they overlap. A value
    that many rows of one side share counts with the cell of the other side that it is in; where both sides have such values, see _gaps.
    left, right: what _spread_of returns.
#}
{% macro _near_pairs(left, right) %}
    {%- set pairs = {} -%}
    {%- for values, cells in [[left.shared_values, right.cells], [right.shared_values, left.cells]] -%}
        {%- for value, share in values -%}
            {%- for first, last, of_cell in cells if first <= value and (value < last or value == last and last == cells[-1][1]) -%}
                {%- set width = ('%.1e' % (4 * (last - first))) | float -%}
                {%- do pairs.update({width: pairs.get(width, 0) + 4 * share * of_cell}) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set ns = namespace(i=0, j=0) -%}
    {%- for _ in range(left.cells | length + right.cells | length) if ns.i < left.cells | length and ns.j < right.cells | length -%}
        {%- set a, b = left.cells[ns.i], right.cells[ns.j] -%}
        {%- set overlap = [a[1], b[1]] | min - [a[0], b[0]] | max -%}
        {%- if overlap > 0 -%}
            {%- set narrower, wider = [a[1] - a[0], b[1] - b[0]] | sort -%}
            {%- set width = ('%.1e' % (4 * wider)) | float -%}
            {%- do pairs.update({width: pairs.get(width, 0) + 4 * a[2] * b[2] * overlap / narrower}) -%}
        {%- endif -%}
        {%- if a[1] <= b[1] -%}
            {%- set ns.i = ns.i + 1 -%}
        {%- else -%}
            {%- set ns.j = ns.j + 1 -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(pairs) }}
{% endmacro %}


{#
    How far points lie from starts: {steps, after, before}. steps: distances in rising order, up to one that no pair exceeds. after: the share of all
    pairs whose point lies after the start by up to each of the steps; before: the same before it. Shares in between: _share_within. Pairs of
    values that many rows share on both sides are not in it: see _gaps.

    Near pairs are those of _near_pairs. Far ones are counted from the quantiles, which knows of points that lie where no interval
    starts, but far from where some do. What counts is the larger of both. A grid of quantiles says nothing of distances within it, so that a count
    is of a hundred pairs of quantiles at least, and less what it is wrong by, as a value that many rows share is just before or just after
    the next quantile of the other side: the root of the sum of their squares, as such values lie here and there.
    starts, points: what _spread_of returns.
#}
{% macro _distances(starts, points) %}
    {%- set values = starts.quantiles + points.quantiles -%}
    {%- if not starts.quantiles or not points.quantiles or not starts.cells + points.cells -%}
        {{ return({'steps': [0.0], 'after': [0.0], 'before': [0.0]}) }}
    {%- endif -%}
    {%- set reach = values | max - values | min -%}
    {%- set near_pairs = dbt_range_join._near_pairs(points, starts) -%}
    {%- set least = [[near_pairs | min if near_pairs else reach, reach / 256] | min, 1e-300] | max -%}
    {%- set ns = namespace(squares=0.0) -%}
    {%- for _, share in starts.shared_values + points.shared_values -%}
        {%- set ns.squares = ns.squares + share * share -%}
    {%- endfor -%}
    {%- set noise = ns.squares ** 0.5 / starts.quantiles | length -%}
    {%- set least_count = noise + 100 / (starts.quantiles | length * points.quantiles | length) -%}
    {%- set from_start = dbt_range_join._share_beyond(starts, points, 0, 0.5) -%}
    {%- set distances = {'steps': [], 'after': [0.0], 'before': [0.0]} -%}
    {%- for i in range(9) -%}
        {%- set step = least * (reach / least) ** (i / 8) -%}
        {%- set near = namespace(share=0.0) -%}
        {%- for width, share in near_pairs.items() -%}
            {%- set near.share = near.share + (share if width <= step else share * (step / width)) -%}
        {%- endfor -%}
        {%- do distances.steps.append(step) -%}
        {%- set after = from_start - dbt_range_join._share_beyond(starts, points, step) -%}
        {%- set before = dbt_range_join._share_beyond(starts, points, -step) - from_start -%}
        {%- do distances.after.append([distances.after[-1], near.share, after - noise if after >= least_count else 0] | max) -%}
        {%- do distances.before.append([distances.before[-1], near.share, before - noise if before >= least_count else 0] | max) -%}
    {%- endfor -%}
    {{ return({'steps': distances.steps, 'after': distances.after[1:], 'before': distances.before[1:]}) }}
{% endmacro %}


{#
    The share of all pairs whose point lies more than `distance` after the start, by their quantiles, but for pairs of values that many rows share on
    both sides. Of those at that very distance, `tie` are counted as beyond it.

    A point has as many starts before it as its rank among all less its rank among the points: sorted, summed and subtracted, since dbt would take
    seconds for all pairs. starts, points: what _spread_of returns.
#}
{% macro _share_beyond(starts, points, distance, tie=0) %}
    {%- set ns = namespace(pairs=0) -%}
    {%- for kind, sign in [['quantiles', 1], ['shared_quantiles', -1]] if starts[kind] and points[kind] -%}
        {%- set count = points[kind] | length -%}
        {%- set moved = zip(starts[kind], [distance] * starts[kind] | length) | map('sum') | list -%}
        {%- for is_point, is_start, share in [[0, 1, 1 - tie], [1, 0, tie]] if share -%}
            {%- set all = (zip(points[kind], [is_point] * count) | list + zip(moved, [is_start] * moved | length) | list) | sort | map('last') | list -%}
            {%- set ranks = zip(all, range(all | length)) | selectattr(0, 'eq', is_point) | map('last') | sum -%}
            {%- set ns.pairs = ns.pairs + sign * share * (ranks - count * (count - 1) / 2) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(ns.pairs / (starts.quantiles | length * points.quantiles | length)) }}
{% endmacro %}


{# The share of points at or after a value, by their quantiles: evenly between two of them. #}
{% macro _share_later(quantiles, value) %}
    {%- set later = quantiles | select('ge', value) | list | length -%}
    {%- set earlier = quantiles | length - later -%}
    {%- if not later or not earlier -%}
        {{ return(1 if later else 0) }}
    {%- endif -%}
    {%- set first, last = quantiles[earlier - 1], quantiles[earlier] -%}
    {{ return((later - 1 + (last - value) / (last - first)) / (quantiles | length - 1)) }}
{% endmacro %}


{# The share of all pairs that lie apart as `gaps` says and whose point is within an interval of some length. ends_that_match: see _ends_that_match. #}
{% macro _share_in_gaps(gaps, length, ends_that_match) %}
    {%- set at_start, at_end = ends_that_match -%}
    {%- set ns = namespace(share=0.0) -%}
    {%- for distance, share in gaps.items() if (distance > 0 or distance == 0 and at_start) and (length > distance or length == distance and at_end) -%}
        {%- set ns.share = ns.share + share -%}
    {%- endfor -%}
    {{ return(ns.share) }}
{% endmacro %}


{# The share of pairs up to a distance, between the steps of _distances: it rises evenly from step to step, and from none at 0. #}
{% macro _share_within(steps, shares, distance) %}
    {%- set ns = namespace(from=0.0, at=0.0, share=shares[-1]) -%}
    {%- for step in steps if ns.at is not none -%}
        {%- if distance < step -%}
            {%- set ns.share = ns.at + (shares[loop.index0] - ns.at) * (distance - ns.from) / (step - ns.from) -%}
            {%- set ns.at = none -%}
        {%- else -%}
            {%- set ns.from = step -%}
            {%- set ns.at = shares[loop.index0] -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(ns.share) }}
{% endmacro %}


{#
    How far points that many rows share lie after starts that many share: {distance: share of all pairs}, negative for those before the start.
    Where there are many, as between crowds in places that have nothing to do with each other, they are rounded towards 0 by up to a tenth, so
    that there are few: dbt looks at each for each width and length.
    starts, points: what _spread_of returns.
#}
{% macro _gaps(starts, points) %}
    {%- set gaps = {} -%}
    {%- for start, start_share in starts.shared_values -%}
        {%- for point, point_share in points.shared_values -%}
            {%- do gaps.update({point - start: gaps.get(point - start, 0) + start_share * point_share}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if gaps | length <= 200 -%}
        {{ return(gaps) }}
    {%- endif -%}
    {%- set rounded = {} -%}
    {%- for distance, share in gaps.items() -%}
        {%- set about = ('%.1e' % (0.95 * distance)) | float -%}
        {%- do rounded.update({about: rounded.get(about, 0) + share}) -%}
    {%- endfor -%}
    {{ return(rounded) }}
{% endmacro %}


{#
    The widths to choose from: round ones, from about the shortest length that one interval in ten exceeds to the reach of the data.
#}
{% macro _candidate_widths(measured, unit) %}
    {%- set lengths = measured.left.lengths + measured.right.lengths -%}
    {%- set ends = measured.left.firsts[:1] + measured.right.firsts[:1] + measured.left.firsts[-1:] + measured.right.firsts[-1:] -%}
    {%- set reach = ends | max - ends | min if ends else 0 -%}
    {%- set positive = lengths | select('gt', 0) | list -%}
    {%- set shortest = ([positive | min if positive else 1, reach] | min) / 100 -%}
    {%- set widths = dbt_range_join._round_widths(unit) -%}
    {%- set fitting = [] -%}
    {%- for width in widths if width >= shortest and width <= [reach, shortest] | max -%}
        {%- do fitting.append(width) -%}
    {%- endfor -%}
    {{ return(fitting or [widths | select('ge', shortest) | first or widths[-1]]) }}
{% endmacro %}


{# Round numbers from the least to the greatest, three in each power of ten; times as clocks have them, in microseconds. #}
{% macro _round_widths(unit) %}
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
    {{ return(widths) }}
{% endmacro %}


{#
    What a join costs by hash and by merge, in units of a row that is hashed. Measured on two cores, as the rise of time over the size of
    bins: a row takes 130 to 300 ns where a side is hashed, and twice that where both are sorted. To compare a pair takes
    3 ns where both are sorted, since candidates then lie side by side. By hash they are a chain through memory: 20 to 70 ns a pair,
    and 5 ns only where the processor's cache holds the chain, as it does for small sides.

    ordered: whether the rows of a side lie in the order of time, so that the same few chains are met
    over and over. rows: how many the two sides have with their copies. Returns: {hash, merge}; hash is none where no side is small
    enough: a hash table can't spill, and of 4 million rows it took longer than to sort both sides.
#}
{% macro _join_costs(ordered, rows, candidates) %}
    {%- set smaller = rows | min -%}
    {%- set by_hash = rows | sum + (0.03 if smaller <= dbt_range_join._few_rows() or ordered else 0.25) * candidates -%}
    {{ return({
        'hash': by_hash if smaller <= dbt_range_join._most_hashed() else none,
        'merge': 2 * (rows | sum) + 0.02 * candidates}) }}
{% endmacro %}


{# Up to how many rows a side is so small that it is best broadcast: the processor's cache holds a hash table of it. #}
{% macro _few_rows() %}{{ return(20000) }}{% endmacro %}


{# How many bytes a side that is broadcast may have. #}
{% macro _most_broadcast() %}{{ return(128 * 2 ** 20) }}{% endmacro %}


{# How many rows a hash table may have. #}
{% macro _most_hashed() %}{{ return(2000000) }}{% endmacro %}


{#
    What a width would cost: {width, cost, hashed, costs, copies, candidates, pairs, intervals, levels, copies_of, meetings}, mostly as numbers of rows or pairs.
    hashed: whether that is the cost by hash, and not by merge. levels: of each meeting, the shifts of its levels. copies_of: of each, the copies an interval.
    costs: by either, {hash, merge}, of which hash is none where no side is small enough. meetings: as given.
#}
{% macro _estimate(meetings, width) %}
    {%- set ns = namespace(hash=0.0, merge=0.0, copies=0.0, candidates=0.0, pairs=0.0, intervals=0) -%}
    {%- set levels_of = [] -%}
    {%- set copies_of = [] -%}
    {%- for meeting in meetings -%}
        {%- set levels = dbt_range_join._levels_at(meeting, width) -%}
        {%- do levels_of.append(levels | map(attribute='shift') | list) -%}
        {%- set sums = namespace(copies=0.0, meet=0.0) -%}
        {%- for level in levels -%}
            {%- set sums.copies = sums.copies + level.length / level.wide + level.share -%}
            {%- set sums.meet = sums.meet + level.met + level.share * dbt_range_join._strangers(meeting.distances, level) -%}
            {%- if meeting.gaps -%}
                {%- set sums.meet = sums.meet + dbt_range_join._meeting_over_gaps(meeting.gaps, level) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do copies_of.append(sums.copies) -%}
        {%- set copies = meeting.intervals * sums.copies -%}
        {%- set probes = meeting.points * levels | length -%}
        {%- set candidates = meeting.most_pairs * [sums.meet, 1] | min -%}
        {%- set costs = dbt_range_join._join_costs(meeting.ordered, [copies, probes], candidates) -%}
        {%- set ns.hash = none if ns.hash is none or costs.hash is none else ns.hash + costs.hash -%}
        {%- set ns.merge = ns.merge + costs.merge -%}
        {%- set ns.copies = ns.copies + copies -%}
        {%- set ns.candidates = ns.candidates + candidates -%}
        {%- set ns.pairs = ns.pairs + [meeting.pairs, candidates] | min -%}
        {%- set ns.intervals = ns.intervals + meeting.intervals -%}
    {%- endfor -%}
    {%- set hashed = ns.hash is not none and ns.hash <= ns.merge -%}
    {{ return({
        'width': width, 'cost': ns.hash if hashed else ns.merge, 'hashed': hashed, 'costs': {'hash': ns.hash, 'merge': ns.merge}, 'copies': ns.copies,
        'candidates': ns.candidates, 'pairs': ns.pairs, 'intervals': ns.intervals, 'levels': levels_of, 'copies_of': copies_of, 'meetings': meetings}) }}
{% endmacro %}


{#
    The share of points that share a bin of a level with an interval of it, and lie outside it: half a bin before its start and half a bin after its
    end, on average, the interval being as long as the level's are on average. distances: what _distances returns. level: one of _levels_at.
#}
{% macro _strangers(distances, level) %}
    {%- set length = level.whole / level.share if level.share else 0 -%}
    {{ return(dbt_range_join._share_within(distances.steps, distances.before, level.wide / 2)
        + dbt_range_join._share_within(distances.steps, distances.after, length + level.wide / 2)
        - dbt_range_join._share_within(distances.steps, distances.after, length)) }}
{% endmacro %}


{#
    The share of pairs that lie apart as `gaps` says and share a bin of a level: all whose point is in the interval, and of those before or after it
    the nearer the more, by chance.
    gaps: what _gaps returns. level: one of _levels_at.
#}
{% macro _meeting_over_gaps(gaps, level) %}
    {%- set ns = namespace(share=0.0) -%}
    {%- for distance, of_pairs in gaps.items() if distance > -level.wide -%}
        {%- if distance < 0 -%}
            {%- set ns.share = ns.share + level.share * of_pairs * (1 + distance / level.wide) -%}
        {%- else -%}
            {%- for _, share, whole, _ in level.lengths if distance - whole < level.wide -%}
                {%- set ns.share = ns.share + share * of_pairs * (1 if whole >= distance else 1 - (distance - whole) / level.wide) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(ns.share) }}
{% endmacro %}


{#
    At which levels the intervals of a meeting (one of _describe_meetings) will be, as a list of {shift, wide, lengths, share, length, whole, met}: its shift, the
    width of its bins, which of the meeting's lengths are there, and their sums. Level by level as fan_out_shift has it, or all at the first where
    _one_level will hold (both in bins/_shifts.sql). Bins end where BIGINT does.

    Most widths to choose from are so wide that few lengths touch more than 32 bins. Only these are looked at one by one: dbt takes a microsecond for each.
    Lengths are in order, so that those of a level lie side by side.
#}
{% macro _levels_at(meeting, width) %}
    {%- set long = {} -%}
    {%- set ns = namespace(lengths=0, bins=0.0) -%}
    {%- for length, share, _, _ in meeting.lengths if length >= 32 * width -%}
        {%- set shift = ([length / width / 2, 4e18] | min | int).bit_length() // 4 * 4 -%}
        {%- do long.update({shift: long.get(shift, 0) + 1}) -%}
        {%- set ns.lengths = ns.lengths + 1 -%}
        {%- set ns.bins = ns.bins + share * (length / width + 2) -%}
    {%- endfor -%}
    {%- set most = dbt_range_join._most_at_one_level() -%}
    {%- set one_level = meeting.leveled and ns.lengths and meeting.lengths[-1][0] < most.bins_of_one * width
        and ns.bins * meeting.intervals <= [meeting.points, most.bins_on_average * meeting.sums[-1].share * meeting.intervals] | min -%}

    {%- set short = meeting.lengths | length - (0 if one_level else ns.lengths) -%}
    {%- set levels = [dbt_range_join._level_of(meeting, 0, short, 0, width)] if short else [] -%}
    {%- set ns.first = short -%}
    {%- for shift, count in long.items() if not one_level -%}
        {%- do levels.append(dbt_range_join._level_of(meeting, ns.first, ns.first + count, shift, width * 2 ** shift)) -%}
        {%- set ns.first = ns.first + count -%}
    {%- endfor -%}
    {{ return(levels) }}
{% endmacro %}


{# One of _levels_at: the meeting's lengths from the one of number `first` up to that before `end`, at that shift, where bins are `wide`. #}
{% macro _level_of(meeting, first, end, shift, wide) %}
    {%- set before, all = meeting.sums[first], meeting.sums[end] -%}
    {{ return({
        'shift': shift, 'wide': wide, 'lengths': meeting.lengths[first:end],
        'share': all.share - before.share, 'length': all.length - before.length, 'whole': all.whole - before.whole, 'met': all.met - before.met}) }}
{% endmacro %}


{#
    How Spark is to join, as {broadcast, shuffle_hash, merge, small}: what the caller gave; else the smaller side among those that the join type lets
    Spark build is broadcast (up to about 128 MB) or hashed after a shuffle (up to 1 GB), or both sides are sorted and merged, as _join_costs has it.

    Spark's own choice would be to broadcast whatever is below 10 MB. That is fatal where points come at random and meet many candidates each: 38
    seconds in place of 2 for 1 % of intervals that are long (half of W7), 4 in place of 0.7 for a crowd (an eighth of W5). To merge where a
    broadcast is best costs up to three times its time, and can spill. So a join of which nothing is known is merged, unless it has
    keys, which leave few candidates.

    Where no interval that was seen holds a value, nothing is known of how many there are at which level, and both sides are merged, too.

    Copies carry all columns that are read of a side, so a side with long texts is broadcast or hashed only as far as these fit, too (_row_width.sql).

    A side that is broadcast is `small` where the caller says so, or where few rows would otherwise be swept together with many.
#}
{% macro _choose_hints(join, measured, estimate) %}
    {%- set kept = dbt_range_join._kept_sides(join.join_type) -%}
    {%- set rows = {'left': 0, 'right': 0} -%}
    {#- Of two intervals, each side is built in both meetings: as copies in one, in the other as points that look at each level. -#}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- set probes = measured[meeting.points].rows * estimate.levels[loop.index0] | length -%}
        {%- set copies = measured[meeting.intervals].rows * estimate.copies_of[loop.index0] -%}
        {%- for side, made in [[meeting.points, probes], [meeting.intervals, copies]] -%}
            {%- do rows.update({side: [rows[side], made] | max}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set ns = namespace(side=none) -%}
    {%- for side in rows if side not in kept and (ns.side is none or rows[side] < rows[ns.side]) -%}
        {%- set ns.side = side -%}
    {%- endfor -%}
    {%- set merged = {'broadcast': none, 'shuffle_hash': none, 'merge': true, 'small': none} -%}
    {%- if join.broadcast or join.shuffle_hash -%}
        {{ return({'broadcast': join.broadcast, 'shuffle_hash': join.shuffle_hash, 'merge': false, 'small': join.small}) }}
    {%- elif ns.side is none or not estimate.hashed or not estimate.levels | sum(start=[]) or rows[ns.side] > dbt_range_join._most_hashed() -%}
        {{ return(merged) }}
    {%- endif -%}
    {%- set bytes = rows[ns.side] * dbt_range_join._row_width(join, ns.side, rows[ns.side]) -%}
    {%- if bytes > 2 ** 30 -%}
        {{ return(merged) }}
    {%- endif -%}
    {%- set broadcast = bytes <= dbt_range_join._most_broadcast() -%}
    {%- set few = dbt_range_join._few_rows() -%}
    {%- set small = broadcast and measured[ns.side].rows <= few and measured[dbt_range_join._other_side(ns.side)].rows > few -%}
    {{ return({
        'broadcast': ns.side if broadcast else none, 'shuffle_hash': none if broadcast else ns.side, 'merge': false,
        'small': ns.side if small else none}) }}
{% endmacro %}
