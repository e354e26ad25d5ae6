"""What a caller writes is SQL of any layout: comments, line breaks and literals of all kinds mean in the package's SQL what they mean by themselves."""

import itertools
import re

from hypothesis import given, settings
from hypothesis import strategies as st

from dev.dbt_runner import DbtFailed
from tests.support.both import compile_both, rows_of_both

# Texts that are each a whole expression over x with comments and literals in odd places, and end as a caller's may.
ENDS = ("", " -- it's x", " -- one\\\ntwo", " -- one\\", " -- one\n-- two", " /* don't */", " /* a /* b' */ c' */", " /* a /*+ b */ -- it's */", "\n", " -- \r")
RELATION = "(select id, id as x, id + 3 as y from range(9) -- the 'last\n)"


def test_a_comment_at_the_end_hides_nothing(spark, project):
    """Found in review: the parenthesis after an argument, or the comma after a select item, was part of its last comment."""
    calls = {}
    for join_type, turns in [("inner", (0, 2, 4, 6, 8)), ("full", (1,))]:
        for turn in turns:
            ends = itertools.cycle(ENDS[turn:] + ENDS[:turn])
            calls[join_type, turn] = (
                f"left_relation={(RELATION + next(ends))!r}, left_point={('x' + next(ends))!r}, "
                f"right_relation={RELATION!r}, right_interval={['x' + next(ends), 'y' + next(ends)]!r}, "
                f"keys={[['l.id % 3' + next(ends), 'r.id % 3' + next(ends)]]!r}, join_type='{join_type}', "
                f"select={['l.id' + next(ends), 'r.y' + next(ends)]!r}, join_condition={('l.id <> r.y' + next(ends))!r}, bin_size=2"
            )
    rows = {}
    for case, queries in compile_both(project, calls).items():
        rows[case], naive = rows_of_both(spark, queries)
        assert rows[case] == naive and naive, case
    assert all(rows[case] == rows["inner", 0] for case in rows if case[0] == "inner")


def test_the_small_macros_take_such_text_too(spark, project):
    bodies = {}
    for number, end in enumerate(ENDS):
        literal = "length('a\n   b')"
        bodies[f"number_{number}"] = f"select {{{{ dbt_range_join.bin_number({(literal + end)!r}, 2) }}}} as bin"
        bodies[f"bins_{number}"] = f"{{{{ dbt_range_join.generate_bins({('min(x) + ' + literal + end)!r}, {('max(y)' + end)!r}, 2, relation={(RELATION + end)!r}) }}}}"
        bodies[f"fan_{number}"] = (
            f"{{{{ dbt_range_join.fan_out_intervals({(RELATION + end)!r}, {['x' + end, 'y + ' + literal + end]!r}, 4, "
            f"select={['id' + end, literal + ' as n' + end]!r}, lower={('0' + end)!r}, upper={('9' + end)!r}) }}}}"
        )
    sql = project.compile(bodies)
    rows = {name: sorted(map(tuple, spark.sql(query).collect())) for name, query in sql.items()}
    assert rows["number_0"] == [(3,)]
    assert rows["bins_0"] == [(3,), (4,), (5,)]
    assert len(rows["fan_0"]) == 21 and rows["fan_0"][0] == (0, 6, 0)
    for name in rows:
        assert rows[name] == rows[name.split("_")[0] + "_0"], sql[name]


def test_the_small_macros_take_a_query_with_an_alias(spark, project):
    """Found by an attack: the model of a generic test that has a `where` is one, and was refused where the joins take it."""
    aliased = "(select id as s, id + 1 as e from range(3)) dbt_subquery"
    sql = project.compile(
        {
            "fan_aliased": f"{{{{ dbt_range_join.fan_out_intervals({aliased!r}, ['s', 'e'], 1) }}}}",
            "bins_aliased": f"{{{{ dbt_range_join.generate_bins('min(s)', 'max(e)', 1, relation={aliased!r}) }}}}",
        }
    )
    assert len(spark.sql(sql["fan_aliased"]).collect()) == 6
    assert sorted(row.bin_num for row in spark.sql(sql["bins_aliased"]).collect()) == [0, 1, 2, 3]


PIECES = st.sampled_from(
    ["x", "1", " + ", "\n", "\r", " ", "\x0b", "\x85", "\u2028", "-- a\u2028+ 1", "-- a\x0c+ 1", "'it''s'", "'a\n  b'", '"a\r\nb"', "r'c\\d'", "'\\\\'", "`x`", "-- note", "--", "--'\n", "-- a\\\n", "/*", "*/", "/* ' */", "(", ")", "-", "\\\n"]
)


def read(spark, text):
    """What Spark says that an expression is: its parsed form, without where in the text it stands; none where it is no expression."""
    try:
        return re.sub(r"#\d+L?", "", spark._jsparkSession.sessionState().sqlParser().parseExpression(text).toString())
    except Exception as error:
        if "ParseException" not in str(type(error)) + str(error):
            raise
        return None


def test_any_text_means_the_same_with_sql_around_it(spark, project):
    """Random texts, embedded as the package does: a text that Spark reads as an expression is read as the same one in parentheses and on lines that Jinja indents."""
    seen = []

    @settings(max_examples=600, derandomize=True, database=None, deadline=None)
    @given(st.lists(PIECES, min_size=1, max_size=9).map("".join))
    def collect(text):
        if read(spark, f"({text}\n)") is not None:
            seen.append(text)

    collect()
    texts = list(dict.fromkeys(seen))
    assert len(texts) > 60 and sum("--" in text for text in texts) > 15
    body = "{% for text in " + repr(texts) + " %}{% set sql = '(' ~ dbt_range_join._embeddable(text) ~ ')' %}{{ sql }}<end>{{ sql | indent(4) }}<end>{% endfor %}"
    embedded = project.compile({"texts": body})["texts"].split("<end>")[:-1]
    for text, inside, indented in zip(texts, embedded[::2], embedded[1::2], strict=True):
        expected = read(spark, f"({text}\n)")
        assert read(spark, inside) == read(spark, indented) == expected, text


def test_what_is_a_comment_alone_is_no_expression(project):
    try:
        project.compile({"faulty": "select {{ dbt_range_join.bin_number('-- nothing', 2) }}"})
    except DbtFailed as failure:
        assert "expression: got ''; allowed: a SQL expression as a string." in str(failure)
    else:
        raise AssertionError("the model compiled")
