{#
    Ephemeral models as a statement apart from the model can read them. In a model that reads one, dbt puts a CTE before it, once the model has been rendered.
#}

{#
    A relation that reads ephemeral models, with their CTEs and those of the ones that they read in turn; none where the Jinja of one may say something else here than
    where dbt compiles it, where one joins or groups, and in a unit test, whose rows are made up. names: those of the CTEs that they are.
#}
{% macro _with_ephemeral_models(relation, names) %}
    {%- if model.resource_type == 'unit_test' -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set found = [] -%}
    {%- for unique_id in model.depends_on.get('nodes', []) if '__dbt__cte__' ~ graph.nodes.get(unique_id, {}).get('alias') in names -%}
        {%- do found.append(graph.nodes[unique_id]) -%}
    {%- endfor -%}
    {%- for node in found if not dbt_range_join._is_plain_ephemeral(node) -%}
        {{ return(none) }}
    {%- endfor -%}
    {%- if found | length != names | length -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set is_rendering = range_join_rendering is defined -%}
    {%- set rendering = range_join_rendering if is_rendering else dbt_range_join._begin_rendering() -%}
    {#- Those of these models alone: a model that is explained may read others. -#}
    {%- set of_model = rendering.ctes -%}
    {%- do rendering.update({'ctes': {}}) -%}
    {%- for node in found -%}
        {%- do dbt_range_join._cte_of_ephemeral(node) -%}
    {%- endfor -%}
    {%- set ctes = rendering.ctes.values() | list -%}
    {%- do rendering.update({'ctes': dict(of_model, **rendering.ctes)}) -%}
    {%- if not is_rendering -%}
        {%- do dbt_range_join._end_rendering() -%}
    {%- endif -%}
    {%- for cte in ctes if not dbt_range_join._keeps_its_rows(cte) -%}
        {{ return(none) }}
    {%- endfor -%}
    {{ return(dbt_range_join._embeddable('(with ' ~ ctes | join(',\n') ~ ' select * from ' ~ relation ~ ' as of_ephemeral)')) }}
{% endmacro %}


{#
    Whether an ephemeral model, and those that it reads, say the same where the model that reads it is compiled. node: that of the graph.
#}
{% macro _is_plain_ephemeral(node) %}
    {%- if node.config.materialized != 'ephemeral' or node.language != 'sql' or node.package_name != model.package_name
        or not dbt_range_join._says_the_same_apart({'definition': node.raw_code, 'masked': dbt_range_join._tokens_of(node.raw_code).masked}, {}) -%}
        {{ return(false) }}
    {%- endif -%}
    {%- for unique_id in node.depends_on.get('nodes', []) if graph.nodes.get(unique_id, {}).get('config', {}).materialized == 'ephemeral' -%}
        {%- if not dbt_range_join._is_plain_ephemeral(graph.nodes[unique_id]) -%}
            {{ return(false) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(true) }}
{% endmacro %}
