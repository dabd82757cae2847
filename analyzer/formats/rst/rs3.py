"""RSTTool's and rstWeb's .rs3, and rstWeb's .rs4: XML of segments and groups.

    <segment id="1" parent="3" relname="span">He left</segment>
    <segment id="2" parent="1" relname="reason">because it rained.</segment>
    <group id="3" type="span"/>

A node points to the group it is a nucleus of (relname `span`, or the relation of a
`multinuc` group), or to the nucleus that it is a satellite of. Several satellites that
point to one nucleus form one unit with it. Segments are EDUs, in the order of the file.
What .rs4 has beside the tree, secondary edges and signals, the root keeps as its
`enhancements`.

Annotators leave more than trees, and rstWeb shows it: segments and groups that nothing
attaches (a title), groups without a nucleus, spans of several. All of them are read,
and `readings` says so: trees are joined under one unit, the units of a group without a
nucleus
are its nuclei, and a span of several has them all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import NamedTuple
from xml.sax.saxutils import escape, quoteattr

from analyzer.exceptions import InputError, Place, RstError
from analyzer.files.xml import Element, elements, root_element
from analyzer.formats.blocks import Family, Format
from analyzer.formats.rst.building import Document, spans_of
from analyzer.model.discourse import (
    NUCLEUS,
    SATELLITE,
    SPAN,
    UNATTACHED,
    DiscourseTree,
    EduSpan,
    Enhancements,
    GraphNode,
    Reading,
    SecondaryEdge,
    Signal,
    Unit,
    check_size,
    joined,
)
from analyzer.safe_text import counted

SEGMENT = "segment"
_NOT_GIVEN = "(none)"
_XML = re.compile(r"<(?:\?xml|rst\b|!--|!DOCTYPE\s+rst)")
# Text that RSTTool and programs around it did not escape: `Simon & Schuster`.
_BARE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9a-fA-F]+);)")
_ENHANCED = re.compile(r"<(?:sigtypes|secedge|signal)s?\b")


@dataclass
class Node:
    """A segment or a group, and what points to it."""

    name: str  # the id
    kind: str  # 'segment', or the type of a group
    parent: str | None
    relation: str
    line: int
    text: str = ""
    number: int = 0  # of a segment: its EDU
    nuclei: list[Node] = field(default_factory=list)
    satellites: list[Node] = field(default_factory=list)
    own: EduSpan = (0, 0)  # its EDUs, without satellites
    whole: EduSpan = (0, 0)  # and with them

    def __str__(self) -> str:
        return f"{SEGMENT if self.kind == SEGMENT else 'group'} {self.name}"


class Graph(NamedTuple):
    """A document as its file has it: the tree, its nodes, and what is beside it."""

    root: Unit
    nodes: dict[str, Node]
    declared: list[tuple[str, str]]  # relations, and their types
    beside: dict[str, list[Element]]
    readings: list[Reading]


def read_graph(text: str, source: str = "<text>") -> Graph:
    """The tree of an .rs3 or .rs4 document, with the nodes that it is made of."""
    nodes: dict[str, Node] = {}
    multinuclear: set[str] = set()
    mononuclear: set[str] = set()
    beside: dict[str, list[Element]] = {"secedge": [], "signal": [], "sig": []}
    declared: list[tuple[str, str]] = []
    bare = 0
    if "<![CDATA[" not in text:
        text, bare = _BARE.subn("&amp;", text)
    for element in _elements(text, source):
        if element.name == "rel":
            kind = element.attributes.get("type", "rst")
            names = mononuclear if kind == "rst" else multinuclear
            declared.append((element.attributes.get("name", ""), kind))
            names.add(declared[-1][0])
        elif element.name in (SEGMENT, "group"):
            _add(nodes, element, source)
        elif element.name in beside:
            beside[element.name].append(element)
    if not any(node.kind == SEGMENT for node in nodes.values()):
        raise RstError("E355 contains no segments", Place(source))
    _link(nodes, multinuclear, mononuclear, source)
    readings = _as_shown(nodes, multinuclear)
    if bare:
        readings.append(Reading("bare &", "read as text", bare))
    root = joined(_trees(nodes, _from_the_roots(nodes, source), source))
    return Graph(root, nodes, declared, beside, readings)


def read_rs3(text: str, source: str = "<text>") -> Document:
    """The tree of an .rs3 or .rs4 document; RstError says what is wrong with it.

    A warning names secondary edges and signals that point to nothing.
    """
    root, nodes, declared, beside, readings = read_graph(text, source)
    warnings: list[str] = []
    if any(beside.values()):
        places = {
            name: GraphNode(
                name, node.kind, node.parent, node.relation, node.own, node.whole
            )
            for name, node in nodes.items()
        }
        edges, signals = _edges_and_signals(places, beside, source, warnings)
        kinds = [_pair(kind, "type", "subtypes") for kind in beside["sig"]]
        root.enhancements = Enhancements(places, edges, signals, declared, kinds)
    return Document(root, warnings, readings)


def _edges_and_signals(
    nodes: Mapping[str, GraphNode],
    beside: Mapping[str, list[Element]],
    source: str,
    warnings: list[str],
) -> tuple[list[SecondaryEdge], list[Signal]]:
    """Those that point to something; the others are left out with a warning."""
    edges: dict[str, SecondaryEdge] = {}
    signals: list[Signal] = []
    for element in beside["secedge"]:
        given = element.attributes
        start, end = given.get("source", ""), given.get("target", "")
        name = given.get("id") or f"{start}-{end}"
        if start in nodes and end in nodes and name not in edges:
            others = _others(given, ("id", "source", "target", "relname"))
            relation = given.get("relname") or _NOT_GIVEN
            edges[name] = SecondaryEdge(name, start, end, relation, others)
        else:
            why = "is a second one" if name in edges else "points to no unit"
            what = f"secondary edge {name} on line {element.line}"
            warnings.append(f"{source}: {what} {why}: left out")
    for element in beside["signal"]:
        given = element.attributes
        start = given.get("source", "")
        if start in nodes or start in edges:
            names = ("source", "type", "subtype", "tokens")
            values = {name: given.get(name, "") for name in names}
            signals.append(Signal(**values, others=_others(given, names)))
        else:
            what = f"the signal on line {element.line}"
            warnings.append(f"{source}: {what} is of {start!r}, no unit: left out")
    return list(edges.values()), signals


def _pair(element: Element, *names: str) -> tuple[str, str]:
    first, second = (element.attributes.get(name, "") for name in names)
    return first, second


def _others(
    given: Mapping[str, str], known: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    return tuple((name, value) for name, value in given.items() if name not in known)


def _elements(text: str, source: str) -> Iterator[Element]:
    try:
        yield from elements(text, source)
    except InputError as error:
        raise error.as_a(RstError) from None


def _add(nodes: dict[str, Node], element: Element, source: str) -> None:
    given = element.attributes
    place = Place(source, element.line)
    name = given.get("id")
    if not name:
        raise RstError("E356 without an id", place, name=element.name)
    if name in nodes:
        raise RstError("E357 a second time", place, name=name, line=nodes[name].line)
    is_segment = element.name == SEGMENT
    text = element.text
    if given.get("xml:space") != "preserve":
        text = text.strip()
    check_size(len(nodes) + 1, place)
    nodes[name] = Node(
        name,
        SEGMENT if is_segment else given.get("type", "span"),
        given.get("parent") or None,
        given.get("relname") or _NOT_GIVEN,
        element.line,
        text if is_segment else "",
    )


def _link(
    nodes: dict[str, Node], multinuclear: set[str], mononuclear: set[str], source: str
) -> None:
    """Put every node below the one it points to, as a nucleus or as a satellite."""
    number = 0
    for node in nodes.values():
        if node.kind == SEGMENT:
            number += 1
            node.number = number
        if node.parent is None:
            continue
        parent = nodes.get(node.parent)
        if parent is None:
            raise RstError(
                "E361 which is not in the document",
                Place(source, node.line),
                node=node,
                parent=node.parent,
            )
        if _is_nucleus(node, parent, multinuclear, mononuclear):
            parent.nuclei.append(node)
        else:
            parent.satellites.append(node)


def _is_nucleus(
    node: Node, parent: Node, multinuclear: set[str], mononuclear: set[str]
) -> bool:
    if parent.kind == SEGMENT:
        return False
    if node.relation == SPAN:
        return True
    if parent.kind == SPAN:
        return False
    # A multinuclear group, or one of RSTTool's schemas: its satellites have relations
    # that are declared as mononuclear, and as nothing else.
    return node.relation in multinuclear or node.relation not in mononuclear


def _as_shown(nodes: dict[str, Node], multinuclear: set[str]) -> list[Reading]:
    """Nuclei for groups that have none; empty groups are taken out of `nodes`."""
    empty = _without_empty(nodes)
    wide = sum(n.kind == SPAN and len(n.nuclei) > 1 for n in nodes.values())
    headless = [n for n in nodes.values() if n.kind != SEGMENT and not n.nuclei]
    for group in headless:
        nuclei = [node for node in group.satellites if node.relation in multinuclear]
        group.nuclei = nuclei or group.satellites
        group.satellites = [
            node for node in group.satellites if node not in group.nuclei
        ]
    read = [
        Reading("empty group", "left out", empty),
        Reading("group without a nucleus", "read as multinuclear", len(headless)),
        Reading("span of several nuclei", "kept", wide),
    ]
    return [reading for reading in read if reading.number]


def _without_empty(nodes: dict[str, Node]) -> int:
    """Take groups out that nothing points to, and those of nothing but such."""
    pending = [node for node in nodes.values() if _is_empty(node)]
    for node in pending:  # grows while it is read
        del nodes[node.name]
        if node.parent is not None:
            parent = nodes[node.parent]
            parent.nuclei = [child for child in parent.nuclei if child is not node]
            parent.satellites = [
                child for child in parent.satellites if child is not node
            ]
            pending += [parent] if _is_empty(parent) else []
    return len(pending)


def _is_empty(node: Node) -> bool:
    return node.kind != SEGMENT and not node.nuclei and not node.satellites


def _from_the_roots(nodes: dict[str, Node], source: str) -> list[list[Node]]:
    """The nodes of each tree, the root first and each before those that point to it."""
    orders = [[node] for node in nodes.values() if node.parent is None]
    for order in orders:
        for node in order:  # grows while it is read
            order.extend(node.nuclei)
            order.extend(node.satellites)
    if sum(map(len, orders)) < len(nodes):
        raise _cycle(nodes, [node for order in orders for node in order], source)
    return orders


def _cycle(nodes: dict[str, Node], reached: list[Node], source: str) -> RstError:
    known = {node.name for node in reached}
    at = next(node for node in nodes.values() if node.name not in known)
    place_of: dict[str, int] = {}
    while at.name not in place_of:
        place_of[at.name] = len(place_of)
        at = nodes[at.parent or at.name]
    path = [*list(place_of)[place_of[at.name] :], at.name]
    shown = " → ".join(path if len(path) < 10 else [*path[:8], "…", at.name])
    return RstError("E354 a cycle of parents", Place(source, at.line), shown=shown)


Spanned = tuple[EduSpan, Unit]  # a unit, and its first and last EDU


def _trees(nodes: dict[str, Node], orders: list[list[Node]], source: str) -> list[Unit]:
    """The trees of a document from left to right.

    One that stands within another, a heading between its paragraphs say, is put there.
    """

    def width(order: list[Node]) -> int:
        edus = [node.number for node in order if node.kind == SEGMENT]
        return max(edus) - min(edus)

    done: list[Spanned] = []
    for order in sorted(orders, key=width):
        done.append(_tree(order, done, source))
    done.sort(key=lambda tree: tree[0])
    for (left, _), (right, tree) in pairwise(done):
        if left[1] + 1 != right[0]:
            node = next(node for node in nodes.values() if node.line == tree.line)
            raise _crossing(node, left, right, source)
    return [tree for _, tree in done]


def _tree(order: list[Node], within: list[Spanned], source: str) -> Spanned:
    """The units, bottom up: of a node alone, then with its satellites.

    Trees `within` it are taken from that list.
    """
    whole: dict[str, Unit] = {}
    spans: dict[str, EduSpan] = {}

    def put_together(node: Node, parts: list[Node], first: Unit | None = None) -> Unit:
        members = [(spans[part.name], whole[part.name]) for part in parts]
        members += [(spans[node.name], first)] if first else []
        unit, spans[node.name] = _joined(node, members, within, source)
        return unit

    for node in reversed(order):
        if node.kind == SEGMENT:
            spans[node.name] = (node.number, node.number)
            unit = Unit(NUCLEUS, SPAN, [], node.text, node.line)
        elif len(node.nuclei) == 1:
            [nucleus] = node.nuclei
            spans[node.name] = spans[nucleus.name]
            unit = whole[nucleus.name]
            unit.is_grouped |= node.kind != SPAN or not nucleus.satellites
        else:
            for nucleus in node.nuclei:
                whole[nucleus.name].nuclearity = NUCLEUS
                whole[nucleus.name].relation = nucleus.relation
            unit = put_together(node, node.nuclei)
        node.own = spans[node.name]
        if node.satellites:
            unit.nuclearity, unit.relation = NUCLEUS, SPAN
            for satellite in node.satellites:
                whole[satellite.name].nuclearity = SATELLITE
                whole[satellite.name].relation = satellite.relation
            unit = put_together(node, node.satellites, unit)
        whole[node.name] = unit
        node.whole = spans[node.name]
    return spans[order[0].name], whole[order[0].name]


def _joined(
    node: Node, members: list[Spanned], within: list[Spanned], source: str
) -> tuple[Unit, EduSpan]:
    """One unit of several, which have to be neighbours but for trees between them."""
    members.sort(key=lambda member: member[0])
    parts = members[:1]
    for member in members[1:]:
        end, start = parts[-1][0][1], member[0][0]
        between = [
            inner for inner in within if end < inner[0][0] and inner[0][1] < start
        ]
        for inner in sorted(between, key=lambda tree: tree[0]):
            within.remove(inner)
            inner[1].nuclearity, inner[1].relation = SATELLITE, UNATTACHED
            parts.append(inner)
        parts.append(member)
    for (left, _), (right, _) in pairwise(parts):
        if left[1] + 1 != right[0]:
            raise _crossing(node, left, right, source)
    unit = Unit(NUCLEUS, SPAN, [unit for _, unit in parts], "", node.line)
    return unit, (parts[0][0][0], parts[-1][0][1])


def _crossing(node: Node, left: EduSpan, right: EduSpan, source: str) -> RstError:
    fault = "a gap" if left[1] < right[0] else "an overlap"
    place = Place(source, node.line)
    here, there = left[1], right[0]
    return RstError(
        "E362 follows EDU", place, fault=fault, node=node, right=there, left=here
    )


# -- writing --------------------------------------------------------------------------


def write_rs3(root: Unit) -> str:
    """The document in .rs3. What the format cannot say is in `rs3_losses`."""
    nodes, relations = _numbered_nodes(_nested(root))
    return _written(nodes, relations)


def _written(
    nodes: Iterable[Node],
    relations: Iterable[tuple[str, str]],
    enhancements: Enhancements | None = None,
) -> str:
    lines = ["<rst>", "\t<header>", "\t\t<relations>"]
    lines += [_tag("rel", name=name, type=kind) for name, kind in relations]
    lines.append("\t\t</relations>")
    if enhancements is not None:
        kinds = enhancements.signal_types
        tags = [_tag("sig", type=kind, subtypes=names) for kind, names in kinds]
        lines += ["\t\t<sigtypes>", *tags, "\t\t</sigtypes>"]
    lines += ["\t</header>", "\t<body>"]
    for node in nodes:
        attributes = f'id="{node.name}"'
        if node.kind != SEGMENT:
            attributes += f' type="{node.kind}"'
        if node.parent is not None:
            attributes += f' parent="{node.parent}" relname={quoteattr(node.relation)}'
        if node.kind != SEGMENT:
            lines.append(f"\t\t<group {attributes}/>")
            continue
        if node.text != node.text.strip():
            attributes += ' xml:space="preserve"'
        text = escape(node.text, {"\r": "&#13;"})
        lines.append(f"\t\t<segment {attributes}>{text}</segment>")
    if enhancements and enhancements.edges:
        lines += ["\t\t<secedges>", *map(_edge_tag, enhancements.edges)]
        lines.append("\t\t</secedges>")
    if enhancements and enhancements.signals:
        lines += ["\t\t<signals>", *map(_signal_tag, enhancements.signals)]
        lines.append("\t\t</signals>")
    lines += ["\t</body>", "</rst>"]
    return "\n".join(lines) + "\n"


def _tag(element: str, **attributes: str) -> str:
    given = " ".join(f"{name}={quoteattr(value)}" for name, value in attributes.items())
    return f"\t\t\t<{element} {given}/>"


def _edge_tag(edge: SecondaryEdge) -> str:
    ends = {"id": edge.name, "source": edge.source, "target": edge.target}
    return _tag("secedge", **ends, relname=edge.relation, **dict(edge.others))


def _signal_tag(signal: Signal) -> str:
    given = signal._asdict()
    others = given.pop("others")
    return _tag("signal", **given, **dict(others))


def write_rs4(root: Unit) -> str:
    """The document in .rs4, with its secondary edges and signals.

    A tree that is as it was read keeps its nodes and their ids; of one that was
    reshaped they are numbered anew, and what points to a unit is found by its EDUs.
    What finds no unit is in `rs4_losses`.
    """
    given = root.enhancements
    if given is None:
        nodes, relations = _numbered_nodes(_nested(root))
        return _written(nodes, relations, Enhancements({}))
    texts = iter(unit.text for unit in root.walk() if unit.is_edu)
    nodes = [
        Node(
            *(node.name, node.kind, node.parent, node.relation, 0),
            next(texts, "") if node.kind == SEGMENT else "",
        )
        for node in given.nodes.values()
    ]
    text = _written(nodes, given.relations, given)
    with suppress(RstError):
        if shape_of(read_rs3(text).tree) == shape_of(root):
            return text
    nodes, relations = _numbered_nodes(_nested(root))
    return _written(nodes, relations, _pointing_to(nodes, given))


def shape_of(tree: DiscourseTree) -> list[tuple[str, str, int]]:
    """What makes two trees the same, wherever they were read."""
    assert isinstance(tree, Unit)
    return [(unit.label, unit.text, len(unit.children)) for unit in tree.walk()]


def _pointing_to(nodes: Sequence[Node], given: Enhancements) -> Enhancements:
    """Edges and signals that point to other nodes over the same EDUs."""
    # Of several over the same EDUs, the one that has a relation.
    name_of = {node.own: node.name for node in nodes}
    name_of |= {node.own: node.name for node in nodes if node.relation != SPAN}
    edges: dict[str, SecondaryEdge] = {}
    for edge in given.edges:
        ends = [name_of.get(given.nodes[end].own) for end in (edge.source, edge.target)]
        if ends[0] is not None and ends[1] is not None:
            named = edge._replace(name=f"{ends[0]}-{ends[1]}")
            edges[edge.name] = named._replace(source=ends[0], target=ends[1])
    signals = []
    for signal in given.signals:
        if signal.source in given.nodes:
            source = name_of.get(given.nodes[signal.source].whole)
        else:
            of_edge = edges.get(signal.source)
            source = of_edge.name if of_edge else None
        if source is not None:
            signals.append(signal._replace(source=source))
    return replace(given, edges=list(edges.values()), signals=signals)


def rs4_losses(root: Unit) -> list[str]:
    """What .rs4 has no way to say: as .rs3, and what is beside the tree and lost."""
    losses, given = rs3_losses(root), root.enhancements
    if given is not None:
        kept = read_rs3(write_rs4(root)).tree.enhancements
        assert kept is None or isinstance(kept, Enhancements)
        edges, signals = (len(kept.edges), len(kept.signals)) if kept else (0, 0)
        lost = [
            counted(count, what)
            for count, what in (
                (len(given.edges) - edges, "secondary edge"),
                (len(given.signals) - signals, "signal"),
            )
            if count
        ]
        losses += [f"{loss} left out: the unit is no longer there" for loss in lost]
    return losses


def _nested(root: Unit) -> Unit:
    """A copy in which no unit has several nuclei and satellites.

    Satellites between nuclei go to the nucleus before them, others to all nuclei.
    """
    copy = root.copy()
    for unit in copy.walk():
        nuclei = nuclei_of(unit, at_least=2)
        if not nuclei or len(nuclei) == len(unit.children):
            continue
        places = [at for at, c in enumerate(unit.children) if c.nuclearity == NUCLEUS]
        start, end = places[0], places[-1] + 1
        groups = []
        for at, following in zip(places, [*places[1:], end], strict=True):
            nucleus = unit.children[at]
            if following > at + 1:
                relation, nucleus.relation = nucleus.relation, SPAN
                nucleus = Unit(NUCLEUS, relation, unit.children[at:following])
            groups.append(nucleus)
        inner = Unit(NUCLEUS, SPAN, groups)
        unit.children = [*unit.children[:start], inner, *unit.children[end:]]
        if len(unit.children) == 1:
            unit.children = groups
    return copy


def _numbered_nodes(root: Unit) -> tuple[list[Node], list[tuple[str, str]]]:
    """Segments from 1 on, then groups; relations, each with its type."""
    units = list(root.walk())
    edus = [unit for unit in units if unit.is_edu]
    groups = [unit for unit in units if not unit.is_edu]
    multinuclear = {
        child.relation for unit in groups for child in nuclei_of(unit, at_least=2)
    }
    mononuclear = {unit.relation for unit in units if unit.nuclearity == SATELLITE}
    if SPAN in mononuclear:
        raise RstError("E363 a satellite whose relation is 'span', which", Place())
    nodes: dict[int, Node] = {}
    spans = spans_of(root)
    for number, unit in enumerate([*edus, *groups], start=1):
        is_multinuclear = len(nuclei_of(unit)) > 1
        kind = SEGMENT if unit.is_edu else "multinuc" if is_multinuclear else SPAN
        own = spans[id(unit)]
        nodes[id(unit)] = Node(str(number), kind, None, "", 0, unit.text, own=own)
    extra: list[Node] = []
    following = len(nodes) + 1
    for unit in groups:
        for node in _attached(unit, nodes, multinuclear, following):
            extra.append(node)
            following += 1
    relations = [
        (name, kind)
        for name in sorted((multinuclear | mononuclear) - {SPAN})
        for kind, names in (("rst", mononuclear), ("multinuc", multinuclear))
        if name in names
    ]
    return [*nodes.values(), *extra], relations


def nuclei_of(unit: Unit, at_least: int = 0) -> list[Unit]:
    nuclei = [child for child in unit.children if child.nuclearity == NUCLEUS]
    return nuclei if len(nuclei) >= at_least else []


def _attached(
    unit: Unit, nodes: dict[int, Node], multinuclear: set[str], following: int
) -> Iterator[Node]:
    """Point a unit's children to where they belong; yields groups made for that."""
    group = nodes[id(unit)]
    nuclei = [nodes[id(child)] for child in nuclei_of(unit)]
    satellites = [child for child in unit.children if child.nuclearity != NUCLEUS]
    relations = [child.relation for child in nuclei_of(unit)]
    if len(nuclei) == 1:
        relations = [SPAN]
    for nucleus, relation in zip(nuclei, relations, strict=True):
        nucleus.parent, nucleus.relation = group.name, relation
    if not satellites:
        return
    governor = nuclei[0]  # the only one
    is_ambiguous = governor.kind == "multinuc" and any(
        satellite.relation in multinuclear for satellite in satellites
    )
    if is_ambiguous:
        # The relation is one of nuclei too, so a satellite that points to a group of
        # nuclei would pass for one of them: it points to a span around the group.
        around = Node(
            str(following),
            SPAN,
            governor.parent,
            governor.relation,
            0,
            own=governor.own,
        )
        governor.parent, governor.relation = around.name, SPAN
        governor = around
        yield around
    for satellite in satellites:
        node = nodes[id(satellite)]
        node.parent, node.relation = governor.name, satellite.relation


