"""Shared by the demo, the tests and the benchmarks; no part of the dbt package itself."""
