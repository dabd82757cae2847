"""Discourse trees as SVG: RST diagrams, and dependency trees.

In a diagram a unit is a horizontal line over its EDUs, with their numbers. A vertical
line leads from it to its nucleus, lines that fan out lead to the nuclei of a
multinuclear relation, and a curved arrow with the relation leads from each satellite to
the nucleus. In a dependency tree the EDUs stand in a row, and each arc leads from the
head to the dependent and says its relation and order (`attribution#2`); shorter arcs
lie below longer ones. Subtrees have their columns and labels their room between what
they join: nothing can overlap. Words that signal a relation are coloured, units say
their signals when they are touched, and secondary edges lie below the texts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

import numpy as np

from analyzer.model.discourse import NUCLEUS, SPAN, Arc, DependencyTree, Unit
from analyzer.safe_text import counted, drawable, shortened
from reports.drawing import svg
from reports.drawing.latex import Picture, dependency_nodes
from reports.drawing.outline import (
    Node,
    ShownEnhancements,
    arc_ends,
    arc_levels,
    discourse_outline,
    one_line,
    place,
    shown_enhancements,
)

Drawable = Unit | DependencyTree
Spans = Mapping[int, tuple[int, int]]
_FAR = 320  # past this, lines go round corners and relations stay near their unit
_NUMBER = 15  # from a unit's line to the baseline of its numbers
_BELOW_NUMBER = 20  # from a unit's line to where lines down start
# In diagrams
_RELATION_HEIGHT = 17  # of a relation between nuclei
_ARC_STEP = 23  # from one arrow to the next above it
_ARC_FOOT = 17  # from the units to the lowest arrow
_GAP = 22  # between columns
_SLANT = 30  # the height of lines that fan out
_PAD = 16  # on either side of a relation on an arrow
_SECONDARY_GAP = 14  # from the texts to the secondary edges
_SECONDARY_STEP = 30
_LONGEST_LABEL = 70  # characters; all of it where it is touched
# In dependency trees
_ARC_GAP = 24
_LEVEL = 25
_FOOT = 22  # from the EDUs' line to the lowest arc
_PORT = 9  # between arcs that end at one EDU
_ARC_PAD = 14
_CORNER = 9
_PLAIN = ShownEnhancements([], {}, {})


Edus = tuple[int, int]  # the first and the last that are drawn


def discourse_svg(
    tree: Drawable,
    *,
    title: str = "",
    width: int | None = None,
    units: Edus | None = None,
    marks: Collection[int] = (),
    mark_class: str = svg.PAIR_CLASSES[0],
    spans: Spans | None = None,
) -> str:
    """One tree: an RST diagram of a Unit, arcs of a DependencyTree.

    A diagram that is wider than `width` pixels is drawn in parts, one below the other.
    Of an excerpt, `spans` are the EDUs of units by their `id`.
    """
    room = None if width is None else width - 2 * svg.MARGIN
    panel = discourse_panel(
        tree, marks, mark_class, width=room, units=units, spans=spans
    )
    panel, classes = svg.with_heading(panel, title), [mark_class] if marks else []
    return svg.document(panel, title or "discourse tree", classes, is_discourse=True)


def discourse_pair_svg(
    trees: Sequence[Drawable],
    marks: Sequence[Collection[int]],
    titles: Sequence[str],
    width: int | None = None,
    units: Edus | None = None,
) -> str:
    """Two trees side by side or stacked, what differs in colour, with a legend."""
    room = None if width is None else (width - svg.BETWEEN) // 2 - svg.MARGIN
    return svg.pair_document(
        [
            discourse_panel(tree, marked, mark_class, width=room, units=units)
            for tree, marked, mark_class in zip(
                trees, marks, svg.PAIR_CLASSES, strict=True
            )
        ],
        titles=titles,
        counts=[
            len(pair[1])
            if isinstance(pair[0], DependencyTree)
            else sum(node.marks for node in _nodes(*pair, units))
            for pair in zip(trees, marks, strict=True)
        ],
        noun="unit" if isinstance(trees[0], Unit) else "arc",
        is_discourse=True,
    )


def discourse_picture(
    tree: Drawable,
    *,
    title: str = "",
    width: int | None = None,
    units: Edus | None = None,
) -> Picture:
    """One tree for every format."""
    drawn = discourse_svg(tree, title=title, width=width, units=units)
    return Picture(drawn, [(title, _nodes(tree, (), units))])


def discourse_pair_picture(
    trees: Sequence[Drawable],
    marks: Sequence[Collection[int]],
    titles: Sequence[str],
    width: int | None = None,
    units: Edus | None = None,
) -> Picture:
    """Two trees for every format."""
    drawn = discourse_pair_svg(trees, marks, titles, width, units)
    nodes = [_nodes(*pair, units) for pair in zip(trees, marks, strict=True)]
    return Picture(drawn, list(zip(titles, nodes, strict=True)))


def _nodes(tree: Drawable, marks: Collection[int], units: Edus | None) -> list[Node]:
    if isinstance(tree, DependencyTree):
        return dependency_nodes(tree, marks)
    return discourse_outline(tree, marks, units)


def discourse_panel(
    tree: Drawable,
    marks: Collection[int] = (),
    mark_class: str = svg.PAIR_CLASSES[0],
    *,
    width: int | None = None,
    units: Edus | None = None,
    spans: Spans | None = None,
) -> svg.Panel:
    """A tree; marked units (places in the walk) or EDUs in the colour of a class."""
    if isinstance(tree, DependencyTree):
        return _dependency_panel(tree, marks, mark_class)
    texts = [unit.text for unit in tree.walk() if unit.is_edu]
    beside = shown_enhancements(tree.enhancements, texts)
    shown = discourse_outline(tree, marks, units, spans)
    whole = _Diagram(shown, texts, beside, mark_class)
    if width is None or whole.width <= width:
        return _with_key(whole.panel(), beside)
    parts = [
        _Diagram(part, texts, beside, mark_class)
        for part in _parts(_narrowed(whole.units, width), texts, width)
    ]
    panel = svg.stacked([part.panel() for part in parts])
    if panel.width > whole.width:  # what is said of the other parts takes more room
        return _with_key(whole.panel(), beside)
    lost = len(whole.edges()) - sum(len(part.edges()) for part in parts)
    if lost:
        note = f"{counted(lost, 'secondary edge')} between parts not drawn"
        line = svg.text_element(0, panel.height + 20, note, "legend")
        panel = svg.Panel([*panel.elements, line], panel.width, panel.height + 26)
    return _with_key(panel, beside)


# -- diagrams in parts -----------------------------------------------------------------

_BELOW = "↓ below"  # of a unit that is drawn in a part of its own
_FOLDED = _GAP + svg.column_width([_BELOW], "… 100–999")


def _parts(units: Sequence[Node], texts: Sequence[str], width: int) -> list[list[Node]]:
    """The outline of a tree that is too wide, in parts that fit, in the text's order.

    Each begins with a unit that stands in a part before it, where it is a leaf. Of the
    units that still can, the largest is opened as long as all fit.
    """
    columns: list[int] = []  # of each unit: about the room that it takes, opened
    for unit in reversed(units):
        if unit.children:
            columns.append(sum(columns[len(units) - 1 - at] for at in unit.children))
        else:
            columns.append(_closed_width(unit))
    columns.reverse()
    folded = _FOLDED
    parts: list[list[Node]] = []
    pending = [0]
    while pending:
        top = pending.pop()
        opened = {top}
        room = width - sum(
            folded if units[at].children else columns[at] for at in units[top].children
        )
        closed = [at for at in units[top].children if units[at].children]
        while fitting := [
            at for at in closed if _opening(units, columns, at, folded) <= room
        ]:
            at = max(fitting, key=columns.__getitem__)
            room -= _opening(units, columns, at, folded)
            opened.add(at)
            closed.remove(at)
            closed += [child for child in units[at].children if units[child].children]
        part = _part(units, top, opened)
        while len(opened) > 1 and _Diagram(part, texts, _PLAIN, "").width > width:
            opened.remove(max(opened))  # the estimate was too small
            part = _part(units, top, opened)
        parts.append(part)
        left = [
            child
            for at in opened
            for child in units[at].children
            if units[child].children and child not in opened
        ]
        pending += sorted(left, reverse=True)
    return parts


def _closed_width(unit: Node) -> int:
    """The room of a unit that is not opened: of an EDU, of its text."""
    if unit.children:
        return _FOLDED
    return _GAP + svg.column_width(svg.column_lines(unit.text or ""), "")


def _narrowed(units: Sequence[Node], width: int) -> list[Node]:
    """The outline with no unit of more children than fit.

    The children beyond stand below a unit that says so: `… 12–30`.
    """
    narrowed: list[Node] = []
    pending: list[tuple[Node, list[int], int | None]] = [
        (units[0], units[0].children, None)
    ]
    while pending:
        unit, children, parent = pending.pop()
        here = len(narrowed)
        narrowed.append(replace(unit, parent=parent, children=[]))
        if parent is not None:
            narrowed[parent].children.append(here)
        rooms = [
            max(
                _closed_width(units[at]), _relation_width(units[at].relation) + 2 * _PAD
            )
            for at in children
        ]
        count = len(children)
        if sum(rooms) > width:
            fitting = (total + _FOLDED <= width for total in accumulate(rooms))
            count = max(1, sum(fitting))
        below = [(units[at], units[at].children, here) for at in children[:count]]
        if rest := children[count:]:
            nuclei = [at for at in rest if units[at].nuclearity == NUCLEUS]
            ends = units[rest[0]].label, units[rest[-1]].label
            label = f"… {ends[0].split('–')[0]}–{ends[1].split('–')[-1]}"
            like = units[(nuclei or rest)[0]]
            below.append((replace(like, label=label, text=None, marks=0), rest, here))
        pending += reversed(below)
    return narrowed


def _opening(
    units: Sequence[Node], columns: Sequence[int], at: int, folded: int
) -> int:
    """How much more room a unit takes if its children are drawn, closed."""
    children = units[at].children
    return sum(
        folded if units[child].children else columns[child] for child in children
    ) - (folded)


def _part(units: Sequence[Node], top: int, opened: Collection[int]) -> list[Node]:
    """The outline of a unit in which only some units are opened."""
    place_of: dict[int, int] = {}
    part: list[Node] = []
    pending = [top]
    while pending:
        at = pending.pop()
        unit = units[at]
        is_closed = bool(unit.children) and at not in opened
        place_of[at] = len(part)
        parent = None if at == top else place_of[unit.parent or 0]
        text = _BELOW if is_closed else unit.text
        part.append(replace(unit, text=text, parent=parent, children=[]))
        if parent is not None:
            part[parent].children.append(place_of[at])
        if not is_closed:
            pending += reversed(unit.children)
    return part


# -- what both have --------------------------------------------------------------------


_Words = Sequence[tuple[str, str]]  # and the class that each has


def _unit(
    line: tuple[int, int],
    x: int,
    y: int,
    number: str,
    texts: Sequence[_Words],
    mark: str,
    signals: str = "",
) -> list[str]:
    """A unit: its line, and its number and its text below that."""
    baseline = y + _BELOW_NUMBER + 11
    kind = f"unit {mark} marked-line" if mark else "unit"
    return [
        svg.path_element(f"M{line[0]} {y}H{line[1]}", kind),
        svg.text_element(x, y + _NUMBER, number, f"number {mark}", signals),
        *(
            svg.words_element(x, baseline + svg.TEXT_LINE * below, words, "edu")
            for below, words in enumerate(texts)
        ),
    ]


def _plain_words(lines: Sequence[str]) -> list[_Words]:
    return [[(line, "")] for line in lines]


def _arrow(
    curve: str,
    tip: tuple[int, int],
    label: str,
    places: Sequence[int],
    baseline: int,
    *,
    mark: str,
    kind: str = "",
) -> list[str]:
    """An arrow to its tip, with a label at some places."""
    x, y = tip
    return [
        svg.path_element(curve, f"arrow {kind} {mark}"),
        svg.path_element(f"M{x - 4} {y - 8}L{x} {y}L{x + 4} {y - 8}Z", f"tip {mark}"),
        *(svg.text_element(at, baseline, label, f"relation {mark}") for at in places),
    ]


def _relation_width(relation: str) -> int:
    return svg.text_width(relation, size=svg.RELATION_SIZE, bold=True)


def label_places(start: int, end: int, middle: int, width: int) -> list[int]:
    """Where a label stands on an arrow: in the middle, or near the ends of a long one.

    >>> label_places(0, 200, 100, 60), label_places(0, 700, 350, 60)
    ([100], [54])
    >>> label_places(2000, 0, 1000, 60)
    [1946, 54]
    """
    if abs(middle - start) <= _FAR // 2:
        return [middle]
    inward = (width // 2 + 24) * (1 if end > start else -1)
    if abs(end - start) < 3 * _FAR:
        return [start + inward]
    return [start + inward, end - inward]


# -- diagrams --------------------------------------------------------------------------


class _Diagram:
    """An RST diagram: where everything is, and what is drawn there."""

    def __init__(
        self,
        units: Sequence[Node],
        texts: Sequence[str],
        beside: ShownEnhancements,
        mark_class: str,
    ) -> None:
        self.units, self.beside = units, beside
        self.mark_class = mark_class
        # How many words stand before each EDU, from 1.
        self.words_before = [0, *accumulate(len(text.split()) for text in texts)]
        # Of a satellite: the nucleus that its arrow leads to, and how far above the
        # units it does, from 1.
        self.targets: dict[int, int] = {}
        self.levels: dict[int, int] = {}
        # The children that lines lead to; all of them if none is a nucleus.
        self.nuclei = []
        for unit in units:
            nuclei = [
                child for child in unit.children if units[child].nuclearity == NUCLEUS
            ]
            self.nuclei.append(nuclei or unit.children)
            if nuclei:
                self._aim_arrows(unit.children, nuclei)
        self.relations = list(map(self._shared_relation, self.nuclei))
        self.lines = [[] if u.text is None else svg.column_lines(u.text) for u in units]
        halves = [self._width(at) // 2 for at in range(len(units))]
        self.x, self.width = place(
            units,
            [(half, half) for half in halves],
            gap=_GAP,
            between=self._room_between,
            anchors=self.nuclei.__getitem__,
        )
        self.y = [0] * len(units)
        # A unit's line goes from its first EDU's to its last one's.
        self.ends = [(x - h, x + h) for x, h in zip(self.x, halves, strict=True)]
        for at in reversed(range(len(units))):
            if children := units[at].children:
                self.ends[at] = self.ends[children[0]][0], self.ends[children[-1]][1]
        for at, unit in enumerate(units):
            below = self.y[at] + self._drop(at)
            for child in unit.children:
                self.y[child] = below

    def _aim_arrows(self, siblings: Sequence[int], nuclei: Sequence[int]) -> None:
        """To the nearest nucleus, before it if tied; farther ones pass above nearer."""
        place_of = {child: place for place, child in enumerate(siblings)}
        for child in siblings:
            if child not in nuclei:
                away = [abs(place_of[nucleus] - place_of[child]) for nucleus in nuclei]
                self.targets[child] = target = nuclei[away.index(min(away))]
                low, high = min(child, target), max(child, target)
                passed = siblings[place_of[low] : place_of[high] + 1]
                self.levels[child] = sum(between not in nuclei for between in passed)

    def _shared_relation(self, nuclei: Sequence[int]) -> str:
        """The relation that holds between nuclei; nothing for a single nucleus."""
        names = dict.fromkeys(self.units[child].relation for child in nuclei)
        is_plain = len(nuclei) == 1 and SPAN in names
        return "" if is_plain else " · ".join(names)

    def _width(self, at: int) -> int:
        unit, relation = self.units[at], self.relations[at]
        if not unit.children:
            return svg.column_width(self.lines[at], unit.label)
        number = svg.text_width(unit.label, size=svg.NUMBER_SIZE, bold=True)
        return max(_relation_width(relation) if relation else 0, number) + 8

    def _room_between(self, before: int, after: int) -> int:
        """An arrow's relation stands next to the satellite, on the nucleus's side."""
        facing = [before] if self.targets.get(before, before) > before else []
        facing += [after] if self.targets.get(after, after) < after else []
        widths = [_relation_width(self.units[unit].relation) for unit in facing]
        return max((width + 2 * _PAD for width in widths), default=0)

    def _drop(self, at: int) -> int:
        """From a unit's line to that of its children."""
        children = self.units[at].children
        highest = max((self.levels.get(child, 0) for child in children), default=0)
        height = _BELOW_NUMBER
        if self.relations[at]:
            height += _RELATION_HEIGHT
        if len(self.nuclei[at]) > 1 or not highest:
            height += _SLANT
        if highest:
            height += _ARC_FOOT + _ARC_STEP * highest - 4
        return height

    def panel(self) -> svg.Panel:
        elements: list[str] = []
        height = 0
        for at, unit in enumerate(self.units):
            x, y = self.x[at], self.y[at]
            texts = self._words(at)
            signals = "; ".join(self.beside.signals.get(unit.label, ()))
            mark = self._mark(at)
            elements += _unit(self.ends[at], x, y, unit.label, texts, mark, signals)
            height = max(height, y + _BELOW_NUMBER + svg.TEXT_LINE * len(texts) + 4)
            top = y + _BELOW_NUMBER
            if relation := self.relations[at]:
                is_marked = all(self._mark(child) for child in self.nuclei[at])
                kind = f"relation {self.mark_class if is_marked else ''}"
                elements.append(svg.text_element(x, top + 11, relation, kind))
                top += _RELATION_HEIGHT
            elements += self._lines_down(at, top)
            for child in unit.children:
                if child in self.targets:
                    elements += self._satellite(child)
        return self._with_secondary(svg.Panel(elements, self.width, height))

    def _words(self, at: int) -> list[_Words]:
        """The lines of a unit's text."""
        label = self.units[at].label
        if not label.isdecimal() or int(label) >= len(self.words_before):
            return _plain_words(self.lines[at])  # of several EDUs, or of an excerpt
        seen = self.words_before[int(label) - 1]
        lines: list[_Words] = []
        for line in self.lines[at]:
            words = line.replace("\xa0", " ").split(" ")
            kinds = [self.beside.words.get(seen + n) for n in range(1, len(words) + 1)]
            classes = {None: "", True: "connective", False: "signal"}
            lines.append(
                [(word, classes[kind]) for word, kind in zip(words, kinds, strict=True)]
            )
            seen += len(words)
        return lines

    def edges(self) -> list[tuple[int, int, str]]:
        """The secondary edges that both ends are drawn of: from where to where."""
        place_of = {unit.label: at for at, unit in enumerate(self.units)}
        return [
            (
                self.x[place_of[source]],
                self.x[place_of[target]],
                f"{source} → {target} {what}",
            )
            for source, target, what in self.beside.edges
            if source in place_of and target in place_of
        ]

    def _with_secondary(self, panel: svg.Panel) -> svg.Panel:
        """Secondary edges below the texts, long ones lowest."""
        elements, width, height = panel
        edges = self.edges()
        taken: list[list[tuple[int, int]]] = []  # by level: what is drawn there
        top = height + _SECONDARY_GAP
        for start, end, whole in sorted(edges, key=lambda edge: abs(edge[1] - edge[0])):
            label = shortened(whole, _LONGEST_LABEL)
            half = _relation_width(label) // 2 + _PAD
            middle = min(max((start + end) // 2, half), max(width - half, half))
            room = min(start, end, middle - half), max(start, end, middle + half)
            free = (
                level
                for level, rooms in enumerate(taken)
                if all(room[1] < left or right < room[0] for left, right in rooms)
            )
            level = next(free, len(taken))
            taken += [[] for _ in range(level + 1 - len(taken))]
            taken[level].append(room)
            y = top + _SECONDARY_STEP * (level + 1)
            curve = f"M{start} {top}V{y}H{end}V{top + 6}"
            tip = f"M{end - 4} {top + 8}L{end} {top}L{end + 4} {top + 8}Z"
            elements += [
                svg.path_element(curve, "arrow secondary"),
                svg.path_element(tip, "tip"),
                svg.text_element(middle, y + 15, label, "relation secondary", whole),
            ]
            width, height = max(width, room[1]), max(height, y + 20)
        return svg.Panel(elements, width, height)

    def _mark(self, at: int) -> str:
        return self.mark_class if self.units[at].marks else ""

    def _lines_down(self, at: int, top: int) -> list[str]:
        """From a unit to its nuclei: straight, or round a corner where that is far."""
        x, nuclei = self.x[at], self.nuclei[at]
        is_far = any(abs(self.x[child] - x) > _FAR for child in nuclei)
        elements = []
        for number, child in enumerate(nuclei, start=1):
            end, y, mark = self.x[child], self.y[child], self._mark(child)
            path = f"M{x} {top}L{end} {y}"
            if is_far and end != x:
                bus, corner = top + 8, end - 8 if end > x else end + 8
                path = f"M{x} {top}V{bus}H{corner}Q{end} {bus} {end} {bus + 8}V{y}"
            elements.append(svg.path_element(path, f"arm {mark}"))
            # Far from the relation's place it is said again, if there is room.
            relation = self.units[child].relation
            next_x = self.x[nuclei[number]] if nuclei[number:] else self.ends[child][1]
            has_room = next_x - end > _relation_width(relation) + 14
            if is_far and abs(end - x) > _FAR // 2 and has_room:
                kind = f"relation left {mark}"
                elements.append(svg.text_element(end + 6, y - 6, relation, kind))
        return elements

    def _satellite(self, at: int) -> list[str]:
        """Its arrow: up, across and down to the nucleus, with the relation."""
        unit, target, level = self.units[at], self.targets[at], self.levels[at]
        start, end, y = self.x[at], self.x[target], self.y[at]
        top = y - _ARC_FOOT - _ARC_STEP * (level - 1)
        side = 1 if end > start else -1
        end -= side * (4 + 5 * level)
        bend = side * min(14, abs(end - start) // 2)
        curve = (
            f"M{start} {y - 2}Q{start} {top} {start + bend} {top}"
            f"H{end - bend}Q{end} {top} {end} {y - 6}"
        )
        # Next to the satellite: between it and its neighbour on the nucleus's side.
        siblings = self.units[unit.parent or 0].children
        neighbour = siblings[siblings.index(at) + side]
        middle = (start + (end if neighbour == target else self.x[neighbour])) // 2
        places = label_places(start, end, middle, _relation_width(unit.relation))
        tip, mark = (end, y - 1), self._mark(at)
        return _arrow(curve, tip, unit.relation, places, top - 5, mark=mark)


def _with_key(panel: svg.Panel, beside: ShownEnhancements) -> svg.Panel:
    """A panel with a line that says what the colours of words mean."""
    if not beside.words:
        return panel
    words = [("connective", "connective"), ("·", ""), ("other signal", "signal")]
    y = panel.height + 24
    element = svg.words_element(0, y, words, "edu left")
    return svg.Panel([*panel.elements, element], panel.width, y + 6)


# -- dependency trees ------------------------------------------------------------------


def _dependency_panel(
    tree: DependencyTree, marks: Collection[int], mark_class: str
) -> svg.Panel:
    """The tree or graph; marked arcs (from 1) in the colour of a mark class."""
    arcs = tree.arcs()
    levels = arc_levels(arcs)
    ports = _ports(arcs, levels)
    texts = [svg.column_lines(one_line(text)) for text in tree.texts]
    halves = [
        svg.column_width(text, str(edu)) // 2 for edu, text in enumerate(texts, 1)
    ]
    labels = [drawable(tree.label(number)) for number in range(1, len(arcs) + 1)]
    x, width = _columns(arcs, labels, halves, ports)
    base = _FOOT + _LEVEL * (max(levels, default=0) + 1)
    elements: list[str] = []
    for number, (edu, head, _) in enumerate(arcs, start=1):
        label = labels[number - 1]
        mark = mark_class if number in marks else ""
        end = x[edu - 1] + ports[edu, number]
        tip = (end, base - 1)
        if not head:
            curve = f"M{end} 18V{base - 6}"
            elements += _arrow(curve, tip, "root", [end], 12, mark=mark)
            continue
        top = base - _FOOT - _LEVEL * (levels[number - 1] - 1)
        start = x[head - 1] + ports[head, number]
        side = 1 if end > start else -1
        bend = side * min(_CORNER, abs(end - start) // 2)
        curve = (
            f"M{start} {base - 2}V{top + _CORNER}Q{start} {top} {start + bend} {top}"
            f"H{end - bend}Q{end} {top} {end} {top + _CORNER}V{base - 6}"
        )
        is_nucleus = tree.nuclearities and tree.nuclearities[edu - 1] == NUCLEUS
        kind = "nucleus" if is_nucleus else ""
        places = label_places(end, start, (start + end) // 2, _relation_width(label))
        elements += _arrow(curve, tip, label, places, top - 4, mark=mark, kind=kind)
    for at, (middle, half, text) in enumerate(zip(x, halves, texts, strict=True)):
        line = (middle - half, middle + half)
        elements += _unit(line, middle, base, str(at + 1), _plain_words(text), "")
    height = base + _BELOW_NUMBER + svg.TEXT_LINE * max(map(len, texts), default=0)
    return svg.Panel(elements, width, height)


def _ports(arcs: Sequence[Arc], levels: list[int]) -> dict[tuple[int, int], int]:
    """By EDU and number of an arc, from 1: where at the EDU the arc ends.

    From left to right: arcs to the left, the innermost first; then arcs to the right,
    the outermost first. So arcs that share an EDU do not cross.
    """
    ends: dict[int, list[tuple[int, int, int]]] = {}
    for number, ((edu, head, _), level) in enumerate(zip(arcs, levels, strict=True), 1):
        if not head:
            ends.setdefault(edu, []).append((0, max(levels) + 1, number))
            continue
        for here, there in ((edu, head), (head, edu)):
            end = (0, level, number) if there < here else (1, -level, number)
            ends.setdefault(here, []).append(end)
    return {
        (here, number): _PORT * port - _PORT * (len(of_edu) - 1) // 2
        for here, of_edu in ends.items()
        for port, (_, _, number) in enumerate(sorted(of_edu))
    }


def _columns(
    arcs: Sequence[Arc],
    labels: Sequence[str],
    halves: Sequence[int],
    ports: dict[tuple[int, int], int],
) -> tuple[list[int], int]:
    """The middle of each EDU, so far apart that every relation has its room."""
    rooms = list(halves)
    for (edu, _), offset in ports.items():
        rooms[edu - 1] = max(rooms[edu - 1], abs(offset) + 6)
    gaps = np.array([0, *(a + _ARC_GAP + b for a, b in pairwise(rooms))], np.int64)
    for start, end, number in arc_ends(arcs):
        offset = abs(ports[start, number] - ports[end, number])
        needed = _relation_width(labels[number - 1]) + _ARC_PAD + offset
        gaps[end - 1] += max(0, needed - int(gaps[start:end].sum()))
    x = (rooms[0] + np.cumsum(gaps)).tolist()
    return x, max(int(x[-1]) + rooms[-1], _relation_width("root"))
