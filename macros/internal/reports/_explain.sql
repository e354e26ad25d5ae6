{#
    The report of explain_range_join.
#}

{# A join by its arguments. measured: what _measure returns. Returns: text. #}
{% macro _explain_join(join, measured) %}
    {%- set planned = join if join.bin is not none else dbt_range_join._planned_join(join, measured) -%}
    {%- set sql = dbt_range_join._form_of(planned) -%}
    {%- set lines = ['', 'A range join, explained', ''] -%}
    {%- if planned.reason is defined -%}
        {%- do lines.append('Chosen: ' ~ planned.reason ~ '.') -%}
    {%- endif -%}
    {%- do lines.extend(dbt_range_join._explain_plan(sql)) -%}
    {%- if planned.bin is not none -%}
        {%- set counts = run_query(dbt_range_join._work_sql(planned)).rows -%}
        {%- for row in counts -%}
            {%- do lines.append('%-44s %16s' % (row[0], '{:,}'.format(row[1] | int))) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- do lines.append('%-44s %16s' % ('rows of the result', '{:,}'.format(run_query('select count(*) from (\n' ~ sql ~ '\n) as result').rows[0][0] | int))) -%}
    {{ return(lines | join('\n')) }}
{% endmacro %}


{# A model by its name, as it compiles now. Returns: text. #}
{% macro _explain_model(name) %}
    {%- set node = dbt_range_join._named_node(name) -%}
    {%- if node is none -%}
        {%- do exceptions.raise_compiler_error(
            "dbt_range_join.explain_range_join: 1 argument to put right\n  - "
            ~ dbt_range_join._fault('model', name, 'the name of a model of this project or of its packages')) -%}
    {%- endif -%}
    {%- set lines = ['', 'The joins of ' ~ name ~ ', explained', ''] -%}
    {%- do lines.extend(dbt_range_join._explain_plan(render(node.raw_code))) -%}
    {{ return(lines | join('\n')) }}
{% endmacro %}


{# What Spark's plan of a query holds: which joins, and whether one compares all with all. Returns: a list of lines. #}
{% macro _explain_plan(sql) %}
    {%- set plan = run_query('explain formatted ' ~ sql).columns[0].values() | join('\n') -%}
    {%- set joins = [] -%}
    {%- for operator in ['BroadcastNestedLoopJoin', 'CartesianProduct', 'BroadcastHashJoin', 'ShuffledHashJoin', 'SortMergeJoin'] -%}
        {%- set times = modules.re.findall('\\(\\d+\\) ' ~ operator ~ '\\b', plan) | length -%}
        {%- if times -%}
            {%- do joins.append(operator ~ (' x ' ~ times if times > 1 else '')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set slow = 'BroadcastNestedLoopJoin' in plan or 'CartesianProduct' in plan -%}
    {{ return([
        'Joins in the plan: ' ~ (joins | join(', ') or 'none'),
        'Nested loop or cartesian product: ' ~ ('YES, some rows are compared with all' if slow else 'no')]) }}
{% endmacro %}


{#
    A query of what a join comes to: one row each for the rows that are swept, those that carry bins, and the pairs
    that meet in them. Columns: what, how_many.
#}
{% macro _work_sql(join) %}
    {%- set needs = [] -%}
    {%- set ctes = dbt_range_join._form_parts(join, needs)[0] -%}
    {%- set selects = [] -%}
    {%- for need in needs | selectattr('swept', 'defined') -%}
        {%- do selects.append("select 'rows swept: " ~ need.swept ~ "' as what, count(*) as how_many from range_join_" ~ need.swept ~ '_sweep') -%}
    {%- endfor -%}
    {%- for need in needs | selectattr('way', 'defined') -%}
        {%- set names = dbt_range_join._way_relations(need.way, need) -%}
        {%- do selects.append("select 'rows with bins: " ~ names[0] | replace('range_join_', '') ~ "' as what, count(*) as how_many from " ~ names[0]) -%}
        {%- do selects.append("select 'rows with bins: " ~ names[1] | replace('range_join_', '') ~ "' as what, count(*) as how_many from " ~ names[1]) -%}
        {%- do selects.append("select 'pairs compared (" ~ need.way ~ '): ' ~ need.points ~ ', ' ~ need.intervals ~ "' as what, count(*) as how_many from "
            ~ names[0] ~ ' as points inner join ' ~ names[1] ~ ' as intervals on '
            ~ dbt_range_join._way_predicate(join, need.way, 'points', 'intervals') | join(' and ')) -%}
    {%- endfor -%}
    {{ return('with ' ~ ctes | join(',\n\n') ~ '\n\n' ~ selects | unique | join('\nunion all\n')) }}
{% endmacro %}
