{#
    Whether the side that a broadcast join goes through is to be dealt out anew. Without that each task takes the rows of one part of a file, however many pairs these make: a table of
    one file and a few row groups has one or two tasks make all pairs, whatever the cluster, and of two such parts one may be the larger by far.
#}

{#
    {side, parts}: the side whose rows are dealt out as they are read, and over how many tasks; none where they are not. To deal out takes a shuffle of that side. So it is done
    where one part of it makes eight million pairs or more and an eighth of all, each row of it thirty, and the query reads the side once. A task then makes some four million pairs,
    unless there are more than 800 million.

    To write the pairs takes two cores 0.58 of the time on W6 (intervals in two parts of 250,000 and 77,000, 50 million pairs), 0.54 on X8, 0.81 on X10 (four equal parts), and 0.73 on W6
    with texts in its rows; to count them 1.06 to 1.21, 0.64, 0.83 and 0.84. Where copies are dealt out, of which there are more than rows, it took W6 0.67 to write, and 1.75 to count.

    Rows are dealt out in no order: Spark sorts them by a hash before, so that a task that runs once more deals them out alike. What is written has the order of the files no more.

    join: with what was chosen and measured. estimate: what _estimate says of its bins.
#}
{% macro _dealt_side(join, measured, estimate) %}
    {#- A side whose rows are kept is not broadcast, whoever asks for it. -#}
    {%- if not join.broadcast or join.broadcast in dbt_range_join._kept_sides(join.join_type) or not dbt_range_join._reads_each_side_once(join) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set side = dbt_range_join._other_side(join.broadcast) -%}
    {%- set share = measured[side].largest_part -%}
    {%- if estimate.pairs < 30 * measured[side].rows or share < 0.125 or share * estimate.pairs < 8000000 -%}
        {{ return(none) }}
    {%- endif -%}
    {{ return({'side': side, 'parts': [estimate.pairs / 4000000, 200] | min | round(0, 'ceil') | int}) }}
{% endmacro %}


{# Whether the query reads either side once: one join makes all of its rows, and types, where points are, and levels are known. #}
{% macro _reads_each_side_once(join) %}
    {%- if none in [join.type, join.extents, join.levels] -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set meetings = dbt_range_join._meetings(join) -%}
    {%- set way = dbt_range_join._way_of_pairs(join) -%}
    {{ return(way == 'levels' and (join.meets_once or meetings | length == 1)
        and dbt_range_join._kept_by(join, way, meetings) == dbt_range_join._kept_sides(join.join_type)) }}
{% endmacro %}


{#
    The share that the largest of the parts in which Spark reads a side, a task each, has of its rows that can match; 1 where nothing tells. stands: of some of these, where each stands, as
    monotonically_increasing_id says: it numbers rows from a multiple of 2^33 on in each part.
#}
{% macro _largest_part(stands) %}
    {%- set parts -%}
        [0
        {%- for stand in stands -%}
            ,{{ stand // 8589934592 }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set counts = dbt_range_join._counts_of(fromjson(parts)[1:]).values() | list -%}
    {{ return(counts | max / counts | sum if counts else 1.0) }}
{% endmacro %}
