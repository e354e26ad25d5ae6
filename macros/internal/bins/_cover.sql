{#
    Points kept, intervals fanned out, where all that is asked is whether a point has a match (semi and anti joins, and rows
    without a match), and no join_condition has a say: one row for a bin that long intervals cover, however many they are.

    An interval of more than 32 bins (see _shifts.sql) covers the bins strictly between its first and its last: bin(start) <
    bin(p) < bin(end) means start < p < end, since bins never decrease. So it needs copies in its first and last bin alone,
    and elsewhere it is enough to know what is covered. That is told by wider bins, of which it touches 18 at most: of all
    intervals that run on beyond the end of one, the one that starts first covers most of it, and of those that come from
    before it, the one that ends last.

    Where the points are starts of intervals, a match also needs the point's own end to be no earlier than the other's start.
    An end in the start's bin or a later one sees to that. An inverted interval's may not, and is compared with copies in the
    bins that inverted ones occupy.
#}

{#
    range_join_<side>_covering, and the CTEs that it needs. Columns: those of the side, is_cover, bin_num. Rows: at most 32
    an interval, one per occupied bin and width in use, and one per long interval and occupied bin of inverted intervals
    within it. A row with is_cover has NULLs for the interval and its bounds.
#}
{% macro _cover_ctes(join, side, points_side) %}
    {%- set keys = dbt_range_join._key_columns(join) -%}
    {%- set columns = dbt_range_join._side_columns(join, side) -%}
    {%- set inverted = join[points_side].kind == 'interval' -%}
    {%- set wide_bin = keys + ['fan_out_shift', 'wide_bin'] -%}
    {%- set cover = [] -%}
    {%- for column in columns -%}
        {%- do cover.append('covers.' ~ column if column in keys else 'null as ' ~ column) -%}
    {%- endfor -%}
    {%- set predicates = ['covers.fan_out_shift = occupied.shift', 'covers.wide_bin = occupied.wide_bin']
        + dbt_range_join._key_predicate(join, 'occupied', 'covers')
        + ['(occupied.bin_num > covers.covered_after or occupied.bin_num < covers.covered_before)'] -%}
    {%- set covers_sql -%}
range_join_{{ side }}_covers as (
    select
        {{ wide_bin | join(',\n        ') }},
        min(if(wide_bin < shiftright(last_bin, fan_out_shift), first_bin, null)) as covered_after,
        max(if(wide_bin > shiftright(first_bin, fan_out_shift), last_bin, null)) as covered_before
    from range_join_{{ side }}_long
    group by {{ wide_bin | join(', ') }}
)
    {%- endset -%}
    {%- set covering_sql -%}
range_join_{{ side }}_covering as (
    select
        {{ columns | join(',\n        ') }},
        false as is_cover,
        {{ dbt_range_join._explode_bins_or_ends('first_bin', 'last_bin', 'fan_out_shift = 0', 'fan_out_shift > 0') }} as bin_num
    from range_join_{{ side }}_shifts
    union all
    select
        {{ cover | join(',\n        ') }},
        true as is_cover,
        occupied.bin_num
    from range_join_{{ side }}_covers as covers
    inner join range_join_{{ points_side }}_occupied as occupied
        on
            {{ predicates | join('\n            and ') }}
    {%- if inverted %}
    union all
    select
        {{ dbt_range_join._qualified('long_intervals', columns) | join(',\n        ') }},
        false as is_cover,
        occupied.bin_num
    {{ dbt_range_join._occupied_bins_of_long(join, side, points_side, ['occupied.is_inverted']) | indent(4) }}
    {%- endif %}
)
    {%- endset -%}
    {{ return([
        dbt_range_join._long_cte(side),
        dbt_range_join._occupied_cte(
            points_side, side, keys + ['bin_num'] + (['end_bin < bin_num as is_inverted'] if inverted else [])),
        covers_sql, covering_sql]) }}
{% endmacro %}


{# How points meet the rows of _cover_ctes. Returns: a list of predicates over the two aliases. #}
{% macro _cover_predicate(join, points, intervals) %}
    {{ return([points ~ '.bin_num = ' ~ intervals ~ '.bin_num'] + dbt_range_join._key_predicate(join, points, intervals)) }}
{% endmacro %}


{# What decides a match of those that met: that the bin is covered, or else the range predicate. Returns: a predicate. #}
{% macro _covered_or(join, points, intervals, range_predicate) %}
    {%- set ns = namespace(covered='true') -%}
    {%- if join.left.kind == join.right.kind -%}
        {%- set ns.covered = points ~ '.end_bin >= ' ~ points ~ '.bin_num' -%}
        {%- if join.null_bounds == 'unbounded' -%}
            {%- set ns.covered = ns.covered ~ ' or ' ~ points ~ '.end_bin is null' -%}
        {%- endif -%}
    {%- endif -%}
    {%- set sql -%}
if(
            {{ intervals }}.is_cover,
            {{ ns.covered }},
            {{ range_predicate | join('\n            and ') }}
        )
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
