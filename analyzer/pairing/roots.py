"""Which roots of trees count as brackets, and whether both sides have the same.

A root is the topmost bracket of a tree if its label is a wrapper (TOP, ROOT, S1, none
at all ...: the label set lists them). evalb counts it unless the parameters delete its
label, so that two spellings of the same tree can differ by a bracket a sentence.
"""

from __future__ import annotations

import numpy as np

from analyzer.model.arrays import Flags
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.ledger import RootLabels
from analyzer.transform.label_tables import DELETED, LabelTables


def counted_roots(
    gold: Treebank, parsed: Treebank, tables: LabelTables, chosen: Flags
) -> tuple[RootLabels, ...]:
    """The labels at the top of some trees, where a root counts."""
    top = [bank.label[bank.node_start[:-1][chosen]] for bank in (gold, parsed)]
    counted = [tables.root_class(labels) for labels in top]
    is_counted = (counted[0] != DELETED) | (counted[1] != DELETED)
    if not is_counted.any():
        return ()
    rows = np.stack([*top, counted[0] == counted[1]])[:, is_counted]
    found, sentences = np.unique(rows, axis=1, return_counts=True)
    return tuple(
        RootLabels(SYMBOLS.name(one), SYMBOLS.name(other), bool(is_same), count)
        for (one, other, is_same), count in zip(
            found.T.tolist(), sentences.tolist(), strict=True
        )
    )
