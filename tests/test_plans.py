"""What Spark makes of the joins: no nested loop and no cartesian product, bounded work, the same rows in every setting."""

import itertools
import random
import time

import pytest

from tests.support.cases import DOMAINS, INCLUSIVE, SHAPES, Setting, draw_case
from tests.support.judge import Judge

JOIN_TYPES = ("inner", "left", "right", "full", "semi", "anti")
BY_NAME = {domain.name: domain for domain in DOMAINS}


@pytest.fixture(scope="module")
def judge(spark, project, tmp_path_factory):
    return Judge(spark, project, tmp_path_factory.mktemp("plans"))


@pytest.fixture
def set_conf(spark):
    """Set Spark settings for one test."""
    before = {}

    def change(**settings):
        for name, value in settings.items():
            name = name.replace("__", ".")
            before.setdefault(name, spark.conf.get(name))
            spark.conf.set(name, str(value))

    yield change
    for name, value in before.items():
        spark.conf.set(name, value)


def every_form():
    """One setting of each shape and join type, the rest in turn."""
    domains = itertools.cycle([BY_NAME["timestamp"], BY_NAME["bigint"], BY_NAME["double"], BY_NAME["decimal(10,2)"], BY_NAME["date"]])
    bounds = itertools.cycle(itertools.product(INCLUSIVE, ("no_match", "unbounded")))
    settings = []
    for shape, join_type in itertools.product(SHAPES, JOIN_TYPES):
        domain, (inclusive, null_bounds) = next(domains), next(bounds)
        keys = ("k",) if len(settings) % 2 else ()
        condition = "l.x is distinct from r.x" if len(settings) % 3 == 0 else None
        settings.append(Setting(domain, shape, join_type, inclusive, null_bounds, condition, keys, domain.bin_sizes[1]))
    return settings


@pytest.fixture(scope="module")
def forms(judge):
    """Each form's setting, cases and compiled queries."""
    settings = every_form()
    compiled = judge.compile(settings, "forms")
    forms = []
    for number, setting in enumerate(settings):
        rng = random.Random(number)
        cases = {n: draw_case(rng, setting) for n in range(150)}
        judge.write(setting, cases, "forms", number)
        forms.append((setting, *compiled[number]))
    return forms


SESSIONS = {
    "as it comes": {},
    "ANSI": {"spark__sql__ansi__enabled": "true"},
    "one partition": {"spark__sql__shuffle__partitions": 1, "spark__sql__adaptive__coalescePartitions__enabled": "false"},
    "many partitions": {"spark__sql__shuffle__partitions": 40, "spark__sql__adaptive__coalescePartitions__enabled": "false"},
    "no broadcast": {"spark__sql__autoBroadcastJoinThreshold": -1, "spark__sql__adaptive__autoBroadcastJoinThreshold": -1},
    "not adaptive": {"spark__sql__adaptive__enabled": "false"},
    "not adaptive, no broadcast, ANSI, New York": {
        "spark__sql__adaptive__enabled": "false", "spark__sql__autoBroadcastJoinThreshold": -1,
        "spark__sql__ansi__enabled": "true", "spark__sql__session__timeZone": "America/New_York"},
    "no code generation": {"spark__sql__codegen__wholeStage": "false"},
}  # fmt: skip


@pytest.mark.parametrize("session", SESSIONS)
def test_the_same_rows_and_no_nested_loop_in_every_session(spark, judge, forms, set_conf, session):
    set_conf(spark__sql__adaptive__autoBroadcastJoinThreshold=spark.conf.get("spark.sql.autoBroadcastJoinThreshold"))
    set_conf(**SESSIONS[session])
    for setting, binned, naive in forms:
        plan = spark.sql("explain formatted " + binned).collect()[0][0]
        assert "NestedLoop" not in plan and "CartesianProduct" not in plan, f"{session}: {setting.arguments()}"
        expected, got = judge.run(naive, setting), judge.run(binned, setting)
        assert got == expected, f"{session}: {setting.arguments()}\nmissing {expected - got}, extra {got - expected}"
        assert sum(expected.values()) > 0
