"""extent and longest: what the caller states of the data is not looked for, and no row depends on whether it is so."""

import datetime as dt
import re

import pytest

from dev.dbt_runner import DbtFailed
from dev.project import ScratchProject
from tests.support.both import compile_both, rows_of_both
from tests.support.turns import in_turn
from tests.test_no_bin_size import INTERVALS as VERSIONS, POINTS as EVENTS, query_of, rowless, table

START = "timestamp'2024-01-01'"
POINTS = f"(select id, {START} + make_dt_interval(0, 0, 0, id * 37 % 100000) as p, id % 7 as k, id * 37 % 100000 as n, cast(id * 37 % 100000 as decimal(12, 2)) as d from range(3000))"
# A third last some minutes, one in fifty is open, and some lie before or after all points, or end before they start.
LENGTH = "case when id % 50 = 0 then 250000000 when id % 3 = 0 then 700 when id % 31 = 0 then -5 else id % 40 end"
INTERVALS = (
    f"(select id, {START} + make_dt_interval(0, 0, 0, at) as s, {START} + make_dt_interval(0, 0, 0, at + length) as e, id % 7 as k, at, at + length as until, "
    f"cast(at as decimal(12, 2)) as ds, cast(at + length as decimal(12, 2)) as de "
    f"from (select id, id * 613 % 130000 - 15000 as at, {LENGTH} as length from range(400)))"
)


def moment(seconds):
    return dt.datetime(2024, 1, 1) + dt.timedelta(seconds=seconds)


