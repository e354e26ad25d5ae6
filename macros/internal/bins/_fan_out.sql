{#
    Points kept, intervals fanned out: a point has one bin, an interval is in each bin that it touches.

    What bounds the fan-out. An interval of few bins (up to 32) is put in each. One of many is put only in those of its bins
    that hold points of its keys: every such copy but those at the interval's two ends meets a match, so the copies
    are fewer than the matches and twice the intervals. They are found by a join on wider bins (see _shifts.sql), of
    which it touches 18 at most.

    Why no interval comes to a bin twice. It has one width, and at that width a bin lies in one wider bin. With keys there is
    one more way: keys of two types can be equal without being the same ('1' and '01' both equal 1), so that several
    occupied bins stand for one. A copy therefore says whose bin it is (point_keys), and only those points meet it.
#}

{#
    range_join_<side>_fanned_out. Columns: those of the side, bin_num, and key_hash and point_keys where there are keys. Rows: one per
    interval and bin, for the intervals that can match at all.
#}
{% macro _fan_out_ctes(join, side, points_side) %}
    {%- set columns = join[side].columns + dbt_range_join._key_hash_column(join) -%}
    {%- set bins = dbt_range_join._explode_bins('first_bin', 'last_bin', only_if=['fan_out_shift = 0']) -%}
    {%- set sql -%}
range_join_{{ side }}_fanned_out as (
    select
        {{ columns | join(',\n        ') }},
        {%- if join['keys'] %}
        null as point_keys,
        {%- endif %}
        {{ bins | indent(8) }} as bin_num
    from range_join_{{ side }}_shifts
    union all
    select
        {{ dbt_range_join._qualified('long_intervals', columns) | join(',\n        ') }},
        {%- if join['keys'] %}
        {{ dbt_range_join._point_keys(join, 'occupied') }} as point_keys,
        {%- endif %}
        occupied.bin_num
    {{ dbt_range_join._occupied_bins_of_long(join, side, points_side) | indent(4) }}
)
    {%- endset -%}
    {{ return([
        dbt_range_join._long_cte(side),
        dbt_range_join._occupied_cte(join, points_side, side),
        sql]) }}
{% endmacro %}


{# range_join_<side>_long: the intervals of more than 32 bins, once per wider bin. Columns: those of _shifts_ctes, wide_bin. #}
{% macro _long_cte(side) %}
    {%- set wide_bins = dbt_range_join._explode_bins(
        'shiftright(first_bin, fan_out_shift)', 'shiftright(last_bin, fan_out_shift)', only_if=['fan_out_shift > 0']) -%}
    {%- set sql -%}
-- intervals of more than 32 bins: met only where there are points, found by wider bins
range_join_{{ side }}_long as (
    select
        *,
        {{ wide_bins | indent(8) }} as wide_bin
    from range_join_{{ side }}_shifts
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    range_join_<points_side>_occupied: the bins that hold points, with the wider bin of each width that long intervals have.
    Columns: the keys, bin_num, shift, wide_bin. Rows: one per keys, bin and width.
#}
{% macro _occupied_cte(join, points_side, side) %}
    {%- set bin = dbt_range_join._bin_to_look_in(join, points_side, 'bin_num', is_kept=true) -%}
    {%- set sql -%}
range_join_{{ points_side }}_occupied as (
    select
        *,
        shiftright(bin_num, shift) as wide_bin
    from (
        select distinct
            {{ dbt_range_join._named(join.key_columns + ['bin_num'], {'bin_num': bin}) | join(',\n            ') }},
            explode((select fan_out_shifts from range_join_{{ side }}_used_shifts)) as shift
        from range_join_{{ points_side }}_binned
    ) as bins
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The FROM in which each long interval meets the occupied bins of its keys that it touches. #}
{% macro _occupied_bins_of_long(join, side, points_side) %}
    {%- set predicates = ['long_intervals.fan_out_shift = occupied.shift', 'long_intervals.wide_bin = occupied.wide_bin']
        + dbt_range_join._key_predicate(join, 'occupied', 'long_intervals')
        + ['occupied.bin_num between long_intervals.first_bin and long_intervals.last_bin'] -%}
    {%- set sql -%}
from range_join_{{ side }}_long as long_intervals
inner join range_join_{{ points_side }}_occupied as occupied
    on
        {{ predicates | join('\n        and ') }}
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# All keys of an alias as one value. #}
{% macro _point_keys(join, alias) %}
    {{ return('struct(' ~ dbt_range_join._qualified(alias, join.key_columns) | join(', ') ~ ')') }}
{% endmacro %}


{# How points meet fanned-out intervals. Returns: a list of predicates over the two aliases. #}
{% macro _fan_out_predicate(join, points, intervals) %}
    {%- set bin = dbt_range_join._bin_to_look_in(join, dbt_range_join._meetings(join)[0].points, points ~ '.bin_num', is_kept=true) -%}
    {%- if not join['keys'] -%}
        {{ return([bin ~ ' = ' ~ intervals ~ '.bin_num']) }}
    {%- endif -%}
    {#- Of equal keys, and so of equal hashes, the bins are equal if these are. -#}
    {{ return(
        [points ~ '.key_hash ^ ' ~ bin ~ ' = ' ~ intervals ~ '.key_hash ^ ' ~ intervals ~ '.bin_num']
        + dbt_range_join._hashed_key_predicate(join, points, intervals)
        + ['(' ~ intervals ~ '.point_keys is null or ' ~ intervals ~ '.point_keys <=> ' ~ dbt_range_join._point_keys(join, points) ~ ')']) }}
{% endmacro %}
