"""The contract's definition of the join as SQL for another engine, written from the contract and not from the macros."""

from collections import Counter

import duckdb

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


def answer(setting: Setting, left, right) -> Counter:
    """DuckDB's answer over two Arrow tables, as a bag of rows."""
    with duckdb.connect() as connection:
        connection.register("left_rows", left)
        connection.register("right_rows", right)
        return Counter(connection.execute(query(setting, "left_rows", "right_rows")).fetchall())
