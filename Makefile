# Only Python 3.11 or newer (with venv), make and git are needed; the rest comes from the package
# index that pip is set up for. Try `make play`.

PYTHON ?= python3
WORKERS ?= 2
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
INSTALLED := $(VENV)/.installed
UV := 0.13.8
NO_VENV = needs Python 3.11 or newer with venv (on Debian: apt-get install python3-venv), or say which: make PYTHON=python3.12

# Without bytecode beside the sources every start would compile every module again.
unexport PYTHONDONTWRITEBYTECODE
# A virtual environment or a path from outside must not leak into ours.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

.DELETE_ON_ERROR:
.PHONY: serve play test test-all check screens emails demo-mail bench warm app lock clean help install

serve: warm app
	@$(BIN)/rubicon serve $(ARGS)

play: warm
	@$(BIN)/rubicon play $(ARGS)

test: warm app
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

test-all: warm app
	RUBICON_FULL=1 RUBICON_TEST_SEED=$${RUBICON_TEST_SEED-$$(date +%F)} $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

check: install
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python frontend/build.py check
	$(BIN)/python -m pytest -q tests/architecture

# Pictures of every screen: of the app in build/screens/index.html, of the terminal in build/terminal
screens: warm app
	@$(BIN)/python -m tests.cli.terminals.pictures $(ARGS)
	@$(BIN)/python -m tests.browser.screens $(ARGS)

# Pictures of every e-mail: build/emails/index.html
emails: warm
	@$(BIN)/python -m tests.mail.pictures

# A whole game of six by e-mail, through real processes; ARGS=--quick for a short one.
demo-mail: warm
	@$(BIN)/python -m tests.mail.whole_game $(ARGS)

bench: warm
	@$(BIN)/python benchmarks/engine.py $(ARGS)

# The web app; where its sources have not changed, this takes a moment only.
app: install
	@$(BIN)/python frontend/build.py

# Compiled before the tests start, so that two workers do not both compile.
warm: install
	@$(BIN)/rubicon warmup

install: $(INSTALLED)

$(INSTALLED): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "Rubicon $(NO_VENV)" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || rm -rf $(VENV)
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV) >/dev/null \
		|| { rm -rf $(VENV); echo "$(PYTHON) -m venv failed: Rubicon $(NO_VENV)" >&2; exit 1; }
	@echo "installing into $(VENV) (about a minute) …"
	@$(PIP) install -r requirements.lock
	@$(PIP) install --no-deps -e .
	@touch $@

# For developers, after a change of dependencies in pyproject.toml.
lock:
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	@$(PIP) install uv==$(UV)
	$(BIN)/uv pip compile --quiet --upgrade --universal --fork-strategy fewest \
		--python-version 3.11 --extra lab --group test --no-annotate --no-header \
		pyproject.toml -o requirements.lock

clean:
	rm -rf $(VENV) build dist frontend/node_modules src/rubicon/web/app_files .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

help:
	@echo "make serve | play | test | test-all | check | screens | demo-mail | bench | warm | app | lock | clean"
