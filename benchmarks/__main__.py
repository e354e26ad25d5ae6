"""Time range joins side by side: `make bench`, or `python -m benchmarks --help` for one workload, engine or scale by name."""

import argparse
import csv
import datetime as dt
import math
import os
import platform
import signal
import statistics
import subprocess
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path

from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table

from benchmarks import plain, profile, rendering
from benchmarks.engines import Answer, Engine, SparkEngines, duckdb_engines, polars_engines, timed
from benchmarks.pictures import AS_RUN, CHOSEN, draw_bin_sizes, draw_engines, draw_scales, rows_of, seconds_a_row
from benchmarks.tables import DAY, Workload
from benchmarks.tasks import TaskWatch
from benchmarks.tiny import FORMS, over_join_types
from benchmarks.workloads import WORKLOADS, workload_named
from dev.project import ScratchProject
from dev.scratch import new_run_folder
from dev.session import start_spark

HERE = Path(__file__).resolve().parent
OUTPUT = HERE / "output"
COLUMNS = [
    "workload", "engine", "bin_size", "hint", "scale", "seed", "left_rows", "right_rows", "pairs", "checksum", "first_seconds", "runs", "median_seconds", "least_seconds",
    "most_seconds", "measuring_seconds", "extrapolated_seconds", "running_seconds", "task_cpu_seconds", "tasks", "median_task_seconds", "longest_task_seconds", "peak_mib", "plan", "note", "measure", "date", "cores", "memory_gib", "shuffle_partitions", "commit", "versions",
]  # fmt: skip
HINTED = ("package", "package_bin_size_only", "package_p90")
LONG_RUN = 60  # seconds, beside which a second to warm up is nothing
WARM_UP = 10  # seconds, after which the JVM has mostly compiled what a join of a second runs
# Options that only some kinds of a run know.
OPTIONS = {
    "workload": ("engines", "bin_size", "scale", "plain", "profile"), "scale": ("engines", "bin_size", "scale", "plain", "profile"),
    "seed": ("engines", "bin_size", "scale", "plain", "profile"), "runs": ("engines", "bin_size", "scale", "tiny", "rendering", "profile"),
    "warm_up": ("engines", "bin_size", "scale", "profile"), "write": ("engines", "bin_size", "scale"),
    "join_type": ("engines", "bin_size"), "texts": ("bin_size", "profile"), "engine": ("engines",), "full": ("engines",), "form": ("tiny", "rendering"), "models": ("rendering",), "parts": ("plain",),
}  # fmt: skip
console = Console(width=None if sys.stdout.isatty() else 160)  # a log is as wide as the table needs


class DifferentAnswers(Exception):
    """Two engines disagree about the same join, so that no time of theirs means anything."""


