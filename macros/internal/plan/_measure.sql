{#
    What is known of the data when bin_size is left out: one statement that counts each side, and passes over the columns that the join
    reads, of which it looks at a sample of some ten thousand rows a side. Asked anew each time that dbt compiles the model, so
    that nothing can go stale.
#}

{#
    The data of a join's two sides, or none where it can't be measured: while dbt parses, where dbt may not ask the
    warehouse (--no-introspect), and where a side is something that Spark can't find by itself: a CTE of the model, an
    ephemeral model, the inputs of a unit test. Spark is asked to explain a query of both first, which tells that without an error.

    Returns: {left, right, key_share}. A side: rows; firsts, the quantiles of its points or starts at 0, 1/32, ... 1; lengths, those of
    its intervals at _length_quantiles(); usable, the share of its rows that can match; open, the share of intervals that have an open end;
    types, names of Spark's types. Positions are numbers, or microseconds. key_share: the share of all pairs that have equal keys.
#}
{% macro _measure(join) %}
    {%- if not execute or (flags.INTROSPECT is defined and not flags.INTROSPECT) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set sql = dbt_range_join._measure_sql(join) -%}
    {%- set explained = run_query('explain ' ~ dbt_range_join._probe_sql(join)) -%}
    {%- if 'Error occurred during query planning' in explained.columns[0].values() | join('\n') -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set sides = {} -%}
    {%- set hashes = {} -%}
    {%- for row in run_query(sql).rows -%}
        {%- set values = [] -%}
        {%- for value in row -%}
            {%- do values.append(value) -%}
        {%- endfor -%}
        {%- set side, rows, sampled, usable, opened, firsts, lengths, types, keys = values -%}
        {%- set sampled = [sampled | int, 1] | max -%}
        {%- do sides.update({side: {
            'rows': rows | int, 'usable': (usable | int) / sampled, 'open': (opened | int) / sampled,
            'firsts': dbt_range_join._numbers(firsts), 'lengths': dbt_range_join._numbers(lengths), 'types': (types or 'void').split(',')}}) -%}
        {%- do hashes.update({side: keys.split(',') if keys else []}) -%}
    {%- endfor -%}
    {%- do sides.update({'key_share': dbt_range_join._key_share(join, hashes.left, hashes.right)}) -%}
    {{ return(sides) }}
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
    {{ return(quantiles + [[0.985, 0.01], [0.9925, 0.005], [0.9965, 0.003], [0.999, 0.002]]) }}
{% endmacro %}


{#
    The statement, one row a side; numbers in lists as text, since not every way to Spark returns arrays. Each side is named
    once, in a CTE, since Spark looks a table up wherever it stands.
#}
{% macro _measure_sql(join) %}
    {%- set selects = [] -%}
    {%- for side in ['left', 'right'] -%}
        {%- do selects.append(dbt_range_join._measure_side_sql(join, side)) -%}
    {%- endfor -%}
    {{ return(dbt_range_join._values_ctes(join) ~ selects | join('\nunion all\n')) }}
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


{# The row of one side. #}
{% macro _measure_side_sql(join, side) %}
    {%- set values = 1 if join[side].kind == 'point' else 2 -%}
    {%- set cells = [] -%}
    {%- for i in range(33) -%}
        {%- do cells.append(i / 32) -%}
    {%- endfor -%}
    {%- set keys = [] -%}
    {%- for _ in join['keys'] -%}
        {%- do keys.append('cast(key_' ~ loop.index ~ ' as string)') -%}
    {%- endfor -%}
    {%- set key_hash = 'if(rand(2) < 0.4 and ' ~ keys | join(' is not null and ') ~ ' is not null, cast(xxhash64('
        ~ keys | join(', ') ~ ') % 16777216 as string), null)' if keys else 'cast(null as string)' -%}
    {%- set usable = 'length >= 0 or first is null or last is null' if values == 2 and join.null_bounds == 'unbounded' else 'length >= 0' -%}
    {%- set count = '(select count(*) from range_join_' ~ side ~ '_values)' -%}
    {%- set sql -%}
select
    '{{ side }}' as side,
    {{ count }} as all_rows,
    count(*) as sampled,
    count_if({{ usable }}) as usable,
    count_if(first is null or last is null) as opened,
    concat_ws(',', cast(percentile_approx(first, array({{ cells | join(', ') }})) as array<string>)) as firsts,
    concat_ws(',', cast(percentile_approx(if(length >= 0, length, null), array({{
        dbt_range_join._length_quantiles() | map('first') | join(', ') }})) as array<string>)) as lengths,
    max(types) as types,
    concat_ws(',', collect_list(key_hash)) as key_hashes
from (
    select
        *,
        last - first as length
    from (
        select
            {{ dbt_range_join._position('value_1') | indent(12) }} as first,
            {{ dbt_range_join._position('value_' ~ values) | indent(12) }} as last,
            {{ "typeof(value_1)" if values == 1 else "concat(typeof(value_1), ',', typeof(value_2))" }} as types,
            {{ key_hash }} as key_hash
        from range_join_{{ side }}_values
        where rand(1) < 10000 / {{ count }}
    ) as positions
) as lengths
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    Where a value lies, as a DOUBLE: a number itself, microseconds since 1970 for dates and timestamps; NULL for NULL, NaN and
    infinities. Good enough to estimate, not to join. The type is not known here: Spark folds the branches, and each cast is legal for
    every type, for which numbers go through STRING.
#}
{% macro _position(value) %}
    {%- set sql -%}
case
    when typeof({{ value }}) in ('timestamp', 'timestamp_ntz', 'date')
        then cast(unix_micros(cast({{ value }} as timestamp)) as double)
    else if(abs(try_cast(cast({{ value }} as string) as double)) < 1e300, try_cast(cast({{ value }} as string) as double), null)
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
