{#
    How Spark is to join, as {broadcast, shuffle_hash, merge, small}: what the caller gave; else the smaller side among those that the join type lets
    Spark build is broadcast (up to about 128 MB) or hashed after a shuffle (up to 1 GB), or both sides are sorted and merged, as _join_costs has it.

    Spark's own choice would be to broadcast whatever is below 10 MB. That is fatal where points come at random and meet many candidates each: 38
    seconds in place of 2 for 1 % of intervals that are long (half of W7), 4 in place of 0.7 for a crowd (an eighth of W5). To merge where a
    broadcast is best costs up to three times its time, and can spill. So a join of which nothing is known is merged, unless it has
    keys, which leave few candidates.

    Where no interval that was seen holds a value, nothing is known of how many there are at which level, and both sides are merged, too.

    Copies carry all columns that are read of a side, so a side with long texts is broadcast or hashed only as far as these fit, too (_row_width.sql).

    A side that is broadcast is `small` where the caller says so, where few rows would otherwise be swept together with many, or where a sweep is all that the join
    would take and costs more.
#}
{% macro _choose_hints(join, measured, estimate) %}
    {%- set kept = dbt_range_join._kept_sides(join.join_type) -%}
    {%- set rows = {'left': 0, 'right': 0} -%}
    {#- Of two intervals, each side is built in both meetings: as copies in one, in the other as points that look at each level. -#}
    {%- for meeting, made in zip(dbt_range_join._meetings(join), estimate.rows_of) -%}
        {%- for kind in ['points', 'intervals'] -%}
            {%- do rows.update({meeting[kind]: [rows[meeting[kind]], made[kind]] | max}) -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- set ns = namespace(side=none) -%}
    {%- for side in rows if side not in kept and (ns.side is none or rows[side] < rows[ns.side]) -%}
        {%- set ns.side = side -%}
    {%- endfor -%}
    {%- set merged = {'broadcast': none, 'shuffle_hash': none, 'merge': true, 'small': none} -%}
    {%- if join.broadcast or join.shuffle_hash -%}
        {{ return({'broadcast': join.broadcast, 'shuffle_hash': join.shuffle_hash, 'merge': false, 'small': join.small}) }}
    {%- elif ns.side is none or not estimate.hashed or not estimate.levels | sum(start=[]) or rows[ns.side] > dbt_range_join._most_hashed() -%}
        {{ return(merged) }}
    {%- endif -%}
    {%- set bytes = rows[ns.side] * dbt_range_join._row_width(join, ns.side, rows[ns.side], measured[ns.side]) -%}
    {%- if bytes > 2 ** 30 -%}
        {{ return(merged) }}
    {%- endif -%}
    {%- set broadcast = bytes <= dbt_range_join._most_broadcast() -%}
    {%- set few = dbt_range_join._few_rows() -%}
    {%- set is_small = measured[ns.side].rows <= few or dbt_range_join._costs_less_than_a_sweep(join, measured, estimate) -%}
    {%- set small = broadcast and is_small and measured[dbt_range_join._other_side(ns.side)].rows > few -%}
    {{ return({
        'broadcast': ns.side if broadcast else none, 'shuffle_hash': none if broadcast else ns.side, 'merge': false,
        'small': ns.side if small else none}) }}
{% endmacro %}


{#
    Whether a semi or anti join by a broadcast costs less than one sweep over both sides (bins/_sweep.sql), which sorts them and reads each twice: 0.5 to 1 microsecond a row,
    three or four times what a row is that is hashed. Where rows crowd, a sweep is the better for comparing no pairs.

    Of 2.6 million seconds and 267,000 queries (W1) an anti join by a broadcast took 0.58 of the time of a sweep, a semi join 0.77; of 300,000 and 59,000 rows 0.67, and
    where Spark shuffles into 200 partitions 0.32, as a sweep shuffles all rows.
#}
{% macro _costs_less_than_a_sweep(join, measured, estimate) %}
    {{ return(join.join_type in ['semi', 'anti'] and estimate.costs.hash is not none and estimate.costs.hash < 3 * (measured.left.rows + measured.right.rows)) }}
{% endmacro %}


{#
    The side to broadcast where no bins are made: the one that the caller names. Else Spark chooses where there are keys. Without keys every row meets every
    other, and of two sides that Spark takes for large, as it does what a filter has left of a large table, an inner join is a cartesian product there, whose every task
    reads both sides anew. So where a table is built of the data as it was measured, the smaller side, of a thousand rows or so, is broadcast; of a join that keeps one side
    the other one, as Spark goes over the kept side once then, unless that has many rows.
#}
{% macro _broadcast_without_bins(join, measured) %}
    {%- if join.broadcast or join.shuffle_hash or join['keys'] or not join.built_now -%}
        {{ return(join.broadcast) }}
    {%- endif -%}
    {%- set kept = dbt_range_join._kept_sides(join.join_type) -%}
    {%- set met = dbt_range_join._other_side(kept[0]) if kept | length == 1 else none -%}
    {%- if met is not none and measured[met].rows <= dbt_range_join._few_rows() -%}
        {{ return(met) }}
    {%- endif -%}
    {{ return('left' if measured.left.rows < measured.right.rows else 'right') }}
{% endmacro %}
