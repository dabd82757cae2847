"""Which edit mends which bracket, and trees in which only some of them are mended.

Every bracket error of a parse is mended by one edit: that which took the wrong bracket
away, or made it the one that gold has; that which added the missing one, or made
another that one. So the brackets of all edits are the errors of the parse, each once.

A tree in which only some errors are mended has the right brackets of the parse, the
wrong ones that are not mended, and the missing ones that are; but where a mended one
crosses a wrong one, the wrong one goes: gold is favoured, and the result is a tree.
The more is mended, the more brackets are right and the fewer are wrong, whatever the
order.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import NamedTuple

from analyzer.editing.search import Path
from analyzer.editing.workbench import FlatTree
from analyzer.model.tree import written


class Mended(NamedTuple):
    """The bracket errors of a parse, and the edit that mends each (from 0)."""

    extra: dict[int, int]  # node of the parsed tree -> edit
    missing: dict[int, int]  # node of the gold tree -> edit
    partner: dict[int, int]  # node of the search's last tree -> node of gold


def mended(path: Path) -> Mended:
    """Which edit of a complete path mends which bracket."""
    bench = path.bench
    before: dict[int, list[int]] = {}
    after: dict[int, list[int]] = {}
    for node, key in enumerate(bench.first_key):
        if key >= 0:
            before.setdefault(key, []).append(node)
    for node, key in enumerate(bench.key):
        if key >= 0:
            after.setdefault(key, []).append(node)
    extra: dict[int, int] = {}
    for key, nodes in before.items():
        surplus = len(nodes) - len(bench.wanted.get(key, ()))
        if surplus > 0:
            # Of equal brackets, those are the extra ones that an edit touched.
            gone = [node for node in nodes if bench.key[node] != key]
            gone.sort(key=lambda node: _last_edit(path, node))
            extra |= {node: _last_edit(path, node) for node in gone[:surplus]}
    missing: dict[int, int] = {}
    partner: dict[int, int] = {}
    known = len(bench.first_key)
    for key, brackets in bench.wanted.items():
        nodes = sorted(after.get(key, []), key=bench.depth)
        partner |= dict(zip(nodes, brackets, strict=False))
        lacking = brackets[len(before.get(key, ())) :]
        new = [n for n in nodes if n >= known or bench.first_key[n] != key]
        new.sort(key=lambda node: bench.changed[node])
        for bracket, node in zip(lacking, new, strict=False):
            missing[bracket] = bench.changed[node]
    return Mended(extra, missing, partner)


def _last_edit(path: Path, node: int) -> int:
    """The edit that took a node away, or else the last that changed it."""
    bench = path.bench
    return bench.removed.get(node, bench.changed.get(node, 0))


class Sentence(NamedTuple):
    """A gold tree and a parse as they were compared, and what mends their errors.

    Trees are in brackets. Errors are told by the number of the bracket, in pre-order,
    and the edit that mends it (from 0).
    """

    gold: str
    parsed: str
    extra: list[tuple[int, int]]
    missing: list[tuple[int, int]]


def written_tree(tree: FlatTree, name: Callable[[int], str], words: list[str]) -> str:
    """A tree in brackets; a root that stands for nothing is left out."""
    brackets = [
        Bracket(written(name(tree.label[node])), tree.first[node], tree.last[node])
        for node in brackets_of(tree)
    ]
    tags = [
        written(name(label))
        for label, is_terminal in zip(tree.label, tree.is_terminal, strict=True)
        if is_terminal
    ]
    both = zip(tags, words, strict=True)
    return _in_brackets(brackets, [f"({tag} {written(word)})" for tag, word in both])


def brackets_of(tree: FlatTree) -> list[int]:
    """The nodes that are written as brackets, in pre-order."""
    return [
        node
        for node, is_terminal in enumerate(tree.is_terminal)
        if not is_terminal and tree.row[node] >= 0
    ]


def sentence_of(
    gold: tuple[FlatTree, str], parsed: tuple[FlatTree, str], found: Mended
) -> Sentence:
    """A sentence from its trees, as lists and in brackets."""
    in_gold = {node: place for place, node in enumerate(brackets_of(gold[0]))}
    in_parsed = {node: place for place, node in enumerate(brackets_of(parsed[0]))}
    return Sentence(
        gold[1],
        parsed[1],
        sorted((in_parsed[node], edit) for node, edit in found.extra.items()),
        sorted((in_gold[node], edit) for node, edit in found.missing.items()),
    )


class Bracket(NamedTuple):
    """A bracket of a tree that is put together anew."""

    label: str
    first: int
    last: int


class Parts(NamedTuple):
    """A tree taken apart: its brackets in pre-order, and its terminals as written."""

    brackets: Sequence[Bracket]
    words: Sequence[str]


@lru_cache(maxsize=2)  # gold and the parse of a sentence that is mended in many ways
def parts_of(text: str) -> Parts:
    """The brackets and words of a tree that is written on one line.

    >>> parts_of("(S (NP (PRP I)) (VP (VBP see)))").brackets[1:]
    (Bracket(label='NP', first=0, last=1), Bracket(label='VP', first=1, last=2))
    """
    found: list[Bracket] = []
    words: list[str] = []
    pending: list[int] = []
    for piece in text.split(" "):
        if piece.startswith("("):
            pending.append(len(found))
            found.append(Bracket(piece[1:], len(words), -1))
            continue
        word = piece.rstrip(")")
        # The bracket opened last is the tag: it is taken back.
        tag = found.pop(pending.pop()).label
        words.append(f"({tag} {word})")
        for _ in range(len(piece) - len(word) - 1):
            at = pending.pop()
            found[at] = found[at]._replace(last=len(words))
    return Parts(tuple(found), tuple(words))


def repaired(given: Sentence, edits: Collection[int]) -> str:
    """The parse with only the errors of some edits mended, in brackets."""
    mends = {at for at, edit in given.missing if edit in edits}
    gone = {at for at, edit in given.extra if edit in edits}
    if not mends and not gone:
        return given.parsed
    gold, parsed = parts_of(given.gold), parts_of(given.parsed)
    added = [gold.brackets[at] for at in sorted(mends)]
    spans = {(one.first, one.last) for one in added}
    wrong = {at for at, _ in given.extra}
    touched = set(spans)
    kept: list[Bracket] = []
    for at, bracket in enumerate(parsed.brackets):
        if at in gone or (at in wrong and _crosses(bracket, spans)):
            touched.add((bracket.first, bracket.last))
        else:
            kept.append(bracket)
    brackets = _ordered(gold.brackets, [*kept, *added], touched)
    return _in_brackets(brackets, parsed.words)


def _crosses(bracket: Bracket, spans: Collection[tuple[int, int]]) -> bool:
    first, last = bracket.first, bracket.last
    return any(
        first < start < last < end or start < first < end < last for start, end in spans
    )


def _ordered(
    gold: Sequence[Bracket],
    brackets: Sequence[Bracket],
    touched: Collection[tuple[int, int]],
) -> list[Bracket]:
    """The brackets of a tree in pre-order.

    Brackets with the same words stand one above the other: as in the parse, and where
    something was mended there, in the order that gold has them.
    """
    chains: dict[tuple[int, int], list[Bracket]] = {}
    for bracket in brackets:
        chains.setdefault((bracket.first, bracket.last), []).append(bracket)
    for span in touched:
        if len(chains.get(span, ())) > 1:
            order = [one.label for one in gold if (one.first, one.last) == span]
            chains[span] = _as_in_gold(order, chains[span])
    found: list[Bracket] = []
    for span in sorted(chains, key=lambda one: (one[0], -one[1])):
        found += chains[span]
    return found


def _as_in_gold(order: Sequence[str], chain: Sequence[Bracket]) -> list[Bracket]:
    """A chain with those labels that gold has in gold's order; others stay put."""
    places = [at for at, one in enumerate(chain) if one.label in order]
    known = sorted((chain[at] for at in places), key=lambda one: order.index(one.label))
    found = list(chain)
    for at, one in zip(places, known, strict=True):
        found[at] = one
    return found


def _in_brackets(brackets: Sequence[Bracket], words: Sequence[str]) -> str:
    parts: list[str] = []
    ends: list[int] = []
    at = 0
    for word, text in enumerate(words):
        while ends and ends[-1] == word:
            parts.append(")")
            ends.pop()
        while at < len(brackets) and brackets[at].first == word:
            parts.append(f" ({brackets[at].label}")
            ends.append(brackets[at].last)
            at += 1
        parts.append(f" {text}")
    return "".join([*parts, ")" * len(ends)]).strip()
