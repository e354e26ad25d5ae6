# The commands of this repository; `make` alone lists them.
# PYTHON chooses the interpreter that .venv is made with: make demo PYTHON=python3.12

PYTHON ?= python3
SEED ?= 1
CASES ?= 100000
VENV_PYTHON := .venv/bin/python
INSTALLED := .venv/.installed

# What the user's own Python and Spark need is not for the ones in .venv.
unexport PYTHONPATH PYTHONHOME SPARK_HOME

# A .venv whose interpreter is gone (Python upgraded, folder copied from another machine) is made again.
$(shell $(VENV_PYTHON) -c '' 2>/dev/null || rm -f $(INSTALLED))

.DEFAULT_GOAL := help
.PHONY: help demo test test-every test-random lint bench clean machine

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' Makefile

demo: $(INSTALLED) ## planes in the air over 2013: builds, compares, times and draws (needs Python 3.10+, Java 17+)
	@$(VENV_PYTHON) -m demo.run

# Two processes, each with a Spark of its own; a file's tests stay together, as they share what is slow to set up.
test: $(INSTALLED) ## every check there is
	@$(VENV_PYTHON) -m pytest -n 2 --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

test-every: $(INSTALLED) ## all pairs of cases, of which `make test` takes some in turn
	@RANGE_JOIN_EVERY_CASE=1 $(MAKE) --no-print-directory test

test-random: $(INSTALLED) ## random joins against the naive join and DuckDB: make test-random SEED=7 CASES=200000
	@RANGE_JOIN_SEED=$(SEED) RANGE_JOIN_CASES=$(CASES) $(VENV_PYTHON) -m pytest tests/test_exactness.py tests/test_exclusive_ends.py $(PYTEST_ARGS)

lint: $(INSTALLED) ## the checks of the compiled SQL alone: golden files, layout, sqlfluff
	@$(VENV_PYTHON) -m pytest tests/test_compiled_sql.py $(PYTEST_ARGS)

# BENCH names what and how: make bench BENCH="engines --workload W1 --engine package duckdb --scale 1/8"
bench: $(INSTALLED) ## range joins side by side, on every engine (see benchmarks/README.md)
	@$(VENV_PYTHON) -m benchmarks $(BENCH)

clean: ## remove all that these commands made
	rm -rf .venv .pytest_cache .hypothesis target logs dbt_packages
	rm -rf benchmarks/output demo/output demo/dbt_packages demo/package-lock.yml demo/logs demo/target
	rm -rf integration_tests/target integration_tests/dbt_packages integration_tests/package-lock.yml integration_tests/logs
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

machine:
	@sh dev/check_machine.sh $(PYTHON)

# The stamp is touched last, so an interrupted installation starts anew at the next command.
$(INSTALLED): requirements.txt | machine
	@echo "Installing the packages of requirements.txt into .venv: a minute or two, once."
	@$(PYTHON) -m venv --clear .venv
	@$(VENV_PYTHON) -m pip install -qq --disable-pip-version-check --no-input -r requirements.txt \
		|| { echo "pip could not install the packages: see its message above, then run the same command again." >&2; exit 1; }
	@touch $@
