"""A bin_size so small that a BIGINT can't number its bins: all values beyond share one, so wider bins stand in for it, and dbt says so."""

import re

import pytest

from tests.support.both import bag
from tests.test_measuring import NINES, NONES, TABLE, assert_same, call, compared, plan_of

NANOSECONDS = "1700000000000000000 + id * {} % 20000000"
# name: (point, start, end) of an id, sizes that are too small, the bins that stand in for them, and what a better size looks like.
KINDS = {
    "whole numbers": (NANOSECONDS.format(7919), NANOSECONDS.format(104729), "s + 5 + id % 46", ("0.0001", "1e-9"), "1", r"\d+"),
    "doubles": ("id * 7919 % 20000 / 20000D", "id * 104729 % 19979 / 20000D", "s + 0.00008D", ("1e-20", "1e-25"), "2.0e-19", r"(\d\.0e-0|0\.0)\d+"),
    "decimals": (
        f"cast(-({NANOSECONDS.format(7919)}) - 0.25BD as decimal(21, 2))", f"cast(-({NANOSECONDS.format(104729)}) as decimal(21, 2))",
        "cast(s + 40 as decimal(21, 2))", ("0.0001", "1e-9"), "0.2", r"\d+"),
}  # fmt: skip
CASES = [(kind, size) for kind, (*_, sizes, _, _) in KINDS.items() for size in sizes]
SAID = (
    r"bin_size {size} is too small for a BIGINT to number the bins of these values\. Bins of {wide} stand in for it and make about [\d,.]+ times the work of "
    r"{better} for about [\d,]+ points on the left, (about )?[\d,]+ intervals on the right \(.*\)\. The rows are right all the same\. "
    r"Next step: bin_size={better}, or none at all, and the package chooses"
)


def join(kind, more, macro="binned", body=TABLE):
    """A model of 20,000 points of a kind and 5,000 intervals: of 100,000,000 pairs, if all share a bin."""
    point, start, end = KINDS[kind][:3]
    points = f"select id, {point} as p from range(20000)"
    return body + call(points, f"select id, s, {end} as e from (select id, {start} as s from range(5000))", more, macro)


def warned_of(project, models):
    """The compiled SQL of models that dbt has built, and what it warned of, by model."""
    log = project.folder / "logs" / "dbt.log"
    said = len(log.read_text()) if log.exists() else 0
    sql = project.built(models)
    lines = log.read_text()[said:].split("\n")
    return sql, {name: [line for line in lines if f"{name}: dbt_range_join: bin_size" in line] for name in models}


@pytest.fixture(scope="module")
def built(project):
    models = {f"size_{number}": join(kind, f", bin_size={size}") for number, (kind, size) in enumerate(CASES)}
    models |= {f"plain_{number}": join(kind, "", "naive", "") for number, kind in enumerate(KINDS)}
    return warned_of(project, models)


@pytest.mark.parametrize("number", range(len(CASES)), ids=map(" by ".join, CASES))
def test_wider_bins_stand_in_for_what_a_bigint_cannot_number(spark, built, number):
    kind, size = CASES[number]
    *_, wide, better = KINDS[kind]
    sql, warnings = built
    binned = sql[f"size_{number}"]
    assert plan_of(binned) == f"bins of {wide}, as bin_size {float(size)} is too small for a BIGINT to number the bins of these values"
    (warning,) = warnings[f"size_{number}"]
    assert re.search(SAID.format(size=re.escape(str(float(size))), wide=re.escape(wide), better=better), warning), warning
    assert compared(spark, binned) < 1_000_000
    assert_same(spark, binned, sql[f"plain_{list(KINDS).index(kind)}"])


# name: further arguments of joins of whole numbers, where dbt builds them and where it does not; and whether bins are widened.
STATED = ", extent=[1700000000000000000, 1700000000020000000]"
OTHERWISE = {
    "a view": (", bin_size=0.0001", "", "bins of 1, as"),
    "stated, measured all the same": (", bin_size=0.0001" + STATED, TABLE, "bins of 1, as"),
    "stated, within reach": (", bin_size=0.5" + STATED, TABLE, None),
    "kept": (", bin_size=0.0001, join_type='left'", TABLE, "bins of 1, as"),
}  # fmt: skip


