"""
An end that does not belong to its interval has the bin of what lies below it, where a table is built of values of one type: the rows stay those of the plain join, on
edges of bins above all, and a crowd at such an end meets nobody.

More of them, with a seed of your choice: make test-random SEED=7 CASES=200000
"""

import os
import random
import re

import pytest

from tests.support.both import bag
from tests.support.turns import in_turn

# Of each type: a value out of a whole number, and sizes of bins whose edges many of the values are.
TYPES = {
    "int": ("cast({} as int)", ("10", "64")),
    "bigint": ("{} * 1000 + 9000000000000000000", ("1", "1000", "16000")),
    "decimal": ("cast({} as decimal(20, 2)) / 4", ("0.25", "2.5")),
    "double": ("{} * 0.1D", ("0.1", "0.7", "8")),
    "float": ("cast({} * 0.1D as float)", ("0.1", "3")),
    "date": ("date_add(date'2024-01-01', cast({} as int))", ("'1 day'", "'1 week'")),
    "timestamp": ("timestamp'2024-01-01' + make_dt_interval(0, {})", ("'1 hour'", "'1 day'")),
    "timestamp_ntz": ("timestamp_ntz'2024-01-01' + make_dt_interval(0, {})", ("'1 hour'", "'6 hours'")),
}
SHAPES = [
    "left_point='{0}_p', right_interval=['{0}_s', '{0}_e']",
    "left_interval=['{0}_s', '{0}_e'], right_point='{0}_p'",
    "left_interval=['{0}_s', '{0}_e'], right_interval=['{0}_s', '{0}_e']",
]
SEED = int(os.environ.get("RANGE_JOIN_SEED", "1"))
# How often each type comes.
ROUNDS = max(1, int(os.environ.get("RANGE_JOIN_CASES", "18000")) // 18000)


@pytest.fixture(scope="module")
def sides(spark):
    """Tables left_rows and right_rows, with points and intervals of each type on a grid, and a crowd at one value; some bounds are NULL, equal or the wrong way round."""
    spark.sql("create schema if not exists exclusive_ends")
    for side, rows, seed in (("left", 5000, 11), ("right", 3000, 23)):
        columns = []
        for name, (value, _) in TYPES.items():
            start, end = value.format("(first)"), value.format("(last)")
            columns.append(f"{start} as {name}_p, if(id % 89 = 0, null, {start}) as {name}_s, {end} as {name}_e")
        spark.sql(f"""
            create table exclusive_ends.{side}_rows using parquet as select id, id % 7 as k, {", ".join(columns)} from (
                select *, case when id % 97 = 0 then null when id % 50 = 1 then 640 else first + pmod(hash(id, {seed + 1}), 40) - 2 end as last
                from (select id, if(id % 40 = 0, 640, pmod(hash(id, {seed}), 4000) - 2000) as first from range({rows})))""")
    yield
    spark.sql("drop schema exclusive_ends cascade")


def drawn_calls():
    """The arguments of each join, by name."""
    rng = random.Random(SEED)
    calls = {}
    for number, (name, shape) in enumerate(in_turn(list(TYPES) * ROUNDS, SHAPES, 1)):
        join_type = rng.choice(["inner", "inner", "left", "right", "full", "semi", "anti"])
        arguments = [
            f"left_relation='exclusive_ends.left_rows', right_relation='exclusive_ends.right_rows', {shape.format(name)}",
            f"join_type='{join_type}', inclusive='{rng.choice(['left', 'left', 'neither', 'right'])}', null_bounds='{rng.choice(['no_match', 'no_match', 'unbounded'])}'",
            f"select={['l.id as l_id', 'r.id as r_id'] if join_type not in ('semi', 'anti') else ['l.id as l_id']}",
        ]
        arguments += [f"bin_size={rng.choice(TYPES[name][1])}"] if rng.random() < 0.7 else []
        arguments += ["keys=['k']"] if rng.random() < 0.3 else []
        calls[f"ends_{number}"] = ", ".join(arguments)
    return calls


def test_rows_are_those_of_the_plain_join(spark, project, sides):
    calls = drawn_calls()
    table = "{{ config(materialized='table') }}\n"
    binned = project.built({name: f"{table}{{{{ dbt_range_join.binned_range_join({call}) }}}}" for name, call in calls.items()})
    naive = project.compile({f"naive_{name}": f"{{{{ dbt_range_join.naive_range_join({call}) }}}}" for name, call in calls.items()})
    # What a division leaves over is compared with 0 by <=, and from a DOUBLE or a bin of one value something is taken off.
    below = [name for name, sql in binned.items() if re.search(r"<= 0, 1, 0\)|E-16D|try_subtract", sql.partition(" as end_bin")[0].rpartition(" as bin_num")[2])]
    assert len(below) > len(calls) // 4, "few of the joins are made as this is about"
    for name, call in calls.items():
        expected = bag(spark, naive[f"naive_{name}"])
        assert bag(spark, f"select * from scratch.{name}") == expected, f"{call}\n{binned[name]}"


def test_a_crowd_at_an_end_that_does_not_belong_meets_nobody(spark, project):
    """Found by an attack: 40,000 events at the moment at which 40,000 versions end made 1,600,000,000 pairs, of which none matches."""
    spark.sql("create schema if not exists exclusive_ends")
    spark.sql("create table exclusive_ends.events using parquet as select id, timestamp'2024-01-01' as p from range(40000)")
    spark.sql(
        "create table exclusive_ends.versions using parquet as "
        "select id, timestamp'2024-01-01' - make_dt_interval(id % 300 + 1) as s, timestamp'2024-01-01' as e from range(40000)"
    )
    call = (
        "left_relation='exclusive_ends.events', left_point='p', right_relation='exclusive_ends.versions', right_interval=['s', 'e'], inclusive='left', "
        "select=['l.id as l_id', 'r.id as r_id']"
    )
    sql = project.built({"met_by_nobody": f"{{{{ config(materialized='table') }}}}{{{{ dbt_range_join.binned_range_join({call}) }}}}"})["met_by_nobody"]
    assert spark.table("scratch.met_by_nobody").count() == 0
    steps = sql[sql.index("with range_join_left as") :].split("-- step 2")[0]
    assert spark.sql(steps + " select 1 from range_join_left_level_probes join range_join_right_leveled using (slot)").count() == 0
