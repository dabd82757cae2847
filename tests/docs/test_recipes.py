"""The recipes of docs/python.md.

The recipes for training loops run with stand-ins for torch, transformers
and wandb, which are too large to be installed for a test.
"""

from __future__ import annotations

import contextlib
import re
import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

import spinal
from tests.support.data_paths import EXAMPLES, ROOT

PAGE = ROOT / "docs" / "python.md"
GOLD = (EXAMPLES / "web.gold.mrg").read_text("utf-8").splitlines()
PARSED = (EXAMPLES / "web.chart.mrg").read_text("utf-8").splitlines()


@pytest.fixture(autouse=True)
def _at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def recipe(heading: str, monkeypatch: pytest.MonkeyPatch, **modules: Any) -> Any:
    """The names that a recipe defines, run beside stand-ins for modules."""
    for name, members in modules.items():
        module = ModuleType(name)
        vars(module).update(members)
        monkeypatch.setitem(sys.modules, name, module)
    after = PAGE.read_text("utf-8").split(f"\n### {heading}\n")[1]
    found = re.search(r"```python\n(.*?)```", after, re.DOTALL)
    assert found is not None
    names: dict[str, Any] = {}
    exec(found[1], names)
    return SimpleNamespace(**names)


def test_pytorch(monkeypatch: pytest.MonkeyPatch) -> None:
    made = recipe("PyTorch", monkeypatch, torch={"no_grad": contextlib.nullcontext})
    model = SimpleNamespace(eval=lambda: None, parse=lambda words: words)
    batches = [
        {"trees": GOLD[i : i + 7], "words": PARSED[i : i + 7]}
        for i in range(0, len(GOLD), 7)
    ]
    expected = spinal.score(GOLD, PARSED).total
    assert made.evaluate(model, batches) == {
        "F-h": expected.f_h,
        "F-s": expected.f_s,
        "att": expected.att,
    }


def test_trainer(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = {"Trainer": lambda **given: SimpleNamespace(**given)}
    made = recipe("Hugging Face `Trainer`", monkeypatch, transformers=stand_in)
    tokenizer = SimpleNamespace(batch_decode=lambda ids, skip_special_tokens: ids)
    trainer = made.trainer_for(None, tokenizer, None)
    parsed = [*PARSED[:-1], PARSED[-1] + ")"]
    given = SimpleNamespace(predictions=parsed, label_ids=GOLD)
    found = trainer.compute_metrics(given)
    scores = spinal.score(GOLD, PARSED, on_mismatch="zero")
    assert found["f_s"] == scores.total.f_s
    assert found["f_s/NP-t"] == scores.frame().loc["NP-t", "f_s"]
    assert found["mended"] == 1


def test_wandb(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in = {"Table": lambda dataframe: dataframe}
    made = recipe("Weights & Biases", monkeypatch, wandb=stand_in)
    logged: list[Any] = []
    run = SimpleNamespace(log=lambda what, step: logged.append((what, step)))
    scores = spinal.score(GOLD, PARSED)
    made.log_constructions(run, scores, 3)
    what, step = logged[0]
    assert step == 3
    assert what["f_s/NP-t"] == scores.frame().loc["NP-t", "f_s"]
    assert "NP-t" in set(what["constructions"]["construction"])
