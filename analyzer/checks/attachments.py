"""What each constituent could attach to, and what it does attach to.

The sites of a constituent are the phrases that end where it begins, and those it is in:
it could be the last child of the former, or come after them in the latter. A site that
exists because the constituent is attached there (`NP` in `(NP (NP a trip) (PP to
Florida))`) is described as the phrase below it, as it would be if the constituent
attached elsewhere.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.checks.experts import context
from analyzer.checks.items import NONE
from analyzer.checks.surroundings import Surroundings
from analyzer.model.arrays import Flags, Floats, Ints, Words64, begins, in_order, mix
from analyzer.model.symbols import SYMBOLS

_LOWER, _HIGHER = 5, 3  # sites looked at below and above the one annotated
_FAR = np.array([2, 3, 5, 9, 17])


class Sites(NamedTuple):
    """One row a constituent and a site; those of a constituent together."""

    item: Ints
    site: Ints
    level: Ints  # 0 annotated, below 0 lower, above 0 higher
    is_pair: Flags  # annotated: the site is there for this constituent alone

    @property
    def is_annotated(self) -> Flags:
        flags: Flags = self.level == 0
        return flags


def moved_items(around: Surroundings) -> Ints:
    """All constituents that have a sister on their left, but for punctuation."""
    items = around.items
    marks = items.stream.labels.punctuation
    is_mark = items.is_word & np.isin(items.coarse, _numbers(marks))
    return np.flatnonzero((items.before >= 0) & ~is_mark)


def sites(around: Surroundings, moved: Ints) -> tuple[Sites, list[Words64]]:
    """The sites of some constituents, and the contexts of each."""
    items = around.items
    near, far, inner = items.before, items.after, items.last_child
    owner, beside = items.parent[moved], near[moved]
    is_pair = (
        (items.children[owner] == 2)
        & (items.label[beside] == items.label[owner])
        & ~items.is_word[beside]
    )
    columns: list[tuple[Ints, Ints, Ints, Ints, Ints]] = []
    every = np.arange(moved.size)
    # annotated: what it is described as, and the sister that it would follow
    described = np.where(is_pair, beside, owner)
    follows = np.where(is_pair, inner[beside], beside)
    columns.append((every, np.zeros(moved.size, np.int64), owner, described, follows))
    below = np.where(is_pair, inner[beside], beside)
    index = every
    for level in range(1, _LOWER + 1):
        is_phrase = ~items.is_word[below]
        index, below = index[is_phrase], below[is_phrase]
        depth = np.full(index.size, -level)
        columns.append((index, depth, below, below, inner[below]))
        below = inner[below]
    above, last = owner, moved
    index = every
    for level in range(1, _HIGHER + 1):
        is_open = (far[last] < 0) & (items.parent[above] >= 0)
        index, last = index[is_open], above[is_open]
        above = items.parent[last]
        depth = np.full(index.size, level)
        columns.append((index, depth, above, above, last))
    which, level_, site, shown, after = (
        np.concatenate(column) for column in zip(*columns, strict=True)
    )
    _, order = in_order(which * (_LOWER + _HIGHER + 1) + level_ + _LOWER)
    which, level_, site, shown, after = (
        column[order] for column in (which, level_, site, shown, after)
    )
    start = np.searchsorted(which, every)
    rank = np.arange(which.size) - start[which]  # from the lowest site up
    found = Sites(moved[which], site, level_, is_pair[which])
    return found, _around_sites(around, found, rank, shown, after)


def _around_sites(
    around: Surroundings, sites: Sites, rank: Ints, shown: Ints, after: Ints
) -> list[Words64]:
    items, tag = around.items, around.coarse_tag
    item = sites.item
    edge = items.first[item]
    head = items.head[shown]
    # A head within the constituent itself says nothing about the site without it.
    is_within = (items.first[item] <= head) & (head < items.last[item])
    head = np.where(is_within, items.head[after], head)
    label = items.label_key[shown]
    up = items.at(items.label_key, items.parent[sites.site])
    own, last_ = items.label_key[item], items.coarse_key[after]
    earlier = items.at(items.coarse_key, items.before[after])
    word, first_tag = around.lower[edge], tag[edge]
    own_head = around.lower[items.head[item]]
    head_word, head_tag = around.lower[head], tag[head]
    border = around.shift(tag, edge, -1)
    next_ = around.shift(tag, items.last[item] - 1, 1)
    distance = np.searchsorted(_FAR, np.abs(edge - head), side="right")
    low = np.minimum(rank, 3)
    return [
        context(label, last_, own),
        context(label, last_, earlier, own),
        context(label, up, own, word),
        context(label, own, word, head_tag),
        context(head_word, own, word),
        context(head_word, own, label),
        context(label, own, own_head),
        context(label, own, first_tag, border),
        context(own, word, low),
        context(label, own, distance, low),
        context(label, up, last_, own),
        context(label, last_, own, next_, low),
        context(head_tag, own, low, first_tag),
        context(label, head_tag, own_head, own),
        context(label, last_, own, first_tag, border, low),
        context(label, up, own, border, low),
    ]


def _numbers(names: frozenset[str]) -> list[int]:
    return [SYMBOLS.id(name) for name in names]


def attached_elsewhere(around: Surroundings, item: Ints, site: Ints) -> Flags:
    """Whether constituents attach to such a site elsewhere, and never as they do here.

    Elsewhere: the same words, between the same neighbours, with the same label.
    """
    if not item.size:
        return np.zeros(0, np.bool_)
    items = around.items
    words = items.stream.hashed(items.first, items.last)
    key = mix(words) ^ items.label_key.astype(np.int64).view(np.uint64)
    asked = np.unique(key[item])
    place = np.searchsorted(asked, key)
    alike = np.flatnonzero(asked[np.minimum(place, asked.size - 1)] == key)
    mothers = items.at(items.label, items.parent[alike])
    most = int(items.label.max(initial=0)) + 2
    pairs, times = np.unique(place[alike] * most + mothers + 1, return_counts=True)

    def count(label: Ints) -> Ints:
        wanted = place[item] * most + label + 1
        at = np.minimum(np.searchsorted(pairs, wanted), pairs.size - 1)
        return np.where(pairs[at] == wanted, times[at], 0)

    mother, other = items.at(items.label, items.parent[item]), items.label[site]
    found: Flags = (count(mother) == 1) & (count(other) > 0) & (mother != other)
    return found


def rivals(sites: Sites, score: Floats) -> tuple[Ints, Floats]:
    """For each annotated row, the row of the best other site of its constituent.

    -1 where there is no other; with it how much better the other one is.
    """
    start = np.flatnonzero(begins(sites.item))
    mine = np.flatnonzero(sites.is_annotated)
    others = np.where(sites.is_annotated, -np.inf, score)
    best = np.maximum.reduceat(others, start)
    group = np.repeat(np.arange(start.size), np.diff(np.append(start, others.size)))
    is_best = (others == best[group]) & ~sites.is_annotated
    rows = np.flatnonzero(is_best)
    row = np.full(start.size, NONE, np.int64)
    row[group[rows[::-1]]] = rows[::-1]
    return row, best - score[mine]
