"""What the macros take of dbt's own time, with nothing measured: one call rendered with a fixed bin_size, of every form in tiny.py, and
a project of many calls parsed, beside one of as many models without a call.
"""

import statistics
import time
from pathlib import Path

from rich.table import Table

from benchmarks import tiny
from dev.project import ScratchProject

CALLS = 20
# Jinja has no clock but the one that dbt lends it.
TIMED = """\
{%- set seconds = [] -%}
{%- for _ in range(CALLS) if execute -%}
    {%- set started = modules.datetime.datetime.now() -%}
    {%- set rendered = CALL -%}
    {%- do seconds.append((modules.datetime.datetime.now() - started).total_seconds()) -%}
{%- endfor -%}
{{ seconds | join(' ') }}"""


def over_forms(given, project: ScratchProject) -> list[dict]:
    """Each form's call, CALLS times in a model and `given.runs` times after a run that is not counted; returns rows of the CSV."""
    forms = {form.replace(" ", "_"): form for form in tiny.FORMS if form in (given.form or tiny.FORMS)}
    models = {name: TIMED.replace("CALLS", str(CALLS)).replace("CALL", tiny.call(form, "package")) for name, form in forms.items()}
    seconds = {name: [] for name in models}
    for round_number in range(given.runs + 1):
        for name, rendered in project.compile(models).items():
            seconds[name] += map(float, rendered.split()) if round_number else []
    return [_row(f"render {form}", "package", seconds[name]) for name, form in forms.items()]


def over_projects(given, folder: Path) -> list[dict]:
    """`dbt parse` of `given.models` models, each with a call, and without; returns rows of the CSV."""
    projects, seconds = {}, {}
    for engine in ("package", "no call"):
        project = projects[engine] = ScratchProject(folder / engine.replace(" ", "_"))
        bodies = [f"{{{{ {tiny.call(form, 'package')} }}}}" if engine == "package" else "select 1 as id" for form in tiny.FORMS]
        project.write({f"model_{number}.sql": bodies[number % len(bodies)] for number in range(given.models)})
        seconds[engine] = []
    for round_number in range(given.runs + 1):
        for engine, project in projects.items():
            started = time.perf_counter()
            project.dbt("parse", partial_parse=False)
            seconds[engine] += [time.perf_counter() - started] if round_number else []
    return [_row(f"parse {given.models} models", engine, taken) for engine, taken in seconds.items()]


def show(rows, console):
    """The results as a table."""
    table = Table("what", "of", "runs", "median ms", "least", "most")
    for row in rows:
        table.add_row(row["workload"], row["engine"], str(row["runs"]), *(f"{1000 * row[column]:,.1f}" for column in ("median_seconds", "least_seconds", "most_seconds")))
    console.print(table)


def _row(what: str, engine: str, seconds: list[float]) -> dict:
    return {
        "workload": what, "engine": engine, "runs": len(seconds), "median_seconds": round(statistics.median(seconds), 4),
        "least_seconds": round(min(seconds), 4), "most_seconds": round(max(seconds), 4),
    }  # fmt: skip
