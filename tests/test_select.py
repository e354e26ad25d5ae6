"""The select list stands over the rows of the whole join, whichever parts these come in: aggregates, windows, `distinct` and generators, too."""

import itertools

from tests.support.both import compile_both, rows_of_both
from tests.support.turns import in_turn

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
    "aggregates": ["count( * ) as n", "sum({}.id) as total"],
    "a window": ["l.id", "{}.id as other", "row_number() over (partition by l.id order by {}.id) as place", "'(*' as star", "l.id * {}.id as product"],
    "distinct": ["distinct l.id"],
    "a generator": ["explode(l.two) as one"],
    # Found by an attack: Spark 4.3 lost columns of a query that reads the row, where it pushed the list into the parts of a union.
    "queries": [
        "l.id", "(select max(z.id + 1) from range(30) as z where z.id = l.id) as one", "not exists (select 1 from range(20) as z where z.id = {}.id) as none",
        "l.id in (select id from range(7)) as few",
    ],
}  # fmt: skip


def test_the_list_stands_over_all_rows(spark, project):
    calls = {}
    joins = [(shape, *join) for shape in JOINS for join in JOINS[shape]]
    for (shape, join_type, condition), name in in_turn(joins, LISTS, 1):
        left, argument = SIDES[shape]
        select = [item.format("l" if join_type in ("semi", "anti") else "r") for item in LISTS[name]]
        calls[shape, join_type, condition, name] = (
            f"left_relation='{left}', {argument}, right_relation='{RIGHT}', right_interval=['s', 'e'], join_type='{join_type}', "
            f"select={select!r}, join_condition={condition}, bin_size=2"
        )
    for case, queries in compile_both(project, calls).items():
        binned, naive = rows_of_both(spark, queries)
        assert binned == naive and naive, case


# Text that holds line breaks of several kinds, escapes and what looks like the end of a literal or a comment.
NOTES = ("a\nb", "a\n    b", "a\n            b", "a\n                b", "a\r\nb", "it's -- \n no comment", "back\\slash\\\n", "\u2028\x0c", "raw\\d\n    x")


def literal(text, quote="'"):
    """A string literal of Spark with its line breaks as they are."""
    return quote + text.replace("\\", "\\\\").replace(quote, "\\" + quote) + quote


def test_line_breaks_in_string_literals_stay_as_they_are(spark, project):
    """Found in review: where SQL was indented, blanks became part of literals of more than one line, in the plain join, too. So plain SQL is the judge."""
    notes = ", ".join(literal(note) for note in NOTES)
    left = f"(select id, note, id * 3 as p -- it's all\n from (select posexplode(array({notes})) as (id, note)))"
    right = f"(select id, note, 0 as s, 99 as e from (select posexplode(array({notes})) as (id, note)) /* don't\n stop */)"
    condition = f"r.note in ({literal(NOTES[0])}, {literal(NOTES[2])}, {literal(NOTES[4], chr(34))}, {literal(NOTES[5])}, {literal(NOTES[6])}, {literal(NOTES[7])}, r'{NOTES[8]}') -- it's so\n and l.id <> r.id"
    calls, by_hand = {}, {}
    for join_type in ("inner", "left", "full", "semi"):
        select = ["l.id", f"concat(l.note, {literal(NOTES[1])}) as note"] + ([] if join_type == "semi" else ["r.id as r_id", f"replace(r.note, {literal(NOTES[3])}, 'x') as other"])
        calls[join_type] = (
            f"left_relation={left!r}, left_point={'p + length(' + literal(NOTES[0]) + ')'!r}, right_relation={right!r}, right_interval=['s', 'e'], "
            f"join_type='{join_type}', select={select!r}, join_condition={condition!r}, bin_size=10"
        )
        by_hand[join_type] = f"select {', '.join(select)} from {left} as l {join_type} join {right} as r on l.p + 3 between r.s and r.e and ({condition}\n)"
    for join_type, queries in compile_both(project, calls).items():
        binned, naive = rows_of_both(spark, queries)
        expected = sorted(map(str, spark.sql(by_hand[join_type]).collect()))
        assert binned == naive == expected and len(expected) > 5, join_type
    expression = f"length(replace('a\nb', {literal(chr(10))}, ''))"
    sql = project.compile({"bins": f"select {{{{ dbt_range_join.bin_number({expression!r}, 1) }}}} as bin"})["bins"]
    assert spark.sql(sql).first().bin == 2


JOIN_TYPES = ("inner", "left", "right", "full", "semi", "anti")
WIDE = "(select id, id * {step} % {modulus} as {first}, {more}array(id) as a, id % 2 as b, id % 3 as c, id % 5 as d, id % 7 as e from range(40))"
WIDE_SIDES = {
    "point left": ("point", "interval", "left_point='p'", "right_interval=['s', 't']"),
    "point right": ("interval", "point", "left_interval=['s', 't']", "right_point='p'"),
    "overlap": ("interval, others", "interval", "left_interval=['s', 't']", "right_interval=['s', 't']"),
}
KINDS = {
    "point": WIDE.format(step=13, modulus=190, first="p", more=""),
    "interval": WIDE.format(step=7, modulus=90, first="s", more="id * 7 % 90 + id % 9 as t, "),
    "interval, others": WIDE.format(step=13, modulus=190, first="s", more="id * 13 % 190 + id % 9 as t, "),
}
# Columns of each side in the list; and a condition that reads two more.
READ = {"few": (2, "l.d + r.e > l.e - r.d"), "some": (4, None), "many": (6, "l.d <> r.e")}


def test_any_number_of_columns(spark, project):
    """Found by a random case: where points were exploded twice in turn, Spark 4.3 lost the third field that was read of a row (INTERNAL_ERROR_ATTRIBUTE_NOT_FOUND)."""
    calls = {}
    for (shape, join_type), read in in_turn(itertools.product(WIDE_SIDES, JOIN_TYPES), READ, 1):
        left, right, left_argument, right_argument = WIDE_SIDES[shape]
        columns, condition = READ[read]
        sides = ("l",) if join_type in ("semi", "anti") else ("l", "r")
        select = [f"{side}.{column} as {side}_{column}" for side in sides for column in ("id", "a", "b", "c", "d", "e")[:columns]]
        calls[shape, join_type, read] = (
            f'left_relation="{KINDS[left]}", {left_argument}, right_relation="{KINDS[right]}", {right_argument}, join_type="{join_type}", '
            f"select={select!r}, join_condition={condition!r}, bin_size=2".replace("None", "none")
        )
    for case, queries in compile_both(project, calls).items():
        binned, naive = rows_of_both(spark, queries)
        assert binned == naive and naive, case