def arguments(words=None):
    """The options that a command line gives; `words` in place of this process's own."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("what", nargs="?", default="engines", choices=["engines", "bin_size", "scale", "tiny", "rendering", "plain", "profile"],
                        help="engines side by side; this package over bin sizes; over input sizes; on twenty rows, with every join type; "
                             "the time that dbt takes to render a call, and to parse many; the whole plain join in parts, going on where an earlier run was ended; "
                             "where the time of this package's joins goes")  # fmt: skip
    parser.add_argument("--workload", nargs="+", default=[workload.name for workload in WORKLOADS], help="names, such as W1; D1, D2, ... are drawn at random")
    parser.add_argument("--join-type", choices=["inner", "left", "right", "full"], default="inner", help="of those engines that make it")
    parser.add_argument("--texts", action="store_true", help="rows have two texts more a side, of some 80 bytes, which the result is made of, too")
    parser.add_argument("--engine", nargs="+", help="names as in the results; all if left out")
    parser.add_argument("--scale", type=Fraction, default=Fraction(1), help="a part of the full size, such as 1/8")
    parser.add_argument("--runs", type=int, default=3, help="counted runs of each, after those to warm up")
    parser.add_argument("--warm-up", type=float, default=WARM_UP, metavar="SECONDS", help="for which each runs before it counts, once at least")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--full", action="store_true",
                        help="the plain join and the article's SQL at this scale too, once and without a run to warm up, however long that takes")  # fmt: skip
    parser.add_argument("--form", nargs="+", choices=list(FORMS), metavar="FORM", help="of `tiny` and `rendering`, such as 'point inner' or 'overlap full with keys'; all if left out")
    parser.add_argument("--models", type=int, default=500, help="of the project that `rendering` parses")
    parser.add_argument("--parts", type=int, default=32, help="of the plain join in parts")
    parser.add_argument("--write", action="store_true", help="write the pairs as Parquet (snappy) in place of counting them; they are counted when the time is taken")
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 2))
    parser.add_argument("--partitions", type=int, help="Spark's shuffle partitions; twice the threads if left out")
    parser.add_argument("--memory", type=int, default=10, help="GiB for each engine")
    parser.add_argument("--results", type=Path, default=OUTPUT, help="folder for the CSV and the pictures")
    given = parser.parse_args(words)
    for name, kinds in OPTIONS.items():
        if given.what not in kinds and getattr(given, name) != parser.get_default(name):
            parser.error(f"--{name.replace('_', '-')} does nothing with {given.what}, only with {', '.join(kinds)}")
    for name in given.workload:
        try:
            workload_named(name)
        except ValueError as error:
            parser.error(f"--workload: {error}")
    names = [engine.name for engine in all_engines(given, SparkEngines(None, None))]
    for name in given.engine or []:
        if name not in names:
            parser.error(f"--engine: {name!r} is none of {', '.join(names)}")
    return given


def main():
    """Run what the command line asks for, on a Spark of its own; returns the exit code."""
    given = arguments()
    signal.signal(signal.SIGTERM, _interrupt)
    spark = start_spark(
        OUTPUT / "scratch", log_file=OUTPUT / "spark.log", driver_memory=f"{given.memory}g",
        settings={"spark.master": f"local[{given.threads}]", "spark.sql.shuffle.partitions": str(partitions(given))},
    )  # fmt: skip
    return run(given, spark)


def run(given, spark) -> int:
    """Run what was asked for on this session; returns the exit code. given: see arguments()."""
    given.results.mkdir(parents=True, exist_ok=True)
    run_folder = new_run_folder(OUTPUT / "scratch")
    if given.what == "plain":
        return whole_plain_joins(given, SparkEngines(spark, ScratchProject(run_folder / "project")))
    write_to = run_folder / "written" if given.write else None
    spark_engines = SparkEngines(spark, ScratchProject(run_folder / "project"), write_to, given.threads)
    if write_to:
        write_to.mkdir()
    path = given.results / f"{given.what}{'_written' if given.write else ''}.csv"
    rows = []
    try:
        for measured in measurements(given, spark_engines, TaskWatch(spark), run_folder):
            rows += measured
            write_csv(given, rows, path)  # what is done stays, should a later workload take the process down
    except KeyboardInterrupt:
        console.print("Interrupted: what was measured until now is kept.")
    except DifferentAnswers as error:
        console.print(f"[bold red]DIFFERENT ANSWERS[/]: {error}")
        return 1
    if not rows:
        return 1
    {"tiny": show_tiny, "rendering": rendering.show, "profile": profile.show, "scale": show_scales}.get(given.what, show)(rows, console)
    pictures = {"engines": draw_engines, "bin_size": draw_bin_sizes, "scale": draw_scales}
    is_drawn = given.what in pictures and not given.write
    if is_drawn:
        pictures[given.what](rows, given.results)
    if given.what == "bin_size":
        show_against_best(rows)
    console.print(f"Written: {path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path}" + (", and a picture beside it." if is_drawn else "."))
    return 0


def measurements(given, spark_engines: SparkEngines, watch: TaskWatch, run_folder: Path):
    """What the command line asks for, in the order of the results; yields rows of the CSV, a workload's at a time."""
    if given.what == "tiny":
        yield over_join_types(given, spark_engines, watch)
    elif given.what == "rendering":
        yield rendering.over_forms(given, spark_engines.project)
        yield rendering.over_projects(given, run_folder)
    elif given.what == "profile":
        for name in given.workload:
            yield profile.over_workload(given, workload_named(name).with_texts(given.texts), spark_engines, watch, OUTPUT / "data")
    else:
        over = {"engines": side_by_side, "bin_size": over_bin_sizes, "scale": over_scales}[given.what]
        for name in given.workload:
            yield over(given, workload_named(name).joined_as(given.join_type).with_texts(given.texts), spark_engines, watch)


