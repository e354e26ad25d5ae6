"""Every bad argument is a compile error that names the macro, the argument, what was given, what is allowed and what to do."""

import re

import pytest

from dev.dbt_runner import DbtFailed
from dev.project import ROOT

CALL = {
    "left_relation": "'events'", "left_point": "'p'",
    "right_relation": "'versions'", "right_interval": "['s', 'e']", "bin_size": "10",
}  # fmt: skip
SIZES = (
    "a number above zero for numeric values, or '<number> <unit>' with one of the units microseconds, milliseconds, "
    "seconds, minutes, hours, days, weeks for dates and timestamps"
)
FIRST_SIZE = (
    "Next step: give about the length that nine in ten intervals stay below, such as bin_size='60 seconds' or bin_size=1000."
)
NO_SIZE = "Next step: give a number above zero, or leave bin_size out."
JOIN_TYPES_ALLOWED = "allowed: 'inner', 'left', 'right', 'full', 'semi', 'anti'"
INCLUSIVE_ALLOWED = "allowed: 'both', 'left', 'right', 'neither'"
ARGUMENTS_ALLOWED = (
    "allowed: the arguments left_relation, left_point, left_interval, right_relation, right_point, right_interval, keys, join_type, "
    "inclusive, null_bounds, join_condition, select, bin_size, broadcast, shuffle_hash, extent, longest."
)
RELATION = "a relation such as ref('events'), the name of a CTE above, or a query in parentheses"
KEYS = "a list of column names that both sides have, or of pairs ['left expression', 'right expression']"

TWO_NUMBERS = "a list of two numbers of at most 38 digits, the earlier or lesser one first, for that bin_size. Next step: extent=[0, 1000000]."
TWO_TIMES = (
    "a list of two dates or times without a zone, 'YYYY-MM-DD' or 'YYYY-MM-DD hh:mm:ss', the earlier or lesser one first, for that bin_size. "
    "Next step: extent=['2024-01-01', '2024-02-01']."
)
LONGEST = "at most 16382 times bin_size. Next step: give a longer bin_size, or leave longest out."

