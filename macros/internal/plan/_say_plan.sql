{#
    A plan in words: for dbt's log, and for the comment at the head of the compiled SQL.
#}

{# Who speaks, in dbt's log: "orders: dbt_range_join: ". #}
{% macro _say_where() %}
    {{ return((model.name ~ ': ' if model is defined and model.name is defined else '') ~ 'dbt_range_join: ') }}
{% endmacro %}


{# What was measured: "about 60,000 points on the left, 200 intervals on the right (half up to 2 seconds, 99 % up to 10 minutes)". #}
{% macro _say_measured(join, measured, unit) %}
    {%- set parts = [] -%}
    {%- for side in ['left', 'right'] -%}
        {%- set data = measured[side] -%}
        {%- set rows = dbt_range_join._say_count(data.rows) if data.rate == 1 else 'about ' ~ dbt_range_join._say_count(data.rows, 2) -%}
        {%- set words = rows ~ ' ' ~ join[side].kind ~ 's on the ' ~ side -%}
        {%- set of_intervals = [] -%}
        {%- if join[side].kind == 'interval' and data.lengths -%}
            {%- do of_intervals.extend(['half up to ' ~ dbt_range_join._say_length(data.told_lengths[0], unit),
                '99 % up to ' ~ dbt_range_join._say_length(data.told_lengths[1], unit)]) -%}
        {%- endif -%}
        {%- if data.open >= 0.005 -%}
            {%- do of_intervals.append('%.0f' % (100 * data.open) ~ ' % open' ~ (' besides' if data.lengths)) -%}
        {%- endif -%}
        {%- do parts.append(words ~ (' (' ~ of_intervals | join(', ') ~ ')' if of_intervals)) -%}
    {%- endfor -%}
    {{ return(parts | join(', ')) }}
{% endmacro %}


{# The hints of a plan: ", broadcast right". #}
{% macro _say_hints(hints) %}
    {%- if hints.broadcast -%}
        {{ return(', broadcast ' ~ hints.broadcast) }}
    {%- endif -%}
    {{ return(', hash ' ~ hints.shuffle_hash if hints.shuffle_hash else ', sort and merge' if hints.merge else '') }}
{% endmacro %}


{# A number of rows or pairs, with some digits that count, as in "2,590,000". Beyond 10^18 it is 10^18. #}
{% macro _say_count(value, digits=3) %}
    {%- set whole = [value, 1e18] | min | round | int -%}
    {%- set step = 10 ** ([whole | string | length - digits, 0] | max) -%}
    {{ return('{:,}'.format((whole + step // 2) // step * step)) }}
{% endmacro %}


{# How few pairs there are: "are only about 1,210,000 pairs", and where all rows were seen "are no pairs", "is only 1 pair". #}
{% macro _say_pairs(pairs, seen) %}
    {%- set number = dbt_range_join._say_count(pairs, 19) if seen else 'about ' ~ dbt_range_join._say_count(pairs) -%}
    {{ return({'0': 'are no pairs', '1': 'is only 1 pair'}.get(number, 'are only ' ~ number ~ ' pairs')) }}
{% endmacro %}


{# A length in the words that bin_size takes, in the largest unit of which it has two: "90 seconds", "2 hours", "0.5"; in weeks only where these are whole: "60 days". #}
{% macro _say_length(value, unit) %}
    {%- if unit != 'time' -%}
        {#- As YAML reads a number, too: whole up to 10^15, and none like 1e-05, which is a text there. -#}
        {%- set words = '%d' % value if value | abs < 1e15 and value == value | int else '%g' % value -%}
        {{ return(words if '.' in words else words | replace('e', '.0e')) }}
    {%- endif -%}
    {%- set ns = namespace(name='microsecond', size=1) -%}
    {%- for name, microseconds in [
        ['millisecond', 1000], ['second', 1000000], ['minute', 60000000], ['hour', 3600000000], ['day', 86400000000], ['week', 604800000000]]
        if (value >= 2 * microseconds or value == microseconds) and (name != 'week' or value % microseconds == 0) -%}
        {%- set ns.name = name -%}
        {%- set ns.size = microseconds -%}
    {%- endfor -%}
    {%- set amount = value / ns.size -%}
    {#- From 999.5 on, three digits are 1e+03. -#}
    {%- set words = '%.3g' % amount if amount < 999.5 else dbt_range_join._say_count(amount) | replace(',', '') -%}
    {{ return(words ~ ' ' ~ ns.name ~ ('' if words == '1' else 's')) }}
{% endmacro %}
