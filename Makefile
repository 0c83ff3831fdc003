# Each target first brings .venv to the lock it needs. The locks are compiled against the
# largest one, so installing a smaller into a larger environment changes nothing.
PYTHON ?= $(shell command -v python3.11 || command -v python3)
VENV := .venv
BIN := $(VENV)/bin
STAMPS := $(VENV)/stamps
RUNNER ?= python -m
MARKS ?= not whole
COMPILE = $(BIN)/uv pip compile pyproject.toml --universal --python-version 3.11 \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate \
	--custom-compile-command "make lock" --quiet $(UPGRADE)

.PHONY: help demo test test-whole run check lock
help:
	@echo "make demo   play in your browser on a simulated Discord; needs no token"
	@echo "make run    run the bot with DISCORD_TOKEN from the environment or .env"
	@echo "make test   all tests but the longest, or some: TESTS=tests/rules"
	@echo "make test-whole   whole games and a month of play by post, which take minutes"
	@echo "make check  format, lint, types, import contracts, and the bot built without a token"
	@echo "make lock   compile the locks from pyproject.toml; UPGRADE=--upgrade takes newer versions"

demo: $(STAMPS)/demo
	$(BIN)/python -m bot demo

run: $(STAMPS)/run
	@$(BIN)/python -m bot run

test: $(STAMPS)/dev
	$(BIN)/$(RUNNER) pytest --numprocesses 2 --dist worksteal -m "$(MARKS)" $(TESTS)

test-whole:
	$(MAKE) test MARKS=whole

check: $(STAMPS)/dev
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m bot check

# Dev first, and the others held to its versions: one environment must satisfy all three.
lock: $(STAMPS)/dev
	$(COMPILE) --extra build --extra dev -o requirements-dev.txt
	$(COMPILE) --extra build --extra demo -c requirements-dev.txt -o requirements-demo.txt
	$(COMPILE) --extra build --extra postgres -c requirements-dev.txt -o requirements.txt

$(STAMPS)/run: requirements.txt
$(STAMPS)/demo: requirements-demo.txt
$(STAMPS)/dev: requirements-dev.txt

$(STAMPS)/%: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --require-hashes --requirement $<
	$(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --editable .
	@mkdir -p $(STAMPS)
	@touch $@

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
		"Hearts needs Python 3.11 or newer: make PYTHON=/path/to/one")'
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); \
		echo "Hearts needs venv: on Debian, apt-get install python3-venv" >&2; exit 1; }
