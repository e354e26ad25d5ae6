"""bin_size left out: the data is measured and a plan chosen, wherever dbt compiles the join, and the rows stay the same."""

import functools
import itertools
import re

import pytest

from dev.dbt_runner import DbtFailed, run_dbt
from dev.project import ScratchProject
from tests.support.both import bag
from tests.support.turns import in_turn

POINTS = "select id, timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 7 % 200000) as p, id % 50 as k from range(60000)"
INTERVALS = (
    "select id, timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 11 % 200000) as s, "
    "timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 11 % 200000 + {length}) as e, id % 50 as k from range(4000)"
)
CALL = "left_relation={left}, left_point='p', right_relation={right}, right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']{more}"
MODEL = "-- depends_on: {{{{ ref('points') }}}}, {{{{ ref('versions') }}}}\n{before}{{{{ dbt_range_join.{macro}(" + CALL + ") }}}}"


def model(left="ref('points')", right="ref('versions')", more="", before="", macro="binned_range_join"):
    """A model's body: one join."""
    return MODEL.format(left=left, right=right, more=more, before=before, macro=macro)


@pytest.fixture(scope="module")
def built(spark, scratch):
    """A project of its own whose two inputs are built as tables."""
    project = ScratchProject(scratch / "no_bin_size", "no_bin_size")
    project.write({"points.sql": table(POINTS), "versions.sql": table(INTERVALS.format(length="id % 600"))})
    project.dbt("build")
    return project


def table(sql):
    """A model that is a table."""
    return "{{ config(materialized='table') }}\n" + sql


def rowless(sql):
    """
    A model that dbt measures and plans as any table, and makes in no time, as it has no rows. query_of() gives the query within it. The plain join, which is the same
    wherever it is, stays as it is: a view takes less than a table.
    """
    return sql if "naive_range_join(" in sql else table(f"select * from (\n{sql}\n) limit 0")


def query_of(sql):
    """What a rowless model's compiled SQL selects from."""
    return sql[sql.index("select * from (\n") + 16 : sql.rindex("\n) limit 0")] if "\n) limit 0" in sql else sql


def compiled(project, bodies, *command):
    """The SQL of models that stand beside the two inputs, as `dbt compile` makes it or another command."""
    inputs = {name: (project.folder / "models" / name).read_text() for name in ("points.sql", "versions.sql")}
    project.write({**inputs, **{f"{name}.sql": body for name, body in bodies.items()}})
    project.dbt(*(command or ["compile"]))
    folder = project.folder / "target" / "compiled" / "no_bin_size" / "models"
    return {name: (folder / f"{name}.sql").read_text() for name in bodies}


def of_few_points(query):
    """The query over each tenth point: a plain join of all is one of 240 million pairs, which takes seconds."""
    few, places = re.subn(r"(?<=from )(\S*points\S*) as l$", r"(select * from \1 where id % 10 = 3) as l", query, flags=re.MULTILINE)
    assert places == 1, query
    return few


def test_the_plan_is_said_and_the_rows_are_the_same(spark, built):
    bodies = {}
    for number, more in enumerate(("", ", join_type='left'", ", keys=['k'], join_type='full'", ", join_type='right'")):
        bodies[f"binned_{number}"] = model(more=more)
        bodies[f"naive_{number}"] = model(more=more, macro="naive_range_join")
    sql = compiled(built, bodies)
    log = (built.folder / "logs" / "dbt.log").read_text()
    for number in range(4):
        first = sql[f"binned_{number}"].lstrip().split("\n")[1]
        assert first.startswith("-- dbt_range_join: bins of "), first
        assert re.search(r"about (5[89]|6[012]),000 points on the left, 4,000 intervals on the right \(half up to 4\.", first), first
        assert f"binned_{number}: {first[3:]}" in log
        found, expected = (bag(spark, of_few_points(sql[f"{macro}_{number}"])) for macro in ("binned", "naive"))
        assert found == expected and found[0] > 4000


def test_a_table_takes_points_to_lie_where_they_were_measured(spark, built):
    """Of joins that dbt makes tables of, the extent of the points is in the SQL, and no job looks for it.

    Rows beyond it, which no sample saw, still match. Joins that may meet other data, or would have many meet at an edge, look.
    """
    overlap = "left_relation=ref('versions'), left_interval=['s', 'e'], right_relation=ref('versions'), right_interval=['s', 'e'], "
    overlap += "select=['l.id as l_id', 'r.id as r_id']"
    joins = {"points": "", "keys": ", keys=['k']", "a_condition": ", join_condition='l.id % 3 = r.id % 3'", "a_size": ", bin_size='1 minute'"}
    bodies = {name: {macro: model(more=more, macro=macro) for macro in ("binned_range_join", "naive_range_join")} for name, more in joins.items()}
    bodies["overlap"] = {macro: f"{{{{ dbt_range_join.{macro}({overlap}) }}}}" for macro in ("binned_range_join", "naive_range_join")}
    days = "\"(select id, k, cast(p as date) as p from \" ~ ref('points') ~ \")\""
    looking = {
        "a_view": model(), "by_day": rowless(model(left=days)),
        "open_bounds": rowless(model(more=", null_bounds='unbounded'")), "hooked": "{{ config(pre_hook='select 1') }}" + rowless(model()),
    }  # fmt: skip
    tables = {f"table_of_{name}": rowless(of["binned_range_join"]) for name, of in bodies.items()}
    sql = compiled(built, {**tables, **looking, **{f"naive_{name}": of["naive_range_join"] for name, of in bodies.items()}})
    for name in tables:
        assert "_extent as (" in sql[name] and "were measured to lie within these bins" not in sql[name], f"{name}, compiled to be run who knows when"
    built.dbt("run", "--select", *tables, *looking)
    folder = built.folder / "target" / "compiled" / "no_bin_size" / "models"
    for name in looking:
        ran = (folder / f"{name}.sql").read_text()
        assert "_extent as (" in ran and "were measured to lie within these bins" not in ran, name
        assert "_used_shifts as (" in ran and ("range_join_types as (" in ran) == (name != "open_bounds"), name

    plain = functools.cache(lambda query: bag(spark, query))  # some joins have the same one
    for name in bodies:
        binned, naive = query_of((folder / f"table_of_{name}.sql").read_text()), sql[f"naive_{name}"]
        assert "_extent as (" not in binned and "were measured to lie within these bins" in binned, name
        assert "_used_shifts as (" not in binned and "range_join_types as (" not in binned, name
        binned, naive = grown(binned, naive)
        assert bag(spark, binned) == plain(naive) and plain(naive)[0] > 200, name


# Intervals of which all, half or, of a million, half start where no point is.
FAR = "\"(select id, s + make_dt_interval({days}) as s, e + make_dt_interval({days}) as e, k from \" ~ ref('versions') ~ \")\""
MANY_FAR = "\"(select id, id % 50 as k, s, s + interval '9' second as e from (select id, timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 11 % 400000) as s from range(1000000)))\""
STARTING_FAR = {
    "all": (FAR.format(days="9"), ""),
    "half, all rows kept": (FAR.format(days="cast(id % 2 * 9 as int)"), ", join_type='full', keys=['k']"),
    "half, intervals kept": (FAR.format(days="cast(id % 2 * -9 as int)"), ", join_type='right'"),
    "half of many": (MANY_FAR, ""),
}


def test_intervals_beyond_the_points_are_left_out_where_they_are_many(spark, built):
    """Some are in the bins at the edges, with what the sample missed. To leave them out takes the query longer: joins of 0.05 to 0.8 million rows up to four times as long."""
    macros = ("binned_range_join", "naive_range_join")
    bodies = {
        f"far_{number}_{macro}": rowless(model(right=right, more=more, macro=macro)) for number, (right, more) in enumerate(STARTING_FAR.values()) for macro in macros
    }
    ran = compiled(built, bodies, "run", "--select", *bodies)
    for number, name in enumerate(STARTING_FAR):
        binned, naive = (query_of(ran[f"far_{number}_{macro}"]) for macro in macros)
        looks = name == "half of many"
        assert ("_extent as (" in binned, "were measured to lie within these bins" in binned) == (looks, not looks), f"{name}: {binned}"
        if not looks:
            binned, naive = grown(binned, naive)
            expected = bag(spark, naive)
            assert bag(spark, binned) == expected and expected[0] > 200, name


BEYOND = {
    "points": "select id, p + {day} as p, k from {table} where id < 200 union all select -1, null, 1 union all select -2, timestamp'9999-12-31', 2",
    "versions": "select id, s + {day} as s, e + {day} as e, k from {table} where id < 200 union all "
    "select -1, timestamp'0001-01-01', timestamp'9999-12-31', 2 union all select -2, null, timestamp'2030-01-01', 1 union all select -3, null, null, 3",
}


def grown(binned, naive):
    """Two queries of one join, whose inputs have more rows on both sides of those that were measured, and NULLs, and a tenth of the points that were."""
    for table_name, more in BEYOND.items():
        for alias in ("l", "r"):
            given = re.search(rf"(?<=from )(.*{table_name}.*) as {alias}$", naive, re.MULTILINE)
            if given is not None:
                rows = " union all ".join(f"select * from ({more.format(table=given[1], day=f'make_dt_interval({days})')})" for days in (-400, 400))
                few = " where id % 10 = 1" if table_name == "points" else ""
                rows = f"(select * from (select * from {given[1]}{few}) union all {rows}) as {alias}"
                binned, naive = binned.replace(given[0], rows), naive.replace(given[0], rows)
    assert "9999-12-31" in binned
    return binned, naive


IF = ", join_condition='l.id % 3 = r.id % 3'"
# A join that keeps rows: its further arguments, and which looks are left in a table of it: at how long intervals are ("shifts"), at types ("types").
KEEPING = {
    "a point at the one level": (", join_type='left', bin_size='1 minute'", ()),
    "a point at the one level, with keys": (", join_type='left', bin_size='1 hour', keys=['k']", ()),
    "a point at the one level, with a condition": (", join_type='left', bin_size='1 minute'" + IF, ()),
    "a point where points are, with keys": (", join_type='left', bin_size='1 second', keys=['k']", ("shifts",)),
    "a point that no level has, with a condition": (", join_type='left', bin_size='2 seconds'" + IF, ("shifts", "types")),
    "an interval": (", join_type='right'", ("shifts",)),
    "an interval, with keys and a condition": (", join_type='right', bin_size='10 minutes', keys=['k']" + IF, ("shifts",)),
    "both": (", join_type='full', bin_size='1 minute'", ("types",)),
    "both, with a condition": (", join_type='full', bin_size='2 seconds'" + IF, ("shifts", "types")),
    "some": (", join_type='semi', bin_size='2 seconds'" + IF, ("shifts",)),
    "none": (", join_type='anti', bin_size='1 second'" + IF, ("shifts",)),
    "an interval of two": (", join_type='left', of='two'", ("types",)),
    "both of two, with a condition": (", join_type='full', of='two'" + IF, ("shifts", "types")),
    "none of two": (", join_type='anti', of='two'" + IF, ("shifts",)),
}  # fmt: skip