# What is changed in the call above (None: left out), and how each line of the message begins, word for word; no line more.
FAULTS = [
    ({"bin_size": "0"}, [f"bin_size: got 0; allowed: {SIZES}. {NO_SIZE}"]),
    ({"bin_size": "-1.5"}, [f"bin_size: got -1.5; allowed: {SIZES}. {NO_SIZE}"]),
    ({"bin_size": "true"}, [f"bin_size: got True; allowed: {SIZES}. {NO_SIZE}"]),
    ({"bin_size": "'60'"}, [f"bin_size: got '60'; allowed: {SIZES}. Next step: such as bin_size='60 seconds', or bin_size=60 for numeric values."]),
    ({"bin_size": "'60 parsecs'"}, [f"bin_size: got '60 parsecs'; allowed: {SIZES}. {NO_SIZE}"]),
    *(({"bin_size": repr(given)}, [f"bin_size: got '{given}'; allowed: {SIZES}. Next step: such as bin_size='{meant}'."]) for given, meant in (
        ("1 monht", "30 days"), ("1h", "1 hour"), ("90s", "90 seconds"), ("5 mins", "5 minutes"), ("interval 1 day", "1 day"), ("2 wekes", "2 weeks"),
        ("-5 hours", "5 hours"), ("1.5 yr", "548 days"))),
    ({"bin_size": "'0 hrs'"}, [f"bin_size: got '0 hrs'; allowed: {SIZES}. {NO_SIZE}"]),
    ({"bin_size": "'1 month'"}, [
        f"bin_size: got '1 month'; allowed: {SIZES}. Next step: a month has no fixed length: write it in days."]),
    ({"bin_size": "'0.5 microseconds'"}, [
        "bin_size: got '0.5 microseconds'; allowed: a whole number of microseconds, from 1 to 9223372036854775807."]),
    ({"bin_size": "[60]"}, [f"bin_size: got [60]; allowed: {SIZES}. {NO_SIZE}"]),
    ({"bin_size": "1e-39"}, ["bin_size: got 1e-39; allowed: a number of at most 38 digits, decimals included."]),
    ({"bin_size": "10 ** 38"}, [f"bin_size: got 1{'0' * 38}; allowed: a number of at most 38 digits, decimals included."]),
    ({"join_type": "'outer'"}, [f"join_type: got 'outer'; {JOIN_TYPES_ALLOWED}. Next step: join_type='full' or join_type='left'."]),
    *(({"join_type": repr(given)}, [f"join_type: got '{given}'; {JOIN_TYPES_ALLOWED}. Next step: join_type='{meant}'."]) for given, meant in (
        ("left outer", "left"), ("inner join", "inner"), ("LEFT", "left"), ("full_outer", "full"), ("LEFT SEMI JOIN", "semi"), ("leftanti", "anti"), ("rihgt", "right"))),
    ({"join_type": "'cross'", "select": "['r.x']"}, [f"join_type: got 'cross'; {JOIN_TYPES_ALLOWED}."]),
    ({"join_type": "none"}, ["join_type: got None; allowed: 'inner', 'left', 'right', 'full', 'semi', 'anti'."]),
    ({"inclusive": "'start'"}, ["inclusive: got 'start'; allowed: 'both', 'left', 'right', 'neither'."]),
    *(({"inclusive": repr(given)}, [f"inclusive: got '{given}'; {INCLUSIVE_ALLOWED}. Next step: inclusive='{meant}'."]) for given, meant in (
        ("[)", "left"), ("(]", "right"), ("[]", "both"), ("()", "neither"), ("none", "neither"), ("Left", "left"))),
    ({"inclusive": "none"}, [f"inclusive: got None; {INCLUSIVE_ALLOWED}."]),
    ({"null_bounds": "'open'"}, ["null_bounds: got 'open'; allowed: 'no_match', 'unbounded'. Next step: null_bounds='unbounded'."]),
    ({"null_bounds": "'no match'"}, ["null_bounds: got 'no match'; allowed: 'no_match', 'unbounded'. Next step: null_bounds='no_match'."]),
    ({"broadcast": "'both'"}, ["broadcast: got 'both'; allowed: 'left', 'right'."]),
    ({"shuffle_hash": "'both'"}, ["shuffle_hash: got 'both'; allowed: 'left', 'right'."]),
    ({"broadcast": "'left'", "shuffle_hash": "'right'"}, [
        "broadcast and shuffle_hash: got 'left and right'; allowed: one of the two. "
        "Next step: keep broadcast where that side fits in the memory of every executor, else shuffle_hash."]),
    ({"bin_size": "none", "extent": "[0, 5]", "longest": "3"}, [
        "extent: got [0, 5]; allowed: none without a bin_size. Next step: give bin_size, or leave extent and longest out: the data is measured then."]),
    ({"bin_size": "10", "extent": "['2024-01-01', '2024-02-01']"}, [f"extent: got ['2024-01-01', '2024-02-01']; allowed: {TWO_NUMBERS}"]),
    ({"bin_size": "10", "extent": "[5, 4]"}, [f"extent: got [5, 4]; allowed: {TWO_NUMBERS}"]),
    ({"bin_size": "10", "extent": "[1, 2, 3]"}, [f"extent: got [1, 2, 3]; allowed: {TWO_NUMBERS}"]),
    ({"bin_size": "10", "extent": "7"}, [f"extent: got 7; allowed: {TWO_NUMBERS}"]),
    ({"bin_size": "10", "extent": "[0, no_such_variable]"}, [f"extent: got [0, Undefined]; allowed: {TWO_NUMBERS}"]),
    ({"bin_size": "10", "extent": "no_such_variable"}, ["extent: got an undefined variable; allowed: a value that is defined."]),
    ({"bin_size": "0.5", "extent": "[0, 10 ** 400]"}, [f"extent: got {f'[0, {10 ** 400}]'[:97]}...; allowed: {TWO_NUMBERS}"]),
    ({"bin_size": "10", "extent": "{'from': 0, 'to': 5}"}, [f"extent: got {{'from': 0, 'to': 5}}; allowed: {TWO_NUMBERS}"]),
    ({"bin_size": "'1 minute'", "extent": "['2024-01-01', '2023-01-01 00:00']"}, [
        f"extent: got ['2024-01-01', '2023-01-01 00:00']; allowed: {TWO_TIMES}"]),
    ({"bin_size": "'1 minute'", "extent": "['2024-13-01', 'now']"}, [f"extent: got ['2024-13-01', 'now']; allowed: {TWO_TIMES}"]),
    ({"bin_size": "'1 minute'", "longest": "'1 hour'"}, [
        "longest: got '1 hour'; allowed: none without extent. Next step: give extent too, such as extent=['2024-01-01', '2024-02-01']."]),
    ({"bin_size": "10", "extent": "[0, 100]", "longest": "'1 hour'"}, ["longest: got '1 hour'; allowed: a number above zero, as bin_size is."]),
    ({"bin_size": "10", "extent": "[0, 100]", "longest": "163830"}, [f"longest: got 163830; allowed: {LONGEST}"]),
    ({"bin_size": "10", "extent": "[0, 100]", "longest": "0"}, [f"longest: got 0; allowed: {SIZES}. Next step: give a number above zero, or leave longest out."]),
    ({"left_relation": None}, [f"left_relation: got None; allowed: {RELATION}."]),
    ({"left_relation": "'select 1'"}, [
        f"left_relation: got 'select 1'; allowed: {RELATION}. Next step: put parentheses around a query, and no semicolon."]),
    ({"left_relation": "'(select 1 as p) /* ( */ union all (select 2 as p)'"}, [
        f"left_relation: got '(select 1 as p) /* ( */ union all (select 2 as p)'; allowed: {RELATION}. Next step: put one pair of parentheses around all of the query."]),
    *(({"left_relation": repr(given)}, [
        f"left_relation: got '{given}'; allowed: {RELATION}. Next step: write {call} without the quotes."]) for given, call in (
            ('ref("shop_orders")', 'ref("shop_orders")'), ('source("a", "b")', 'source("a", "b")'), ('{{ ref("shop_orders") }}', 'ref("shop_orders")'))),
    ({"left_relation": "'range_join_points'"}, [
        f"left_relation: got 'range_join_points'; allowed: {RELATION}; names that begin with 'range_join_' are kept for "
        "the CTEs that this package writes. Next step: rename the CTE."]),
    ({"left_relation": "'`RANGE_JOIN_points`'", "right_relation": "'range_join_dev.versions'"}, [
        f"left_relation: got '`RANGE_JOIN_points`'; allowed: {RELATION}; names that begin with 'range_join_' are kept for "
        "the CTEs that this package writes. Next step: rename the CTE."]),
    ({"left_relation": "no_such_variable"}, [f"left_relation: got an undefined variable; allowed: {RELATION}."]),
    ({"left_point": "no_such_variable"}, ["left_point: got an undefined variable; allowed: a value that is defined."]),
    ({"left_interval": "['a', 'b']"}, [
        "left_point and left_interval: got both; allowed: exactly one of the two. "
        "Next step: left_point='event_at' or left_interval=['start_time', 'end_time']."]),
    ({"right_interval": None}, [
        "right_point and right_interval: got none of the two; allowed: exactly one of the two. "
        "Next step: right_point='event_at' or right_interval=['start_time', 'end_time']."]),
    ({"right_interval": None, "right_point": "'q'"}, [
        "left_point and right_point: got 'p and q'; allowed: an interval on at least one side. Next step: give left_interval "
        "or right_interval; points that are within x of each other are a point and the interval ['p - x', 'p + x']."]),
    ({"right_interval": "'s, e'"}, [
        "right_interval: got 's, e'; allowed: a list of two SQL expressions. Next step: right_interval=['start_time', 'end_time']."]),
    ({"right_interval": "['s']"}, [
        "right_interval: got ['s']; allowed: a list of two SQL expressions. Next step: right_interval=['start_time', 'end_time']."]),
    ({"right_interval": "['s', none]"}, [
        "right_interval: got ['s', None]; allowed: a list of two SQL expressions. "
        "Next step: right_interval=['start_time', 'end_time']."]),
    ({"left_point": "''"}, ["left_point: got ''; allowed: a SQL expression as a string."]),
    ({"left_point": "5"}, ["left_point: got 5; allowed: a SQL expression as a string."]),
    ({"keys": "'user_id'"}, [f"keys: got 'user_id'; allowed: {KEYS}. Next step: keys=['user_id']."]),
    ({"keys": "['lower(email)']"}, [
        f"keys: got 'lower(email)'; allowed: {KEYS}. "
        "Next step: an expression is written for each side: ['lower(email)', 'lower(email)']."]),
    ({"keys": "[['a', 'b', 'c']]"}, [f"keys: got ['a', 'b', 'c']; allowed: {KEYS}."]),
    ({"select": "'l.*'"}, [
        "select: got 'l.*'; allowed: a list of SQL select items, or none for all columns. Next step: select=['l.*']."]),
    ({"select": "'l.order_id, r.plan'"}, [
        "select: got 'l.order_id, r.plan'; allowed: a list of SQL select items, or none for all columns. Next step: select=['l.order_id', 'r.plan']."]),
    ({"select": "'coalesce(l.a, r.b) as c, r.`d,e`, array(1, 2)[l.a] as f, \\',\\' as g'"}, [
        "select: got 'coalesce(l.a, r.b) as c, r.`d,e`, array(1, 2)[l.a] as f, ',' as g'; allowed: a list of SQL select items, or none for all columns. "
        "Next step: select=['coalesce(l.a, r.b) as c', 'r.`d,e`', 'array(1, 2)[l.a] as f', \"',' as g\"]."]),
    ({"keys": "['user_id, day']"}, [f"keys: got 'user_id, day'; allowed: {KEYS}. Next step: keys=['user_id', 'day']."]),
    ({"keys": "['']"}, [f"keys: got ''; allowed: {KEYS}."]),
    ({"keys": "['1']"}, [f"keys: got '1'; allowed: {KEYS}. Next step: an expression is written for each side: ['1', '1']."]),
    ({"keys": "'user_id, day'"}, [f"keys: got 'user_id, day'; allowed: {KEYS}. Next step: keys=['user_id', 'day']."]),
    ({"join_type": "'semi'", "select": "['l.*', 'r.plan', \"l.note = 'r.plan' as is_r\", '(select max(r.x) from r) as x', 'r.`a b` as c', 'R . *']"}, [
        f"select: got '{item}'; allowed: columns of l with join_type 'semi', which has rows of l alone. Next step: leave it out, or change join_type."
        for item in ("r.plan", "r.`a b` as c", "R . *")]),
    ({"select": "[]"}, ["select: got []; allowed: a list of SQL select items, or none for all columns."]),
    ({"select": "['distinct *', 'count(*) as n', \"'(*'\", \"if(l.a > 0, '2' * l.b, 2 * l.distinct * l.c)\", '(select max(x) from (select distinct * from t))']"}, [
        "select: got 'distinct *'; allowed: a `*` of one side, 'l.*' or 'r.*'. Next step: select=['l.*', 'r.*']."]),
    ({"select": "['struct( * ) as row']"}, [
        "select: got 'struct( * ) as row'; allowed: a `*` of one side, 'l.*' or 'r.*'. Next step: select=['l.*', 'r.*']."]),
    ({"join_condition": "true"}, ["join_condition: got True; allowed: a SQL expression as a string."]),
    ({"join_condition": "'l.a NOT in ( select b from t)'", "join_type": "'left'"}, [
        "join_condition: got 'l.a NOT in ( select b from t)'; allowed: no NOT IN over a query with join_type 'left', nor an IN that is compared, as Spark takes NULLs in it in "
        "two ways there. Next step: write not exists (select 1 from ... where ...), which is the same where there are no NULLs."]),
    *(({"join_condition": repr(given), "join_type": f"'{join_type}'"}, [
        f"join_condition: got '{given}'; allowed: no NOT IN over a query with join_type '{join_type}', nor an IN that is compared, as Spark takes"]) for given, join_type in (
            ("not coalesce(l.a, 0) in (select b from t)", "right"), ("! (l.a in (values (1)))", "left"),
            ("not (l.a = 1 or l.`b c` in (with u as (select 1) select * from u))", "full"),
            ("l.a not in ((select b from t) union all (select b from u))", "right"), ("l.a not in ( ( (select b from t) ) order by 1)", "left"),
            ("(l.a in (select b from t)) = false", "left"), ("true <> (l.b or l.a in (select b from t))", "full"))),
    ({"join_condition": "'l.a = 1) or (r.b = 2'", "left_point": "'p) + (1'", "right_interval": "['s', 'e)']", "keys": "[['l.k', 'r.k) or (true']]", "select": "['l.a) + (1']"}, [
        f"{argument}: got '{given}'; allowed: SQL whose parentheses are closed after they are opened." for argument, given in (
            ("left_point", "p) + (1"), ("right_interval", "e)"), ("keys", "r.k) or (true"), ("join_condition", "l.a = 1) or (r.b = 2"), ("select", "l.a) + (1"))]),
    ({"join_condition": "'l.a = 1;'", "left_point": "'p ;'", "right_interval": "['s', 'e;']", "keys": "[['l.k;', 'r.k']]", "select": "['l.a;']"}, [
        f"{argument}: got '{given}'; allowed: SQL without a semicolon." for argument, given in (
            ("left_point", "p ;"), ("right_interval", "e;"), ("keys", "l.k;"), ("join_condition", "l.a = 1;"), ("select", "l.a;"))]),
    ({"keys": "['l.user_id', 'r . `a b`']"}, [
        f"keys: got 'l.user_id'; allowed: {KEYS}. Next step: keys=['user_id'].", f"keys: got 'r . `a b`'; allowed: {KEYS}. Next step: keys=['`a b`']."]),
    ({"keys": "['lower(l.email)']"}, [
        f"keys: got 'lower(l.email)'; allowed: {KEYS}. Next step: an expression is written for each side: ['lower(l.email)', 'lower(r.email)']."]),
    ({"left_points": "'p'"}, [f"left_points: got 'p'; {ARGUMENTS_ALLOWED}"]),
    ({"bin_size": None, "binsize": "10"}, [f"binsize: got 10; {ARGUMENTS_ALLOWED} Next step: did you mean bin_size?"]),
    ({"left_relation": None, "left_realtion": "'events'", "join_type": None, "Join_Type": "'left'"}, [
        f"left_realtion: got 'events'; {ARGUMENTS_ALLOWED} Next step: did you mean left_relation?",
        f"Join_Type: got 'left'; {ARGUMENTS_ALLOWED} Next step: did you mean join_type?"]),
    ({"left_relation": None, "left_realtion": "3"}, [
        f"left_realtion: got 3; {ARGUMENTS_ALLOWED} Next step: did you mean left_relation?", f"left_relation: got 3; allowed: {RELATION}."]),
    ({"bin_size": "no_such_variable", "join_type": "'outer'", "inclusive": "1", "left_relation": "3"}, [
        f"left_relation: got 3; allowed: {RELATION}.",
        f"join_type: got 'outer'; {JOIN_TYPES_ALLOWED}.",
        "inclusive: got 1; allowed: 'both', 'left', 'right', 'neither'.",
        f"bin_size: got an undefined variable; allowed: {SIZES}. {FIRST_SIZE}"]),
]  # fmt: skip

