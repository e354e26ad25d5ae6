"""
bin_number divides decimals exactly, with as many digits as Spark has: Python's own arithmetic is the judge. And fan_out_intervals ends where bin_number says.
"""

import math
import random
from decimal import Decimal, localcontext

import pytest

WIDTHS = ("1e-30", "1e-18", "2e-18", "5e-9", "0.0000003", "0.5", "7.5", "3", "12345.678", "0.05", "1000000", "9300000000000000000", "1000000000000000000000000000000")
TYPES = [(38, 0), (38, 1), (38, 8), (38, 18), (38, 30), (38, 37), (38, 38), (20, 4), (18, 18), (10, 2)]
BEYOND = Decimal("9.2e18")


@pytest.fixture(scope="module")
def binned(project):
    """The expression of each width for a column `value`, as {(type or none, whether below): {width: expression}}: as bin_number writes it, and of a type that is known."""
    models = {}
    for kind in (None, *TYPES):
        for below in (False, True):
            known = f"'decimal({kind[0]},{kind[1]})'" if kind else "none"
            bins = [f"{{{{ dbt_range_join._bin_of('value', {{'of': 'number', 'width': {width}}}, below={below}, type={known}) }}}}" for width in WIDTHS]
            models[f"bins_{len(models)}"] = (kind, below, "\n;".join(bins))
    compiled = project.compile({name: body for name, (_, _, body) in models.items()})
    of_each = {(kind, below): dict(zip(WIDTHS, compiled[name].split(";"), strict=True)) for name, (kind, below, _) in models.items()}
    public = project.compile({f"width_{n}": f"{{{{ dbt_range_join.bin_number('value', {width}) }}}}" for n, width in enumerate(WIDTHS)})
    assert [" ".join(sql.split()) for sql in public.values()] == [" ".join(sql.split()) for sql in of_each[None, False].values()]
    return of_each


@pytest.mark.parametrize("precision_loss", ["true", "false"])
def test_decimals_are_divided_exactly(spark, binned, precision_loss):
    """Whether Spark cuts the digits of decimals that have too many (its default), or takes those that are too large for NULL."""
    spark.conf.set("spark.sql.decimalOperations.allowPrecisionLoss", precision_loss)
    ways = [(known, below) for known in (False, True) for below in (False, True)]
    try:
        with localcontext() as context:
            context.prec = 100
            for kind in TYPES:
                for width in WIDTHS:
                    values = draw(random.Random(f"{kind[0]} {kind[1]} {width}"), *kind, Decimal(width))
                    listed = ",".join(format(value, "f") for value in values)
                    expressions = ", ".join(binned[kind if known else None, below][width] for known, below in ways)
                    rows = spark.sql(
                        f"select text, {expressions} from (select text, cast(text as decimal({kind[0]},{kind[1]})) as value "
                        f"from (select explode(split('{listed}', ',')) as text) as texts) as decimals"
                    ).collect()
                    for (_, below), found in zip(ways, list(zip(*rows))[1:]):
                        wrong = {row[0]: (bin_num, right) for row, bin_num in zip(rows, found) if bin_num != (right := expected(Decimal(row[0]), Decimal(width), below))}
                        assert len(rows) == len(values) and not wrong, (kind, width, below, wrong)
    finally:
        spark.conf.unset("spark.sql.decimalOperations.allowPrecisionLoss")


def test_what_lies_below_an_exclusive_end_has_a_bin(spark, project):
    """
    Found in review: quotients of DOUBLEs are rounded. In bins of 0.1 the bin of 0.9 is 9, and the last one of what ends before the next DOUBLE was 8. From one DOUBLE
    to the next there is one value, in one bin.
    """
    rng, rows = random.Random(1), set()
    widths = ("0.1", "0.3", "0.6", "1", "1.5", "3", "10", "1000", "1e-7", "0.25")
    for width in widths:
        bins = [*range(-40, 41), *(sign * 2**n for sign in (-1, 1) for n in range(60)), *(rng.randint(-(10**9), 10**9) for _ in range(200))]
        for value in (float(width) * number for number in bins):
            for start in (value, math.nextafter(value, math.inf), math.nextafter(value, -math.inf)):
                rows.add((width, start, math.nextafter(start, math.inf)))
    # Of the smallest numbers the next one is not told from themselves, and a bin too many is allowed.
    rows = [(width, start, end) for width, start, end in rows if end == 0 or abs(end) > 1e-300]
    spark.createDataFrame(rows, "width string, s double, e double").createOrReplaceTempView("next_doubles")
    of_width = {
        f"next_{n}": f"""select v.s, v.e, count(*) as copies, max(bin_num) as found, max({{{{ dbt_range_join.bin_number('s', {width}) }}}}) as right
        from ({{{{ dbt_range_join.fan_out_intervals("(select * from next_doubles where width = '{width}')", ['s', 'e'], {width}, inclusive='left') }}}}) as v group by v.s, v.e"""
        for n, width in enumerate(widths)
    }
    for name, sql in project.compile(of_width).items():
        found = spark.sql(sql).collect()
        wrong = [row for row in found if row.copies != 1 or row.found != row.right]
        assert len(found) > 500 and not wrong, (name, wrong[:3])


def draw(rng, precision, scale, width) -> list[Decimal]:
    """Values of a type near edges of bins, near zero and anywhere, both signs."""
    unit = Decimal(1).scaleb(-scale)
    values = [Decimal(n) * unit for n in range(-12, 13)]
    for _ in range(30):
        bins = rng.choice((rng.randint(-50, 50), rng.randint(-9 * 10**18, 9 * 10**18)))
        values.append((width * bins).quantize(unit) + rng.randint(-3, 3) * unit)
        values.append(Decimal(rng.randint(1 - 10**precision, 10**precision - 1)).scaleb(-scale))
    return [value for value in values if abs(value) < Decimal(10) ** (precision - scale) and not Decimal("0.999") < abs(value / width) / BEYOND < Decimal("1.01")]


def expected(value, width, below) -> int:
    """floor(value / width), or the last bin of what is below the value, as far as BIGINT reaches."""
    if abs(value / width) >= BEYOND:
        return 2**63 - 1 if value > 0 else -(2**63)
    return math.ceil(value / width) - 1 if below else math.floor(value / width)
