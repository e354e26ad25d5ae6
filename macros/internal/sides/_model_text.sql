{#
    The text of a model, Jinja and SQL, read as far as to tell where its CTEs are defined and what their Jinja depends on. Jinja comes first: quotes and comments of
    SQL may have it within. What is read falls into pieces (_tokens_of); and masks of the same length as the text, in which each piece is one letter all along,
    let plain regular expressions see the structure alone.
#}

{#
    The text of the model: {lower, ctes, recursive, begin, known, code}. lower: in lower case and without comments; ctes, recursive, begin: see
    _ctes_at_head; known: see _names_set_once; code: as it is. Read once for all joins of a model.
#}
{% macro _text_of_model() %}
    {%- set code = model.raw_code -%}
    {%- set read = context.get('range_join_text') -%}
    {%- if not read or read.code != code -%}
        {%- set tokens = dbt_range_join._tokens_of(code) -%}
        {%- set read = dict(
            dbt_range_join._ctes_at_head(code, tokens), code=code, lower=dbt_range_join._without_comments(code) | lower, known={}) -%}
        {%- do read.update({'known': dbt_range_join._names_set_once(code, tokens, read.begin)}) -%}
        {%- do context.update({'range_join_text': read}) -%}
    {%- endif -%}
    {{ return(read) }}
{% endmacro %}


{#
    A text in pieces: {masked, jinja}. jinja: what there is in {{ }} and {% %}, in order. masked: of the same length as the text, with '#' for string literals and {{ }};
    '_' within backticks; ' ' for comments, calls of config and what is said by set_sql_header; '%' for a condition ({% if %} and the like); '=' for a statement that sets a name;
    '!' for a comment of SQL with Jinja in it, which dbt follows all the same; '?' for all else of Jinja, or what may hide it: loops, blocks, braces and quotes that are not
    closed; and literals with a backslash in Jinja, and dictionaries there.
#}
{% macro _tokens_of(text) %}
    {%- set strings = "'[^'\\\\]*'|\"[^\"\\\\]*\"" -%}
    {%- set expression = '\\{\\{(?:' ~ strings ~ "|[^'\"{}])*\\}\\}" -%}
    {%- set alternatives = [
        '(?P<comment>\\{#.*?#\\}|--(?:\\\\\n|[^\\r\\n])*|/\\*(?:/\\*(?!\\+).*?\\*/|.)*?\\*/)',
        "(?P<config>\\{\\{-?\\s*config\\s*\\((?:'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|[^'\"])*?\\)\\s*-?\\}\\}"
            ~ "|\\{%-?\\s*call\\s+set_sql_header\\s*\\(\\s*config\\s*\\)\\s*-?%\\}(?:(?!\\{%).)*\\{%-?\\s*endcall\\s*-?%\\})",
        '(?P<expression>' ~ expression ~ ')',
        '(?P<statement>\\{%(?:' ~ strings ~ "|[^'\"{}%]|%(?!\\}))*%\\})",
        "(?P<literal>\\b[rR]'(?:[^'{]|\\{(?![{%#]))*'|\\b[rR]\"(?:[^\"{]|\\{(?![{%#]))*\"|'(?:" ~ expression ~ "|[^'\\\\{]|\\\\.|\\{(?![{%#]))*'|\"(?:" ~ expression ~ '|[^"\\\\{]|\\\\.|\\{(?![{%#]))*")',
        '(?P<name>`(?:[^`{]|\\{(?![{%#]))*`)',
        "(?P<other>\\{[{%#]|[}%#]\\}|['\"`?=%!])"] -%}
    {%- set ns = namespace(end=0) -%}
    {%- set masked = [] -%}
    {%- set jinja = [] -%}
    {%- for token in modules.re.finditer('(?s)' ~ alternatives | join('|'), text) -%}
        {%- set kind = token.lastgroup -%}
        {%- set piece = token.group() -%}
        {%- set letter = {'comment': ' ', 'config': ' ', 'expression': '#', 'literal': '#'}.get(kind, '?') -%}
        {%- if kind == 'statement' -%}
            {%- set letter = '%' if dbt_range_join._is_condition(piece) else '=' if modules.re.match('\\{%[-+]?\\s*set\\b[^=%]+=', piece) else '?' -%}
        {%- elif kind == 'comment' and piece[:2] != '{#' and modules.re.search('\\{[{%#]|[}%#]\\}', piece) -%}
            {%- set letter = ' ' if modules.re.fullmatch('--\\s*depends_on:(?:\\s*,?\\s*' ~ expression ~ ')+\\s*', piece) else '!' -%}
        {%- elif kind == 'other' and piece in '=%!' -%}
            {%- set letter = ' ' -%}
        {%- endif -%}
        {%- do masked.extend([text[ns.end:token.start()], letter * piece | length if kind != 'name' else '`' ~ '_' * (piece | length - 2) ~ '`']) -%}
        {%- do jinja.extend([piece] if kind in ['expression', 'statement'] else modules.re.findall('(?s)' ~ expression, piece) if kind in ['literal', 'comment'] else []) -%}
        {%- set ns.end = token.end() -%}
    {%- endfor -%}
    {{ return({'masked': masked | join ~ text[ns.end:], 'jinja': jinja}) }}
{% endmacro %}


{#
    The CTEs that a text begins with, after calls of config and statements that set names: {begin, recursive, ctes: [{name, definition, masked}]}, up to the first thing
    that isn't plainly a definition, such as a condition around some of them. begin: where WITH is. tokens: what _tokens_of returns of it.
#}
{% macro _ctes_at_head(text, tokens) %}
    {%- set masked = tokens.masked -%}
    {%- set head = modules.re.match('(?i)[\\s=]*(with)\\b(\\s+recursive\\b)?', masked) -%}
    {%- set ctes = [] -%}
    {%- if not head -%}
        {{ return({'begin': 0, 'recursive': false, 'ctes': ctes}) }}
    {%- endif -%}
    {#- A definition has one or two parentheses: its query, and before that its columns. -#}
    {%- set as = '(?:max\\s+recursion\\s+level\\s+\\d+\\s+)?as\\s*' -%}
    {%- set ns = namespace(begin=none, end=head.end(), is_over=false) -%}
    {%- for open, close in dbt_range_join._parentheses(masked, head.end()) if not ns.is_over -%}
        {%- set before = masked[ns.end:open] -%}
        {%- set is_first = ns.begin is none -%}
        {%- set named = modules.re.fullmatch('(?i)(\\s*' ~ (',\\s*' if ctes else '') ~ ')(?:`_+`|\\w+)(\\s+' ~ as ~ ')?\\s*', before) if is_first else none -%}
        {%- set is_query = modules.re.fullmatch('(?i)\\s*' ~ as, before) if not is_first else named and named.group(2) -%}
        {%- set ns.begin = ns.end + named.end(1) if named else ns.begin -%}
        {%- set ns.is_over = not named if is_first else not is_query -%}
        {%- set ns.end = close + 1 -%}
        {%- if is_query -%}
            {%- set definition = text[ns.begin:ns.end] -%}
            {#- Jinja that begins here and ends elsewhere may have the next ones in it. -#}
            {%- set ns.is_over = '!' in masked[ns.begin:ns.end] or not dbt_range_join._closes_its_blocks(definition) -%}
            {%- set name = modules.re.match('`[^`]+`|\\w+', definition).group() | replace('`', '') | lower -%}
            {%- do ctes.append({'name': name, 'definition': definition, 'masked': masked[ns.begin:ns.end]}) -%}
            {%- set ns.begin = none -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return({'begin': head.start(1), 'recursive': head.group(2) is not none, 'ctes': ctes}) }}
{% endmacro %}


{# Whether as many blocks of Jinja end in a text as begin there. #}
{% macro _closes_its_blocks(text) %}
    {%- set opened = modules.re.findall('\\{%[-+]?\\s*(?:if|for|filter|call|macro|raw|block|with)\\b|\\{%[-+]?\\s*set\\b[^=%]*%\\}', text) -%}
    {{ return(opened | length == modules.re.findall('\\{%[-+]?\\s*end\\w+', text) | length) }}
{% endmacro %}


{# Where the outermost parentheses of a masked text are, from a place on: a list of [open, close], up to one that closes without having been opened. #}
{% macro _parentheses(masked, begin) %}
    {%- set ns = namespace(depth=0, open=none) -%}
    {%- set found = [] -%}
    {%- for parenthesis in modules.re.finditer('[()]', masked) if ns.depth >= 0 and parenthesis.start() >= begin -%}
        {%- set is_open = parenthesis.group() == '(' -%}
        {%- set ns.open = parenthesis.start() if is_open and ns.depth == 0 else ns.open -%}
        {%- set ns.depth = ns.depth + (1 if is_open else -1) -%}
        {%- do found.append([ns.open, parenthesis.start()]) if ns.depth == 0 -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}


{#
    The names that a model's text sets before its CTEs, each to what means the same everywhere, and nothing may change later: the statements that set them, by name. A
    literal, or a variable of dbt's; one that another statement names as well, or of which something is called, may change. code: the text; text: what _tokens_of returns
    of it; begin: where its CTEs do.
#}
{% macro _names_set_once(code, text, begin) %}
    {%- set literal = "(?:'[^'\\\\]*'|\"[^\"\\\\]*\"|-?\\d+(?:\\.\\d+)?|[Tt]rue|[Ff]alse|[Nn]one)" -%}
    {%- set value = '(?:' ~ literal ~ '|this|(?:var|env_var)\\(\\s*' ~ literal ~ '\\s*(?:,\\s*' ~ literal ~ '\\s*)?\\))' -%}
    {%- set known = {} -%}
    {%- for statement in dbt_range_join._tokens_of(code[:begin]).jinja -%}
        {%- set is_set = modules.re.fullmatch('\\{%[-+]?\\s*set\\s+(\\w+)\\s*=\\s*' ~ value ~ '\\s*[-+]?%\\}', statement) -%}
        {%- set ns = namespace(named=0) -%}
        {%- for chunk in (text.jinja if is_set else []) if modules.re.search('\\b' ~ is_set.group(1) ~ ('\\b' if chunk[:2] == '{%' and not dbt_range_join._is_condition(chunk) else '\\s*\\.\\s*\\w+\\s*\\('), chunk) -%}
            {%- set ns.named = ns.named + 1 -%}
        {%- endfor -%}
        {%- do known.update({is_set.group(1): statement}) if ns.named == 1 -%}
    {%- endfor -%}
    {{ return(known) }}
{% endmacro %}


{# Whether a piece of Jinja is a part of a condition: its beginning, its end, or an alternative. #}
{% macro _is_condition(piece) %}{{ return(modules.re.match('\\{%[-+]?\\s*(?:if|elif|else|endif)\\b', piece) is not none) }}{% endmacro %}


{#
    Whether the Jinja of a part of a model's text says the same without the rest, does nothing, and asks nothing: whole conditions, and expressions of what dbt itself gives and of names
    that are known. part: {definition, masked}; known: what _names_set_once returns.
#}
{% macro _says_the_same_apart(part, known) %}
    {%- set given = ['ref', 'source', 'this', 'var', 'env_var', 'target', 'is_incremental', 'should_full_refresh', 'flags', 'run_started_at', 'execute', 'dbt'] -%}
    {%- set words = ['if', 'elif', 'else', 'endif', 'not', 'and', 'or', 'in', 'is', 'defined', 'none', 'None', 'true', 'True', 'false', 'False'] -%}
    {%- set filters = ['int', 'float', 'string', 'upper', 'lower', 'trim', 'replace', 'join', 'default', 'length'] -%}
    {%- if modules.re.search('[?=!]', part.masked) -%}
        {{ return(false) }}
    {%- endif -%}
    {%- set ns = namespace(opened=0) -%}
    {%- for chunk in dbt_range_join._tokens_of(part.definition).jinja -%}
        {%- set outside = modules.re.sub("'[^']*'|\"[^\"]*\"", "''", chunk) -%}
        {%- for called in modules.re.findall('\\.\\s*(\\w+)\\s*\\(', outside) if called not in ['strftime', 'render', 'include'] and not dbt_range_join._is_sql_of_dbt(called) -%}
            {{ return(false) }}
        {%- endfor -%}
        {#- Names of attributes, and of arguments, are no variables. -#}
        {%- for name in modules.re.findall('(?<![\\w.])[^\\W\\d]\\w*(?!\\w|\\s*=[^=])', outside)
            if name not in given + words + filters and name not in known and not dbt_range_join._is_sql_of_dbt(name) -%}
            {{ return(false) }}
        {%- endfor -%}
        {%- set word = modules.re.match('\\{%[-+]?\\s*(\\w+)', chunk).group(1) if chunk[:2] == '{%' else '' -%}
        {%- set ns.opened = ns.opened + {'if': 1, 'endif': -1}.get(word, 0) -%}
        {%- if ns.opened < (1 if word in ['elif', 'else'] else 0) -%}
            {{ return(false) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(ns.opened == 0) }}
{% endmacro %}


{# Whether a name is that of one of dbt's own macros that are expressions of SQL, such as dateadd, and not one of a project's. #}
{% macro _is_sql_of_dbt(name) %}
    {%- set names = ['dateadd', 'datediff', 'date_trunc', 'current_timestamp', 'cast', 'safe_cast', 'concat', 'string_literal', 'type_string', 'type_timestamp', 'type_int',
        'type_bigint', 'type_numeric', 'type_float', 'type_boolean'] -%}
    {%- set value = context.get(name) -%}
    {{ return(name in names and value.macro is defined and value.macro.package_name in ['dbt', 'dbt_spark', 'dbt_databricks']) }}
{% endmacro %}
