"""The generic test equals_naive_range_join in a user's project: green on a right model, and telling on a wrong one."""

import json

import pytest

from dev.dbt_runner import DbtFailed

EVENTS = """
    select * from values
        (1, 1, 5), (2, 1, 15), (3, 2, 25), (3, 2, 25), (4, 2, null), (5, 3, 99)
    as t (id, k, at)
"""
VERSIONS = """
    select * from values
        (10, 1, 0, 10), (11, 1, 10, null), (12, 2, 20, 30), (12, 2, 20, 30)
    as t (version, k, valid_from, valid_to)
"""
ARGUMENTS = {
    "left_relation": "ref('events')", "left_point": "at",
    "right_relation": "ref('versions')", "right_interval": ["valid_from", "valid_to"],
    "keys": ["k"], "join_type": "left", "inclusive": "left", "null_bounds": "unbounded",
    "select": ["l.id", "l.k", "r.version"],
}  # fmt: skip
CALL = """
    {{ dbt_range_join.binned_range_join(
        left_relation=ref('events'), left_point='at', right_relation=ref('versions'), right_interval=['valid_from', 'valid_to'],
        keys=['k'], join_type='left', inclusive='left', null_bounds='unbounded', select=['l.id', 'l.k', 'r.version'], bin_size=10) }}
"""
MODELS = {
    "right_one": CALL,
    "one_too_many": f"with joined as ({CALL}) select * from joined union all select 3, 2, 12",
    "one_too_few": f"with joined as ({CALL}) select * from joined where id <> 2",
    "deduplicated": f"with joined as ({CALL}) select distinct * from joined",
}


def with_tests(models, arguments):
    """Model files and a YAML that puts the test on each model."""
    files = {"events.sql": EVENTS, "versions.sql": VERSIONS, **{f"{name}.sql": body for name, body in models.items()}}
    tests = [
        {"name": name, "data_tests": [{"dbt_range_join.equals_naive_range_join": {"name": f"check_{name}", "arguments": arguments}}]}
        for name in models
    ]
    files["models.yml"] = json.dumps({"version": 2, "models": tests})
    return files


@pytest.fixture(scope="module")
def built(project):
    project.write(with_tests(MODELS, ARGUMENTS))
    project.dbt("run")
    return project


def failing_rows(spark, project, name):
    """What the compiled test on a model returns."""
    path = project.folder / "target" / "compiled" / "scratch" / "models" / "models.yml" / f"check_{name}.sql"
    return [(row.difference, row.times, *row.row) for row in spark.sql(path.read_text()).collect()]


def test_it_passes_on_a_right_model_and_fails_on_wrong_ones(built):
    built.dbt("test", "--select", "right_one")
    with pytest.raises(DbtFailed) as failure:
        built.dbt("test")
    message = str(failure.value)
    assert "3 of 4 nodes" in message
    for name in ("one_too_many", "one_too_few", "deduplicated"):
        assert f"check_{name}: " in message


@pytest.mark.parametrize("name, expected", [
    ("one_too_many", [("extra", 1, 3, 2, 12)]),
    ("one_too_few", [("missing", 1, 2, 1, 11)]),
    ("deduplicated", [("missing", 3, 3, 2, 12)]),
])  # fmt: skip
def test_it_says_what_differs_and_how_often(spark, built, name, expected):
    with pytest.raises(DbtFailed):
        built.dbt("test", "--select", name)
    assert failing_rows(spark, built, name) == expected


def test_where_keeps_it_affordable(spark, project):
    """With left_where only those rows are looked at: the fault elsewhere is not seen, the one there is."""
    project.write(with_tests(MODELS, {**ARGUMENTS, "left_where": "l.id <> 3"}))
    project.dbt("run")
    project.dbt("test", "--select", "right_one", "one_too_many", "deduplicated")
    with pytest.raises(DbtFailed):
        project.dbt("test", "--select", "one_too_few")
    assert failing_rows(spark, project, "one_too_few") == [("missing", 1, 2, 1, 11)]


def test_both_wheres_on_an_inner_join(project):
    inner = CALL.replace("'left', inclusive", "'inner', inclusive")
    arguments = {**ARGUMENTS, "join_type": "inner", "left_where": "id < 3", "right_where": "r.version > 10 or r.version is null"}
    project.write(with_tests({"right_one": inner, "one_too_few": f"select * from ({inner}) where id <> 2"}, arguments))
    project.dbt("run")
    project.dbt("test", "--select", "right_one")
    with pytest.raises(DbtFailed):
        project.dbt("test", "--select", "one_too_few")


@pytest.mark.parametrize("join_type, side, next_step", [
    ("left", "right", "Next step: use left_where."),
    ("right", "left", "Next step: use right_where."),
    ("full", "left", "Next step: test the model on smaller relations."),
])  # fmt: skip
def test_a_where_that_would_change_the_answer_is_refused(project, join_type, side, next_step):
    arguments = {**ARGUMENTS, "join_type": join_type, f"{side}_where": "id > 1"}
    project.write(with_tests({"right_one": CALL}, arguments))
    with pytest.raises(DbtFailed) as failure:
        project.dbt("compile")
    assert (
        f"{side}_where: got 'id > 1'; allowed: none with join_type '{join_type}', whose result may have no {side} row to filter by. "
        + next_step
    ) in str(failure.value)


def test_a_where_beside_a_window_is_refused(project):
    """A window looks at the rows that a predicate leaves out, too."""
    select = ["l.id", "r.version", "row_number() OVER\n(order by l.id) as place"]
    project.write(with_tests({"right_one": CALL}, {**ARGUMENTS, "select": select, "left_where": "id > 1"}))
    with pytest.raises(DbtFailed) as failure:
        project.dbt("compile")
    assert (
        "left_where: got 'id > 1'; allowed: none with a window function in select, which looks at the rows that the predicate leaves out, too. "
        "Next step: test the model on smaller relations."
    ) in str(failure.value)
