"""What Spark can't resolve, told by argument before the query runs; and what is not told, as the query may be right."""

import re

import pytest

from dev.dbt_runner import run_dbt
from dev.project import ScratchProject

SOURCES = """
sources:
  - name: shop
    schema: scratch
    tables: [{name: resolved_points}, {name: resolved_spans}, {name: not_there}, {name: made_by_hook}]
"""
AS_TABLE = "{{ config(materialized='table') }}"


def call(left="source('shop', 'resolved_points')", point="t", right="source('shop', 'resolved_spans')", interval=("s", "e"), select=("l.id as l_id", "r.id as r_id"), more=""):
    return (
        f"{{{{ dbt_range_join.binned_range_join(left_relation={left}, left_point={point!r}, right_relation={right}, "
        f"right_interval={list(interval)!r}, select={list(select)!r}{more}) }}}}"
    )


@pytest.fixture(scope="module")
def own(spark, scratch):
    """A project over two tables of three thousand rows, so that joins have bins."""
    project = ScratchProject(scratch / "unresolved", "unresolved")
    points = "select id, timestamp_seconds(id) as t, cast(timestamp_seconds(id) as string) as as_text from range(3000)"
    spark.sql("create database if not exists scratch")
    spark.sql(f"create or replace temporary view unresolved_of_session as {points}")
    for name, query in (("points", points), ("spans", "select id, timestamp_seconds(id * 5) as s, timestamp_seconds(id * 5 + 3) as e from range(3000)")):
        spark.sql(f"drop table if exists scratch.resolved_{name}")
        spark.sql(f"create table scratch.resolved_{name} using parquet as {query}")
    yield project
    for name in ("points", "spans"):
        spark.sql(f"drop table scratch.resolved_{name}")


def written(project, models):
    project.write({**{f"{name}.sql": body for name, body in models.items()}, "sources.yml": SOURCES})


def told(project, models):
    """The lines of the faults by model, all from one dbt call."""
    written(project, models)
    events = []
    with pytest.raises(Exception) as failed:
        run_dbt(["run"], project.folder, project.folder, project.folder / "logs", on_event=events.append, partial_parse=True)
    return {name: re.findall(r"\n *- (.*)", message) for name, message in failed.value.nodes.items()}


def unresolved(name, columns, qualified=False):
    alias = "`l`." if qualified else ""
    quoted = ", ".join(f"{alias}`{column}`" for column in columns)
    return f"A column, variable, or function parameter with name {alias}`{name}` cannot be resolved. Did you mean one of the following? [{quoted}]"


