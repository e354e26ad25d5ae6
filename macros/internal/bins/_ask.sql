{#
    Points kept, intervals fanned out by little, where all that is asked is whether a point has a match, and a join_condition has a
    say in that: points look at one width of bins after the other, at the next those that found nothing so far.

    The widths are those that the intervals need: the bin size, and each 256 times as wide as the one before, an interval being at the
    first at which it touches 34 bins at most (ask_shift, see _shifts.sql). Where that makes more than three, the widest
    serves all intervals beyond the second; where both sides are tiny, it serves all. A point has one bin at each width, and an interval
    a copy in each of its bins at its own, so who matches meets a copy of it, with the row that the condition reads. That takes three rows a point and 34 an interval,
    however many match.
#}

{# How many widths points look at. #}
{% macro _ask_widths(join) %}{{ return(1 if join.tiny else 3) }}{% endmacro %}


{#
    range_join_<side>_ask_widths: one row, ask_shifts: the widths as shifts. One that nobody needs is 1, which is no interval's:
    points go looking where nothing is, and stay spread over the partitions.
    range_join_<side>_asked: the intervals that can match, once per bin of their width. Columns: those of the side, slot. Rows: at
    most 34 an interval.
#}
{% macro _ask_ctes(join, side, points_side) %}
    {%- set bins = dbt_range_join._explode_bins(
        'shiftright(first_bin, shift)', 'shiftright(last_bin, shift)', only_if=['shift is not null']) -%}
    {%- set widest = dbt_range_join._ask_widths(join) - 1 -%}
    {%- set beyond = 'ask_shift > ask_shifts[' ~ (widest - 1) ~ ']' if widest else 'ask_shift is not null' -%}
    {%- set sql -%}
range_join_{{ side }}_ask_widths as (
    select
        concat(
            slice(ask_shifts, 1, {{ widest }}),
            slice(ask_shifts, greatest({{ widest + 1 }}, size(ask_shifts)), 1),
            array_repeat(1, {{ widest + 1 }})
        ) as ask_shifts
    from range_join_{{ side }}_used_shifts
),

range_join_{{ side }}_asked as (
    select
        {{ join[side].columns | join(',\n        ') }},
        {{ dbt_range_join._slot(join, 'wide_bin', 'shift') }} as slot
    from (
        select
            *,
            {{ bins | indent(12) }} as wide_bin
        from (
            select
                *,
                if(ask_shifts[{{ widest }}] > 1 and {{ beyond }}, ask_shifts[{{ widest }}], ask_shift) as shift
            from (
                select
                    *,
                    (select ask_shifts from range_join_{{ side }}_ask_widths) as ask_shifts
                from range_join_{{ side }}_shifts
            ) as intervals
        ) as widths
    ) as wide_bins
)
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}


{#
    range_join_<points_side>_asking_<n>: points with the slot to look in at the nth width. Columns: those of `points_cte`, which has
    bin_num, and slot. Rows: those of `points_cte`.
#}
{% macro _asking_cte(join, points_side, side, width, points_cte) %}
    {%- set shift = '(select ask_shifts[' ~ width ~ '] from range_join_' ~ side ~ '_ask_widths) as shift' -%}
    {%- set items = ['*'] + dbt_range_join._point_bin_items(join, points_side) + [shift] -%}
    {%- set point_bin = dbt_range_join._bin_to_look_in(join, points_side, dbt_range_join._point_bin(join), is_kept=true) -%}
    {%- set sql -%}
range_join_{{ points_side }}_asking_{{ width + 1 }} as (
    select
        *,
        {{ dbt_range_join._slot(join, 'shiftright(' ~ point_bin ~ ', shift)', 'shift') }} as slot
    from (
        select
            {{ items | join(',\n            ') }}
        from {{ points_cte }}
    ) as points
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
