{#
    Intervals kept, points fanned out: an interval is put in one slot, a point probes the slots in which its matches can be.

    A slot is a bin at a width: the smallest of the widths 1, 16, 256, ... times the bin size at which the interval touches
    at most two bins (see _shifts.sql), and the first of these. A point then has to look in its own bin at each width in use
    and in the one before it. These probes all differ and an interval has one slot, so a pair meets at most once, and once
    where it matches. An interval that can't match is kept as it is by the joins that keep its side, and is put in a slot of a width that
    nobody probes, by where it starts, or ends if it has no start: were all of these in one slot, one task would sort them. A semi join of intervals
    with points drops it, and Spark does that first where it has no slot. Where the join knows the extent, intervals beyond it are in the slot of its edge, as points
    there are, and one task sorts these: few, where the extent was measured (_reach_to_know).

    Before BIGINT's lowest bin there is none, and try_subtract makes that probe NULL.
#}

{#
    range_join_<side>_placed: the side's rows with their slot. Columns: those of _shifts_ctes, slot.
    range_join_<points_side>_probes: the points, once per slot to look in. Columns: those of the points' side, slot.
    Rows: at most two per point and width in use, of which there are 17.
#}
{% macro _place_ctes(join, side, points_side) %}
    {%- set bin, shift = 'shiftright(first_bin, slot_shift)', 'slot_shift' -%}
    {%- if join.join_type != 'semi' or join.left.kind == join.right.kind -%}
        {%- set start_bin = 'bin_num' if join.null_bounds == 'no_match' else 'if(' ~ join[side].value_columns[0] ~ ' is null, null, bin_num)' -%}
        {%- set bin, shift = 'if(\n            slot_shift is null, coalesce(' ~ start_bin ~ ', end_bin, 0), ' ~ bin ~ '\n        )', 'coalesce(slot_shift, 1)' -%}
    {%- endif -%}
    {#- A look is a width's shift, and 64 more for the bin before the point's. -#}
    {%- set looks = '(select concat(slot_shifts, transform(slot_shifts, shift -> shift + 64)) from range_join_' ~ side ~ '_used_shifts)' -%}
    {%- set point_bin = dbt_range_join._bin_to_look_in(join, points_side, dbt_range_join._point_bin(join)) -%}
    {%- set look_in = 'try_subtract(\n            shiftright(' ~ point_bin ~ ', look % 64), look div 64\n        )' -%}
    {%- set sql -%}
range_join_{{ side }}_placed as (
    select
        *,
        {{ dbt_range_join._slot(join, bin, shift) }} as slot
    from range_join_{{ side }}_shifts
),

{{ dbt_range_join._probes_cte(join, points_side, 'probes', looks, look_in, 'look % 64') }}
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}
