"""profile_range_join and explain_range_join, run as a user runs them."""

import json
import re

import pytest
import yaml

from dev.dbt_runner import DbtFailed, run_dbt
from dev.project import ScratchProject

ARGUMENTS = {
    "left_relation": "report_points", "left_point": "p", "right_relation": "report_versions", "right_interval": ["s", "e"],
    "select": ["l.id as l_id", "r.id as r_id"],
}  # fmt: skip


JOIN = (
    "{{ dbt_range_join.binned_range_join(left_relation=%s, left_point='p', "
    "right_relation=ref('report_versions'), right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']%s) }}"
)
NAMES = "the name of a model, seed or snapshot, source.table, or a query in parentheses"
POINTS = "ref('report_points')"
AS_TABLE = "{{ config(materialized='table') }}\n"


@pytest.fixture(scope="module")
def built(spark, scratch):
    """A project whose two inputs and some joins are built."""
    project = ScratchProject(scratch / "reports", "reports")
    project.write({
        "report_points.sql": "{{ config(materialized='table') }}\nselect id, id % 40 as k, cast(id * 3 as int) as p from range(30000)",
        "report_versions.sql": "{{ config(materialized='table') }}\n"
        "select id, id % 40 as k, cast(id * 30 as int) as s, cast(id * 30 + if(id = 7, -5, id % 60) as int) as e from range(3000)",
        "joined.sql": JOIN % (POINTS, ", bin_size=50"),
        "as_table.sql": AS_TABLE + JOIN % (POINTS, ""),
        "overlaps.sql": AS_TABLE + (JOIN % ("ref('report_versions')", ", bin_size=50")).replace("left_point='p'", "left_interval=['s', 'e']"),
        "chosen_overlaps.sql": AS_TABLE + (JOIN % ("ref('report_versions')", "")).replace("left_point='p'", "left_interval=['s', 'e']"),
        "overlaps_view.sql": (JOIN % ("ref('report_versions')", "")).replace("left_point='p'", "left_interval=['s', 'e']"),
        "two_joins.sql": AS_TABLE + f"({JOIN % (POINTS, '')})\nunion all\n({JOIN % (POINTS, ', bin_size=20')})",
        "by_day_reported.sql": "{{ config(materialized='incremental', incremental_strategy='append') }}\n"
        "with new as (\n    select * from {{ ref('report_points') }}\n"
        "    {% if is_incremental() %}where id > (select max(l_id) - 9000 from {{ this }}){% endif %}\n)\n\nselect * from (\n" + JOIN % ("'new'", "") + "\n)",
        "by_loop_reported.sql": "with new as (\n    {% for name in ['report_points'] %}select * from {{ ref(name) }}{% endfor %}\n)\n-- depends_on: {{ ref('report_points') }}\n\nselect * from (\n"
        + JOIN % ("'new'", "") + "\n)",
        "few_points.sql": "{{ config(materialized='ephemeral') }}\nselect * from {{ ref('report_points') }} where id < 1000",
        "fewer_points.sql": "{{ config(materialized='ephemeral') }}\nselect * from {{ ref('few_points') }} where id < 500",
        "grouped_points.sql": "{{ config(materialized='ephemeral') }}\nselect id, max(p) as p from {{ ref('fewer_points') }} group by id",
        "of_grouped.sql": JOIN % ("ref('grouped_points')", ""),
        "beside_grouped.sql": "with grouped as (\n    select max(p) as p from {{ ref('grouped_points') }}\n)\n\nselect of_few.* from (\n"
        + JOIN % ("ref('fewer_points')", "") + "\n) as of_few\ncross join grouped",
        "explains_itself.sql": AS_TABLE + "-- depends_on: {{ ref('fewer_points') }}, {{ ref('report_versions') }}\nselect '{% if execute %}{{ dbt_range_join.explain_range_join("
        "left_relation=ref('fewer_points'), left_point='p', right_relation=ref('report_versions'), right_interval=['s', 'e'], select=['l.id as l_id']) }}{% endif %}' as said",
        "far_points.sql": AS_TABLE + "select id, if(id % 100 = 77, timestamp'9999-12-31', timestampadd(MINUTE, cast(id * 7919 % 2600000 as int), timestamp'2020-01-01')) as p from range(60000)",
        "open_versions.sql": AS_TABLE + "select id, s, case when id % 20 = 0 then timestamp'9999-12-31' else timestampadd(HOUR, 5, s) end as e "
        "from (select id, timestampadd(MINUTE, cast(if(id % 20 = 0, 2600000 - id, id * 104729 % 2600000) as int), timestamp'2020-01-01') as s from range(4000))",
        "of_far.sql": AS_TABLE + (JOIN % ("ref('far_points')", "")).replace("report_versions", "open_versions"),
        "of_far_view.sql": (JOIN % ("ref('far_points')", "")).replace("report_versions", "open_versions"),
        "sources.yml": "sources:\n  - name: made\n    schema: scratch\n    tables: [{name: points, identifier: report_points}, {name: versions, identifier: report_versions}]\n",
        "dims.yml": "models:\n  - name: dim\n    latest_version: 2\n    versions: [{v: 1}, {v: 2}]\n",
        "dim_v1.sql": "{{ config(materialized='ephemeral') }}\nselect * from {{ ref('report_points') }} where id < 100",
        "dim_v2.sql": JOIN % (POINTS, ""),
        "of_dim_1.sql": JOIN % ("ref('dim', v=1)", ""),
        "of_ephemeral.sql": JOIN % ("ref('fewer_points')", ""),
        "ephemeral_join.sql": "{{ config(materialized='ephemeral') }}\n" + JOIN % (POINTS, ", bin_size=50"),
        "over_ephemeral_join.sql": AS_TABLE + "select l_id from {{ ref('ephemeral_join') }}\nunion all\nselect r_id from {{ ref('ephemeral_join') }}",
        "not_built.sql": "select 1 as id, 1 as p",
        "of_not_built.sql": JOIN % ("ref('not_built')", ""),
        "lengths.sql": "-- {% for days in [0.5, 1, 7, 9, 13.5, 14, 15, 60, 365, 3650000, 3650001] %}{{ dbt_range_join._say_length(days * 86400000000, 'time') }}, {% endfor %}\n"
        "-- {% for length in [999400, 999700, 1000300, 999.7, 0.9997] %}{{ dbt_range_join._say_length(length, 'time') }}, {% endfor %}\nselect 1",
        "shares.sql": "-- {% for share in [1, 0.0251, 0.0096, 0.00000112, 0.0000005, 0] %}{{ dbt_range_join._say_share(share) }}; {% endfor %}\nselect 1",
        "quantiles.sql": "-- {{ dbt_range_join._quantiles_sql('x', [0.5]) | replace('\n', ' ') }}\nselect 1",
        "words.sql": "select 'CartesianProduct, (1) CartesianProduct' as CartesianProductX, 'BroadcastNestedLoopJoin' as said",
        "crossed.sql": "select l.id from {{ ref('report_points') }} as l join {{ ref('report_versions') }} as r on l.p between r.s and r.e",
    })  # fmt: skip
    (project.folder / "seeds").mkdir()
    (project.folder / "seeds" / "report_seed.csv").write_text("id\n1\n")
    project.dbt("build", "--exclude", "not_built", "of_not_built")
    return project


