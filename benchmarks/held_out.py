"""Shapes that no cost was fitted to: for what the call without a bin_size comes to beside fixed ones.

Whoever changes how a plan is chosen looks at these afterwards, not meanwhile, and draws new ones when they have been looked at too often.
"""

import numpy as np

from benchmarks.tables import DAY, SECOND, START, Workload, evenly, following, log_normal, rows_at

HOUR = 3_600 * SECOND


def _customers(rng, scale):
    """Versions of customers of whom some change often, the last one open, and events of which most are of those and of the last months."""
    customers, versions, events = rows_at(60_000, scale), rows_at(600_000, scale), rows_at(2_000_000, scale)

    def often(rows):
        return np.minimum(rng.zipf(1.5, rows) - 1, customers - 1)

    key = np.concatenate([np.arange(customers), often(versions - customers)])
    start = evenly(rng, len(key), 1_095 * DAY)
    key, start, end = following(key, start)
    at = START + (np.sqrt(rng.random(events)) * 1_095 * DAY).astype("int64")
    mixed = rng.permutation(len(key))
    return [often(events), at], [key[mixed], start[mixed], end[mixed]]


def _exons(rng, scale):
    """Variants and exons by the name of their chromosome; exons lie together as genes, and half of the variants near them."""
    names = np.array([f"chr{n}" for n in (*range(1, 23), "X", "Y")])
    sizes = (np.linspace(249, 47, 24) * 10**6).astype("int64")
    genes, exons, variants = rows_at(20_000, scale), rows_at(200_000, scale), rows_at(3_000_000, scale)
    gene_of = rng.choice(24, genes, p=sizes / sizes.sum())
    gene_at = (rng.random(genes) * sizes[gene_of]).astype("int64")
    of = rng.integers(0, genes, exons)
    start = gene_at[of] + rng.exponential(30_000, exons).astype("int64")
    length = np.minimum(rng.lognormal(5, 0.8, exons), 20_000).astype("int64")
    near = rng.random(variants) < 0.5
    beside = rng.integers(0, genes, variants)
    chromosome = np.where(near, gene_of[beside], rng.choice(24, variants, p=sizes / sizes.sum()))
    at = np.where(near, gene_at[beside] + rng.exponential(30_000, variants), rng.random(variants) * sizes[chromosome]).astype("int64")
    return [names[chromosome], at], [names[gene_of[of]], start, start + length]


def _feeds(rng, scale):
    """Blocks of addresses as threat feeds list them, single ones mostly and large ones around them, and addresses of which a third are in some."""
    blocks, seen = rows_at(600_000, scale), rows_at(1_500_000, scale)
    size = 2 ** rng.choice([0, 2, 3, 8, 10, 12, 16], blocks, p=[0.7, 0.05, 0.05, 0.15, 0.03, 0.015, 0.005])
    crowd = rng.integers(0, 2**32 - 2**20, 3_000)
    start = np.where(rng.random(blocks) < 0.6, crowd[rng.integers(0, len(crowd), blocks)] + rng.integers(0, 2**20, blocks), rng.integers(0, 2**32, blocks))
    start = start // size * size
    listed = start[rng.integers(0, blocks, seen)]
    return [np.where(rng.random(seen) < 0.33, listed, rng.integers(0, 2**32, seen))], [start, start + size - 1]


def _promotions(rng, scale):
    """Days of orders, more of them before each turn of the year, and promotions of some weeks."""
    first = START // DAY
    orders, promotions = rows_at(700_000, scale), rows_at(3_000, scale)
    day = np.where(rng.random(orders) < 0.4, 330 + rng.integers(0, 3, orders) * 365 + rng.integers(0, 35, orders), rng.integers(0, 1_095, orders))
    start = first + rng.integers(0, 1_095, promotions)
    return [first + day], [start, start + rng.choice([1, 3, 7, 14, 30, 60], promotions, p=[0.2, 0.2, 0.3, 0.2, 0.07, 0.03])]


