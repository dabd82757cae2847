# Two commands do everything: `make demo` and `make test`. While working, `make quick`
# takes a few minutes. Three more test what we depend on: `make test-oldest`,
# `make test-pythons` and `make audit`. `make release-check` comes before a release.

PYTHON ?= python3
VENV := .venv
QUICK := 'not (slow or browser or cluster)'
BIN := $(VENV)/bin
OLDEST := .venv-oldest
AUDIT := .venv-audit
BUILD := pyproject.toml hatch_build.py $(wildcard analyzer/_native/*.[ch])
# Tests start hundreds of processes: what they import is compiled once and kept, also
# where the environment says not to.
export PYTHONDONTWRITEBYTECODE :=
# Nor need each of them start threads for matrices (a command of ours sets this itself).
export OPENBLAS_NUM_THREADS ?= 1
PIP_INSTALL := -m pip install --quiet --disable-pip-version-check

NEWS := examples/news.gold.mrg examples/news.chart.mrg
WEB := examples/web.gold.mrg examples/web.chart.mrg
space := $(subst ,, )

.PHONY: demo test quick mutants docs pictures test-oldest test-pythons audit release-check install clean

# The main job, on the samples that ship with the project.
demo: $(VENV)/.installed
	@echo "== Which constructions does the parser 'chart' get wrong on news? =="
	@$(BIN)/spinal score $(NEWS) --min-share 1
	@echo
	@echo "== Where does it attach PPs wrongly? =="
	@$(BIN)/spinal errors $(NEWS) --construction PP-t --kind att --limit 6
	@echo
	@echo "== One of these sentences, as derivation trees =="
	@$(BIN)/spinal derive $(NEWS) 6 --width 120
	@echo "== Where does the gap between news and web come from? =="
	@$(BIN)/spinal domains news=$(subst $(space),:,$(NEWS)) web=$(subst $(space),:,$(WEB)) \
	  --min-share 3 --top 8
	@echo
	@echo "== Is 'chart' really better than 'greedy'? =="
	@$(BIN)/spinal compare $(WEB) examples/web.greedy.mrg --min-share 3 -q
	@echo
	@echo "== How was this F1 calculated? =="
	@$(BIN)/spinal evalb examples/web.gold.mrg examples/web.greedy.mrg --conventions -q
	@echo
	@echo "== A discourse parser from eight sample texts, and what it makes of another =="
	@$(BIN)/spinal rst train examples/discourse -o $(VENV)/demo.model -q
	@$(BIN)/spinal rst parse $(VENV)/demo.model examples/discourse_text/library.txt \
	  | $(BIN)/spinal rst show - --width 100
	@mkdir -p out
	@$(BIN)/spinal report $(firstword $(WEB)) chart=$(lastword $(WEB)) greedy=examples/web.greedy.mrg \
	  --title "The two sample parsers" --html out/demo.html -q
	@echo "== Both parsers on one page, with all errors and trees: open out/demo.html =="

# All checks.
test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto --dist worksteal

# What fits between two edits: everything but tests that are slow or need a browser or a
# cluster.
quick: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	HYPOTHESIS_PROFILE=quick $(BIN)/pytest -n auto -m $(QUICK)

# Would a test notice if one place of the code were wrong? See docs/mutants.md.
SAMPLE := 50
SEED := 1
mutants: $(VENV)/.installed-dev
	$(BIN)/python -m tests.support.mutants $(PACKAGES) --sample $(SAMPLE) --seed $(SEED) $(AGAIN)

# The documentation as a site, in site/: open site/index.html. No page loads anything from
# the network. Material for MkDocs advertises its successor; it is maintained until 2027.
docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "open site/index.html"

# The pictures in the documentation, made from the samples (those of pages in a browser).
pictures: $(VENV)/.installed-dev
	UPDATE_GOLDEN=1 $(BIN)/pytest tests/docs/test_gallery.py

# The quick tests again, and those of clusters, with the oldest versions that pyproject.toml
# allows. Those in a browser run the page's own JavaScript and no library of ours.
test-oldest: $(OLDEST)/.installed
	@echo "== Tests with the oldest versions allowed: =="
	@cat $(OLDEST)/requirements.txt
	HYPOTHESIS_PROFILE=quick $(OLDEST)/bin/pytest -n auto -m 'cluster or not (slow or browser)'

# The quick tests with every Python from 3.11 up that is on this machine, or those of
# PYTHONS=. What is
# installed is not compiled beforehand: most of it is never imported.
test-pythons: PYTHONS ?= $(shell $(PYTHON) .ci/pythons.py)
test-pythons:
	@set -e; for python in $(PYTHONS); do \
	  version=$$($$python -c 'import sys; print(*sys.version_info[:2], sep=".")'); \
	  $(MAKE) --no-print-directory .venv-$$version/.installed INTERPRETER=$$python; \
	  echo "== Quick tests with $$($$python --version): =="; \
	  HYPOTHESIS_PROFILE=quick .venv-$$version/bin/pytest -n auto -m $(QUICK); \
	done

# Known vulnerabilities in what users get installed: the newest versions, and the oldest.
# --strict, since a service that does not know a distribution must not look like a clean
# result. Another service: make audit AUDIT_OPTIONS='-s osv'
audit: $(AUDIT)/.installed
	$(PYTHON) .ci/requirements.py >$(AUDIT)/newest.txt
	$(PYTHON) .ci/requirements.py --oldest >$(AUDIT)/oldest.txt
	$(AUDIT)/bin/pip-audit --strict $(AUDIT_OPTIONS) -r $(AUDIT)/newest.txt
	$(AUDIT)/bin/pip-audit --strict $(AUDIT_OPTIONS) -r $(AUDIT)/oldest.txt

# What would be published, built from the last commit; each installed into an empty
# environment and tried. See .ci/release_check.py.
release-check:
	$(PYTHON) .ci/release_check.py

install: $(VENV)/.installed

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "spinal needs Python 3.11 or newer; set PYTHON=python3.11, say"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python $(BUILD)
	$(BIN)/python $(PIP_INSTALL) -e '.[parser,plots]'
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python $(BUILD)
	$(BIN)/python $(PIP_INSTALL) -e '.[dev]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: $(VENV)/bin/python $(BUILD)
	$(BIN)/python $(PIP_INSTALL) -e '.[docs,parser,plots]'
	@touch $@

# From nothing each time the bounds change: pip leaves in place what it need not change.
$(OLDEST)/.installed: pyproject.toml .ci/requirements.py
	$(PYTHON) -m venv --clear $(OLDEST)
	$(PYTHON) .ci/requirements.py --oldest >$(OLDEST)/requirements.txt
	$(OLDEST)/bin/python $(PIP_INSTALL) -r $(OLDEST)/requirements.txt -e '.[dev]'
	@touch $@

.venv-3.%/.installed: $(BUILD)
	$(INTERPRETER) -m venv --clear .venv-3.$*
	.venv-3.$*/bin/python $(PIP_INSTALL) --no-compile -e '.[completion,nltk,parquet,parser,plots,test]'
	@touch $@

$(AUDIT)/.installed:
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/python $(PIP_INSTALL) pip-audit
	@touch $@

clean:
	rm -rf $(VENV) $(OLDEST) $(AUDIT) .venv-3.* .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist site out \
	  analyzer/_native/libkernel.*
