"""Parses in which only some errors are mended, sentence by sentence, as text.

What `editing.mending` makes of columns.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from analyzer.analyses.repairs import Repairs
from analyzer.editing.mending import KeptTrees


class Sentence(NamedTuple):
    """A gold tree and a parse in brackets, and what mends their errors.

    Errors are told by the number of the bracket, in pre-order, and the edit.
    """

    gold: str
    parsed: str
    extra: list[tuple[int, int]]
    missing: list[tuple[int, int]]


def kept_sentences(found: Repairs) -> list[Sentence]:
    """The trees that were kept, one by one."""
    assert found.trees is not None
    gold, parsed = found.trees
    return [
        Sentence(
            str(gold.bank[tree]),
            str(parsed.bank[tree]),
            _mended_brackets(parsed, tree),
            _mended_brackets(gold, tree),
        )
        for tree in range(len(gold.bank))
    ]


def _mended_brackets(kept: KeptTrees, tree: int) -> list[tuple[int, int]]:
    start, end = kept.bank.node_start[tree : tree + 2].tolist()
    edits = kept.edit[start:end][~kept.bank.is_leaf[start:end]].tolist()
    return [(at, edit) for at, edit in enumerate(edits) if edit >= 0]


class Bracket(NamedTuple):
    """A bracket of a tree that is put together anew."""

    label: str
    first: int
    last: int


class Parts(NamedTuple):
    """A tree taken apart: its brackets in pre-order, and its terminals as written."""

    brackets: Sequence[Bracket]
    words: Sequence[str]


def parts_of(text: str) -> Parts:
    """The brackets and words of a tree that is written on one line."""
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
