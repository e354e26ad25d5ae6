"""Who joins: this package on Spark, and what a user would pick instead.

Every engine gets the same two Parquet files (on Spark as tables over them, as the inputs of a dbt model are) and the same
number of threads; Spark and DuckDB get the same memory, and Polars knows no limit. Each returns the same two numbers: how many pairs there are, and an
order-free checksum over their ids. Or it writes the pairs as Parquet, and what was written is counted afterwards.
"""

import contextlib
import math
import os
import re
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from pyspark.sql import SparkSession

from benchmarks.tables import ROW_GROUP, Tables, Workload

MOST_WORK = 1e10  # comparisons of a run: all of W3's, by key, and of W1's by the article's SQL
CHECKSUM = "coalesce(sum((l_id * 7919 + r_id * 104729) & 1048575), 0)"
JOIN_OPERATIONS = ("BroadcastNestedLoopJoin", "CartesianProduct", "BroadcastHashJoin", "ShuffledHashJoin", "SortMergeJoin", "AsOfJoin")


@dataclass(frozen=True)
class Answer:
    """What a join returned. plan: the join operators that ran it, where the engine tells."""

    pairs: int
    checksum: int
    plan: str = ""

    def counted(self) -> "Answer":
        """The answer itself; see Written."""
        return self

    def key(self) -> tuple[int, int]:
        """What two answers have to agree in."""
        return self.pairs, self.checksum


@dataclass(frozen=True)
class Written:
    """The pairs that a join has written: one Parquet file, or a folder of them. Counted when the time has been taken."""

    path: Path

    def counted(self) -> Answer:
        """What was written, counted by DuckDB whoever wrote it."""
        import duckdb

        files = self.path / "*.parquet" if self.path.is_dir() else self.path
        with duckdb.connect() as connection:
            pairs, checksum = connection.execute(f"select count(*), {CHECKSUM} from read_parquet('{files}')").fetchone()
        return Answer(pairs, int(checksum))


@dataclass(frozen=True)
class Found(Answer):
    """An answer of Spark's, whose plan is read when the time has been taken. frame: the query's DataFrame."""

    frame: object = None

    def counted(self) -> Answer:
        """The answer with the join operators of its plan."""
        plan = self.frame._jdf.queryExecution().executedPlan()
        if plan.nodeName() == "AdaptiveSparkPlan":  # whose text has the plan that it began with, too
            plan = plan.executedPlan()
        text = plan.toString()
        return Answer(self.pairs, self.checksum, " ".join(name for name in JOIN_OPERATIONS if name in text))


def timed(run: Callable[[], Answer | Written]) -> tuple[float, Answer]:
    """The seconds that a run took, and its answer, which is counted after them."""
    started = time.perf_counter()
    answer = run()
    return time.perf_counter() - started, answer.counted()


@dataclass
class Engine:
    """One way to join.

    name: as in the results. start: function of a workload's tables that prepares a run and returns it
    as a function without arguments, of which Answer or Written comes back. refuses: function of a workload that says why it can't run there, or None.
    work: function of a workload, a scale and the rows of both sides that says how many comparisons a run makes, for an engine that makes far more of
    them than there are pairs. Where a run would make more than MOST_WORK, the scale is halved until it does not. bin_size: function of a workload, for an
    engine that is given one.
    """

    name: str
    start: Callable[[Tables], Callable[[], Answer | Written]]
    refuses: Callable[[Workload], str | None] = field(default=lambda workload: None)
    work: Callable[[Workload, float, float, float], float] = field(default=lambda workload, scale, left_rows, right_rows: 0)
    bin_size: Callable[[Workload], int | str | None] = field(default=lambda workload: None)

    def scale_for(self, workload: Workload, scale: float) -> float:
        """The largest scale up to `scale` at which a run ends in reasonable time."""
        while self.work(workload, scale, workload.left_rows * scale, workload.right_rows * scale) > MOST_WORK:
            scale /= 2
        return scale

    def work_on(self, tables: Tables) -> float:
        """How many comparisons a run on these tables makes."""
        return self.work(tables.workload, tables.scale, tables.left_rows, tables.right_rows)


