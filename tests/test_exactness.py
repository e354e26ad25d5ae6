"""Random joins: the binned join gives the rows of the naive one, and of another engine.

For a quarter of the arguments drawn, or more, the rows of 40 cases are one large case, without the key that keeps the others apart. These come
beside the CASES that are judged one by one.

A longer run, with a seed of your choice: make test-random SEED=7 CASES=200000
"""

import math
import os
import random
from collections import Counter

import pytest

from tests.support.cases import DOMAINS, SHAPES, draw_setting
from tests.support.judge import Judge, check

SEED = int(os.environ.get("RANGE_JOIN_SEED", "20261120"))
CASES = int(os.environ.get("RANGE_JOIN_CASES", "18000"))
CASES_A_QUERY = 500
SUPPORTED = {shape: ("inner", "left", "right", "full", "semi", "anti") for shape in SHAPES}


def tag(domain):
    """A domain's name, fit for files."""
    return domain.name.replace(" ", "_").replace(",", "_")


def draw_settings(domain):
    """The settings of a type, whatever the other arguments: enough for CASES without the pooled ones, which are beside them."""
    rng = random.Random(f"{SEED}/{domain.name}")
    settings = []
    apart = math.ceil(CASES / CASES_A_QUERY / len(DOMAINS))
    while apart:
        shape = rng.choice(list(SUPPORTED))
        settings.append(draw_setting(rng, (domain,), (shape,), SUPPORTED[shape]))
        apart -= not settings[-1].pooled
    return settings


@pytest.fixture(scope="module")
def judge(spark, project, tmp_path_factory):
    yield Judge(spark, project, tmp_path_factory.mktemp("cases"))
    spark.conf.unset("spark.sql.adaptive.enabled")


@pytest.fixture(scope="module")
def queries(judge):
    """The compiled queries of each type's settings, all from one dbt call."""
    return judge.compile({tag(domain): draw_settings(domain) for domain in DOMAINS})


@pytest.mark.parametrize("domain", DOMAINS, ids=lambda domain: domain.name)
def test_random_cases(judge, queries, domain):
    assert check(judge, SEED, draw_settings(domain), queries[tag(domain)], CASES_A_QUERY, tag(domain)) >= CASES / len(DOMAINS)


def test_the_cases_could_show_a_fault(judge):
    """Of all that were judged: joins of nothing would agree, too. With the seed above 60 % have rows, and 12 % a pair; and each type has some."""
    if len(judge.seen) < len(DOMAINS):
        pytest.skip("only some of the types were judged")
    seen = sum(judge.seen.values(), Counter())
    assert seen["cases"] >= CASES
    assert seen["with rows"] > 0.4 * seen["cases"], seen
    assert seen["with pairs"] > 0.06 * seen["may have pairs"], seen
    without = [tag for tag, counts in judge.seen.items() if not counts["with rows"]]
    assert len(without) <= len(DOMAINS) / 10, without
