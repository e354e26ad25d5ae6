{#
    What a measured join need not look for: how far points reach, how wide bins have to be, of which type values are. Each such look is a job
    or a part of the query for Spark to plan, and together they take a quarter of the time of a join of a second.

    They hold where dbt makes a table of the data right after it was measured (`built_now`). None decides which rows come out: what a sample does not
    show costs some candidates or copies, and a type that changed in the meantime raises an error.
#}

{#
    {extents, levels, type, key_types}, each none where the query is to look; meets_once, whether both meetings of two intervals are to be one join
    (_met_once.sql); streamed, see _streamed_side; and dealt, see _dealt_side. join: with the hints that were chosen. bin: {of, width}. estimate: what _estimate says of that width.
#}
{% macro _measured_facts(join, measured, bin, estimate) %}
    {%- set extents = dbt_range_join._measured_extents(join, measured, bin) -%}
    {%- set levels = dbt_range_join._measured_levels(join, measured, bin, extents, estimate) -%}
    {%- set once = dbt_range_join._is_met_once(join, levels, estimate) -%}
    {%- set facts = dict(
        dbt_range_join._measured_types(join, measured, bin),
        extents=dbt_range_join._edges(extents, levels, once) if extents is not none else none,
        levels=levels, meets_once=once, streamed=dbt_range_join._streamed_side(join, measured, bin, levels)) -%}
    {{ return(dict(facts, dealt=dbt_range_join._dealt_side(dict(join, **facts), measured, estimate))) }}
{% endmacro %}


{#
    {left, right}, the levels (bins/_levels.sql) that the intervals of a side need, as _levels_in_use returns them, for the sides that have intervals.

    A sample may miss the longest intervals. One that is longer than all these levels serve has a copy in each bin of the widest that it touches, but
    in none beyond the extent of the points. So levels count as known where that extent is no more than 16,384 bins of the widest level, and the sample
    has two thousand intervals, or all. What one interval in a thousand is as long as, a sample of ten thousand misses once in 22,000 times, and adds
    16 copies an interval then; what one in ten thousand is, it misses once in three times, and adds two.

    Where the extent is more than that, a spare level serves those that would have more than 16,384 copies, if points look at it in less time than the query
    takes to look which levels there are (_cost_of_levels.sql). Of intervals that are broadcast they do: 3 million points (X12) took 0.7 s
    of processor time less to look at one more level than the query to look which there are.

    Which levels the sample needs is known from its lengths' quantiles and, as intervals at a far wider level than they need would meet far too many
    points, from the powers of two beside: see _needed_levels.

    join: with the hints that were chosen. estimate: what _estimate says of that width.
#}
{% macro _measured_levels(join, measured, bin, extents, estimate) %}
    {%- if extents is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set known = {} -%}
    {%- set ns = namespace(looking=0.0, spare=0.0) -%}
    {%- for sides, meeting, by_quantiles in zip(dbt_range_join._meetings(join), estimate.meetings, estimate.levels) -%}
        {%- set intervals = measured[sides.intervals] -%}
        {%- set bins = extents[sides.points].bins -%}
        {%- set shifts = dbt_range_join._needed_levels(by_quantiles, intervals.length_bits, bins, bin.width) -%}
        {%- if not shifts or intervals.rate < 1 and intervals.sampled * intervals.usable < 2000 -%}
            {{ return(none) }}
        {%- endif -%}
        {%- set levels = dbt_range_join._levels_in_use(shifts, bins, dbt_range_join._most_at_one_level().bins_of_one) -%}
        {%- set ns.looking = ns.looking + dbt_range_join._cost_of_looking(meeting) -%}
        {%- if levels[-1].is_spare and join.broadcast != sides.intervals -%}
            {%- if meeting.way != 'levels' -%}
                {{ return(none) }}
            {%- endif -%}
            {%- set ns.spare = ns.spare + dbt_range_join._cost_of_spare_level(join, sides, meeting) -%}
        {%- endif -%}
        {%- do known.update({sides.intervals: levels}) -%}
    {%- endfor -%}
    {{ return(known if ns.spare <= ns.looking else none) }}
{% endmacro %}


{#
    The shifts of the levels that a sample needs, in rising order. shifts: those by its quantiles, which leave out a level between two others that fewer than
    one interval in fifty needs, or one below them all that fewer than one in a hundred does. length_bits: the powers of two that its lengths begin with. Where
    twice a power is for one of those levels, so are the lengths from it on, or lie just below what that level is for; else its own level is added. bins: what no
    interval touches more of. By quantiles 0 alone is where all are to be at one level.

    Intervals without an end have no such powers: they are known by the quantiles of their starts alone.
#}
{% macro _needed_levels(shifts, length_bits, bins, width) %}
    {%- if shifts == [0] -%}
        {{ return(shifts) }}
    {%- endif -%}
    {%- set needed = shifts | list -%}
    {%- for bits in length_bits if dbt_range_join._level_for(2.0 ** (bits + 1), bins, width) not in shifts -%}
        {%- do needed.append(dbt_range_join._level_for(2.0 ** bits, bins, width)) -%}
    {%- endfor -%}
    {{ return(needed | unique | sort) }}
{% endmacro %}


{# The shift of the level that an interval of some length needs, as fan_out_shift has it, where none touches more than so many bins. #}
{% macro _level_for(length, bins, width) %}
    {%- set half_span = [length / width, bins] | min / 2 -%}
    {{ return((half_span | int).bit_length() // 4 * 4 if half_span >= 16 else 0) }}
{% endmacro %}


{#
    Levels as a list of {shift, below, is_spare}, in rising order: an interval is at the first whose `below` its half span (bins/_shifts.sql) is under, and the
    last has none. That is where fan_out_shift would put it; but where the next level is much wider, twice as far, as half spans at its edge go by where
    in a bin an interval starts. And a spare level, where so many bins of the others are more than `most`, has what touches more than `most`.
#}
{% macro _levels_in_use(shifts, bins, most) %}
    {%- set levels = [] -%}
    {%- for shift in shifts[:-1] -%}
        {%- set is_beside_the_next = shifts[loop.index] == shift + 4 -%}
        {%- do levels.append({'shift': shift, 'below': 2 ** (shift + (3 if shift else 4)) * (1 if is_beside_the_next else 2), 'is_spare': false}) -%}
    {%- endfor -%}
    {%- if bins <= most * 2 ** shifts[-1] -%}
        {{ return(levels + [{'shift': shifts[-1], 'below': none, 'is_spare': false}]) }}
    {%- endif -%}
    {{ return(levels + [
        {'shift': shifts[-1], 'below': most // 2 * 2 ** shifts[-1], 'is_spare': false},
        {'shift': dbt_range_join._shift_to(bins, most), 'below': none, 'is_spare': true}]) }}
{% endmacro %}


{# The first of the shifts 4, 8, ... at which so many bins are no more than `most`. #}
{% macro _shift_to(bins, most) %}
    {%- set shifts = [] -%}
    {%- for shift in range(4, 64, 4) if bins <= most * 2 ** shift -%}
        {%- do shifts.append(shift) -%}
    {%- endfor -%}
    {{ return(shifts[0]) }}
{% endmacro %}


{#
    {type, key_types}: the one type of all points and bounds, as Spark names it, and those of the keys, a list. Then values are compared in it, and binned as
    they are, and keys are hashed as they are. Both none where either is not known: text has no bins, and keys are known where each is of one type on both sides that can be hashed.
    measured: what _measure returns, or _side_types.
#}
{% macro _measured_types(join, measured, bin) %}
    {%- set types = (measured.left.types + measured.right.types) | unique | list -%}
    {%- set is_known = bin.of != 'any' and join.built_now and types | length == 1
        and dbt_range_join._family_of(types[0]) in ['time', 'whole', 'fraction']
        and dbt_range_join._can_hash(measured.left.key_types, measured.right.key_types) -%}
    {{ return({'type': types[0] if is_known else none, 'key_types': measured.left.key_types if is_known else none}) }}
{% endmacro %}
