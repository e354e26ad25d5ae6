select explode(
    sequence(
        timestamp_ntz '2013-01-01 00:00:00',
        timestamp_ntz '2013-12-31 23:59:00',
        interval '1' minute
    )
) as minute
