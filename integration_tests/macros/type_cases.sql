{#
    The settings that types are tested in: between them every way to place the point, `inclusive`, `null_bounds`, every unit of time,
    bins far too small and far too large, with keys and without.

    Returns: a list of [side of the point, join_type, inclusive, null_bounds, keyed, bin_size of numbers, bin_size of times].
#}
{% macro settings() %}
    {{ return([
        ['left', 'left', 'both', 'no_match', false, 10, '60 seconds'],
        ['left', 'left', 'left', 'unbounded', true, 3, '7 days'],
        ['left', 'left', 'right', 'no_match', true, 1000, '520000 weeks'],
        ['left', 'left', 'neither', 'unbounded', false, 2.5, '1.5 hours'],
        ['right', 'inner', 'both', 'unbounded', true, 1, '1 day'],
        ['right', 'inner', 'left', 'no_match', false, 0.000001, '1 microsecond'],
        ['left', 'inner', 'right', 'no_match', false, 10 ** 25, '500 milliseconds'],
        ['left', 'inner', 'neither', 'unbounded', true, 0.1, '1 minute'],
    ]) }}
{% endmacro %}


{# One join of all points with all intervals. point, start, end: names of edge_values. Returns: a case for join_cases. #}
{% macro setting_case(point, start, end, setting) %}
    {%- set point_side, join_type, inclusive, null_bounds, keyed, number, time = setting -%}
    {%- set interval_side = 'right' if point_side == 'left' else 'left' -%}
    {%- set bin_size = number if edge_values()[point].of == 'number' else time -%}
    {{ return({
        'name': [
            [point, start, end] | unique | join(' '), 'point on the ' ~ point_side, join_type, inclusive, null_bounds,
            'keyed' if keyed else 'no keys', bin_size] | join(', '),
        'arguments': {
            point_side ~ '_relation': ref('edge_points'),
            point_side ~ '_point': point,
            interval_side ~ '_relation': ref('edge_intervals'),
            interval_side ~ '_interval': [start ~ '_start', end ~ '_end'],
            'keys': ['group_id'] if keyed else [],
            'join_type': join_type,
            'inclusive': inclusive,
            'null_bounds': null_bounds,
            'bin_size': bin_size,
            'select': ['l.id as left_id', 'r.id as right_id', point_side[0] ~ '.' ~ point ~ ' as point'],
        },
    }) }}
{% endmacro %}


{#
    Types in three of the settings each: a left join, one with the point on the right, and an inner one with it on the left.
    types: names of edge_values.
#}
{% macro type_cases(types) %}
    {%- set cases = [] -%}
    {%- for type in edge_values() if type in types -%}
        {#- Counted through all types, so that between them they take every setting several times. -#}
        {%- set number = (edge_values().keys() | list).index(type) -%}
        {%- for setting in [number % 4, 4 + (number + number // 4) % 2, 6 + number // 2 % 2] -%}
            {%- do cases.append(setting_case(type, type, type, settings()[setting])) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(cases) }}
{% endmacro %}


{#
    Values of several types in one join. The last ones are single pairs that Spark finds equal or in order only in the type that it
    compares these two in, which is not the one that all three values have in common.
#}
{% macro mixed_type_cases() %}
    {%- set cases = [] -%}
    {%- for point, start, end in [
        ['int', 'bigint', 'bigint'],
        ['bigint', 'int', 'decimal_38_0'],
        ['tinyint', 'double', 'decimal_9_2'],
        ['decimal_38_18', 'double', 'double'],
        ['decimal_38_0', 'decimal_38_18', 'decimal_9_2'],
        ['float', 'int', 'double'],
        ['date', 'timestamp', 'timestamp'],
        ['timestamp', 'date', 'date'],
        ['timestamp_ntz', 'date', 'timestamp_ntz'],
    ] -%}
        {%- do cases.append(setting_case(point, start, end, settings()[loop.index0 % 8])) -%}
    {%- endfor -%}
    {%- for point, start, end in [
        ['cast(16777219 as int)', 'cast(16777220 as float)', 'cast(20000000 as double)'],
        ['cast(0.5 as decimal(38, 18))', 'cast(1 as decimal(38, 0))', 'cast(10 as double)'],
    ] -%}
        {%- do cases.append({
            'name': point ~ ' between ' ~ start ~ ' and ' ~ end,
            'may_be_empty': true,
            'arguments': {
                'left_relation': '(select ' ~ point ~ ' as point)',
                'left_point': 'point',
                'right_relation': '(select ' ~ start ~ ' as start_value, ' ~ end ~ ' as end_value)',
                'right_interval': ['start_value', 'end_value'],
                'bin_size': 1,
            }}) -%}
    {%- endfor -%}
    {{ return(cases) }}
{% endmacro %}


{#
    Dates and times in a session whose clocks jump (the models set Europe/Berlin). The last ones mix TIMESTAMP_NTZ with TIMESTAMP:
    two values that are in order on the calendar may not be in order as instants.
#}
{% macro time_zone_cases() %}
    {%- set cases = [] -%}
    {%- for point, start, end, setting in [
        ['timestamp_ntz', 'timestamp_ntz', 'timestamp_ntz', 0],
        ['date', 'timestamp', 'timestamp', 3],
        ['timestamp', 'timestamp_ntz', 'date', 5],
        ['timestamp_ntz', 'timestamp_ntz', 'timestamp', 0],
        ['timestamp_ntz', 'timestamp', 'timestamp_ntz', 6],
        ['timestamp', 'timestamp_ntz', 'timestamp_ntz', 0],
        ['timestamp', 'timestamp_ntz', 'timestamp_ntz', 1],
        ['timestamp', 'timestamp_ntz', 'timestamp_ntz', 3],
        ['timestamp', 'timestamp_ntz', 'timestamp_ntz', 5],
        ['timestamp', 'timestamp_ntz', 'timestamp_ntz', 7],
    ] -%}
        {%- do cases.append(setting_case(point, start, end, settings()[setting])) -%}
    {%- endfor -%}
    {{ return(cases) }}
{% endmacro %}
