"""Who joins: this package on Spark, and what a user would pick instead.

Every engine gets the same two Parquet files (on Spark as tables over them, as the inputs of a dbt model are), the same
number of threads and the same memory, and returns the same two numbers: how many pairs there are, and an order-free
checksum over their ids. Or it writes the pairs as Parquet, and what was written is counted afterwards.
"""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from unittest import mock

from pyspark.sql import SparkSession

from benchmarks.workloads import Tables, Workload

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


@dataclass
class Engine:
    """One way to join.

    name: as in the results. start: function of a workload's tables that prepares a run and returns it
    as a function without arguments, of which Answer or Written comes back. refuses: function of a workload that says why it can't run there, or None.
    work: function of a workload and a scale that says how many comparisons a run makes, for an engine that makes far more of
    them than there are pairs. Where a run would make more than MOST_WORK, the scale is halved until it does not.
    """

    name: str
    start: Callable[[Tables], Callable[[], Answer | Written]]
    refuses: Callable[[Workload], str | None] = field(default=lambda workload: None)
    work: Callable[[Workload, float], float] = field(default=lambda workload, scale: 0)

    def scale_for(self, workload: Workload, scale: float) -> float:
        """The largest scale up to `scale` at which a run ends in reasonable time."""
        while self.work(workload, scale) > MOST_WORK:
            scale /= 2
        return scale


