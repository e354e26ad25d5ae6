"""The benchmark runs, at a size at which its times mean nothing: its engines agree, and its results are written."""

import csv
import os
import re
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.__main__ import DifferentAnswers, Outcome, against_best, arguments, check_answers, measure
from benchmarks.__main__ import run as run_benchmark
from benchmarks.drawn import MOST_PAIRS, _pairs
from benchmarks.engines import Answer, Asked, pair, seconds_beside_spark
from benchmarks.tables import TYPES
from benchmarks.workloads import BY_NAME, workload_named
from tests.conftest import ROOT

SMALL = ["--scale", "1/2000", "--runs", "1", "--warm-up", "0"]


def rows_of(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def benchmark(spark, tmp_path, capsys):
    """The benchmark on the tests' own session, whose settings it leaves as they were: function of a command line that returns the exit code and what was printed."""
    yield lambda *words: (run_benchmark(arguments([*words, "--memory", "2", "--results", str(tmp_path)]), spark), capsys.readouterr().out)
    spark.conf.unset("spark.sql.join.asofJoin.enabled")


def test_engines_agree_and_results_are_written(benchmark, tmp_path):
    engines = ["package", "package_no_bin_size", "article", "article_large_bins", "spark_plain", "spark_asof", "duckdb", "duckdb_asof", "polars", "polars_asof"]
    code, told = benchmark("engines", "--workload", "W1", "W3", "--engine", *engines, *SMALL)
    assert code == 0, told
    rows = rows_of(tmp_path / "engines.csv")
    assert (tmp_path / "engines.png").stat().st_size > 10_000
    assert {(row["workload"], row["engine"]) for row in rows} == {(w, e) for w in ("W1", "W3") for e in engines}
    timed = [row for row in rows if row["median_seconds"]]
    assert {row["engine"] for row in timed if row["workload"] == "W3"} == {*engines} - {"article", "article_large_bins"}
    assert {row["engine"] for row in timed if row["workload"] == "W1"} == {*engines} - {"spark_asof", "duckdb_asof", "polars_asof"}
    assert {row["bin_size"] for row in timed if row["engine"] == "article"} == {"60 seconds"}
    assert {row["plan"] for row in timed if row["engine"] == "duckdb_asof"} == {"Asof Join"} and all("Join" in row["plan"] for row in timed if row["engine"] == "duckdb")
    assert all((float(row["measuring_seconds"] or 0) > 0) == (row["engine"] in ("package_no_bin_size", "package_bin_size_as_run")) for row in timed)
    assert {row["hint"] for row in timed if row["engine"] == "package"} == {BY_NAME[name].settings(1 / 2000) for name in ("W1", "W3")} and all(int(row["shuffle_partitions"]) for row in rows)
    assert all(int(row["tasks"]) > 0 for row in timed if not row["engine"].startswith(("duckdb", "polars")))
    for workload in ("W1", "W3"):
        assert len({(row["pairs"], row["checksum"]) for row in timed if row["workload"] == workload}) == 1


class Fake:
    """An engine that finds what it is told to find."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def package(self, tables, setting):
        return lambda: Answer(*self.answers.pop(0))

    def stages(self):
        return []


def test_an_answer_that_nobody_else_gave_is_checked():
    """The one engine at a smaller scale is held against the package there, and each run of an engine against its first."""
    tables = SimpleNamespace(scale=0.25)
    alone = {"spark_plain": Outcome(Answer(3, 5), 1.5, [1.0], [])}
    check_answers(BY_NAME["W1"], {"spark_plain": tables}, alone, Fake((3, 5)))
    with pytest.raises(DifferentAnswers, match="scale 0.25.*to check"):
        check_answers(BY_NAME["W1"], {"spark_plain": tables}, alone, Fake((4, 5)))
    runs = Fake((3, 5), (3, 5), (3, 6))
    with pytest.raises(DifferentAnswers, match="two runs"):
        measure(SimpleNamespace(runs=2, warm_up=0), {"polars": runs.package(tables, "")}, runs)


def test_runs_to_warm_up_do_not_count(monkeypatch):
    """As many as take the time that is given for them; whoever takes long in the first counts with that, and runs no more."""
    runs, clock = [], [0.0]
    monkeypatch.setattr("benchmarks.engines.time", SimpleNamespace(perf_counter=lambda: clock[0]))

    def job(name, *seconds):
        left = list(seconds)

        def run():
            runs.append(name)
            clock[0] += left.pop(0)
            return Answer(1, 1)

        return run

    jobs = {"warms up": job("warms up", 5, 3, 4, 2, 1), "is warm": job("is warm", 15, 2, 2), "is slow": job("is slow", 50)}
    measured = measure(SimpleNamespace(runs=2, warm_up=10), jobs, Fake(), patience=8)
    assert runs == ["warms up"] * 3 + ["is warm", "is slow", "warms up", "is warm", "is warm", "warms up"]
    assert {name: (outcome.first_seconds, outcome.seconds) for name, outcome in measured.items()} == {
        "warms up": (5, [2, 1]), "is warm": (15, [2, 2]), "is slow": (50, [50])}  # fmt: skip


def test_pairs_that_are_written_are_the_same(benchmark, tmp_path):
    engines = ["package", "package_no_bin_size", "duckdb", "polars"]
    code, told = benchmark("engines", "--write", "--workload", "W1", "W4", "--engine", *engines, *SMALL)
    assert code == 0, told
    rows = rows_of(tmp_path / "engines_written.csv")
    assert {(row["workload"], row["engine"], row["measure"]) for row in rows if row["median_seconds"]} == {(w, e, "write") for w in ("W1", "W4") for e in engines}
    for workload in ("W1", "W4"):
        pairs = {row["pairs"] for row in rows if row["workload"] == workload}
        assert len(pairs) == 1 and int(pairs.pop()) > 0


def test_tiny_inputs_are_timed_beside_the_plain_join(benchmark, tmp_path):
    forms = ["point inner", "overlap inner with a condition", "point full with keys", "overlap anti", "point semi", "overlap left with keys"]
    code, told = benchmark("tiny", "--form", *forms, "--runs", "1")
    assert code == 0, told
    rows = rows_of(tmp_path / "tiny.csv")
    assert sorted((row["workload"], row["engine"]) for row in rows) == sorted((f"tiny {form}", engine) for form in forms for engine in ("package", "spark_plain"))
    for row in rows:
        assert 0 < float(row["running_seconds"]) < float(row["median_seconds"])


def test_bin_sizes_are_timed_beside_the_choice(benchmark, tmp_path):
    """Of rows that have texts, as --texts has it: each pair then has those of both its rows, and DuckDB's ASOF join finds the same."""
    small = workload_named("W2").make(tmp_path, 1 / 1000, 1)
    wide = workload_named("W2").with_texts().make(tmp_path, 1 / 1000, 1)
    for path, other in [(small.left, wide.left), (small.right, wide.right)]:
        table, with_texts = pq.read_table(path), pq.read_table(other)
        assert with_texts.drop_columns(["name", "note"]).equals(table)
        assert len(set(with_texts["name"].to_pylist())) == len(set(with_texts["note"].to_pylist())) == table.num_rows
    assert pair(wide.workload) == ["l.id + length(l.name) + length(l.note) as l_id", "r.id + length(r.name) + length(r.note) as r_id"]
    code, told = benchmark("bin_size", "--texts", "--workload", "W2", *SMALL)
    assert code == 0, told
    rows = rows_of(tmp_path / "bin_size.csv")
    assert rows[0]["bin_size"] == "chosen" and {row["workload"] for row in rows} == {"W2 with texts"}
    assert len(rows) == 1 + 6 + 2 and sum(row["bin_size"].endswith(", measured") for row in rows) == 2
    assert {row["pairs"] for row in rows if row["pairs"]} == {rows[0]["pairs"]} and int(rows[0]["pairs"]) > 0
    assert f"in the median, {against_best([dict(row, median_seconds=float(row['median_seconds'] or 0)) for row in rows]):.2f} at worst (W2 with texts)." in told


def test_sizes_are_timed_with_and_without_a_bin_size(benchmark, tmp_path):
    """Both join the same at each size; the table has the time of a row, and how it compares with the largest."""
    code, told = benchmark("scale", "--workload", "W1", "--scale", "1/200", "--runs", "1", "--warm-up", "0")
    assert code == 0, told
    rows = rows_of(tmp_path / "scale.csv")
    parts = [1 / 1600, 1 / 800, 1 / 400, 1 / 200]
    assert [(row["engine"], float(row["scale"])) for row in rows] == [(engine, part) for engine in ("package", "package_no_bin_size") for part in parts]
    assert [row["pairs"] for row in rows[:4]] == [row["pairs"] for row in rows[4:]] and len({row["pairs"] for row in rows}) == 4
    assert [bool(row["measuring_seconds"]) for row in rows] == [False] * 4 + [True] * 4
    last = rows[-1]
    of_all = float(last["median_seconds"]) / (int(last["left_rows"]) + int(last["right_rows"]) + int(last["pairs"]))
    assert re.search(rf"W1 .*package_no_bin_size .*0\.005 .* {1e9 * of_all:.0f} .* 1\.00 .* 1\.00", told), told
    assert (tmp_path / "scale.png").stat().st_size > 0


def test_drawn_shapes_are_what_they_are_called():
    """The same rows from the same seed, others from another; of the type that the title says."""
    parts = set()
    for number in range(1, 61):
        workload = workload_named(f"D{number}")
        assert workload.title == workload_named(f"D{number}").title
        left, right = (list(side) for side in workload.draw(np.random.default_rng(3), 1 / 40))
        for side, again in zip((left, right), workload.draw(np.random.default_rng(3), 1 / 40), strict=True):
            assert all((one == other).all() for one, other in zip(side, again, strict=True))
        assert any(len(one) != len(other) or (one != other).any() for one, other in zip(left, workload.draw(np.random.default_rng(4), 1 / 40)[0], strict=False))
        assert len(left) == len(workload.left_columns) - 1 and len(right) == len(workload.right_columns) - 1
        *keys, start, end = right
        assert (start <= end).all(), workload.title
        pa.table({"v": TYPES[workload.unit](start), "w": TYPES[workload.unit](end)})
        if keys:
            assert len(np.unique(keys[0])) <= workload.key_count and (keys[0].dtype.kind == "U") == workload.title.endswith("text")
        parts |= set(re.split(", | points | intervals ", workload.title))
    assert {"evenly", "in crowds", "one after the other", "some open", "text", "uneven", "double", "day", "time", "cents", "number"} <= parts


def test_drawn_shapes_have_no_more_pairs_than_spark_counts_in_passing():
    """Nor where values are days, so that intervals of an hour match all points of theirs."""
    left, right = workload_named("D6").draw(np.random.default_rng(1), 1)
    points, starts, ends = left[0], *right
    assert workload_named("D6").unit == "day" and _pairs((0 * points, points, points), (0 * starts, starts, ends)) <= MOST_PAIRS


def test_pairs_of_drawn_shapes_are_counted_right():
    """By searches in order, as one by one: with keys, ends that are open, points and intervals."""
    for seed in range(50):
        rng = np.random.default_rng(seed)
        left, right = [], []
        for side, rows in ((left, 40), (right, 30)):
            start = rng.integers(0, 20, rows).astype(float)
            length = np.where(rng.random(rows) < 0.2, np.inf, rng.integers(0, 6, rows)) if side is right or seed % 2 else 0
            side += [rng.integers(0, 3, rows), start, start + length]
        one_by_one = sum(
            k == j and s <= f and t <= e for k, s, e in zip(*left, strict=True) for j, t, f in zip(*right, strict=True)
        )  # fmt: skip
        assert _pairs(left, right) == one_by_one


def test_outer_joins_are_timed(benchmark, tmp_path):
    """Rows without a match count, too, and who makes no outer join says so."""
    engines = ["package", "package_no_bin_size", "article", "spark_plain", "spark_asof", "duckdb", "polars"]
    code, told = benchmark("engines", "--join-type", "full", "--workload", "W2", "--engine", *engines, *SMALL)
    assert code == 0, told
    rows = rows_of(tmp_path / "engines.csv")
    timed = [row for row in rows if row["median_seconds"]]
    assert {row["workload"] for row in rows} == {"W2 full"} and {row["engine"] for row in timed} == {"package", "package_no_bin_size", "spark_plain", "duckdb"}
    assert len({(row["pairs"], row["checksum"]) for row in timed}) == 1
    assert int(timed[0]["pairs"]) >= int(timed[0]["right_rows"]) > int(timed[0]["left_rows"])


def test_what_was_measured_is_kept_when_the_run_is_ended(tmp_path):
    """The command as a user gives it, in a process of its own, which is asked to end."""
    with (tmp_path / "log").open("w") as log:
        command = [sys.executable, "-m", "benchmarks", "engines", "--engine", "package", "duckdb", "--workload", "W1", "W7", "W5", *SMALL]
        run = subprocess.Popen([*command, "--memory", "2", "--results", str(tmp_path)], cwd=ROOT, stdout=log, stderr=log, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        deadline = time.monotonic() + 400
        while "W7" not in (tmp_path / "log").read_text() and time.monotonic() < deadline and run.poll() is None:
            time.sleep(0.2)
        run.send_signal(signal.SIGTERM)
        assert run.wait(timeout=300) == 0, (tmp_path / "log").read_text()
    rows = rows_of(tmp_path / "engines.csv")
    assert [(row["workload"], row["engine"]) for row in rows] == [("W1", "package"), ("W1", "duckdb")]
    assert len({row["pairs"] for row in rows}) == 1


def test_a_plain_join_in_parts_goes_on_where_it_was_ended(benchmark, tmp_path):
    """Parts that are in the file are not run again; and all have to add up to what the package finds."""
    words = ["plain", "--workload", "W1", "--parts", "4", *SMALL[:2]]
    code, told = benchmark(*words)
    assert code == 0 and "4 of 4" in told, told
    header, *parts = (tmp_path / "plain.csv").read_text().splitlines()
    assert len(parts) == 4 and all("BroadcastNestedLoopJoin" in part for part in parts)
    wrong = parts[0].split(",")
    wrong[header.split(",").index("pairs")] = "1000000"
    (tmp_path / "plain.csv").write_text("\n".join([header, ",".join(wrong)]) + "\n")
    code, told = benchmark(*words)
    assert code == 1 and "1 of 4 parts are done" in told and "DIFFERENT ANSWERS" in told, told
    again = (tmp_path / "plain.csv").read_text().splitlines()
    assert [row["pairs"] for row in csv.DictReader([header, *again[2:]])] == [row["pairs"] for row in csv.DictReader([header, *parts[1:]])]


def test_rendering_is_timed(benchmark, tmp_path):
    forms = ["point inner", "overlap full with keys"]
    code, told = benchmark("rendering", "--form", *forms, "--models", "4", "--runs", "1")
    assert code == 0, told
    rows = rows_of(tmp_path / "rendering.csv")
    assert [(row["workload"], row["engine"]) for row in rows] == [(f"render {form}", "package") for form in forms] + [("parse 4 models", "package"), ("parse 4 models", "no call")]
    assert all(0 < float(row["least_seconds"]) <= float(row["median_seconds"]) for row in rows)


def test_what_dbt_takes_beside_spark_counts_as_measuring():
    """From the first statement that measures to the first one after the last: what it asks before and after is of the model's table, and what Spark takes is timed by itself."""

    def asked(*calls):
        return [Asked("model.p.join", sql, started, ended) for sql, started, ended in calls]

    measuring = [("explain cost with range_join_left_values as", 2, 3), (None, 3.5, 4), ("select * from range_join_left_values where rand(1) < 1", 6, 7), (None, 7, 9)]
    around = [("show tables", 0, 1), *measuring, (None, 9, 9.5), ("create table scratch.join", 11, 12), (None, 12, 20)]
    assert seconds_beside_spark(asked(*around)) == (3.5 - 3) + (6 - 4) + (11 - 9.5)
    assert seconds_beside_spark(asked(("show tables", 0, 1), ("create table scratch.join", 5, 6))) == 0
    assert seconds_beside_spark([]) == 0


def test_where_the_time_goes_is_told(benchmark, tmp_path):
    """In parts, of which the stages say how many rows they read; the measuring is part of it where there is no bin_size alone."""
    code, told = benchmark("profile", "--workload", "W2", *SMALL)
    assert code == 0, told
    rows = rows_of(tmp_path / "profile.csv")
    for engine in ("package", "package_no_bin_size"):
        parts = {row["note"]: float(row["median_seconds"]) for row in rows if row["engine"] == engine}
        assert all(0 <= seconds <= parts["all"] for seconds in parts.values()), parts
        assert any(part.startswith("join: stage of") and "rows" in part for part in parts), parts
        assert any(part.startswith("measuring 1") for part in parts) == (engine == "package_no_bin_size"), parts
        assert (parts.get("measuring: dbt itself", 0) > 0.01) == (engine == "package_no_bin_size"), parts
    assert "join: parsing and analysis" in told


@pytest.mark.parametrize(
    "wrong, told",
    [
        (["engines", "--workload", "W9"], "W1"),
        (["engines", "--engine", "nobody"], "duckdb"),
        (["plain", "--engine", "duckdb"], "--engine does nothing with plain, only with engines"),
        (["scale", "--join-type", "left"], "--join-type does nothing with scale, only with engines, bin_size"),
        (["tiny", "--write"], "--write does nothing with tiny, only with engines, bin_size, scale"),
    ],
)
def test_a_wrong_option_is_told(capsys, wrong, told):
    with pytest.raises(SystemExit, match="2"):
        arguments(wrong)
    assert told in " ".join(capsys.readouterr().err.split())
