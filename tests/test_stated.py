"""extent and longest: what the caller states of the data is not looked for, and no row depends on whether it is so."""

import datetime as dt

import pytest

from dev.dbt_runner import DbtFailed
from tests.support.both import compile_both, rows_of_both
from tests.test_no_bin_size import INTERVALS as VERSIONS, POINTS as EVENTS, built, query_of, rowless, table  # noqa: F401

START = "timestamp'2024-01-01'"
POINTS = f"(select id, {START} + make_dt_interval(0, 0, 0, id * 37 % 100000) as p, id % 7 as k, id * 37 % 100000 as n, cast(id * 37 % 100000 as decimal(12, 2)) as d from range(3000))"
# A third last some minutes, one in fifty is open, and some lie before or after all points, or end before they start.
LENGTH = "case when id % 50 = 0 then 250000000 when id % 3 = 0 then 700 when id % 31 = 0 then -5 else id % 40 end"
INTERVALS = (
    f"(select id, {START} + make_dt_interval(0, 0, 0, at) as s, {START} + make_dt_interval(0, 0, 0, at + length) as e, id % 7 as k, at, at + length as until, "
    f"cast(at as decimal(12, 2)) as ds, cast(at + length as decimal(12, 2)) as de "
    f"from (select id, id * 613 % 130000 - 15000 as at, {LENGTH} as length from range(400)))"
)
OF = {
    "timestamps": ("left_point='p', right_interval=['s', 'e']", "'1 minute'", "'{}', '{}'", lambda seconds: dt.datetime(2024, 1, 1) + dt.timedelta(seconds=seconds), "'{} seconds'"),
    "dates": ("left_point='to_date(p)', right_interval=['to_date(s)', 'to_date(e)']", "'1 day'", "'{:%Y-%m-%d}', '{:%Y-%m-%d}'", lambda seconds: dt.datetime(2024, 1, 1) + dt.timedelta(seconds=seconds), "'{} seconds'"),
    "timestamps without a zone": ("left_point='p::timestamp_ntz', right_interval=['s::timestamp_ntz', 'e::timestamp_ntz']", "'1 second'", "'{}', '{}'", lambda seconds: dt.datetime(2024, 1, 1) + dt.timedelta(seconds=seconds), "'{} seconds'"),
    "numbers": ("left_point='n', right_interval=['at', 'until']", "25", "{}, {}", lambda seconds: seconds, "{}"),
    "decimals": ("left_point='d', right_interval=['ds', 'de']", "0.5", "{}, {}", lambda seconds: seconds / 2, "{}"),
    "overlaps": ("left_interval=['n', 'n + id % 90'], right_interval=['at', 'until']", "25", "{}, {}", lambda seconds: seconds, "{}"),
}  # fmt: skip
# What is stated: from, to, longest.
STATED = {
    "as it is": (0, 100_000, None),
    "as it is, and how long": (0, 100_000, 700),
    "far too little": (40_000, 41_000, 60),
    "one value elsewhere": (-9_000_000, -9_000_000, None),
    "far too much": (-50_000_000, 90_000_000, 700),
}
FURTHER = {
    "": "",
    "keys": ", keys=['k']",
    "half open": ", inclusive='left', broadcast='right'",
    "kept": ", join_type='left'",
    "open bounds": ", null_bounds='unbounded', shuffle_hash='left'",
}


def calls():
    """Every statement of every kind of value, each with one of the further arguments."""
    for number, (values, (sides, size, ends, at, length)) in enumerate(OF.items()):
        for case, (stated, (first, last, longest)) in enumerate(STATED.items()):
            further = list(FURTHER)[(number + case) % len(FURTHER)]
            extent = f"extent=[{ends.format(at(first), at(last))}]" + (f", longest={length.format(longest)}" if longest else "")
            yield (values, stated, further), (
                f"left_relation={POINTS!r}, right_relation={INTERVALS!r}, {sides}, select=['l.id as l_id', 'r.id as r_id'], bin_size={size}, {extent}{FURTHER[further]}"
            )


@pytest.fixture(scope="module")
def compiled(project):
    return compile_both(project, dict(calls()))


def test_no_row_depends_on_what_is_stated(spark, compiled):
    wrong = {}
    for case, queries in compiled.items():
        binned, naive = rows_of_both(spark, queries)
        if binned != naive or len(naive) < 100:
            wrong[case] = (len(binned), len(naive))
    assert not wrong


def test_what_is_stated_is_not_looked_for(compiled):
    """By inner joins without open bounds: how far points reach, and, where longest is given, which widths intervals need."""
    for (values, stated, more), (sql, _) in compiled.items():
        gone_by = more not in ("kept", "open bounds")
        assert ("_extent as (" not in sql and "are stated to lie within" in sql) == gone_by, (values, stated, more)
        if gone_by:
            assert ("_used_shifts as (" in sql) == (STATED[stated][2] is None), (values, stated, more)


INPUTS = {"points.sql": table(EVENTS), "versions.sql": table(VERSIONS.format(length="id % 600"))}


def test_a_table_is_made_without_a_look_at_the_data(spark, built):  # noqa: F811
    """But for the types, which a query that knows them is planned in half the time for."""
    call = "{{{{ dbt_range_join.{}(left_relation=ref('points'), left_point='p', right_relation=ref('versions'), right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']{}) }}}}"
    stated = ", bin_size='1 minute', broadcast='right', extent=['2024-01-01', '2024-01-03 07:34:00'], longest='10 minutes'"
    bodies = {"stated": rowless(call.format("binned_range_join", stated)), "plainly": rowless(call.format("naive_range_join", stated))}
    built.write(INPUTS | {f"{name}.sql": body for name, body in bodies.items()})
    log = built.folder / "logs" / "dbt.log"
    said = len(log.read_text())
    built.dbt("run", "--select", "stated", "plainly")
    asked = log.read_text()[said:]
    assert "describe query" in asked and "percentile_approx" not in asked
    folder = built.folder / "target" / "compiled" / "no_bin_size" / "models"
    binned, naive = (query_of((folder / f"{name}.sql").read_text()) for name in bodies)
    assert "typeof(point) = 'timestamp'" in binned and "range_join_types" not in binned and "_extent as (" not in binned and "array(0)" not in binned
    binned, naive = rows_of_both(spark, (binned, naive))
    assert binned == naive and len(naive) > 100_000


def test_a_width_of_another_kind_is_told_of(built):  # noqa: F811
    call = "{{ dbt_range_join.binned_range_join(left_relation=ref('points'), left_point='p', right_relation=ref('versions'), right_interval=['s', 'e'], select=['l.id as l_id'], bin_size=60, extent=[0, 100]) }}"
    built.write(INPUTS | {"of_another_kind.sql": rowless(call)})
    with pytest.raises(DbtFailed) as failure:
        built.dbt("run", "--select", "of_another_kind")
    assert "bin_size: got 60; allowed: '<number> <unit>' for values of type TIMESTAMP" in str(failure.value)
