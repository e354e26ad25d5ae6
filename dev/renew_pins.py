"""Write requirements.txt: every package that requirements.in brings along, at one exact version.

    python3 dev/renew_pins.py python3.10 python3.11

Each interpreter named resolves requirements.in for itself, and its answer holds from its own Python
version up to the next one named, the last one's for all newer Pythons. Where the answers differ, the
lines carry a marker. pip does the resolving, with whatever index it is set up for, and none of that
reaches the file: only names, versions and markers do.
"""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

HEADER = """\
# Written by dev/renew_pins.py from requirements.in: change that file, not this one.
"""


def python_version(python):
    """The `major.minor` version of the interpreter `python`, as a string such as '3.11'."""
    code = "import sys; print('%d.%d' % sys.version_info[:2])"
    return subprocess.check_output([python, "-c", code], text=True).strip()


def resolve(python):
    """What pip would install for `python`: a dict of package name to exact version."""
    command = [python, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    report = json.loads(subprocess.check_output(command + ["-r", str(ROOT / "requirements.in")], text=True))
    found = (item["metadata"] for item in report["install"])
    return {package["name"]: package["version"] for package in found}


def marker(position, versions):
    """The marker for the answer at `position` in the ascending list of Python `versions`."""
    bounds = []
    if position > 0:
        bounds.append(f'python_version >= "{versions[position]}"')
    if position + 1 < len(versions):
        bounds.append(f'python_version < "{versions[position + 1]}"')
    return " and ".join(bounds)


def lines_for(name, versions, answers):
    """The requirement lines of one package: a single one where all `answers` agree, else one for each."""
    pins = [answer.get(name) for answer in answers]
    if len(set(pins)) == 1:
        return [f"{name}=={pins[0]}"]
    return [f"{name}=={pin} ; {marker(at, versions)}" for at, pin in enumerate(pins) if pin]


def main(pythons):
    """Resolve for each of `pythons`, oldest first, and write requirements.txt."""
    if not pythons:
        sys.exit(__doc__)
    versions = [python_version(python) for python in pythons]
    answers = [resolve(python) for python in pythons]
    names = sorted(set().union(*answers), key=str.lower)
    lines = [line for name in names for line in lines_for(name, versions, answers)]
    (ROOT / "requirements.txt").write_text(HEADER + "\n".join(lines) + "\n")
    print(f"requirements.txt: {len(names)} packages")


if __name__ == "__main__":
    main(sys.argv[1:])