def pair(workload: Workload) -> list[str]:
    """The select list of a pair: both ids, -1 where a row has no match, as a checksum knows no NULL. To an id the lengths of the row's texts are added, so that these are read."""
    ids = []
    for side, may_lack in (("l", ("right", "full")), ("r", ("left", "full"))):
        value = f"{side}.id + length({side}.name) + length({side}.note)" if workload.texts else f"{side}.id"
        ids.append(f"coalesce({value}, -1) as {side}_id" if workload.join_type in may_lack else f"{value} as {side}_id")
    return ids


def counting(sql: str) -> str:
    """The query whose time is taken: how many pairs a query over l_id and r_id has, and their checksum."""
    return f"select count(*) as pairs, {CHECKSUM} as checksum from (\n{sql}\n) as pairs"


@dataclass(frozen=True)
class Built:
    """A join as `dbt run` makes it.

    sql: the join. measuring: the statements that dbt asks before. dbt_seconds: what dbt takes for these beside Spark: to write them, to read what comes back, and
    to choose a plan.
    """

    sql: str
    measuring: list[str]
    dbt_seconds: float


class AsRun:
    """A run that asks Spark some statements first, waits as long as dbt takes to choose a plan, and then joins. measuring_seconds: how long all but the join took, the last time."""

    def __init__(self, spark, built: Built, join: Callable[[], Answer | Written]):
        self.spark, self.built, self.join = spark, built, join
        self.measuring_seconds = None

    def __call__(self) -> Answer | Written:
        started = time.perf_counter()
        for statement in self.built.measuring:
            self.spark.sql(statement).collect()
        time.sleep(self.built.dbt_seconds)
        self.measuring_seconds = time.perf_counter() - started
        return self.join()


@dataclass(frozen=True)
class Asked:
    """A call to Spark. node: the dbt node that it is for. sql: the statement, or none where its rows were fetched. started, ended: when, in seconds."""

    node: str
    sql: str | None
    started: float
    ended: float

    def measures(self) -> bool:
        """Whether it is one of the statements by which the package measures the data."""
        return self.sql is not None and any(mark in self.sql for mark in ("range_join_left_values", "describe query", "long_values"))


@contextlib.contextmanager
def listening(spark):
    """A list that gets an Asked for each call by which dbt asks Spark something, as long as the block runs."""
    asked = []
    frame = type(spark.range(0))
    ask, collect = SparkSession.sql, frame.collect

    def asks(session, sql, *arguments, **named):
        started = time.perf_counter()
        rows = ask(session, sql, *arguments, **named)
        node = re.search(r'"node_id": "([^"]+)"', sql)
        asked.append(Asked(node[1] if node else "", sql, started, time.perf_counter()))
        return rows

    def collects(rows):
        started = time.perf_counter()
        fetched = collect(rows)
        asked.append(Asked(asked[-1].node if asked else "", None, started, time.perf_counter()))
        return fetched

    with mock.patch.object(SparkSession, "sql", asks), mock.patch.object(frame, "collect", collects):
        yield asked


def seconds_beside_spark(asked: list[Asked]) -> float:
    """How long dbt itself took from the first statement that measures to the first one after the last such, by the calls of one node; 0 where it measures nothing."""
    measuring = [place for place, call in enumerate(asked) if call.measures()]
    if not measuring:
        return 0.0
    after = next(place for place, call in enumerate(asked) if place > measuring[-1] and call.sql is not None)
    calls = asked[measuring[0] : after]
    return asked[after].started - calls[0].started - sum(call.ended - call.started for call in calls)


