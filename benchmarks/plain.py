"""The plain join at the whole size, which takes hours: a part of the left rows at a time, and each part kept as soon as it is done.

The parts are the left rows whose id leaves the same rest; each is joined with all right rows, so that together they compare exactly what one
query would. What a query spends besides comparing (planning, reading, sending the right side to every task) is paid once a part: some
0.3 s. The left rows of a part are spread over all threads, as the plain join of a small file would leave all but one of them idle.
The package joins all rows before each part, so that both meet the same machine.
"""

import csv
import statistics
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.engines import SparkEngines, plain_join, timed
from benchmarks.tables import Workload

PACKAGE = ("package", "package_no_bin_size")
SAME = ("workload", "scale", "seed", "parts", "cores", "memory_gib", "versions")
COLUMNS = [*SAME, "part", "pairs", "checksum", "plain_seconds", *(f"{name}_seconds" for name in PACKAGE), "plan", "date"]


def over_parts(given, workload: Workload, spark_engines: SparkEngines, data: Path, results: Path, common: dict, console: Console) -> list[dict]:
    """Run the parts that `results` (a CSV) has not got yet, and add each to it; returns all parts of this workload.

    common: what else to write to every row, by column. Raises ArithmeticError where the parts have other pairs than the package, once all are there.
    """
    tables = workload.make(data, float(given.scale), given.seed)
    same = {"workload": workload.name, "scale": tables.scale, "seed": given.seed, "parts": given.parts, **common}
    rows = [row for row in read(results) if all(str(same[name]) == row[name] for name in SAME)]
    console.print(f"[bold]{workload.name}[/] {workload.title}: {len(rows)} of {given.parts} parts are done")
    jobs = {"package": spark_engines.package(tables, "best"), "package_no_bin_size": spark_engines.package_as_run(tables)}
    answers = {name: timed(job)[1] for name, job in jobs.items()}  # this warms up, too
    for part in sorted(set(range(given.parts)) - {int(row["part"]) for row in rows}):
        seconds = {}
        for name, job in jobs.items():
            taken, again = timed(job)
            seconds[f"{name}_seconds"] = round(taken, 3)
            if again.key() != answers[name].key():
                raise ArithmeticError(f"{workload.name}: {name} in two runs: {answers[name].key()} and {again.key()}")
        taken, answer = timed(spark_engines.run(_part(plain_join(tables, spark_engines.table), spark_engines.table(tables.left), part, given.parts, given.threads)))
        row = {**same, "part": part, "pairs": answer.pairs, "checksum": answer.checksum, "plain_seconds": round(taken, 3), **seconds, "plan": answer.plan}
        rows.append({name: str(row[name]) for name in COLUMNS})
        _append(results, rows[-1])
        console.print(f"  part {part + 1:2} of {given.parts} {taken:9.2f} s, " + ", ".join(f"{name} {seconds[f'{name}_seconds']:.2f} s" for name in PACKAGE))
    found = tuple(sum(int(row[name]) for row in rows) for name in ("pairs", "checksum"))
    for name, answer in answers.items():
        if found != (answer.pairs, answer.checksum):
            raise ArithmeticError(f"{workload.name}: pairs and checksum of the plain join {found}, of {name} {(answer.pairs, answer.checksum)}")
    return rows


def _part(join: str, left: str, part: int, parts: int, threads: int) -> str:
    """The plain join of one part of the left rows."""
    from_left = f"from {left} as l "
    assert from_left in join, join
    return join.replace(from_left, f"from (select /*+ repartition({threads}) */ * from {left} where id % {parts} = {part}) as l ")


def read(path: Path) -> list[dict]:
    """The parts that are done, of all workloads; none where there is no such file yet."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def _append(path: Path, row: dict):
    is_new = not path.exists()
    with path.open("a", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if is_new:
            writer.writeheader()
        writer.writerow(row)


def show(rows: list[dict], console: Console):
    """A line for each workload, as it was run: means against means, as single parts may take four times as long as most (see README.md), on either side."""
    table = Table("workload", "scale", "parts", "pairs", "plain s", "median part s", *(f"{name} s" for name in PACKAGE), *(f"x {name}" for name in PACKAGE))
    for key in sorted({tuple(row[name] for name in SAME) for row in rows}):
        of_it = [row for row in rows if tuple(row[name] for name in SAME) == key]
        parts = [float(row["plain_seconds"]) for row in of_it]
        means = [statistics.mean(float(row[f"{engine}_seconds"]) for row in of_it) for engine in PACKAGE]
        is_done = len(of_it) == int(of_it[0]["parts"])
        table.add_row(of_it[0]["workload"], of_it[0]["scale"], f"{len(of_it)} of {of_it[0]['parts']}", f"{sum(int(row['pairs']) for row in of_it):,}",
                      f"{sum(parts):,.0f}", f"{statistics.median(parts):.1f}", *(f"{mean:.2f}" for mean in means),
                      *(f"{sum(parts) / mean:,.0f}" if is_done else "" for mean in means))  # fmt: skip
    console.print(table)
