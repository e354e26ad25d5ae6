"""What README.md shows is done: its files, its calls on its own tables, its commands; rows and printed text are as they stand there."""

import io
import json
import re
import shlex
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import pytest
import yaml

from dev.dbt_runner import DbtFailed, run_dbt
from dev.project import PROFILE, ROOT, ScratchProject
from tests.support.readme import Table, read_sections

README = (ROOT / "README.md").read_text()
STARTER = "A project of your own, from an empty folder"
SCD2 = "Look up the version that was valid (SCD2)"
SCHEMA = "readme"
WINDOWS = "Events in 24-hour windows"
RECIPES = ("First call", "IP to country", WINDOWS, "Sessions that overlap", "Queries per second")

# The types of the columns that the README's tables have, by name.
TYPES = {
    **dict.fromkeys(("query_id", "login_id", "purchase_id", "user_id", "view_id", "session_id", "app_session_id", "id", "s", "e", "v"), "int"),
    **dict.fromkeys(("first_ip", "last_ip", "queries_running", "bin", "bin_num"), "bigint"),
    **dict.fromkeys(("ip", "country"), "string"),
    **dict.fromkeys(("second", "start_time", "end_time", "purchased_at", "viewed_at"), "timestamp"),
}


@pytest.fixture(scope="module")
def readme():
    return read_sections(README)


@pytest.fixture(scope="module")
def own(spark, scratch):
    """A project for the README's models, in a schema of their own: their names are those that other tests give their tables."""
    return ScratchProject(scratch / "readme", profile=PROFILE.replace("schema: scratch", f"schema: {SCHEMA}"))


def moment(text):
    """A time as tables shorten it: without the seconds, the day (May 1, 2024) or the year."""
    day, _, clock = text.rpartition(" ")
    clock += ":00" * (2 - clock.count(":"))
    return datetime.strptime(f"2024-{day or '05-01'} {clock}{'' if '.' in clock else '.0'}", "%Y-%m-%d %H:%M:%S.%f")


def value(column, text):
    """The value that a table's text stands for."""
    if text is None or TYPES[column] == "string":
        return text
    return moment(text) if TYPES[column] == "timestamp" else int(text)


def rows_shown(table):
    """A table's rows as a bag of values."""
    return Counter(tuple(map(value, table.columns, row)) for row in table.rows)


def as_model(table):
    """A model with a table's rows."""

    def literal(column, text):
        return "null" if text is None else f"cast('{value(column, text)}' as {TYPES[column]})"

    rows = ", ".join("(" + ", ".join(map(literal, table.columns, row)) + ")" for row in table.rows)
    return f"select * from values {rows} as t ({', '.join(table.columns)})"


def in_columns(rows, columns):
    """Rows of Spark as a bag of values, of these columns."""
    return Counter(tuple(row[column] for column in columns) for row in rows)


def test_the_starter_project(spark, readme, scratch):
    """Its files in the folders that it makes, its commands, and what they say."""
    section, folder = readme[STARTER], scratch / "starter"
    folder.mkdir()
    made = [line for line in section.block_after("In an empty folder").splitlines() if line.startswith("mkdir -p ")]
    for name in shlex.split(made[0])[2:]:
        (folder / name).mkdir(parents=True)
    files = section.files()
    here = files["my_project/packages.yml"].replace("local: ../dbt_range_join\n", f"local: {ROOT}\n")
    assert len(files) == 7 and here != files["my_project/packages.yml"]
    for path, text in {**files, "my_project/packages.yml": here}.items():
        (folder / path).write_text(text)

    project = folder / "my_project"
    move, *calls = [shlex.split(line) for line in section.block_after("Run it:").splitlines()]
    assert move == ["cd", "my_project"] and [call[0] for call in calls] == ["../venv/bin/dbt"] * 3
    _, built, shown = [run_dbt(call[1:], project, project, folder / "logs") for call in calls]
    assert Counter((str(node.node.resource_type), str(node.status)) for node in built.results) == {("model", "success"): 3, ("test", "pass"): 1}
    assert "`dbt build` makes three tables and passes one test." in section.prose
    assert spark.table("my_project.order_plans").count() == 4
    printed = io.StringIO()
    shown.results[0].agate_table.print_table(output=printed)
    assert sorted(printed.getvalue().splitlines()) == sorted(section.block_after("prints the rows").splitlines())


def starter_models(readme):
    """The models of the starter project's inputs, by file name."""
    files = readme[STARTER].files()
    return {name: files[f"my_project/models/{name}.sql"] for name in ("orders", "customer_versions")}


