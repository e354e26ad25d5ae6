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
    {%- set has_cases = dbt_range_join._tells_cases_apart(left_columns or [], right_columns or []) -%}
    {%- set shared_names = dbt_range_join._as_compared(join['keys'] | map(attribute='name') | reject('none'), has_cases) -%}
    {%- if left_columns and right_columns -%}
        {%- do dbt_range_join._check_clashes(left_columns, right_columns, shared_names, has_cases, faults) -%}
    {%- endif -%}

    {%- set rest = ' except (' ~ shared | join(', ') ~ ')' if shared else '' -%}
    {%- if not shared or 'right' not in dbt_range_join._kept_sides(join.join_type) -%}
        {{ return(['l.*', 'r.*' ~ rest]) }}
    {%- endif -%}
    {#- A row of `r` alone has its key in `r`. Where the columns of `l` are not known, the keys come before them. -#}
    {%- set items = [] -%}
    {%- for column in left_columns or [] -%}
        {%- set name = dbt_range_join._quoted(column) -%}
        {%- set is_shared = dbt_range_join._as_compared([column], has_cases)[0] in shared_names -%}
        {%- do items.append(dbt_range_join._shared_column(name) if is_shared else 'l.' ~ name) -%}
    {%- endfor -%}
    {%- if not left_columns -%}
        {%- for name in shared -%}
            {%- do items.append(dbt_range_join._shared_column(name)) -%}
        {%- endfor -%}
        {%- do items.append('l.*' ~ rest) -%}
    {%- endif -%}
    {{ return(items + ['r.*' ~ rest]) }}
{% endmacro %}


{# A fault for the names that would come twice. shared_names: the shared keys' names, has_cases: whether names differ by case, as _select_items has them. #}
{% macro _check_clashes(left_columns, right_columns, shared_names, has_cases, faults) %}
    {%- set right_names = dbt_range_join._as_compared(right_columns, has_cases) -%}
    {%- set clashes = [] -%}
    {%- for column, name in zip(left_columns, dbt_range_join._as_compared(left_columns, has_cases)) if name in right_names and name not in shared_names -%}
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


{#
    Whether names that differ by nothing but case are two, as under spark.sql.caseSensitive: a relation has two such columns, or Spark does not take them for one. It is asked
    only where it matters.
#}
{% macro _tells_cases_apart(left_columns, right_columns) %}
    {%- if dbt_range_join._has_cases(left_columns) or dbt_range_join._has_cases(right_columns) -%}
        {{ return(true) }}
    {%- endif -%}
    {%- set differ = dbt_range_join._has_cases((left_columns + right_columns) | unique(case_sensitive=true) | list) -%}
    {{ return(differ and dbt_range_join._said_against('select a from (select 1 as a, 2 as A)') is none) }}
{% endmacro %}


{# Whether some of a relation's columns differ by nothing but case. #}
{% macro _has_cases(columns) %}
    {{ return(columns | map('lower') | unique | list | length < columns | length) }}
{% endmacro %}


{# Column names as they compare: in lower case, but where names differ by case. #}
{% macro _as_compared(names, has_cases) %}
    {{ return(names | list if has_cases else names | map('lower') | list) }}
{% endmacro %}


{# A column name as SQL writes it, where other letters than a to z need backticks, too. #}
{% macro _quoted(name) %}
    {{ return(name if modules.re.fullmatch('[A-Za-z_][A-Za-z0-9_]*', name) else '`' ~ name | replace('`', '``') ~ '`') }}
{% endmacro %}


{#
    The columns of a relation, or none where they can't be read: while dbt parses, for a CTE or a query, before the
    relation exists, and where a pre-hook of the model may make others of them. Never asks `ref(...)` itself, which under --empty is a query and in a unit test the name of a CTE.
#}
{% macro _column_names(relation) %}
    {%- if not execute or relation is string or relation.is_cte or dbt_range_join._has_pre_hook() -%}
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
