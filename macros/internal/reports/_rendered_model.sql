{#
    A model as `dbt run` would make it, rendered within `dbt run-operation`. There dbt knows no model: `this`, `model` and is_incremental() are those
    of the operation, and ref() refuses ephemeral models. So what a model's Jinja sees is put in their place, and stays there to the end of the operation.
#}

{#
    Returns: {sql, joins, ctes}. joins: the joins by bins that the model's calls make, each as it is planned (see _planned_form), in order;
    ctes: those of ephemeral models that sql reads, each "name as (query)", in the order in which they build on each other.
#}
{% macro _rendered_model(node) %}
    {%- set rendering = {'joins': [], 'ctes': []} -%}
    {%- do context.update({
        'range_join_rendering': rendering, 'model': node, 'this': dbt_range_join._relation_of(node), 'ref': dbt_range_join._ref_in_rendering}) -%}
    {%- set sql = render(node.raw_code) -%}
    {{ return(dict(rendering, sql=dbt_range_join._within_ctes(rendering.ctes, sql))) }}
{% endmacro %}


{# ref(), with its arguments, but for ephemeral models: these become a CTE, as they do in a build. #}
{% macro _ref_in_rendering() %}
    {%- set node = dbt_range_join._named_node(varargs[-1]) -%}
    {%- if node is none or node.config.materialized != 'ephemeral' -%}
        {{ return(builtins.ref(*varargs, **kwargs)) }}
    {%- endif -%}
    {%- set relation = api.Relation.create(type='cte', identifier='__dbt__cte__' ~ node.alias).quote(identifier=false) -%}
    {#- Rendered first, so that the CTEs that it reads itself stand before it. -#}
    {%- set cte = relation ~ ' as (\n' ~ render(node.raw_code) ~ '\n)' -%}
    {%- if cte not in range_join_rendering.ctes -%}
        {%- do range_join_rendering.ctes.append(cte) -%}
    {%- endif -%}
    {{ return(relation) }}
{% endmacro %}


{# A query that may read these CTEs. #}
{% macro _within_ctes(ctes, sql) %}
    {{ return('with ' ~ ctes | join(',\n') ~ '\nselect * from (\n' ~ sql ~ '\n) as rendered' if ctes else sql) }}
{% endmacro %}
