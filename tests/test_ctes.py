"""Inputs that are CTEs of the model: measured apart from it, by its own text, where that says what they are; and the rows are the same in any case."""

import re

import pytest

from dev.project import ScratchProject
from tests.support.both import bag
from tests.test_no_bin_size import INTERVALS, POINTS, table

A = "a as (select * from {{ ref('points') }})"
AS_IT_IS = "with a as (select * from {points}) select * from a as of_ctes"
# What a side reads ("a" if not said otherwise) beside a model's text, and how it is read apart: with {points}, the name of the table; None where that can't be told.
APART = {
    "the usual one": (f"with\n\n{A},\n\nb as (\n    select 1\n)\nselect 1", AS_IT_IS),
    "after config, what Jinja sets, and comments": (
        "{{ config(meta={'of': {'a': 1}}, post_hook=\"select '{{ this }}' -- ( \") }}\n{#- it's ( -#}\n-- depends_on: {{ ref('points') }}, {{ ref('points') }}\n{% set n = var('n', 3) %}{%- set m = run_query('select 1') -%}\n"
        "-- don't (\nwith a as (select * from {{ ref('points') }} /* ) */ where id > {{ n }} and ')' <> '(')\nselect 1",
        "with a as (select * from {points} /* ) */ where id > 3 and ')' <> '(') select * from a as of_ctes"),
    "of literals that Jinja sets": (
        "{% set n = 'x' %}{% set m = -1.5 %}with a as (select '{{ n }}' as n, {{ m | int }} as m) select 1", "with a as (select 'x' as n, -1 as m) select * from a as of_ctes"),
    "after what is to stand before the statement": (
        "{% call set_sql_header(config) %}set spark.sql.shuffle.partitions = {{ var('n', 4) }}; -- (\n{%- endcall %}\nwith a as (select * from {{ ref('points') }}) select 1", AS_IT_IS),
    "on others, not all": (
        f"with x as (select 1), {A}, `B` (i) as (select id from a), A2 as (select (select max(i) from b) as i) select 1",
        "with a as (select * from {points}), `B` (i) as (select id from a), A2 as (select (select max(i) from b) as i) select * from a2 as of_ctes", "a2"),
    "by a query": (f"with {A} select 1", "with a as (select * from {points}) select * from (select * from A where id > 1) as of_ctes", "(select * from A where id > 1)"),
    "of a ref() that is not filtered": ("with a as (select * from {{ ref('points').render() }}) select 1", AS_IT_IS),
    "that calls itself": (
        "with recursive a(n) max recursion level 9 as (select 1 union all select n + 1 from a where n < 5) select 1",
        "with recursive a(n) max recursion level 9 as (select 1 union all select n + 1 from a where n < 5) select * from a as of_ctes"),
    "with CTEs within": ("with a as (with c as (select 1) select * from c) select 1", "with a as (with c as (select 1) select * from c) select * from a as of_ctes"),
    "in increments": (
        "with a as (select * from {{ ref('points') }}{% if is_incremental() %} where id > (select max(id) from {{ this }}){% else %} where {{ target.threads }} = 1{% endif %}) select 1",
        "with a as (select * from {points} where 1 = 1) select * from a as of_ctes"),
    "by a macro of dbt's": (
        "with a as (select {{ dbt.concat([\"'a'\", 'id']) }}, {{ type_string() }} '1' as s from range(9)) select 1",
        "with a as (select concat('a', id), string '1' as s from range(9)) select * from a as of_ctes"),
    "with odd quotes": (
        "with a as (select '{{ var('n', 'x') }}' as n, \"it's (\" as o, r'\\d{3})' as `)`, 'it''s {' as q) select 1",
        "with a as (select 'x' as n, \"it's (\" as o, r'\\d{3})' as `)`, 'it''s {' as q) select * from a as of_ctes"),
    "before a parenthesis by condition": (
        f"with {A}, b as (\nselect 1\n{{% if target.name == 'dev' %}})\nselect 1\n{{% else %}})\nselect 2\n{{% endif %}}", AS_IT_IS),
    "with a window": (
        "with a as (select *, lead(s) over (partition by id order by s) as e from x) select 1",
        "with a as (select *, lead(s) over (partition by id order by s) as e from x) select * from a as of_ctes"),
    "that leaves columns out": ("with a as (select * except (id) from range(9)) select 1", "with a as (select * except (id) from range(9)) select * from a as of_ctes"),
    "of two tables, one after the other": ("with a as (select 1 union all select 2) select 1", "with a as (select 1 union all select 2) select * from a as of_ctes"),
    "none": (f"with {A} select 1", "c", "c"),
    "none, but a table of that name": (f"with {A} select 1", "scratch.a", "scratch.a"),
    # What has other rows than it reads.
    "that joins": ("with a as (select * from x join y using (id)) select 1", None),
    "that joins by a comma": ("with a as (select * from x as z, lateral (select 1)) select 1", None),
    "that groups": ("with a as (select id, max(p) from x group by id) select 1", None),
    "without doubles": ("with a as (select 1 union select 2) select 1", None),
    "without others": ("with a as (select 1 except (select 2)) select 1", None),
    "that explodes": ("with a as (select explode(sequence(1, 9)) as p) select 1", None),
    "on one that does": ("with b as (select distinct id from x), a as (select * from b) select 1", None),
    "that is a join by bins": ("with a as ({{ joined('(select 1 as id)') }}) select 1", None),
    # What its text does not tell.
    "of what Jinja sets by asking": ("{% set m = run_query('select 1') %}with a as (select * from {{ ref('points') }} where id > {{ m }}) select 1", None),
    "of what Jinja sets later": ("{% set n = 1 %}with a as (select {{ n }} as id), b as (select 1 {% set n = 2 %}) select 1", None),
    "of a list that Jinja changes": ("{% set n = [1] %}with b as (select 1 {% set _ = n.append(2) %}), a as (select {{ n | length }}) select 1", None),
    "of a list that Jinja changes in an expression": ("{% set n = var('l', none) %}with b as (select 1 {{ n.append(2) if n }}), a as (select '{{ n }}') select 1", None),
    "by a macro of one's own": ("with a as (select {{ twice('id') }} from range(9)) select 1", None),
    "by what asks": ("with a as (select {{ dbt.run_query('select 1') and 1 }}) select 1", None),
    "by a loop": ("with a as ({% for i in [1, 2] %}select {{ i }}{% if not loop.last %} union all {% endif %}{% endfor %}) select 1", None),
    "by dictionaries": ("with a as (select {{ {'a': {'b': 1}}.a.b }}) select 1", None),
    "by a name out of ASCII": ("{% set ñ = 1 %}with b as (select 1 {% set ñ = 2 %}), a as (select {{ ñ }}) select 1", None),
    "named by Jinja": ("with {{ 'a' }} as (select 1) select 1", None),
    "on one that Jinja names": ("with b as (select 1), a as (select * from {{ var('none', 'b') }}) select 1", "with b as (select 1), a as (select * from b) select * from a as of_ctes"),
    "one of two by condition": ("{% if target.name == 'dev' %}with a as (select 1) {% else %}with a as (select 2){% endif %} select 1", None),
    "perhaps": ("{% if target.name == 'dev' %}with a as (select 1) {% endif %} select 1", None),
    "perhaps, by a comment": ("with x as (select 1),\n-- {% if target.name == 'dev' %}\na as (select 1),\n-- {% endif %}\nb as (select 1) select 1", None),
    "with a condition in a comment": ("with a as (select id from x\n-- {% if false %}\nwhere id > 3\n-- {% endif %}\n) select 1", None),
    "within what a comment of another begins": ("with x as (select 1 -- {% if false %}\n), a as (select 1), y as (select 1 -- {% endif %}\n) select 1", None),
    "within what another begins": ("with x as (select 1 {% if var('x', true) %}), a as (select 1), y as (select 2 {% endif %}) select 1", None),
    "after a loop of another's": (f"with x as ({{% for i in [1, 2] %}}select {{{{ i }}}} {{% endfor %}}), {A} select 1", AS_IT_IS),
    "of what a comment sets": ("with x as (select 1 -- {% set n = 2 %}\n), a as (select 1) select 1", None),
    "after one that is perhaps": ("with x as (select 1), {% if target.name == 'dev' %} y as (select 1), {% endif %} a as (select 1) select 1", None),
    "of a query within": ("select * from (with a as (select 1) select * from a)", None),
    "of the model and of a query within": (f"with {A} select * from (with a as (select 1) select * from a)", None),
    "on a CTE of a query within": ("with a as (select * from c) select * from (with c as (select 1) select * from c)", None),
    "with a parenthesis by condition": ("with a as ({% if target.name == 'dev' %} select (1 {% else %} select (2 {% endif %} )), b as (select 3) select 1", None),
    "with a parenthesis too many by condition": ("with a as (select (1) {% if target.name == 'dev' %} ), c as (select 2 {% endif %} ), b as (select 3) select 1", None),
    "with half a condition": ("{% if true %}with a as (select 1{% endif %}) select 1", None),
    "with a parenthesis of Jinja's": ("with a as (select {{ '(' }} 1)) select 1", None),
    "with a quote of Jinja's": ("with a as (select {{ \"'\" }}){{ \"'\" }} as x), b as (select 1) select 1", None),
    "with a comment of Jinja's in quotes": ("with a as (select '{# it's #}x' as s, ')' as u) select 1", None),
    "with quotes in quotes of Jinja's": ("with a as (select '{{ \"it's -- \" }}' as id\n) select 1", "with a as (select 'it's -- ' as id ) select * from a as of_ctes"),
    "quoted by Jinja as it is": ("with a as (select '{{ var('none', 'a)') }}' as c) select 1", "with a as (select 'a)' as c) select * from a as of_ctes"),
}  # fmt: skip
MACROS = {
    "twice.sql": "{% macro twice(x) %}2 * {{ x }}{% endmacro %}",
    "report.sql": "{% macro report() %}select * from (with a as (select id, date'2024-01-01' as p from range(9)), j as ({{ "
    "dbt_range_join.binned_range_join(left_relation='a', left_point='p', right_relation=ref('versions'), right_interval=['s', 'e'], select=['l.id']) }}) select * from j){% endmacro %}",
    "joined.sql": "{% macro joined(x) %}{{ dbt_range_join.binned_range_join(x, left_point='id', right_relation=x, right_interval=['id', 'id'], select=['l.id']) }}{% endmacro %}",
}


