# Every target sets up what it needs. Python: PYTHON=python3.12 make test
PYTHON ?= $(shell for p in python3.13 python3.12 python3.11 python3; do command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV ?= .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
INSTALL := $(PY) -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: demo test long check bench eval format clean

$(VENV)/.core: pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || { echo "python3.11 or newer is needed and was not found" >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) hatchling editables
	$(INSTALL) --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.core
	$(INSTALL) --no-build-isolation --editable '.[dev]'
	@touch $@

demo: $(VENV)/.core  ## the main job on a real conversation: no key, no network service
	$(PY) examples/demo/demo.py

test: check  ## style, types, layers, every test
	PYTHONWARNDEFAULTENCODING=1 $(PY) -m pytest -n 2

long: $(VENV)/.dev  ## every fault, kill and round, not a sample of them: about three quarters of an hour
	MEMORANDA_LONG=1 $(PY) -m pytest -n 2 tests/crash tests/field/test_field_parallel.py tests/mcp/test_mcp_fuzz.py tests/inspect/test_damages.py tests/walls/test_walls.py tests/rest/test_rest_fuzz.py tests/forget tests/edit

check: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.dev
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev  ## speed and memory, as ratios in one run
	$(PY) -m benchmarks

SUITE ?= core
DATA ?= ../shared/data
OUT ?= eval-out
JOBS ?= 2
eval: $(VENV)/.dev  ## evaluation suites: make eval SUITE=locomo MODEL=openai:NAME READER=hybrid LIMIT=40; SUITE=report
	$(PY) -m evals $(if $(filter report,$(SUITE)),report $(OUT),--suite $(SUITE) --data $(DATA) --out $(OUT) --jobs $(JOBS) $(if $(LIMIT),--limit $(LIMIT)) $(if $(MODEL),--model $(MODEL)) $(if $(JUDGE),--judge $(JUDGE)) $(if $(READER),--reader $(READER)) $(if $(SEED),--seed $(SEED)) $(if $(HALF),--half $(HALF)) $(if $(PEER),--peer $(PEER)))

clean:
	rm -rf $(VENV) demo-out eval-out dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
