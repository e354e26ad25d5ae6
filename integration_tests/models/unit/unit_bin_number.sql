select
    case_name,
    {{ dbt_range_join.bin_number('value', var('bin_size', 10)) | indent(4) }} as bin_num
from {{ ref('unit_values') }}
