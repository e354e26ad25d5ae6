{#
    Neither side kept, two intervals, both fanned out: each is in every bin that it touches, and two that overlap share the bin in which the later one
    of them starts. One join makes all pairs, where points and intervals take two (_meetings in forms/_binned_form.sql) and each row comes as both.

    Two intervals share one bin for each that both touch. The pair is found in the one where the later of them starts, which is the first bin of one or of
    both, as no other one that they share is: is_first tells. (The reference point of Dittrich and Seeger, Data redundancy and duplicate detection in
    spatial join processing, ICDE 2000, in one dimension.) An interval is in the bin where it starts even if it ends before that, as inverted ones do.

    What is far from all others is held at an edge, by one map for the starts of the left side and the ends of the right one, and by another for the starts of the right and
    the ends of the left. Neither moves values past each other, and that is all it takes: the later of both starts, each as its map has it, is a bin of both, and the
    only one that they share in which one of them starts. So an interval has copies as far as the other side's starts reach, and a start keeps its own bin where its own side
    reaches further, where it meets who gets there. Only early starts are held within what both sides reach over: one that begins long before all others, as by a default,
    would have copies where nobody is.

    Where bins are so small that intervals touch many, those that overlap share many, and most of what is compared is compared in vain. So the
    join is made in this way only where lengths were measured, all at one level, and it is estimated to cost less: see _is_met_once (plan/_met_once.sql).
    What a sample misses on both sides at once is dear: where one interval in ten thousand of either side touches all of 16,384 bins, and all others one, some
    seven times as many pairs are compared as estimated, and a third more than by two joins.
#}

{#
    range_join_<side>_copies: the intervals that can match, once per bin. Columns: those of the side, slot; is_first, whether the interval starts in
    that bin. Rows: at least one an interval, and at most 16,387.
#}
{% macro _overlap_ctes(join, side, other) %}
    {%- set shift = join.levels[side][0].shift -%}
    {%- set first = dbt_range_join._shifted('first_bin', shift) -%}
    {%- set last = dbt_range_join._shifted('greatest(first_bin, last_bin)', shift) -%}
    {%- set sql -%}
range_join_{{ side }}_copies as (
    select
        {{ join[side].columns | join(',\n        ') }},
        {{ dbt_range_join._slot(join, 'level_bin', shift) }} as slot,
        level_bin = {{ first }} as is_first
    from (
        select
            *,
            {{ dbt_range_join._explode_bins(first, last, only_if=dbt_range_join._bounds_given(join)) | indent(12) }} as level_bin
        from range_join_{{ side }}_spans
    ) as level_bins
)
    {%- endset -%}
    {{ return([sql]) }}
{% endmacro %}


{#
    The FROM of that join, with its ON clause. Appends to `needs` what CTEs it reads: the copies of both sides.
    Returns: {sql, aliases: {left, right}, hint}, as _meet does.
#}
{% macro _meet_once(join, needs) %}
    {%- for meeting in dbt_range_join._meetings(join) -%}
        {%- do needs.append(dict(meeting, way='overlap')) -%}
    {%- endfor -%}
    {%- set aliases = {'left': 'left_copies', 'right': 'right_copies'} -%}
    {%- set left, right = dbt_range_join._way_relations('overlap', {'points': 'left', 'intervals': 'right'}) -%}
    {%- set predicates = dbt_range_join._way_predicate(join, 'overlap', aliases.left, aliases.right)
        + dbt_range_join._range_predicate(join, aliases.left, aliases.right)
        + ['(left_copies.is_first or right_copies.is_first)']
        + dbt_range_join._join_condition(join) -%}
    {%- set sql = dbt_range_join._from_clause({'left': left, 'right': right}, aliases, 'inner join', predicates) -%}
    {{ return({'sql': sql, 'aliases': aliases, 'hint': dbt_range_join._join_hint(join, aliases)}) }}
{% endmacro %}
