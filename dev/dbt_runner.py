"""dbt called in this process, so that it runs on the SparkSession that is already there."""

import os

from dbt.cli.main import dbtRunner

# Fixed for every call: nothing leaves this machine, and the terminal belongs to the caller.
_GLOBAL_FLAGS = [
    "--no-send-anonymous-usage-stats",
    "--no-version-check",
    "--no-use-colors",
    "--no-use-colors-file",
    "--log-level", "none",
    "--log-level-file", "debug",
]  # fmt: skip


class DbtFailed(Exception):
    """A dbt call failed; the message says which nodes did and why, and names the log.

    nodes: the message of each node that failed, by its name; empty where dbt stopped before it ran any.
    """

    def __init__(self, message, nodes=None):
        super().__init__(message)
        self.nodes = dict(nodes or {})


def run_dbt(args, project_dir, profiles_dir, log_dir, target_dir=None, on_event=None, partial_parse=False):
    """Run one dbt command in this process.

    Args:
        args: the command and its own options, such as ["build", "--select", "minutes"].
        project_dir, profiles_dir: folders of dbt_project.yml and of profiles.yml.
        log_dir: folder in which dbt writes dbt.log.
        target_dir: folder for compiled SQL and artifacts; None leaves what dbt_project.yml says.
        on_event: function called with each of dbt's events, as dbtRunner's callbacks are.
        partial_parse: whether dbt may go by what an earlier call in this project parsed, as it does for users, and read only files that
            changed since. That saves most of a small call; warnings about macro arguments come with the first call alone.

    Returns:
        dbt's result: for build, run and test an object whose `.results` hold one entry per node.

    Raises:
        DbtFailed: dbt could not run, or a node or test of it failed.
    """
    flags = [*_GLOBAL_FLAGS, "--partial-parse" if partial_parse else "--no-partial-parse", "--log-path", str(log_dir)]
    options = ["--project-dir", str(project_dir), "--profiles-dir", str(profiles_dir)]
    if target_dir is not None:
        options += ["--target-path", str(target_dir)]
    before = os.getcwd()
    try:
        outcome = dbtRunner(callbacks=[on_event] if on_event else []).invoke([*flags, *args, *options])
    finally:
        os.chdir(before)  # some dbt commands move into the project
    if isinstance(outcome.exception, KeyboardInterrupt):
        raise outcome.exception
    if not outcome.success:
        bad = _failed(outcome)
        raise DbtFailed(f"dbt {args[0]} failed: {_reason(outcome, bad)}\nThe whole log: {log_dir}/dbt.log", bad)
    return outcome.result


def _failed(outcome):
    """The message of each node that failed, by its name; none where dbt has no results, as when it could not parse the project."""
    bad = [result for result in getattr(outcome.result, "results", []) if result.status in ("error", "fail", "runtime error")]
    # run-operation has results without a node.
    return {result.node.name if hasattr(result, "node") else result.unique_id: (result.message or "").strip() for result in bad}


def _reason(outcome, bad):
    """What went wrong, in dbt's own words: its exception, or a line for each node that failed."""
    if outcome.exception is not None:
        return str(outcome.exception)
    return "\n".join([f"{len(bad)} of {len(outcome.result.results)} nodes", *(f"  {name}: {message}" for name, message in bad.items())])
