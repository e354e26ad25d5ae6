{#
    The values that every type is tested with: both its ends, both sides of zero, values on an edge of the bins and the ones next
    to them, whatever else the type has of its own (NaN, -0.0, leap days, daylight saving), and NULL.

    TIMESTAMPs are given in UTC, so that they are the same instants in every session time zone. Clocks in Berlin went from
    02:00 to 03:00 on 2024-03-31 and from 03:00 back to 02:00 on 2024-10-27.

    Returns: {name: {type, values, of}}. Every list is as long as every other. of: 'number' or 'time', what a bin size is to be.
#}
{% macro edge_values() %}
    {%- set nines = '9' * 37 -%}
    {{ return({
        'tinyint': {'type': 'tinyint', 'of': 'number', 'values': [
            '-128', '-127', '-11', '-10', '-9', '-1', '0', '1', '9', '10', '127', none]},
        'smallint': {'type': 'smallint', 'of': 'number', 'values': [
            '-32768', '-32767', '-11', '-10', '-9', '-1', '0', '1', '9', '10', '32767', none]},
        'int': {'type': 'int', 'of': 'number', 'values': [
            '-2147483648', '-2147483647', '-11', '-10', '-9', '-1', '0', '1', '9', '10', '2147483647', none]},
        'bigint': {'type': 'bigint', 'of': 'number', 'values': [
            '-9223372036854775808', '-9223372036854775807', '-9007199254740993', '-10', '-1', '0', '9', '10',
            '9007199254740993', '9223372036854775806', '9223372036854775807', none]},
        'decimal_9_2': {'type': 'decimal(9, 2)', 'of': 'number', 'values': [
            '-9999999.99', '-10.01', '-10.00', '-9.99', '-0.01', '0.00', '0.01', '9.99', '10.00', '10.01', '9999999.99', none]},
        'decimal_38_0': {'type': 'decimal(38, 0)', 'of': 'number', 'values': [
            '-9' ~ nines, '-8' ~ nines, '-9223372036854775809', '-10', '-1', '0', '9', '10', '9223372036854775808',
            '8' ~ nines, '9' ~ nines, none]},
        'decimal_38_18': {'type': 'decimal(38, 18)', 'of': 'number', 'values': [
            '-99999999999999999999.999999999999999999', '-10.000000000000000001', '-10', '-0.000000000000000001', '0',
            '0.000000000000000001', '0.5', '9.999999999999999999', '10', '10.000000000000000001',
            '99999999999999999999.999999999999999999', none]},
        'float': {'type': 'float', 'of': 'number', 'values': [
            'NaN', 'Infinity', '-Infinity', '-3.4028235e38', '-10', '-0.0', '0.0', '1.4e-45', '9.999999', '10',
            '3.4028235e38', none]},
        'double': {'type': 'double', 'of': 'number', 'values': [
            'NaN', 'Infinity', '-Infinity', '-1.7976931348623157e308', '-10', '-0.0', '0.0', '4.9e-324',
            '9.999999999999998', '10', '9.3e18', none]},
        'date': {'type': 'date', 'of': 'time', 'values': [
            '0001-01-01', '1582-10-04', '1969-12-25', '1969-12-31', '1970-01-01', '1970-01-02', '1970-01-08', '2024-02-29',
            '2024-03-31', '2024-10-27', '9999-12-31', none]},
        'timestamp': {'type': 'timestamp', 'of': 'time', 'values': [
            '0001-01-01 00:00:00Z', '1969-12-31 23:59:00Z', '1969-12-31 23:59:59.999999Z', '1970-01-01 00:00:00Z',
            '1970-01-01 00:00:00.000001Z', '1970-01-01 00:00:59.999999Z', '1970-01-01 00:01:00Z',
            '2024-03-31 00:59:59.999999Z', '2024-03-31 01:00:00Z', '2024-10-27 01:00:00Z', '9999-12-31 23:59:59.999999Z', none]},
        'timestamp_ntz': {'type': 'timestamp_ntz', 'of': 'time', 'values': [
            '0001-01-01 00:00:00', '1969-12-31 23:59:59.999999', '1970-01-01 00:00:00', '1970-01-01 00:01:00',
            '2024-03-31 01:59:59.999999', '2024-03-31 02:00:00', '2024-03-31 02:30:00', '2024-03-31 03:00:00',
            '2024-10-27 02:30:00', '2024-10-27 03:00:00', '9999-12-31 23:59:59.999999', none]},
    }) }}
{% endmacro %}


{# A value as a SQL expression of its type. value: its text, or none for NULL. #}
{% macro typed_value(value, type) %}
    {{ return('cast(' ~ ("'" ~ value ~ "'" if value is not none else 'null') ~ ' as ' ~ type ~ ')') }}
{% endmacro %}


{# How many values each type has. #}
{% macro edge_value_count() %}
    {{ return(edge_values()['int']['values'] | length) }}
{% endmacro %}
