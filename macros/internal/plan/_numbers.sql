{#
    Lists of numbers, at a pace that a plan can afford. Jinja looks at each call that a template makes, and makes ready for each filter anew: to append to a list, to change
    a namespace, to filter, to ask for an element by its number or whether one `is none` takes it 1 to 10 microseconds an element: each is a call of Python, and one that CPython
    3.11 makes as slow as that where it ends a chunk of its stack, which nobody can tell. To print takes 0.1 to 0.5. So long lists are printed, and read by fromjson,
    here and where a plan is made of them; a float comes out of that as it went in. What Python does to a whole list at once (sum, sort, slices, zip) takes next to no time.
#}

{# A list of numbers out of '1.5,2.5', empty for NULL. #}
{% macro _numbers(text) %}{{ return(fromjson('[' ~ (text or '') ~ ']')) }}{% endmacro %}


{# The quantiles of numbers in rising order, at 0, 1/256, ... 1; empty where there are none. #}
{% macro _quantiles_of(numbers) %}
    {%- if not numbers -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set quantiles -%}
        [{{ numbers[0] }}
        {%- for i in range(1, 257) -%}
            ,{{ numbers[(i * (numbers | length) + 255) // 256 - 1] }}
        {%- endfor -%}]
    {%- endset -%}
    {{ return(fromjson(quantiles)) }}
{% endmacro %}


{# Some quantiles of numbers in rising order, a list; empty where there are none. numbers: text, '1.5,2.5'. shares: which, from 0 to 1. #}
{% macro _quantiles_at(numbers, shares) %}
    {%- if not numbers -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set numbers = numbers.split(',') -%}
    {%- set quantiles = [] -%}
    {%- for share in shares -%}
        {%- do quantiles.append(numbers[(share * numbers | length - 1e-6) | int]) -%}
    {%- endfor -%}
    {{ return(dbt_range_join._numbers(quantiles | join(','))) }}
{% endmacro %}


{# How many of some numbers are between two, both included. #}
{% macro _count_within(numbers, least, most) %}
    {%- set within -%}
        {%- for number in numbers if least <= number <= most -%}.{%- endfor -%}
    {%- endset -%}
    {{ return(within | length) }}
{% endmacro %}


{# Those of some numbers in rising order that are between two, both included. #}
{% macro _numbers_within(numbers, least, most) %}
    {%- set below -%}
        {%- for number in numbers if number < least -%}.{%- endfor -%}
    {%- endset -%}
    {%- set first = below | length -%}
    {{ return(numbers[first:first + dbt_range_join._count_within(numbers, least, most)]) }}
{% endmacro %}


{# How many of some numbers each of some limits is not below: a list. Both are in rising order. #}
{% macro _counts_up_to(numbers, limits) %}
    {%- set rows = zip(numbers, [0] * numbers | length) | list + zip(limits, [1] * limits | length) | list -%}
    {%- do rows.sort() -%}
    {%- set places -%}
        [0
        {%- for (_, is_limit), place in zip(rows, range(rows | length)) if is_limit -%}
            ,{{ place }}
        {%- endfor -%}]
    {%- endset -%}
    {#- A limit is preceded by those limits before it, too. -#}
    {%- set counts -%}
        [0
        {%- for place, limits_before in zip(fromjson(places)[1:], range(limits | length)) -%}
            ,{{ place - limits_before }}
        {%- endfor -%}]
    {%- endset -%}
    {{ return(fromjson(counts)[1:]) }}
{% endmacro %}


{# Some values, each once and in rising order, and the sums of what goes with them: [values, sums]. weights: one for each of the values. #}
{% macro _summed(values, weights) %}
    {%- set rows = zip(values, weights) | list -%}
    {%- do rows.sort() -%}
    {%- set values, weights = zip(*rows) if rows else ((), ()) -%}
    {#- Of each value, the number of the last that is equal. -#}
    {%- set lasts = dict(zip(values, range(1, 1 + values | length))) -%}
    {%- set sums -%}
        [0
        {%- for before, last in zip([0] + lasts.values() | list, lasts.values()) -%}
            ,{{ weights[before:last] | sum }}
        {%- endfor -%}]
    {%- endset -%}
    {{ return([lasts.keys() | list, fromjson(sums)[1:]]) }}
{% endmacro %}


{# How many some of a list are, as a share of all; 0 where there are none. #}
{% macro _share_of(some, all) %}{{ return(some | list | length / [all | length, 1] | max) }}{% endmacro %}


{# Numbers in rising order, seen from the other end: their negatives, in rising order. #}
{% macro _mirrored(numbers) %}
    {%- set mirrored -%}
        [0
        {%- for number in numbers -%}
            ,{{ -number }}
        {%- endfor -%}]
    {%- endset -%}
    {{ return(fromjson(mirrored)[:0:-1]) }}
{% endmacro %}


{# How far each of some numbers lies from the one before it, in rising order: those that are in rising order themselves, and the steps between equal ones left out. #}
{% macro _steps_between(numbers) %}
    {%- set steps -%}
        [0
        {%- for number, next in zip(numbers, numbers[1:]) if next > number -%}
            ,{{ next - number }}
        {%- endfor -%}]
    {%- endset -%}
    {%- set steps = fromjson(steps)[1:] -%}
    {%- do steps.sort() -%}
    {{ return(steps) }}
{% endmacro %}


{# How often there is each of some values that have an order: a dict. #}
{% macro _counts_of(values) %}
    {%- set in_order = values | list -%}
    {%- do in_order.sort() -%}
    {#- Of each value, the number of the last that is equal. -#}
    {%- set lasts = dict(zip(in_order, range(in_order | length))) -%}
    {%- set counts -%}
        [0
        {%- for last, before in zip(lasts.values(), [-1] + lasts.values() | list) -%}
            ,{{ last - before }}
        {%- endfor -%}]
    {%- endset -%}
    {{ return(dict(zip(lasts, fromjson(counts)[1:]))) }}
{% endmacro %}
