"""What tree kernels compare: nodes with their children and productions, as numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analyzer.model.arrays import Flags, Ints
from analyzer.model.families import parents_and_levels
from analyzer.model.symbols import SYMBOLS, Symbols
from analyzer.model.treebank import Treebank

_WINDOW = 8  # bytes that Symbols.ids_in reads at a time


@dataclass(frozen=True)
class KernelNodes:
    """One row a node of any tree: phrases and tags, then words.

    A leaf is a word under its tag, or a bracket with nothing in it.
    """

    trees: int
    tree: Ints
    depth: Ints
    name: Ints  # twice the number of its spelling, and 1 more for a leaf
    is_leaf: Flags
    production: Ints  # of the nodes that are no leaves; -1 for a leaf
    productions: int  # how many there are
    kids: Ints  # children, in order, those of one node together
    kid_start: Ints  # per node: where its children begin
    kid_count: Ints


def kernel_nodes(bank: Treebank) -> KernelNodes:
    """The nodes of all trees; equal names and productions have equal numbers.

    >>> from analyzer.formats.reading import read_trees
    >>> nodes = kernel_nodes(read_trees("(A (B x) (x))"))
    >>> nodes.is_leaf.tolist()  # A, B, x under A, x under B
    [False, False, True, True]
    >>> nodes.kids.tolist(), bool(nodes.name[2] == nodes.name[3])
    ([1, 2, 3], True)
    """
    size, words = bank.label.size, bank.leaf_node.size
    parent, by_level = parents_and_levels(bank.depth)
    children = by_level[parent[by_level] >= 0]
    kids = np.concatenate([children, np.arange(size, size + words)])
    parents = np.concatenate([parent[children], bank.leaf_node])
    kids = kids[np.argsort(parents, kind="stable")]
    kid_count = np.bincount(parents, minlength=size + words)
    kid_start = np.cumsum(kid_count) - kid_count

    is_leaf = kid_count == 0
    name = _spellings(bank) * 2 + is_leaf
    production, productions = _productions(name, is_leaf, kids, kid_start, kid_count)
    tree = bank.tree_of_node
    depth = bank.depth.astype(np.int64)
    return KernelNodes(
        trees=len(bank),
        tree=np.concatenate([tree, tree[bank.leaf_node]]),
        depth=np.concatenate([depth, depth[bank.leaf_node] + 1]),
        name=name,
        is_leaf=is_leaf,
        production=production,
        productions=productions,
        kids=kids,
        kid_start=kid_start,
        kid_count=kid_count,
    )


def _spellings(bank: Treebank) -> Ints:
    """A number for what each node is called, label or word.

    In a table of its own, so that the vocabulary does not end up among the labels.
    """
    table = Symbols()
    labels, which = np.unique(bank.label, return_inverse=True)
    spelt = [table.id(SYMBOLS.name(label)) for label in labels.tolist()]
    text = bank.text + bytes(_WINDOW)
    word = table.ids_in(text, bank.form_start, bank.form_end - bank.form_start)
    return np.concatenate([np.array(spelt, np.int64)[which], word])


def _productions(
    name: Ints, is_leaf: Flags, kids: Ints, kid_start: Ints, kid_count: Ints
) -> tuple[Ints, int]:
    """The number of each node's production: its own name, then its children's.

    The key is the names themselves, not a hash of them, so two productions can never
    be taken for one.
    """
    inner = np.flatnonzero(~is_leaf)
    names = name[kids].tobytes()
    width = name.itemsize
    start = (kid_start[inner] * width).tolist()
    end = ((kid_start + kid_count)[inner] * width).tolist()
    numbers: dict[tuple[int, bytes], int] = {}
    production = np.full(name.size, -1, np.int64)
    production[inner] = [
        numbers.setdefault((own, names[s:e]), len(numbers))
        for own, s, e in zip(name[inner].tolist(), start, end, strict=True)
    ]
    return production, len(numbers)
