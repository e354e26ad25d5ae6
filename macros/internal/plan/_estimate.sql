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
        {%- do rows_of.append({'points': work.points, 'intervals': work.copies}) -%}
        {%- set candidates = meeting.most_pairs * [work.met, 1] | min -%}
        {%- set costs = dbt_range_join._join_costs(meeting.ordered, [work.copies, work.points], candidates, work.built, work.found_first) -%}
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
