{#
    Each row once per bin that its interval touches.
    Arguments, types, units and errors are described in macros/_macros.yml.
#}
{% macro fan_out_intervals(
    relation, interval, bin_size,
    select=none, bin_column='bin_num', inclusive='both', null_bounds='no_match', lower=none, upper=none
) %}
    {{ return(adapter.dispatch('fan_out_intervals', 'dbt_range_join')(
        relation=relation, interval=interval, bin_size=bin_size,
        select=select, bin_column=bin_column, inclusive=inclusive, null_bounds=null_bounds, lower=lower, upper=upper)) }}
{% endmacro %}


{% macro spark__fan_out_intervals(relation, interval, bin_size, select, bin_column, inclusive, null_bounds, lower, upper) %}
    {%- set relation, interval, select, lower, upper = dbt_range_join._embeddable([relation, interval, select, lower, upper]) -%}
    {%- set relation = dbt_range_join._without_alias(relation) -%}
    {%- set faults = [] -%}
    {%- do dbt_range_join._check_relation('relation', relation, faults) -%}
    {%- do dbt_range_join._check_interval('interval', interval, faults) -%}
    {%- do dbt_range_join._check_select('select', select, faults) -%}
    {%- if select and select[0] is string and dbt_range_join._code(select[0]).split()[:1] == ['distinct'] -%}
        {%- do faults.append(dbt_range_join._fault('select', select[0], 'columns and expressions', 'select distinct from the result')) -%}
    {%- endif -%}
    {%- do dbt_range_join._check_column_name('bin_column', bin_column, faults) -%}
    {%- do dbt_range_join._check_choice('inclusive', inclusive, dbt_range_join._inclusive_choices(), faults) -%}
    {%- do dbt_range_join._check_choice('null_bounds', null_bounds, dbt_range_join._null_bounds_choices(), faults) -%}
    {%- do dbt_range_join._check_clamp('lower', lower, null_bounds, faults) -%}
    {%- do dbt_range_join._check_clamp('upper', upper, null_bounds, faults) -%}
    {%- set bin = dbt_range_join._read_bin_size(bin_size, faults) -%}
    {%- do dbt_range_join._raise_faults('fan_out_intervals', faults) -%}

    {%- set values = ['interval_start', 'interval_end'] -%}
    {%- if lower is not none %}{% do values.append('lower_bound') %}{% endif -%}
    {%- if upper is not none %}{% do values.append('upper_bound') %}{% endif -%}
    {%- set exclusive_end = inclusive in ['left', 'neither'] -%}

    {%- set sql -%}
with range_join_rows as (
    select
        struct({{ select | join(', ') if select is not none else '*' }}) as selected,
        ({{ interval[0] }}) as interval_start,
        ({{ interval[1] }}) as interval_end
        {%- if lower is not none %},
        ({{ lower }}) as lower_bound
        {%- endif %}
        {%- if upper is not none %},
        ({{ upper }}) as upper_bound
        {%- endif %}
    from {{ relation }}
),

range_join_values as (
    select
        selected,
        {%- for value in values %}
        {{ dbt_range_join._as_common_type(value, values | reject('equalto', value) | list) }} as {{ value }}{{ ',' if not loop.last }}
        {%- endfor %}
    from range_join_rows
    where
        {{ dbt_range_join._interval_is_not_empty('interval_start', 'interval_end', inclusive, null_bounds) }}
        {%- for value in values[2:] %}
        and {{ value }} is not null
        {%- endfor %}
),

range_join_spans as (
    select
        selected,
        {{ dbt_range_join._clamp_bin('greatest', 'interval_start', 'lower_bound' if lower is not none, bin) | indent(8) }} as first_bin,
        {{ dbt_range_join._clamp_bin('least', 'interval_end', 'upper_bound' if upper is not none, bin, exclusive_end) | indent(8) }} as last_bin
    from range_join_values
)

select
    selected.*,
    {{ dbt_range_join._explode_bins('first_bin', 'last_bin') }} as {{ bin_column }}
from range_join_spans
where first_bin <= last_bin
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{% macro default__fan_out_intervals(relation, interval, bin_size, select, bin_column, inclusive, null_bounds, lower, upper) %}
    {{ return(dbt_range_join._refuse_adapter('fan_out_intervals')) }}
{% endmacro %}
