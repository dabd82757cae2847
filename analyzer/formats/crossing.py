"""Crossing branches resolved, so that each constituent is a run of words.

Treebanks such as TIGER and NeGra let a constituent have gaps; brackets cannot. The
usual way out is *raising* (Boyd 2007; Kübler, Maier, Rehbein and Versley 2008), as
treetools and disco-dop do it:

1. Words that hang directly under a root that is no phrase, mostly punctuation, would
   tear whatever is around them apart. A run of them with words on both sides is moved
   down to the lowest node above both neighbours (treetools: `root_attach`). At the
   edges of a sentence, and between two children of the root, they stay.
2. Bottom up, the children of each node fall into blocks, maximal runs without a gap.
   One block stays: one with a head child; of these, or if there is none, the one with
   most words; of these, the leftmost. The children in other blocks are raised to the
   node's parent, where the same happens, until they no longer leave a gap.

So each child that moves gets the lowest ancestor that can have it. Words keep their
order, nodes with a yield keep some of it and their labels, and a tree without crossing
branches stays what it is.

Boyd, A. (2007). Discontinuity Revisited: An Improved Conversion to Context-Free
Representations. Linguistic Annotation Workshop. Kübler, S., Maier, W., Rehbein, I. and
Versley, Y. (2008). How to Compare Treebanks. LREC.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from analyzer.exceptions import BadSentenceError
from analyzer.formats.incremental import BuiltTree
from analyzer.limits import limits
from analyzer.model.treebank import TreebankBuilder, runs_of

NO_PARENT = -1
# Far beyond any sentence; it bounds the work that raising can be made to do.
_DEEPEST = 200
_WHITE_SPACE = dict.fromkeys(map(ord, " \t\n\r\v\f"), "_")
_IN_WORDS = {**_WHITE_SPACE, ord("("): "-LRB-", ord(")"): "-RRB-"}
_IN_LABELS = {**_WHITE_SPACE, ord("("): "*LRB*", ord(")"): "*RRB*"}


class Continuous(NamedTuple):
    """A tree of brackets: each node's children that have words, in order."""

    children: list[list[int]]
    was_raised: bool
    was_lowered: bool  # a word that hung under the root


def continuous(
    parents: Sequence[int],
    words: int,
    heads: Collection[int] = (),
    *,
    root_is_phrase: bool = False,
) -> Continuous:
    """The tree without crossing branches; see above.

    Nodes are numbers: first the words in order, then the others. `parents` has the
    parent of each, NO_PARENT for the one root; `heads` are the nodes that head their
    parents. Words under a root that is a phrase are its own, and stay there.

    *Ihn* (0) *hat* (1) *er* (2) *gesehen* (3): a VP (4) of *Ihn* and its head *gesehen*
    under an S (5) under the root (6). *Ihn* is raised:

    >>> continuous([4, 5, 5, 4, 5, 6, NO_PARENT], 4, heads={1, 3}).children[4:]
    [[3], [0, 1, 2, 4], [5]]
    """
    parents = list(parents)
    root = parents.index(NO_PARENT)
    was_lowered = not root_is_phrase and _lower_words_of_root(parents, words, root)
    children: list[list[int]] = [[] for _ in parents]
    for node, parent in enumerate(parents):
        if parent != NO_PARENT:
            children[parent].append(node)
    first = [*range(words), *[0] * (len(parents) - words)]
    last = [*range(1, words + 1), *[0] * (len(parents) - words)]
    was_raised = False
    for node in reversed(_from_the_root(children, root)):
        if node < words:
            continue
        with_words = (child for child in children[node] if first[child] < last[child])
        blocks = _blocks(sorted(with_words, key=first.__getitem__), first, last)
        if not blocks:
            children[node] = []
            continue
        kept = blocks[0]
        if len(blocks) > 1:
            kept = max(blocks, key=lambda block: _weight(block, heads, first, last))
            raised = [child for block in blocks if block is not kept for child in block]
            children[parents[node]] += raised
            was_raised = True
        children[node] = kept
        first[node], last[node] = first[kept[0]], last[kept[-1]]
    return Continuous(children, was_raised, was_lowered)


def _lower_words_of_root(parents: list[int], words: int, root: int) -> bool:
    """Step 1, in place; whether any word has moved."""
    was_lowered = False
    start = 0
    while start < words:
        end = start
        while end < words and parents[end] == root:
            end += 1
        if 0 < start < end < words:
            lowest = _lowest_above(parents, start - 1, end)
            was_lowered |= lowest != root
            parents[start:end] = [lowest] * (end - start)
        start = end + 1
    return was_lowered


def _lowest_above(parents: Sequence[int], left: int, right: int) -> int:
    """The lowest node above two words."""
    above_left = set(_above(parents, left))
    return next(node for node in _above(parents, right) if node in above_left)