def test_joins_that_keep_rows_go_by_what_was_measured(spark, built):
    """As inner ones do, and what was not measured still matches, or is kept: rows beyond the others, and NULLs."""
    bodies = {}
    for number, (more, _) in enumerate(KEEPING.values()):
        points, versions = (f"\"(select * from \" ~ ref('{name}') ~ \" where id % {part} = 1)\"" for name, part in (("points", 20), ("versions", 4)))
        of_two = ", of='two'" in more
        call = CALL.format(left=versions if of_two else points, right="\"(select * from \" ~ ref('versions') ~ \")\"", more=more.replace(", of='two'", ""))
        call = call.replace("left_point='p'", "left_interval=['s', 'e']") if of_two else call
        call = call.replace(", 'r.id as r_id'", "") if "'semi'" in more or "'anti'" in more else call
        for macro in ("binned_range_join", "naive_range_join"):
            bodies[f"{macro.removesuffix('_range_join')}_{number}"] = rowless(f"{{{{ dbt_range_join.{macro}({call}) }}}}")
    ran = compiled(built, bodies, "run", "--select", *bodies)
    for number, (name, (_, looks)) in enumerate(KEEPING.items()):
        binned, naive = query_of(ran[f"binned_{number}"]), query_of(ran[f"naive_{number}"])
        assert "_extent as (" not in binned and "were measured to lie within these bins" in binned, f"{name}: {binned}"
        assert (("shifts",) if "_used_shifts as (" in binned else ()) + (("types",) if "range_join_types as (" in binned else ()) == looks, f"{name}: {binned}"
        binned, naive = grown(binned, naive)
        assert bag(spark, binned) == bag(spark, naive), name


def test_points_are_kept_at_the_level_that_was_estimated(spark, built):
    """Intervals of 3,600 bins are all at a wider level, with 15 copies each. Without a condition fan_out makes fewer, and is what hints were chosen for."""
    hours = "\"(select id, s, s + interval '1' hour as e, k from \" ~ ref('versions') ~ \")\""
    points = "\"(select * from \" ~ ref('points') ~ \" where id % 20 = 1)\""
    bodies = {}
    for name, more in {"kept": ", join_type='left'", "kept_if": ", join_type='left'" + IF}.items():
        bodies[name] = rowless(model(left=points, right=hours, more=f", bin_size='1 second'{more}"))
        bodies[f"naive_{name}"] = rowless(model(left=points, right=hours, more=more, macro="naive_range_join"))
    ran = {name: query_of(sql) for name, sql in compiled(built, bodies, "run", "--select", *bodies).items()}
    for name, joined in (("kept", "_fanned_out as ("), ("kept_if", "_leveled as (")):
        assert joined in ran[name] and ran[name].count("left join") == 1, ran[name]
        assert "were measured to lie within these bins" in ran[name], ran[name]
        assert bag(spark, ran[name]) == bag(spark, ran[f"naive_{name}"]), name


UNEVEN = {
    # Half of the points and a quarter of the intervals lie in 24 spots: each of 2 % of the points, in 1/7500 of the range.
    "hot spots": (
        "left_point='p'",
        "select id, cast(if(id % 2 = 0, id div 2 % 24 * 5000000 + id * 7919 % 20000, id * 104729 % 150000000) as bigint) as p from range(60000)",
        "select id, s, s + id * 7 % 400 as e from (select id, "
        "cast(if(id % 4 = 0, id div 4 % 24 * 5000000 + id * 4799 % 20000, id * 611953 % 150000000) as bigint) as s from range(4000))",
        (0.5, 1.5),
    ),
    "dates of a month": (
        "left_point='p'",
        "select id, date'2024-01-01' + cast(id * 7919 % 30 as int) as p from range(60000)",
        "select id, s, s + cast(id % 3 as int) as e from (select id, date'2024-01-01' + cast(id * 4799 % 30 as int) as s from range(4000))",
        (0.9, 1.1),
    ),
    "dates of a month, with ends that are the next start": (
        "left_point='p', inclusive='left'",
        "select id, date'2024-01-01' + cast(id * 7919 % 30 as int) as p from range(60000)",
        "select id, s, s + 1 as e from (select id, date'2024-01-01' + cast(id * 4799 % 30 as int) as s from range(4000))",
        (0.9, 1.1),
    ),
    "overlapping dates of a month": (
        "left_interval=['s', 'e']",
        "select id, s, s + cast(id % 2 as int) as e from (select id, date'2024-01-01' + cast(id * 7919 % 30 as int) as s from range(9000))",
        "select id, s, s + cast(id % 3 as int) as e from (select id, date'2024-01-01' + cast(id * 4799 % 30 as int) as s from range(8000))",
        (0.8, 1.2),
    ),
    "all points at one value": (
        "left_point='p'",
        "select id, 5000000 as p from range(60000)",
        "select id, s, s + 20000 as e from (select id, id * 611953 % 10000000 as s from range(4000))",
        (0.7, 1.3),
    ),
    "two crowds of points, and intervals from far before them": (
        "left_point='p'",
        "select id, if(id % 2 = 0, 700000, 777777) as p from range(60000)",
        "select id, 600000 as s, if(id % 4 = 0, 710000, 800000) as e from range(4000)",
        (0.9, 1.1),
    ),
    "points later than the last start": (
        "left_point='p'",
        "select id, 10050000 + id * 104729 % 100000 as p from range(60000)",
        "select id, s, s + id % 100 * 10000 as e from (select id, id * 611953 % 10000000 as s from range(4000))",
        (0.8, 1.2),
    ),
    "points between starts that many intervals share": (
        "left_point='p'",
        "select id, 3100000 + id * 104729 % 100000 as p from range(60000)",
        "select id, s, s + id % 250 * 1000 as e from (select id, id * 7919 % 40 * 250000 as s from range(4000))",
        (0.6, 1.4),
    ),
    "rows made with the seeds of a sampler": (
        "left_point='p'",
        "select id, cast(rand(1) * 10000000 as bigint) as p from range(0, 60000, 1, 1)",
        "select id, s, s + 20000 as e from (select id, 5000000 + id * 611953 % 5000000 as s from range(4000))",
        (0.9, 1.1),
    ),
    "a load of 3 % of the starts at once": (
        "left_point='p'",
        "select id, id * 104729 % 10000000 as p from range(60000)",
        "select id, s, s + 3000 as e from (select id, if(id % 33 = 0, 5000000 + id % 7, id * 611953 % 10000000) as s from range(4000))",
        (0.85, 1.15),
    ),
    "a value far from all others": (
        "left_point='p'",
        "select id, if(id % 1000 = 7, 9223372036854775807, id * 104729 % 10000000) as p from range(60000)",
        "select id, s, s + 3000 as e from (select id, id * 611953 % 10000000 as s from range(4000))",
        (0.85, 1.15),
    ),
    "the same rows on both sides, 3 % of them at once": (
        "left_point='p'",
        "select id, if(id % 33 = 0, 5000000 + id % 7, id * 611953 % 10000000) as p from range(9000)",
        "select id, p as s, p + 2000 as e from (select id, if(id % 33 = 0, 5000000 + id % 7, id * 611953 % 10000000) as p from range(9000))",
        (0.7, 1.3),
    ),
    "a third open, begun anywhere": (
        "left_point='p', null_bounds='unbounded'",
        "select id, id * 104729 % 10000000 as p from range(60000)",
        "select id, s, if(id % 3 = 0, null, s + 200) as e from (select id, id * 611953 % 10000000 as s from range(4000))",
        (0.9, 1.1),
    ),
    "half at one value": (
        "left_point='p'",
        "select id, if(id % 2 = 0, 777777, id * 104729 % 10000000) as p from range(60000)",
        "select id, s, s + id % 200 as e from (select id, if(id % 4 = 0, 777700, id * 611953 % 10000000) as s from range(4000))",
        (0.7, 1.3),
    ),
    # As if lengths had nothing to do with keys there would be fifty times as many pairs.
    "a key that changes often, and others that seldom do": (
        "left_point='p', keys=['k']",
        "select id, if(id % 2 = 0, 0, id div 2 % 200 + 1) as k, id * 104729 % 10000000 as p from range(60000)",
        "select id, if(id < 2000, 0, id % 200 + 1) as k, s, s + if(id < 2000, 4999, 999999) as e "
        "from (select id, if(id < 2000, id * 5000, (id - 2000) div 200 * 1000000) as s from range(4000))",
        (0.6, 2),
    ),
    # Each fourth row is of another key, and all rows are looked at.
    "keys that go round in turn, one with intervals a hundred times as long": (
        "left_point='p', keys=['k']",
        "select id, id % 4 as k, id * 7919 % 1000000 as p from range(9000)",
        "select id, k, s, s + if(k = 0, 4000, 40) as e from (select id, id % 4 as k, id * 104729 % 1000000 as s from range(4000))",
        (0.5, 2),
    ),
    "each other row of other keys, on both sides": (
        "left_point='p', keys=['k']",
        "select id, id % 4 as k, id * 7919 % 1000000 as p from range(9000)",
        "select id, id % 4 as k, s, s + 400 as e from (select id, id * 104729 % 1000000 as s from range(9000))",
        (0.7, 1.4),
    ),
    "points and intervals of no length at one value, ends exclusive": (
        "left_point='p', inclusive='left'",
        "select id, timestamp_seconds(1700000000 + if(id % 10 < 3, 100000, pmod(id * 7919, 200000))) as p from range(60000)",
        "select id, timestamp_seconds(1700000000 + s) as s, timestamp_seconds(1700000000 + s + if(id % 10 < 3, 0, id % 600)) as e "
        "from (select id, if(id % 10 < 3, 100000, pmod(id * 104729, 200000)) as s from range(20000))", (0.8, 1.25)),
}


LEVELS = {
    "none but the first": ("id % 100 + 1", ", bin_size='1 minute'", "where point is not null", [0]),
    "several": ("if(id % 20 = 0, id * 10, 1)", ", bin_size='1 second'", "when half_span < 32 then 0", [0, 8, 12]),
    "several, with keys": ("if(id % 20 = 0, id * 10, 1)", ", bin_size='1 second', keys=['k']", "array(0, 8, 12)", [0, 8, 12]),
    "none as short as the first": ("40000", ", bin_size='1 second'", "sequence(shiftright(first_bin, 12), shiftright(last_bin, 12))", [12]),
    "just what the third is for": ("3600", ", bin_size='10 seconds'", "sequence(shiftright(first_bin, 8), shiftright(last_bin, 8))", [8]),
    "more bins than a long one may have copies in": ("1", ", bin_size='1 second', shuffle_hash='right'", "when half_span < 8192 then 0", [0, 4]),
    "as many, broadcast": ("1", ", bin_size='1 second', broadcast='right'", "when half_span < 8192 then 0", [0, 4]),
}  # fmt: skip


