"""Slips of nine kinds, planted in real trees: what an annotator's hand does wrong.

One slip a tree at most. A slip's place is what a reader would have to look at: the
words of the bracket whose label, extent or existence changed.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from analyzer.checks.findings import LeafSpan
from analyzer.checks.word_stream import WordStream
from analyzer.formats.reading import read_trees
from analyzer.model.tree import Tree, written
from analyzer.transform.labels import default_labels

LABELS = ["NP", "VP", "PP", "ADVP", "ADJP", "S", "SBAR", "INTJ", "FRAG"]
FUNCTIONS = ["SBJ", "TMP", "LOC", "PRD", "MNR", "PRP", "DIR", "ADV"]
UNARY = ["NP", "ADVP", "ADJP", "VP", "S", "INTJ"]
MOVED = {"PP", "SBAR", "ADVP", "NP", "S", "VP", "ADJP"}
CONFUSED = {
    "NN": ["NNP", "JJ", "VB"],
    "NNP": ["NN"],
    "NNS": ["NNPS", "VBZ"],
    "JJ": ["NN", "RB", "VBN"],
    "RB": ["IN", "JJ"],
    "IN": ["RB", "WDT", "TO"],
    "VB": ["VBP", "NN"],
    "VBP": ["VB"],
    "VBD": ["VBN"],
    "VBN": ["VBD", "JJ"],
    "VBZ": ["NNS", "POS"],
    "VBG": ["NN"],
    "DT": ["IN", "PRP"],
    "PRP": ["PRP$", "DT"],
    "UH": ["RB"],
    "TO": ["IN"],
    "CC": ["IN"],
    "MD": ["VB"],
}


@dataclass(eq=False)
class Twig:
    """A tree that can be changed; words are numbered."""

    label: str
    form: str | None
    first: int
    last: int
    children: list[Twig] = field(default_factory=list)
    parent: Twig | None = None

    def __str__(self) -> str:
        if self.form is not None:
            return f"({written(self.label)} {written(self.form)})"
        return f"({written(self.label)} {' '.join(map(str, self.children))})"

    @property
    def bare(self) -> str:
        return default_labels().bare_phrase(self.label)

    @property
    def at(self) -> int:
        assert self.parent is not None
        return next(i for i, child in enumerate(self.parent.children) if child is self)


def grown(tree: Tree) -> tuple[Twig, list[Twig]]:
    """The tree, and its twigs in pre-order."""
    by_row: dict[int, Twig] = {}
    for node in tree.nodes:
        first, last = node.span
        twig = Twig(node.label, node.form, first, last)
        by_row[node.row] = twig
        if node.parent is not None:
            twig.parent = by_row[node.parent.row]
            twig.parent.children.append(twig)
    return by_row[tree.root.row], list(by_row.values())


Change = Callable[[Twig, random.Random], tuple[int, int] | None]


def relabelled(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    if twig.form is not None or twig.parent is None:
        return None
    twig.label = chance.choice([one for one in LABELS if one != twig.bare])
    return twig.first, twig.last


def too_high(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    """The last child of a phrase becomes the phrase's right sister."""
    phrase = twig.parent
    if twig.form is not None or phrase is None or phrase.parent is None:
        return None
    grand = phrase.parent
    if grand.parent is None or twig.bare not in MOVED:
        return None
    if phrase.children[-1] is not twig or len(phrase.children) < 2:
        return None
    at = phrase.at
    phrase.children.pop()
    only = phrase.children[0]
    if len(phrase.children) == 1 and only.bare == phrase.bare and only.form is None:
        grand.children[at] = only
    grand.children.insert(at + 1, twig)
    return twig.first, twig.last


