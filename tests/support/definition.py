"""The contract's definition of the join as SQL for another engine, written from the contract and not from the macros."""

import datetime as dt
from collections import Counter
from zoneinfo import ZoneInfo

import duckdb
import pyarrow as pa

from .cases import Setting

JOIN = {"inner": "inner join", "left": "left join", "right": "right join", "full": "full join",
        "semi": "semi join", "anti": "anti join"}


def _holds(setting: Setting, comparison: str, *bounds: str) -> str:
    """A comparison that, where NULL bounds are open, also holds against a NULL bound."""
    if setting.null_bounds == "no_match":
        return comparison
    return "(" + " or ".join([comparison, *(f"{bound} is null" for bound in bounds)]) + ")"


def range_predicate(setting: Setting) -> str:
    """The contract's section 2, "Semantics, exactly"."""
    if setting.shape == "overlap":
        operator = "<=" if setting.inclusive == "both" else "<"
        return " and ".join([
            _holds(setting, f"l.s {operator} r.e", "l.s", "r.e"),
            _holds(setting, f"r.s {operator} l.e", "r.s", "l.e"),
        ])
    point, interval = ("l", "r") if setting.shape == "point left" else ("r", "l")
    above = ">=" if setting.inclusive in ("both", "left") else ">"
    below = "<=" if setting.inclusive in ("both", "right") else "<"
    return " and ".join([
        _holds(setting, f"{point}.p {above} {interval}.s", f"{interval}.s"),
        _holds(setting, f"{point}.p {below} {interval}.e", f"{interval}.e"),
    ])


def _qualified(alias: str, expression: str) -> str:
    return expression if "." in expression else f"{alias}.{expression}"


def query(setting: Setting, left: str, right: str) -> str:
    """The whole join; left and right are names that DuckDB resolves. Columns: case_id, l_id, r_id."""
    predicates = ["l.case_id = r.case_id"]
    for key in setting.keys:
        pair = [key, key] if isinstance(key, str) else key
        predicates.append(f"{_qualified('l', pair[0])} = {_qualified('r', pair[1])}")
    predicates.append(range_predicate(setting))
    if setting.condition:
        predicates.append(f"({setting.condition}\n)")
    one_side = setting.join_type in ("semi", "anti")
    columns = "l.case_id, l.id" if one_side else "coalesce(l.case_id, r.case_id), l.id, r.id"
    return f"select {columns} from {left} as l {JOIN[setting.join_type]} {right} as r on {' and '.join(predicates)}"


def _has_instants(table: pa.Table) -> bool:
    return any(pa.types.is_timestamp(column.type) and column.type.tz for column in table.schema)


def _as_instants(table: pa.Table, time_zone: str) -> pa.Table:
    """Local times as instants, by Python: DuckDB's time zones are an extension that it would have to download."""
    for number, column in enumerate(table.schema):
        if column.type == pa.timestamp("us"):
            local = (value and value.replace(tzinfo=ZoneInfo(time_zone)) for value in table[number].to_pylist())
            instants = pa.array([value and value.astimezone(dt.UTC) for value in local], pa.timestamp("us", tz="UTC"))
            table = table.set_column(number, column.name, instants)
    return table


def answer(setting: Setting, left: pa.Table, right: pa.Table) -> Counter:
    """DuckDB's answer over two Arrow tables, as a bag of rows. An instant and a local time are compared as instants."""
    if _has_instants(left) or _has_instants(right):
        left, right = (_as_instants(table, setting.domain.time_zone) for table in (left, right))
    with duckdb.connect() as connection:
        connection.register("left_rows", left)
        connection.register("right_rows", right)
        return Counter(connection.execute(query(setting, "left_rows", "right_rows")).fetchall())
