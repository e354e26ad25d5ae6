"""One Spark session and one scratch dbt project for all tests of a run."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from dev.session import start_spark  # noqa: E402

from dev.project import ScratchProject  # noqa: E402


# Where files go to processes in turn, one that starts last and takes long leaves the other process idle.
LONGEST_FILES = (
    "test_no_bin_size.py", "test_exclusive_ends.py", "test_exactness.py", "test_benchmarks.py", "test_projects.py", "test_readme.py", "test_bounds.py", "test_plans.py",
    "test_reports.py", "test_keys.py",
)  # fmt: skip

# A run plans thousands of queries, and Spark makes classes for each: that fills the space for classes, at each doubling of which G1 marks the whole heap
# anew, and it made an eighth of all the JVM did. With room from the start, and a collector that only works when it must, a run takes a sixth less.
# Few methods are called often enough that the second compiler is worth its time, a fifth of all there is: six times as many calls as usual before it
# comes in took a third off that, and a twentieth off the whole.
JAVA_OPTIONS = (
    "-XX:+UseParallelGC -Xms3g -Xmn1536m -XX:MetaspaceSize=512m -XX:Tier4InvocationThreshold=30000 -XX:Tier4MinInvocationThreshold=4000 "
    "-XX:Tier4CompileThreshold=90000 -XX:Tier4BackEdgeThreshold=120000"
)
# Nobody looks at the plans of queries that are done, of which Spark keeps a thousand in memory.
SETTINGS = {"spark.driver.extraJavaOptions": JAVA_OPTIONS, "spark.sql.ui.retainedExecutions": "20"}


def pytest_collection_modifyitems(items):
    """The longest files first."""
    order = {name: place for place, name in enumerate(LONGEST_FILES)}
    items.sort(key=lambda item: order.get(item.path.name, len(order)))


@pytest.fixture(scope="session")
def scratch(tmp_path_factory):
    """A folder for this run's files."""
    return tmp_path_factory.mktemp("range_join")


@pytest.fixture(scope="session")
def spark(scratch):
    """The session that every dbt call and every query of this run shares."""
    return start_spark(scratch / "spark", log_file=scratch / "spark.log", settings=SETTINGS)


@pytest.fixture(scope="session")
def project(spark, scratch):
    """A dbt project that installs the package, to compile macro calls in."""
    return ScratchProject(scratch / "project")
