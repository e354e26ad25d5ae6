{#
    Slots: a bin of some width as one number, by which intervals at many widths and the points that look for them meet in one join on
    one BIGINT. _place.sql, _levels.sql, _ask.sql and _overlap.sql put intervals in slots.

    A slot's number is the width's shift (0 to 63) in the upper six bits, and the lower 58 bits of the bin below them, so that, without keys, slots
    of one width are as close together as their bins: Spark's hash table of BIGINTs is an array then. Slots that are 2^58 bins
    apart share a number: that only adds candidates, which the predicate rejects.
#}

{#
    The number of a slot; with keys, mixed with their hash, so that each key has slots of its own. shift: a SQL expression, or, where there are slots of
    one width alone, a number: then the bin is the slot's number.
#}
{% macro _slot(join, bin_num, shift) %}
    {%- set slot = bin_num if shift is number else 'shiftleft(cast(' ~ shift ~ ' as bigint), 58) | ' ~ bin_num ~ ' & 288230376151711743' -%}
    {{ return('key_hash ^ (' ~ slot ~ ')' if join['keys'] else slot) }}
{% endmacro %}


{# How intervals in slots meet the points that probe these, or other intervals. Returns: a list of predicates over the two aliases. #}
{% macro _slot_predicate(join, probes, intervals) %}
    {{ return([probes ~ '.slot = ' ~ intervals ~ '.slot'] + dbt_range_join._hashed_key_predicate(join, probes, intervals)) }}
{% endmacro %}


{# A bin, or the wider one that it lies in. shift: a SQL expression, or a number. #}
{% macro _shifted(bin_num, shift) %}{{ return(bin_num if shift is number and shift == 0 else 'shiftright(' ~ bin_num ~ ', ' ~ shift ~ ')') }}{% endmacro %}


{#
    range_join_<points_side>_<name>: the points of a side, once for each slot to look in. Columns: those of the side, slot.

    looks: where to look: a SQL expression, an array of numbers, each of which is a `look`; or a number, the shift of the one width that there is.
    bin, shift: SQL expressions over _point_bin and look, the bin in which to look and the shift of its width. Of one known width, which there is only where NULL
    bounds are not open, the bin is made of bin_num.

    is_kept: whether points without a bin are rows, too, of which there is one a point: only of one width.

    Rows are exploded once: of two explodes in turn, Spark 4.3 drops a field of the row's struct that is read later
    (INTERNAL_ERROR_ATTRIBUTE_NOT_FOUND), where three or more are.
#}
{% macro _probes_cte(join, points_side, name, looks, bin, shift, is_kept=false) %}
    {%- set is_one = looks is number -%}
    {%- set items = ['*'] + dbt_range_join._point_bin_items(join, points_side) + ['explode(if(bin_num is null, null, ' ~ looks ~ ')) as look'] -%}
    {%- set sql -%}
range_join_{{ points_side }}_{{ name }} as (
    select
        {{ join[points_side].columns | join(',\n        ') }},
        {{ dbt_range_join._slot(join, bin, shift) }} as slot
    {%- if is_one %}
    from range_join_{{ points_side }}_binned
    {%- if join.null_bounds == 'no_match' and not is_kept %}
    where {{ join[points_side].value_columns[0] }} is not null
    {%- endif %}
    {%- else %}
    from (
        select
            {{ items | join(',\n            ') }}
        from range_join_{{ points_side }}_binned
    ) as looks
    {%- endif %}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