def run(project, operation, arguments, log=None):
    """What the operation prints. log: a list that takes all that dbt logs meanwhile, where its file has what earlier calls logged, too."""
    events = []
    folder = project.folder
    try:
        run_dbt(["run-operation", operation, "--args", json.dumps(arguments)], folder, folder, folder / "logs", on_event=events.append, partial_parse=True)
    finally:
        if log is not None:
            log.extend(event.info.msg for event in events)
    return "\n".join(event.data.msg for event in events if event.info.name == "PrintEvent")


def run_and_list_explained(project, operation, arguments):
    """What the operation prints, and the queries that it has Spark explain, in their order."""
    log = []
    text = run(project, operation, arguments, log)
    explained = "\n".join(log).split("explain formatted ")[1:]
    assert explained
    return text, [query.strip() for query in explained]


def test_profile(built):
    text = run(built, "profile_range_join", ARGUMENTS)
    for line in (
        f"{'rows':28} {'30,000':>24} {'3,000':>24}",
        f"{'first':28} {'0':>24} {'0':>24}",
        f"{'last':28} {'89997':>24} {'90029':>24}",
        f"{'inverted':28} {'-':>24} {'1':>24}",
        f"{'length p50':28} {'-':>24} {'30':>24}",
        f"{'length p99.99':28} {'-':>24} {'59':>24}",
    ):
        assert line in text, f"{line!r} is not in\n{text}"
    assert "bin_size           copies per compared per       cost" in text
    assert sum(" * ####" in line for line in text.splitlines()) == 1, "the size that is recommended is marked, once"
    assert "Recommended: bins of " in text and "Keys:" not in text
    assert run(built, "profile_range_join", ARGUMENTS) == text, "to compare with the next one, it has to stay the same"


def test_profile_recommends_what_models_get(built):
    """A table's plan, and a view's where it is another one: two overlaps that a table finds in one join, and one point that lies far from the others."""
    overlaps = {"left_relation": "report_versions", "left_interval": ["s", "e"], "right_relation": "report_versions", "right_interval": ["s", "e"], "select": ARGUMENTS["select"]}
    far = dict(ARGUMENTS, left_relation="far_points", right_relation="open_versions")
    for model, arguments, is_view in (
        ("as_table", ARGUMENTS, False), ("of_far", far, False), ("of_far_view", far, True), ("chosen_overlaps", overlaps, False), ("overlaps_view", overlaps, True)
    ):
        lines = run(built, "profile_range_join", arguments).splitlines()
        recommended = [line for line in lines if line.startswith(("Recommended: ", "For a view: "))]
        assert len(recommended) == (1 if model == "as_table" else 2)
        compiled = (built.folder / "target" / "compiled" / "reports" / "models" / f"{model}.sql").read_text()
        reason = re.search("-- dbt_range_join: (.*)", compiled)[1]
        if is_view:
            reason = re.sub("; [^;]* on the left.* on the right[^;]*", "", reason)
        (marked,) = [line for line in lines if " * #" in line]
        assert recommended[0].startswith(f"Recommended: bins of {marked[:16].strip()}"), "what is recommended is marked, though another size may cost less"
        assert recommended[is_view] == f"{'For a view' if is_view else 'Recommended'}: {reason}."
    assert f"Chosen: {re.match('Recommended: (.*)', recommended[0])[1]}" in run(built, "explain_range_join", overlaps)


