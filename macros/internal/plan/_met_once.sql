{#
    Whether the two meetings of intervals with intervals are made as one join (bins/_overlap.sql), and what that takes.

    One join has fewer rows: copies of both sides, where two meetings have these and each side's points beside them. But it compares more pairs where intervals
    touch several bins, as two that overlap share most of them. So both are estimated, and the cheaper is taken.
#}

{#
    Whether one join can be made, and is the cheaper way, by hash or by merge as the hints have it. join: with the hints that were chosen.
    levels: what _measured_levels returns. estimate: what _estimate says of two meetings.
#}
{% macro _is_met_once(join, levels, estimate) %}
    {%- if not dbt_range_join._can_meet_once(join) or not dbt_range_join._is_one_width(levels) or dbt_range_join._meets_in_vain(estimate) -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set operator = dbt_range_join._join_operator(join) -%}
    {%- set at_once = dbt_range_join._costs_at_once(estimate)[operator] -%}
    {{ return(at_once is not none and estimate.costs[operator] is not none and at_once < estimate.costs[operator]) }}
{% endmacro %}


{#
    Whether one join may make the pairs: where all rows that are kept besides are found by sweeps. Any other look for them goes by the extents of two
    meetings, each by itself.
#}
{% macro _can_meet_once(join) %}
    {%- for side in dbt_range_join._kept_sides(join.join_type) if not dbt_range_join._is_side_swept(join, side) -%}
        {{ return(false) }}
    {%- endfor -%}
    {{ return(dbt_range_join._meetings(join) | length == 2 and dbt_range_join._way_of_pairs(join) is not none) }}
{% endmacro %}


{# Whether both can be known before the query runs: that it is a join of such a kind, and where its values are. #}
{% macro _can_be_known_to_meet_once(join) %}{{ return(dbt_range_join._can_meet_once(join) and dbt_range_join._can_know_extents(join)) }}{% endmacro %}


{# How Spark joins with such hints, as _join_costs names it. #}
{% macro _join_operator(hints) %}{{ return('hash' if hints.broadcast or hints.shuffle_hash else 'merge') }}{% endmacro %}


{#
    The estimates of widths at which two meetings are each at one level, and the same, with `cost` as of one join, and `hashed` as is best for it; `costs` stay those of
    two meetings. Empty where no join can be made so, or no levels can be known. estimates: what _with_wider returns.
#}
{% macro _estimates_at_once(join, estimates) %}
    {%- set at_once = [] -%}
    {%- if dbt_range_join._can_be_known_to_meet_once(join) -%}
        {%- for estimate in estimates if estimate.levels[0] | length == 1 and estimate.levels[0] == estimate.levels[1] -%}
            {%- set costs = dbt_range_join._costs_at_once(estimate) -%}
            {%- set hashed = costs.hash is not none and costs.hash <= costs.merge -%}
            {%- do at_once.append(dict(estimate, hashed=hashed, cost=costs.hash if hashed else costs.merge)) -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(at_once) }}
{% endmacro %}


{# Whether both sides of a join have intervals, and all are in bins of one width, the same for both. levels: what _measured_levels returns. #}
{% macro _is_one_width(levels) %}
    {{ return(levels is not none and levels | length == 2 and levels.left | length == 1 and levels.left == levels.right) }}
{% endmacro %}


{#
    Whether intervals that hold no value, inverted ones and, unless both ends belong to them, those of no length, could meet each other more than ten
    times a row. Two of them never match, and have a copy each where they start: where many of both sides start at once, as those of a default may,
    all of these would meet. Where points meet intervals they are points alone.
#}
{% macro _meets_in_vain(estimate) %}
    {%- set rows = estimate.meetings[0].points + estimate.meetings[0].intervals -%}
    {#- As if all were of one key: these may be, too. -#}
    {%- set ns = namespace(pairs=estimate.meetings[0].points * estimate.meetings[0].intervals) -%}
    {%- for meeting in estimate.meetings -%}
        {%- set ns.pairs = ns.pairs * meeting.empty -%}
    {%- endfor -%}
    {{ return(ns.pairs > 10 * rows) }}
{% endmacro %}


{#
    What one join would cost where both meetings are at the same one level: {hash, merge}, as _join_costs has it.

    Its pairs are counted for the worst that is likely: that lengths go with the key or the time of an interval, on both sides alike, so that those of many
    copies meet each other, as where each device has intervals of its own length. For that, an interval's copies are averaged over copies and not
    over intervals. Were lengths independent of both, there would be as many pairs as _compared_at_once says of the plain averages.

    Intervals that hold no value have one copy here, and none where points and intervals meet.
#}
{% macro _costs_at_once(estimate) %}
    {%- set wide = estimate.width * 2 ** estimate.levels[0][0] -%}
    {%- set rows, copies = [], [] -%}
    {%- for meeting in estimate.meetings -%}
        {#- Of each length, its copies, and their square: where in a bin an interval starts decides whether it has one more. -#}
        {%- set numbers -%}
            [0,{{ meeting.empty }}
            {%- for length, share, _, _ in meeting.lengths -%}
                {#- More than anything, and still a number that can be squared. -#}
                {%- set in_bins = length / wide if length < 1e100 * wide else 1e100 -%}
                ,{{ share * (in_bins + 1) }},{{ share * ((in_bins + 1) ** 2 + in_bins % 1 * (1 - in_bins % 1)) }}
            {%- endfor -%}]
        {%- endset -%}
        {%- set numbers = fromjson(numbers) -%}
        {%- set of_all, squared = numbers[::2] | sum, numbers[1::2] | sum -%}
        {%- do rows.append(meeting.intervals * (of_all + meeting.empty)) -%}
        {%- do copies.append(squared / [of_all, 1e-9] | max) -%}
    {%- endfor -%}
    {#- Of the first meeting, the points are where the other side's intervals start. -#}
    {%- set rows = {'intervals': rows[0], 'points': rows[1]} -%}
    {{ return(dbt_range_join._join_costs(
        rows, dbt_range_join._hash_table(estimate.meetings[0], wide, rows), estimate.candidates * dbt_range_join._compared_at_once(copies))) }}
{% endmacro %}


{#
    How many pairs one join compares, over those of two meetings. Intervals of x and of y copies share x * y bins where starts of the ones are in the bins
    of the others x + y times. copies: of each meeting, the copies an interval.
#}
{% macro _compared_at_once(copies) %}{{ return(copies[0] * copies[1] / ([copies[0] + copies[1], 1e-9] | max)) }}{% endmacro %}
