"""The select list stands over the rows of the whole join, whichever parts these come in: aggregates, windows, `distinct` and generators, too."""

import itertools

import pytest

SIDES = {
    "point": ("(select id, id * 3 % 90 as p, array(id, 0) as two from range(40))", "left_point='p'"),
    "overlap": ("(select id, id * 11 % 90 as s, id * 11 % 90 + id % 4 as e, array(id, 0) as two from range(30))", "left_interval=['s', 'e']"),
}
RIGHT = "(select id, id * 7 % 50 as s, id * 7 % 50 + id % 9 as e from range(25))"
CONDITION = "'l.id % 3 <> 1'"
# Those that come in several parts, with and without a join_condition.
JOINS = {
    "point": [("full", "none"), ("left", CONDITION), ("semi", CONDITION)],
    "overlap": [("inner", "none"), ("left", "none"), ("right", CONDITION), ("full", "none"), ("semi", CONDITION), ("anti", CONDITION)],
}
LISTS = {
    "aggregates": ["count(*) as n", "sum({}.id) as total"],
    "a window": ["l.id", "{}.id as other", "row_number() over (partition by l.id order by {}.id) as place"],
    "distinct": ["distinct l.id"],
    "a generator": ["explode(l.two) as one"],
}


@pytest.mark.parametrize("shape", SIDES)
def test_the_list_stands_over_all_rows(spark, project, shape):
    left, argument = SIDES[shape]
    cases, bodies = list(itertools.product(JOINS[shape], LISTS)), {}
    for number, ((join_type, condition), name) in enumerate(cases):
        select = [item.format("l" if join_type in ("semi", "anti") else "r") for item in LISTS[name]]
        call = (
            f"left_relation='{left}', {argument}, right_relation='{RIGHT}', right_interval=['s', 'e'], join_type='{join_type}', "
            f"select={select!r}, join_condition={condition}, bin_size=2"
        )
        for macro in ("binned", "naive"):
            bodies[f"{macro}_{number}"] = f"{{{{ dbt_range_join.{macro}_range_join({call}) }}}}"
    compiled = project.compile(bodies)
    for number, case in enumerate(cases):
        binned, naive = (sorted(map(str, spark.sql(compiled[f"{macro}_{number}"]).collect())) for macro in ("binned", "naive"))
        assert binned == naive and naive, case
