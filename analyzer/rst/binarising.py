"""N-ary units to binary ones (Morey et al. 2018, section 2.1).

Right-heavy: X(n1 n2 n3) becomes X(n1 X'(n2 n3)), X' a nucleus with the relation of n1.
Satellites of one nucleus attach nearest first; of two as near, the right one first
(section 4.1). Left-heavy is the mirror image. Where the papers' own program gives up
(NSS, SSN, SNSS, nuclei with satellites) these rules go on: nuclei are joined first.
"""

from __future__ import annotations

from typing import Literal

from analyzer.rst.documents import NUCLEUS, SPAN, Unit

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
    nuclei = [child for child in children if child.nuclearity == NUCLEUS]
    if len(nuclei) == len(children):
        return _two_nuclei(children, direction)
    left = children.index(nuclei[0])
    right = len(children) - 1 - children.index(nuclei[-1])
    # What attaches last, so highest, is split off here; the rest is one nucleus.
    if _last_is_left(left, right, direction):
        return [children[0], Unit(NUCLEUS, SPAN, children[1:])]
    return [Unit(NUCLEUS, SPAN, children[:-1]), children[-1]]


def _two_nuclei(nuclei: list[Unit], direction: Direction) -> list[Unit]:
    relation = nuclei[0].relation
    if direction == "right":
        return [nuclei[0], Unit(NUCLEUS, relation, nuclei[1:])]
    return [Unit(NUCLEUS, relation, nuclei[:-1]), nuclei[-1]]


def _last_is_left(left: int, right: int, direction: Direction) -> bool:
    """Whether the satellite that attaches last is the leftmost one.

    The farther away, the later; as far away, the one that tied order puts second.
    """
    if left != right:
        return left > right
    return direction == "right"
