"""A dbt project that installs the package the way a user does, and compiles what a test asks for."""

import functools
import shutil
import textwrap
from pathlib import Path

from dev.dbt_runner import DbtFailed, run_dbt

ROOT = Path(__file__).resolve().parents[1]

PROFILE = """\
scratch:
  target: dev
  outputs:
    dev: {type: spark, method: session, host: unused, schema: scratch, threads: 1}
"""


class ScratchProject:
    """A project in a folder of its own; every compile starts from no models. Macros are parsed by the first dbt command alone.

    looks: whether the package may look at the data where a call has a bin_size; false sets range_join_check_bin_size to false.
    """

    def __init__(self, folder: Path, name: str = "scratch", profile: str = PROFILE, looks: bool = True):
        self.folder, self.name, self.profile = folder, name, profile
        folder.mkdir(parents=True)
        (folder / "dbt_project.yml").write_text(
            f"name: {name}\nversion: 0.1.0\nconfig-version: 2\nprofile: scratch\nmodels:\n  +materialized: view\n"
            + ("" if looks else "vars:\n  range_join_check_bin_size: false\n")
        )
        (folder / "packages.yml").write_text(f"packages:\n  - local: {ROOT}\n")
        (folder / "profiles.yml").write_text(profile)
        (folder / "models").mkdir()
        self.dbt("deps")

    def dbt(self, *arguments: str, partial_parse: bool = True):
        """One dbt command on this project. partial_parse: see run_dbt."""
        return run_dbt(list(arguments), self.folder, self.folder, self.folder / "logs", partial_parse=partial_parse)

    def write(self, files: dict[str, str]) -> None:
        """Replace all models by these files (names within models/)."""
        shutil.rmtree(self.folder / "models")
        for name, text in files.items():
            path = self.folder / "models" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(textwrap.dedent(text))

    def compile(self, models: dict[str, str], looks: bool = False) -> dict[str, str]:
        """Model bodies by name in, compiled SQL by name out: the same for any data where calls have a bin_size, unless the package looks at it."""
        return (self if looks else self._without_looks)._sql_of("compile", models)

    @functools.cached_property
    def _without_looks(self) -> "ScratchProject":
        """A project beside this one: to set a variable for one command has dbt parse everything anew."""
        return ScratchProject(self.folder / "without_looks", self.name, self.profile, looks=False)

    def built(self, models: dict[str, str]) -> dict[str, str]:
        """The same, of models that `dbt run` has made, which looks at the data."""
        return self._sql_of("run", models)

    def _sql_of(self, command: str, models: dict[str, str]) -> dict[str, str]:
        self.write({f"{name}.sql": body for name, body in models.items()})
        shutil.rmtree(self.folder / "target" / "compiled", ignore_errors=True)
        self.dbt(command)
        compiled = self.folder / "target" / "compiled" / self.name / "models"
        return {name: (compiled / f"{name}.sql").read_text() for name in models}

    def compile_error(self, body: str) -> str:
        """The message of the compile error that a model body meets."""
        try:
            self.compile({"faulty": body})
        except DbtFailed as failure:
            return str(failure)
        raise AssertionError("the model compiled")

    def errors(self, models: dict[str, str]) -> dict[str, str]:
        """The message of the compile error that each of these model bodies meets, all from one dbt call.

        The bodies are rendered when the models are run, not when dbt parses the project: it would stop at the first that can't be.
        """
        self.write({f"{name}.sql": f"{{% if execute %}}{body}{{% endif %}}" for name, body in models.items()})
        messages = {}
        try:
            self.dbt("run")
        except DbtFailed as failure:
            if not failure.nodes:
                raise
            messages = failure.nodes
        for name in models:
            assert messages.get(name, "").startswith(f"Compilation Error in model {name} "), f"{name} compiled: {messages.get(name, 'it was built')}"
        return {name: messages[name] for name in models}
