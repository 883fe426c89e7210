# Cluewise's commands; a fresh clone needs only Python >= 3.11, Node >= 20 and a package index.
#
#   make serve       build what changed and serve the page on this machine
#   make check       lint, types and the quick tests of what changed since the main branch: a minute
#   make check DESK=code  the same for one desk
#   make test        lint, types, today's share of the unit tests, the page in real browsers
#   make test DESK=code   all tests of one desk
#   make coverage    every seed and example of the unit tests, and what they reach: lines and branches
#   make test-long   coverage, and the tests that take minutes
#   make test-sanitized  the kernel's C as a library of this machine under sanitizers (part of test-long)
#   make test-fuzz   before a release: 10 000 mutated links, texts, requests, files and browsers' memories
#                    a desk, tabs at work at once, texts of half a million characters; property tests
#                    with new examples
#   make bench       every desk's rows under wasmtime and in the page, and the page's start
#   make curves      what the work costs as it grows, measured and drawn for the docs (half an hour)
#   make pictures    the pictures of the guides, from the page as it is now
#   make looks       the kept pictures of the page's states, where they changed; look at them
#   make site.zip    the page as one file to upload anywhere
#   make wheel       the release in release/: wheel and sdist, checked as a package index does
#   make clean       remove what was built (downloads stay in .cache/)
#
#   .venv/bin/python -m pytest tests/unit/test_x.py            one file of tests
#   .venv/bin/python -m pytest tests/unit/test_x.py -k word    those with a word in their names
#   .venv/bin/python -m pytest 'tests/unit/test_x.py::test_y[7]'   one case, also one not of today's share
#   .venv/bin/python -m pytest --desk code tests/property      one desk's tests of a folder
#   node --import ./tests/page/typescript.mjs --test tests/page/x.test.mjs   one file of the page's tests
#   CLUEWISE_SAMPLE=1 before a command: all seeds and examples, not today's share (tests/selection.py)
#   CLUEWISE_SAMPLE_DAY=n: the share of the day n, as a failed run names it

PYTHON ?= python3
WORKERS ?= 2
BIN := .venv/bin
# Absolute, because tools run from other folders in tests.
PY := $(CURDIR)/$(BIN)/python
NODE := node --import ./tests/page/typescript.mjs
# What building needs, and what testing needs besides.
BUILD_TOOLS := .venv/.build node_modules/.installed
INSTALLED := .venv/.dev node_modules/.installed
# The tests start hundreds of short processes: without compiled modules each compiles them anew.
unexport PYTHONDONTWRITEBYTECODE
SHELL := /bin/bash
.DEFAULT_GOAL := serve
.DELETE_ON_ERROR:
.PHONY: serve dist generated pictures looks wheel site.zip lint types types-python types-page check test test-python test-page test-e2e coverage test-long test-sanitized test-fuzz bench curves clean

serve: dist
	@exec $(PY) -m wasm_build.site.serve $(SERVE)

# The builder compares hashes itself; with nothing changed it takes a fifth of a second.
dist:
	@$(MAKE) --silent --no-print-directory -j2 $(BUILD_TOOLS)
	@$(MAKE) --silent --no-print-directory generated
	@$(PY) -m wasm_build.site.build $(BUILD)

# What the page has of the package's types and data, and the stubs of its functions; not in the
# repository.
generated: .venv/.build
	@$(PY) -m wasm_build.codegen.page_types

# Written into web/, so that a build after it has them.
pictures: dist
	@CLUEWISE_SAMPLE=1 CLUEWISE_PICTURES=1 $(PY) -m pytest -q e2e/test_guides.py -k followed
	@$(PY) -m wasm_build.site.build

# Into e2e/looks/, a sheet for each desk, and only the rows that differ from what was kept.
looks: dist .cache/browsers
	@CLUEWISE_SAMPLE=1 CLUEWISE_LOOKS=1 $(PY) -m pytest -q -n $(WORKERS) e2e/test_looks.py -k match_their_baselines
	@git status --short e2e/looks

# The same commit gives the same bytes.
wheel: $(INSTALLED) generated
	@rm -rf release
	SOURCE_DATE_EPOCH=1580601600 $(PY) -m hatchling build -d release
	$(PY) -m twine check --strict release/*

site.zip: dist
	@$(PY) -m wasm_build.site.build $(BUILD) --zip $@

lint: $(INSTALLED)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/clang-format --dry-run --Werror wasm_build/kernel/*.[ch] wasm_build/kernel/*/*.[ch]
	npx --no-install biome check --error-on-warnings web wasm_build tests
	node wasm_build/lint_workflows.mjs

