"""Choices that a model which has seen all others would make otherwise.

And one that needs no model: the labels of the children and that of the grandparent
nearly fix a phrase's own (M604).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from analyzer.checks import contexts
from analyzer.checks.contexts import Choices, Sites
from analyzer.checks.findings import Analysis, Edit, LeafSpan, Suspect
from analyzer.checks.leave_one_out import (
    Pieces,
    Singles,
    as_evidence,
    best_sites,
    context,
    numbered,
    pieces,
    support,
    verdict,
)
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import check
from analyzer.checks.variation import listed, pair_name
from analyzer.model.arrays import Floats, Ints, begins, number_densely, run_hashes
from analyzer.model.symbols import SYMBOLS

_LEAST_MARGIN = 0.5
_NO_HABIT = 10  # places that nobody doubts, counted beside the real ones
_MOST = 0.06  # of the choices of a kind that may be doubted
_LEAST_CHILDREN, _MOST_RARE = 5, 0.1  # occurrences of children; of them a rare label
_COMMON = 8.0  # log of how many labels there are to one of its kind: more is rare


# The evidence of a model: the margin, what of it is beyond, and what each context says
# by itself (`leave_one_out.support`).
_OF_MODEL = "margin far agreeing unattested attested strongest"


class Doubt(NamedTuple):
    """A choice that the model would make otherwise."""

    node: int
    evidence: tuple[float, ...]
    habit: float
    expected: str


def _doubted(choices: Choices) -> Iterator[Doubt]:
    """Choices that the model would make otherwise, those that it doubts most first."""
    if not choices.node.size or len(choices.names) < 2:
        return
    known, classes = numbered(choices.contexts), len(choices.names)
    rival, margin = verdict(known, choices.chosen, classes)
    rows = _strongest(np.where(rival > 0, margin, -1))
    contexts = support(known, choices.chosen, classes, rows, rows, rival[rows])
    habit = habits(choices.value, margin)[rows].tolist()
    for at, (row, of_contexts) in enumerate(
        zip(rows.tolist(), contexts.tolist(), strict=True)
    ):
        evidence = *as_evidence(float(margin[row])), *of_contexts
        name = choices.names[int(rival[row])]
        yield Doubt(int(choices.node[row]), evidence, habit[at], name)


def _strongest(margin: Floats) -> Ints:
    rows = np.flatnonzero(margin > _LEAST_MARGIN)
    order = rows[np.argsort(-margin[rows], kind="stable")]
    return order[: max(20, int(_MOST * margin.size))]


def habits(value: Ints, margin: Singles) -> Floats:
    """Of the other places with the same value, how many are doubted too.

    What the model doubts wherever it occurs is a habit of the treebank that it does
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


def rarity(labels: Ints) -> Floats:
    """How much rarer a label is than one in three thousand, as a logarithm.

    A label that occurs once or twice in a large treebank is a slip of the keyboard.
    """
    used, which = number_densely(labels)
    times = np.bincount(which, minlength=used.size)
    rare: Floats = np.maximum(0, np.log(labels.size / times) - _COMMON)[which]
    return rare