def test_the_recommended_size_is_marked_and_not_the_cheapest(built):
    """Of sizes that cost about the same the narrowest is chosen, and here a wider one is the cheapest by a little: it was marked, and another one recommended."""
    arguments = dict(
        ARGUMENTS, left_relation="(select id, cast(rand(7) * 1000000 as int) as p from range(60000))",
        right_relation="(select id, s, s + 5 as e from (select id, cast(rand(8) * 1000000 as int) as s from range(20000)))")
    text = run(built, "profile_range_join", arguments)
    (marked,) = [line for line in text.splitlines() if " * #" in line]
    cheapest = [line for line in text.splitlines() if re.search(r" 1\.00 [*|] #", line)]
    assert f"Recommended: bins of {marked.split()[0]}" in text
    assert marked not in cheapest[-1:], "what this test is about"


def test_profile_of_a_sweep(built):
    """Where no bin size makes more or less to compare, there is no curve of bin sizes."""
    reversed_sides = {"left_relation": "report_versions", "left_interval": ["s", "e"], "right_relation": "report_points", "right_point": "p"}
    text = run(built, "profile_range_join", dict(reversed_sides, join_type="anti", select=["l.id as l_id"]))
    assert "Recommended: one sweep over both sides in order" in text
    assert "bin_size           copies per" not in text
    assert "bin_size           copies per" in run(
        built, "profile_range_join", dict(reversed_sides, join_type="anti", select=["l.id as l_id"], join_condition="l.k = r.k"))


def test_profile_of_values_that_have_no_bins(built):
    """What there is to count is counted, and in place of a plan stands what is wrong with the types."""
    arguments = dict(ARGUMENTS, left_relation="(select id, p > 5 as p from scratch.report_points)", right_relation="(select id, s > 5 as s, e > 5 as e from scratch.report_versions)")
    text = run(built, "profile_range_join", arguments)
    assert f"{'rows':28} {'30,000':>24} {'3,000':>24}" in text
    assert "length p50" not in text, "a line that says nothing of either side"
    assert "Recommended" not in text and text.count("and this is of type BOOLEAN. Next step: cast it") == 3
    of_three = dict(
        ARGUMENTS, left_relation="(select id, cast(id as string) as p from range(90000))",
        right_relation="(select id, date'2024-01-01' as s, id + 5 as e from range(60000))")
    text = run(built, "profile_range_join", of_three)
    assert "left_point: got 'p'; allowed: numbers, dates and timestamps, and this is of type STRING" in text and "inverted" not in text


def test_profile_counts_open_intervals(built):
    """Ends as people write "never"; not an interval that began long ago, nor one without a start."""
    ends = {"9999-12-31 23:59:59": 3, "2200-01-01": 2, "2024-02-01": 5}
    starts = {"timestamp '2024-01-01'": ends, "timestamp '1960-01-01'": {"2024-01-01": 7}, "cast(null as timestamp)": {"9999-12-31": 1}}
    rows = [
        f"select {start} as s, timestamp '{end}' as e from range({count})" for start, ends in starts.items() for end, count in ends.items()
    ]
    arguments = {
        "left_relation": "(select timestamp_seconds(1704067200 + id) as p from range(100))", "left_point": "p",
        "right_relation": f"({' union all '.join(rows)})", "right_interval": ["s", "e"],
    }  # fmt: skip
    text = run(built, "profile_range_join", arguments)
    assert f"{'open (100 years or more)':28} {'-':>24} {'5':>24}" in text
    assert f"{'NULL':28} {'0':>24} {'1':>24}" in text


def test_lengths_are_said_in_weeks_only_where_these_are_whole(built):
    """'8.57 weeks' is not what anybody calls 60 days."""
    compiled = (built.folder / "target" / "compiled" / "reports" / "models" / "lengths.sql").read_text()
    said = "12 hours, 1 day, 1 week, 9 days, 13.5 days, 2 weeks, 15 days, 60 days, 365 days, 3650000 days, 3650000 days"
    assert compiled.splitlines()[0] == f"-- {said}, "


