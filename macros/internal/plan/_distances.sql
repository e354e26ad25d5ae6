{#
    How far points lie from where intervals start, out of the samples of both: where rows crowd, what shares a bin is mostly what lies close, and not
    what chance brings together.
#}

{#
    How far points lie from starts: {steps, after, before, visited}. steps: distances in rising order, from 0 up to one that no pair exceeds. after: the share of all
    pairs whose point lies after the start by up to each of the steps; before: the same before it. Shares in between: _shares_within. Pairs of
    values that many rows share on both sides are not in it: see _gaps.

    Near pairs are those of _near_pairs and _pairs_at_shared_values. Far ones are counted from the quantiles, among which no end of a bin parts a crowd. What counts
    is the larger of both. A grid of quantiles says nothing of distances within it, so that a count
    is of a hundred pairs of quantiles at least, and less what it is wrong by, as a value that many rows share is just before or just after
    the next quantile of the other side: the root of the sum of their squares, as such values lie here and there.

    visited: over how many of the rows of a side the near pairs are spread, {steps, intervals, points}: in bins of twice a step, see _visited.sql.
    starts, points: what _spread_of returns.
#}
{% macro _distances(starts, points) %}
    {%- set values = starts.quantiles + points.quantiles -%}
    {%- set reach = values | max - values | min if starts.quantiles and points.quantiles else 0 -%}
    {%- if not reach -%}
        {{ return({'steps': [0.0], 'after': [0.0], 'before': [0.0], 'visited': {'steps': [0.0], 'intervals': [[[1.0, 1.0]]], 'points': [[[1.0, 1.0]]]}}) }}
    {%- endif -%}
    {%- set near_steps, near_after, near_before, starts_visited, points_visited = zip(*dbt_range_join._near_pairs(starts, points, reach)) -%}
    {%- set at_shared_values = dbt_range_join._pairs_at_shared_values(starts, points) -%}
    {%- set steps = near_steps | list -%}
    {%- for part in range(4) if at_shared_values -%}
        {%- set least = [[at_shared_values | min, reach / 75] | min, reach / 1e18, 1e-300] | max -%}
        {%- do steps.append(least * (reach / 75 / least) ** (part / 3)) -%}
    {%- endfor -%}
    {%- for part in [32, 8, 2, 1] -%}
        {%- do steps.append(reach / part) -%}
    {%- endfor -%}
    {%- set ns = namespace(squares=0.0) -%}
    {%- for _, share in starts.shared_values + points.shared_values -%}
        {%- set ns.squares = ns.squares + share * share -%}
    {%- endfor -%}
    {%- set noise = ns.squares ** 0.5 / starts.quantiles | length -%}
    {%- set least_count = noise + 100 / (starts.quantiles | length * points.quantiles | length) -%}
    {%- set from_start = dbt_range_join._share_beyond(starts, points, 0, 0.5) -%}
    {%- set distances = {'steps': steps | unique | sort, 'after': [0.0], 'before': [0.0]} -%}
    {%- set near_shares = zip(
        distances.steps, dbt_range_join._shares_within(near_steps | list, near_after | list, distances.steps),
        dbt_range_join._shares_within(near_steps | list, near_before | list, distances.steps)) -%}
    {%- for step, after_start, before_start in near_shares -%}
        {%- set near = namespace(share=0.0) -%}
        {%- for width, share in at_shared_values.items() -%}
            {%- set near.share = near.share + (share if width <= step else share * (step / width)) -%}
        {%- endfor -%}
        {%- set after, before = near.share + after_start, near.share + before_start -%}
        {#- What the ends of bins part is a few times what they hold at most, and to count takes a millisecond. -#}
        {%- set is_counted = step > reach / 75 or 8 * (after + before) > least_count -%}
        {%- set after_counted = from_start - dbt_range_join._share_beyond(starts, points, step) if is_counted else 0 -%}
        {%- set before_counted = dbt_range_join._share_beyond(starts, points, -step) - from_start if is_counted else 0 -%}
        {%- do distances.after.append([distances.after[-1], after, after_counted - noise if after_counted >= least_count else 0] | max) -%}
        {%- do distances.before.append([distances.before[-1], before, before_counted - noise if before_counted >= least_count else 0] | max) -%}
    {%- endfor -%}
    {{ return({
        'steps': distances.steps, 'after': distances.after[1:], 'before': distances.before[1:],
        'visited': {
            'steps': near_steps | list + [reach], 'intervals': starts_visited | list + [[[1.0, 1.0]]], 'points': points_visited | list + [[[1.0, 1.0]]]}}) }}
{% endmacro %}


{#
    What _distances would return of points that are starts, and starts that are points: what was after these is before those, but for pairs of one value. To count takes
    a quarter of the time in which a plan is chosen, and both meetings of two intervals are of the same rows.
#}
{% macro _reversed(distances) %}
    {%- set after, before = [], [] -%}
    {%- set tied = distances.after[0] -%}
    {%- for was_after, was_before in zip(distances.after, distances.before) -%}
        {%- do after.append(was_before + tied) -%}
        {%- do before.append(was_after - tied) -%}
    {%- endfor -%}
    {%- set visited = distances.visited -%}
    {{ return({
        'steps': distances.steps, 'after': after, 'before': before,
        'visited': {'steps': visited.steps, 'intervals': visited.points, 'points': visited.intervals}}) }}
{% endmacro %}


{#
    The pairs of rows that lie close to each other, counted among those that were sampled: a list of [distance, after, before, starts, points], in rising order
    of the distance, from 0 on where rows share values. after, before: shares of all pairs. starts, points: over how many of these the pairs are spread, see
    _visited.sql; where that does not tell, what wider bins say is the best that is known.

    Two rows are as often in one bin as they are half a bin apart at most, or less, where they lie evenly. So they are counted in bins, from a 75th of the reach
    on in ever narrower ones, as long as there are 25 that differ. Its halves, quarters and so on are where crowds may well be, and would have a bin end there.
    Where most are in a few bins, as of a crowd at one value, these end where they do by chance, and half a bin further on is as good.
    Values that many rows of one side share are aside: see _pairs_at_shared_values.
    starts, points: what _spread_of returns.
#}
{% macro _near_pairs(starts, points, reach) %}
    {%- set of_all = starts.sampled * points.sampled -%}
    {%- set sides = dbt_range_join._in_order(starts.positions, points.positions) -%}
    {%- set tied = dbt_range_join._pairs_in_bins(sides, none).after -%}
    {%- set pairs = [] -%}
    {%- set ns = namespace(found=25, starts=[[1.0, 1.0]], points=[[1.0, 1.0]]) -%}
    {%- for level in range(40) if ns.found >= 25 -%}
        {%- set width = [reach / 75 / 4 ** level, 1e-300] | max -%}
        {%- set counted = dbt_range_join._pairs_in_bins(sides, width) -%}
        {%- set moved = dbt_range_join._pairs_in_bins(sides, width, width / 2) if counted.bins < 20 else counted -%}
        {%- set after, before = (counted.after + moved.after) / 2, (counted.before + moved.before) / 2 -%}
        {%- set ns.found = after + before - tied -%}
        {%- if ns.found >= 25 -%}
            {%- set ns.starts = dbt_range_join._visited_rows(counted.pairs, counted.with_points, starts.sampled, ns.starts) -%}
            {%- set ns.points = dbt_range_join._visited_rows(counted.pairs, counted.with_starts, points.sampled, ns.points) -%}
            {%- do pairs.append([width / 2, after / of_all, before / of_all, ns.starts, ns.points]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return([[0.0, tied / of_all if tied >= 25 else 0.0, 0.0, ns.starts, ns.points]] + pairs | reverse | list) }}
{% endmacro %}


{#
    The positions of both sides in order, a start before the points at it: {positions, numbers, points_before, point_numbers, share_values}, lists but for the last. numbers:
    0, 1, ... of all of them; points_before: of each, and at last of their end, how many points come before it; point_numbers: the numbers of the points; share_values:
    whether any start and any point are at one value.
#}
{% macro _in_order(starts, points) %}
    {%- set rows = zip(starts, [0] * starts | length, range(starts | length)) | list + zip(points, [1] * points | length, range(points | length)) | list -%}
    {%- do rows.sort() -%}
    {%- set positions = starts + points -%}
    {%- do positions.sort() -%}
    {%- set numbers = range(rows | length) -%}
    {%- set points_before -%}
        [0
        {%- for (_, is_point, rank), number in zip(rows, numbers) -%}
            ,{{ rank if is_point else number - rank }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set points_before = fromjson(points_before)[1:] -%}
    {#- Of all rows that so many points come before, the last is the next point: what a dict keeps. -#}
    {{ return({
        'positions': positions, 'numbers': numbers, 'points_before': points_before + [points | length],
        'point_numbers': (dict(zip(points_before, numbers)).values() | list)[:points | length],
        'share_values': set(starts).intersection(points) | length > 0}) }}
{% endmacro %}


{#
    How many pairs of a start and a point share a bin: {after, before, bins, pairs, with_points, with_starts}. after: those whose point is at or after the start; before:
    those whose point is before it; bins: in about how many bins they are, as if all of these had as many; pairs: of each bin, a list; with_points: these times the bin's
    points; with_starts: times its starts.
    sides: what _in_order returns. width: of the bins; none for bins of one value each. moved: how far they are moved.

    A point has as many starts before it as its number less its rank among the points. So the points of a bin have those starts of it before them that the sum of
    their numbers comes to, less the sum of their ranks, and less the starts before the bin for each.
#}
{% macro _pairs_in_bins(sides, width, moved=0) %}
    {%- set positions, points_before, point_numbers = sides.positions, sides.points_before, sides.point_numbers -%}
    {%- if not positions or width is none and not sides.share_values -%}
        {{ return({'after': 0, 'before': 0, 'bins': 0, 'pairs': [], 'with_points': [], 'with_starts': []}) }}
    {%- endif -%}
    {#- Of each bin, and at last of their end: the number of its first row, and how many points come before it. One loop each, as Jinja takes as long to tell them apart at each row. -#}
    {%- set beside = zip(positions, positions[1:], sides.numbers[1:], points_before[1:]) -%}
    {%- set firsts -%}
        [0,0
        {%- if width is none -%}
            {%- for position, next, number, rank in beside if position != next -%}
                ,{{ number }},{{ rank }}
            {%- endfor -%}
        {%- elif moved -%}
            {%- for position, next, number, rank in beside if (position + moved) // width != (next + moved) // width -%}
                ,{{ number }},{{ rank }}
            {%- endfor -%}
        {%- else -%}
            {%- for position, next, number, rank in beside if position // width != next // width -%}
                ,{{ number }},{{ rank }}
            {%- endfor -%}
        {%- endif -%}
        ,{{ positions | length }},{{ point_numbers | length }}]
    {%- endset -%}
    {%- set firsts = fromjson(firsts) -%}
    {%- set firsts, ranks = firsts[::2], firsts[1::2] -%}
    {#- Of each bin that has points and starts: its pairs, their square, each with the bin's points, with its starts, and those whose point is at or after the start. -#}
    {%- set counts -%}
        [0
        {%- for first, end, rank, end_rank in zip(firsts, firsts[1:], ranks, ranks[1:]) if 0 < end_rank - rank < end - first -%}
            {%- set points = end_rank - rank -%}
            {%- set pairs = points * (end - first - points) -%}
            ,{{ pairs }},{{ pairs * pairs }},{{ pairs * points }},{{ pairs * (end - first - points)
            }},{{ point_numbers[rank:end_rank] | sum - points * (rank + end_rank - 1) // 2 - points * (first - rank) }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set counts = fromjson(counts)[1:] -%}
    {%- set pairs, after = counts[::5] | sum, counts[4::5] | sum -%}
    {{ return({
        'after': after, 'before': pairs - after, 'bins': pairs ** 2 / ([counts[1::5] | sum, 1] | max),
        'pairs': counts[::5], 'with_points': counts[2::5], 'with_starts': counts[3::5]}) }}
{% endmacro %}


{#
    The pairs of a value that many rows of one side share with the cell of the other side that it is in, as {width: share of all pairs}: so many pairs are up to
    `width` apart, evenly. width: four times the cell's, rounded, since cells beside each other mostly go on alike; share: four times what the two have.
    Where both sides have such values, see _gaps.
    left, right: what _spread_of returns.
#}
{% macro _pairs_at_shared_values(left, right) %}
    {%- set pairs = {} -%}
    {%- for values, cells in [[left.shared_values, right.cells], [right.shared_values, left.cells]] -%}
        {%- for value, share in values -%}
            {%- for first, last, of_cell in cells if first <= value and (value < last or value == last and last == cells[-1][1]) -%}
                {%- set width = ('%.1e' % (4 * (last - first))) | float -%}
                {%- do pairs.update({width: pairs.get(width, 0) + 4 * share * of_cell}) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(pairs) }}
{% endmacro %}


{#
    The share of all pairs whose point lies more than `distance` after the start, by their quantiles, but for pairs of values that many rows share on
    both sides. Of those at that very distance, `tie` are counted as beyond it.

    A point has as many starts before it as its number among all less its rank among the points: sorted, summed and subtracted, since dbt would take
    seconds for all pairs. starts, points: what _spread_of returns.
#}
{% macro _share_beyond(starts, points, distance, tie=0) %}
    {%- set ns = namespace(pairs=0) -%}
    {%- for kind, sign in [['quantiles', 1], ['shared_quantiles', -1]] if starts[kind] and points[kind] -%}
        {%- set count = points[kind] | length -%}
        {%- set moved -%}
            [0
            {%- for start in starts[kind] -%}
                ,{{ start + distance }}
            {%- endfor -%}]
        {%- endset -%}
        {%- set moved = fromjson(moved)[1:] -%}
        {%- for is_point, is_start, share in [[0, 1, 1 - tie], [1, 0, tie]] if share -%}
            {%- set rows = zip(points[kind], [is_point] * count) | list + zip(moved, [is_start] * moved | length) | list -%}
            {%- do rows.sort() -%}
            {%- set numbers -%}
                [0
                {%- for (_, row_is), number in zip(rows, range(rows | length)) if row_is == is_point -%}
                    ,{{ number }}
                {%- endfor -%}]
            {%- endset -%}
            {%- set ns.pairs = ns.pairs + sign * share * (fromjson(numbers) | sum - count * (count - 1) / 2) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(ns.pairs / (starts.quantiles | length * points.quantiles | length)) }}
{% endmacro %}


{#
    The shares of pairs up to some distances, a list, between the steps of _distances: they rise evenly from step to step, and from none where the first is not
    at 0. distances: numbers, none negative.
#}
{% macro _shares_within(steps, shares, distances) %}
    {%- set from, at = [0.0] + steps, [0.0] + shares -%}
    {%- set within -%}
        [0
        {%- for distance in distances -%}
            {%- set below -%}
                {%- for step in steps if step <= distance -%}.{%- endfor -%}
            {%- endset -%}
            {%- set i = below | length -%}
            ,{{ shares[-1] if i == steps | length else at[i] + (shares[i] - at[i]) * (distance - from[i]) / (steps[i] - from[i]) }}
        {%- endfor -%}]
    {%- endset -%}
    {{ return(fromjson(within)[1:]) }}
{% endmacro %}


{#
    How far points that many rows share lie after starts that many share, as {distances, shares, moments}: distances in rising order, negative for points before the start,
    of each the share of all pairs, and the two multiplied; lists. Where there are many, as between crowds in places that have nothing to do with each other, they are rounded towards 0 by up to a
    tenth, so that there are few: dbt looks at each for each width.
    starts, points: what _spread_of returns.
#}
{% macro _gaps(starts, points) %}
    {%- set pairs -%}
        [0,0
        {%- for start, start_share in starts.shared_values -%}
            {%- for point, point_share in points.shared_values -%}
                ,{{ point - start }},{{ start_share * point_share }}
            {%- endfor -%}
        {%- endfor -%}]
    {%- endset -%}
    {%- set pairs = fromjson(pairs)[2:] -%}
    {%- set distances, shares = dbt_range_join._summed(pairs[::2], pairs[1::2]) -%}
    {%- if distances | length > 200 -%}
        {%- set about -%}
            [0
            {%- for distance in distances -%}
                ,{{ '%.1e' % (0.95 * distance) }}
            {%- endfor -%}]
        {%- endset -%}
        {%- set distances, shares = dbt_range_join._summed(fromjson(about)[1:], shares) -%}
    {%- endif -%}
    {%- set moments -%}
        [0
        {%- for distance, share in zip(distances, shares) -%}
            ,{{ distance * share }}
        {%- endfor -%}]
    {%- endset -%}
    {{ return({'distances': distances, 'shares': shares, 'moments': fromjson(moments)[1:]}) }}
{% endmacro %}


{#
    The share of all pairs that lie apart as `gaps` says and whose point is within an interval of some length, or within each of some: a list. lengths: in rising order.
    ends_that_match: see _ends_that_match.
#}
{% macro _shares_in_gaps(gaps, lengths, ends_that_match) %}
    {%- set at_start, at_end = ends_that_match -%}
    {%- if not gaps.distances -%}
        {{ return([0] * lengths | length) }}
    {%- endif -%}
    {%- set within = [] -%}
    {%- set of_start = dbt_range_join._counts_up_to(gaps.distances, [0])[0] - (0 in gaps.distances) * at_start -%}
    {%- for length, count in zip(lengths, dbt_range_join._counts_up_to(gaps.distances, lengths)) -%}
        {%- set count = count - (0 if at_end else length in gaps.distances) -%}
        {%- do within.append(gaps.shares[of_start:count] | sum) -%}
    {%- endfor -%}
    {{ return(within) }}
{% endmacro %}


{# The share of points at or after a value, by their quantiles: evenly between two of them. #}
{% macro _share_later(quantiles, value) %}
    {%- set later = dbt_range_join._count_within(quantiles, value, quantiles[-1]) if quantiles else 0 -%}
    {%- set earlier = quantiles | length - later -%}
    {%- if not later or not earlier -%}
        {{ return(1 if later else 0) }}
    {%- endif -%}
    {%- set first, last = quantiles[earlier - 1], quantiles[earlier] -%}
    {{ return((later - 1 + (last - value) / (last - first)) / (quantiles | length - 1)) }}
{% endmacro %}


{#
    How values lie, out of quantiles at equal steps and the sample that these are of: {cells, shared_values, quantiles, shared_quantiles, positions, sampled}.
    shared_values: [value, share of the rows], for each value that quantiles of a 64th of the rows or more are, or the last few. Its rows
    may begin and end anywhere in the steps beside it, so it has half of these too.
    cells: [first, last, share], the rest, between quantiles that differ, in order. Values that fewer rows share are spread up to the next
    quantile: there may be many of them, as of dates, and dbt would take long for all pairs of two sides.
    quantiles: every other one, to count; shared_quantiles: those of them that are one of the shared_values; positions: those of the sample that are not, of
    `sampled` ones, but for outliers, which quantiles have elsewhere (_outliers.sql).
#}
{% macro _spread_of(quantiles, positions) %}
    {%- set within = positions if positions[:1] == quantiles[:1] and positions[-1:] == quantiles[-1:]
        else dbt_range_join._numbers_within(positions, quantiles[0], quantiles[-1]) -%}
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
    {%- for first, last in zip(quantiles, quantiles[1:]) if last > first -%}
        {%- set beside = [first] * (first in shared) + [last] * (last in shared) -%}
        {%- for value in beside -%}
            {%- do shared.update({value: shared[value] + step / 2}) -%}
        {%- endfor -%}
        {%- set share = step + (shares[first] if first in shares and first not in shared else 0) - beside | length * step / 2 -%}
        {%- if share > 0 -%}
            {%- do cells.append([first, last, share]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if shared -%}
        {%- set alone -%}
            [0
            {%- for position in within if position not in shared -%}
                ,{{ position }}
            {%- endfor -%}]
        {%- endset -%}
        {%- set within = fromjson(alone)[1:] -%}
    {%- endif -%}
    {{ return({
        'cells': cells, 'shared_values': shared.items() | list,
        'quantiles': quantiles[::2], 'shared_quantiles': quantiles[::2] | select('in', shared) | list if shared else [],
        'positions': within, 'sampled': positions | length}) }}
{% endmacro %}


{#
    What _spread_of returns, of some rows of a sample: their positions in order, drawn between the first and the last of `of_all`, quantiles of all rows, from which outliers
    are drawn close. Where they are so few that quantiles would be the same rows again and again, as if many shared a value, they are the quantiles.
#}
{% macro _spread_of_rows(positions, of_all) %}
    {%- set first, last = of_all[0], of_all[-1] -%}
    {%- set drawn -%}
        [0
        {%- for position in positions -%}
            ,{{ first if position < first else last if position > last else position }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set drawn = fromjson(drawn)[1:] -%}
    {{ return(dbt_range_join._spread_of(drawn if drawn | length < 257 else dbt_range_join._quantiles_of(drawn), drawn)) }}
{% endmacro %}
