"""The embedded SparkSession that dbt's session method finds and uses.

dbt-spark's session method asks for `SparkSession.builder.getOrCreate()`, so a session started here
before the first dbt call in the same process is the one that every dbt call runs on.

The catalog lives in memory and the warehouse in a new folder per run: there is no Derby metastore to be
locked by another process, and no table folder of a killed run that `create table` would stumble over.
"""

import atexit
import contextlib
import os
import socket
import sys

from pyspark.logger import PySparkLogger
from pyspark.sql import SparkSession

from dev.scratch import new_run_folder

# Settings of a user's own Spark would win over the PySpark that is installed beside this file.
_FOREIGN_SETTINGS = ("SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE", "PYSPARK_SUBMIT_ARGS", "PYSPARK_DRIVER_PYTHON")


def start_spark(scratch_dir, log_file=None, driver_memory="4g", settings=None):
    """Start the process's one SparkSession, on this machine alone and without network access.

    Args:
        scratch_dir: folder in which this run gets a folder of its own for tables and shuffle files.
        log_file: file that takes all that Spark's JVM prints, written anew; None leaves it on the terminal.
        driver_memory: the most heap that the JVM may take, as Spark writes it.
        settings: dict of further Spark settings, which win over those here.

    Returns:
        The SparkSession, with UTC as its time zone. It is stopped at exit, and its folder removed.
    """
    if SparkSession.getActiveSession() is not None:
        raise RuntimeError("this process has a SparkSession already, whose settings can no longer be chosen")
    _prepare_environment()
    # It prints the whole JVM stack of every failed query to the terminal; the exception says what matters.
    PySparkLogger.getLogger("SQLQueryContextLogger").disabled = True
    folder = new_run_folder(scratch_dir)
    builder = SparkSession.builder.master("local[*]").appName("dbt_range_join")
    for name, value in {**_default_settings(folder, driver_memory), **(settings or {})}.items():
        builder = builder.config(name, value)
    with _output_to(log_file):
        spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("WARN" if log_file else "ERROR")
    atexit.register(_stop, spark)  # runs before the folder's own removal, which was registered earlier
    return spark


@contextlib.contextmanager
def thrift_server(spark):
    """Serve this process's Spark as its Thrift server does, meanwhile, from within the same JVM.

    Each connection gets a session of its own, with the settings that Spark was started with: it sees the tables of `spark`, and neither
    its temporary views nor what was set in it since, such as the ANSI mode that dbt's session method turns off.

    Yields:
        The port on 127.0.0.1.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"hive.server2.thrift.port": str(port), "hive.server2.thrift.bind.host": "127.0.0.1"}
    for name, value in settings.items():
        spark.conf.set(name, value)
    try:
        served = spark._jvm.org.apache.spark.sql.hive.thriftserver.HiveThriftServer2.startWithContext(spark._jsparkSession.sqlContext())
    finally:
        for name in settings:
            spark.conf.unset(name)
    try:
        yield port
    finally:
        served.stop()


def _prepare_environment():
    """Make the environment that the JVM inherits independent of the machine's."""
    for name in _FOREIGN_SETTINGS:
        os.environ.pop(name, None)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"  # no look-up of the host's name, which may not resolve


def _default_settings(folder, driver_memory):
    """The settings of a session whose files all lie in `folder`."""
    return {
        "spark.driver.memory": driver_memory,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.session.timeZone": "UTC",
        # Small data on few cores: the default of 200 would be nearly all overhead.
        "spark.sql.shuffle.partitions": str(max(4, os.cpu_count() or 4)),
    }


@contextlib.contextmanager
def _output_to(log_file):
    """Send what this process and its children print to `log_file` meanwhile; nothing changes if it is None.

    The JVM is started inside and keeps the file as its output for good. It takes the file descriptors, not
    Python's sys.stdout and sys.stderr, because those are what a child process inherits.
    """
    if log_file is None:
        yield
        return
    sys.stdout.flush()
    sys.stderr.flush()
    saved = {descriptor: os.dup(descriptor) for descriptor in (1, 2)}
    try:
        with open(log_file, "wb") as log:
            for descriptor in saved:
                os.dup2(log.fileno(), descriptor)
        yield
    finally:
        for descriptor, original in saved.items():
            os.dup2(original, descriptor)
            os.close(original)


def _stop(spark):
    """Stop the session; a failure here must not hide the run's own outcome."""
    with contextlib.suppress(Exception):
        spark.stop()
