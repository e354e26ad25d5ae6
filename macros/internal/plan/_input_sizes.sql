{#
    How large the inputs are, and of which types, as far as Spark knows without reading them.
#}

{#
    How large the inputs are as far as Spark's planner knows, without reading them: {left, right}, each {bytes, rows, read}, with rows a guess
    from the bytes of the columns that the join reads, and read the bytes of the largest relation that they are made of, down to where the planner knows the
    number of rows (a limit, one aggregate); all none where it doesn't say, or can't know: it takes the rows that explode makes of one for one.
    And `types`, as _side_types has them, none where the plan does not show them, as of no rows at all.
    None where a side can't be read apart from the model, and where the inputs can't be resolved, which EXPLAIN tells without an error; that is a compile error where it is
    certain (_unresolved.sql).
#}
{% macro _input_sizes(join) %}
    {%- if not dbt_range_join._may_ask() or none in [join.left.apart, join.right.apart] -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set checked = dbt_range_join._checked_ctes(join) -%}
    {%- set said = dbt_range_join._cost_text(dbt_range_join._probe_sql(join, checked)) -%}
    {%- if not dbt_range_join._has_costs(said) -%}
        {%- do dbt_range_join._raise_unresolved(join) -%}
        {#- Where it was select or the join_condition, the inputs can be measured all the same. -#}
        {%- set said = dbt_range_join._cost_text(dbt_range_join._probe_sql(join)) if checked and not dbt_range_join._is_not_found(said) else said -%}
    {%- endif -%}
    {%- if not dbt_range_join._has_costs(said) -%}
        {{ return(none) }}
    {%- endif -%}
    {#- The inputs are the two children of the join under the root of the optimized plan. -#}
    {%- set inputs = [] -%}
    {%- for line in said.split('== Physical Plan ==')[0].split('\n') -%}
        {%- if line[:6] in ['   :- ', '   +- '] and 'sizeInBytes=' in line -%}
            {%- do inputs.append({'lines': [], 'nodes': []}) -%}
        {%- endif -%}
        {%- if inputs -%}
            {%- do inputs[-1].lines.append(line) -%}
            {%- do inputs[-1].nodes.append(line.lstrip(' :+-').split(' ')[0]) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set sizes = {'types': dbt_range_join._types_said(join, said)} -%}
    {%- for side in ['left', 'right'] -%}
        {%- set columns = (join.key_columns + join[side].value_columns) | length -%}
        {%- set known = inputs | length == 2 and 'Generate' not in inputs[loop.index0].nodes -%}
        {%- set ns = namespace(size={'bytes': none, 'rows': none}, read=none, is_known=not known) -%}
        {%- for line in (inputs[loop.index0].lines if known else []) if 'sizeInBytes=' in line and not ns.is_known -%}
            {%- set size = dbt_range_join._size_of(line, columns) -%}
            {%- set ns.size = size if loop.first else ns.size -%}
            {%- set ns.read = [ns.read or 0, size.bytes or 0] | max -%}
            {%- set ns.is_known = 'rowCount=' in line -%}
        {%- endfor -%}
        {%- do sizes.update({side: dict(ns.size, read=ns.read)}) -%}
    {%- endfor -%}
    {{ return(sizes) }}
{% endmacro %}


{# What EXPLAIN COST says of a query, which is an error's words where Spark can't plan it. #}
{% macro _cost_text(sql) %}{{ return(run_query('explain cost ' ~ sql).columns[0].values() | join('\n')) }}{% endmacro %}


{# Whether that is a plan. #}
{% macro _has_costs(said) %}{{ return('sizeInBytes=' in said or 'Exception' not in said and 'Error' not in said) }}{% endmacro %}


{# {bytes, rows} out of a line of a plan with "Statistics(sizeInBytes=20.3 MiB, rowCount=5)". Spark counts 8 bytes a row and mostly 8 a column. #}
{% macro _size_of(line, columns) %}
    {%- set statistics = line.split('sizeInBytes=')[-1].split(')')[0].split(', ') -%}
    {%- set amount, _, unit = statistics[0].partition(' ') -%}
    {%- set units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] -%}
    {%- if unit not in units -%}
        {{ return({'bytes': none, 'rows': none}) }}
    {%- endif -%}
    {#- For a query of several joins Spark multiplies the sizes of their inputs: numbers that no literal holds. -#}
    {%- set bytes = [(amount | float) * 1024 ** units.index(unit), 1e18] | min -%}
    {%- set counted = statistics[1:] | join | replace('rowCount=', '') | float -%}
    {{ return({'bytes': bytes, 'rows': [counted or bytes / (8 + 8 * columns), 1e18] | min}) }}
{% endmacro %}


{# Whether dbt may ask the warehouse anything: not while it parses, nor with --no-introspect. #}
{% macro _may_ask() %}{{ return(execute and (flags.INTROSPECT is not defined or flags.INTROSPECT)) }}{% endmacro %}
