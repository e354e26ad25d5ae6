"""Types, values at the limits of types, and settings of Spark for them, beyond those of the random cases and the integration tests."""

import pytest

from dev.dbt_runner import DbtFailed
from tests.support.both import compile_both, rows_of_both
from tests.support.turns import in_turn

STRINGS = {
    "a STRING beside a DATE and a TIMESTAMP": (
        "select id, date'2024-01-01' + cast(if(id = 6, -9, id % 3) as int) as p from range(7)",
        "select id, '2024-01-01 10:00:00' as s, timestamp'2024-01-02' + make_dt_interval(cast(id as int)) as e from range(3)"),
    "a STRING beside a DATE and a TIMESTAMP_NTZ": (
        "select id, date'2024-01-01' + cast(if(id = 6, -9, id % 3) as int) as p from range(7)",
        "select id, timestamp_ntz'2023-12-31' as s, '2024-01-02 23:00:00' as e from range(3)"),
    "a STRING of another collation beside a DATE and a TIMESTAMP": (
        "select id, date'2024-01-01' + cast(if(id = 6, -9, id % 3) as int) as p from range(7)",
        "select id, '2024-01-01 10:00:00' collate utf8_lcase as s, timestamp'2024-01-02' + make_dt_interval(cast(id as int)) as e from range(3)"),
    "a STRING point": (
        "select id, if(id = 6, '2023-12-23 10:00:00', '2024-01-01 10:00:00') as p from range(7)",
        "select id, date'2024-01-01' as s, timestamp'2024-01-02' + make_dt_interval(cast(id as int)) as e from range(3)"),
}  # fmt: skip


@pytest.fixture
def ansi(spark):
    before = spark.conf.get("spark.sql.ansi.enabled")
    yield lambda: spark.conf.set("spark.sql.ansi.enabled", "true")
    spark.conf.set("spark.sql.ansi.enabled", before)


def test_strings_in_ansi_mode(spark, project, ansi):
    """In ANSI mode a STRING is taken for what it is compared with, and loses its time of day beside a DATE; without it, it is an error (see README)."""
    calls = {}
    for name, join_type in in_turn(STRINGS, ("inner", "left", "full", "anti"), 1):
        left, right = STRINGS[name]
        select = ["l.id"] if join_type == "anti" else ["l.id as l_id", "r.id as r_id"]
        calls[name, join_type] = (
            f'left_relation="({left})", left_point=\'p\', right_relation="({right})", right_interval=[\'s\', \'e\'], '
            f"join_type='{join_type}', select={select!r}, bin_size='1 hour'"
        )
    compiled = compile_both(project, calls)
    ansi()  # dbt's adapter turns it off
    for case, queries in compiled.items():
        binned, naive = rows_of_both(spark, queries)
        assert binned == naive and naive, case


# Types that have no bins: a value out of a number, and how it is said to become one that has.
OTHERS = {
    "STRING": ("concat('k', {})", ""),
    "BOOLEAN": ("{} > 4", ""),
    "BINARY": ("binary(string({}))", ""),
    "INTERVAL DAY TO SECOND": ("make_dt_interval(cast({} as int))", ", such as an INTERVAL to its seconds"),
    "INTERVAL YEAR TO MONTH": ("make_ym_interval(cast({} as int))", ", such as an INTERVAL to its seconds"),
    "TIME(6)": ("time_from_seconds({} % 86400)", ", such as by time_to_micros(p)"),
    "TIMESTAMP_NTZ(9)": ("cast(timestamp_seconds({}) as timestamp_ntz(9))", ", such as by cast(p as timestamp_ntz), which leaves out nanoseconds"),
    "ARRAY<BIGINT>": ("array({}, 1)", ""),
    "STRUCT<A: BIGINT>": ("named_struct('a', {})", ""),
}


@pytest.fixture(scope="module", autouse=True)
def all_types(spark):
    """Types that Spark has behind a setting."""
    names = ("spark.sql.timeType.enabled", "spark.sql.timestampNanosTypes.enabled")
    before = {name: spark.conf.get(name) for name in names}
    for name in names:
        spark.conf.set(name, "true")
    yield
    for name in names:
        spark.conf.set(name, before[name])


