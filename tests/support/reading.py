"""Short ways to read text, and what tests compare of it."""

from __future__ import annotations

import io
import warnings
from typing import Any

from hypothesis import HealthCheck, settings

from analyzer import read_trees
from analyzer.model.treebank import Treebank
from tests.support.examples import some
from tests.support.strategies import (
    Plain,
    plain,
)

CAT = "(S (NP (DT the) (NN cat)) (VP (VBD sat)))"
UNHURRIED = settings(
    deadline=None, max_examples=some(70), suppress_health_check=[HealthCheck.too_slow]
)


def read_bytes(data: bytes, **options: Any) -> Treebank:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_trees(io.BytesIO(data), **options)


def table(bank: Treebank) -> dict[str, list[Any]]:
    """All columns by value: names for labels, words for places in the text."""
    columns = ("depth", "first", "last", "is_leaf", "leaf_node")
    starts = ("node_start", "leaf_start", "line")
    return {
        "label": [bank.label_name(row) for row in range(bank.label.size)],
        "form": [bank.form(leaf) for leaf in range(bank.leaf_node.size)],
        **{name: getattr(bank, name).tolist() for name in columns + starts},
    }


def trees_of(bank: Treebank) -> list[list[Plain]]:
    return [plain(tree) for tree in bank]
