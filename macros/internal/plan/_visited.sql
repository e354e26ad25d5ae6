{#
    Over how many rows of a hash table its pairs are spread, as the processor's cache holds the more of it, the fewer these are: most addresses are in few blocks, most
    events are of few customers.

    A spread is a list of [share of the pairs, share of the rows], one for each kind of pairs, from those whose rows are met most often on: over so many of the rows all pairs would be
    spread, if each row were met as often as those of that kind. One number for all pairs would say what a few hot rows say, that half of the pairs may be of, and nothing of
    the many rows that the other half is of, which the cache does not hold.
#}

{#
    The spread of the pairs of a sample, of up to three kinds. pairs: how many there are of each group of rows that are met equally often, as those of a key or a bin are. met: of
    each group, its pairs times how often each of its rows is met. rows: how many the side has in the sample. otherwise: the spread where these pairs are too few to tell.

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
    The spread of pairs up to some distance apart: between two steps, of each the more, the nearer the distance is to it. steps, visited: distances, and the spread at each of
    them. distance: a number.
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
    The spread over intervals or points of the pairs that meet in bins of some width, as far as places have to do with it: that of pairs half a bin apart. Where intervals are of
    some classes, each has pairs as far apart as its intervals are long, and intervals of its own; points are the same for all.
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


{# A spread whose pairs are some share of all, and its rows so many times as many, up to all. #}
{% macro _of_parts(visited, share, times=1) %}
    {%- set parts = [] -%}
    {%- for pairs, rows in visited if share -%}
        {%- do parts.append([pairs * share, [rows * times, 1.0] | min]) -%}
    {%- endfor -%}
    {{ return(parts) }}
{% endmacro %}


{# The spread by keys and by places, as if these had nothing to do with each other. #}
{% macro _visited_by_both(by_key, by_place) %}
    {%- set visited = [] -%}
    {%- for pairs, rows in by_key -%}
        {%- do visited.extend(dbt_range_join._of_parts(by_place, pairs, rows)) -%}
    {%- endfor -%}
    {{ return(visited) }}
{% endmacro %}
