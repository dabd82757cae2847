"""What a drawing of a tree shows, and where: shared by text and SVG drawings.

An outline is the nodes of a tree, of a derivation or of a discourse tree, with text
that is safe to print. `place` gives each node its column; it works on integers, so a
unit may be a terminal column or a pixel. Nothing here recurses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from analyzer.exceptions import SettingsError
from analyzer.formats.rst.building import spans_of
from analyzer.model.discourse import Arc, Enhancements, Signal, Unit
from analyzer.model.tree import Tree
from analyzer.safe_text import drawable

if TYPE_CHECKING:
    from analyzer.derivation.spines import Spine

NOTHING = "∅"
LONGEST_CHAIN = 30
_KEPT_AT_EACH_END = 10


@dataclass(slots=True)
class Node:
    """A node to draw; its parent and its children are positions in the outline."""

    label: str  # of a discourse unit its EDUs: `3` or `3–7`
    marks: int = 0  # how many marked nodes it shows or stands for
    text: str | None = None  # a word or the text of an EDU; None for a phrase
    leaf: int | None = None  # which word of the tree it is, for a leaf
    is_folded: bool = False  # a phrase whose text stands for all that is below it
    nuclearity: str = ""  # of a discourse unit, as its relation
    relation: str = ""
    level: int = 0  # 0 for a root
    parent: int | None = None
    children: list[int] = field(default_factory=list)


class Outline(NamedTuple):
    """A tree to draw: its nodes, parents first; how many are marked; and its words."""

    nodes: Sequence[Node]
    marks: int
    words: Sequence[str]


# -- trees -----------------------------------------------------------------------------


def outline(tree: Tree, *, marks: Collection[int] = ()) -> Outline:
    """The nodes of a tree; marks are rows of the treebank.

    The middle of a unary chain of more than 30 nodes becomes one node that says how
    many it stands for.
    """
    rows = tree.rows
    marked = {row for row in marks if row in rows}
    gaps = _chain_gaps(tree)
    nodes: list[Node] = []
    place_of: dict[int | None, int] = {}
    row = rows.start
    while row < rows.stop:
        left_out = gaps.get(row, 0)
        if left_out:
            hits = len(marked.intersection(range(row, row + left_out)))
            node = Node(f"⋯ {left_out:,} more{_marked_too(hits)} ⋯", hits)
        else:
            node = _node(tree, row, row in marked)
        _add(nodes, node, place_of.get(tree.parent_row[row]))
        row += left_out or 1
        # Only the last row of a gap can be the parent of a row still to come.
        place_of[row - 1] = len(nodes) - 1
    return Outline(nodes, len(marked), tree.words)


def pair_outlines(left: Tree, right: Tree) -> tuple[Outline, Outline]:
    """Two trees of the same words: brackets and tags that only one has are marked."""

    def only(tree: Tree, beside: Tree) -> list[int]:
        left = Counter((node.label, *node.span) for node in beside.nodes)
        rows = []
        for node in tree.nodes:
            key = (node.label, *node.span)
            rows += [] if left[key] > 0 else [node.row]
            left[key] -= 1
        return rows

    return outline(left, marks=only(left, right)), outline(
        right, marks=only(right, left)
    )


def _node(tree: Tree, row: int, is_marked: bool) -> Node:
    node = Node(shown(tree.bank.label_name(row)), int(is_marked))
    if tree.bank.is_leaf[row]:
        node.leaf = int(tree.bank.first[row]) - tree.first_leaf
        edges = tree.bank.edges
        if edges and (edge := edges[int(tree.bank.first[row])]):
            node.label = f"{node.label}-{shown(edge)}"
        node.text = shown(tree.words[node.leaf])
    return node


def _chain_gaps(tree: Tree) -> dict[int, int]:
    """First row of each part left out, and how many rows it has."""
    gaps: dict[int, int] = {}
    rows, child_rows = tree.rows, tree.child_rows
    row = rows.start
    while row < rows.stop:
        last = row
        while len(child_rows.get(last, ())) == 1:
            last += 1  # in pre-order an only child is the next row
        length = last - row + 1
        if length > LONGEST_CHAIN:
            gaps[row + _KEPT_AT_EACH_END] = length - 2 * _KEPT_AT_EACH_END
        row = last + 1
    return gaps


def folded(nodes: Sequence[Node], deepest: int) -> Sequence[Node]:
    """Phrases on the deepest level as one node each, with their first and last word."""
    if all(node.level <= deepest for node in nodes):
        return nodes
    kept: list[Node] = []
    place_of: dict[int | None, int] = {}
    for at, node in enumerate(nodes):
        if node.level > deepest:
            continue
        phrase = replace(node, children=[])
        if node.level == deepest and node.children:
            later = range(at + 1, len(nodes))
            ends = (place for place in later if nodes[place].level <= deepest)
            below = nodes[at + 1 : next(ends, len(nodes))]
            words = [inner.text for inner in below if inner.text is not None]
            hits = sum(inner.marks for inner in below)
            size = f"({len(words):,} words{_marked_too(hits)})"
            phrase.text = f"{words[0]} … {words[-1]} " if words else ""
            phrase.text += size.replace(" ", "\xa0")  # not to be broken over lines
            phrase.is_folded = True
            phrase.marks += hits
        place_of[at] = len(kept)
        _add(kept, phrase, place_of.get(node.parent))
    return kept


def _marked_too(count: int) -> str:
    return f", {count:,} marked" if count else ""


def _add(nodes: list[Node], node: Node, parent: int | None) -> None:
    """Put a node below another one, or as a root."""
    if parent is not None:
        node.parent, node.level = parent, nodes[parent].level + 1
        nodes[parent].children.append(len(nodes))
    nodes.append(node)


# -- derivations and discourse trees ---------------------------------------------------


def derivation_outline(
    spines: Sequence[Spine], differing: Collection[int] = ()
) -> Outline:
    """The derivation tree of a sentence; spines are marked by their positions.

    A spine is a node: its constructions, and after '@' the one it attaches to. Its
    word stands among the spines that attach to it, in the order of the sentence.
    """
    dependents: dict[int | None, list[Spine]] = {}
    for spine in spines:
        dependents.setdefault(spine.governor, []).append(spine)
    nodes: list[Node] = []
    words: list[str] = []
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
        node = Node(shown(label), int(is_whole and spine.position in differing))
        here = len(nodes)
        _add(nodes, node, parent)
        if is_word:
            node.leaf, node.text = len(words), shown(spine.word)
            words.append(spine.word)
            continue
        below = dependents.get(spine.position, [])
        before = sum(dependent.position <= spine.position for dependent in below)
        pending += [(dependent, True, here) for dependent in reversed(below[before:])]
        pending.append((spine, False, here))
        pending += [(dependent, True, here) for dependent in reversed(below[:before])]
    return Outline(nodes, len(differing), words)


def discourse_outline(
    root: Unit,
    marks: Collection[int] = (),
    units: tuple[int, int] | None = None,
    spans: Mapping[int, tuple[int, int]] | None = None,
) -> list[Node]:
    """The units of a discourse tree; marks are places in the walk.

    Of some EDUs, the first and the last of `units`: the smallest unit that has all of
    them, in which those without any of them are one node each, an ellipsis. `spans`: by
    the `id` of units, the EDUs that they are called after; else as they are counted in
    this tree.
    """
    spans = spans or spans_of(root)
    parents: dict[int, int] = {}
    nodes: list[Node] = []
    for place, unit in enumerate(root.walk()):
        first, last = spans[id(unit)]
        node = Node(
            edus_label(first, last),
            int(place in marks),
            text=one_line(unit.text) if unit.is_edu else None,
            nuclearity=unit.nuclearity,
            relation=one_line(unit.relation),
        )
        _add(nodes, node, parents.get(id(unit)))
        parents.update((id(child), place) for child in unit.children)
    if units is None:
        return nodes
    return _around(nodes, [spans[id(unit)] for unit in root.walk()], units)


def _around(
    nodes: Sequence[Node], spans: Sequence[tuple[int, int]], units: tuple[int, int]
) -> list[Node]:
    """Some units of an outline and what they are in; an ellipsis for each other."""
    first, last = units
    around = [at for at, (a, b) in enumerate(spans) if a <= first and last <= b]
    if not around:
        raise SettingsError(
            "E697 there are no EDUs", units=edus_label(*units), edus=spans[0][1]
        )
    kept: list[Node] = []
    place_of: dict[int | None, int] = {}  # of those that are opened
    hidden = None
    for at, node in enumerate(nodes[around[-1] :], start=around[-1]):
        is_below = at == around[-1] or node.parent in place_of
        if not is_below and spans[at][0] > spans[around[-1]][1]:
            break
        if not is_below and hidden is not None:
            hidden.marks += node.marks
            continue
        unit = replace(node, children=[], parent=None, level=0)
        if spans[at][1] < first or last < spans[at][0]:
            hidden, unit.text = unit, "…"
        else:
            place_of[at] = len(kept)
        _add(kept, unit, place_of.get(node.parent))
    return kept


class ShownEnhancements(NamedTuple):
    """What a document has beside its tree, as drawings say it."""

    edges: list[tuple[str, str, str]]  # source and target as their EDUs, what it is
    signals: dict[str, list[str]]  # of the unit with these EDUs: `dm “and”`
    words: dict[int, bool]  # numbers of words that signal; whether by a connective


def shown_enhancements(
    given: Enhancements | None, texts: Sequence[str]
) -> ShownEnhancements:
    """The secondary edges and signals of a document with EDUs of these texts.

    Signals number the words of the text, from 1; where there is no such word, the
    numbers are shown.
    """
    enhancements = ShownEnhancements([], {}, {})
    if given is None:
        return enhancements
    words = " ".join(texts).split()
    of_edges: dict[str, list[str]] = {}
    for signal in sorted(given.signals, key=lambda item: _start_of(given, item)):
        numbers = [int(n) for n in signal.tokens.split(",") if n.isdecimal()]
        for number in numbers:
            is_connective = signal.type == "dm"
            enhancements.words[number] = (
                enhancements.words.get(number, False) or is_connective
            )
        name = dict.fromkeys((signal.type, signal.subtype))
        shown_signal = " ".join([*name, _quoted(words, numbers)]).strip()
        node = given.nodes.get(signal.source)
        group = of_edges if node is None else enhancements.signals
        key = signal.source if node is None else edus_label(*node.whole)
        group.setdefault(key, []).append(one_line(shown_signal))
    for edge in given.edges:
        ends = [edus_label(*given.nodes[end].own) for end in (edge.source, edge.target)]
        what = one_line("; ".join([edge.relation, *of_edges.get(edge.name, [])]))
        enhancements.edges.append((ends[0], ends[1], what))
    return enhancements


def _start_of(given: Enhancements, signal: Signal) -> tuple[int, int]:
    """Signals in the order of the text, longer units first."""
    node = given.nodes.get(signal.source)
    return (node.whole[0], -node.whole[1]) if node else (0, 0)


def _quoted(words: Sequence[str], numbers: Sequence[int]) -> str:
    """Words by their numbers, with dots where some are passed over."""
    if not numbers:
        return ""
    if not 0 < min(numbers) <= max(numbers) <= len(words):
        return f"words {', '.join(map(str, numbers))}"
    text = words[numbers[0] - 1]
    for before, number in pairwise(numbers):
        text += f"{' ' if number == before + 1 else ' … '}{words[number - 1]}"
    return f"“{text}”"


def edus_label(first: int, last: int) -> str:
    """The EDUs of a unit.

    >>> edus_label(3, 3), edus_label(3, 7)
    ('3', '3–7')
    """
    return str(first) if first == last else f"{first}–{last}"


# -- places ----------------------------------------------------------------------------


def place(
    nodes: Sequence[Node],
    extents: Sequence[tuple[int, int]],
    *,
    gap: int,
    between: Callable[[int, int], int] | None = None,
    anchors: Callable[[int], Sequence[int]] | None = None,
) -> tuple[list[int], int]:
    """The middle of each node, and the width of the whole drawing.

    Each subtree has a block of columns to itself, so nothing can overlap, and a
    vertical line from a parent down to a child meets no label. `extents` is the room
    that a node takes to the left and to the right of its middle; `between`, from one
    child to the next, asks for more. A parent stands over the middle between the
    first and the last of its `anchors`, which are all children if not said otherwise.
    """
    to_left, to_right = [left for left, _ in extents], [right for _, right in extents]
    from_parent = [0] * len(nodes)
    for at in reversed(range(len(nodes))):
        children = nodes[at].children
        if not children:
            continue
        for before, child in pairwise(children):
            room = to_right[before] + gap + to_left[child]
            if between is not None:
                room = max(room, between(before, child))
            from_parent[child] = from_parent[before] + room
        anchored = anchors(at) if anchors else children
        middle = (from_parent[anchored[0]] + from_parent[anchored[-1]]) // 2
        if anchors is None:
            # An inner child that is nearly in the middle looks better right in it.
            offs = (from_parent[child] - middle for child in children[1:-1])
            off = min(offs, key=abs, default=0)
            middle += off if abs(off) <= gap else 0
        for child in children:
            from_parent[child] -= middle
        first, last = children[0], children[-1]
        to_left[at] = max(to_left[at], to_left[first] - from_parent[first])
        to_right[at] = max(to_right[at], to_right[last] + from_parent[last])
    middles: list[int] = []
    start = 0
    for at, node in enumerate(nodes):
        if node.parent is None:
            middles.append(start + to_left[at])
            start += to_left[at] + to_right[at] + 2 * gap
        else:
            middles.append(middles[node.parent] + from_parent[at])
    return middles, max(start - 2 * gap, 0)


def halves(width: int) -> tuple[int, int]:
    """What a label takes to the left and to the right of its middle."""
    left = (max(width, 1) - 1) // 2
    return left, max(width, 1) - left


def arc_ends(arcs: Sequence[Arc]) -> list[tuple[int, int, int]]:
    """First end, last end and place of each arc between EDUs, short ones first.

    Places are counted from 1; those of the first arc of each EDU are its own.
    """
    ends = [
        (min(arc.edu, arc.head), max(arc.edu, arc.head), place)
        for place, arc in enumerate(arcs, start=1)
        if arc.head
    ]
    return sorted(ends, key=lambda end: (end[1] - end[0], end))


def arc_levels(arcs: Sequence[Arc]) -> list[int]:
    """How far out each arc is drawn, from 1, so that no two lie on each other.

    An arc stands one level above all that lie between its ends. 0 for a root.

    >>> arc_levels([Arc(1, 2, "a"), Arc(2, 0, "ROOT"), Arc(3, 2, "b"), Arc(4, 2, "c")])
    [1, 0, 1, 2]
    """
    import numpy as np

    levels = [0] * len(arcs)
    last = max((end for arc in arcs for end in (arc.edu, arc.head)), default=0)
    height = np.zeros(last + 1, np.int64)  # above the gap after each EDU
    for start, end, place in arc_ends(arcs):
        levels[place - 1] = int(height[start:end].max()) + 1
        height[start:end] = levels[place - 1]
    return levels


# -- text ------------------------------------------------------------------------------


@lru_cache(1 << 14)  # labels and words recur
def shown(text: str) -> str:
    """A label or a word as a drawing has it: something must be there to see."""
    safe = drawable(text)
    return safe if safe.strip() else NOTHING


def one_line(text: str) -> str:
    """A text as a drawing has it: on one line."""
    return shown(" ".join(text.split()))
