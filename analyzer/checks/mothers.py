"""A phrase whose children, in this place, always have another mother.

The labels of the children and that of the grandparent nearly fix a phrase's own. Where
they do, and one phrase is labelled otherwise, it is wrong more often than any other
finding that needs no words to recur.
"""

from __future__ import annotations

import math

import numpy as np

from analyzer.checks.candidates import Candidate, chain_items, listed, place
from analyzer.checks.experts import context
from analyzer.checks.findings import Analysis, Edit
from analyzer.checks.items import Items
from analyzer.checks.surroundings import Surroundings
from analyzer.model.arrays import Floats, Ints, begins, mix, number_densely, powers
from analyzer.model.symbols import SYMBOLS

_LEAST, _MOST_RARE = 5, 0.1
_SURE = 5.5  # log of a majority that leaves little doubt
_COMMON = 8.0  # log of how many labels there are to one of its kind: more is rare


def rarity(labels: Ints) -> Floats:
    """How much rarer a label is than one in three thousand, as a logarithm.

    A label that occurs once or twice in a large treebank is a slip of the keyboard.
    """
    used, which = number_densely(labels)
    times = np.bincount(which, minlength=used.size)
    rare: Floats = np.maximum(0, np.log(labels.size / times) - _COMMON)[which]
    return rare


def child_sequences(items: Items) -> Ints:
    """A hash of the labels of each item's children, in order."""
    order = np.argsort(items.parent, kind="stable")
    order = order[items.parent[order] >= 0]
    above = items.parent[order]
    starts = np.flatnonzero(begins(above))
    sizes = np.diff(np.append(starts, above.size))
    position = np.arange(above.size) - np.repeat(starts, sizes)
    power = powers(int(position.max(initial=0)) + 1)[position]
    value = mix(items.coarse[order].astype(np.uint64)) * power
    total = np.zeros(items.size, np.uint64)
    if above.size:
        total[above[starts]] = np.add.reduceat(value, starts)
    return total.view(np.int64)


def check_mothers(around: Surroundings) -> list[Candidate]:
    """M604."""
    items = around.items
    phrase = np.flatnonzero(~items.is_word)
    if not phrase.size:
        return []
    up = items.at(items.label, items.parent[phrase])
    inside = child_sequences(items)[phrase]
    _, key = np.unique(context(inside, up), return_inverse=True)
    label = items.label[phrase]
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
        & (size[key] >= _LEAST)
        & (mine <= _MOST_RARE * size[key])
        & (often[key] >= (1 - _MOST_RARE) * size[key])
    )
    rare = rarity(label)
    found = []
    for at in np.flatnonzero(odd).tolist():
        item, count = int(phrase[at]), int(mine[at])
        many, other = int(often[key[at]]), SYMBOLS.name(int(usual[key[at]]))
        name = SYMBOLS.name(int(label[at]))
        here = place(items, item)
        children = " ".join(_child_names(items, item))
        above = SYMBOLS.name(int(up[at])) if up[at] >= 0 else "the root"
        counts = listed([(other, many), (name, count)])
        found.append(
            Candidate(
                "M604",
                (
                    math.log(many / count),
                    max(0.0, math.log(many / count) - _SURE),
                    float(rare[at]),
                ),
                (here,),
                (item, *_chain(around, item)),
                f"{name} over {children} in {above}; elsewhere {counts}",
                f"model: {name} | {other}",
                Edit("relabel", int(items.row[item]), label=other),
                (Analysis(other, many, ()), Analysis(name, count, (here,))),
                name,
            )
        )
    return found


def _child_names(items: Items, item: int) -> list[str]:
    names, child = [], int(items.first_child[item])
    while child >= 0:
        names.append(SYMBOLS.name(int(items.coarse[child])))
        child = int(items.after[child])
    return names


def _chain(around: Surroundings, item: int) -> list[int]:
    base = item
    while around.items.children[base] == 1:
        base = int(around.items.first_child[base])
    return chain_items(around, base)
