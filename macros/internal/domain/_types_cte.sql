{#
    range_join_types: the types that Spark compares the values in, as columns of a relation without rows. A left join with it
    costs nothing, since Spark drops it when it plans, and gives NULLs of these types.

    `coalesce(x, types.comparable)` is x in the type that the points and all bounds have in common. Without it a DATE and a
    TIMESTAMP, or an INT and a FLOAT, would be binned on scales of their own.

    Columns: l and r, the sides' rows; left_key_1, right_key_1 ..., their keys; left_point, right_interval_start ..., their values; comparable, of the type common to all values; pair_1 ... pair_n, of the types in which
    the predicate compares two at a time.
#}
{% macro _types_cte(join) %}
    {%- set values = dbt_range_join._qualified('left_side', join.left.value_columns)
        + dbt_range_join._qualified('right_side', join.right.value_columns) -%}
    {%- set sql -%}
-- the types in which values are compared; no rows, and gone when Spark has planned
range_join_types as (
    select
        left_side.{{ join.left.alias }},
        right_side.{{ join.right.alias }},
        {%- for key in join.key_columns %}
        left_side.{{ key }} as left_{{ key }},
        right_side.{{ key }} as right_{{ key }},
        {%- endfor %}
        {%- for side in ['left', 'right'] %}
        {%- for column in join[side].value_columns %}
        {{ side }}_side.{{ column }} as {{ side }}_{{ column }},
        {%- endfor %}
        {%- endfor %}
        coalesce({{ values | join(', ') }}) as comparable,
        {%- for left, right in dbt_range_join._compared_columns(join) %}
        coalesce(left_side.{{ left }}, right_side.{{ right }}) as pair_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
    from range_join_left as left_side
    cross join range_join_right as right_side
    limit 0
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# What the predicate compares, as pairs of a column on the left and one on the right. #}
{% macro _compared_columns(join) %}
    {%- if join.left.kind == 'point' -%}
        {{ return([['point', 'interval_start'], ['point', 'interval_end']]) }}
    {%- elif join.right.kind == 'point' -%}
        {{ return([['interval_start', 'point'], ['interval_end', 'point']]) }}
    {%- endif -%}
    {{ return([['interval_start', 'interval_end'], ['interval_end', 'interval_start'], ['interval_start', 'interval_start']]) }}
{% endmacro %}


{#
    Whether the types compared are so mixed that no scale keeps the order of them all: a predicate over range_join_types, that
    Spark folds to true or false when it plans.

    Spark compares two values at a time, in the type that these two have in common. Where a third value makes the type of all
    of them wider, that may undo what the narrower type did: an INT is rounded to FLOAT, a DECIMAL of 38 digits drops
    decimals, or has no room for what fits the narrower type, and a TIMESTAMP_NTZ that the session's clock skips has no place of its own
    among TIMESTAMPs. A STRING is a DATE beside one in ANSI mode, and loses its time of day. All values then share one bin: slow, and right.

    Not so where both values are FLOATs, of which each is a DOUBLE, too.
#}
{% macro _are_mixed(join) %}
    {%- set mixed = [] -%}
    {%- for left, right in dbt_range_join._compared_columns(join) -%}
        {%- set pair = 'typeof(types.pair_' ~ loop.index ~ ')' -%}
        {%- set one, other = 'typeof(types.left_' ~ left ~ ')', 'typeof(types.right_' ~ right ~ ')' -%}
        {%- set sql -%}
{{ pair }} <> typeof(types.comparable)
and (
    {{ pair }} rlike '^(decimal.38|timestamp_ntz)' or typeof(types.comparable) rlike '^decimal.38,[1-9]'
    or {{ pair }} = 'float' and not ({{ one }} = 'float' and {{ other }} = 'float')
    or {{ one }} like 'string%' or {{ other }} like 'string%'
)
        {%- endset -%}
        {%- do mixed.append(sql) -%}
    {%- endfor -%}
    {{ return(mixed | join('\nor ')) }}
{% endmacro %}