class SparkEngines:
    """The ways to join on one SparkSession.

    spark: the session. project: a scratch dbt project that installs the package. write_to: a folder that pairs are written to, or None to count them.
    """

    def __init__(self, spark, project, write_to: Path | None = None):
        self.spark, self.project, self.write_to = spark, project, write_to

    def all(self) -> list[Engine]:
        """Every way to join on Spark."""
        return [
            Engine("package", lambda tables: self.package(tables, "best")),
            Engine("package_bin_size_only", lambda tables: self.package(tables, "bin_size_only")),
            Engine("package_p90", lambda tables: self.package(tables, "p90")),
            Engine("package_no_bin_size", self.package_as_run),
            Engine("article", self.article,
                   lambda w: None if w.left_is_point and not w.keys else "it joins points without keys", work=_bins_by_intervals),
            Engine("spark_plain", self.naive, work=_product),
            # Spark's AsOfJoin, too, compares all of a key: W2 and W3 at several scales take as long as the product of their rows has them.
            Engine("spark_asof", self.asof, lambda w: None if w.disjoint else "it finds one match, and intervals overlap here", work=_product),
        ]  # fmt: skip

    def table(self, path: str) -> str:
        """The name of a table over a Parquet file, as a model's input is one: made once, without copying a row."""
        name = "benchmark_" + re.sub(r"\W", "_", "_".join(Path(path).parts[-2:])).lower()
        self.spark.sql(f"create table if not exists `{name}` using parquet location '{path}'")
        return f"`{name}`"

    def run(self, sql: str) -> Callable[[], Answer | Written]:
        """A query over l_id and r_id, as a run."""

        def count() -> Answer:
            frame = self.spark.sql(f"select count(*) as pairs, {CHECKSUM} as checksum from (\n{sql}\n) as pairs")
            pairs, checksum = frame.collect()[0]
            plan = frame._jdf.queryExecution().executedPlan().toString()
            return Answer(pairs, checksum, " ".join(name for name in JOIN_OPERATIONS if name in plan))

        def write() -> Written:
            self.spark.sql(sql).write.mode("overwrite").parquet(str(self.write_to / "spark"))
            return Written(self.write_to / "spark")

        return write if self.write_to else count

    def package(self, tables: Tables, setting: str):
        """binned_range_join: 'best' fixed bin size and hint, the best bin size alone, or the p90 rule's."""
        workload = tables.workload
        bin_size = workload.bin_sizes["p90" if setting == "p90" else "best"]
        return self.package_with(tables, bin_size, workload.hint if setting == "best" else "broadcast=none")

    def package_with(self, tables: Tables, bin_size, hint: str):
        """binned_range_join with these settings, as `dbt compile` writes it: SQL that asks nothing beforehand."""
        body = f"{{{{ dbt_range_join.binned_range_join({self.call(tables)}, bin_size={bin_size!r}, {hint}) }}}}"
        return self.run(self.project.compile({"binned": body})["binned"])

    def package_as_run(self, tables: Tables, settings: str = ""):
        """binned_range_join as `dbt run` makes it: every run asks Spark what dbt asks it before it builds the model, and then joins.

        settings: further arguments, ", bin_size=..."; none leaves the bin_size out.
        """
        sql, measuring = self.built_join(tables, settings)
        join = self.run(sql)

        def measure_and_join() -> Answer:
            for statement in measuring:
                self.spark.sql(statement).collect()
            return join()

        return measure_and_join

    def built_join(self, tables: Tables, settings: str) -> tuple[str, list[str]]:
        """The join of a model that is a table, as `dbt run` makes it, and the statements by which it measures the data."""
        asked = []
        ask = SparkSession.sql
        # What dbt builds here is to be an empty table; the join within is what is timed.
        head, end = "select * from (\n", "\n) limit 0"

        def listen(session, sql, *arguments, **named):
            asked.append(sql)
            return ask(session, sql, *arguments, **named)

        with mock.patch.object(SparkSession, "sql", listen):
            body = f"{{{{ config(materialized='table') }}}}{head}{{{{ dbt_range_join.binned_range_join({self.call(tables)}{settings}) }}}}{end}"
            built = self.project.built({"join": body})["join"]
        measuring = [sql for sql in asked if "range_join_left_values" in sql]
        # A sample of the data, or of a fixed size that no sample can better, as on tiny inputs, how large they are.
        if not any("percentile_approx" in sql or settings for sql in measuring):
            raise AssertionError(f"{tables.workload.name}: what was to be measured was taken for something else:\n{built}")
        return built[built.index(head) + len(head) : built.rindex(end)], measuring

    def call(self, tables: Tables) -> str:
        """The arguments of a workload's join as the caller of a macro writes them."""
        workload = tables.workload
        left = "left_point='p'" if workload.left_is_point else "left_interval=['s', 'e']"
        return (
            f"left_relation='{self.table(tables.left)}', {left}, right_relation='{self.table(tables.right)}', right_interval=['s', 'e'], "
            f"keys={list(workload.keys)!r}, select=['l.id as l_id', 'r.id as r_id']"
        )

    def naive(self, tables: Tables):
        """The plain join, as anyone would write it: with keys Spark's hash join on them, without a nested loop."""
        return self.run(plain_join(tables, self.table))

    def article(self, tables: Tables):
        """The article's three steps, word for word in Spark's SQL: bins in a list, joined to the intervals by BETWEEN."""
        size = _number(tables.workload.bin_sizes["best"])
        position = "unix_micros({})" if tables.workload.unit == "time" else "{}"

        def bin_number(value: str) -> str:
            return f"floor({position.format(value)} / {size})"

        return self.run(f"""
            with metadata as (
                select {bin_number("min(p)")} as bin_num_start, {bin_number("max(p)")} as bin_num_end from {self.table(tables.left)}
            ), bins as (
                select explode(sequence(bin_num_start, bin_num_end)) as bin_num from metadata
            ), intervals as (
                select r.*, bins.bin_num from {self.table(tables.right)} as r
                inner join bins on bins.bin_num between {bin_number("r.s")} and {bin_number("r.e")}
            ), points as (
                select l.*, {bin_number("l.p")} as bin_num from {self.table(tables.left)} as l
            )
            select l.id as l_id, r.id as r_id from points as l
            inner join intervals as r on l.bin_num = r.bin_num and l.p between r.s and r.e""")

    def asof(self, tables: Tables):
        """Spark 4.3's ASOF join: the last interval that starts at or before the point, kept if it has not ended."""
        keys = "".join(f" on l.{key} = r.{key}" for key in tables.workload.keys)
        run = self.run(f"""
            select l.id as l_id, r.id as r_id from {self.table(tables.left)} as l
            asof join {self.table(tables.right)} as r match_condition (l.p >= r.s){keys}
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
        f"select l.id as l_id, r.id as r_id from {read(tables.left)} as l inner join {read(tables.right)} as r "
        f"on {' and '.join(predicates)}"
    )


def _product(workload: Workload, scale: float) -> float:
    """The pairs that a plain join compares: all, or those of equal keys."""
    return workload.left_rows * scale * workload.right_rows * scale / workload.key_count


def _bins_by_intervals(workload: Workload, scale: float) -> float:
    """The pairs that a join of the list of bins with the intervals compares."""
    return workload.reach(scale) / _number(workload.bin_sizes["best"]) * workload.right_rows * scale


def _number(bin_size) -> int:
    """A bin size in the units of the BIGINTs that it divides: microseconds, or as it is."""
    if not isinstance(bin_size, str):
        return bin_size
    amount, unit = bin_size.split()
    seconds = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}[unit.rstrip("s")]
    return int(amount) * seconds * 10**6


def duckdb_engine(threads: int, memory_gib: int, write_to: Path | None = None) -> Engine:
    """DuckDB, which has a range join operator of its own (IEJoin) and chooses it. write_to: see SparkEngines."""
    import duckdb

    def start(tables: Tables):
        sql = plain_join(tables, lambda path: f"read_parquet('{path}')")

        def join() -> Answer | Written:
            with duckdb.connect(config={"threads": threads, "memory_limit": f"{memory_gib}GiB"}) as connection:
                connection.execute("set enable_progress_bar = false")
                if write_to:
                    # Spark writes in whatever order too.
                    connection.execute("set preserve_insertion_order = false")
                    connection.execute(f"copy ({sql}) to '{write_to / 'duckdb.parquet'}' (format parquet)")
                    return Written(write_to / "duckdb.parquet")
                pairs, checksum = connection.execute(f"select count(*), {CHECKSUM} from ({sql}) as pairs").fetchone()
            return Answer(pairs, int(checksum))

        return join

    return Engine("duckdb", start)


def polars_engine(threads: int, write_to: Path | None = None) -> Engine:
    """Polars' join_where, which sorts for inequalities as IEJoin does. write_to: see SparkEngines."""
    os.environ["POLARS_MAX_THREADS"] = str(threads)
    import polars

    def start(tables: Tables):
        workload = tables.workload

        def join() -> Answer | Written:
            left = polars.scan_parquet(tables.left).rename({"id": "l_id"})
            right = polars.scan_parquet(tables.right).rename({"id": "r_id", "s": "r_s", "e": "r_e", **{k: f"r_{k}" for k in workload.keys}})
            column = polars.col
            predicates = [column(key) == column(f"r_{key}") for key in workload.keys]
            if workload.left_is_point:
                predicates += [column("p") >= column("r_s"), column("p") <= column("r_e")]
            else:
                predicates += [column("s") <= column("r_e"), column("r_s") <= column("e")]
            pairs = left.join_where(right, *predicates)
            if write_to:
                pairs.select("l_id", "r_id").sink_parquet(write_to / "polars.parquet", compression="snappy")
                return Written(write_to / "polars.parquet")
            mixed = ((column("l_id") * 7919 + column("r_id") * 104729) & 1048575).sum()
            found = pairs.select(polars.len().alias("pairs"), mixed.alias("checksum")).collect()
            return Answer(int(found["pairs"][0]), int(found["checksum"][0]))

        return join

    return Engine("polars", start)
