"""Where the time of a join goes: what Spark's driver does before, between and after the stages, and the stages, each with the rows that it reads.

Spark's own record, not a sampler: the phases of a query as its planner notes them, and when the tasks of each stage began and ended.
"""

import statistics
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from rich.table import Table

from benchmarks.engines import SparkEngines, counting
from benchmarks.tasks import TaskWatch
from benchmarks.tables import Workload

PLANNING = ("optimization", "planning")


@dataclass(frozen=True)
class Span:
    """A part of the time of one statement. what: what was done. seconds: how long."""

    what: str
    seconds: float


def over_workload(given, workload: Workload, spark_engines: SparkEngines, watch: TaskWatch, data: Path) -> list[dict]:
    """The joins of a workload by this package, with its best fixed size as `dbt compile` writes it and without one as `dbt run` makes it; returns rows of the CSV.

    Each is warmed up for `given.warm_up` seconds and then run `given.runs` times. A row is a part of the time, in the order in which they come: what it
    is in the column `note`, and its median over the runs, in some of which it may not have been.
    """
    tables = workload.make(data, float(given.scale), given.seed)
    built = spark_engines.built_join(tables, "")
    statements = {
        "package": [("join", counting(spark_engines.package_sql(tables, workload.bin_sizes["best"], workload.settings(tables.scale))))],
        "package_no_bin_size": [*((f"measuring {number}", sql) for number, sql in enumerate(built.measuring, 1)), ("join", counting(built.sql))],
    }
    rows = []
    for engine, of_engine in statements.items():
        started = time.monotonic()
        while True:
            _spans_of_all(spark_engines.spark, watch, of_engine)
            if time.monotonic() - started >= given.warm_up:
                break
        runs = [_spans_of_all(spark_engines.spark, watch, of_engine) for _ in range(given.runs)]
        if engine == "package_no_bin_size":
            runs = [[Span("measuring: dbt itself", built.dbt_seconds), *spans] for spans in runs]
        parts = list(dict.fromkeys(span.what for spans in runs for span in spans))
        for part in [*parts, "all"]:
            seconds = [sum(span.seconds for span in spans if part in ("all", span.what)) for spans in runs]
            rows.append({
                "workload": workload.label, "engine": engine, "bin_size": workload.bin_sizes["best"] if engine == "package" else None, "scale": tables.scale,
                "seed": tables.seed, "left_rows": tables.left_rows, "right_rows": tables.right_rows, "note": part, "runs": len(seconds),
                "median_seconds": round(statistics.median(seconds), 4), "least_seconds": round(min(seconds), 4), "most_seconds": round(max(seconds), 4),
            })  # fmt: skip
    return rows


def _spans_of_all(spark, watch: TaskWatch, statements) -> list[Span]:
    """The parts of some statements that run one after the other, each named after its statement."""
    return [Span(f"{name}: {span.what}", span.seconds) for name, sql in statements for span in spans_of(spark, watch, sql)]


def spans_of(spark, watch: TaskWatch, sql: str) -> list[Span]:
    """The parts of the time of one statement, in their order; together they are all of it.

    Stages that run at the same time are one part. What is between two is the driver's: with adaptive execution it plans anew there, and builds the hash
    table of a side that is broadcast.
    """
    watch.stages()
    began = time.time()
    frame = spark.sql(sql)
    resolved = time.time()
    frame.collect()
    ended = time.time()
    phases = frame._jdf.queryExecution().tracker().phases()
    planning = sum(phases.apply(phase).durationMs() / 1000 for phase in PLANNING if phases.contains(phase))
    spans = [Span("parsing and analysis", resolved - began)]
    groups = _groups(watch.stages())
    if not groups:
        return [*spans, Span("the rest", ended - resolved)]
    spans.append(Span("optimization and planning", planning))
    at = resolved + planning
    seen = Counter()
    for first, last, rows in groups:
        seen[rows] += 1
        rows += ", again" * (seen[rows] - 1)
        spans += [Span(f"driver, before {rows}", max(first - at, 0.0)), Span(rows, last - max(first, at))]
        at = last
    return [*spans, Span("driver, at the end", ended - at)]


def _groups(stages) -> list[tuple[float, float, str]]:
    """When the stages that overlap in time began and ended, and what rows they read; in the order of time."""
    groups = []
    for stage in sorted(stages, key=lambda stage: min(began for began, _ in stage.times)):
        began, ended = min(first for first, _ in stage.times), max(last for _, last in stage.times)
        if groups and began < groups[-1][1]:
            first, last, of_group = groups[-1]
            groups[-1] = (first, max(last, ended), [*of_group, stage])
        else:
            groups.append((began, ended, [stage]))
    return [(first, last, "stage of " + " and ".join(sorted(f"{_about(stage.rows_read)} rows" for stage in of_group))) for first, last, of_group in groups]


def _about(rows: int) -> str:
    """A number of rows in two digits, so that runs whose tasks differ by a few rows say the same."""
    if rows < 100:
        return "few"
    unit = 10 ** (len(str(rows)) - 2)
    return f"{rows // unit * unit:,}"


def show(rows, console):
    """The results as a table, with the share of the whole that each part takes."""
    table = Table("workload", "engine", "part", "median ms", "share")
    whole = {(row["workload"], row["engine"]): row["median_seconds"] for row in rows if row["note"] == "all"}
    for row in rows:
        share = row["median_seconds"] / max(whole[row["workload"], row["engine"]], 1e-9)
        table.add_row(row["workload"], row["engine"], row["note"], f"{1000 * row['median_seconds']:,.0f}", f"{share:.0%}", end_section=row["note"] == "all")
    console.print(table)
