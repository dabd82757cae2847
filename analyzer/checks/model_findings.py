"""Choices that a model which has seen all others would make otherwise.

And one that needs no model: the labels of the children and that of the grandparent
nearly fix a phrase's own (M604).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from analyzer.checks import contexts
from analyzer.checks.contexts import Choices, Sites
from analyzer.checks.findings import Analysis, Edit, LeafSpan, Suspect
from analyzer.checks.leave_one_out import (
    Pieces,
    Singles,
    best_sites,
    context,
    numbered,
    pieces,
    verdict,
)
from analyzer.checks.nodes import Nodes
from analyzer.checks.registry import check
from analyzer.checks.variation import listed, pair_name
from analyzer.model.arrays import Floats, Ints, begins, number_densely, run_hashes
from analyzer.model.symbols import SYMBOLS

_LEAST_MARGIN = 0.5
_NO_HABIT = 10  # places that nobody doubts, counted beside the real ones
_BACKED = 3  # margin from which the same words elsewhere count in full
_MOST = 0.06  # of the choices of a kind that may be doubted
_LEAST_CHILDREN, _MOST_RARE = 5, 0.1  # occurrences of children; of them a rare label
_SURE = 5.5  # log of a majority that leaves little doubt
_COMMON = 8.0  # log of how many labels there are to one of its kind: more is rare


def _doubted(choices: Choices) -> list[tuple[int, float, float, str]]:
    """Choices that the model would make otherwise: node, margin, habit, what then."""
    if not choices.node.size or len(choices.names) < 2:
        return []
    rival, margin = verdict(choices.contexts, choices.chosen, len(choices.names))
    rows = _strongest(np.where(rival > 0, margin, -1))
    columns = (
        choices.node[rows].tolist(),
        margin[rows].tolist(),
        habits(choices.value, margin)[rows].tolist(),
        [choices.names[one] for one in rival[rows].tolist()],
    )
    return list(zip(*columns, strict=True))


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


# Evidence: margin, log of how often the word has the other tag, its rarity, habit
@check(
    "T502",
    "a tag that contradicts the rest of the treebank",
    kind="tag",
    weights=(-4.1, 0.27, 0.18, 0.6, -2.2),
    most_margin=15.0,
    cost=4,
)
def tags(nodes: Nodes) -> Iterator[Suspect]:
    doubted = _doubted(contexts.tags(nodes))
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

    for node, margin, habit, expected in doubted:
        word, name = int(nodes.first[node]), nodes.label_name(node)
        mine, other = count(word, int(tag[word])), count(word, SYMBOLS.id(expected))
        odds = float(np.log((other + 0.5) / mine))
        yield Suspect(
            "T502",
            (nodes.place(node),),
            f"{name} here, {expected} expected; this word is {name} {mine:,}x, "
            f"{expected} {other:,}x",
            pair_name("tag", [name, expected]),
            evidence=(margin, odds, float(rare[word]), habit),
            nodes=(node,),
            edit=Edit("retag", int(nodes.row[node]), label=expected),
            now=name,
        )


# Evidence of both: margin, rarity of the label, habit
@check(
    "M601",
    "a label that contradicts the rest of the treebank",
    kind="model",
    weights=(-3.1, 0.22, 0.4, -2.0),
    most_margin=15.0,
    weakened_by_tag=True,
    explained_by_tag=True,
    cost=5,
)
@check(
    "M602",
    "a bracket too many or missing, judged by the rest of the treebank",
    kind="model",
    weights=(-3.3, 0.3, 0.4, -2.6),
    most_margin=12.0,
    weakened_by_tag=True,
    explained_by_tag=True,
)
def chains(nodes: Nodes) -> Iterator[Suspect]:
    """Unary chains of phrases, over phrases and over words."""
    rare = np.zeros(nodes.size)
    phrase = np.flatnonzero(~nodes.is_word)
    rare[phrase] = rarity(nodes.label[phrase])
    for choices in (contexts.phrases, contexts.word_phrases):
        for node, margin, habit, expected in _doubted(choices(nodes)):
            name, chain = nodes.chain_name(node), nodes.chain_over(node)
            is_relabelling = (
                name.count("/") == expected.count("/") and name and expected
            )
            names = [one or "no phrase" for one in (name, expected)]
            yield Suspect(
                "M601" if is_relabelling else "M602",
                (nodes.place(node),),
                f"{names[0]} here, {names[1]} expected",
                pair_name("model", names),
                evidence=(margin, max(rare[chain].tolist(), default=0.0), habit),
                nodes=(*chain, node),
                edit=nodes.chain_edit(node, expected),
                now=names[0],
            )


# Evidence: margin, habit
@check(
    "F702",
    "function tags that contradict the rest of the treebank",
    kind="function",
    weights=(-3.4, 0.28, -1.2),
    most_margin=15.0,
    cost=2,
)
def functions(nodes: Nodes) -> Iterator[Suspect]:
    for node, margin, habit, expected in _doubted(contexts.functions(nodes)):
        row = int(nodes.row[node])
        label = nodes.stream.bank.label_name(row)
        now = contexts.function_tags(nodes, row)
        names = [one or "none" for one in (now, expected)]
        yield Suspect(
            "F702",
            (nodes.place(node),),
            f"{label}: function {names[0]} here, {names[1]} expected",
            pair_name("function", names),
            evidence=(margin, habit),
            nodes=(node,),
            edit=Edit("functions", row, label=expected),
            now=label,
        )


# Evidence: margin, whether the same words attach so elsewhere (less for small margins)
@check(
    "M603",
    "an attachment that contradicts the rest of the treebank",
    kind="model",
    weights=(-3.9, 0.36, 2.0),
    most_margin=12.0,
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
    elsewhere = contexts.attached_elsewhere(nodes, movers, others)
    # Words alone do not raise a doubt: what was hardly one would be a finding at once.
    backing = elsewhere * np.minimum(1, margin / _BACKED)
    adjoins = _adjoining(nodes, sites)
    evidence = zip(margin.tolist(), backing.tolist(), strict=True)
    for node, other, is_lower, weighed in zip(
        movers.tolist(),
        others.tolist(),
        (sites.level[rival] < 0).tolist(),
        evidence,
        strict=True,
    ):
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
            evidence=weighed,
            nodes=(node, owner, other),
            edit=Edit("move", *rows_of_both, site if adjoin else ""),
            now=f"{own} in {label}",
        )


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
    labels = (nodes.label[one[rows]].tolist() for one in (sites.site, sites.node))
    counts: dict[tuple[int, int], list[int]] = {}
    for site, own, is_pair in zip(*labels, sites.is_pair[rows].tolist(), strict=True):
        counts.setdefault((site, own), [0, 0])[is_pair] += 1
    return {
        (SYMBOLS.name(site), SYMBOLS.name(own)): pairs > flat
        for (site, own), (flat, pairs) in counts.items()
    }


# Evidence: log of majority to this label, what of it is beyond 1 in 250, rarity
@check(
    "M604",
    "a label that these children never have here",
    kind="model",
    weights=(-3.2, 0.5, 0.5, 0.6),
    weakened_by_tag=True,
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
        odds = math.log(many / count)
        yield Suspect(
            "M604",
            (here,),
            f"{name} over {' '.join(map(SYMBOLS.name, coarse))} in {above}; "
            f"elsewhere {counts}",
            f"model: {name} | {other}",
            evidence=(odds, max(0.0, odds - _SURE), float(rare[at])),
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