SMALL_MACROS = [
    ("bin_number('', 10)", ["expression: got ''; allowed: a SQL expression as a string."]),
    ("bin_number('x;', 10)", ["expression: got 'x;'; allowed: SQL without a semicolon."]),
    ("bin_number('x', 0)", [f"bin_size: got 0; allowed: {SIZES}. Next step: give a number above zero."]),
    ("bin_number('x', none)", [f"bin_size: got None; allowed: {SIZES}. {FIRST_SIZE}"]),
    ("generate_bins(1, 'b', '1 year', bin_column='a b')", [
        "lower: got 1; allowed: a SQL expression as a string. Next step: write lower='1'.",
        "bin_column: got 'a b'; allowed: a column name, in backticks where it is not a plain word.",
        f"bin_size: got '1 year'; allowed: {SIZES}. Next step: a year has no fixed length: write it in days."]),
    ("fan_out_intervals('t', ['s', 'e'], 5, null_bounds='unbounded', upper='9')", [
        "lower: got None; allowed: a SQL expression when null_bounds is 'unbounded'. Next step: an open interval ends in no "
        "bin of its own: give the extent to clamp it to, such as '(select min(ts) from points)'."]),
    ("fan_out_intervals('t', 's', 5, inclusive='none')", [
        "interval: got 's'; allowed: a list of two SQL expressions. Next step: interval=['start_time', 'end_time'].",
        f"inclusive: got 'none'; {INCLUSIVE_ALLOWED}. Next step: inclusive='neither'."]),
    ("fan_out_intervals('t', ['s', 'e'], 5, select=['Distinct id', 's'])", [
        "select: got 'Distinct id'; allowed: columns and expressions. Next step: select distinct from the result."]),
]  # fmt: skip

