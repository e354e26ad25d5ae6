{#
    The report of explain_range_join.
#}

{# A join by its arguments, as `dbt run` would make it now in a model that is a table. bin_size: as the caller gave it. Returns: text. #}
{% macro _explain_join(join, bin_size) %}
    {%- if join.bin is not none -%}
        {%- do dbt_range_join._check_unit_of_size(join, bin_size) -%}
    {%- endif -%}
    {%- set rendering = dbt_range_join._begin_rendering() -%}
    {%- set sql = dbt_range_join._planned_form(dict(join, built_now=true), bin_size) -%}
    {%- do dbt_range_join._end_rendering() -%}
    {%- set ctes = rendering.ctes.values() | list -%}
    {{ return(dbt_range_join._explain_rendered(
        'A range join, explained', {'sql': dbt_range_join._within_ctes(ctes, sql), 'joins': rendering.joins, 'ctes': ctes})) }}
{% endmacro %}


{# Raises the compile error for a bin_size that does not fit the values, which a build measures only of inputs that are not tiny: _unit_faults. #}
{% macro _check_unit_of_size(join, bin_size) %}
    {%- set join = dbt_range_join._with_sides_apart(join) -%}
    {%- set sizes = dbt_range_join._input_sizes(join) -%}
    {%- if sizes is not none -%}
        {%- do dbt_range_join._raise_faults(join.macro_name, dbt_range_join._unit_faults(join, bin_size, dbt_range_join._side_types(join, sizes))) -%}
    {%- endif -%}
{% endmacro %}


{# Raises the compile error for a call that names neither a model nor any argument of a join. given: the arguments of a join, and unknown ones, by name. #}
{% macro _check_what_to_explain(given) %}
    {%- set names = dbt_range_join._join_arguments() -%}
    {%- set faults = [] -%}
    {%- set read = dbt_range_join._known_arguments(given, ['model'] + names, faults) -%}
    {%- for argument in names if read[argument] != dbt_range_join._argument_defaults().get(argument) -%}
        {{ return(none) }}
    {%- endfor -%}
    {%- if 'model' not in read -%}
        {%- do faults.append(dbt_range_join._fault(
            'model', none, 'the name of a model, or in its place the arguments of a join, ' ~ names | join(', '), "--args '{model: my_model}'")) -%}
    {%- endif -%}
    {%- do dbt_range_join._raise_faults('explain_range_join', faults) -%}
{% endmacro %}


{# A model by its name, as `dbt run` would make it now. others: the arguments of a join by name, none of which goes with a model. Returns: text. #}
{% macro _explain_model(name, others) %}
    {%- set faults = [] -%}
    {%- set node = dbt_range_join._node_of_text(name ~ '') -%}
    {%- if node is none or node.resource_type not in ['model', 'snapshot'] or node.language != 'sql' -%}
        {%- do faults.append(dbt_range_join._fault('model', name, 'the name of a model in SQL, of this project or of its packages', 'look for its name with dbt ls, or it is disabled')) -%}
    {%- endif -%}
    {%- for argument, value in others.items() if value != dbt_range_join._argument_defaults().get(argument) -%}
        {%- do faults.append(dbt_range_join._fault(argument, value, 'nothing beside model, whose own calls are explained', 'leave out model or ' ~ argument)) -%}
    {%- endfor -%}
    {%- do dbt_range_join._raise_faults('explain_range_join', faults) -%}
    {{ return(dbt_range_join._explain_rendered('The joins of ' ~ node.name ~ ', explained', dbt_range_join._rendered_model(node))) }}
{% endmacro %}


{# The report on a query and the joins by bins in it. rendering: what _rendered_model returns. Returns: text. #}
{% macro _explain_rendered(title, rendering) %}
    {%- set lines = ['', title, ''] -%}
    {%- do lines.extend(dbt_range_join._explain_plan(rendering.sql)) -%}
    {%- if not rendering.joins -%}
        {%- do lines.append('Rows and pairs: not counted, no binned_range_join in this model') -%}
    {%- endif -%}
    {%- for join in rendering.joins -%}
        {%- if rendering.joins | length > 1 -%}
            {%- do lines.extend(['', 'Join ' ~ loop.index ~ ' of ' ~ rendering.joins | length]) -%}
        {%- endif -%}
        {%- do lines.extend(dbt_range_join._explain_work(join, rendering)) -%}
    {%- endfor -%}
    {{ return(lines | join('\n')) }}
{% endmacro %}


{# What a join comes to, counted by running it. join: one of rendering.joins. Returns: a list of lines. #}
{% macro _explain_work(join, rendering) %}
    {%- set lines = ['Chosen: ' ~ join.reason ~ '.'] if join.reason is defined else [] -%}
    {%- set sql = dbt_range_join._within_ctes(rendering.ctes, dbt_range_join._form_of(join)) -%}
    {%- if none in [join.left.relation, join.right.relation] or not dbt_range_join._is_planned(dbt_range_join._plan_text(sql)) -%}
        {{ return(lines + ['Rows and pairs: not counted, since the join can not be run apart from its model, as where it reads a CTE that joins or groups']) }}
    {%- endif -%}
    {%- set counts = [] -%}
    {%- if join.bin is not none -%}
        {%- do counts.extend(run_query(dbt_range_join._within_ctes(rendering.ctes, dbt_range_join._work_sql(join))).rows) -%}
    {%- endif -%}
    {%- do counts.extend(run_query("select 'rows of the result', count(*) from (\n" ~ sql ~ '\n) as result').rows) -%}
    {%- for row in counts -%}
        {%- do lines.append('%-44s %16s' % (row[0], '{:,}'.format(row[1] | int))) -%}
    {%- endfor -%}
    {{ return(lines) }}
{% endmacro %}


{# What Spark's plan of a query holds: which joins, and whether one compares all with all. Returns: a list of lines. #}
{% macro _explain_plan(sql) %}
    {%- set plan = dbt_range_join._plan_text(sql) -%}
    {%- if not dbt_range_join._is_planned(plan) -%}
        {%- do dbt_range_join._raise_unreadable('explain_range_join', plan) -%}
    {%- endif -%}
    {#- Lines that begin with the number of an operator: within others its name may be a literal's words, or part of a column's name. -#}
    {%- set operators = modules.re.findall('(?m)^\\(\\d+\\) (\\w+)', plan) -%}
    {%- set joins = [] -%}
    {%- for operator in ['BroadcastNestedLoopJoin', 'CartesianProduct', 'BroadcastHashJoin', 'ShuffledHashJoin', 'SortMergeJoin'] -%}
        {%- set times = operators.count(operator) -%}
        {%- if times -%}
            {%- do joins.append(operator ~ (' x ' ~ times if times > 1 else '')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set slow = 'BroadcastNestedLoopJoin' in operators or 'CartesianProduct' in operators -%}
    {{ return([
        'Joins in the plan: ' ~ (joins | join(', ') or 'none'),
        'Nested loop or cartesian product: ' ~ ('YES, some rows are compared with all' if slow else 'no')]) }}
{% endmacro %}


{# What EXPLAIN says of a query, which is an error's words where Spark can't plan it. #}
{% macro _plan_text(sql) %}{{ return(run_query('explain formatted ' ~ sql).columns[0].values() | join('\n')) }}{% endmacro %}


{# Whether that is a plan. #}
{% macro _is_planned(plan) %}{{ return(plan.startswith('== Physical Plan ==') and '\n(1) ' in plan) }}{% endmacro %}


{#
    A query of what a join comes to: one row each for the rows that are swept, those that carry bins, and the pairs
    that meet in them. Columns: what, how_many.
#}
{% macro _work_sql(join) %}
    {%- set needs = [] -%}
    {#- Each side is read for several counts. -#}
    {%- set ctes = dbt_range_join._form_parts(dict(join, dealt=none), needs)[0] -%}
    {%- set selects = [] -%}
    {%- for need in needs | selectattr('swept', 'defined') -%}
        {%- do selects.append("select 'rows swept: " ~ need.swept ~ "' as what, count(*) as how_many from range_join_" ~ need.swept ~ '_sweep') -%}
    {%- endfor -%}
    {#- The two meetings that are one join are told once. -#}
    {%- for need in needs | selectattr('way', 'defined') if need.way != 'overlap' or need.points == 'right' -%}
        {%- set names = dbt_range_join._way_relations(need.way, need) -%}
        {%- do selects.append("select 'rows with bins: " ~ names[0] | replace('range_join_', '') ~ "' as what, count(*) as how_many from " ~ names[0]) -%}
        {%- do selects.append("select 'rows with bins: " ~ names[1] | replace('range_join_', '') ~ "' as what, count(*) as how_many from " ~ names[1]) -%}
        {%- do selects.append("select 'pairs compared (" ~ need.way ~ '): ' ~ need.points ~ ', ' ~ need.intervals ~ "' as what, count(*) as how_many from "
            ~ names[0] ~ ' as points inner join ' ~ names[1] ~ ' as intervals on '
            ~ dbt_range_join._way_predicate(join, need.way, 'points', 'intervals') | join(' and ')) -%}
    {%- endfor -%}
    {{ return('with ' ~ ctes | join(',\n\n') ~ '\n\n' ~ selects | unique | join('\nunion all\n')) }}
{% endmacro %}
