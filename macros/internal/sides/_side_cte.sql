{#
    The first CTE of a side: its rows whole, as one struct named like the side's alias (`l` or `r`), and beside it the
    values that the join reads. Since the row is a struct, the caller's `l.amount`, `r.*` and the like mean its own columns
    and nothing else: no generated column can clash with one of them or reach the output.

    Where `join.dealt` names the side, a hint has Spark deal its rows out (plan/_dealt_side.sql), before they have copies.

    Columns: <alias>, key_1 ... key_n, and point, or interval_start and interval_end. Rows: those of the relation.
#}
{% macro _side_cte(join, side) %}
    {%- set description = join[side] -%}
    {%- set alias = description.alias -%}
    {%- set is_dealt = join.dealt is not none and join.dealt.side == side -%}
    {%- set sql -%}
range_join_{{ side }} as (
    {%- if is_dealt %}
    -- dealt out over tasks, as one part of it makes millions of pairs
    {%- endif %}
    select{{ ' /*+ repartition(' ~ join.dealt.parts ~ ') */' if is_dealt }}
        struct({{ alias }}.*) as {{ alias }},
        {%- for key in join['keys'] %}
        ({{ key[side] }}) as key_{{ loop.index }},
        {%- endfor %}
        {%- if description.kind == 'point' %}
        ({{ description.point }}) as point
        {%- else %}
        ({{ description.interval[0] }}) as interval_start,
        ({{ description.interval[1] }}) as interval_end
        {%- endif %}
    from {{ description.relation }} as {{ alias }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The names that _side_cte gives the keys. #}
{% macro _key_columns(keys) %}
    {%- set columns = [] -%}
    {%- for _ in keys -%}
        {%- do columns.append('key_' ~ loop.index) -%}
    {%- endfor -%}
    {{ return(columns) }}
{% endmacro %}


{# The names that _side_cte gives the values of a side that the range predicate compares. kind: of the side. #}
{% macro _value_columns(kind) %}{{ return(['point'] if kind == 'point' else ['interval_start', 'interval_end']) }}{% endmacro %}


{# What the caller gave of a side's point, or of its bounds: a list, in the order of _value_columns. #}
{% macro _values_given(side) %}{{ return(side.interval or [side.point]) }}{% endmacro %}


{# Columns with an alias before each. #}
{% macro _qualified(alias, columns) %}
    {%- set qualified = [] -%}
    {%- for column in columns -%}
        {%- do qualified.append(alias ~ '.' ~ column) -%}
    {%- endfor -%}
    {{ return(qualified) }}
{% endmacro %}


{# A select list of columns that are given as expressions by name; those not given are as they are. #}
{% macro _named(columns, expressions) %}
    {%- set items = [] -%}
    {%- for column in columns -%}
        {%- set expression = expressions[column] | default(column) -%}
        {%- do items.append(expression if expression == column or expression.endswith('.' ~ column) else expression ~ ' as ' ~ column) -%}
    {%- endfor -%}
    {{ return(items) }}
{% endmacro %}