@pytest.fixture(scope="module")
def built(spark, scratch):
    """A project whose two inputs are built as tables, and with macros of its own."""
    project = ScratchProject(scratch / "ctes", "ctes")
    (project.folder / "macros").mkdir()
    for name, text in MACROS.items():
        (project.folder / "macros" / name).write_text(text)
    project.write(INPUTS)
    project.dbt("run")
    return project


INPUTS = {"points.sql": table(POINTS), "versions.sql": table(INTERVALS.format(length="id % 600"))}


def compiled(project, bodies, *command):
    """The SQL of models beside the two inputs, as `dbt compile` makes it or another command."""
    project.write({**INPUTS, **{f"{name}.sql": body for name, body in bodies.items()}})
    project.dbt(*(command or ["compile"]))
    folder = project.folder / "target" / "compiled" / "ctes" / "models"
    return {name: (folder / f"{name}.sql").read_text() for name in bodies}


def test_a_name_in_a_macro_is_not_that_of_the_model(spark, built):
    """Found in review: a macro's own CTE had the name of one of the model, and was measured as that, so that the type was another when it was built."""
    ran = compiled(built, {"of_report": table("with a as (select id, p from {{ ref('points') }}), r as ({{ report() }}) select * from r")}, "run", "--select", "of_report")
    assert "could not be measured" in ran["of_report"] and spark.table("scratch.of_report").count() == 9


