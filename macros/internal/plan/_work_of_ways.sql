{#
    How many rows and pairs a join makes in bins of one width, by the way in which its pairs are made (forms/_binned_form.sql).
#}

{#
    What a meeting (one of _describe_meetings) makes in bins of that width: {levels, copies, points, met, built, found_first}.

    levels: the levels its intervals are at, as _levels_at has them. copies, points: how many rows there are of intervals and of points. met: the share of all
    pairs that are compared. built: the side that a hash table can be made of, 'points' or 'intervals', where it is one alone. found_first: rows of a join that is made before.
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
    {%- set ns = namespace(copies=0.0) -%}
    {%- for level in levels -%}
        {%- set ns.copies = ns.copies + level.length / level.wide + level.share -%}
    {%- endfor -%}
    {{ return({
        'levels': levels, 'copies': meeting.intervals * ns.copies, 'points': meeting.points * levels | length,
        'met': dbt_range_join._share_met(meeting, levels), 'built': none, 'found_first': 0}) }}
{% endmacro %}


{#
    The same, but that a long interval has copies in bins of width w, those that hold points: no more than it has points, but for two. These bins are found
    by a join of wider copies with all bins that hold points, once for each wider width, which an aggregation over the points comes before. A point has one row.
#}
{% macro _work_of_fan_out(meeting, width) %}
    {%- set levels = dbt_range_join._levels_at(meeting, width) -%}
    {%- set narrow = [] -%}
    {%- set ns = namespace(copies=0.0, found_first=0.0) -%}
    {%- for level in levels -%}
        {%- do narrow.append(dict(level, wide=width)) -%}
        {%- set copies = meeting.intervals * (level.length / width + level.share) -%}
        {%- if level.shift -%}
            {%- set occupied = [meeting.points, (meeting.reach / width + 1) / (meeting.key_share or 1e-18)] | min -%}
            {%- set ns.found_first = ns.found_first + 0.25 * meeting.points + occupied + meeting.intervals * (level.length / level.wide + level.share) -%}
            {%- set copies = [copies, meeting.most_pairs * (level.met + level.in_gaps) + 2 * meeting.intervals * level.share] | min -%}
        {%- endif -%}
        {%- set ns.copies = ns.copies + copies -%}
    {%- endfor -%}
    {{ return({
        'levels': levels, 'copies': ns.copies, 'points': meeting.points, 'met': dbt_range_join._share_met(meeting, narrow),
        'built': 'intervals', 'found_first': ns.found_first}) }}
{% endmacro %}


{#
    An interval has one row, at a width at which it touches two bins at most, and is compared with the points of these two. A point has two rows for each width.
#}
{% macro _work_of_place(meeting, width) %}
    {%- set levels = dbt_range_join._slot_widths_at(meeting, width) -%}
    {%- set of_two_bins = [] -%}
    {%- for level in levels -%}
        {%- set length = level.whole / level.share if level.share else 0 -%}
        {%- do of_two_bins.append(dict(level, wide=[2 * level.wide - length, level.wide] | max)) -%}
    {%- endfor -%}
    {%- set points = 2 * meeting.points * levels | length -%}
    {{ return({
        'levels': levels, 'copies': meeting.intervals, 'points': points, 'met': dbt_range_join._share_met(meeting, of_two_bins),
        'built': 'points', 'found_first': 0}) }}
{% endmacro %}


{#
    The share of all pairs that are compared at some levels: those within their intervals, and those beside them in their bins. Beside the long intervals of wider levels
    there are fewer of their keys' points, if there are beside all intervals; not in one slot (_place.sql), where short ones are at wider levels, too. Where keys have more of
    their points beside their intervals, that is known as far as half an interval's length away, and counts that far. levels: a list as _levels_at returns it.
#}
{% macro _share_met(meeting, levels) %}
    {%- set ns = namespace(met=levels | map(attribute='met') | sum) -%}
    {%- for class in meeting.classes -%}
        {%- set of_class = levels if meeting.classes | length == 1 else dbt_range_join._levels_of_class(levels, class, meeting.furthest) -%}
        {%- for level, strangers in zip(of_class, dbt_range_join._strangers(class.distances, of_class)) -%}
            {%- set fewer = meeting.beside if meeting.beside < 1 and level.shift and meeting.way != 'place' else 1 -%}
            {%- set ns.met = ns.met + level.share * fewer * strangers -%}
        {%- endfor -%}
        {%- for level in of_class if class.gaps.distances -%}
            {%- set ns.met = ns.met + dbt_range_join._meeting_over_gaps(class.gaps, level) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if meeting.beside > 1 -%}
        {%- set as_far = [] -%}
        {%- for level in levels if level.share -%}
            {%- do as_far.append(dict(level, wide=[level.wide, level.whole / level.share] | min)) -%}
        {%- endfor -%}
        {%- for level, strangers in zip(as_far, dbt_range_join._strangers(meeting.classes[0].distances, as_far)) -%}
            {%- set ns.met = ns.met + level.share * (meeting.beside - 1) * strangers -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(ns.met) }}
{% endmacro %}


{#
    The intervals of some levels that are of a class (see _classes_of), as levels with their {share, whole, lengths}, `wide` and `shift`. levels: a list as _levels_at
    returns it. furthest: how far apart pairs are at most.
#}
{% macro _levels_of_class(levels, class, furthest) %}
    {%- set of_class = [] -%}
    {%- for level in levels -%}
        {%- set numbers -%}
            [0
            {%- for (_, _, whole, _), number in zip(level.lengths, range(level.lengths | length)) if class.least <= whole < class.below -%}
                ,{{ number }}
            {%- endfor -%}]
        {%- endset -%}
        {%- set numbers = fromjson(numbers)[1:] -%}
        {%- if numbers -%}
            {%- set lengths = level.lengths[numbers[0]:numbers[-1] + 1] -%}
            {%- set wholes -%}
                [0
                {%- for _, share, whole, _ in lengths -%}
                    ,{{ share * (whole if whole < furthest else furthest) }}
                {%- endfor -%}]
            {%- endset -%}
            {%- do of_class.append({
                'shift': level.shift, 'wide': level.wide, 'lengths': lengths, 'share': lengths | map(attribute=1) | sum, 'whole': fromjson(wholes) | sum}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(of_class) }}
{% endmacro %}


{#
    Of each of some levels, the share of points that share a bin with an interval of it, and lie outside it: half a bin before its start and half a bin after its
    end, on average, the interval being as long as the level's are on average. A list. distances: what _distances returns. levels: a list as _levels_at returns it.
#}
{% macro _strangers(distances, levels) %}
    {%- set before, after = [], [] -%}
    {%- for level in levels -%}
        {%- set length = level.whole / level.share if level.share else 0 -%}
        {%- do before.append(level.wide / 2) -%}
        {%- do after.extend([length, length + level.wide / 2]) -%}
    {%- endfor -%}
    {%- set after = dbt_range_join._shares_within(distances.steps, distances.after, after) -%}
    {%- set strangers = [] -%}
    {%- for before_start, within, after_start in zip(dbt_range_join._shares_within(distances.steps, distances.before, before), after[::2], after[1::2]) -%}
        {%- do strangers.append(before_start + after_start - within) -%}
    {%- endfor -%}
    {{ return(strangers) }}
{% endmacro %}


{#
    The share of pairs that lie apart as `gaps` says and share a bin of a level: all whose point is in the interval, and of those before or after it
    the nearer the more, by chance.
    gaps: what _gaps returns. level: one of _levels_at.
#}
{% macro _meeting_over_gaps(gaps, level) %}
    {%- set distances, shares, moments, wide = gaps.distances, gaps.shares, gaps.moments, level.wide -%}
    {%- set first, start = dbt_range_join._counts_up_to(distances, [-wide, 0]) -%}
    {%- set start = start - (0 in distances) -%}
    {%- set before = level.share * (shares[first:start] | sum + moments[first:start] | sum / wide) -%}
    {%- set wholes = level.lengths | map(attribute=2) | list -%}
    {%- set reached -%}
        [0
        {%- for whole in wholes -%}
            ,{{ whole + wide if whole + wide < 1e308 else 1e308 }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set counts = zip(
        level.lengths, dbt_range_join._counts_up_to(distances, wholes), dbt_range_join._counts_up_to(distances, fromjson(reached)[1:])) -%}
    {%- set met -%}
        [0
        {%- for (_, of_length, whole, _), end, last in counts if last > start -%}
            {%- set beside = shares[end:last] | sum if last > end else 0 -%}
            {#- Differences of large numbers: no less than none and no more than all, whatever their last digits are. -#}
            {%- set nearer = beside * (1 + whole / wide) - moments[end:last] | sum / wide if beside else 0 -%}
            {%- set nearer = nearer if 0 <= nearer <= beside else beside if nearer > beside else 0 -%}
            ,{{ of_length * (shares[start:end] | sum + nearer) }}
        {%- endfor -%}]
    {%- endset -%}
    {{ return(before + fromjson(met) | sum) }}
{% endmacro %}


{#
    At which levels the intervals of a meeting (one of _describe_meetings) will be, as a list of {shift, wide, lengths, share, length, whole, met, in_gaps}: its
    shift, the width of its bins, which of the meeting's lengths are there, and their sums. Level by level as fan_out_shift has it, or all at the first where
    _one_level will hold (both in bins/_shifts.sql). Bins end where BIGINT does.

    Lengths are in order, so that those of a level lie side by side: up to 32 bins long at the first, and up to 16 of its own bins at each wider one.
#}
{% macro _levels_at(meeting, width) %}
    {%- set lengths, sums = meeting.lengths, meeting.sums -%}
    {%- set short -%}
        {%- for length, _, _, _ in lengths if length < 32 * width -%}.{%- endfor -%}
    {%- endset -%}
    {%- set short = short | length -%}
    {%- set most = dbt_range_join._most_at_one_level() -%}
    {%- set long_bins = (sums[-1].length - sums[short].length) / width + 2 * (sums[-1].share - sums[short].share) -%}
    {%- set one_level = meeting.way == 'levels' and lengths and lengths[-1][0] < most.bins_of_one * width
        and long_bins * meeting.intervals <= [meeting.points, most.bins_on_average * sums[-1].share * meeting.intervals] | min -%}

    {%- set short = lengths | length if one_level else short -%}
    {%- set levels = [dbt_range_join._level_of(meeting, 0, short, 0, width)] if short else [] -%}
    {%- set ns = namespace(first=short) -%}
    {%- for shift in range(4, 64, 4) if ns.first < lengths | length -%}
        {%- set end = width * 2 ** (shift + 4) if shift < 60 else 1e308 -%}
        {%- set before_next -%}
            {%- for length, _, _, _ in lengths if length < end -%}.{%- endfor -%}
        {%- endset -%}
        {%- if before_next | length > ns.first -%}
            {%- do levels.append(dbt_range_join._level_of(meeting, ns.first, before_next | length, shift, width * 2 ** shift)) -%}
            {%- set ns.first = before_next | length -%}
        {%- endif -%}
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
