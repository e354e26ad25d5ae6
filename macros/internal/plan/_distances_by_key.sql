{#
    How far points lie from where intervals of the same keys start. Mostly that is as if keys had nothing to do with it (_distances.sql). But flights, trips, sessions and
    jobs are rows that have a key of their own for as long as it lasts, and lie far closer to each other than to all others.
#}

{#
    What _distances returns, but that of steps up to which pairs of equal keys are four times as many, these count: a sample of few keys has fewer pairs of equal
    keys by far than pairs, and where it says about the same, the latter tell more.

    starts, points: what _spread_of returns. intervals, of_points: rows of the samples by their keys, as _keyed_rows has them. key_share: as measured.
#}
{% macro _distances_by_key(starts, points, intervals, of_points, key_share) %}
    {%- set distances = dbt_range_join._distances(starts, points) -%}
    {%- set reach = distances.steps[-1] -%}
    {%- set expected = intervals['keys'] | length * of_points['keys'] | length * key_share -%}
    {%- if not reach or expected < 25 -%}
        {{ return(distances) }}
    {%- endif -%}
    {%- set values = starts.quantiles + points.quantiles -%}
    {%- set apart = dbt_range_join._keys_apart(intervals, of_points, expected, [values | min, values | max], reach / 4) -%}
    {%- set near_steps, near_after, near_before, _, _ = zip(*dbt_range_join._near_pairs(
        {'positions': apart.starts, 'sampled': apart.starts | length}, {'positions': apart.points, 'sampled': apart.points | length}, 16 * reach)) -%}
    {%- if near_steps | length == 1 and not near_after[0] -%}
        {{ return(distances) }}
    {%- endif -%}
    {%- set times = apart.starts | length * apart.points | length / apart.pairs -%}
    {%- set steps = (distances.steps + near_steps | list) | unique | sort -%}
    {%- set shares = zip(
        steps, dbt_range_join._shares_within(distances.steps, distances.after, steps), dbt_range_join._shares_within(distances.steps, distances.before, steps),
        dbt_range_join._shares_within(near_steps | list, near_after | list, steps), dbt_range_join._shares_within(near_steps | list, near_before | list, steps)) -%}
    {%- set after, before = [0.0], [0.0] -%}
    {%- for step, after_any, before_any, after_near, before_near in shares -%}
        {%- set by_key = times * (after_near + before_near) >= 4 * (after_any + before_any) -%}
        {%- do after.append([after[-1], times * after_near if by_key else after_any] | max) -%}
        {%- do before.append([before[-1], times * before_near if by_key else before_any] | max) -%}
    {%- endfor -%}
    {{ return(dict(distances, steps=steps, after=after[1:], before=before[1:])) }}
{% endmacro %}


{#
    Rows of two samples, those of each key moved to a place of their own: {starts, points, pairs}, lists of positions in rising order, and how many pairs of equal
    keys there are. Distances within a key stay as they are; the rows of two keys are `gap` apart, which leaves numbers small, and so exact. Of many pairs, some keys
    have enough, and some of their rows, as it takes dbt time to look at each.

    expected: about how many pairs of equal keys the samples have. between: [first, last] of the positions that count, as outliers are met elsewhere.
#}
{% macro _keys_apart(intervals, points, expected, between, gap) %}
    {%- set keys = set(points['keys']).intersection(intervals['keys']) -%}
    {%- set n = [[expected / 4000, keys | length / 50] | min | int, 1] | max -%}
    {%- set keys = set(keys | select('divisibleby', n)) -%}
    {#- Of some 50 keys at least; where these have many pairs all the same, of one row in `step` on either side. -#}
    {%- set step = [((expected / n / 10000) ** 0.5) | int, 1] | max -%}
    {%- set first, last = between -%}
    {%- set rows = zip(intervals['keys'][::step], intervals.firsts[::step], [0] * intervals['keys'] | length) | list
        + zip(points['keys'][::step], points.firsts[::step], [1] * points['keys'] | length) | list -%}
    {%- set counted -%}
        [0,0,0
        {%- for key, position, is_point in rows if key in keys and position != none and first <= position <= last -%}
            ,{{ key }},{{ position }},{{ is_point }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set counted = fromjson(counted)[3:] -%}
    {%- set rows = zip(counted[::3], counted[1::3], counted[2::3]) | list -%}
    {%- do rows.sort() -%}
    {%- set key_of, positions, are_points = zip(*rows) if rows else ((), (), ()) -%}
    {#- Of each key, in their order, the number after its last row; then how far its rows are moved. -#}
    {%- set ends = dict(zip(key_of, range(1, 1 + rows | length))) -%}
    {%- set moves = {} -%}
    {%- set ns = namespace(next=0.0, pairs=0) -%}
    {%- for key, from, end in zip(ends, [0] + ends.values() | list, ends.values()) -%}
        {%- set count = are_points[from:end] | sum -%}
        {%- set ns.pairs = ns.pairs + count * (end - from - count) -%}
        {%- do moves.update({key: ns.next - positions[from]}) -%}
        {%- set ns.next = ns.next + positions[end - 1] - positions[from] + gap -%}
    {%- endfor -%}
    {%- set lists = [] -%}
    {%- for kind in [0, 1] -%}
        {%- set moved -%}
            [0
            {%- for key, position, is_point in rows if is_point == kind -%}
                ,{{ position + moves[key] }}
            {%- endfor -%}]
        {%- endset -%}
        {%- do lists.append(fromjson(moved)[1:]) -%}
    {%- endfor -%}
    {{ return({'starts': lists[0], 'points': lists[1], 'pairs': ns.pairs}) }}
{% endmacro %}
