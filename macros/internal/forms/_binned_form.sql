{#
    The join by bins, as a chain of CTEs and one select per branch.

    A *meeting* is a join of points with intervals: of one side's points with the other's intervals, or, where two intervals
    overlap, of each side's starts with the other's intervals. It is made in one of four ways. Three keep one side's rows
    whole, one row each, so that a join can tell which of them have no match: the points 'fan_out' (see _fan_out.sql) and, where
    nothing else is asked, 'cover' (see _cover.sql), the intervals 'place' (see _place.sql). 'levels' keeps neither and makes the fewest
    rows (see _levels.sql): it serves inner joins.

    - One meeting, and at most one side kept by the join type: one join, in the way that keeps that side.
    - Else: the matched pairs of each meeting, and after them each kept side's rows that no meeting matched.
#}
{% macro _binned_form(join) %}
    {%- set ctes, branches = dbt_range_join._form_parts(join, []) -%}
    {%- set sql -%}
with {{ ctes | join(',\n\n') }}

-- step 2: join on the bin, and keep the exact predicate
{{ branches | join('\n\nunion all\n\n') }}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The CTEs and the selects of the form: two lists. Appends to `needs` which meetings are made, and how. #}
{% macro _form_parts(join, needs) %}
    {%- set meetings = dbt_range_join._meetings(join) -%}
    {%- set kept = dbt_range_join._kept_sides(join.join_type) -%}
    {%- set existence = join.join_type in ['semi', 'anti'] -%}
    {%- set branches = [] -%}

    {%- if meetings | length == 1 and kept | length < 2 -%}
        {%- set way = 'levels' if not kept else 'place' if kept == [meetings[0].intervals]
            else dbt_range_join._existence_way(join) if existence else 'fan_out' -%}
        {%- do branches.append(dbt_range_join._select_branch(
            join, dbt_range_join._meet(join, meetings[0], way, dbt_range_join._join_words(join.join_type), needs))) -%}
    {%- elif join.join_type == 'semi' -%}
        {%- do branches.extend(dbt_range_join._overlap_semi_branches(join, meetings, needs)) -%}
    {%- else -%}
        {%- set outer = meetings | length == 1 -%}
        {%- for meeting in meetings if not existence -%}
            {%- set meet = dbt_range_join._meet(join, meeting, 'fan_out', dbt_range_join._join_words(meeting.points), needs)
                if outer else dbt_range_join._meet(join, meeting, 'levels', 'inner join', needs) -%}
            {%- do branches.append(dbt_range_join._select_branch(join, meet)) -%}
        {%- endfor -%}
        {%- for side in kept if not (outer and side == meetings[0].points) -%}
            {%- do branches.append(dbt_range_join._unmatched_branch(join, meetings, side, needs)) -%}
        {%- endfor -%}
    {%- endif -%}

    {{ return([dbt_range_join._binned_ctes(join, needs), branches]) }}
{% endmacro %}


{# The way that keeps points, where the join only asks whether each has a match. #}
{% macro _existence_way(join) %}
    {{ return('cover' if join.join_condition is none else 'fan_out') }}
{% endmacro %}


{# The sides whose rows a join type keeps when they have no match, or whose rows are all that it returns. #}
{% macro _kept_sides(join_type) %}
    {{ return({
        'inner': [], 'left': ['left'], 'right': ['right'], 'full': ['left', 'right'], 'semi': ['left'], 'anti': ['left']
    }[join_type]) }}
{% endmacro %}


{#
    The meetings of a join, as {points: side, intervals: side, tie: predicate or none}.

    Two intervals overlap in one of two ways, never in both: r starts where l does or later, and so within l; or r starts
    before l, and so l starts within r. (Dignoes et al., Leveraging range joins for the computation of overlap joins, VLDB
    Journal 2022.) The tie says which; together with the whole range predicate this holds for inverted intervals too.
#}
{% macro _meetings(join) %}
    {%- if join.left.kind != join.right.kind -%}
        {%- set points = 'left' if join.left.kind == 'point' else 'right' -%}
        {{ return([{'points': points, 'intervals': dbt_range_join._other_side(points), 'tie': none}]) }}
    {%- endif -%}
    {{ return([
        {'points': 'right', 'intervals': 'left', 'tie': 'at or after'},
        {'points': 'left', 'intervals': 'right', 'tie': 'after'}]) }}
{% endmacro %}


{% macro _other_side(side) %}
    {{ return('right' if side == 'left' else 'left') }}
{% endmacro %}


{#
    The FROM and ON of one meeting, the left side first.

    way: 'fan_out', 'cover', 'place' or 'levels'. words: SQL's words for the join type. kept: the side that comes first, where that is not
    the left one. kept_from: what to read that side from, where that is not the CTE that the way makes. tied: whether the
    meeting's tie is part of the ON clause. Appends to `needs` what CTEs it reads. Returns: {sql, aliases: {left, right}}.
#}
{% macro _meet(join, meeting, way, words, needs, kept=none, kept_from=none, tied=true) %}
    {%- do needs.append({'way': way, 'points': meeting.points, 'intervals': meeting.intervals}) -%}
    {%- set points_cte, intervals_cte = dbt_range_join._way_relations(way, meeting) -%}
    {%- set points_alias = 'points' if way in ['fan_out', 'cover'] else 'probes' -%}
    {%- set aliases = {meeting.points: points_alias, meeting.intervals: 'intervals'} -%}
    {%- set relations = {meeting.points: points_cte, meeting.intervals: intervals_cte} -%}
    {%- if kept_from is not none -%}
        {%- do relations.update({kept: kept_from}) -%}
    {%- endif -%}
    {%- set first = kept if kept is not none else 'left' -%}
    {%- set second = dbt_range_join._other_side(first) -%}
    {%- set range_predicate = dbt_range_join._range_predicate(join, aliases.left, aliases.right) -%}
    {%- if way == 'cover' -%}
        {%- set range_predicate = [dbt_range_join._covered_or(join, points_alias, 'intervals', range_predicate)] -%}
    {%- endif -%}
    {%- set predicates = dbt_range_join._way_predicate(join, way, points_alias, 'intervals') + range_predicate -%}
    {%- if meeting.tie is not none and tied -%}
        {%- set predicates = predicates + [dbt_range_join._starts(meeting.tie, points_alias, 'intervals', join.null_bounds)] -%}
    {%- endif -%}
    {%- set predicates = predicates + dbt_range_join._join_condition(join) -%}
    {%- set sql -%}
from {{ relations[first] }} as {{ aliases[first] }}
{{ words }} {{ relations[second] }} as {{ aliases[second] }}
    on
        {{ predicates | join('\n        and ') }}
    {%- endset -%}
    {{ return({'sql': sql, 'aliases': aliases}) }}
{% endmacro %}


{# The CTEs whose rows meet in a way: that of the points, and that of the intervals. #}
{% macro _way_relations(way, meeting) %}
    {%- set suffixes = {
        'fan_out': ['_binned', '_fanned_out'], 'cover': ['_binned', '_covering'],
        'place': ['_probes', '_placed'], 'levels': ['_level_probes', '_leveled']}[way] -%}
    {{ return(['range_join_' ~ meeting.points ~ suffixes[0], 'range_join_' ~ meeting.intervals ~ suffixes[1]]) }}
{% endmacro %}


{# How these rows meet: the equalities of bins and keys, as a list of predicates over the two aliases. #}
{% macro _way_predicate(join, way, points, intervals) %}
    {%- if way == 'fan_out' -%}
        {{ return(dbt_range_join._fan_out_predicate(join, points, intervals)) }}
    {%- elif way == 'cover' -%}
        {{ return(dbt_range_join._cover_predicate(join, points, intervals)) }}
    {%- endif -%}
    {{ return(dbt_range_join._slot_predicate(join, points, intervals)) }}
{% endmacro %}


{# A select of the result over a meeting. #}
{% macro _select_branch(join, meet) %}
    {%- set sql -%}
select{{ dbt_range_join._join_hint(join, meet.aliases) }}{{ dbt_range_join._select_list(join.select_items) }}
{{ meet.sql }}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    A side's rows that no meeting matches, by anti joins on the rows themselves: first as intervals, which keeps each once, then
    as points. For a side that is points or intervals alone, one of the two is all.
    Returns: the FROM of the last anti join, as _meet does.
#}
{% macro _unmatched(join, meetings, side, needs, words='left anti join') %}
    {%- set as_intervals = meetings | selectattr('intervals', 'equalto', side) | list -%}
    {%- set as_points = meetings | selectattr('points', 'equalto', side) | list -%}
    {%- if not as_points -%}
        {{ return(dbt_range_join._meet(join, as_intervals[0], 'place', words, needs, kept=side, tied=false)) }}
    {%- elif not as_intervals -%}
        {{ return(dbt_range_join._meet(join, as_points[0], dbt_range_join._existence_way(join), words, needs, kept=side, tied=false)) }}
    {%- endif -%}
    {%- set held = dbt_range_join._meet(join, as_intervals[0], 'place', 'left anti join', needs, kept=side, tied=false) -%}
    {%- do needs.append({'cte': dbt_range_join._holding_none_cte(join, side, held)}) -%}
    {{ return(dbt_range_join._meet(
        join, as_points[0], dbt_range_join._existence_way(join), words, needs, kept=side, kept_from='range_join_' ~ side ~ '_holding_none', tied=false)) }}
{% endmacro %}


{# range_join_<side>_holding_none: a side's rows within whose interval no row of the other side starts. #}
{% macro _holding_none_cte(join, side, held) %}
    {%- set columns = dbt_range_join._qualified('intervals', dbt_range_join._side_columns(join, side) + ['bin_num', 'end_bin']) -%}
    {%- set sql -%}
range_join_{{ side }}_holding_none as (
    select{{ dbt_range_join._join_hint(join, held.aliases) }}
        {{ columns | join(',\n        ') }}
    {{ held.sql | indent(4) }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The select of a side's unmatched rows; the other side's row is NULL, which makes all that is selected of it NULL. #}
{% macro _unmatched_branch(join, meetings, side, needs) %}
    {%- set unmatched = dbt_range_join._unmatched(join, meetings, side, needs) -%}
    {%- if join.join_type == 'anti' -%}
        {{ return(dbt_range_join._select_branch(join, unmatched)) }}
    {%- endif -%}
    {%- set other = dbt_range_join._other_side(side) -%}
    {%- set sql -%}
select{{ dbt_range_join._select_list(join.select_items) }}
from (
    select{{ dbt_range_join._join_hint(join, unmatched.aliases) }}
        {{ unmatched.aliases[side] }}.{{ join[side].alias }},
        types.{{ join[other].alias }}
    {{ unmatched.sql | indent(4) }}
    left join range_join_types as types on true
) as unmatched
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The rows of `l` with a match: those within whose interval an `r` starts, and of the others those that start within an `r`. #}
{% macro _overlap_semi_branches(join, meetings, needs) %}
    {%- set held = dbt_range_join._meet(join, meetings[0], 'place', 'left semi join', needs, kept='left', tied=false) -%}
    {%- set rest = dbt_range_join._unmatched(join, meetings, 'left', needs, 'left semi join') -%}
    {{ return([dbt_range_join._select_branch(join, held), dbt_range_join._select_branch(join, rest)]) }}
{% endmacro %}


{# The CTEs that the meetings read, each once, in the order in which they build on each other. #}
{% macro _binned_ctes(join, needs) %}
    {%- set sides = ['left', 'right'] -%}
    {%- set ctes = [
        dbt_range_join._side_cte(join, 'left'), dbt_range_join._side_cte(join, 'right'),
        dbt_range_join._types_cte(join)] -%}
    {%- set steps = [dbt_range_join._binned_cte(join, 'left'), dbt_range_join._binned_cte(join, 'right')] -%}
    {%- for side in sides if needs | selectattr('points', 'defined') | selectattr('points', 'equalto', side) | list -%}
        {%- do steps.append(dbt_range_join._extent_cte(side)) -%}
    {%- endfor -%}
    {%- for side in sides if needs | selectattr('intervals', 'defined') | selectattr('intervals', 'equalto', side) | list -%}
        {%- do steps.append(dbt_range_join._spans_cte(join, side, dbt_range_join._other_side(side))) -%}
    {%- endfor -%}
    {%- for side in sides -%}
        {%- set ways = needs | selectattr('intervals', 'defined') | selectattr('intervals', 'equalto', side) | map(attribute='way') | list -%}
        {%- if ways -%}
            {%- do steps.extend(dbt_range_join._shifts_ctes(join, side, ways)) -%}
        {%- endif -%}
        {%- set ctes_of = {
            'fan_out': dbt_range_join._fan_out_ctes, 'cover': dbt_range_join._cover_ctes,
            'levels': dbt_range_join._levels_ctes, 'place': dbt_range_join._place_ctes} -%}
        {%- for way in ctes_of if way in ways -%}
            {%- do steps.extend(ctes_of[way](join, side, dbt_range_join._other_side(side))) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for need in needs if need.cte is defined and need.cte not in steps -%}
        {%- do steps.append(need.cte) -%}
    {%- endfor -%}
    {%- do steps.insert(0, '-- step 1: bin each side\n' ~ steps.pop(0)) -%}
    {{ return(ctes + steps) }}
{% endmacro %}


{#
    A hint, which Spark heeds only where the join type lets it build that side: it never changes a row.
    aliases: the alias of each side in the FROM clause.
#}
{% macro _join_hint(join, aliases) %}
    {%- if join.broadcast is not none -%}
        {{ return(' /*+ broadcast(' ~ aliases[join.broadcast] ~ ') */') }}
    {%- endif -%}
    {{ return(' /*+ shuffle_hash(' ~ aliases[join.shuffle_hash] ~ ') */' if join.shuffle_hash is not none else '') }}
{% endmacro %}