# The arguments with which each public macro passes a call on where it has no implementation for the adapter.
PUBLIC = {
    "bin_number": "'x', 1",
    "generate_bins": "'1', '2', 1, none, 'bin_num'",
    "fan_out_intervals": "'t', ['s', 'e'], 5, none, 'bin_num', 'both', 'no_match', none, none",
    **dict.fromkeys(("binned_range_join", "naive_range_join", "profile_range_join"), "left_relation='events', join_type='inner'"),
    "explain_range_join": "model='events', join_type='inner'",
    "equals_naive_range_join": "model='events', left_relation='events', join_type='inner', left_where=none",
}

JOIN_TYPES = ("inner", "right", "full")

# Columns of the left and the right side that have names in common, and what is told.
CLASHES = [
    ("1 as k, 2 as p, 'x' as name, 0 as id", "1 as K, 1 as s, 3 as e, 'y' as NAME, 0 as id",
     "select: got None; allowed: none only where no column but a shared key is on both sides; both have name, id. "
     "Next step: name the columns, such as select=['l.*', 'r.name as right_name']."),
    ("1 as k, 2 as p, 4 as `né`", "1 as k, 1 as s, 3 as e, 4 as `né`",
     "select: got None; allowed: none only where no column but a shared key is on both sides; both have né. "
     "Next step: name the columns, such as select=['l.*', 'r.`né` as `right_né`']."),
]  # fmt: skip

