"""What an edit changes in the text of a tree; everything else stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from analyzer.checks.sources import SourceTree

Splice = tuple[int, int, str]  # characters from, to, and what takes their place
_SPACE = " \t\n\r\v\f"
_LABEL = re.compile(r"[\w$+]*")  # up to function tags and indices, whatever joins them


def splices(
    tree: SourceTree, action: str, node: int, other: int, label: str
) -> list[Splice] | None:
    """What an edit changes in the text; None if it cannot be made.

    >>> from analyzer.checks.sources import parse
    >>> text = "(S (NP (DT a) (NN dog)) (VP (VBZ barks)))"
    >>> spliced(text, splices(parse(text, 0), "relabel", 1, -1, "NP-SBJ"))
    '(S (NP-SBJ (DT a) (NN dog)) (VP (VBZ barks)))'
    >>> spliced(text, splices(parse(text, 0), "drop", 4, -1, ""))
    '(S (NP (DT a) (NN dog)) (VBZ barks))'
    """
    one = tree.nodes[node]
    if action in ("relabel", "retag", "functions"):
        return [(*one.label, label)] if label else None
    if action == "add":
        end = tree.nodes[other] if other >= 0 else one
        if not label or end.parent != one.parent or end.start < one.start:
            return None
        return [(one.start, one.start, f"({label} "), (end.end, end.end, ")")]
    if action == "drop":
        return _dropped(tree, node)
    return _moved(tree, node, other, label) if action == "move" else None


def _dropped(tree: SourceTree, node: int) -> list[Splice] | None:
    children = tree.children(node)
    if not children:
        return None
    one = tree.nodes[node]
    first, last = tree.nodes[children[0]], tree.nodes[children[-1]]
    return [(one.start, first.start, ""), (last.end, one.end, "")]


def _moved(tree: SourceTree, node: int, other: int, label: str) -> list[Splice] | None:
    nodes = tree.nodes
    one, target = nodes[node], nodes[other]
    owner = one.parent
    if owner < 0 or other < 0 or other in (owner, node):
        return None
    left = [child for child in tree.children(owner) if child != node]
    if not left:
        return None
    text = tree.text[one.start : one.end]
    before = one.start
    while before > 0 and tree.text[before - 1] in _SPACE:
        before -= 1
    holder = nodes[owner]
    if target.start < one.start and one.end <= target.end:  # higher
        child = owner
        while nodes[child].parent != other:
            child = nodes[child].parent
            if child < 0:
                return None
        made = [(nodes[child].end, nodes[child].end, f" {text}")]
    elif target.end <= one.start and label:
        made = [
            (target.start, target.start, f"({label} "),
            (target.end, target.end, f" {text})"),
        ]
    elif target.end <= one.start and target.form is None:
        made = [(target.end - 1, target.end - 1, f" {text}")]
    else:
        return None
    rest = nodes[left[0]]
    is_copy = len(left) == 1 and rest.form is None and one.start > rest.start
    below = label if label and other == left[0] else tree.label(left[0])
    if is_copy and _bare(below) == _bare(tree.label(owner)):
        # The bracket was there for the two of them.
        return [
            (holder.start, rest.start, ""),
            *made,
            (rest.end, holder.end, ""),
        ]
    return [*made, (before, one.end, "")]


def _bare(label: str) -> str:
    found = _LABEL.match(label)
    return found[0] if found else ""


def spliced(text: str, changes: Iterable[Splice] | None) -> str:
    """The text with all changes made; they are given in any order."""
    pieces, at = [], 0
    for start, end, new in sorted(changes or (), key=lambda one: one[:2]):
        pieces += [text[at:start], new]
        at = max(at, end)
    return "".join([*pieces, text[at:]])


def clash(made: Sequence[Splice], more: Sequence[Splice]) -> bool:
    """Whether two edits touch the same characters, or the same place.

    >>> clash([(0, 4, "NP")], [(5, 5, "(NP ")]), clash([(0, 4, "NP")], [(2, 5, "VP")])
    (False, True)
    """
    return any(
        (a[0] < b[1] and b[0] < a[1]) or a[0] == b[0] or (a[1] == b[1] and a[1] > a[0])
        for a in made
        for b in more
    )
