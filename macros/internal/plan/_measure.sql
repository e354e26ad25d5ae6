{#
    What is known of the data when bin_size is left out: Spark's planner says how large the inputs are and of which types, and one statement then looks
    at a sample of some ten thousand rows a side, of the columns that the join reads. Asked anew each time that dbt compiles
    the model, so that nothing can go stale.
#}

{#
    The data of a join's two sides, or none where it can't be measured: while dbt parses, where dbt may not ask the
    warehouse (--no-introspect), and where a side is something that Spark can't find by itself: a CTE of the model, an
    ephemeral model, the inputs of a unit test.

    A sample is drawn at a rate that follows from the size of the input, so that nobody waits for a count, and how many rows it has says how
    many there are, to a few percent. Where the planner took an input for too large (a view that filters most rows away), so that the sample came out
    small, it is drawn again, at a rate that follows from the first one. The two sides are drawn apart: rows of one table joined with itself
    would all find themselves, and keys seem to agree far more often than they do. Their seeds are numbers that nobody takes: rows made with rand(1)
    would be drawn by what they hold.

    sizes: what _input_sizes returns, where the caller has asked already.
    Returns: {left, right, key_share}. A side: rows, a float, and a whole number where all were looked at; usable, the share of its rows that can
    match, as a point or as an interval; empty, the share that are intervals which hold no value, as they end before they start or, where an end is
    exclusive, have no length; firsts, the quantiles of its points or starts at 0, 1/256, ... 1, where points meet intervals those of the usable
    ones; open, the share of intervals that have no end, which is a NULL bound where these are open, or a hundred years; open_firsts, the quantiles of their starts at 0, 1/8, ... 1; lengths, those of the
    other intervals at _length_quantiles(); length_bits, which powers of two these lengths begin with, -1100 for none; types, names of Spark's types; ordered, whether the rows lie in the order of
    their points or starts, more or less, false where there are keys; and what _ask_measures adds.
    Positions are numbers, or microseconds. key_share: the share of all pairs that have equal keys.
#}
{% macro _measure(join, sizes=none) %}
    {%- set sizes = sizes or dbt_range_join._input_sizes(join) -%}
    {%- if sizes is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set types = dbt_range_join._value_types(join) -%}
    {%- set measured = dbt_range_join._ask_measures(join, types, {'left': sizes.left.rows, 'right': sizes.right.rows}) -%}
    {%- set better = {} -%}
    {%- for side in ['left', 'right'] if measured[side].rate < 1 and measured[side].sampled < 2000 -%}
        {%- do better.update({side: measured[side].rows if measured[side].sampled >= 100 else none}) -%}
    {%- endfor -%}
    {%- if not better -%}
        {{ return(measured) }}
    {%- endif -%}
    {{ return(dbt_range_join._ask_measures(join, types, dict({'left': measured.left.rows, 'right': measured.right.rows}, **better))) }}
{% endmacro %}


{#
    The types of the values of each side, as Spark names them: {left, right}, lists of one for points and of two for intervals. Asked first, so that the
    statement that measures has nothing in it that is for other types.
#}
{% macro _value_types(join) %}
    {%- set types = [] -%}
    {%- for column in run_query('describe query ' ~ dbt_range_join._probe_sql(join)).rows if column[0].startswith('value_') -%}
        {%- do types.append(column[1] | lower) -%}
    {%- endfor -%}
    {%- set of_left = join.left.value_columns | length -%}
    {{ return({'left': types[:of_left], 'right': types[of_left:]}) }}
{% endmacro %}


{#
    How large the inputs are as far as Spark's planner knows, without reading them: {left, right}, each {bytes, rows}, with rows a guess
    from the bytes of the columns that the join reads; both none where the planner doesn't say, or can't know: it takes the rows that explode
    makes of one for one. None where a side is a CTE of the model, and where the inputs can't be resolved, which EXPLAIN tells without an error.
#}
{% macro _input_sizes(join) %}
    {%- if not execute or (flags.INTROSPECT is defined and not flags.INTROSPECT) or dbt_range_join._reads_a_cte(join) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set said = run_query('explain cost ' ~ dbt_range_join._probe_sql(join)).columns[0].values() | join('\n') -%}
    {%- if 'sizeInBytes=' not in said and ('Exception' in said or 'Error' in said) -%}
        {{ return(none) }}
    {%- endif -%}
    {#- The inputs are the two children of the join at the root of the optimized plan. -#}
    {%- set inputs = [] -%}
    {%- for line in said.split('== Physical Plan ==')[0].split('\n') -%}
        {%- if line[:3] in [':- ', '+- '] and 'sizeInBytes=' in line -%}
            {%- do inputs.append({'line': line, 'nodes': []}) -%}
        {%- endif -%}
        {%- if inputs -%}
            {%- do inputs[-1].nodes.append(line.lstrip(' :+-').split(' ')[0]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set sizes = {} -%}
    {%- for side in ['left', 'right'] -%}
        {%- set columns = (join.key_columns + join[side].value_columns) | length -%}
        {%- set known = inputs | length == 2 and 'Generate' not in inputs[loop.index0].nodes -%}
        {%- do sizes.update({side: dbt_range_join._size_of(inputs[loop.index0].line, columns) if known else {'bytes': none, 'rows': none}}) -%}
    {%- endfor -%}
    {{ return(sizes) }}
{% endmacro %}


{# {bytes, rows} out of a line of a plan with "Statistics(sizeInBytes=20.3 MiB, rowCount=5)". Spark counts 8 bytes a row and mostly 8 a column. #}
{% macro _size_of(line, columns) %}
    {%- set statistics = line.split('sizeInBytes=')[-1].split(')')[0].split(', ') -%}
    {%- set amount, _, unit = statistics[0].partition(' ') -%}
    {%- set units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] -%}
    {%- if unit not in units -%}
        {{ return({'bytes': none, 'rows': none}) }}
    {%- endif -%}
    {#- For a query of several joins Spark multiplies the sizes of their inputs: numbers that no literal holds. -#}
    {%- set bytes = [(amount | float) * 1024 ** units.index(unit), 1e18] | min -%}
    {%- set counted = statistics[1:] | join | replace('rowCount=', '') | float -%}
    {{ return({'bytes': bytes, 'rows': [counted or bytes / (8 + 8 * columns), 1e18] | min}) }}
{% endmacro %}


{#
    What _measure returns, with `sampled`, the size of the sample, and `rate`, the share of the rows that it was to be, 1 for all.
    types: what _value_types returns. guesses: {left, right}: how many rows there may be, or none.
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
        {%- set sampled, rate, usable, empty, opened, order, firsts, open_firsts, lengths, length_bits, keys = of_side -%}
        {%- set sampled, rate = sampled | int, [rate | float, 1.0] | min -%}
        {%- set of = [sampled, 1] | max -%}
        {%- do sides.update({side: {
            'rows': sampled if rate == 1 else sampled / rate, 'sampled': sampled, 'rate': rate,
            'usable': (usable | int) / of, 'empty': (empty | int) / of, 'open': (opened | int) / of, 'ordered': order is not none and (order | float) > 0.6,
            'firsts': dbt_range_join._numbers(firsts), 'open_firsts': dbt_range_join._numbers(open_firsts),
            'lengths': dbt_range_join._numbers(lengths), 'length_bits': dbt_range_join._numbers(length_bits), 'types': types[side]}}) -%}
        {%- do hashes.update({side: keys.split(',') if keys else []}) -%}
    {%- endfor -%}
    {{ return(dict(sides, key_share=dbt_range_join._key_share(join, hashes.left, hashes.right))) }}
{% endmacro %}


{# A list of numbers out of '1.5,2.5', empty for NULL. #}
{% macro _numbers(text) %}
    {{ return((text or '').split(',') | reject('equalto', '') | map('float') | list) }}
{% endmacro %}


{# The share of pairs that have equal keys, from hashes of both samples. Where no pair has, half a pair is counted. #}
{% macro _key_share(join, left, right) %}
    {%- if not join['keys'] -%}
        {{ return(1.0) }}
    {%- endif -%}
    {%- set counts = {} -%}
    {%- for hash in left -%}
        {%- do counts.update({hash: counts.get(hash, 0) + 1}) -%}
    {%- endfor -%}
    {%- set ns = namespace(pairs=0) -%}
    {%- for hash in right -%}
        {%- set ns.pairs = ns.pairs + counts.get(hash, 0) -%}
    {%- endfor -%}
    {{ return([ns.pairs, 0.5] | max / [left | length * right | length, 1] | max) }}
{% endmacro %}


{# At which shares of the intervals their lengths are asked for, with the share of all intervals that each stands for. #}
{% macro _length_quantiles() %}
    {%- set quantiles = [] -%}
    {%- for i in range(49) -%}
        {%- do quantiles.append([(2 * i + 1) / 100, 0.02]) -%}
    {%- endfor -%}
    {{ return(quantiles + [[0.985, 0.01], [0.9925, 0.005], [0.9965, 0.003], [0.999, 0.0019], [1, 0.0001]]) }}
{% endmacro %}


{#
    The statement: one row, with what the left side's sample says and then what the right side's does. One aggregation for both, since most of
    the time goes into planning and starting. Numbers in lists are text, since not every way to Spark returns arrays.
    Each side is named once, in a CTE, since Spark looks a table up wherever it stands. types, guesses: see _ask_measures.
#}
{% macro _measure_sql(join, types, guesses) %}
    {%- set measures = [] -%}
    {%- set samples = [] -%}
    {%- for side in ['left', 'right'] -%}
        {%- set rate = dbt_range_join._sample_rate(side, guesses[side]) -%}
        {%- do measures.extend(dbt_range_join._side_measures(join, side, rate)) -%}
        {%- do samples.append(dbt_range_join._sample_sql(join, side, types[side], rate)) -%}
    {%- endfor -%}
    {%- set sql -%}
select{{ dbt_range_join._select_list(measures) }}
from (
    {{ samples | join('\nunion all\n') | indent(4) }}
) as samples
    {%- endset -%}
    {{ return(dbt_range_join._values_ctes(join) ~ sql) }}
{% endmacro %}


{# A statement that fails where Spark can't resolve the inputs, and is planned in less time than _measure_sql. #}
{% macro _probe_sql(join) %}
    {{ return(dbt_range_join._values_ctes(join) ~ 'select * from range_join_left_values cross join range_join_right_values') }}
{% endmacro %}


{# range_join_<side>_values: what is measured of a side, as key_1 ... key_n, value_1 and, of an interval, value_2. #}
{% macro _values_ctes(join) %}
    {%- set ctes = [] -%}
    {%- for side in ['left', 'right'] -%}
        {%- set items = [] -%}
        {%- for key in join['keys'] -%}
            {%- do items.append('(' ~ key[side] ~ ') as key_' ~ loop.index) -%}
        {%- endfor -%}
        {%- for value in ([join[side].point] if join[side].kind == 'point' else join[side].interval) -%}
            {%- do items.append('(' ~ value ~ ') as value_' ~ loop.index) -%}
        {%- endfor -%}
        {%- do ctes.append('range_join_' ~ side ~ '_values as (\n    select'
            ~ dbt_range_join._select_list(items) | indent(4) ~ '\n    from ' ~ join[side].relation ~ ' as ' ~ join[side].alias ~ '\n)') -%}
    {%- endfor -%}
    {{ return('with ' ~ ctes | join(',\n\n') ~ '\n\n') }}
{% endmacro %}


{# Which share of a side's rows is drawn, as SQL. guess: how many rows the side may have; none has them counted first. #}
{% macro _sample_rate(side, guess) %}
    {{ return('10000 / ' ~ ('greatest((select count(*) from range_join_' ~ side ~ '_values), 1)' if guess is none else [guess, 1] | max | round | int)) }}
{% endmacro %}


{# What is asked of one side's sample, as select items. rate: what _sample_rate returns. #}
{% macro _side_measures(join, side, rate) %}
    {%- set cells = [] -%}
    {%- for i in range(257) -%}
        {%- do cells.append(i / 256) -%}
    {%- endfor -%}
    {%- set of_side = ' filter (where ' ~ ('is_left' if side == 'left' else 'not is_left') ~ ')' -%}
    {%- set nothing = 'cast(null as string)' -%}
    {#- With keys, candidates are few and count as in no order; and to ask for it takes a fifth of the measuring. -#}
    {%- set order = nothing if join['keys'] else 'cast(regr_r2(row_number, first)' ~ of_side ~ ' as string)' -%}
    {%- set is_point = join[side].kind == 'point' -%}
    {%- set open_firsts = nothing if is_point else dbt_range_join._quantiles_sql('if(is_open, first, null)', cells[::32], of_side) -%}
    {%- set lengths = nothing if is_point
        else dbt_range_join._quantiles_sql('length', dbt_range_join._length_quantiles() | map('first') | list, of_side) -%}
    {%- set length_bits = nothing if is_point
        else "concat_ws(',', cast(collect_set(\n    if(length > 0, floor(log2(length)), if(length = 0, -1100L, null))\n)" ~ of_side ~ ' as array<string>))' -%}
    {#- Every nth of them, since the product of both lists is what dbt then counts. -#}
    {%- set hashes = "concat_ws(',', filter(\n    collect_list(key_hash)" ~ of_side
        ~ ',\n    (hash, i) -> i % greatest(1, count(key_hash)' ~ of_side ~ ' div 4000) = 0\n))' -%}
    {{ return([
        'count(*)' ~ of_side ~ ' as ' ~ side ~ '_sampled',
        'cast(' ~ rate ~ ' as string) as ' ~ side ~ '_rate',
        'count_if(is_usable)' ~ of_side ~ ' as ' ~ side ~ '_usable',
        ('0' if is_point else 'count_if(not is_usable)' ~ of_side) ~ ' as ' ~ side ~ '_empty',
        'count_if(is_open)' ~ of_side ~ ' as ' ~ side ~ '_open',
        order ~ ' as ' ~ side ~ '_order',
        dbt_range_join._quantiles_sql('first', cells, of_side) ~ ' as ' ~ side ~ '_firsts',
        open_firsts ~ ' as ' ~ side ~ '_open_firsts',
        lengths ~ ' as ' ~ side ~ '_lengths',
        length_bits ~ ' as ' ~ side ~ '_length_bits',
        (hashes if join['keys'] else nothing) ~ ' as ' ~ side ~ '_key_hashes']) }}
{% endmacro %}


{#
    Quantiles of a value as text, "1.5,2.5": at these shares of the rows that `filter` leaves. The shares are one literal, since Spark takes
    20 ms to plan a statement with 500.
#}
{% macro _quantiles_sql(value, shares, filter='') %}
    {{ return("concat_ws(',', cast(percentile_approx(\n    " ~ value ~ ", cast(split('" ~ shares | join(',') ~ "', ',') as array<double>)\n)"
        ~ filter ~ ' as array<string>))') }}
{% endmacro %}


{#
    The sample of one side: is_left, first (NULL of an interval that holds no point, where there are points), length (NULL of a point, and where a
    bound is NULL or the interval open or empty), is_usable, is_open, key_hash, row_number. types: those of its values.
#}
{% macro _sample_sql(join, side, types, rate) %}
    {%- set is_point = join[side].kind == 'point' -%}
    {%- set null_is_open = join.null_bounds == 'unbounded' -%}
    {#- As _has_length has it in the join. -#}
    {%- set needs_length = not is_point and join.inclusive != 'both' and types[0] == types[1] -%}
    {%- set holds_a_value = 'last >= first' ~ (' and has_length' if needs_length else '') -%}
    {%- set is_usable = 'first is not null' if is_point else holds_a_value ~ (' or first is null or last is null' if null_is_open else '') -%}
    {%- set is_for_ever = dbt_range_join._is_for_ever(types[-1], 'last - first') -%}
    {%- set keys = [] -%}
    {%- for key in join.key_columns -%}
        {%- do keys.append('cast(' ~ key ~ ' as string)') -%}
    {%- endfor -%}
    {%- set key_hash = 'if(' ~ keys | join(' is not null and ') ~ ' is not null, cast(xxhash64('
        ~ keys | join(', ') ~ ') % 16777216 as string), null)' if keys else 'cast(null as string)' -%}
    {%- set sql -%}
select
    {{ side == 'left' }} as is_left,
    {{ 'first' if is_point or join.left.kind == join.right.kind else 'if(' ~ is_usable ~ ', first, null)' }} as first,
    {{ 'cast(null as double)' if is_point else 'if(' ~ holds_a_value ~ ' and not ' ~ is_for_ever ~ ', last - first, null)' }} as length,
    {{ is_usable }} as is_usable,
    {{ 'false' if is_point else is_for_ever ~ (' or first is null or last is null' if null_is_open) }} as is_open,
    key_hash,
    row_number
from (
    select
        {{ dbt_range_join._position('value_1', types[0]) | indent(8) }} as first,
        {%- if not is_point %}
        {{ dbt_range_join._position('value_2', types[1]) | indent(8) }} as last,
        {%- endif %}
        {%- if needs_length %}
        coalesce(value_1 <> value_2, true) as has_length,
        {%- endif %}
        {{ key_hash }} as key_hash,
        cast(monotonically_increasing_id() as double) as row_number
    from range_join_{{ side }}_values
    where rand({{ 594870311 if side == 'left' else 206158429 }}) < {{ rate }}
) as positions
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    Where a value of a type lies, as a DOUBLE: a number itself, microseconds since 1970 for dates and timestamps; NULL for NULL, NaN and
    infinities, and for all of other types. Good enough to estimate, not to join. A date may lie beyond all timestamps.
#}
{% macro _position(value, type) %}
    {%- set family = dbt_range_join._family_of(type) -%}
    {%- if family == 'whole' -%}
        {{ return('cast(' ~ value ~ ' as double)') }}
    {%- elif family == 'fraction' -%}
        {{ return('if(abs(cast(' ~ value ~ ' as double)) < 1e300D, cast(' ~ value ~ ' as double), null)') }}
    {%- elif family != 'time' -%}
        {{ return('cast(null as double)') }}
    {%- endif -%}
    {%- set instant = 'cast(unix_micros(cast(' ~ value ~ ' as timestamp_ltz)) as double)' -%}
    {%- set days = 'unix_date(' ~ value ~ ')' -%}
    {{ return('if(abs(cast(' ~ days ~ ' as bigint)) > 106000000, ' ~ days ~ ' * 86400e6D, ' ~ instant ~ ')' if type == 'date' else instant) }}
{% endmacro %}


{# What the values of a type are: 'time', 'whole' or 'fraction' of numbers, or else the type itself. #}
{% macro _family_of(type) %}
    {%- if type in ['timestamp', 'timestamp_ntz', 'date'] -%}
        {{ return('time') }}
    {%- elif type in ['tinyint', 'smallint', 'int', 'bigint'] -%}
        {{ return('whole') }}
    {%- endif -%}
    {{ return('fraction' if type in ['float', 'double'] or type.startswith('decimal') else type) }}
{% endmacro %}


{#
    Whether an interval has no end to speak of, as SQL: one of times that is as long as a hundred years, up to 9999-12-31 mostly.
    type: that of its end. length: in microseconds.
#}
{% macro _is_for_ever(type, length) %}{{ return('(' ~ length ~ ' >= 3155760000000000)' if dbt_range_join._family_of(type) == 'time' else 'false') }}{% endmacro %}