# No negation of a query, whatever it looks like.
NOT_NEGATED = (
    "l.a in (select b from t) and r.z is not null", "not (l.a > 1) and l.a in (select b from t)", "l.a != 1 and l.a in (select b from t)",
    "not exists (select 1 from t where b in (select c from u))", "l.a not in (1, 2)", "l.note <> 'not in (select 1)' -- not in (select 1)\n",
    "not l.is_old and l.a in (select b from t)", "l.a not in ((select max(b) from t), (select min(b) from t))", "l.a = (select max(b) from t where c in (select d from u))",
    "(l.a in (select b from t)) and l.a = r.a", "l.note = ')' and (l.a in (select b from t) or r.b = 2)",
)  # fmt: skip
NOT_IN = "l.a not in (select b from t)"


def call(**changes):
    """The arguments of a call, with some of them changed or left out."""
    arguments = {**CALL, **changes}
    return ", ".join(f"{name}={value}" for name, value in arguments.items() if value is not None)


def body(macro, arguments):
    return f"{{{{ dbt_range_join.{macro}({arguments}) }}}}"


def over_views(spark, name, left, right, keys=("k",), join_type="inner"):
    """A call on two views that have these columns."""
    spark.sql("create database if not exists clashes")
    for side, columns in (("left", left), ("right", right)):
        spark.sql(f"create or replace view clashes.{name}_{side} as select {columns}")
    relations = (f"{side}_relation=api.Relation.create(schema='clashes', identifier='{name}_{side}')" for side in ("left", "right"))
    return body("binned_range_join", ", ".join([*relations, f"left_point='p', right_interval=['s', 'e'], bin_size=2, keys={[*keys]}, join_type={join_type!r}"]))


