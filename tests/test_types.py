"""Types that a point and its bounds may have together, beyond those of the random cases and the integration tests."""

import pytest

STRINGS = {
    "a STRING beside a DATE and a TIMESTAMP": (
        "select id, date'2024-01-01' + cast(id % 3 as int) as p from range(6)",
        "select id, '2024-01-01 10:00:00' as s, timestamp'2024-01-02' + make_dt_interval(cast(id as int)) as e from range(3)"),
    "a STRING beside a DATE and a TIMESTAMP_NTZ": (
        "select id, date'2024-01-01' + cast(id % 3 as int) as p from range(6)",
        "select id, timestamp_ntz'2023-12-31' as s, '2024-01-02 23:00:00' as e from range(3)"),
    "a STRING point": (
        "select id, '2024-01-01 10:00:00' as p from range(6)",
        "select id, date'2024-01-01' as s, timestamp'2024-01-02' + make_dt_interval(cast(id as int)) as e from range(3)"),
}  # fmt: skip


@pytest.fixture
def ansi(spark):
    before = spark.conf.get("spark.sql.ansi.enabled")
    yield lambda: spark.conf.set("spark.sql.ansi.enabled", "true")
    spark.conf.set("spark.sql.ansi.enabled", before)


def test_strings_in_ansi_mode(spark, project, ansi):
    """In ANSI mode a STRING is taken for what it is compared with, and loses its time of day beside a DATE; without it, it is an error (see README)."""
    cases, bodies = [(name, join_type) for name in STRINGS for join_type in ("inner", "left", "full", "anti")], {}
    for number, (name, join_type) in enumerate(cases):
        left, right = STRINGS[name]
        select = ["l.id"] if join_type == "anti" else ["l.id as l_id", "r.id as r_id"]
        call = f'left_relation="({left})", left_point=\'p\', right_relation="({right})", right_interval=[\'s\', \'e\'], join_type=\'{join_type}\', select={select!r}, bin_size=\'1 hour\''
        for macro in ("binned", "naive"):
            bodies[f"{macro}_{number}"] = f"{{{{ dbt_range_join.{macro}_range_join({call}) }}}}"
    compiled = project.compile(bodies)
    ansi()  # dbt's adapter turns it off
    for number, case in enumerate(cases):
        binned, naive = (sorted(map(str, spark.sql(compiled[f"{macro}_{number}"]).collect())) for macro in ("binned", "naive"))
        assert binned == naive, case
