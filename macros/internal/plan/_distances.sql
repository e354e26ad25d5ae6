{#
    How far points lie from where intervals start, out of the quantiles of both: where rows crowd, what shares a bin is mostly what lies close, and not
    what chance brings together.
#}

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


{# The share of all pairs that lie apart as `gaps` says and whose point is within an interval of some length. ends_that_match: see _ends_that_match. #}
{% macro _share_in_gaps(gaps, length, ends_that_match) %}
    {%- set at_start, at_end = ends_that_match -%}
    {%- set ns = namespace(share=0.0) -%}
    {%- for distance, share in gaps.items() if (distance > 0 or distance == 0 and at_start) and (length > distance or length == distance and at_end) -%}
        {%- set ns.share = ns.share + share -%}
    {%- endfor -%}
    {{ return(ns.share) }}
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
