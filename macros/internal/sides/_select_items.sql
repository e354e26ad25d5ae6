{#
    The select list of the result.

    Given: as given. Left out: all of `l`, then all of `r` but the columns that are keys by one name on both sides, as `using`
    has it; `l` alone for semi and anti joins. Any other name on both sides is a compile error, where the columns can be
    read: those of a CTE or a query can't, and there Spark itself refuses a table with a column twice.
    Returns: a list of SQL select items.
#}
{% macro _select_items(join, faults) %}
    {%- if join.select is not none -%}
        {{ return(join.select) }}
    {%- elif join.join_type in ['semi', 'anti'] -%}
        {{ return(['l.*']) }}
    {%- endif -%}

    {%- set shared = join['keys'] | map(attribute='shared') | reject('none') | list -%}
    {%- set left_columns = dbt_range_join._column_names(join.left.relation) -%}
    {%- set right_columns = dbt_range_join._column_names(join.right.relation) -%}
    {%- if left_columns and right_columns -%}
        {%- do dbt_range_join._check_clashes(left_columns, right_columns, shared, faults) -%}
    {%- endif -%}

    {%- set rest = ' except (' ~ shared | join(', ') ~ ')' if shared else '' -%}
    {%- if not shared or 'right' not in dbt_range_join._kept_sides(join.join_type) -%}
        {{ return(['l.*', 'r.*' ~ rest]) }}
    {%- endif -%}
    {#- A row of `r` alone has its key in `r`. Where the columns of `l` are not known, the keys come before them. -#}
    {%- set items = [] -%}
    {%- for column in left_columns or shared -%}
        {%- set name = column if column in shared else dbt_range_join._quoted(column) -%}
        {%- do items.append(dbt_range_join._shared_column(name) if column | lower in dbt_range_join._plain(shared) else 'l.' ~ name) -%}
    {%- endfor -%}
    {{ return(items + ([] if left_columns else ['l.*' ~ rest]) + ['r.*' ~ rest]) }}
{% endmacro %}


{# A fault for the names that would come twice. #}
{% macro _check_clashes(left_columns, right_columns, shared, faults) %}
    {%- set plain = dbt_range_join._plain(shared) -%}
    {%- set right_names = right_columns | map('lower') | list -%}
    {%- set clashes = [] -%}
    {%- for column in left_columns if column | lower in right_names and column | lower not in plain -%}
        {%- do clashes.append(column) -%}
    {%- endfor -%}
    {%- if clashes -%}
        {%- do faults.append(dbt_range_join._fault(
            'select', none, 'none only where no column but a shared key is on both sides; both have ' ~ clashes | join(', '),
            "name the columns, such as select=['l.*', 'r." ~ dbt_range_join._quoted(clashes[0]) ~ ' as ' ~ dbt_range_join._quoted('right_' ~ clashes[0]) ~ "']")) -%}
    {%- endif -%}
{% endmacro %}


{# A shared key, whichever side has the row. #}
{% macro _shared_column(name) %}
    {{ return('coalesce(l.' ~ name ~ ', r.' ~ name ~ ') as ' ~ name) }}
{% endmacro %}


{# Column names as they compare: without backticks, in lower case. #}
{% macro _plain(names) %}
    {{ return(names | map('replace', '`', '') | map('lower') | list) }}
{% endmacro %}


{# A column name as SQL writes it, where other letters than a to z need backticks, too. #}
{% macro _quoted(name) %}
    {{ return(name if modules.re.fullmatch('[A-Za-z_][A-Za-z0-9_]*|`[^`]+`', name) else '`' ~ name | replace('`', '``') ~ '`') }}
{% endmacro %}


{#
    The columns of a relation, or none where they can't be read: while dbt parses, for a CTE or a query, and before the
    relation exists. Never asks `ref(...)` itself, which under --empty is a query and in a unit test the name of a CTE.
#}
{% macro _column_names(relation) %}
    {%- if not execute or relation is string or relation.is_cte -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set existing = adapter.get_relation(database=relation.database, schema=relation.schema, identifier=relation.identifier) -%}
    {%- if existing is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set quoted = existing.quote(schema=relation.quote_policy.schema, identifier=relation.quote_policy.identifier) -%}
    {#- Not by the adapter, who leaves out what Hudi adds, and all from a name on that begins with '#'. -#}
    {%- set names = [] -%}
    {%- for column in run_query('describe query select * from ' ~ quoted).rows -%}
        {%- do names.append(column[0]) -%}
    {%- endfor -%}
    {{ return(names) }}
{% endmacro %}


{# The text behind `select`: one item on its line, several each on a line of its own. #}
{% macro _select_list(items) %}
    {{ return((' ' if items | length == 1 else '\n    ') ~ items | join(',\n    ')) }}
{% endmacro %}