# name: the two sides, bin_size, how an extent and longest are written.
OF = {
    "timestamps": ("left_point='p', right_interval=['s', 'e']", "'1 minute'", "'{}', '{}'", moment, "'{} seconds'"),
    "dates": ("left_point='to_date(p)', right_interval=['to_date(s)', 'to_date(e)']", "'1 day'", "'{:%Y-%m-%d}', '{:%Y-%m-%d}'", moment, "'{} seconds'"),
    "timestamps without a zone": ("left_point='p::timestamp_ntz', right_interval=['s::timestamp_ntz', 'e::timestamp_ntz']", "'1 second'", "'{}', '{}'", moment, "'{} seconds'"),
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
    """Every statement of every kind of value, each with one of the further arguments, and by itself where a spare level is made of it."""
    for number, (values, (sides, size, ends, at, length)) in enumerate(OF.items()):
        for case, (stated, (first, last, longest)) in enumerate(STATED.items()):
            further = list(FURTHER)[(number + case) % len(FURTHER)]
            extent = f"extent=[{ends.format(at(first), at(last))}]" + (f", longest={length.format(longest)}" if longest else "")
            for more in dict.fromkeys(("", further) if stated == "far too much" else (further,)):
                yield (values, stated, more), (
                    f"left_relation={POINTS!r}, right_relation={INTERVALS!r}, {sides}, select=['l.id as l_id', 'r.id as r_id'], bin_size={size}, {extent}{FURTHER[more]}"
                )


@pytest.fixture(scope="module")
def compiled(project):
    return compile_both(project, dict(calls()))


def test_no_row_depends_on_what_is_stated(spark, compiled):
    wrong = {}
    judged = in_turn(OF, STATED, 2)
    for case, queries in compiled.items():
        if case[:2] not in judged:
            continue
        binned, naive = rows_of_both(spark, queries)
        if binned != naive or len(naive) < 100:
            wrong[case] = (len(binned), len(naive))
    assert not wrong


def test_what_is_stated_is_not_looked_for(compiled):
    """By joins without open bounds: how far points reach, and, where longest is given, which widths intervals need, unless points are kept and need several."""
    for (values, stated, more), (sql, _) in compiled.items():
        gone_by = more != "open bounds"
        assert ("_extent as (" not in sql) == ("are stated to lie within" in sql) == gone_by, (values, stated, more)
        assert "_fanned_out as (" not in sql or more == "kept", (values, stated, more)
        if gone_by:
            assert ("_used_shifts as (" in sql) == (STATED[stated][2] is None or "_fanned_out as (" in sql), (values, stated, more)


@pytest.mark.parametrize("longest", [30, None, 3000])
def test_data_may_outgrow_an_extent(spark, project, longest):
    """Nine times as long, as a year's does in eight more: who lies beyond it still meets near neighbours alone, at no more levels."""
    sides = "left_relation='(select id as p from range(18000))', left_point='p', right_relation='(select id as s, id + 3 as e from range(18000))', right_interval=['s', 'e']"
    more = f", bin_size=10, extent=[0, 2000]{f', longest={longest}' if longest else ''}, select=['l.p', 'r.s']"
    sql = project.compile({"outgrown": f"{{{{ dbt_range_join.binned_range_join({sides}{more}) }}}}"})["outgrown"]
    ctes = sql[: sql.index("-- step 2")]
    assert spark.sql(f"{ctes} select * from range_join_left_level_probes").count() == 18_000
    assert spark.sql(f"{ctes} select * from range_join_left_level_probes inner join range_join_right_leveled using (slot)").count() < 25 * 18_000
    assert spark.sql(sql).count() == 4 * 18_000 - 6


@pytest.fixture(scope="module")
def built(spark, scratch):
    """A project of its own whose two inputs are built as tables."""
    project = ScratchProject(scratch / "stated", "stated")
    project.write(INPUTS)
    project.dbt("build")
    return project


INPUTS = {"points.sql": table(EVENTS), "versions.sql": table(VERSIONS.format(length="id % 600"))}


def test_a_table_is_made_without_a_look_at_the_data(spark, built):
    """But for the types, which a query that knows them is planned in half the time for."""
    call = "{{{{ dbt_range_join.{}(left_relation=ref('points'), left_point='p', right_relation=ref('versions'), right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']{}) }}}}"
    stated = ", bin_size='1 minute', broadcast='right', extent=['2024-01-01', '2024-01-03 07:34:00'], longest='10 minutes'"
    bodies = {"stated": rowless(call.format("binned_range_join", stated)), "plainly": rowless(call.format("naive_range_join", stated))}
    built.write(INPUTS | {f"{name}.sql": body for name, body in bodies.items()})
    log = built.folder / "logs" / "dbt.log"
    said = len(log.read_text())
    built.dbt("run", "--select", "stated", "plainly")
    asked = log.read_text()[said:]
    assert asked.count("explain cost") == 1 and "describe query" not in asked and "rand(" not in asked
    folder = built.folder / "target" / "compiled" / "stated" / "models"
    binned, naive = (query_of((folder / f"{name}.sql").read_text()) for name in bodies)
    assert "typeof(point) = 'timestamp'" in binned and "range_join_types" not in binned and "_extent as (" not in binned and "array(0)" not in binned
    binned, naive = rows_of_both(spark, (binned, naive))
    assert binned == naive and len(naive) > 100_000


# What is built as a table, where types are known: what it joins, its further arguments, and how many rows there are or which error.
OF_ODD_TYPES = {
    "text by number": ("'(select * from values (\"5\"), (\"50\"), (\"9\"), (\"10\") as t(p))'", "'(select * from values (\"10\", \"9\"), (\"1\", \"6\") as t(s, e))'",
                       "bin_size=10, extent=[0, 100]", r"of type STRING, and compared as text. Next step: cast it to one of these, such as by cast\(p as double\)"),
    "text by time": ("'(select * from values (\"2024-01-01\") as t(p))'", "'(select * from values (\"2024-01-01\", \"2024-01-02\") as t(s, e))'",
                     "bin_size='1 day', extent=['2024-01-01', '2024-02-01'], longest='2 days'", r"of type STRING, and compared as text. Next step: cast it to one of these, such as by cast\(p as timestamp\)"),
    "NULLs by time": ("'(select null as p)'", "'(select null as s, null as e)'", "bin_size='1 day', extent=['2024-01-01', '2024-02-01']", 0),
    "NULLs by number": ("'(select null as p)'", "'(select null as s, null as e)'", "bin_size=5, extent=[0, 1e6]", 0),
    "numbers, and Decimals out of a query": ("'(select id as p from range(100))'", "'(select id as s, id + 3 as e from range(50))'",
                                             "bin_size=0.5, extent=run_query('select 0.0BD as a, 99.5BD as b').rows[0].values(), longest=3", 200),
    "a time zone's own type": ("'(select timestamp_ntz\"2024-01-01\" + make_dt_interval(0, 0, id) as p from range(100))'", "'(select timestamp_ntz\"2024-01-01\" as s, timestamp_ntz\"2024-01-01 01:00:00\" as e)'",
                               "bin_size='10 minutes', extent=['2024-01-01', '2024-01-01 02:00'], longest='1 hour'", 61),
}  # fmt: skip


@pytest.mark.parametrize("name", OF_ODD_TYPES)
def test_types_that_are_known(spark, built, name):
    left, right, more, outcome = OF_ODD_TYPES[name]
    call = f"{{% if execute %}}{{{{ dbt_range_join.binned_range_join(left_relation={left}, left_point='p', right_relation={right}, right_interval=['s', 'e'], select=['l.p', 'r.s'], {more}) }}}}{{% else %}}select 1 as p{{% endif %}}"
    built.write({"of_odd_types.sql": table(call)})
    if isinstance(outcome, str):
        with pytest.raises(DbtFailed, match=outcome):
            built.dbt("run", "--select", "of_odd_types")
    else:
        built.dbt("run", "--select", "of_odd_types")
        assert spark.table("scratch.of_odd_types").count() == outcome


def test_other_macros_take_them(spark, built):
    """As they take all arguments of the join; the plain join, its test and the profile need no bin_size for it. Nothing is asked where nobody is to ask."""
    sides = "left_relation=ref('points'), left_point='p', right_relation=ref('versions'), right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']"
    stated = "extent=['2024-01-01', '2024-01-03'], longest='10 minutes'"
    reads = "-- depends_on: {{ ref('points') }}, {{ ref('versions') }}\n"
    bodies = {
        "plain": rowless(f"{{{{ dbt_range_join.naive_range_join({sides}, {stated}) }}}}"),
        "profiled": f"{reads}/* {{{{ dbt_range_join.profile_range_join({sides}, {stated}) if execute else '' }}}} */ select 1 as x",
        "explained": f"{reads}/* {{{{ dbt_range_join.explain_range_join({sides}, bin_size='1 minute', {stated}) if execute else '' }}}} */ select 1 as x",
        "unasked": rowless(f"{{{{ dbt_range_join.binned_range_join({sides}, bin_size='1 minute', {stated}) }}}}"),
    }
    built.write(INPUTS | {f"{name}.sql": body for name, body in bodies.items()})
    built.dbt("run", "--exclude", "unasked")
    log = built.folder / "logs" / "dbt.log"
    said = len(log.read_text())
    built.dbt("run", "--select", "unasked", "--vars", "range_join_check_bin_size: false")
    asked = log.read_text()[said:]
    assert "describe query" not in asked and "explain cost" not in asked
    folder = built.folder / "target" / "compiled" / "stated" / "models"
    made = {name: (folder / f"{name}.sql").read_text() for name in bodies}
    assert "bin_num" not in made["plain"] and "are stated to lie within" in made["unasked"]
    assert "Profile of a range join" in made["profiled"] and re.search(r"\nrows +[\d,]+ +[\d,]+", made["profiled"])
    rows = int(re.search(r"rows of the result +([\d,]+)", made["explained"])[1].replace(",", ""))
    assert rows == spark.sql(query_of(made["plain"])).count() == spark.sql(query_of(made["unasked"])).count() > 0


def test_what_is_measured_is_not_said_to_be_stated(built):
    """Found in review: a semi join by a broadcast of few rows goes by what is measured, as a sweep, which it would be, asks for neither."""
    call = (
        "{{ dbt_range_join.binned_range_join(left_relation=ref('points'), left_point='p', right_relation=ref('versions'), right_interval=['s', 'e'], "
        "join_type='semi', select=['l.id'], bin_size='1 minute', extent=['2020-01-01', '2020-01-02'], longest='10 minutes') }}"
    )
    built.write(INPUTS | {"few_versions.sql": table(call)})
    built.dbt("run", "--select", "few_versions")
    sql = (built.folder / "target" / "compiled" / "stated" / "models" / "few_versions.sql").read_text()
    assert "-- points were measured to lie within these bins" in sql


def test_a_width_of_another_kind_is_told_of(built):
    call = "{{ dbt_range_join.binned_range_join(left_relation=ref('points'), left_point='p', right_relation=ref('versions'), right_interval=['s', 'e'], select=['l.id as l_id'], bin_size=60, extent=[0, 100]) }}"
    built.write(INPUTS | {"of_another_kind.sql": rowless(call)})
    with pytest.raises(DbtFailed) as failure:
        built.dbt("run", "--select", "of_another_kind")
    assert "bin_size: got 60; allowed: '<number> <unit>' for values of type TIMESTAMP" in str(failure.value)
