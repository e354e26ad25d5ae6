{#
    The arguments of binned_range_join, naive_range_join and equals_naive_range_join, checked once and turned into one description of the join,
    which every later stage reads and none changes.

    given: the arguments by name. wheres: {left, right}, the predicates of equals_naive_range_join. Returns:
        left, right    {alias, relation, kind: 'point' or 'interval', point, interval, value_columns, columns}; the last two are names that _side_cte
                       gives: of the point or the bounds, and of all that later CTEs carry along; and `apart`, where _with_sides_apart has been asked
        macro_name     the public macro that is called, which errors name
        keys           [{left, right, shared, name}]
        key_columns    the names that _side_cte gives these
        join_type, inclusive, null_bounds, join_condition, select, broadcast, shuffle_hash   as given
        merge          whether both sides are to be sorted and merged
        small          the side that is known to be small, and broadcast for that; none where neither is
        tiny           whether both sides are known to be so small that each stage takes longer to start than to run
        built_now      whether a table is made right after its inputs were measured, so that the query may go by what was (see _is_built_now)
        bin            {of, width}, or none without a bin_size
        stated         what the caller states of the data (see _read_extent); none where that is nothing
        extents        how far points reach, as far as it is known (see _measured_extents); none where the query is to look
        levels         which levels intervals need, as far as that is known (see _measured_levels); none where the query is to look
        meets_once     whether both meetings of two intervals are to be one join (see _measured_facts)
        streamed       the side that a merge of matched pairs is to go through (see _streamed_side); none where nothing says which, and it is the left one
        dealt          the side that is dealt out over tasks as it is read, and over how many (see _dealt_side); none where neither is
        type           the one type of all points and bounds, where it is known (see _measured_types); none where the query is to look
        key_types      those of the keys, a list, where type is known
        select_items   the select list of the result
        reason         in words, of a join whose plan was chosen (see _choose_plan); else it is not there
    Raises: one compile error that names every fault.
#}
{% macro _read_range_join(macro_name, given, wheres=none) %}
    {%- set faults = [] -%}
    {%- set beside = ['model'] if macro_name == 'explain_range_join' else ['left_where', 'right_where'] if wheres is not none else [] -%}
    {%- set as_written = dbt_range_join._known_arguments(given, beside + dbt_range_join._join_arguments(), faults) -%}
    {%- set given = {} -%}
    {%- for argument in as_written -%}
        {%- do given.update({argument: dbt_range_join._embeddable(as_written[argument])}) -%}
    {%- endfor -%}
    {%- set is_report = macro_name in ['profile_range_join', 'explain_range_join'] -%}

    {%- set left = dbt_range_join._read_side('left', 'l', given, faults, is_report) -%}
    {%- set right = dbt_range_join._read_side('right', 'r', given, faults, is_report) -%}
    {%- if left.kind == 'point' and right.kind == 'point' -%}
        {%- do faults.append(dbt_range_join._fault(
            'left_point and right_point', left.point ~ ' and ' ~ right.point, 'an interval on at least one side',
            "give left_interval or right_interval; points that are within x of each other are a point and the interval ['p - x', 'p + x']")) -%}
    {%- endif -%}

    {%- set keys = dbt_range_join._read_keys('keys', given['keys'], faults) -%}
    {%- do dbt_range_join._check_choice('join_type', given.join_type, dbt_range_join._join_type_choices(), faults) -%}
    {%- do dbt_range_join._check_choice('inclusive', given.inclusive, dbt_range_join._inclusive_choices(), faults) -%}
    {%- do dbt_range_join._check_choice('null_bounds', given.null_bounds, dbt_range_join._null_bounds_choices(), faults) -%}
    {%- if given.join_condition is not none -%}
        {%- do dbt_range_join._check_expression('join_condition', given.join_condition, faults) -%}
        {%- if macro_name != 'naive_range_join' -%}
            {%- do dbt_range_join._check_subqueries('join_condition', given.join_condition, given.join_type, faults) -%}
        {%- endif -%}
    {%- endif -%}
    {%- do dbt_range_join._check_select('select', given.select, faults) -%}
    {%- do dbt_range_join._check_stars('select', given.select, faults) -%}
    {%- do dbt_range_join._check_sides_selected('select', given.select, given.join_type, faults) -%}
    {%- for argument in ['broadcast', 'shuffle_hash'] if given[argument] is not none -%}
        {%- do dbt_range_join._check_choice(argument, given[argument], ['left', 'right'], faults) -%}
    {%- endfor -%}
    {%- if given.broadcast and given.shuffle_hash -%}
        {%- do faults.append(dbt_range_join._fault(
            'broadcast and shuffle_hash', given.broadcast ~ ' and ' ~ given.shuffle_hash, 'one of the two',
            'keep broadcast where that side fits in the memory of every executor, else shuffle_hash')) -%}
    {%- endif -%}
    {%- set bin = none -%}
    {%- if given.bin_size is not none -%}
        {%- set bin = dbt_range_join._read_bin_size(given.bin_size, faults, is_optional=true) -%}
    {%- endif -%}
    {%- set stated = dbt_range_join._read_extent(macro_name, given, bin, faults) -%}

    {%- if wheres is not none -%}
        {%- do dbt_range_join._check_wheres(wheres, given.join_type, given.select, faults) -%}
    {%- endif -%}

    {%- set key_columns = dbt_range_join._key_columns(keys) -%}
    {%- for side in [left, right] -%}
        {%- do side.update({'columns': [side.alias] + key_columns + side.value_columns}) -%}
    {%- endfor -%}
    {%- set join = {
        'macro_name': macro_name, 'left': left, 'right': right, 'keys': keys, 'key_columns': key_columns, 'join_type': given.join_type, 'inclusive': given.inclusive,
        'null_bounds': given.null_bounds, 'join_condition': given.join_condition, 'select': given.select,
        'broadcast': given.broadcast, 'shuffle_hash': given.shuffle_hash,
        'merge': not keys and not given.broadcast and not given.shuffle_hash, 'small': given.broadcast, 'tiny': false, 'built_now': dbt_range_join._is_built_now(),
        'bin': bin, 'stated': stated, 'extents': none, 'levels': none, 'meets_once': false, 'streamed': none, 'dealt': none, 'type': none, 'key_types': none} -%}
    {%- if not faults -%}
        {#- A report returns no columns, so a name may come twice there. -#}
        {%- do join.update({'select_items': dbt_range_join._select_items(join, [] if is_report else faults)}) -%}
    {%- endif -%}
    {%- do dbt_range_join._raise_faults(macro_name, faults) -%}
    {{ return(join) }}
{% endmacro %}


{#
    One side: its relation, and the point or the interval over it. is_report: whether relations are names on the command line.
    Returns: {alias, relation, kind, point, interval, value_columns}.
#}
{% macro _read_side(side, alias, given, faults, is_report) %}
    {%- set relation = dbt_range_join._without_alias(given[side ~ '_relation']) -%}
    {%- set point = given[side ~ '_point'] -%}
    {%- set interval = given[side ~ '_interval'] -%}
    {%- do dbt_range_join._check_relation(side ~ '_relation', relation, faults, is_report) -%}
    {%- if point is undefined or interval is undefined -%}
        {%- set argument = side ~ ('_point' if point is undefined else '_interval') -%}
        {%- do faults.append(dbt_range_join._fault(argument, given[argument], 'a value that is defined')) -%}
    {%- elif (point is none) == (interval is none) -%}
        {%- do faults.append(dbt_range_join._fault_line(
            side ~ '_point and ' ~ side ~ '_interval', 'none of the two' if point is none else 'both', 'exactly one of the two',
            side ~ "_point='event_at' or " ~ side ~ "_interval=['start_time', 'end_time']")) -%}
    {%- elif point is not none -%}
        {%- do dbt_range_join._check_expression(side ~ '_point', point, faults) -%}
    {%- else -%}
        {%- do dbt_range_join._check_interval(side ~ '_interval', interval, faults) -%}
    {%- endif -%}
    {%- set kind = 'point' if point is not none else 'interval' -%}
    {{ return({
        'alias': alias, 'relation': relation, 'point': point, 'interval': interval, 'kind': kind, 'value_columns': dbt_range_join._value_columns(kind)}) }}
{% endmacro %}
