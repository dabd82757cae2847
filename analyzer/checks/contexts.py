"""The choices that annotation is made of, each with the contexts that it depends on.

A choice is a word's tag, the phrases over a span (a unary chain), a phrase's function
tags, what a constituent attaches to. What stands around it is taken as annotated, since
one slip is looked for at a time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from analyzer.checks.leave_one_out import (
    Columns,
    Pieces,
    context,
    hashed,
    pieces,
    templates,
)
from analyzer.checks.nodes import NONE, Nodes, stable_key
from analyzer.model.arrays import (
    Flags,
    Ints,
    Words64,
    first_places,
    in_order,
    mix,
    number_densely,
)
from analyzer.model.symbols import SYMBOLS, by_name

_MOST_CLASSES, _MOST_TAGS = 48, 88
_LEAST_SEEN = 3  # a class that occurs less often is one with all such
_OTHER = "?"

_OF_TAGS = templates(
    "form, word, word left, word right, word up, word left right, "
    "word up before after, word left_word, word right_word, left right last3, "
    "left right up, left left2 last2, right right2 last2, up before after, "
    "up before after last3, up chain last3 outer, last3 shape up, last2 shape left, "
    "left shape up, left_word up last2, right_word up last2, shape chain up is_first"
)
_OF_PHRASES = templates(
    "children, children up, children up before after, children up up2, "
    "children head_word, bag up, first second up, last_but_one last up, "
    "first last size before, first last head_tag up, head_tag up up2, head_word up, "
    "head_word first, word first up, word tag last_tag, before after up first, "
    "up up2 first before, left right head_tag first, up_head up first, "
    "left_word first second, last_word last up"
)
_OF_WORD_PHRASES = templates(
    "label up, label up before after, label up before, label up after, word up, "
    "word tag, word left right, word up before, word up after, label up up2, "
    "label up sisters, label left right, label up left right, word left_word, "
    "word right_word, label before after up up2, label up left_word"
)
_OF_FUNCTIONS = templates(
    "label up before after, label up up2, label up side, label up side before, "
    "label up side after, label head_word, label head_word up, label word up, "
    "label word last_head, label last_head up, label up_head up side, "
    "label up_head word, label head_tag up side, label first up up2 side, "
    "label up left right, label up tag side before"
)
_OF_SITES = templates(
    "label last own, label last earlier own, label up own word, "
    "label own word head_tag, head_word own word, head_word own label, "
    "label own own_head, label own tag border, own word rank, "
    "label own distance rank, label up last own, label last own next rank, "
    "head_tag own rank tag, label head_tag own_head own, "
    "label last own tag border rank, label up own border rank"
)


class Choices(NamedTuple):
    """What was chosen for some nodes, from which classes, in which contexts."""

    node: Ints
    chosen: Ints  # class from 1 on; 0 for rare ones
    value: Ints  # as numbers from 0, rare ones apart
    names: list[str]  # of the classes
    contexts: Pieces


def _choices(
    node: Ints,
    values: Ints,
    name: Callable[[int], str],
    contexts: Callable[[Ints], list[Words64]],
    most: int = _MOST_CLASSES,
) -> Choices:
    """Values as so many classes, the most frequent ones; `name` is that of a node's."""
    used, which = number_densely(values)
    times = np.bincount(which, minlength=used.size)
    kept = np.argsort(-times, kind="stable")[: most - 1]
    kept = kept[times[kept] >= _LEAST_SEEN]
    number = np.zeros(used.size, np.int64)
    number[kept] = np.arange(1, kept.size + 1)
    names = [_OTHER, *map(name, node[first_places(which)[kept]].tolist())]
    return Choices(node, number[which], which, names, map(contexts, pieces(node)))


def _around(nodes: Nodes, node: Ints, top: Ints, above: Ints) -> dict[str, Ints]:
    """What stands around nodes: their first words, those beside them, labels.

    `top` are the nodes beside their sisters, and `above` their parents: of the nodes
    themselves, or of the topmost phrases over the same words.
    """
    first, last = nodes.first[node], nodes.last[node] - 1
    return {
        "word": nodes.lower[first],
        "tag": nodes.coarse_tag[first],
        "left": nodes.shift(nodes.coarse_tag, first, -1),
        "right": nodes.shift(nodes.coarse_tag, last, 1),
        "left_word": nodes.shift(nodes.lower, first, -1),
        "right_word": nodes.shift(nodes.lower, last, 1),
        "label": nodes.label_key[node],
        "up": nodes.at(nodes.label_key, above),
        "up2": nodes.at(nodes.label_key, nodes.at(nodes.parent, above)),
        "before": nodes.at(nodes.coarse_key, nodes.before[top]),
        "after": nodes.at(nodes.coarse_key, nodes.after[top]),
    }


