{#
    A model as `dbt run` would make it, rendered within `dbt run-operation`. There dbt knows no model: `this`, `model` and is_incremental() are those
    of the operation, and ref() refuses ephemeral and private models. So while a model is rendered, what its Jinja sees is put in their place.
    config.get(), var() and the package in which unqualified macros are looked for first remain the operation's. A ref() of the user's own stays, and it is what it calls,
    builtins.ref(), that is replaced.
#}

{#
    Returns: {sql, joins, ctes}. joins: the joins by bins that the model's calls make, each as it is planned (see _planned_form), in order;
    ctes: those of ephemeral models that sql reads, each "name as (query)", in the order in which they build on each other.
#}
{% macro _rendered_model(node) %}
    {%- set rendering = dbt_range_join._begin_rendering() -%}
    {%- set sql = dbt_range_join._rendered_as(node) -%}
    {%- do dbt_range_join._end_rendering() -%}
    {%- set ctes = rendering.ctes.values() | list -%}
    {{ return({'sql': dbt_range_join._within_ctes(ctes, sql), 'joins': rendering.joins, 'ctes': ctes}) }}
{% endmacro %}


{#
    Has Jinja see what it does in a build, until _end_rendering. Returns what is put down meanwhile: range_join_rendering, {joins, ctes, before, ref}: ref is dbt's own one,
    before what names stood for.
#}
{% macro _begin_rendering() %}
    {%- set before = {'ref': context['ref'], 'should_full_refresh': context['should_full_refresh']} -%}
    {%- set rendering = {'joins': [], 'ctes': {}, 'before': before, 'ref': builtins.ref} -%}
    {%- do context.update({
        'range_join_rendering': rendering, 'ref': dbt_range_join._ref_in_rendering if before.ref is sameas builtins.ref else before.ref,
        'should_full_refresh': dbt_range_join._should_full_refresh_in_rendering}) -%}
    {%- do builtins.update({'ref': dbt_range_join._ref_in_rendering}) -%}
    {{ return(rendering) }}
{% endmacro %}


{% macro _end_rendering() %}
    {%- set rendering = context.pop('range_join_rendering') -%}
    {%- do context.update(rendering.before) -%}
    {%- do builtins.update({'ref': rendering.ref}) -%}
{% endmacro %}


{# The SQL of a node, whose Jinja sees what the node itself is. #}
{% macro _rendered_as(node) %}
    {%- set own = {'model': node, 'this': dbt_range_join._relation_of(node), 'schema': node.schema, 'database': node.database} -%}
    {%- set before = {} -%}
    {%- for name in own if name in context -%}
        {%- do before.update({name: context[name]}) -%}
    {%- endfor -%}
    {%- do context.update(own) -%}
    {%- set sql = render(node.raw_code) -%}
    {%- for name in own -%}
        {%- do context.pop(name) -%}
    {%- endfor -%}
    {%- do context.update(before) -%}
    {{ return(sql) }}
{% endmacro %}


{# ref(), with its arguments, of the model that is rendered: by what it depends on, and ephemeral models become a CTE, as they do in a build. #}
{% macro _ref_in_rendering() %}
    {%- set node = dbt_range_join._dependency_of(model, varargs, kwargs.get('v', kwargs.get('version'))) -%}
    {%- if node is none -%}
        {{ return(range_join_rendering.ref(*varargs, **kwargs)) }}
    {%- elif node.config.materialized != 'ephemeral' -%}
        {{ return(dbt_range_join._relation_by_dbt(node)) }}
    {%- endif -%}
    {{ return(dbt_range_join._cte_of_ephemeral(node)) }}
{% endmacro %}


{#
    The Relation that dbt's ref() makes of a node where it lets a model read it: with --defer that of another target, with --sample some of its rows. Where dbt does not say, that of the node.
    A microbatch model's ephemeral inputs are not cut to its batch, as its own ref() is.
#}
{% macro _relation_by_dbt(node) %}
    {%- set ref = range_join_rendering.ref -%}
    {%- if ref.create_relation is defined and ref.manifest is defined and node.unique_id in ref.manifest.nodes and not ref.model.batch -%}
        {{ return(ref.create_relation(ref.manifest.nodes[node.unique_id])) }}
    {%- endif -%}
    {{ return(dbt_range_join._relation_of(node)) }}
{% endmacro %}


{# The CTE that an ephemeral model is in a model that is rendered, as a Relation. Its definition is put down in range_join_rendering. #}
{% macro _cte_of_ephemeral(node) %}
    {%- set relation = api.Relation.create(type='cte', identifier='__dbt__cte__' ~ node.alias).quote(identifier=false) -%}
    {%- if node.unique_id not in range_join_rendering.ctes -%}
        {#- Rendered first, so that the CTEs that it reads itself stand before it. -#}
        {%- set sql = dbt_range_join._rendered_as(node) -%}
        {%- do range_join_rendering.ctes.update({node.unique_id: relation ~ ' as (\n' ~ sql ~ '\n)'}) -%}
    {%- endif -%}
    {{ return(relation) }}
{% endmacro %}


{# should_full_refresh() of the model that is rendered. #}
{% macro _should_full_refresh_in_rendering() %}{{ return(model.config.full_refresh is true) }}{% endmacro %}


{#
    The node that a model means by ref(*names, version=version): one of those that it depends on, by a single name that of the root project before that of its own
    package, as dbt has it. None where there is none.
#}
{% macro _dependency_of(node, names, version) %}
    {%- set found = {} -%}
    {%- for unique_id in node.depends_on.nodes if unique_id in graph.nodes -%}
        {%- set other = graph.nodes[unique_id] -%}
        {%- set wanted = version if version is not none else other.get('latest_version') -%}
        {%- if other.name == names[-1] and (names | length == 1 or names[0] == other.package_name) and other.get('version') | string == wanted | string -%}
            {%- do found.update({other.package_name: other}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(found.get(project_name) or found.get(node.package_name) or found.values() | first | default(none)) }}
{% endmacro %}


{# A query that may read these CTEs. #}
{% macro _within_ctes(ctes, sql) %}
    {{ return('with ' ~ ctes | join(',\n') ~ '\nselect * from (\n' ~ sql ~ '\n) as rendered' if ctes else sql) }}
{% endmacro %}
