"""Many random cases through the macros, judged by the naive join and by another engine."""

import datetime as dt
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from .cases import Case, Setting, draw_cases, table
from .definition import answer

SELECT = {
    "semi": ["l.case_id", "l.id as l_id"],
    "anti": ["l.case_id", "l.id as l_id"],
}
BOTH_SIDES = ["coalesce(l.case_id, r.case_id) as case_id", "l.id as l_id", "r.id as r_id"]


def model(macro: str, setting: Setting, left: str, right: str) -> str:
    """A model body that calls `macro` on two relations."""
    select = SELECT.get(setting.join_type, BOTH_SIDES)
    arguments = (
        f"left_relation='(select * from {left})', right_relation='(select * from {right})', select={select!r}, {setting.arguments()}"
    )
    if macro != "binned_range_join":
        return f"{{{{ dbt_range_join.{macro}({arguments}) }}}}"
    if setting.tiny:
        return tiny_model(arguments)
    if setting.extents is not None or setting.typed:
        ends = {side: [position(setting.domain.column(side, "p")[1](step)) for step in steps] for side, steps in (setting.extents or {}).items()}
        key_types = setting.key_types()
        type_name = spark_type(setting.domain.arrow) if setting.typed and key_types is not None else None
        return measured_model(arguments, ends or None, setting.levels, type_name, once=setting.once, key_types=key_types)
    return f"{{{{ dbt_range_join.binned_range_join({arguments}) }}}}"


def tiny_model(arguments: str) -> str:
    """A model body with the join that `dbt run` makes of inputs that it finds to be tiny, which `dbt compile` does not look for."""
    return f"{{{{ dbt_range_join._binned_form(dbt_range_join._as_tiny({join_in_jinja(arguments)})) }}}}"


def measured_model(
    arguments: str, ends: dict[str, list[float]] | None, levels: tuple[int, ...] | None = None, type_name: str | None = None, points: int = 3, once: bool = False,
    key_types: tuple[str, ...] | None = None,
) -> str:
    """A model body with the join that a table has whose inputs were measured.

    ends: from one position to another, where the points of each side lie; None where that is not known. levels: those that intervals need, where
    that is known, with a spare one where an interval could touch more than 256 bins;
    then inner joins of points go through the intervals, as merges do. type_name: Spark's name of the type that all values have, where that is known;
    keys are then known, too, where each is of one type: `key_types`, or what Spark says of them. once: whether overlaps are found by one join, where that can be.
    """
    body = f"{{%- set join = {join_in_jinja(arguments)} -%}}"
    if type_name is not None:
        given = f"{{'key_types': {[*(key_types or ())]!r}}}"
        body += f"""
{{%- set types = dbt_range_join._side_types(join) if execute and join['keys'] and {key_types is None} else {{'left': {given}, 'right': {given}}} -%}}
{{%- if types.left.key_types | length == join['keys'] | length and dbt_range_join._can_hash(types.left.key_types, types.right.key_types) -%}}
    {{%- do join.update({{'type': {type_name!r}, 'key_types': types.left.key_types}}) -%}}
{{%- endif -%}}"""
    if ends is not None:
        extents = ", ".join(f"{side!r}: dbt_range_join._extent_of({first!r}, {last!r}, {points}, join.bin.width)" for side, (first, last) in ends.items())
        body += f"""
{{%- set known, extents = {{{extents}}}, {{}} -%}}
{{%- for meeting in dbt_range_join._meetings(join) -%}}
    {{%- do extents.update({{meeting.points: known[meeting.points]}}) -%}}
{{%- endfor -%}}"""
    if levels is not None:
        body += f"""
{{%- set known = {{}} -%}}
{{%- for meeting in dbt_range_join._meetings(join) -%}}
    {{%- do known.update({{meeting.intervals: dbt_range_join._levels_in_use({[*levels]}, extents[meeting.points].bins, 256)}}) -%}}
{{%- endfor -%}}
{{%- do join.update({{'levels': known, 'streamed': dbt_range_join._meetings(join)[0].intervals if known | length == 1 else none}}) -%}}"""
    if ends is not None:
        body += f"{{%- do join.update({{'meets_once': {str(once).lower()} and dbt_range_join._can_meet_once(join) and dbt_range_join._is_one_width(join.levels)}}) -%}}"
        body += "{%- do join.update({'extents': dbt_range_join._edges(extents, join.levels, join.meets_once)}) -%}"
    return body + "{{ dbt_range_join._binned_form(join) }}"


