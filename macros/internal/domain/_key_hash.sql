{#
    All keys of a row as one BIGINT, so that a join on keys and bins is one on a single number: half the time of a join on two columns.
    Who is equal has equal hashes; those whose hashes agree by chance are told apart by the keys themselves, in the ON clause.

    Values are hashed only where both sides' keys are of one type, and of one whose equal values have the same bits but for blanks at the
    end of a CHAR. Else the hash is 0, and the key is left to Spark as an equality of its own ('1' = 1). Mostly, the types are not known when this
    is compiled; Spark folds `typeof`, and with it the branches. Where a measured join knows them, all keys are hashed.
#}

{#
    key_hash in _binned_cte. A row with a NULL key matches nothing: it has no hash, and so meets nobody. But where the join keeps such
    rows, they have one by which they are spread as their bins are, and another one on each side, so that they do not meet.
    Where types are not known it reads the columns that _hashed_flags makes.
#}
{% macro _key_hash(join, side) %}
    {%- set keys = join.key_columns -%}
    {%- set hashes = [] -%}
    {%- for key in keys -%}
        {%- if join.type is none -%}
            {%- do hashes.append(dbt_range_join._hash_of_any(key)) -%}
        {%- else -%}
            {%- set type = join.key_types[loop.index0] -%}
            {%- do hashes.append(dbt_range_join._if_of_type(key, type, dbt_range_join._hash_of_string(key) if type == 'string' else 'xxhash64(' ~ key ~ ')')) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- set hash = hashes[0] if hashes | length == 1 else 'xxhash64(\n    ' ~ hashes | join(',\n') | indent(4) ~ '\n)' -%}
    {%- set sql -%}
if(
    {{ keys | join(' is null or ') }} is null,
    {{ {'left': '0L', 'right': '7046029254386353131L'}[side] if side in dbt_range_join._kept_sides(join.join_type) else 'null' }},
    {{ hash | indent(4) }}
)
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The hash of a key whose type is not known, 0 where it is not hashed. #}
{% macro _hash_of_any(key) %}
    {%- set sql -%}
case
    when not {{ key }}_is_hashed then 0L
    when typeof({{ key }}) = 'string' then {{ dbt_range_join._hash_of_string(key) }}
    else xxhash64({{ key }})
end
    {%- endset -%}
    {{ return(sql) }}
{% endmacro %}


{# The hash of a key that is a string: a CHAR has blanks at its end, and equals a string without them. #}
{% macro _hash_of_string(key) %}{{ return('xxhash64(rtrim(cast(' ~ key ~ ' as string)))') }}{% endmacro %}


{# Select items over range_join_types: for each key, whether it goes by its hash. #}
{% macro _hashed_flags(join) %}
    {%- set flags = [] -%}
    {%- for key in join.key_columns -%}
        {%- do flags.append(dbt_range_join._are_hashed('types.left_' ~ key, 'types.right_' ~ key) ~ ' as ' ~ key ~ '_is_hashed') -%}
    {%- endfor -%}
    {{ return(flags) }}
{% endmacro %}


{# The column of that name, in a list; none where there are no keys. #}
{% macro _key_hash_column(join) %}
    {{ return(['key_hash'] if join['keys'] else []) }}
{% endmacro %}


{# Whether two keys go by their hashes: a predicate that Spark folds to true or false when it plans. #}
{% macro _are_hashed(left, right) %}{{ return(dbt_range_join._are_of_one_type(left, right, 'string|')) }}{% endmacro %}


{# The same of the known types of all keys of two sides, as two lists: true or false. #}
{% macro _can_hash(left, right) %}
    {%- for type in left if not modules.re.fullmatch('string|' ~ dbt_range_join._alike_types(), type) -%}
        {{ return(false) }}
    {%- endfor -%}
    {{ return(left == right) }}
{% endmacro %}


{# The types whose equal values are the same, as a regular expression. #}
{% macro _alike_types() %}{{ return('.*int|decimal.*|boolean|date|timestamp.*|binary') }}{% endmacro %}


{#
    Whether two keys are of one type, and of one whose equal values are the same: a predicate that Spark folds. more: further types that will do,
    as '<type>|'; strings can be equal without being the same, if they are CHAR, and floats, as -0.0 and 0.0 are.
#}
{% macro _are_of_one_type(left, right, more='') %}
    {{ return('typeof(' ~ left ~ ') = typeof(' ~ right ~ ')\nand typeof(' ~ left ~ ") rlike '^(" ~ more ~ dbt_range_join._alike_types() ~ ")$'") }}
{% endmacro %}


{#
    Equality of the keys, of rows that met by their hashes too. `is true` hides it from Spark where the hash is enough to join on, since Spark
    would make it a second column of the join.
#}
{% macro _hashed_key_predicate(join, left, right) %}
    {%- set predicates = [] -%}
    {%- for key in join.key_columns -%}
        {%- set equal = left ~ '.' ~ key ~ ' = ' ~ right ~ '.' ~ key -%}
        {%- set sql -%}
if(
            {{ dbt_range_join._are_hashed(left ~ '.' ~ key, right ~ '.' ~ key) | indent(12) }},
            ({{ equal }}) is true,
            {{ equal }}
        )
        {%- endset -%}
        {%- do predicates.append(sql if join.type is none else '(' ~ equal ~ ') is true') -%}
    {%- endfor -%}
    {{ return(predicates) }}
{% endmacro %}