def call_of_type(value: str, points: int, intervals: int) -> str:
    """The arguments of a join of values of a type."""
    return (
        f'left_relation="(select id, {value.format("id")} as p from range({points}))", left_point=\'p\', '
        f'right_relation="(select id, {value.format("id")} as s, {value.format("id + 2")} as e from range({intervals}))", right_interval=[\'s\', \'e\'], '
        "select=['l.id as l_id', 'r.id as r_id']"
    )


def test_few_rows_of_other_types_are_joined_plainly(spark, project):
    for name, queries in compile_both(project, {name: call_of_type(value, 9, 6) for name, (value, _) in OTHERS.items()}).items():
        binned, naive = rows_of_both(spark, queries)
        assert binned == naive and naive and "no bins" in queries[0], name


ALLOWED = "allowed: numbers, dates and timestamps, and this is of type {}. Next step: cast it"


NAMED = [name for name in OTHERS if name != "STRING"]


@pytest.fixture(scope="module")
def messages(project):
    """What a join of many rows is told, by the type of its values."""
    bodies = {f"type_{number}": f"{{{{ dbt_range_join.binned_range_join({call_of_type(OTHERS[name][0], 90_000, 60_000)}) }}}}" for number, name in enumerate(NAMED)}
    return dict(zip(NAMED, project.errors(bodies).values(), strict=True))


@pytest.mark.parametrize("type_name", NAMED)
def test_many_rows_of_other_types_are_an_error_that_names_them(messages, type_name):
    """Each side's point and bounds, in one error; text alone is told by the query, as text beside a date may be one."""
    message = " ".join(messages[type_name].split())
    assert "3 arguments to put right" in message
    for argument in ("left_point: got 'p'", "right_interval: got 's'", "right_interval: got 'e'"):
        assert f"{argument}; {ALLOWED.format(type_name.replace(': ', ':'))}" in message
    assert f"left_point: got 'p'; {ALLOWED.format(type_name.replace(': ', ':'))} to one of these{OTHERS[type_name][1]}, or join with naive_range_join" in message


@pytest.mark.parametrize("more", ["", ", inclusive='left'", ", bin_size='1 minute'"])
def test_the_one_value_of_another_type_is_the_one_that_is_named(spark, project, more):
    """A length in place of an end, which Spark compares with neither a start nor a point; told where dbt builds the model."""
    body = (
        "{{{{ config(materialized='table') }}}} {{{{ dbt_range_join.binned_range_join(left_relation='(select id, timestamp_seconds(id) as p from range(90000))', left_point='p', "
        "right_relation='(select id, timestamp_seconds(id) as s from range(60000))', right_interval=['s', 'interval 1 hour'], select=['l.id as l_id']{}) }}}}"
    )
    with pytest.raises(DbtFailed) as failure:
        project.built({"faulty": body.format(more)})
    message = " ".join(str(failure.value).split())
    assert "1 argument to put right" in message and f"right_interval: got 'interval 1 hour'; {ALLOWED.format('INTERVAL HOUR')}" in message


# Points; intervals; a bin_size that is no multiple of their distances.
SHAPES = {
    "numbers": ("{} * 3", "{} * 7", "{} * 7 + {} % 20", "4"),
    "DOUBLE, DECIMAL and BIGINT": ("{} * 3D", "cast({} * 7 as decimal(20, 2))", "{} * 7 + {} % 20", "4"),
    "TIMESTAMP": ("timestamp_seconds({} * 3)", "timestamp_seconds({} * 7)", "timestamp_seconds({} * 7 + {} % 20)", "'4 seconds'"),
    "TIMESTAMP and TIMESTAMP_NTZ": (
        "cast(timestamp_seconds({} * 3) as timestamp_ntz)", "timestamp_seconds({} * 7)", "timestamp_seconds({} * 7 + {} % 20)", "'4 seconds'"),
    "DATE": (
        "date_from_unix_date(cast({} * 3 as int))", "date_from_unix_date(cast({} * 7 as int))", "date_from_unix_date(cast({} * 7 + {} % 20 as int))", "'4 days'"),
    "DATE beyond all timestamps": tuple(
        f"date_from_unix_date(cast(({{}} - 800) * 2000000 + {shift} as int))" for shift in ("1500000", "0", "{} % 7 * 1000000")) + ("'4 days'",),
}  # fmt: skip
SETTINGS = {
    "none": {},
    "TIMESTAMP means TIMESTAMP_NTZ": {"spark.sql.timestampType": "TIMESTAMP_NTZ"},
    "1e3 is a DECIMAL": {"spark.sql.legacy.exponentLiteralAsDecimal.enabled": "true"},
}


