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
        (10, 1, 0, 10), (11, 1, 10, null), (12, 2, 20, 30), (12, 2, 20, 30), (13, 9, 0, 10)
    as t (version, k, valid_from, valid_to)
"""
BOTH_SIDES = ["l.id", "l.k", "r.version"]


def arguments(join_type, **more):
    """The test's arguments, as they stand in YAML."""
    return {
        "left_relation": "ref('events')", "left_point": "at",
        "right_relation": "ref('versions')", "right_interval": ["valid_from", "valid_to"],
        "keys": ["k"], "join_type": join_type, "inclusive": "left", "null_bounds": "unbounded",
        "select": ["l.id", "l.k"] if join_type in ("semi", "anti") else BOTH_SIDES, **more,
    }  # fmt: skip


def call(macro, given):
    """The same arguments in the body of a model."""
    written = (f"{name}={value if name.endswith('_relation') else repr(value)}" for name, value in given.items())
    return f"{{{{ dbt_range_join.{macro}({', '.join(written)}) }}}}"


def model(join_type, change):
    """The join, with a change to its rows."""
    return f"with joined as ({call('binned_range_join', arguments(join_type, bin_size=10))}) {change}"


ONE_TOO_MANY = "select * from joined union all select 3, 2, 12"
DEDUPLICATED = "select distinct * from joined"


def all_but(condition):
    return f"select * from joined where not ({condition})"


# name: (join type, what the model makes of the join, the predicates of the test, the differences that it is to find)
CASES = {
    "right_one": ("left", "select * from joined", {}, []),
    "one_too_many": ("left", ONE_TOO_MANY, {}, [("extra", 1, 3, 2, 12)]),
    "one_too_few": ("left", all_but("id = 2"), {}, [("missing", 1, 2, 1, 11)]),
    "deduplicated": ("left", DEDUPLICATED, {}, [("missing", 3, 3, 2, 12)]),
    # With a predicate only those rows are looked at: the fault elsewhere is not seen, the one there is.
    "inner_elsewhere": ("inner", all_but("id = 1"), {"left_where": "id < 3", "right_where": "r.version > 10"}, []),
    "inner_beyond_the_other": ("inner", DEDUPLICATED, {"left_where": "id < 3", "right_where": "r.version > 10"}, []),
    "inner_there": ("inner", all_but("id = 2"), {"left_where": "id < 3", "right_where": "r.version > 10"}, [("missing", 1, 2, 1, 11)]),
    "left_elsewhere": ("left", ONE_TOO_MANY, {"left_where": "l.id <> 3"}, []),
    "left_there": ("left", all_but("id in (2, 5)"), {"left_where": "l.id <> 3"}, [("missing", 1, 2, 1, 11), ("missing", 1, 5, 3, None)]),
    "right_elsewhere": ("right", DEDUPLICATED, {"right_where": "r.version <> 12"}, []),
    "right_there": ("right", all_but("version = 13"), {"right_where": "r.version <> 12"}, [("missing", 1, None, None, 13)]),
    "semi_elsewhere": ("semi", DEDUPLICATED, {"left_where": "id <> 3 -- a comment"}, []),
    "semi_there": ("semi", all_but("id = 2"), {"left_where": "id <> 3 -- a comment"}, [("missing", 1, 2, 1)]),
    "anti_elsewhere": ("anti", all_but("id = 5"), {"left_where": "l.k = 2"}, []),
    "anti_there": ("anti", "select * from joined union all select 3, 2", {"left_where": "l.k = 2"}, [("extra", 1, 3, 2)]),
}  # fmt: skip


def with_tests(cases):
    """Model files and a YAML that puts the test on each model."""
    files = {"events.sql": EVENTS, "versions.sql": VERSIONS}
    tests = []
    for name, (join_type, change, wheres, _) in cases.items():
        files[f"{name}.sql"] = model(join_type, change)
        test = {"name": f"check_{name}", "arguments": arguments(join_type, **wheres)}
        tests.append({"name": name, "data_tests": [{"dbt_range_join.equals_naive_range_join": test}]})
    files["models.yml"] = json.dumps({"version": 2, "models": tests})
    return files