def test_a_join_in_a_hook_is_no_part_of_the_model(spark, built):
    """Found by an attack: a view that a hook of a table makes had in it what was measured, as that table would, and ended in an error when a type changed; nor is a CTE of a hook a table."""
    spark.sql("create schema if not exists hooks")
    spark.sql("create table hooks.points using parquet as select id, id * 7 % 20000 as p from range(3000)")
    spark.sql("create table hooks.a using parquet as select id, date'2024-01-01' as p from range(3000)")
    spark.sql("create table hooks.spans using parquet as select id, id * 11 % 20000 as s, id * 11 % 20000 + id % 9 as e from range(2500)")
    call = "{{{{ dbt_range_join.{}_range_join(left_relation='{}', left_point='p', right_relation='hooks.spans', right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']) }}}}"
    hooks = {
        "view_of_hook": call.format("binned", "hooks.points"),
        "view_of_cte": f"with a as (select * from hooks.points), j as ({call.format('binned', 'a')}) select * from j",
        "view_of_query": f"with a as (select * from hooks.points), j as ({call.format('binned', '(select * from a)')}) select * from j",
        "plain_view": call.format("naive", "hooks.points"),
    }
    statements = [f"create or replace view hooks.{name} as {sql}" for name, sql in hooks.items()]
    try:
        compiled(built, {"with_hooks": f"{{{{ config(materialized='table', post_hook={statements!r}) }}}}\nselect 1 as x"}, "run", "--select", "with_hooks")
        text = {name: spark.sql(f"describe extended hooks.{name}").where("col_name = 'View Text'").first().data_type for name in hooks}
        assert "range_join_left_extent as (" in text["view_of_hook"] and "could not be measured" not in text["view_of_hook"]
        assert "could not be measured" in text["view_of_cte"] and "could not be measured" in text["view_of_query"]
        for value in ("id * 7 % 20000", "cast(id * 7 % 20000 as decimal(12, 1)) / 2"):
            spark.sql("drop table hooks.points")
            spark.sql(f"create table hooks.points using parquet as select id, {value} as p from range(3000)")
            expected = bag(spark, "select * from hooks.plain_view")
            assert expected[0] > 1000
            for name in list(hooks)[:3]:
                assert bag(spark, f"select * from hooks.{name}") == expected, name
    finally:
        spark.sql("drop schema hooks cascade")


