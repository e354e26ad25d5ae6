{#
    What dbt is about to do with the SQL: where it runs it at once, the data is as it was measured.
#}

{# Whether dbt builds models, or explain_range_join shows what it would build. #}
{% macro _is_build() %}{{ return(flags.WHICH in ['run', 'build', 'retry'] or range_join_rendering is defined) }}{% endmacro %}


{# The configuration of the model that calls; an empty one where none does. #}
{% macro _config_of_model() %}{{ return(model.config if model is defined and model.config is defined else {}) }}{% endmacro %}


{# Whether a hook of the model's own runs before its SQL, and may change what that reads: true or false. #}
{% macro _has_pre_hook() %}{{ return(dbt_range_join._config_of_model().get('pre-hook', []) | length > 0) }}{% endmacro %}


{# Whether dbt runs the SQL at once, and no hook of the model's own changes anything before. #}
{% macro _is_run_now() %}{{ return(dbt_range_join._is_build() and not dbt_range_join._has_pre_hook()) }}{% endmacro %}


{# Whether Spark gets the query of a join as things are now: in a report, or where dbt builds the model. #}
{% macro _is_asked_now(join) %}{{ return(join.macro_name != 'binned_range_join' or dbt_range_join._is_run_now()) }}{% endmacro %}


{#
    Whether the call stands in a hook of a model, which dbt renders when the model itself has been compiled. What becomes of its SQL is not the model's
    materialization to say, nor is the text around it the model's.
#}
{% macro _is_in_a_hook() %}{{ return(model is defined and model.compiled is true) }}{% endmacro %}


{# Whether dbt is about to make a table out of the SQL, of data as it is. #}
{% macro _is_built_now() %}
    {{ return(
        dbt_range_join._is_run_now() and not dbt_range_join._is_in_a_hook() and dbt_range_join._config_of_model().materialized in ['table', 'incremental']) }}
{% endmacro %}