def test_shares_of_pairs_are_said_as_they_are_known(built):
    """Found in review: "0.000112 %" and "5.79e-05 %" for what is known to a factor of three."""
    compiled = (built.folder / "target" / "compiled" / "reports" / "models" / "shares.sql").read_text()
    assert compiled.splitlines()[0] == "-- about 100 % of all; about 2.51 % of all; about 1 in 100; about 1 in 900,000; about 1 in 2,000,000; no; "


def test_quantiles_do_not_follow_from_files(spark, built):
    """Found in review: those of the default accuracy changed with how rows lie in files."""
    sql = (built.folder / "target" / "compiled" / "reports" / "models" / "quantiles.sql").read_text().splitlines()[0][3:]
    rows = "(select pmod(hash(id), 1000003) as x from range(0, 90000, 1, {}))"
    assert len({spark.sql(f"select {sql} as q from {rows.format(parts)}").first().q for parts in (1, 7, 40)}) == 1


def test_lengths_are_said_without_an_exponent(built):
    """Found in review: 999.7 milliseconds were "1e+03 milliseconds"."""
    compiled = (built.folder / "target" / "compiled" / "reports" / "models" / "lengths.sql").read_text()
    assert compiled.splitlines()[1] == "-- 999 milliseconds, 1000 milliseconds, 1000 milliseconds, 1000 microseconds, 1 microsecond, "


INTERVALS_OF = "(select id, s, {end} as e, {key} as k from (select id, {key} as k, timestamp_seconds(1704067200 + id) as s from range({rows})))"
POINTS_OF = "(select id, {point} as p, {key} as k from range({rows}))"
A_SECOND = "timestamp_seconds(1704067200 + id)"


def profile_of(built, end="s + interval 5 seconds", point=A_SECOND, keys=(1, 1), rows=(200, 200), join_keys=None, **more):
    """The profile of some seconds with intervals that begin at each second."""
    left = POINTS_OF.format(point=point, key=keys[0], rows=rows[0])
    right = INTERVALS_OF.format(end=end, key=keys[1], rows=rows[1])
    return run(built, "profile_range_join", {**ARGUMENTS, "left_relation": left, "right_relation": right, "keys": join_keys, **more})


def test_half_is_half(built):
    """Found in review: of lengths the quantiles at 0.51 and 0.9925 were said to be those of half and of 99 %, and were not those that the profile has counted."""
    text = profile_of(built, "s + case when id % 100 < 50 then interval 1 second when id % 100 < 99 then interval 12 hours else interval 10 days end")
    assert f"{'length p50':28} {'-':>24} {'1 second':>24}" in text and f"{'length p99':28} {'-':>24} {'12 hours':>24}" in text, text
    assert "200 intervals on the right (half up to 1 second, 99 % up to 12 hours)" in text, text


def test_profile_counts_infinite_intervals(built):
    """Found in review: of numbers "100 years or more" were counted, of which there are none."""
    arguments = dict(
        ARGUMENTS, left_relation="(select id, cast(id as double) as p from range(200))",
        right_relation="(select id, cast(id as double) as s, if(id % 10 = 0, double('infinity'), id + 5) as e from range(200))")
    assert f"{'open (infinite)':28} {'-':>24} {'20':>24}" in run(built, "profile_range_join", arguments)
    assert "open (" not in run(built, "profile_range_join", ARGUMENTS), "whole numbers are not infinite"


def test_profile_has_a_line_of_the_size_given(built):
    """Found in review: what a join takes beside what describes it was passed over in silence."""
    lines = run(built, "profile_range_join", dict(ARGUMENTS, bin_size=77, extent=[0, 100000], longest=60)).splitlines()
    (line,) = [line for line in lines if line.endswith(" the bin_size given")]
    assert re.match(r"77 +[\d.]+ +[\d.]+ +[\d.]+ \| #", line), line
    assert "Not used: extent, longest, as a profile is of what there is and of what would be chosen." in lines
    text = run(built, "profile_range_join", dict(ARGUMENTS, join_type="full", bin_size=20000000))
    assert re.search(r"\n20000000 +[\d.]+ +[\d.]+ +[\d.]+ \| #+ the bin_size given\n", text) and "Not used" not in text, text
    assert "\nNot used: bin_size, as " in profile_of(built, rows=(9, 0), bin_size="1 minute"), "there is no table"


def test_inverted_bounds_can_be_pasted(built):
    """Found in review: bounds with a literal stood in the quotes that the literal has."""
    text = profile_of(built, "s - interval 1 second", right_interval=["s", "coalesce(e, timestamp'9999-12-31')"])
    assert """wrong way round, right_interval=["coalesce(e, timestamp'9999-12-31')", 's']\n""" in text, text


def test_open_intervals_are_said_where_there_are_no_others(built):
    """Found in review: only beside the lengths of others."""
    assert "200 intervals on the right (100 % open)" in profile_of(built, "timestamp'9999-12-31'")


