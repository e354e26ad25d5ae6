select
    cast(null as string) as case_name,
    cast(null as int) as value
where false
