"""The binned join beside the plain one of the same arguments."""

import threading
import time
from contextlib import contextmanager

MINUTE = 60  # seconds


def compile_both(project, calls: dict) -> dict:
    """The compiled queries (binned, plain) of some joins, all from one dbt call. calls: name -> arguments as a caller writes them."""
    models = {}
    for number, arguments in enumerate(calls.values()):
        for macro in ("binned", "naive"):
            models[f"{macro}_{number}"] = f"{{{{ dbt_range_join.{macro}_range_join({arguments}) }}}}"
    sql = project.compile(models)
    return {name: (sql[f"binned_{number}"], sql[f"naive_{number}"]) for number, name in enumerate(calls)}


def rows_of_both(spark, queries) -> tuple[list[str], list[str]]:
    """The rows of both, as text and in order. queries: (binned, plain)."""
    return tuple(sorted(map(str, spark.sql(query).collect())) for query in queries)


def bag(spark, query):
    """(how many rows a query has, the sum of what these hash to as text): equal for two queries with the same rows as often, in whatever order.

    As text, because Spark's hashes pass NULLs over: (1, NULL) and (NULL, 1) would have the same.
    """
    return tuple(spark.sql(f"select count(*), sum(cast(xxhash64(cast(struct(*) as string)) as decimal(20, 0))) from ({query})").first())


@contextmanager
def at_most(spark, seconds=MINUTE):
    """Fails where that takes longer, and cancels what Spark runs then, as a join without bound takes hours or all of the disk. Not a benchmark."""
    started = time.monotonic()
    timer = threading.Timer(seconds, spark.sparkContext.cancelAllJobs)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
    assert time.monotonic() - started < seconds
