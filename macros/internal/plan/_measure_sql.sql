{#
    The one statement that looks at the data: a sample of each side, and what is asked of it.
#}

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
        {%- do measures.extend(dbt_range_join._side_measures(join, side, rate, guesses[side] is not none)) -%}
        {%- do samples.append(dbt_range_join._sample_sql(join, side, types, rate, guesses[side] is not none)) -%}
    {%- endfor -%}
    {%- set sql -%}
select{{ dbt_range_join._select_list(measures) }}
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
            ~ dbt_range_join._select_list(items) | indent(4) ~ '\n    from ' ~ join[side].apart ~ ' as ' ~ join[side].alias ~ '\n)') -%}
    {%- endfor -%}
    {{ return('with ' ~ ctes | join(',\n\n') ~ '\n\n') }}
{% endmacro %}


{#
    How many rows of a sample each of Spark's partitions may give at most, as SQL, where the rate is a guess: the first 200,000, which is twenty times what the
    sample is meant to have, the second half of that, the third a third and so on. So of however many partitions no more than some two million rows come
    together in the one task that collects them, and of each as many as twenty times its even share.

    row_number: what monotonically_increasing_id says, which numbers rows from a multiple of 2^33 on in each partition.
#}
{% macro _most_of_partition(row_number) %}{{ return('greatest(200000 div (shiftright(' ~ row_number ~ ', 33) + 1), 1)') }}{% endmacro %}


{# Which share of a side's rows is drawn, as SQL. guess: how many rows the side may have; none has them counted first. #}
{% macro _sample_rate(side, guess) %}
    {{ return('10000 / ' ~ ('greatest((select count(*) from range_join_' ~ side ~ '_values), 1)' if guess is none else [guess, 1] | max | round | int)) }}
{% endmacro %}


{# What is asked of one side's sample, as select items. rate: what _sample_rate returns. is_guess: whether that follows from a guess. #}
{% macro _side_measures(join, side, rate, is_guess) %}
    {%- set of_side = ' filter (where ' ~ ('is_left' if side == 'left' else 'not is_left') ~ ')' -%}
    {%- set nothing = 'cast(null as string)' -%}
    {#- With keys, candidates are few and count as in no order; and to ask for it takes a fifth of the measuring. -#}
    {%- set order = nothing if join['keys'] else 'cast(regr_r2(row_number, first)' ~ of_side ~ ' as string)' -%}
    {%- set is_point = join[side].kind == 'point' -%}
    {%- set open_firsts = nothing if is_point else dbt_range_join._quantiles_sql('if(is_open, first, null)', [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1], of_side) -%}
    {%- set lengths = nothing if is_point
        else dbt_range_join._quantiles_sql('length', dbt_range_join._length_quantiles() | map('first') | list, of_side) -%}
    {%- set length_bits = nothing if is_point
        else "concat_ws(',', cast(collect_set(\n    if(length > 0, floor(log2(length)), if(length = 0, -1100L, null))\n)" ~ of_side ~ ' as array<string>))' -%}
    {#- One in each n, and the outermost; drawn, as a table joined with itself would have the same rows on both sides, and each meet itself. -#}
    {%- set count = 'count(first)' ~ of_side -%}
    {%- set n = 'greatest(1, ' ~ count ~ ' div 2500)' -%}
    {%- set positions = "concat_ws(',', cast(filter(\n    sort_array(collect_list(first)" ~ of_side ~ '),\n    (position, i) -> i in (0, ' ~ count
        ~ ' - 1) or i % ' ~ n ~ ' = pmod(hash(i div ' ~ n ~ ", '" ~ side ~ "'), " ~ n ~ ')\n) as array<string>))' -%}
    {#- Every nth of them, since the product of both lists is what dbt then counts. -#}
    {%- set hashes = "concat_ws(',', filter(\n    collect_list(key_hash)" ~ of_side
        ~ ',\n    (hash, i) -> i % greatest(1, count(*)' ~ of_side ~ ' div 4000) = 0\n))' -%}
    {%- set places = "concat_ws(',', filter(\n    collect_list(place)" ~ of_side
        ~ ',\n    (place, i) -> i % greatest(1, count(place)' ~ of_side ~ ' div 2000) = 0\n))' -%}
    {{ return([
        'count(*)' ~ of_side ~ ' as ' ~ side ~ '_sampled',
        'cast(' ~ rate ~ ' as string) as ' ~ side ~ '_rate',
        ('count_if(is_last)' ~ of_side if is_guess else '0') ~ ' as ' ~ side ~ '_cut',
        'count_if(is_usable)' ~ of_side ~ ' as ' ~ side ~ '_usable',
        ('0' if is_point else 'count_if(not is_usable)' ~ of_side) ~ ' as ' ~ side ~ '_empty',
        'count_if(is_open)' ~ of_side ~ ' as ' ~ side ~ '_open',
        order ~ ' as ' ~ side ~ '_order',
        positions ~ ' as ' ~ side ~ '_positions',
        open_firsts ~ ' as ' ~ side ~ '_open_firsts',
        lengths ~ ' as ' ~ side ~ '_lengths',
        length_bits ~ ' as ' ~ side ~ '_length_bits',
        (hashes if join['keys'] else nothing) ~ ' as ' ~ side ~ '_key_hashes',
        (places if join['keys'] else nothing) ~ ' as ' ~ side ~ '_places']) }}
{% endmacro %}


{#
    Quantiles of a value as text, "1.5,2.5": at these shares of the rows that `filter` leaves. The shares are one literal, since Spark takes
    time to plan each of many.
#}
{% macro _quantiles_sql(value, shares, filter='') %}
    {{ return("concat_ws(',', cast(percentile_approx(\n    " ~ value ~ ", cast(split('" ~ shares | join(',') ~ "', ',') as array<double>)\n)"
        ~ filter ~ ' as array<string>))') }}
{% endmacro %}


{#
    The sample of one side: is_left, first (NULL of an interval that holds no point, where there are points), length (NULL of a point, and where a
    bound is NULL or the interval open or empty), is_usable, is_open, key_hash (empty where a key is NULL), row_number, is_last; and, where there are keys, place, as
    text 'hash:point' or 'hash:start:end', the hash alone for what can't match; NULL where a key is, and but for every fourth row. types: what _side_types returns.

    Where the rate follows from a guess (is_guess) it may be far too high, as of rows that all are alike, of which a file holds millions in a few bytes. So a
    partition gives no more rows than _most_of_partition says, and is_last tells of one that has come to that.
#}
{% macro _sample_sql(join, side, types, rate, is_guess) %}
    {%- set is_point = join[side].kind == 'point' -%}
    {%- set null_is_open = join.null_bounds == 'unbounded' -%}
    {%- set value_types = types[side].types -%}
    {#- As _has_length has it in the join. -#}
    {%- set needs_length = not is_point and join.inclusive != 'both' and value_types[0] == value_types[1] -%}
    {%- set holds_a_value = 'last >= first' ~ (' and has_length' if needs_length else '') -%}
    {%- set is_infinite = 'false' if is_point else dbt_range_join._is_infinite(value_types) -%}
    {%- set is_unbounded = (' or is_infinite' if is_infinite != 'false' else '') ~ (' or first is null or last is null' if null_is_open else '') -%}
    {%- set is_usable = 'first is not null' if is_point else holds_a_value ~ is_unbounded -%}
    {%- set is_for_ever = dbt_range_join._is_for_ever(value_types[-1], 'last - first') -%}
    {%- set place = 'row_number % 8589934592' -%}
    {%- set keys = [] -%}
    {%- for key in join.key_columns -%}
        {%- set n = loop.index0 -%}
        {%- do keys.append(dbt_range_join._key_text(key, types[side].key_types[n], types[dbt_range_join._other_side(side)].key_types[n])) -%}
    {%- endfor -%}
    {%- set key_hash = 'if(' ~ keys | join(' is not null and ') ~ ' is not null, cast(xxhash64('
        ~ keys | join(', ') ~ ') % 16777216 as string), \'\')' if keys else 'cast(null as string)' -%}
    {%- set sql -%}
select
    {{ side == 'left' }} as is_left,
    {{ 'first' if is_point or join.left.kind == join.right.kind else 'if(' ~ is_usable ~ ', first, null)' }} as first,
    {{ 'cast(null as double)' if is_point else 'if(' ~ holds_a_value ~ ' and not ' ~ is_for_ever ~ ', last - first, null)' }} as length,
    {{ is_usable }} as is_usable,
    {{ 'false' if is_point else is_for_ever ~ is_unbounded }} as is_open,
    key_hash,
    {%- if join['keys'] %}
    if(row_number % 4 = 0 and key_hash <> '', concat_ws(':', key_hash, {{ 'cast(first as string)' if is_point
        else 'if(' ~ is_usable ~ ", concat(coalesce(cast(first as string), '-1e300'), ':', coalesce(cast(last as string), '1e300')), null)" }}), null) as place,
    {%- endif %}
    row_number,
    {{ place ~ ' + 1 = ' ~ dbt_range_join._most_of_partition('row_number') if is_guess else 'false' }} as is_last
from (
    select
        {{ dbt_range_join._position('value_1', value_types[0]) | indent(8) }} as first,
        {%- if not is_point %}
        {{ dbt_range_join._position('value_2', value_types[1]) | indent(8) }} as last,
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
