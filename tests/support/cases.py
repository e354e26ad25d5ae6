"""Random small joins: what a case is, and how cases are drawn.

A *setting* is what one compiled query has in common (types, shape, join type, bounds, keys, condition, bin size). Many
cases, each two small tables of its own, share one query: the case number is among the keys.
"""

import datetime as dt
import decimal
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

EPOCH = dt.datetime(1970, 1, 1)


@dataclass(frozen=True)
class Domain:
    """A type of points and bounds: a lattice of ordinary values, and those that break things.

    name: for messages. arrow: the Parquet type of a side, Spark's type follows from it. at: the i-th lattice value; ten
    steps make about one bin of the middle size. specials: limits, NaN and the like. bin_sizes: far too small, right and
    far too large, as arguments of the macro. right_arrow, right_at: those of the right side, where it has others. end_arrow, end_at: those of
    where intervals end, on both sides. time_zone: Spark's session time zone for it.
    """

    name: str
    arrow: pa.DataType
    at: Callable[[int], Any]
    specials: tuple = ()
    bin_sizes: tuple = (1, 10, 10_000)
    right_arrow: pa.DataType | None = None
    right_at: Callable[[int], Any] | None = None
    end_arrow: pa.DataType | None = None
    end_at: Callable[[int], Any] | None = None
    time_zone: str = "UTC"

    def column(self, side: str, name: str) -> tuple[pa.DataType, Callable[[int], Any]]:
        """The Parquet type and the lattice of a column, p, s or e, of a side."""
        if name == "e" and self.end_arrow is not None:
            return self.end_arrow, self.end_at or self.at
        if side == "right" and self.right_arrow is not None:
            return self.right_arrow, self.right_at or self.at
        return self.arrow, self.at

    @property
    def is_mixed(self) -> bool:
        """Whether not all values are of one type."""
        return self.right_arrow is not None or self.end_arrow is not None


def _quantised(digits: int) -> Callable[[int], decimal.Decimal]:
    return lambda i: decimal.Decimal(i).scaleb(-digits)


def _after(origin: dt.datetime, **step: float) -> Callable[[int], dt.datetime]:
    return lambda i: origin + i * dt.timedelta(**step)


def _day(i: int) -> dt.date:
    return (EPOCH + dt.timedelta(days=i)).date()


UTC_MICROS = pa.timestamp("us", tz="UTC")
NTZ_MICROS = pa.timestamp("us")
LAST_INSTANT = dt.datetime(9999, 12, 31, 23, 59, 59, 999999)
# In the middle of the hour that Los Angeles skips: through its time zone, 02:30 would come out after 03:10.
GAP = dt.datetime(2024, 3, 10, 2, 30)
GAP_UTC = dt.datetime(2024, 3, 10, 10, 30)
TIMES = ("1 microsecond", "10 seconds", "3 weeks")

