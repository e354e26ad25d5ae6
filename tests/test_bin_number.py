"""bin_number divides numbers exactly, with as many digits as Spark has: Python's own arithmetic is the judge."""

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