@pytest.fixture(scope="module")
def messages(project, spark):
    """What each faulty call is told, all from one dbt call."""
    bodies = {f"fault_{number}": body("binned_range_join", call(**changes)) for number, (changes, _) in enumerate(FAULTS)}
    bodies |= {f"small_{number}": "{{ dbt_range_join." + text + " }}" for number, (text, _) in enumerate(SMALL_MACROS)}
    bodies |= {f"refused_{macro}": body(f"default__{macro}", arguments) for macro, arguments in PUBLIC.items()}
    bodies |= {f"clash_{number}": over_views(spark, f"clash_{number}", left, right) for number, (left, right, _) in enumerate(CLASHES)}
    bodies["naive"] = body("naive_range_join", call(bin_size="'x'"))
    return project.errors(bodies)


@pytest.fixture(scope="module")
def compiled(project, spark):
    """What calls that are no fault compile to, all from one dbt call."""
    bodies = {"naive_without_size": body("naive_range_join", call(bin_size=None))}
    for number, condition in enumerate(NOT_NEGATED):
        arguments = call(join_type="'full'", join_condition=repr(condition), select="['l.a', 'r.z']")
        bodies[f"not_negated_{number}"] = body("binned_range_join", arguments)
    bodies["naive_not_in"] = body("naive_range_join", call(join_type="'full'", join_condition=repr(NOT_IN)))
    bodies["keyed"] = over_views(spark, "keyed", CLASHES[0][0], CLASHES[0][1].replace("'y'", "'x'"), ("k", "name", "id", "k"))  # k twice is k
    odd = "1 as k, 4 as `a``b`"
    for join_type in JOIN_TYPES:
        bodies[f"odd_{join_type}"] = over_views(spark, f"odd_{join_type}", f"{odd}, 2 as p", f"{odd}, 1 as s, 3 as e", ("k", "`k`", "`a``b`"), join_type)
    bodies |= any_names(spark)
    bodies["aliased"] = body("binned_range_join", call(left_relation="'(select 1 as p, 2 as id) dbt_subquery'"))
    return project.compile(bodies)


def check_faults(message, macro, lines):
    """The message is the macro's, has these faults and no others, in this order, and no empty next step."""
    told = [line.removeprefix("- ") for line in map(str.strip, message.splitlines()) if line.startswith("- ")]
    assert f"dbt_range_join.{macro}: {len(lines)} argument{'s' if len(lines) > 1 else ''} to put right" in message
    assert len(told) == len(lines), message
    for line, start in zip(told, lines, strict=True):
        assert line.startswith(start), message
        assert "Next step" not in start or line == start or not start.endswith((".", "?")), message
    assert "Next step: ." not in message


