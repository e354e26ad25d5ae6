"""What a join by bins costs where there is next to nothing to join: twenty rows a side, every shape and join type.

Spark plans such a query for far longer than it runs it, and with adaptive execution plans on between its stages. So each run is split
into the time in which some task ran and the rest, in which Spark's driver planned, generated code and scheduled.
"""

import statistics
import time

from benchmarks.engines import SparkEngines
from benchmarks.tasks import TaskWatch, busy_seconds

ROWS = 20
JOIN_TYPES = ("inner", "left", "right", "full", "semi", "anti")
POSITION = "timestamp_seconds(1704067200 + pmod(id * 7919, 2592000)"
TABLES = {
    "tiny_points": f"select id, {POSITION}) as p from range(0, {ROWS}, 1, 1)",
    "tiny_intervals": f"select id, {POSITION}) as s, {POSITION} + if(id % 10 = 0, 604800, 20 + id % 40)) as e from range(0, {ROWS}, 1, 1)",
}


def over_join_types(given, spark_engines: SparkEngines, watch: TaskWatch):
    """The join with a bin_size and the plain join, in turn; returns rows of the CSV. Raises AssertionError where their rows differ.

    There are as many rounds to warm up as counted ones, so that generated code is cached and the JVM has compiled what is hot.
    """
    spark = spark_engines.spark
    for name, query in TABLES.items():
        spark.sql(f"create table if not exists {name} using parquet as {query}")
    joins = spark_engines.project.compile(_models())
    seconds = {name: [] for name in joins}
    answers = {}
    for round_number in range(2 * given.runs):
        for name, sql in joins.items():
            started = time.perf_counter()
            answers[name] = sorted(map(str, spark.sql(sql).collect()))
            total = time.perf_counter() - started
            stages = watch.stages()
            if round_number >= given.runs:
                seconds[name].append((total, busy_seconds(stages), sum(stage.cpu_seconds for stage in stages)))
    rows = []
    for name in joins:
        shape, join_type, engine = name.split("_", 2)
        assert answers[name] == answers[f"{shape}_{join_type}_spark_plain"], f"{name}: other rows than the plain join"
        totals, running, cpu = zip(*seconds[name], strict=True)
        rows.append({
            "workload": f"tiny {shape} {join_type}", "engine": engine, "scale": 1, "left_rows": ROWS, "right_rows": ROWS, "pairs": len(answers[name]),
            "runs": len(totals), "median_seconds": round(statistics.median(totals), 3), "least_seconds": round(min(totals), 3),
            "most_seconds": round(max(totals), 3), "running_seconds": round(statistics.median(running), 3), "task_cpu_seconds": round(statistics.median(cpu), 3),
        })  # fmt: skip
    return rows


def _models() -> dict[str, str]:
    """Model bodies by name: shape, join type, engine."""
    models = {}
    for shape, left in {"point": "'tiny_points', left_point='p'", "overlap": "'tiny_intervals', left_interval=['s', 'e']"}.items():
        for join_type in JOIN_TYPES:
            select = "['l.id as l_id']" if join_type in ("semi", "anti") else "['l.id as l_id', 'r.id as r_id']"
            for engine, macro, size in (("package", "binned_range_join", ", bin_size='1 minute'"), ("spark_plain", "naive_range_join", "")):
                models[f"{shape}_{join_type}_{engine}"] = (
                    f"{{{{ dbt_range_join.{macro}(left_relation={left}, right_relation='tiny_intervals', right_interval=['s', 'e'], "
                    f"join_type='{join_type}', select={select}{size}) }}}}"
                )
    return models
