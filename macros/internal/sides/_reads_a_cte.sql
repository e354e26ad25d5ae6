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
    {%- set code = dbt_range_join._without_comments(model.raw_code) | lower -%}
    {%- set ctes = dbt_range_join._names_of_ctes(code) -%}
    {%- set by_jinja = modules.re.search('[}%]\\}[`\\w]*' ~ dbt_range_join._after_the_name_of_a_cte(), code) -%}
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


{# What follows the name of a CTE where it is defined, as a regular expression over text in lower case. #}
{% macro _after_the_name_of_a_cte() %}
    {{ return('\\s*(?:\\([^()]*\\)\\s*)?(?:max\\s+recursion\\s+level\\s+\\d+\\s+)?\\bas\\s*\\(') }}
{% endmacro %}


{# The names of the CTEs that a text defines. text: in lower case, without comments. #}
{% macro _names_of_ctes(text) %}
    {%- set defined = modules.re.findall('(`[^`]+`|\\b\\w+)' ~ dbt_range_join._after_the_name_of_a_cte(), text) -%}
    {{ return(defined | map('replace', '`', '') | unique | list) }}
{% endmacro %}