def _around_heads(nodes: Nodes, node: Ints, above: Ints) -> dict[str, Ints]:
    """What heads phrases and their parents, and their first and last children."""
    head = nodes.head[node]
    first, last = nodes.first_child[node], nodes.last_child[node]
    return {
        "head_word": nodes.lower[head],
        "head_tag": nodes.coarse_tag[head],
        "up_head": np.where(above >= 0, nodes.lower[nodes.head[above]], NONE),
        "side": np.sign(head - nodes.head[np.maximum(above, 0)]),
        "first": nodes.coarse_key[first],
        "last": nodes.coarse_key[last],
        "last_head": nodes.lower[nodes.head[last]],
    }


def tags(nodes: Nodes) -> Choices:
    """The tag of each word, given the words and tags beside it and what is above."""

    def contexts(node: Ints) -> list[Words64]:
        word, parent = nodes.first[node], nodes.parent[node]
        columns: Columns = _around(nodes, node, node, parent)
        _, last3, last2, shape, form = (one[word] for one in nodes.form_columns)
        _, above, chain = (column[node] for column in nodes.chain)
        more = {
            "last3": last3,
            "last2": last2,
            "shape": shape,
            "form": form,
            "left2": nodes.shift(nodes.coarse_tag, word, -2),
            "right2": nodes.shift(nodes.coarse_tag, word, 2),
            "chain": chain,
            "outer": nodes.at(nodes.label_key, above),
            "is_first": columns["left"] == NONE,
        }
        return hashed(_OF_TAGS, {**columns, **more})

    node = nodes.word_node
    key = nodes.label_key[node]
    return _choices(node, key, nodes.label_name, contexts, _MOST_TAGS)


def phrases(nodes: Nodes) -> Choices:
    """The chain of labels over each phrase of several children."""
    bags = _sums_of_children(nodes)

    def contexts(node: Ints) -> list[Words64]:
        top, above, _ = (column[node] for column in nodes.chain)
        coarse, last_word = nodes.coarse_key, nodes.last[node] - 1
        columns = _around(nodes, node, top, above) | _around_heads(nodes, node, above)
        columns |= {
            "last_word": nodes.lower[last_word],
            "last_tag": nodes.coarse_tag[last_word],
            "bag": bags[node],
            "second": nodes.at(coarse, nodes.after[nodes.first_child[node]]),
            "last_but_one": nodes.at(coarse, nodes.before[nodes.last_child[node]]),
            "size": np.minimum(nodes.children[node], 5),
        }
        parts = ("bag", "first", "second", "last_but_one", "last", "size")
        children = context(*(columns[name] for name in parts))
        return hashed(_OF_PHRASES, {**columns, "children": children.view(np.int64)})

    node = np.flatnonzero(~nodes.is_word & (nodes.children != 1))
    return _choices(node, nodes.chain[2][node], nodes.chain_name, contexts)


def word_phrases(nodes: Nodes) -> Choices:
    """The chain of phrases over each single word, often none."""

    def contexts(node: Ints) -> list[Words64]:
        top, above, _ = (column[node] for column in nodes.chain)
        sisters = np.where(above >= 0, np.minimum(nodes.children[above], 4), 0)
        columns = _around(nodes, node, top, above)
        return hashed(_OF_WORD_PHRASES, {**columns, "sisters": sisters})

    node = nodes.word_node
    return _choices(node, nodes.chain[2][node], nodes.chain_name, contexts)


def functions(nodes: Nodes) -> Choices:
    """The function tags of each phrase."""
    node, labels = np.flatnonzero(~nodes.is_word), nodes.stream.labels

    def contexts(node: Ints) -> list[Words64]:
        above = nodes.parent[node]
        columns = _around(nodes, node, node, above) | _around_heads(nodes, node, above)
        return hashed(_OF_FUNCTIONS, columns)

    def name(node: int) -> str:
        return function_tags(nodes, int(nodes.row[node]))

    def key(label: str) -> int:
        return stable_key("-".join(labels.function_tags(label)))

    keys = by_name(nodes.stream.bank.label[nodes.row[node]], key, np.int64)
    return _choices(node, keys, name, contexts)


def function_tags(nodes: Nodes, row: int) -> str:
    """The function tags of a row of the bank: `SBJ-1`."""
    name = nodes.stream.bank.label_name(row)
    return "-".join(nodes.stream.labels.function_tags(name))


def _sums_of_children(nodes: Nodes) -> Ints:
    """A hash of each phrase's children as a bag."""
    has = nodes.parent >= 0
    total = np.zeros(nodes.size, np.uint64)
    np.add.at(total, nodes.parent[has], mix(nodes.coarse_key[has].astype(np.uint64)))
    return total.view(np.int64)


# -- attachment -----------------------------------------------------------------------

_LOWER, _HIGHER = 5, 3  # sites looked at below and above the one annotated
_FAR = np.array([2, 3, 5, 9, 17])


