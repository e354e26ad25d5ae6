{#
    The comparisons that decide a pair: the contract's section on semantics, and the only place where it is written.
    Each is one conjunct of an ON clause. They read the columns that _side_cte makes: point, interval_start, interval_end.
#}

{# join: the description of the join. left, right: aliases of its sides. Returns: a list of SQL predicates. #}
{% macro _range_predicate(join, left='left_side', right='right_side') %}
    {%- if join.left.kind == 'interval' and join.right.kind == 'interval' -%}
        {%- set operator = '<=' if dbt_range_join._touching_counts(join, 'start') else '<' -%}
        {{ return([
            dbt_range_join._compare(left ~ '.interval_start', operator, right ~ '.interval_end', join.null_bounds, 'both'),
            dbt_range_join._compare(right ~ '.interval_start', operator, left ~ '.interval_end', join.null_bounds, 'both')]) }}
    {%- endif -%}
    {%- set point = left if join.left.kind == 'point' else right -%}
    {%- set interval = right if join.left.kind == 'point' else left -%}
    {{ return([
        dbt_range_join._compare(
            point ~ '.point', '>=' if dbt_range_join._touching_counts(join, 'start') else '>', interval ~ '.interval_start', join.null_bounds, 'right'),
        dbt_range_join._compare(
            point ~ '.point', '<=' if dbt_range_join._touching_counts(join, 'end') else '<', interval ~ '.interval_end', join.null_bounds, 'right')]) }}
{% endmacro %}


{# Whether what only touches a bound matches. bound: the interval's 'start' or 'end'; with two intervals one rule serves both. #}
{% macro _touching_counts(join, bound) %}
    {%- if join.left.kind == join.right.kind -%}
        {{ return(join.inclusive == 'both') }}
    {%- endif -%}
    {{ return(join.inclusive in ['both', 'left' if bound == 'start' else 'right']) }}
{% endmacro %}


{# One comparison; where NULL bounds are open it also holds against a NULL. bounds: which operands are bounds, 'right' or 'both'. #}
{% macro _compare(left, operator, right, null_bounds, bounds) %}
    {%- set comparison = left ~ ' ' ~ operator ~ ' ' ~ right -%}
    {%- if null_bounds == 'no_match' -%}
        {{ return(comparison) }}
    {%- elif bounds == 'both' -%}
        {{ return('(' ~ comparison ~ ' or ' ~ left ~ ' is null or ' ~ right ~ ' is null)') }}
    {%- endif -%}
    {{ return('(' ~ comparison ~ ' or ' ~ right ~ ' is null)') }}
{% endmacro %}


{# Equality of the keys, one predicate a key: NULL equals nothing, as in SQL. #}
{% macro _key_predicate(join, left, right) %}
    {%- set predicates = [] -%}
    {%- for key in join.key_columns -%}
        {%- do predicates.append(left ~ '.' ~ key ~ ' = ' ~ right ~ '.' ~ key) -%}
    {%- endfor -%}
    {{ return(predicates) }}
{% endmacro %}


{# The caller's own predicate, in parentheses on lines of its own. #}
{% macro _join_condition(join) %}
    {%- if join.join_condition is none -%}
        {{ return([]) }}
    {%- endif -%}
    {{ return(['(\n            ' ~ join.join_condition | trim | indent(12) ~ '\n        )']) }}
{% endmacro %}


{# Whether an interval holds any value at all: false for inverted ones, and for empty ones where an end is exclusive. #}
{% macro _interval_is_not_empty(start, end, inclusive, null_bounds) %}
    {%- set comparison = start ~ (' <= ' if inclusive == 'both' else ' < ') ~ end -%}
    {%- if null_bounds == 'unbounded' -%}
        {{ return('(' ~ comparison ~ ' or ' ~ start ~ ' is null or ' ~ end ~ ' is null)') }}
    {%- endif -%}
    {{ return(comparison) }}
{% endmacro %}


{#
    Where the row that plays the point starts, against the row that plays the interval; a NULL start that is open lies below
    all others. tie: 'at or after', or its exact opposite seen from the other side, 'after': of two starts that can't be compared, as one
    has no value in the type that it would be compared in (a DECIMAL too large for it), the one is true and the other false, too. Such a start is in the
    lowest bin where NULL bounds are open, as an open one is.
#}
{% macro _starts(tie, points, intervals, null_bounds) %}
    {%- set point = points ~ '.interval_start' -%}
    {%- set start = intervals ~ '.interval_start' -%}
    {%- set comparison, otherwise, word = (point ~ ' >= ' ~ start, 'true', 'or') if tie == 'at or after' else (point ~ ' > ' ~ start, 'false', 'and') -%}
    {%- if null_bounds == 'no_match' -%}
        {{ return('coalesce(' ~ comparison ~ ', ' ~ otherwise ~ ')') }}
    {%- endif -%}
    {%- set is_lowest = dbt_range_join._as_common_type(start, [point]) ~ ' is null' -%}
    {%- set is_higher = dbt_range_join._as_common_type(point, [start]) ~ ' is not null' -%}
    {{ return('coalesce(\n            ' ~ comparison ~ ',\n            ' ~ is_lowest ~ '\n            ' ~ word ~ ' ' ~ is_higher ~ '\n        )') }}
{% endmacro %}
