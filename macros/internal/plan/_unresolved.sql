{#
    What Spark can't resolve of a join, told by argument before the query runs: its own message is of the whole query, a hundred kilobytes of a plan that nobody wrote.
#}

{#
    Raises one compile error for all relations, values and keys of a join that Spark can't resolve, or for those that it can't compare, or for what it can't resolve of
    select and join_condition. Returns nothing where it can tell none, as where nobody runs the query now (the inputs may be built before that, or by a pre-hook). Asked
    only where Spark could not plan _probe_sql.
#}
{% macro _raise_unresolved(join) %}
    {%- if not dbt_range_join._is_asked_now(join) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set faults = [] -%}
    {%- set ns = namespace(is_told=true) -%}
    {%- for side in ['left', 'right'] -%}
        {%- set is_told = dbt_range_join._is_sure_of(join[side]) -%}
        {%- set ns.is_told = ns.is_told and is_told -%}
        {%- do faults.extend(dbt_range_join._unresolved_of(join, side) if is_told else []) -%}
    {%- endfor -%}
    {%- if ns.is_told and not faults -%}
        {%- set in_vain = dbt_range_join._compared_in_vain(join) -%}
        {#- Of a date and an interval of time, it is the latter that is of the wrong type. -#}
        {%- set of_types = dbt_range_join._type_faults(join, dbt_range_join._side_types(join)) if in_vain else [] -%}
        {%- do faults.extend(of_types or in_vain or dbt_range_join._unresolved_of_result(join)) -%}
    {%- endif -%}
    {%- do dbt_range_join._raise_faults(join.macro_name, faults) -%}
{% endmacro %}


{#
    Whether what a side reads apart from the model is what the model will read: not a name, or a query of one, that may be that of a CTE which
    some macro of the user's makes. A name before a parenthesis is that of a function, or `values`. side: one of the join's, with `apart`.
#}
{% macro _is_sure_of(side) %}
    {%- if model is not defined or not model.raw_code or side.relation is not string and side.relation.schema or side.apart != side.relation -%}
        {{ return(true) }}
    {%- endif -%}
    {%- set text = dbt_range_join._without_comments(side.relation ~ '') | trim -%}
    {%- set unqualified = '[`\\w]+(?![\\w`]|\\s*[.(])' -%}
    {{ return(not modules.re.match(unqualified, text) and not modules.re.search('(?i)\\b(?:from|join)\\s+' ~ unqualified, text)) }}
{% endmacro %}


{# A fault for the relation of a side, if there is no such table or view, or else for each of its values and keys that can't be resolved. Returns a list. #}
{% macro _unresolved_of(join, side) %}
    {%- set from = ' from ' ~ join[side].apart ~ ' as ' ~ join[side].alias -%}
    {%- set said = dbt_range_join._said_against('select 1' ~ from) -%}
    {%- if said -%}
        {#- What is wrong within a query or a CTE is for Spark to say, and so is who may read what. -#}
        {{ return([dbt_range_join._fault(side ~ '_relation', join[side].relation, 'one that Spark can read, and it says: ' ~ said,
            'build it, such as by dbt build --select +<model>, or change ' ~ side ~ '_relation')] if dbt_range_join._is_not_found(said) else []) }}
    {%- endif -%}
    {%- set values = [] -%}
    {%- for value in dbt_range_join._values_given(join[side]) -%}
        {%- do values.append([side ~ '_' ~ join[side].kind, value]) -%}
    {%- endfor -%}
    {%- for key in join['keys'] -%}
        {%- do values.append(['keys', key[side]]) -%}
    {%- endfor -%}
    {%- set faults = [] -%}
    {%- for argument, value in values -%}
        {%- set said = dbt_range_join._said_against('select (' ~ value ~ ')' ~ from) -%}
        {%- if said -%}
            {%- do faults.append(dbt_range_join._fault(argument, value, 'an expression over ' ~ side ~ '_relation, and Spark says: ' ~ said)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(faults | unique | list) }}
{% endmacro %}


{# A fault for each pair of a point or bound with one of the other side, and for each pair of keys, that Spark can't compare. Returns a list. #}
{% macro _compared_in_vain(join) %}
    {%- set pairs = [] -%}
    {%- for left, right in dbt_range_join._compared_columns(join) -%}
        {%- set left, right = join.left.value_columns.index(left), join.right.value_columns.index(right) -%}
        {%- do pairs.append(['left_' ~ join.left.kind ~ ' and right_' ~ join.right.kind, 'l.value_' ~ (left + 1) ~ ' >= r.value_' ~ (right + 1),
            dbt_range_join._values_given(join.left)[left] ~ ' and ' ~ dbt_range_join._values_given(join.right)[right]]) -%}
    {%- endfor -%}
    {%- for key in join['keys'] -%}
        {%- do pairs.append(['keys', 'l.key_' ~ loop.index ~ ' = r.key_' ~ loop.index, key.left ~ ' and ' ~ key.right]) -%}
    {%- endfor -%}
    {%- set faults = [] -%}
    {%- for argument, predicate, given in pairs -%}
        {%- set said = dbt_range_join._said_against(dbt_range_join._values_ctes(join)
            ~ 'select 1 from range_join_left_values as l cross join range_join_right_values as r where ' ~ predicate) -%}
        {%- if said -%}
            {%- do faults.append(dbt_range_join._fault(argument, given, 'two that can be compared, and Spark says: ' ~ said, 'cast one of the two')) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(faults) }}
{% endmacro %}


{# A fault for each item of the select list, and for the join_condition, that can't be resolved in the plain join. Returns a list. #}
{% macro _unresolved_of_result(join) %}
    {%- set asked = [['join_condition', join.join_condition, dict(join, select_items=['1 as one'])]] if join.join_condition is not none else [] -%}
    {%- for item in join.select_items -%}
        {%- do asked.append(['select', item, dict(join, select_items=[item], join_condition=none)]) -%}
    {%- endfor -%}
    {%- set faults = [] -%}
    {%- for argument, value, of_it in asked -%}
        {%- set said = dbt_range_join._said_against(dbt_range_join._plain_join_apart(of_it)) -%}
        {%- if said -%}
            {#- What Spark suggests are names of the package's own. -#}
            {%- do faults.append(dbt_range_join._fault(argument, value, 'an expression over l and r, and Spark says: ' ~ said.split('. Did you mean')[0])) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(faults) }}
{% endmacro %}


{# The plain join as a statement of its own. join: with `apart` on both sides. #}
{% macro _plain_join_apart(join) %}
    {{ return(dbt_range_join._naive_form(dict(join, left=dict(join.left, relation=join.left.apart), right=dict(join.right, relation=join.right.apart)))) }}
{% endmacro %}


{#
    The plain join as a CTE that nobody reads, a list of one: so _probe_sql is planned only where select and join_condition can be resolved, too, at the price of
    resolving them. Empty where either has a subquery, as that may read a CTE of the model's.
#}
{% macro _checked_ctes(join) %}
    {%- set written = (join.select_items | join(' ') ~ ' ' ~ (join.join_condition or '')) | lower -%}
    {{ return([] if 'select' in written or 'with' in written else ['range_join_result as (\n' ~ dbt_range_join._plain_join_apart(join) ~ '\n)']) }}
{% endmacro %}


{# Whether Spark says that there is no such relation. #}
{% macro _is_not_found(said) %}{{ return('annot be found' in said) }}{% endmacro %}


{# The first sentences of Spark's message for a query that it can't plan, in one line; none where it can. #}
{% macro _said_against(sql) %}
    {%- set plan = dbt_range_join._plan_text(sql) -%}
    {%- if dbt_range_join._is_planned(plan) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set said = modules.re.search('\\[[A-Z0-9_.]+\\] (.*?)(?: SQLSTATE:|\\n|$)', plan) -%}
    {%- set lines = plan.split('\n') | reject('equalto', '') | reject('equalto', 'Error occurred during query planning:') | list -%}
    {{ return((said.group(1) if said else lines | first | default('nothing')) | trim | trim('.')) }}
{% endmacro %}