# Of words: log of how often they have the other tag to this one, of how often they have
# this one, of how often either; whether never the other one, whether once this one.
@check(
    "T502",
    "a tag that contradicts the rest of the treebank",
    kind="tag",
    evidence=f"{_OF_MODEL} habit rare word_odds word_so word_either never once",
    cost=4,
)
def tags(nodes: Nodes) -> Iterator[Suspect]:
    doubted = list(_doubted(contexts.tags(nodes)))
    if not doubted:
        return
    tag, rare = nodes.tag, rarity(nodes.tag)
    used = int(tag.max()) + 1
    _, lower = np.unique(nodes.lower, return_inverse=True)
    pairs, times = np.unique(lower * used + tag, return_counts=True)

    def count(word: int, tag: int) -> int:
        pair = int(lower[word]) * used + tag
        at = int(np.searchsorted(pairs, pair))
        return int(times[at]) if at < pairs.size and pairs[at] == pair else 0

    for node, evidence, habit, expected in doubted:
        word, name = int(nodes.first[node]), nodes.label_name(node)
        mine, other = count(word, int(tag[word])), count(word, SYMBOLS.id(expected))
        word_odds = math.log((other + 0.5) / mine)
        yield Suspect(
            "T502",
            (nodes.place(node),),
            f"{name} here, {expected} expected; this word is {name} {mine:,}x, "
            f"{expected} {other:,}x",
            pair_name("tag", [name, expected]),
            evidence=(
                *evidence,
                habit,
                float(rare[word]),
                word_odds,
                math.log(mine),
                math.log(mine + other),
                float(other == 0),
                float(mine == 1),
            ),
            nodes=(node,),
            edit=Edit("retag", int(nodes.row[node]), label=expected),
            now=name,
        )


of_phrases = partial(
    check,
    kind="model",
    evidence=f"{_OF_MODEL} habit rare length",
    explained_by_tag=True,
)


@of_phrases("M601", "a label that contradicts the rest of the treebank", cost=5)
@of_phrases("M602", "a bracket too many or missing, judged by the rest of the treebank")
def chains(nodes: Nodes) -> Iterator[Suspect]:
    """Unary chains of phrases, over phrases and over words."""
    rare = np.zeros(nodes.size)
    phrase = np.flatnonzero(~nodes.is_word)
    rare[phrase] = rarity(nodes.label[phrase])
    for choices in (contexts.phrases, contexts.word_phrases):
        for node, evidence, habit, expected in _doubted(choices(nodes)):
            place = nodes.place(node)
            name, chain = nodes.chain_name(node), nodes.chain_over(node)
            is_relabelling = (
                name.count("/") == expected.count("/") and name and expected
            )
            names = [label or "no phrase" for label in (name, expected)]
            yield Suspect(
                "M601" if is_relabelling else "M602",
                (place,),
                f"{names[0]} here, {names[1]} expected",
                pair_name("model", names),
                evidence=(
                    *evidence,
                    habit,
                    max(rare[chain].tolist(), default=0.0),
                    math.log(place.last - place.first + 1),
                ),
                nodes=(*chain, node),
                edit=nodes.chain_edit(node, expected),
                now=names[0],
            )


@check(
    "F702",
    "function tags that contradict the rest of the treebank",
    kind="function",
    evidence=f"{_OF_MODEL} habit",
    cost=2,
)
def functions(nodes: Nodes) -> Iterator[Suspect]:
    for node, evidence, habit, expected in _doubted(contexts.functions(nodes)):
        row = int(nodes.row[node])
        label = nodes.stream.bank.label_name(row)
        now = contexts.function_tags(nodes, row)
        names = [tag or "none" for tag in (now, expected)]
        yield Suspect(
            "F702",
            (nodes.place(node),),
            f"{label}: function {names[0]} here, {names[1]} expected",
            pair_name("function", names),
            evidence=(*evidence, habit),
            nodes=(node,),
            edit=Edit("functions", row, label=expected),
            now=label,
        )


