# One command runs it, one command tests it. Everything lives in .venv and DATA_DIR (default ./data).
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests run side by side. Many of them wait more than they work, so two cores have enough to do with four workers.
WORKERS ?= 4
# Without bytecode each of the many processes of a test run compiles all of the product and its libraries anew.
unexport PYTHONDONTWRITEBYTECODE
PIP := $(BIN)/pip install --quiet --quiet --root-user-action=ignore --disable-pip-version-check --require-hashes
UV := $(BIN)/uv pip install --quiet --compile-bytecode --python $(BIN)/python --require-hashes
# By uv, which takes a third of the time; where it cannot reach what pip was told to use, by pip.
install = ($(PIP) -r requirements-uv.lock && $(UV) -r $(1)) || $(PIP) -r $(1)

.PHONY: run doctor test pytest check lint types soak bench lock docs clean

run: $(VENV)/.installed
	@exec $(BIN)/python main.py run

doctor: $(VENV)/.installed
	@$(BIN)/python main.py doctor

# Checking the types keeps one core busy for a minute, and the tests seldom need both.
test: lint
	@$(MAKE) --no-print-directory --jobs=2 types pytest

pytest: $(VENV)/.installed-dev
	$(BIN)/python -m pytest --workers $(WORKERS) $(TESTS)

# Everything that can be said without running the code.
check: lint types

lint: $(VENV)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports

types: $(VENV)/.installed-dev
	$(BIN)/mypy

# Far more random cases, of the tests that have any; SOAK_KILLS=100 makes the storm longer.
soak: $(VENV)/.installed-dev
	SOAK=1 $(BIN)/python -m pytest --workers $(WORKERS) -m "soak or hypothesis" $(TESTS)

bench: $(VENV)/.installed-dev
	$(BIN)/python -m benchmarks $(if $(FULL),--full)

# After changing a range in pyproject.toml, or to take newer versions (make lock UPGRADE=1).
COMPILE := $(BIN)/uv pip compile --quiet --universal --generate-hashes --python-version 3.11 \
	--custom-compile-command "make lock" $(if $(UPGRADE),--upgrade) pyproject.toml
lock: $(VENV)/.installed-dev
	$(COMPILE) -o requirements.lock
	$(COMPILE) --group dev -c requirements.lock -o requirements-dev.lock
	echo uv | $(filter-out pyproject.toml,$(COMPILE)) - -c requirements-dev.lock -o requirements-uv.lock

# Writes .env.example, docs/settings.md and the tables of docs/privacy.md from what the code declares.
docs: $(VENV)/.installed
	$(BIN)/python main.py settings --write

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit("Innkeeper needs Python 3.11 or newer; this is " + sys.version.split()[0] + ". Try: make PYTHON=python3.12 $(MAKECMDGOALS)" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: requirements.lock | $(VENV)/bin/python
	@echo "Installing Innkeeper's dependencies into $(VENV) (the first time takes half a minute) ..."
	@$(call install,requirements.lock)
	@touch $@

$(VENV)/.installed-dev: requirements-dev.lock | $(VENV)/bin/python
	@echo "Installing what the tests need into $(VENV) ..."
	@$(call install,requirements-dev.lock)
	@touch $@ $(VENV)/.installed
