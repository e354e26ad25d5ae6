"""Workloads drawn at random, D1, D2, ...: shapes that nobody chose, for what the call without a bin_size comes to beside fixed ones.

A number says which shape it is, a seed which rows of that shape. Each is one of a few ways to lie, to last and to be keyed, put together at random, of random sizes.
"""

from dataclasses import dataclass

import numpy as np

from benchmarks.tables import DAY, OPEN_END, SECOND, START, Workload, rows_at

MOST_PAIRS = 20_000_000  # of a result: what is to be seen is the join, not what becomes of its rows
MOST_COMPARED = 2_000_000_000  # pairs of equal keys: the DuckDB that judges the answers compares them all
# By the unit of a workload: what its values begin at, what they reach over at least and at most, and what stands for an end that is open.
EXTENTS = {
    "time": (START, 3_600 * SECOND, 3_650 * DAY, OPEN_END),
    "day": (START // DAY, 60, 5_000, OPEN_END // DAY),
    "number": (0, 10_000, 2**40, 2**62),
    "cents": (100, 10_000, 10**11, 10**17 - 1),
    "double": (0, 10_000, 10**9, 1e300),
}


@dataclass(frozen=True)
class Shape:
    """How the rows of a drawn workload are drawn: what to call its parts, and the numbers that go with them.

    lie: of the left and the right side. last: of intervals. reach: what values reach over. crowds: how many, and how wide the narrowest and the widest are, as parts of the
    reach. length: the median one, as a part of the reach. keys: how many there are, 0 for none. zipf: how uneven keys are, 0 for evenly.
    """

    unit: str
    left_rows: int
    right_rows: int
    left_is_point: bool
    lie: tuple
    last: str
    reach: float
    crowds: int
    crowd_widths: tuple
    length: float
    spread: float
    long_share: float
    keys: int
    zipf: float
    text_keys: bool

    def title(self) -> str:
        """In words."""
        left = "points" if self.left_is_point else "intervals"
        keys = f", {self.keys} keys{', uneven' if self.zipf else ''}{', text' if self.text_keys else ''}" if self.keys else ""
        return f"{self.left_rows:,} {left} {self.lie[0]}, {self.right_rows:,} intervals {self.lie[1]}, {self.last}, {self.unit}{keys}"


def drawn(number: int) -> Workload:
    """The workload of a number. Its best fixed size is not known; as its p90 counts that of its lengths without those that are far longer, or of as many gaps drawn evenly."""
    shape = _shape(np.random.default_rng([202_611, number]))
    gap = 2.3 * max(1, shape.keys) / shape.right_rows
    rule = max(1, round((gap if shape.last == "one after the other" else shape.length * np.exp(1.28 * shape.spread)) * shape.reach))
    size = f"{rule} microseconds" if shape.unit == "time" else f"{rule} days" if shape.unit == "day" else rule
    return Workload(
        f"D{number}", shape.title(), lambda rng, scale: _rows(shape, rng, scale), shape.left_rows, shape.right_rows, lambda scale: shape.reach,
        {"best": size, "p90": size}, left_is_point=shape.left_is_point, keys=("k",) if shape.keys else (), unit=shape.unit, key_count=max(1, shape.keys),
    )  # fmt: skip


def _shape(rng) -> Shape:
    """One shape of all that there are."""

    def between(least, most) -> float:
        return float(np.exp(rng.uniform(np.log(least), np.log(most))))

    def one_of(**weights) -> str:
        return str(rng.choice(list(weights), p=np.array(list(weights.values())) / sum(weights.values())))

    unit = one_of(time=5, number=2, day=1, cents=1, double=1)
    left_is_point = bool(rng.random() < 0.65)
    left_rows, right_rows = round(between(30_000, 3_000_000)), round(between(3_000, 2_000_000))
    if not left_is_point:
        left_rows //= 4
    keys = {"none": 0, "few": round(between(2, 50)), "many": round(between(50, 50_000))}[one_of(none=5, few=2, many=3)]
    zipf = float(rng.choice([0, between(1.15, 2)])) if keys else 0.0
    shared = (1.0 if zipf == 0 else 0.1) * max(1, keys)  # about how many keys pairs of equal ones are shared by
    shrunk = min(1.0, np.sqrt(MOST_COMPARED * shared / left_rows / right_rows)) if keys else 1.0
    ways = {"evenly": 4, "ever denser": 1, "in crowds": 3, "half in a thousandth": 1, "by the hour of day": 1, "in a few places": 1, "in a part": 1}
    lie = one_of(**ways), one_of(**ways)
    return Shape(
        unit, round(left_rows * shrunk), round(right_rows * shrunk), left_is_point, (lie[0], lie[0]) if rng.random() < 0.5 else lie,
        one_of(**{"of one length": 1, "log-normal": 4, "a few far longer": 2, "some open": 1, "one after the other": 2, "of no length mostly": 1, "longer by place": 1}),
        round(between(*EXTENTS[unit][1:3])), round(between(3, 3_000)), tuple(sorted((between(1e-6, 1e-1), between(1e-6, 1e-1)))), between(1e-7, 3e-2), float(rng.uniform(0.2, 2.5)),
        between(1e-4, 0.3), keys, zipf, bool(rng.random() < 0.4),
    )  # fmt: skip


def _rows(shape: Shape, rng, scale: float):
    """The columns of both sides, with so few pairs that match that Spark can count them in a second or two."""
    first, _, _, open_end = EXTENTS[shape.unit]
    crowds = rng.random(shape.crowds), np.exp(rng.uniform(*np.log(shape.crowd_widths), shape.crowds))

    def side(rows, lie, is_point):
        key = _keys(shape, rng, rows)
        at = _places(rng, rows, lie, shape, crowds)
        if is_point:
            return key, at, at
        start, end = _lasting(rng, key, at, shape)
        return key, start, end

    left = side(rows_at(shape.left_rows, scale), shape.lie[0], shape.left_is_point)
    right = side(rows_at(shape.right_rows, scale), shape.lie[1], False)
    # As drawn, and then as the values that they become: in days, an hour's interval matches all points of its day.
    for as_values in (lambda of_side: of_side, lambda of_side: _as_values(shape, of_side)):
        while (pairs := _pairs(as_values(left), as_values(right))) > MOST_PAIRS:
            left, right = (_shorter(rng, of_side, MOST_PAIRS / pairs) for of_side in (left, right))

    def columns(of_side, is_point):
        key, start, end = _as_values(shape, of_side)
        names = [np.array([f"key {n:05}" for n in range(shape.keys)])[key] if shape.text_keys else key] if shape.keys else []
        values = [first + at for at in ((start,) if is_point else (start, np.where(np.isinf(end), 0, end)))]
        if not is_point:
            values[1] = np.where(np.isinf(end), open_end, values[1])
        return [*names, *(at if shape.unit == "double" else at.astype("int64") for at in values)]

    return columns(left, shape.left_is_point), columns(right, False)


def _as_values(shape: Shape, of_side):
    """Keys, starts and ends as the values of a unit: whole numbers, but for DOUBLEs."""
    key, *ends = of_side
    return key, *(ends if shape.unit == "double" else map(np.floor, ends))


def _keys(shape: Shape, rng, rows: int) -> np.ndarray:
    """The number of each row's key; all 0 without keys."""
    if not shape.keys:
        return np.zeros(rows, "int64")
    return np.minimum(rng.zipf(shape.zipf, rows) - 1, shape.keys - 1) if shape.zipf else rng.integers(0, shape.keys, rows)


def _places(rng, rows: int, lie: str, shape: Shape, crowds) -> np.ndarray:
    """Where rows lie, from 0 up to the reach."""
    if lie == "ever denser":
        part = np.sqrt(rng.random(rows))
    elif lie == "in crowds":
        of = rng.integers(0, shape.crowds, rows)
        part = (crowds[0][of] + crowds[1][of] * rng.standard_normal(rows)) % 1
    elif lie == "half in a thousandth":
        part = np.where(rng.random(rows) < 0.5, 0.4 + rng.random(rows) / 1000, rng.random(rows))
    elif lie == "by the hour of day":
        days = 200
        part = (rng.integers(0, days, rows) + np.clip(rng.normal(0.55, 0.1, rows), 0, 0.999)) / days
    elif lie == "in a few places":
        part = crowds[0][rng.integers(0, shape.crowds, rows)]
    elif lie == "in a part":
        part = 0.7 + 0.05 * rng.random(rows)
    else:
        part = rng.random(rows)
    return part * shape.reach


def _lasting(rng, key, start, shape: Shape):
    """Starts and ends of intervals, an open end as infinity. In order where they follow each other, which is then mixed."""
    rows = len(start)
    if shape.last == "one after the other":
        order = np.lexsort((start, key))
        end = np.append(start[order][1:], np.inf)
        end[np.append(key[order][1:] != key[order][:-1], True)] = np.inf
        ends = np.empty(rows)
        ends[order] = np.where(np.isinf(end), end, np.maximum(end - 1, start[order]))
        return start, ends
    length = shape.length * np.exp(shape.spread * rng.standard_normal(rows)) * shape.reach
    if shape.last == "of one length":
        length = np.full(rows, shape.length * shape.reach)
    elif shape.last == "a few far longer":
        length = np.where(rng.random(rows) < shape.long_share, rng.random(rows) * 0.3 * shape.reach, length)
    elif shape.last == "some open":
        length = np.where(rng.random(rows) < shape.long_share, np.inf, length)
    elif shape.last == "of no length mostly":
        length = np.where(rng.random(rows) < 0.8, 0, length)
    elif shape.last == "longer by place":
        length = length * 10 ** (4 * start / shape.reach - 2)
    return start, start + np.where(np.isinf(length), length, np.minimum(length, 3 * shape.reach))


def _pairs(left, right) -> int:
    """How many pairs match: of the right intervals, those that have begun by the end of a left row, without those that have ended before its start."""
    return _before(right[1], right[0], left[2], left[0], "right") - _before(right[2], right[0], left[1], left[0], "left")


def _before(values, keys, at, at_keys, side: str) -> int:
    """How many values lie before each place of `at` (or at it, for side 'right') that have its key; the sum over all places."""
    order = np.sort(values)
    of_values = np.sort(keys * (len(order) + 1) + np.searchsorted(order, values, "left"))
    reached = at_keys * (len(order) + 1) + np.searchsorted(order, at, side)
    return int((np.searchsorted(of_values, reached, "left") - np.searchsorted(of_values, at_keys * (len(order) + 1), "left")).sum())


def _shorter(rng, of_side, part: float):
    """The same rows, all intervals shorter, and fewer of them open; and fewer rows, as points and intervals of no length can't be made any shorter."""
    key, start, end = of_side
    kept = rng.random(len(key)) < max(np.sqrt(part), 0.5)
    key, start, end = key[kept], start[kept], end[kept]
    opened = np.isinf(end) & (rng.random(len(end)) < part)
    length = np.where(np.isinf(end), 0, end - start) * max(part, 0.1)
    return key, start, np.where(opened, np.inf, start + length)
