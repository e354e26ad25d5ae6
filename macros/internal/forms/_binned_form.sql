{#
    Which form a join by bins takes.

    A point has one bin, so with the point's side kept whole and the intervals fanned out, one equi-join on the bin gives
    every join type that keeps the point's side. That is the form so far; _check_supported refuses what it can't serve.
#}
{% macro _binned_form(join) %}
    {{ return(dbt_range_join._point_kept_form(join)) }}
{% endmacro %}


{# The shapes and join types that there is no form for yet. Appends to `faults`; returns nothing. #}
{% macro _check_supported(join, faults) %}
    {%- if join.left.kind == join.right.kind -%}
        {%- do faults.append(dbt_range_join._fault(
            'left_interval and right_interval', 'an interval on both sides', 'a point on one side',
            'the overlap of two intervals comes in a later release; until then use naive_range_join')) -%}
    {%- else -%}
        {%- set allowed = ['inner', 'left'] if join.left.kind == 'point' else ['inner'] -%}
        {%- if join.join_type not in allowed -%}
            {%- do faults.append(dbt_range_join._fault(
                'join_type', join.join_type, "'" ~ allowed | join("', '") ~ "' with a " ~ join.left.kind ~ ' on the left',
                'the other join types come in a later release; until then use naive_range_join')) -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
