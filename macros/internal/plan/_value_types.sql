{#
    What is known of the types of points, bounds and keys, before the data is looked at: which have a length, which lie on one line, which have no bins, and
    how keys of two types compare.
#}

{#
    The types of each side, as Spark names them: {left, right, keeps_text}, the first two each {key_types, types}, lists, the latter of one for points and of two for
    intervals. keeps_text: whether a text stays one beside a value of another type, as it does but in ANSI mode; none where nothing says it.
    Known first, so that the statement that measures has nothing in it that is for other types. sizes: what _input_sizes returns; where this knows them, nothing is asked.
#}
{% macro _side_types(join, sizes={}) %}
    {%- if sizes.types -%}
        {{ return(sizes.types) }}
    {%- endif -%}
    {#- The first column is there for the plan alone. -#}
    {%- set columns = run_query('describe query ' ~ dbt_range_join._probe_sql(join)).rows[1:] -%}
    {{ return(dbt_range_join._types_by_side(join, columns | map(attribute=1) | map('lower') | list)) }}
{% endmacro %}


{# What Spark puts before and after the types in a plan, and nobody else does. #}
{% macro _types_mark() %}{{ return('range_join_value_types') }}{% endmacro %}


{# The types of each side out of a plan of _probe_sql, as _side_types has them; none where the plan does not show one for each value. said: its text. #}
{% macro _types_said(join, said) %}
    {%- set mark = dbt_range_join._types_mark() -%}
    {%- set shown = modules.re.search(mark ~ ' [|] (.+?) [|] ' ~ mark, said) -%}
    {%- set types = (shown.group(1) | lower).split(' | ') if shown else [] -%}
    {%- set columns = dbt_range_join._measured_columns(join, 'left') + dbt_range_join._measured_columns(join, 'right') -%}
    {{ return(dbt_range_join._types_by_side(join, types[:-1], types[-1] == 'string') if types | length == columns | length + 1 else none) }}
{% endmacro %}


{# What _side_types returns, out of the types of all keys and values, those of the left first. #}
{% macro _types_by_side(join, types, keeps_text=none) %}
    {%- set keys = join['keys'] | length -%}
    {%- set of_left = keys + join.left.value_columns | length -%}
    {{ return({
        'left': {'key_types': types[:keys], 'types': types[keys:of_left]},
        'right': {'key_types': types[of_left:of_left + keys], 'types': types[of_left + keys:]}, 'keeps_text': keeps_text}) }}
{% endmacro %}


{#
    Where a value of a type lies, as a DOUBLE: a number itself, microseconds since 1970 for dates and timestamps; NULL for NULL, NaN and
    infinities, and for all of other types. Good enough to estimate, not to join. A date may lie beyond all timestamps. types: of all values that it lies among.
#}
{% macro _position(value, type, types) %}
    {%- set family = dbt_range_join._family_of(type) -%}
    {%- if family == 'whole' -%}
        {{ return('cast(' ~ value ~ ' as double)') }}
    {%- elif family == 'fraction' -%}
        {{ return('if(abs(cast(' ~ value ~ ' as double)) < 1e300D, cast(' ~ value ~ ' as double), null)') }}
    {%- elif family != 'time' -%}
        {{ return('cast(null as double)') }}
    {%- endif -%}
    {%- set instant = 'cast(' ~ dbt_range_join._instant(value) ~ ' as double)' -%}
    {%- if type == 'timestamp_ntz' -%}
        {#- By the session's clock only beside what lies by it, as the last hours that there are may be out of a TIMESTAMP's reach. -#}
        {%- set wall_clock = 'cast(' ~ dbt_range_join._wall_clock(value) ~ ' as double)' -%}
        {%- set beside_instants = types | select('in', ['timestamp', 'date']) | list != [] -%}
        {{ return('if(abs(' ~ wall_clock ~ ') > 9.2e18D, ' ~ wall_clock ~ ', ' ~ instant ~ ')' if beside_instants else wall_clock) }}
    {%- endif -%}
    {%- set days = 'unix_date(' ~ value ~ ')' -%}
    {{ return('if(abs(cast(' ~ days ~ ' as bigint)) > 106000000, ' ~ days ~ ' * 86400e6D, ' ~ instant ~ ')' if type == 'date' else instant) }}
{% endmacro %}


{#
    Whether an interval has no end to speak of, as SQL: one of times that is as long as a hundred years, up to 9999-12-31 mostly.
    type: that of its end. length: in microseconds.
#}
{% macro _is_for_ever(type, length) %}{{ return('(' ~ length ~ ' >= 3155760000000000)' if dbt_range_join._family_of(type) == 'time' else 'false') }}{% endmacro %}


{# 'time', 'whole' or 'fraction', by the types of all values; none where they are of different families or of no known one. #}
{% macro _unit_of(measured) %}
    {%- set families = [] -%}
    {%- for type in measured.left.types + measured.right.types if type != 'void' -%}
        {%- do families.append(dbt_range_join._family_of(type)) -%}
    {%- endfor -%}
    {%- set different = families | unique | sort -%}
    {%- if different in [['time'], ['whole'], ['fraction']] -%}
        {{ return(different[0]) }}
    {%- endif -%}
    {{ return('fraction' if different == ['fraction', 'whole'] else none) }}
{% endmacro %}


{#
    A fault for each value of a type that has no bins. Text is one of them where Spark will compare it as text with whatever there is; in ANSI mode, Spark's
    default, which dbt-spark's session method turns off, it is cast to what it is compared with. measured: what _measure returns, or _side_types.
#}
{% macro _type_faults(join, measured) %}
    {%- set faults = [] -%}
    {%- set as_text = dbt_range_join._is_asked_now(join) and dbt_range_join._are_compared_as_text(join, measured) -%}
    {%- for side in ['left', 'right'] -%}
        {%- for value, type in zip(dbt_range_join._values_given(join[side]), measured[side].types) -%}
            {%- set has_bins = dbt_range_join._family_of(type) in ['time', 'whole', 'fraction', 'void'] or dbt_range_join._is_text_type(type) and not as_text -%}
            {%- if not has_bins -%}
                {%- do faults.append(dbt_range_join._fault(
                    side ~ '_' ~ join[side].kind, value, 'numbers, dates and timestamps, and this is of type ' ~ type | upper
                        ~ (', and compared as text' if dbt_range_join._is_text_type(type)),
                    'cast it to one of these' ~ dbt_range_join._way_to_cast(join, value, type) ~ ', or join with naive_range_join')) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(faults) }}
{% endmacro %}


{# How a value is made one that has bins, as words to follow "cast it to one of these"; none where that depends on what it means. type: one that has none. #}
{% macro _way_to_cast(join, value, type) %}
    {%- if dbt_range_join._is_text_type(type) -%}
        {{ return(', such as by cast(' ~ value ~ ' as ' ~ ('double' if join.bin and join.bin.of == 'number' else 'timestamp') ~ ')') }}
    {%- elif type.startswith('timestamp') -%}
        {{ return(', such as by cast(' ~ value ~ ' as ' ~ type.partition('(')[0] ~ '), which leaves out nanoseconds') }}
    {%- elif type.startswith('time') -%}
        {{ return(', such as by time_to_micros(' ~ value ~ ')') }}
    {%- endif -%}
    {{ return(', such as an INTERVAL to its seconds' if type.startswith('interval') else '') }}
{% endmacro %}


{# Whether Spark compares points and bounds as text, each pair of them, as far as that is known. measured: see _type_faults. #}
{% macro _are_compared_as_text(join, measured) %}
    {%- for left, right in dbt_range_join._compared_columns(join) -%}
        {%- set types = [measured.left.types[join.left.value_columns.index(left)], measured.right.types[join.right.value_columns.index(right)]] -%}
        {%- set texts = [dbt_range_join._is_text_type(types[0]), dbt_range_join._is_text_type(types[1])] -%}
        {%- if not (texts[0] and texts[1] or texts[0] != texts[1] and measured.keeps_text) -%}
            {{ return(false) }}
        {%- endif -%}
    {%- endfor -%}
    {{ return(true) }}
{% endmacro %}


{#
    A key as text, which is the same for keys of both sides that are equal though they are of two types, such as a DATE and a TIMESTAMP, or 1 and 1.00.
    Good enough to estimate, not to join. type, other: that of the key, and that of the key on the other side.
#}
{% macro _key_text(key, type, other) %}
    {%- set families = [dbt_range_join._family_of(type), dbt_range_join._family_of(other)] -%}
    {%- if type != other and 'time' in families -%}
        {{ return('cast(try_cast(' ~ key ~ ' as timestamp) as string)') }}
    {%- elif type != other and ('whole' in families or 'fraction' in families) -%}
        {{ return('cast(try_cast(' ~ key ~ ' as double) as string)') }}
    {%- endif -%}
    {%- set text = 'cast(' ~ key ~ ' as string)' -%}
    {#- A CHAR, which Spark says is a string, is filled up with blanks, and a collation may be one to which case does not matter. -#}
    {%- set text = 'rtrim(' ~ text ~ ')' if dbt_range_join._is_text_type(type) else text -%}
    {{ return('lower(' ~ text ~ ')' if 'collate' in type ~ other else text) }}
{% endmacro %}
