"""N-ary units to binary ones (Morey et al. 2018, section 2.1).

Right-heavy: X(n1 n2 n3) becomes X(n1 X'(n2 n3)), X' a nucleus with the relation of n1.
Satellites of one nucleus attach nearest first; of two as near, the right one first
(section 4.1). Left-heavy is the mirror image. Where the papers' own program gives up
(NSS, SSN, SNSS, nuclei with satellites) these rules go on: nuclei are joined first,
with the satellites between them.
"""

from __future__ import annotations

from typing import Literal

from analyzer.rst.documents import NUCLEUS, SPAN, RstError, Unit

Direction = Literal["right", "left", "none"]


def binarised(root: Unit, direction: Direction = "right") -> Unit:
    """A copy of the tree in which every unit has at most two children.

    >>> edus = [Unit("N", "list", text=text) for text in "abc"]
    >>> tree = binarised(Unit("R", "---", edus))
    >>> [unit.label for unit in tree.walk()]
    ['---/R', 'list/N', 'list/N', 'list/N', 'list/N']
    """
    copy = root.copy()
    if direction == "none":
        return copy
    pending = [copy]
    while pending:
        unit = pending.pop()
        if len(unit.children) > 2:
            unit.children = _two(unit.children, direction)
        pending.extend(unit.children)
    return copy


def _two(children: list[Unit], direction: Direction) -> list[Unit]:
    """Two children that stand for many; those may themselves have many."""
    nuclei = [at for at, child in enumerate(children) if child.nuclearity == NUCLEUS]
    if not nuclei:
        raise RstError("a unit without a nucleus cannot be binarised")
    left, right = nuclei[0], len(children) - 1 - nuclei[-1]
    if not left and not right:
        return _two_nuclei(children, nuclei[1], direction)
    # What attaches last, so highest, is split off here; the rest is one nucleus.
    if _last_is_left(left, right, direction):
        return [children[0], Unit(NUCLEUS, SPAN, children[1:])]
    return [Unit(NUCLEUS, SPAN, children[:-1]), children[-1]]


def _two_nuclei(children: list[Unit], second: int, direction: Direction) -> list[Unit]:
    """Nuclei at both ends; satellites between them stay with the nucleus before.

    `second` is the place of the second nucleus.
    """
    relation = children[0].relation
    at = second if direction == "right" else len(children) - 1
    return [
        part[0] if len(part) == 1 else Unit(NUCLEUS, relation, part)
        for part in (children[:at], children[at:])
    ]


def _last_is_left(left: int, right: int, direction: Direction) -> bool:
    """Whether the satellite that attaches last is the leftmost one.

    The farther away, the later; as far away, the one that tied order puts second.
    """
    if left != right:
        return left > right
    return direction == "right"
