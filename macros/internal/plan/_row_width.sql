{#
    How many bytes a row of a side takes with what the join reads of it, for a hash table, which has to fit in memory.
#}

{#
    An estimate of these bytes: 16 a column, of which there are as many as select items, 30 where all columns are asked for or a join_condition reads more,
    and 3 of the join's own; and what texts, lists and the like take, which may be anything. These are looked at only where a kilobyte of them in each of
    so many rows would be too much to broadcast. rows: how many there are, with their copies, each of which has all columns.
#}
{% macro _row_width(join, side, rows) %}
    {%- set all_columns = join[side].alias ~ '.*' -%}
    {%- set columns = 30 if all_columns in join.select_items | join(' ') or join.join_condition is not none else join.select_items | length -%}
    {%- set is_safe = rows * 1024 <= dbt_range_join._most_broadcast() -%}
    {{ return(16 * (columns + 3) + (0 if is_safe else dbt_range_join._long_values_width(join, side))) }}
{% endmacro %}


{#
    The mean bytes of what the join reads of a side in columns of no fixed length, as text, in ten thousand rows; 0 without such a column. Any word of
    the select list, the join_condition or the keys counts as the name of a column that is read, and the alias by itself as the whole row.
#}
{% macro _long_values_width(join, side) %}
    {%- set alias = join[side].alias -%}
    {%- set from_side = ' from ' ~ join[side].relation ~ ' as ' ~ alias -%}
    {%- set texts = join.select_items + [join.join_condition or ''] + join['keys'] | map(attribute=side) | list -%}
    {%- set read = dbt_range_join._without_comments(texts | join(', ')) | lower -%}
    {%- set reads_all = modules.re.search('(?<![\\w.`])' ~ alias ~ '\\b(?!\\s*\\.\\s*[\\w`])', read) -%}
    {%- set names = [] -%}
    {%- for column in run_query('describe query select ' ~ alias ~ '.*' ~ from_side).rows -%}
        {%- set is_long = modules.re.match('(string|char|varchar|binary|array|map|struct|variant)\\b', column[1] | lower) -%}
        {%- if is_long and (reads_all or modules.re.search('(?<!\\w)' ~ modules.re.escape(column[0] | lower) ~ '(?!\\w)', read)) -%}
            {%- do names.append(alias ~ '.`' ~ column[0] | replace('`', '``') ~ '`') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not names -%}
        {{ return(0) }}
    {%- endif -%}
    {%- set values = alias ~ '.*' if reads_all else names | join(', ') -%}
    {{ return(run_query(
        'select coalesce(avg(octet_length(cast(long_values as string))), 0) from (select struct(' ~ values ~ ') as long_values' ~ from_side ~ ' limit 10000) as sample'
    ).rows[0][0] | float) }}
{% endmacro %}
