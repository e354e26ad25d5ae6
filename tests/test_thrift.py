"""dbt's thrift method, as in production: results come by another way, models are built at the same time, and ANSI mode is on, as Spark has it by default."""

import re

import pytest
import yaml

from dev.dbt_runner import DbtFailed
from dev.project import ScratchProject
from dev.session import thrift_server
from tests.support.both import bag
from tests.test_reports import run

PROFILE = """\
scratch:
  target: dev
  outputs:
    dev: {{type: spark, method: thrift, host: 127.0.0.1, port: {port}, user: dbt, schema: served, threads: 4}}
"""
AS_TABLE = "{{ config(materialized='table') }}\n"
SECONDS = "timestamp_seconds(1700000000 + id * 7919 % 600000 + {})"
INPUTS = {
    "served_points.sql": AS_TABLE + f"select id, id % 4 as k, {SECONDS.format(0)} as t, cast({SECONDS.format(0)} as string) as as_text from range(4000)",
    "served_spans.sql": AS_TABLE + f"select id, id % 4 as k, {SECONDS.format(0)} as s, {SECONDS.format('if(id % 50 = 0, 90000, id % 300)')} as e from range(3000)",
}
POINTS = {"left_relation": "ref('served_points')", "left_point": "t"}
SPANS = {"left_relation": "ref('served_spans')", "left_interval": ["s", "e"]}
RIGHT = {"right_relation": "ref('served_spans')", "right_interval": ["s", "e"]}
BOTH_IDS = {"select": ["l.id as l_id", "r.id as r_id"]}
JOINS = {
    **{join_type: {**POINTS, **RIGHT, **BOTH_IDS, "join_type": join_type} for join_type in ("inner", "left", "right", "full")},
    **{join_type: {**POINTS, **RIGHT, "join_type": join_type, "select": ["l.id as l_id"]} for join_type in ("semi", "anti")},
    "overlap": {**SPANS, **RIGHT, **BOTH_IDS},
    "full_overlap": {**SPANS, **RIGHT, **BOTH_IDS, "join_type": "full"},
    "keyed": {**POINTS, **RIGHT, **BOTH_IDS, "keys": ["k"], "inclusive": "left"},
    "as_text": {**POINTS, **RIGHT, **BOTH_IDS, "left_point": "as_text"},
}  # fmt: skip


def call(arguments, more=""):
    """A join as a model's body. more: further arguments, in Jinja."""
    given = ", ".join(f"{name}={value if name.endswith('relation') else repr(value)}" for name, value in arguments.items())
    return AS_TABLE + "{{ dbt_range_join.binned_range_join(" + given + more + ") }}"


@pytest.fixture(scope="module")
def served(spark, scratch):
    """A project whose dbt talks to a Thrift server, by four connections at a time."""
    with thrift_server(spark) as port:
        yield ScratchProject(scratch / "served", "served", PROFILE.format(port=port))


def test_joins_of_all_kinds_at_the_same_time(served):
    """Each is compared with the plain join, and each without a bin_size goes by what was measured."""
    models = {f"{name}_of_no_size": call(arguments) for name, arguments in JOINS.items()}
    models |= {f"{name}_of_a_minute": call(JOINS[name], ", bin_size='60 seconds'") for name in ("full", "anti", "overlap")}
    tests = [
        {"name": model, "data_tests": [{"dbt_range_join.equals_naive_range_join": {"name": f"{model}_equals", "arguments": JOINS[model.split("_of_")[0]]}}]}
        for model in models
    ]
    served.write({**INPUTS, **{f"{name}.sql": body for name, body in models.items()}, "schema.yml": yaml.safe_dump({"models": tests})})
    kinds = [str(result.node.resource_type) for result in served.dbt("build", partial_parse=False).results]
    assert kinds.count("test") == len(models)

    compiled = served.folder / "target" / "compiled" / "served" / "models"
    for name in JOINS:
        plan = re.search("-- dbt_range_join: (.*)", (compiled / f"{name}_of_no_size.sql").read_text())[1]
        if name == "as_text":
            assert "could not be measured" not in plan
        else:
            assert re.search(r"(bins of|one sweep|broadcast).* [\d,]+ (points|intervals) on the left", plan), plan


ENDS = "case id when 7 then timestamp_micros(-9223372036854775808) when 8 then timestamp_micros(9223372036854775807) else {} end"
AT_THE_ENDS = {
    "ends_of_clocks.sql": AS_TABLE + f"select id, cast({ENDS.format('t')} as timestamp_ntz) as t from {{{{ ref('served_points') }}}}",
    "ends_of_instants.sql": AS_TABLE + f"select id, {ENDS.format('s')} as s, {ENDS.format('e')} as e from {{{{ ref('served_spans') }}}}",
}


def test_the_first_and_the_last_moment_of_two_types(spark, served):
    """Found by an attack: without a bin_size, and in ANSI mode, the amount of the first one was more than a BIGINT holds, and the model ended in Spark's error."""
    sides = {"left_relation": "ref('ends_of_clocks')", "left_point": "t", "right_relation": "ref('ends_of_instants')", "right_interval": ["s", "e"], **BOTH_IDS}
    binned = call(sides)
    served.write({**INPUTS, **AT_THE_ENDS, "ends_binned.sql": binned, "ends_naive.sql": binned.replace("binned_range_join", "naive_range_join")})
    served.dbt("build", partial_parse=False)
    naive = bag(spark, "select * from served.ends_naive")
    assert bag(spark, "select * from served.ends_binned") == naive and naive[0] > 4000
    sql = (served.folder / "target" / "compiled" / "served" / "models" / "ends_binned.sql").read_text()
    assert re.search("-- dbt_range_join: bins of .* 4,000 points on the left", sql), sql


def test_what_spark_cant_resolve_is_told(served):
    served.write({**INPUTS, "misspelt.sql": call({**POINTS, **RIGHT, **BOTH_IDS, "left_point": "tt", "right_interval": ["s", "end_at"]})})
    with pytest.raises(DbtFailed) as failed:
        served.dbt("build", partial_parse=False)
    faults = re.findall(r"\n *- (.*)", failed.value.nodes["misspelt"])
    assert [fault.split(":")[0] for fault in faults] == ["left_point", "right_interval"]
    assert all("cannot be resolved. Did you mean one of the following?" in fault for fault in faults)
    assert "served_points" not in failed.value.nodes


def test_reports(spark, served):
    served.write({**INPUTS, "joined.sql": call(JOINS["left"])})
    served.dbt("build", partial_parse=False)
    profile = run(served, "profile_range_join", {**JOINS["left"], "left_relation": "served_points", "right_relation": "served_spans"})
    assert "4,000 points on the left" in profile
    explained = run(served, "explain_range_join", {"model": "joined"})
    rows = int(re.search(r"rows of the result +([\d,]+)", explained)[1].replace(",", ""))
    assert rows == spark.table("served.joined").count() > 4000
    assert "Nested loop or cartesian product: no" in explained