def test_so_they_do_in_other_joins(spark, project):
    models = {f"other_{number}": join("whole numbers", more, body=body) for number, (more, body, _) in enumerate(OTHERWISE.values())}
    models["plain"] = join("whole numbers", "", "naive", "")
    models["plain_kept"] = join("whole numbers", ", join_type='left'", "naive", "")
    for name, macro, more in (("asked", "binned", ", bin_size=0.0001"), ("plain_asked", "naive", "")):
        models[name] = join("whole numbers", f"{more}, join_type='semi'", macro).replace("'l.id as l_id', 'r.id as r_id'", "'l.id as l_id'")
    models["overlaps"] = join("whole numbers", ", bin_size=1e-9").replace("left_point='p'", "left_interval=['p', 'p + 3']")
    models["plain_overlaps"] = join("whole numbers", "", "naive", "").replace("left_point='p'", "left_interval=['p', 'p + 3']")
    sql, warnings = warned_of(project, models)
    expected = {name: bag(spark, sql[name]) for name in ("plain", "plain_kept", "plain_asked", "plain_overlaps")}
    for number, (name, (_, _, begins)) in enumerate(OTHERWISE.items()):
        binned = sql[f"other_{number}"]
        assert (begins is None) == ("-- dbt_range_join: bins" not in binned) == (not warnings[f"other_{number}"]), name
        assert begins is None or plan_of(binned).startswith(begins), name
        assert bag(spark, binned[binned.index("with range_join_left as") :]) == expected["plain_kept" if name == "kept" else "plain"], name
    for name in ("asked", "overlaps"):
        assert plan_of(sql[name]).startswith("bins of 1, as"), name
        assert bag(spark, sql[name]) == expected[f"plain_{name}"], name


def test_what_is_stated_says_so_where_nothing_is_measured(spark, project):
    """As where dbt compiles. But only where all of the extent is out of reach: of one that begins or ends within, most values may lie there."""
    models = {
        "beyond": join("whole numbers", ", bin_size=0.0001" + STATED, body=""),
        "below": join("decimals", ", bin_size=0.0001, extent=[-1700000000020000000, -1700000000000000000], longest=1", body=""),
        "partly": join("doubles", ", bin_size=0.00001, extent=[0, 1e30]", body=""),
        "within": join("doubles", ", bin_size=0.00001, extent=[0, 1]", body=""),
    }
    models |= {f"plain_{number}": join(kind, "", "naive", "") for number, kind in enumerate(KINDS)}
    sql = project.compile(models)
    for name, plain in (("beyond", 0), ("below", 2)):
        assert plan_of(sql[name]) == "bins of 0.2, as bin_size 0.0001 is too small for a BIGINT to number the bins of these values", name
        assert "are stated to lie within" in sql[name] and compared(spark, sql[name]) < 1_000_000
        assert_same(spark, sql[name], sql[f"plain_{plain}"])
    for name in ("partly", "within"):
        assert "-- dbt_range_join: bins" not in sql[name] and ("are stated to lie within" in sql[name]) == (name == "within"), name
        assert compared(spark, sql[name]) < 1_000_000
        assert bag(spark, sql[name]) == bag(spark, sql["plain_1"]), name


# Beside NONES, what is out of reach along with a crowd that is, too, and stays there in bins wide enough for the former.
FAR = {
    "a crowd out of reach, and a number of 38 nines": (
        f"if(id % 500 = 3, {NINES}, cast({NANOSECONDS.format(7919)} as decimal(38, 0)))", f"cast({NANOSECONDS.format(104729)} as decimal(38, 0))",
        f"if(id % 50 = 7, {NINES}, cast(s + 40 as decimal(38, 0)))", "0.0001", "bins of 0.2, as"),
}  # fmt: skip


@pytest.mark.parametrize("built_as", ["table", "view"])
def test_a_few_numbers_out_of_reach_widen_no_bins(spark, project, built_as):
    """In bins that a BIGINT can number up to these, all others would share one."""
    cases = {name: (*values, "5" if "beside" not in name else "1e-15", None) for name, values in NONES.items()} | FAR
    models = {}
    for number, (point, start, end, size, _) in enumerate(cases.values()):
        points, intervals = f"select id, {point} as p from range(6000)", f"select id, s, {end} as e from (select id, {start} as s from range(2000))"
        models[f"far_{number}"] = TABLE.replace("table", built_as) + call(points, intervals, f", bin_size={size}")
        models[f"far_plain_{number}"] = call(points, intervals, macro="naive")
    sql, warnings = warned_of(project, models)
    for number, (name, (*_, begins)) in enumerate(cases.items()):
        binned = sql[f"far_{number}"]
        assert (begins is None) == ("-- dbt_range_join: bins" not in binned) == (not warnings[f"far_{number}"]), (name, warnings[f"far_{number}"])
        assert begins is None or plan_of(binned).startswith(begins), (name, plan_of(binned))
        assert all(float(re.search(r"Next step: bin_size=([\d.e-]+),", line)[1]) < 100_000 for line in warnings[f"far_{number}"]), (name, warnings[f"far_{number}"])
        assert compared(spark, binned) < 300_000, f"{name}: of 12,000,000"
        if built_as == "table" and name in FAR:
            assert_same(spark, binned, sql[f"far_plain_{number}"])


def test_explain_range_join_says_so(project):
    """The width that is told is the one that the join it counts is made with."""
    sides = join("whole numbers", ", bin_size=0.0001", body="").replace("binned_range_join(", "explain_range_join(").replace(" }}", " if execute else '' }}")
    report = project.built({"explained": "/* " + sides + " */ select 1 as x"})["explained"]
    assert "Chosen: bins of 1, as bin_size 0.0001 is too small for a BIGINT to number the bins of these values." in report
    assert int(re.search(r"pairs compared \(levels\).* ([\d,]+)", report)[1].replace(",", "")) < 1_000_000
