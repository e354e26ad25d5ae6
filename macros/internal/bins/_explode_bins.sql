{#
    The generator that makes one row per bin. `sequence` would count down where first > last: the caller sees to it that such a
    row isn't there, or gives only_if, predicates of which no such row meets all.

    only_if: a list of predicates; rows for which one isn't true make none. They are part of the generator, since Spark pushes a `where` below the
    bins and so computes them twice, once to filter and once to keep.
#}
{% macro _explode_bins(first, last, only_if=[]) %}
    {{ return(adapter.dispatch('_explode_bins', 'dbt_range_join')(first, last, only_if)) }}
{% endmacro %}

{% macro spark___explode_bins(first, last, only_if) %}
    {%- set bins = 'sequence(' ~ first ~ ', ' ~ last ~ ')' -%}
    {%- if not only_if -%}
        {{ return('explode(' ~ bins ~ ')') }}
    {%- endif -%}
    {%- set sql -%}
explode(
    if(
        {{ only_if | join('\n        and ') }},
        {{ bins }},
        null
    )
)
    {%- endset -%}
    {{ return(sql) }}
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