DOMAINS = (
    Domain("tinyint", pa.int8(), lambda i: max(-128, min(127, i)), (-128, 127)),
    Domain("smallint", pa.int16(), int, (-(2**15), 2**15 - 1)),
    Domain("int", pa.int32(), int, (-(2**31), 2**31 - 1)),
    Domain("bigint", pa.int64(), int, (-(2**63), 2**63 - 1, -(2**63) + 1, 2**63 - 2, 2**53 + 1)),
    Domain("bigint near its limit", pa.int64(), lambda i: min(2**63 - 1, 2**63 - 200 + i), (-(2**63), 2**63 - 1, 0)),
    Domain("int, width not whole", pa.int32(), int, bin_sizes=(0.25, 7.5, 12345.678)),
    Domain("decimal(10,2)", pa.decimal128(10, 2), _quantised(2), bin_sizes=(0.01, 0.1, 500)),
    Domain("decimal(5,2), width beyond it", pa.decimal128(5, 2), _quantised(2), bin_sizes=(0.01, 100000, 1e30)),
    Domain("tinyint, width beyond it", pa.int8(), lambda i: max(-128, min(127, i)), (-128, 127), (0.5, 10000.5, 1e30)),
    Domain("decimal(38,0)", pa.decimal128(38, 0), decimal.Decimal, (decimal.Decimal(10**38 - 1), decimal.Decimal(1 - 10**38))),
    Domain("decimal(38,18)", pa.decimal128(38, 18), _quantised(18), (decimal.Decimal(10**19), -decimal.Decimal(10**19)), (1e-18, 2e-18, 5e-18, 1e-17, 1)),
    Domain("decimal(38,38)", pa.decimal128(38, 38), _quantised(38), tuple(decimal.Decimal(sign + "0." + 38 * "9") for sign in ("", "-")), (1e-38, 1e-37, 1e-30, 0.3)),
    Domain(
        "float", pa.float32(), lambda i: i / 10, (math.nan, math.inf, -math.inf, -0.0, 1e-45, 3.4e38), (0.05, 1, 1000)
    ),
    Domain(
        "double", pa.float64(), lambda i: i * 0.1,
        (math.nan, math.inf, -math.inf, -0.0, 5e-324, 1.7e308, -1.7e308, 0.30000000000000004), (0.1, 0.7, 1e6),
    ),
    Domain("date", pa.date32(), _day, (dt.date(1, 1, 1), dt.date(9999, 12, 31)), ("6 hours", "10 days", "500 weeks")),
    Domain("timestamp", UTC_MICROS, _after(EPOCH, seconds=1), (dt.datetime(1, 1, 1), LAST_INSTANT), TIMES),
    Domain("timestamp, microseconds", UTC_MICROS, _after(EPOCH, microseconds=1), (LAST_INSTANT,), ("1 microsecond", "10 microseconds", "1 week")),
    Domain("timestamp_ntz", NTZ_MICROS, _after(GAP, minutes=10), (dt.datetime(1, 1, 1), LAST_INSTANT),
           ("1 second", "100 minutes", "40 weeks"), time_zone="America/Los_Angeles"),
    Domain("int and bigint", pa.int32(), int, (-(2**31), 2**31 - 1), right_arrow=pa.int64()),
    Domain("int and double", pa.int32(), int, bin_sizes=(1, 7.5, 1000), right_arrow=pa.float64(), right_at=lambda i: i / 2),
    Domain("bigint and double", pa.int64(), lambda i: 2**53 + i, right_arrow=pa.float64(), right_at=lambda i: float(2**53 + i)),
    Domain("decimal and bigint", pa.decimal128(12, 1), _quantised(1), bin_sizes=(0.1, 1, 1000), right_arrow=pa.int64(), right_at=lambda i: i // 10),
    Domain("decimal and double", pa.decimal128(12, 1), _quantised(1), bin_sizes=(0.1, 1, 1000), right_arrow=pa.float64(), right_at=lambda i: i * 0.1),
    Domain("decimal and decimal", pa.decimal128(12, 1), _quantised(1), bin_sizes=(0.1, 1, 1000), right_arrow=pa.decimal128(20, 4), right_at=_quantised(4)),
    Domain("date and timestamp", pa.date32(), lambda i: _day(i // 4), bin_sizes=("1 hour", "2 days", "90 weeks"),
           right_arrow=UTC_MICROS, right_at=_after(EPOCH, hours=6)),
    Domain("timestamp and date", UTC_MICROS, _after(EPOCH, hours=6), bin_sizes=("1 hour", "2 days", "90 weeks"),
           right_arrow=pa.date32(), right_at=lambda i: _day(i // 4)),
    Domain("timestamp_ntz and date", NTZ_MICROS, _after(EPOCH, hours=6), bin_sizes=("1 hour", "2 days", "90 weeks"),
           right_arrow=pa.date32(), right_at=lambda i: _day(i // 4), time_zone="America/Los_Angeles"),
    # The hour that is skipped is thirty steps: what begins or ends there may be in order as local times and inverted as instants, or the other way.
    Domain("timestamp and timestamp_ntz", UTC_MICROS, _after(GAP_UTC, minutes=2), bin_sizes=("1 second", "20 minutes", "40 weeks"),
           right_arrow=NTZ_MICROS, right_at=_after(GAP, minutes=2), time_zone="America/Los_Angeles"),
    Domain("timestamp_ntz and timestamp", NTZ_MICROS, _after(GAP, minutes=2), bin_sizes=("1 second", "20 minutes", "40 weeks"),
           right_arrow=UTC_MICROS, right_at=_after(GAP_UTC, minutes=2), time_zone="America/Los_Angeles"),
    Domain("tinyint to bigint", pa.int8(), lambda i: max(-128, min(127, i)), (-128, 127), end_arrow=pa.int64(), end_at=int),
    Domain("int to double", pa.int32(), int, bin_sizes=(1, 7.5, 1000), end_arrow=pa.float64(), end_at=lambda i: i + i % 4 / 4),
    Domain("float to double", pa.float32(), lambda i: i / 10, (math.nan, math.inf, -math.inf), (0.05, 1, 1000), end_arrow=pa.float64(), end_at=lambda i: i / 10),
    Domain("decimal to decimal", pa.decimal128(12, 1), _quantised(1), bin_sizes=(0.1, 1, 1000), end_arrow=pa.decimal128(20, 4), end_at=lambda i: _quantised(4)(i * 999)),
    Domain("date to timestamp", pa.date32(), lambda i: _day(i // 4), bin_sizes=("1 hour", "2 days", "90 weeks"), end_arrow=UTC_MICROS, end_at=_after(EPOCH, hours=6)),
    Domain("timestamp to date", UTC_MICROS, _after(EPOCH, hours=6), bin_sizes=("1 hour", "2 days", "90 weeks"), end_arrow=pa.date32(), end_at=lambda i: _day(i // 4)),
    Domain("timestamp to timestamp_ntz", UTC_MICROS, _after(GAP_UTC, minutes=2), bin_sizes=("1 second", "20 minutes", "40 weeks"),
           end_arrow=NTZ_MICROS, end_at=_after(GAP, minutes=2), time_zone="America/Los_Angeles"),
)

SHAPES = {"point left": ("point", "interval"), "point right": ("interval", "point"), "overlap": ("interval", "interval")}
INCLUSIVE = ("both", "left", "right", "neither")
CONDITIONS = (
    "l.x < r.x",
    "l.x is null or r.x = 3",
    "coalesce(l.x, 0) + coalesce(r.x, 0) > 4 -- a comment at the end",
    "l.k is distinct from r.k",
    "l.x = 1",
    "r.x is not null",
)
KEYS = (
    [], ["k"], [["k", "k"]], [["l.k + 1", "x"]], ["k", "x"], [["cast(l.k as bigint)", "r.k"]], [["cast(l.k as string)", "cast(r.x as string)"]],
)  # fmt: skip
# What Spark calls the type of a key, of those that have one type on both sides.
KEY_TYPES = {"k": "int", "case_id": "int", str(["k", "k"]): "int", str(["l.k + 1", "x"]): "int", "x": "int", str(["cast(l.k as string)", "cast(r.x as string)"]): "string"}


@dataclass(frozen=True)
class Setting:
    """The arguments that the cases of one query share.

    tiny: whether the package is to take both sides for tiny, as dbt run would find them. extents: of each side, from which step to which the
    package is to take points for lying, right or wrong, as it does of a table's inputs that were measured; of joins that keep rows without open bounds. levels: which levels it is to take
    intervals to need, right or wrong, where it knows these extents, with one more where that makes too many bins. typed: whether it knows the type of
    all values and, unless a key is of two types, those of the keys. once: whether overlaps are found by one join, where both sides' intervals need one level alone. pooled: whether the rows of many cases are one case, with no key that keeps them apart, so that `keys` are all that there are.
    """

    domain: Domain
    shape: str
    join_type: str
    inclusive: str
    null_bounds: str
    condition: str | None
    keys: tuple
    bin_size: Any
    hint: str | None = None
    tiny: bool = False
    extents: dict | None = None
    levels: tuple | None = None
    typed: bool = False
    pooled: bool = False
    once: bool = False

    def kind(self, side: str) -> str:
        """'point' or 'interval'."""
        return SHAPES[self.shape][0 if side == "left" else 1]

    def all_keys(self) -> list:
        """The keys, with that of the case first where cases are apart."""
        return [*([] if self.pooled else ["case_id"]), *self.keys]

    def key_types(self) -> tuple | None:
        """What Spark calls the types of the keys; None where one is of two types."""
        types = tuple(KEY_TYPES.get(str(key)) for key in self.all_keys())
        return None if None in types else types

    def arguments(self, bin_size: bool = True) -> str:
        """The arguments as the caller of a macro writes them, relations and select left out."""
        parts = []
        for side in ("left", "right"):
            parts.append(f"{side}_point='p'" if self.kind(side) == "point" else f"{side}_interval=['s', 'e']")
        parts.append(f"keys={self.all_keys()!r}")
        parts.append(f"join_type={self.join_type!r}, inclusive={self.inclusive!r}, null_bounds={self.null_bounds!r}")
        if self.condition:
            parts.append(f"join_condition={self.condition!r}")
        if bin_size and self.bin_size is not None:
            parts.append(f"bin_size={self.bin_size!r}")
        if bin_size and self.hint:
            parts.append(self.hint)
        return ", ".join(parts)


@dataclass
class Case:
    """Two small tables. A row: {id, k, x} and p, or s and e."""

    left: list[dict] = field(default_factory=list)
    right: list[dict] = field(default_factory=list)


def draw_place(rng: random.Random, domain: Domain, centre: int, spread: int) -> dict | None:
    """Where a value lies: at a step of the lattice near `centre`, at times NULL, near a bin edge or a special value."""
    roll = rng.random()
    if roll < 0.10:
        return None
    if roll < 0.18 and domain.specials:
        return {"special": rng.choice(domain.specials)}
    if roll < 0.40:
        return {"step": rng.randrange(-3, 4) * 10 + rng.choice((-1, 0, 0, 1))}
    return {"step": centre + rng.randrange(-spread, spread + 1)}


def value_at(place: dict | None, domain: Domain, side: str, column: str) -> Any:
    """The value of a column that lies there."""
    arrow, at = domain.column(side, column)
    if place is None:
        return None
    if "step" in place:
        return at(place["step"])
    return float(place["special"]) if pa.types.is_floating(arrow) else place["special"]


def draw_rows(rng: random.Random, setting: Setting, side: str) -> list[dict]:
    """The rows of one side of one case: none to six, some of them twice, some intervals inverted or empty."""
    rows: list[dict] = []
    centre, spread = rng.randrange(-30, 31), rng.choice((1, 2, 8, 40))
    for number in range(rng.choice((0, 1, 2, 3, 4, 6))):
        if rows and rng.random() < 0.15:
            rows.append(dict(rng.choice(rows)))
            continue
        row = {"id": number, "k": rng.choice((None, 0, 1, 1, 2)), "x": rng.choice((None, 0, 1, 2, 3))}
        if setting.kind(side) == "point":
            places = {"p": draw_place(rng, setting.domain, centre, spread)}
        else:
            start = end = draw_place(rng, setting.domain, centre, spread)
            length = rng.random()
            if length >= 0.15:
                reach = rng.choice((1, 3, 12, 60, 400))
                end = draw_place(rng, setting.domain, centre + (reach if length < 0.9 else -reach), spread)
            places = {"s": start, "e": end}
        row.update({column: value_at(place, setting.domain, side, column) for column, place in places.items()})
        rows.append(row)
    return rows


def draw_case(rng: random.Random, setting: Setting) -> Case:
    """A case of a setting."""
    return Case(draw_rows(rng, setting, "left"), draw_rows(rng, setting, "right"))


def draw_cases(rng: random.Random, setting: Setting, number: int) -> dict[int, Case]:
    """So many cases of a setting by their numbers; or, where they are pooled, one of the rows of 40."""
    if not setting.pooled:
        return {n: draw_case(rng, setting) for n in range(number)}
    pool = Case()
    for n in range(40):
        case = draw_case(rng, setting)
        for rows, drawn in ((pool.left, case.left), (pool.right, case.right)):
            rows.extend(dict(row, id=10 * n + row["id"]) for row in drawn)
    return {0: pool}


def draw_setting(rng: random.Random, domains=DOMAINS, shapes=tuple(SHAPES), join_types=("inner",)) -> Setting:
    """A setting: every argument drawn by itself."""
    domain = rng.choice(domains)
    bin_size = rng.choice((*domain.bin_sizes, None))
    join_type = rng.choice(join_types)
    tiny = bin_size is not None and rng.random() < 0.25
    null_bounds = rng.choice(("no_match", "unbounded"))
    measured = (join_type == "inner" or null_bounds == "no_match") and bin_size is not None and not tiny and rng.random() < 0.5
    reaches = {side: (first, first + rng.choice((0, 3, 30, 100))) for side in ("left", "right") for first in (rng.randint(-50, 50),)}
    if rng.random() < 0.5:
        reaches["right"] = reaches["left"]
    levels = rng.choice((None, (0,), (4,), (0, 4), (0, 4, 12), (8, 60))) if measured else None
    typed = bin_size is not None and not tiny and not domain.is_mixed and rng.random() < 0.5
    without_keys = typed and rng.random() < 0.5
    return Setting(
        domain=domain,
        shape=rng.choice(shapes),
        join_type=join_type,
        inclusive=rng.choice(INCLUSIVE),
        null_bounds=null_bounds,
        condition=rng.choice((None, rng.choice(CONDITIONS))),
        keys=() if without_keys else tuple(rng.choice(KEYS)),
        bin_size=bin_size,
        hint=rng.choice((None, None, "broadcast='left'", "broadcast='right'", "shuffle_hash='left'", "shuffle_hash='right'")),
        tiny=tiny,
        extents=reaches if measured else None,
        levels=levels,
        typed=typed,
        once=rng.random() < 0.7,
        pooled=without_keys or rng.random() < (0.6 if measured else 0.25),
    )


def table(setting: Setting, side: str, cases: dict[int, Case]) -> pa.Table:
    """One side of many cases as one Arrow table, case_id beside the rows."""
    values = ["p"] if setting.kind(side) == "point" else ["s", "e"]
    rows = [dict(row, case_id=number) for number, case in cases.items() for row in getattr(case, side)]
    schema = pa.schema(
        [("case_id", pa.int32()), ("id", pa.int32()), ("k", pa.int32()), ("x", pa.int32()), *((v, setting.domain.column(side, v)[0]) for v in values)]
    )
    return pa.Table.from_pylist(rows, schema=schema)
