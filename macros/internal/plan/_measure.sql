{#
    What is known of the data when bin_size is left out: Spark's planner says how large the inputs are and of which types, and one statement then looks
    at a sample of some ten thousand rows a side, of the columns that the join reads. Asked anew each time that dbt compiles
    the model, so that nothing can go stale.
#}

{#
    The data of a join's two sides, or none where it can't be measured: while dbt parses, where dbt may not ask the
    warehouse (--no-introspect), and where a side is something that Spark can't find by itself: the inputs of a unit test, and CTEs and
    ephemeral models that join or group, or can't be told (sides/_apart.sql).

    A sample is drawn at a rate that follows from the size of the input, so that nobody waits for a count, and how many rows it has says how
    many there are, to a few percent. Where the planner took an input for too large (a view that filters most rows away), so that the sample came out
    small, it is drawn again, at a rate that follows from the first one. Where it took it for far too small (rows that are compressed to next to
    nothing), the sample has been cut short, and is drawn again at a rate that follows from a count. The two sides are drawn apart: rows of one table joined with itself
    would all find themselves, and keys seem to agree far more often than they do. Their seeds are numbers that nobody takes: rows made with rand(1)
    would be drawn by what they hold.

    sizes: what _input_sizes returns, where the caller has asked already.
    Returns: {left, right, keeps_text, seen, key_share, visited}; keeps_text: see _side_types; seen: whether all rows of both sides were looked at, and all their
    keys. A side: rows, a float, and a whole number where all were looked at; usable, the share of its rows that can
    match, as a point or as an interval; empty, the share that are intervals which hold no value, as they end before they start or, where an end is
    exclusive, have no length; positions, 2,500 to 5,000 of its points or starts in order, where points meet intervals those of the usable
    ones; firsts, their quantiles at 0, 1/256, ... 1, as _without_outliers has them; open, the share of intervals that have no end, which is a NULL bound where these are open,
    an infinite one, or a hundred years;
    open_firsts, the quantiles of their starts at 0, 1/8, ... 1; lengths, those of the
    other intervals at _length_quantiles(); told_lengths, these at 0.5 and 0.99, which words name: _length_quantiles() has 0.51 and 0.9925, which may be
    far longer; length_bits, which powers of two these lengths begin with, -1100 for none; types and key_types, names of Spark's types; ordered, whether the rows lie in the order of
    their points or starts, more or less, false where there are keys, as candidates are few there; largest_part, see _largest_part; keyed, up to 4,000 rows by their keys and where they lie, as _keyed_rows has them, none where there are no keys; placed, where there are
    none, as many intervals by where they lie and how long they are, as _placed_rows has them; read, of how many bytes the
    side is made, as _input_sizes has it; and what _ask_measures adds.
    Positions are numbers, or microseconds. key_share, visited: see _measured_by_keys.
#}
{% macro _measure(join, sizes=none) %}
    {%- set sizes = sizes or dbt_range_join._input_sizes(join) -%}
    {%- if sizes is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set types = dbt_range_join._side_types(join, sizes) -%}
    {%- set measured = dbt_range_join._ask_measures(join, types, {'left': sizes.left.rows, 'right': sizes.right.rows}) -%}
    {%- set better = {} -%}
    {%- for side in ['left', 'right'] -%}
        {%- set sampled = measured[side].sampled -%}
        {%- if measured[side].cut or measured[side].rate < 1 and sampled < 100 -%}
            {%- do better.update({side: none}) -%}
        {%- elif measured[side].rate < 1 and sampled < 2000 -%}
            {%- do better.update({side: measured[side].rows}) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if better -%}
        {%- set measured = dbt_range_join._ask_measures(join, types, dict({'left': measured.left.rows, 'right': measured.right.rows}, **better)) -%}
    {%- endif -%}
    {%- for side in ['left', 'right'] -%}
        {%- do measured[side].update({'read': sizes[side].read}) -%}
    {%- endfor -%}
    {{ return(dbt_range_join._without_outliers(join, measured)) }}
{% endmacro %}


{#
    What _measure returns, with `sampled`, the size of the sample, `rate`, the share of the rows that it was to be, 1 for all, and `cut`, whether there would
    be more of some partition.
    types: what _side_types returns. guesses: {left, right}: how many rows there may be, or none.
#}
{% macro _ask_measures(join, types, guesses) %}
    {%- set values = [] -%}
    {%- for value in run_query(dbt_range_join._measure_sql(join, types, guesses)).rows[0] -%}
        {%- do values.append(value or '') -%}
    {%- endfor -%}
    {%- set half = values | length // 2 -%}
    {%- set sides = {} -%}
    {%- set hashes = {} -%}
    {%- set unseen = [] -%}
    {%- for side, of_side in [['left', values[:half]], ['right', values[half:]]] -%}
        {%- set rate, kinds = [of_side[0] | float, 1.0] | min, of_side[1] -%}
        {%- set kinds_of = kinds | lower -%}
        {%- set cut = kinds != kinds_of -%}
        {#- Of a sample that was cut short, there may be a million rows, and it is drawn again. -#}
        {%- set positions, rows_in_order, open_firsts, lengths, length_bits, key_hashes, places = of_side[2:] if not cut else [''] * (of_side | length - 2) -%}
        {%- set sampled = kinds | length -%}
        {%- set rows_in_order = dbt_range_join._numbers(rows_in_order) -%}
        {%- set of = [sampled, 1] | max -%}
        {%- set lengths = dbt_range_join._quantiles_at(lengths, [0.5, 0.99] + dbt_range_join._length_quantiles() | map('first') | list) -%}
        {%- set positions = dbt_range_join._thinned(positions, side) -%}
        {%- do sides.update({side: dict(types[side], **{
            'rows': sampled if rate == 1 else sampled / rate, 'sampled': sampled, 'rate': rate, 'cut': cut,
            'usable': (kinds_of.count('u') + kinds_of.count('o')) / of, 'empty': kinds_of.count('e') / of if join[side].kind == 'interval' else 0,
            'open': kinds_of.count('o') / of, 'ordered': not join['keys'] and dbt_range_join._is_in_order(rows_in_order),
            'largest_part': dbt_range_join._largest_part(rows_in_order[::2]),
            'positions': positions, 'firsts': dbt_range_join._quantiles_of(positions),
            'open_firsts': dbt_range_join._quantiles_at(open_firsts, [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1]),
            'lengths': lengths[2:], 'told_lengths': lengths[:2],
            'length_bits': dbt_range_join._numbers(length_bits),
            'keyed': dbt_range_join._keyed_rows(places if join['keys'] else '', join[side].value_columns | length),
            'placed': dbt_range_join._placed_rows('' if join['keys'] else places)})}) -%}
        {#- All of them but of a sample that came out far larger than it was to be, as each other row may be of other keys. -#}
        {%- set n = [sampled // 20000, 1] | max if join['keys'] else 1 -%}
        {%- do hashes.update({side: key_hashes.split(',')[::n]}) -%}
        {%- do unseen.extend([side] if rate < 1 or cut or n > 1 else []) -%}
    {%- endfor -%}
    {{ return(dict(sides, keeps_text=types.keeps_text, seen=not unseen, **dbt_range_join._measured_by_keys(join, hashes.left, hashes.right, not unseen))) }}
{% endmacro %}


{#
    2,500 to 5,000 of some numbers in rising order, a list: one in each n, wherever among these, and the outermost. On either side others, as a table joined with itself
    would have the same rows on both sides, and each meet itself. numbers: text, '1.5,2.5'. side: 'left' or 'right'.
#}
{% macro _thinned(numbers, side) %}
    {%- set numbers = numbers.split(',') -%}
    {%- set count = numbers | length -%}
    {%- set n = count // 2500 -%}
    {%- if n < 2 -%}
        {{ return(dbt_range_join._numbers(numbers | join(','))) }}
    {%- endif -%}
    {%- set factor = 48271 if side == 'left' else 69621 -%}
    {%- set thinned -%}
        [{{ numbers[0] }}
        {%- for first in range(0, count, n) -%}
            {#- Squares modulo a prime: no two of the sequences go alike. -#}
            {%- set i = first + first * first * factor % 1000003 % n -%}
            {%- if 0 < i < count - 1 -%}
                ,{{ numbers[i] }}
            {%- endif -%}
        {%- endfor -%}
        ,{{ numbers[-1] }}]
    {%- endset -%}
    {{ return(fromjson(thinned)) }}
{% endmacro %}


{#
    Whether rows lie in the order of their points or starts, more or less: where they stand tells more than 0.6 of the variance of their positions (R squared).
    rows: numbers, of each row where it stands and its position, one after the other. Fewer than twenty tell nothing: they are the like of some 600 that were drawn.
#}
{% macro _is_in_order(rows) %}
    {%- set stands, positions = rows[::2], rows[1::2] -%}
    {%- set count = stands | length -%}
    {%- set reach = positions | max - positions | min if count >= 20 else 0 -%}
    {%- if not reach -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set mean_stand, mean_position = (stands | sum) / count, (positions | sum) / count -%}
    {%- set products -%}
        [0,0,0
        {%- for stand, position in zip(stands, positions) -%}
            {%- set x, y = stand - mean_stand, (position - mean_position) / reach -%}
            ,{{ x * y }},{{ x * x }},{{ y * y }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set products = fromjson(products) -%}
    {%- set covariance, variances = products[::3] | sum, (products[1::3] | sum) * (products[2::3] | sum) -%}
    {{ return(covariance * covariance > 0.6 * variances) }}
{% endmacro %}


{#
    What the keys of both samples say of pairs, as {key_share, visited}. left, right: hashes, empty for a NULL.

    key_share: the share of pairs that have equal keys. Unless all rows of both sides were seen, at least half a row of the other side is counted as of the
    key that most rows of a side have, or, where all differ, as of one row's: a sample may miss the few rows that meet half of a large table.

    visited: over how many rows of either side these pairs are spread, {left, right}: see _visited.sql.
#}
{% macro _measured_by_keys(join, left, right, seen=false) %}
    {%- if not join['keys'] -%}
        {{ return({'key_share': 1.0, 'visited': {'left': [[1.0, 1.0]], 'right': [[1.0, 1.0]]}}) }}
    {%- endif -%}
    {%- set of_left, of_right = dbt_range_join._counts_of(left), dbt_range_join._counts_of(right) -%}
    {%- for counts in [of_left, of_right] -%}
        {%- do counts.pop('', none) -%}
    {%- endfor -%}
    {#- Of each key that both have: its pairs, each with its rows of the left, and each with those of the right. -#}
    {%- set counts -%}
        [0
        {%- for hash, count in of_right.items() if hash in of_left -%}
            {%- set pairs = count * of_left[hash] -%}
            ,{{ pairs }},{{ pairs * of_left[hash] }},{{ pairs * count }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set counts = fromjson(counts)[1:] -%}
    {%- set pairs = counts[::3] -%}
    {%- set most = (of_left.values() | list + of_right.values() | list + [1]) | max -%}
    {{ return({
        'key_share': [[pairs | sum, 0 if seen else most / 2] | max / [left | length * right | length, 1] | max, 1] | min,
        'visited': {
            'left': dbt_range_join._visited_rows(pairs, counts[2::3], left | length),
            'right': dbt_range_join._visited_rows(pairs, counts[1::3], right | length)}}) }}
{% endmacro %}


{#
    Up to 4,000 rows by their keys and where they lie, as {keys, firsts, lasts}: lists, of points without `lasts`. places: the text of these, one after the other, as
    _sample_sql has them. values: how many there are of each row, beside the hash of its keys.
#}
{% macro _keyed_rows(places, values) %}
    {%- set numbers = dbt_range_join._numbers(places) -%}
    {%- set all = 1 + values -%}
    {%- set n = [numbers | length // all // 2000, 1] | max * all -%}
    {{ return({'keys': numbers[::n], 'firsts': numbers[1::n], 'lasts': numbers[2::n] if values == 2 else []}) }}
{% endmacro %}


{# Up to 4,000 intervals by where they lie, as {firsts, lengths}, lists. places: the text of these, one after the other, as _sample_sql has them. #}
{% macro _placed_rows(places) %}
    {%- set numbers = dbt_range_join._numbers(places) -%}
    {%- set n = [numbers | length // 4000, 1] | max * 2 -%}
    {{ return({'firsts': numbers[::n], 'lengths': numbers[1::n]}) }}
{% endmacro %}