def test_a_cte_is_read_apart_by_the_text_of_the_model(built):
    bodies = {}
    for number, (text, _, *reads) in enumerate(APART.values()):
        bodies[f"apart_{number}"] = f"{text}\n<<{{{{ dbt_range_join._apart({(reads or ['a'])[0]!r}) }}}}>>"
    points = compiled(built, bodies | {"points_name": "{{ ref('points') }}"})
    for (name, (_, expected, *reads)), sql in zip(APART.items(), points.values()):
        found = re.search(r"<<(.*)>>", sql, re.DOTALL)[1]
        wanted = "None" if expected is None else expected.replace("{points}", points["points_name"].strip())
        assert found.replace(",\n", ", ").replace("\n", " ") == (wanted if reads == [wanted] or expected is None else f"({wanted})"), name


CALL = "left_relation='{}', left_point='p', right_relation='versions', right_interval=['s', 'e'], keys=['k'], select=['l.id as l_id', 'r.id as r_id']"
STYLE = """
{{{{ config(materialized='{kind}') }}}}

with

events as (
    select * from {{{{ ref('points') }}}}
    {{% if is_incremental() %}}
    where id > (select max(l_id) from {{{{ this }}}})
    {{% endif %}}
),

versions as (
    select * from {{{{ ref('versions') }}}}
),

recent as (
    select *
    from events
    where id % 2 = 0
),

joined as (
    {{{{ dbt_range_join.{macro}_range_join({call}) }}}}
),

final as (
    {{{{ dbt_range_join.{macro}_range_join({again}) }}}}
)

select * from {last}
"""