def test_every_argument_is_told(own):
    """Sized or not, all faults at once; what is compared and selected, where all values are there."""
    faults = told(own, {
        name: AS_TABLE + body for name, body in {
            "values_sized": call(point="tt", interval=("s", "ee"), more=", bin_size='60 seconds'"),
            "values_unsized": call(point="tt", interval=("s", "ee")),
            "keys_missing": call(more=", keys=['id', ['l.kk', 'r.id']]"),
            "relation_missing": call(left="source('shop', 'not_there')", interval=("s", "ee")),
            "types_differ": call(point="id"),
            "of_function": call(left="'(select timestamp_seconds(id) as t from range(9))'", point="tt", more=", bin_size='60 seconds'"),
            "of_values": call(left="'(select t from values (current_timestamp()), (null) as v(t))'", point="tt"),
            "result": call(select=("l.id as l_id", "l.nope + 1 as x", "r.e"), more=", join_condition='l.id = rr.id'"),
            "of_cte": "with recent as (select id, t from {{ source('shop', 'resolved_points') }}) select * from (\n" + call(left="'recent'", point="as_text") + ")",
        }.items()
    })  # fmt: skip
    of_values = [
        "left_point: got 'tt'; allowed: an expression over left_relation, and Spark says: " + unresolved("tt", ["t", "id", "as_text"]) + ".",
        "right_interval: got 'ee'; allowed: an expression over right_relation, and Spark says: " + unresolved("ee", ["e", "s", "id"]) + ".",
    ]
    assert faults["values_sized"] == faults["values_unsized"] == of_values
    assert faults["keys_missing"] == ["keys: got 'l.kk'; allowed: an expression over left_relation, and Spark says: " + unresolved("kk", ["t", "id", "as_text"], True) + "."]
    assert faults["relation_missing"] == [
        "left_relation: got scratch.not_there; allowed: one that Spark can read, and it says: The table or view `scratch`.`not_there` cannot be found. "
        "Verify the spelling and correctness of the schema and catalog. Next step: build it, such as by dbt build --select +<model>, or change left_relation.",
        of_values[1],
    ]
    assert len(faults["types_differ"]) == 2
    for fault, bound in zip(faults["types_differ"], "se", strict=True):
        assert fault.startswith(f"left_point and right_interval: got 'id and {bound}'; allowed: two that can be compared, and Spark says: Cannot resolve ")
        assert fault.endswith('("BIGINT" and "TIMESTAMP"). Next step: cast one of the two.')
    assert faults["result"] == [
        "join_condition: got 'l.id = rr.id'; allowed: an expression over l and r, and Spark says: A column, variable, or function parameter with name `rr`.`id` cannot be resolved.",
        "select: got 'l.nope + 1 as x'; allowed: an expression over l and r, and Spark says: No such struct field `nope` in `id`, `t`, `as_text`.",
    ]
    for name in ("of_function", "of_values"):
        assert faults[name] == ["left_point: got 'tt'; allowed: an expression over left_relation, and Spark says: " + unresolved("tt", ["t"]) + "."]
    assert len(faults["of_cte"]) == 1 and "with name `as_text` cannot be resolved" in faults["of_cte"][0]


def test_text_is_told_where_it_is_compared_as_text(spark, own):
    """Before the query runs; and not in ANSI mode, which takes it for a timestamp; dbt-spark turns that off, but what it has compiled may run elsewhere."""
    models = {"text_sized": AS_TABLE + call(point="as_text", more=", bin_size='60 seconds'"), "text_unsized": AS_TABLE + call(point="as_text")}
    faults = told(own, models)
    for name in models:
        assert faults[name] == [
            "left_point: got 'as_text'; allowed: numbers, dates and timestamps, and this is of type STRING, and compared as text. "
            "Next step: cast it to one of these, such as by cast(as_text as timestamp), or join with naive_range_join."
        ]
    written(own, models)
    own.dbt("compile")
    before = spark.conf.get("spark.sql.ansi.enabled")
    try:
        spark.conf.set("spark.sql.ansi.enabled", "true")
        for name in models:
            assert spark.sql((own.folder / "target" / "compiled" / "unresolved" / "models" / f"{name}.sql").read_text()).count() == 2400
    finally:
        spark.conf.set("spark.sql.ansi.enabled", before)


def test_nothing_is_told_where_the_query_may_be_right(spark, own):
    """What a hook makes, what only the session has, a CTE that some Jinja makes beside a table of its name with other columns, and subqueries over CTEs."""
    spark.sql("drop table if exists unresolved_events")
    spark.sql("create table unresolved_events using parquet as select 1 as other")
    spark.sql("drop table if exists scratch.made_by_hook")
    made = "create table scratch.made_by_hook using parquet as select * from scratch.resolved_points"
    cte = "{% set made = 'unresolved_events as (select * from ' ~ source('shop', 'resolved_points') ~ ')' %}with {{ made }} select * from (\n"
    query = '"(select * from unresolved_events)"'
    models = {
        "by_hook": f"{{{{ config(materialized='table', pre_hook={made!r}) }}}}" + call(left="source('shop', 'made_by_hook')"),
        "by_session": AS_TABLE + call(left="'unresolved_of_session'"),
        "by_made_cte": AS_TABLE + cte + call(left="'unresolved_events'") + ")",
        "by_query_of_made_cte": AS_TABLE + cte + call(left=query) + ")",
        "by_subquery": AS_TABLE + "with few as (select 3 as n), joined as (\n" + call(more=", join_condition='l.id > (select max(n) from few)'") + ") select * from joined",
    }  # fmt: skip
    try:
        written(own, models)
        own.dbt("run")
        assert {name: spark.table(f"scratch.{name}").count() for name in models} == dict.fromkeys(models, 2400) | {"by_subquery": 2396}
    finally:
        for name in ("unresolved_events", "scratch.made_by_hook"):
            spark.sql(f"drop table if exists {name}")


