{#
    The select list of the result.

    Given: as given. Left out: all of `l`, then all of `r` but the columns that are keys by one name on both sides; `l` alone
    for semi and anti joins. Any other name on both sides is a compile error, where the columns can be read: those of a
    CTE or a query can't, and there Spark itself refuses a table with a column twice.
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
        {%- set plain = shared | map('replace', '`', '') | map('lower') | list -%}
        {%- set right_names = right_columns | map('lower') | list -%}
        {%- set clashes = [] -%}
        {%- for column in left_columns if column | lower in right_names and column | lower not in plain -%}
            {%- do clashes.append(column) -%}
        {%- endfor -%}
        {%- if clashes -%}
            {%- do faults.append(dbt_range_join._fault(
                'select', none, 'none only where no column but a shared key is on both sides; both have ' ~ clashes | join(', '),
                "name the columns, such as select=['l.*', 'r." ~ clashes[0] ~ " as right_" ~ clashes[0] ~ "']")) -%}
        {%- endif -%}
    {%- endif -%}
    {{ return(['l.*', 'r.*' ~ (' except (' ~ shared | join(', ') ~ ')' if shared else '')]) }}
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
    {{ return(adapter.get_columns_in_relation(existing) | map(attribute='name') | list) }}
{% endmacro %}
