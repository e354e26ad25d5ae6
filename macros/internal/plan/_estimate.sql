{#
    What a width of bins would cost.

    The model. How many rows and pairs a join makes is in _work_of_ways.sql, and what they cost in _join_costs.sql. Points and intervals are spread as
    the samples say, and keys are independent of where a row lies and of how long it is, but for what pairs of equal keys say (_as_equal_keys_match).
#}

{#
    What a width would cost: {width, cost, hashed, costs, copies, candidates, pairs, intervals, levels, copies_of, rows_of, meetings}, mostly as numbers of rows
    or pairs. hashed: whether that is the cost by hash, and not by merge. levels: of each meeting, the shifts of its levels. copies_of: of each, the copies an
    interval. rows_of: of each, the rows that meet, {points, intervals}. costs: by either, {hash, merge}, of which hash is none where no side is small
    enough. meetings: as given.
#}
{% macro _estimate(meetings, width) %}
    {%- set ns = namespace(hash=0.0, merge=0.0, copies=0.0, candidates=0.0, pairs=0.0, intervals=0) -%}
    {%- set levels_of, copies_of, rows_of = [], [], [] -%}
    {%- for meeting in meetings -%}
        {%- set work = dbt_range_join._work_of(meeting, width) -%}
        {%- do levels_of.append(work.levels | map(attribute='shift') | list) -%}
        {%- do copies_of.append(work.copies / [meeting.intervals, 1] | max) -%}
        {%- set rows = {'points': work.points, 'intervals': work.copies} -%}
        {%- do rows_of.append(rows) -%}
        {%- set candidates = meeting.most_pairs * [work.met, 1] | min -%}
        {%- set costs = dbt_range_join._join_costs(rows, dbt_range_join._hash_table(meeting, width, rows, work.built), candidates, work.found_first) -%}
        {%- set ns.hash = none if ns.hash is none or costs.hash is none else ns.hash + costs.hash -%}
        {%- set ns.merge = ns.merge + costs.merge -%}
        {%- set ns.copies = ns.copies + work.copies -%}
        {%- set ns.candidates = ns.candidates + candidates -%}
        {%- set ns.pairs = ns.pairs + [meeting.pairs, candidates] | min -%}
        {%- set ns.intervals = ns.intervals + meeting.intervals -%}
    {%- endfor -%}
    {%- set hashed = ns.hash is not none and ns.hash <= ns.merge -%}
    {{ return({
        'width': width, 'cost': ns.hash if hashed else ns.merge, 'hashed': hashed, 'costs': {'hash': ns.hash, 'merge': ns.merge}, 'copies': ns.copies,
        'candidates': ns.candidates, 'pairs': ns.pairs, 'intervals': ns.intervals, 'levels': levels_of, 'copies_of': copies_of, 'rows_of': rows_of,
        'meetings': meetings}) }}
{% endmacro %}


{#
    The hash table that a meeting would have in bins of that width, as {rows, visited}: how many rows there are of the side that is built, and over which shares of these
    pairs are spread, as _visited.sql has it; over next to none where rows lie in order, so that the same few are met over and over.

    rows: {intervals, points}, with their copies. built: which of these are built; none for the fewer.
#}
{% macro _hash_table(meeting, width, rows, built=none) %}
    {%- set built = built or ('intervals' if rows.intervals < rows.points else 'points') -%}
    {%- if meeting.ordered or rows[built] <= dbt_range_join._few_rows() -%}
        {{ return({'rows': rows[built], 'visited': [[1.0, 0.0 if meeting.ordered else 1.0]]}) }}
    {%- endif -%}
    {%- set by_place = dbt_range_join._visited_by_place(meeting.classes, built, width) -%}
    {{ return({'rows': rows[built], 'visited': dbt_range_join._visited_by_both(meeting.visited[built], by_place)}) }}
{% endmacro %}
