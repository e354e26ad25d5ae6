{#
    What the caller states of the data in place of having it looked at: extent, between which values the points lie, and longest, how long intervals are.
#}

{#
    Both, checked: {first, last, has_longest}, the first two numbers, or whole microseconds where bin_size is a time. None where extent is not given, or where
    a fault was appended. Of longest it counts that it is given, and has so few bins that all intervals may be in those of bin_size.

    Times are read as by a clock in UTC and held a day wider to both sides, since no session's time zone is further off. bin: what _read_bin_size returns, none
    without a bin_size or where that has a fault of its own. Without a bin_size they are a fault only where a plan would be made by them.
#}
{% macro _read_extent(macro_name, given, bin, faults) %}
    {%- set extent, longest = given.extent, given.longest -%}
    {%- for argument in ['extent', 'longest'] if given[argument] is undefined -%}
        {%- do faults.append(dbt_range_join._fault(argument, given[argument], 'a value that is defined')) -%}
    {%- endfor -%}
    {%- if extent is undefined or longest is undefined or extent is none and longest is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- if given.bin_size is none and macro_name in ['binned_range_join', 'explain_range_join'] -%}
        {%- do faults.append(dbt_range_join._fault(
            'extent' if extent is not none else 'longest', extent if extent is not none else longest,
            'none without a bin_size', 'give bin_size, or leave extent and longest out: the data is measured then')) -%}
    {%- endif -%}
    {%- if bin is none -%}
        {{ return(none) }}
    {%- endif -%}
    {%- if longest is not none -%}
        {%- do dbt_range_join._check_longest(longest, bin, faults) -%}
    {%- endif -%}
    {%- if extent is none -%}
        {%- do faults.append(dbt_range_join._fault('longest', longest, 'none without extent', 'give extent too, such as extent=' ~ dbt_range_join._extent_example(bin))) -%}
        {{ return(none) }}
    {%- endif -%}

    {%- set given_ends = extent | list if extent is sequence and extent is not string and extent is not mapping else [] -%}
    {%- set ends = [] -%}
    {%- for value in given_ends -%}
        {%- set position = dbt_range_join._position_of_text(value) if bin.of == 'time' else dbt_range_join._end_number(value) -%}
        {%- if position is not none -%}
            {%- do ends.append(position) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if ends | length != 2 or given_ends | length != 2 or ends[0] > ends[1] -%}
        {%- set allowed = "dates or times without a zone, 'YYYY-MM-DD' or 'YYYY-MM-DD hh:mm:ss'" if bin.of == 'time' else 'numbers of at most 38 digits' -%}
        {%- do faults.append(dbt_range_join._fault(
            'extent', extent, 'a list of two ' ~ allowed ~ ', the earlier or lesser one first, for that bin_size', 'extent=' ~ dbt_range_join._extent_example(bin))) -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set margin = 86400000000 if bin.of == 'time' else 0 -%}
    {{ return({'first': ends[0] - margin, 'last': ends[1] + margin, 'has_longest': longest is not none}) }}
{% endmacro %}


{# Appends a fault where longest is no length of the kind of bin_size, or has too many bins. bin: what _read_bin_size returns of bin_size. #}
{% macro _check_longest(longest, bin, faults) %}
    {%- set read = dbt_range_join._read_bin_size(longest, faults, 'longest', is_optional=true) -%}
    {%- set most = dbt_range_join._most_at_one_level().bins_of_one - 2 -%}
    {%- if read is not none and read.of != bin.of -%}
        {%- do faults.append(dbt_range_join._fault(
            'longest', longest, "'<number> <unit>', as bin_size is" if bin.of == 'time' else 'a number above zero, as bin_size is')) -%}
    {%- elif read is not none and read.width > most * bin.width -%}
        {%- do faults.append(dbt_range_join._fault('longest', longest, 'at most ' ~ most ~ ' times bin_size', 'give a longer bin_size, or leave longest out')) -%}
    {%- endif -%}
{% endmacro %}


{# A number out of one, or out of 1e6 as YAML reads it; none for any other value. What run_query returns may be a Decimal, which no float is divided by. #}
{% macro _end_number(value) %}
    {%- set value = dbt_range_join._number_of_yaml(value) -%}
    {%- if value is not number or value is boolean or not value | abs < 10 ** 38 -%}
        {{ return(none) }}
    {%- endif -%}
    {{ return(value | int if value == value | int else value | float) }}
{% endmacro %}


{# What an extent may look like, for a message. #}
{% macro _extent_example(bin) %}{{ return("['2024-01-01', '2024-02-01']" if bin.of == 'time' else '[0, 1000000]') }}{% endmacro %}


{# Microseconds from 1970-01-01 to a date or time in UTC, out of its text; none for any other value. A 31st of a short month is the day after its last. #}
{% macro _position_of_text(value) %}
    {%- set parts = modules.re.fullmatch(
        '(?!0000)(\\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(?:[ T]([01]\\d|2[0-3]):([0-5]\\d)(?::([0-5]\\d)(?:\\.(\\d{1,6}))?)?)?', value | string) -%}
    {%- if not parts -%}
        {{ return(none) }}
    {%- endif -%}
    {%- set first_of_month = modules.datetime.datetime(parts.group(1) | int, parts.group(2) | int, 1) - modules.datetime.datetime(1970, 1, 1) -%}
    {%- set seconds = ((parts.group(4) or 0) | int * 60 + (parts.group(5) or 0) | int) * 60 + (parts.group(6) or 0) | int -%}
    {{ return(((first_of_month.days + parts.group(3) | int - 1) * 86400 + seconds) * 1000000 + ((parts.group(7) or '') ~ '000000')[:6] | int) }}
{% endmacro %}
