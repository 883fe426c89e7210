# Cluewise's commands; a fresh clone needs only Python >= 3.11, Node >= 20 and a package index.
#
#   make serve       build what changed and serve the page on this machine
#   make test        everything: lint, types, unit tests, the page in real browsers
#   make test-long   the tests that take minutes
#   make bench       every desk's rows under wasmtime and in the page, and the page's start
#   make site.zip    the page as one file to upload anywhere
#   make clean       remove what was built (downloads stay in .cache/)

PYTHON ?= python3
VENV := .venv/bin
DEPENDENCIES := .venv/.installed node_modules/.installed

.DELETE_ON_ERROR:
.PHONY: serve dist types lint test test-python test-page test-e2e test-long bench clean

serve: dist
	@$(VENV)/python wasm_build/serve.py $(SERVE)

# The builder itself compares hashes; with nothing changed it takes a fifth of a second.
dist: $(DEPENDENCIES)
	@$(VENV)/python wasm_build/build_types.py
	@$(VENV)/python wasm_build/build_site.py

site.zip: dist
	@$(VENV)/python wasm_build/zip_site.py dist $@

.venv/.installed: pyproject.toml
	@test -x $(VENV)/python || $(PYTHON) -m venv .venv
	$(VENV)/pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

node_modules/.installed: package.json package-lock.json
	npm ci --silent --no-progress
	@touch $@
