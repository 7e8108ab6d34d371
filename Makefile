# Everything a developer does, and exactly what CI does. `make help` lists it.

PYTHON ?= python3
unexport PYTHONDONTWRITEBYTECODE  # pip leaves byte code to the first import, which must be able to write it
WORKERS ?= 2
COVERED := devices dynamics ergonomics kinematics scene  # packages whose coverage is gated

VENV := .venv
BIN := $(VENV)/bin
PIP := ROBOTIX_SKIP_PAGE=1 $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --prefer-binary
TOOLS := $(VENV)/.tools
NUMBA := $(VENV)/.numba
RUNTIME := $(VENV)/.runtime
ROOM := $(VENV)/.room
READY := $(VENV)/.ready
PAGE := src/robotix/server/static/.source
BROWSER := $(VENV)/.browser

.DEFAULT_GOAL := help
.PHONY: help setup locked lock audit run test soak check bench docs clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "  make %-6s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(READY) ## make .venv/ with everything in it, and compile the kernels once

locked: pyproject.toml requirements/dev.txt ## like setup, but exactly the versions of requirements/dev.txt, by their hashes
	@$(PYTHON) -m venv $(VENV)
	$(PIP) --no-deps --require-hashes --requirement requirements/dev.txt
	$(PIP) --no-deps --editable .
	@touch $(NUMBA) $(RUNTIME)
	@$(MAKE) --no-print-directory --jobs 2 $(PAGE) $(VENV)/.kernels
	@touch $(READY)

lock: $(READY) ## write requirements/dev.txt anew, from what is installed; needs the network
	$(BIN)/python requirements/make_lock.py

audit: ## compare the pinned packages, of Python and of the page, with published advisories; needs the network
	@$(PYTHON) -m venv $(TOOLS)
	@$(TOOLS)/bin/python -m pip install --quiet --disable-pip-version-check 'pip-audit>=2.9,<3'
	$(TOOLS)/bin/python requirements/audit.py

# Numba comes first: the solver takes longest to compile, so it is compiled while all else is installed
# and built. Each step says how long it took.
run: $(NUMBA) ## open the furnished flat in the browser; Ctrl-C ends it
	@$(MAKE) --no-print-directory --jobs 3 $(ROOM) $(PAGE)
	$(BIN)/robotix run $(RUN_OPTIONS)

test: $(READY) $(PAGE) $(BROWSER) ## run all tests but the long ones, those in a real browser too
	$(BIN)/python hatch_build.py test
	$(BIN)/pytest --cov --cov-report= --numprocesses $(WORKERS) --dist worksteal --ignore tests/browser
	@set -e; for package in $(COVERED); do printf '%% of lines covered in %s: ' "$$package"; \
		$(BIN)/coverage report --include "src/robotix/$$package/*" --format total --fail-under 95; \
	done
	$(BIN)/pytest tests/browser  # one after the other: page, browser and room share the cores

soak: $(READY) $(PAGE) $(BROWSER) ## run the long tests: campaigns, with a table of figures at the end; a wheel installed elsewhere
	$(BIN)/pytest -m soak

check: $(READY) ## formatting, lint, types, layers; of the page too
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python hatch_build.py check

bench: $(READY) $(PAGE) ## compare with the peers, on equal work, in one run
	$(BIN)/python benchmarks/run.py

docs: $(READY) $(PAGE) $(BROWSER) ## renew schema, tables and pictures, run every snippet, build the site in build/site
	@set -e; for script in $(sort $(wildcard docs/make_*.py docs/pictures/*.py)); do \
		echo "$(BIN)/python $$script"; $(BIN)/python "$$script"; \
	done
	$(BIN)/pytest tests/test_docs.py tests/test_glossary.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "the site is in build/site; open build/site/index.html"

clean: ## take away all that was made here, .venv/ included
	rm -rf $(VENV) .bench build dist out web/node_modules src/robotix/server/static .coverage .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache
	find benchmarks docs examples src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# Instant when the page that is there was built from the source that is there.
$(PAGE): $(NUMBA) $(shell find web -path web/node_modules -prune -o -type f -print)
	@$(BIN)/python hatch_build.py
	@touch $@

$(BROWSER): $(READY)
	$(BIN)/python tests/browser/install_browser.py
	@touch $@

# What the flat needs; everything else is compiled beside the first room, or by `make setup`.
$(ROOM): $(VENV)/.solver $(VENV)/.others
	@$(BIN)/robotix compile --for room
	@touch $@

$(VENV)/.solver: $(NUMBA)
	@echo "compiling kernels …"
	@PYTHONPATH=src $(BIN)/python -m robotix.warm_up solver
	@touch $@

$(VENV)/.others: $(RUNTIME)
	@$(BIN)/python -m robotix.warm_up others
	@touch $@

# Stamps come last, so what failed half-way is taken up again, and a repeat is instant. Byte code is
# written when a module is first imported: most of what is installed never is.
$(NUMBA): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "robotix needs Python 3.11 or newer; '$(PYTHON)' is not that." >&2; \
		echo "Name another one: make run PYTHON=python3.12" >&2; exit 1; }
	@echo "installing into $(VENV)/ …"
	@begin=$$(date +%s); $(PYTHON) -m venv $(VENV) && $(PIP) $$($(PYTHON) hatch_build.py numba) && \
		echo "Numba installed in $$(($$(date +%s) - begin)) s"
	@touch $@

$(RUNTIME): $(NUMBA)
	@begin=$$(date +%s); $(PIP) --editable . && \
		echo "all dependencies installed in $$(($$(date +%s) - begin)) s"
	@touch $@

$(READY): $(RUNTIME)
	$(PIP) --editable '.[dev]'
	@$(MAKE) --no-print-directory --jobs 2 $(PAGE) $(VENV)/.kernels
	@touch $@

$(VENV)/.kernels: $(RUNTIME)
	@$(BIN)/robotix compile
	@touch $(VENV)/.solver $(VENV)/.others $(ROOM) $@
