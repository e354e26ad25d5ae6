"""`make demo`: planes in the air over 2013, minute by minute, joined by bins and checked against the naive join.

Starts Spark in this process, loads the flights, lets dbt build the package's examples and this folder's
project, compares and times the two ways to join on one week, draws the busiest day, prints what was found.
"""

import sys
import traceback
from collections import Counter
from functools import partial
from pathlib import Path

from demo.flights import FLIGHTS, load_flights
from demo.picture import draw_day
from demo.progress import Progress
from dev.dbt_runner import DbtFailed, run_dbt
from dev.scratch import new_run_folder
from dev.session import start_spark
from dev.timing import alternate

DEMO = Path(__file__).resolve().parent
PACKAGE = DEMO.parent
OUTPUT = DEMO / "output"
SPARK_LOG = OUTPUT / "spark.log"
DBT_LOG = OUTPUT / "dbt.log"
ERROR_LOG = OUTPUT / "error.log"
PICTURE = OUTPUT / "busiest_day.png"

SCHEMA = "flights_demo"  # as in profiles.yml
BINNED, NAIVE = "planes_in_the_air_week_binned", "planes_in_the_air_week_naive"
MINUTES_OF_THE_YEAR, MINUTES_OF_THE_WEEK = 365 * 24 * 60, 7 * 24 * 60
ROUNDS = 3


class WrongAnswer(Exception):
    """A result is not what it has to be."""


def main():
    """Run the demo; returns the exit code: 0 if all went well and the joins agree, 130 if interrupted."""
    progress = Progress()
    OUTPUT.mkdir(exist_ok=True)
    DBT_LOG.unlink(missing_ok=True)  # dbt would append to it
    try:
        run(progress)
    except KeyboardInterrupt:
        progress.failure("Interrupted. Nothing is left to clean up: just run it again.")
        return 130
    except WrongAnswer as error:
        progress.failure(f"WRONG ANSWER: {error}")
        return 1
    except DbtFailed as error:
        progress.failure(str(error))
        return 1
    except Exception as error:
        ERROR_LOG.write_text(traceback.format_exc())
        logs = f"Where it happened: {shown(ERROR_LOG)}; Spark's log: {shown(SPARK_LOG)}"
        progress.failure(f"{type(error).__name__}: {error}\n{logs}")
        return 1
    return 0


def run(progress):
    """All steps in order, and the summary of what they found."""
    scratch = OUTPUT / "scratch"
    with progress.step("Starting Spark") as step:
        spark = start_spark(scratch, log_file=SPARK_LOG)
        step.text = f"Spark {spark.version} started, on {spark.sparkContext.defaultParallelism} cores"
    with progress.step("Loading the flights") as step:
        loaded = load_flights(spark, f"{SCHEMA}.raw_flights", new_run_folder(scratch))
        step.text = f"{loaded:,} flights loaded"
    expect("flights", loaded, FLIGHTS)

    build(progress, "The package's examples", PACKAGE, "examples")
    with progress.step("Installing the package into the demo's project: dbt deps"):
        run_dbt(["deps"], DEMO, DEMO, OUTPUT)
    models = build(progress, "The flights' models", DEMO, "demo")

    spark.catalog.setCurrentDatabase(SCHEMA)
    with progress.step("Comparing the two joins, row by row"):
        check_answers(spark)
    with progress.step(f"Timing the two joins, {ROUNDS} times each, in turn"):
        joins = {name: partial(evaluate, spark, models[name].node.compiled_code) for name in (BINNED, NAIVE)}
        seconds = alternate(joins, ROUNDS)
    with progress.step("Drawing the busiest day"):
        draw_day(busiest_day(spark), PICTURE)
    summarise(progress, spark, seconds, models["planes_in_the_air"].execution_time)


def build(progress, what, project_dir, target):
    """`dbt build` one project under a `target` of profiles.yml; returns dbt's results by node name."""
    with progress.step(f"{what}: dbt build") as step:
        result = run_dbt(
            ["build", "--profile", "flights_demo", "--target", target],
            project_dir,
            DEMO,
            OUTPUT,
            target_dir=OUTPUT / "target" / target,
            on_event=partial(show_node, step),
        )
        kinds = Counter(str(node.node.resource_type) for node in result.results)
        step.text = f"{what}: " + ", ".join(f"{kinds[kind]} {kind}s" for kind in sorted(kinds)) + " built and passed"
    return {node.node.name: node for node in result.results}


