"""Which edit mends which bracket.

Every bracket error of a parse is mended by one edit: that which took the wrong bracket
away, or made it the one that gold has; that which added the missing one, or made
another that one. So the brackets of all edits are the errors of the parse, each once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from analyzer.editing.search import Path
from analyzer.editing.workbench import FlatTree, nodes_by
from analyzer.model.tree import written


class Mended(NamedTuple):
    """The bracket errors of a parse, and the edit that mends each (from 0)."""

    extra: dict[int, int]  # node of the parsed tree -> edit
    missing: dict[int, int]  # node of the gold tree -> edit
    partner: dict[int, int]  # node of the search's last tree -> node of gold


def mended(path: Path) -> Mended:
    """Which edit of a complete path mends which bracket."""
    if not path.edits:
        return Mended({}, {}, {})
    bench = path.bench
    before, after = nodes_by(bench.first_key), nodes_by(bench.key)
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
        nodes = after.get(key, [])
        if len(nodes) > 1:
            nodes.sort(key=bench.depth)
        partner.update(zip(nodes, brackets, strict=False))
        lacking = brackets[len(before.get(key, ())) :]
        if not lacking:
            continue
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
    parts: list[str] = []
    ends: list[int] = []  # of the brackets that are open
    for node, label in enumerate(tree.label):
        while ends and ends[-1] <= tree.first[node]:
            parts.append(")")
            ends.pop()
        if tree.is_terminal[node]:
            word = written(words[tree.first[node]])
            parts.append(f" ({written(name(label))} {word})")
        elif tree.row[node] >= 0:
            parts.append(f" ({written(name(label))}")
            ends.append(tree.last[node])
    return "".join([*parts, ")" * len(ends)]).strip()


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
