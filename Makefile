# Everything a developer runs. Each target does the set-up it needs, into .venv; `make help` lists them.

VENV := .venv
BIN := $(VENV)/bin
# What .venv is created with; `make PYTHON=...` chooses another.
PYTHON ?= $(shell tools/find_python.sh)
# Passed on to whatever the target starts: make test ARGS="-k perft", make play ARGS="--port 8501"
ARGS ?=
# At most eight processes at once, and fewer on a machine with fewer processors.
JOBS ?= $(shell n=$$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); echo $$((n < 8 ? n : 8)))

# The extras stay in the locks: pip refuses `coverage[toml]` of a dependency where only `coverage` is pinned, as soon
# as there is a newer one.
COMPILE := $(BIN)/uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --no-strip-extras
LOCK := $(COMPILE) --universal --python-version 3.11
# For Pyodide: markers of other systems would bring wheels that it has not.
LOCK_KERNEL := $(COMPILE) --python-platform wasm32-pyodide2025 --python-version 3.14
INSTALL := $(BIN)/python tools/install.py
# Several targets at once; the output of each is kept together where that is wanted.
ASIDE := $(MAKE) --no-print-directory --jobs=$(JOBS)

# The tests start hundreds of processes, none of which is to compile our modules again.
unexport PYTHONDONTWRITEBYTECODE

# Tests also wait, for servers and browsers: two processes more than there are processors use that time.
WORKERS ?= $(shell expr $(JOBS) + 2)
# pytest on all processes; one that runs out of tests takes half of another's, so that neighbours stay together
# and a module's server is started once.
TESTS := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
# The last line of a target, where the engine runs interpreted: how to compile it.
THEN_HINT := status=$$?; $(BIN)/python tools/build_engine.py --hint; exit $$status
CHECKS := check-style check-types check-generated check-page

# The other projects' engines have an environment of their own: nothing of ours needs what they bring along.
PEERS := build/peers
# JupyterLite, with which the notebooks in the browser are built.
JUPYTERLITE := build/jupyterlite
# What the examples need is large: PyTorch and OpenSpiel.
EXAMPLES := build/examples

.DEFAULT_GOAL := help
.PHONY: help setup build page offline site play-engine dev-page dev play test test-whole coverage check browser $(CHECKS) generate train bench lab-bench load failover studies botsload soak chaos soak-bots soak-lab exploit lighthouse screenshots peers examples asan docs notebooks lock dist clean

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | while IFS="$$(printf '\t')" read -r name text; do \
		printf '  make %-11s %s\n' "$$name" "$$text"; done

setup: build $(VENV)/.dev ## create .venv with everything locked, compile the engine, install rum500 editable

$(BIN)/python:
	@python="$(PYTHON)"; \
	[ -n "$$python" ] || { echo "rum500 needs Python 3.11 or newer, and none is on the path (make PYTHON=...)"; exit 1; }; \
	echo "Creating $(VENV) with $$("$$python" --version), $$python"; \
	"$$python" -m venv $(VENV) || { rm -rf $(VENV); \
		echo "$$python cannot create virtual environments (Debian: apt-get install python3-venv)"; exit 1; }

# The package and what play needs. The extensions are `make build`'s: this makes the package importable and writes
# the rum500 command.
$(VENV)/.installed: requirements/play.txt pyproject.toml | $(BIN)/python
	@$(INSTALL) play rum500
	@touch $@

# What tests and checks need in addition.
$(VENV)/.dev: requirements/dev.txt $(VENV)/.installed
	@$(INSTALL) dev
	@touch $@

build: $(VENV)/.installed ## compile the engine in place, where its sources or flags have changed
	@$(BIN)/python tools/build_engine.py --jobs $(JOBS)

page: $(VENV)/.installed ## build the page that the server shows, where its sources in web/ have changed
	@$(BIN)/python tools/page.py

offline: $(VENV)/.dev page ## build the pack with which the page plays without a network, where its sources have changed
	@$(BIN)/python -m tools.offline_pack

site: offline ## write the page that needs no server into build/site, for any host of files (ARGS="--base /cards")
	@$(BIN)/python -m tools.static_site $(ARGS)

play-engine: $(VENV)/.installed
	@$(BIN)/python tools/build_engine.py --only engine --jobs $(JOBS)

