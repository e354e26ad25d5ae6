{#
    How a join without a bin_size is made: the plan of least estimated cost for data as _measure describes it.

    Of the widths there are (_candidate_widths.sql), those that are likely to be best are given their cost (_estimate.sql) out of what was measured
    (_describe_meetings.sql, _distances.sql) and of what Spark takes (_join_costs.sql). Then follow how Spark is to join (_choose_hints.sql), and what the query need not look
    for as it is known (_measured_facts.sql).
#}

{#
    The plan: {bin, broadcast, shuffle_hash, merge, small, reason}, with what _measured_facts says where bins are chosen by the data. bin is none where no bins
    at all are best: keys or small inputs leave so few pairs that comparing them is the least work. What the caller gave of broadcast and
    shuffle_hash stays.
#}
{% macro _choose_plan(join, measured) %}
    {%- set given = {'broadcast': join.broadcast, 'shuffle_hash': join.shuffle_hash, 'merge': join.merge, 'small': join.small} -%}
    {%- set small_bins = ', so bins begin small (1 second, or 1) and widen sixteenfold for longer intervals; give bin_size where that is slow' -%}
    {%- if measured is none -%}
        {%- if model is defined and model.resource_type == 'unit_test' -%}
            {{ return(dict(given, bin=none, merge=false, reason='no bins, as a unit test gives few rows, which are not measured')) }}
        {%- endif -%}
        {%- set why = dbt_range_join._why_not_measured(join) -%}
        {{ return(dict(given, bin={'of': 'any'}, reason='the data could not be measured before this query runs' ~ (' (' ~ why ~ ')' if why) ~ small_bins)) }}
    {%- endif -%}
    {%- set unit = dbt_range_join._unit_of(measured) -%}
    {%- set about = dbt_range_join._say_measured(join, measured, unit) -%}
    {%- set pairs = measured.left.rows * measured.right.rows * measured.key_share -%}
    {%- if pairs <= [2000000, dbt_range_join._pairs_worth_comparing(join, measured) * (measured.left.rows + measured.right.rows)] | max -%}
        {%- set hints = dict(given, merge=false, broadcast=dbt_range_join._broadcast_without_bins(join, measured)) -%}
        {{ return(dict(hints, bin=none, reason='no bins, as there ' ~ dbt_range_join._say_pairs(pairs, measured.seen)
            ~ (' of equal keys' if join['keys'] else '') ~ ' to compare' ~ dbt_range_join._say_hints(hints) ~ '; ' ~ about)) }}
    {%- endif -%}

    {%- if unit is none -%}
        {{ return(dict(given, bin={'of': 'any'}, reason='the types do not say in what to measure ('
            ~ (measured.left.types + measured.right.types) | join(', ') ~ ')' ~ small_bins)) }}
    {%- endif -%}

    {%- set of = 'time' if unit == 'time' else 'number' -%}
    {%- set meetings = dbt_range_join._describe_meetings(join, measured) -%}
    {%- set widths = dbt_range_join._candidate_widths(measured, unit) -%}
    {%- set estimates = dbt_range_join._likely_estimates(meetings, widths) -%}
    {%- set best = dbt_range_join._cheapest(estimates) -%}
    {%- set hints = dbt_range_join._choose_hints(join, measured, best) -%}
    {%- if dbt_range_join._is_swept(dict(join, **hints)) -%}
        {%- set width = dbt_range_join._swept_width(measured, unit) -%}
        {{ return(dict(given, bin={'of': of, 'width': width}, reason='one sweep over both sides in order, in bins of '
            ~ dbt_range_join._say_length(width, unit) ~ ', as only matches are asked for and no join_condition has a say; ' ~ about)) }}
    {%- endif -%}

    {%- set plans = [dbt_range_join._plan_at(join, measured, of, best, hints)] -%}
    {#- One join of two intervals compares half as many pairs as two at best (_compared_at_once). -#}
    {%- set below = plans[0].cost * (2 if dbt_range_join._can_be_known_to_meet_once(join) else 1) -%}
    {%- set estimates = dbt_range_join._with_wider(estimates, meetings, widths, best.width, below) -%}
    {%- for contenders, at_once in [[estimates, false], [dbt_range_join._estimates_at_once(join, estimates), true]] -%}
        {%- do plans.extend(dbt_range_join._known_plans(join, measured, of, contenders, plans | map(attribute='cost') | min, at_once)) -%}
    {%- endfor -%}
    {%- set plan = plans | sort(attribute='cost') | first -%}
    {%- set reason = 'bins of ' ~ dbt_range_join._say_length(plan.facts.bin.width, unit) ~ dbt_range_join._say_hints(plan.facts)
        ~ '; ' ~ about ~ '; about ' ~ '%.1f' % (plan.estimate.copies / [plan.estimate.intervals, 1] | max) ~ ' copies an interval, '
        ~ dbt_range_join._say_count(plan.candidates) ~ ' pairs compared for ' ~ dbt_range_join._say_count(plan.estimate.pairs) ~ ' found' -%}
    {{ return(dict(plan.facts, reason=reason)) }}
{% endmacro %}


{#
    How many pairs of each row are compared in less time than bins take: 3, but more where one side has a few rows, whose number is no guess. To compare one of these with a row takes
    10 ns then, and 60 to 80 ns where the few are kept or both sides are, as Spark marks which were met; to bin the many, and to tell which were not, takes as long as so many
    pairs. Measured with 4 to 40 rows beside 2 million.
#}
{% macro _pairs_worth_comparing(join, measured) %}
    {%- set few = 'left' if measured.left.rows <= measured.right.rows else 'right' -%}
    {%- set many = dbt_range_join._other_side(few) -%}
    {%- if join['keys'] or measured[few].rows > 100 -%}
        {{ return(3) }}
    {%- elif join.join_type in ['full', 'semi', 'anti'] -%}
        {{ return(40) }}
    {%- elif join[many].kind == 'point' -%}
        {{ return({few: 16, many: 6}.get(join.join_type, 10)) }}
    {%- elif join[few].kind == 'point' -%}
        {{ return({few: 12, many: 40}.get(join.join_type, 30)) }}
    {%- endif -%}
    {{ return(30 if join.join_type == 'inner' else 40) }}
{% endmacro %}


{#
    How the join is made in bins of one width: {facts, estimate, cost, candidates}. facts: the hints, the bin, and what _measured_facts says. cost,
    candidates: of the way in which intervals meet intervals there, the former with what it takes to know levels. estimate: what _estimate says
    of that width. hints: what _choose_hints does.
#}
{% macro _plan_at(join, measured, of, estimate, hints) %}
    {%- set bin = {'of': of, 'width': estimate.width} -%}
    {%- set facts = dict(hints, bin=bin, **dbt_range_join._measured_facts(dict(join, **hints), measured, bin, estimate)) -%}
    {%- if not facts.meets_once -%}
        {#- A query that looks where points are looks for levels, too, in whatever bins. -#}
        {%- set of_levels = dbt_range_join._cost_of_levels(dict(join, **hints), estimate, facts.levels) if facts.extents is not none else 0 -%}
        {{ return({'facts': facts, 'estimate': estimate, 'cost': estimate.cost + of_levels, 'candidates': estimate.candidates}) }}
    {%- endif -%}
    {{ return({
        'facts': facts, 'estimate': estimate, 'cost': dbt_range_join._costs_at_once(estimate)[dbt_range_join._join_operator(hints)],
        'candidates': [estimate.candidates * dbt_range_join._compared_at_once(estimate.copies_of), estimate.pairs] | max}) }}
{% endmacro %}


{#
    Plans among which is the cheapest that knows its levels, of estimates that cost less than `below`; none where none does. In narrow bins a few intervals that no sample
    shows would have too many copies, so that levels are not known there, or a spare one is looked at (_measured_levels). Where points are sorted or shuffled for
    that, wider bins may cost less without. Of plans that broadcast the first is taken: to look is cheap there, and narrower bins compare fewer where rows crowd more
    than the sample tells, as on X2 2.5 times as much.
    at_once: whether the estimates are those of one join of intervals with intervals, so that only a plan with that will do.
#}
{% macro _known_plans(join, measured, of, estimates, below, at_once) %}
    {%- set plans = [] -%}
    {%- set ns = namespace(below=below) -%}
    {%- for estimate in dbt_range_join._by_cost(estimates) if estimate.cost < ns.below -%}
        {%- set hints = dbt_range_join._choose_hints(join, measured, estimate) -%}
        {%- set plan = dbt_range_join._plan_at(join, measured, of, estimate, hints) -%}
        {%- if plan.facts.levels is not none and (plan.facts.meets_once or not at_once) and not dbt_range_join._is_swept(dict(join, **hints)) -%}
            {%- if hints.broadcast or plan.cost <= estimate.cost -%}
                {{ return(plans + [plan]) }}
            {%- endif -%}
            {%- do plans.append(plan) -%}
            {%- set ns.below = [plan.cost, ns.below] | min -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(plans) }}
{% endmacro %}


{# The join with what the plan says: see _choose_plan. Raises a compile error where that is bins, values are of types that have none, and Spark gets the query now. #}
{% macro _planned_join(join, measured) %}
    {%- set plan = dbt_range_join._choose_plan(join, measured) -%}
    {%- if measured is not none and plan.bin is not none and dbt_range_join._is_asked_now(join) -%}
        {%- do dbt_range_join._raise_faults(join.macro_name, dbt_range_join._type_faults(join, measured)) -%}
    {%- endif -%}
    {%- if measured is not none -%}
        {%- do dbt_range_join._warn_of_empty_intervals(join, measured) -%}
    {%- endif -%}
    {{ return(dict(join, **plan)) }}
{% endmacro %}


{# Why the data of a join could not be measured, in words; none where dbt may not ask. #}
{% macro _why_not_measured(join) %}
    {%- if not dbt_range_join._may_ask() -%}
        {{ return(none) }}
    {%- endif -%}
    {%- for side in ['left', 'right'] if join[side].apart is none -%}
        {{ return(side ~ '_relation reads a CTE or an ephemeral model that joins or groups, or that the text of the model does not tell') }}
    {%- endfor -%}
    {%- set said = dbt_range_join._said_against(dbt_range_join._probe_sql(join)) -%}
    {{ return('Spark says: ' ~ said if said else none) }}
{% endmacro %}


{#
    What each width that there is to choose from would cost, a list of what _estimate says, from the narrowest on; but for widths that are likely to cost
    more than the best: of every fourth width, of the second ones beside the best of these, and of those right beside the best of all these. dbt takes a
    millisecond for each, and costs mostly fall and rise once: of 77 joins of the benchmark 75 have the same best width so, and the others one that costs
    0.3 and 7 % more. meetings: what _describe_meetings says. widths: what _candidate_widths does.
#}
{% macro _likely_estimates(meetings, widths) %}
    {%- set estimates = {} -%}
    {%- set ns = namespace(asked=range(0, widths | length, 4)) -%}
    {%- for beside in [2, 1, 0] -%}
        {%- for number in ns.asked if 0 <= number < widths | length and number not in estimates -%}
            {%- do estimates.update({number: dbt_range_join._estimate(meetings, widths[number])}) -%}
        {%- endfor -%}
        {%- set best = widths.index(dbt_range_join._cheapest(estimates | dictsort | map('last')).width) -%}
        {%- set ns.asked = [best - beside, best + beside] -%}
    {%- endfor -%}
    {{ return(estimates | dictsort | map('last') | list) }}
{% endmacro %}


{#
    The estimates, and those of all widths that are wider than one, up to the first that costs as much as `below`: in wider bins the levels of intervals may be known, and
    intervals may meet intervals in one join. estimates, meetings, widths: see _likely_estimates.
#}
{% macro _with_wider(estimates, meetings, widths, width, below) %}
    {%- set known = dict(zip(estimates | map(attribute='width'), estimates)) -%}
    {%- set ns = namespace(cost=0) -%}
    {%- for wider in widths if wider > width and ns.cost < below -%}
        {%- if wider not in known -%}
            {%- do known.update({wider: dbt_range_join._estimate(meetings, wider)}) -%}
        {%- endif -%}
        {%- set ns.cost = known[wider].cost -%}
    {%- endfor -%}
    {{ return(known | dictsort | map('last') | list) }}
{% endmacro %}


{#
    Estimates from the cheapest on, but first, from the narrowest on, those that cost no more than half a hundredth more than that: so little is not known, and
    narrower bins compare fewer where rows crowd that the sample does not tell apart.
#}
{% macro _by_cost(estimates) %}
    {%- set by_cost = estimates | sort(attribute='cost') | list -%}
    {%- set as_cheap = by_cost | selectattr('cost', 'le', 1.005 * by_cost[0].cost) | list if by_cost else [] -%}
    {{ return(as_cheap | sort(attribute='width') | list + by_cost[as_cheap | length:]) }}
{% endmacro %}


{# The first of these. #}
{% macro _cheapest(estimates) %}{{ return(dbt_range_join._by_cost(estimates) | first) }}{% endmacro %}


{#
    The width of bins for a sweep, which has chunks of 16 (bins/_sweep.sql): for chunks of some 64 rows of a key on average, so that hot spots
    are spread over many, and some 16,384 of them at most, as what they reach is gathered in one task.
#}
{% macro _swept_width(measured, unit) %}
    {%- set reach = [dbt_range_join._occupied_reach(measured.left.firsts), dbt_range_join._occupied_reach(measured.right.firsts)] | max -%}
    {%- set chunks = [[(measured.left.rows + measured.right.rows) * measured.key_share / 64, 1] | max, 16384] | min -%}
    {%- set widths = dbt_range_join._widths_from(dbt_range_join._least_width(measured), unit) -%}
    {{ return(widths | select('le', reach / 16 / chunks) | list | last or widths[0]) }}
{% endmacro %}


{#
    How far values reach by their quantiles, but for the two widest gaps, as before 9999-12-31 and after 1900-01-01; all of it where there are few others.
#}
{% macro _occupied_reach(quantiles) %}
    {%- set gaps = dbt_range_join._steps_between(quantiles) -%}
    {{ return((gaps[:-2] if gaps | length > 16 else gaps) | sum) }}
{% endmacro %}