@pytest.mark.parametrize("keys, rows", [((1, 1), (0, 0)), ((1, 2), (10, 10)), ((1, "cast(null as int)"), (10, 10))])
def test_no_keys_are_equal(built, keys, rows):
    """Found in review: "about 50 %" of no pairs, and "about 5 %" of pairs of two keys, as if a sample had missed some."""
    text = profile_of(built, keys=keys, rows=rows, join_keys=["k"], join_type="left")
    assert "Keys: no pairs have equal keys.\n" in text, text
    assert "Recommended: no bins, as there are no pairs of equal keys to compare" in text
    assert "bin_size           copies per" not in text, "nothing can match"


def test_few_pairs_are_counted_and_not_about_as_many(built):
    """Nor has a side a curve that has nothing which can match."""
    one = profile_of(built, rows=(1, 1))
    assert "no bins, as there is only 1 pair to compare" in one
    assert "no bins, as there are only 2,500 pairs of equal keys to compare" in profile_of(built, rows=(100, 25), keys=(7, 7), join_keys=["k"])
    for text in (profile_of(built, rows=(100, 0)), profile_of(built, point="cast(null as timestamp)"), profile_of(built, "s - interval 1 second")):
        assert "bin_size           copies per" not in text, text


def test_explain_a_size_where_no_keys_are_equal(built):
    """Nothing is divided by a share of none."""
    arguments = {
        "left_relation": "(select id, -1 as k, cast(id as int) as p from range(5000))", "left_point": "p",
        "right_relation": "(select id, 1 as k, cast(id * 3 as int) as s, cast(id * 3 + 5000 as int) as e from range(3000))", "right_interval": ["s", "e"],
        "select": ARGUMENTS["select"], "keys": ["k"], "join_type": "left", "bin_size": 1,
    }  # fmt: skip
    assert numbers_of(run(built, "explain_range_join", arguments))["rows of the result"] == [5000]


def test_profile_with_keys(built):
    text = run(built, "profile_range_join", dict(ARGUMENTS, keys=["k"]))
    different = text.split("different keys, about")[1].split()[:2]
    assert all(36 <= int(number) <= 44 for number in different), different
    share = float(text.split("Keys: about ")[1].split(" %")[0])
    assert 2 < share < 3, "forty keys as often as each other: 2.5 %"


@pytest.mark.parametrize("join_type, sweeps", [("inner", 0), ("left", 0), ("right", 0), ("full", 1), ("semi", 0)])
def test_explain_counts_what_the_join_does(spark, built, join_type, sweeps):
    """A semi join as well meets pairs here, since a build broadcasts so few intervals."""
    arguments = dict(ARGUMENTS, join_type=join_type, bin_size=50)
    if join_type == "semi":
        arguments["select"] = ["l.id as l_id"]
    text = run(built, "explain_range_join", arguments)
    assert "Nested loop or cartesian product: no" in text
    numbers = {name: counts[0] for name, counts in numbers_of(text).items()}
    compared = [count for name, count in numbers.items() if name.startswith("pairs compared")]
    matches = spark.table("scratch.joined").count()
    assert len(compared) == 1 and compared[0] >= matches
    swept = [count for name, count in numbers.items() if name.startswith("rows swept")]
    assert swept == [30000 + 3000] * sweeps
    if join_type == "inner":
        assert numbers["rows of the result"] == matches
    assert 3000 <= max(count for name, count in numbers.items() if "right" in name and "rows with bins" in name) < 10000


def test_explain_counts_what_is_swept(spark, built):
    reversed_sides = {"left_relation": "report_versions", "left_interval": ["s", "e"], "right_relation": "report_points", "right_point": "p"}
    numbers = numbers_of(run(built, "explain_range_join", dict(reversed_sides, join_type="anti", select=["l.id as l_id"], bin_size=50)))
    assert numbers["rows swept: left"] == [30000 + 3000] and not [name for name in numbers if name.startswith("pairs compared")]
    assert numbers["rows of the result"] == [3000 - spark.sql("select distinct r_id from scratch.joined").count()]


def test_explain_counts_what_a_condition_is_asked_of(spark, built):
    """With a join_condition a semi join compares pairs, at three widths of bins: at the first alone, as no interval here is long."""
    text = run(built, "explain_range_join", dict(ARGUMENTS, join_type="semi", select=["l.id as l_id"], join_condition="l.id <> r.id", bin_size=50))
    compared = [int(line[44:].replace(",", "")) for line in text.splitlines() if line.startswith("pairs compared (ask): left, right")]
    matches = spark.table("scratch.joined").count()
    assert len(compared) == 3 and matches <= compared[0] < 5 * matches and compared[1:] == [0, 0], text
    assert "rows swept" not in text


def numbers_of(text):
    """The counts in a report, by what was counted; of several joins a list each."""
    numbers = {}
    for line in text.splitlines():
        if line[44:].replace(",", "").strip().isdigit():
            numbers.setdefault(line[:44].strip(), []).append(int(line[44:].replace(",", "")))
    return numbers


