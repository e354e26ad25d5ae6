{#
    Names on the command line: `dbt run-operation` passes text, in which there is no ref().
#}

{# The arguments of a join with left_relation and right_relation resolved by _named_relation. #}
{% macro _with_relations(given) %}
    {{ return(dict(given,
        left_relation=dbt_range_join._named_relation(given.left_relation),
        right_relation=dbt_range_join._named_relation(given.right_relation))) }}
{% endmacro %}


{#
    The relation of a model, seed or snapshot of that name, or of a source by 'source.table', or of either as a model's text has it, "ref('orders', v=2)"; of an
    ephemeral model its query, as it has none; anything else as it is.
#}
{% macro _named_relation(value) %}
    {%- if value is not string -%}
        {{ return(value) }}
    {%- endif -%}
    {%- set node = dbt_range_join._node_of_text(value) -%}
    {%- if node is none -%}
        {{ return(value) }}
    {%- elif node.config.materialized == 'ephemeral' -%}
        {{ return('(\n' ~ dbt_range_join._rendered_model(node).sql ~ '\n)') }}
    {%- endif -%}
    {{ return(dbt_range_join._relation_of(node)) }}
{% endmacro %}


{# The node that a text names, by its name or by ref() or source(), with or without the braces around; none where there is none. #}
{% macro _node_of_text(text) %}
    {%- set name = "\\s*['\"]([^'\"]+)['\"]\\s*" -%}
    {%- set call = modules.re.fullmatch('\\s*(?:\\{\\{\\s*)?(ref|source)\\s*\\((?:' ~ name ~ ',)?' ~ name
        ~ '(?:,\\s*(?:v|version)\\s*=\\s*[\'"]?([\\w.]+)[\'"]?\\s*)?\\)\\s*(?:\\}\\}\\s*)?', text) -%}
    {%- if not call -%}
        {{ return(dbt_range_join._named_node(text | trim)) }}
    {%- elif call.group(1) == 'source' -%}
        {{ return(dbt_range_join._named_node((call.group(2) or '') ~ '.' ~ call.group(3))) }}
    {%- endif -%}
    {{ return(dbt_range_join._named_node(call.group(3) ~ ('.v' ~ call.group(4) if call.group(4) else ''), call.group(2))) }}
{% endmacro %}


{# The relation of a node of the graph, with the quotes that a source's `quoting` asks for. #}
{% macro _relation_of(node) %}
    {%- set quoting = node.get('quoting') or {} -%}
    {%- set relation = api.Relation.create(database=node.database, schema=node.schema, identifier=node.identifier or node.alias) -%}
    {{ return(relation.quote(schema=quoting.get('schema'), identifier=quoting.get('identifier'))) }}
{% endmacro %}


{#
    The node of that name, one of the root project before those of packages; none where there is none. Of a model with versions it is the latest one,
    and the others go by 'model.v1'. Where no source has it, a name may also be as dbt ls prints it, 'package.folder.model', or without the folders. package:
    the one that it is in; none for any.
#}
{% macro _named_node(name, package=none) %}
    {%- set found = [] -%}
    {%- for node in graph.nodes.values()
        if node.resource_type in ['model', 'seed', 'snapshot'] and package in [none, node.package_name]
        and (node.name == name and node.get('version') == node.get('latest_version') or name == node.name ~ '.v' ~ node.get('version')) -%}
        {%- do found.insert(0 if node.package_name == project_name else found | length, node) -%}
    {%- endfor -%}
    {%- for node in graph.sources.values() if node.source_name ~ '.' ~ node.name == name -%}
        {%- do found.append(node) -%}
    {%- endfor -%}
    {%- for node in graph.nodes.values() if not found and node.resource_type in ['model', 'seed', 'snapshot'] and name in dbt_range_join._long_names(node) -%}
        {%- do found.append(node) -%}
    {%- endfor -%}
    {{ return(found[0] if found else none) }}
{% endmacro %}


{# How a node is called with its package: as dbt ls prints it, with folders, and without. #}
{% macro _long_names(node) %}
    {%- set version = '.v' ~ node.version if node.get('version') is not none else '' -%}
    {%- set names = [node.fqn | join('.'), node.package_name ~ '.' ~ node.name ~ version] -%}
    {{ return(names + ([node.package_name ~ '.' ~ node.name] if node.get('version') == node.get('latest_version') else [])) }}
{% endmacro %}


{# Raises the compile error for inputs that Spark does not find or can't read. said: Spark's words. #}
{% macro _raise_unreadable(macro_name, said) %}
    {%- do exceptions.raise_compiler_error(
        'dbt_range_join.' ~ macro_name ~ ': the inputs can not be read. Spark says: ' ~ said
        ~ ' Next step: build the models, seeds or sources that are read, and give their names, or queries in parentheses.') -%}
{% endmacro %}
