{# The generator that makes one row per bin; the caller sees to it that first <= last, since `sequence` would count down. #}
{% macro _explode_bins(first, last) %}
    {{ return(adapter.dispatch('_explode_bins', 'dbt_range_join')(first, last)) }}
{% endmacro %}

{% macro spark___explode_bins(first, last) %}
    {{ return('explode(sequence(' ~ first ~ ', ' ~ last ~ '))') }}
{% endmacro %}


{#
    The bin of a bound, held within the bin of a limit where there is one. A NULL bound counts as open here, since
    `greatest` and `least` pass over NULL. clamp: 'greatest' or 'least'; limit: a SQL expression or none.
#}
{% macro _clamp_bin(clamp, bound, limit, bin, below=false) %}
    {%- if not limit -%}
        {{ return(dbt_range_join._bin_of(bound, bin, below)) }}
    {%- endif -%}
    {%- set sql -%}
{{ clamp }}(
    {{ dbt_range_join._bin_of(bound, bin, below) | indent(4) }},
    {{ dbt_range_join._bin_of(limit, bin) | indent(4) }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}
