"""Data that a sample is easily wrong about: keys of two types, keys that few rows meet, outliers, instants, infinities, wide tables."""

import json
import math
import re
from collections import Counter
from itertools import pairwise, product
from random import Random

import pytest

from tests.support.both import bag
from tests.support.judge import join_in_jinja

CALL = (
    "dbt_range_join.{macro}_range_join(left_relation='({left})', left_point='p', right_relation='({right})', right_interval=['s', 'e'], "
    "select=[{select}]{more})"
)
BOTH_IDS = "'l.id as l_id', 'r.id as r_id'"
TABLE = "{{ config(materialized='table') }}\n"


def call(left, right, more="", macro="binned", select=BOTH_IDS):
    """One join as a model's body. left, right: queries with id and p, and with id, s and e."""
    assert "'" not in left + right, "the queries stand in quotes"
    return "{{ " + CALL.format(macro=macro, left=left, right=right, select=select, more=more) + " }}"


def plan_of(sql):
    """The line that says how a join is made."""
    return re.search("-- dbt_range_join: (.*)", sql)[1]


def number_in(pattern, text):
    """A number of rows or pairs that a plan mentions."""
    return int(re.search(pattern, text)[1].replace(",", ""))


def compared(spark, sql):
    """How many pairs the levels of a join of points with intervals bring together."""
    steps = sql[sql.index("with range_join_left as"):].split("-- step 2")[0]
    return spark.sql(steps + " select count(*) from range_join_left_level_probes join range_join_right_leveled using (slot)").first()[0]


def assert_same(spark, sql, naive):
    """The same rows as the plain join; returns how many."""
    expected = bag(spark, naive)
    assert bag(spark, sql[sql.index("with range_join_left as") :]) == expected
    return expected[0]


KEYS = {
    "a date and a timestamp": ('date"2024-01-01" + cast(id % 20 as int)', 'timestamp"2024-01-01" + make_dt_interval(cast(id % 20 as int))'),
    "a whole number and a decimal": ("id % 20", "cast(id % 20 as decimal(9, 2))"),
    "a number and a double": ("cast(id % 20 as int)", "cast(id % 20 as double)"),
    "a text and a number": ('concat("0", id % 20)', "id % 20"),
    "a text and a date": ('cast(date"2024-01-01" + cast(id % 20 as int) as string)', 'date"2024-01-01" + cast(id % 20 as int)'),
    "decimals of two scales": ("cast(id % 20 as decimal(12, 4))", "cast(id % 20 as decimal(9, 1))"),
    "texts to which case does not matter": ('concat("k", id % 20) collate UTF8_LCASE', 'concat("K", id % 20) collate UTF8_LCASE'),
}


def test_keys_of_two_types_are_seen_to_agree(spark, project):
    """Twenty keys leave a twentieth of all pairs. Hashed as the text of their own type, none would seem to agree, and no bins would be made."""
    points = "select id, cast(id * 7919 % 400000 as int) as p, {key} as k from range(60000)"
    intervals = "select id, s, s + 9 as e, {key} as k from (select id, cast(id * 7919 % 400000 as int) as s from range(40000))"
    bodies = {
        f"keys_{number}": call(points.format(key=left), intervals.format(key=right), ", keys=['k']")
        for number, (left, right) in enumerate(KEYS.values())
    }
    for length in (4, 8):
        spark.sql(f"drop table if exists chars_{length}")
        spark.sql(f"create table chars_{length} (id bigint, p int, s int, e int, k char({length})) using parquet")
        spark.sql(f"insert into chars_{length} select id, id * 7919 % 400000, id * 7919 % 400000, id * 7919 % 400000 + 9, concat('k', id % 20) from range(40000)")
    bodies["chars"] = call("select * from chars_4", "select * from chars_8", ", keys=['k']")
    bodies["null_keys"] = call(points.format(key="if(id % 100 = 0, id % 20, null)"), intervals.format(key="id % 20"), ", keys=['k']")
    bodies["no_key"] = call(points.format(key="cast(null as int)").replace("60000", "1"), intervals.format(key="7"), ", keys=['k']")
    plans = {name: plan_of(sql) for name, sql in project.compile(bodies).items()}
    for name, plan in zip([*KEYS, "chars"], plans.values(), strict=False):
        assert plan.startswith("bins of "), f"{name}: {plan}"
    assert 1_000_000 < number_in(r"only about ([\d,]+) pairs of equal keys", plans["null_keys"]) < 1_400_000, "a hundredth of a twentieth, 1,200,000"
    assert number_in(r"only about ([\d,]+) pairs of equal keys", plans["no_key"]) <= 40_000, "of one row with all others"
    for length in (4, 8):
        spark.sql(f"drop table chars_{length}")


def test_a_key_that_half_of_a_side_has_may_be_on_the_other_side(project):
    """Where a sample of that side has none of the forty rows, they are half of all pairs, and more than can be compared."""
    points = "select id, cast(id * 7919 % 4000000 as int) as p, if(id % 2 = 0, 0, id) as k from range(4000000)"
    intervals = "select id, s, s + 9 as e, if(id % 25000 = 7, 0, -id) as k from (select id, cast(id * 7919 % 4000000 as int) as s from range(1000000))"
    assert plan_of(project.compile({"skewed": call(points, intervals, ", keys=['k']")})["skewed"]).startswith("bins of ")


@pytest.mark.parametrize("join_type", ["inner", "left", "right", "full", "semi", "anti"])
def test_without_bins_a_small_side_is_broadcast(spark, project, join_type):
    """Of two sides that a filter has left little of, Spark would make a cartesian product. Not the side that is kept, of which it goes over each row once. What the caller names stays."""
    expected = {"inner": {}, "full": {}, "right": {"right": "left"}}.get(join_type, {"left": "right"})
    points = "select id, id as p, id % 9 as k from range(3000) where id % {} = 0"
    intervals = "select id, id as s, id + 50 as e, id % 9 as k from range(2000) where id % {} = 0"
    select = "'l.id as l_id', 'l.p as r_id'" if join_type in ("semi", "anti") else BOTH_IDS
    bodies = {}
    for name, (few, many) in {"left": (30, 5), "right": (5, 30)}.items():
        for macro in ("binned", "naive"):
            bodies[f"{macro}_{name}"] = TABLE + call(points.format(few), intervals.format(many), f", join_type='{join_type}'", macro, select)
    bodies["asked"] = TABLE + call(points.format(30), intervals.format(5), ", broadcast='right'")
    bodies["keyed"] = TABLE + call(points.format(30), intervals.format(5), ", keys=['k']")
    bodies["asked_by_key"] = TABLE + call(points.format(30), intervals.format(5), ", keys=['k'], shuffle_hash='right'")
    sql = project.built(bodies)
    for name in ("left", "right"):
        side = expected.get(name, name)
        assert f" to compare, broadcast {side}; " in sql[f"binned_{name}"] and f"select /*+ broadcast({side}_side) */" in sql[f"binned_{name}"]
        assert "/*+" not in sql[f"naive_{name}"]
        assert spark.table(f"scratch.naive_{name}").count() > 10
        assert_same(spark, sql[f"binned_{name}"], sql[f"naive_{name}"])
    assert "/*+ broadcast(right_side) */" in sql["asked"] and "/*+ shuffle_hash(right_side) */" in sql["asked_by_key"]
    assert "no bins" in sql["keyed"] and "/*+" not in sql["keyed"]
    assert "/*+" not in project.compile({"compiled": bodies["binned_left"]})["compiled"], "who knows what it will meet"


def test_instants_among_intervals_do_not_make_bins_wide(project):
    """But for one interval in five thousand, of a month, none has a length: bins as wide as a hundredth of that month would meet far too many points."""
    points = "select id, timestamp_seconds(id * 7919 % 31536000) as p from range(2000000)"
    intervals = "select id, s, if(id % 5000 = 0, timestampadd(DAY, 30, s), s) as e from (select id, timestamp_seconds(id * 104729 % 31536000) as s from range(200000))"
    plan = plan_of(project.compile({"instants": call(points, intervals)})["instants"])
    candidates, found = (number_in(pattern, plan) for pattern in (r"([\d,]+) pairs compared", r"compared for ([\d,]+) found"))
    assert candidates < 4 * found, plan