@pytest.mark.parametrize("number", range(len(FAULTS)), ids=[str(changes)[:60] for changes, _ in FAULTS])
def test_a_fault_is_told_word_for_word(messages, number):
    check_faults(messages[f"fault_{number}"], "binned_range_join", FAULTS[number][1])


@pytest.mark.parametrize("number", range(len(SMALL_MACROS)), ids=[text[:40] for text, _ in SMALL_MACROS])
def test_a_fault_of_a_small_macro(messages, number):
    text, lines = SMALL_MACROS[number]
    check_faults(messages[f"small_{number}"], text.split("(")[0], lines)


def test_a_fault_is_told_before_anything_runs(spark, project):
    """By dbt parse, in the words of dbt run; what only the columns tell, by dbt compile. Both name the caller's place."""
    changes, lines = FAULTS[-1]
    project.write({"faulty.sql": body("binned_range_join", call(**changes))})
    with pytest.raises(DbtFailed) as failure:
        project.dbt("parse")
    check_faults(str(failure.value), "binned_range_join", lines)
    assert "> called by model faulty (models/faulty.sql)" in str(failure.value)
    left, right, told = CLASHES[0]
    message = project.compile_error(over_views(spark, "faulty", left, right))
    check_faults(message, "binned_range_join", [told])
    assert "> called by model faulty (models/faulty.sql)" in message


@pytest.mark.parametrize("macro", PUBLIC)
def test_another_adapter_is_refused(messages, macro):
    told = f"dbt_range_join.{macro}: no implementation for the adapter 'spark'; it works on 'spark' and on adapters derived from it."
    assert told in messages[f"refused_{macro}"]


def test_every_public_macro_refuses_another_adapter():
    assert {path.stem for path in (ROOT / "macros").glob("*.sql")} == set(PUBLIC)


def test_naive_needs_no_bin_size_but_checks_one(compiled, messages):
    assert "inner join" in compiled["naive_without_size"]
    check_faults(messages["naive"], "naive_range_join", [f"bin_size: got 'x'; allowed: {SIZES}."])


def test_queries_that_are_not_negated_are_no_fault(compiled):
    for number, condition in enumerate(NOT_NEGATED):
        assert condition.partition(" -- ")[0] in compiled[f"not_negated_{number}"]  # without a comment at its end


def test_naive_takes_not_in(compiled):
    """It is the join as Spark has it, whatever that makes of NULLs."""
    assert NOT_IN in compiled["naive_not_in"]


@pytest.mark.parametrize("number", range(len(CLASHES)))
def test_a_name_on_both_sides_is_told(messages, number):
    """The default select refuses to make a column twice, and names what clashes."""
    check_faults(messages[f"clash_{number}"], "binned_range_join", [CLASHES[number][2]])


def test_a_shared_key_comes_once(spark, compiled):
    result = spark.sql(compiled["keyed"])
    assert result.columns == ["k", "p", "name", "id", "s", "e"]
    assert [tuple(row) for row in result.collect()] == [(1, 2, "x", 0, 1, 3)]


@pytest.mark.parametrize("join_type", JOIN_TYPES)
def test_a_shared_key_with_a_backtick_in_its_name(spark, compiled, join_type):
    """Found by an attack: it was no column name, and a key in backticks and without was two."""
    result = spark.sql(compiled[f"odd_{join_type}"])
    assert result.columns == ["k", "a`b", "p", "s", "e"]
    assert [tuple(row) for row in result.collect()] == [(1, 4, 2, 1, 3)]


def test_a_query_may_have_an_alias(compiled):
    """As dbt gives it to a generic test that has a `where`."""
    assert "from (select 1 as p, 2 as id) as l" in compiled["aliased"]


def any_names(spark):
    """Joins of a table whose columns have names of all sorts."""
    columns = "1 as k, 2 as p, 3 as `straße`, 4 as `my col`, 5 as `_hoodie_file_name`, 6 as `#pos`, 7 as z, 8 as ```p```"
    spark.sql("create database if not exists any_names")
    spark.sql("drop table if exists any_names.l")
    spark.sql(f"create table any_names.l using parquet as select {columns}")
    arguments = (
        "left_relation=api.Relation.create(schema='any_names', identifier='l'), left_point='p', "
        "right_relation='(select 1 as k, 1 as s, 3 as e)', right_interval=['s', 'e'], keys=['k'], bin_size=2"
    )
    return {
        f"any_names_{macro}_{join_type}": body(f"{macro}_range_join", f"{arguments}, join_type='{join_type}'")
        for macro in ("binned", "naive") for join_type in JOIN_TYPES
    }  # fmt: skip


