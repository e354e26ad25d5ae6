{#
    range_join_<side>_spans: each interval with the first and last bin that it touches within the extent of the points.

    Columns: those of the side (and bin_num where the side's starts are points too), first_bin, last_bin. Rows: those of the
    side. Both ends count as inclusive: a bin too many costs a copy of a row and never a match. A NULL bound comes out as
    the extent's, since `greatest` and `least` pass over NULL: that is an open bound; _touches_a_bin tells where it is not.
#}
{% macro _spans_ctes(join, side, points_side) %}
    {%- set also_points = join[side].kind == join[points_side].kind -%}
    {%- set sql -%}
range_join_{{ side }}_spans as (
    select
        {{ (dbt_range_join._side_columns(join, side) + (['bin_num'] if also_points else [])) | join(',\n        ') }},
        greatest(
            {{ dbt_range_join._bin_in_domain('comparable_start', join.bin) | indent(12) }},
            (select first_bin from range_join_{{ points_side }}_extent)
        ) as first_bin,
        least(
            {{ dbt_range_join._bin_in_domain('comparable_end', join.bin) | indent(12) }},
            (select last_bin from range_join_{{ points_side }}_extent)
        ) as last_bin
    from (
        select
            *,
            {{ dbt_range_join._in_domain('interval_start') }} as comparable_start,
            {{ dbt_range_join._in_domain('interval_end') }} as comparable_end
        from range_join_{{ side }}{{ '_points' if also_points }}
    ) as sides
)
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}
