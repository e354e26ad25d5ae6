"""What a join by bins costs where there is next to nothing to join: twenty rows a side, every shape and join type, with keys, with a
join_condition, and with neither.

Spark plans such a query for far longer than it runs it, and with adaptive execution plans on between its stages. So each run is split
into the time in which some task ran and the rest, in which Spark's driver planned, generated code and scheduled.
"""

import itertools
import statistics
import time

from benchmarks.engines import SparkEngines
from benchmarks.tasks import TaskWatch, busy_seconds

ROWS = 20
ENGINES = {"package": ("binned_range_join", ", bin_size='1 minute'"), "spark_plain": ("naive_range_join", "")}
VARIANTS = {"": "", " with keys": ", keys=[['pmod(l.id, 3)', 'pmod(r.id, 3)']]", " with a condition": ", join_condition='l.id <> r.id'"}
JOIN_TYPES = ("inner", "left", "right", "full", "semi", "anti")
SHAPES = {"point": "'tiny_points', left_point='p'", "overlap": "'tiny_intervals', left_interval=['s', 'e']"}
FORMS = {f"{shape} {join_type}{variant}": (shape, join_type, variant) for variant, shape, join_type in itertools.product(VARIANTS, SHAPES, JOIN_TYPES)}
POSITION = "timestamp_seconds(1704067200 + pmod(id * 7919, 2592000)"
TABLES = {
    "tiny_points": f"select id, {POSITION}) as p from range(0, {ROWS}, 1, 1)",
    "tiny_intervals": f"select id, {POSITION}) as s, {POSITION} + if(id % 10 = 0, 604800, 20 + id % 40)) as e from range(0, {ROWS}, 1, 1)",
}


def over_join_types(given, spark_engines: SparkEngines, watch: TaskWatch):
    """The join with a bin_size and the plain join, in turn; returns rows of the CSV. Raises AssertionError where their rows differ.

    The SQL is what `dbt run` makes of such inputs. Each join is timed beside its plain one, and not all in one round: Spark keeps the
    code it generated for a hundred stages, and would compile all of it anew. There are as many rounds to warm up as counted ones.
    """
    spark = spark_engines.spark
    for name, query in TABLES.items():
        spark.sql(f"create table if not exists {name} using parquet as {query}")
    forms = [form for form in FORMS if form in (given.form or FORMS)]
    joins = spark_engines.project.built({name: body for form in forms for name, body in _models(form).items()})
    seconds = {name: [] for name in joins}
    answers = {}
    for form in forms:
        for round_number in range(2 * given.runs):
            for name in _models(form):
                started = time.perf_counter()
                answers[name] = sorted(map(str, spark.sql(joins[name]).collect()))
                total = time.perf_counter() - started
                stages = watch.stages()
                if round_number >= given.runs:
                    seconds[name].append((total, busy_seconds(stages), sum(stage.cpu_seconds for stage in stages)))
    rows = []
    for form, engine in itertools.product(forms, ENGINES):
        name = _name(form, engine)
        assert answers[name] == answers[_name(form, "spark_plain")], f"{form}: other rows than the plain join"
        totals, running, cpu = zip(*seconds[name], strict=True)
        rows.append({
            "workload": f"tiny {form}", "engine": engine, "scale": 1, "left_rows": ROWS, "right_rows": ROWS, "pairs": len(answers[name]),
            "runs": len(totals), "median_seconds": round(statistics.median(totals), 3), "least_seconds": round(min(totals), 3),
            "most_seconds": round(max(totals), 3), "running_seconds": round(statistics.median(running), 3), "task_cpu_seconds": round(statistics.median(cpu), 3),
        })  # fmt: skip
    return rows


def _name(form: str, engine: str) -> str:
    return f"{form.replace(' ', '_')}_{engine}"


def _models(form: str) -> dict[str, str]:
    """Model bodies by name, of the engines in turn."""
    return {_name(form, engine): f"{{{{ {call(form, engine)} }}}}" for engine in ENGINES}


def call(form: str, engine: str) -> str:
    """The macro call that is a form's join, as Jinja without its braces."""
    shape, join_type, variant = FORMS[form]
    macro, size = ENGINES[engine]
    select = "['l.id as l_id']" if join_type in ("semi", "anti") else "['l.id as l_id', 'r.id as r_id']"
    return (
        f"dbt_range_join.{macro}(left_relation={SHAPES[shape]}, right_relation='tiny_intervals', right_interval=['s', 'e'], "
        f"join_type='{join_type}', select={select}{VARIANTS[variant]}{size})"
    )
