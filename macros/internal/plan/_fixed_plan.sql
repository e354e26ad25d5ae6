{#
    How a join with a bin_size that the caller gave is made. The size stays, unless a BIGINT can't number its bins (_numbered_bins.sql); what the data says of it
    decides how Spark joins, and may be worth a warning.

    The data is asked wherever dbt may ask Spark, as without a bin_size, and not where the variable range_join_check_bin_size is false. Where both inputs
    together are no larger than 32 KB, and not a few columns of what is far larger, no size is hopeless, and no way to join slow: what
    is left to save is stages, each of which Spark takes longer to plan and start than to run, so Spark is left to broadcast what it likes,
    and one task sweeps. Nor is a sweep measured, unless the right side may be so small that a broadcast is better: where it has less than
    4 MB. Nor is anything where the caller states what there is (_stated_facts.sql), unless a BIGINT can't number the bins of that.
#}

{# The join with its hints and what _measured_facts or _stated_facts says. bin_size: as the caller gave it. #}
{% macro _fixed_join(join, bin_size) %}
    {%- if dbt_range_join._goes_by_statement(join) or not var('range_join_check_bin_size', true) -%}
        {{ return(dbt_range_join._unmeasured_join(join, bin_size)) }}
    {%- endif -%}
    {%- set apart = dbt_range_join._with_sides_apart(join) -%}
    {%- set join = dict(apart, stated=none) -%}
    {%- set sizes = dbt_range_join._input_sizes(join) -%}
    {%- if sizes is none -%}
        {{ return(dbt_range_join._unmeasured_join(apart, bin_size)) }}
    {%- endif -%}
    {%- if sizes.types is not none and not dbt_range_join._has_bins_for(join, bin_size, sizes.types) -%}
        {{ return(dbt_range_join._unmeasured_join(apart, bin_size)) }}
    {%- endif -%}
    {%- if dbt_range_join._are_tiny(sizes) -%}
        {{ return(dbt_range_join._as_tiny(join)) }}
    {%- endif -%}
    {%- if dbt_range_join._is_swept(join) and (sizes.right.bytes is none or sizes.right.bytes > 4 * 2 ** 20) -%}
        {{ return(join) }}
    {%- endif -%}
    {%- set measured = dbt_range_join._measure(join, sizes) -%}
    {%- set unit = dbt_range_join._unit_of(measured) -%}
    {%- if not dbt_range_join._has_bins_for(join, bin_size, measured) -%}
        {{ return(dbt_range_join._unmeasured_join(apart, bin_size)) }}
    {%- endif -%}
    {%- do dbt_range_join._warn_of_empty_intervals(join, measured) -%}
    {%- if not unit or not measured.left.firsts or not measured.right.firsts -%}
        {{ return(join) }}
    {%- endif -%}
    {%- set meetings = dbt_range_join._describe_meetings(join, measured) -%}
    {%- set estimate = dbt_range_join._estimate(meetings, dbt_range_join._numbered_width(join, measured, meetings, unit)) -%}
    {%- set widened = dbt_range_join._in_numbered_bins(join, bin_size, estimate.width, unit) -%}
    {%- set hinted = dict(widened, **dbt_range_join._choose_hints(widened, measured, estimate)) -%}
    {%- if not dbt_range_join._is_swept(hinted) -%}
        {%- do dbt_range_join._warn_of_bin_size(join, bin_size, measured, unit, estimate) -%}
    {%- endif -%}
    {{ return(dict(hinted, **dbt_range_join._measured_facts(hinted, measured, widened.bin, estimate))) }}
{% endmacro %}


{# The join as it is made by what the caller states, or by nothing but its arguments. bin_size: as the caller gave it. #}
{% macro _unmeasured_join(join, bin_size) %}
    {%- set widened = dbt_range_join._in_stated_bins(join, bin_size) -%}
    {%- if dbt_range_join._goes_by_statement(widened) -%}
        {{ return(dict(widened, **dbt_range_join._stated_facts(widened, bin_size))) }}
    {%- endif -%}
    {{ return(dict(widened, stated=none)) }}
{% endmacro %}


{#
    Whether all values have bins, and the bin_size fits them; if not, a compile error where Spark gets the query as things are now. Elsewhere tables may be old
    ones, of which nothing is told. types: what _measure or _side_types returns.
#}
{% macro _has_bins_for(join, bin_size, types) %}
    {%- set faults = dbt_range_join._type_faults(join, types) or dbt_range_join._unit_faults(join, bin_size, types) -%}
    {%- if dbt_range_join._is_asked_now(join) -%}
        {%- do dbt_range_join._raise_faults(join.macro_name, faults) -%}
    {%- endif -%}
    {{ return(not faults) }}
{% endmacro %}


{# A fault where the bin_size does not fit the values, in a list: Spark's own error would be of a cast that nobody wrote. types: see _has_bins_for. #}
{% macro _unit_faults(join, bin_size, types) %}
    {%- set unit = dbt_range_join._unit_of(types) -%}
    {%- if not unit or (unit == 'time') == (join.bin.of == 'time') -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set names = (types.left.types + types.right.types) | reject('equalto', 'void') | unique | join(', ') | upper -%}
    {{ return([dbt_range_join._fault(
        'bin_size', bin_size, ("'<number> <unit>'" if unit == 'time' else 'a number above zero') ~ ' for values of type ' ~ names,
        "change bin_size, such as bin_size=" ~ ("'60 seconds'" if unit == 'time' else '1000') ~ ', or cast the values')]) }}
{% endmacro %}


{#
    Whether both inputs together are tiny: no larger than 32 KB, as Spark's planner has it, who takes all columns of a table to be of as many bytes as their types are.
    So a column of a wide table that is mostly NULLs seems to be small: no input may be made of more than 1 MB. sizes: what _input_sizes returns.
#}
{% macro _are_tiny(sizes) %}
    {%- set all = [sizes.left.bytes, sizes.right.bytes, sizes.left.read, sizes.right.read] -%}
    {{ return(none not in all and sizes.left.bytes + sizes.right.bytes <= 32768 and [sizes.left.read, sizes.right.read] | max <= 2 ** 20) }}
{% endmacro %}


{# The join as it is made where both sides are tiny: to look where points are takes longer than it saves. #}
{% macro _as_tiny(join) %}{{ return(dict(join, merge=false, small=none, tiny=true, extents=dbt_range_join._unknown_extents())) }}{% endmacro %}


{#
    Warns of a bin_size that is hopeless for the data that there is now, and says which would be better.

    Hopeless is a size a thousand times smaller or larger than the best one, with half as much work again at least, or any with
    twenty times the work, unless that is next to none; and one that others stand in for, as a BIGINT can't number its bins. join: with the bins of bin_size.
    estimate: what _estimate says of the bins that are made.
#}
{% macro _warn_of_bin_size(join, bin_size, measured, unit, estimate) %}
    {%- set is_widened = estimate.width != join.bin.width -%}
    {%- set furthest = dbt_range_join._outermost(measured) | map('abs') | max -%}
    {#- Where some values are out of reach all the same, no estimate knows how few bins these have, and the sizes to choose from are as wide as they are far. -#}
    {%- set best = estimate if is_widened and dbt_range_join._is_out_of_reach(furthest, estimate.width)
        else dbt_range_join._cheapest(dbt_range_join._likely_estimates(estimate.meetings, dbt_range_join._candidate_widths(measured, unit))) -%}
    {%- set factor = estimate.cost / [best.cost, 1] | max -%}
    {%- set off = [join.bin.width / best.width, best.width / join.bin.width] | max -%}
    {%- if is_widened or estimate.cost > 100000 and (factor >= 20 or factor >= 1.5 and off >= 1000) -%}
        {%- set times = 'about ' ~ (dbt_range_join._say_count(factor) if factor >= 10 else '%.1f' % factor) ~ ' times the work of ' ~ dbt_range_join._say_length(best.width, unit) -%}
        {%- do exceptions.warn(
            dbt_range_join._say_where() ~ 'bin_size ' ~ dbt_range_join._show_value(bin_size) ~ (
                ' is too small for a BIGINT to number the bins of these values. Bins of ' ~ dbt_range_join._say_length(estimate.width, unit) ~ ' stand in for it'
                ~ (' and make ' ~ times if estimate.width != best.width) if is_widened else ' makes ' ~ times)
            ~ ' for ' ~ dbt_range_join._say_measured(join, measured, unit) ~ ". The rows are right all the same. Next step: bin_size="
            ~ ("'" ~ dbt_range_join._say_length(best.width, unit) ~ "'" if unit == 'time' else dbt_range_join._say_length(best.width, unit))
            ~ ', or none at all, and the package chooses') -%}
    {%- endif -%}
{% endmacro %}
