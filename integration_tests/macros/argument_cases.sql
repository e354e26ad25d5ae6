{#
    What most cases below have in common, on readings (points, by minute) and periods (intervals of minutes): two seeds of a few rows, with
    NULLs and duplicates. Returns: the arguments of a left join of points to intervals.
#}
{% macro points_to_intervals() %}
    {{ return({
        'left_relation': ref('readings'), 'left_point': 'minute',
        'right_relation': ref('periods'), 'right_interval': ['start_minute', 'end_minute'],
        'join_type': 'left', 'select': ['l.reading_id', 'r.period_id'], 'bin_size': 10}) }}
{% endmacro %}


{# The mirrored join. Returns: the arguments of an inner join of intervals to points. #}
{% macro intervals_to_points() %}
    {{ return({
        'left_relation': ref('periods'), 'left_interval': ['start_minute', 'end_minute'],
        'right_relation': ref('readings'), 'right_point': 'minute',
        'select': ['l.period_id', 'r.reading_id'], 'bin_size': 10}) }}
{% endmacro %}


{# Every kind of relation, point, interval and key. #}
{% macro relation_cases() %}
    {%- set readings = ref('readings') -%}
    {%- set periods = ref('periods') -%}
    {%- set plain = points_to_intervals() -%}
    {%- set mirrored = intervals_to_points() -%}

    {%- set cases = [] -%}
    {%- for name, base, changes in [
        ['relations: sources', plain, {
            'left_relation': source('seeds', 'readings'), 'right_relation': source('seeds', 'periods')}],
        ['relations: ephemeral models', plain, {
            'left_relation': ref('ephemeral_readings'), 'right_relation': ref('ephemeral_periods')}],
        ['relations: queries in parentheses', plain, {
            'left_relation': '(select * from ' ~ readings ~ ' where minute > 0)',
            'right_relation': '(\n    select *\n    from ' ~ periods ~ '\n    where period_id <> 3\n)'}],
        ['relations: CTEs', plain, {'left_relation': 'late_readings', 'right_relation': '`short periods`'}],

        ['point: an expression over its own columns', plain, {'left_point': 'l.minute + reading_id'}],
        ['interval: expressions, qualified and not', mirrored, {
            'left_interval': ['l.start_minute - 5', 'coalesce(end_minute, start_minute) + 5'], 'right_point': 'r.minute'}],

        ['keys: one name', plain, {'keys': ['device_id']}],
        ['keys: several names', plain, {'keys': ['device_id', 'site_id']}],
        ['keys: several names, point on the right', mirrored, {'keys': ['device_id', 'site_id']}],
        ['keys: pairs of expressions, and a name', plain, {
            'keys': [['l.device_id', 'r.site_id'], ['site_id + 1', 'device_id + 1'], 'site_id']}],
        ['keys: of two types', plain, {'keys': [['cast(device_id as string)', 'device_id']]}],
        ['keys: equal without being the same, and an interval of very many bins', plain, {
            'left_relation': "(select explode(array('1', '01', ' 1', '2')) as code, id as minute from range(1, 41))",
            'right_relation': '(select 1 as number, 0 as start_minute, 10000 as end_minute)',
            'keys': [['code', 'number']], 'select': ['l.*', 'r.number'], 'bin_size': 0.5}],
        ['keys: NaN and zeros with a sign, and an interval of very many bins', plain, {
            'left_relation': "(select explode(array(double('NaN'), -0.0D, 0.0D, 1.0D)) as size, id as minute from range(1, 41))",
            'right_relation': "(select explode(array(double('NaN'), 0.0D)) as size, 0 as start_minute, 10000 as end_minute)",
            'keys': ['size'], 'select': none, 'bin_size': 0.5}],
    ] -%}
        {%- do cases.append({
            'name': name,
            'ctes': 'late_readings as (select * from ' ~ readings ~ ' where minute > 5),\n`short periods` as (select * from '
                ~ periods ~ ' where end_minute - start_minute < 60)' if name == 'relations: CTEs',
            'arguments': dict(base, **changes)}) -%}
    {%- endfor -%}
    {{ return(cases) }}
{% endmacro %}


{# join_condition, select and broadcast, and columns with awkward names and types. #}
{% macro column_cases() %}
    {%- set readings = ref('readings') -%}
    {%- set periods = ref('periods') -%}
    {%- set plain = points_to_intervals() -%}
    {%- set mirrored = intervals_to_points() -%}

    {%- set cases = [] -%}
    {%- for name, base, changes in [
        ['join_condition: columns of both sides', plain, {'join_condition': 'l.site_id <= r.site_id'}],
        ['join_condition: an OR and a comment at the end', plain, {
            'keys': ['site_id'], 'join_condition': 'l.device_id = 1\nor r.device_id = 2 -- not 3'}],
        ['join_condition: point on the right', mirrored, {'join_condition': 'l.site_id is null or r.reading_id > l.period_id'}],

        ['select: none, and keys that have one name on both sides', plain, {'keys': ['device_id', 'site_id'], 'select': none}],
        ['select: none, in a right order with the point on the right', mirrored, {
            'keys': ['site_id', 'device_id'], 'select': none}],
        ['select: stars and expressions', plain, {
            'select': ['r.*', 'l.*', "concat_ws('-', l.reading_id, r.period_id) as pair", 'r.end_minute - l.minute as time_left']}],

        ['broadcast: right', plain, {'broadcast': 'right'}],
        ['broadcast: left, which a left join can\'t', plain, {'broadcast': 'left'}],
        ['broadcast: left', mirrored, {'broadcast': 'left', 'keys': ['device_id']}],

        ['columns named like what a join by bins makes up', plain, {
            'left_relation': '(select minute as bin_num, 1 as key_1, 2 as point, 3 as l, 4 as left_side, 5 as value, 6 as level from '
                ~ readings ~ ')',
            'right_relation': '(select 1 as key_1, start_minute as interval_start, end_minute as interval_end, 7 as r, 8 as intervals,'
                ~ ' 9 as first_bin, 10 as range_join_left from ' ~ periods ~ ')',
            'left_point': 'bin_num', 'right_interval': ['interval_start', 'interval_end'], 'keys': ['key_1'], 'select': none}],
        ['columns with blanks in their names, and of types that can\'t be compared', plain, {
            'left_relation': "(select device_id as `the device`, minute as `the minute`, map('site', site_id) as `a map` from "
                ~ readings ~ ')',
            'right_relation': "(select device_id as `the device`, start_minute, end_minute, array(map(1, 2)) as maps from "
                ~ periods ~ ')',
            'left_point': '`the minute`', 'keys': ['`the device`'], 'select': none}],
    ] -%}
        {%- do cases.append({'name': name, 'arguments': dict(base, **changes)}) -%}
    {%- endfor -%}
    {{ return(cases) }}
{% endmacro %}


{#
    Every join type for points to intervals, intervals to points, and intervals that overlap, each in a setting that other join types do
    not share: bounds, keys, conditions. The overlap is that of the periods with themselves, five minutes later.
#}
{% macro join_type_cases() %}
    {%- set point_left = points_to_intervals() -%}
    {%- set point_right = intervals_to_points() -%}
    {%- set later = '(select period_id, device_id, site_id, start_minute + 5 as start_minute, end_minute + 5 as end_minute from '
        ~ ref('periods') ~ ')' -%}
    {%- set overlap = dict(
        point_right, right_relation=later, right_point=none, right_interval=['start_minute', 'end_minute'],
        select=['l.period_id as left_id', 'r.period_id as right_id']) -%}

    {%- set cases = [] -%}
    {%- for name, base, join_type, inclusive, null_bounds, keys, join_condition in [
        ['point on the left', point_left, 'right', 'both', 'no_match', [], none],
        ['point on the left', point_left, 'full', 'left', 'unbounded', ['site_id'], none],
        ['point on the left', point_left, 'semi', 'neither', 'no_match', [], 'l.device_id = r.device_id or r.site_id = 2'],
        ['point on the left', point_left, 'anti', 'right', 'unbounded', ['device_id'], none],
        ['point on the right', point_right, 'left', 'both', 'no_match', ['site_id'], 'l.period_id <> r.reading_id'],
        ['point on the right', point_right, 'right', 'neither', 'unbounded', [], 'l.site_id <= r.site_id'],
        ['point on the right', point_right, 'full', 'right', 'no_match', ['device_id'], none],
        ['point on the right', point_right, 'semi', 'left', 'unbounded', ['device_id', 'site_id'], none],
        ['point on the right', point_right, 'anti', 'both', 'no_match', [], none],
        ['overlap', overlap, 'inner', 'both', 'no_match', [], none],
        ['overlap', overlap, 'inner', 'neither', 'unbounded', ['site_id'], none],
        ['overlap', overlap, 'left', 'both', 'unbounded', [], 'l.period_id < r.period_id'],
        ['overlap', overlap, 'right', 'left', 'no_match', ['device_id'], none],
        ['overlap', overlap, 'full', 'both', 'no_match', ['site_id'], 'l.device_id is null or l.period_id <> r.period_id'],
        ['overlap', overlap, 'semi', 'right', 'unbounded', ['site_id'], none],
        ['overlap', overlap, 'anti', 'both', 'no_match', [], none],
    ] -%}
        {%- set arguments = dict(
            base, join_type=join_type, inclusive=inclusive, null_bounds=null_bounds, keys=keys, join_condition=join_condition) -%}
        {%- if join_type in ['semi', 'anti'] -%}
            {%- do arguments.update({'select': none}) -%}
        {%- endif -%}
        {%- do cases.append({
            'name': [name, join_type, inclusive, null_bounds, keys | join(' and ') or 'no keys', join_condition or 'no condition']
                | join(', '),
            'arguments': arguments}) -%}
    {%- endfor -%}
    {{ return(cases) }}
{% endmacro %}


{# Sides without rows, or without a point. #}
{% macro empty_side_cases() %}
    {%- set plain = points_to_intervals() -%}
    {%- set mirrored = intervals_to_points() -%}
    {%- set no_readings = '(select * from ' ~ ref('readings') ~ ' where false)' -%}
    {%- set no_periods = '(select * from ' ~ ref('periods') ~ ' where false)' -%}
    {%- set cases = [] -%}
    {%- for name, base, changes in [
        ['no points', plain, {'left_relation': no_readings}],
        ['no intervals', plain, {'right_relation': no_periods, 'keys': ['site_id']}],
        ['no points on the right', mirrored, {'right_relation': no_readings, 'null_bounds': 'unbounded'}],
        ['neither points nor intervals', plain, {'left_relation': no_readings, 'right_relation': no_periods}],
        ['nothing but NULL points', plain, {'left_relation': '(select 1 as reading_id, cast(null as int) as minute)'}],
    ] -%}
        {%- do cases.append({
            'name': name, 'may_be_empty': base.join_type is not defined or 'left_relation' in changes,
            'arguments': dict(base, **changes)}) -%}
    {%- endfor -%}
    {{ return(cases) }}
{% endmacro %}


{# Intervals that end in the year 9999, one of 8,000 years among a thousand of seconds, and one open at both ends, with bins of a minute. #}
{% macro far_end_cases() %}
    {%- set cases = [] -%}
    {%- for join_type, null_bounds, keys in [['left', 'unbounded', []], ['inner', 'no_match', ['number']]] -%}
        {%- do cases.append({
            'name': 'far ends, ' ~ join_type ~ ', ' ~ null_bounds ~ ', ' ~ ('keyed' if keys else 'no keys'),
            'arguments': {
                'left_relation': ref('far_end_points'),
                'left_point': 'moment',
                'right_relation': ref('far_end_intervals'),
                'right_interval': ['valid_from', 'valid_to'],
                'keys': keys,
                'join_type': join_type,
                'inclusive': 'left',
                'null_bounds': null_bounds,
                'select': ['l.moment', 'r.id'],
                'bin_size': '60 seconds',
            }}) -%}
    {%- endfor -%}
    {{ return(cases) }}
{% endmacro %}