def _brackets(rng, scale):
    """Amounts of money, and brackets each as wide as a hundredth of where it begins."""
    start = (rng.lognormal(11, 1.5, rows_at(50_000, scale))).astype("int64")
    return [rng.lognormal(10, 1.5, rows_at(400_000, scale)).astype("int64")], [start, start + start // 100]


def _masses(rng, scale):
    """Peaks of a spectrum, and windows of ten millionths of the mass they lie at."""
    start = 50_000 + 1_950_000 * rng.beta(1.5, 3, rows_at(300_000, scale))
    return [50_000 + 1_950_000 * rng.beta(1.5, 3, rows_at(2_000_000, scale))], [start, start * (1 + 1e-5)]


def _outages(rng, scale):
    """Alerts and outages by the name of the device; some devices have most of both."""

    def side(rows, median, sigma):
        name = np.array([f"device {n:05}" for n in range(5_000)])[np.minimum(rng.zipf(1.6, rows) - 1, 4_999)]
        start = evenly(rng, rows, 90 * DAY)
        return [name, start, start + log_normal(rng, rows, median, sigma, 5 * 86_400)]

    return side(rows_at(300_000, scale), 5, 1), side(rows_at(300_000, scale), 300, 2)


def _office_hours(rng, scale):
    """Logins at the hours of offices, and meetings that begin at quarters of an hour."""

    def in_office(rows):
        return START + (rng.integers(0, 104, rows) * 7 + rng.integers(0, 5, rows)) * DAY + np.clip(rng.normal(13, 2.5, rows) * HOUR, 7 * HOUR, 20 * HOUR).astype("int64")

    start = in_office(rows_at(200_000, scale)) // (900 * SECOND) * (900 * SECOND)
    return [in_office(rows_at(500_000, scale))], [start, start + rng.choice([1, 2, 3, 4, 8], len(start), p=[0.1, 0.4, 0.15, 0.25, 0.1]) * 900 * SECOND]


def _roadworks(rng, scale):
    """Trips of hours, and roadworks of days, over two years."""
    trips, works = evenly(rng, rows_at(80_000, scale), 730 * DAY), evenly(rng, rows_at(15_000, scale), 730 * DAY)
    return [trips, trips + log_normal(rng, len(trips), 2_400, 0.8, 86_400)], [works, works + log_normal(rng, len(works), 5 * 86_400, 1, 120 * 86_400)]


def _by_the_hour(rng, scale):
    """Intervals as long as the hour of the day has it, from a millisecond at midnight to hours, and points in crowds of all widths."""
    start = evenly(rng, rows_at(400_000, scale), 60 * DAY)
    hour = (start - START) % DAY / HOUR
    crowd, points = evenly(rng, 300, 60 * DAY), rows_at(1_000_000, scale)
    of = rng.integers(0, len(crowd), points)
    width = 10 ** np.linspace(3, 10, len(crowd))
    return [crowd[of] + (rng.standard_normal(points) * width[of]).astype("int64")], [start, start + (10 ** (3 + hour / 24 * 7)).astype("int64")]


def _growth(rng, scale):
    """Requests and sessions of a service whose use doubles twice a year, over four years."""

    def grown(rows):
        return START + (np.log2(1 + rng.random(rows) * 255) / 8 * 1_460 * DAY).astype("int64")

    start = grown(rows_at(800_000, scale))
    return [grown(rows_at(2_000_000, scale))], [start, start + log_normal(rng, len(start), 120, 1.3, 86_400)]


def _last_month(rng, scale):
    """Events of ten years, and intervals of the last month alone."""
    start = START + 3_620 * DAY + (rng.random(rows_at(250_000, scale)) * 30 * DAY).astype("int64")
    return [evenly(rng, rows_at(3_000_000, scale), 3_650 * DAY)], [start, start + log_normal(rng, len(start), 600, 1.2, 86_400)]


def _prices(rng, scale):
    """Prices by product and store, each until the next one, inverted where that is of the same day; and sales, most of them of few products. Stores have some products alone."""
    prices, sales = rows_at(1_200_000, scale), rows_at(2_500_000, scale)

    def offers(rows):
        product = np.minimum((rng.pareto(1.1, rows) * 20).astype("int64"), 4_999)
        return product, (rng.integers(0, 60, rows) * (1 + product % 7)) % 60

    product, store = offers(prices)
    key, start, end = following(product * 60 + store, START + rng.integers(0, 1_000, prices) * DAY)
    sold = offers(sales)
    mixed = rng.permutation(prices)
    names = np.array([f"store {n}" for n in range(60)])
    return [sold[0], names[sold[1]], evenly(rng, sales, 1_000 * DAY)], [key[mixed] // 60, names[key[mixed] % 60], start[mixed], end[mixed]]


def _calibrations(rng, scale):
    """Readings of forty stations, and calibrations that hold for hours or weeks, with times between that none covers."""
    readings, calibrations = rows_at(3_000_000, scale), rows_at(30_000, scale)
    start = evenly(rng, calibrations, 365 * DAY)
    return (
        [rng.integers(0, 40, readings), evenly(rng, readings, 365 * DAY)],
        [rng.integers(0, 40, calibrations), start, start + log_normal(rng, calibrations, 7_200, 1.5, 30 * 86_400)],
    )


# As best size they have what the p90 rule comes to.
HELD_OUT = (
    Workload("X1", "customers of whom some change often", _customers, 2_000_000, 600_000, lambda scale: 1_095 * DAY, {"best": "240 hours", "p90": "240 hours"}, keys=("k",), key_count=20, disjoint=True),
    Workload("X2", "variants in exons", _exons, 3_000_000, 200_000, lambda scale: 249 * 10**6, {"best": 410, "p90": 410}, keys=("k",), key_count=22, unit="number"),
    Workload("X3", "addresses in feeds", _feeds, 1_500_000, 600_000, lambda scale: 2**32, {"best": 256, "p90": 256}, unit="number"),
    Workload("X4", "days of orders in promotions", _promotions, 700_000, 3_000, lambda scale: 1_095, {"best": "336 hours", "p90": "336 hours"}, unit="day"),
    Workload("X5", "amounts in brackets", _brackets, 400_000, 50_000, lambda scale: 10**6, {"best": 40, "p90": 40}, unit="cents"),
    Workload("X6", "peaks in windows", _masses, 2_000_000, 300_000, lambda scale: 1_950_000, {"best": 16, "p90": 16}, unit="double"),
    Workload("X7", "alerts and outages", _outages, 300_000, 300_000, lambda scale: 90 * DAY, {"best": "3900 seconds", "p90": "3900 seconds"}, left_is_point=False, keys=("k",), key_count=5),
    Workload("X8", "logins in meetings", _office_hours, 500_000, 200_000, lambda scale: 730 * DAY, {"best": "4500 seconds", "p90": "4500 seconds"}),
    Workload("X9", "trips and roadworks", _roadworks, 80_000, 15_000, lambda scale: 730 * DAY, {"best": "24 hours", "p90": "24 hours"}, left_is_point=False),
    Workload("X10", "as long as the hour has it", _by_the_hour, 1_000_000, 400_000, lambda scale: 60 * DAY, {"best": "2000 seconds", "p90": "2000 seconds"}),
    Workload("X11", "a service that grows", _growth, 2_000_000, 800_000, lambda scale: 1_460 * DAY, {"best": "640 seconds", "p90": "640 seconds"}, crowding=3),
    Workload("X12", "the last month of ten years", _last_month, 3_000_000, 250_000, lambda scale: 3_650 * DAY, {"best": "2800 seconds", "p90": "2800 seconds"}),
    Workload("X13", "sales at prices", _prices, 2_500_000, 1_200_000, lambda scale: 1_000 * DAY, {"best": "900 hours", "p90": "900 hours"}, keys=("k", "store"), key_count=2_000),
    Workload("X14", "readings and calibrations", _calibrations, 3_000_000, 30_000, lambda scale: 365 * DAY, {"best": "14 hours", "p90": "14 hours"}, keys=("k",), key_count=40),
)  # fmt: skip