def too_low(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    """A phrase becomes the last child of its left sister."""
    phrase = twig.parent
    if twig.form is not None or phrase is None or twig.bare not in MOVED:
        return None
    at = twig.at
    if at == 0 or len(phrase.children) < 3:
        return None
    sister = phrase.children[at - 1]
    if sister.form is not None:
        return None
    del phrase.children[at]
    if sister.bare == "NP" and all(c.form is not None for c in sister.children):
        inner = Twig("NP", None, sister.first, sister.last, sister.children)
        sister.children = [inner, twig]
    else:
        sister.children.append(twig)
    return twig.first, twig.last


def unary_missing(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    if twig.form is not None or twig.parent is None or len(twig.children) != 1:
        return None
    if twig.parent.parent is None and twig.parent.bare in ("ROOT", "TOP", ""):
        return None
    twig.parent.children[twig.at] = twig.children[0]
    return twig.first, twig.last


def unary_extra(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    parent = twig.parent
    if parent is None or (twig.form is not None and len(parent.children) == 1):
        return None
    if twig.form is not None and not twig.form[:1].isalnum():
        return None
    label = chance.choice([one for one in UNARY if one != twig.bare])
    above = Twig(label, None, twig.first, twig.last, [twig])
    parent.children[twig.at] = above
    return twig.first, twig.last


def tag(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    if twig.form is None or twig.label not in CONFUSED:
        return None
    twig.label = chance.choice(CONFUSED[twig.label])
    return twig.first, twig.last


def flattened(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    """The conjuncts lose their brackets."""
    parts = [one for one in twig.children if one.form is None]
    if len(parts) < 2 or not any(one.bare in ("CC", "CONJ") for one in twig.children):
        return None
    if any(one.bare != twig.bare for one in parts):
        return None
    twig.children = [
        inner
        for one in twig.children
        for inner in (one.children if one.form is None else [one])
    ]
    return twig.first, twig.last


def ends_early(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    """The last child of a phrase, a word or more, falls out of it."""
    parent = twig.parent
    if twig.form is not None or parent is None or parent.parent is None:
        return None
    if len(twig.children) < 3:
        return None
    parent.children.insert(twig.at + 1, twig.children.pop())
    return twig.first, twig.last


def function(twig: Twig, chance: random.Random) -> tuple[int, int] | None:
    if twig.form is not None or "-" not in twig.label:
        return None
    bare, first = twig.label.split("-")[:2]
    others = [one for one in FUNCTIONS if one != first]
    twig.label = chance.choice([bare, *(f"{bare}-{one}" for one in others)])
    return twig.first, twig.last


SLIPS: dict[str, Change] = {
    "relabelled": relabelled,
    "too high": too_high,
    "too low": too_low,
    "unary missing": unary_missing,
    "unary extra": unary_extra,
    "tag": tag,
    "flattened": flattened,
    "ends early": ends_early,
    "function": function,
}


@dataclass(frozen=True)
class Slip:
    kind: str
    place: LeafSpan


def recurring(corpus: WordStream) -> dict[LeafSpan, tuple[int, int]]:
    """Words that stand between the same neighbours twice or more: ties included.

    Each with its n-gram: its length, and a number.
    """
    return {
        corpus.span(at, repeats.length): (repeats.length, group)
        for repeats in corpus.repeats()
        for at, group in zip(repeats.at.tolist(), repeats.group.tolist(), strict=True)
    }


def planted(
    corpus: WordStream,
    slips: int,
    seed: int,
    *,
    kinds: Sequence[str] = tuple(SLIPS),
    within: dict[LeafSpan, tuple[int, int]] | None = None,
) -> tuple[WordStream, list[Slip]]:
    """The treebank with so many slips, as many of each kind.

    `within`: only in words that recur, one slip an n-gram: two that are alike would
    make the treebank wrong, but not inconsistent.
    """
    chance = random.Random(seed)
    lines = [str(tree) for tree in corpus.bank]
    order = list(range(len(lines)))
    chance.shuffle(order)
    placed: list[Slip] = []
    used: set[int] = set()
    open_ = None if within is None else dict(within)
    # Kinds with few sites choose first.
    for left, kind in zip(range(len(kinds), 0, -1), reversed(kinds), strict=True):
        wanted = (slips - len(placed)) // left
        for number in order:
            if not wanted:
                break
            if number in used:
                continue
            found = _slip(corpus.bank[number], kind, chance, open_)
            if found is None:
                continue
            lines[number], place = found
            placed.append(Slip(kind, LeafSpan(number, *place)))
            if open_ is not None:
                gram = open_[placed[-1].place]
                open_ = {one: other for one, other in open_.items() if other != gram}
            used.add(number)
            wanted -= 1
    text = "\n".join(lines)
    return WordStream.of([read_trees(text)], corpus.labels), placed


def _slip(
    tree: Tree,
    kind: str,
    chance: random.Random,
    within: Collection[LeafSpan] | None,
) -> tuple[str, tuple[int, int]] | None:
    """The tree with a slip of a kind, and where; None if there is no place for one."""
    if not tree.nodes:
        return None
    root, twigs = grown(tree)
    before = str(root)
    chance.shuffle(twigs)
    for twig in twigs:
        span = LeafSpan(tree.index, twig.first, twig.last)
        if within is not None and span not in within:
            continue
        place = SLIPS[kind](twig, chance)
        if place is not None and str(root) != before:
            return str(root), place
    return None
