"""What a workload is, how its two tables are written, and what many are drawn with.

Every table has `id` (BIGINT, from zero) and `p` (a point) or `s` and `e` (an interval, both ends belong to it), of one type of TYPES; some have keys, `k` and others, and
where that is asked for, two texts, `name` and `note`, of some 80 bytes together.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

SECOND = 10**6
DAY = 86_400 * SECOND
START = 1_704_067_200 * SECOND  # 2024-01-01
OPEN_END = 253_402_214_400 * SECOND  # 9999-12-31
# What values are, by the unit of a workload: function of what was drawn, BIGINTs mostly, that returns a column. Times are microseconds, days days since 1970, cents
# hundredths of a DECIMAL(18,2).
TYPES = {
    "time": lambda drawn: pa.array(drawn.astype("int64"), pa.timestamp("us", tz="UTC")),
    "day": lambda drawn: pa.array(drawn.astype("int32"), pa.date32()),
    "number": lambda drawn: pa.array(drawn.astype("int64")),
    "cents": lambda drawn: pa.array(drawn.astype("int64")).cast(pa.decimal128(19, 0)).view(pa.decimal128(19, 2)).cast(pa.decimal128(18, 2)),
    "double": lambda drawn: pa.array(drawn.astype("float64")),
}
ROW_GROUP = 250_000  # rows


@dataclass(frozen=True)
class Workload:
    """One join to be timed.

    name: W1 to W7, H1 to H7 for the hostile ones, G1 to G14 for those of other shapes, X1 to X14 for those held out, or D and a number for those drawn at random. title: what it stands for. draw: function of a random generator and
    a scale that returns the left and the right columns. left_is_point: whether the left side has points. keys: equality keys, numbers or text. unit: of
    the values, one of TYPES. disjoint: whether the intervals (of a key) never overlap, so that at most one holds a
    point. bin_sizes: {'best': the best fixed size found, 'p90': the article's rule, 'article': what it has itself, on its own workload}. hint: the best documented setting of
    broadcast or shuffle_hash. stated: function of a scale that returns the arguments extent and longest, where these are among its best settings.
    left_rows, right_rows: at full scale. reach: function of a scale that says how far the points reach. key_count: different keys. crowding: how many times
    as many pairs are near each other as if both sides lay evenly. join_type: 'inner', 'left', 'right' or 'full'. texts: whether rows have texts that the result is made of, too.
    """

    name: str
    title: str
    draw: Callable
    left_rows: int
    right_rows: int
    reach: Callable
    bin_sizes: dict
    left_is_point: bool = True
    keys: tuple = ()
    unit: str = "time"
    disjoint: bool = False
    hint: str = "broadcast=none"
    stated: Callable = lambda scale: ""
    key_count: int = 1
    crowding: int = 1
    join_type: str = "inner"
    texts: bool = False

    @property
    def label(self) -> str:
        """What results call it: "W1", "W1 left", or "W1 with texts"."""
        return self.name + (f" {self.join_type}" if self.join_type != "inner" else "") + (" with texts" if self.texts else "")

    def settings(self, scale: float) -> str:
        """The best documented settings beside the bin size, as the caller of a macro writes them."""
        return ", ".join(filter(None, (self.hint, self.stated(scale))))

    def joined_as(self, join_type: str) -> "Workload":
        """The same data in a join of another type, without the hint, which Spark may pass over there."""
        return self if join_type == self.join_type else replace(self, join_type=join_type, hint="broadcast=none")

    def with_texts(self, texts: bool = True) -> "Workload":
        """The same data in rows that have texts besides."""
        return replace(self, texts=texts)

    @property
    def left_columns(self) -> list[str]:
        """The columns of the left table, but for texts."""
        return ["id", *self.keys, *(["p"] if self.left_is_point else ["s", "e"])]

    @property
    def right_columns(self) -> list[str]:
        """The columns of the right table, but for texts: its side always has the intervals."""
        return ["id", *self.keys, "s", "e"]

    def make(self, folder: Path, scale: float, seed: int) -> "Tables":
        """Write both tables as Parquet under `folder`, unless an earlier run has."""
        target = folder / f"{self.name}{'_texts' if self.texts else ''}_scale{scale:g}_seed{seed}"
        paths = [target / "left.parquet", target / "right.parquet"]
        if not all(path.exists() for path in paths):
            target.mkdir(parents=True, exist_ok=True)
            drawn = self.draw(np.random.default_rng(seed), scale)
            for path, columns, names in zip(paths, drawn, (self.left_columns, self.right_columns), strict=True):
                _write(path, dict(zip(names[1:], columns, strict=True)), self.unit, self.texts)
        rows = [pq.read_metadata(path).num_rows for path in paths]
        return Tables(self, scale, seed, str(paths[0]), str(paths[1]), rows[0], rows[1])


@dataclass(frozen=True)
class Tables:
    """A workload's two files at one scale. left, right: paths; left_rows, right_rows: how long they are."""

    workload: Workload
    scale: float
    seed: int
    left: str
    right: str
    left_rows: int
    right_rows: int


def _write(path: Path, columns: dict, unit: str, texts: bool):
    """One table, written whole or not at all."""
    length = len(next(iter(columns.values())))
    arrays = {"id": pa.array(np.arange(length, dtype="int64"))}
    for name, drawn in columns.items():
        arrays[name] = TYPES[unit](drawn) if name in ("p", "s", "e") else pa.array(drawn)
    if texts:
        arrays |= {"name": _text(["row number", arrays["id"]]), "note": _text(np.random.default_rng(length).integers(10**18, 9 * 10**18, (3, length)))}
    unfinished = path.with_suffix(f".unfinished_{os.getpid()}")
    pq.write_table(pa.table(arrays), unfinished, row_group_size=ROW_GROUP)
    unfinished.rename(path)


def _text(words) -> pa.Array:
    """Words, each one for all rows or a column of numbers, with a blank between them."""
    return pc.binary_join_element_wise(*(word if isinstance(word, str) else pc.cast(pa.array(word), pa.string()) for word in words), " ")


def rows_at(full: int, scale: float) -> int:
    """So many rows at a scale."""
    return max(1, round(full * scale))


def lengths_by_quantiles(rng, rows: int, quantiles: dict) -> np.ndarray:
    """Lengths in microseconds whose quantiles, given in seconds, are these; in between they are drawn log-uniformly."""
    logs = np.interp(rng.random(rows), list(quantiles), np.log(list(quantiles.values())))
    return (np.exp(logs) * SECOND).astype("int64")


def log_normal(rng, rows: int, median: float, sigma: float, cap: float) -> np.ndarray:
    """Log-normal lengths in microseconds; median and cap in seconds."""
    return (np.minimum(np.exp(np.log(median) + sigma * rng.standard_normal(rows)), cap) * SECOND).astype("int64")


def evenly(rng, rows, reach):
    """Times anywhere within `reach`."""
    return START + (rng.random(rows) * reach).astype("int64")


def following(key, start):
    """Versions that follow each other without a gap, by key, the last one of each open: keys, starts and ends, in order."""
    order = np.lexsort((start, key))
    key, start = key[order], start[order]
    end = np.append(start[1:], 0) - 1
    end[np.append(key[1:] != key[:-1], True)] = OPEN_END
    return key, start, end


def stated_times(first: int, reach: int, longest: str | None = None) -> Callable:
    """What a caller states of times that begin at `first` and reach so far at full scale, as a function of the scale."""

    def stated(scale: float) -> str:
        ends = [str(np.datetime64(at // SECOND, "s")).replace("T", " ") for at in (first, first + round(reach * scale))]
        return f"extent={ends!r}" + (f", longest={longest!r}" if longest else "")

    return stated