dev-page: $(VENV)/.installed
	@$(BIN)/python tools/page.py build --checks

# All that tests and checks need.
dev: $(VENV)/.installed
	@$(ASIDE) $(VENV)/.dev build dev-page

play: $(VENV)/.installed ## the table in the browser: prints its address and opens it
	@$(ASIDE) play-engine page
	@trap : INT; $(BIN)/rum500 serve $(ARGS); $(THEN_HINT)

browser: $(VENV)/.dev
	@$(BIN)/python tools/chromium.py >/dev/null || true

test: dev browser ## run the tests, all areas in a few minutes; warnings are errors
	@$(TESTS) $(ARGS); $(THEN_HINT)

test-whole: dev offline $(PEERS)/.locked $(EXAMPLES)/.locked $(JUPYTERLITE)/.locked browser ## run the tests as deep as they go: more deals, seeds, profiles, screens
	@$(TESTS) --whole $(ARGS); $(THEN_HINT)

coverage: dev browser ## run the tests of `make test`, and list the lines that they leave out
	@mkdir -p build/coverage
	@$(TESTS) --cov --cov-report=term $(ARGS); $(THEN_HINT)

check: dev ## formatting, lint, types, layers, generated files, the page's tests
	@$(ASIDE) $(if $(filter output-sync,$(.FEATURES)),--output-sync=target) $(CHECKS)

check-style:
	@echo "ruff format"; $(BIN)/ruff format --quiet --check --diff .
	@echo "ruff check"; $(BIN)/ruff check --quiet .
	@echo "import-linter"; $(BIN)/lint-imports --no-logo
	@echo "file lengths"; $(BIN)/python tools/file_lengths.py

check-types:
	@echo "mypy"; $(BIN)/mypy --no-error-summary

check-generated:
	@echo "generated files"; $(BIN)/python -m tools.generate --check

check-page:
	@$(BIN)/python tools/page.py check

generate: build $(VENV)/.dev ## write the files that follow from others (tools/generate.py lists them; ARGS=icons writes some)
	@$(BIN)/python -m tools.generate $(ARGS)

train: build $(VENV)/.dev ## train club's weights, the beliefs, the winning chances and the factors of luck again, from fixed seeds
	@$(BIN)/python -m tools.train_club $(ARGS)
	@$(BIN)/python -m tools.train_belief
	@$(BIN)/python -m tools.equity
	@$(BIN)/python -m tools.luck_factors

bench: build $(VENV)/.dev ## measure the engine beside the C floor; writes the table in bench/README.md
	@$(BIN)/python bench/run.py $(ARGS)

lab-bench: build $(VENV)/.dev ## measure the laboratory, beside OpenSpiel, PettingZoo and RLCard where `make peers` installed them
	@$(BIN)/python bench/lab.py $(ARGS)

studies: build $(VENV)/.dev ## play the studies again and write their pages to docs/studies (ARGS="pile --workers 4")
	@$(BIN)/python -m tools.studies $(ARGS)

load: build $(VENV)/.dev ## measure the server under load beside boardgame.io's; writes the table in bench/README.md (ARGS="--nodes": several servers)
	@$(BIN)/python bench/load.py $(ARGS)

failover: build $(VENV)/.dev ## how long players see nothing when one of two servers dies, or is drained (ARGS="--tables 100 --rate 125")
	@$(BIN)/python bench/failover.py $(ARGS)

botsload: build $(VENV)/.dev ## measure how long bots take at fifty live tables (ARGS="--levels strong")
	@$(BIN)/python bench/bots_load.py $(ARGS)

soak: build $(VENV)/.dev ## kill the server in the middle of play 200 times; nothing may be lost (ARGS="--kills 20")
	@$(BIN)/python tools/crash_soak.py $(ARGS)

chaos: build $(VENV)/.dev ## three servers, 200 people and some attackers, whatever fails (ARGS="--seconds 60")
	@$(BIN)/python -m tools.chaos $(ARGS)

soak-bots: build $(VENV)/.dev ## play 5,000 deals with every level mixed; nothing illegal, late or left in memory (ARGS="--deals 500")
	@$(BIN)/python tools/soak_bots.py $(ARGS)

soak-lab: build $(VENV)/.dev ## play the laboratory for two hours; its memory may not grow (ARGS="--minutes 5")
	@$(BIN)/python tools/soak_lab.py $(ARGS)