def test_models_in_the_usual_style_are_measured(spark, built):
    """Inputs as CTEs first, then joins by their names; and a join of a join, which is not measured."""
    again = "left_relation='joined', left_point='l_id', right_relation='(select id, id as s, id + 1 as e from events where id < 4000)', right_interval=['s', 'e'], select=['l.l_id', 'r.id as r_id']"
    bodies = {
        f"{macro}_{last}": STYLE.format(kind=kind, macro=macro, call=CALL.format("recent"), again=again, last=last)
        for macro in ("binned", "naive") for last, kind in (("joined", "incremental"), ("final", "view"))
    }  # fmt: skip
    log = built.folder / "logs" / "dbt.log"
    for new in (r"about (29|30|31),\d00 points", "0 points"):
        said = len(log.read_text())
        sql = compiled(built, bodies, "run", "--select", *(bodies if new != "0 points" else ["binned_joined", "naive_joined"]))
        joins = [line for line in log.read_text()[said:].split("\n") if "dbt_range_join: " in line and "[info ]" in line]
        assert len(joins) == (4 if new != "0 points" else 2), "each join is planned once, however many CTEs are read apart"
        assert bag(spark, "select * from scratch.binned_joined") == bag(spark, "select * from scratch.naive_joined")
        first, second = re.findall(r"-- dbt_range_join: (.*)", sql["binned_joined"])
        assert re.search(rf"; {new} on the left, 4,000 intervals on the right", first), first
        assert "could not be measured before this query runs (left_relation reads a CTE or an ephemeral model that joins or groups, or that the text of the model does not tell), so" in second
        assert ("were measured to lie within these bins" in sql["binned_joined"]) == (new != "0 points"), "of no points nothing is known"
    assert bag(spark, "select * from scratch.binned_final") == bag(spark, "select * from scratch.naive_final")
    assert spark.table("scratch.binned_final").count() > 100


EPHEMERAL = "{{ config(materialized='ephemeral') }}\n"
JOIN = "{{{{ dbt_range_join.binned_range_join(left_relation={}, left_point='p', right_relation=ref('versions'), right_interval=['s', 'e'], select=['l.id as l_id', 'r.id as r_id']) }}}}"
# An ephemeral model, and whether it can be read apart.
MODELS = {
    "plain": ("select * from {{ ref('points') }} where id > {{ var('least', 4) }} and '{{ this.identifier }}' <> ''", True),
    "of_another": ("with z as (select * from {{ ref('plain') }})\nselect * from z where id % 2 = 0 -- half", True),
    "of_what_jinja_sets": ("{% set n = 3 %}select * from {{ ref('points') }} where id > {{ n }}", False),
    "of_one_that_jinja_sets": ("select * from {{ ref('of_what_jinja_sets') }}", False),
    "that_groups": ("select id, max(p) as p from {{ ref('points') }} group by id", False),
    "of_a_join": ("select l_id as id, timestamp'2024-01-02' as p from (" + JOIN.format("ref('points')") + ")", False),
}


def test_ephemeral_models_are_measured(spark, built):
    """As they are, in a query, and in a CTE of the model; where their Jinja says the same wherever it stands."""
    ephemeral = {name: EPHEMERAL + text for name, (text, _) in MODELS.items()}
    ways = {
        "by_ref": JOIN.format("ref('{0}')"), "by_query": JOIN.format("'(select * from ' ~ ref('{0}') ~ ')'"),
        "by_cte": "with a as (select * from {{{{ ref('{0}') }}}}) select * from (" + JOIN.format("'a'") + ")",
    }  # fmt: skip
    bodies = {
        f"{way}_{name}": table(text.replace("{{{{", "{{").replace("}}}}", "}}").replace("{0}", name))
        for name in MODELS for way, text in ways.items() if way == "by_ref" or name == "of_another"
    }  # fmt: skip
    sql = compiled(built, ephemeral | bodies, "run", "--select", *bodies)
    for name in bodies:
        known = MODELS[name[name.index("_", 3) + 1 :]][1]
        reason = re.findall(r"-- dbt_range_join: (.*)", sql[name])[0 if "of_a_join" in name else -1]
        assert ("(left_relation reads a CTE or an ephemeral model that joins or groups, or that the text of the model does not tell)" in reason) != known, f"{name}: {reason}"
        assert not known or re.search(rf"about {'60' if name.endswith('plain') else '30'},000 points", reason.replace("59,", "60,").replace("29,", "30,")), reason
        assert ("were measured to lie within these bins" in sql[name]) == known, name
    rows = {name: spark.table(f"scratch.{name}").count() for name in bodies}
    assert rows["by_ref_of_another"] == rows["by_query_of_another"] == rows["by_cte_of_another"] > 100_000
    built.dbt("run", "--empty", "--select", *bodies)
    assert spark.table("scratch.by_cte_of_another").count() == 0


