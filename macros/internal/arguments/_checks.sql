{#
    Checks of single arguments. Each appends to `faults` what is wrong with the value, and returns nothing.
    A dbt Relation answers to `identifier`; a string or a list does not.
#}

{% macro _inclusive_choices() %}{{ return(['both', 'left', 'right', 'neither']) }}{% endmacro %}

{% macro _null_bounds_choices() %}{{ return(['no_match', 'unbounded']) }}{% endmacro %}

{% macro _join_type_choices() %}{{ return(['inner', 'left', 'right', 'full', 'semi', 'anti']) }}{% endmacro %}


{% macro _is_list(value) %}
    {{ return(value is defined and value is sequence and value is not string and value is not mapping and value.identifier is not defined) }}
{% endmacro %}


{% macro _is_text(value) %}
    {{ return(value is defined and value is string and value | trim != '') }}
{% endmacro %}


{% macro _check_choice(argument, value, allowed, faults) %}
    {%- if value is not string or value not in allowed -%}
        {%- set meant = dbt_range_join._choices_meant(value, allowed) -%}
        {%- do faults.append(dbt_range_join._fault(
            argument, value, allowed, argument ~ "='" ~ meant | join("' or " ~ argument ~ "='") ~ "'" if meant)) -%}
    {%- endif -%}
{% endmacro %}


{# Those of the legal values that another one may mean: by another name or in other letters. Returns: a list, mostly of one or none. #}
{% macro _choices_meant(value, allowed) %}
    {%- if value is not string -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set word = value | trim | lower -%}
    {%- set synonyms = {
        'outer': ['full', 'left'], 'outer join': ['full', 'left'], 'join': ['inner'],
        '[)': ['left'], '(]': ['right'], '[]': ['both'], '()': ['neither'], 'none': ['neither'], 'open': ['unbounded']} -%}
    {%- set plain = modules.re.sub('outer|join|^left(?=[\\W_]*(?:semi|anti))', '', word) -%}
    {%- set meant = synonyms.get(word, [dbt_range_join._meant(plain, allowed)]) -%}
    {{ return(meant | select('in', allowed) | list) }}
{% endmacro %}


{% macro _check_expression(argument, value, faults) %}
    {%- if not dbt_range_join._is_text(value) -%}
        {%- do faults.append(dbt_range_join._fault(
            argument, value, 'a SQL expression as a string', "write " ~ argument ~ "='" ~ value ~ "'" if value is number
            else "write it in quotes, such as '" ~ argument ~ "_at'" if value is none or value is undefined)) -%}
    {%- else -%}
        {%- do dbt_range_join._check_fragments(argument, [value], faults) -%}
    {%- endif -%}
{% endmacro %}


{#
    Texts that are put into the package's own SQL. None may close a parenthesis that it does not open: it would be one that the package writes around it, such as
    those of "(a) or (b)" for "a) or (b". And none may end the statement.
#}
{% macro _check_fragments(argument, texts, faults) %}
    {%- for text in texts -%}
        {%- if ')' in text and dbt_range_join._closes_early('(' ~ dbt_range_join._without_comments(text) ~ ')') -%}
            {%- do faults.append(dbt_range_join._fault(argument, text, 'SQL whose parentheses are closed after they are opened')) -%}
        {%- endif -%}
        {%- if ';' in text and ';' in dbt_range_join._code(text) -%}
            {%- do faults.append(dbt_range_join._fault(argument, text, 'SQL without a semicolon')) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{% macro _check_interval(argument, value, faults) %}
    {%- set pair = value if dbt_range_join._is_list(value) else [] -%}
    {%- set texts = [] -%}
    {%- for bound in pair if dbt_range_join._is_text(bound) -%}
        {%- do texts.append(bound) -%}
    {%- endfor -%}
    {%- if pair | length != 2 or texts | length != 2 -%}
        {%- do faults.append(dbt_range_join._fault(
            argument, value, 'a list of two SQL expressions', argument ~ "=['start_time', 'end_time']")) -%}
    {%- endif -%}
    {%- do dbt_range_join._check_fragments(argument, texts, faults) -%}
{% endmacro %}


{# is_report: whether it is a name on the command line, which reports/_relations.sql has looked up, and not found where it is a text still. #}
{% macro _check_relation(argument, value, faults, is_report=false) %}
    {%- if value is defined and value is not none and value.identifier is defined -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set allowed = 'the name of a model, seed or snapshot, source.table, or a query in parentheses' if is_report
        else "a relation such as ref('events'), the name of a CTE above, or a query in parentheses" -%}
    {%- if not dbt_range_join._is_text(value) -%}
        {%- do faults.append(dbt_range_join._fault(argument, value, allowed)) -%}
    {%- else -%}
        {%- set text = dbt_range_join._without_comments(value) | trim -%}
        {%- set part = '(?:' ~ dbt_range_join._name_in_backticks() ~ '|\\w+)' -%}
        {%- set is_name = modules.re.fullmatch(part ~ '(?:\\.' ~ part ~ ')*', text) -%}
        {%- set is_query = text.startswith('(') and text.endswith(')') -%}
        {%- if not is_name and not is_query -%}
            {%- set call = modules.re.fullmatch('(?:\\{\\{\\s*)?((?:ref|source)\\s*\\(.*\\))(?:\\s*\\}\\})?', text) -%}
            {%- do faults.append(dbt_range_join._fault(
                argument, value, allowed,
                'put parentheses around a query, and no semicolon' if not call
                else 'look for its name with dbt ls' if is_report else 'write ' ~ call.group(1) ~ ' without the quotes')) -%}
        {%- elif is_query and dbt_range_join._closes_early(text) -%}
            {%- do faults.append(dbt_range_join._fault(argument, value, allowed, 'put one pair of parentheses around all of the query')) -%}
        {%- elif modules.re.fullmatch('(?i)`?range_join_\\w*`?', text) -%}
            {%- do faults.append(dbt_range_join._fault(
                argument, value, allowed ~ "; names that begin with 'range_join_' are kept for the CTEs that this package writes",
                'rename the CTE')) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}


{% macro _check_column_name(argument, value, faults) %}
    {%- if not dbt_range_join._is_text(value) or not modules.re.fullmatch(dbt_range_join._name_in_backticks() ~ '|\\w+', value) -%}
        {%- do faults.append(dbt_range_join._fault(argument, value, 'a column name, in backticks where it is not a plain word')) -%}
    {%- endif -%}
{% endmacro %}


{% macro _check_select(argument, value, faults) %}
    {%- if value is not none -%}
        {%- set items = [] -%}
        {%- for item in (value if dbt_range_join._is_list(value) else []) if dbt_range_join._is_text(item) -%}
            {%- do items.append(item) -%}
        {%- endfor -%}
        {%- if not items or items | length != value | length -%}
            {%- do faults.append(dbt_range_join._fault(
                argument, value, 'a list of SQL select items, or none for all columns',
                argument ~ '=' ~ dbt_range_join._split_at_commas(value) if dbt_range_join._is_text(value))) -%}
        {%- endif -%}
        {%- do dbt_range_join._check_fragments(argument, items, faults) -%}
    {%- endif -%}
{% endmacro %}


{# A select list over two sides: a `*` by itself would be all columns that the join makes for itself, too. #}
{% macro _check_stars(argument, items, faults) %}
    {%- for item in (items if dbt_range_join._is_list(items) else []) if item is string and '*' in item -%}
        {#- What is quoted is an operand, after which a star multiplies; and a query within has columns of its own. -#}
        {%- set counted = modules.re.sub('\\b(count|quoted)\\s*\\(\\s*\\*\\s*\\)', 'count', dbt_range_join._code(item)) -%}
        {%- if modules.re.search('(^|[(,]|(?<![.\\w])(distinct|all)\\b)\\s*\\*', counted) and not modules.re.search('\\bselect\\b', counted) -%}
            {%- do faults.append(dbt_range_join._fault(argument, item, "a `*` of one side, 'l.*' or 'r.*'", argument ~ "=['l.*', 'r.*']")) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{# A select list of a join that has rows of l alone. Told are columns of r that stand by themselves: what else has an `r.` in it may be a query of its own. #}
{% macro _check_sides_selected(argument, items, join_type, faults) %}
    {%- set name = '(?:\\w+|' ~ dbt_range_join._name_in_backticks() ~ ')' -%}
    {%- set column_of_r = '(?i)\\s*r\\s*\\.\\s*(?:\\*|' ~ name ~ ')(?:\\s+as\\s+' ~ name ~ ')?\\s*' -%}
    {%- for item in (items if dbt_range_join._is_list(items) and join_type in ['semi', 'anti'] else []) if item is string -%}
        {%- if modules.re.fullmatch(column_of_r, dbt_range_join._without_comments(item)) -%}
            {%- do faults.append(dbt_range_join._fault(
                argument, item, "columns of l with join_type '" ~ join_type ~ "', which has rows of l alone", 'leave it out, or change join_type')) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{#
    A join_condition with NOT IN over a query, in a join that keeps rows of a side. Whether a NULL makes that true or NULL depends on where Spark evaluates it
    (SPARK-58442): within such a join, or before it, for rows of one side. As it is made of two joins here, that would lose rows. An IN that is compared, as in
    `(x in (select ...)) = false`, Spark makes a NOT IN of.
#}
{% macro _check_subqueries(argument, value, join_type, faults) %}
    {%- if value is string and join_type in ['left', 'right', 'full'] -%}
        {%- set code = dbt_range_join._code(value) -%}
        {#- A query in parentheses of its own is one value, unless it is a part of a query. -#}
        {%- set query = '(?:select|with|from|values|table)\\b' -%}
        {%- set goes_on = '\\)\\s*(?:union|intersect|except|minus|order|sort|cluster|distribute|window|limit|offset)\\b' -%}
        {%- set in_query = '\\bin\\s*\\(\\s*(?:' ~ query ~ '|\\([\\s(]*' ~ query ~ '(?s:.*?)' ~ goes_on ~ ')' -%}
        {#- A NOT is of what follows up to the next AND or OR, or of all within the parentheses after it. -#}
        {%- set ns = namespace(is_negated=modules.re.search('(?s)(\\bnot\\b|!(?!=))((?!\\b(and|or|exists|null)\\b).)*?' ~ in_query, code) is not none) -%}
        {%- for before, within, after in dbt_range_join._parenthesised(code) if modules.re.search(in_query, within) -%}
            {%- set is_negated = modules.re.search('(\\bnot|!)\\s*$', before) -%}
            {%- set is_compared = modules.re.search('[=<>]\\s*$', before) or modules.re.match('\\s*[=<>!]', after) -%}
            {%- set ns.is_negated = ns.is_negated or is_negated or is_compared and not modules.re.match('\\s*' ~ query, within) -%}
        {%- endfor -%}
        {%- if ns.is_negated -%}
            {%- do faults.append(dbt_range_join._fault(
                argument, value, "no NOT IN over a query with join_type '" ~ join_type ~ "', nor an IN that is compared, as Spark takes NULLs in it in two ways there",
                "write not exists (select 1 from ... where ...), which is the same where there are no NULLs")) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}


{# What stands in parentheses in a text, as a list of [what stands before, within, after]: before and after up to the next parenthesis. #}
{% macro _parenthesised(text) %}
    {%- set pieces = modules.re.split('([()])', text) -%}
    {%- set open = [] -%}
    {%- set found = [] -%}
    {%- for piece in pieces -%}
        {%- if piece == '(' -%}
            {%- do open.append(loop.index0) -%}
        {%- elif piece == ')' and open -%}
            {%- set begin = open.pop() -%}
            {%- do found.append([pieces[begin - 1], pieces[begin + 1:loop.index0] | join, pieces[loop.index0 + 1]]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}


{# The extent that fan_out_intervals clamps to: may be left out, unless open intervals need it. #}
{% macro _check_clamp(argument, value, null_bounds, faults) %}
    {%- if value is not none -%}
        {%- do dbt_range_join._check_expression(argument, value, faults) -%}
    {%- elif null_bounds == 'unbounded' -%}
        {%- do faults.append(dbt_range_join._fault(
            argument, value, "a SQL expression when null_bounds is 'unbounded'",
            "an open interval ends in no bin of its own: give the extent to clamp it to, such as '(select min(ts) from points)'")) -%}
    {%- endif -%}
{% endmacro %}


{#
    wheres: {left, right}: the predicates that equals_naive_range_join cuts its work down by. Only a side whose rows the result
    can't lose or fill with NULLs may be cut: there, and only there, cutting the side first and cutting the result come to
    the same.
#}
{% macro _check_wheres(wheres, join_type, select, faults) %}
    {%- set sides = {
        'inner': ['left', 'right'], 'left': ['left'], 'semi': ['left'], 'anti': ['left'], 'right': ['right']
    }.get(join_type, []) -%}
    {%- for side in ['left', 'right'] if wheres[side] is not none -%}
        {%- if dbt_range_join._is_list(select) and modules.re.search('\\bover\\s*\\(', dbt_range_join._code(select | join(', '))) -%}
            {%- do faults.append(dbt_range_join._fault(
                side ~ '_where', wheres[side], 'none with a window function in select, which looks at the rows that the predicate leaves out, too',
                'test the model on smaller relations')) -%}
        {%- elif side in sides or join_type not in dbt_range_join._join_type_choices() -%}
            {%- do dbt_range_join._check_expression(side ~ '_where', wheres[side], faults) -%}
        {%- else -%}
            {%- do faults.append(dbt_range_join._fault(
                side ~ '_where', wheres[side], "none with join_type '" ~ join_type ~ "', whose result may have no " ~ side ~ ' row to filter by',
                'use ' ~ sides[0] ~ '_where' if sides else 'test the model on smaller relations')) -%}
        {%- endif -%}
    {%- endfor -%}
{% endmacro %}


{#
    keys: column names that both sides have, or [left_expression, right_expression] pairs.
    Returns: a list of {left, right, shared, name}: the SQL of each side, and, where it is one column name on both, that name as the caller wrote it and without
    backticks.
#}
{% macro _read_keys(argument, value, faults) %}
    {%- set keys = [] -%}
    {%- if value is none -%}
        {{ return(keys) }}
    {%- endif -%}
    {%- set allowed = "a list of column names that both sides have, or of pairs ['left expression', 'right expression']" -%}
    {%- if not dbt_range_join._is_list(value) -%}
        {%- do faults.append(dbt_range_join._fault(
            argument, value, allowed, argument ~ '=' ~ dbt_range_join._split_at_commas(value) if dbt_range_join._is_text(value))) -%}
        {{ return(keys) }}
    {%- endif -%}
    {%- set in_backticks = dbt_range_join._name_in_backticks() -%}
    {%- for key in value -%}
        {%- set pair = [key, key] if key is string else (key if dbt_range_join._is_list(key) else []) -%}
        {%- set is_name = pair | length == 2 and pair[0] == pair[1] and dbt_range_join._is_text(pair[0])
            and modules.re.fullmatch(in_backticks ~ '|(?!\\d+$)\\w+', pair[0]) -%}
        {%- if is_name -%}
            {#- Given twice, it says the same twice. -#}
            {%- set name = dbt_range_join._unquoted(pair[0]) -%}
            {%- do keys.append({'left': 'l.' ~ pair[0], 'right': 'r.' ~ pair[1], 'shared': pair[0], 'name': name}) if name not in keys | map(attribute='name') -%}
        {%- elif not key -%}
            {%- do faults.append(dbt_range_join._fault(argument, key, allowed)) -%}
        {%- elif key is string and modules.re.fullmatch('\\s*\\w+(\\s*,\\s*\\w+)+\\s*', key) -%}
            {%- do faults.append(dbt_range_join._fault(argument, key, allowed, argument ~ '=' ~ dbt_range_join._split_at_commas(key))) -%}
        {%- elif key is string -%}
            {%- set column = modules.re.fullmatch('(?i)[lr]\\s*\\.\\s*(' ~ in_backticks ~ '|\\w+)', key) -%}
            {%- set of_left, of_right = modules.re.sub('(?i)\\br(?=\\s*\\.)', 'l', key), modules.re.sub('(?i)\\bl(?=\\s*\\.)', 'r', key) -%}
            {%- do faults.append(dbt_range_join._fault(
                argument, key, allowed, argument ~ "=['" ~ column.group(1) ~ "']" if column
                else "an expression is written for each side: ['" ~ of_left ~ "', '" ~ of_right ~ "']")) -%}
        {%- elif pair | length == 2 and dbt_range_join._is_text(pair[0]) and dbt_range_join._is_text(pair[1]) -%}
            {%- do dbt_range_join._check_fragments(argument, pair, faults) -%}
            {%- do keys.append({'left': pair[0], 'right': pair[1], 'shared': none, 'name': none}) -%}
        {%- else -%}
            {%- do faults.append(dbt_range_join._fault(argument, key, allowed)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(keys) }}
{% endmacro %}
