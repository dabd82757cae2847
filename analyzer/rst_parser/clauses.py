"""The syntax of EDUs: heads, governors, and the clauses that they are parts of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analyzer.rst_parser.tokens import NO_GOVERNOR, TokenText

_DEEPEST = 60  # steps up that are looked at: a tree of a broken file may have a cycle
# Functions of what is a clause of its own, or stands beside the clause.
_CLAUSES = (
    "root",
    "advcl",
    "acl",
    "ccomp",
    "csubj",
    "xcomp",
    "conj",
    "parataxis",
    "appos",
    "list",
    "reparandum",
    "vocative",
)


def head_token(text: TokenText, start: int, end: int) -> int:
    """The token that no other of the EDU governs, and that is highest in its tree."""
    best, best_depth = start, 1 << 30
    if not text.has_syntax:
        return best
    for at in range(start, end):
        governor = text.governors[at]
        if start <= governor < end:
            continue
        depth = 0
        while governor != NO_GOVERNOR and depth < _DEEPEST:
            depth += 1
            governor = text.governors[governor]
        if text.functions[at] == "punct":
            depth += 100
        if depth < best_depth:
            best, best_depth = at, depth
    return best


def governing_edus(
    text: TokenText, edus: Sequence[tuple[int, int]], heads: Sequence[int]
) -> list[int]:
    """The EDU that the head of each depends on, -1 if there is none."""
    if not text.has_syntax:
        return [-1] * len(edus)
    edu_of = np.repeat(np.arange(len(edus)), [end - start for start, end in edus])
    governors = [text.governors[head] for head in heads]
    return [-1 if one == NO_GOVERNOR else int(edu_of[one]) for one in governors]


def hosts(text: TokenText, heads: Sequence[int], governors: Sequence[int]) -> list[int]:
    """The EDU in which the clause of each EDU begins: itself, or one before it.

    What interrupts a clause parts it into several EDUs, which discourse joins again
    (same-unit), and the first of them stands for all: "The man | who came | left".
    """
    found = list(range(len(heads)))
    if not text.has_syntax:
        return found
    for edu, head in enumerate(heads):
        above = governors[edu]
        if above < 0 or text.functions[head].startswith(_CLAUSES):
            continue
        if above > edu + 1:
            if found[above] == above:
                found[above] = found[edu]
        elif above < edu - 1:
            found[edu] = found[above]
    return found


def clause_governors(governors: Sequence[int], host: Sequence[int]) -> list[int]:
    """By the first EDU of a clause, that of the clause that governs it, or -1.

    >>> clause_governors([2, 0, -1, 2], [0, 1, 0, 3])  # The man | who came | left | …
    [-1, 0, -1, 0]
    """
    found = [-1] * len(host)
    for edu in reversed(range(len(host))):
        above = governors[edu]
        if above >= 0 and host[above] != host[edu]:
            found[host[edu]] = host[above]
    return found
