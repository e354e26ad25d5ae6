{#
    Which rows of a side have a match: for semi and anti joins, and the rows of outer joins that no pair has.

    They are looked for in one join after the other, the later ones only for rows that found nothing so far: as intervals; then
    as points; and as points at one width of bins after another, where a join_condition makes that necessary. For a side that is points or
    intervals alone, one of the two is all. Each look keeps the rows themselves, one row each, so duplicates, NULLs and a condition over
    any column take part as in the plain join.
#}

{# The looks for a side's matches, in turn: meetings (see _meetings), each with its way and, for 'ask', the place of its width. #}
{% macro _looks(join, meetings, side) %}
    {%- set looks = [] -%}
    {%- for meeting in meetings if meeting.intervals == side -%}
        {%- do looks.append(dict(meeting, way='place')) -%}
    {%- endfor -%}
    {%- for meeting in meetings if meeting.points == side -%}
        {%- if join.join_condition is none -%}
            {%- do looks.append(dict(meeting, way='cover')) -%}
        {%- else -%}
            {%- for width in range(dbt_range_join._ask_widths()) -%}
                {%- do looks.append(dict(meeting, way='ask', width=width)) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(looks) }}
{% endmacro %}


{# One look, by the rows that none before it matched. words: 'left semi join' or 'left anti join'. Returns: as _meet. #}
{% macro _look(join, looks, place, side, words, needs) %}
    {%- set rest = 'range_join_' ~ side ~ '_unmatched_' ~ place if place else none -%}
    {{ return(dbt_range_join._meet(join, looks[place], looks[place].way, words, needs, kept=side, kept_from=rest, tied=false)) }}
{% endmacro %}


{# range_join_<side>_unmatched_<n>: a side's rows that the first n looks found no match for. Columns: those of _binned_cte. #}
{% macro _unmatched_cte(join, looks, n, side, needs) %}
    {%- set look = dbt_range_join._look(join, looks, n - 1, side, 'left anti join', needs) -%}
    {%- set columns = dbt_range_join._side_columns(join, side) + ['bin_num'] + (['end_bin'] if join[side].kind == 'interval' else []) -%}
    {%- set sql -%}
range_join_{{ side }}_unmatched_{{ n }} as (
    select{{ look.hint }}
        {{ dbt_range_join._qualified(look.aliases[side], columns) | join(',\n        ') }}
    {{ look.sql | indent(4) }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The selects of the left side's rows with a match, one for each look. #}
{% macro _matched_branches(join, meetings, needs) %}
    {%- set looks = dbt_range_join._looks(join, meetings, 'left') -%}
    {%- set branches = [] -%}
    {%- for place in range(looks | length) -%}
        {%- if place -%}
            {%- do needs.append({'cte': dbt_range_join._unmatched_cte(join, looks, place, 'left', needs)}) -%}
        {%- endif -%}
        {%- do branches.append(dbt_range_join._select_branch(
            join, dbt_range_join._look(join, looks, place, 'left', 'left semi join', needs))) -%}
    {%- endfor -%}
    {{ return(branches) }}
{% endmacro %}


{#
    The select of a side's rows without a match. But in an anti join, the other side's row is NULL there, which makes all that is
    selected of it NULL.
#}
{% macro _unmatched_branch(join, meetings, side, needs) %}
    {%- set looks = dbt_range_join._looks(join, meetings, side) -%}
    {%- for n in range(1, looks | length) -%}
        {%- do needs.append({'cte': dbt_range_join._unmatched_cte(join, looks, n, side, needs)}) -%}
    {%- endfor -%}
    {%- set last = dbt_range_join._look(join, looks, looks | length - 1, side, 'left anti join', needs) -%}
    {%- if join.join_type == 'anti' -%}
        {{ return(dbt_range_join._select_branch(join, last)) }}
    {%- endif -%}
    {%- set other = dbt_range_join._other_side(side) -%}
    {%- set sql -%}
select{{ dbt_range_join._select_list(join.select_items) }}
from (
    select{{ last.hint }}
        {{ last.aliases[side] }}.{{ join[side].alias }},
        types.{{ join[other].alias }}
    {{ last.sql | indent(4) }}
    left join range_join_types as types on true
) as unmatched
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