def whole_plain_joins(given, spark_engines: SparkEngines) -> int:
    """See plain.py; returns the exit code."""
    path = given.results / "plain.csv"
    try:
        for workload in map(workload_named, given.workload):
            plain.over_parts(given, workload, spark_engines, OUTPUT / "data", path, machine(given), console)
    except KeyboardInterrupt:
        console.print("Interrupted: the parts that were done are kept, and the same command goes on from there.")
    except ArithmeticError as error:
        console.print(f"[bold red]DIFFERENT ANSWERS[/]: {error}")
        return 1
    plain.show(plain.read(path), console)
    return 0


def all_engines(given, spark_engines: SparkEngines) -> list[Engine]:
    """Every engine, in the order of the results."""
    write_to = spark_engines.write_to
    return [*spark_engines.all(), *duckdb_engines(given.threads, given.memory, write_to), *polars_engines(given.threads, write_to)]


def _interrupt(_signal, _frame):
    """A run that is asked to end keeps what it has measured, as with Ctrl-C."""
    raise KeyboardInterrupt


@dataclass(frozen=True)
class Outcome:
    """What the runs of one job came to.

    answer: of the first run, as of all others. first_seconds: the time of that, in which nothing of the job is warm unless it was measured before.
    seconds: of each counted run. stages: of the last. measuring: the seconds of each counted run in which the data was measured, where it was.
    """

    answer: Answer
    first_seconds: float
    seconds: list
    stages: list
    measuring: list = field(default_factory=list)


def measure(given, jobs: dict, watch: TaskWatch, patience=float("inf"), once=()) -> dict:
    """Run each of `jobs` (name -> function) to warm up and then `given.runs` times, in turn, every other round from the last one to the first.

    Each warms up with one run, and more until they took `given.warm_up` seconds. Those of `once`, and those whose first run takes more than LONG_RUN, are
    run once alone, in the first round, and this run counts. One whose first run takes `patience` times as long as the fastest is not run again, so
    that this run counts, and those after it are not run at all.
    Returns: name -> Outcome, or a note in place of it where a job failed. Raises DifferentAnswers where two runs of one job differ.
    """
    answers, seconds, stages, failed = {}, {name: [] for name in jobs}, {}, {}
    first, slow, once, measuring = {}, [], set(once), {name: [] for name in jobs}

    def run(name) -> float:
        taken, found = timed(jobs[name])
        if answers.setdefault(name, found).key() != found.key():
            raise DifferentAnswers(f"{name}, in two runs: {answers[name].key()} and {found.key()}")
        stages[name] = watch.stages()
        return taken

    def count(name, taken):
        """A run that counts."""
        seconds[name].append(taken)
        if hasattr(jobs[name], "measuring_seconds"):
            measuring[name].append(jobs[name].measuring_seconds)

    def warm(name):
        """The first run, which counts where it is the only one, and what else it takes to warm up."""
        first[name] = taken = run(name)
        if taken > patience * min(first.values()):
            slow.append(name)
        if taken > LONG_RUN:
            once.add(name)
        if name in slow or name in once:
            count(name, taken)
            console.print(f"  {name:32} {taken:9.2f} s")
            return
        last, runs = taken, 1
        while taken < given.warm_up:
            last = run(name)
            taken, runs = taken + last, runs + 1
        console.print(f"  {name:32} {first[name]:9.2f} s  (the first run; {last:.2f} s the last of {runs} to warm up)")

    for round_number in range(given.runs + 1):
        for name in list(jobs)[:: -1 if round_number and round_number % 2 == 0 else 1]:
            if name in failed or name in slow or (round_number and name in once):
                continue
            if slow and not round_number:
                failed[name] = f"not run, as {slow[-1]} took more than {patience} times as long as the fastest"
                continue
            with console.status(f"{name}: {f'run {round_number} of {given.runs}' if round_number else 'warming up'}"):
                try:
                    if round_number:
                        count(name, run(name))
                        console.print(f"  {name:32} {seconds[name][-1]:9.2f} s")
                    else:
                        warm(name)
                except DifferentAnswers:
                    raise
                except Exception as error:  # an engine that gives up is a result too
                    failed[name] = f"{type(error).__name__}: {str(error).splitlines()[0][:120]}"
    return {name: failed.get(name) or Outcome(answers[name], first[name], seconds[name], stages[name], measuring[name]) for name in jobs}


