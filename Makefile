# Two commands do everything: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test install clean

# The main job, on the samples that ship with the project.
demo: $(VENV)/.installed
	@echo "== Bracket scores of the parser 'chart' on the news sample =="
	@$(BIN)/spinal evalb examples/news.gold.mrg examples/news.chart.mrg --by-label
	@echo
	@echo "== How was this F1 calculated? The web sample under all conventions =="
	@$(BIN)/spinal evalb examples/web.gold.mrg examples/web.greedy.mrg --conventions
	@echo
	@echo "== Gold and parsed side by side =="
	@$(BIN)/spinal show examples/news.gold.mrg examples/news.chart.mrg 7 --width 110

# All checks.
test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

install: $(VENV)/.installed

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "spinal needs Python 3.11 or newer; set PYTHON=python3.11, say"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/bin/python pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist
