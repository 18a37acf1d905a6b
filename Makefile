# Only Python 3.11 or newer (with venv), make and git are needed; the rest comes from the package
# index that pip is set up for. Try `make serve`.
#
# What running needs is in requirements.lock; what tests and builds need besides is in
# requirements-test.lock. `make serve` and `make play` install the first alone.

PYTHON ?= python3
# More than cores: many tests wait, for a process, a browser or a time.
WORKERS ?= 4
ARGS ?=

VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --no-input -qq
INSTALLED := $(VENV)/.installed
TESTS_INSTALLED := $(VENV)/.installed-for-tests
UV := 0.13.8
NO_VENV = needs Python 3.11 or newer with venv (on Debian: apt-get install python3-venv), or say which: make PYTHON=python3.12

# Without bytecode beside the sources every start would compile every module again.
unexport PYTHONDONTWRITEBYTECODE
# A virtual environment or a path from outside must not leak into ours.
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV

.DELETE_ON_ERROR:
.PHONY: serve play test test-rest test-all check screens emails demo-mail bench warm app lock clean help install install-tests

# The page is there at once; the rules are compiled while the web app is built.
serve: install
	@exec $(BIN)/rubicon serve --meanwhile "$(BIN)/python frontend/build.py" $(ARGS)

play: install
	@exec $(BIN)/rubicon play $(ARGS)

# Every mechanism once; tests/rest.py says what is left to test-rest, and why.
test: install-tests warm app
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m "not rest" $(ARGS)

test-rest: install-tests warm app
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m rest $(ARGS)

test-all: install-tests warm app
	RUBICON_FULL=1 RUBICON_TEST_SEED=$${RUBICON_TEST_SEED-$$(date +%F)} $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(ARGS)

check: install-tests
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/python frontend/build.py check
	$(BIN)/python -m pytest -q tests/architecture

# Pictures of every screen: of the app in build/screens/index.html, of the terminal in build/terminal
screens: install-tests warm app
	@$(BIN)/python -m tests.cli.terminals.pictures $(ARGS)
	@$(BIN)/python -m tests.browser.screens $(ARGS)

# Pictures of every e-mail: build/emails/index.html
emails: install-tests warm
	@$(BIN)/python -m tests.mail.pictures

# A whole game of six by e-mail, through real processes; ARGS=--quick for a short one.
demo-mail: install-tests warm
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

install-tests: $(TESTS_INSTALLED)

$(INSTALLED): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
		|| { echo "Rubicon $(NO_VENV)" >&2; exit 1; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || rm -rf $(VENV)
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV) >/dev/null \
		|| { rm -rf $(VENV); echo "$(PYTHON) -m venv failed: Rubicon $(NO_VENV)" >&2; exit 1; }
	@echo "installing into $(VENV) (about 15 seconds, longer if it must be downloaded) …"
	@$(call installed,-r requirements.lock -e .)
	@touch $@

$(TESTS_INSTALLED): requirements-test.lock $(INSTALLED)
	@echo "installing what the tests need into $(VENV) …"
	@$(call installed,-r requirements-test.lock)
	@touch $@

# The locks are complete, so that nothing is resolved. uv takes a quarter of pip's time, but knows
# nothing of a package index in pip's settings; there, and where uv cannot be had, pip does it.
define installed
if $(BIN)/python -m pip config list 2>/dev/null | grep -q '[.]index-url='; then $(PIP) install --no-deps $(1); \
elif $(PIP) install uv==$(UV) 2>/dev/null \
	&& $(BIN)/uv pip install --quiet --python $(BIN)/python --compile-bytecode --no-deps $(1); then :; \
else echo "uv is not to be had here; pip takes about a minute …" && $(PIP) install --no-deps $(1); fi
endef

# For developers, after a change of dependencies in pyproject.toml. The second lock is what is left
# of the whole when the first is taken away, so that versions agree.
lock:
	@test -d $(VENV) || $(PYTHON) -m venv $(VENV)
	@$(PIP) install uv==$(UV)
	$(LOCK) --upgrade --extra lab --group test pyproject.toml -o build/whole.lock
	$(LOCK) --constraint build/whole.lock pyproject.toml -o requirements.lock
	grep -vxFf requirements.lock build/whole.lock > requirements-test.lock

LOCK = mkdir -p build && $(BIN)/uv pip compile --quiet --universal --fork-strategy fewest \
	--python-version 3.11 --no-annotate --no-header

clean:
	rm -rf $(VENV) build dist frontend/node_modules src/rubicon/web/app_files .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

help:
	@echo "make serve | play | test | test-rest | test-all | check | screens | demo-mail | bench | warm | app | lock | clean"
