{#
    The bin of a value: floor(position / width), where the position of a number is the number itself and that of a date
    or timestamp is in microseconds since 1970-01-01 00:00.

    Whatever the type, bins never decrease as values grow in Spark's order (NaN above infinity, -0.0 equal to 0.0), which
    is all that a join on bins needs to find every match; out of BIGINT's reach they stay at its limits.
    The type is not known when this is compiled, so there is a branch for each; Spark folds `typeof`, and only the
    branch of the value's type is left in its plan.

    value: a SQL expression. bin: {of, width}, or {of: 'any'}. below: the bin of all that is smaller than the value (the last bin that an
    interval with an exclusive end touches), which is another bin only where the value lies on an edge. type: the value's type as Spark names it,
    where that is known: the branch of that type alone, which takes Spark less time to plan.
    Returns: a BIGINT expression, NULL for NULL. At run time a type that the bin size does not fit, or another one than `type`, raises an error.
#}
{% macro _bin_of(value, bin, below=false, type=none) %}
    {%- set operand = value if modules.re.fullmatch('[\\w.]+', value) else '(' ~ value ~ ')' -%}
    {%- if bin.of == 'any' -%}
        {{ return(adapter.dispatch('_bin_of_any', 'dbt_range_join')(operand)) }}
    {%- elif bin.of == 'time' -%}
        {{ return(adapter.dispatch('_bin_of_time', 'dbt_range_join')(operand, bin.width, below, type)) }}
    {%- else -%}
        {{ return(adapter.dispatch('_bin_of_number', 'dbt_range_join')(operand, bin.width, below, type)) }}
    {%- endif -%}
{% endmacro %}


{# Whether a value is of one of some types, as SQL. #}
{% macro _is_one_of(value, types) %}{{ return('typeof(' ~ value ~ ") in ('" ~ types | join("', '") ~ "')") }}{% endmacro %}


{# What is made of a value whose type is known, for that type; an error at run time if the type is another one by then. #}
{% macro _if_of_type(value, type, made) %}
    {%- set sql -%}
if(
    typeof({{ value }}) = '{{ type }}',
    {{ made | indent(4) }},
    raise_error('dbt_range_join: a value was of type {{ type }} when compiled, and is not now: build the model again, or rename a CTE named as a table')
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# Where a date or a timestamp lies in time, in microseconds since 1970: an expression. #}
{% macro _instant(value) %}{{ return('unix_micros(cast(' ~ value ~ ' as timestamp_ltz))') }}{% endmacro %}


{#
    Where a TIMESTAMP_NTZ lies on its own calendar, in microseconds since 1970: an expression. Through the session time zone, the hour that a spring-forward
    gap swallows would come out after the hour that follows it, and the last hours that there are may be out of a TIMESTAMP's reach.
#}
{% macro _wall_clock(value) %}{{ return('(' ~ value ~ " - timestamp_ntz '1970-01-01') div interval '0.000001' second") }}{% endmacro %}


{% macro spark___bin_of_time(value, width, below, type) %}
    {%- set bins = {
        'timestamp': dbt_range_join._floor_divide(dbt_range_join._instant(value), width, below),
        'timestamp_ntz': dbt_range_join._floor_divide(dbt_range_join._wall_clock('cast(' ~ value ~ ' as timestamp_ntz)'), width, below),
        'date': dbt_range_join._bin_of_date(value, width, below)} -%}
    {%- if type is not none -%}
        {{ return(dbt_range_join._if_of_type(value, type, bins[type])) }}
    {%- endif -%}
    {%- set sql -%}
case typeof({{ value }})
    {%- for name in bins %}
    when '{{ name }}'
        then
            {{ bins[name] | indent(12) }}
    {%- endfor %}
    when 'void' then cast(null as bigint)
    else {{ dbt_range_join._raise_type('a bin_size in units of time', 'a date or timestamp') }}
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    A date's bin in BIGINT arithmetic that can't overflow: days times (day / gcd) over (width / gcd). Spark's days are
    32-bit, so only a factor beyond 2^32 could leave BIGINT, and there the days are held within its reach.
#}
{% macro _bin_of_date(value, width, below) %}
    {%- set day = 86400000000 -%}
    {%- set ns = namespace(gcd=day, rest=width) -%}
    {%- for _ in range(64) if ns.rest -%}
        {%- set remainder = ns.gcd % ns.rest -%}
        {%- set ns.gcd = ns.rest -%}
        {%- set ns.rest = remainder -%}
    {%- endfor -%}
    {%- set factor = day // ns.gcd -%}
    {%- set reach = 9223372036854775807 // factor -%}
    {%- set days = 'cast(unix_date(cast(' ~ value ~ ' as date)) as bigint)' -%}
    {%- if reach < 2147483648 -%}
        {%- set days = 'greatest(least(' ~ days ~ ', ' ~ reach ~ '), -' ~ reach ~ ')' -%}
    {%- endif -%}
    {{ return(dbt_range_join._floor_divide(days ~ (' * ' ~ factor if factor > 1 else ''), width // ns.gcd, below)) }}
{% endmacro %}


{#
    Whole numbers are divided as BIGINT, approximate ones as DOUBLE, and decimals (or a bin width that is not whole) exactly: see _bin_of_decimal.
#}
{% macro spark___bin_of_number(value, width, below, type) %}
    {%- set whole = width == width | int -%}
    {%- set digits = (width | int if whole else width) | string -%}
    {%- set fits_bigint = whole and width <= 9223372036854775807 -%}
    {%- set integers, approximate = dbt_range_join._types_of('whole'), dbt_range_join._types_of('approximate') -%}
    {%- set of_integer = dbt_range_join._floor_divide('cast(' ~ value ~ ' as bigint)', width | int, below) -%}
    {%- set of_double = dbt_range_join._bin_of_double(value, digits, below) -%}
    {%- set of_decimal = dbt_range_join._bin_of_decimal(value, digits, below, type) -%}
    {%- if type is not none -%}
        {{ return(dbt_range_join._if_of_type(value, type,
            of_integer if type in integers and fits_bigint else of_double if type in approximate else of_decimal)) }}
    {%- endif -%}
    {%- set is_integer = dbt_range_join._is_one_of(value, integers) -%}
    {%- set sql -%}
case
    {%- if fits_bigint %}
    when {{ is_integer }}
        then
            {{ of_integer | indent(12) }}
    {%- endif %}
    when {{ dbt_range_join._is_one_of(value, approximate) }}
        then
            {{ of_double | indent(12) }}
    when typeof({{ value }}) like 'decimal%'{% if not fits_bigint %} or {{ is_integer }}{% endif %}
        then
            {{ of_decimal | indent(12) }}
    when typeof({{ value }}) = 'void' then cast(null as bigint)
    else {{ dbt_range_join._raise_type('a bin_size that is a number', 'a number') }}
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The bin of an approximate number, or of one that is taken as one. digits: of the width, as text. below: as in _bin_of. #}
{% macro _bin_of_double(value, digits, below) %}
    {%- set quotient = 'cast(' ~ value ~ ' as double) / ' ~ digits ~ 'D' -%}
    {{ return(dbt_range_join._within_bigint(quotient, dbt_range_join._bin_below_double(value, digits) if below else 'floor(' ~ quotient ~ ')')) }}
{% endmacro %}


{#
    The bin of the DOUBLE before a value: as the quotient is rounded, that may be the bin of the value itself even on an edge. In bins of 0.1 both 0.9 and the DOUBLE
    after it come to 9, and to the left of the latter lies the former.

    1.25 * 2^-53 of a DOUBLE is more than half and less than one and a half of the way to the next one, above or below a power of two alike, so the difference is
    rounded to that. Of the smallest ones (below 1e-307) nothing is taken: they may have a bin too many. digits: of the width, as text.
#}
{% macro _bin_below_double(value, digits) %}
    {%- set number = 'cast(' ~ value ~ ' as double)' -%}
    {%- set before_zero = '-1' if digits | float < 2 else '0' -%}
    {{ return('if(\n    ' ~ number ~ ' = 0D,\n    ' ~ before_zero ~ ',\n    floor((' ~ number ~ ' - abs(' ~ number ~ ') * 1.3877787807814457E-16D) / ' ~ digits ~ 'D)\n)') }}
{% endmacro %}


{#
    The bin of a decimal, exactly. A width is a whole number of some unit that is a power of ten, so the bin is that of the value in whole such units, which a
    BIGINT holds: to divide BigDecimals takes fourteen times as long, as Java divides to 38 digits and then takes off the zeros of what comes out even.
    Where it does not hold them, as of values beyond 9.2e18 or of a unit below 1e-18, decimals are divided after all. No decimal is as narrow as a width below 1e-38: there they are
    divided as a DOUBLE is.

    digits: of the width, as text. below, type: as in _bin_of. A decimal's type says whether a BIGINT always holds it.
#}
{% macro _bin_of_decimal(value, digits, below, type=none) %}
    {%- set width = dbt_range_join._decimal_parts(digits) -%}
    {%- if width.scale > 38 -%}
        {{ return(dbt_range_join._bin_of_double(value, digits, below)) }}
    {%- endif -%}
    {%- set rounded = ('ceil(' if below else 'floor(') ~ value ~ (', ' ~ width.scale if width.scale else '') ~ ')' -%}
    {%- set in_units = 'cast(' ~ rounded ~ (' * 1' ~ '0' * width.scale ~ 'BD' if width.scale else '') ~ ' as bigint)' -%}
    {%- set by_bigint = dbt_range_join._floor_divide(in_units, width.unscaled, below) -%}
    {%- set is_known = modules.re.fullmatch('decimal\\((\\d+),(\\d+)\\)', type or '') -%}
    {%- set double = 'cast(' ~ value ~ ' as double)' -%}
    {#- `%` and not `pmod`, whose sum of remainder and width may not fit the narrower of the two types; `div`, as the quotients and differences of
        decimals of 38 digits are rounded. It takes no DOUBLE, which this branch is checked for, too: floor makes that a decimal, and leaves decimals alone.
        `sign`, as where all 38 digits are behind the point, Spark rounds the last one off to compare with 0, which has one before it. -#}
    {%- set by_decimal = 'floor(' ~ value ~ ', 38) div ' ~ digits ~ 'BD\n- if(sign(' ~ value ~ ' % ' ~ digits ~ 'BD)' ~ (' <= ' if below else ' < ') ~ '0, 1, 0)' -%}
    {%- set has_unit = width.scale <= 18 and width.unscaled <= 9223372036854775807 -%}
    {%- if has_unit and is_known and (is_known.group(1) | int) - (is_known.group(2) | int) + width.scale <= 18 -%}
        {{ return(by_bigint) }}
    {%- endif -%}
    {{ return(dbt_range_join._within_bigint(
        double ~ ' / ' ~ digits ~ 'D', by_decimal, ['abs(' ~ double ~ ') < 9.2e' ~ (18 - width.scale) ~ 'D', by_bigint] if has_unit else none)) }}
{% endmacro %}


{# A number above zero as {unscaled, scale}, whole numbers: the number is unscaled / 10^scale. digits: as Jinja writes it, which may be 5e-07. #}
{% macro _decimal_parts(digits) %}
    {%- set parts = modules.re.fullmatch('(\\d+)(?:\\.(\\d+))?(?:e([-+]\\d+))?', digits | lower) -%}
    {%- set fraction = parts.group(2) or '' -%}
    {%- set scale = fraction | length - (parts.group(3) or '0') | int -%}
    {%- set unscaled = (parts.group(1) ~ fraction) | int -%}
    {{ return({'unscaled': unscaled * 10 ** ([-scale, 0] | max), 'scale': [scale, 0] | max}) }}
{% endmacro %}


{#
    The bin of a value of whatever type, where neither data nor bin_size says which: a second, a whole number, and of numbers that may not be whole what their
    size leaves room for in a BIGINT (_bin_of_any_size). Spark checks the casts of all branches before it folds them, so they go through types that
    each type can be cast to. Dates go by the instant of their midnight, as under spark.sql.legacy.timeParserPolicy=LEGACY the text of one before the year 1 is
    that of a later year; where the text has a sign, as of dates beyond all instants, by that. From the one to the other it is a day, and no zone is that far off.
#}
{% macro spark___bin_of_any(value) %}
    {%- set text = 'cast(' ~ value ~ ' as string)' -%}
    {%- set instant = dbt_range_join._instant(value) -%}
    {%- set wall_clock = dbt_range_join._wall_clock('cast(' ~ text ~ ' as timestamp_ntz)') -%}
    {%- set sql -%}
case
    when typeof({{ value }}) = 'timestamp'
        then
            {{ dbt_range_join._floor_divide(instant, 1000000) | indent(12) }}
    when typeof({{ value }}) = 'timestamp_ntz'
        then
            {{ dbt_range_join._floor_divide(wall_clock, 1000000) | indent(12) }}
    when typeof({{ value }}) = 'date'
        then
            if(
                left({{ text }}, 1) in ('+', '-'),
                cast(unix_date(cast({{ text }} as date)) as bigint) * 86400,
                {{ dbt_range_join._floor_divide(instant, 1000000) | indent(16) }}
            )
    when {{ dbt_range_join._is_one_of(value, dbt_range_join._types_of('whole')) }}
        then cast({{ text }} as bigint)
    when {{ dbt_range_join._is_one_of(value, dbt_range_join._types_of('approximate')) }} or typeof({{ value }}) like 'decimal%'
        then
            {{ dbt_range_join._bin_of_any_size('cast(' ~ text ~ ' as double)') | indent(12) }}
    when typeof({{ value }}) = 'void' then cast(null as bigint)
    else {{ dbt_range_join._raise_type('a range join', 'numbers, dates or timestamps') }}
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{#
    The bin of a DOUBLE of any size: a millionth (2^-20) up to 2^42, then 4 up to BIGINT's reach, such as microseconds as decimals, then 2^67 up to 1.7e38, which
    no decimal reaches. What is beyond, and NaN, is in the last bin.
#}
{% macro _bin_of_any_size(number) %}
    {%- set sql -%}
case
    when abs({{ number }}) < 4398046511104D then floor({{ number }} * 1048576)
    when {{ number }} >= 1.7e38D then 9223372036854775807
    when {{ number }} <= -1.7e38D then -9223372036854775808
    when abs({{ number }}) < 9.2e18D then cast(sign({{ number }}) as bigint) * (4611686018427387904 + floor(abs({{ number }}) / 4))
    else cast(sign({{ number }}) as bigint) * (6917529027641081856 + floor(abs({{ number }}) / 147573952589676412928D))
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# floor(dividend / divisor) for BIGINT, where Spark's `div` cuts towards zero. below: as in _bin_of. #}
{% macro _floor_divide(dividend, divisor, below=false) %}
    {%- if divisor == 1 -%}
        {{ return('try_subtract(' ~ dividend ~ ', 1)' if below else dividend) }}
    {%- endif -%}
    {{ return(dividend ~ ' div ' ~ divisor ~ '\n- if(' ~ dividend ~ ' % ' ~ divisor ~ (' <= ' if below else ' < ') ~ '0, 1, 0)') }}
{% endmacro %}


{#
    A bin that stays at BIGINT's limits where it is out of its reach. quotient: about what it is, as a DOUBLE, of which NaN is greater than all others.
    first: [a condition, the bin where it holds], to be asked before all else, or none.
#}
{% macro _within_bigint(quotient, bin_num, first=none) %}
    {%- set sql -%}
case
    {%- if first is not none %}
    when {{ first[0] }}
        then
            {{ first[1] | indent(12) }}
    {%- endif %}
    when {{ quotient }} >= 9.2e18D then 9223372036854775807
    when {{ quotient }} <= -9.2e18D then -9223372036854775808
    else
        {{ bin_num | indent(8) }}
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# Whether columns are of types that a bin_size fits, for what is made without bins: a predicate that Spark folds to true, or that raises as bins do. #}
{% macro _fits_bin_size(columns, bin) %}
    {%- set types, given, wanted = (dbt_range_join._types_of('time'), 'a bin_size in units of time', 'a date or timestamp') if bin.of == 'time'
        else (dbt_range_join._types_of('whole') + dbt_range_join._types_of('approximate') + ['decimal.*'], 'a bin_size that is a number', 'a number') -%}
    {%- set fitting = [] -%}
    {%- for column in columns -%}
        {%- do fitting.append('typeof(' ~ column ~ ") rlike '^(" ~ types | join('|') ~ "|void)$'") -%}
    {%- endfor -%}
    {%- set sql -%}
if(
    {{ fitting | join('\n    and ') }},
    true,
    {{ dbt_range_join._raise_type(given, wanted) }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# Spark folds this branch away for every type that fits; it raises where none did. #}
{% macro _raise_type(given, wanted) %}
    {{ return("raise_error('dbt_range_join: " ~ given ~ " needs " ~ wanted ~ ": change bin_size, or cast the value')") }}
{% endmacro %}