def test_explain_a_model(spark, built):
    text = run(built, "explain_range_join", {"model": "joined"})
    assert "Nested loop or cartesian product: no" in text
    assert numbers_of(text)["rows of the result"] == [spark.table("scratch.joined").count()]
    assert "no binned_range_join" not in text
    assert "Nested loop or cartesian product: no" in run(built, "explain_range_join", {"model": "words"}), "an operator is none of a literal's words or of a name's"
    crossed = run(built, "explain_range_join", {"model": "crossed"})
    assert "Nested loop or cartesian product: YES" in crossed and "no binned_range_join in this model" in crossed


@pytest.mark.parametrize("join_type, keys", [("inner", None), ("left", ["k"]), ("right", [["l.k", "r.id"]]), ("full", ["k"]), ("semi", None)])
def test_reports_need_no_select(spark, built, join_type, keys):
    """Of a table with itself, all of whose columns are on both sides: a report returns none of them."""
    arguments = {
        "left_relation": "report_versions", "left_interval": ["s", "e"], "right_relation": "report_versions", "right_interval": ["s", "e"],
        "keys": keys, "join_type": join_type,
    }  # fmt: skip
    texts = [run(built, "explain_range_join", {**arguments, **size}) for size in ({}, {"bin_size": 50})]
    on = {"None": "true", "['k']": "l.k = r.k"}.get(str(keys), "l.k = r.id")
    joined = f"scratch.report_versions as l {join_type} join scratch.report_versions as r on l.s <= r.e and r.s <= l.e and {on}"
    rows = spark.sql(f"select 1 from {joined}").count()
    assert [numbers_of(text)["rows of the result"] for text in texts] == [[rows]] * 2, texts
    if join_type == "inner":
        assert "Recommended: " in run(built, "profile_range_join", arguments)


@pytest.mark.parametrize("points, versions, count", [
    ("ref('report_points')", "{{ ref('reports', 'report_versions') }}", "30,000"), ('ref("report_points")', 'ref("reports","report_versions")', "30,000"),
    ("source('made', 'points')", "source(\"made\",\"versions\")", "30,000"), ("made.points", "report_versions", "30,000"),
    ("ref('dim', v=1)", "report_versions", "100"), ("{{ ref('reports', 'dim', version='1') }}", "report_versions", "100"),
])  # fmt: skip
def test_names_as_models_have_them(built, points, versions, count):
    arguments = dict(ARGUMENTS, left_relation=points, right_relation=versions)
    assert f"{'rows':28} {count:>24} {'3,000':>24}" in run(built, "profile_range_join", arguments)


def test_explain_overlaps_in_one_join(spark, built):
    """Both meetings are one join, told once: the copies of each side, and the pairs that share a bin."""
    text = run(built, "explain_range_join", {"model": "overlaps"})
    numbers = numbers_of(text)
    of_bins = spark.table("scratch.report_versions").selectExpr("explode(sequence(floor(s / 50), greatest(floor(s / 50), floor(e / 50)))) as bin")
    copies = of_bins.count()
    assert numbers["rows with bins: left_copies"] == numbers["rows with bins: right_copies"] == [copies], text
    assert numbers["pairs compared (overlap): right, left"] == [of_bins.join(of_bins.alias("other"), "bin").count()], text
    assert numbers["rows of the result"] == [spark.table("scratch.overlaps").count()]
    assert len([name for name in numbers if name.startswith("pairs compared")]) == 1 and "SortMergeJoin x" not in text


@pytest.mark.parametrize("model", ["joined", "as_table", "two_joins", "overlaps"])
def test_explain_explains_what_is_built(built, model):
    """Hints and measured extents are those of a build, though nothing is built."""
    compiled = (built.folder / "target" / "compiled" / "reports" / "models" / f"{model}.sql").read_text().strip()
    _, explained = run_and_list_explained(built, "explain_range_join", {"model": model})
    assert explained[0].startswith(compiled), compiled
    assert ("were measured to lie within these bins" in compiled) == (model != "joined")


def test_explain_a_model_of_two_joins(spark, built):
    text = run(built, "explain_range_join", {"model": "two_joins"})
    assert text.index("Join 1 of 2") < text.index("Chosen: bins of ") < text.index("Join 2 of 2")
    assert numbers_of(text)["rows of the result"] == [spark.table("scratch.joined").count()] * 2


def test_explain_a_join_in_an_ephemeral_model(spark, built):
    """It is rendered once, by its own config: no table of it is built, so its points have no measured extent."""
    text, explained = run_and_list_explained(built, "explain_range_join", {"model": "over_ephemeral_join"})
    assert numbers_of(text)["rows of the result"] == [spark.table("scratch.joined").count()]
    for query in explained:
        assert "__dbt__cte__ephemeral_join as (" in query and "were measured to lie" not in query


def test_explain_versions_of_a_model(spark, built):
    text = run(built, "explain_range_join", {"model": "of_dim_1"})
    assert numbers_of(text)["rows of the result"] == [spark.table("scratch.of_dim_1").count()]
    for name in ("ref('of_dim_1')", " of_dim_1 ", "reports.of_dim_1"):
        assert run(built, "explain_range_join", {"model": name}) == text, name
    assert "rows of the result" in run(built, "explain_range_join", {"model": "dim"}), "the latest version has a join"
    assert "rows of the result" not in run(built, "explain_range_join", {"model": "dim.v1"})
    assert "rows of the result" not in run(built, "explain_range_join", {"model": "reports.dim.v1"}), "as dbt ls prints it"