def calls_shown(readme):
    """Each call that is shown with its rows, by heading, and the models that it reads."""
    calls = {heading: (readme[heading].block("sql"), inputs_of(readme[heading])) for heading in RECIPES}
    calls[SCD2] = readme[SCD2].block("sql"), starter_models(readme)
    calls["fan_out_intervals"] = usage(readme, "fan_out_intervals"), inputs_of(readme["fan_out_intervals"])
    calls["bin_number"] = usage(readme, "bin_number"), {"t": as_model(Table(("v",), [row[:1] for row in readme["bin_number"].table().rows]))}
    values = re.search(r"With (-?\d+) and (-?\d+) in the column `v` of `t`:", readme["generate_bins"].prose).groups()
    calls["generate_bins"] = usage(readme, "generate_bins"), {"t": as_model(Table(("v",), [(text,) for text in values]))}
    return calls


def inputs_of(section):
    """Models with the rows of a section's tables, of those that have a name and are not the result."""
    return {name: as_model(table) for name, table in section.tables if name not in ("", "result")}


def usage(readme, heading):
    """What stands under Usage: a block, or code within a line."""
    inline = re.search(r"\*\*Usage\.\*\* `(.*)`", readme[heading].prose)
    return inline.group(1) if inline else readme[heading].block_after("**Usage.**")


@dataclass
class Built:
    """A call as dbt has built it: its compiled SQL, the names of its columns and its rows."""

    sql: str
    columns: list[str]
    rows: list


@pytest.fixture(scope="module")
def built(spark, own, readme):
    """All calls by heading, in as few runs of dbt as go: calls that mean different tables by one name are in different ones."""
    rounds = []
    for heading, (call, inputs) in calls_shown(readme).items():
        fitting = [pair for pair in rounds if all(pair[1].get(name, body) == body for name, body in inputs.items())]
        if not fitting:
            rounds.append(({}, {}))
        headings, models = fitting[0] if fitting else rounds[-1]
        name = f"shown_{len(models)}"
        headings[heading] = name
        models.update({**inputs, name: call})
    found = {}
    for headings, models in rounds:
        compiled = own.built(models)
        for heading, name in headings.items():
            frame = spark.table(f"{SCHEMA}.{name}")
            found[heading] = Built(compiled[name], frame.columns, frame.collect())
    return found


@pytest.mark.parametrize("heading", [*RECIPES, "fan_out_intervals", "bin_number", "generate_bins"])
def test_a_call_on_the_tables_beside_it(built, readme, heading):
    """The rows are those of the table with the result, which shows all columns but where the text says which there are."""
    result = dict(readme[heading].tables).get("result") or readme[heading].table()
    assert heading == WINDOWS or built[heading].columns == list(result.columns)
    assert in_columns(built[heading].rows, result.columns) == rows_shown(result)


def test_versions_of_a_dimension(built, readme):
    """The recipe has the input and the result of the starter project."""
    header, _, *lines = readme[STARTER].block_after("prints the rows").splitlines()
    columns, *expected = [tuple(cell.strip() for cell in line.strip("|").split("|")) for line in (header, *lines)]
    assert tuple(built[SCD2].columns) == columns
    assert Counter(tuple("" if cell is None else str(cell) for cell in row) for row in built[SCD2].rows) == Counter(expected)


@pytest.mark.parametrize("heading", [*RECIPES, SCD2])
def test_a_call_is_measured(built, heading):
    assert "-- dbt_range_join: " in built[heading].sql and "could not be measured" not in built[heading].sql


def test_all_columns_of_both_sides(built, readme):
    """What the text says of the windows' result."""
    assert "Without `select` the result has all columns of both sides, `user_id` once." in readme[WINDOWS].prose
    left, right = (table.columns for name, table in readme[WINDOWS].tables if name != "result")
    assert built[WINDOWS].columns == [*left, *(column for column in right if column not in left)]


def test_the_incremental_recipe(spark, own, readme):
    """Orders that come later are joined by the second run, and those of the first are not joined again."""
    models = {f"{name}.sql": text for name, text in starter_models(readme).items()}
    incremental = {"added_to.sql": readme["Materializations"].block("sql")}
    early = f"select * from (\n{models['orders.sql']}) where ordered_at < timestamp '2024-02-15'"
    counts = []
    for orders in (early, models["orders.sql"]):
        own.write({**models, **incremental, "orders.sql": orders})
        own.dbt("run")
        counts.append(spark.table(f"{SCHEMA}.added_to").count())
    plain = spark.sql(f"""
        select o.*, v.plan from {SCHEMA}.orders as o join {SCHEMA}.customer_versions as v
        on o.customer_id = v.customer_id and o.ordered_at >= v.valid_from and (v.valid_to is null or o.ordered_at < v.valid_to)
    """)
    assert Counter(spark.table(f"{SCHEMA}.added_to").collect()) == Counter(plain.collect())
    assert counts == [2, 3]


