{#-
    Every pair of edge values as an interval, inverted and empty ones and NULL bounds among them; some twice, spread over keys of
    which one is NULL. In one file, which every case reads.
-#}
select /*+ coalesce(1) */
    starts.id * 100 + ends.id as id,
    nullif((starts.id + ends.id) % 4, 3) as group_id,
    {%- for name in edge_values() %}
    starts.{{ name }} as {{ name }}_start,
    ends.{{ name }} as {{ name }}_end{{ ',' if not loop.last }}
    {%- endfor %}
from {{ ref('edge_values') }} as starts
cross join {{ ref('edge_values') }} as ends
lateral view explode(if((starts.id + ends.id) % 5 = 0, array(1, 2), array(1))) as copy
