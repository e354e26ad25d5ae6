{#
    Which rows of a side have a match, told by one sweep over both sides in order: for semi and anti joins, and the rows of outer
    joins that no pair has, where no join_condition has a say. No row meets another: both are sorted, and nothing is copied.

    An interval matches a row if it starts no later than that row ends, and ends no earlier than that row starts. Of all that start
    no later, the one that ends last decides. So the sweep goes by where the rows of the side end and where those of the other side
    start, and keeps in mind how far the latter reach: a running maximum, which is a window function in Spark. A point starts and
    ends where it lies. (Plane sweep: Shamos and Hoey, Geometric intersection problems, 1976.)

    To sort in parallel, the sweep is cut in chunks of 16 bins, and each begins with what those before it reach. Nothing else here
    goes by bins, so bin_size has no say in what is compared, only in how many chunks there are: one task sorts a chunk, and,
    without keys, the list of all chunks. Tiny sides are swept in one piece, without bins, which elsewhere tell a type that bin_size does not fit.
#}

{#
    range_join_<side>_reached, and the CTEs that it needs. Columns: the side's row; has_match. Rows: those of the side.

    What is swept are the rows of both sides, once, and (but for tiny sides) one row per keys and chunk. Of the other side, only those that can match: a
    start that has no value in the type that it is compared in (a DECIMAL too large for it) is left out, as a NULL is, or comes after all values where
    NULL bounds are open, as it matches open ends (_after_values). With keys, a
    row of the other side is there by the side's key that equals its own, which is its own where _are_alike; else once for each that does: one,
    unless keys are of two types ('1' and '01' both equal 1). So the distinct keys are joined only where keys are not alike: Spark folds the
    condition, and with it the join.

    The columns of what is swept. is_kept: whether it is a row of the side. swept_at: where the sweep meets it. reach: how far it reaches;
    NULL for the side's own. Where NULL bounds are open also: is_open, whether it reaches beyond all, and null_rank, which puts NULLs in
    their place: 0 an open start of the other side, 1 a NULL point of the side (in intervals open at both ends alone), 2 values, 3 a NULL point
    of the other side, 4 an open end of the side.
#}
{% macro _sweep_sql(join, side) %}
    {%- set keys = join.key_columns -%}
    {%- set row = join[side].alias -%}
    {%- set low = dbt_range_join._ends(join, side)[0] -%}
    {%- set open = join.null_bounds == 'unbounded' -%}
    {%- set columns = dbt_range_join._swept_columns(join, side) -%}
    {%- set binned = '' if join.tiny else '_binned' -%}
    {%- set reach = 'if(is_kept, null, struct(is_open, reach))' if open else 'reach' -%}
    {%- set carried = {'is_kept': 'false', row: 'null', low: 'null', 'null_rank': 'null', 'swept_at': 'null'} -%}
    {%- do carried.update({'is_open': 'reach.is_open', 'reach': 'reach.reach'} if open else {}) -%}
    {%- set touching_first = dbt_range_join._touching_counts(join, 'start' if join[side].kind == 'point' else 'end') -%}
    {%- set order = (['null_rank'] if open else []) + ['swept_at', 'is_kept' if touching_first else 'not is_kept'] -%}
    {%- set pieces = keys + ([] if join.tiny else ['chunk']) -%}
    {%- set sql -%}
{%- if keys -%}
range_join_{{ side }}_keys as (
    select distinct {{ keys | join(', ') }}
    from range_join_{{ side }}
),

{% endif -%}
-- both sides as they are swept: by where {{ row }} ends, and where the other side starts
range_join_{{ side }}_sweep as (
    {%- if open %}
    {%- set after_values = dbt_range_join._after_values() %}
    select
        {{ dbt_range_join._named(columns | reject('in', after_values) | list + columns | select('in', after_values) | list, after_values) | join(',\n        ') }}
    {%- else %}
    select *
    {%- endif %}
    from (
        select
            {{ dbt_range_join._named(columns, dbt_range_join._swept_kept(join, side)) | join(',\n            ') }}
        from range_join_{{ side }}{{ binned }}
        union all
        select
            {{ dbt_range_join._named(columns, dbt_range_join._swept_other(join, side)) | join(',\n') | indent(12) }}
        from range_join_{{ dbt_range_join._other_side(side) }}{{ binned }}
        {%- if keys %} as other_rows
        left join range_join_{{ side }}_keys as same
            on
                not (
                    {{ dbt_range_join._are_alike(keys) | indent(20) }}
                )
                and {{ dbt_range_join._key_predicate(join, 'same', 'other_rows') | join('\n                and ') }}
        {%- endif %}
    ) as both_sides
    where
        {%- if join.tiny %}
        {{ dbt_range_join._fits_bin_size(['swept_at', 'reach'], join.bin) | indent(8) }}
        and (is_kept or ({{ dbt_range_join._can_match(keys, open) }}))
        {%- else %} is_kept or ({{ dbt_range_join._can_match(keys, open) }})
        {%- endif %}
),

{% if not join.tiny -%}
{{ dbt_range_join._chunks_cte(side, keys, reach) }},

{% endif -%}
range_join_{{ side }}_reached as (
    select
        {{ row }},
        coalesce({{ dbt_range_join._is_reached(join, side) }}, false) as has_match
    from (
        select
            is_kept,
            {{ row }},
            {{ low }},
            max({{ reach }}) over (
                {%- if pieces %}
                partition by {{ pieces | join(', ') }}
                {%- endif %}
                order by {{ order | join(', ') }}
                rows between unbounded preceding and current row
            ) as reach
        {%- if join.tiny %}
        from range_join_{{ side }}_sweep
        {%- else %}
        from (
            select
                {{ columns | join(',\n                ') }}
            from range_join_{{ side }}_sweep
            union all
            select
                {{ dbt_range_join._named(columns, carried) | join(',\n                ') }}
            from range_join_{{ side }}_chunks
            where reach is not null
        ) as swept
        {%- endif %}
    ) as swept
    where is_kept
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    range_join_<side>_chunks: how far those before a chunk reach. Columns: the keys; chunk; reach, NULL for the first. Rows: one per keys and chunk.
    reach: a SQL expression over what is swept, NULL for the side's own rows.
#}
{% macro _chunks_cte(side, keys, reach) %}
    {%- set sql -%}
range_join_{{ side }}_chunks as (
    select
        {{ (keys + ['chunk']) | join(',\n        ') }},
        max(reach) over (
            {{- 'partition by ' ~ keys | join(', ') ~ ' ' if keys }}order by chunk rows between unbounded preceding and 1 preceding) as reach
    from (
        select
            {{ (keys + ['chunk']) | join(',\n            ') }},
            max({{ reach }}) as reach
        from range_join_{{ side }}_sweep
        group by {{ (keys + ['chunk']) | join(', ') }}
    ) as chunks
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# Whether a row of the other side can match at all. open: whether NULL bounds are. #}
{% macro _can_match(keys, open) %}
    {%- set known = [] -%}
    {%- for column in keys + ([] if open else ['swept_at', 'reach']) -%}
        {%- do known.append(column ~ ' is not null') -%}
    {%- endfor -%}
    {{ return(known | join(' and ') or 'true') }}
{% endmacro %}


{#
    Where NULL bounds are open: the place of a start of the other side that has no value in the type that it is compared in, as the columns that tell it.
    It is known once both sides are in one column: after all values, and before the open ends, which are all that it meets.
#}
{% macro _after_values() %}
    {%- set has_none = 'not is_kept and null_rank = 2 and swept_at is null' -%}
    {{ return({'chunk': 'if(' ~ has_none ~ ', 576460752303423487, chunk)', 'null_rank': 'if(' ~ has_none ~ ', 3, null_rank)'}) }}
{% endmacro %}


{# The columns of what is swept, in order. #}
{% macro _swept_columns(join, side) %}
    {%- set open = join.null_bounds == 'unbounded' -%}
    {{ return(
        ['is_kept', join[side].alias, dbt_range_join._ends(join, side)[0]] + join.key_columns + ([] if join.tiny else ['chunk'])
        + (['null_rank'] if open else []) + ['swept_at'] + (['is_open'] if open else []) + ['reach']) }}
{% endmacro %}


{#
    What they are for the side's own rows, by name; a column not named is as it is. `reach` is a NULL of the type of the row's start, so
    that the union with the other side's reach is of the type in which the two are compared; `swept_at` comes by its type in the same way.
#}
{% macro _swept_kept(join, side) %}
    {%- set low, high = dbt_range_join._ends(join, side) -%}
    {%- set chunk = dbt_range_join._chunk('bin_num' if low == high else 'end_bin') -%}
    {#- Intervals without an end are spread over chunks of their own, where nothing is left to sort among, not to crowd in one task. -#}
    {%- if low != high and join.null_bounds == 'no_match' -%}
        {#- Before all others: nothing reaches them. -#}
        {%- set chunk = 'if(end_bin is null, -576460752303423489 - pmod(bin_num, 1024), ' ~ chunk ~ ')' -%}
    {%- elif low != high -%}
        {#- After all others: all that start reach them. An end that has no value in the type that it is compared in comes with the open starts, which it meets. -#}
        {%- set chunk = 'if(' ~ high ~ ' is null, 576460752303423488 + pmod(bin_num, 1024), '
            ~ dbt_range_join._chunk('coalesce(end_bin, ' ~ dbt_range_join._lowest_bin() ~ ')') ~ ')' -%}
    {%- endif -%}
    {{ return({
        'is_kept': 'true', 'chunk': chunk, 'null_rank': 'if(' ~ high ~ ' is null, ' ~ (1 if low == high else 4) ~ ', 2)',
        'swept_at': high, 'is_open': 'false', 'reach': 'if(true, null, ' ~ low ~ ')'}) }}
{% endmacro %}


{# The same for the rows of the other side. #}
{% macro _swept_other(join, side) %}
    {%- set low, high = dbt_range_join._ends(join, dbt_range_join._other_side(side)) -%}
    {%- set bin = 'bin_num' -%}
    {%- if low == high and join.null_bounds == 'unbounded' -%}
        {%- set bin = 'if(' ~ low ~ ' is null, 9223372036854775807, bin_num)' -%}
    {%- endif -%}
    {%- set swept = {
        'is_kept': 'false', join[side].alias: 'null', dbt_range_join._ends(join, side)[0]: 'null',
        'chunk': dbt_range_join._chunk(bin), 'null_rank': 'if(' ~ low ~ ' is null, ' ~ (3 if low == high else 0) ~ ', 2)',
        'swept_at': low, 'is_open': 'false' if low == high else high ~ ' is null', 'reach': high} -%}
    {%- set keys = join.key_columns -%}
    {%- for key in keys -%}
        {%- do swept.update({key: dbt_range_join._other_key(keys, key)}) -%}
    {%- endfor -%}
    {{ return(swept) }}
{% endmacro %}


{#
    A key of the other side's rows: their own one where keys are alike, else that of the side which equals it. A struct takes that choice, of
    which Spark makes one of the two fields when it plans, because `if` and `case` would give both of them one type, and turn '1' into 1.
#}
{% macro _other_key(keys, key) %}
    {%- set fields = [] -%}
    {%- for column, if_alike, if_not in [['other_rows.' ~ key, 'taken', 'left'], ['same.' ~ key, 'left', 'taken']] -%}
        {%- set field -%}
if(
    {{ dbt_range_join._are_alike(keys) | indent(4) }},
    '{{ if_alike }}',
    '{{ if_not }}'
),
{{ column }}
        {%- endset -%}
        {%- do fields.append(field) -%}
    {%- endfor -%}
    {{ return('named_struct(\n' ~ fields | join(',\n') | indent(4, true) ~ '\n).taken') }}
{% endmacro %}


{# Whether all keys of the two sides are of one type in which equal keys are the same: a predicate that Spark folds. #}
{% macro _are_alike(keys) %}
    {%- set predicates = [] -%}
    {%- for key in keys -%}
        {%- do predicates.append(dbt_range_join._are_of_one_type('same.' ~ key, 'other_rows.' ~ key)) -%}
    {%- endfor -%}
    {{ return(predicates | join('\nand ')) }}
{% endmacro %}


{# Where a row of a side starts and where it ends, as two columns: the same one for a point. #}
{% macro _ends(join, side) %}
    {%- set values = join[side].value_columns -%}
    {{ return([values[0], values[-1]]) }}
{% endmacro %}


{# Whether what started no later than a row of the side reaches its start. `reach` is NULL where nothing did. #}
{% macro _is_reached(join, side) %}
    {%- set low = dbt_range_join._ends(join, side)[0] -%}
    {%- set operator = ' <= ' if dbt_range_join._touching_counts(join, 'end' if join[side].kind == 'point' else 'start') else ' < ' -%}
    {%- if join.null_bounds == 'no_match' -%}
        {{ return(low ~ operator ~ 'reach') }}
    {%- endif -%}
    {{ return('reach is not null and (' ~ low ~ operator ~ 'reach.reach or reach.is_open'
        ~ (' or ' ~ low ~ ' is null' if join[side].kind == 'interval' else '') ~ ')') }}
{% endmacro %}


{# The number of the chunk that a bin lies in. #}
{% macro _chunk(bin) %}{{ return('shiftright(' ~ bin ~ ', 4)') }}{% endmacro %}
