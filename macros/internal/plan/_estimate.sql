{#
    What a width of bins would cost.

    The model. What rows copied and pairs compared cost is in _join_costs. Points and intervals are spread as their quantiles
    say, and keys are independent of where a row lies. An interval of length x in bins of width w has
    x / w + 1 copies, w widened as fan_out_shift does it where these are many (bins/_shifts.sql; not where _one_level holds), and is
    compared with the points within x + w.
#}

{#
    What a width would cost: {width, cost, hashed, costs, copies, candidates, pairs, intervals, levels, copies_of, meetings}, mostly as numbers of rows or pairs.
    hashed: whether that is the cost by hash, and not by merge. levels: of each meeting, the shifts of its levels. copies_of: of each, the copies an interval.
    costs: by either, {hash, merge}, of which hash is none where no side is small enough. meetings: as given.
#}
{% macro _estimate(meetings, width) %}
    {%- set ns = namespace(hash=0.0, merge=0.0, copies=0.0, candidates=0.0, pairs=0.0, intervals=0) -%}
    {%- set levels_of = [] -%}
    {%- set copies_of = [] -%}
    {%- for meeting in meetings -%}
        {%- set levels = dbt_range_join._levels_at(meeting, width) -%}
        {%- do levels_of.append(levels | map(attribute='shift') | list) -%}
        {%- set sums = namespace(copies=0.0, meet=0.0) -%}
        {%- for level in levels -%}
            {%- set sums.copies = sums.copies + level.length / level.wide + level.share -%}
            {%- set sums.meet = sums.meet + level.met + level.share * dbt_range_join._strangers(meeting.distances, level) -%}
            {%- if meeting.gaps -%}
                {%- set sums.meet = sums.meet + dbt_range_join._meeting_over_gaps(meeting.gaps, level) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do copies_of.append(sums.copies) -%}
        {%- set copies = meeting.intervals * sums.copies -%}
        {%- set probes = meeting.points * levels | length -%}
        {%- set candidates = meeting.most_pairs * [sums.meet, 1] | min -%}
        {%- set costs = dbt_range_join._join_costs(meeting.ordered, [copies, probes], candidates) -%}
        {%- set ns.hash = none if ns.hash is none or costs.hash is none else ns.hash + costs.hash -%}
        {%- set ns.merge = ns.merge + costs.merge -%}
        {%- set ns.copies = ns.copies + copies -%}
        {%- set ns.candidates = ns.candidates + candidates -%}
        {%- set ns.pairs = ns.pairs + [meeting.pairs, candidates] | min -%}
        {%- set ns.intervals = ns.intervals + meeting.intervals -%}
    {%- endfor -%}
    {%- set hashed = ns.hash is not none and ns.hash <= ns.merge -%}
    {{ return({
        'width': width, 'cost': ns.hash if hashed else ns.merge, 'hashed': hashed, 'costs': {'hash': ns.hash, 'merge': ns.merge}, 'copies': ns.copies,
        'candidates': ns.candidates, 'pairs': ns.pairs, 'intervals': ns.intervals, 'levels': levels_of, 'copies_of': copies_of, 'meetings': meetings}) }}
{% endmacro %}


{#
    The share of points that share a bin of a level with an interval of it, and lie outside it: half a bin before its start and half a bin after its
    end, on average, the interval being as long as the level's are on average. distances: what _distances returns. level: one of _levels_at.
#}
{% macro _strangers(distances, level) %}
    {%- set length = level.whole / level.share if level.share else 0 -%}
    {{ return(dbt_range_join._share_within(distances.steps, distances.before, level.wide / 2)
        + dbt_range_join._share_within(distances.steps, distances.after, length + level.wide / 2)
        - dbt_range_join._share_within(distances.steps, distances.after, length)) }}
{% endmacro %}


{#
    The share of pairs that lie apart as `gaps` says and share a bin of a level: all whose point is in the interval, and of those before or after it
    the nearer the more, by chance.
    gaps: what _gaps returns. level: one of _levels_at.
#}
{% macro _meeting_over_gaps(gaps, level) %}
    {%- set ns = namespace(share=0.0) -%}
    {%- for distance, of_pairs in gaps.items() if distance > -level.wide -%}
        {%- if distance < 0 -%}
            {%- set ns.share = ns.share + level.share * of_pairs * (1 + distance / level.wide) -%}
        {%- else -%}
            {%- for _, share, whole, _ in level.lengths if distance - whole < level.wide -%}
                {%- set ns.share = ns.share + share * of_pairs * (1 if whole >= distance else 1 - (distance - whole) / level.wide) -%}
            {%- endfor -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(ns.share) }}
{% endmacro %}


{#
    At which levels the intervals of a meeting (one of _describe_meetings) will be, as a list of {shift, wide, lengths, share, length, whole, met}: its shift, the
    width of its bins, which of the meeting's lengths are there, and their sums. Level by level as fan_out_shift has it, or all at the first where
    _one_level will hold (both in bins/_shifts.sql). Bins end where BIGINT does.

    Most widths to choose from are so wide that few lengths touch more than 32 bins. Only these are looked at one by one: dbt takes a microsecond for each.
    Lengths are in order, so that those of a level lie side by side.
#}
{% macro _levels_at(meeting, width) %}
    {%- set long = {} -%}
    {%- set ns = namespace(lengths=0, bins=0.0) -%}
    {%- for length, share, _, _ in meeting.lengths if length >= 32 * width -%}
        {%- set shift = ([length / width / 2, 4e18] | min | int).bit_length() // 4 * 4 -%}
        {%- do long.update({shift: long.get(shift, 0) + 1}) -%}
        {%- set ns.lengths = ns.lengths + 1 -%}
        {%- set ns.bins = ns.bins + share * (length / width + 2) -%}
    {%- endfor -%}
    {%- set most = dbt_range_join._most_at_one_level() -%}
    {%- set one_level = meeting.leveled and ns.lengths and meeting.lengths[-1][0] < most.bins_of_one * width
        and ns.bins * meeting.intervals <= [meeting.points, most.bins_on_average * meeting.sums[-1].share * meeting.intervals] | min -%}

    {%- set short = meeting.lengths | length - (0 if one_level else ns.lengths) -%}
    {%- set levels = [dbt_range_join._level_of(meeting, 0, short, 0, width)] if short else [] -%}
    {%- set ns.first = short -%}
    {%- for shift, count in long.items() if not one_level -%}
        {%- do levels.append(dbt_range_join._level_of(meeting, ns.first, ns.first + count, shift, width * 2 ** shift)) -%}
        {%- set ns.first = ns.first + count -%}
    {%- endfor -%}
    {{ return(levels) }}
{% endmacro %}


{# One of _levels_at: the meeting's lengths from the one of number `first` up to that before `end`, at that shift, where bins are `wide`. #}
{% macro _level_of(meeting, first, end, shift, wide) %}
    {%- set before, all = meeting.sums[first], meeting.sums[end] -%}
    {{ return({
        'shift': shift, 'wide': wide, 'lengths': meeting.lengths[first:end],
        'share': all.share - before.share, 'length': all.length - before.length, 'whole': all.whole - before.whole, 'met': all.met - before.met}) }}
{% endmacro %}