lighthouse: dev ## Lighthouse on the page, as a phone sees it; fails below what we promise
	@$(BIN)/python tools/lighthouse.py $(ARGS)

screenshots: dev ## take the pictures in docs/screens/
	@$(BIN)/python tools/screenshots.py $(ARGS)

$(PEERS)/.locked: requirements/peers.txt | $(BIN)/python
	@echo "Installing the other projects' engines into $(PEERS)"
	@$(BIN)/python -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/peers.txt
	@touch $@

exploit: build $(VENV)/.dev $(PEERS)/.locked ## how far each bot can be exploited in a toy game; beside OpenSpiel's figures
	@$(BIN)/python bench/exploit.py --open-spiel --toys small laying $(ARGS)

peers: $(PEERS)/.locked ## measure other projects' engines, for an order of magnitude
	@$(PEERS)/bin/python bench/peers.py $(ARGS)

$(EXAMPLES)/.locked: examples/requirements.txt | $(BIN)/python
	@echo "Installing what the examples need into $(EXAMPLES)"
	@$(BIN)/python -m venv $(EXAMPLES)
	@$(EXAMPLES)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r examples/requirements.txt
	@touch $@

examples: build $(EXAMPLES)/.locked ## install what the examples need: PyTorch and OpenSpiel, a few GB on Linux
	@echo "Now: PYTHONPATH=src $(EXAMPLES)/bin/python examples/ppo.py --minutes 25"

asan: $(VENV)/.dev ## run playouts under AddressSanitizer and UBSan (ARGS="bots 100", ARGS="lab 60")
	@$(BIN)/python tools/build_engine.py --jobs $(JOBS) --sanitize bench/asan.py $(ARGS)

$(VENV)/.docs: requirements/docs.txt $(VENV)/.dev
	@$(INSTALL) docs
	@touch $@

docs: build offline $(VENV)/.docs ## build docs/ and the reference as a static site into build/docs/html; broken links are errors
	@$(BIN)/python -m tools.docs_site

$(JUPYTERLITE)/.locked: requirements/notebooks.txt | $(BIN)/python
	@echo "Installing JupyterLite into $(JUPYTERLITE)"
	@$(BIN)/python -m venv $(JUPYTERLITE)
	@$(JUPYTERLITE)/bin/python -m pip install -qq --disable-pip-version-check --require-hashes -r requirements/notebooks.txt
	@touch $@

notebooks: $(VENV)/.dev $(JUPYTERLITE)/.locked ## build notebooks for the browser as static files into build/notebooks (ARGS="--out DIR")
	@$(BIN)/python -m tools.notebook_site $(ARGS)

lock: $(VENV)/.dev ## renew the locks from the .in files (ARGS=--upgrade for newer versions)
	@$(LOCK) $(ARGS) --extra all pyproject.toml requirements/dev.in --output-file requirements/dev.txt
	@$(LOCK) $(ARGS) --extra table pyproject.toml requirements/play.in --output-file requirements/play.txt
	@$(LOCK) $(ARGS) requirements/offline.in --output-file requirements/offline.txt
	@$(LOCK_KERNEL) $(ARGS) requirements/kernel.in --output-file requirements/kernel.txt
	@$(LOCK) $(ARGS) requirements/notebooks.in --output-file requirements/notebooks.txt
	@$(LOCK) $(ARGS) requirements/uv.in --output-file requirements/uv.txt
	@$(LOCK) $(ARGS) requirements/docs.in --output-file requirements/docs.txt
	@$(LOCK) $(ARGS) requirements/compiler.in --output-file requirements/compiler.txt
	@$(LOCK) $(ARGS) requirements/peers.in --output-file requirements/peers.txt
	@$(LOCK) $(ARGS) examples/requirements.in --output-file examples/requirements.txt

dist: $(VENV)/.dev page offline ## build the sdist and the wheel into dist/
	@rm -rf dist
	@$(BIN)/python -m build --quiet --no-isolation

clean: ## remove everything that make built, .venv included
	@rm -rf $(VENV) build dist src/*.egg-info src/rum500/server/page web/node_modules web/src/lib/paraglide
	@find src -name '*.so' -delete
	@find . -name __pycache__ -prune -exec rm -rf {} +
