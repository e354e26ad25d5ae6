{#
    Which rows of a side have a match: for semi and anti joins, and the rows of outer joins that no pair has.

    Without a join_condition one sweep tells it for all rows: see bins/_sweep.sql. It sorts both sides, which is not worth it where the other
    side is small, or cheaper to broadcast: then, and with a join_condition, they are looked for in one join after the other, the later ones only for rows that
    found nothing so far: as intervals; then as points, at one width of bins after another. For a side that is points or intervals alone, one
    of the two is all. Each look keeps the rows themselves, one row each, so duplicates, NULLs and a condition over any column take part as in the plain join.
#}

{# Whether a sweep tells which rows of a side have a match. #}
{% macro _is_side_swept(join, side) %}{{ return(join.join_condition is none and join.small != dbt_range_join._other_side(side)) }}{% endmacro %}


{# Whether a sweep is all that a join takes, so that no bin size makes it compare more or less. #}
{% macro _is_swept(join) %}{{ return(join.join_type in ['semi', 'anti'] and dbt_range_join._is_side_swept(join, 'left')) }}{% endmacro %}


{# The left side's rows with a match: a list of what _meet returns. Appends to `needs` what CTEs they read. #}
{% macro _matched_parts(join, meetings, needs) %}
    {%- if dbt_range_join._is_side_swept(join, 'left') -%}
        {{ return([dbt_range_join._from_sweep(join, 'left', 'has_match', needs)]) }}
    {%- endif -%}
    {%- set looks = dbt_range_join._looks(join, meetings, 'left') -%}
    {%- set parts = [] -%}
    {%- for place in range(looks | length) -%}
        {%- if place -%}
            {%- do needs.append({'cte': dbt_range_join._unmatched_cte(join, looks, place, 'left', needs)}) -%}
        {%- endif -%}
        {%- do parts.append(dbt_range_join._look(join, looks, place, 'left', 'left semi join', needs)) -%}
    {%- endfor -%}
    {{ return(parts) }}
{% endmacro %}


{# A side's rows, what _meet returns, each beside a row of the other side that is NULL, which makes all that is selected of it NULL. Appends to `needs` whose row that is. #}
{% macro _beside_null(join, side, part, needs) %}
    {%- do needs.append({'types': true}) -%}
    {%- set other = dbt_range_join._other_side(side) -%}
    {{ return(dict(part, sql=part.sql ~ '\nleft join range_join_types as types on true', aliases={side: part.aliases[side], other: 'types'})) }}
{% endmacro %}


{# The FROM of a side's rows without a match. Returns: as _meet. #}
{% macro _unmatched(join, meetings, side, needs) %}
    {%- if dbt_range_join._is_side_swept(join, side) -%}
        {{ return(dbt_range_join._from_sweep(join, side, 'not has_match', needs)) }}
    {%- endif -%}
    {%- set looks = dbt_range_join._looks(join, meetings, side) -%}
    {%- for n in range(1, looks | length) -%}
        {%- do needs.append({'cte': dbt_range_join._unmatched_cte(join, looks, n, side, needs)}) -%}
    {%- endfor -%}
    {{ return(dbt_range_join._look(join, looks, looks | length - 1, side, 'left anti join', needs)) }}
{% endmacro %}


{# The FROM of those of a side's rows, swept, of which a predicate over has_match holds. Returns: as _meet. #}
{% macro _from_sweep(join, side, predicate, needs) %}
    {%- do needs.append({'cte': dbt_range_join._sweep_sql(join, side), 'swept': side}) -%}
    {%- set sql -%}
from (
    select {{ join[side].alias }}
    from range_join_{{ side }}_reached
    where {{ predicate }}
) as swept_rows
    {%- endset -%}
    {{ return({'sql': sql, 'aliases': {side: 'swept_rows'}, 'hint': ''}) }}
{% endmacro %}


{# The looks for a side's matches, in turn: meetings (see _meetings), each with its way and, for 'ask', the place of its width. #}
{% macro _looks(join, meetings, side) %}
    {%- set looks = [] -%}
    {%- for meeting in meetings if meeting.intervals == side -%}
        {%- do looks.append(dict(meeting, way='place')) -%}
    {%- endfor -%}
    {%- for meeting in meetings if meeting.points == side -%}
        {%- for width in range(dbt_range_join._ask_widths(join)) -%}
            {%- do looks.append(dict(meeting, way='ask', width=width)) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(looks) }}
{% endmacro %}


{# One look, by the rows that none before it matched. words: 'left semi join' or 'left anti join'. Returns: as _meet. #}
{% macro _look(join, looks, place, side, words, needs) %}
    {%- set rest = 'range_join_' ~ side ~ '_unmatched_' ~ place if place else none -%}
    {{ return(dbt_range_join._meet(join, looks[place], looks[place].way, words, needs, kept=side, kept_from=rest, tied=false)) }}
{% endmacro %}


{# range_join_<side>_unmatched_<n>: a side's rows that the first n looks found no match for. Columns: those of _binned_cte, but for end_bin. #}
{% macro _unmatched_cte(join, looks, n, side, needs) %}
    {%- set look = dbt_range_join._look(join, looks, n - 1, side, 'left anti join', needs) -%}
    {%- set columns = join[side].columns + dbt_range_join._key_hash_column(join) + ['bin_num'] -%}
    {%- set sql -%}
range_join_{{ side }}_unmatched_{{ n }} as (
    select{{ look.hint }}
        {{ dbt_range_join._qualified(look.aliases[side], columns) | join(',\n        ') }}
    {{ look.sql | indent(4) }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
