{#
    How many bytes a row of a side takes with what the join reads of it, for a hash table, which has to fit in memory.
#}

{#
    An estimate of these bytes: 16 a column, of which there are as many as select items, 30 where all columns are asked for or a join_condition reads more,
    and 3 of the join's own; and what texts, lists and the like take, which may be anything. These are looked at unless rows are few, or are swept, as
    nothing is hashed then. rows: how many there are, with their copies, each of which has all columns.
#}
{% macro _row_width(join, side, rows) %}
    {%- set alias = join[side].alias -%}
    {%- set texts = join.select_items + [join.join_condition or ''] -%}
    {%- set read = dbt_range_join._without_comments(texts | join(', ')) | replace('`', '') | lower -%}
    {%- set reads_all = modules.re.search('(?<![\\w.])' ~ alias ~ '\\b(?!\\s*\\.\\s*\\w)', read) is not none -%}
    {%- set columns = 30 if reads_all or join.join_condition is not none else join.select_items | length -%}
    {%- set is_safe = rows <= dbt_range_join._few_rows() or dbt_range_join._is_swept(join) -%}
    {{ return(16 * (columns + 3) + (0 if is_safe else dbt_range_join._long_values_width(join[side], none if reads_all else read))) }}
{% endmacro %}


{#
    The mean bytes, as text, of what is read of a side in columns of no fixed length, in ten thousand rows; 0 without such a column.
    side: one of the join's. read: SQL in lower case without backticks, of which the columns are those of that side that are read; none where whole rows are.
#}
{% macro _long_values_width(side, read) %}
    {%- set from_side = ' from ' ~ side.relation ~ ' as ' ~ side.alias -%}
    {%- set names = [] -%}
    {%- for column in run_query('describe query select ' ~ side.alias ~ '.*' ~ from_side).rows -%}
        {%- set name = column[0] | replace('`', '') | lower -%}
        {%- set is_read = read is none or modules.re.search('(?<![\\w.])' ~ side.alias ~ '\\s*\\.\\s*' ~ modules.re.escape(name) ~ '(?!\\w)', read) -%}
        {%- if is_read and modules.re.match('(string|char|varchar|binary|array|map|struct|variant)\\b', column[1] | lower) -%}
            {%- do names.append(side.alias ~ '.`' ~ column[0] | replace('`', '``') ~ '`') -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if not names -%}
        {{ return(0) }}
    {%- endif -%}
    {%- set values = side.alias ~ '.*' if read is none else names | join(', ') -%}
    {{ return(run_query(
        'select coalesce(avg(octet_length(cast(long_values as string))), 0) from (select struct(' ~ values ~ ') as long_values' ~ from_side ~ ' limit 10000) as sample'
    ).rows[0][0] | float) }}
{% endmacro %}
