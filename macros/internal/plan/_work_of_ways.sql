{#
    How many rows and pairs a join makes in bins of one width, by the way in which its pairs are made (forms/_binned_form.sql).
#}

{#
    What a meeting (one of _describe_meetings) makes in bins of that width: {levels, copies, points, met, built, found_first}.

    levels: the levels its intervals are at, as _levels_at has them. copies, points: how many rows there are of intervals and of points. met: the share of all
    pairs that are compared. built: how many rows there are of the side that can be built, where it is one alone. found_first: rows of a join that is made before.
#}
{% macro _work_of(meeting, width) %}
    {{ return({
        'fan_out': dbt_range_join._work_of_fan_out, 'place': dbt_range_join._work_of_place
    }.get(meeting.way, dbt_range_join._work_of_levels)(meeting, width)) }}
{% endmacro %}


{#
    An interval of length x in bins of width w has x / w + 1 copies, w widened as fan_out_shift does it where these are many (bins/_shifts.sql; not where
    _one_level holds), and is compared with the points within x + w. A point has a row for each level.
#}
{% macro _work_of_levels(meeting, width) %}
    {%- set levels = dbt_range_join._levels_at(meeting, width) -%}
    {%- set ns = namespace(copies=0.0, met=0.0) -%}
    {%- for level in levels -%}
        {%- set ns.copies = ns.copies + level.length / level.wide + level.share -%}
        {%- set ns.met = ns.met + dbt_range_join._share_met(meeting, level) -%}
    {%- endfor -%}
    {{ return({
        'levels': levels, 'copies': meeting.intervals * ns.copies, 'points': meeting.points * levels | length, 'met': ns.met, 'built': none, 'found_first': 0}) }}
{% endmacro %}


{#
    The same, but that a long interval has copies in bins of width w, those that hold points: no more than it has points, but for two. These bins are found
    by a join of wider copies with all bins that hold points, once for each wider width, which an aggregation over the points comes before. A point has one row.
#}
{% macro _work_of_fan_out(meeting, width) %}
    {%- set levels = dbt_range_join._levels_at(meeting, width) -%}
    {%- set ns = namespace(copies=0.0, met=0.0, found_first=0.0) -%}
    {%- for level in levels -%}
        {%- set ns.met = ns.met + dbt_range_join._share_met(meeting, dict(level, wide=width)) -%}
        {%- set copies = meeting.intervals * (level.length / width + level.share) -%}
        {%- if level.shift -%}
            {%- set occupied = [meeting.points, (meeting.reach / width + 1) / meeting.key_share] | min -%}
            {%- set ns.found_first = ns.found_first + 0.25 * meeting.points + occupied + meeting.intervals * (level.length / level.wide + level.share) -%}
            {%- set copies = [copies, meeting.most_pairs * (level.met + level.in_gaps) + 2 * meeting.intervals * level.share] | min -%}
        {%- endif -%}
        {%- set ns.copies = ns.copies + copies -%}
    {%- endfor -%}
    {{ return({
        'levels': levels, 'copies': ns.copies, 'points': meeting.points, 'met': ns.met, 'built': ns.copies, 'found_first': ns.found_first}) }}
{% endmacro %}


{#
    An interval has one row, at a width at which it touches two bins at most, and is compared with the points of these two. A point has two rows for each width.
#}
{% macro _work_of_place(meeting, width) %}
    {%- set levels = dbt_range_join._slot_widths_at(meeting, width) -%}
    {%- set ns = namespace(met=0.0) -%}
    {%- for level in levels -%}
        {%- set length = level.whole / level.share if level.share else 0 -%}
        {%- set ns.met = ns.met + dbt_range_join._share_met(meeting, dict(level, wide=[2 * level.wide - length, level.wide] | max)) -%}
    {%- endfor -%}
    {%- set points = 2 * meeting.points * levels | length -%}
    {{ return({'levels': levels, 'copies': meeting.intervals, 'points': points, 'met': ns.met, 'built': points, 'found_first': 0}) }}
{% endmacro %}


{#
    The share of all pairs that are compared at a level: those within its intervals, and those beside them in its bins. Beside the long intervals of wider levels
    there are fewer of their keys' points, if there are beside all intervals; not in one slot (_place.sql), where short ones are at wider levels, too. Where keys have more of
    their points beside their intervals, that is known as far as half an interval's length away, and counts that far. level: one of _levels_at.
#}
{% macro _share_met(meeting, level) %}
    {%- set fewer = [meeting.beside, 1] | min if level.shift and meeting.way != 'place' else 1 -%}
    {%- set ns = namespace(met=level.met + level.share * fewer * dbt_range_join._strangers(meeting.distances, level)) -%}
    {%- if meeting.beside > 1 and level.share -%}
        {%- set as_far = dict(level, wide=[level.wide, level.whole / level.share] | min) -%}
        {%- set ns.met = ns.met + level.share * (meeting.beside - 1) * dbt_range_join._strangers(meeting.distances, as_far) -%}
    {%- endif -%}
    {{ return(ns.met + (dbt_range_join._meeting_over_gaps(meeting.gaps, level) if meeting.gaps else 0)) }}
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
    At which levels the intervals of a meeting (one of _describe_meetings) will be, as a list of {shift, wide, lengths, share, length, whole, met, in_gaps}: its
    shift, the width of its bins, which of the meeting's lengths are there, and their sums. Level by level as fan_out_shift has it, or all at the first where
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
    {%- set one_level = meeting.way == 'levels' and ns.lengths and meeting.lengths[-1][0] < most.bins_of_one * width
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
        'share': all.share - before.share, 'length': all.length - before.length, 'whole': all.whole - before.whole, 'met': all.met - before.met,
        'in_gaps': all.in_gaps - before.in_gaps}) }}
{% endmacro %}


{#
    The same for the widths at which intervals are in one slot, as slot_shift has them (bins/_shifts.sql): those of no more than a bin at that bin's width, others
    at the next one of the widths 16, 256, ..., or at the one before it, where an interval of up to two bins touches two or three, as it starts.
#}
{% macro _slot_widths_at(meeting, width) %}
    {%- set short = meeting.lengths | map('first') | select('le', width) | list | length -%}
    {%- set levels = {0: dbt_range_join._level_of(meeting, 0, short, 0, width)} if short else {} -%}
    {%- for length, share, whole, met in meeting.lengths[short:] -%}
        {%- set bins = [length / width, 4e18] | min -%}
        {%- set shift = [((bins | round(0, 'ceil') | int) - 1).bit_length() + 3, 63] | min // 4 * 4 -%}
        {%- set touching_two = [2 - bins / 2 ** (shift - 4), 0] | max -%}
        {%- set place = short + loop.index0 -%}
        {%- for at, weight in [[shift - 4, touching_two], [shift, 1 - touching_two]] if weight -%}
            {%- if at not in levels -%}
                {%- do levels.update({at: dbt_range_join._level_of(meeting, 0, 0, at, width * 2 ** at)}) -%}
            {%- endif -%}
            {%- set level = levels[at] -%}
            {%- for sum in ['share', 'length', 'whole', 'met', 'in_gaps'] -%}
                {%- do level.update({sum: level[sum] + weight * (meeting.sums[place + 1][sum] - meeting.sums[place][sum])}) -%}
            {%- endfor -%}
            {%- do level.lengths.append([length, weight * share, whole, met]) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(levels.values() | list) }}
{% endmacro %}
