"""Derivation trees as they are drawn: a node a spine, its word among its dependents."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from analyzer.derivation.spines import Spine
from reports.drawing.outline import DrawnNode, shown


def derivation_outline(
    spines: Sequence[Spine], differing: Collection[int] = ()
) -> list[DrawnNode]:
    """The nodes to draw, as `outline` gives them for the tree that `drawn` makes.

    Spines are marked by their positions.
    """
    dependents: dict[int | None, list[Spine]] = {}
    for spine in spines:
        dependents.setdefault(spine.governor, []).append(spine)
    nodes: list[DrawnNode] = []
    words = 0
    # A spine with all that attaches to it, or the word of one; and what it is below.
    pending: list[tuple[Spine, bool, int | None]] = [
        (spine, True, None) for spine in reversed(dependents.get(None, []))
    ]
    while pending:
        spine, is_whole, parent = pending.pop()
        is_word = not is_whole or not spine.constructions
        label = spine.tag if is_word else " ".join(spine.constructions)
        if is_whole and spine.at:
            label += f" @{spine.at}"
        here, level = len(nodes), 0
        if parent is not None:
            level = nodes[parent].level + 1
            nodes[parent].children.append(here)
        is_marked = is_whole and spine.position in differing
        node = DrawnNode(shown(label), level, is_marked, parent=parent)
        nodes.append(node)
        if is_word:
            node.leaf, node.word = words, shown(spine.word)
            words += 1
            continue
        below = dependents.get(spine.position, [])
        before = sum(one.position <= spine.position for one in below)
        pending += [(one, True, here) for one in reversed(below[before:])]
        pending.append((spine, False, here))
        pending += [(one, True, here) for one in reversed(below[:before])]
    return nodes