# Beside that of the model: whether the same words attach so elsewhere.
@check(
    "M603",
    "an attachment that contradicts the rest of the treebank",
    kind="model",
    evidence=f"{_OF_MODEL} elsewhere",
    cost=6,
)
def attachments(nodes: Nodes) -> Iterator[Suspect]:
    moved = contexts.movable(nodes)
    if not moved.size:
        return
    parts: list[Sites] = []
    known = numbered(_contexts_of_sites(nodes, moved, parts))
    sites = Sites(*map(np.concatenate, zip(*parts, strict=True)))
    parts.clear()
    rival, margin = best_sites(known, sites.node, sites.is_annotated)
    rows = _strongest(np.where(rival >= 0, margin, -1))
    rival, margin = rival[rows], margin[rows]
    movers, others = sites.node[sites.is_annotated][rows], sites.site[rival]
    elsewhere = contexts.attached_elsewhere(nodes, movers, others).tolist()
    annotated, is_there = np.flatnonzero(sites.is_annotated)[rows], np.ones_like(rival)
    chosen = sites.is_annotated.astype(np.int64)
    of_contexts = support(known, chosen, 2, annotated, rival, is_there).tolist()
    adjoins = _adjoining(nodes, sites)
    columns = movers.tolist(), others.tolist(), (sites.level[rival] < 0).tolist()
    for at, (node, other, is_lower) in enumerate(zip(*columns, strict=True)):
        owner = int(nodes.parent[node])
        own, label, site = map(nodes.label_name, (node, owner, other))
        adjoin = is_lower and adjoins.get((site, own), False)
        end = int(nodes.last[other] if is_lower else nodes.first[node])
        start = max(int(nodes.first[other]), end - 3)
        words = nodes.stream.bank.forms(nodes.stream.kept[start:end])
        # The bracket that would change: the site if it is lower, else the owner.
        before, here = nodes.place(other if is_lower else owner), nodes.place(node)
        ends = here.last if is_lower else here.first
        after = LeafSpan(before.tree, before.first, ends)  # what it would span then
        rows_of_both = int(nodes.row[node]), int(nodes.row[other])
        yield Suspect(
            "M603",
            (here, before, after),
            f"{own} in {label}, expected in {'lower' if is_lower else 'higher'} "
            f"{site} (… {' '.join(words)})",
            f"model: {own} in {label} | {site}",
            evidence=(
                *as_evidence(float(margin[at])),
                *of_contexts[at],
                float(elsewhere[at]),
            ),
            nodes=(node, owner, other),
            edit=Edit("move", *rows_of_both, site if adjoin else ""),
            now=f"{own} in {label}",
        )


# Beside that of the model: how many sisters, and how many such runs a phrase has.
@check(
    "M605",
    "sisters that are a phrase of their own in the rest of the treebank",
    kind="model",
    evidence=f"{_OF_MODEL} habit length alike",
    cost=3,
)
def missing_brackets(nodes: Nodes) -> Iterator[Suspect]:
    runs, choices = contexts.runs(nodes)
    owner = nodes.parent[runs.start]
    labels = _usual(runs.kind[runs.is_phrase], nodes.label[owner[runs.is_phrase]])
    doubted = [
        choice for choice in _doubted(choices) if not runs.is_phrase[choice.node]
    ]
    alike = Counter(int(owner[choice.node]) for choice in doubted)
    for row, evidence, habit, _ in doubted:
        above, start, end = (
            int(column[row]) for column in (owner, runs.start, runs.end)
        )
        sisters = nodes.children_of(above)
        sisters = sisters[sisters.index(start) : sisters.index(end) + 1]
        place = nodes.place(start)._replace(last=nodes.place(end).last)
        label = SYMBOLS.name(labels[int(runs.kind[row])])
        children = " ".join(map(SYMBOLS.name, nodes.coarse[sisters].tolist()))
        yield Suspect(
            "M605",
            (place,),
            f"{children} in {nodes.label_name(above)}, a phrase of their own expected: "
            f"{label}",
            pair_name("model", ["no phrase", label]),
            evidence=(
                *evidence,
                habit,
                math.log(len(sisters)),
                math.log(alike[above]),
            ),
            nodes=(*sisters, above),
            edit=Edit("add", int(nodes.row[start]), int(nodes.row[end]), label),
            now="no phrase",
        )


