{#
    How many bytes a row of a side takes with what the join reads of it, for a hash table, which has to fit in memory.
#}

{#
    An estimate of these bytes: 16 a column, and 3 of these are the join's own; and what texts, lists and the like take, which may be anything. Which columns
    there are is asked for unless rows are few and not made of more than 64 MB, or are swept, as nothing is hashed then. Unasked, there are as many as select items, or 30
    at least where all columns are read, or a join_condition reads more. rows: how many there are, with their copies, each of which has all columns. measured: what _measure
    says of the side; it keeps what was asked, as `row_width`, for the next of the bin sizes that are looked at.
#}
{% macro _row_width(join, side, rows, measured) %}
    {%- set alias = join[side].alias -%}
    {%- set texts = join.select_items + [join.join_condition or ''] -%}
    {%- set read = dbt_range_join._without_comments(texts | join(', ')) | replace('`', '') | lower -%}
    {%- set reads_all = modules.re.search('(?<![\\w.])' ~ alias ~ '\\b(?!\\s*\\.\\s*\\w)', read) is not none -%}
    {%- if rows <= dbt_range_join._few_rows() and (measured.read or 0) <= 2 ** 26 or dbt_range_join._is_swept(join) -%}
        {%- set items = join.select_items | length -%}
        {{ return(16 * (([items, 30] | max if reads_all or join.join_condition is not none else items) + 3)) }}
    {%- endif -%}
    {%- if 'row_width' not in measured -%}
        {%- set columns = dbt_range_join._columns_read(join[side], none if reads_all else read) -%}
        {%- do measured.update({'row_width': 16 * (columns | length + 3) + dbt_range_join._long_values_width(join[side], columns, reads_all)}) -%}
    {%- endif -%}
    {{ return(measured.row_width) }}
{% endmacro %}


{#
    The columns of a side that are read, as [name, type] with names as SQL.
    read: SQL in lower case without backticks, of which the columns are those of that side that are read; none where whole rows are.
#}
{% macro _columns_read(side, read) %}
    {%- set columns = [] -%}
    {%- for column in run_query('describe query select ' ~ side.alias ~ '.* from ' ~ side.apart ~ ' as ' ~ side.alias).rows -%}
        {%- set name = column[0] | replace('`', '') | lower -%}
        {%- if read is none or modules.re.search('(?<![\\w.])' ~ side.alias ~ '\\s*\\.\\s*' ~ modules.re.escape(name) ~ '(?!\\w)', read) -%}
            {%- do columns.append([side.alias ~ '.`' ~ column[0] | replace('`', '``') ~ '`', column[1] | lower]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(columns) }}
{% endmacro %}


{#
    The mean bytes, as text, of what is read of a side in columns of no fixed length, in its first two thousand rows; 0 without such a column, and without rows. dbt gets a number
    for each row, as Spark then reads no more of a table than it takes to find so many rows. For their mean it would read as many in each partition and shuffle them: 140 ms in place
    of 45 on half a million rows. Ten thousand numbers take dbt's session longer to fetch than that. So few rows miss texts that one row in a thousand has once in seven times.
    side: one of the join's. columns: what _columns_read returns. reads_all: whether these are all that there are.
#}
{% macro _long_values_width(side, columns, reads_all) %}
    {%- set names = [] -%}
    {%- for name, type in columns if modules.re.match('(string|char|varchar|binary|array|map|struct|variant)\\b', type) -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {%- if not names -%}
        {{ return(0) }}
    {%- endif -%}
    {%- set values = side.alias ~ '.*' if reads_all else names | join(', ') -%}
    {%- set widths = run_query('select octet_length(cast(struct(' ~ values ~ ') as string)) as long_values_width from ' ~ side.apart ~ ' as ' ~ side.alias
        ~ ' limit 2000').columns[0].values() -%}
    {{ return((widths | sum | float) / [widths | length, 1] | max) }}
{% endmacro %}
