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
    Returns: {left, right, key_share}. A side: rows, a float, and a whole number where all were looked at; usable, the share of its rows that can
    match, as a point or as an interval; empty, the share that are intervals which hold no value, as they end before they start or, where an end is
    exclusive, have no length; positions, 2,500 to 5,000 of its points or starts in order, where points meet intervals those of the usable
    ones; firsts, their quantiles at 0, 1/256, ... 1, as _without_outliers has them; open, the share of intervals that have no end, which is a NULL bound where these are open,
    an infinite one, or a hundred years;
    open_firsts, the quantiles of their starts at 0, 1/8, ... 1; lengths, those of the
    other intervals at _length_quantiles(); length_bits, which powers of two these lengths begin with, -1100 for none; types and key_types, names of Spark's types; ordered, whether the rows lie in the order of
    their points or starts, more or less, false where there are keys; keyed, up to 4,000 rows by their keys and where they lie, as _sample_sql has it; read, of how many bytes the
    side is made, as _input_sizes has it; and what _ask_measures adds.
    Positions are numbers, or microseconds. key_share: the share of all pairs that have equal keys.
#}
{% macro _measure(join, sizes=none) %}
    {%- set sizes = sizes or dbt_range_join._input_sizes(join) -%}
    {%- if sizes is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set types = dbt_range_join._side_types(join) -%}
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
        {%- do values.append(value) -%}
    {%- endfor -%}
    {%- set half = values | length // 2 -%}
    {%- set sides = {} -%}
    {%- set hashes = {} -%}
    {%- for side, of_side in [['left', values[:half]], ['right', values[half:]]] -%}
        {%- set sampled, rate, cut, usable, empty, opened, order, positions, open_firsts, lengths, length_bits, keys, places = of_side -%}
        {%- set sampled, rate = sampled | int, [rate | float, 1.0] | min -%}
        {%- set of = [sampled, 1] | max -%}
        {%- set positions = dbt_range_join._numbers(positions) -%}
        {%- do sides.update({side: dict(types[side], **{
            'rows': sampled if rate == 1 else sampled / rate, 'sampled': sampled, 'rate': rate, 'cut': cut | int > 0,
            'usable': (usable | int) / of, 'empty': (empty | int) / of, 'open': (opened | int) / of, 'ordered': order is not none and (order | float) > 0.6,
            'positions': positions, 'firsts': dbt_range_join._quantiles_of(positions), 'open_firsts': dbt_range_join._numbers(open_firsts),
            'lengths': dbt_range_join._numbers(lengths), 'length_bits': dbt_range_join._numbers(length_bits)})}) -%}
        {%- do hashes.update({side: keys.split(',') if keys is not none else []}) -%}
        {%- do sides[side].update({'keyed': (places or '').split(',')}) -%}
    {%- endfor -%}
    {{ return(dict(sides, key_share=dbt_range_join._key_share(join, hashes.left, hashes.right))) }}
{% endmacro %}


{# The quantiles of numbers in rising order, at 0, 1/256, ... 1; empty where there are none. #}
{% macro _quantiles_of(numbers) %}
    {%- set quantiles = [] -%}
    {%- for i in range(257) if numbers -%}
        {%- do quantiles.append(numbers[[-(-i * (numbers | length) // 256) - 1, 0] | max]) -%}
    {%- endfor -%}
    {{ return(quantiles) }}
{% endmacro %}


{# A list of numbers out of '1.5,2.5', empty for NULL. #}
{% macro _numbers(text) %}
    {{ return((text or '').split(',') | reject('equalto', '') | map('float') | list) }}
{% endmacro %}


{#
    The share of pairs that have equal keys, from hashes of both samples, empty for a NULL. At least half a row of the other side is counted as of the
    key that most rows of a side have, or, where all differ, as of one row's: a sample may miss the few rows that meet half of a large table.
#}
{% macro _key_share(join, left, right) %}
    {%- if not join['keys'] -%}
        {{ return(1.0) }}
    {%- endif -%}
    {%- set counts = {'left': {}, 'right': {}} -%}
    {%- for hash in left if hash -%}
        {%- do counts.left.update({hash: counts.left.get(hash, 0) + 1}) -%}
    {%- endfor -%}
    {%- set ns = namespace(pairs=0) -%}
    {%- for hash in right if hash -%}
        {%- do counts.right.update({hash: counts.right.get(hash, 0) + 1}) -%}
        {%- set ns.pairs = ns.pairs + counts.left.get(hash, 0) -%}
    {%- endfor -%}
    {%- set most = (counts.left.values() | list + counts.right.values() | list + [1]) | max -%}
    {{ return([[ns.pairs, most / 2] | max / [left | length * right | length, 1] | max, 1] | min) }}
{% endmacro %}
