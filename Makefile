# Everything a developer does, and exactly what CI does. `make help` lists it.

PYTHON ?= python3
WORKERS ?= 2

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
PAGE := src/robotix/server/static/.source
BROWSER := $(VENV)/.browser

.DEFAULT_GOAL := help
.PHONY: help setup run test check bench docs clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## make .venv/ with everything in it, and compile the kernels once

run: $(READY) $(PAGE) ## open the furnished flat in the browser; Ctrl-C ends it
	$(BIN)/robotix run

test: $(READY) $(PAGE) $(BROWSER) ## run all tests, those in a real browser too
	$(BIN)/python hatch_build.py test
	$(BIN)/pytest --numprocesses $(WORKERS) --dist worksteal --ignore tests/browser
	$(BIN)/pytest tests/browser  # one after the other: page, browser and room share the cores

check: $(READY) ## formatting, lint, types, layers; of the page too
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python hatch_build.py check

bench: $(READY) $(PAGE) ## compare with the peers, on equal work, in one run
	$(BIN)/python benchmarks/run.py

docs: $(READY) $(PAGE) $(BROWSER) ## make schema, tables and pictures of the docs anew, run every snippet, follow every link
	@set -e; for script in $(sort $(wildcard docs/make_*.py docs/pictures/*.py)); do \
		echo "$(BIN)/python $$script"; $(BIN)/python "$$script"; \
	done
	$(BIN)/pytest tests/test_docs.py

clean: ## take away all that was made here, .venv/ included
	rm -rf $(VENV) .bench build dist out web/node_modules src/robotix/server/static .coverage .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache
	find benchmarks docs examples src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Built at set-up already; built again here when its source has changed since.
$(PAGE): $(READY) $(shell find web -path web/node_modules -prune -o -type f -print)
	$(BIN)/python hatch_build.py
	@touch $@

$(BROWSER): $(READY)
	$(BIN)/python tests/browser/install_browser.py
	@touch $@

# The stamp comes last, so a set-up that failed half-way is taken up again, and a repeat is instant.
$(READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "robotix needs Python 3.11 or newer; '$(PYTHON)' is not that." >&2; \
		echo "Name another one: make setup PYTHON=python3.12" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	$(BIN)/robotix compile
	@touch $@
