"""What the tests judge by can tell a wrong answer."""

import pytest

from tests.support import turns
from tests.support.both import bag

ROWS = "select * from values (1, 2), (1, 2), (1, null), (null, 7) as t(l_id, r_id)"
OTHERS = {
    "a row less": "(1, 2), (1, 2), (1, null)",
    "a row more": "(1, 2), (1, 2), (1, null), (null, 7), (3, 4)",
    "once and not twice": "(1, 2), (1, null), (1, null), (null, 7)",
    "the other side kept": "(1, 2), (1, 2), (null, 1), (null, 7)",
    "sides changed about": "(2, 1), (1, 2), (1, null), (null, 7)",
    "other pairs of the same ids": "(1, 7), (1, 2), (1, null), (null, 2)",
}


@pytest.mark.parametrize("name", OTHERS)
def test_bags_that_differ(spark, name):
    assert bag(spark, f"select * from values {OTHERS[name]} as t(l_id, r_id)") != bag(spark, ROWS)


def test_bags_are_in_no_order(spark):
    rows, hashes = bag(spark, ROWS)
    assert rows == 4 and bag(spark, f"select * from ({ROWS}) order by r_id desc, l_id") == (rows, hashes)
    assert bag(spark, f"{ROWS} where false") == (0, None)


@pytest.mark.parametrize("rows, columns, times", [(18, 3, 1), (12, 4, 2), (9, 5, 2), (30, 4, 2), (8, 6, 3), (2, 2, 5)])
def test_each_column_has_as_many_turns(monkeypatch, rows, columns, times):
    """And rows that come again after as many as there are columns meet others."""
    for every in (False, True):
        monkeypatch.setattr(turns, "EVERY", every)
        pairs = turns.in_turn(range(rows), range(columns), times)
        counts = [len([row for row, of in pairs if of == column]) for column in range(columns)]
        assert len(set(pairs)) == len(pairs) == sum(counts) == rows * (columns if every else min(times, columns))
        assert max(counts) - min(counts) <= times
        met = [[column for row, column in pairs if row == at] for at in range(rows)]
        assert every or times >= columns or all(met[at] != met[at + columns] for at in range(rows - columns))