def rs3_losses(root: Unit) -> list[str]:
    """What .rs3 has no way to say, one line a unit: empty for most trees.

    >>> nuclei = [Unit("N", "list"), Unit("N", "list")]
    >>> rs3_losses(Unit("R", "---", [*nuclei, Unit("S", "cause")]))
    ['several nuclei with a satellite: written as a unit of nuclei and its satellite']
    """
    losses = []
    for unit in root.walk():
        nuclei = nuclei_of(unit)
        if len(unit.children) == 1:
            losses.append("a unit that contains only one unit: left out")
        elif len(nuclei) > 1 and len(nuclei) < len(unit.children):
            losses.append(
                "several nuclei with a satellite: "
                "written as a unit of nuclei and its satellite"
            )
        elif len(nuclei) == 1 and nuclei[0].relation != SPAN and unit.children:
            losses.append(f"a nucleus {nuclei[0].relation} of satellites: now span")
    return losses


def _begins(start: str) -> bool:
    """Not all XML is .rs3: TIGER-XML is syntax."""
    return bool(_XML.match(start)) and root_element(start) in (None, "rst")


def _begins_enhanced(start: str) -> bool:
    return _begins(start) and _ENHANCED.search(start) is not None


RS4 = Format("rs4", Family.DISCOURSE, _begins_enhanced, read_rs3, write_rs4)
RS3 = Format("rs3", Family.DISCOURSE, _begins, read_rs3, write_rs3)