class SparkEngines:
    """The ways to join on one SparkSession.

    spark: the session. project: a scratch dbt project that installs the package. write_to: a folder that pairs are written to, or None to count them.
    threads: how many Spark has.
    """

    def __init__(self, spark, project, write_to: Path | None = None, threads: int = 2):
        self.spark, self.project, self.write_to, self.threads = spark, project, write_to, threads

    def all(self) -> list[Engine]:
        """Every way to join on Spark."""
        return [
            Engine("package", lambda tables: self.package(tables, "best"), bin_size=lambda w: w.bin_sizes["best"]),
            Engine("package_bin_size_only", lambda tables: self.package(tables, "bin_size_only"), bin_size=lambda w: w.bin_sizes["best"]),
            Engine("package_bin_size_as_run", lambda tables: self.package_as_run(tables, f", bin_size={tables.workload.bin_sizes['best']!r}"), bin_size=lambda w: w.bin_sizes["best"]),
            Engine("package_p90", lambda tables: self.package(tables, "p90"), bin_size=lambda w: w.bin_sizes["p90"]),
            Engine("package_no_bin_size", self.package_as_run),
            Engine("article", lambda tables: self.article(tables, _articles_bins(tables.workload)), _refuses_the_article,
                   lambda w, scale, _, right_rows: w.reach(scale) / _number(_articles_bins(w)) * right_rows, _articles_bins),
            # At its best: as many bins to compare with each interval as it then meets points in its own.
            Engine("article_large_bins", lambda tables: self.article(tables, _large_bins(tables.workload)), _refuses_the_article,
                   lambda w, scale, left_rows, right_rows: (w.reach(scale) / _large_bins(w) + w.crowding * left_rows * _large_bins(w) / w.reach(scale)) * right_rows, _large_bins),
            Engine("spark_plain", self.naive, work=_product),
            # Spark's AsOfJoin, too, compares all of a key: W2 and W3 at several scales take as long as the product of their rows has them.
            Engine("spark_asof", self.asof, _refuses_asof, work=_product),
        ]  # fmt: skip

    def table(self, path: str) -> str:
        """The name of a table over a Parquet file, as a model's input is one: made once, without copying a row."""
        name = "benchmark_" + re.sub(r"\W", "_", "_".join(Path(path).parts[-2:])).lower()
        self.spark.sql(f"create table if not exists `{name}` using parquet location '{path}'")
        return f"`{name}`"

    def run(self, sql: str) -> Callable[[], Answer | Written]:
        """A query over l_id and r_id, as a run."""

        def count() -> Answer:
            frame = self.spark.sql(counting(sql))
            return Found(*frame.collect()[0], frame=frame)

        def write() -> Written:
            self.spark.sql(sql).write.mode("overwrite").parquet(str(self.write_to / "spark"))
            return Written(self.write_to / "spark")

        return write if self.write_to else count

    def package(self, tables: Tables, setting: str):
        """binned_range_join: 'best' fixed bin size and settings, the best bin size alone, or the p90 rule's."""
        workload = tables.workload
        bin_size = workload.bin_sizes["p90" if setting == "p90" else "best"]
        return self.package_with(tables, bin_size, workload.settings(tables.scale) if setting == "best" else "broadcast=none")

    def package_with(self, tables: Tables, bin_size, hint: str):
        """binned_range_join with these settings, as a run: see package_sql."""
        return self.run(self.package_sql(tables, bin_size, hint))

    def package_sql(self, tables: Tables, bin_size, hint: str) -> str:
        """binned_range_join with these settings, as `dbt compile` writes it: what dbt looks at for that is in no time."""
        body = f"{{{{ dbt_range_join.binned_range_join({self.call(tables)}, bin_size={bin_size!r}, {hint}) }}}}"
        return self.project.compile({"binned": body}, looks=True)["binned"]

    def package_as_run(self, tables: Tables, settings: str = ""):
        """binned_range_join as `dbt run` makes it: every run asks Spark what dbt asks it before it builds the model, waits as long as dbt takes for it, and then joins.

        settings: further arguments, ", bin_size=..."; none leaves the bin_size out.
        """
        built = self.built_join(tables, settings)
        return AsRun(self.spark, built, self.run(built.sql))

    def built_join(self, tables: Tables, settings: str) -> Built:
        """The join of a model that is a table, and what dbt does before: built several times over in one run, as the first of a run reads the macros, too."""
        # What dbt builds here is to be an empty table; the join within is what is timed.
        head, end = "select * from (\n", "\n) limit 0"
        body = f"{{{{ config(materialized='table') }}}}{head}{{{{ dbt_range_join.binned_range_join({self.call(tables)}{settings}) }}}}{end}"
        names = [f"join_{number}" for number in range(4)]
        with listening(self.spark) as asked:
            built = self.project.built(dict.fromkeys(names, body))[names[-1]]
        of_each = [[call for call in asked if call.node.endswith(f".{name}")] for name in names]
        measuring = [call.sql for call in of_each[-1] if call.measures()]
        # A sample of the data, or of a fixed size that no sample can better, as on tiny inputs, how large they are.
        if not any("rand(" in sql or settings for sql in measuring):
            raise AssertionError(f"{tables.workload.name}: what was to be measured was taken for something else:\n{built}")
        dbt_seconds = statistics.median(seconds_beside_spark(calls) for calls in of_each[1:])
        return Built(built[built.index(head) + len(head) : built.rindex(end)], measuring, dbt_seconds)

    def call(self, tables: Tables) -> str:
        """The arguments of a workload's join as the caller of a macro writes them."""
        workload = tables.workload
        left = "left_point='p'" if workload.left_is_point else "left_interval=['s', 'e']"
        return (
            f"left_relation='{self.table(tables.left)}', {left}, right_relation='{self.table(tables.right)}', right_interval=['s', 'e'], "
            f"keys={list(workload.keys)!r}, join_type='{workload.join_type}', select={pair(workload)!r}"
        )

    def naive(self, tables: Tables):
        """The plain join, as anyone would write it: with keys Spark's hash join on them, without a nested loop."""
        return self.run(plain_join(tables, lambda path: self.spread(tables, path)))

    def spread(self, tables: Tables, path: str) -> str:
        """What stands in FROM for a table: itself, or, where it is of one row group, its rows over all threads, as a small file would leave all but one of them idle."""
        rows = tables.left_rows if path == tables.left else tables.right_rows
        return f"(select /*+ repartition({self.threads}) */ * from {self.table(path)})" if rows <= ROW_GROUP else self.table(path)

    def article(self, tables: Tables, bin_size):
        """The article's three steps, word for word in Spark's SQL: bins in a list, joined to the intervals by BETWEEN."""
        size = _number(bin_size)
        position = "unix_micros({})" if tables.workload.unit == "time" else "{}"

        def bin_number(value: str) -> str:
            return f"floor({position.format(value)} / {size})"

        return self.run(f"""
            with metadata as (
                select {bin_number("min(p)")} as bin_num_start, {bin_number("max(p)")} as bin_num_end from {self.table(tables.left)}
            ), bins as (
                select explode(sequence(bin_num_start, bin_num_end)) as bin_num from metadata
            ), intervals as (
                select r.*, bins.bin_num from {self.spread(tables, tables.right)} as r
                inner join bins on bins.bin_num between {bin_number("r.s")} and {bin_number("r.e")}
            ), points as (
                select l.*, {bin_number("l.p")} as bin_num from {self.spread(tables, tables.left)} as l
            )
            select l.id as l_id, r.id as r_id from points as l
            inner join intervals as r on l.bin_num = r.bin_num and l.p between r.s and r.e""")

    def asof(self, tables: Tables):
        """Spark 4.3's ASOF join: the last interval that starts at or before the point, kept if it has not ended."""
        keys = "".join(f" on l.{key} = r.{key}" for key in tables.workload.keys)
        run = self.run(f"""
            select l.id as l_id, r.id as r_id from {self.spread(tables, tables.left)} as l
            asof join {self.spread(tables, tables.right)} as r match_condition (l.p >= r.s){keys}
            where l.p <= r.e""")

        def enabled() -> Answer:
            self.spark.conf.set("spark.sql.join.asofJoin.enabled", "true")
            return run()

        return enabled


