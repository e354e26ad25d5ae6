{#
    bin_size as the width of a bin, checked.

    value: a number for numeric values, or '<number> <unit>' (microseconds to weeks) for dates and timestamps.
    Returns: {of: 'time', width} with the width in whole microseconds, or {of: 'number', width} with the width as a
    number; none where a fault was appended. argument: what it is called. is_optional: whether it may be left out.
#}
{% macro _read_bin_size(value, faults, argument='bin_size', is_optional=false) %}
    {%- set microseconds = {
        'microsecond': 1, 'millisecond': 1000, 'second': 1000000, 'minute': 60000000,
        'hour': 3600000000, 'day': 86400000000, 'week': 604800000000} -%}
    {%- set allowed = "a number above zero for numeric values, or '<number> <unit>' with one of the units "
        ~ (microseconds.keys() | join('s, ')) ~ "s for dates and timestamps" -%}
    {%- set longest = 9223372036854775807 -%}
    {%- set value = dbt_range_join._number_of_yaml(value) -%}

    {%- if value is none or value is undefined -%}
        {%- do faults.append(dbt_range_join._fault(
            argument, value, allowed,
            "give about the length that nine in ten intervals stay below, such as bin_size='60 seconds' or bin_size=1000")) -%}
        {{ return(none) }}
    {%- elif value is number and value is not boolean -%}
        {%- if value > 0 and value < value + value -%}
            {%- if not dbt_range_join._fits_decimal(value) -%}
                {%- do faults.append(dbt_range_join._fault(argument, value, 'a number of at most 38 digits, decimals included')) -%}
                {{ return(none) }}
            {%- endif -%}
            {#- What run_query returns may be a Decimal, which no float is multiplied with. -#}
            {{ return({'of': 'number', 'width': value | int if value == value | int else value | float}) }}
        {%- endif -%}
    {%- elif value is string -%}
        {%- set parts = modules.re.fullmatch('\\s*(\\d+)(?:\\.(\\d+))?\\s+([a-z]+?)s?\\s*', value | lower) -%}
        {%- if parts and parts.group(3) in microseconds -%}
            {%- set fraction = parts.group(2) or '' -%}
            {%- set scaled = (parts.group(1) ~ fraction) | int * microseconds[parts.group(3)] -%}
            {%- set divisor = 10 ** (fraction | length) -%}
            {%- if scaled > 0 and scaled % divisor == 0 and scaled // divisor <= longest -%}
                {{ return({'of': 'time', 'width': scaled // divisor}) }}
            {%- endif -%}
            {%- do faults.append(dbt_range_join._fault(
                argument, value, 'a whole number of microseconds, from 1 to ' ~ longest)) -%}
            {{ return(none) }}
        {%- elif parts and parts.group(3) in ['month', 'quarter', 'year'] -%}
            {%- do faults.append(dbt_range_join._fault(
                argument, value, allowed, 'a ' ~ parts.group(3) ~ ' has no fixed length: write it in days')) -%}
            {{ return(none) }}
        {%- endif -%}
    {%- endif -%}
    {%- set next_step = (dbt_range_join._bin_size_meant(value, argument) if value is string)
        or 'give a number above zero' ~ (', or leave ' ~ argument ~ ' out' if is_optional else '') -%}
    {%- do faults.append(dbt_range_join._fault(argument, value, allowed, next_step)) -%}
    {{ return(none) }}
{% endmacro %}


{#
    What to write in place of a text that is no bin_size, for a message: "such as bin_size='1 hour'" for '1h'; none where that can't be told. argument: what it is called.
#}
{% macro _bin_size_meant(text, argument) %}
    {%- set parts = modules.re.fullmatch('\\s*(?:interval\\s+)?\\W?(\\d+(?:\\.\\d+)?)\\W?\\s*([a-z]*)\\W?\\s*', text | lower) -%}
    {%- if not parts or parts.group(1) | float == 0 -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set amount, word = parts.group(1), parts.group(2) -%}
    {%- if word == '' -%}
        {{ return('such as ' ~ argument ~ "='" ~ amount ~ " seconds', or " ~ argument ~ '=' ~ amount ~ ' for numeric values') }}
    {%- endif -%}
    {%- set short = {
        'us': 'microsecond', 'ms': 'millisecond', 's': 'second', 'sec': 'second', 'm': 'minute', 'min': 'minute', 'h': 'hour', 'hr': 'hour', 'd': 'day',
        'w': 'week', 'wk': 'week', 'mo': 'month', 'mon': 'month', 'y': 'year', 'yr': 'year'} -%}
    {%- set units = ['microsecond', 'millisecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] -%}
    {%- set unit = short.get(word) or short.get(word.rstrip('s'))
        or dbt_range_join._meant(word, units) or dbt_range_join._meant(word | replace('s', '', 1), units) -%}
    {%- if unit is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set days = {'month': 30, 'quarter': 90, 'year': 365}.get(unit) -%}
    {%- if days is not none -%}
        {%- set amount, unit = ((amount | float * days) | round | int), 'day' -%}
    {%- endif -%}
    {{ return('such as ' ~ argument ~ "='" ~ amount ~ ' ' ~ unit ~ ('' if amount == '1' else 's') ~ "'") }}
{% endmacro %}


{# A value, as a number where it is one that YAML takes for a text, as it does JSON's 1e-05 on a command line or in a test. #}
{% macro _number_of_yaml(value) %}
    {{ return(value | float if value is string and modules.re.fullmatch('-?\\d+(\\.\\d+)?[eE][-+]?\\d+', value) else value) }}
{% endmacro %}


{# Whether a number above zero can be written as one of Spark's decimals: all its digits, before and behind the point, are 38 at most. #}
{% macro _fits_decimal(value) %}
    {%- if value == value | int -%}
        {{ return(value < 10 ** 38) }}
    {%- endif -%}
    {%- set parts = dbt_range_join._decimal_parts(value | string) -%}
    {{ return([parts.scale, parts.unscaled | string | length] | max <= 38) }}
{% endmacro %}