def show_node(step, event):
    """Show which node dbt is at; `event` is any of dbt's events."""
    if event.info.name == "LogStartLine":
        step.detail(f"{step.text}, {event.data.index} of {event.data.total}: {event.data.node_info.node_name}")


def check_answers(spark):
    """Raise WrongAnswer unless the week by bins, the week naively and the year's part for it are equal as bags."""
    expect("minutes of the year", spark.table("planes_in_the_air").count(), MINUTES_OF_THE_YEAR)
    expect("minutes of the week", spark.table(NAIVE).count(), MINUTES_OF_THE_WEEK)
    week_of_the_year = "(select * from planes_in_the_air where minute in (select minute from minutes_of_the_week))"
    for binned in (BINNED, week_of_the_year):
        expect(f"rows in which {binned} and {NAIVE} differ", rows_that_differ(spark, binned, NAIVE), 0)


def expect(what, got, wanted):
    """Raise WrongAnswer if `got` is not `wanted`."""
    if got != wanted:
        raise WrongAnswer(f"{what}: {got:,}, but it must be {wanted:,}")


def rows_that_differ(spark, left, right):
    """How many rows one of two tables or parenthesised queries has and the other has not, duplicates counted."""
    one_way, other_way = (
        spark.sql(f"select * from {a} except all select * from {b}").count() for a, b in ((left, right), (right, left))
    )
    return one_way + other_way


def evaluate(spark, sql):
    """Compute all rows of a query and keep none of them."""
    spark.sql(sql).write.format("noop").mode("overwrite").save()


def busiest_day(spark):
    """The day with the most minutes in the air over all planes: pandas DataFrame of its 1,440 minutes in order."""
    return spark.sql("""
        with busiest as (
            select date(minute) as day
            from planes_in_the_air
            group by day
            order by sum(planes) desc, day
            limit 1
        )

        select minute, planes
        from planes_in_the_air
        where date(minute) in (select day from busiest)
        order by minute
    """).toPandas()


def busiest_minutes(spark):
    """All minutes with the year's highest count, in order, as rows of (minute, planes)."""
    return spark.sql("""
        select minute, planes
        from planes_in_the_air
        where planes = (select max(planes) from planes_in_the_air)
        order by minute
    """).collect()


def summarise(progress, spark, seconds, year_seconds):
    """Print what was found; `seconds` are the week's two times, `year_seconds` that of the year's model."""
    minutes = busiest_minutes(spark)
    first, others = minutes[0], minutes[1:]
    as_busy = "; as many on " + ", ".join(when(row.minute) for row in others) if others else ""
    ratio = seconds[NAIVE] / seconds[BINNED]
    naive_year = seconds[NAIVE] * MINUTES_OF_THE_YEAR / MINUTES_OF_THE_WEEK

    progress.heading("Planes in the air over 2013, from New York's three airports")
    progress.finding("Busiest minute", f"{first.planes} planes on {when(first.minute)}{as_busy}")
    progress.finding("Whole year", f"{MINUTES_OF_THE_YEAR:,} minutes x {FLIGHTS:,} flights by bins: {year_seconds:.1f} s")
    progress.finding("One week of it", f"{MINUTES_OF_THE_WEEK:,} minutes x {FLIGHTS:,} flights, median of {ROUNDS} runs")
    progress.finding("", f"by bins {seconds[BINNED]:.2f} s, naive {seconds[NAIVE]:.2f} s: {ratio:.1f} times as fast")
    progress.finding("", f"(at that pace the naive join takes {naive_year / 60:.0f} minutes for the year: not run)")
    progress.finding("Both agree", f"yes: the same {MINUTES_OF_THE_WEEK:,} rows, by `except all` both ways")
    progress.finding("Busiest day", f"drawn in {shown(PICTURE)}")
    progress.finding("Compiled SQL", f"in {shown(OUTPUT / 'target' / 'demo' / 'compiled')}")


def when(minute):
    """A minute as a person writes it."""
    return f"{minute.day} {minute:%B, %H:%M}"


def shown(path):
    """A path inside the repository, relative to it."""
    return path.relative_to(PACKAGE)


if __name__ == "__main__":
    sys.exit(main())
