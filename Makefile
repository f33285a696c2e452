# Two commands do everything: `make demo` and `make test`. Needs python3 (3.11 or later, with venv) and make.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PACKAGES := referee scrapers rules reports
PATHS := $(PACKAGES) tests bench
# Where writing byte code is switched off, as in many containers, every start would compile all modules.
COMPILE = $(BIN)/python -m compileall -q $(PACKAGES)

.PHONY: demo test lint bench docs clean

demo: $(VENV)/run.stamp
	$(BIN)/referee demo --out demo-report

test: lint
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term:skip-covered

lint: $(VENV)/dev.stamp
	$(BIN)/ruff check $(PATHS)
	$(BIN)/ruff format --check $(PATHS)
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

bench: $(VENV)/dev.stamp
	$(COMPILE)
	$(BIN)/python -m bench

docs: $(VENV)/dev.stamp
	$(BIN)/python -m referee.app.docs docs

clean:
	find $(PATHS) -name __pycache__ -prune -exec rm -rf {} +
	rm -rf $(VENV) demo-report build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	$(COMPILE)
	touch $@

$(VENV)/dev.stamp: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,scale]'
	$(COMPILE)
	touch $@ $(VENV)/run.stamp
