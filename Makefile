# Two commands do everything: `make demo` and `make test`.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

NEWS := examples/news.gold.mrg examples/news.chart.mrg
WEB := examples/web.gold.mrg examples/web.chart.mrg
space := $(subst ,, )

.PHONY: demo test install clean

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
