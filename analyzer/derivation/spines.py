"""A sentence's derivation tree as people read it.

For printing and drawing one sentence at a time; nothing that scores uses this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import Derivation
from analyzer.model.arrays import Ints
from analyzer.model.builder import TreebankBuilder
from analyzer.model.tree import Tree
from analyzer.model.treebank import Treebank


class Spine(NamedTuple):
    """The elementary tree of one word: its constructions, and where it attaches."""

    position: int
    word: str
    tag: str
    constructions: tuple[str, ...]  # bottom up
    governor: int | None  # position of the word it attaches to; None: the root
    at: str | None  # the governor's construction it attaches to

    def __str__(self) -> str:
        spine = " ".join((self.word, *self.constructions))
        return spine if self.at is None else f"{spine} @{self.at}"


def spines_of(
    bank: Treebank,
    derivation: Derivation,
    constructions: ConstructionNames,
    *,
    tree: int,
    leaves: Ints,
    first_word: int,
) -> list[Spine]:
    """The spines of a tree, one a word, in order.

    `leaves` are its compared ones; `first_word` is the number of the first.
    """
    # As lists: thousands of single entries are read sooner from them.
    parents = bank[tree].parent_row
    rows = slice(int(derivation.starts[tree]), int(derivation.starts[tree + 1]))
    nodes = derivation.row[rows].tolist()
    heads = (derivation.head[rows] - first_word).tolist()
    names = [constructions[one] for one in derivation.construction[rows].tolist()]
    of_node = {node: at for at, node in enumerate(nodes)}
    by_head: dict[int, list[int]] = {}
    for at, head in enumerate(heads):
        by_head.setdefault(head, []).append(at)

    spines = []
    leaf_nodes, words = bank.leaf_node[leaves].tolist(), bank.forms(leaves)
    for position, (leaf_node, word) in enumerate(zip(leaf_nodes, words, strict=True)):
        own = by_head.get(position, [])  # top down
        above = parents[nodes[own[0]] if own else leaf_node]
        while above is not None and above not in of_node:
            above = parents[above]
        governor = attached_to = None
        if above is not None:
            governor, attached_to = heads[of_node[above]], names[of_node[above]]
        spine = tuple(names[at] for at in reversed(own))
        tag = bank.label_name(leaf_node)
        spines.append(Spine(position, word, tag, spine, governor, attached_to))
    return spines


class DrawnDerivation(NamedTuple):
    """A derivation tree in the form of a tree, and which spine each node shows."""

    tree: Tree
    spine_of_row: dict[int, Spine]

    def marks(self, others: Sequence[Spine]) -> list[int]:
        """The nodes whose spine the other derivation has not, or attaches elsewhere."""
        same = {(one.position, one.constructions, one.governor) for one in others}
        return [
            row
            for row, spine in self.spine_of_row.items()
            if (spine.position, spine.constructions, spine.governor) not in same
        ]


def drawn(spines: Sequence[Spine]) -> DrawnDerivation:
    """The derivation tree as a tree that can be drawn.

    A spine is a node: its constructions, and after '@' the one it attaches to. Its
    word stands among the spines that attach to it, in the order of the sentence.
    """
    dependents: dict[int | None, list[Spine]] = {}
    for spine in spines:
        dependents.setdefault(spine.governor, []).append(spine)
    builder = TreebankBuilder("derivation")
    spine_of_row: dict[int, Spine] = {}
    row = 0
    # What is still to come: a spine with all that attaches to it, the word of a
    # spine that is open, or (None) the end of one.
    pending: list[tuple[Spine, bool] | None] = [
        (spine, True) for spine in reversed(dependents.get(None, []))
    ]
    while pending:
        item = pending.pop()
        if item is None:
            builder.close()
            continue
        spine, is_whole = item
        attached = f" @{spine.at}" if is_whole and spine.at else ""
        if is_whole:
            spine_of_row[row] = spine
        row += 1
        if not is_whole or not spine.constructions:
            builder.leaf(spine.tag + attached, spine.word)
            continue
        builder.open(" ".join(spine.constructions) + attached)
        inner = [(one, True) for one in dependents.get(spine.position, [])]
        inner.append((spine, False))
        inner.sort(key=lambda pair: pair[0].position)
        pending.append(None)
        pending.extend(reversed(inner))
    builder.end_tree(line=1)
    return DrawnDerivation(builder.finish()[0], spine_of_row)