def test_a_table_takes_intervals_to_be_as_long_as_they_were_measured(spark, built):
    """Levels that the sample has are in the SQL, and where an interval that it missed could make too many rows, a spare one.

    One that is longer than all of these serve still matches, and makes no more than some 16,384 rows.
    """
    bodies = {}
    for number, (length, more, _, _) in enumerate(LEVELS.values()):
        right = f"\"(select id, s, s + make_dt_interval(0, 0, 0, {length}) as e, k from \" ~ ref('versions') ~ \" where id % 10 = 0)\""
        bodies[f"leveled_{number}"] = rowless(model(right=right, more=more))
        bodies[f"naive_{number}"] = rowless(model(right=right, more=re.sub("(bin_size|broadcast|shuffle_hash)='[^']*',? ?", "", more), macro="naive_range_join"))
    ran = {name: query_of(sql) for name, sql in compiled(built, bodies, "run", "--select", *bodies).items()}
    for number, (name, (_, _, expected, levels)) in enumerate(LEVELS.items()):
        leveled, naive = ran[f"leveled_{number}"], ran[f"naive_{number}"]
        assert expected in leveled, f"{name}: {leveled}"
        assert "_used_shifts as (" not in leveled, name
        longest = "select -id as id, timestamp'1900-01-01' as s, timestamp'9999-12-31' as e, id as k from range(1, 4)"
        with_longest = [re.sub(r"\(select (.*)\) as r\b", rf"(select \1 union all {longest}) as r", sql) for sql in (leveled, naive)]
        assert bag(spark, with_longest[0]) == bag(spark, with_longest[1]), name
        assert with_longest[0].count(longest) == with_longest[1].count(longest) == 1, name
        ctes = with_longest[0][: with_longest[0].index("-- step 2")]
        assert 3 < spark.sql(f"{ctes} select * from range_join_right_leveled where r.id < 0").count() <= 3 * 16385, name
        shifts = spark.sql(f"{ctes} select distinct {'0' if len(levels) == 1 else 'shiftrightunsigned(slot, 58)'} as shift from range_join_left_level_probes")
        assert "keys" in name or len(levels) == 1 or sorted(row[0] for row in shifts.collect()) == levels, name


BORDERING = "select id, s, s + make_dt_interval(0, 0, 0, if(id % 100 = 0, 100000, 315)) as e, k from ({})"
MANY_INTERVALS = INTERVALS.format(length="0").replace("range(4000)", "range(20000)")


def test_an_interval_goes_to_no_level_much_wider_than_it_needs(spark, built):
    """Of 31.5 bins, some have a half span that fan_out_shift takes for more than 32; where the next level is 4,096 times as wide they stay.

    One in two hundred that is short is at the first level, far below what the others need. Where so few intervals can match that a sample says little of
    them, the query looks.
    """
    mostly_null = MANY_INTERVALS.replace("timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 11 % 200000 + 0)", "if(id % 100 = 0, timestamp'2025-01-01', null)")
    bodies = {"bordering": model(right=f'"({BORDERING.format(MANY_INTERVALS)})"', more=", bin_size='10 seconds', shuffle_hash='right'")}
    bodies["few_short"] = bodies["bordering"].replace("id % 100 = 0, 100000, 315", "id % 200 = 0, 1, 6000")
    bodies["mostly_null"] = model(right=f'"({mostly_null})"', more=", bin_size='10 minutes'")
    ran = compiled(built, {name: rowless(body) for name, body in bodies.items()}, "run", "--select", *bodies)
    ran = {name: query_of(sql) for name, sql in ran.items()}
    assert "_used_shifts as (" in ran["mostly_null"] and "measured to lie" in ran["mostly_null"], ran["mostly_null"]
    for name, levels in (("bordering", "array(0, 12)"), ("few_short", "array(0, 8)")):
        assert levels in ran[name], ran[name]
        ctes = ran[name][: ran[name].index("-- step 2")]
        candidates = spark.sql(f"{ctes} select * from range_join_left_level_probes inner join range_join_right_leveled using (slot)").count()
        assert candidates < 2 * spark.sql(ran[name]).count(), name


def test_a_type_that_changed_since_it_was_measured_is_told(spark, built):
    keyed = rowless(model(more=", keys=['k']"))
    ran = compiled(built, {"typed": rowless(model()), "keyed": keyed}, "run", "--select", "typed", "keyed")
    for name, column, was, now in (("typed", "p", "timestamp", "timestamp_ntz"), ("keyed", "p", "timestamp", "date"), ("keyed", "k", "bigint", "string")):
        query = query_of(ran[name])
        assert "range_join_types as (" not in query
        points = re.search(r"from (\S+) as l\b", query)
        changed = query.replace(points[0], f"from (select * except ({column}), cast({column} as {now}) as {column} from {points[1]}) as l")
        with pytest.raises(Exception, match=f"a value was of type {was} when compiled, and is not now: build the model again"):
            spark.sql(changed).collect()


# Lengths of the left and of the right, in seconds; seconds from one start to the next, of both; more arguments; and whether one join is the better way.
ONCE = {
    "few bins": ("20", "100", (49, 21.7), ", bin_size='1 minute'", True),
    "few bins, keys": ("20", "100", (49, 21.7), ", bin_size='1 minute', keys=['k']", True),
    "few bins, a condition, ends exclusive": ("20", "60", (49, 21.7), ", bin_size='1 minute', inclusive='neither', join_condition='l.id <> r.id'", True),
    "few bins of one side": ("1", "1000", (49, 21.7), ", bin_size='1 minute'", True),
    "bins that are chosen": ("id % 40", "300 + id % 40", (49, 21.7), "", True),
    "long ones are few": ("if(id % 50 = 0, 580, 1)", "if(id % 50 = 0, 580, 1)", (49, 21.7), ", bin_size='20 seconds'", True),
    "long ones are few, but of one key and dense": ("if(id % 50 = 0, 580, 1)", "if(id % 50 = 0, 580, 1)", (2, 0.888), ", bin_size='20 seconds', keys=['k']", True),
    "long ones are some, of a few keys and dense": ("if(id % 10 = 0, 580, 1)", "if(id % 10 = 0, 580, 1)", (0.2, 0.0888), ", bin_size='20 seconds', keys=['k']", False),
    "one wider level for all": ("3000", "3600", (49, 21.7), ", bin_size='10 seconds'", True),
    "as many bins, but not wide ones": ("250", "250", (49, 21.7), ", bin_size='10 seconds'", False),
    "levels that differ": ("20", "if(id % 20 = 0, 40000, 1)", (49, 21.7), ", bin_size='10 seconds'", False),
}  # fmt: skip


def test_intervals_that_touch_few_bins_meet_in_one_join(spark, built):
    """Where lengths were measured; and intervals that are longer, inverted, beyond all others or have no bound still match as they should."""
    bodies = {}
    for number, (left, right, steps, more, _) in enumerate(ONCE.values()):
        sides = [
            INTERVALS.format(length=f"({length})").replace("id * 11", f"id * {step}").replace("4000", rows)
            for length, step, rows in zip((left, right), steps, ("4000", "9000"))
        ]
        call = "left_relation=\"({})\", left_interval=['s', 'e'], right_relation=\"({})\", right_interval=['s', 'e']".format(*sides)
        for macro in ("binned", "naive"):
            of_macro = more if macro == "binned" else re.sub(", bin_size='[^']*'", "", more)
            body = f"{{{{ dbt_range_join.{macro}_range_join({call}, select=['l.id as l_id', 'r.id as r_id']{of_macro}) }}}}"
            bodies[f"{macro}_once_{number}"] = rowless(body)
    ran = {name: query_of(sql) for name, sql in compiled(built, bodies, "run", "--select", *bodies).items()}
    others = (
        "select * from values (-1, timestamp'1900-01-01', timestamp'9999-12-31', 1), (-2, timestamp'2024-01-02', timestamp'2024-01-01 23:00:00', 1), "
        "(-3, timestamp'1950-01-01', timestamp'1950-01-02', 1), (-4, timestamp'2024-01-01 12:00:00', null, 1), (-5, null, timestamp'2024-01-01', 1), "
        "(-6, timestamp'2024-01-01 05:00:00', timestamp'2024-01-01 22:00:00', 1), (-7, timestamp'9990-01-01', timestamp'9995-01-01', 1)"
    )
    for number, (name, (*_, is_once)) in enumerate(ONCE.items()):
        binned, naive = ran[f"binned_once_{number}"], ran[f"naive_once_{number}"]
        assert ("left_copies.is_first or right_copies.is_first" in binned, "union all" in binned) == (is_once, not is_once), f"{name}: {binned}"
        with_others = [re.sub(r"\(select (.*)\) as ([lr])\b", rf"(select \1 union all {others}) as \2", sql) for sql in (binned, naive)]
        assert all(sql.count("'1950-01-01'") == 2 for sql in with_others), name
        assert bag(spark, with_others[0]) == bag(spark, with_others[1]), name
        if is_once:
            longest = spark.sql(with_others[0].split("-- step 2")[0] + " select * from range_join_left_copies where l.id = -1").count()
            assert 1 < longest <= 16385, name
        expected = re.search(r"([\d,]+) pairs compared", binned)  # said where the size is chosen
        if expected and is_once:
            copies = binned.split("-- step 2")[0]
            met = spark.sql(f"{copies} select * from range_join_left_copies join range_join_right_copies using (slot)").count()
            assert 0.5 < int(expected[1].replace(",", "")) / met < 2, f"{name}: {expected[0]}, {met}"


def test_a_width_is_chosen_for_one_join(built):
    """Lengths over nine orders of magnitude: at the width that is best for two meetings, one join compares more than it saves; at a wider one it is best of all."""
    start, length = "timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 13{})", "pow(10, id * 7919 % 900 / 100.0 - 6)"
    side = f"(select id, {start.format('')} as s, {start.format(' + ' + length)} as e from range(200000))"
    call = f"left_relation=\"{side}\", left_interval=['s', 'e'], right_relation=\"{side}\", right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']"
    sql = compiled(built, {"for_one_join": rowless("{{ dbt_range_join.binned_range_join(" + call + ") }}")}, "run", "--select", "for_one_join")["for_one_join"]
    assert "left_copies.is_first or right_copies.is_first" in sql, sql


def test_bins_are_as_wide_as_spares_a_look_where_that_costs_less(built):
    """
    Narrower bins would compare fewer pairs, but have points look at one more level: in a crowd they save more than that takes. Where points are many, and where dbt builds
    a view, the query looks how long intervals are.
    """
    spread = "pmod(id * 7919 * 7919, 40000000)"
    crowd = "if(id % 2 = 0, 20000000 + id * 7919 % 20000, pmod(id * 7919 * 7919, 40000000))"
    bodies = {}
    for name, place, kind, times in (("spread", spread, "table", 1), ("crowd", crowd, "table", 1), ("viewed", spread, "view", 1), ("many", spread, "table", 20)):
        points = f"(select id, {place} as p from range({times * 100000}))"
        intervals = f"(select id, s, s + id % 100 as e from (select id, {place} as s from range(3000000, {3000000 + times * 60000})))"
        call = f"left_relation='{points}', left_point='p', right_relation='{intervals}', right_interval=['s', 'e'], shuffle_hash='right', select=['l.id as l_id', 'r.id as r_id']"
        bodies[f"looks_{name}"] = rowless("{{ dbt_range_join.binned_range_join(" + call + ") }}").replace("'table'", f"'{kind}'")
    ran = compiled(built, bodies, "run", "--select", *bodies)
    widths = {name: int(re.search(r"-- dbt_range_join: bins of (\d+),", ran[f"looks_{name}"])[1]) for name in ("spread", "crowd", "viewed", "many")}
    looks = {name: "_used_shifts as (" in ran[f"looks_{name}"] for name in widths}
    assert looks == {"spread": False, "crowd": False, "viewed": True, "many": True}, (widths, looks)
    spare = {name: "half_span < 8192" in ran[f"looks_{name}"] for name in widths}
    assert spare == {"spread": False, "crowd": True, "viewed": False, "many": False}, (widths, spare)
    assert 40_000_000 / 16_384 < widths["spread"] <= 5_000 and max(widths["viewed"], widths["crowd"]) < widths["spread"] / 2, widths


