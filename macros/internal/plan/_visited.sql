{#
    Over how many rows of a hash table its pairs are spread, as the processor's cache holds the more of it, the fewer these are: most addresses are in few blocks, most
    events are of few customers.

    That is [share of pairs, share of rows] for up to three kinds of pairs, from those of the rows that are met most often on: over so many rows all pairs would be spread,
    if all rows that are met were met as often as those. One number would say what the few rows say that half of the pairs are of, and nothing of the many that the others are of.
#}

{#
    That, of the pairs of a sample. pairs: of each group of rows that are met alike, how many there are. met: of each group, its pairs times as often as each of its rows is met.
    rows: how many the side has in the sample. otherwise: what is known where these pairs are too few to tell.

    Where rows are met equally often, pairs are spread over as many as the square of their number is over the sum of squares. A sample's square would count the
    pair itself, too, so how often a row is met again is what counts, and 25 pairs of that tell nothing. Other kinds are looked for where that says that few rows are met: those of
    which a row is met less than a fourth as often as on average, which by chance happens to next to none.
#}
{% macro _visited_rows(pairs, met, rows, otherwise=[[1.0, 1.0]]) %}
    {%- set of_all, kinds = pairs | sum, [] -%}
    {%- set ns = namespace(pairs=pairs, met=met, open=true) -%}
    {%- for kind in range(3) if ns.open -%}
        {%- set found, again = ns.pairs | sum, ns.met | sum - ns.pairs | sum -%}
        {%- if again < 25 -%}
            {%- do kinds.extend([[found / of_all, otherwise[-1][1]]] if kinds else otherwise) -%}
            {%- set ns.open = false -%}
        {%- else -%}
            {%- set limit = (found + again) / found / 4 -%}
            {%- set seldom = [] -%}
            {%- if kind < 2 and of_all * found < 0.25 * rows * again -%}
                {%- set seldom -%}
                    [0,0
                    {%- for of_group, met in zip(ns.pairs, ns.met) if met < limit * of_group -%}
                        ,{{ of_group }},{{ met }}
                    {%- endfor -%}]
                {%- endset -%}
                {%- set seldom = fromjson(seldom)[2:] -%}
            {%- endif -%}
            {%- set ns.pairs, ns.met = seldom[::2], seldom[1::2] -%}
            {%- set ns.open = ns.pairs | sum > 0.02 * of_all -%}
            {%- set often, again = [found - ns.pairs | sum, again - (ns.met | sum - ns.pairs | sum)] if ns.open else [found, again] -%}
            {%- do kinds.append([often / of_all, [of_all * often / (rows * again), 1.0] | min]) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(kinds) }}
{% endmacro %}


{#
    That, of pairs up to some distance apart, between two steps as much of what each says as the distance is nearer to it. visited: of each step. distance: a number.
#}
{% macro _visited_within(steps, visited, distance) %}
    {%- set below -%}
        {%- for step in steps if step <= distance -%}.{%- endfor -%}
    {%- endset -%}
    {%- set i = below | length -%}
    {%- if i in [0, steps | length] -%}
        {{ return(visited[0 if i == 0 else -1]) }}
    {%- endif -%}
    {%- set of_next = (distance - steps[i - 1]) / (steps[i] - steps[i - 1]) -%}
    {{ return(dbt_range_join._of_parts(visited[i - 1], 1 - of_next) + dbt_range_join._of_parts(visited[i], of_next)) }}
{% endmacro %}


{#
    That, of the pairs that meet in bins of some width, of intervals or points, as far as places have to do with it: as of those that are half a bin apart. Of some
    classes, each has pairs as far apart as its intervals are long, and intervals of its own; points are the same for all.
    classes: what _classes_of returns. built: 'intervals' or 'points'.
#}
{% macro _visited_by_place(classes, built, width) %}
    {%- set of_classes = [] -%}
    {%- for class in classes -%}
        {%- set distances = class.distances -%}
        {%- set wide = width if classes | length == 1 or width > class.length else class.length -%}
        {%- set visited = dbt_range_join._visited_within(distances.visited.steps, distances.visited[built], wide / 2) -%}
        {%- if classes | length == 1 -%}
            {{ return(visited) }}
        {%- endif -%}
        {%- set pairs = class.share * (dbt_range_join._shares_within(distances.steps, distances.after, [class.length + width / 2])[0]
            + dbt_range_join._shares_within(distances.steps, distances.before, [width / 2])[0]) -%}
        {%- do of_classes.append([pairs, class.share if built == 'intervals' else 1, visited] if pairs else none) -%}
    {%- endfor -%}
    {%- set of_classes = of_classes | select | list -%}
    {%- set of_all = of_classes | map('first') | sum -%}
    {%- set all = [] -%}
    {%- for pairs, rows, visited in of_classes -%}
        {%- do all.extend(dbt_range_join._of_parts(visited, pairs / of_all, rows * of_all / pairs)) -%}
    {%- endfor -%}
    {{ return(all or [[1.0, 1.0]]) }}
{% endmacro %}


{# That, where those pairs are some share of all, and as if all were spread over so many times the rows, but for all of these. #}
{% macro _of_parts(visited, share, times=1) %}
    {%- set parts = [] -%}
    {%- for pairs, rows in visited if share -%}
        {%- do parts.append([pairs * share, [rows * times, 1.0] | min]) -%}
    {%- endfor -%}
    {{ return(parts) }}
{% endmacro %}


{# That, by keys and by places, as if these had nothing to do with each other. #}
{% macro _visited_by_both(by_key, by_place) %}
    {%- set visited = [] -%}
    {%- for pairs, rows in by_key -%}
        {%- do visited.extend(dbt_range_join._of_parts(by_place, pairs, rows)) -%}
    {%- endfor -%}
    {{ return(visited) }}
{% endmacro %}
