{#
    The same join with the same arguments, written plainly without bins: the definition of the right answer.
    Arguments, types, units and errors are described in macros/_macros.yml.
#}
{% macro naive_range_join(
    left_relation=none, left_point=none, left_interval=none,
    right_relation=none, right_point=none, right_interval=none,
    keys=none, join_type='inner', inclusive='both', null_bounds='no_match',
    join_condition=none, select=none, bin_size=none, broadcast=none, shuffle_hash=none, extent=none, longest=none
) %}
    {{ return(adapter.dispatch('naive_range_join', 'dbt_range_join')(
        left_relation=left_relation, left_point=left_point, left_interval=left_interval,
        right_relation=right_relation, right_point=right_point, right_interval=right_interval,
        keys=keys, join_type=join_type, inclusive=inclusive, null_bounds=null_bounds,
        join_condition=join_condition, select=select, bin_size=bin_size, broadcast=broadcast, shuffle_hash=shuffle_hash, extent=extent, longest=longest, **kwargs)) }}
{% endmacro %}


{# The arguments arrive by keyword from the wrapper above, so this macro names none: they are read in one place. #}
{% macro spark__naive_range_join() %}
    {%- set join = dbt_range_join._read_range_join('naive_range_join', kwargs) -%}
    {{ return(dbt_range_join._naive_form(join)) }}
{% endmacro %}


{% macro default__naive_range_join() %}
    {%- do kwargs -%}
    {{ return(dbt_range_join._refuse_adapter('naive_range_join')) }}
{% endmacro %}