def side_by_side(given, workload: Workload, spark_engines: SparkEngines, watch):
    """Every engine that was asked for on one workload. Those that run at the same scale have to agree; returns rows of the CSV."""
    engines = [engine for engine in all_engines(given, spark_engines) if not given.engine or engine.name in given.engine]
    console.print(f"[bold]{workload.label}[/] {workload.title}")
    jobs, tables, notes, once = {}, {}, {}, []
    full_scale = float(given.scale)
    for engine in engines:
        note = engine.refuses(workload)
        if note:
            notes[engine.name] = note
            continue
        scale = engine.scale_for(workload, full_scale)
        if given.full and scale < full_scale:
            scale = full_scale
            once.append(engine.name)
        tables[engine.name] = workload.make(OUTPUT / "data", scale, given.seed)
        jobs[engine.name] = engine.start(tables[engine.name])
    measured = measure(given, jobs, watch, once=once)
    check_answers(workload, tables, measured, spark_engines, given.memory)
    rows = [{"workload": workload.label, "engine": name, "note": note} for name, note in notes.items()]
    for engine in engines:
        if engine.name not in measured:
            continue
        row = result_row(tables[engine.name], engine.name, measured[engine.name])
        row["bin_size"] = engine.bin_size(workload)
        if engine.name in HINTED:
            row["hint"] = workload.settings(row["scale"]) if engine.name == "package" else "broadcast=none"
        if row.get("runs") == 1 and (engine.name in once or row["first_seconds"] > LONG_RUN):
            row["note"] = "one run, without one to warm up"
        if row["scale"] < full_scale and "median_seconds" in row:
            full = engine.work_on(workload.make(OUTPUT / "data", full_scale, given.seed)) / engine.work_on(tables[engine.name])
            row["extrapolated_seconds"] = round(row["median_seconds"] * full, 1)
            row["note"] = "; ".join(filter(None, [row.get("note"), f"measured at scale {row['scale']:g}, times {full:g}, the ratio of comparisons"]))
        rows.append(row)
    return rows


def check_answers(workload, tables, measured, spark_engines, memory_gib=10):
    """All engines that joined the same tables have to have found the same pairs, and be two at least: else the package, or DuckDB where all are the package, joins them once more, untimed.

    DuckDB by its ASOF join where that finds all, as its plain one compares all pairs of equal keys.
    """
    by_scale = {}
    for name, outcome in measured.items():
        if not isinstance(outcome, str):
            by_scale.setdefault(tables[name].scale, {})[name] = outcome.answer.key()
    for scale, answers in by_scale.items():
        of_scale = next(of for of in tables.values() if of.scale == scale)
        if not any(name.startswith("package") for name in answers):
            answers["package, to check"] = spark_engines.package(of_scale, "best")().counted().key()
        elif all(name.startswith("package") for name in answers):
            by_name = {engine.name: engine for engine in duckdb_engines(spark_engines.threads, memory_gib)}
            answers["duckdb, to check"] = by_name["duckdb_asof" if workload.disjoint and workload.join_type == "inner" else "duckdb"].start(of_scale)().key()
        if len(set(answers.values())) > 1:
            raise DifferentAnswers(f"{workload.label} at scale {scale:g}: {answers}")


def over_bin_sizes(given, workload: Workload, spark_engines: SparkEngines, watch):
    """This package over bin sizes a sixteenth to 64 times the p90 rule's, and without one; returns rows of the CSV.

    Of a fixed size nothing is measured in the first rounds, as one need not. Then the two best of them run again beside the call without a bin_size,
    as they are and as `dbt run` makes them: that measures the data, here too, which takes time and saves some.
    """
    console.print(f"[bold]{workload.label}[/] {workload.title}")
    tables = workload.make(OUTPUT / "data", float(given.scale), given.seed)
    rule = workload.bin_sizes["p90"]
    amount, unit = (rule, "") if not isinstance(rule, str) else rule.split()
    microseconds = {"": 1, "microsecond": 1, "millisecond": 1000, "second": 10**6, "hour": 3600 * 10**6, "day": DAY}[unit.removesuffix("s")]
    widths = sorted({max(1, int(int(amount) * microseconds * 2**step)) for step in range(-4, 7, 2)})
    sizes = {str(size): size for size in (width if not unit else f"{width} microseconds" for width in widths)}
    fixed = {name: spark_engines.package_with(tables, size, workload.hint) for name, size in sizes.items()}
    measured = measure(given, fixed, watch, patience=4)
    best = sorted((name for name in sizes if not isinstance(measured[name], str)), key=lambda name: statistics.median(measured[name].seconds))[:2]
    again = {CHOSEN: spark_engines.package_as_run(tables)} | {name: fixed[name] for name in best}
    again |= {f"{name}{AS_RUN}": spark_engines.package_as_run(tables, f", bin_size={sizes[name]!r}, {workload.hint}") for name in best}
    measured |= measure(given, again, watch)
    check_answers(workload, {f"package {name}": tables for name in measured}, {f"package {name}": outcome for name, outcome in measured.items()}, spark_engines, given.memory)
    rows = [dict(result_row(tables, "package", measured[name]), bin_size=name, hint="" if name == CHOSEN else workload.hint) for name in (CHOSEN, *fixed, *(name for name in again if name.endswith(AS_RUN)))]
    console.print(f"{workload.label}: without a bin_size {against_best(rows):.2f} times the best of {len(sizes)} sizes")
    return rows


