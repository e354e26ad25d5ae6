{#
    The names under which arguments are given, and what a name or a word that is none of them may mean.
#}

{# The arguments of a join, in the order of the signatures. #}
{% macro _join_arguments() %}
    {{ return([
        'left_relation', 'left_point', 'left_interval', 'right_relation', 'right_point', 'right_interval', 'keys',
        'join_type', 'inclusive', 'null_bounds', 'join_condition', 'select', 'bin_size', 'broadcast', 'shuffle_hash',
        'extent', 'longest']) }}
{% endmacro %}


{# What those arguments are that are not none where they are left out. #}
{% macro _argument_defaults() %}
    {{ return({'join_type': 'inner', 'inclusive': 'both', 'null_bounds': 'no_match'}) }}
{% endmacro %}


{#
    The arguments of a call whose names are known; for each other one a fault is appended. One that is misspelt stands under the name that is meant, if
    nothing else was given for that, so that what is missing for want of it is no fault of its own.
#}
{% macro _known_arguments(given, known, faults) %}
    {%- set read = {} -%}
    {%- for argument in given if argument in known -%}
        {%- do read.update({argument: given[argument]}) -%}
    {%- endfor -%}
    {%- for argument in given if argument not in known -%}
        {%- set meant = dbt_range_join._meant(argument, known) -%}
        {%- do faults.append(dbt_range_join._fault(
            argument, given[argument], 'the arguments ' ~ known | join(', '), 'did you mean ' ~ meant ~ '?' if meant is not none
            else 'put the test under data_tests of the model, not of a column' if argument == 'column_name')) -%}
        {%- if meant is not none and read.get(meant) == dbt_range_join._argument_defaults().get(meant) -%}
            {%- do read.update({meant: given[argument]}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(read) }}
{% endmacro %}


{# The word among those known that has the same letters, in whatever order and case and with whatever between them; none where there is none. #}
{% macro _meant(word, known) %}
    {%- for one in known if dbt_range_join._letters(one) == dbt_range_join._letters(word) -%}
        {{ return(one) }}
    {%- endfor -%}
    {{ return(none) }}
{% endmacro %}


{# The letters of a word in their order in the alphabet. #}
{% macro _letters(word) %}{{ return(modules.re.findall('[a-z]', word | lower) | sort | join) }}{% endmacro %}
