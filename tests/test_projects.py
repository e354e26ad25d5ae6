"""Whole dbt projects: the package's examples, its integration tests, the flights, and a stranger who installs it."""

import json
import re
import shutil

import pytest
from demo.flights import load_flights
from demo.run import SCHEMA, check_answers
from packaging.specifiers import SpecifierSet

from dev.dbt_runner import run_dbt
from dev.project import ROOT, ScratchProject
from tests.test_compiled_sql import lint

INTEGRATION = ROOT / "integration_tests"
NOT_SOURCES = shutil.ignore_patterns("target", "dbt_packages", "package-lock.yml", "logs", "output", "__pycache__", ".*")


@pytest.fixture
def copy(scratch, request):
    """A copy of the repository's sources, so that a test leaves nothing in it."""
    folder = scratch / f"copy_{request.node.name}"
    shutil.copytree(ROOT, folder, ignore=NOT_SOURCES)
    return folder


def build(project, profiles, scratch, *options):
    """dbt deps and build; returns dbt's results by node name, all of which passed."""
    if (project / "packages.yml").exists():
        run_dbt(["deps"], project, profiles, scratch)
    result = run_dbt(["build", *options], project, profiles, scratch)
    return {node.node.name: node for node in result.results}


def lint_compiled(project, name, scratch):
    """The compiled models, each file ended with a newline, which dbt leaves out, pass sqlfluff."""
    folder = scratch / f"compiled_{name}"
    models = list((project / "target" / "compiled" / name / "models").rglob("*.sql"))
    folder.mkdir()
    for path in models:
        if path.parent.suffix != ".yml":
            (folder / path.name).write_text(path.read_text().strip("\n") + "\n")
    assert models
    lint(folder)


def test_the_examples_build_when_the_package_is_the_root(spark, copy, scratch):
    nodes = build(copy, copy / "demo", scratch, "--profile", "flights_demo", "--target", "examples")
    assert {"example_queries_running_each_second", "example_purchases_within_24_hours"} <= set(nodes)
    assert sum(node.node.resource_type == "test" for node in nodes.values()) > 5
    lint_compiled(copy, "dbt_range_join", scratch)


def test_integration_tests(spark, copy, scratch):
    nodes = build(copy / "integration_tests", copy / "integration_tests", scratch)
    kinds = [str(node.node.resource_type) for node in nodes.values()]
    assert kinds.count("unit_test") >= 10 and kinds.count("test") >= 10


def test_a_year_of_flights(spark, copy, scratch):
    """The demo's own project: every minute of 2013, and one week of it against the naive join, as bags."""
    folder = scratch / "flights"
    folder.mkdir()
    load_flights(spark, f"{SCHEMA}.raw_flights", folder)
    build(copy / "demo", copy / "demo", scratch)
    before = spark.catalog.currentDatabase()
    spark.catalog.setCurrentDatabase(SCHEMA)
    try:
        check_answers(spark)
    finally:
        spark.catalog.setCurrentDatabase(before)


STRANGER = {
    "readings.sql": "select 1 as id, timestamp'2024-05-01 10:00:00' as read_at",
    "shifts.sql": "select 'early' as shift, timestamp'2024-05-01 06:00:00' as starts, timestamp'2024-05-01 14:00:00' as ends",
    "readings_by_shift.sql": """
        {{ dbt_range_join.binned_range_join(
            left_relation=ref('readings'), left_point='read_at',
            right_relation=ref('shifts'), right_interval=['starts', 'ends'], bin_size='8 hours') }}
    """,
}


@pytest.fixture(scope="module")
def stranger(spark, scratch):
    project = ScratchProject(scratch / "stranger", name="stranger")
    project.write(STRANGER)
    return project


def test_a_stranger_installs_and_builds(spark, stranger):
    stranger.dbt("build")
    rows = spark.table("scratch.readings_by_shift").collect()
    assert [(row.id, row["shift"]) for row in rows] == [(1, "early")]
    assert spark.table("scratch.readings_by_shift").columns == ["id", "read_at", "shift", "starts", "ends"]


def test_nothing_of_the_package_runs_in_a_strangers_project(stranger):
    names = stranger.dbt("ls", "--output", "json", "--output-keys", "name", "package_name")
    packages = {json.loads(line)["package_name"] for line in names}
    assert packages == {"stranger"}


