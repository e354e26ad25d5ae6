{#
    Whether a side of a join reads a CTE of the model, by its name or in a query. Such a join can't be run, nor its data measured, apart from the
    model; and a table that happens to have the name of the CTE holds something else.

    CTEs are told by what the model's own text defines, "name as (" or "name (columns) as (". Those that a macro of the user's writes are not seen.
#}
{% macro _reads_a_cte(join) %}
    {%- if model is not defined or not model.raw_code -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set name = '(`[^`]+`|\\w+)' -%}
    {%- set defined = modules.re.findall(name ~ '\\s*(?:\\([^()]*\\)\\s*)?\\bas\\s*\\(', model.raw_code, modules.re.IGNORECASE) -%}
    {%- set read = [] -%}
    {%- for side in ['left', 'right'] if join[side].relation is string -%}
        {%- do read.extend(modules.re.findall('\\b(?:from|join)\\s+' ~ name ~ '(?![\\w`.(])', 'from ' ~ join[side].relation, modules.re.IGNORECASE)) -%}
    {%- endfor -%}
    {%- set ctes = defined | map('lower') | map('replace', '`', '') | list -%}
    {{ return(read | map('lower') | map('replace', '`', '') | select('in', ctes) | list != []) }}
{% endmacro %}