NUMBERS = "select id, s, s + length as e from (select id, {s} as s, {length} as length from range({rows}))"
SPREAD = "pmod(id * 7919, 1000000)"
# name: (left, right, bin_size, the most copies of the left that one join may have, or None where two joins are to meet them, the most pairs that may be compared)
EDGES = {
    "a few start long before all others": (
        NUMBERS.format(s=f"if(id % 200 = 0, -129600000, {SPREAD})", length=f"if(id % 200 = 0, 129600000 + {SPREAD}, 20)", rows=20000),
        NUMBERS.format(s=SPREAD, length="20", rows=20000), 36000, 30_000, 25_000_000),
    "a few start after all others, where a crowd ends": (
        NUMBERS.format(s=f"if(id % 167 = 0, 1100000, {SPREAD})", length="10", rows=20000),
        NUMBERS.format(s=f"if(id % 10 = 0, {SPREAD}, 1000000)", length="1800", rows=20000), 200, 30_000, 1_000_000),
    "many are inverted, and start at once": (
        *(NUMBERS.format(s=f"if(id % 10 < 3, 500000, {SPREAD})", length="if(id % 10 < 3, -500000, 10)", rows=20000),) * 2, 200, None, 1_000_000),
    "many have no length, and start at once, ends exclusive": (
        *(NUMBERS.format(s=f"if(id % 10 < 3, 500000, {SPREAD})", length="if(id % 10 < 3, 0, 10)", rows=20000),) * 2, 200, None, 1_000_000),
    "a few start before a crowd, at a wide level": (
        NUMBERS.format(s=f"if(id % 20 = 0, -3000000, 1240 + {SPREAD})", length="3000", rows=20000),
        NUMBERS.format(s=f"if(id % 10 > 0, 1240, 1240 + {SPREAD})", length="3600", rows=20000), 10, 45_000, 3_000_000),
    "a few start before a crowd, at two wide levels": (
        NUMBERS.format(s=f"if(id % 20 = 0, -3000000, 1240 + {SPREAD})", length="if(id % 50 = 1, 90000, 3000)", rows=20000),
        NUMBERS.format(s=f"if(id % 10 > 0, 1240, 1240 + {SPREAD})", length="3600", rows=20000), 10, None, 8_000_000),
}  # fmt: skip


def test_starts_beyond_those_of_the_other_side_cost_little(spark, built):
    """Who starts where nobody of the other side is has no copies there, and meets nobody but who gets there; nor do intervals meet that hold nothing."""
    bodies = {}
    for number, (name, (left, right, size, *_)) in enumerate(EDGES.items()):
        call = f"left_relation='({left})', left_interval=['s', 'e'], right_relation='({right})', right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']"
        call += ", inclusive='neither'" if "exclusive" in name else ""
        bodies[f"edge_{number}_binned"] = rowless(f"{{{{ dbt_range_join.binned_range_join({call}, bin_size={size}) }}}}")
        bodies[f"edge_{number}_naive"] = f"{{{{ dbt_range_join.naive_range_join({call}) }}}}"
    ran = compiled(built, bodies, "run", "--select", *bodies)
    for number, (name, (*_, most_copies, most)) in enumerate(EDGES.items()):
        is_once = most_copies is not None
        binned, naive = query_of(ran[f"edge_{number}_binned"]), ran[f"edge_{number}_naive"]
        assert "were measured to lie within these bins" in binned, name
        assert ("left_copies.is_first or right_copies.is_first" in binned) == is_once, f"{name}: {binned}"
        steps = binned.split("-- step 2")[0]
        relations = ["left_copies right_copies"] if is_once else ["right_level_probes left_leveled", "left_level_probes right_leveled"]
        joins = [" join ".join(f"range_join_{relation}" for relation in pair.split()) + " using (slot)" for pair in relations]
        met = sum(spark.sql(f"{steps} select count(*) from {join}").first()[0] for join in joins)
        assert met < most, f"{name}: {met}"
        if is_once:
            copies = spark.sql(f"{steps} select count(*) from range_join_left_copies").first()[0]
            assert copies < most_copies, f"{name}: {copies}"
        assert bag(spark, binned) == bag(spark, naive), name


def test_a_few_intervals_of_no_length_meet_in_vain_nowhere(built):
    """Fewer than quantiles of lengths tell of, 0.9 %, start at once on both sides, with exclusive ends: 13 million pairs that one join would compare."""
    bodies = {}
    for few in (0, 9):
        side = NUMBERS.format(s=f"if(id % 1000 < {few}, 500000, {SPREAD})", length=f"if(id % 1000 < {few}, 0, 1)", rows=400000)
        call = f"left_relation='({side})', left_interval=['s', 'e'], right_relation='({side})', right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']"
        bodies[f"vain_{few}"] = rowless(f"{{{{ dbt_range_join.binned_range_join({call}, inclusive='left', bin_size=100) }}}}")
    ran = compiled(built, bodies, "run", "--select", *bodies)
    assert {name: "left_copies.is_first" in sql for name, sql in ran.items()} == {"vain_0": True, "vain_9": False}


def test_the_side_with_fewer_copies_is_built(project):
    """Of two intervals, that is the one of fewer rows in whichever meeting it has more of, as copies or as points at each level of the other. None where nothing is known."""
    interval = "{'kind': 'interval', 'point': none, 'interval': ['s', 'e']}"
    join = f"{{'join_type': 'inner', 'left': {interval}, 'right': {interval}, 'broadcast': none, 'shuffle_hash': none, 'small': none, 'select_items': ['l.id'], 'join_condition': none}}"
    hints = "dbt_range_join._choose_hints({}, {{'left': {{'rows': 3000}}, 'right': {{'rows': 19000}}}}, {{'hashed': true, 'rows_of': {}, 'levels': {}}})"
    body = "{{% set hints = " + hints + " %}}{{{{ hints.broadcast }}}}"
    rows = "[{{'points': {}, 'intervals': {}}}, {{'points': {}, 'intervals': {}}}]"  # starts of the right and intervals of the left, and the other way
    estimates = {
        "many_copies": (rows.format(19000, 90000, 3000, 19000), "[[0], [0]]"), "few_copies": (rows.format(19000, 3000, 3000, 19000), "[[0], [0]]"),
        "many_levels": (rows.format(19000, 3000, 21000, 19000), "[[0], [0, 4, 8, 12, 16, 20, 24]]"), "none_seen": (rows.format(0, 0, 0, 0), "[[], []]"),
    }  # fmt: skip
    compiled = project.compile({name: body.format(join, *estimate) for name, estimate in estimates.items()})
    assert compiled == {"many_copies": "right", "few_copies": "left", "many_levels": "right", "none_seen": "None"}


def test_long_texts_are_not_broadcast(built):
    """Each copy of an interval carries what is read of its row. The columns are looked at where there are many rows, and what is not read counts nothing."""
    points = "(select id, cast(id * 7919 % 400000 as int) as p, 'w' as note from range(400000))"
    intervals = "(select id, s, s + 2 as e, repeat('x', {length}) as note from (select id, cast(id * 7919 % 400000 as int) as s from range(150000)))"
    cases = {
        "not read": (3000, "['l.id as l_id', 'r.id as r_id']", "broadcast right"), "short": (3, "['l.id as l_id', 'r.note']", "broadcast right"),
        "long": (3000, "['l.id as l_id', 'r.note']", "hash right"), "all": (3000, "['l.id as l_id', 'r.*']", "hash right"), "whole": (3000, "['r as version']", "hash right"),
        "of the other side": (3000, "['l.note', 'r.id as r_id']", "broadcast right"), "in backticks": (3000, "['to_json(struct(`r`.*)) as version']", "hash right"),
        "a name twice": (3000, "['l.id as l_id', 'r.id as r_id', 'r.s as note']", "broadcast right"), "in a condition": (3000, "['l.id as l_id']", "hash right"), "very long": (10000, "['l.id as l_id', 'upper(r.NOTE) as note']", "sort and merge"),
    }  # fmt: skip
    bodies = {}
    for number, (name, (length, select, _)) in enumerate(cases.items()):
        condition = ", join_condition='l.note <> r.note'" if name == "in a condition" else ""
        right = intervals.format(length=length).replace("(select id, s", "(select 'x' as note, id, s" if name == "a name twice" else "(select id, s")
        bodies[f"texts_{number}"] = (
            f"{{{{ dbt_range_join.binned_range_join(left_relation=\"{points}\", left_point='p', right_relation=\"{right}\", "
            f"right_interval=['s', 'e'], select={select}{condition}) }}}}"
        )
    for (name, (_, _, expected)), sql in zip(cases.items(), compiled(built, bodies).values(), strict=True):
        first = sql.lstrip().split("\n")[0]
        assert f", {expected};" in first, f"{name}: {first}"


def test_very_long_texts_of_few_rows_are_not_broadcast(spark, built):
    """Few rows are not looked at, unless they are made of many bytes: 4,000 of 41 KB would be a hash table of 164 MB in each executor."""
    spark.sql("drop table if exists few_long_texts")
    spark.sql(
        "create table few_long_texts using parquet as select id, s, s + 2 as e, "
        "array_join(transform(sequence(1, 320), i -> sha2(concat(id, ' ', i), 512)), '') as note from (select id, id * 100 as s from range(4000))"
    )
    call = "left_relation='(select id, id * 7919 % 400000 as p from range(400000))', left_point='p', right_relation='few_long_texts', right_interval=['s', 'e']"
    bodies = {
        f"few_long_{number}": rowless(f"{{{{ dbt_range_join.binned_range_join({call}, select=['l.id as l_id', '{item}']) }}}}")
        for number, item in enumerate(["r.id as r_id", "r.note"])
    }
    short, long = (sql.split("-- dbt_range_join: ")[1].split("\n")[0] for sql in compiled(built, bodies, "run", "--select", *bodies).values())
    assert ", broadcast right;" in short, short
    assert ", hash right;" in long, long
    spark.sql("drop table few_long_texts")


DOUBLES = "select id, if(id % 500 = 0, cast(null as double), id * 11 % 20000 / 8) as s, if(id % 300 = 0, double('infinity'), id * 11 % 20000 / 8 + id % 60) as e from range(4000)"