@pytest.mark.parametrize("flags", [[], ["--empty"]])
def test_a_join_of_models_survives(stranger, flags):
    """--empty renders a ref as a query; before any table exists, compile has no columns to read."""
    stranger.dbt("build", *flags)


def test_compile_before_any_table_exists(spark, stranger):
    for name in ("readings_by_shift", "readings", "shifts"):
        spark.sql(f"drop view if exists scratch.{name}")
    stranger.dbt("compile")
    stranger.dbt("docs", "generate")


@pytest.mark.parametrize("project", ["", "integration_tests", "demo"])
def test_parse_is_clean(spark, copy, scratch, project):
    """No warning at all, dbt's check of macro arguments against their YAML included."""
    folder = copy / project
    profiles = copy / "demo" if project == "" else folder
    text = (folder / "dbt_project.yml").read_text()
    (folder / "dbt_project.yml").write_text(text + "\nflags:\n  validate_macro_args: true\n")
    options = ["--profile", "flights_demo"] if project == "" else []
    if project:
        run_dbt(["deps"], folder, profiles, scratch)
    run_dbt(["parse", "--warn-error", *options], folder, profiles, scratch)


def test_every_macro_and_argument_is_described(spark, copy, scratch):
    """The public ones in their YAML, in the signature's order; the private ones each with an entry."""
    run_dbt(["parse", "--profile", "flights_demo"], copy, copy / "demo", scratch)
    manifest = json.loads((copy / "target" / "manifest.json").read_text())
    macros = {m["name"]: m for m in manifest["macros"].values() if m["package_name"] == "dbt_range_join"}
    own = {name for name in macros if not name.startswith(("spark__", "default__", "test_"))}
    assert {"bin_number", "generate_bins", "fan_out_intervals", "binned_range_join", "naive_range_join"} <= own
    for name in own:
        assert macros[name]["description"], f"{name} has no description"
        for argument in macros[name]["arguments"]:
            assert argument["type"] and argument["description"], f"{name}({argument['name']}) is not described"


def test_versions_agree(copy):
    """What the README tells people to install is what the code says it is."""
    version = next(line.split(": ")[1] for line in (copy / "dbt_project.yml").read_text().splitlines() if line.startswith("version"))
    readme, changelog = (copy / "README.md").read_text(), (copy / "CHANGELOG.md").read_text()
    assert f"## [{version}]" in changelog or f"## {version}" in changelog
    assert version in readme
    pins = dict(line.split(";")[0].strip().split("==") for line in (copy / "requirements.txt").read_text().splitlines() if "==" in line)
    for package in ("dbt-core", "dbt-spark"):
        assert pins[package] in readme, f"README names another {package} than requirements.txt"


PIN = re.compile(r"(?P<name>[\w.-]+)==(?P<version>[\w.]+)( ; (?P<marker>python_version [<>=]+ \"[\d.]+\"( and python_version [<>=]+ \"[\d.]+\")?))?")
ASKED = re.compile(r"(?P<name>[\w.-]+)(?P<asked>[<>=]+[\w.]+)?( ; python_version [<>=]+ \"[\d.]+\")?")


def lines_of(path, pattern):
    """The lines that are no comment, each of which is a package and what is asked of it: no URL, no host, no path."""
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    found = [pattern.fullmatch(line) for line in lines]
    assert lines and all(found), [line for line, match in zip(lines, found, strict=True) if not match]
    return found


def test_pins_are_what_is_asked_for():
    """Each package that requirements.in names has one exact version, which is the one where it names one, and no package has two without a marker."""
    pins = {}
    for pin in lines_of(ROOT / "requirements.txt", PIN):
        pins.setdefault(pin["name"].lower().replace("_", "-"), []).append(pin)
    assert all(len(of_package) == 1 or all(pin["marker"] for pin in of_package) for of_package in pins.values())
    for asked in lines_of(ROOT / "requirements.in", ASKED):
        versions = [pin["version"] for pin in pins.get(asked["name"], [])]
        assert versions, f"{asked['name']} has no pin"
        if (asked["asked"] or "").startswith("=="):
            assert asked["asked"].removeprefix("==") in versions, f"{asked[0]} is pinned to {versions}"
        elif asked["asked"]:
            assert all(SpecifierSet(asked["asked"]).contains(version) for version in versions), f"{asked[0]} is pinned to {versions}"