def test_the_generic_test(own, readme):
    """Its YAML, on a model made by the join that it names: it passes, and fails when one row is doubled."""
    text = readme["equals_naive_range_join"].block("yaml")
    (test,) = yaml.safe_load(text)["models"][0]["data_tests"]
    arguments = test["dbt_range_join.equals_naive_range_join"]["arguments"]
    call = ", ".join(
        f"{name}={given if name.endswith('_relation') else repr(given)}" for name, given in arguments.items() if not name.endswith("_where")
    )
    join = f"{{{{ dbt_range_join.binned_range_join({call}) }}}}"
    models = {
        "models.yml": text,
        "readings.sql": "select * from values (1, 7, 5), (2, 7, 20), (3, 8, 5), (4, 8, 1500) as t (reading_id, device_id, minute)",
        "periods.sql": "select * from values (1, 7, 0, 10), (2, 7, 5, 5), (3, 8, 6, 2000) as t (period_id, device_id, start_minute, end_minute)",
        "readings_in_periods.sql": join,
    }
    own.write(models)
    built = own.dbt("build").results
    assert Counter(str(node.status) for node in built) == {"success": 3, "pass": 1}
    own.write({**models, "readings_in_periods.sql": f"with joined as (\n{join}\n)\nselect * from joined union all select * from joined where reading_id = 2"})
    with pytest.raises(DbtFailed, match="1 of 4 nodes"):
        own.dbt("build")


def commands():
    """The operations that the README calls, each with its --args; one that --args alone is shown of is the one named last."""
    for found in re.finditer(r"--args[\s\\]+'([^']*)'", README):
        yield re.findall(r"run-operation (\w+)", README[: found.start()])[-1], found.group(1)


def test_operations_have_arguments_that_there_are():
    described = {macro["name"]: macro for macro in yaml.safe_load((ROOT / "macros" / "_macros.yml").read_text())["macros"]}
    shown = list(commands())
    assert len(shown) >= 4
    for name, text in shown:
        known = json.dumps(described[name]["arguments"])
        for argument in yaml.safe_load(text):
            assert f'"name": "{argument}"' in known, f"{name} has no argument {argument}"


def test_operations_run(own, readme):
    """Those by arguments, on the tables of the first call, which they name."""
    own.built(inputs_of(readme["First call"]))
    shown = [(name, text) for name, text in commands() if "model" not in yaml.safe_load(text)]
    assert [name for name, _ in shown] == ["profile_range_join", "explain_range_join"]
    for name, text in shown:
        own.dbt("run-operation", name, "--args", text)


def test_compiled_sql(own, readme):
    """As it stands in the README, but for the schema; what is left out there is anything."""
    first = readme["First call"].block("sql")
    calls = {
        "binned_range_join": first.replace("\n) }}", ",\n    bin_size='60 seconds'\n) }}"),
        "naive_range_join": first.replace("binned_range_join", "naive_range_join"),
        **{name: usage(readme, name) for name in ("bin_number", "generate_bins", "fan_out_intervals")},
    }
    models = dict.fromkeys(("seconds", "queries", "t"), "select 1 as v")
    compiled = own.compile({**calls, **models})
    for name in calls:
        shown = " ".join(readme[name].block_after("**Compiled SQL").replace("my_schema.", f"{SCHEMA}.").split())
        pattern = r"\s?.*?\s?".join(re.escape(part.strip()) for part in shown.split("..."))
        matches = re.fullmatch(pattern, " ".join(compiled[name].split())) is not None
        assert matches, f"{name} is compiled otherwise:\n{compiled[name]}"


def test_errors(own, readme):
    """The message of a call with the three faults that it names."""
    shown = readme["Errors"].block("")
    given = dict(re.findall(r"- (\w+): got ('[^']*');", shown))
    assert len(given) == 3
    faults = ", ".join(f"{name}={text}" for name, text in given.items())
    message = own.compile_error(f"{{{{ dbt_range_join.binned_range_join(left_relation='l', left_point='t', right_relation='r', {faults}) }}}}")
    assert " ".join(shown.split()) in " ".join(message.split())


def test_links_within_the_file(readme):
    """Every link to a heading has one, and every link to a file of the repository too."""
    anchors = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in readme}
    for target in re.findall(r"\]\(([^)\s]+)\)", README):
        if target.startswith("#"):
            assert target[1:] in anchors, f"no heading for {target}"
        elif "://" not in target:
            assert (ROOT / target.partition("#")[0]).exists(), f"no file {target}"


def test_lines_are_not_too_long():
    assert not [line for line in README.splitlines() if len(line) > 155 and not line.startswith("|")]