def test_a_table_with_itself_of_a_known_type_looks_how_far_it_reaches(spark, built):
    """Doubles of which some are NULL, and open bounds: their type is in the SQL, and where they lie is not."""
    spark.sql(f"create or replace temporary view doubles as {DOUBLES}")
    call = "dbt_range_join.{macro}('doubles', left_interval=['s', 'e'], right_relation='doubles', right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']{more})"
    binned, naive = {}, {}
    for bounds in ("no_match", "unbounded"):
        binned[bounds] = rowless("{{ " + call.format(macro="binned_range_join", more=f", null_bounds='{bounds}'") + " }}")
        naive[f"naive_{bounds}"] = "{{ " + call.format(macro="naive_range_join", more=f", null_bounds='{bounds}'") + " }}"
    ran = compiled(built, binned, "run", "--select", *binned)
    plain = compiled(built, naive)
    for bounds, sql in ran.items():
        sql = query_of(sql)
        assert "range_join_types as (" not in sql and "typeof" in sql and "measured to lie" not in sql, sql
        assert bag(spark, sql) == bag(spark, plain[f"naive_{bounds}"]), bounds


FRACTIONS = {"decimals": "cast({} as decimal(18, 3))", "doubles": "cast({} as double)", "floats": "cast({} as float)"}
ODD = ("nan", "infinity", "-infinity")


def test_fractions_lie_where_they_were_measured(spark, built):
    """DECIMALs, DOUBLEs and FLOATs, too. What no sample saw still matches, be it NaN; but where a sample has NaNs, or NULLs that it can't tell from these, the query looks."""
    sides = {
        "points": ("select id, {0} as p from ({{}})", ("id * 7 % 6000 / 8",)),
        "intervals": ("select id, {0} as s, {1} as e from ({{}})", ("id * 11 % 6000 / 8", "(id * 11 % 6000 + id % 30) / 8")),
    }

    def show(more, odd):
        """The views: `more` has rows far beyond the others, and `odd` NaNs, infinities and NULLs, of which DECIMALs have the last alone."""
        for kind, cast in FRACTIONS.items():
            for side, (rows, values) in sides.items():
                query = rows.format(*map(cast.format, values)).format("select id from range(3000)")
                if more:
                    query += "".join(f" union all {rows.format(*(cast.format(f'{value} + {far}') for value in values)).format('select id from range(50)')}" for far in (-90000, 90000))
                if odd:
                    ends = [("null", "null"), ("null", "100")]
                    if kind != "decimals":
                        ends += [(f"'{one}'", f"'{other}'") for one in ODD for other in (*ODD, "100")] + [("100", f"'{one}'") for one in ODD]
                    query += "".join(f" union all {rows.format(*map(cast.format, pair)).format('select -1 as id')}" for pair in ends)
                spark.sql(f"create or replace temporary view {kind}_{side} as {query}")

    calls = {}
    for kind, shape, more in [("decimals", "overlap", ""), ("decimals", "point", ", join_type='left'"), ("doubles", "overlap", ""), ("doubles", "point", ""), ("floats", "point", ", join_type='left'")]:
        left = "left_point='p'" if shape == "point" else "left_interval=['s', 'e']"
        calls[f"{kind}_{shape}"] = (
            f"left_relation='{kind}_{'points' if shape == 'point' else 'intervals'}', {left}, right_relation='{kind}_intervals', right_interval=['s', 'e'], "
            f"select=['l.id as l_id', 'r.id as r_id']{more}"
        )
    bodies = {name: rowless(f"{{{{ dbt_range_join.binned_range_join({call}) }}}}") for name, call in calls.items()}
    show(more=False, odd=False)
    ran = compiled(built, bodies, "run", "--select", *bodies)
    naive = compiled(built, {f"naive_{name}": f"{{{{ dbt_range_join.naive_range_join({call}) }}}}" for name, call in calls.items()})
    show(more=True, odd=True)
    for name, sql in ran.items():
        assert "were measured to lie within these bins" in sql and "_extent as (" not in sql, name
        assert bag(spark, query_of(sql)) == bag(spark, naive[f"naive_{name}"]), name

    show(more=False, odd=True)
    for name, sql in compiled(built, bodies, "run", "--select", *bodies).items():
        assert ("_extent as (" in sql) == ("decimals" not in name), name
        assert bag(spark, query_of(sql)) == bag(spark, naive[f"naive_{name}"]), name


def test_what_is_estimated_is_near_what_is_found(spark, built):
    """The pairs that the plan expects are near those there are: with keys and without, and where rows crowd in spots or at values."""
    bodies = {"plain": model(), "keyed": model(more=", keys=['k']")}
    tolerances = {name: (0.9, 1.1) for name in bodies}
    for number, (values, points, intervals, tolerance) in enumerate(UNEVEN.values()):
        bodies[f"uneven_{number}"] = model(left=f'"({points})"', right=f'"({intervals})"').replace("left_point='p'", values)
        tolerances[f"uneven_{number}"] = tolerance
    for name, sql in compiled(built, bodies).items():
        compared, expected = (int(number.replace(",", "")) for number in re.search(r"([\d,]+) pairs compared for ([\d,]+) found", sql).groups())
        found = spark.sql(f"select count(*) from ({sql})").first()[0]
        least, most = tolerances[name]
        assert least < expected / found < most, f"{name}: {expected} to {found}"
        if "range_join_right_level_probes" not in sql:  # one meeting, of points on the left
            steps = sql.split("-- step 2")[0]
            met = spark.sql(steps + " select count(*) from range_join_left_level_probes join range_join_right_leveled using (slot)").first()[0]
            assert 0.5 < compared / met < 2, f"{name}: {compared} to {met}"


# Points and intervals, each side in one part but where it is told otherwise: how long intervals are, what else is different, further arguments; and which side is dealt out.
IN_ONE_PART = ("select id, id as p, id % 50 as k from range(0, 68000, 1, 1)", "select id, id * 16 as s, id * 16 + {} as e, id % 50 as k from range(0, 4000, 1, 1)")
DEALT = {
    "intervals": (3000, "", ", broadcast='left'", "right"),
    "points": (3000, "", ", broadcast='right'", "left"),
    "points that are kept": (3000, "", ", broadcast='right', join_type='left', bin_size=1000", "left"),
    "with keys": (12000, "", ", broadcast='left', keys=[['l.id % 4', 'r.id % 4']]", "right"),
    "a given size": (3000, "", ", broadcast='left', bin_size=500", "right"),
    "overlaps": (3000, "two intervals", ", broadcast='left'", "right"),
    "many parts": (60000, "many parts", ", broadcast='left'", None),
    "few pairs a row": (3000, "many points", ", broadcast='right'", None),
    "few pairs": (100, "", ", broadcast='left'", None),
    "hashed": (3000, "", ", shuffle_hash='right'", None),
    "a side that is kept can't be broadcast": (3000, "", ", broadcast='left', join_type='left', bin_size=1000", None),
    "intervals that are kept": (3000, "", ", broadcast='left', join_type='right'", None),
    "read by a sweep besides": (3000, "two intervals", ", broadcast='left', join_type='left'", None),
    "read to see how far they reach": (3000, "", ", broadcast='left', null_bounds='unbounded'", None),
    "matches alone": (3000, "", ", broadcast='right', join_type='semi'", None),
}
JUDGED = ("intervals", "points that are kept", "overlaps")


def test_a_side_of_few_parts_is_dealt_out_over_tasks(spark, built):
    """Where a broadcast join that reads it once makes many pairs of each part, and of each row. What `dbt compile` writes may meet other data."""
    bodies = {}
    for number, (name, (length, of, more, _)) in enumerate(DEALT.items()):
        points, intervals = IN_ONE_PART[0], IN_ONE_PART[1].format(length)
        if of == "many parts":
            intervals = intervals.replace("1, 1)", "1, 16)")
        elif of == "many points":
            points, intervals = points.replace("68000", "600000"), intervals.replace("id * 16", "id * 150")
        for macro in ["binned", "naive"] if name in JUDGED else ["binned"]:
            body = model(left=f'"({points})"', right=f'"({intervals})"', more=more, macro=f"{macro}_range_join")
            body = body.replace("left_point='p'", "left_interval=['p', 'p + 5']") if of == "two intervals" else body
            bodies[f"dealt_{number}_{macro}"] = rowless(body.replace(", 'r.id as r_id'", "") if "'semi'" in more else body)
    assert "repartition" not in compiled(built, {"dealt_0": bodies["dealt_0_binned"]})["dealt_0"]
    ran = {name: query_of(sql) for name, sql in compiled(built, bodies, "run", "--select", "dealt_*").items()}
    counted = "select count(*), sum(cast(xxhash64(l_id, r_id, r_id is null) as decimal(20, 0))) from ({})"
    for number, (name, (*_, side)) in enumerate(DEALT.items()):
        sql = ran[f"dealt_{number}_binned"]
        dealt = re.findall(r"range_join_(left|right) as \(\n    -- dealt out over tasks, .*\n    select /\*\+ repartition\((\d+)\) \*/\n", sql)
        assert [given for given, _ in dealt] == ([side] if side else []) and sql.count("repartition(") == len(dealt), f"{name}: {sql}"
        if side:
            plan = spark.sql(f"explain formatted {sql}").first()[0]
            assert plan.count(f"RoundRobinPartitioning({dealt[0][1]})") == 1 == len(re.findall(r"^\(\d+\) Exchange", plan, re.MULTILINE)), plan
            assert 2 <= int(dealt[0][1]) <= 5, name
        if name in JUDGED:
            found, expected = (spark.sql(counted.format(ran[f"dealt_{number}_{macro}"])).first() for macro in ("binned", "naive"))
            assert found == expected and found[0] > 8_000_000, name


def test_a_sweep_takes_whatever_size(spark, built):
    """Where only matches are asked for, and a broadcast is out of the question: bins by which the rows are spread; but for a right side that is small."""
    many = '"(' + INTERVALS.format(length="20").replace("range(4000)", "range(60000)") + ')"'
    bodies = {
        f"{macro}_{number}": model(right=many, more=more, macro=f"{macro}_range_join").replace("'l.id as l_id', 'r.id as r_id'", "'l.id as l_id'")
        for macro in ("binned", "naive")
        for number, more in enumerate((", join_type='semi', shuffle_hash='right'", ", join_type='anti', keys=['k'], shuffle_hash='right'"))
    }
    bodies["few"] = model(more=", join_type='semi'").replace("'l.id as l_id', 'r.id as r_id'", "'l.id as l_id'")
    sql = compiled(built, bodies)
    assert ", broadcast right; " in sql["few"] and "/*+ broadcast(intervals) */" in sql["few"] and "range_join_left_sweep" not in sql["few"]
    for number in range(2):
        first = sql[f"binned_{number}"].lstrip().split("\n")[1]
        assert first.startswith("-- dbt_range_join: one sweep over both sides in order, in bins of "), first
        assert 500 < int(spark.sql(sql[f"binned_{number}"].split("-- step 2")[0] + " select * from range_join_left_chunks").count()) <= 30000
        assert bag(spark, sql[f"binned_{number}"]) == bag(spark, sql[f"naive_{number}"])


