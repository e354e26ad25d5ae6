{#
    What a join need not look for because the caller states it: how far points reach, and how long intervals are (arguments/_read_extent.sql).

    As with what is measured (_measured_facts.sql), none of it decides which rows come out: what does not keep to it costs candidates or copies.
    But it holds wherever the query runs, as of a view, for the caller vouches for it and not a sample of today's data.
#}

{#
    Whether the query goes by what the caller states: where it could go by what is measured, but for when it runs (_measured_extents), and asks for bins at all. Not
    where a BIGINT can't number the bins of all of the extent: then it had better look (_numbered_bins.sql).
#}
{% macro _goes_by_statement(join) %}
    {{ return(join.stated is not none and join.null_bounds == 'no_match' and not dbt_range_join._is_swept(join)
        and not dbt_range_join._is_out_of_reach([join.stated.first, join.stated.last] | map('abs') | max, join.bin.width)) }}
{% endmacro %}


{#
    What _measured_facts returns, out of join.stated. The data is not looked at, but for the types of its values. Intervals that are as long as stated are all
    at the first level, and those that are longer all the same have no more copies than _levels_in_use leaves them. bin_size: as the caller gave it.

    Data grows, and nobody tells the call: bins go on for eight times the stated extent on both sides, before all that lies further out meets in one. That is
    seventeen times as far in all, so that intervals without an end are at one level more at most. Where all intervals may be at one level, no second
    one comes of it.
#}
{% macro _stated_facts(join, bin_size) %}
    {%- set extents = {} -%}
    {%- set levels = {} -%}
    {%- set most = dbt_range_join._most_at_one_level().bins_of_one -%}
    {%- set stated = dbt_range_join._extent_of(join.stated.first, join.stated.last, 0, join.bin.width) -%}
    {%- set keeps_one_level = join.stated.has_longest and stated.bins <= most -%}
    {%- set room = [8 * stated.bins, (most - stated.bins) // 2] | min if keeps_one_level else 8 * stated.bins -%}
    {%- set extent = dict(stated, first=stated.first - room, last=stated.last + room, bins=stated.bins + 2 * room) -%}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- do extents.update({meeting.points: extent}) -%}
        {%- do levels.update({meeting.intervals: dbt_range_join._levels_in_use([0], extent.bins, most)}) -%}
    {%- endfor -%}
    {%- set known = levels if join.stated.has_longest else none -%}
    {%- set edges = dbt_range_join._edges(extents, known) -%}
    {%- for edge in edges.values() -%}
        {%- do edge.update({'points': dbt_range_join._unknown_extents().left.points}) -%}
    {%- endfor -%}
    {{ return(dict(dbt_range_join._stated_types(join, bin_size), extents=edges, levels=known, meets_once=false)) }}
{% endmacro %}


{#
    {type, key_types} where dbt builds a table now and may ask Spark: see _measured_types. A bin_size that does not fit the values is a compile error.
    Not where range_join_check_bin_size is false: then nothing is asked.
#}
{% macro _stated_types(join, bin_size) %}
    {%- if not var('range_join_check_bin_size', true) or not join.built_now -%}
        {{ return({'type': none, 'key_types': none}) }}
    {%- endif -%}
    {%- set join = dbt_range_join._with_sides_apart(join) -%}
    {%- set sizes = dbt_range_join._input_sizes(join) -%}
    {%- if sizes is none -%}
        {{ return({'type': none, 'key_types': none}) }}
    {%- endif -%}
    {%- set types = dbt_range_join._side_types(join, sizes) -%}
    {%- do dbt_range_join._has_bins_for(join, bin_size, types) -%}
    {{ return(dbt_range_join._measured_types(join, types, join.bin)) }}
{% endmacro %}
