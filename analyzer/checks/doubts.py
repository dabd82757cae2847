"""Choices that the experts, who have seen all others, would make otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.checks import choices as of
from analyzer.checks.attachments import (
    Sites,
    attached_elsewhere,
    moved_items,
    rivals,
    sites,
)
from analyzer.checks.candidates import (
    Candidate,
    chain_edit,
    chain_items,
    place,
)
from analyzer.checks.experts import (
    Pieces,
    Singles,
    judged,
    pieces,
    recurring,
    verdict,
)
from analyzer.checks.findings import Edit, LeafSpan
from analyzer.checks.mothers import rarity
from analyzer.checks.surroundings import Surroundings
from analyzer.model.arrays import Floats, Ints
from analyzer.model.symbols import SYMBOLS

_LEAST_MARGIN = 0.5
_NO_HABIT = 10  # places that nobody doubts, counted beside the real ones
_BACKED = 3  # margin from which the same words elsewhere count in full
_MOST = 0.06  # of the choices of a task that may be doubted


def check_choices(around: Surroundings, task: str) -> list[Candidate]:
    """T502, M601, M602, M603 or F702, by the task."""
    if not around.items.size:
        return []
    if task == "attachment":
        return list(_attachments(around))
    maker = {
        "tag": of.tags,
        "label": of.phrases,
        "word": of.word_phrases,
        "function": of.functions,
    }[task]
    made = maker(around)
    if not made.item.size or len(made.names) < 2:
        return []
    known = recurring(made.contexts)
    found = verdict(judged(known, made.chosen, len(made.names)), made.chosen)
    rows = _strongest(np.where(found.rival > 0, found.margin, -1))
    columns = zip(
        made.item[rows].tolist(),
        found.margin[rows].tolist(),
        habits(made.value, found.margin)[rows].tolist(),
        (made.names[rival] for rival in found.rival[rows].tolist()),
        strict=True,
    )
    listed = [_Doubted(*one) for one in columns]
    if task == "tag":
        return list(_tags(around, listed))
    if task == "function":
        return [_function(around, one) for one in listed]
    return list(_chains(around, listed))


class _Doubted(NamedTuple):
    """A choice that the experts would make otherwise."""

    item: int
    margin: float
    habit: float
    expected: str


def habits(value: Ints, margin: Singles) -> Floats:
    """Of the other places with the same value, how many are doubted too.

    What the experts doubt wherever it occurs is a habit of the treebank that they do
    not grasp, and no slip. Some places that nobody doubts are counted in addition: a
    few slips that are alike are no habit.

    >>> habits(np.array([0, 0, 0, 1]), np.array([3, 2, -1, 1], np.float32)).round(2)
    array([0.08, 0.08, 0.17, 0.  ])
    """
    times = np.bincount(value)
    doubted = np.bincount(value, margin > 0, minlength=times.size)
    others = doubted[value] - (margin > 0)
    share: Floats = others / (times[value] - 1 + _NO_HABIT)
    return share


def _tags(around: Surroundings, doubted: Sequence[_Doubted]) -> Iterator[Candidate]:
    """T502, with what the word is elsewhere."""
    items = around.items
    rare = rarity(around.tag)
    used = int(around.tag.max(initial=0)) + 1
    _, lower = np.unique(around.lower, return_inverse=True)
    pairs, times = np.unique(lower * used + around.tag, return_counts=True)

    def count(word: int, tag: int) -> int:
        pair = int(lower[word]) * used + tag
        at = int(np.searchsorted(pairs, pair))
        return int(times[at]) if at < pairs.size and pairs[at] == pair else 0

    for item, margin, habit, expected in doubted:
        word = int(items.first[item])
        tag = SYMBOLS.name(int(around.tag[word]))
        mine = count(word, int(around.tag[word]))
        other = count(word, SYMBOLS.id(expected))
        here = place(items, item)
        yield Candidate(
            "T502",
            (margin, float(np.log((other + 0.5) / mine)), float(rare[word]), habit),
            (here,),
            (item,),
            f"{tag} here, {expected} expected; this word is {tag} {mine:,}x, "
            f"{expected} {other:,}x",
            f"tag: {' | '.join(sorted([tag, expected]))}",
            Edit("retag", int(items.row[item]), label=expected),
            now=tag,
        )


def _chains(around: Surroundings, doubted: Sequence[_Doubted]) -> Iterator[Candidate]:
    """M601, M602: unary chains of phrases."""
    items = around.items
    rare = np.zeros(items.size)
    phrase = np.flatnonzero(~items.is_word)
    rare[phrase] = rarity(items.label[phrase])
    for item, margin, habit, expected in doubted:
        name = around.chain_name(item)
        nodes = chain_items(around, item)
        is_relabelling = name.count("/") == expected.count("/") and name and expected
        most = max((float(rare[node]) for node in nodes), default=0.0)
        names = [one or "no phrase" for one in (name, expected)]
        yield Candidate(
            "M601" if is_relabelling else "M602",
            (margin, most, habit),
            (place(items, item),),
            (*nodes, item),
            f"{names[0]} here, {names[1]} expected",
            f"model: {' | '.join(sorted(names))}",
            chain_edit(around, item, expected),
            now=names[0],
        )


def _function(around: Surroundings, doubted: _Doubted) -> Candidate:
    items = around.items
    item, margin, habit, expected = doubted
    row = int(items.row[item])
    label = items.stream.bank.label_name(row)
    now = "-".join(items.stream.labels.function_tags(label))
    names = [one or "none" for one in (now, expected)]
    return Candidate(
        "F702",
        (margin, habit),
        (place(items, item),),
        (item,),
        f"{label}: function {names[0]} here, {names[1]} expected",
        f"function: {' | '.join(sorted(names))}",
        Edit("functions", row, label=expected),
        now=label,
    )


def _attachments(around: Surroundings) -> Iterator[Candidate]:
    """M603."""
    items = around.items
    moved = moved_items(around)
    if not moved.size:
        return
    parts: list[Sites] = []
    known = recurring(_contexts_of_sites(around, moved, parts))
    found = Sites(*map(np.concatenate, zip(*parts, strict=True)))
    parts.clear()
    chances = judged(known, found.is_annotated.astype(np.int64), 2)
    rival, margin = rivals(found, (chances[:, 1] - chances[:, 0]).astype(float))
    mine = np.flatnonzero(found.is_annotated)
    adjoins = _adjoining(around, found)
    rows = _strongest(np.where(rival >= 0, margin, -1))
    elsewhere = attached_elsewhere(
        around, found.item[mine[rows]], found.site[rival[rows]]
    )
    # Words alone do not raise a doubt: what was hardly one would be a finding at once.
    backing = elsewhere * np.minimum(1, margin[rows] / _BACKED)
    for number, row in enumerate(rows.tolist()):
        item, other = int(found.item[mine[row]]), int(found.site[rival[row]])
        owner = int(items.parent[item])
        own, label, site = (
            SYMBOLS.name(int(items.label[one])) for one in (item, owner, other)
        )
        is_lower = found.level[rival[row]] < 0
        adjoin = is_lower and adjoins.get(
            (int(items.label[other]), int(items.label[item])), False
        )
        first, last = items.first[other], items.last[other]
        end = last if is_lower else items.first[item]
        words = items.stream.bank.forms(items.stream.kept[max(first, end - 3) : end])
        # The bracket that would change: the site if it is lower, else the owner.
        changed = other if is_lower else owner
        before, here = place(items, changed), place(items, item)
        ends = here.last if is_lower else here.first
        after = LeafSpan(before.tree, before.first, ends)  # what it would span then
        yield Candidate(
            "M603",
            (float(margin[row]), float(backing[number])),
            (here, before, after),
            (item, owner, other),
            f"{own} in {label}, expected in {'lower' if is_lower else 'higher'} "
            f"{site} (… {' '.join(words)})",
            f"model: {own} in {label} | {site}",
            Edit(
                "move",
                int(items.row[item]),
                int(items.row[other]),
                site if adjoin else "",
            ),
            now=f"{own} in {label}",
        )


def _contexts_of_sites(around: Surroundings, moved: Ints, found: list[Sites]) -> Pieces:
    """The contexts of all sites, some constituents at a time; sites go to `found`."""
    for some in pieces(moved):
        its_sites, contexts = sites(around, some)
        found.append(its_sites)
        yield contexts


def _adjoining(around: Surroundings, found: Sites) -> dict[tuple[int, int], bool]:
    """Whether a treebank puts a bracket of its own around a phrase and what joins it.

    By the labels of the phrase and of what joins it.
    """
    items = around.items
    rows = np.flatnonzero(found.is_annotated)
    counts: dict[tuple[int, int], list[int]] = {}
    labels = zip(
        items.label[found.site[rows]].tolist(),
        items.label[found.item[rows]].tolist(),
        found.is_pair[rows].tolist(),
        strict=True,
    )
    for site, own, is_pair in labels:
        counts.setdefault((site, own), [0, 0])[is_pair] += 1
    return {key: pairs > flat for key, (flat, pairs) in counts.items()}


def _strongest(margin: Floats) -> Ints:
    rows = np.flatnonzero(margin > _LEAST_MARGIN)
    order = rows[np.argsort(-margin[rows], kind="stable")]
    return order[: max(20, int(_MOST * margin.size))]