@pytest.fixture(scope="module")
def failed(project):
    """The tests that fail, with their messages, where dbt keeps what they return."""
    project.write(with_tests(CASES))
    project.dbt("run")
    with pytest.raises(DbtFailed) as failure:
        project.dbt("test", "--store-failures")
    return failure.value.nodes


@pytest.mark.parametrize("name", CASES)
def test_it_says_what_differs_and_how_often(spark, failed, name):
    """In the table that `dbt test --store-failures` makes."""
    expected = CASES[name][3]
    rows = spark.table(f"scratch_dbt_test__audit.check_{name}").collect()
    assert sorted(((row.difference, row.times, *row.row) for row in rows), key=repr) == expected
    assert (f"check_{name}" in failed) == bool(expected)
    if expected:
        assert f"Got {len(expected)} result" in failed[f"check_{name}"]


def test_it_fails_where_nothing_is_kept(project, failed):
    project.write(with_tests(CASES))
    with pytest.raises(DbtFailed) as failure:
        project.dbt("test", "--select", "right_one", "deduplicated")
    assert list(failure.value.nodes) == ["check_deduplicated"]


WINDOW = [*BOTH_SIDES, "row_number() OVER\n(order by l.id) as place"]
# name: (the arguments, what is told)
REFUSED = {
    **{
        f"{side}_where_{join_type}": (arguments(join_type, **{f"{side}_where": "id > 1"}), (
            f"{side}_where: got 'id > 1'; allowed: none with join_type '{join_type}', whose result may have no {side} row to filter by. Next step: {next_step}."))
        for join_type, side, next_step in (
            ("left", "right", "use left_where"), ("semi", "right", "use left_where"), ("anti", "right", "use left_where"), ("right", "left", "use right_where"),
            ("full", "left", "test the model on smaller relations"), ("full", "right", "test the model on smaller relations"),
        )
    },
    "beside_a_window": (arguments("left", select=WINDOW, left_where="id > 1"), (  # a window looks at the rows that a predicate leaves out, too
        "left_where: got 'id > 1'; allowed: none with a window function in select, which looks at the rows that the predicate leaves out, too. "
        "Next step: test the model on smaller relations.")),
    "no_text": (arguments("left", left_where=5), "left_where: got 5; allowed: a SQL expression as a string."),
    "not_in": (arguments("left", join_condition="l.id not in (select version from t)"), (
        "join_condition: got 'l.id not in (select version from t)'; allowed: no NOT IN over a query with join_type 'left'")),
    "misspelt": (arguments("left", left_were="id > 1"), "left_were: got 'id > 1'; allowed: the arguments left_where, right_where, left_relation"),
    "of_a_column": (arguments("left", column_name="id"), "extent, longest. Next step: put the test under data_tests of the model, not of a column."),
}  # fmt: skip


@pytest.fixture(scope="module")
def messages(project):
    """What each call of the test is told, all from one dbt call."""
    # A model can call a generic test, as a macro; dbt stops at the first faulty one of a YAML.
    sides = {"left_relation": "'events'", "right_relation": "'versions'"}
    return project.errors({name: call("test_equals_naive_range_join", {"model": "joined", **given, **sides}) for name, (given, _) in REFUSED.items()})


@pytest.mark.parametrize("name", REFUSED)
def test_what_would_change_the_answer_is_refused(messages, name):
    assert "dbt_range_join.equals_naive_range_join: 1 argument to put right" in messages[name]
    assert REFUSED[name][1] in messages[name]


def test_a_refusal_of_a_test_in_yaml_names_it(project):
    given, told = REFUSED["right_where_left"]
    wheres = {"right_where": given["right_where"]}
    project.write(with_tests({"right_one": ("left", "select * from joined", wheres, [])}))
    with pytest.raises(DbtFailed) as failure:
        project.dbt("parse")
    assert told in str(failure.value) and "check_right_one" in str(failure.value)