def spark_type(arrow: pa.DataType) -> str:
    """What Spark's typeof says of a Parquet column of that type."""
    if pa.types.is_timestamp(arrow):
        return "timestamp" if arrow.tz else "timestamp_ntz"
    if pa.types.is_decimal(arrow):
        return f"decimal({arrow.precision},{arrow.scale})"
    names = {"int8": "tinyint", "int16": "smallint", "int32": "int", "int64": "bigint", "date32[day]": "date", "float": "float", "double": "double"}
    return names[str(arrow)]


def position(value) -> float:
    """Where a value lies, as the package measures it: a number itself, microseconds since 1970 of dates and times."""
    if isinstance(value, dt.datetime):
        return (value.replace(tzinfo=None) - dt.datetime(1970, 1, 1)) / dt.timedelta(microseconds=1)
    if isinstance(value, dt.date):
        return (value - dt.date(1970, 1, 1)) / dt.timedelta(microseconds=1)
    return float(value)


def join_in_jinja(arguments: str) -> str:
    """The description of a join, in Jinja."""
    none = "left_point=none, left_interval=none, right_point=none, right_interval=none, keys=none, join_type='inner', inclusive='both', "
    none += "null_bounds='no_match', join_condition=none, select=none, bin_size=none, broadcast=none, shuffle_hash=none, extent=none, longest=none"
    return f"dbt_range_join._with_sides_apart(dbt_range_join._read_range_join('binned_range_join', dict(dict({none}), **dict({arguments}))))"


class Judge:
    """Draws cases, compiles their queries in one dbt call, and compares the answers as bags.

    spark, project: the session and the scratch project. folder: for the Parquet files.
    seen: of each tag how many cases were judged, how many of them may hold pairs, and in how many the naive join has rows, and pairs.
    """

    def __init__(self, spark, project, folder: Path):
        self.spark, self.project, self.folder = spark, project, folder
        self.seen: dict[str, Counter] = {}

    def compile(self, settings: dict[str, list[Setting]]) -> dict[str, list[tuple[str, str]]]:
        """The compiled (binned, naive) pair of each setting, by the tags that the settings are given by."""
        models = {}
        for tag, tagged in settings.items():
            for number, setting in enumerate(tagged):
                left, right = (f"global_temp.{view}" for view in self.views(tag, number))
                models[f"{tag}_{number}_binned"] = model("binned_range_join", setting, left, right)
                models[f"{tag}_{number}_naive"] = model("naive_range_join", setting, left, right)
        # A file of a name that SQL and file systems take, whatever the tag.
        names = {name: f"model_{number}" for number, name in enumerate(models)}
        compiled = self.project.compile({names[name]: body for name, body in models.items()})
        return {
            tag: [tuple(compiled[names[f"{tag}_{n}_{form}"]] for form in ("binned", "naive")) for n in range(len(tagged))]
            for tag, tagged in settings.items()
        }

    def views(self, tag: str, number: int) -> list[str]:
        """What the two sides of a setting are called, among the views that all sessions see."""
        return [f"`{tag}_{number}_{side}`" for side in ("left", "right")]

    def write(self, setting: Setting, cases: dict[int, Case], tag: str, number: int):
        """
        Both sides of some cases as Parquet, under the names of views; returns the Arrow tables. A query that names the file itself has Spark list it and read its types
        anew for each mention, a quarter of the time that such a query took.
        """
        tables = []
        for side, view in zip(("left", "right"), self.views(tag, number), strict=True):
            tables.append(table(setting, side, cases))
            path = str(self.folder / f"{tag}_{number}_{side}.parquet")
            pq.write_table(tables[-1], path)
            columns = ", ".join(f"{column.name} {spark_type(column.type)}" for column in tables[-1].schema)
            self.spark.read.schema(columns).parquet(path).createOrReplaceGlobalTempView(view)
        return tables

    def run(self, sql: str, setting: Setting, session=None) -> Counter:
        """Spark's answer as a bag, from the session given or else that of dbt."""
        return self.run_and_plan(sql, setting, session)[0]

    def run_and_plan(self, sql: str, setting: Setting, session=None) -> tuple[Counter, str]:
        """Spark's answer as a bag, and the plan that it came by."""
        session = session or self.spark
        session.conf.set("spark.sql.session.timeZone", setting.domain.time_zone)
        try:
            frame = session.sql(sql)
            rows = Counter(tuple(row) for row in frame.collect())
            return rows, frame._jdf.queryExecution().executedPlan().toString()
        finally:
            session.conf.set("spark.sql.session.timeZone", "UTC")

    def differing(self, setting: Setting, queries: tuple[str, str], cases: dict[int, Case], tag: str, number: int,
                  second_opinion: bool) -> dict[int, str]:
        """The numbers of the cases whose answers differ, with what differs."""
        left, right = self.write(setting, cases, tag, number)
        binned, naive = (self.run(sql, setting) for sql in queries)
        self.seen.setdefault(tag, Counter()).update(_shown(setting, cases, naive))
        found = _compare("naive_range_join", naive, binned)
        if second_opinion:
            found |= _compare("DuckDB", answer(setting, left, right), naive)
        return found

    def smallest(self, setting: Setting, queries, case: Case, tag: str, number: int, second_opinion: bool) -> Case:
        """A case without the rows that its difference does not need."""
        for side in ("left", "right"):
            for row in list(getattr(case, side)):
                rest = list(getattr(case, side))
                rest.remove(row)
                smaller = replace(case, **{side: rest})
                if self.differing(setting, queries, {0: smaller}, tag, number, second_opinion):
                    case = smaller
        return case


