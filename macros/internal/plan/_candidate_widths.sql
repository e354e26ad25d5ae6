{#
    Which widths of bins there are to choose from.
#}

{#
    The widths to choose from: round ones, from a hundredth of the shortest length up to the reach of the data. Where intervals have no length,
    from how far rows lie apart where they crowd. And none so narrow that a BIGINT could not number the bins: what lies beyond its reach would all be in one.
#}
{% macro _candidate_widths(measured, unit) %}
    {%- set lengths = measured.left.lengths + measured.right.lengths -%}
    {%- set ends = dbt_range_join._outermost(measured) -%}
    {%- set reach = ends | max - ends | min if ends else 0 -%}
    {%- set positive = lengths | select('gt', 0) | list -%}
    {%- set shortest = ([positive | min if positive else 1, reach] | min) / 100 -%}
    {%- if positive | length < lengths | length -%}
        {%- set shortest = [shortest, dbt_range_join._least_distance(measured.left), dbt_range_join._least_distance(measured.right)] | min -%}
    {%- endif -%}
    {%- set shortest = [shortest, dbt_range_join._least_width(measured)] | max -%}
    {%- set widths = dbt_range_join._widths_from(shortest, unit) -%}
    {{ return(widths | select('le', reach) | list or widths[:1]) }}
{% endmacro %}


{#
    How far the rows of a side lie apart where they lie closest, a sixteenth of them: as those of the sample do, and so much closer as there are more. Values that
    rows share are aside. The closest two alone would be chance.
#}
{% macro _least_distance(side) %}
    {%- set closer = [side.positions | length / [side.rows, 1] | max, 1] | min -%}
    {%- set steps = dbt_range_join._steps_between(side.positions) -%}
    {{ return(steps[steps | length // 16] * closer if steps else 1e300) }}
{% endmacro %}


{# The round widths from one on: at least one, the greatest. #}
{% macro _widths_from(least, unit) %}
    {%- set widths = dbt_range_join._round_widths(unit, least) -%}
    {{ return(widths | select('ge', least) | list or widths[-1:]) }}
{% endmacro %}


{# The width of bins below which a BIGINT could not number those of all values. #}
{% macro _least_width(measured) %}{{ return((dbt_range_join._outermost(measured) or [0]) | map('abs') | max / 9e18) }}{% endmacro %}


{# The first and last of the points or starts of both sides, as a list; empty where there are none. #}
{% macro _outermost(measured) %}
    {{ return(measured.left.firsts[:1] + measured.right.firsts[:1] + measured.left.firsts[-1:] + measured.right.firsts[-1:]) }}
{% endmacro %}


{#
    Round numbers from the least to the greatest, three in each power of ten; times as clocks have them, in microseconds. Of fractions, from about `least` on: photons have some
    1e-19 joules.
#}
{% macro _round_widths(unit, least) %}
    {%- set widths = [] -%}
    {%- if unit == 'time' -%}
        {%- set second = 1000000 -%}
        {%- for power in range(6) -%}
            {%- for digit in [1, 2, 5] -%}
                {%- do widths.append(digit * 10 ** power) -%}
            {%- endfor -%}
        {%- endfor -%}
        {%- for seconds in [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 345600, 604800,
            1209600, 2419200, 4838400, 9676800, 19353600, 38707200, 77414400, 154828800, 309657600, 3096576000, 30965760000] -%}
            {%- do widths.append(seconds * second) -%}
        {%- endfor -%}
    {%- else -%}
        {%- set first = [('%.0e' % least).split('e')[1] | int, -300] | max if least > 0 else -18 -%}
        {%- for power in (range(0, 19) if unit == 'whole' else range([first, 36] | min, 38)) -%}
            {%- for digit in [1, 2, 5] -%}
                {%- do widths.append(digit * 10 ** power if power >= 0 else (digit ~ 'e' ~ power) | float) -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endif -%}
    {{ return(widths) }}
{% endmacro %}
