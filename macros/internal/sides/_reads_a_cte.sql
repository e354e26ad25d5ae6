{#
    Whether a side of a join reads a CTE of the model, by its name or in a query. Such a join can't be run, nor its data measured, apart from the
    model; and a table that happens to have the name of the CTE holds something else.

    CTEs are told by what the model's own text defines, "name as (" or "name (columns) as (". Any word of a query counts as a name that is read,
    unless it is qualified, called or defined there: to measure nothing is always right. Where Jinja makes the name, "{{ ... }} as (", any unqualified
    name of a table, the whole side or after FROM or JOIN, may be that of the CTE. Not seen are CTEs in SQL of a macro of the user's, and definitions without AS.
#}
{% macro _reads_a_cte(join) %}
    {%- if model is not defined or not model.raw_code -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set ctes = dbt_range_join._names_of_ctes(model.raw_code) -%}
    {%- set by_jinja = modules.re.search('[}%]\\}[`\\w]*\\s*(\\([^()]*\\)\\s*)?\\bas\\s*\\(', dbt_range_join._without_comments(model.raw_code) | lower) -%}
    {%- set read = [] -%}
    {%- for side in ['left', 'right'] if (ctes or by_jinja) and join[side].relation is string -%}
        {%- set text = dbt_range_join._without_comments(join[side].relation) | lower | trim -%}
        {%- do read.extend(modules.re.findall('(?:^|\\b(?:from|join)\\s)\\s*`?\\w+`?(?![\\w.`(])', text) if by_jinja else []) -%}
        {%- for name in ctes | reject('in', dbt_range_join._names_of_ctes(text)) -%}
            {%- set word = modules.re.escape(name) -%}
            {%- if modules.re.search('(?<![\\w.`])(?:`' ~ word ~ '`|' ~ word ~ ')(?![\\w`.(])', text) -%}
                {%- do read.append(name) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(read != []) }}
{% endmacro %}


{# The names of the CTEs that a text defines, in lower case. #}
{% macro _names_of_ctes(text) %}
    {%- set defined = modules.re.findall('(`[^`]+`|\\b\\w+)\\s*(?:\\([^()]*\\)\\s*)?(?:max\\s+recursion\\s+level\\s+\\d+\\s+)?\\bas\\s*\\(', dbt_range_join._without_comments(text) | lower) -%}
    {{ return(defined | map('replace', '`', '') | unique | list) }}
{% endmacro %}