def test_instants_in_a_crowd_have_narrow_bins(spark, project):
    """Half of both sides in one minute, where intervals have no length, and the rest over a year, an hour long: no length says how narrow bins had better be."""
    at = 'timestampadd(MICROSECOND, cast(rand({0}) * if(id % 2 = 0, 60, 31536000) * 1000000 as bigint), timestamp"2024-01-01")'
    points = f"select id, {at.format(1)} as p from range(400000)"
    intervals = f"select id, s, if(id % 2 = 0, s, timestampadd(HOUR, 1, s)) as e from (select id, {at.format(2)} as s from range(100000))"
    sql = project.compile({"crowd": call(points, intervals)})["crowd"]
    assert compared(spark, sql) < 20_000_000, f"of 10,000,000,000 that are in one minute: {plan_of(sql)}"


# Points and intervals in the same places, which are far too many for quantiles to tell.
CROWDS = {
    "within two seconds after each full hour of a year": (
        'timestampadd(MICROSECOND, cast(rand({}) * 2000000 as bigint), timestampadd(HOUR, cast(rand({}) * 8760 as int), timestamp"2024-01-01"))',
        "timestampadd(MICROSECOND, 50000, s)",
    ),
    "sessions whose points come after their intervals, but for few": (
        'timestampadd(MICROSECOND, cast(rand({}) * 1000000 as bigint) + side * 1000000, timestampadd(HOUR, cast(rand({}) * 10000 as int), timestamp"2024-01-01"))',
        "timestampadd(MICROSECOND, 100000, s)",
    ),
    "instants on dates": ('date"2024-01-01" + cast(rand({}) * 20000 + rand({}) as int)', "s"),
}


def test_crowds_that_both_sides_share_are_seen(spark, project):
    """The plan says about how many pairs are compared and found; by quantiles alone it said a hundredth of it, or 0, in bins twenty times as wide."""
    points = "select id, {} as p from (select id, 1 as side from range(600000))"
    intervals = "select id, s, {} as e from (select id, {} as s from (select id, 0 as side from range(200000)))"
    bodies = {
        f"crowd_{number}": TABLE + call(points.format(at.format(1, 2)), intervals.format(end, at.format(3, 4)))
        for number, (at, end) in enumerate(CROWDS.values())
    }
    sql = project.built(bodies)
    for name, model in zip(CROWDS, bodies, strict=True):
        plan = plan_of(sql[model])
        estimated, found = (number_in(pattern, plan) for pattern in (r"([\d,]+) pairs compared", r"compared for ([\d,]+) found"))
        actual, pairs = compared(spark, sql[model]), spark.table(f"scratch.{model}").count()
        assert actual / 2.5 < estimated < 2.5 * actual, f"{name}: {actual} of {plan}"
        assert pairs / 2.5 < found < 5 * pairs, f"{name}: {pairs} of {plan}"
        assert actual < 6 * pairs, f"{name}: {pairs} of {plan}"


