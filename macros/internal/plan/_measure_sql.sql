{#
    The one statement that looks at the data: it brings a sample of each side.
#}

{#
    The statement: one row, with what was drawn of the left side and then of the right, in lists. What these say is reckoned by dbt (_measure.sql): ten thousand numbers are
    read and sorted in a few milliseconds, and to plan and generate code for what was asked of them took Spark a tenth of a second, a third of the measuring.
    One aggregation for both sides, since most of the time goes into planning and starting. Lists are text, since not every way to Spark returns arrays.
    Each side is named once, in a CTE, since Spark looks a table up wherever it stands. types, guesses: see _ask_measures.
#}
{% macro _measure_sql(join, types, guesses) %}
    {%- set lists = [] -%}
    {%- set samples = [] -%}
    {%- for side in ['left', 'right'] -%}
        {%- set rate = dbt_range_join._sample_rate(side, guesses[side]) -%}
        {%- do lists.extend(dbt_range_join._drawn_lists(join, side, rate)) -%}
        {%- do samples.append(dbt_range_join._sample_sql(join, side, types, rate, guesses[side] is not none)) -%}
    {%- endfor -%}
    {%- set sql -%}
select{{ dbt_range_join._select_list(lists) }}
from (
    {{ samples | join('\nunion all\n') | indent(4) }}
) as samples
    {%- endset -%}
    {{ return(dbt_range_join._values_ctes(join) ~ sql) }}
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
    A statement that fails where Spark can't resolve the inputs, and is planned in less time than _measure_sql. Its first column is a constant, so that the plan itself says of which
    types keys and values are, those of the left first, and what a text becomes beside a value of another type, between two marks: see _types_said. more: CTEs that it has besides.
#}
{% macro _probe_sql(join, more=[]) %}
    {%- set mark = dbt_range_join._types_mark() -%}
    {%- set types = ["'" ~ mark ~ "'"] -%}
    {%- for side in ['left', 'right'] -%}
        {%- for column in dbt_range_join._measured_columns(join, side) -%}
            {%- do types.append('typeof(range_join_' ~ side ~ '_values.' ~ column ~ ')') -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- do types.append("typeof(coalesce('', date'2000-01-01'))") -%}
    {%- set items = ["concat_ws(' | ', " ~ (types + types[:1]) | join(', ') ~ ') as ' ~ mark, '*'] -%}
    {{ return(dbt_range_join._values_ctes(join, more) ~ 'select' ~ dbt_range_join._select_list(items)
        ~ '\nfrom range_join_left_values\ncross join range_join_right_values') }}
{% endmacro %}


{# The names of what is measured of a side: key_1 ... key_n, value_1 and, of an interval, value_2. #}
{% macro _measured_columns(join, side) %}
    {%- set columns = [] -%}
    {%- for name, count in [('key_', join['keys'] | length), ('value_', join[side].value_columns | length)] -%}
        {%- for n in range(count) -%}
            {%- do columns.append(name ~ (n + 1)) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(columns) }}
{% endmacro %}


{# range_join_<side>_values: what is measured of a side, under the names that _measured_columns returns. more: CTEs before these. #}
{% macro _values_ctes(join, more=[]) %}
    {%- set ctes = more | list -%}
    {%- for side in ['left', 'right'] -%}
        {%- set values = join['keys'] | map(attribute=side) | list + dbt_range_join._values_given(join[side]) -%}
        {%- set items = [] -%}
        {%- for value, column in zip(values, dbt_range_join._measured_columns(join, side)) -%}
            {%- do items.append('(' ~ value ~ ') as ' ~ column) -%}
        {%- endfor -%}
        {%- do ctes.append('range_join_' ~ side ~ '_values as (\n    select'
            ~ dbt_range_join._select_list(items) | indent(4) ~ '\n    from ' ~ join[side].apart ~ ' as ' ~ join[side].alias ~ '\n)') -%}
    {%- endfor -%}
    {{ return('with ' ~ ctes | join(',\n\n') ~ '\n\n') }}
{% endmacro %}


{#
    How many rows of a sample each of Spark's partitions may give at most, as SQL, where the rate is a guess: the first 100,000, which is ten times what the
    sample is meant to have, the second half of that, the third a third and so on. So of however many partitions no more than some million rows come
    together in the one task that collects them, and of each as many as ten times its even share.

    row_number: what monotonically_increasing_id says, which numbers rows from a multiple of 2^33 on in each partition.
#}
{% macro _most_of_partition(row_number) %}{{ return('greatest(100000 div (shiftright(' ~ row_number ~ ', 33) + 1), 1)') }}{% endmacro %}


{# Which share of a side's rows is drawn, as SQL. guess: how many rows the side may have; none has them counted first. #}
{% macro _sample_rate(side, guess) %}
    {{ return('10000 / ' ~ ('greatest((select count(*) from range_join_' ~ side ~ '_values), 1)' if guess is none else [guess, 1] | max | round | int)) }}
{% endmacro %}


{#
    What was drawn of one side, as select items, each text: rate, the share that was to be drawn; kinds, a letter for each row (see _sample_sql); positions, of its points or
    starts, in order; rows_in_order, of about one row in 32, wherever these stand, its number and its position; open_firsts, the starts of those without an end, in order; lengths, in order;
    length_bits, which powers of two these begin with; key_hashes; and places, as _sample_sql has them. NULL for what a side does not have.
    rate: what _sample_rate returns.
#}
{% macro _drawn_lists(join, side, rate) %}
    {%- set of_side = ' filter (where ' ~ ('is_left' if side == 'left' else 'not is_left') ~ ')' -%}
    {%- set lists = {
        'rate': 'cast(' ~ rate ~ ' as string)',
        'kinds': "concat_ws('', collect_list(kind)" ~ of_side ~ ')',
        'positions': dbt_range_join._numbers_in_order('first', of_side)} -%}
    {%- if join[side].kind == 'interval' -%}
        {%- do lists.update({
            'open_firsts': dbt_range_join._numbers_in_order('open_first', of_side),
            'lengths': dbt_range_join._numbers_in_order('length', of_side),
            'length_bits': "concat_ws(',', cast(collect_set(\n    if(length > 0, floor(log2(length)), if(length = 0, -1100L, null))\n)" ~ of_side
                ~ ' as array<string>))'}) -%}
    {%- endif -%}
    {%- if join['keys'] or join[side].kind == 'interval' -%}
        {%- do lists.update({'places': "concat_ws(',', collect_list(place)" ~ of_side ~ ')'}) -%}
    {%- endif -%}
    {%- if join['keys'] -%}
        {%- do lists.update({'key_hashes': "concat_ws(',', collect_list(key_hash)" ~ of_side ~ ')'}) -%}
    {%- endif -%}
    {%- do lists.update({
        'rows_in_order': "concat_ws(',', collect_list(\n    if(\n        pmod(hash(row_number), 32) = 0 and first is not null, concat_ws(',', cast(row_number as string), cast(first as string)), null\n    )\n)" ~ of_side ~ ')'}) -%}
    {%- set items = [] -%}
    {%- for name in ['rate', 'kinds', 'positions', 'rows_in_order', 'open_firsts', 'lengths', 'length_bits', 'key_hashes', 'places'] -%}
        {%- do items.append(lists.get(name, 'cast(null as string)') ~ ' as ' ~ side ~ '_' ~ name) -%}
    {%- endfor -%}
    {{ return(items) }}
{% endmacro %}


{# The values of an expression in rows that `filter` leaves, but for NULLs, in rising order, as text, "1.5,2.5". #}
{% macro _numbers_in_order(value, filter) %}
    {{ return("concat_ws(',', cast(sort_array(collect_list(" ~ value ~ ')' ~ filter ~ ') as array<string>))') }}
{% endmacro %}


{#
    Quantiles of a value as text, "1.5,2.5": at these shares of the rows. The shares are one literal, since Spark takes
    time to plan each of many. By default they are off by up to a 10,000th of the rows, and differ by how these lie in files: at p99.99 that is all that lies above.
#}
{% macro _quantiles_sql(value, shares) %}
    {{ return("concat_ws(',', cast(percentile_approx(\n    " ~ value ~ ", cast(split('" ~ shares | join(',') ~ "', ',') as array<double>), 100000\n) as array<string>))") }}
{% endmacro %}


{#
    The sample of one side: is_left, first (NULL of an interval that holds no point, where there are points), length (NULL of a point, and where a
    bound is NULL or the interval open or empty), open_first, kind, key_hash (empty where a key is NULL), row_number; and place, of a quarter of the rows, as text: where there are
    keys, 'hash,point' or 'hash,start,end', with null for what can't match, and NULL where a key is; else 'start,length' of an interval that has a length. That quarter is drawn by
    a hash, as each fourth row may be of one kind, and another one on either side, as both may be the same table. types: what _side_types returns.

    kind: 'u' for a row that is usable, as it can match; 'o' for an interval that is, and is open; 'e' for one that can't match, as it is empty, and for a point that has no value; 'n' where
    a bound is NULL. Where the rate follows from a guess (is_guess) it may be far too high, as of rows that all are alike, of which a file holds millions in a few bytes. So a
    partition gives no more rows than _most_of_partition says, and the letter of its last one then is a capital.
#}
{% macro _sample_sql(join, side, types, rate, is_guess) %}
    {%- set is_point = join[side].kind == 'point' -%}
    {%- set null_is_open = join.null_bounds == 'unbounded' -%}
    {%- set value_types = types[side].types -%}
    {%- set all_types = types.left.types + types.right.types -%}
    {#- As _has_length has it in the join. -#}
    {%- set needs_length = not is_point and join.inclusive != 'both' and value_types[0] == value_types[1] -%}
    {%- set holds_a_value = 'last >= first' ~ (' and has_length' if needs_length else '') -%}
    {%- set is_infinite = 'false' if is_point else dbt_range_join._is_infinite(value_types) -%}
    {%- set is_unbounded = (' or is_infinite' if is_infinite != 'false' else '') ~ (' or first is null or last is null' if null_is_open else '') -%}
    {%- set is_usable = 'first is not null' if is_point else holds_a_value ~ is_unbounded -%}
    {%- set is_for_ever = dbt_range_join._is_for_ever(value_types[-1], 'last - first') -%}
    {%- set is_open = is_for_ever ~ is_unbounded -%}
    {%- set kind = "if(first is not null, 'u', 'e')" if is_point
        else 'case when ' ~ is_open ~ " then 'o' when " ~ is_usable ~ " then 'u' when not (" ~ is_usable ~ ") then 'e' else 'n' end" -%}
    {%- set place = 'row_number % 8589934592' -%}
    {%- set keys = [] -%}
    {%- for key in join.key_columns -%}
        {%- set n = loop.index0 -%}
        {%- do keys.append(dbt_range_join._key_text(key, types[side].key_types[n], types[dbt_range_join._other_side(side)].key_types[n])) -%}
    {%- endfor -%}
    {%- set key_hash = 'if(' ~ keys | join(' is not null and ') ~ ' is not null, cast(xxhash64('
        ~ keys | join(', ') ~ ') % 16777216 as string), \'\')' if keys else 'cast(null as string)' -%}
    {%- set length = 'if(' ~ holds_a_value ~ ' and not ' ~ is_for_ever ~ ', last - first, null)' -%}
    {%- set keyed_place = "concat_ws(',', key_hash, " ~ ("coalesce(cast(first as string), 'null')" if is_point
        else 'if(' ~ is_usable ~ ", concat(coalesce(cast(first as string), '-1e300'), ',', coalesce(cast(last as string), '1e300')), 'null,null')") ~ ')' -%}
    {%- set sql -%}
select
    {{ side == 'left' }} as is_left,
    {{ 'first' if is_point or join.left.kind == join.right.kind else 'if(' ~ is_usable ~ ', first, null)' }} as first,
    {{ 'cast(null as double)' if is_point else length }} as length,
    {%- if not is_point %}
    if({{ is_open }}, first, null) as open_first,
    {%- else %}
    cast(null as double) as open_first,
    {%- endif %}
    {{ 'if(' ~ place ~ ' + 1 = ' ~ dbt_range_join._most_of_partition('row_number') ~ ', upper(' ~ kind ~ '), ' ~ kind ~ ')' if is_guess else kind }} as kind,
    key_hash,
    {%- if join['keys'] %}
    if(pmod(hash(row_number, '{{ side }}'), 4) = 0 and key_hash <> '', {{ keyed_place }}, null) as place,
    {%- elif is_point %}
    cast(null as string) as place,
    {%- else %}
    if(pmod(hash(row_number, '{{ side }}'), 4) = 0, cast(first as string) || ',' || cast({{ length }} as string), null) as place,
    {%- endif %}
    row_number
from (
    select
        {{ dbt_range_join._position('value_1', value_types[0], all_types) | indent(8) }} as first,
        {%- if not is_point %}
        {{ dbt_range_join._position('value_2', value_types[1], all_types) | indent(8) }} as last,
        {%- endif %}
        {%- if is_infinite != 'false' %}
        {{ is_infinite }} as is_infinite,
        {%- endif %}
        {%- if needs_length %}
        coalesce(value_1 <> value_2, true) as has_length,
        {%- endif %}
        {{ key_hash }} as key_hash,
        monotonically_increasing_id() as row_number
    from range_join_{{ side }}_values
    where rand({{ 594870311 if side == 'left' else 206158429 }}) < {{ rate }}
) as positions
{%- if is_guess %}
where {{ place }} < {{ dbt_range_join._most_of_partition('row_number') }}
{%- endif %}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    Whether an interval reaches beyond all numbers that have a position (_position), as SQL: from minus infinity, or to infinity or NaN, which is
    greater; then it is open, as one with a NULL bound may be. `false` for types that have no such values. types: those of its bounds.
#}
{% macro _is_infinite(types) %}
    {%- set infinite = [] -%}
    {%- for type, beyond in zip(types, ['value_1 <= -1e300D and value_2 is not null', 'value_2 >= 1e300D and value_1 is not null']) if type in ['float', 'double'] -%}
        {%- do infinite.append(beyond) -%}
    {%- endfor -%}
    {{ return('coalesce(' ~ infinite | join(' or ') ~ ', false)' if infinite else 'false') }}
{% endmacro %}
