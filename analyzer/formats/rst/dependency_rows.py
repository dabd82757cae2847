"""Dependency trees as files list them, a row an EDU; with lines for what is wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.exceptions import Place, RstError
from analyzer.model.dependencies import ROOT_RELATION, DependencyTree
from analyzer.model.discourse import NUCLEUS, SATELLITE

_NUMBER = re.compile("[0-9]{1,9}")
_SUFFIXES = {"_m": NUCLEUS, "_r": SATELLITE}


class Row(NamedTuple):
    """What a file says of one EDU; None is what it does not say."""

    edu: int
    head: int
    relation: str
    line: int
    nuclearity: str | None = None
    rank: int | None = None
    text: str = ""
    sentence: int | None = None


def tree_of_rows(given: Sequence[Row], source: str) -> DependencyTree:
    """The rows, in any order, as a tree; RstError with its line if it is none.

    >>> tree = tree_of_rows([Row(2, 1, "cause", 2), Row(1, 0, "root", 1)], "<text>")
    >>> tree.heads, tree.relations, tree.ranks
    ([0, 1], ['ROOT', 'cause'], None)
    """
    if not given:
        raise RstError("contains no EDUs", Place(source), code="E330")
    rows = sorted(given, key=lambda row: row.edu)
    _check_numbers(rows, source)
    _check_heads(rows, source)
    _check_cycles(rows, source)
    others = [row for row in rows if row.head]
    nuclearities = [row.nuclearity or NUCLEUS for row in rows]
    ranks = [row.rank or 1 for row in rows]
    sentences = [row.sentence or 0 for row in rows]
    return DependencyTree(
        heads=[row.head for row in rows],
        relations=[row.relation if row.head else ROOT_RELATION for row in rows],
        nuclearities=nuclearities if all(r.nuclearity for r in others) else None,
        ranks=ranks if all(row.rank for row in others) else None,
        texts=[row.text for row in rows],
        sentences=sentences if all(row.sentence for row in rows) else None,
    )


def _check_numbers(rows: Sequence[Row], source: str) -> None:
    before = 0
    for row in rows:
        place = Place(source, row.line)
        if row.edu == before:
            raise RstError("EDU {edu} a second time", place, code="E333", edu=row.edu)
        if row.edu != before + 1:
            raise RstError(
                "a gap: EDU {edu} follows EDU {before}",
                place,
                code="E334",
                edu=row.edu,
                before=before,
            )
        before = row.edu


def _check_heads(rows: Sequence[Row], source: str) -> None:
    root: Row | None = None
    for row in rows:
        place = Place(source, row.line)
        if not 0 <= row.head <= len(rows):
            message = f"EDU {row.edu} has head {row.head}; there are EDUs 1 to "
            raise RstError(
                "{message}{count}", place, code="E335", message=message, count=len(rows)
            )
        if row.head:
            continue
        if root is not None:
            message = f"a second root: EDU {row.edu}; the first is EDU {root.edu}"
            raise RstError(
                "{message} on line {line}",
                place,
                code="E336",
                message=message,
                line=root.line,
            )
        root = row
    if root is None:
        raise RstError(
            "no root: no EDU has head 0", Place(source, rows[0].line), code="E331"
        )


def _check_cycles(rows: Sequence[Row], source: str) -> None:
    """Follow heads from each EDU as far as one that is known to reach the root."""
    reaches_root = [False] * (len(rows) + 1)
    reaches_root[0] = True
    for row in rows:
        path: list[int] = []
        on_path: set[int] = set()
        at = row.edu
        while not reaches_root[at]:
            if at in on_path:
                cycle = [*path[path.index(at) :], at]
                shown = " → ".join(map(str, cycle[:9]))
                raise RstError(
                    "a cycle of heads: {shown}",
                    Place(source, rows[at - 1].line),
                    code="E337",
                    shown=shown,
                )
            path.append(at)
            on_path.add(at)
            at = rows[at - 1].head
        for edu in path:
            reaches_root[edu] = True


def split_relation(label: str) -> tuple[str, str | None]:
    """A relation and its nuclearity, where a suffix tells: `_m` multinuclear, `_r` not.

    >>> split_relation("joint-list_m"), split_relation("cause")
    (('joint-list', 'N'), ('cause', None))
    """
    nuclearity = _SUFFIXES.get(label[-2:])
    return (label[:-2] if nuclearity else label), nuclearity


def joined_relation(relation: str, nuclearity: str | None) -> str:
    """The counterpart of `split_relation`."""
    suffix = {NUCLEUS: "_m", SATELLITE: "_r"}.get(nuclearity or "", "")
    return f"{relation}{suffix}"


def integer(text: str, what: str, place: Place) -> int:
    """A number that is not negative, or an RstError."""
    if not _NUMBER.fullmatch(text):
        raise RstError(
            "found {text!r}; expected {what}",
            place,
            code="E332",
            text=text[:20],
            what=what,
        )
    return int(text)