@pytest.mark.parametrize("join_type", ["semi", "anti"])
def test_a_sweep_is_made_where_it_costs_less(spark, built, join_type):
    """A broadcast of the right side asks less of Spark than to sort both, unless rows crowd, as where all points and all intervals are at one time."""
    lies = {"spread": INTERVALS.format(length="20").replace("range(4000)", "range(60000)"), "crowd": "select id, id % 7 as k, timestamp'2024-01-01' as s, timestamp'2024-01-01 00:01:00' as e from range(60000)"}
    crowd = '"(select id, id % 7 as k, timestampadd(SECOND, cast(id % 3 as int), timestamp\'2024-01-01\') as p from range(60000))"'
    bodies = {
        f"{name}_{macro}": model(
            right=f'"({query})"', more=f", join_type='{join_type}'", macro=f"{macro}_range_join", **({"left": crowd} if name == "crowd" else {})
        ).replace("'l.id as l_id', 'r.id as r_id'", "'l.id as l_id'")
        for name, query in lies.items()
        for macro in (("binned", "naive") if name == "spread" else ("binned",))
    }
    sql = compiled(built, bodies)
    assert ", broadcast right; " in sql["spread_binned"] and "range_join_left_sweep" not in sql["spread_binned"]
    assert bag(spark, sql["spread_binned"]) == bag(spark, sql["spread_naive"])
    assert "-- dbt_range_join: one sweep over both sides in order, " in sql["crowd_binned"]
    assert spark.sql(f"select count(*) from ({sql['crowd_binned']})").first()[0] == (60000 if join_type == "semi" else 0)


def test_a_broadcast_of_many_rows_does_not_stop_a_sweep(spark, built):
    """Matched pairs by a broadcast; the rows without one by a sweep, unless the other side is small."""
    sides = "left_relation={left}, left_interval=['s', 'e'], right_relation={right}, right_interval=['s', 'e']"
    of = {"few": INTERVALS.format(length="20"), "many": INTERVALS.format(length="20").replace("range(4000)", "range(60000)")}
    bodies = {
        f"{right}_{macro}": f"{{{{ dbt_range_join.{macro}_range_join({sides.format(left=repr('(' + of['many'] + ')'), right=repr('(' + of[right] + ')'))}, "
        "join_type='left', keys=['k'], select=['l.id as l_id', 'r.id as r_id']) }}"
        for right in of
        for macro in ("binned", "naive")
    }
    sql = compiled(built, bodies)
    for right, swept in {"few": False, "many": True}.items():
        joined = sql[f"{right}_binned"]
        assert ", broadcast right; " in joined and ("range_join_left_sweep as" in joined) == swept, joined
        assert bag(spark, joined) == bag(spark, sql[f"{right}_naive"])


def test_few_pairs_need_no_bins(spark, built):
    """Twenty rows a side, or keys that leave next to nothing to compare: the plain join."""
    few = {
        "tiny": model(left='"(select * from " ~ ref(\'points\') ~ " where id < 20)"'),
        "by_id": model(more=", keys=['id']"),
        # 3,240,000 pairs: where both sides would be sorted and swept besides, it takes less time to compare them.
        **{
            join_type: model(
                left='"(select p.* from " ~ ref(\'points\') ~ " as p cross join range(3))"', right='"(select * from " ~ ref(\'versions\') ~ " where id < 18)"',
                more=f", join_type='{join_type}'")
            for join_type in ("full", "semi")
        },
        # The same where rows are kept, of the few or of the many, where none are, and where intervals meet intervals.
        **{
            join_type: model(
                left='"(select p.* from " ~ ref(\'points\') ~ " as p cross join range(4))"', right='"(select * from " ~ ref(\'versions\') ~ " where id < 10)"',
                more=f", join_type='{join_type}'")
            for join_type in ("right", "inner")
        },
        **{
            f"overlap_{join_type}": model(
                left='"(select * from " ~ ref(\'versions\') ~ " where id < 18)"', right='"(select v.* from " ~ ref(\'versions\') ~ " as v cross join range(40))"',
                more=f", join_type='{join_type}'").replace("left_point='p'", "left_interval=['s', 'e']")
            for join_type in ("left", "right")
        },
    }
    few["semi"] = few["semi"].replace(", 'r.id as r_id'", "")
    naive = {f"{name}_naively": body.replace("binned_range_join", "naive_range_join") for name, body in few.items()}
    sql = compiled(built, few | naive)
    for name in few:
        assert "-- dbt_range_join: no bins, as there are only " in sql[name] and "range_join_types" not in sql[name], (name, sql[name].splitlines()[:2])
        assert bag(spark, sql[name]) == bag(spark, sql[f"{name}_naively"])


HOSTILE = {
    "a third open at 9999-12-31": ("", INTERVALS.format(length="id % 600").replace("make_dt_interval(0, 0, 0, id * 11 % 200000 + id % 600)",
                                   "if(id % 3 = 0, interval '2913000' day, make_dt_interval(0, 0, 0, id * 11 % 200000 + id % 600))"), ""),
    "one key with half of the rows": (POINTS.replace("id % 50 as k", "if(id % 2 = 0, 0, id) as k"), INTERVALS.format(length="60").replace(
                                      "id % 50 as k", "if(id % 2 = 0, 0, id) as k"), ", keys=['k']"),
    "lengths over nine orders of magnitude": ("", "select id, timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 11 % 200000) as s, "
                                              "timestamp'2024-01-01' + make_dt_interval(0, 0, 0, id * 11 % 200000 + cast(pow(10, id % 10 - 6) as decimal(18, 6))) as e, 0 as k from range(4000)", ""),
    "all intervals equal": ("", "select id, timestamp'2024-01-01 01:00:00' as s, timestamp'2024-01-01 01:00:10' as e, 0 as k from range(4000)", ""),
    "all points equal": ("select id, timestamp'2024-01-01 01:00:00' as p, 0 as k from range(60000)", INTERVALS.format(length="30"), ""),
    "a fixed window of 24 hours": ("", INTERVALS.format(length="86400").replace("range(4000)", "range(400)"), ""),
    "nobody on the left": ("select * from (" + POINTS + ") where id < 0", "", ""),
    "nobody on the right": ("", "select * from (" + INTERVALS.format(length="60") + ") where id < 0", ""),
    "nothing but NULL": ("", "select id, cast(null as timestamp) as s, cast(null as timestamp) as e, 0 as k from range(4000)", ", null_bounds='unbounded'"),
    "doubles below one": ("select id, id / 60000D as p, 0 as k from range(60000)", "select id, id / 4000D as s, id / 4000D + 1e-4 as e, 0 as k from range(4000)", ""),
    "huge and infinite doubles": ("select id, if(id = 5, double('nan'), id * 1e300) as p, 0 as k from range(60000)",
                                  "select id, if(id = 3, -double('infinity'), id * 1e301) as s, if(id = 4, double('infinity'), id * 1e301 + 1e300) as e, 0 as k from range(4000)", ""),
    "from the least double to the largest": ("select id, if(id % 2 = 0, 1e300, 1e-300) * id as p, 0 as k from range(60000)",
                                             "select id, 1e-310 * id as s, if(id % 2 = 0, 1e303, 1e-305) * id as e, 0 as k from range(4000)", ""),
    "decimals and integers": ("select id, id as p, 0 as k from range(60000)", "select id, cast(id * 15 as decimal(12, 2)) as s, id * 15 + 7 as e, 0 as k from range(4000)", ""),
    "decimals": ("select id, cast(id as decimal(12, 3)) / 7 as p, 0 as k from range(60000)",
                 "select id, cast(id as decimal(20, 2)) * 2 as s, cast(id as decimal(20, 2)) * 2 + 3.5BD as e, 0 as k from range(4000)", ""),
}  # fmt: skip


def test_data_that_breaks_rules_of_thumb(spark, built):
    """Each hostile input gives the rows of the plain join, and nothing that any estimate of it divides by is zero.

    As a query, and as a table that dbt builds, whose points lie where they were measured.
    """
    bodies, tables, sides = {}, {}, {}
    for number, (points, intervals, more) in enumerate(HOSTILE.values()):
        sides = {
            "left": f'"({(points or POINTS).replace("range(60000)", "range(6000)")})"',
            "right": f'"({(intervals or INTERVALS.format(length="60")).replace("range(4000)", "range(1000)")})"',
        }
        bodies[f"binned_{number}"] = model(**sides, more=more)
        bodies[f"naive_{number}"] = model(**sides, more=more, macro="naive_range_join")
        tables[f"table_{number}"] = table(model(**sides, more=more))
    sql = compiled(built, bodies)
    of_tables = compiled(built, tables, "run", "--select", "table_*")
    for number, name in enumerate(HOSTILE):
        first = sql[f"binned_{number}"].lstrip().split("\n")[1]
        assert first.startswith("-- dbt_range_join: ") and "could not be measured" not in first, name
        assert "decimal" not in name or first.startswith("-- dbt_range_join: bins of "), f"{name}: {first}"
        expected = bag(spark, sql[f"naive_{number}"])
        assert bag(spark, sql[f"binned_{number}"]) == expected, f"{name}: {first}"
        assert bag(spark, f"select * from scratch.table_{number}") == expected, f"{name}, built: {first}"
    measured = [name for name, text in zip(HOSTILE, of_tables.values(), strict=True) if "were measured to lie within these bins" in text]
    assert measured == [
        "a third open at 9999-12-31", "lengths over nine orders of magnitude", "all intervals equal", "all points equal", "a fixed window of 24 hours", "doubles below one",
        "decimals and integers", "decimals"]  # fmt: skip


CROWDED = {
    "all intervals equal": (POINTS, HOSTILE["all intervals equal"][1]),
    "all points equal": (HOSTILE["all points equal"][0], INTERVALS.format(length="30")),
    "the full hours, and half past": (
        "select id, timestamp'2024-01-01' + make_dt_interval(0, id % 8) as p from range(60000)",
        "select id, timestamp'2024-01-01' + make_dt_interval(0, id % 8, 30) as s, timestamp'2024-01-01' + make_dt_interval(0, id % 8, 30, 10) as e from range(4000)",
    ),
}  # fmt: skip


def test_values_that_many_rows_share_are_told_apart(spark, built):
    """Crowds have no density that could be estimated, and yet bins are not so wide that they meet what is far from them.

    Found by the benchmark: of 200,000 equal intervals and a million points, all were compared, for eight minutes in place of one second.
    """
    bodies = {f"crowded_{number}": model(left=f'"({points})"', right=f'"({intervals})"') for number, (points, intervals) in enumerate(CROWDED.values())}
    tables = {f"table_of_{name}": rowless(body) for name, body in bodies.items()}
    of_tables = {name: query_of(sql) for name, sql in compiled(built, tables, "run", "--select", "table_of_*").items()}
    for name, sql in [*zip(CROWDED, compiled(built, bodies).values(), strict=True), *zip(CROWDED, of_tables.values(), strict=True)]:
        steps, joined = sql.split("-- step 2")
        compared = spark.sql(steps + " select count(*) from range_join_left_level_probes join range_join_right_leveled using (slot)").first()[0]
        found = spark.sql(sql).count()
        assert compared <= 3 * found + 64000, f"{name}: {compared} pairs compared for {found}, of 240,000,000"


