"""The compiled SQL is a product: golden files, sqlfluff, and what must never be in it.

To renew the golden files after a change that is meant: UPDATE_GOLDEN=1 make test, then read the diff.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dev.project import ROOT
from tests.support.judge import measured_model, tiny_model

GOLDEN = Path(__file__).parent / "golden"
QUERIES = "left_relation='seconds', left_point='l.ts', right_relation='queries', right_interval=['r.start_time', 'r.end_time'], "
SESSIONS = "left_relation='page_sessions', left_interval=['l.s', 'l.e'], right_relation='app_sessions', right_interval=['r.s', 'r.e'], "
REVERSED = "left_relation='queries', left_interval=['l.start_time', 'l.end_time'], right_relation='seconds', right_point='r.ts', "
BOTH = "select=['l.id as l_id', 'r.id as r_id'], "

CALLS = {
    "bin_number_time": "select\n    {{ dbt_range_join.bin_number('ts', '90 seconds') | indent(4) }} as bin_num\nfrom events",
    "bin_number_number": "select\n    {{ dbt_range_join.bin_number('x + y', 10) | indent(4) }} as bin_num\nfrom events",
    "bin_number_fraction": "select\n    {{ dbt_range_join.bin_number('x', 0.25) | indent(4) }} as bin_num\nfrom events",
    "generate_bins": "{{ dbt_range_join.generate_bins('min(ts)', 'max(ts)', '1 hour', relation='seconds') }}",
    "fan_out_intervals": "{{ dbt_range_join.fan_out_intervals('queries', ['start_time', 'end_time'], '1 minute') }}",
    "fan_out_clamped": "{{ dbt_range_join.fan_out_intervals('queries', ['start_time', 'end_time'], '1 minute', select=['query_id', 'upper(title) as title'], "
    "bin_column='minute_bin', inclusive='left', null_bounds='unbounded', lower='(select min(ts) from seconds)', "
    "upper='(select max(ts) from seconds)') }}",
    "article": "{{ dbt_range_join.binned_range_join(" + QUERIES + "join_type='left', select=['l.ts', 'r.query_id'], bin_size='60 seconds') }}",
    "article_naive": "{{ dbt_range_join.naive_range_join(" + QUERIES + "join_type='left', select=['l.ts', 'r.query_id'], bin_size='60 seconds') }}",
    "keyed_open_versions": "{{ dbt_range_join.binned_range_join(" + QUERIES.replace("l.ts", "l.event_at")
    + "keys=['user_id', ['l.area', 'upper(r.area)']], null_bounds='unbounded', inclusive='left', join_condition=\"l.kind = 'buy' -- only purchases\", "
    "broadcast='right', bin_size='1 day') }}",
    "points_on_the_right": "{{ dbt_range_join.binned_range_join(" + REVERSED + BOTH + "join_type='left', inclusive='neither', bin_size='60 seconds') }}",
    "both_sides_kept": "{{ dbt_range_join.binned_range_join(" + QUERIES + BOTH + "join_type='full', bin_size=60) }}",
    "overlap_inner": "{{ dbt_range_join.binned_range_join(" + SESSIONS + BOTH + "bin_size='5 minutes') }}",
    "overlap_full_open": "{{ dbt_range_join.binned_range_join(" + SESSIONS + BOTH + "keys=['site'], join_type='full', inclusive='left', "
    "null_bounds='unbounded', bin_size='5 minutes') }}",
    "overlap_semi": "{{ dbt_range_join.binned_range_join(" + SESSIONS + "select=['l.id', 'l.s'], join_type='semi', bin_size='5 minutes') }}",
    "points_semi_condition": "{{ dbt_range_join.binned_range_join(" + QUERIES + "select=['l.ts'], join_type='semi', "
    "join_condition='l.area = r.area', bin_size='60 seconds') }}",
    "overlap_anti": "{{ dbt_range_join.binned_range_join(" + SESSIONS + "join_type='anti', bin_size='5 minutes') }}",
    "both_sides_kept_tiny": tiny_model(QUERIES + BOTH + "join_type='full', bin_size=60"),
    "overlap_anti_tiny": tiny_model(SESSIONS + "join_type='anti', bin_size='5 minutes'"),
    "article_inner_measured": measured_model(
        QUERIES + "select=['l.ts', 'r.query_id'], bin_size='60 seconds'", {"left": [1704067200000000, 1706659200000000]}, points=2592000),
    "overlap_inner_measured": measured_model(
        SESSIONS + BOTH + "bin_size='5 minutes'", {"left": [0, 86400000000], "right": [-3600000000, 90000000000]}, points=1000),
    "article_inner_all_measured": measured_model(
        QUERIES + "select=['l.ts', 'r.query_id'], bin_size='60 seconds'", {"left": [1704067200000000, 1704070800000000]}, levels=(0,), type_name="timestamp"),
    "keyed_inner_all_measured": measured_model(
        QUERIES + "keys=['user_id', ['l.area', 'upper(r.area)']], select=['l.ts', 'r.query_id'], bin_size='60 seconds'",
        {"left": [1704067200000000, 1704070800000000]}, levels=(0,), type_name="timestamp", key_types=("bigint", "string")),
    "overlap_inner_all_measured": measured_model(
        SESSIONS + BOTH + "bin_size='5 minutes'", {"left": [0, 86400000000], "right": [-3600000000, 90000000000]}, levels=(0, 8), type_name="timestamp"),
    "overlap_inner_once": measured_model(
        SESSIONS + BOTH + "keys=['site'], bin_size='5 minutes'", {"left": [0, 36000000000], "right": [-3600000000, 39600000000]}, levels=(0,), once=True),
    "article_inner_stated": "{{ dbt_range_join.binned_range_join(" + QUERIES + "select=['l.ts', 'r.query_id'], bin_size='60 seconds', broadcast='right', "
    "extent=['2024-01-01', '2024-02-01'], longest='15 minutes') }}",
    "article_stated": "{{ dbt_range_join.binned_range_join(" + QUERIES + "join_type='left', select=['l.ts', 'r.query_id'], bin_size='60 seconds', "
    "extent=['2024-01-01', '2024-02-01']) }}",
    "article_stated_at_one_level": "{{ dbt_range_join.binned_range_join(" + QUERIES + "join_type='left', select=['l.ts', 'r.query_id'], bin_size='60 seconds', "
    "join_condition='l.kind = r.kind', extent=['2024-01-01', '2024-01-02'], longest='15 minutes') }}",
    "points_on_the_right_stated": "{{ dbt_range_join.binned_range_join(" + REVERSED + BOTH + "join_type='left', bin_size='60 seconds', extent=['2024-01-01', '2024-01-02']) }}",
    "overlap_inner_stated": "{{ dbt_range_join.binned_range_join(" + SESSIONS + BOTH + "keys=['site'], bin_size=0.5, extent=[-100, 1e5]) }}",
    "overlap_naive_open": "{{ dbt_range_join.naive_range_join(" + SESSIONS + BOTH + "null_bounds='unbounded') }}",
}  # fmt: skip


@pytest.fixture(scope="module")
def compiled(project):
    return {name: sql.rstrip("\n") + "\n" for name, sql in project.compile(CALLS).items()}


@pytest.mark.parametrize("name", CALLS)
def test_golden(compiled, name):
    path = GOLDEN / f"{name}.sql"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(compiled[name])
    assert compiled[name] == path.read_text(), f"{path} differs; if it is meant to, renew it with UPDATE_GOLDEN=1"


def test_no_golden_file_is_left_over():
    assert {path.stem for path in GOLDEN.glob("*.sql")} == set(CALLS)


def test_layout(compiled):
    for name, sql in compiled.items():
        lines = sql.split("\n")
        assert not [line for line in lines if line != line.rstrip()], f"{name}: blanks at the end of a line"
        assert "\n\n\n" not in sql, f"{name}: more than one empty line in a row"
        assert "{" not in sql and "None" not in sql and "Undefined" not in sql, f"{name}: Jinja shows through"
        assert not re.search(r"^select\s+(/\*.*?\*/\s*)?distinct\b|^\s*union(?! all)\b", sql, re.MULTILINE), f"{name}: equal rows are one"
        assert " distinct l" not in sql and "monotonically_increasing_id" not in sql and "row_number" not in sql


def lint(*paths):
    """Run sqlfluff with the project's configuration; raises with its report."""
    command = [sys.executable, "-m", "sqlfluff", "lint", "--disable-progress-bar", "--config", str(ROOT / ".sqlfluff")]
    outcome = subprocess.run([*command, *map(str, paths)], capture_output=True, text=True, check=False)
    assert outcome.returncode == 0, outcome.stdout[-5000:] + outcome.stderr[-2000:]


def test_compiled_sql_passes_sqlfluff():
    lint(GOLDEN)
