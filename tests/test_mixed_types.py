"""Values of several types in one join: which of them share one bin, and that the rows are those of the plain join all the same."""

import itertools

from tests.support.both import compile_both, rows_of_both
from tests.support.turns import in_turn, turn

JOIN_TYPES = ("inner", "left", "right", "full", "semi", "anti")


def call(left, right, join_type, more):
    select = "['l.id as l_id']" if join_type in ("semi", "anti") else "['l.id as l_id', 'r.id as r_id']"
    return f"left_relation='({left})', left_point='p', right_relation='({right})', right_interval=['s', 'e'], join_type='{join_type}', select={select}{more}"


def test_nulls_of_mixed_types(spark, project):
    """Found in review: where all points were NULL, intervals open at both ends had no bin."""
    types = ("int", "float", "double")
    points = {"all NULL": "null", "some NULL": "if(id % 3 = 0, null, id * 4)"}
    bounds = {
        "all NULL": ("null", "null"), "one NULL": ("if(id % 2 = 0, null, id * 5)", "if(id % 3 = 0, null, id * 5 + 9)"),
    }  # fmt: skip
    calls = {}
    for (null_bounds, point, bound), join_type in in_turn(itertools.product(("no_match", "unbounded"), points, bounds), JOIN_TYPES, 3):
        p, (s, e) = points[point], bounds[bound]
        condition = "'l.id <> r.id'" if point == bound and join_type in ("left", "semi", "anti") else "none"
        left = f"select id, cast({p} as {types[0]}) as p from range(10)"
        right = f"select id, cast({s} as {types[1]}) as s, cast({e} as {types[2]}) as e from range(8)"
        more = f", bin_size=1, null_bounds='{null_bounds}', join_condition={condition}"
        calls[null_bounds, point, bound, join_type] = call(left, right, join_type, more)
    found = 0
    for case, queries in compile_both(project, calls).items():
        binned, naive = rows_of_both(spark, queries)
        assert binned == naive, case
        found += len(naive)
    assert found > 100


# name: (types of the point, the start and the end, as expressions over a number x; whether they have bins of their own)
TYPES = {
    "FLOATs, an end that is a DOUBLE": ("cast(x as float)", "cast(x as float)", "cast(x as float) + 2.5", True),
    "an INT beside a FLOAT and a DOUBLE": ("cast(x as int)", "cast(x as float)", "cast(x as double) + 2.5", False),
    "DECIMALs of fewer than 38 digits": ("cast(x as decimal(20, 8))", "cast(x as decimal(18, 6))", "cast(x as decimal(10, 2)) + 3", True),
    "DECIMALs of 38 digits, an end that may have one more": ("cast(x as decimal(38, 18))", "cast(x as decimal(38, 18))", "cast(x as decimal(38, 18)) + 3", False),
    "DECIMALs of two types, of 38 digits in common": ("cast(x as decimal(38, 30))", "cast(x as decimal(38, 10))", "cast(x as decimal(38, 2)) + 3", False),
}  # fmt: skip


def test_types_that_share_one_bin(spark, project):
    """Found in review: two types were enough for one bin, as where an end is computed from a start."""
    calls = {}
    for number, (name, (p, s, e, _)) in enumerate(TYPES.items()):
        left = f"select id, {p} as p from (select id, id / 4 - 40 as x from range(300))"
        right = f"select id, {s} as s, {e} as e from (select id, id - 30 as x from range(90))"
        for join_type in ("inner", *turn(number, JOIN_TYPES[1:], 2)):
            calls[name, join_type] = call(left, right, join_type, ", bin_size=2")
    for (name, join_type), queries in compile_both(project, calls).items():
        binned, naive = rows_of_both(spark, queries)
        assert binned == naive and naive, (name, join_type)
        if join_type == "inner":
            bins = spark.sql(queries[0].split("-- step 2")[0] + " select distinct bin_num from range_join_left_binned").count()
            assert (bins > 30) == TYPES[name][3], f"{name}: {bins}"


# name: (type, a value over a number x, in how many bins 600 points are at least)
LARGE = {
    "microseconds as DECIMAL(20, 0)": ("decimal(20, 0)", "1700000000000000 + x * 1000000", 600),
    "microseconds as DOUBLE": ("double", "1700000000000000 + x * 1000000", 600),
    "the greatest decimals": ("decimal(38, 0)", "x * 10000000000000000000000000000000000", 600),
    "around 2^42": ("double", "4398046511104 + (x - 300) * 0.25", 300),
    "around the reach of BIGINT": ("double", "9.2e18 + (x - 300) * 1e16", 250),
    "beyond all DECIMALs": ("double", "if(x % 7 = 0, -1, 1) * 1e36 * x * x", 10),
    "infinite": ("double", "if(x = 3, double(''inf''), if(x = 4, double(''-inf''), if(x = 5, double(''nan''), x - 9)))", 590),
}


def test_large_numbers_that_are_not_measured(spark, project):
    """Found in review: of a CTE, decimals and doubles from 8.8e12 on were all in the last bin. Bins never decrease, and tell apart what is far apart."""
    bodies = {}
    for name, (kind, value, _) in LARGE.items():
        value = value.replace("''", "'")
        head = (
            f"with {{{{ 'pts' }}}} as (select id, cast({value} as {kind}) as p from (select id, cast(id as decimal(38, 0)) as x from range(600))),\n"
            f"ivs as (select id, cast({value} as {kind}) as s, cast({value.replace('x', '(x + id % 5)')} as {kind}) as e from (select id, cast(id * 3 as decimal(38, 0)) as x from range(200)))"
        )
        for macro in ("binned", "naive"):
            join = f"{{{{ dbt_range_join.{macro}_range_join(left_relation='pts', left_point='p', right_relation='ivs', right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']) }}}}"
            bodies[f"{macro}_{len(bodies) // 2}"] = f"{head}\nselect * from (\n{join}\n)"
    compiled = project.compile(bodies)
    for number, (name, (_, _, least)) in enumerate(LARGE.items()):
        binned, naive = compiled[f"binned_{number}"], compiled[f"naive_{number}"]
        rows = sorted(map(str, spark.sql(naive).collect()))
        assert sorted(map(str, spark.sql(binned).collect())) == rows and rows, name
        head, ctes = binned.split("\nselect * from (\n", 1)
        ctes = ctes[ctes.index("with range_join_left ") + len("with ") :].split("-- step 2")[0]
        bins = [row.bin_num for row in spark.sql(f"{head},\n{ctes} select bin_num from range_join_left_binned order by point").collect()]
        assert bins == sorted(bins), name
        assert len(set(bins)) >= least, f"{name}: {len(set(bins))}"
