"""bin_number divides numbers exactly, with as many digits as Spark has: Python's own arithmetic is the judge."""

import math
import random
from decimal import Decimal, localcontext

import pytest

WIDTHS = ("1e-30", "1e-18", "2e-18", "5e-9", "0.0000003", "0.5", "7.5", "3", "12345.678", "1000000000000000000000000000000")
TYPES = [(38, 0), (38, 1), (38, 8), (38, 18), (38, 30), (38, 37), (38, 38), (20, 4), (18, 18), (10, 2)]
BEYOND = Decimal("9.2e18")


@pytest.fixture(scope="module")
def binned(project):
    """The compiled expression of each width, of a column `value`."""
    models = {f"width_{n}": f"{{{{ dbt_range_join.bin_number('value', {width}) }}}}" for n, width in enumerate(WIDTHS)}
    return dict(zip(WIDTHS, project.compile(models).values(), strict=True))


@pytest.mark.parametrize("precision_loss", ["true", "false"])
def test_decimals_are_divided_exactly(spark, binned, precision_loss):
    """Whether Spark cuts the digits of decimals that have too many (its default), or takes those that are too large for NULL."""
    spark.conf.set("spark.sql.decimalOperations.allowPrecisionLoss", precision_loss)
    try:
        with localcontext() as context:
            context.prec = 100
            for precision, scale in TYPES:
                for width, expression in binned.items():
                    values = draw(random.Random(f"{precision} {scale} {width}"), precision, scale, Decimal(width))
                    listed = ",".join(format(value, "f") for value in values)
                    found = spark.sql(
                        f"select text, {expression} from (select text, cast(text as decimal({precision},{scale})) as value "
                        f"from (select explode(split('{listed}', ',')) as text) as texts) as decimals"
                    ).collect()
                    wrong = {text: (found, floor) for text, found in found if found != (floor := expected(Decimal(text), Decimal(width)))}
                    assert len(found) == len(values) and not wrong, (precision, scale, width, wrong)
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


def expected(value, width) -> int:
    """floor(value / width), as far as BIGINT reaches."""
    if abs(value / width) >= BEYOND:
        return 2**63 - 1 if value > 0 else -(2**63)
    return math.floor(value / width)