def test_explain_an_incremental_model(spark, built):
    """Its join reads a CTE, of the rows that the next run would add; and a table that happens to have the name of that is not counted in its place."""
    spark.sql("create or replace temporary view new as select 1 as id, timestamp'2024-01-01' as p")
    try:
        text, explained = run_and_list_explained(built, "explain_range_join", {"model": "by_day_reported"})
        of_loop, _ = run_and_list_explained(built, "explain_range_join", {"model": "by_loop_reported"})
    finally:
        spark.catalog.dropTempView("new")
    assert "Nested loop or cartesian product: no" in text and "where id > (select max(l_id) - 9000 from scratch.by_day_reported)" in explained[0]
    added = spark.sql("select count(*) from scratch.joined where l_id > (select max(l_id) - 9000 from scratch.by_day_reported)").first()[0]
    assert numbers_of(text)["rows of the result"] == [added] and added > 1000
    assert "Nested loop or cartesian product: no" in of_loop and "not counted, since the join can not be run apart from its model" in of_loop


@pytest.mark.parametrize("model", ["of_ephemeral", "of_grouped", "beside_grouped"])
def test_explain_a_model_of_ephemeral_inputs(spark, built, model):
    """They stand before the join, be they measured or not, as what groups isn't, though others of the same model are."""
    text = run(built, "explain_range_join", {"model": model})
    assert numbers_of(text)["rows of the result"] == [spark.table("scratch.of_ephemeral").count()]
    assert ("could not be measured" in text) == (model == "of_grouped")


def test_explain_within_a_model_of_ephemeral_inputs(spark, built):
    """Found in review: a call in a model, in place of an operation, failed where an input is ephemeral."""
    said = spark.table("scratch.explains_itself").first()[0]
    assert numbers_of(said)["rows of the result"] == [spark.table("scratch.of_ephemeral").count()]


def test_reports_on_an_ephemeral_model_by_its_name(spark, built):
    """Found in review: there is no table of that name, and the next step that was told, to build it, made none."""
    arguments = dict(ARGUMENTS, left_relation="fewer_points")
    assert f"{'rows':28} {'500':>24} {'3,000':>24}" in run(built, "profile_range_join", arguments)
    text = run(built, "explain_range_join", arguments)
    assert numbers_of(text)["rows of the result"] == [spark.table("scratch.of_ephemeral").count()]


def test_a_size_that_is_recommended_can_be_given_back(built):
    """Found in review: 1e+06 and 1e-05 are texts in YAML, which bin_size refused. Neither is told any more, and both are read."""
    sizes = []
    for point, start, end in (("id * 1e9", "id * 1e10", "id * 1e10 + 7e9"), ("id * 1e-9", "id * 1e-8", "id * 1e-8 + 7e-9")):
        for cast in ("bigint", "double") if "e-" not in point else ("double",):
            arguments = {
                "left_relation": f"(select id, cast({point} as {cast}) as p from range(30000))", "left_point": "p",
                "right_relation": f"(select id, cast({start} as {cast}) as s, cast({end} as {cast}) as e from range(3000))", "right_interval": ["s", "e"],
                "select": ["l.id as l_id"],
            }  # fmt: skip
            text = run(built, "profile_range_join", arguments)
            sizes.append(re.search(r"bins of ([^\s,;]+)[,;]", text)[1])
            given = yaml.safe_load(f"bin_size: {sizes[-1]}")["bin_size"]
            assert isinstance(given, (int, float)), sizes
            given = {**arguments, "bin_size": given}  # json.dumps writes 1e-08 whatever was read
            run(built, "explain_range_join", given)
    assert len(sizes) == 3 and sizes[0].endswith("000000"), sizes


