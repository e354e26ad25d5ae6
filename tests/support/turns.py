"""Some pairs out of a product of two lists of cases, as to plan a query takes Spark a second or more; all of them where asked for."""

import os

# All pairs after all: make test-every
EVERY = os.environ.get("RANGE_JOIN_EVERY_CASE") == "1"


def turn(number, columns, times):
    """So many of the columns, as a list: those whose turn it is in row `number`; all where EVERY.

    They go round by one from row to row, and by one more each time round, so that rows that come again in the same order meet others.
    """
    columns = list(columns)
    if EVERY or times >= len(columns):
        return columns
    first = number + number // len(columns)
    return [columns[(first + nth) % len(columns)] for nth in range(times)]


def in_turn(rows, columns, times):
    """Pairs of a row and a column, as a list: each row with so many of the columns, and each column with about as many rows as any other; all pairs where EVERY."""
    return [(row, column) for number, row in enumerate(rows) for column in turn(number, columns, times)]
