{#
    SQL as text, read as far as to tell what is quoted and what is a comment.
#}

{#
    An argument, or each text in a list, as SQL that other SQL can be written around; anything else as it is. Line breaks in its string literals are
    escapes: lines of SQL are indented, and the blanks after such a break would be part of the literal. Those in comments that end lines for Jinja, and not for
    Spark, are blanks: what follows them would no longer be a comment. And no comment of its last line is left, which
    would hide what follows it: the parenthesis that closes, or the comma before the next one.
#}
{% macro _embeddable(value) %}
    {%- if dbt_range_join._is_list(value) -%}
        {%- set values = [] -%}
        {%- for item in value -%}
            {%- do values.append(dbt_range_join._embeddable(item)) -%}
        {%- endfor -%}
        {{ return(values) }}
    {%- elif value is not string or value.splitlines() | length < 2 and '--' not in value -%}
        {{ return(value) }}
    {%- endif -%}
    {%- set parts = [] -%}
    {%- for part in dbt_range_join._without_last_comment(dbt_range_join._quoted_and_not(value)) -%}
        {%- set is_literal = loop.index0 % 2 and part[-1] in ["'", '"'] and part.splitlines() | length > 1 -%}
        {%- set is_comment = loop.index0 % 2 and part.startswith('--') -%}
        {%- do parts.append(dbt_range_join._escaped_breaks(part) if is_literal
            else modules.re.sub('[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]', ' ', part) if is_comment else part) -%}
    {%- endfor -%}
    {{ return(parts | join) }}
{% endmacro %}


{# The pieces of a text (_quoted_and_not) but for the comments of one line that are its end, each of which has nothing but blanks after it. #}
{% macro _without_last_comment(parts) %}
    {%- set ns = namespace(rest=parts) -%}
    {%- for _ in parts if ns.rest | length > 1 and ns.rest[-2].startswith('--') and ns.rest[-1] | trim == '' -%}
        {%- set ns.rest = ns.rest[:-2] -%}
    {%- endfor -%}
    {{ return(ns.rest if ns.rest | length == parts | length else ns.rest[:-1] + [ns.rest[-1].rstrip()]) }}
{% endmacro %}


{#
    A text in pieces: in turn what is outside, and a comment, string literal or name in backticks, as it is written. A raw literal (r'...') begins with its r: it
    has no escapes. As Spark reads them, a comment of one line goes on after a backslash at its end, and one in /* */ may have others within, though no
    hints; here, one deep.
#}
{% macro _quoted_and_not(text) %}
    {{ return(modules.re.split(
        "(?s)(--(?:\\\\\n|[^\\r\\n])*|/\\*(?:/\\*(?!\\+).*?\\*/|.)*?\\*/|\\{#.*?#\\}|\\b[rR]'[^']*'|\\b[rR]\"[^\"]*\"|'(?:[^'\\\\]|\\\\.)*'|\"(?:[^\"\\\\]|\\\\.)*\"|`[^`]*`)", text)) }}
{% endmacro %}


{#
    A string literal in which each character that ends a line is an escape; one with a backslash before it is what it is without. A raw literal, in which
    backslashes are themselves, becomes one that is not.
#}
{% macro _escaped_breaks(literal) %}
    {%- set literal = literal[1:] | replace('\\', '\\\\') if literal[0] in 'rR' else literal -%}
    {%- set escapes = {
        '\n': '\\n', '\r': '\\r', '\x0b': '\\u000B', '\x0c': '\\u000C', '\x1c': '\\u001C', '\x1d': '\\u001D', '\x1e': '\\u001E', '\x85': '\\u0085',
        '\u2028': '\\u2028', '\u2029': '\\u2029'} -%}
    {%- set parts = [] -%}
    {%- for part in modules.re.split('(?s)(\\\\.|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029])', literal) -%}
        {%- do parts.append(escapes.get(part[-1:], part) if loop.index0 % 2 else part) -%}
    {%- endfor -%}
    {{ return(parts | join) }}
{% endmacro %}


{# A name in backticks, as a regular expression: a backtick that belongs to it is written twice. #}
{% macro _name_in_backticks() %}{{ return('`(?:[^`]|``)+`') }}{% endmacro %}


{# A column's name without its backticks. #}
{% macro _unquoted(name) %}{{ return(name[1:-1] | replace('``', '`') if name[0] == '`' else name) }}{% endmacro %}


{# SQL or a model's text without comments, be they SQL's or Jinja's. #}
{% macro _without_comments(text) %}
    {%- set parts = [] -%}
    {%- for part in dbt_range_join._quoted_and_not(text) -%}
        {%- do parts.append(' ' if loop.index0 % 2 and part[:2] in ['--', '/*', '{#'] else part) -%}
    {%- endfor -%}
    {{ return(parts | join) }}
{% endmacro %}


{# SQL without its comments, in small letters, and `quoted` in place of what is quoted: of a string literal or of a name in backticks. #}
{% macro _code(text) %}
    {{ return(dbt_range_join._quoted_and_not(dbt_range_join._without_comments(text))[::2] | join(' quoted ') | lower) }}
{% endmacro %}


{# A relation without the alias that it may have as a query in parentheses, such as that of dbt's for the model of a test with a `where`; anything else as it is. #}
{% macro _without_alias(relation) %}
    {%- set aliased = modules.re.fullmatch('(?is)\\s*(\\(.*\\))\\s*(?:as\\s+)?(?:\\w+|' ~ dbt_range_join._name_in_backticks() ~ ')\\s*', relation) if relation is string else none -%}
    {{ return(aliased.group(1) if aliased else relation) }}
{% endmacro %}


{# A list of SQL in one text as a list of texts: its parts between the commas that are not quoted, nor within parentheses or brackets. #}
{% macro _split_at_commas(text) %}
    {%- set items = [''] -%}
    {%- set ns = namespace(depth=0) -%}
    {%- for part in dbt_range_join._quoted_and_not(text) -%}
        {%- for piece in ([part] if loop.index0 % 2 else modules.re.split('([(),\\[\\]])', part)) -%}
            {%- set ns.depth = ns.depth + {'(': 1, '[': 1, ')': -1, ']': -1}.get(piece, 0) -%}
            {%- do items.append('' if piece == ',' and ns.depth == 0 else items.pop() ~ piece) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(items | map('trim') | select | list) }}
{% endmacro %}


{# Whether the parenthesis that a text begins with is closed before its end, as in "(select 1) union all (select 2)". text: without comments. #}
{% macro _closes_early(text) %}
    {%- set ns = namespace(opened=0, closed=0) -%}
    {%- for parenthesis in modules.re.findall('[()]', dbt_range_join._code(text)) -%}
        {%- set ns.opened = ns.opened + (1 if parenthesis == '(' else -1) -%}
        {%- set ns.closed = ns.closed + (1 if ns.opened == 0 else 0) -%}
    {%- endfor -%}
    {{ return(ns.closed > 1 or ns.opened < 0) }}
{% endmacro %}
