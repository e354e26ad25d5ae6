{#
    Intervals that hold no value: what start and end that were given the wrong way round look like. No point is in them, and so nothing fails.
#}

{# Warns of each side most of whose intervals hold no value. measured: what _measure returns. Returns nothing. #}
{% macro _warn_of_empty_intervals(join, measured) %}
    {%- for words in dbt_range_join._say_empty_intervals(join, measured) -%}
        {%- do exceptions.warn(dbt_range_join._say_where() ~ words) -%}
    {%- endfor -%}
{% endmacro %}


{# The same in words, a list, one for each such side. #}
{% macro _say_empty_intervals(join, measured) %}
    {%- set said = [] -%}
    {%- for side in ['left', 'right'] if join[side].kind == 'interval' and measured[side].empty > 0.5 -%}
        {%- do said.append(
            side ~ '_interval ' ~ dbt_range_join._show_value(join[side].interval) ~ ': ' ~ '%.3g' % (100 * measured[side].empty) ~ ' % of the intervals end before they start'
            ~ (', or where they start' if join.inclusive != 'both') ~ ', and hold no value. Next step: if start and end are the wrong way round, '
            ~ side ~ '_interval=' ~ join[side].interval | reverse | list) -%}
    {%- endfor -%}
    {{ return(said) }}
{% endmacro %}
