"""The choices that annotation is made of, each with the contexts that it depends on.

A choice is a word's tag, the phrases over a span (a unary chain), a phrase's function
tags, whether sisters are a phrase of their own, what a constituent attaches to. What
stands around it is taken as annotated, since one slip is looked for at a time. The
contexts of all are templates of the same columns: see `Around`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np

from analyzer.checks.leave_one_out import (
    Pieces,
    Templates,
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
_OF_RUNS = templates(
    "run, run up, run up left right, run up before after, run before after, "
    "run up right, run up left, run up up2, run up before after up2, "
    "run left_word right_word, run up right_word, run up left_word, "
    "run up word, run up right right2, run up left left2, run up right after2, "
    "run_first run_last up before after, run_first run_last left right"
)
_OF_SITES = templates(
    "site inside label, site inside inside2 label, site site_up label word, "
    "site label word site_tag, site_word label word, site_word label site, "
    "site label head_word, site label tag left, label word rank, "
    "site label distance rank, site site_up inside label, "
    "site inside label right rank, site_tag label rank tag, "
    "site site_tag head_word label, "
    "site inside label tag left rank, site site_up label left rank"
)


class Around(dict[str, Ints]):
    """What stands around nodes, by name: a column is made when it is asked for.

    The words are those of the nodes, or of runs of sisters up to `end`. Between the
    next sisters stand `top` to `last`, and `above` holds these: the nodes themselves,
    or the topmost phrases over the same words. `more` are columns that only some
    choices have.
    """

    def __init__(
        self,
        nodes: Nodes,
        node: Ints,
        top: Ints | None = None,
        above: Ints | None = None,
        end: Ints | None = None,
        last: Ints | None = None,
        **more: Ints,
    ) -> None:
        super().__init__(more)
        self.nodes, self.node = nodes, node
        self.end = node if end is None else end
        self.top = node if top is None else top
        self.last = (self.end if top is None else top) if last is None else last
        self.above = nodes.parent[self.top] if above is None else above

    def __missing__(self, name: str) -> Ints:
        column = self[name] = _COLUMNS[name](self)
        return column

    def beside(self, column: Ints, by: int) -> Ints:
        """The column of words so many words before (after) the words."""
        if by < 0:
            return self.nodes.shift(column, self.nodes.first[self.node], by)
        return self.nodes.shift(column, self.nodes.last[self.end] - 1, by)

    def form(self, number: int) -> Ints:
        return self.nodes.form_columns[number][self.nodes.first[self.node]]

    def labels(self, node: Ints) -> Ints:
        return self.nodes.at(self.nodes.label_key, node)

    def coarse(self, node: Ints) -> Ints:
        return self.nodes.at(self.nodes.coarse_key, node)


def _shape_of_children(a: Around) -> Ints:
    """What children a phrase has, and in which order the first and last ones are."""
    parts = ("bag", "first", "second", "last_but_one", "last", "size")
    return context(*(a[name] for name in parts)).view(np.int64)


_COLUMNS: dict[str, Callable[[Around], Ints]] = {
    # its words: the first, the last, those beside them
    "word": lambda a: a.nodes.lower[a.nodes.first[a.node]],
    "last_word": lambda a: a.nodes.lower[a.nodes.last[a.end] - 1],
    "tag": lambda a: a.nodes.coarse_tag[a.nodes.first[a.node]],
    "last_tag": lambda a: a.nodes.coarse_tag[a.nodes.last[a.end] - 1],
    "left": lambda a: a.beside(a.nodes.coarse_tag, -1),
    "left2": lambda a: a.beside(a.nodes.coarse_tag, -2),
    "right": lambda a: a.beside(a.nodes.coarse_tag, 1),
    "right2": lambda a: a.beside(a.nodes.coarse_tag, 2),
    "left_word": lambda a: a.beside(a.nodes.lower, -1),
    "right_word": lambda a: a.beside(a.nodes.lower, 1),
    "is_first": lambda a: (a["left"] == NONE).astype(np.int64),
    "last3": lambda a: a.form(1),
    "last2": lambda a: a.form(2),
    "shape": lambda a: a.form(3),
    "form": lambda a: a.form(4),
    # labels: its own, those above and beside it
    "label": lambda a: a.nodes.label_key[a.node],
    "up": lambda a: a.labels(a.above),
    "up2": lambda a: a.labels(a.nodes.at(a.nodes.parent, a.above)),
    "before": lambda a: a.coarse(a.nodes.before[a.top]),
    "after": lambda a: a.coarse(a.nodes.after[a.last]),
    "after2": lambda a: a.coarse(a.nodes.at(a.nodes.after, a.nodes.after[a.last])),
    "sisters": lambda a: np.where(
        a.above >= 0, np.minimum(a.nodes.children[a.above], 4), 0
    ),
    "chain": lambda a: a.nodes.chain[2][a.node],
    "outer": lambda a: a.labels(a.nodes.chain[1][a.node]),
    # its head and that of what is above, its children
    "head_word": lambda a: a.nodes.lower[a.nodes.head[a.node]],
    "head_tag": lambda a: a.nodes.coarse_tag[a.nodes.head[a.node]],
    "up_head": lambda a: np.where(
        a.above >= 0, a.nodes.lower[a.nodes.head[a.above]], NONE
    ),
    "side": lambda a: np.sign(
        a.nodes.head[a.node] - a.nodes.head[np.maximum(a.above, 0)]
    ),
    "first": lambda a: a.coarse(a.nodes.first_child[a.node]),
    "second": lambda a: a.coarse(a.nodes.after[a.nodes.first_child[a.node]]),
    "last_but_one": lambda a: a.coarse(a.nodes.before[a.nodes.last_child[a.node]]),
    "last": lambda a: a.coarse(a.nodes.last_child[a.node]),
    "last_head": lambda a: a.nodes.lower[a.nodes.head[a.nodes.last_child[a.node]]],
    "size": lambda a: np.minimum(a.nodes.children[a.node], 5),
    "children": _shape_of_children,
    # a run of sisters
    "run_first": lambda a: a.coarse(a.node),
    "run_last": lambda a: a.coarse(a.end),
}


class Choices(NamedTuple):
    """What was chosen for some nodes, from which classes, in which contexts."""

    node: Ints
    chosen: Ints  # class from 1 on; 0 for rare ones
    value: Ints  # as numbers from 0, rare ones apart
    names: list[str]  # of the classes
    contexts: Pieces


def _choices(
    around: Callable[[Ints], Around],
    made_of: Templates,
    node: Ints,
    values: Ints,
    name: Callable[[int], str],
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
    contexts = (hashed(made_of, around(some)) for some in pieces(node))
    return Choices(node, number[which], which, names, contexts)


def tags(nodes: Nodes) -> Choices:
    """The tag of each word, given the words and tags beside it and what is above."""
    node = nodes.word_node
    values, name = nodes.label_key[node], nodes.label_name
    return _choices(partial(Around, nodes), _OF_TAGS, node, values, name, _MOST_TAGS)


def phrases(nodes: Nodes) -> Choices:
    """The chain of labels over each phrase of several children."""
    node = np.flatnonzero(~nodes.is_word & (nodes.children != 1))
    has = nodes.parent >= 0
    bags = np.zeros(nodes.size, np.uint64)
    np.add.at(bags, nodes.parent[has], mix(nodes.coarse_key[has].astype(np.uint64)))

    def around(node: Ints) -> Around:
        top, above, _ = (column[node] for column in nodes.chain)
        return Around(nodes, node, top, above, bag=bags[node].view(np.int64))

    return _choices(around, _OF_PHRASES, node, nodes.chain[2][node], nodes.chain_name)


def word_phrases(nodes: Nodes) -> Choices:
    """The chain of phrases over each single word, often none."""
    node = nodes.word_node

    def around(node: Ints) -> Around:
        return Around(nodes, node, nodes.chain[0][node], nodes.chain[1][node])

    values, name = nodes.chain[2][node], nodes.chain_name
    return _choices(around, _OF_WORD_PHRASES, node, values, name)


def functions(nodes: Nodes) -> Choices:
    """The function tags of each phrase."""
    node, labels = np.flatnonzero(~nodes.is_word), nodes.stream.labels

    def name(node: int) -> str:
        return function_tags(nodes, int(nodes.row[node]))

    def key(label: str) -> int:
        return stable_key("-".join(labels.function_tags(label)))

    keys = by_name(nodes.stream.bank.label[nodes.row[node]], key, np.int64)
    return _choices(partial(Around, nodes), _OF_FUNCTIONS, node, keys, name)


def function_tags(nodes: Nodes, row: int) -> str:
    """The function tags of a row of the bank: `SBJ-1`."""
    name = nodes.stream.bank.label_name(row)
    return "-".join(nodes.stream.labels.function_tags(name))


# -- sisters that are a phrase, or could be -------------------------------------------

_LONGEST_RUN = 5
_LEAST_PHRASES = 3  # that have such children, for these to be a choice elsewhere


class Runs(NamedTuple):
    """Sisters beside each other: all children of a phrase that has sisters, or such as
    are all children of one elsewhere."""

    start: Ints
    end: Ints  # the last of them
    is_phrase: Flags
    kind: Ints  # equal for those with the same labels


def runs(nodes: Nodes) -> tuple[Runs, Choices]:
    """Which sisters are a phrase of their own."""
    start = end = np.flatnonzero(nodes.after >= 0)
    hashes = nodes.coarse_key[start].astype(np.uint64)
    top_of = nodes.chain[0]
    is_sister = (nodes.before >= 0) | (nodes.after >= 0)
    of_length = []
    for _ in range(2, _LONGEST_RUN + 1):
        end = nodes.after[end]
        hashes = mix(hashes) + nodes.coarse_key[end].astype(np.uint64)
        is_whole = (nodes.before[start] < 0) & (nodes.after[end] < 0)
        rows = np.flatnonzero(~is_whole | is_sister[top_of[nodes.parent[start]]])
        of_length.append((start[rows], end[rows], is_whole[rows], hashes[rows]))
        goes_on = nodes.after[end] >= 0
        start, end, hashes = start[goes_on], end[goes_on], hashes[goes_on]
    start, end, is_phrase, hashes = map(np.concatenate, zip(*of_length, strict=True))
    run = (hashes >> np.uint64(1)).view(np.int64)
    _, kind = number_densely(run)
    is_choice = (np.bincount(kind, is_phrase) >= _LEAST_PHRASES)[kind]
    start, end, run, kind = (column[is_choice] for column in (start, end, run, kind))
    is_phrase = is_phrase[is_choice]

    def around(rows: Ints) -> Around:
        first, owner = start[rows], nodes.parent[start[rows]]
        top, last = (
            np.where(is_phrase[rows], top_of[owner], edge[rows])
            for edge in (start, end)
        )
        above = nodes.parent[top]
        return Around(nodes, first, top, above, end[rows], last, run=run[rows])

    rows = np.arange(start.size)
    contexts = (hashed(_OF_RUNS, around(some)) for some in pieces(rows))
    names = ["no phrase", "a phrase"]
    chosen = is_phrase.astype(np.int64)
    choices = Choices(rows, chosen, 2 * kind + chosen, names, contexts)
    return Runs(start, end, is_phrase, kind), choices


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
    candidates = Sites(moved[which], site, levels, is_pair[which])
    return candidates, _contexts_of_sites(nodes, candidates, rank, shown, after)


def _contexts_of_sites(
    nodes: Nodes, sites: Sites, rank: Ints, shown: Ints, after: Ints
) -> list[Words64]:
    node, edge, head = sites.node, nodes.first[sites.node], nodes.head[shown]
    # A head within the constituent itself says nothing about the site without it.
    is_within = (edge <= head) & (head < nodes.last[node])
    head = np.where(is_within, nodes.head[after], head)
    around = Around(
        nodes,
        node,
        site=nodes.label_key[shown],
        site_up=nodes.at(nodes.label_key, nodes.parent[sites.site]),
        inside=nodes.coarse_key[after],
        inside2=nodes.at(nodes.coarse_key, nodes.before[after]),
        site_word=nodes.lower[head],
        site_tag=nodes.coarse_tag[head],
        distance=np.searchsorted(_FAR, np.abs(edge - head), side="right"),
        rank=np.minimum(rank, 3),
    )
    return hashed(_OF_SITES, around)


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
