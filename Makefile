# Cluewise's commands; a fresh clone needs only Python >= 3.11, Node >= 20 and a package index.
#
#   make serve       build what changed and serve the page on this machine
#   make test        everything: lint, types, unit tests, the page in real browsers
#   make coverage    what the last `make test` did not reach of the package, file by file
#   make test-long   the tests that take minutes
#   make test-sanitized  the kernel's C as a library of this machine under sanitizers (part of test-long)
#   make test-fuzz   before a release: 10 000 mutated links, texts, requests, files and browsers' memories
#                    a desk, tabs at work at once, texts of half a million characters; property tests
#                    with new draws
#   make bench       every desk's rows under wasmtime and in the page, and the page's start
#   make curves      what the work costs as it grows, measured and drawn for the docs (half an hour)
#   make pictures    the pictures of the guides, from the page as it is now
#   make looks       the kept pictures of the page's states, where they changed; look at them
#   make site.zip    the page as one file to upload anywhere
#   make clean       remove what was built (downloads stay in .cache/)

PYTHON ?= python3
WORKERS ?= 2
BIN := .venv/bin
# Absolute, because tools run from other folders in tests.
PY := $(CURDIR)/$(BIN)/python
# What building needs, and what testing needs besides.
BUILD_TOOLS := .venv/.build node_modules/.installed
INSTALLED := .venv/.dev node_modules/.installed
SHELL := /bin/bash
.DEFAULT_GOAL := serve
.DELETE_ON_ERROR:
.PHONY: serve dist pictures looks site.zip lint types test test-python test-page test-e2e coverage test-long test-sanitized test-fuzz bench curves clean

serve: dist
	@exec $(PY) wasm_build/serve.py $(SERVE)

# The builder compares hashes itself; with nothing changed it takes a fifth of a second.
dist:
	@$(MAKE) --silent --no-print-directory -j2 $(BUILD_TOOLS)
	@$(PY) wasm_build/build_data.py
	@$(PY) wasm_build/build_types.py
	@$(PY) wasm_build/build_contributing.py
	@$(PY) wasm_build/build_site.py $(BUILD)

# Written into web/, so that a build after it has them.
pictures: dist
	@CLUEWISE_PICTURES=1 $(PY) -m pytest -q e2e/test_guides.py -k followed
	@$(PY) wasm_build/build_site.py

# Into e2e/looks/, one picture a state, and only where it differs from what was kept.
looks: dist .cache/browsers
	@CLUEWISE_LOOKS=1 $(PY) -m pytest -q -n $(WORKERS) e2e/test_looks.py -k "looks_as or look_as"
	@git status --short e2e/looks

site.zip: dist
	@$(PY) wasm_build/zip_site.py dist $@

lint: $(INSTALLED)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	npx --no-install biome check --error-on-warnings web wasm_build tests
	node wasm_build/lint_workflows.mjs

types: $(INSTALLED)
	$(PY) wasm_build/build_data.py --check
	$(PY) wasm_build/build_types.py --check
	$(BIN)/mypy
	npx --no-install tsc --project .

test: $(INSTALLED) lint types test-python test-page test-e2e
	@echo "All of it holds."

# The short lived processes of the unit tests use both cores; so do two browsers. What Hypothesis
# draws is the same in every run (its profile "ci"): a commit is judged by what it changed. What is
# reached of the package is measured on the way, lines and branches, against its floor.
test-python: $(INSTALLED) dist
	@rm -rf .cache/coverage && mkdir -p .cache/coverage
	$(PY) -m pytest -n $(WORKERS) --dist worksteal -m "not long" --hypothesis-profile=ci \
	  --cov --cov-report=json:.cache/coverage.json
	@$(PY) wasm_build/check_coverage.py package .cache/coverage.json

coverage:
	$(PY) -m coverage report --skip-covered --show-missing

test-page: $(INSTALLED) dist
	node --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout \
	  --test-reporter=lcov --test-reporter-destination=.cache/page.lcov tests/page/
	@$(PY) wasm_build/check_coverage.py page .cache/page.lcov

# Two browsers on two cores now and then starve each other: one more try, and the log says so.
test-e2e: dist .cache/browsers
	$(PY) -m pytest e2e -n $(WORKERS) --dist worksteal -m "not long" --reruns 1 -rR

test-long: dist .cache/browsers
	$(PY) -m pytest -n $(WORKERS) -m long tests e2e

test-sanitized: $(INSTALLED)
	$(PY) -m pytest -n $(WORKERS) -m long tests/contract/test_kernel_sanitized.py

test-fuzz: dist .cache/browsers
	CLUEWISE_MUTATIONS=10000 node --test tests/page/keeping.test.mjs
	$(PY) -m pytest -n $(WORKERS) --dist worksteal -m "not long" tests/property
	CLUEWISE_MUTATIONS=10000 $(PY) -m pytest -n $(WORKERS) --dist worksteal tests/contract/test_fuzz.py \
	  tests/contract/test_pathological.py tests/contract/test_terminal.py e2e/test_fuzz.py

bench: dist .cache/browsers
	@$(PY) wasm_build/bench_site.py $(BENCH)

curves: $(INSTALLED)
	@$(PY) wasm_build/bench_curves.py
	@$(PY) wasm_build/build_site.py

clean:
	rm -rf dist build site.zip test-results .cache/site .pytest_cache .mypy_cache .ruff_cache
	find pysrc tests e2e wasm_build -name __pycache__ -prune -exec rm -rf {} +

# A stamp for each extra; .dev contains .build, and comes first where both are wanted.
.venv/.build: pyproject.toml
	@$(PYTHON) wasm_build/install.py build
	@touch $@

.venv/.dev: pyproject.toml
	@$(PYTHON) wasm_build/install.py dev
	@touch .venv/.build $@

node_modules/.installed: package.json package-lock.json
	npm ci --silent --no-progress
	@touch $@

# Debian's browsers, and a web server with its own types, where apt-get can bring them; Playwright's
# own Chromium otherwise. The server is for a test to start, not for the machine.
.cache/browsers: $(INSTALLED)
	@mkdir -p .cache
	@if [ ! -x /usr/bin/chromium ] || [ ! -x /usr/bin/firefox-esr ] || [ ! -x /usr/sbin/nginx ]; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	    apt-get update -qq && RUNLEVEL=1 apt-get install -qq -y chromium firefox-esr nginx-light > /dev/null; \
	  fi; \
	fi || true
	@test -x /usr/bin/chromium || $(BIN)/playwright install chromium
	@test -x /usr/bin/firefox-esr || echo "No Firefox here: its test will be skipped."
	@test -x /usr/sbin/nginx || echo "No nginx here: its test will be skipped."
	@touch $@
