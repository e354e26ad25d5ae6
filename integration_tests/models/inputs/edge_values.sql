{{ config(materialized='view') }}

{%- set types = edge_values() %}

select * from values
    {%- for row in range(edge_value_count()) %}
    (
        {{ loop.index }},
        {%- for edges in types.values() %}
        {{ typed_value(edges['values'][row], edges.type) }}{{ ',' if not loop.last }}
        {%- endfor %}
    ){{ ',' if not loop.last }}
    {%- endfor %}
as edges (id, {{ types.keys() | join(', ') }})