def against_best(rows) -> float:
    """The time of the call without a bin_size over the least of all others; nan where there is neither."""
    seconds = {row["bin_size"]: row["median_seconds"] for row in rows if row.get("median_seconds")}
    return seconds.pop(CHOSEN, math.nan) / min(seconds.values(), default=math.nan)


def show_against_best(rows):
    """What against_best says of the workloads of a run, in a line."""
    ratios = {name: against_best([row for row in rows if row["workload"] == name]) for name in dict.fromkeys(row["workload"] for row in rows)}
    ratios = {name: ratio for name, ratio in ratios.items() if not math.isnan(ratio)}
    if ratios:
        worst = max(ratios, key=ratios.get)
        console.print(f"Without a bin_size, over the best fixed one: {statistics.median(ratios.values()):.2f} in the median, {ratios[worst]:.2f} at worst ({worst}).")


def over_scales(given, workload: Workload, spark_engines: SparkEngines, watch):
    """This package at an eighth, a quarter, a half and all of the input, with its best settings and without a bin_size; returns rows of the CSV."""
    console.print(f"[bold]{workload.label}[/] {workload.title}")
    parts = {part: workload.make(OUTPUT / "data", float(given.scale * Fraction(part)), given.seed) for part in ("1/8", "1/4", "1/2", "1")}
    starts = {"package": lambda tables: spark_engines.package(tables, "best"), "package_no_bin_size": spark_engines.package_as_run}
    jobs = {f"{engine}, scale {part}": (engine, tables) for engine in starts for part, tables in parts.items()}
    measured = measure(given, {name: starts[engine](tables) for name, (engine, tables) in jobs.items()}, watch)
    check_answers(workload, {name: tables for name, (_, tables) in jobs.items()}, measured, spark_engines, given.memory)
    rows = []
    for name, (engine, tables) in jobs.items():
        chosen = {"bin_size": workload.bin_sizes["best"], "hint": workload.settings(tables.scale)} if engine == "package" else {}
        rows.append(dict(result_row(tables, engine, measured[name]), **chosen))
    return rows


def result_row(tables, engine: str, outcome) -> dict:
    """One row of the CSV."""
    row = {"workload": tables.workload.label, "engine": engine, "scale": tables.scale, "seed": tables.seed,
           "left_rows": tables.left_rows, "right_rows": tables.right_rows}  # fmt: skip
    if isinstance(outcome, str):
        return dict(row, note=outcome)
    answer, seconds = outcome.answer, outcome.seconds
    if outcome.measuring:
        row["measuring_seconds"] = round(statistics.median(outcome.measuring), 3)
    if outcome.stages:
        busiest = outcome.stages[0].seconds
        row.update(tasks=len(busiest), median_task_seconds=round(statistics.median(busiest), 3), longest_task_seconds=round(busiest[-1], 3),
                   peak_mib=round(max(stage.peak_bytes for stage in outcome.stages) / 2**20, 1))  # fmt: skip
    return dict(row, pairs=answer.pairs, checksum=answer.checksum, plan=answer.plan, first_seconds=round(outcome.first_seconds, 3), runs=len(seconds),
                median_seconds=round(statistics.median(seconds), 3), least_seconds=round(min(seconds), 3), most_seconds=round(max(seconds), 3))  # fmt: skip