def test_nothing_is_told_before_inputs_are_built(own):
    """A table may be an old one when dbt compiles. What could not be read is in the comment at the head."""
    written(own, {"old_columns": AS_TABLE + call(point="tt"), "not_yet": AS_TABLE + call(left="source('shop', 'not_there')")})
    for command in (["compile"], ["docs", "generate"]):
        own.dbt(*command)
    sql = {name: (own.folder / "target" / "compiled" / "unresolved" / "models" / f"{name}.sql").read_text() for name in ("old_columns", "not_yet")}
    for name, words in (("old_columns", unresolved("tt", ["t", "id", "as_text"])), ("not_yet", "The table or view `scratch`.`not_there` cannot be found. Verify")):
        assert f"-- dbt_range_join: the data could not be measured before this query runs (Spark says: {words}" in sql[name]


# Of values whose types do not fit: what is joined, and the words of the error that a build raises.
OF_OTHER_TYPES = {
    "binary": ("cast(as_text as binary)", ["s", "e"], "", "this is of type BINARY"),
    "binary_sized": ("cast(as_text as binary)", ["s", "e"], ", bin_size='60 seconds'", "this is of type BINARY"),
    "text": ("as_text", ["s", "e"], ", bin_size='60 seconds'", "of type STRING, and compared as text"),
    "number_by_time": ("id", ["unix_seconds(s)", "unix_seconds(e)"], ", bin_size='60 seconds'", "a number above zero for values of type BIGINT"),
    "number_by_time_swept": ("id", ["unix_seconds(s)", "unix_seconds(e)"], ", bin_size='60 seconds', join_type='anti'", "a number above zero for values of type BIGINT"),
}  # fmt: skip


def test_no_type_is_told_before_inputs_are_built(own):
    """An old table may have others, and the call be right for the new one: dbt compiles and documents it, and a build says what is wrong."""
    models = {
        name: AS_TABLE + call(point=point, interval=interval, select=["l.id"], more=more) for name, (point, interval, more, _) in OF_OTHER_TYPES.items()
    }
    written(own, models)
    for command in (["compile"], ["docs", "generate"]):
        own.dbt(*command)
    folder = own.folder / "target" / "compiled" / "unresolved" / "models"
    for name in models:
        assert "range_join_types as (" in (folder / f"{name}.sql").read_text(), f"{name}: one branch for each type that there may be"
    faults = told(own, models)
    for name, (*_, words) in OF_OTHER_TYPES.items():
        assert words in faults[name][0], (name, faults[name])


def test_bounds_the_wrong_way_round_are_warned_of(own):
    """Nothing matches, so nothing else would tell."""
    written(own, {"swapped": AS_TABLE + call(interval=("e", "s")), "swapped_sized": AS_TABLE + call(interval=("e", "s"), more=", bin_size='60 seconds'"), "straight": AS_TABLE + call()})
    events = []
    run_dbt(["run"], own.folder, own.folder, own.folder / "logs", on_event=events.append, partial_parse=True)
    warned = [event.info.msg for event in events if event.info.level == "warn" and "interval ['" in event.info.msg]
    words = (
        ": dbt_range_join: right_interval ['e', 's']: 100 % of the intervals end before they start, and hold no value. "
        "Next step: if start and end are the wrong way round, right_interval=['s', 'e']"
    )
    assert sorted(warned) == ["swapped" + words, "swapped_sized" + words]