def test_pairs_in_bins_are_all_there_are(project):
    """Counted by sorting, against each with each: values that both sides share, too, and bins that are moved."""
    random = Random(7)
    cases, expected = [], []
    for _ in range(60):
        unit, width, moved = random.choice([1, 7, 0.5]), random.choice([None, 0.25, 1, 3, 10, 1000]), random.choice([0, 0.5])
        starts, points = ([unit * n for n in sorted(random.choices(range(-40, 40), k=random.randrange(40)))] for _ in "sp")
        cases.append(f"{{% do found.append(dbt_range_join._pairs_in_bins(dbt_range_join._in_order({starts}, {points}), {width}, {moved})) %}}".replace("None", "none"))
        bin_of = (lambda value: value) if width is None else (lambda value: (value + moved) // width)  # noqa: B023 - called at once
        met = [(start, point) for start in starts for point in points
               if (start == point if width is None else (start + moved) // width == (point + moved) // width)]  # fmt: skip
        after = sum(start <= point for start, point in met)
        points_of, starts_of = Counter(map(bin_of, points)), Counter(map(bin_of, starts))
        again = [sum(of[bin_of(point)] - 1 for _, point in met) for of in (points_of, starts_of)]
        expected.append((after, len(met) - after, *again))
    body = "{% set found = [] %}{% if execute %}" + "".join(cases) + "{% endif %}select '{{ tojson(found) }}' as found"
    found = json.loads(re.search(r"'(.*)'", project.compile({"bins": body})["bins"])[1])
    of_bins = [[sum(counted[name]) - sum(counted["pairs"]) for name in ("with_points", "with_starts")] for counted in found]
    assert [(counted["after"], counted["before"], *again) for counted, again in zip(found, of_bins, strict=True)] == expected


SPREADS = {
    "evenly, of one length": ("cast(rand({}) * 1e9 as bigint)", "s + 500"),
    "of lengths over six orders of magnitude": ("cast(rand({}) * 1e9 as bigint)", "s + cast(exp(rand(9) * 14) as bigint)"),
    "a few far longer": ("cast(rand({}) * 1e9 as bigint)", "s + if(id % 100 = 0, 100000000, 60)"),
    "half in a thousandth": ("cast(if(rand({0}) < 0.5, rand({0}) * 1e6, rand({0}) * 1e9) as bigint)", "s + 2000"),
    "at values that many share": ("cast(cast(rand({}) * 300 as int) * 1000000 as bigint)", "s + 1000000"),
    "of no length": ("cast(rand({}) * 1e5 as bigint)", "s"),
}


def test_widths_that_are_likely_to_cost_most_are_left_out(project):
    """Of all widths, no one that is left out costs noticeably less than the best of those that are not, and these are half of all or fewer."""
    body = "{% set said = [] %}{% if execute %}"
    for at, end in SPREADS.values():
        start = f"select id, s, {end} as e from (select id, {at.format(2)} as s from range(100000))"
        for left in (f"left_relation='(select id, {at.format(1)} as p from range(200000))', left_point='p'", f"left_relation='({start.format(3)})', left_interval=['s', 'e']"):
            body += f"""{{% set join = {join_in_jinja(left + f", right_relation='({start})', right_interval=['s', 'e'], select=['1 as x']")} %}}
                {{% set measured = dbt_range_join._measure(join) %}}{{% set unit = dbt_range_join._unit_of(measured) %}}
                {{% set likely = dbt_range_join._likely_estimates(
                    dbt_range_join._describe_meetings(join, measured), dbt_range_join._candidate_widths(measured, unit)) %}}
                {{% do said.append([likely, dbt_range_join._estimates(join, measured, unit)] | map('map', attribute='cost') | map('list') | list) %}}"""
    body += "{% endif %}select '{{ tojson(said) }}' as said"
    said = json.loads(re.search(r"'(.*)'", project.compile({"likely": body})["likely"])[1])
    assert len(said) == 2 * len(SPREADS)
    for likely, every in said:
        assert min(every) <= min(likely) < 1.1 * min(every) and set(likely) <= set(every), (likely, every)
    assert sum(len(likely) for likely, _ in said) < 0.5 * sum(len(every) for _, every in said)


def test_distances_the_other_way_round_are_those_of_the_other_meeting(project):
    """Counted once for both meetings of two intervals: starts in other places, the same, with values that both share, and in crowds."""
    random = Random(3)
    evenly = sorted(random.randrange(10**7) for _ in range(700))
    shared = sorted(random.choice([0, 1000, 5000, 10**7, *range(0, 10**7, 50_000)]) for _ in range(700))
    crowd = sorted(random.choice([5_000_000 + random.randrange(2000), random.randrange(10**7)]) for _ in range(700))
    asked = []
    for starts, points in ((evenly, crowd), (crowd, shared), (shared, shared), (evenly, evenly[::2]), ([], evenly), ([7] * 9, [7] * 9)):
        spreads = [f"dbt_range_join._spread_of(dbt_range_join._quantiles_of({values}) if {bool(values)} else [], {values})" for values in (starts, points)]
        asked += [f"dbt_range_join._distances({', '.join(spreads[::-1])})", f"dbt_range_join._reversed(dbt_range_join._distances({', '.join(spreads)}))"]
    body = "{% set found = [] %}{% if execute %}" + "".join(f"{{% do found.append({call}) %}}" for call in asked).replace("True", "true").replace("False", "false")
    said = json.loads(re.search(r"'(.*)'", project.compile({"reversed": body + "{% endif %}select '{{ tojson(found) }}' as found"})["reversed"])[1])
    for counted, turned in zip(said[::2], said[1::2], strict=True):
        assert turned["steps"] == counted["steps"] and turned["visited"] == counted["visited"]
        for kind in ("after", "before"):
            # Pairs of one value are in the shares of near pairs, and not in what quantiles say of far ones: where these meet is up to chance.
            assert turned[kind] == pytest.approx(counted[kind], rel=0.1, abs=0.001 + counted["after"][0])


def test_a_table_of_which_few_rows_are_visited_is_broadcast(project):
    """As many rows and pairs each time. Where all rows of the hash table are met by some point its pairs cost more than sorting; where most points meet the same few, the cache holds these."""
    intervals = "select id, s, s + {} as e, {} as k from (select id, cast(rand(1) * 1e9 as bigint) as s from range(300000))"
    points = "select id, {} as p, {} as k from range(900000)"
    evenly, crowd = "cast(rand(2) * 1e9 as bigint)", "cast(if(id % 100 = 0, rand(2) * 1e9, 5e8 + rand(3) * 1e6) as bigint)"
    # Half of the points meet some three hundred rows, and the others all the rows: what they cost is not what the few say.
    half = crowd.replace("id % 100 = 0", "id % 2 = 0")
    # Keyed, a point meets twenty times as many of its key's intervals for each that it meets of all in the same time.
    cases = {
        "evenly": (points.format(evenly, 0), intervals.format(50_000, 0), ""),
        "crowd": (points.format(crowd, 0), intervals.format(50_000, 0), ""),
        "half_evenly": (points.format(half, 0), intervals.format(50_000, 0), ""),
        "keys_evenly": (points.format(evenly, "id % 20"), intervals.format(1_000_000, "id % 20"), ", keys=['k']"),
        "hot_keys": (points.format(evenly, "if(id % 50 = 0, id % 997, 7)"), intervals.format(20_000_000, "if(id % 400 = 0, 7, 100 + id % 997)"), ", keys=['k']"),
    }
    sql = project.compile({f"visited_{name}": call(*sides) for name, sides in cases.items()})
    for name, plan in {name: plan_of(sql[f"visited_{name}"]) for name in cases}.items():
        assert ("broadcast right" in plan) == (name in ("crowd", "hot_keys")) and ("sort and merge" in plan) == name.endswith("evenly"), (name, plan)
        assert 3_000_000 < number_in(r"compared for ([\d,]+) found", plan) < 20_000_000, (name, plan)


def test_over_how_many_rows_pairs_are_spread(project):
    """By keys, against what all rows are counted to be: keys that rows have evenly, one that most have, none that both have, and too few to tell.

    Where one key has most rows of the other side, its rows are met often, and those of the others are told apart.
    """
    random = Random(5)
    even, warm, hot = (lambda n, times=times: [f"{random.choice([7] * times + list(range(40)))}" for _ in range(n)] for times in (0, 9, 90))
    lists = [(even(900), even(700)), (warm(900), even(700)), (hot(900), even(700)), (even(900), hot(700)), (hot(900), hot(700)), (even(900), ["a"] * 50), (["1", "2"], ["1"])]
    found = numbers_of(project, "_measured_by_keys", [f"{{'keys': ['k']}}, {left}, {right}" for left, right in lists])
    for (left, right), said in zip(lists, found, strict=True):
        of = {"left": Counter(left), "right": Counter(right)}
        pairs = sum(count * of["right"][key] for key, count in of["left"].items())
        for side, other in (("left", "right"), ("right", "left")):
            kinds = kinds_of({key: (count * of[other][key], of[other][key]) for key, count in of[side].items()}, of[side].total())
            assert said["visited"][side] == [pytest.approx(kind) for kind in kinds]
            assert sum(share for share, _ in kinds) == pytest.approx(1)
    assert [len(said["visited"]["right"]) for said in found] == [1, 1, 2, 1, 1, 1, 1]
    assert found[1]["visited"]["right"][0][1] < 0.5 < 0.8 < found[0]["visited"]["right"][0][1]
    assert found[2]["visited"]["right"][0][1] < 0.2 < 0.8 < found[2]["visited"]["right"][1][1]
    assert numbers_of(project, "_measured_by_keys", ["{'keys': []}, [], []"]) == [{"key_share": 1, "visited": {"left": [[1, 1]], "right": [[1, 1]]}}]
    # Nine in ten pairs go to 2 rows, a tenth to 110, and the others to 300 that are met once each.
    groups = {"hot": (2 * 5000, 5000), **{f"warm_{n}": (10 * 10, 10) for n in range(11)}, **{f"cold_{n}": (5, 1) for n in range(60)}}
    asked = [f"{[pairs for pairs, _ in groups.values()]}, {[pairs * met for pairs, met in groups.values()]}, 20000"]
    three = [[10_000 / 11_400, 11_400 / (20_000 * 4_999)], [1_100 / 11_400, 11_400 / (20_000 * 9)], [300 / 11_400, 1]]
    assert numbers_of(project, "_visited_rows", asked) == [[pytest.approx(kind) for kind in three]]


def kinds_of(groups, rows):
    """What _visited_rows says, of {group: (its pairs, how often each of its rows is met)}."""
    of_all, kinds = sum(pairs for pairs, _ in groups.values()), []
    while groups:
        found, again = (sum(value(*group) for group in groups.values()) for value in (lambda pairs, _: pairs, lambda pairs, met: pairs * (met - 1)))
        if again < 25:
            return [*kinds, [found / of_all, 1]] if kinds else [[1, 1]]
        seldom = {}
        if len(kinds) < 2 and of_all * found / (rows * again) < 0.25:
            seldom = {name: group for name, group in groups.items() if group[1] < (found + again) / found / 4}
            seldom = seldom if sum(pairs for pairs, _ in seldom.values()) > 0.02 * of_all else {}
        often = [group for name, group in groups.items() if name not in seldom]
        pairs = sum(pairs for pairs, _ in often)
        kinds.append([pairs / of_all, min(of_all * pairs / (rows * sum(pairs * (met - 1) for pairs, met in often)), 1)])
        groups = seldom
    return kinds


def given(value):
    """A list or a dict as Jinja, which takes far longer to read one that is written out."""
    return f"fromjson('{json.dumps(value)}')"


def numbers_of(project, macro, arguments):
    """What one of the package's macros makes of each of some lists of arguments, each as Jinja."""
    return results_of(project, [(macro, case) for case in arguments])


def results_of(project, calls):
    """What the package's macros make of what they are given as Jinja, one by one: [macro, arguments]."""
    calls = "".join(f"{{% do found.append(dbt_range_join.{macro}({case})) %}}" for macro, case in calls)
    return json.loads(re.search(r"'(.*)'", project.compile({"found": "{% set found = [] %}" + calls + "select '{{ tojson(found) }}' as found"})["found"])[1])


def test_numbers_in_text_are_what_they_were(project):
    """Lists are printed and read anew, as that is what Jinja does fast: quantiles, steps, counts and shares are those of plain Python."""
    random = Random(11)
    lists = [sorted(random.choice([1e-300, 0.1, 1, 7e15]) * random.randrange(-50, 50) for _ in range(size)) for size in (1, 2, 9, 256, 257, 700)]
    assert numbers_of(project, "_quantiles_of", map(given, lists)) == [[xs[max(math.ceil(i * len(xs) / 256) - 1, 0)] for i in range(257)] for xs in lists]
    shares = [0, 0.01, 0.5, 0.99, 1]
    asked = [f"'{','.join(map(repr, xs))}', {shares}" for xs in lists]
    assert numbers_of(project, "_quantiles_at", asked) == [[xs[max(math.ceil(round(share * len(xs), 6)) - 1, 0)] for share in shares] for xs in lists]
    assert numbers_of(project, "_mirrored", map(given, lists)) == [[-x for x in reversed(xs)] for xs in lists]
    assert numbers_of(project, "_steps_between", map(given, lists)) == [sorted(b - a for a, b in pairwise(xs) if b > a) for xs in lists]
    assert numbers_of(project, "_count_within", [f"{given(xs)}, -3, 0.2" for xs in lists]) == [sum(-3 <= x <= 0.2 for x in xs) for xs in lists]
    assert numbers_of(project, "_numbers_within", [f"{given(xs)}, -3, 0.2" for xs in lists]) == [[x for x in xs if -3 <= x <= 0.2] for xs in lists]
    limits = sorted([-3, 0, 0.2, *lists[3][::40]])
    assert numbers_of(project, "_counts_up_to", [f"{given(xs)}, {limits}" for xs in lists]) == [[sum(x <= limit for x in xs) for limit in limits] for xs in lists]
    weights = [[random.randrange(9) for _ in xs] for xs in lists]
    shuffled = [random.sample(list(zip(xs, of, strict=True)), len(xs)) for xs, of in zip(lists[:4], weights[:4], strict=True)]
    sums = [[sorted({x for x, _ in rows}), [sum(of for x, of in rows if x == value) for value in sorted({x for x, _ in rows})]] for rows in shuffled]
    assert numbers_of(project, "_summed", [f"{given([x for x, _ in rows])}, {given([of for _, of in rows])}" for rows in shuffled]) == sums
    texts = [random.choices(["a", "b", "c", ""], k=size) for size in (1, 5, 60)]
    assert numbers_of(project, "_counts_of", texts) == [dict(Counter(values)) for values in texts]
    empty = {
        "_quantiles_of": "[]", "_quantiles_at": "'', [0.5]", "_mirrored": "[]", "_steps_between": "[]", "_numbers": "none", "_numbers_within": "[], 0, 1",
        "_counts_up_to": "[1.0], []",
    }  # fmt: skip
    assert results_of(project, empty.items()) == [[]] * len(empty)
    others = {"_counts_of": "[]", "_count_within": "[], 0, 1", "_summed": "[], []", "_counts_up_to": "[], [0, 1]"}
    assert results_of(project, others.items()) == [{}, 0, [[], []], [0, 0]]


CLOSED = ([True, True], [True, False], [False, True], [False, False])


def test_pairs_of_values_that_many_rows_share_are_all_counted(project):
    """Which lie how far apart, which of them an interval of some length holds, and which share a bin with one: as each value of one side with each of the other's says."""
    random = Random(13)
    for unit, most in ((1, 6), (3.6e9, 6), (1e6 + 0.25, 40)):
        sides = [[[unit * n, random.randrange(1, 9) / 512] for n in random.sample(range(-60, 60), k=random.randrange(most // 2, most))] for _ in range(4)]
        spreads = [given({"shared_values": values}) for values in sides]
        gaps = numbers_of(project, "_gaps", [f"{starts}, {points}" for starts, points in pairwise(spreads)])
        lengths = sorted(unit * random.choice([0, 0.5, 1, random.randrange(150)]) for _ in range(8))
        asked = [[of, closed, wide] for of in gaps for closed, wide in zip(CLOSED, (unit / 4, 3 * unit, 500 * unit, unit), strict=True)]
        inside = numbers_of(project, "_shares_in_gaps", [f"{given(of)}, {lengths}, {closed}" for of, closed, _ in asked])
        levels = [{"wide": wide, "share": 0.75, "lengths": [[min(length, 9), 0.75 / len(lengths), length, 0.1] for length in lengths]} for _, _, wide in asked]
        met = numbers_of(project, "_meeting_over_gaps", [f"{given(of)}, {given(level)}" for (of, _, _), level in zip(asked, levels, strict=True)])
        for (starts, points), of in zip(pairwise(sides), gaps, strict=True):
            apart = Counter()
            for (start, of_starts), (point, of_points) in product(starts, points):
                apart[point - start] += of_starts * of_points
            if len(apart) <= 200:
                assert of["distances"] == sorted(apart)
                assert of["shares"] == pytest.approx([share for _, share in sorted(apart.items())])
            else:
                assert len(of["distances"]) < len(apart) and sum(of["shares"]) == pytest.approx(apart.total())
                assert sum(of["moments"]) == pytest.approx(0.95 * sum(distance * share for distance, share in apart.items()), abs=0.05 * 60 * unit)
        for (of, (at_start, at_end), wide), within, level, share in zip(asked, inside, levels, met, strict=True):
            pairs = list(zip(of["distances"], of["shares"], strict=True))
            assert within == pytest.approx([
                sum(share for apart, share in pairs if (0 < apart or at_start and apart == 0) and (apart < length or at_end and apart == length)) for length in lengths
            ])  # fmt: skip
            by_length = [sum(share * max(0, 1 - max(-apart, apart - length, 0) / wide) for apart, share in pairs) for length in lengths]
            assert share == pytest.approx(0.75 * sum(by_length) / len(by_length)), (of, level)


def test_lengths_are_of_up_to_four_classes(project):
    """Each begins at the middle between two lengths that lie so many times apart that there are four classes at most, and as few times as that."""
    random = Random(17)
    lists = [[], [0.0] * 54, [5.0] * 54, [1.0] * 27 + [1e300] * 27, [0.0] * 9 + [1.0] * 45]
    lists += [sorted(math.exp(random.uniform(0, reach)) for _ in range(54)) for reach in (1, 5, 30, 300)]
    told = [lengths[:50] for lengths in lists]  # shorter than the longest hundredth
    for lengths, found in zip(told, numbers_of(project, "_length_classes", lists), strict=True):
        times, expected = 4, []
        while lengths and (not expected or len(expected) > 4):
            expected, least = [-1], lengths[0]
            for before, length in pairwise(lengths):
                if length > least and length >= times * least:
                    expected.append((before * length) ** 0.5 if before > 0 else length / 2)
                    least = length
            times *= 4
        assert found == pytest.approx(expected)


def test_shares_of_pairs_rise_evenly_between_the_steps(project):
    """From none at no distance to the last share and no further; a first step at 0 is where they begin."""
    asked = [0, 0.5, 1, 1.5, 4, 10, 11]
    found = numbers_of(project, "_shares_within", [f"[1.0, 2.0, 10.0], [0.1, 0.2, 0.6], {asked}", f"[0.0, 10.0], [0.5, 1.0], {asked}", f"[0.0], [0.0], {asked}"])
    assert found[0] == pytest.approx([0, 0.05, 0.1, 0.15, 0.3, 0.6, 0.6])
    assert found[1] == pytest.approx([0.5, 0.525, 0.55, 0.575, 0.7, 1, 1])
    assert found[2] == [0] * len(asked)


def test_a_thinned_sample_has_rows_from_everywhere_and_others_on_either_side(project):
    """One in each n, the outermost among them; and of a table joined with itself about as many at once on both sides as chance has it."""
    for size in (1, 2, 2499, 4999, 5000, 10_037, 98_765):
        text = ",".join(f"{i}.0" for i in range(size))
        left, right = numbers_of(project, "_thinned", [f"'{text}', 'left'", f"'{text}', 'right'"])
        n = max(size // 2500, 1)
        for drawn in (left, right):
            assert drawn == sorted(set(drawn)) and drawn[0] == 0 and drawn[-1] == size - 1
            assert size / n - 2 <= len(drawn) <= min(size / n + 3, 5003)
            assert n == 1 or {int(i) // n for i in drawn} >= set(range(size // n))
            places = Counter(int(i) % n for i in drawn)
            assert n > 8 or max(places.values()) < 1.2 * min(places.values()), places
        if n > 1:
            by_chance = len(left) / n
            assert abs(len({*left} & {*right}) - by_chance) < 4 * by_chance**0.5, f"{size}: by chance it would be {by_chance:.0f}"


def test_intervals_by_their_lengths_where_these_go_with_the_place(project):
    """Two, or up to four, classes that are as far apart as can be; none where lengths are anywhere, the same, or of a class that the sample has next to none of."""
    rng = Random(5)
    starts = [rng.random() * 1000 for _ in range(2000)]
    by_place = {
        "two kinds": [rng.uniform(1, 3) if start < 300 else rng.uniform(1e6, 3e6) for start in starts],
        "ever longer": [10 ** (start / 100) for start in starts],
        "instants in one place": [0 if start < 300 else 50 for start in starts],
    }
    anywhere = {
        "two kinds": [rng.choice([2, 2e6]) for _ in starts], "any": [10 ** rng.uniform(0, 9) for _ in starts], "one": [7] * 2000,
        "instants": [0] * 2000, "beyond all numbers": [rng.choice([1e-300, 1e300]) for _ in starts],
    }  # fmt: skip
    asked = []
    for lengths in [*by_place.values(), *anywhere.values()]:
        quantiles = [sorted(lengths)[math.ceil(share * len(lengths)) - 1] for share in (*((2 * i + 1) / 100 for i in range(49)), 0.985, 0.9925, 0.9965, 0.999, 1)]
        asked.append(f"{{'lengths': {quantiles}, 'placed': {{'firsts': {starts}, 'lengths': {lengths}}}}}")
    few = f"{{'lengths': {[1.0] * 48 + [100.0] * 6}, 'placed': {{'firsts': {starts[:120]}, 'lengths': {[1] * 120}}}}}"
    none = "{'lengths': [], 'placed': {'firsts': [], 'lengths': []}}"
    found = numbers_of(project, "_lengths_by_place", [*asked, few, none])
    two, longer, instants = found[:3]
    assert [of["least"] < 0 for of in two] == [True, False] and 3 < two[1]["least"] < 1e6
    assert len(longer) == 4 and longer == sorted(longer, key=lambda of: of["length"])
    assert [of["length"] for of in instants] == [0, 50]
    for classes in (two, longer, instants):
        assert sorted(start for of in classes for start in of["starts"]) == sorted(starts)
        assert all(of["starts"] == sorted(of["starts"]) for of in classes)
    assert found[3:] == [[]] * (len(anywhere) + 2)


def test_order_is_told_by_where_rows_stand(project):
    """Of rows in order, in reverse, with a tenth anywhere, in no order, and all at one place; with partitions far apart in number, and too few to tell."""
    random = Random(5)
    rows = list(range(600))
    shuffled = random.sample(rows, len(rows))
    partitions = [i + (i // 200) * 2**33 for i in rows]
    cases = {
        "in order": (rows, rows, True), "in reverse": (rows, rows[::-1], True), "a tenth anywhere": (rows, [random.randrange(600) if i % 10 == 0 else i for i in rows], True),
        "in no order": (rows, shuffled, False), "all at one place": (rows, [7] * 600, False),
        "three partitions in order": (partitions, rows, True), "three partitions in no order": (partitions, shuffled, False), "too few": (rows[:19], rows[:19], False),
    }  # fmt: skip
    asked = [str([number for row in zip(stands, map(float, places), strict=True) for number in row]) for stands, places, _ in cases.values()]
    assert dict(zip(cases, numbers_of(project, "_is_in_order", [*asked, "[]"]), strict=False)) == {name: expected for name, (_, _, expected) in cases.items()}
    shares = numbers_of(project, "_largest_part", [str(stands) for stands in (rows, partitions, [*partitions, 3 * 2**33], [2**34 + 5], [])])
    assert shares == [1, 1 / 3, 200 / 601, 1, 1]


def test_numbers_beyond_bigint_have_bins_that_tell_them_apart(spark, project):
    """Decimals of 38 digits: where bins were too narrow for a BIGINT to number them, all values would be in its last one."""
    points = "select id, cast(id * 7919 % 60000 as decimal(38, 0)) * 1000000000000000000000000000000000BD + 30000000000000000000000000000000000000BD as p from range(15000)"
    intervals = "select id, p as s, p + 18446744073709551616BD as e from (" + points.replace("range(15000)", "range(4000)") + ")"
    sql = project.compile({"huge": call(points, intervals), "naive": call(points, intervals, macro="naive")})
    assert plan_of(sql["huge"]).startswith("bins of "), sql["huge"]
    assert compared(spark, sql["huge"]) < 25_000, "of 60,000,000"
    assert_same(spark, sql["huge"], sql["naive"])


# name: (points, starts, ends) of an id; a few are a number that stands for "none", for which bins would have to be wider than all others reach.
NINES = "99999999999999999999999999999999999990BD"
NONES = {
    "doubles, starts": ("cast(id * 7919 % 60000 as double)", "if(id % 500 = 7, 1e30D, cast(id * 104729 % 60000 as double))", "s + 5"),
    "doubles, points and starts": ("if(id % 500 = 3, 1e30D, cast(id * 7919 % 60000 as double))", "if(id % 500 = 7, 1e30D, cast(id * 104729 % 60000 as double))", "s + 5"),
    "doubles, below all, some points NULL": (
        "case when id % 500 = 3 then -1e30D when id % 50 = 4 then null else cast(id * 7919 % 60000 as double) end", "if(id % 500 = 7, -1e30D, cast(id * 104729 % 60000 as double))", "s + 5"),
    "decimals, starts": ("cast(id * 7919 % 60000 as decimal(38, 0))", f"if(id % 500 = 7, {NINES}, cast(id * 104729 % 60000 as decimal(38, 0)))", "cast(s + 5 as decimal(38, 0))"),
    "one value beside a crowd": (
        "if(id % 1000 = 3, 0.0000BD, 99999.9999BD)", "cast(if(id % 500 = 7, -99999999999999999999BD, cast(id * 104729 % 60000 / 1e14D as decimal(38, 18))) as decimal(38, 18))",
        "cast(s + 0.000000000000001BD as decimal(38, 18))"),
}  # fmt: skip


@pytest.mark.parametrize("built_as", ["table", "view"])
def test_a_few_numbers_beyond_bigint_do_not_make_bins_wide(spark, project, built_as):
    """Found by an attack: a number of 38 nines among the starts had bins as wide as BIGINT's last one has to be for it, in which all meet all."""
    bodies = {}
    for number, (point, start, end) in enumerate(NONES.values()):
        points = f"select id, {point} as p from range(6000)"
        intervals = f"select id, s, {end} as e from (select id, {start} as s from range(2000))"
        bodies[f"nones_{number}"] = TABLE.replace("table", built_as) + call(points, intervals)
        bodies[f"nones_naive_{number}"] = call(points, intervals, macro="naive")
    sql = project.built(bodies)
    for number, name in enumerate(NONES):
        binned, naive = sql[f"nones_{number}"], sql[f"nones_naive_{number}"]
        assert compared(spark, binned) < 150_000, f"{name}: of 12,000,000, {plan_of(binned)}"
        if built_as == "table":
            assert_same(spark, binned, naive)


OUTLIERS = {
    "a point at 9999-12-31": 'select id, if(id = 777, timestamp"9999-12-31", {at}) as p from range(60000)',
    "one point in a hundred at 9999-12-31": 'select id, if(id % 100 = 77, timestamp"9999-12-31", {at}) as p from range(60000)',
    "points at both ends": 'select id, case when id = 777 then timestamp"9999-12-31" when id % 100 = 5 then timestamp"0001-01-01" else {at} end as p from range(60000)',
}


def test_fractions_of_any_scale_have_bins(spark, project):
    """
    Found by an attack: energies of photons in joules, some 1e-19, all had one bin of 1e-18, the narrowest that there was to choose, so that all were compared with all.
    Next to none of these match, so a narrow bin compares a few rows for each.
    """
    scales = {"joules": "{} * 1e-19D", "least": "{} * 1e-250D", "decimal": "cast({} * 1e-20D as decimal(38, 30))"}
    bodies = {}
    for name, scaled in scales.items():
        points = f"select id, {scaled.format('(id * 7919 % 8000 / 8000D)')} as p from range(8000)"
        intervals = f"select id, {scaled.format('s')} as s, {scaled.format('(s + 2e-4D)')} as e from (select id, id * 104729 % 2000 / 2000D as s from range(2000))"
        bodies.update({f"{name}_{macro}": call(points, intervals, macro=macro) for macro in ("binned", "naive")})
    sql = project.compile(bodies)
    for name in scales:
        assert compared(spark, sql[f"{name}_binned"]) < 66_000, plan_of(sql[f"{name}_binned"])
        assert_same(spark, sql[f"{name}_binned"], sql[f"{name}_naive"])


def test_a_point_far_from_all_others_does_not_make_bins_wide(spark, project):
    """Open intervals reach as far as the points do: with one point at 9999-12-31, each would be in bins of centuries, with all points."""
    at = 'timestampadd(MINUTE, cast(id * 7919 % 2600000 as int), timestamp"2020-01-01")'
    intervals = (
        'select id, s, case when id % 20 = 0 then timestamp"9999-12-31" else timestampadd(HOUR, 5, s) end as e '
        'from (select id, timestampadd(MINUTE, cast(if(id % 20 = 0, 2600000 - id, id * 104729 % 2600000) as int), timestamp"2020-01-01") as s from range(4000))'
    )
    bodies = {}
    for number, points in enumerate(OUTLIERS.values()):
        for macro in ("binned", "naive"):
            bodies[f"{macro}_{number}"] = (TABLE if macro == "binned" else "") + call(points.format(at=at), intervals, "", macro)
    sql = project.built(bodies)
    for number, name in enumerate(OUTLIERS):
        binned, naive = sql[f"binned_{number}"], sql[f"naive_{number}"]
        found = assert_same(spark, binned, naive)
        assert "were measured to lie within these bins" in binned, name
        assert compared(spark, binned) < 3 * found + 200_000, f"{name}: of 240,000,000, {found} are pairs"
        assert number_in(r"([\d,]+) pairs compared", plan_of(binned)) < 3 * found + 200_000, plan_of(binned)


ONE_FAR = f"(range(256) | list) + [{10**6}]"
NONE_OPEN = "{'open': 0, 'open_firsts': [], 'usable': 1, 'firsts': range(257) | list, 'lengths': [%s] * 54}"
SOME_OPEN = "{'open': 0.1, 'open_firsts': [10, 100, 200], 'usable': 1, 'firsts': %s, 'lengths': [2] * 54}"
# Quantiles of points, intervals, whether the outermost points are drawn close to the others.
FAR = {
    "one, and open intervals": (ONE_FAR, SOME_OPEN % "range(257) | list", True),
    "one below all others": (
        f"[-{10**6}] + (range(256) | list)",
        "{'open': 0.1, 'open_firsts': [-2000000], 'usable': 1, 'firsts': [-2000000] * 25 + (range(232) | list), 'lengths': [2] * 54}", True,
    ),
    "one below, and open intervals that reach up": (f"[-{10**6}] + (range(256) | list)", SOME_OPEN % "[-5000] * 60 + (range(197) | list)", False),
    "one that nobody reaches": (ONE_FAR, (NONE_OPEN % 0).replace("range(257)", "range(250)"), True),
    "a fifth, and all intervals end before": (f"(range(200) | list) + [{10**6}] * 57", (NONE_OPEN % 500).replace("range(257)", "range(190)"), False),
    "a fifth, and intervals as long": (f"(range(200) | list) + [{10**6}] * 57", (NONE_OPEN % 2000000).replace("range(257)", "range(190)"), True),
    "half of the intervals start there": (ONE_FAR, (SOME_OPEN % f"[0] * 129 + [{10**7}] * 128").replace("0.1", "0.001"), False),
    "the first of each month": ("[0] * 52 + [31] * 52 + [60] * 52 + [91] * 52 + [121] * 49", SOME_OPEN % "[0] * 257", False),
    "a fifth, beyond BIGINT, and short intervals there": ("(range(200) | list) + [1e30] * 57", (NONE_OPEN % 2).replace("range(257) | list", "(range(200) | list) + [1e30] * 57"), True),
    "all the same": ("[7] * 257", SOME_OPEN % "[7] * 257", False),
    "none": ("[]", NONE_OPEN % 0, False),
}


def test_who_is_far_from_all_others(project):
    """Whom a gap of eight times what the others reach lies before; unless more meet in vain close to these than far off."""
    join = "{'join_type': 'inner', 'null_bounds': 'no_match', 'built_now': true, 'left': {'kind': 'point'}, 'right': {'kind': 'interval'}}"
    body = (
        "{{% set far, rows = {firsts}, {{'types': ['bigint'], 'rows': 1000000000, 'sampled': 10000}} %}}{{% set measured = {{'left': dict(rows, firsts=far), 'right': dict({intervals}, **rows)}} %}}"
        "{{{{ dbt_range_join._without_outliers({join}, measured).left.firsts == far }}}}"
    )
    bodies = {f"far_{n}": TABLE + body.format(firsts=firsts, intervals=intervals, join=join) for n, (firsts, intervals, _) in enumerate(FAR.values())}
    project.write({f"{name}.sql": text.replace(TABLE, TABLE + "select '") + "' as is_as_it_was" for name, text in bodies.items()})
    project.dbt("run")
    said = {name: (project.folder / "target" / "compiled" / "scratch" / "models" / f"far_{n}.sql").read_text() for n, name in enumerate(FAR)}
    assert {name: "'False'" in text for name, text in said.items()} == {name: drawn for name, (*_, drawn) in FAR.items()}


def test_what_the_query_looks_for_itself_is_estimated_as_it_is(spark, project):
    """Doubles of which some are NULL have no measured extent: there a far point makes open intervals meet all points, and the plan says so. Of others it is left out."""
    points = "select id, if(id = 777, 1e15D, cast(id * 7919 % 60000 as double)) as p from range(60000)"
    some = points + " union all select -1, cast(null as double) from range(600)"
    intervals = 'select id, s, if(id % 20 = 0, double("infinity"), s + 5) as e from (select id, if(id % 20 = 0, 59990D, cast(id * 104729 % 60000 as double)) as s from range(4000))'
    sql = project.built({"looked": TABLE + call(some, intervals), "measured": TABLE + call(points, intervals)})
    assert number_in(r"([\d,]+) pairs compared", plan_of(sql["looked"])) > 0.5 * compared(spark, sql["looked"]) > 5_000_000
    assert compared(spark, sql["measured"]) < 1_000_000


def test_starts_at_a_default_do_not_make_the_chunks_of_a_sweep_wide(spark, project):
    """Half of the intervals start in the year 1: the others are spread over as many chunks as without these."""
    at = 'timestampadd(SECOND, cast(id * 7919 % 2600000 as int), timestamp"2024-01-01")'
    bodies = {}
    for name, start in {"early": 'if(id % 2 = 0, timestamp"0001-01-01", s)', "plain": "s"}.items():
        query = f"select id, {start} as s, timestampadd(SECOND, 20, s) as e from (select id, {at} as s from range(60000))"
        points = f"select id, {at} as p from range(60000)"
        bodies[name] = call(points, query, ", join_type='anti', shuffle_hash='right'", select="'l.id as l_id'")
    sql = project.compile(bodies)
    chunks = {name: spark.sql(sql[name].split("-- step 2")[0] + " select * from range_join_left_chunks").count() for name in bodies}
    assert plan_of(sql["early"]).startswith("one sweep") and 300 < chunks["early"] < 3000 and 0.4 < chunks["early"] / chunks["plain"] < 2.5, chunks


def test_infinite_bounds_are_open(project):
    """An interval up to infinity, or from minus infinity, is seen, and so are the points that it meets."""
    points = "select id, cast(id * 7919 % 60000 as double) as p from range(60000)"
    intervals = (
        'select id, if(id % 10 = 1, -double("infinity"), s) as s, if(id % 10 = 0, double("infinity"), s + 5) as e '
        "from (select id, cast(id * 7919 % 60000 as double) as s from range(4000))"
    )
    plan = plan_of(project.compile({"open": call(points, intervals)})["open"])
    assert "20 % open besides" in plan and 20_000_000 < number_in(r"compared for ([\d,]+) found", plan) < 28_000_000, plan


def test_the_columns_that_there_are_count(project):
    """Three hundred columns that are all read take a hash table beyond what is broadcast."""
    points = "select id, cast(id * 7919 % 400000 as int) as p from range(400000)"
    columns = ", ".join(f"cast(id as double) as c{n}" for n in range(300))
    intervals = f"select *, s + 2 as e, {columns} from (select id, cast(id * 7919 % 400000 as int) as s from range(60000))"
    all_read = call(points, intervals, select="'l.id as l_id', 'r.*'")
    plans = {name: plan_of(sql) for name, sql in project.compile({"few": call(points, intervals), "all": all_read}).items()}
    assert ", broadcast right;" in plans["few"] and ", hash right;" in plans["all"], plans


def test_the_columns_of_a_side_are_asked_for_once(project):
    """However many bin sizes are looked at: a side keeps what was asked of it, whether or not its rows are so few that nothing is asked."""
    join = "{'select_items': ['r.*'], 'join_condition': none, 'join_type': 'inner', 'right': {'alias': 'r', 'apart': '(select 1 as a, current_catalog() as b)'}}"
    calls = "".join(f"{{% do widths.append(dbt_range_join._row_width({join}, 'right', {rows}, side)) %}}" for rows in (10, 50_000, 60_000, 70_000))
    log = project.folder / "logs" / "dbt.log"
    said = len(log.read_text()) if log.exists() else 0
    body = "{% set side, widths = {'read': 5}, [] %}{% if execute %}" + calls + "{% endif %}select '{{ tojson(widths) }}' as widths"
    widths = json.loads(re.search(r"'(.*)'", project.compile({"widths": body}, looks=True)["widths"])[1])
    asked = log.read_text()[said:]
    assert asked.count("describe query select r.*") == asked.count("as long_values_width from") == 1
    assert widths[1] == widths[2] == widths[3] and 16 * 5 < widths[1] < 16 * 5 + 100


TYPED = {
    "numbers and texts": ("id as k, 1.50 as p", 'cast("a" as char(3)) as k, cast(1 as tinyint) as s, 2e0 as e', True),
    "times, and texts to which case does not matter": ('"a" collate utf8_lcase as k, date"2024-01-01" as p', "k, s, s as e", True),
    "a key of many columns": ('named_struct("a b", id, "c", array(map(1, 2.5))) as k, interval 1 day as p', "null as k, id as s, 2 as e", True),
    "a name like what parts types": ('named_struct("a | b", id) as k, id as p', "id as k, id as s, id as e", False),
    "a name of two lines": ('named_struct(concat("a", chr(10), "b"), id) as k, id as p', "id as k, id as s, id as e", False),
}


@pytest.mark.parametrize("rows", ["", " limit 0", " limit 1"])
def test_the_types_that_a_plan_shows(project, rows):
    """They are those that `describe query` tells, which is asked where the plan does not show one for each value, as of no rows."""
    of_times = '(select id, "k" as k, timestamp_ntz"2024-01-01" as s from range(9)) as t'
    bodies = {}
    for name, (left, right, _) in TYPED.items():
        left, right = f"select {left} from range(9){rows}", f"select {right} from {of_times if right == 'k, s, s as e' else 'range(9)'}"
        arguments = f"left_relation='({left})', left_point='p', right_relation='({right})', right_interval=['s', 'e'], keys=['k'], select=[{BOTH_IDS}]"
        bodies[name.replace(" ", "_").replace(",", "")] = (
            f"{{% set join = {join_in_jinja(arguments)} %}}{{% if execute %}}{{% set sizes = dbt_range_join._input_sizes(join) %}}"
            "/*{{ tojson([sizes.types, dbt_range_join._side_types(join), dbt_range_join._side_types(join, sizes)]) }}*/{% endif %}select 1 as x"
        )
    for (name, (_, _, are_shown)), sql in zip(TYPED.items(), project.compile(bodies).values(), strict=True):
        shown, described, types = json.loads(re.search(r"/[*](.*)[*]/", sql)[1])
        assert all(described[side] == types[side] for side in ("left", "right")) and [len(types[side]["key_types"] + types[side]["types"]) for side in ("left", "right")] == [2, 3], name
        assert shown == (dict(described, keeps_text=True) if are_shown and rows != " limit 0" else None), name


def test_a_column_of_a_wide_table_is_not_taken_for_tiny(spark, project):
    """Spark takes two columns of 300 that are mostly NULL for a hundredth of the table. 200,000 rows of these are no few kilobytes."""
    columns = ", ".join(f"cast(if(id < 0, id, null) as double) as c{n}" for n in range(300))
    wide = f"select id, timestamp_seconds(id * 7919 % 200000 * 1000 + id % 999) as p, {columns} from range(200000)"
    intervals = "select id, timestamp_seconds(id * 10000) as s, timestamp_seconds(id * 10000 + 5000) as e from range(40)"
    project.built({"wide": TABLE + wide, "narrow": TABLE + "select id, timestamp_seconds(id * 7) as p from range(200)"})
    join = TABLE + "{{ dbt_range_join.binned_range_join('scratch.%s', left_point='p', right_relation='(" + intervals + ")', right_interval=['s', 'e'], select=['l.p', 'r.id'], bin_size='1 hour') }}"
    sql = project.built({"of_wide": join % "wide", "of_narrow": join % "narrow", "of_one": (join % "wide").replace("'scratch.wide'", "'(select max(p) as p from scratch.wide)'")})
    assert "/*+" in sql["of_wide"] and "/*+" not in sql["of_narrow"] + sql["of_one"]
    for name in ("wide", "narrow"):
        spark.sql(f"drop table scratch.{name}")


def test_sizes_out_of_the_warehouse_and_beyond_all_bounds(spark, project):
    """A bin_size that a query returned is a Decimal; and one that makes more copies than a DOUBLE can count is warned of like any other."""
    points, intervals = "select id, id / 8D as p from range(20000)", "select id, id / 8D as s, id / 8D + 3 as e from range(9000)"
    asked = "{%- set size = run_query('select 2.5BD as size').rows[0][0] if execute else 1 -%}\n"
    huge = "select id, id * 1e295 as {} from range(20000)"
    bodies = {
        "by_query": TABLE + asked + call(points, intervals, ", bin_size=size"), "naive": call(points, intervals, macro="naive"),
        "hopeless": TABLE + call(huge.format("p"), huge.format("s, id * 1e295 + 2e296 as e"), ", bin_size=1e-30"),
    }  # fmt: skip
    sql = project.built(bodies)
    assert "/ 2.5D" in sql["by_query"]
    assert_same(spark, sql["by_query"], sql["naive"])
    assert spark.table("scratch.hopeless").count() > 20000


def test_timestamps_without_a_zone_at_the_ends_of_time(spark, project):
    """Their last hours are out of a TIMESTAMP's reach where clocks are behind UTC, and their first ones where they are ahead."""
    points = "select id, {} + make_dt_interval(0, cast(id * 7919 % 2000 as int)) as p from range(60000)"
    intervals = "select id, s, s + make_dt_interval(0, 0, 30) as e from (select id, {} + make_dt_interval(0, cast(id * 104729 % 1990 as int)) as s from range(4000))"
    zone = spark.conf.get("spark.sql.session.timeZone")
    first, last = 'timestamp_ntz"-290308-12-21 20:00:00"', 'timestamp_ntz"294246-10-18 20:00:00"'
    try:
        for place, at in (("America/Los_Angeles", last), ("Asia/Tokyo", first)):
            spark.conf.set("spark.sql.session.timeZone", place)
            bodies = {macro: (TABLE if macro == "binned" else "") + call(points.format(at), intervals.format(at), macro=macro) for macro in ("binned", "naive")}
            sql = project.built(bodies)
            assert plan_of(sql["binned"]).startswith("bins of ") and assert_same(spark, sql["binned"], sql["naive"]) > 60000
    finally:
        spark.conf.set("spark.sql.session.timeZone", zone)


def test_times_of_two_types_lie_where_spark_compares_them(spark, project):
    """Outside UTC a TIMESTAMP_NTZ lies hours from the instant that it is beside a TIMESTAMP or a DATE: intervals would seem to end before they start, and points to meet none."""
    points = 'select id, {}"2024-01-01 00:00:00" + make_dt_interval(0, 0, 0, id * 7919 % 172800) as p from range(60000)'
    intervals = (
        'select id, cast(s as {}) as s, cast({} + make_dt_interval(0, 0, 20) as {}) as e '
        'from (select id, timestamp"2024-01-01" + make_dt_interval(0, 0, 0, id * 104729 % 172800) as s from range(8000))'
    )
    zone = spark.conf.get("spark.sql.session.timeZone")
    try:
        spark.conf.set("spark.sql.session.timeZone", "America/Sao_Paulo")
        sides = {
            "points": (points.format("timestamp_ntz"), intervals.format("timestamp", "s", "timestamp")),
            "intervals": (points.format("timestamp"), intervals.format("timestamp_ntz", "s", "timestamp_ntz")),
            "ends": (points.format("timestamp"), intervals.format("timestamp", "s", "timestamp_ntz")),
            "ends_of_days": (points.format("timestamp_ntz"), intervals.format("date", "cast(cast(s as date) as timestamp_ntz)", "timestamp_ntz")),
        }
        sql = project.built({name: TABLE + call(*tables) for name, tables in sides.items()})
        for name, body in sql.items():
            found = number_in(r"compared for ([\d,]+) found", plan_of(body))
            assert 0.7 < found / spark.table(f"scratch.{name}").count() < 1.4 and "half up to 20 minutes" in plan_of(body), (name, plan_of(body))
    finally:
        spark.conf.set("spark.sql.session.timeZone", zone)


def test_a_table_that_is_seen_whole_does_not_meet_itself(spark, project):
    """All rows of both sides are looked at, in the same order, and each finds itself: as many pairs as are expected where these are the same rows in another order."""
    rows = "select id, id % 13 as k, id * 7919 % 86400 as s, id * 7919 % 86400 + id % 5 as e from range(9000)"
    project.built({"seen_whole": TABLE + rows})
    side = "(select * from scratch.seen_whole{})"
    overlap = "{{{{ dbt_range_join.binned_range_join('{}', left_interval=['s', 'e'], right_relation='{}', right_interval=['s', 'e'], keys=['k'], select=['l.id', 'r.id as r_id']) }}}}"
    sql = project.compile({"itself": overlap.format(side.format(""), side.format("")), "shuffled": overlap.format(side.format(""), side.format(" order by hash(id)"))})
    for name, body in sql.items():
        expected = number_in(r"compared for ([\d,]+) found", plan_of(body))
        found = spark.sql(f"select count(*) from ({body})").first()[0]
        assert 0.4 < expected / found < 2.5, (name, expected, found)


def test_long_intervals_of_keys_that_few_rows_have_do_not_make_bins_wide(spark, project):
    """One key has most rows and short versions, all others long ones: nearly no point is beside those, as points are of the one key. Bins of 5,000 would compare five million pairs."""
    points = "select id, if(id % 10 < 9, 0, 1 + id % 997) as k, id * 7919 % 200000 as p from range(60000)"
    versions = (
        "select id, k, s, s + length - 1 as e from (select id, if(id < 4000, 0, 1 + id % 997) as k, if(id < 4000, 50, 50000) as length, "
        "if(id < 4000, id * 50, (id - 4000) div 997 * 50000) as s from range(7988))"
    )
    sql = project.compile({"keyed": call(points, versions, ", keys=['k']")})["keyed"]
    assert spark.sql(f"select count(*) from ({sql})").first()[0] == 60_000
    assert compared(spark, sql) < 300_000, plan_of(sql)


def test_keys_that_each_live_for_a_short_time_are_seen(spark, project):
    """
    Found by an attack: of the 500 keys, each has all of its rows within ten minutes of a year, as flights have, or sessions. As if keys had nothing to do with it, 600 pairs
    are compared in place of a million, so that wider bins seemed to cost nothing: eight times the work, and eleven where two intervals meet.
    """
    lives = "timestamp'2024-01-01' + make_dt_interval(0, 0, 0, pmod(hash(id % 500, 1), 31536000) + 600 * rand({seed}))"
    rows = "select id, id % 500 as k, " + lives
    spark.sql("create schema if not exists scratch")
    spark.sql(f"create table scratch.lives using parquet as {rows.format(seed=3)} as p from range(400000)")
    for seed, (name, count) in enumerate({"moments": 80000, "other_moments": 80000, "many_moments": 400000}.items(), 4):
        spark.sql(f"create table scratch.{name} using parquet as select *, s + make_dt_interval(0, 0, 0, rand({seed + 2})) as e from ({rows.format(seed=seed)} as s from range({count}))")
    sql = project.built({
        "lives_meet": TABLE + call("select * from scratch.lives", "select * from scratch.moments", ", keys=[\"k\"]").replace('"k"', "'k'"),
        **{f"{left}_meet": TABLE + f"{{{{ dbt_range_join.binned_range_join(left_relation='scratch.{left}', left_interval=['s', 'e'], right_relation='scratch.other_moments', "
           f"right_interval=['s', 'e'], keys=['k'], select=[{BOTH_IDS}]) }}}}" for left in ("moments", "many_moments")}})
    met = compared(spark, sql["lives_meet"])
    assert met < 1_000_000, f"{met}, {plan_of(sql['lives_meet'])}"
    assert 0.5 < number_in(r"([\d,]+) pairs compared", plan_of(sql["lives_meet"])) / met < 2, f"{met}, {plan_of(sql['lives_meet'])}"
    # In bins so wide that levels are known without a spare one, all pairs of a key meet: 64 million.
    assert number_in(r"([\d,]+) pairs compared", plan_of(sql["many_moments_meet"])) < 10_000_000, plan_of(sql["many_moments_meet"])
    for name in sql:
        found = spark.table(f"scratch.{name}").count()
        assert 0.5 < number_in(r"compared for ([\d,]+) found", plan_of(sql[name])) / found < 2, f"{name}: {found}, {plan_of(sql[name])}"


def test_points_just_outside_the_intervals_of_their_keys_are_seen(spark, project):
    """No point is in an interval of its key, and each lies right after one: what no sampled pair of equal keys matches is compared all the same, at wider levels too."""
    points = "select id, id % 20 as k, id * 31 % 8 * 200000 + 100000 + pmod(hash(id), 100000) + id % 20 * 10000 as p from range(60000)"
    intervals = "select id, k, s, s + 99999 as e from (select id, id % 20 as k, id * 7 % 8 * 200000 + id % 20 * 10000 as s from range(6000))"
    sql = project.compile({"keyed": call(points, intervals, ", keys=['k']")})["keyed"]
    assert spark.sql(sql).count() == 0
    assert 0.5 < number_in(r"([\d,]+) pairs compared", plan_of(sql)) / compared(spark, sql) < 2, plan_of(sql)


# How points and intervals meet in each way: the two CTEs, and their column.
WAYS = {
    "left": ("range_join_left_binned", "range_join_right_fanned_out", "bin_num"),
    "right": ("range_join_left_probes", "range_join_right_placed", "slot"),
    "inner": ("range_join_left_level_probes", "range_join_right_leveled", "slot"),
}


@pytest.mark.parametrize("join_type", WAYS)
def test_each_way_is_estimated_as_it_is(spark, project, join_type):
    """Joins that keep points or intervals make other rows than those that keep none: the plan says how many, whatever the lengths are, and also where many points are NULL."""
    points = "select id, if(id % 10 < {nulls}, null, id * 7919 % 400000) as p from range(60000)"
    intervals = "select id, s, s + {length} as e from (select id, id * 104729 % 400000 as s from range(5000))"
    lengths = {"short": "3", "long": "if(id % 100 = 0, 90000, id % 60)", "many": "cast(pow(1.3, id % 40) as int)"}
    bodies = {
        f"{length}_{nulls}": call(points.format(nulls=nulls), intervals.format(length=lengths[length]), f", join_type='{join_type}'")
        for length, nulls in (("short", 0), ("long", 9), ("many", 0))
    }
    for name, sql in project.compile(bodies).items():
        check_estimate(spark, sql, join_type, f"{name}: {plan_of(sql)}", intervals=5000)


@pytest.mark.parametrize("join_type", WAYS)
def test_lengths_that_go_with_where_intervals_lie_are_seen(spark, project, join_type):
    """
    Found by an attack: half of the intervals are of milliseconds and lie in one busy day, the others of half an hour and lie in a month. As if any of them lay anywhere, each point
    of that day seemed to be in twenty times as many, and no size to be better than another.
    """
    month, day = 2_592_000_000, 86_400_000
    points = f"select id, cast(rand(41) * if(id % 10 = 0, {month}, {day}) as bigint) as p from range(60000)"
    intervals = (
        f"select id, s, s + cast(rand(42) * if(id % 2 = 0, 10, 3600000) as bigint) as e from (select id, cast(rand(43) * if(id % 2 = 0, {day}, {month}) as bigint) as s from range(20000))")
    sql = project.compile({"by_place": call(points, intervals, f", join_type='{join_type}'")})["by_place"]
    check_estimate(spark, sql, join_type, plan_of(sql), intervals=20000, times=2)


def check_estimate(spark, sql, join_type, about, intervals, times=1.4):
    """How many pairs a join compares and finds, whose compiled SQL this is, is up to `times` what its plan says, and no less than as much less; and copies are as many, to a quarter."""
    of_points, of_intervals, column = WAYS[join_type]
    plan = plan_of(sql)
    steps = sql.split("-- step 2")[0] + " "
    met = spark.sql(f"{steps} select count(*) from {of_points} as p join {of_intervals} as i using ({column})").first()[0]
    found = spark.sql(f"select count(*) from ({sql}) where l_id is not null and r_id is not null").first()[0]
    copies = spark.sql(f"{steps} select count(*) / {intervals} from {of_intervals}").first()[0]
    assert 1 / times < number_in(r"([\d,]+) pairs compared", plan) / met < times, f"{about}, {met} compared"
    assert 1 / times < number_in(r"compared for ([\d,]+) found", plan) / found < times, f"{about}, {found} found"
    assert 0.8 < float(re.search(r"about ([\d.]+) copies an interval", plan)[1]) / copies < 1.25, f"{about}, {copies} copies"


def test_the_bins_of_a_sweep_are_no_narrower_than_a_bigint_can_number(spark, project):
    """Decimals of 38 digits, all far from 0: they would all be in BIGINT's last bin, and in one chunk."""
    points = "select id, cast(id * 7919 % 60000 as decimal(38, 0)) * 1000000000000000000BD + 30000000000000000000000000000000000000BD as p from range(60000)"
    intervals = "select id, p as s, p + 5 as e from (" + points.replace("7919", "104729") + ")"
    sql = project.compile({"huge": call(points, intervals, ", join_type='anti'", select="'l.id as l_id'")})["huge"]
    assert plan_of(sql).startswith("one sweep")
    assert spark.sql(sql.split("-- step 2")[0] + " select * from range_join_left_chunks").count() > 100