class Sites(NamedTuple):
    """What each constituent could attach to, and what it does attach to.

    One row a constituent and a site; those of a constituent together. The sites of a
    constituent are the phrases that end where it begins, and those it is in: it could
    be the last child of the former, or come after them in the latter. A site that
    exists because the constituent is attached there (`NP` in `(NP (NP a trip) (PP to
    Florida))`) is described as the phrase below it, as it would be if the constituent
    attached elsewhere.
    """

    node: Ints
    site: Ints
    level: Ints  # 0 annotated, below 0 lower, above 0 higher
    is_pair: Flags  # annotated: the site is there for this constituent alone

    @property
    def is_annotated(self) -> Flags:
        flags: Flags = self.level == 0
        return flags


def movable(nodes: Nodes) -> Ints:
    """All constituents that have a sister on their left, but for punctuation."""
    marks = [SYMBOLS.id(name) for name in nodes.stream.labels.punctuation]
    is_mark = nodes.is_word & np.isin(nodes.coarse, marks)
    return np.flatnonzero((nodes.before >= 0) & ~is_mark)


def sites(nodes: Nodes, moved: Ints) -> tuple[Sites, list[Words64]]:
    """The sites of some constituents, and the contexts of each."""
    inner = nodes.last_child
    owner, beside = nodes.parent[moved], nodes.before[moved]
    is_pair = (
        (nodes.children[owner] == 2)
        & (nodes.label[beside] == nodes.label[owner])
        & ~nodes.is_word[beside]
    )
    every = np.arange(moved.size)
    # annotated: what it is described as, and the sister that it would follow
    described = np.where(is_pair, beside, owner)
    below = np.where(is_pair, inner[beside], beside)
    columns = [(every, np.zeros(moved.size, np.int64), owner, described, below)]
    index = every
    for level in range(1, _LOWER + 1):
        is_phrase = ~nodes.is_word[below]
        index, below = index[is_phrase], below[is_phrase]
        depth = np.full(index.size, -level)
        columns.append((index, depth, below, below, inner[below]))
        below = inner[below]
    index, above, last = every, owner, moved
    for level in range(1, _HIGHER + 1):
        is_open = (nodes.after[last] < 0) & (nodes.parent[above] >= 0)
        index, last = index[is_open], above[is_open]
        above = nodes.parent[last]
        columns.append((index, np.full(index.size, level), above, above, last))
    joined = [np.concatenate(column) for column in zip(*columns, strict=True)]
    _, order = in_order(joined[0] * (_LOWER + _HIGHER + 1) + joined[1] + _LOWER)
    which, levels, site, shown, after = (column[order] for column in joined)
    rank = np.arange(which.size) - np.searchsorted(which, every)[which]  # from below
    found = Sites(moved[which], site, levels, is_pair[which])
    return found, _contexts_of_sites(nodes, found, rank, shown, after)


def _contexts_of_sites(
    nodes: Nodes, sites: Sites, rank: Ints, shown: Ints, after: Ints
) -> list[Words64]:
    node, tag = sites.node, nodes.coarse_tag
    edge, head = nodes.first[node], nodes.head[shown]
    # A head within the constituent itself says nothing about the site without it.
    is_within = (edge <= head) & (head < nodes.last[node])
    head = np.where(is_within, nodes.head[after], head)
    distance = np.searchsorted(_FAR, np.abs(edge - head), side="right")
    columns = {
        "label": nodes.label_key[shown],
        "up": nodes.at(nodes.label_key, nodes.parent[sites.site]),
        "last": nodes.coarse_key[after],
        "earlier": nodes.at(nodes.coarse_key, nodes.before[after]),
        "head_word": nodes.lower[head],
        "head_tag": tag[head],
        "own": nodes.label_key[node],
        "own_head": nodes.lower[nodes.head[node]],
        "word": nodes.lower[edge],
        "tag": tag[edge],
        "border": nodes.shift(tag, edge, -1),
        "next": nodes.shift(tag, nodes.last[node] - 1, 1),
        "distance": distance,
        "rank": np.minimum(rank, 3),
    }
    return hashed(_OF_SITES, columns)


def attached_elsewhere(nodes: Nodes, node: Ints, site: Ints) -> Flags:
    """Whether constituents attach to such a site elsewhere, and never as they do here.

    Elsewhere: the same words, between the same neighbours, with the same label.
    """
    if not node.size:
        return np.zeros(0, np.bool_)
    words = nodes.stream.hashed(nodes.first, nodes.last)
    key = mix(words) ^ nodes.label_key.view(np.uint64)
    asked = np.unique(key[node])
    place = np.searchsorted(asked, key)
    alike = np.flatnonzero(asked[np.minimum(place, asked.size - 1)] == key)
    parents = nodes.at(nodes.label, nodes.parent[alike])
    most = int(nodes.label.max(initial=0)) + 2
    pairs, times = np.unique(place[alike] * most + parents + 1, return_counts=True)

    def count(label: Ints) -> Ints:
        wanted = place[node] * most + label + 1
        at = np.minimum(np.searchsorted(pairs, wanted), pairs.size - 1)
        return np.where(pairs[at] == wanted, times[at], 0)

    parent, other = nodes.at(nodes.label, nodes.parent[node]), nodes.label[site]
    flags: Flags = (count(parent) == 1) & (count(other) > 0) & (parent != other)
    return flags
