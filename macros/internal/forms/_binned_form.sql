{#
    The join by bins, as a chain of CTEs and one select. Where its rows come in several parts, that select is over all of them, so that a list with an aggregate, a
    window or `distinct` sees what the plain join's does.

    A *meeting* is a join of points with intervals: of one side's points with the other's intervals, or, where two intervals
    overlap, of each side's starts with the other's intervals. It is made in one of five ways, each in a file of its name under bins/:

        levels   keeps no side, and makes the fewest rows: for matched pairs; keeps the points where all intervals are known to be at one level, the first
                 unless there is a join_condition
        overlap  the same for both meetings of two intervals at once, where the data is known to suit it
        place    keeps the intervals, one row each, so that a join can tell which of them have no match
        fan_out  keeps the points, and makes rows in proportion to the pairs that match in range: for pairs, with no join_condition, elsewhere
        ask      keeps the points, and tells which have a match, where there is a join_condition

    - Semi and anti joins ask for existence only: see _existence.sql. Without a join_condition that takes no meeting at all.
    - Else: the matched pairs of each meeting, and with them the rows of the side that the way keeps, if the join type does. After them, of each other
      side that the join type keeps, the rows that no meeting matched.
#}
{% macro _binned_form(join) %}
    {%- set needs = [] -%}
    {%- set ctes, parts = dbt_range_join._form_parts(join, needs) -%}
    {%- set sql -%}
with {{ ctes | join(',\n\n') }}

{{ dbt_range_join._say_last_step(needs, dbt_range_join._takes_bins(join, needs)) }}
{{ dbt_range_join._select_from_parts(join, parts) }}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The comment that tells a reader of the SQL what its last select does. needs: what _form_parts appended. binned: whether step 1 bins the sides. #}
{% macro _say_last_step(needs, binned) %}
    {%- set joined = 'join on the bin, and keep the exact predicate' -%}
    {%- set swept = 'whether a row has a match, told by a sweep over both sides in order' -%}
    {%- set steps = ([joined] if needs | selectattr('way', 'defined') | list else []) + ([swept] if needs | selectattr('swept', 'defined') | list else []) -%}
    {{ return('-- ' ~ ('step 2: ' if binned else '') ~ steps | join('; ')) }}
{% endmacro %}


{# The CTEs of the form, and the FROM of each of its parts, as _meet returns it: two lists. Appends to `needs` which meetings are made, and how. #}
{% macro _form_parts(join, needs) %}
    {%- set meetings = dbt_range_join._meetings(join) -%}
    {%- set kept = dbt_range_join._kept_sides(join.join_type) -%}
    {%- set way = dbt_range_join._way_of_pairs(join) -%}
    {%- set parts = [] -%}

    {%- if join.join_type == 'semi' -%}
        {%- do parts.extend(dbt_range_join._matched_parts(join, meetings, needs)) -%}
    {%- elif join.join_type == 'anti' -%}
        {%- do parts.append(dbt_range_join._unmatched(join, meetings, 'left', needs)) -%}
    {%- else -%}
        {%- set kept_here = dbt_range_join._kept_by(join, way, meetings) -%}
        {%- set words = dbt_range_join._join_words(kept_here[0] if kept_here else 'inner') -%}
        {%- if join.meets_once -%}
            {%- do parts.append(dbt_range_join._meet_once(join, needs)) -%}
        {%- else -%}
            {%- for meeting in meetings -%}
                {%- do parts.append(dbt_range_join._meet(join, meeting, way, words, needs)) -%}
            {%- endfor -%}
        {%- endif -%}
        {%- for side in kept if side not in kept_here -%}
            {%- do parts.append(dbt_range_join._beside_null(join, side, dbt_range_join._unmatched(join, meetings, side, needs), needs)) -%}
        {%- endfor -%}
    {%- endif -%}

    {{ return([dbt_range_join._binned_ctes(join, needs), parts]) }}
{% endmacro %}


{#
    The way in which the matched pairs of a join are made; none for semi and anti joins, which return no pairs. Points are not kept by fan_out where both
    sides are tiny: the bins that hold points, which it gathers first, take more stages there than a sweep that finds the points without a match.

    In wider bins than the first fan_out makes fewer rows, which is what was estimated before levels were known; a join_condition is estimated by levels.
#}
{% macro _way_of_pairs(join) %}
    {%- set meetings = dbt_range_join._meetings(join) -%}
    {%- set kept = dbt_range_join._kept_sides(join.join_type) -%}
    {%- if join.join_type in ['semi', 'anti'] -%}
        {{ return(none) }}
    {%- elif not kept or meetings | length > 1 -%}
        {{ return('levels') }}
    {%- elif kept == [meetings[0].intervals] -%}
        {{ return('place') }}
    {%- endif -%}
    {%- if join.join_condition is not none or join.tiny -%}
        {{ return('levels') }}
    {%- endif -%}
    {%- set is_first_level = dbt_range_join._has_one_level(join, meetings) and join.levels[meetings[0].intervals][0].shift == 0 -%}
    {{ return('levels' if is_first_level else 'fan_out') }}
{% endmacro %}


{# The sides whose rows a join in that way keeps beside its pairs, of those that the join type keeps. Where intervals are known to be at one level, a point is one row there, too. #}
{% macro _kept_by(join, way, meetings) %}
    {%- set keeps_points = way == 'fan_out' or way == 'levels' and dbt_range_join._has_one_level(join, meetings) -%}
    {%- set side = meetings[0].intervals if way == 'place' else meetings[0].points if keeps_points else none -%}
    {{ return(dbt_range_join._kept_sides(join.join_type) | select('equalto', side) | list) }}
{% endmacro %}


{# Whether there is one meeting, whose intervals are known to be all at one level (plan/_measured_facts.sql). #}
{% macro _has_one_level(join, meetings) %}
    {{ return(meetings | length == 1 and join.levels is not none and join.levels[meetings[0].intervals] | length == 1) }}
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
    The FROM of one meeting, with its ON clause, the left side first.

    way: see the head of this file. words: SQL's words for the join type. kept: the side that comes first, where that is not
    the left one. kept_from: what to read that side from, where that is not the CTE that the way makes. tied: whether the
    meeting's tie is part of the ON clause. Appends to `needs` what CTEs it reads.
    Returns: {sql, aliases: {left, right}, hint: what a select of it begins with}.
#}
{% macro _meet(join, meeting, way, words, needs, kept=none, kept_from=none, tied=true) %}
    {%- do needs.append(dict(meeting, way=way)) -%}
    {%- set points_alias = 'probes' if way in ['place', 'levels'] else 'points' -%}
    {%- set aliases = {meeting.points: points_alias, meeting.intervals: 'intervals'} -%}
    {%- set predicates = dbt_range_join._range_predicate(join, aliases.left, aliases.right) -%}
    {%- if meeting.tie is not none and tied -%}
        {%- set predicates = predicates + [dbt_range_join._starts(meeting.tie, points_alias, 'intervals', join.null_bounds)] -%}
    {%- endif -%}
    {%- set predicates = predicates + dbt_range_join._join_condition(join) -%}
    {%- set hint = dbt_range_join._join_hint(join, aliases) -%}

    {%- set points_cte, intervals_cte = dbt_range_join._way_relations(way, meeting) -%}
    {%- set relations = {meeting.points: points_cte, meeting.intervals: intervals_cte} -%}
    {%- if way == 'ask' -%}
        {%- do needs.append({'cte': dbt_range_join._asking_cte(
            join, meeting.points, meeting.intervals, meeting.width, kept_from or 'range_join_' ~ meeting.points ~ '_binned')}) -%}
    {%- elif kept_from is not none -%}
        {%- do relations.update({kept: kept_from}) -%}
    {%- endif -%}
    {%- set first = kept or (join.streamed if way == 'levels' and words == dbt_range_join._join_words('inner') else none) or 'left' -%}
    {%- set sql = dbt_range_join._from_clause(
        relations, aliases, words, dbt_range_join._way_predicate(join, way, points_alias, 'intervals') + predicates, first=first) -%}
    {{ return({'sql': sql, 'aliases': aliases, 'hint': hint}) }}
{% endmacro %}


{# A FROM with its ON clause. relations, aliases: of each side. words: SQL's words for the join type. first: the side that comes first. #}
{% macro _from_clause(relations, aliases, words, predicates, first='left') %}
    {%- set second = dbt_range_join._other_side(first) -%}
    {%- set sql -%}
from {{ relations[first] }} as {{ aliases[first] }}
{{ words }} {{ relations[second] }} as {{ aliases[second] }}
    on
        {{ predicates | join('\n        and ') }}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The CTEs whose rows meet in a way: that of the points, and that of the intervals. #}
{% macro _way_relations(way, meeting) %}
    {%- set suffixes = {
        'fan_out': ['_binned', '_fanned_out'], 'ask': ['_asking_' ~ (meeting.width | default(0) + 1), '_asked'],
        'place': ['_probes', '_placed'], 'levels': ['_level_probes', '_leveled'], 'overlap': ['_copies', '_copies']}[way] -%}
    {{ return(['range_join_' ~ meeting.points ~ suffixes[0], 'range_join_' ~ meeting.intervals ~ suffixes[1]]) }}
{% endmacro %}


{# How these rows meet: the equalities of bins and keys, as a list of predicates over the two aliases. #}
{% macro _way_predicate(join, way, points, intervals) %}
    {%- if way == 'fan_out' -%}
        {{ return(dbt_range_join._fan_out_predicate(join, points, intervals)) }}
    {%- endif -%}
    {{ return(dbt_range_join._slot_predicate(join, points, intervals)) }}
{% endmacro %}


{#
    The select of the result. Of several parts each has the rows of both sides, or of the left one alone where the join returns no other, and the list stands over
    their union; Spark pushes it down into the parts where that is the same. Not where it has a query: of one that reads the row, Spark 4.3 loses columns as it
    pushes it down (NoSuchElementException: key not found), so that a predicate stands between, true of every row, which it takes for one that is not.
    parts: of each, what _meet returns.
#}
{% macro _select_from_parts(join, parts) %}
    {%- if parts | length == 1 -%}
        {{ return(dbt_range_join._select_from(parts[0], join.select_items)) }}
    {%- endif -%}
    {%- set selects = [] -%}
    {%- for part in parts -%}
        {%- set rows = [] -%}
        {%- for side in (['left'] if join.join_type == 'semi' else ['left', 'right']) -%}
            {%- do rows.append(part.aliases[side] ~ '.' ~ join[side].alias) -%}
        {%- endfor -%}
        {%- do selects.append(dbt_range_join._select_from(part, rows)) -%}
    {%- endfor -%}
    {%- set sql -%}
select{{ dbt_range_join._select_list(join.select_items) }}
from (
    {{ selects | join('\n\nunion all\n\n') | indent(4) }}
) as parts
{%- if modules.re.search('\\bselect\\b', dbt_range_join._code(join.select_items | join(', '))) %}
-- true of every row; without it Spark fails to push the query within the list down into the parts
where spark_partition_id() >= 0
{%- endif %}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# A select over one part. items: a list of SQL select items. #}
{% macro _select_from(part, items) %}
    {%- set sql -%}
select{{ part.hint }}{{ dbt_range_join._select_list(items) }}
{{ part.sql }}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# Whether any part reads bins. A sweep in one piece, where both sides are tiny, is the one thing that goes without. #}
{% macro _takes_bins(join, needs) %}{{ return(not join.tiny or needs | selectattr('way', 'defined') | list | length > 0) }}{% endmacro %}


{# The CTEs that the meetings and sweeps read, each once, in the order in which they build on each other. #}
{% macro _binned_ctes(join, needs) %}
    {%- set sides = ['left', 'right'] -%}
    {%- set ctes = [dbt_range_join._side_cte(join, 'left'), dbt_range_join._side_cte(join, 'right')] -%}
    {%- set steps = [] -%}
    {%- set spans = [] -%}
    {%- if dbt_range_join._takes_bins(join, needs) -%}
        {%- if join.type is none or needs | selectattr('types', 'defined') | list -%}
            {%- do ctes.append(dbt_range_join._types_cte(join)) -%}
        {%- endif -%}
        {%- do steps.append('-- step 1: bin each side\n' ~ dbt_range_join._binned_cte(join, 'left')) -%}
        {%- do steps.append(dbt_range_join._binned_cte(join, 'right')) -%}
    {%- endif -%}
    {%- for side in sides -%}
        {%- set ways = needs | selectattr('points', 'defined') | selectattr('points', 'equalto', side) | map(attribute='way') | list -%}
        {%- if ways -%}
            {%- if not join.extents -%}
                {%- do steps.append(dbt_range_join._extent_cte(join, side, 'levels' in ways)) -%}
            {%- endif -%}
            {%- do spans.append(dbt_range_join._spans_cte(join, dbt_range_join._other_side(side), side, 'levels' in ways and not join.levels)) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- do steps.extend(spans | reverse) -%}
    {%- for side in sides -%}
        {%- set ways = needs | selectattr('intervals', 'defined') | selectattr('intervals', 'equalto', side) | map(attribute='way') | list -%}
        {%- set unknown = ways | reject('in', ['levels', 'overlap']) | list if join.levels else ways -%}
        {%- if unknown -%}
            {#- Of tiny sides, to look how long intervals are takes longer than it saves; but points that ask go by the widest bin. -#}
            {%- do steps.extend(dbt_range_join._shifts_ctes(join, side, unknown, join.tiny and 'ask' not in ways)) -%}
        {%- endif -%}
        {%- set ctes_of = {
            'fan_out': dbt_range_join._fan_out_ctes, 'ask': dbt_range_join._ask_ctes,
            'levels': dbt_range_join._levels_ctes, 'overlap': dbt_range_join._overlap_ctes, 'place': dbt_range_join._place_ctes} -%}
        {%- for way in ctes_of if way in ways -%}
            {%- do steps.extend(ctes_of[way](join, side, dbt_range_join._other_side(side))) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for need in needs if need.cte is defined and need.cte not in steps -%}
        {%- do steps.append(need.cte) -%}
    {%- endfor -%}
    {{ return(ctes + steps) }}
{% endmacro %}


{#
    A hint, which Spark heeds only where the join type lets it build that side: it never changes a row. Where nobody chose, joins without
    keys are merged (see _choose_hints for why).
    aliases: the alias of each side in the FROM clause.
#}
{% macro _join_hint(join, aliases) %}
    {%- if join.broadcast is not none -%}
        {{ return(' /*+ broadcast(' ~ aliases[join.broadcast] ~ ') */') }}
    {%- elif join.shuffle_hash is not none -%}
        {{ return(' /*+ shuffle_hash(' ~ aliases[join.shuffle_hash] ~ ') */') }}
    {%- endif -%}
    {{ return(' /*+ merge(' ~ aliases.right ~ ') */' if join.merge else '') }}
{% endmacro %}