def _shown(setting: Setting, cases: dict[int, Case], rows: Counter) -> dict[str, int]:
    """How much the rows that are right can show: a case without any shows nothing but a row too many."""
    shown = {"cases": len(cases), "with rows": len({row[0] for row in rows})}
    if setting.join_type != "anti":
        shown |= {"may have pairs": len(cases), "with pairs": len({row[0] for row in rows if None not in row[1:]})}
    return shown


def _compare(judge: str, expected: Counter, got: Counter) -> dict[int, str]:
    """Case number -> what is missing and extra, for the rows where two bags differ."""
    found: dict[int, list[str]] = {}
    for word, rows in (("missing", expected - got), ("extra", got - expected)):
        for row, count in rows.items():
            found.setdefault(row[0], []).append(f"{word} x{count} {row[1:]}")
    return {number: f"against {judge}: " + "; ".join(lines) for number, lines in found.items()}


def check(judge: Judge, seed: int, settings: list[Setting], compiled: list[tuple[str, str]], cases_each: int, tag: str,
          duck_every: int = 3) -> int:
    """Judge `cases_each` random cases of each setting, or one pool of them; returns how many there were, or fails with the smallest found.

    compiled: the queries of the settings. Every second one runs without adaptive execution. duck_every: DuckDB judges
    each so many-th setting too.
    """
    judged = 0
    for number, (setting, queries) in enumerate(zip(settings, compiled, strict=True)):
        judge.spark.conf.set("spark.sql.adaptive.enabled", str(number % 2 == 0).lower())
        rng = random.Random(f"{seed}/{tag}/{number}")
        cases = draw_cases(rng, setting, cases_each)
        second_opinion = number % duck_every == 0
        found = judge.differing(setting, queries, cases, tag, number, second_opinion)
        if found:
            worst = min(found, key=lambda n: len(cases[n].left) + len(cases[n].right))
            small = judge.smallest(setting, queries, cases[worst], tag, number, second_opinion)
            raise AssertionError(
                f"{len(found)} of {len(cases)} cases differ (seed {seed}, {tag}, setting {number}).\n"
                f"domain: {setting.domain.name}; time zone {setting.domain.time_zone}\n"
                f"arguments: {setting.arguments()}\n{found[worst]}\nleft: {small.left}\nright: {small.right}"
            )
        judged += len(cases)
    return judged
