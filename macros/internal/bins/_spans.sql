{#
    How far the points reach, and which bins each interval touches within that.
#}

{#
    range_join_<side>_extent: the first and last bin of a side's points and, if counted, how many points have a bin. One row: extent, a
    struct of first_bin, last_bin and points, so that who needs several asks one subquery. If there is no point, the first bin is BIGINT's highest and the
    last its lowest, so that no interval reaches from one to the other. Where NULL bounds are open, NULLs are not in it, whose bin is far before all others: NULL
    points are met by intervals open at both ends alone; and NULL starts, with all else in the lowest bin, by intervals that start there (_spans_cte).
#}
{% macro _extent_cte(join, side, counted) %}
    {%- set bin = 'bin_num' -%}
    {%- if dbt_range_join._are_starts_open(join) -%}
        {%- set bin = 'nullif(bin_num, ' ~ dbt_range_join._lowest_bin() ~ ')' -%}
    {%- elif join.null_bounds == 'unbounded' -%}
        {%- set bin = 'if(' ~ join[side].value_columns[0] ~ ' is null, null, bin_num)' -%}
    {%- endif -%}
    {%- set sql -%}
range_join_{{ side }}_extent as (
    select
        struct(
            coalesce(min({{ bin }}), 9223372036854775807) as first_bin,
            coalesce(max({{ bin }}), -9223372036854775808) as last_bin
            {%- if counted %},
            count(bin_num) as points
            {%- endif %}
        ) as extent
    from range_join_{{ side }}_binned
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The bin of NULLs where NULL bounds are open, as SQL. #}
{% macro _lowest_bin() %}{{ return('-9223372036854775808') }}{% endmacro %}


{#
    Whether NULL starts are points, which match other intervals that start with NULL. They, and all else in the lowest bin, are looked for in the bin before the
    first of the extent, which of all intervals only those reach that start in the lowest bin. (In wider bins it may be one with the first: there they also meet, in
    vain, the long intervals that begin at or before the first.) Not where the extent is endless (_unknown_extents).
#}
{% macro _are_starts_open(join) %}{{ return(join.left.kind == join.right.kind and join.null_bounds == 'unbounded' and not join.extents) }}{% endmacro %}


{# The name of the bin that points are looked for in, and the select items that make it out of those of a side's rows: none for bin_num. #}
{% macro _point_bin(join) %}{{ return('point_bin' if dbt_range_join._are_starts_open(join) else 'bin_num') }}{% endmacro %}

{% macro _point_bin_items(join, points_side) %}
    {%- set before_all = '(select extent.first_bin - 1 from range_join_' ~ points_side ~ '_extent)' -%}
    {{ return(['greatest(bin_num, ' ~ before_all ~ ') as point_bin'] if dbt_range_join._are_starts_open(join) else []) }}
{% endmacro %}


{#
    range_join_<side>_spans: each interval with the first and last bin that it touches within the extent of the points.

    Columns: those of _binned_cte; points, how many of them have a bin (or about how many there
    are, as measured), if counted; first_bin, last_bin. Rows: those of the side.
    A start counts as inclusive, and so does an end unless _bin_in_domain says otherwise: a bin too many costs a copy of a row and never a match. A NULL bound
    comes out as the extent's, since `greatest` and `least` pass over NULL: that is an open bound; _touches_a_bin tells where it is not. One that is open at both
    ends also has the bin of NULL points, and one whose start is open that of NULL starts (_are_starts_open).

    Where the join knows the extent (plan/_measured_extents.sql), what lies beyond it is in the bin past its edge, as _bin_within_extent
    has it for points.
#}
{% macro _spans_cte(join, side, points_side, counted) %}
    {%- set columns = join[side].columns + dbt_range_join._key_hash_column(join) + ['bin_num', 'end_bin'] -%}
    {%- if join.extents -%}
        {%- do columns.extend([join.extents[points_side].points ~ ' as points'] if counted else []) -%}
        {#- In one join a start stands for a point of its own side, too. -#}
        {%- do columns.append(dbt_range_join._bin_within_extent(join, side if join.meets_once else points_side, 'bin_num') ~ ' as first_bin') -%}
        {%- do columns.append(dbt_range_join._bin_within_extent(join, points_side, 'end_bin', is_end=true) ~ ' as last_bin') -%}
        {%- set who = 'points' if join.left.kind != join.right.kind else 'starts, from where both sides have some,' if join.meets_once else 'starts' -%}
        {%- set sql -%}
{{ '' if join.tiny else '-- ' ~ who ~ (' are stated' if join.stated else ' were measured') ~ ' to lie within these bins; what lies beyond counts as in the outermost\n' -}}
range_join_{{ side }}_spans as (
    select
        {{ columns | join(',\n        ') }}
    from range_join_{{ side }}_binned
)
        {%- endset -%}
        {{ return(sql) }}
    {%- endif -%}
    {%- do columns.extend(['extent.points'] if counted else []) -%}
    {%- set first_bin, last_bin = 'greatest(bin_num, extent.first_bin)', 'least(end_bin, extent.last_bin)' -%}
    {%- if dbt_range_join._are_starts_open(join) -%}
        {%- set first_bin = 'if(bin_num = ' ~ dbt_range_join._lowest_bin() ~ ', extent.first_bin - 1, ' ~ first_bin ~ ')' -%}
        {%- set last_bin = 'greatest(' ~ last_bin ~ ', extent.first_bin - 1)' -%}
    {%- elif join.null_bounds == 'unbounded' -%}
        {%- set first_bin = 'if(' ~ join[side].value_columns | join(' is null and ') ~ ' is null, bin_num, ' ~ first_bin ~ ')' -%}
    {%- endif -%}
    {%- set sql -%}
range_join_{{ side }}_spans as (
    select
        {{ columns | join(',\n        ') }},
        {{ first_bin }} as first_bin,
        {{ last_bin }} as last_bin
    from (
        select
            *,
            (select extent from range_join_{{ points_side }}_extent) as extent
        from range_join_{{ side }}_binned
    ) as intervals
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    The bin in which points are looked for, as SQL over their own: that, or, where the join knows the extent, one held within it. Tiny sides have no extent to be held
    within. is_kept: whether points without a bin are rows, too: then NULL stays NULL.
#}
{% macro _bin_to_look_in(join, points_side, bin, is_kept=false) %}
    {%- if join.tiny or not join.extents -%}
        {{ return(bin) }}
    {%- endif -%}
    {%- set held = dbt_range_join._bin_within_extent(join, points_side, bin) -%}
    {{ return('if(' ~ bin ~ ' is null, null, ' ~ held ~ ')' if is_kept else held) }}
{% endmacro %}


{#
    A bin held within the extent of a side's points, which the join knows. A NULL comes out at the lower edge, or, if is_end, at the upper one.
#}
{% macro _bin_within_extent(join, points_side, bin, is_end=false) %}
    {%- set extent = join.extents[points_side] -%}
    {%- if is_end -%}
        {{ return('greatest(least(' ~ bin ~ ', ' ~ extent.last_bin ~ '), ' ~ extent.first_bin ~ ')') }}
    {%- endif -%}
    {{ return('least(greatest(' ~ bin ~ ', ' ~ extent.first_bin ~ '), ' ~ extent.last_bin ~ ')') }}
{% endmacro %}