types: types-python types-page

types-python: $(INSTALLED) generated
	$(BIN)/mypy

types-page: $(INSTALLED) generated
	npx --no-install tsc --project .

# Side by side on two cores, each with its output in one piece; a failure stops the rest.
TOGETHER = $(MAKE) --no-print-directory -j$(WORKERS) --output-sync=target

test: $(INSTALLED) dist
	@$(TOGETHER) types-python types-page lint test-page
	@$(MAKE) --no-print-directory test-python
	@$(MAKE) --no-print-directory test-e2e
	@echo "All of it holds."

# Warm, in under a minute; the tests need the kernel and the generated files.
check: $(INSTALLED) dist
	@$(TOGETHER) types-python types-page lint
	@$(PY) wasm_build/check_changed.py $(DESK)

# The short-lived processes of the unit tests use both cores. Seeds, blocks and drawn examples are
# today's share of all (tests/selection.py); the last line of the output names the day.
test-python: $(INSTALLED) dist
	$(PY) -m pytest -p no:playwright -n $(WORKERS) --dist worksteal -m "not long" $(addprefix --desk ,$(DESK))

test-page: $(INSTALLED) dist
	$(NODE) --test $(if $(DESK),$(wildcard tests/page/*$(DESK)*.test.mjs),tests/page/)

# All seeds and examples. What is reached of the package and of the page is held against its floors.
coverage: $(INSTALLED) dist
	@rm -rf .cache/coverage && mkdir -p .cache/coverage
	CLUEWISE_SAMPLE=1 $(PY) -m pytest -n $(WORKERS) --dist worksteal -m "not long" \
	  --cov --cov-report=json:.cache/coverage.json
	@$(PY) -m coverage report --skip-covered --show-missing
	@$(PY) wasm_build/check_coverage.py package .cache/coverage.json
	$(NODE) --test --experimental-test-coverage --test-reporter=spec --test-reporter-destination=stdout \
	  --test-reporter=lcov --test-reporter-destination=.cache/page.lcov tests/page/
	@$(PY) wasm_build/check_coverage.py page .cache/page.lcov

# The pages of a process share started workers, and a day runs a share of the cases of some tests;
# the long run gives each page its own worker and runs every case.
test-e2e: dist .cache/browsers
	$(PY) -m pytest e2e -n $(WORKERS) --dist worksteal -m "not long" $(addprefix -k ,$(DESK))

test-long: coverage .cache/browsers
	CLUEWISE_SAMPLE=1 $(PY) -m pytest -n $(WORKERS) -m long tests
	CLUEWISE_SAMPLE=1 $(PY) -m pytest e2e -n $(WORKERS) --own-workers

test-sanitized: $(INSTALLED)
	$(PY) -m pytest -n $(WORKERS) -m long tests/contract/test_kernel_sanitized.py

test-fuzz: dist .cache/browsers
	CLUEWISE_MUTATIONS=10000 $(NODE) --test tests/page/keeping.test.mjs
	CLUEWISE_SAMPLE=1 CLUEWISE_SAMPLE_DAY=$$RANDOM $(PY) -m pytest -n $(WORKERS) --dist worksteal \
	  -m "not long" tests/property
	CLUEWISE_MUTATIONS=10000 $(PY) -m pytest -n $(WORKERS) --dist worksteal tests/contract/test_fuzz.py \
	  tests/contract/test_page_fuzz.py tests/contract/test_terminal.py

bench: dist .cache/browsers
	@$(PY) -m wasm_build.bench.run $(BENCH)

curves: $(INSTALLED)
	@$(PY) -m wasm_build.bench.scaling
	@$(PY) -m wasm_build.site.build

clean:
	rm -rf dist build release site.zip test-results .cache/site .pytest_cache .mypy_cache .ruff_cache
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
	@if ! ls /usr/bin/chromium /usr/bin/chromium-headless-shell /usr/bin/firefox-esr /usr/sbin/nginx > /dev/null 2>&1; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
	    apt-get update -qq; \
	    for package in chromium chromium-headless-shell firefox-esr nginx-light; do \
	      RUNLEVEL=1 apt-get install -qq -y $$package > /dev/null; \
	    done; \
	  fi; \
	fi || true
	@test -x /usr/bin/chromium || $(BIN)/playwright install chromium
	@test -x /usr/bin/firefox-esr || echo "No Firefox here: its test will be skipped."
	@test -x /usr/sbin/nginx || echo "No nginx here: its test will be skipped."
	@touch $@