def show(rows, console):
    """The results as a table, with each time as a multiple of the package's, the first where there are several."""
    table = Table("workload", "engine", "bin size", "scale", "pairs", "median s", "at full scale", "x package", "longest task s (median)", "peak MiB")
    base = {row["workload"]: row["median_seconds"] for row in reversed(rows) if row["engine"] == "package" and row.get("median_seconds")}
    for row in rows:
        if "median_seconds" not in row:
            console.print(f"{row['workload']} {row['engine']}: not run, {row['note']}")
            continue
        seconds = row.get("extrapolated_seconds") or row["median_seconds"]
        ratio = seconds / base[row["workload"]] if seconds and row["workload"] in base else None
        table.add_row(
            row["workload"], row["engine"], str(row.get("bin_size", "")), f"{row['scale']:g}", f"{row['pairs']:,}", f"{row['median_seconds']:.2f}",
            f"{seconds:,.1f}" if row.get("extrapolated_seconds") else "", f"{ratio:.2f}" if ratio else "",
            f"{row['longest_task_seconds']:.2f} ({row['median_task_seconds']:.2f} of {row['tasks']})" if row.get("tasks") else "",
            str(row.get("peak_mib", "")),
        )  # fmt: skip
    console.print(table)


def show_scales(rows, console):
    """The time of a row of input and result, and how it compares with that of the largest input; of joins that were measured first that of the join alone, too."""
    table = Table("workload", "engine", "scale", "input and result", "median s", "ns a row", "over the largest", "of it the join", "over the largest")
    timed = [row for row in rows if row.get("median_seconds")]
    largest = {(row["workload"], row["engine"]): row for row in timed}
    for row in timed:
        of_largest = largest[row["workload"], row["engine"]]
        all_of_it, join = ((seconds_a_row(row, join), seconds_a_row(row, join) / seconds_a_row(of_largest, join)) for join in (False, True))
        table.add_row(
            row["workload"], row["engine"], f"{row['scale']:g}", f"{rows_of(row):,}", f"{row['median_seconds']:.2f}", f"{1e9 * all_of_it[0]:.0f}", f"{all_of_it[1]:.2f}",
            *((f"{1e9 * join[0]:.0f}", f"{join[1]:.2f}") if row.get("measuring_seconds") else ("", "")), end_section=row is of_largest,
        )  # fmt: skip
    console.print(table)


def show_tiny(rows, console):
    """The package against the plain join: what is beyond planning is the package's time less its planning and less all of the plain join's."""
    table = Table("join", "plain join ms", "package ms", "of it planning", "of it tasks run", "cpu of tasks", "the same of the plain join", "beyond planning")
    plain = {row["workload"]: row for row in rows if row["engine"] == "spark_plain"}
    for row in rows:
        if row["engine"] == "package":
            naive = plain[row["workload"]]
            total, running, cpu = row["median_seconds"], row["running_seconds"], row["task_cpu_seconds"]
            table.add_row(row["workload"], *(f"{1000 * seconds:.0f}" for seconds in (
                naive["median_seconds"], total, total - running, running, cpu, naive["task_cpu_seconds"], max(0, running - naive["median_seconds"]))))
    console.print(table)


def partitions(given) -> int:
    """Spark's shuffle partitions."""
    return given.partitions or 2 * given.threads


def machine(given) -> dict:
    """What a run is measured on, by column of the CSV."""
    versions = " ".join(f"{name}=={version(name)}" for name in ("pyspark", "dbt-core", "dbt-spark", "duckdb", "polars"))
    java = SparkSession.active()._jvm.System.getProperty("java.version")
    return {
        "date": dt.date.today().isoformat(), "cores": given.threads, "memory_gib": given.memory, "shuffle_partitions": partitions(given), "commit": commit(),
        "versions": f"{versions} python=={platform.python_version()} java=={java}",
    }  # fmt: skip


def commit() -> str:
    """The commit that runs, with "-dirty" where files are changed; empty outside of a clone."""
    described = subprocess.run(["git", "describe", "--always", "--dirty", "--exclude=*"], cwd=HERE, capture_output=True, text=True)
    return described.stdout.strip()


def write_csv(given, rows, path: Path):
    """The results with what they were measured on."""
    common = {"measure": "write" if given.write else "count", **machine(given)}
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows({**row, **common} for row in rows)


if __name__ == "__main__":
    sys.exit(main())