def _usual(key: Ints, value: Ints) -> dict[int, int]:
    """For each key its most frequent value."""
    most = int(value.max(initial=0)) + 1
    pairs, times = np.unique(key * most + value, return_counts=True)
    pairs = pairs[np.argsort(times, kind="stable")]
    return dict(zip((pairs // most).tolist(), (pairs % most).tolist(), strict=True))


def _contexts_of_sites(nodes: Nodes, moved: Ints, parts: list[Sites]) -> Pieces:
    """The contexts of all sites, some constituents at a time; sites go to `parts`."""
    for some in pieces(moved):
        sites, its_contexts = contexts.sites(nodes, some)
        parts.append(sites)
        yield its_contexts


def _adjoining(nodes: Nodes, sites: Sites) -> dict[tuple[str, str], bool]:
    """Whether a treebank puts a bracket of its own around a phrase and what joins it.

    By the labels of the phrase and of what joins it.
    """
    rows = np.flatnonzero(sites.is_annotated)
    labels = (nodes.label[column[rows]].tolist() for column in (sites.site, sites.node))
    counts: dict[tuple[int, int], list[int]] = {}
    for site, own, is_pair in zip(*labels, sites.is_pair[rows].tolist(), strict=True):
        counts.setdefault((site, own), [0, 0])[is_pair] += 1
    return {
        (SYMBOLS.name(site), SYMBOLS.name(own)): pairs > flat
        for (site, own), (flat, pairs) in counts.items()
    }


# The margin is the log of the majority to this label.
@check(
    "M604",
    "a label that these children never have here",
    kind="model",
    evidence="margin far rare",
    cost=1,
)
def parent_labels(nodes: Nodes) -> Iterator[Suspect]:
    """A phrase whose children, in this place, always have another parent.

    Where children and grandparent fix the label and one phrase is labelled otherwise,
    it is wrong more often than any other finding that needs no words to recur.
    """
    phrase = np.flatnonzero(~nodes.is_word)
    if not phrase.size:
        return
    up = nodes.at(nodes.label, nodes.parent[phrase])
    inside = _child_sequences(nodes)[phrase]
    _, key = np.unique(context(inside, up), return_inverse=True)
    label = nodes.label[phrase]
    used, which = number_densely(label)
    pairs, pair, times = np.unique(
        key * used.size + which, return_inverse=True, return_counts=True
    )
    of_key = pairs // used.size
    order = np.lexsort((pairs, times, of_key))
    last = np.append(of_key[order][1:] != of_key[order][:-1], True)
    top = order[last]  # per key: its most frequent pair
    size = np.bincount(key)
    often, usual = times[top], used[pairs[top] % used.size]
    mine = times[pair]
    odd = (
        (pair != top[key])
        & (size[key] >= _LEAST_CHILDREN)
        & (mine <= _MOST_RARE * size[key])
        & (often[key] >= (1 - _MOST_RARE) * size[key])
    )
    rare = rarity(label)
    for at in np.flatnonzero(odd).tolist():
        node, count, many = int(phrase[at]), int(mine[at]), int(often[key[at]])
        name, other = nodes.label_name(node), SYMBOLS.name(int(usual[key[at]]))
        here = nodes.place(node)
        coarse = nodes.coarse[nodes.children_of(node)].tolist()
        above = SYMBOLS.name(int(up[at])) if up[at] >= 0 else "the root"
        counts = listed([(other, many), (name, count)])
        yield Suspect(
            "M604",
            (here,),
            f"{name} over {' '.join(map(SYMBOLS.name, coarse))} in {above}; "
            f"elsewhere {counts}",
            f"model: {name} | {other}",
            evidence=(*as_evidence(math.log(many / count)), float(rare[at])),
            nodes=(node, *nodes.chain_over(nodes.base_of(node))),
            edit=Edit("relabel", int(nodes.row[node]), label=other),
            analyses=(Analysis(other, many, ()), Analysis(name, count, (here,))),
            now=name,
        )


def _child_sequences(nodes: Nodes) -> Ints:
    """A hash of the labels of each node's children, in order."""
    order = np.argsort(nodes.parent, kind="stable")
    order = order[nodes.parent[order] >= 0]
    above = nodes.parent[order]
    starts = np.flatnonzero(begins(above))
    total = np.zeros(nodes.size, np.uint64)
    total[above[starts]] = run_hashes(nodes.coarse[order], starts)
    return total.view(np.int64)
