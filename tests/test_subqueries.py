"""A join_condition that asks a query: what binned_range_join takes gives the rows of the plain join, NULLs included."""

import itertools

from tests.support.both import compile_both, rows_of_both
from tests.support.turns import turn

LEFT = "(select id, if(id % 5 = 0, null, id % 4) as x, id * 3 as p, id * 3 as s, id * 3 + 2 as e from range(12))"
RIGHT = "(select id, id % 3 as z, id * 5 as s, id * 5 + 7 as e from range(9))"
SIDES = {"point": "left_point='p'", "overlap": "left_interval=['s', 'e']"}
JOIN_TYPES = ("right", "full", "anti")
QUERY = "(select * from values (1), (null) as other(y))"
# In joins that keep rows of a side, and in those that do not.
CONDITIONS = {
    f"l.x in (select y from {QUERY})": JOIN_TYPES,
    f"exists (select 1 from {QUERY} where y = l.x)": JOIN_TYPES,
    f"not exists (select 1 from {QUERY} where y = r.z)": JOIN_TYPES,
    f"l.x > (select max(y) from {QUERY})": JOIN_TYPES,
    f"l.x not in (select y from {QUERY})": ("inner", "semi", "anti"),
    f"not (l.x in (select y from {QUERY}) or l.x is null)": ("inner", "semi", "anti"),
    f"l.x not in ((select y from {QUERY}) union all (select y from {QUERY}))": ("inner", "semi", "anti"),
    f"(l.x in (select y from {QUERY})) = false": ("inner", "semi", "anti"),
    f"l.x not in ((select max(y) from {QUERY}), 2)": ("left", "full"),
    f"(l.x in (select y from {QUERY})) is false": ("left", "full"),
    f"if(l.x in (select y from {QUERY}), false, true)": ("left", "full"),
    f"case when r.z in (select y from {QUERY}) then false else true end": ("left", "full"),
}


def test_conditions_that_ask_a_query(spark, project):
    """Found in review: NOT IN, and `(x in (...)) = false`, lost rows of joins that keep a side; they are compile errors there (test_errors.py)."""
    calls = {}
    for number, ((condition, join_types), shape) in enumerate(zip(CONDITIONS.items(), itertools.cycle(SIDES))):
        for join_type in turn(number, join_types, 2):
            select = "['l.id']" if join_type in ("semi", "anti") else "['l.id as l_id', 'r.id as r_id']"
            calls[condition, join_type, shape] = (
                f"left_relation='{LEFT}', {SIDES[shape]}, right_relation='{RIGHT}', right_interval=['s', 'e'], "
                f"join_type='{join_type}', join_condition='{condition}', select={select}, bin_size=4"
            )
    found = 0
    for case, queries in compile_both(project, calls).items():
        binned, naive = rows_of_both(spark, queries)
        assert binned == naive, case
        found += len(naive) > 0
    assert found > 12, found
