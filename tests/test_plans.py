"""What Spark makes of the joins: no nested loop and no cartesian product, bounded work, the same rows in every setting."""

import itertools
import random
from dataclasses import replace

import pytest

from tests.support.cases import DOMAINS, INCLUSIVE, SHAPES, Setting, draw_case
from tests.support.judge import Judge
from tests.support.turns import turn

JOIN_TYPES = ("inner", "left", "right", "full", "semi", "anti")
BY_NAME = {domain.name: domain for domain in DOMAINS}


@pytest.fixture(scope="module")
def judge(spark, project, tmp_path_factory):
    return Judge(spark, project, tmp_path_factory.mktemp("plans"))


def every_form():
    """One setting of each shape and join type, the rest in turn; and those without a condition once more, as for tiny inputs."""
    domains = itertools.cycle([BY_NAME["timestamp"], BY_NAME["bigint"], BY_NAME["double"], BY_NAME["decimal(10,2)"], BY_NAME["date"]])
    bounds = itertools.cycle(itertools.product(INCLUSIVE, ("no_match", "unbounded")))
    settings = []
    for shape, join_type in itertools.product(SHAPES, JOIN_TYPES):
        domain, (inclusive, null_bounds) = next(domains), next(bounds)
        keys = ("k",) if len(settings) % 2 else ()
        condition = "l.x is distinct from r.x" if len(settings) % 3 == 0 else None
        settings.append(Setting(domain, shape, join_type, inclusive, null_bounds, condition, keys, domain.bin_sizes[1]))
    return settings + [replace(setting, tiny=True) for setting in settings if setting.condition is None]


@pytest.fixture(scope="module")
def forms(judge):
    """Each form's setting, its compiled query, and the naive join's answer on 150 random cases."""
    settings = every_form()
    forms = []
    for number, (setting, (binned, naive)) in enumerate(zip(settings, judge.compile({"forms": settings})["forms"], strict=True)):
        rng = random.Random(number)
        judge.write(setting, {n: draw_case(rng, setting) for n in range(150)}, "forms", number)
        forms.append((setting, binned, judge.run(naive, setting)))
    return forms


def session_settings(ansi, adaptive, broadcast, partitions, **more):
    threshold = "10485760" if broadcast else "-1"
    return {
        "spark.sql.ansi.enabled": ansi,
        "spark.sql.adaptive.enabled": adaptive,
        "spark.sql.autoBroadcastJoinThreshold": threshold,
        "spark.sql.adaptive.autoBroadcastJoinThreshold": threshold,
        "spark.sql.shuffle.partitions": partitions,
        "spark.sql.adaptive.coalescePartitions.enabled": False,
        **more,
    }


# Each pair of values of any two settings comes up in one of them.
SESSIONS = {
    "dbt's": session_settings(ansi=False, adaptive=True, broadcast=True, partitions=4),
    "ANSI": session_settings(ansi=True, adaptive=True, broadcast=False, partitions=17),
    "one partition": session_settings(ansi=True, adaptive=False, broadcast=True, partitions=1),
    "no code generation": session_settings(
        ansi=False, adaptive=False, broadcast=False, partitions=17, **{"spark.sql.codegen.wholeStage": False}
    ),
}


@pytest.mark.parametrize("name", SESSIONS)
def test_the_same_rows_and_no_nested_loop_in_every_session(spark, judge, forms, name):
    session = spark.newSession()
    for setting, value in SESSIONS[name].items():
        session.conf.set(setting, str(value).lower())
    for number, (setting, binned, expected) in enumerate(forms):
        if name not in turn(number, SESSIONS, 1):
            continue
        got, plan = judge.run_and_plan(binned, setting, session)
        swept = setting.join_type in ("semi", "anti") and setting.condition is None
        assert ("Window" if swept else "Join") in plan and "NestedLoop" not in plan and "CartesianProduct" not in plan, f"{name}: {setting.arguments()}"
        assert got == expected, f"{name}: {setting.arguments()}\nmissing {expected - got}, extra {got - expected}"
        assert sum(expected.values()) > 0
