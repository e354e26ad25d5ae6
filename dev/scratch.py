"""Folders for one run's throw-away files, such as Spark's warehouse.

Every run gets a new, empty folder, so that nothing a killed run left can meet the next one. What dead
runs left is removed when the next one starts; a run that is still going on keeps its own.
"""

import atexit
import contextlib
import fcntl
import shutil
import tempfile
from pathlib import Path

_PREFIX = "run-"
_locks = []  # open files whose locks last as long as this process, however it ends


def new_run_folder(parent):
    """Make a new folder in `parent` for this process alone, and remove those of dead processes.

    Args:
        parent: the folder to make it in; made too if missing.

    Returns:
        The new folder's absolute Path. It is removed when this process exits, or, if it was killed, by the
        next process that makes one.
    """
    parent = Path(parent).resolve()
    parent.mkdir(parents=True, exist_ok=True)
    with open(parent / ".lock", "w") as gate:
        fcntl.flock(gate, fcntl.LOCK_EX)  # one process at a time looks through the folders
        for folder in parent.glob(_PREFIX + "*"):
            if lock := _lock(folder):
                with lock:
                    shutil.rmtree(folder, ignore_errors=True)
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        _locks.append(_lock(folder))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _lock(folder):
    """The open lock file of `folder`, locked for this process; None if it is in use, or gone meanwhile."""
    with contextlib.suppress(OSError), contextlib.ExitStack() as on_failure:
        lock = on_failure.enter_context(open(folder / ".lock", "w"))
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        on_failure.pop_all()
        return lock
    return None