@pytest.fixture
def settings(spark):
    keys = {key for setting in SETTINGS.values() for key in setting}
    before = {key: spark.conf.get(key) for key in keys}
    yield lambda setting: [spark.conf.set(key, value) for key, value in {**before, **setting}.items()]
    for key, value in before.items():
        spark.conf.set(key, value)


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_and_limits_of_types(spark, project, settings, setting):
    """With a bin_size; without one where dbt measures the values and chooses; and without one where it can't measure, as they are in CTEs that Jinja names."""
    settings(SETTINGS[setting])
    join_type, bodies = "inner" if SETTINGS[setting] else "full", {}
    for number, (point, start, end, bin_size) in enumerate(SHAPES.values()):
        left = f"(select id, {point.format('id')} as p from range(1600))"
        right = f"(select id, {start.format('id')} as s, {end.format('id', 'id')} as e from range(1600))"
        call = "{{{{ dbt_range_join.{}_range_join(left_relation={!r}, left_point='p', right_relation={!r}, right_interval=['s', 'e'], "
        call += "select=['l.id as l_id', 'r.id as r_id'], join_type='{}', bin_size={}) }}}}"
        for form, macro, size in (("plain", "naive", "none"), ("fixed", "binned", bin_size), ("measured", "binned", "none")):
            bodies[f"{form}_{number}"] = call.format(macro, left, right, join_type, size)
        of_ctes = call.format("binned", "points", "spans", join_type, "none")
        bodies[f"unmeasured_{number}"] = f"with {{{{ 'points' }}}} as {left}, spans as {right} select * from ({of_ctes})"
    compiled = project.compile(bodies)
    for number, name in enumerate(SHAPES):
        sql = {form: compiled[f"{form}_{number}"] for form in ("plain", "fixed", "measured", "unmeasured")}
        assert "could not be measured" in sql["unmeasured"] and "range_join_left_binned as (" in sql["measured"], name
        rows = {form: sorted(map(str, spark.sql(text).collect())) for form, text in sql.items()}
        assert rows["plain"] and rows["plain"] == rows["fixed"] == rows["measured"] == rows["unmeasured"], name


def test_dates_whose_text_does_not_keep_their_order(spark, project):
    """Found in review: with the formatter of Spark 2, a date before the year 1 is written as one after it, and dates that can't be measured went by their text."""
    left = "select date'-0044-06-01' as p union all select date'9999-12-31' union all select date'10000-01-01' union all select date'-9999-01-01'"
    right = "select date'-0045-01-01' as s, date'-0043-01-01' as e union all select date'9999-12-31', date'10000-01-02' union all select date'-10001-01-01', date'0001-01-01'"
    call = "{{ dbt_range_join.MACRO('points', left_point='p', right_relation='intervals', right_interval=['s', 'e'], select=['l.p', 'r.s']) }}"
    body = f"with {{{{ 'points' }}}} as ({left}), intervals as ({right}) select * from ({call}) as pairs"
    sql = project.compile({macro: body.replace("MACRO", f"{macro}_range_join") for macro in ("binned", "naive")})
    for policy, zone in (("CORRECTED", "UTC"), ("LEGACY", "Pacific/Kiritimati"), ("LEGACY", "Pacific/Pago_Pago")):
        spark.conf.set("spark.sql.legacy.timeParserPolicy", policy)
        spark.conf.set("spark.sql.session.timeZone", zone)
        try:
            # Counted, as Python has no such dates.
            binned, naive = (spark.sql(f"select count(*), sum(hash(unix_date(p), unix_date(s))) from ({query})").first() for query in (sql["binned"], sql["naive"]))
        finally:
            spark.conf.unset("spark.sql.legacy.timeParserPolicy")
            spark.conf.set("spark.sql.session.timeZone", "UTC")
        assert binned == naive and naive[0] == 5, (policy, zone, binned, naive)