def plain_join(tables: Tables, read: Callable[[str], str]) -> str:
    """The join as a person writes it. read: function of a path that returns what stands in FROM."""
    workload = tables.workload
    predicates = [f"l.{key} = r.{key}" for key in workload.keys]
    predicates += ["l.p >= r.s", "l.p <= r.e"] if workload.left_is_point else ["l.s <= r.e", "r.s <= l.e"]
    return (
        f"select {', '.join(pair(workload))} from {read(tables.left)} as l {workload.join_type} join {read(tables.right)} as r "
        f"on {' and '.join(predicates)}"
    )


def _refuses_the_article(workload: Workload) -> str | None:
    if not workload.left_is_point or workload.keys:
        return "it joins points without keys"
    return _refuses_outer(workload)


def _articles_bins(workload: Workload) -> int | str:
    """What the article has for its own workload; elsewhere its rule."""
    return workload.bin_sizes.get("article", workload.bin_sizes["p90"])


def _refuses_asof(workload: Workload) -> str | None:
    return _refuses_outer(workload) if workload.disjoint else "it finds one match, and intervals overlap here"


def _refuses_outer(workload: Workload) -> str | None:
    return None if workload.join_type == "inner" else "it keeps no row without a match"


def _product(workload: Workload, _scale: float, left_rows: float, right_rows: float) -> float:
    """The pairs that a plain join compares: all, or those of equal keys."""
    return left_rows * right_rows / workload.key_count


