{#
    The report of profile_range_join: what is in the data, and a table and a picture of cost by bin size.
#}

{# join: as read. measured: what _measure returns of a join that is not built now. given: the arguments by name. Returns: text of some 40 lines. #}
{% macro _profile(join, measured, given) %}
    {%- set unit = dbt_range_join._unit_of(measured) -%}
    {%- set later = dbt_range_join._choose_plan(dict(join, built_now=false), measured) -%}
    {%- set join = dict(join, built_now=true) -%}
    {%- set measured = dbt_range_join._without_outliers(join, measured) -%}
    {%- set plan = dbt_range_join._choose_plan(join, measured) -%}
    {%- set lines = ['', 'Profile of a range join', ''] -%}
    {%- do lines.extend(dbt_range_join._profile_sides(join, measured, unit)) -%}
    {%- if join['keys'] -%}
        {%- do lines.append('Keys: ' ~ dbt_range_join._say_share(measured.key_share) ~ ' pairs have equal keys.') -%}
        {%- do lines.append('') -%}
    {%- endif -%}
    {#- Where nothing can match, no size makes more or less to do. -#}
    {%- set can_match = measured.key_share and measured.left.usable and measured.right.usable -%}
    {%- set is_curve = unit is not none and can_match and not dbt_range_join._is_swept(dict(join, **plan)) -%}
    {%- if is_curve -%}
        {%- do lines.extend(dbt_range_join._profile_curve(join, measured, unit, plan.bin)) -%}
    {%- endif -%}
    {%- do lines.extend(dbt_range_join._profile_unused(given, is_curve)) -%}
    {%- set faults = dbt_range_join._type_faults(join, measured) if plan.bin is not none else [] -%}
    {%- set recommended = ['Recommended: ' ~ plan.reason ~ '.'] -%}
    {%- if later.reason != plan.reason -%}
        {%- do recommended.append('For a view: ' ~ later.reason | replace('; ' ~ dbt_range_join._say_measured(join, measured, unit), '') ~ '.') -%}
    {%- endif -%}
    {{ return((lines + dbt_range_join._say_empty_intervals(join, measured) + (faults or recommended)) | join('\n')) }}
{% endmacro %}


{# Which pairs, by their share of all: "about 2.5 % of all", "about 1 in 900,000", "no". A small share is known to a factor of 3, and has one digit. #}
{% macro _say_share(share) %}
    {%- if share >= 0.01 -%}
        {{ return('about ' ~ '%.3g' % (100 * share) ~ ' % of all') }}
    {%- endif -%}
    {{ return('about 1 in ' ~ dbt_range_join._say_count(1 / share, 1) if share else 'no') }}
{% endmacro %}


{# The lines with what each side holds, counted in full and not sampled. #}
{% macro _profile_sides(join, measured, unit) %}
    {%- set rows = run_query(dbt_range_join._profile_sql(join, measured)).rows -%}
    {%- set sides = [] -%}
    {%- for row in rows -%}
        {%- set values = [] -%}
        {%- for value in row -%}
            {%- do values.append(value) -%}
        {%- endfor -%}
        {%- do sides.append(values) -%}
    {%- endfor -%}
    {%- set opened = 'open (infinite)' if unit in ['whole', 'fraction'] else 'open (100 years or more)' -%}
    {%- set labels = ['kind', 'rows', 'first', 'last', 'NULL', 'inverted', opened, 'different keys, about'] -%}
    {%- set lines = ['%-28s %24s %24s' % ('', 'left', 'right')] -%}
    {%- for label in labels -%}
        {%- set cells = [] -%}
        {%- for side in sides -%}
            {%- set value = side[labels.index(label) + 1] -%}
            {%- do cells.append('-' if value is none else value if value is string else '{:,}'.format(value | int)) -%}
        {%- endfor -%}
        {%- if cells != ['-', '-'] -%}
            {%- do lines.append('%-28s %24s %24s' % (label, cells[0], cells[1])) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- for quantile in ['p50', 'p90', 'p99', 'p99.9', 'p99.99'] -%}
        {%- set place = loop.index0 -%}
        {%- set cells = [] -%}
        {%- for side in sides -%}
            {%- set numbers = dbt_range_join._numbers(side[-1]) -%}
            {%- do cells.append(dbt_range_join._say_length(numbers[place], unit) if numbers else '-') -%}
        {%- endfor -%}
        {%- if cells != ['-', '-'] -%}
            {%- do lines.append('%-28s %24s %24s' % ('length ' ~ quantile, cells[0], cells[1])) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(lines + ['']) }}
{% endmacro %}


{# One row a side: side, and the values that _profile_sides labels; the quantiles of lengths as text. #}
{% macro _profile_sql(join, measured) %}
    {%- set selects = [] -%}
    {%- for side in ['left', 'right'] -%}
        {%- set interval = join[side].kind == 'interval' -%}
        {%- set last = 'value_2' if interval else 'value_1' -%}
        {%- set types = measured[side].types -%}
        {%- set all_types = measured.left.types + measured.right.types -%}
        {%- set length = dbt_range_join._position('value_2', types[-1], all_types) ~ ' - ' ~ dbt_range_join._position('value_1', types[0], all_types) -%}
        {%- set is_for_ever = dbt_range_join._is_for_ever(types[-1], length) -%}
        {%- set is_open = is_for_ever if is_for_ever != 'false' or not interval else dbt_range_join._is_infinite(types) -%}
        {%- set has_length = interval and dbt_range_join._unit_of({'left': measured[side], 'right': {'types': []}}) is not none -%}
        {%- set keys = join.key_columns -%}
        {%- set sql -%}
select
    '{{ side }}' as side,
    '{{ join[side].kind }}' as kind,
    count(*) as all_rows,
    cast(min(value_1) as string) as first,
    cast(max({{ last }}) as string) as last,
    count_if(value_1 is null or {{ last }} is null) as nulls,
    {{ 'count_if(value_2 < value_1)' if has_length else 'cast(null as bigint)' }} as inverted,
    {{ 'count_if(' ~ is_open ~ ')' if has_length and is_open != 'false' else 'cast(null as bigint)' }} as opened,
    {{ 'approx_count_distinct(struct(' ~ keys | join(', ') ~ '))' if keys else 'cast(null as bigint)' }} as different_keys,
    {{ dbt_range_join._quantiles_sql('if(value_2 >= value_1, ' ~ length ~ ', null)', [0.5, 0.9, 0.99, 0.999, 0.9999]) if has_length else "''" }} as lengths
from range_join_{{ side }}_values
        {%- endset -%}
        {%- do selects.append(sql) -%}
    {%- endfor -%}
    {{ return(dbt_range_join._values_ctes(join) ~ selects | join('\nunion all\n')) }}
{% endmacro %}


{#
    The table and the picture of cost by bin size, one line a size, that of the recommended bin marked: it need not be the cheapest, as of sizes that cost about the same the
    narrowest is chosen, and what is known of the data when a table is built has its price, too. bin: of the plan; none where that has no bins.
#}
{% macro _profile_curve(join, measured, unit, bin) %}
    {%- set chosen = bin.width if bin else none -%}
    {%- set given = join.bin.width if join.bin else none -%}
    {%- set estimates = dbt_range_join._estimates(join, measured, unit, [chosen, given] | reject('none') | list) -%}
    {%- set least = [estimates | map(attribute='cost') | min, 1] | max -%}
    {%- set lines = ['%-16s %12s %12s %10s' % ('bin_size', 'copies per', 'compared per', 'cost'), '%-16s %12s %12s' % ('', 'interval', 'pair found')] -%}
    {%- for estimate in estimates if estimate.cost <= 100 * least or estimate.width in [chosen, given] -%}
        {%- set relative = estimate.cost / least -%}
        {%- set bar = '#' * ([(relative * 4) | round | int, 40] | min) -%}
        {%- do lines.append('%-16s %12s %12s %10s %s %s' % (
            dbt_range_join._say_length(estimate.width, unit), '%.2f' % (estimate.copies / [estimate.intervals, 1] | max),
            '%.2f' % (estimate.candidates / [estimate.pairs, 1] | max), '%.2f' % relative, '*' if estimate.width == chosen else '|', bar)
            ~ (' the bin_size given' if estimate.width == given)) -%}
    {%- endfor -%}
    {{ return(lines + ['']) }}
{% endmacro %}


{# What each width that there is to choose from would cost, and some more: a list of what _estimate says, from the narrowest on. #}
{% macro _estimates(join, measured, unit, more=[]) %}
    {%- set meetings = dbt_range_join._describe_meetings(join, measured) -%}
    {%- set estimates = [] -%}
    {%- for width in (dbt_range_join._candidate_widths(measured, unit) + more) | unique | sort -%}
        {%- do estimates.append(dbt_range_join._estimate(meetings, width)) -%}
    {%- endfor -%}
    {{ return(estimates) }}
{% endmacro %}


{# What the caller gave that is not what the report is of: a list of a line, or an empty one. given: arguments by name. is_curve: whether there is a table of sizes. #}
{% macro _profile_unused(given, is_curve) %}
    {%- set names = [] -%}
    {%- for name in ['bin_size', 'extent', 'longest'] if given[name] is not none and (name != 'bin_size' or not is_curve) -%}
        {%- do names.append(name) -%}
    {%- endfor -%}
    {{ return(['Not used: ' ~ names | join(', ') ~ ', as a profile is of what there is and of what would be chosen.', ''] if names else []) }}
{% endmacro %}
