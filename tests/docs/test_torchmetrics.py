"""The recipe for torchmetrics, run as that library runs metrics."""

from __future__ import annotations

import sys
from copy import copy
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import spinal
from tests.support.data_paths import ROOT
from tests.support.doc_blocks import blocks

GOLD = ["(S (NP (PRP it)) (VP (VBZ rains)))", "(S (NP (NN ice)) (VP (VBZ melts)))"] * 2
PARSED = [GOLD[0], "(S (NN ice) (VP (VBZ melts)))", "(S (PRP it) (VBZ rains))", GOLD[3]]


class Metric:
    """What `torchmetrics.Metric` does with states, in forward and among processes.

    `forward` returns the value of a batch, and adds the batch to what was before: the
    state is put aside, reset, updated with the batch alone, and then reduced with what
    was put aside. Attributes that are no states are lost in `reset`.
    """

    full_state_update: bool | None = None

    def __init__(self) -> None:
        self._defaults: dict[str, Any] = {}

    def add_state(self, name: str, default: Any, dist_reduce_fx: str) -> None:
        assert dist_reduce_fx == "sum"
        self._defaults[name] = copy(default)
        setattr(self, name, copy(default))

    def reset(self) -> None:
        for name, default in self._defaults.items():
            setattr(self, name, copy(default))

    def __call__(self, *batch: Any) -> Any:
        assert self.full_state_update is False
        before = {name: getattr(self, name) for name in self._defaults}
        self.reset()
        self.update(*batch)
        value = self.compute()
        self.merge(before)
        return value

    def merge(self, states: dict[str, Any]) -> None:
        for name, state in states.items():
            setattr(self, name, getattr(self, name) + state)

    def update(self, *batch: Any) -> None:
        raise NotImplementedError

    def compute(self) -> Any:
        raise NotImplementedError


@pytest.fixture
def recipe(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The class of the page, on the real library if it is there."""
    try:
        import torch
        import torchmetrics  # noqa: F401
    except ImportError:
        torch = SimpleNamespace(zeros=np.zeros, tensor=np.array, long=np.int64)
        monkeypatch.setitem(sys.modules, "torch", torch)  # type: ignore[arg-type]
        library = SimpleNamespace(Metric=Metric)
        monkeypatch.setitem(sys.modules, "torchmetrics", library)  # type: ignore[arg-type]
    page = (ROOT / "docs" / "python.md").read_text("utf-8")
    (block,) = (one for one in blocks(page) if "(Metric)" in one.text)
    defined: dict[str, Any] = {}
    exec(block.text, defined)
    return defined["Constructions"]


def test_batches_of_forward_add_up(recipe: Any) -> None:
    metric = recipe()
    values = [
        metric([parsed], [gold]) for parsed, gold in zip(PARSED, GOLD, strict=True)
    ]
    whole = spinal.score(GOLD, PARSED).total
    assert metric.compute() == {"F-h": whole.f_h, "F-s": whole.f_s}
    alone = [
        spinal.score([g], [p]).total.f_s for g, p in zip(GOLD, PARSED, strict=True)
    ]
    assert [value["F-s"] for value in values] == alone
    metric.reset()
    metric.update(PARSED[:2], GOLD[:2])
    metric.update(PARSED[2:], GOLD[2:])
    assert metric.compute() == {"F-h": whole.f_h, "F-s": whole.f_s}


def test_options_are_those_of_score(recipe: Any) -> None:
    metric = recipe(delete_label=["NP"], on_mismatch="zero")
    metric([None, *PARSED[1:]], GOLD)
    options = {"delete": ["NP"], "on_mismatch": "zero"}
    assert (
        metric.compute()["F-s"]
        == spinal.score(GOLD, [None, *PARSED[1:]], **options).total.f_s
    )
