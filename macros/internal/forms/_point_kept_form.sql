{#
    Points kept, intervals fanned out: `points <join type> fanned-out intervals` on the bin, exact predicate beside it.

    Every pair is proposed at most once, and exactly once where it matches: a point has one bin, an interval is in each
    bin at most once, and p in [s, e] puts bin(p) in [bin(s), bin(e)].

    What bounds the fan-out: an interval is clamped to the extent of the points; if it still touches more than about
    32 bins, it goes only to those of its bins that hold points (range_join_occupied), found by a join on bins 16, 256, ...
    times as wide, of which it touches 18 at most. Every copy so made but those at the two ends of an interval meets a match.
#}
{% macro _point_kept_form(join) %}
    {%- set point_side, interval_side = ('left', 'right') if join.left.kind == 'point' else ('right', 'left') -%}
    {%- set predicates = ['points.bin_num = intervals.bin_num']
        + dbt_range_join._key_predicate(join, 'points', 'intervals')
        + dbt_range_join._range_predicate(join, *(('points', 'intervals') if point_side == 'left' else ('intervals', 'points')))
        + dbt_range_join._same_point_keys(join)
        + dbt_range_join._join_condition(join) -%}
    {%- set sources = {point_side: 'range_join_points as points', interval_side: 'range_join_fanned_out as intervals'} -%}
    {%- set sql -%}
with {{ dbt_range_join._side_cte(join, 'left') }},

{{ dbt_range_join._side_cte(join, 'right') }},

{{ dbt_range_join._domain_cte(join) }},

-- step 1: bin each side
{{ dbt_range_join._points_cte(join, point_side) }},

{{ dbt_range_join._extent_cte() }},

{{ dbt_range_join._intervals_ctes(join, interval_side) }},

{{ dbt_range_join._fanned_out_ctes(join, interval_side) }}

-- step 2: join on the bin, and keep the exact predicate
select{{ dbt_range_join._broadcast_hint(join, {point_side: 'points', interval_side: 'intervals'}) }}
    {{ join.select_items | join(',\n    ') }}
from {{ sources.left }}
{{ dbt_range_join._join_words(join.join_type) }} {{ sources.right }}
    on {{ predicates | join('\n    and ') }}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    A hint, which Spark heeds only where the join type lets it build that side: it never changes a row.
    sides: the alias of each side in the FROM clause.
#}
{% macro _broadcast_hint(join, sides) %}
    {{ return(' /*+ broadcast(' ~ sides[join.broadcast] ~ ') */' if join.broadcast is not none else '') }}
{% endmacro %}
