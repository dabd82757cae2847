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
    gold_top, parsed_top = (labels[is_counted].astype(np.int64) for labels in top)
    is_same = (counted[0] == counted[1])[is_counted]
    together = (gold_top * len(SYMBOLS) + parsed_top) * 2 + is_same
    _, first, sentences = np.unique(together, return_index=True, return_counts=True)
    return tuple(
        RootLabels(SYMBOLS.name(one), SYMBOLS.name(other), bool(same), count)
        for one, other, same, count in zip(
            gold_top[first].tolist(),
            parsed_top[first].tolist(),
            is_same[first].tolist(),
            sentences.tolist(),
            strict=True,
        )
    )