TARGETS = """\
scratch:
  target: dev
  outputs:
    dev: {type: spark, method: session, host: unused, schema: of_dev, threads: 1}
    prod: {type: spark, method: session, host: unused, schema: of_prod, threads: 1}
"""
OTHER_POINTS = "select id, cast(p as date) as p from (" + POINTS + ") where id < 25000"


@pytest.fixture(scope="module")
def deferred(spark, scratch):
    """A project with two targets, whose inputs are built in one of them, and with a package that has a model of the same name."""
    project = ScratchProject(scratch / "deferred", "deferred", profile=TARGETS)
    other = scratch / "other"
    (other / "models").mkdir(parents=True)
    (other / "dbt_project.yml").write_text("name: other\nversion: 0.1.0\nconfig-version: 2\nmodels:\n  +schema: other\n")
    (other / "models" / "points.sql").write_text(table(OTHER_POINTS))
    with (project.folder / "packages.yml").open("a") as packages:
        packages.write(f"  - local: {other}\n")
    (project.folder / "macros").mkdir()
    project.dbt("deps")
    models = {
        "eph.sql": EPHEMERAL + "select * from {{ ref('points') }}",
        "of_two.sql": EPHEMERAL + "select id, p from {{ ref('other', 'points') }} where id < 10 union all select id, cast(p as date) as p from {{ ref('points') }}",
        "joined.sql": table(JOIN.format("ref('eph')")),
        "joined_two.sql": table(JOIN.format("ref('of_two')")),
        "schema.yml": "models:\n  - {name: points, config: {event_time: p}}\n",
    }  # fmt: skip
    project.write({**INPUTS, **models})
    project.dbt("run", "--target", "prod", "--select", "points", "versions")
    (project.folder / "target").rename(project.folder / "state")
    yield project
    for schema in ("of_dev", "of_prod", "of_dev_other", "of_prod_other"):
        spark.sql(f"drop database if exists {schema} cascade")


def reason_of(project, name, *command):
    """What a model that was built says at its head."""
    project.dbt(*command)
    sql = (project.folder / "target" / "compiled" / "deferred" / "models" / f"{name}.sql").read_text()
    return re.findall(r"-- dbt_range_join: (.*)", sql)[-1]


def test_ephemeral_models_read_what_dbt_has_them_read(spark, deferred):
    """Found by an attack: with --defer, --sample, a ref() of one's own or a package's model of the same name, what was measured, or not found, was another table."""
    run = ("run", "--select", "joined", "--defer", "--state", "state")
    for more in ((), ("--favor-state",)):
        assert "about 60,000 points" in reason_of(deferred, "joined", *run, *more)
        assert spark.table("of_dev.joined").count() > 100_000
        # What is in the way then, of another type.
        spark.sql("create or replace view of_dev.points as select id, cast(p as date) as p from of_prod.points where id < 20000")
        spark.sql("create or replace view of_dev.versions as select id, cast(s as date) as s, cast(e as date) as e from of_prod.versions")
    spark.sql("drop view of_dev.points")
    spark.sql("drop view of_dev.versions")

    own = deferred.folder / "macros" / "ref.sql"
    own.write_text(
        "{% macro ref() %}{% set relation = builtins.ref(*varargs, **kwargs) %}"
        "{{ return(relation if relation.is_cte else relation.incorporate(path={'schema': 'of_prod'})) }}{% endmacro %}"
    )
    assert "about 60,000 points" in reason_of(deferred, "joined", "run", "--select", "joined")
    own.unlink()

    deferred.dbt("run", "--exclude", "joined", "joined_two")
    assert "about 60,000 points" in reason_of(deferred, "joined_two", "run", "--select", "joined_two"), "the package has 25,000"
    first, middle = spark.sql("select date_trunc('second', min(p)), date_trunc('second', min(p) + (max(p) - min(p)) / 2) from of_dev.points").first()
    reason = reason_of(deferred, "joined", "run", "--select", "joined", "--sample", f"{{'start': '{first}', 'end': '{middle}'}}")
    assert re.search(r"about (29|30|31),\d00 points", reason), reason
