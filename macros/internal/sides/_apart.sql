{#
    A side of a join as a statement of its own can read it, apart from the model: what is measured, or run to be explained, is read so.

    A table or a query is itself. One that reads CTEs of the model is a query with the definitions of these before it, as the model's own text has them, and one that
    reads ephemeral models (sides/_ephemeral.sql) with theirs:

        left_relation='recent'      with days as (select * from {{ ref('days') }}), recent as (select * from days where day > '2024-01-01') ...
        apart                       (with days as (select * from db.days), recent as (...) select * from recent)

    Definitions are rendered here and once more where they stand. So only what says the same in both places is (sides/_model_text.sql), and nothing that does
    something, asks the warehouse or sets a name. A CTE is made anew wherever it is read: one that keeps the rows that it reads once, in place of the looks that the query takes
    without; one of which Spark can't guess how many rows it has would be made three times to be measured (plan/_measure.sql), and is left alone.
#}

{# The join with `apart` on both sides, what _apart returns; where it is not there yet. #}
{% macro _with_sides_apart(join) %}
    {%- if join.left.apart is defined -%}
        {{ return(join) }}
    {%- endif -%}
    {{ return(dict(
        join, left=dict(join.left, apart=dbt_range_join._apart(join.left.relation)), right=dict(join.right, apart=dbt_range_join._apart(join.right.relation)))) }}
{% endmacro %}


{#
    The join as it can be run apart from the model, where the ephemeral models that it reads stand before it: the relation of a side is none where it reads a CTE whose text
    can't be told.
#}
{% macro _read_apart(join) %}
    {{ return(dict(
        join, left=dict(join.left, relation=dbt_range_join._with_ctes_of_model(join.left.relation)),
        right=dict(join.right, relation=dbt_range_join._with_ctes_of_model(join.right.relation)))) }}
{% endmacro %}


{#
    The relation as it can be read apart from the model, as SQL or a Relation; none where it reads a CTE or an ephemeral model whose text can't be told, or that joins
    or groups. A table that happens to have the name of that CTE holds something else.
#}
{% macro _apart(relation) %}
    {%- if not execute or model is not defined or not model.raw_code -%}
        {{ return(relation) }}
    {%- endif -%}
    {%- set apart = dbt_range_join._with_ctes_of_model(relation) -%}
    {%- set ephemeral = modules.re.findall('__dbt__cte__\\w+', apart ~ '') | unique | list -%}
    {{ return(dbt_range_join._with_ephemeral_models(apart, ephemeral) if ephemeral else apart) }}
{% endmacro %}


{# What _apart returns, but for the ephemeral models that the relation reads. #}
{% macro _with_ctes_of_model(relation) %}
    {%- if relation is not string or model is not defined or not model.raw_code -%}
        {{ return(relation) }}
    {%- endif -%}
    {%- set text = dbt_range_join._text_of_model() -%}
    {%- set names = dbt_range_join._ctes_read(relation, text.lower) -%}
    {%- if not names -%}
        {{ return(relation) }}
    {%- endif -%}
    {%- set is_in_other_text = dbt_range_join._is_in_a_macro_of_others() or dbt_range_join._is_in_a_hook() -%}
    {%- set definitions = none if is_in_other_text else dbt_range_join._definitions_of(names, text) -%}
    {%- if definitions is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set sql = '(with ' ~ ('recursive ' if text.recursive) ~ definitions | join(',\n') ~ ' select * from ' ~ relation ~ ' as of_ctes)' -%}
    {{ return(dbt_range_join._embeddable(sql)) }}
{% endmacro %}


{# Whether the call stands in a macro of somebody else's, where a name may be that of a CTE of the macro. #}
{% macro _is_in_a_macro_of_others() %}
    {%- for macro in (context_macro_stack.call_stack if context_macro_stack is defined else []) if not macro.startswith('macro.dbt_range_join.') -%}
        {{ return(true) }}
    {%- endfor -%}
    {{ return(false) }}
{% endmacro %}


{#
    The names of the CTEs that a relation reads, by its name or in a query. code: the model's text, in lower case and without comments.

    CTEs are told by what that text defines, "name as (" or "name (columns) as (". Any word of a query counts as a name that is read,
    unless it is qualified, called or defined there: to measure nothing is always right. Where Jinja makes the name, "{{ ... }} as (", or in a hook, whose text is
    not known, any unqualified name of a table, the whole side or after FROM or JOIN, may be that of the CTE. Not seen are CTEs in SQL of a macro of the user's, and definitions without AS.
#}
{% macro _ctes_read(relation, code) %}
    {%- set text = dbt_range_join._without_comments(relation) | lower | trim -%}
    {%- set may_be_any = dbt_range_join._is_in_a_hook() or modules.re.search('[}%]\\}[`\\w]*' ~ dbt_range_join._after_the_name_of_a_cte(), code) -%}
    {%- set names = dbt_range_join._names_of_ctes(code) | unique | reject('in', dbt_range_join._names_of_ctes(text)) | list -%}
    {%- set read = modules.re.findall('(?:^|\\b(?:from|join)\\s)\\s*`?\\w+`?(?![\\w.`(])', text) if may_be_any else [] -%}
    {{ return(read + dbt_range_join._names_among(names, text)) }}
{% endmacro %}


{# Those of the names that are words of a text, neither qualified nor called. text: in lower case. #}
{% macro _names_among(names, text) %}
    {%- set found = [] -%}
    {%- for name in names if name in text -%}
        {%- set word = modules.re.escape(name) -%}
        {%- if modules.re.search('(?<![\\w.`])(?:`' ~ word ~ '`|' ~ word ~ ')(?![\\w`.(])', text) -%}
            {%- do found.append(name) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}


{# What follows the name of a CTE where it is defined, as a regular expression over text in lower case. #}
{% macro _after_the_name_of_a_cte() %}
    {{ return('\\s*(?:\\([^()]*\\)\\s*)?(?:max\\s+recursion\\s+level\\s+\\d+\\s+)?\\bas\\s*\\(') }}
{% endmacro %}


{# The names of the CTEs that a text defines, each as often as it does. text: in lower case, without comments. #}
{% macro _names_of_ctes(text) %}
    {%- set defined = modules.re.findall('(`[^`]+`|\\b\\w+)' ~ dbt_range_join._after_the_name_of_a_cte(), text) -%}
    {{ return(defined | map('replace', '`', '') | list) }}
{% endmacro %}


{#
    The definitions of CTEs, and of those that they read in turn, in the model's order and as they are in the compiled model: a list of SQL; none where one isn't at the
    head of the model, has a name that is defined twice, or can't be read apart. text: what _text_of_model returns.
#}
{% macro _definitions_of(names, text) %}
    {%- set all_names = dbt_range_join._names_of_ctes(text.lower) -%}
    {%- set at_head = text.ctes | map(attribute='name') | list -%}
    {%- set wanted = names | list -%}
    {%- set definitions = [] -%}
    {%- for cte in text.ctes | reverse if cte.name in wanted -%}
        {%- set sql = dbt_range_join._rendered_definition(cte, text) -%}
        {%- if sql is none -%}
            {{ return(none) }}
        {%- endif -%}
        {#- By what was rendered: Jinja may have put a name there. One that is defined within is not the model's. -#}
        {%- set within = dbt_range_join._names_of_ctes(sql | lower) | reject('in', at_head) | list -%}
        {%- do wanted.extend(dbt_range_join._names_among(all_names | unique | reject('in', within) | list, sql | lower)) -%}
        {%- do definitions.insert(0, sql) -%}
    {%- endfor -%}
    {%- for name in wanted if name not in at_head or all_names | select('equalto', name) | list | length > 1 -%}
        {{ return(none) }}
    {%- endfor -%}
    {{ return(definitions if definitions | length == wanted | unique | list | length else none) }}
{% endmacro %}


{# The definition of a CTE as it is in the compiled model; none where that can't be told, or it joins or groups. cte: one of text.ctes. #}
{% macro _rendered_definition(cte, text) %}
    {%- if not dbt_range_join._says_the_same_apart(cte, text.known) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set sql = render(text.known.values() | join ~ cte.definition) | trim -%}
    {%- set ctes = dbt_range_join._ctes_at_head('with ' ~ sql, dbt_range_join._tokens_of('with ' ~ sql)).ctes -%}
    {#- Jinja may have opened or closed a parenthesis or a quote. -#}
    {%- set is_whole = ctes | length == 1 and ctes[0].definition == sql and not modules.re.search('[?!]', ctes[0].masked) -%}
    {{ return(sql if is_whole and dbt_range_join._keeps_its_rows(sql) else none) }}
{% endmacro %}


{#
    Whether a query has the rows that it reads or some of these, so that Spark knows about how many; by its words. What joins, groups or explodes rows, or leaves doubles
    out, has others. (EXCEPT with columns is a part of a select list.) sql: with or without comments.
#}
{% macro _keeps_its_rows(sql) %}
    {%- set text = dbt_range_join._tokens_of(sql).masked | lower -%}
    {%- set other = 'join|group|having|distinct|lateral|pivot|unpivot|intersect|minus|explode\\w*|posexplode\\w*|inline\\w*|stack' -%}
    {{ return(not modules.re.search('\\b(?:' ~ other ~ ')\\b(?!\\s*\\.)|(?<!\\*)\\s*\\bexcept\\b(?!\\s*\\((?!\\s*select\\b))|\\bunion\\b(?!\\s+all\\b)|\\bfrom\\s+[^\\s,()]+(?:\\s+(?:as\\s+)?\\w+)?\\s*,', text)) }}
{% endmacro %}
