"""Productions that no pattern covers, and the one child that would make them fit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np

from analyzer.checks.findings import Analysis, Finding, LeafSpan
from analyzer.checks.word_stream import WordStream
from analyzer.constructions.inventory import Child
from analyzer.constructions.labeller import Labeller, Production
from analyzer.derivation.columns import Derivation
from analyzer.model.arrays import Ints

_PLACES_KEPT = 50
_CANDIDATES = 40  # children tried as replacement or insertion, most frequent first
# Children looked at in the search for one production: enough for all edits of one with
# 150 children. With more, the cost would grow with their square.
_MOST_TRIED = 2_000_000
# A production without a pattern may be the inventory's fault, so it is trusted less
# than a contradiction.
_TRUST_NEAR, _TRUST_FAR = 0.12, 0.05

Children = tuple[Child, ...]


class Edit(NamedTuple):
    """A change of one child after which a pattern matches."""

    text: str
    production: str
    pattern: str
    seen: int  # how often the changed production occurs
    cost: int  # 0 relabel, 1 delete, 2 insert: what slips are made of, likely first


def check_productions(
    stream: WordStream, derivation: Derivation, labeller: Labeller
) -> list[Finding]:
    """P201, P202: uncovered productions, rare ones first."""
    productions = list(labeller.coverage)
    counts = np.bincount(derivation.production, minlength=len(productions))
    seen: Counter[tuple[str, Children]] = Counter()
    sizes: set[tuple[str, int]] = set()  # of productions that are seen
    below: dict[str, Counter[Child]] = {}
    for one, count in zip(productions, counts.tolist(), strict=True):
        parent, children, is_covered = one
        if is_covered:
            seen[parent, children] += count
            sizes.add((parent, len(children)))
            here = below.setdefault(parent, Counter())
            for child in children:
                here[child] += count
    number_of = derivation.production
    odd = np.flatnonzero(~derivation.is_covered)
    order = odd[np.argsort(number_of[odd], kind="stable")]
    numbers, starts = np.unique(number_of[order], return_index=True)
    ends = np.append(starts[1:], order.size)[: starts.size]
    found = []
    for number, start, end in zip(
        numbers.tolist(), starts.tolist(), ends.tolist(), strict=True
    ):
        rows = order[start:end]
        production = labeller.label(*productions[number][:2])
        known = [
            child
            for child, _ in below.get(production.parent, Counter()).most_common(
                _CANDIDATES
            )
        ]
        size = len(production.children)
        is_like_seen = any(
            (production.parent, size + more) in sizes for more in (-1, 0, 1)
        )
        edit = nearest_seen(production, labeller, seen, known) if is_like_seen else None
        edit = edit or first_that_fits(production, labeller, known)
        is_complete = _are_all_tried(production, known)
        found.append(
            _finding(stream, production, edit, derivation.row[rows], is_complete)
        )
    return found


def nearest_seen(
    production: Production,
    labeller: Labeller,
    seen: Counter[tuple[str, Children]],
    known: list[Child],
) -> Edit | None:
    """The one-child edit that leads to the most frequent production of the treebank."""
    parent = production.parent
    best: Edit | None = None
    for text, children, cost in _edits(production.children, known):
        times = seen.get((parent, children), 0)
        if times and (best is None or (times, -cost) > (best.seen, -best.cost)):
            name = labeller.label(parent, children).construction
            best = Edit(text, _written(parent, children), name, times, cost)
    return best


def first_that_fits(
    production: Production, labeller: Labeller, known: list[Child]
) -> Edit | None:
    """The first one-child edit that satisfies a pattern, seen or not.

    Patterns go by class, so a few labels stand for all; deletions come first.
    """
    parent = production.parent
    for text, children, cost in _edits(production.children, known):
        matches = labeller.inventory.matches(parent, children)
        if matches:
            return Edit(text, _written(parent, children), matches[0][0].name, 0, cost)
    return None


def _edits(
    children: Children, known: list[Child]
) -> Iterator[tuple[str, Children, int]]:
    """All edits of one child: deletions, relabellings, insertions; not too many."""
    return islice(_all_edits(children, known), _MOST_TRIED // (len(children) + 1))


def _all_edits(
    children: Children, known: list[Child]
) -> Iterator[tuple[str, Children, int]]:
    for at, child in enumerate(children):
        if len(children) > 1:
            rest = children[:at] + children[at + 1 :]
            yield f"delete child {at + 1}, {child.label}", rest, 1
    for at, child in enumerate(children):
        for other in known:
            if other != child:
                text = f"relabel child {at + 1}, {child.label}, as {other.label}"
                yield text, (*children[:at], other, *children[at + 1 :]), 0
    for at in range(len(children) + 1):
        for other in known:
            text = f"insert {other.label} as child {at + 1}"
            yield text, (*children[:at], other, *children[at:]), 2


def _are_all_tried(production: Production, known: list[Child]) -> bool:
    size = len(production.children) + 1
    return (2 * len(known) + 1) * size <= _MOST_TRIED // size


def _written(parent: str, children: Children) -> str:
    return f"{parent} -> {' '.join(child.label for child in children)}"


def _finding(
    stream: WordStream,
    production: Production,
    edit: Edit | None,
    rows: Ints,
    is_complete: bool,
) -> Finding:
    bank, times = stream.bank, rows.size
    spans = []
    for row in rows[:_PLACES_KEPT].tolist():
        tree = int(bank.tree_of_node[row])
        start = int(bank.leaf_start[tree])
        spans.append(
            LeafSpan(tree, int(bank.first[row]) - start, int(bank.last[row]) - start)
        )
    first = int(rows[0])
    leaves = range(int(bank.first[first]), int(bank.last[first]))
    analyses = [Analysis(str(production), times, tuple(spans))]
    if edit is None:
        code, confidence = "P202", _TRUST_FAR / times
        message = f"{production}: no pattern is one child away"
        if not is_complete:
            message += ", of those that were tried: it has too many children to try all"
    else:
        code = "P201"
        confidence = _TRUST_NEAR * (edit.seen + 0.5) / (edit.seen + times + 1)
        message = f"{production}: {edit.text} to fit {edit.pattern}"
        if edit.seen:
            analyses.append(Analysis(edit.production, edit.seen, ()))
    return Finding(
        code=code,
        confidence=confidence,
        message=message,
        words=" ".join(bank.form(leaf) for leaf in leaves),
        group=f"pattern: {production}",
        suspects=tuple(spans),
        analyses=tuple(analyses),
    )