def _large_bins(workload: Workload) -> int:
    """The bin size at which there are as many bins as there are points beside an interval in its own."""
    return math.ceil(workload.reach(1) / math.sqrt(workload.crowding * workload.left_rows))


def _number(bin_size) -> int:
    """A bin size in the units of the BIGINTs that it divides: microseconds, or as it is."""
    if not isinstance(bin_size, str):
        return bin_size
    amount, unit = bin_size.split()
    return int(amount) * {"millisecond": 10**3, "second": 10**6, "minute": 60 * 10**6, "hour": 3600 * 10**6, "day": 86_400 * 10**6}[unit.rstrip("s")]


def duckdb_engines(threads: int, memory_gib: int, write_to: Path | None = None) -> list[Engine]:
    """DuckDB with the plain join, for which it chooses an operator itself (IEJoin mostly), and with its ASOF join. write_to: see SparkEngines."""
    import duckdb

    def read(path: str) -> str:
        return f"read_parquet('{path}')"

    def asof_join(tables: Tables) -> str:
        keys = "".join(f"l.{key} = r.{key} and " for key in tables.workload.keys)
        return (
            f"select {', '.join(pair(tables.workload))} from {read(tables.left)} as l asof join {read(tables.right)} as r on {keys}l.p >= r.s where l.p <= r.e"
        )

    def start(sql: str):
        with duckdb.connect() as connection:
            explained = "".join(row[1] for row in connection.execute(f"explain {sql}").fetchall())
        plan = " ".join(dict.fromkeys(re.findall(r"─ ([\w ]*Join) ", explained)))

        def join() -> Answer | Written:
            with duckdb.connect(config={"threads": threads, "memory_limit": f"{memory_gib}GiB"}) as connection:
                connection.execute("set enable_progress_bar = false")
                if write_to:
                    # Spark writes in whatever order too.
                    connection.execute("set preserve_insertion_order = false")
                    connection.execute(f"copy ({sql}) to '{write_to / 'duckdb.parquet'}' (format parquet)")
                    return Written(write_to / "duckdb.parquet")
                pairs, checksum = connection.execute(f"select count(*), {CHECKSUM} from ({sql}) as pairs").fetchone()
            return Answer(pairs, int(checksum), plan)

        return join

    return [
        Engine("duckdb", lambda tables: start(plain_join(tables, read))),
        Engine("duckdb_asof", lambda tables: start(asof_join(tables)), _refuses_asof),
    ]


def polars_engines(threads: int, write_to: Path | None = None) -> list[Engine]:
    """Polars' join_where, which sorts for inequalities as IEJoin does, and its join_asof. write_to: see SparkEngines."""
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars

    column = polars.col

    def where(workload: Workload, left, right):
        predicates = [column(key) == column(f"r_{key}") for key in workload.keys]
        if workload.left_is_point:
            predicates += [column("p") >= column("r_s"), column("p") <= column("r_e")]
        else:
            predicates += [column("s") <= column("r_e"), column("r_s") <= column("e")]
        return left.join_where(right, *predicates)

    def asof(workload: Workload, left, right):
        keys = {"by_left": list(workload.keys), "by_right": [f"r_{key}" for key in workload.keys]} if workload.keys else {}
        # Sorted by itself here, which it does not check where there are keys.
        joined = left.sort("p").join_asof(right.sort("r_s"), left_on="p", right_on="r_s", strategy="backward", check_sortedness=False, **keys)
        return joined.filter(column("p") <= column("r_e"))

    def start(tables: Tables, way: Callable):
        workload = tables.workload

        def join() -> Answer | Written:
            left = polars.scan_parquet(tables.left).rename({"id": "l_id"})
            right = polars.scan_parquet(tables.right).rename({"id": "r_id", "s": "r_s", "e": "r_e", **{k: f"r_{k}" for k in workload.keys}})
            pairs = way(workload, left, right)
            if write_to:
                pairs.select("l_id", "r_id").sink_parquet(write_to / "polars.parquet", compression="snappy")
                return Written(write_to / "polars.parquet")
            mixed = ((column("l_id") * 7919 + column("r_id") * 104729) & 1048575).sum()
            found = pairs.select(polars.len().alias("pairs"), mixed.alias("checksum")).collect()
            return Answer(int(found["pairs"][0]), int(found["checksum"][0]))

        return join

    return [Engine("polars", lambda tables: start(tables, where), _refuses_outer), Engine("polars_asof", lambda tables: start(tables, asof), _refuses_asof)]
