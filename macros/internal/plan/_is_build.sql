{#
    What dbt is about to do with the SQL: where it runs it at once, the data is as it was measured.
#}

{# Whether dbt builds models, or explain_range_join shows what it would build. #}
{% macro _is_build() %}{{ return(flags.WHICH in ['run', 'build', 'retry'] or range_join_rendering is defined) }}{% endmacro %}


{# Whether Spark gets the query of a join as things are now: in a report, or where dbt builds a model that no hook of its own prepares anything for. #}
{% macro _is_asked_now(join) %}
    {%- set config = model.config if model is defined and model.config is defined else {} -%}
    {{ return(join.macro_name != 'binned_range_join' or dbt_range_join._is_build() and not config.get('pre-hook')) }}
{% endmacro %}


{# Whether dbt is about to make a table out of the model, of data that no hook of its own changes before. #}
{% macro _is_built_now() %}
    {%- set config = model.config if model is defined and model.config is defined else {} -%}
    {{ return(dbt_range_join._is_build() and config.materialized in ['table', 'incremental'] and not config.get('pre-hook')) }}
{% endmacro %}