def test_a_hopeless_fixed_size_is_told(spark, built):
    """A size that is off by a million is warned of with a better one, and the join is made; a size that will do, or is little off, is not."""
    many = '"(' + INTERVALS.format(length="20").replace("range(4000)", "range(60000)") + ')"'
    bodies = {
        "far_too_small": model(more=", bin_size='1 microsecond'"),
        "far_too_large": model(more=", bin_size='5200 weeks', keys=['k'], join_type='left'"),
        "small": model(more=", bin_size='5 seconds'"),
        "large": model(more=", bin_size='1 hour'"),
        "swept": model(right=many, more=", bin_size='1 microsecond', join_type='anti'").replace("'l.id as l_id', 'r.id as r_id'", "'l.id as l_id'"),
        "not_measurable": model(
            left="'a'", before="with {{ 'a' }} as (select * from {{ ref('points') }})\nselect * from (\n", more=", bin_size='1 microsecond'"
        ) + "\n)",
        "naive": model(macro="naive_range_join"),
    }  # fmt: skip
    inputs = {"points.sql": table(POINTS), "versions.sql": table(INTERVALS.format(length="id % 600"))}
    built.write({**inputs, **{f"{name}.sql": body for name, body in bodies.items()}})

    def warnings_of(*command):
        log = built.folder / "logs" / "dbt.log"
        said = len(log.read_text())
        built.dbt(*command)
        return [line for line in log.read_text()[said:].split("\n") if "times the work of" in line]

    def told(warnings):
        return {line[line.index("far_too_") :] for line in warnings}

    warnings = warnings_of("build")
    assert [next(name for name in bodies if f"{name}: dbt_range_join" in line) for line in sorted(warnings, key=lambda w: "small" in w)] == [
        "far_too_large", "far_too_small"], warnings  # fmt: skip
    small = next(line for line in warnings if "far_too_small" in line)
    assert "bin_size '1 microsecond' makes about" in small and re.search(r"for about (5[89]|6[012]),000 points on the left, 4,000 intervals on the right", small)
    assert "Next step: bin_size='" in small and "minute" in small.split("Next step:")[1]
    rows = spark.table("scratch.naive").count()
    assert rows > 100_000 and all(spark.table(f"scratch.{name}").count() == rows for name in ("far_too_small", "small", "large", "not_measurable"))
    assert told(warnings_of("compile")) == told(warnings)
    assert warnings_of("compile", "--no-introspect") == [] == warnings_of("run", "--vars", "range_join_check_bin_size: false")


def test_how_spark_joins_follows_the_data(spark, built):
    """A small side is broadcast, and a larger one where few are compared; many candidates a point are sorted and merged. So it is with a bin_size where dbt may ask."""
    larger = '"(' + INTERVALS.format(length="20").replace("range(4000)", "range(25000)") + ')"'
    many = '"(' + INTERVALS.format(length="600").replace("range(4000)", "range(60000)") + ')"'
    sql = compiled(built, {"few": model(), "larger": model(right=larger), "many": model(right=many), "given": model(more=", bin_size='5 minutes'"), "asked": model(right=many, more=", broadcast='right'")})
    for name in ("few", "larger"):
        assert ", broadcast right; " in sql[name] and "/*+ broadcast(intervals) */" in sql[name], name
    assert ", sort and merge; " in sql["many"] and "/*+ merge(intervals) */" in sql["many"]
    assert "/*+ broadcast(intervals) */" in sql["asked"] and "merge" not in sql["asked"]
    assert "/*+ broadcast(intervals) */" in sql["given"] and "merge" not in sql["given"]
    built.dbt("run", "--select", "given")
    run = (built.folder / "target" / "run" / "no_bin_size" / "models" / "given.sql").read_text()
    assert sql["given"].strip() in run, "a view is as dbt compile writes it"
    unasked = compiled(built, {"given": model(more=", bin_size='5 minutes'")}, "compile", "--no-introspect")["given"]
    assert "/*+ merge(intervals) */" in unasked and "broadcast" not in unasked
    assert bag(spark, sql["given"]) == bag(spark, unasked)
    log = built.folder / "logs" / "dbt.log"
    said = len(log.read_text())
    built.dbt("show", "--inline", model(more=", bin_size='5 minutes'"), "--limit", "1")
    asked = log.read_text()[said:]
    assert "rand(" in asked and "/*+ broadcast(intervals) */" in asked, "as every command that runs a join has it"


def test_a_merge_goes_through_the_intervals_unless_points_crowd(built):
    """Spark keeps the rows of a bin of the second side in memory: points, which have fewer columns, unless so many share a bin that they may not fit. NULLs meet nobody."""
    moment = "timestamp'2024-01-01' + make_dt_interval(0, 0, 0, {})"
    points = "(select id, " + moment.format("{} % 200000") + " as p from range(800000))"
    intervals = "(select id, " + moment.format("id % 200000") + " as s, " + moment.format("id % 200000 + {}") + " as e from range(300000))"
    spread, short, by_points = points.format("id"), intervals.format("id % 600"), "left_relation={}, left_point='p', right_relation={}, right_interval=['s', 'e']"
    joins = {
        "spread": by_points.format(repr(spread), repr(short)),
        "intervals_on_the_left": f"left_relation={short!r}, left_interval=['s', 'e'], right_relation={spread!r}, right_point='p'",
        "at_one_second": by_points.format(repr(points.format("if(id % 4 = 0, 100000, id)")), repr(short)),
        "nowhere": by_points.format(repr(points.format("if(id % 4 = 0, null, id)")), repr(short)),
        "in_wide_bins": by_points.format(repr(spread), repr(intervals.format("if(id % 500 = 0, 100000, id % 20)"))) + ", bin_size='1 second'",
        "of_one_type": f"left_relation={short!r}, left_interval=['unix_seconds(s)', 'unix_seconds(e)'], right_relation={spread!r}, right_point='unix_seconds(p)', bin_size=600",
        "of_two_types": f"left_relation={short!r}, left_interval=['unix_seconds(s)', 'unix_seconds(e)'], right_relation={spread!r}, right_point='cast(unix_seconds(p) as double)', bin_size=600",
        "kept": by_points.format(repr(spread), repr(short)) + ", join_type='left'",
    }
    bodies = {
        f"merged_{name}": rowless("{{ dbt_range_join.binned_range_join(**dict(dict(bin_size='10 minutes', select=['l.id as l_id', 'r.id as r_id']), **dict(" + join + "))) }}")
        for name, join in joins.items()
    }  # fmt: skip
    compiled(built, bodies, "run", "--select", *bodies)
    folder = built.folder / "target" / "compiled" / "no_bin_size" / "models"
    came_first = {name: re.search(r"/\*\+ merge\(.*?\nfrom \S+ as (\w+)", (folder / f"{name}.sql").read_text(), re.DOTALL).group(1) for name in bodies}
    assert came_first == {
        "merged_spread": "intervals", "merged_intervals_on_the_left": "intervals", "merged_at_one_second": "probes", "merged_nowhere": "intervals",
        "merged_in_wide_bins": "probes", "merged_of_one_type": "intervals", "merged_of_two_types": "probes", "merged_kept": "probes",
    }  # fmt: skip


def test_a_table_joined_with_itself_does_not_seem_to_agree_more_often(built):
    """As it would if the samples of both sides were the same rows: 200,000 keys that are all different leave few pairs."""
    rows = "(select id, timestamp_seconds(id) as p, timestamp_seconds(id) as s, timestamp_seconds(id + 9) as e from range(200000))"
    sql = compiled(built, {"by_itself": model(left=f'"{rows}"', right=f'"{rows}"', more=", keys=['id']")})["by_itself"]
    pairs = int(re.search(r"no bins, as there are only about ([\d,]+) pairs", sql).group(1).replace(",", ""))
    assert 50_000 < pairs < 500_000, "there are 200,000"


def test_dbt_warns_of_nothing(built):
    """With --warn-error a build passes: nothing that the plan is made with is deprecated. `dbt parse` doesn't see it, as it measures nothing."""
    built.write({"points.sql": table(POINTS), "versions.sql": table(INTERVALS.format(length="id % 600")), "joined.sql": table(model())})
    built.dbt("run", "--warn-error")


def test_no_more_is_asked_than_needed(spark, built):
    """A sample that a filter left too small is drawn again, as where Spark takes an input to have 10^50 bytes; small inputs are not measured for a given bin_size."""
    inputs = {"points.sql": table(POINTS), "versions.sql": table(INTERVALS.format(length="id % 600"))}
    few = '"(select * from " ~ ref(\'{}\') ~ " where id % 100 = 0)"'
    built.write({
        **inputs,
        "filtered.sql": model(left=few.format("points")),
        "joined.sql": model(left='"(select id, timestamp_seconds(1704067200 + id) as p from range(3000)' + "".join(f" join range(3000) as r{i} using (id)" for i in range(12)) + ')"'),
        "small.sql": model(left='"(select id, timestamp_seconds(id) as p from range(500))"', more=", bin_size='1 microsecond'",
                           right='"(select id, timestamp_seconds(id) as s, timestamp_seconds(id + 9) as e from range(500))"'),
    })  # fmt: skip

    def asked_in(*command):
        log = built.folder / "logs" / "dbt.log"
        said = len(log.read_text())
        built.dbt(*command)
        return [line for line in log.read_text()[said:].split("\n") if "where rand(" in line]

    rates = [line.split(") < ", 1)[1] for line in asked_in("compile", "--select", "filtered")]
    assert len(rates) == 4, rates  # two statements of two sides each
    assert 300 < int(rates[2].removeprefix("10000 / ")) < 1200, "600, as far as the first sample can say"
    rates = [line.split(") < ", 1)[1] for line in asked_in("compile", "--select", "joined")]
    assert len(rates) == 4 and len(rates[0]) < 35 and "count(*)" in rates[2], rates  # no sample to go by: counted first
    assert asked_in("run", "--select", "small") == []


def test_tiny_inputs_take_few_stages(spark, built):
    """Of a few kilobytes a side, Spark is left to broadcast, and one task sweeps: the same rows, with keys or none, and no loop."""
    inputs = {
        "few_points.sql": table(POINTS.replace("60000", "40")),
        "few_versions.sql": table(INTERVALS.format(length="if(id % 9 = 0, 90000, 7)").replace("range(4000)", "range(40)")),
    }
    sides = {"point": "left_relation=ref('few_points'), left_point='p'", "overlap": "left_relation=ref('few_versions'), left_interval=['s', 'e']"}
    further = ("", ", keys=['k']", ", broadcast='right'", ", join_condition='l.id <> r.id'")
    joins = {
        (shape, join_type, number): f"{sides[shape]}, right_relation=ref('few_versions'), right_interval=['s', 'e'], join_type='{join_type}'{further[number]}"
        + (", select=['l.id as l_id']" if join_type in ("semi", "anti") else ", select=['l.id as l_id', 'r.id as r_id']")
        for (shape, join_type), number in in_turn(itertools.product(sides, ("inner", "left", "right", "full", "semi", "anti")), range(len(further)), 1)
    }
    built.write(inputs | {
        f"{macro}_{shape}_{join_type}_{number}.sql": f"{{{{ dbt_range_join.{macro}_range_join({arguments}, bin_size='1 minute') }}}}"
        for (shape, join_type, number), arguments in joins.items()
        for macro in ("binned", "naive")
    })  # fmt: skip
    built.dbt("run")
    for shape, join_type, number in joins:
        name = f"{shape}_{join_type}_{number}"
        sql = (built.folder / "target" / "compiled" / "no_bin_size" / "models" / f"binned_{name}.sql").read_text()
        assert "merge(" not in sql and "_chunks" not in sql, name
        assert ("broadcast(" in sql) == (number == 2 and join_type not in ("semi", "anti")), name
        plan = spark.sql("explain formatted " + sql).first()[0]
        assert "Subquery" not in plan or number == 3 and join_type != "inner", f"{name}: nothing needs to be looked up first"
        assert "NestedLoop" not in plan and "Cartesian" not in plan, name
        assert bag(spark, sql) == bag(spark, f"select * from scratch.naive_{name}"), name