@pytest.mark.parametrize("join_type", JOIN_TYPES)
def test_columns_of_any_name_are_all_there(spark, compiled, join_type):
    """Found in review: columns from one that begins with '#' on, and those of Hudi, were not in the list of a right or full join with a shared key, and `straße` was not quoted; by an attack: a column with backticks in its name."""
    for macro in ("binned", "naive"):
        result = spark.sql(compiled[f"any_names_{macro}_{join_type}"])
        assert result.columns == ["k", "p", "straße", "my col", "_hoodie_file_name", "#pos", "z", "`p`", "s", "e"], macro
        assert [tuple(row) for row in result.collect()] == [(1, 2, 3, 4, 5, 6, 7, 8, 1, 3)], macro


def test_names_that_differ_by_case(spark, project):
    """Found by an attack: under spark.sql.caseSensitive a column named like a key but for case had the value of either side, in the plain join, too."""
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        spark.sql("create database if not exists any_names")
        spark.sql("create or replace view any_names.cased as select 1 as k, 100 as K, 5 as p, 1 as id")
        spark.sql("create or replace view any_names.cased_right as select * from values (1, 200, 0, 9, 7), (2, 300, 0, 1, 8) as t(k, Kk, s, e, Id)")
        arguments = (
            "left_relation=api.Relation.create(schema='any_names', identifier='cased'), left_point='p', "
            "right_relation=api.Relation.create(schema='any_names', identifier='cased_right'), right_interval=['s', 'e'], keys=['k'], join_type='full', bin_size=2"
        )
        for sql in project.compile({macro: body(f"{macro}_range_join", arguments) for macro in ("binned", "naive")}).values():
            result = spark.sql(sql)
            assert result.columns == ["k", "K", "p", "id", "Kk", "s", "e", "Id"]
            assert sorted(map(tuple, result.collect())) == [(1, 100, 5, 1, 200, 0, 9, 7), (2, None, None, None, 300, 0, 1, 8)]
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_names_of_two_sides_that_differ_by_case(spark, project):
    """Found by an attack: they clash, but not under spark.sql.caseSensitive."""
    spark.sql("create database if not exists any_names")
    spark.sql("create or replace view any_names.low as select id, id as p from range(3)")
    spark.sql("create or replace view any_names.high as select id as Id, id as s, id + 1 as e from range(3)")
    arguments = ", ".join(f"{side}_relation=api.Relation.create(schema='any_names', identifier='{name}')" for side, name in (("left", "low"), ("right", "high")))
    join = {"by_case": body("binned_range_join", arguments + ", left_point='p', right_interval=['s', 'e'], bin_size=2")}
    with pytest.raises(DbtFailed, match=re.escape("both have id. Next step: name the columns, such as select=['l.*', 'r.id as right_id']")):
        project.compile(join)
    spark.conf.set("spark.sql.caseSensitive", "true")
    try:
        assert spark.sql(project.compile(join)["by_case"]).columns == ["id", "p", "Id", "s", "e"]
    finally:
        spark.conf.unset("spark.sql.caseSensitive")


def test_columns_that_a_pre_hook_makes(spark, project):
    """Found by an attack: the default list had the columns from before the hook, and a name that was then on both sides was a compile error for ever."""
    spark.sql("create database if not exists any_names")
    joins = {
        "right": ("1 as k, 2 as p", "1 as k, 2 as p, 7 as added", ["k", "p", "added", "s", "e"], [(1, 2, 7, 1, 3)]),
        "inner": ("1 as k, 2 as p, 3 as s", "1 as k, 2 as p", ["k", "p", "s", "e"], [(1, 2, 1, 3)]),
    }
    models = {}
    for join_type, (before, after, _, _) in joins.items():
        spark.sql(f"create or replace view any_names.hooked_{join_type} as select {before}")
        models[f"hooked_{join_type}"] = (
            f"{{{{ config(materialized='table', pre_hook='create or replace view any_names.hooked_{join_type} as select {after}') }}}}\n"
            + body("binned_range_join", f"left_relation=api.Relation.create(schema='any_names', identifier='hooked_{join_type}'), left_point='p', "
                   f"right_relation='(select 1 as k, 1 as s, 3 as e)', right_interval=['s', 'e'], keys=['k'], bin_size=2, join_type='{join_type}'")
        )  # fmt: skip
    project.built(models)
    for join_type, (_, _, columns, rows) in joins.items():
        result = spark.table(f"scratch.hooked_{join_type}")
        assert result.columns == columns and [tuple(row) for row in result.collect()] == rows, join_type