def test_faults_are_told(built):
    for operation, arguments, words in (
        ("profile_range_join", dict(ARGUMENTS, join_type="outer"), "join_type: got 'outer'; allowed: 'inner'"),
        ("profile_range_join", dict(ARGUMENTS, left_relation="no_such_model", left_point="q"),
         "1 argument to put right - left_relation: got 'no_such_model'; allowed: one that Spark can read, and it says: The table or view `no_such_model` cannot be found"),
        ("profile_range_join", dict(ARGUMENTS, left_point="q", select=["l.x"]), "1 argument to put right - left_point: got 'q'; allowed: an expression over left_relation, and Spark says: "),
        ("explain_range_join", dict(ARGUMENTS, left_relation="no_such_model", left_point="q"),
         "1 argument to put right - left_relation: got 'no_such_model'; allowed: one that Spark can read, and it says: The table or view `no_such_model` cannot be found"),
        ("explain_range_join", dict(ARGUMENTS, left_point="q", select=["l.x"]), "1 argument to put right - left_point: got 'q'; allowed: an expression over left_relation, and Spark says: "),
        ("explain_range_join", {"model": "no_such_model"}, "model: got 'no_such_model'; allowed: the name of a model in SQL, of this project or of its packages. Next step: look for its name with dbt ls, or it is disabled."),
        ("explain_range_join", dict(ARGUMENTS, bin_size="1 day"), "1 argument to put right - bin_size: got '1 day'"),
        ("profile_range_join", dict(ARGUMENTS, bin_size="1 day"), "1 argument to put right - bin_size: got '1 day'; allowed: a number above zero for values of type INT."),
        ("explain_range_join", dict(ARGUMENTS, left_relation="(select timestamp_seconds(id) as p from range(9))", bin_size=60, select=["l.p"],
            right_relation="(select timestamp_seconds(id) as s, timestamp_seconds(id + 5) as e from range(9))"),
         "1 argument to put right - bin_size: got 60; allowed: '<number> <unit>' for values of type TIMESTAMP."),
        ("explain_range_join", {"model": "joined", "bin_size": 5}, "bin_size: got 5; allowed: nothing beside model"),
        ("explain_range_join", {"modle": "joined"}, "1 argument to put right - modle: got 'joined'; allowed: the arguments model, left_relation"),
        ("explain_range_join", {"modle": "joined"}, "extent, longest. Next step: did you mean model?"),
        ("explain_range_join", {}, "1 argument to put right - model: got None; allowed: the name of a model, or in its place the arguments of a join, left_relation, "),
        ("explain_range_join", {}, "extent, longest. Next step: --args '{model: my_model}'."),
        ("explain_range_join", {"name": "joined"}, "2 arguments to put right - name: got 'joined'; allowed: the arguments model, left_relation"),
        ("explain_range_join", {"name": "joined"}, "- model: got None; allowed: the name of a model, or in its place the arguments of a join"),
        ("explain_range_join", {"binsize": 5}, "5 arguments to put right - binsize: got 5"),
        ("profile_range_join", {"left_relation": "select 1"},
         f"left_relation: got 'select 1'; allowed: {NAMES}. Next step: put parentheses around a query, and no semicolon."),
        ("profile_range_join", {}, f"left_relation: got None; allowed: {NAMES}."),
        ("explain_range_join", dict(ARGUMENTS, left_relation="ref('elsewhere', 'report_points')"),
         f"left_relation: got 'ref('elsewhere', 'report_points')'; allowed: {NAMES}. Next step: look for its name with dbt ls."),
        ("explain_range_join", dict(ARGUMENTS, left_relation="source('report_points')"), f"allowed: {NAMES}. Next step: look for its name with dbt ls."),
        ("explain_range_join", {"model": "report_seed"}, "model: got 'report_seed'; allowed: the name of a model in SQL"),
    ):
        log = []
        with pytest.raises(DbtFailed):
            run(built, operation, arguments, log)
        log = " ".join("\n".join(log).split())
        assert f"dbt_range_join.{operation}: " in log and words in log, words


def test_a_model_of_what_is_not_built(built):
    """The fault is that of the model's own call."""
    log = []
    with pytest.raises(DbtFailed):
        run(built, "explain_range_join", {"model": "of_not_built"}, log)
    words = "dbt_range_join.binned_range_join: 1 argument to put right - left_relation: got scratch.not_built; allowed: one that Spark can read, and it says: The table or view"
    assert words in " ".join("\n".join(log).split())


def test_names_that_need_quotes(spark, scratch):
    """Of a source whose `quoting` asks for them: in the default select list, for which its columns are read, and in a report by its name."""
    project = ScratchProject(scratch / "quoting", "quoting")
    project.write({
        "sources.yml": "sources:\n  - name: raw\n    schema: scratch\n    tables:\n      - {name: spans, identifier: '2e5', quoting: {identifier: true}}\n",
        "joined.sql": "{{ dbt_range_join.binned_range_join(left_relation='(select id as p from range(9))', left_point='p', "
                      "right_relation=source('raw', 'spans'), right_interval=['s', 'e']) }}",
    })  # fmt: skip
    spark.sql("create or replace temporary view spans as select id as span_id, id * 2 as s, id * 2 + 1 as e from range(3)")
    spark.sql("create schema if not exists scratch")
    spark.sql("drop table if exists scratch.`2e5`")
    spark.sql("create table scratch.`2e5` using parquet as select * from spans")
    project.dbt("run")
    assert sorted(row.span_id for row in spark.table("scratch.joined").collect()) == [0, 0, 1, 1, 2, 2]
    arguments = {"left_relation": "(select id as p from range(9))", "left_point": "p", "right_relation": "raw.spans", "right_interval": ["s", "e"]}
    assert f"{'rows':28} {'9':>24} {'3':>24}" in run(project, "profile_range_join", arguments)
    assert numbers_of(run(project, "explain_range_join", arguments))["rows of the result"] == [6]
    spark.sql("drop table scratch.`2e5`")