def test_tiny_inputs_of_a_type_that_bin_size_does_not_fit_are_told(built):
    """A sweep of theirs has no bins to tell it, and without ANSI mode Spark would sort '9' after '10'. Found by an attack: others ended in Spark's own error about a cast."""
    misfits = {
        "text": ("string(id)", "5", "left_point: got 'p'; allowed: numbers, dates and timestamps, and this is of type STRING, and compared as text"),
        "number": ("id", "'5 seconds'", "bin_size: got '5 seconds'; allowed: a number above zero for values of type BIGINT, INT"),
        "bytes": ("cast(cast(id as int) as binary)", "5", "left_point: got 'p'; allowed: numbers, dates and timestamps, and this is of type BINARY"),
    }
    numbers, bytes = "(select 9 as s, 10 as e)", "(select cast(9 as binary) as s, cast(10 as binary) as e)"
    bodies = {
        f"{name}_{join_type}": table(
            f"{{{{ dbt_range_join.binned_range_join(left_relation='(select id, {value} as p from range(12))', left_point='p', select=['l.id'], "
            f"right_relation='{bytes if name == 'bytes' else numbers}', right_interval=['s', 'e'], join_type='{join_type}', bin_size={size}) }}}}"
        )
        for name, (value, size, _) in misfits.items()
        for join_type in ("semi", "anti", "left")
    }
    built.write({f"{name}.sql": body for name, body in bodies.items()})
    for name in bodies:
        with pytest.raises(DbtFailed, match=re.escape(misfits[name.partition("_")[0]][2])):
            built.dbt("run", "--select", name)


def test_a_bin_size_for_other_values_is_a_compile_error(built):
    """Where the values are measured, it is told what they are; a query would end in an error of Spark's about a cast that nobody wrote."""
    intervals = "(select id as s, id + 9 as e from range(9000))"
    call = "{{{{ dbt_range_join.binned_range_join(left_relation='(select id, {point} as p from range(9000))', left_point='p', right_relation='{right}', right_interval=['s', 'e'], bin_size={size}) }}}}"
    for point, right, size, told in (
        ("id", intervals, "'5 seconds'", "got '5 seconds'; allowed: a number above zero for values of type BIGINT. Next step: change bin_size, such as bin_size=1000"),
        ("date_from_unix_date(cast(id as int))", intervals.replace("id as s, id + 9 as e", "timestamp_seconds(id) as s, timestamp_seconds(id + 9) as e"), "5",
         "got 5; allowed: '<number> <unit>' for values of type DATE, TIMESTAMP. Next step: change bin_size, such as bin_size='60 seconds'"),
    ):  # fmt: skip
        built.write({"misfit.sql": table(call.format(point=point, right=right, size=size))})
        with pytest.raises(DbtFailed) as failure:
            built.dbt("run", "--select", "misfit")
        assert f"bin_size: {told}, or cast the values." in str(failure.value)


def test_rows_that_take_next_to_no_bytes_are_not_taken_for_few(spark, built):
    """Millions of rows that are all alike are some kilobytes of a file: the sample is cut short, and drawn again at a rate that a count says."""
    built.write({
        "points.sql": table("select 1 as id, 7 as k, timestamp'2024-01-02' as p from range(3000000)"),
        "versions.sql": table(INTERVALS.format(length="id % 600")),
        "joined.sql": model(more=", keys=['k']"),
    })  # fmt: skip
    built.dbt("run", "--select", "points", "versions")
    log = built.folder / "logs" / "dbt.log"
    said = len(log.read_text())
    built.dbt("compile", "--select", "joined")
    asked = log.read_text()[said:]
    begin, end = "with range_join_left_values as", ") as samples"
    statements = [begin + text.split(end)[0] + end for text in asked.split(begin)[1:] if end in text]
    assert len(statements) == 2 and ["count(*) from range_join_left_values" in text for text in statements] == [False, True], statements
    first, second = (spark.sql(statement).first()["left_kinds"] for statement in statements)
    assert not first.islower() and 100_000 <= len(first) <= 150_000 < 3_000_000
    assert second.islower() and 9_000 < len(second) < 11_000
    assert re.search(r"about (2,[89]|3,[012])\d\d,000 points on the left", asked), asked
    built.write({"points.sql": table(POINTS), "versions.sql": table(INTERVALS.format(length="id % 600"))})
    built.dbt("run")


def test_a_sample_of_many_partitions_is_cut_short_too(spark, project):
    """One task collects it: each partition gives ten times its even share at most, and all together some million rows however many they are."""
    most = project.compile({"most": "{{ dbt_range_join._most_of_partition('row_number') }}"})["most"]
    counts = spark.sql(f"""
        select partition, count(*) as rows from (
            select monotonically_increasing_id() as row_number, spark_partition_id() as partition from range(0, 9000000, 1, 45)
        ) as numbered where row_number % 8589934592 < {most} group by partition order by partition""").collect()
    assert [row.rows for row in counts] == [100_000 // (n + 1) for n in range(45)]
    assert sum(100_000 // (n + 1) for n in range(10_000)) < 1_000_000


def test_rows_that_explode_makes_are_not_taken_for_few(spark, built):
    """Spark's planner counts them as one, so a week of seconds out of a date spine looks like a few bytes."""
    built.write({
        "spine.sql": "{{ config(materialized='view') }} select explode(sequence(timestamp'2024-01-01', timestamp'2024-01-08', interval 1 second)) as p",
        "few_runs.sql": table(INTERVALS.format(length="600").replace("range(4000)", "range(40)")),
        "of_a_spine.sql": "{{ dbt_range_join.binned_range_join(left_relation=ref('spine'), left_point='p', right_relation=ref('few_runs'), "
                          "right_interval=['s', 'e'], select=['l.p', 'r.id'], bin_size='10 minutes') }}",
    })  # fmt: skip
    built.dbt("run", "--select", "+of_a_spine")
    sql = (built.folder / "target" / "compiled" / "no_bin_size" / "models" / "of_a_spine.sql").read_text()
    assert "/*+" in sql, "the join of tiny inputs has no hint"
    assert spark.table("scratch.of_a_spine").count() == 40 * 601


INPUTS = {
    "joined": model(),
    "by_cte": model(left="'a'", right="'b'", before="with a as (select * from {{ ref('points') }}), b as (select * from {{ ref('versions') }})\nselect * from (\n")
    + "\n)",
    "by_query_of_cte": model(
        left='"(select * from A where id >= 0)"', before="with `a` (id, p, k) as (select id, p, k from {{ ref('points') }})\nselect * from (\n"
    ) + "\n)",
    "by_cte_that_jinja_names": model(
        left="'a'", before="with {{ 'a' }} as (select * from {{ ref('points') }})\nselect * from (\n"
    ) + "\n)",
    "by_cte_beside_what_is_no_comment": model(
        left="'a'", before="with recursive globs as (select '/*' as g, '--' as h), a (id, p, k) max recursion level 5 as (select id, p, k from {{ ref('points') }} /* all */)\n"
        "select * from (\n",
    ) + "\n)",
    "by_query_with_ctes_of_its_own": model(left='"(with p as (select * from " ~ ref(\'points\') ~ ") select * from p)"'),
    "by_query": model(left='"(select * from " ~ ref(\'points\') ~ ")"'),
    "by_view": "{{ config(materialized='incremental') }}\n" + model(right="ref('version_view')"),
    "by_ephemeral": model(left="ref('ephemeral_points')"),
}  # fmt: skip
UNIT_TEST = """
unit_tests:
  - name: joined_by_hand
    model: joined
    given:
      - input: ref('points')
        rows: [{id: 1, p: '2024-01-01 00:00:05'}, {id: 2, p: '2024-01-01 00:00:30'}]
      - input: ref('versions')
        rows: [{id: 8, s: '2024-01-01 00:00:00', e: '2024-01-01 00:00:10'}]
    expect:
      rows: [{l_id: 1, r_id: 8}]
"""


def test_it_never_gets_in_the_way(spark, scratch):
    """Before any table exists, in unit tests, empty builds, for CTEs, views, ephemeral and incremental models."""
    project = ScratchProject(scratch / "in_the_way", "in_the_way")
    with (project.folder / "dbt_project.yml").open("a") as settings:
        settings.write("  +schema: in_the_way\n")
    project.write({
        "points.sql": table(POINTS.replace("60000", "3000")), "versions.sql": table(INTERVALS.format(length="60")),
        "version_view.sql": "select * from {{ ref('versions') }}",
        "ephemeral_points.sql": "{{ config(materialized='ephemeral') }}\nselect * from {{ ref('points') }}",
        **{f"{name}.sql": body for name, body in INPUTS.items()}, "unit_tests.yml": UNIT_TEST,
    })  # fmt: skip
    for command in (["parse"], ["compile", "--no-introspect"], ["compile"], ["docs", "generate"]):
        project.dbt(*command)
    sql = (project.folder / "target" / "compiled" / "in_the_way" / "models" / "joined.sql").read_text()
    assert "-- dbt_range_join: the data could not be measured" in sql
    project.dbt("build", "--empty", "--exclude-resource-type", "unit_test")
    assert spark.table("scratch_in_the_way.joined").count() == 0
    # Tables that happen to have the names of a CTE: of one row, all would be compared with all.
    for name, columns in (("a", "timestamp'2024-01-01' as p"), ("b", "timestamp'2024-01-01' as s, timestamp'2024-01-01' as e")):
        spark.sql(f"drop table if exists {name}")
        spark.sql(f"create table {name} using parquet as select 1 as id, {columns}")
    for _ in range(2):
        events = []
        run_dbt(["build"], project.folder, project.folder, project.folder / "logs", on_event=events.append, partial_parse=True)
        said = [event.info.msg for event in events if "joined_by_hand: dbt_range_join: " in event.info.msg]
        assert said and all("no bins, as a unit test gives few rows, which are not measured" in line for line in said)
        rows = {name: spark.table(f"scratch_in_the_way.{name}").count() for name in INPUTS}
        assert rows["joined"] > 1000 and len({rows[name] for name in INPUTS if name != "by_view"}) == 1, rows
        for name in INPUTS:
            text = (project.folder / "target" / "compiled" / "in_the_way" / "models" / f"{name}.sql").read_text()
            assert ("could not be measured" in text) == (name == "by_cte_that_jinja_names"), name
    project.write({"by_name.sql": model(left="'a'", right="'b'").split("\n")[1]})
    project.dbt("build")
    sql = (project.folder / "target" / "compiled" / "in_the_way" / "models" / "by_name.sql").read_text()
    assert "no bins, as there is only 1 pair to compare" in sql, "a bare name that no CTE has is a table's"
    spark.sql("drop table a")
    spark.sql("drop table b")
