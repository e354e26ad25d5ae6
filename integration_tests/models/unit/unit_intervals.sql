select
    cast(null as string) as case_name,
    cast(null as int) as start_value,
    cast(null as int) as end_value
where false
