{#
    What Spark takes to join, by how many rows and candidates there are, and how large a side it can hold in memory: what was measured of Spark itself.
#}

{#
    What a join costs by hash and by merge, in units of a row that is hashed. Measured on two cores, as the rise of time over the size of
    bins: a row takes 130 to 300 ns where a side is hashed, and twice that where both are sorted. A row of the side that is built counts
    twice: one thread of the driver makes the hash table that is broadcast, 300 ns a row. To compare a pair takes
    3 ns where both are sorted, since candidates then lie side by side.

    rows: how many the two sides have with their copies, {intervals, points}. table: what a hash table would be made of, as _hash_table has it. found_first: how many
    rows a join before it has, which Spark makes as it likes. Returns: {hash, merge}; hash is none where no side is small
    enough: a hash table can't spill, and of 4 million rows it took longer than to sort both sides.
#}
{% macro _join_costs(rows, table, candidates, found_first=0) %}
    {%- set both, before = rows.intervals + rows.points, 2 * found_first -%}
    {%- set by_hash = both + table.rows + dbt_range_join._hashed_pair_cost(table) * candidates -%}
    {{ return({
        'hash': before + by_hash if table.rows <= dbt_range_join._most_hashed() else none,
        'merge': before + 2 * both + 0.02 * candidates}) }}
{% endmacro %}


{#
    What it costs to compare a pair by hash. Candidates are a chain through memory: 5 ns a pair where the processor's cache holds what of it is visited, and more
    the more that is. Broadcast tables took 7 to 12 ns a pair up to 50,000 visited rows, 14 to 40 at 60,000 to 110,000, 20 to 65 at some 200,000, and 20 to 130 beyond;
    12 ns where they had 300,000 to 700,000 rows of which few hundred were. Larger ones count as 100, since joins of few pairs, which a hash suits, took less for each.

    table: as _hash_table has it. Returns: a number, on average over all pairs.
#}
{% macro _hashed_pair_cost(table) %}
    {%- set many = table.rows / dbt_range_join._few_rows() -%}
    {%- set ns = namespace(cost=0.0) -%}
    {%- for pairs, visited in table.visited -%}
        {%- set cost = 0.03 * (many * visited) ** 0.7 if many * visited > 1 else 0.03 -%}
        {%- set ns.cost = ns.cost + pairs * (cost if cost < 0.5 else 0.5) -%}
    {%- endfor -%}
    {{ return(ns.cost) }}
{% endmacro %}


{# Up to how many rows a side is so small that it is best broadcast: the processor's cache holds a hash table of it. #}
{% macro _few_rows() %}{{ return(20000) }}{% endmacro %}


{# How many bytes a side that is broadcast may have. #}
{% macro _most_broadcast() %}{{ return(128 * 2 ** 20) }}{% endmacro %}


{# How many rows a hash table may have. #}
{% macro _most_hashed() %}{{ return(2000000) }}{% endmacro %}