def _above(parents: Sequence[int], node: int) -> Iterator[int]:
    while (node := parents[node]) != NO_PARENT:
        yield node


def _from_the_root(children: Sequence[Sequence[int]], root: int) -> list[int]:
    """All nodes, each after its parent."""
    order = [root]
    for node in order:
        order.extend(children[node])
    return order


def _blocks(
    children: Sequence[int], first: Sequence[int], last: Sequence[int]
) -> list[list[int]]:
    """Children in the order of their words, as maximal runs without a gap."""
    blocks: list[list[int]] = []
    for child in children:
        if blocks and last[blocks[-1][-1]] == first[child]:
            blocks[-1].append(child)
        else:
            blocks.append([child])
    return blocks


def _weight(
    block: Sequence[int],
    heads: Collection[int],
    first: Sequence[int],
    last: Sequence[int],
) -> tuple[bool, int]:
    has_head = any(child in heads for child in block)
    return has_head, last[block[-1]] - first[block[0]]


# -- graphs as trees of brackets ----------------------------------------------------


def too_large(most: int) -> BadSentenceError:
    """The error of a sentence that has more nodes than a tree may have."""
    return BadSentenceError("E251 nodes, the limit for one tree", most=f"{most:,}")


class Graph(NamedTuple):
    """A sentence as a tree that may have crossing branches; the words come first.

    The last node is there to be the root, if no other can.
    """

    parents: list[int]
    labels: list[str]
    heads: set[int]
    edges: list[str]  # of the words: the labels of the edges above them
    root_is_phrase: bool = False  # S, say; not a wrapper, as ROOT


def add_graph(
    graph: Graph, words: Sequence[str], builder: TreebankBuilder
) -> BuiltTree:
    """Add a tree without crossing branches, up to `end_tree`.

    What its nodes were with them is kept: see `model.treebank.Yields`.
    """
    tree = continuous(
        graph.parents, len(words), graph.heads, root_is_phrase=graph.root_is_phrase
    )
    order = _closed_pre_order(graph.parents.index(NO_PARENT), tree.children)
    nodes = len(order) - order.count(None)
    if nodes > limits().tree_nodes:
        raise too_large(limits().tree_nodes)
    has_moved = tree.was_raised or tree.was_lowered
    runs = _runs_with_gaps(graph, len(words), tree.children) if has_moved else {}
    for node in order:
        if node is None:
            builder.close()
        elif node < len(words):
            word = words[node].translate(_IN_WORDS)
            builder.leaf(written_label(graph.labels[node]), word, graph.edges[node])
        else:
            label = written_label(graph.labels[node])
            builder.open(label, runs.get(node, ()))
    return BuiltTree(nodes, tree.was_raised, tree.was_lowered)


def _runs_with_gaps(
    graph: Graph, words: int, children: list[list[int]]
) -> dict[int, list[tuple[int, int]]]:
    """The words of nodes that are not those of their brackets, as runs."""
    before = _words_below(graph.parents, words)
    # The parents that nodes have in brackets.
    parents = [NO_PARENT] * len(graph.parents)
    for node, below in enumerate(children):
        for child in below:
            parents[child] = node
    after = _words_below(parents, words)
    return {
        node: runs_of(leaves)
        for node, leaves in before.items()
        if leaves != after.get(node)
    }


def _words_below(parents: Sequence[int], words: int) -> dict[int, list[int]]:
    """The words of each node that has any, in order."""
    below: dict[int, list[int]] = {}
    for word in range(words):
        node = parents[word]
        while node != NO_PARENT:
            below.setdefault(node, []).append(word)
            node = parents[node]
    return below


@lru_cache(maxsize=1 << 12)
def written_label(label: str) -> str:
    return label.translate(_IN_LABELS)


def check_paths(parents: list[int], names: list[str]) -> None:
    """Whether every path upwards ends at the root, and soon enough."""
    depth: dict[int, int] = {NO_PARENT: 0}
    for start in range(len(parents)):
        path: dict[int, None] = {}  # nodes, in order
        node = start
        while node not in depth:
            if node in path:
                raise BadSentenceError("E261 is above itself", names=names[node])
            path[node] = None
            node = parents[node]
        for below in reversed(path):
            depth[below] = depth[parents[below]] + 1
        if depth[start] > _DEEPEST:
            raise BadSentenceError("E260 levels deep", deepest=_DEEPEST)


def _closed_pre_order(root: int, children: list[list[int]]) -> list[int | None]:
    """The nodes as they open; None where a phrase closes."""
    order: list[int | None] = []
    pending: list[int | None] = [root]
    while pending:
        node = pending.pop()
        order.append(node)
        if node is not None and children[node]:
            pending.append(None)
            pending.extend(reversed(children[node]))
    return order
