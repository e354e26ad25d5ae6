"""No interval fans out without bound: sentinel ends, open ends, and bins far too small for the data."""

import time
from collections import Counter

import pytest

POINTS = "(select timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id) as ts, id from range(3000))"
SHORT = "select id, timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 3) as s, timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 3 + 10) as e from range(1000)"
LONGEST = "select 1000, timestamp'1999-01-01', timestamp'9999-12-31 23:59:59.999999'"
SPREAD_POINTS = "(select timestamp'0001-01-01' + make_dt_interval(cast(id * 3652 as int)) as ts, id from range(1000))"
EIGHT_THOUSAND_YEARS = "select 1000, timestamp'1990-01-01', timestamp'9990-01-01'"

# name: left relation, right relation, further arguments
HOSTILE = {
    "a sentinel end": (POINTS, f"({SHORT} union all {LONGEST})", "bin_size='60 seconds'"),
    "8,000 years among points of 10,000 years": (SPREAD_POINTS, f"({SHORT} union all {EIGHT_THOUSAND_YEARS})", "bin_size='60 seconds'"),
    "open at both ends": (POINTS, f"({SHORT} union all select 1000, null, null)", "bin_size='60 seconds', null_bounds='unbounded'"),
    "a third of the ends open": (POINTS.replace("range(3000)", "range(0, 3000, 10)"), "(select id, s, if(id % 3 = 0, null, e) as e from (" + SHORT + "))", "bin_size='1 second', null_bounds='unbounded'"),
    "bins a million times too small": (POINTS, f"({SHORT})", "bin_size='10 microseconds'"),
    "bins far too large": (POINTS, f"({SHORT})", "bin_size='520000 weeks'"),
    "nobody on the left": (f"(select * from {POINTS} where id < 0)", f"({SHORT} union all {LONGEST})", "bin_size='1 microsecond'"),
    "nobody on the right": (POINTS, f"(select * from ({SHORT}) where id < 0)", "bin_size='1 microsecond'"),
}  # fmt: skip

SHAPES = {"point": "left_point='ts'", "overlap": "left_interval=['ts', \"ts + interval '1' second\"]"}
# Between them, these take every way of fanning out.
FORMS = (("point", "left"), ("point", "right"), ("overlap", "full"), ("overlap", "anti"))


def calls():
    """Every hostile input in every form."""
    for name, (left, right, arguments) in HOSTILE.items():
        for shape, join_type in FORMS:
            select = "['l.id as l_id']" if join_type == "anti" else "['l.id as l_id', 'r.id as r_id']"
            yield (name, shape, join_type), (
                f'left_relation="{left}", right_relation="{right}", {SHAPES[shape]}, right_interval=[\'s\', \'e\'], '
                f"join_type='{join_type}', select={select}, {arguments}"
            )


@pytest.fixture(scope="module")
def compiled(project):
    keys = dict(calls())
    models = {}
    for number, arguments in enumerate(keys.values()):
        models[f"binned_{number}"] = "{{ dbt_range_join.binned_range_join(" + arguments + ") }}"
        models[f"naive_{number}"] = "{{ dbt_range_join.naive_range_join(" + arguments + ") }}"
    sql = project.compile(models)
    return {key: (sql[f"binned_{number}"], sql[f"naive_{number}"]) for number, key in enumerate(keys)}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_lengths_finish_with_the_right_rows(spark, compiled, name):
    for (case, shape, join_type), (binned, naive) in compiled.items():
        if case != name:
            continue
        started = time.monotonic()
        got = Counter(map(tuple, spark.sql(binned).collect()))
        # Not a benchmark: a fan-out without bound would take hours here, or all memory.
        assert time.monotonic() - started < 60, f"{shape} {join_type}"
        assert got == Counter(map(tuple, spark.sql(naive).collect())), f"{shape} {join_type}"


# With bins a million times too small: what each way may make of 3,000 points, 1,001 intervals and that many matches.
ROWS_MADE = {
    "inner": ("range_join_right_leveled", lambda matches: 32 * 1001),
    "left": ("range_join_right_fanned_out", lambda matches: matches + 2 * 1001),
    "right": ("range_join_left_probes", lambda matches: 2 * 17 * 3000),
}


@pytest.mark.parametrize("join_type", ROWS_MADE)
def test_rows_made_are_bounded(spark, project, join_type):
    arguments = (
        f'left_relation="{POINTS}", left_point=\'ts\', right_relation="({SHORT} union all {LONGEST})", right_interval=[\'s\', \'e\'], '
        f"select=['l.id', 'r.id'], join_type='{join_type}', bin_size='10 microseconds'"
    )
    sql = project.compile({"tiny": "{{ dbt_range_join.binned_range_join(" + arguments + ") }}"})["tiny"]
    ctes = sql[: sql.index("-- step 2")]
    matches = spark.sql(sql).count()
    cte, bound = ROWS_MADE[join_type]
    copies = spark.sql(f"{ctes} select * from {cte}").count()
    assert 0 < copies <= bound(matches)
    if join_type == "inner":
        assert spark.sql(f"{ctes} select * from range_join_left_level_probes").count() <= 16 * 3000
