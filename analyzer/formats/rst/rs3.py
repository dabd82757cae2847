"""RSTTool's and rstWeb's .rs3, and rstWeb's .rs4: XML of segments and groups.

    <segment id="1" parent="3" relname="span">He left</segment>
    <segment id="2" parent="1" relname="reason">because it rained.</segment>
    <group id="3" type="span"/>

A node points to the group it is a nucleus of (relname `span`, or the relation of a
`multinuc` group), or to the nucleus that it is a satellite of. Several satellites that
point to one nucleus form one unit with it. Segments are EDUs, in the order of the file.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from analyzer.exceptions import InputError, Place, RstError
from analyzer.files.xml import Element, elements
from analyzer.model.discourse import (
    NO_RELATION,
    NUCLEUS,
    ROOT,
    SATELLITE,
    SPAN,
    Unit,
    check_size,
)
from analyzer.safe_text import counted

SEGMENT = "segment"
_LEFT_OUT = {
    "secedge": "secondary edge",
    "signal": "signal",
}
_NOT_GIVEN = "(none)"


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

    def __str__(self) -> str:
        return f"{SEGMENT if self.kind == SEGMENT else 'group'} {self.name}"


def read_rs3(
    text: str, source: str = "<text>", warnings: list[str] | None = None
) -> Unit:
    """The tree of an .rs3 or .rs4 document; RstError says what is wrong with it.

    Secondary edges and signals (.rs4) are no part of a tree: they are left out, and
    `warnings` gets a line that counts them.
    """
    nodes: dict[str, Node] = {}
    multinuclear: set[str] = set()
    mononuclear: set[str] = set()
    left_out: dict[str, int] = {}
    for element in _elements(text, source):
        if element.name == "rel":
            kind = element.attributes.get("type", "rst")
            names = mononuclear if kind == "rst" else multinuclear
            names.add(element.attributes.get("name", ""))
        elif element.name in (SEGMENT, "group"):
            _add(nodes, element, source)
        elif element.name in _LEFT_OUT:
            what = _LEFT_OUT[element.name]
            left_out[what] = left_out.get(what, 0) + 1
    if not any(node.kind == SEGMENT for node in nodes.values()):
        raise RstError(
            "contains no segments; expected <segment id=…>", Place(source), code="E355"
        )
    _link(nodes, multinuclear, mononuclear, source)
    order = _from_the_root(nodes, source)
    if warnings is not None and left_out:
        counts = " and ".join(counted(n, what) for what, n in left_out.items())
        warnings.append(f"{source}: {counts} left out: not part of the tree")
    return _tree(order, source)


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
        raise RstError("a {name} without an id", place, code="E356", name=element.name)
    if name in nodes:
        raise RstError(
            "id {name} a second time; the first is on line {line}",
            place,
            code="E357",
            name=name,
            line=nodes[name].line,
        )
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
    nodes: dict[str, Node],
    multinuclear: set[str],
    mononuclear: set[str],
    source: str,
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
                "{node} has parent {parent}, which is not in the document",
                Place(source, node.line),
                code="E361",
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


def _from_the_root(nodes: dict[str, Node], source: str) -> list[Node]:
    """Every node, the root first and each before those that point to it."""
    roots = [node for node in nodes.values() if node.parent is None]
    if len(roots) > 1:
        one, other = roots[:2]
        raise RstError(
            "a second root: {other}; the first is {one} on line {line}",
            Place(source, other.line),
            code="E358",
            other=other,
            one=one,
            line=one.line,
        )
    order = list(roots)
    for node in order:  # grows while it is read
        order.extend(node.nuclei)
        order.extend(node.satellites)
    if len(order) < len(nodes):
        raise _cycle(nodes, order, source)
    return order


def _cycle(nodes: dict[str, Node], reached: list[Node], source: str) -> RstError:
    known = {node.name for node in reached}
    at = next(node for node in nodes.values() if node.name not in known)
    place_of: dict[str, int] = {}
    while at.name not in place_of:
        place_of[at.name] = len(place_of)
        at = nodes[at.parent or at.name]
    path = [*list(place_of)[place_of[at.name] :], at.name]
    shown = " → ".join(path if len(path) < 10 else [*path[:8], "…", at.name])
    return RstError(
        "a cycle of parents: {shown}", Place(source, at.line), code="E354", shown=shown
    )


def _tree(order: list[Node], source: str) -> Unit:
    """The units, bottom up: of a node alone, then with its satellites."""
    whole: dict[str, Unit] = {}
    spans: dict[str, tuple[int, int]] = {}
    for node in reversed(order):
        unit = Unit(NUCLEUS, SPAN, [], node.text, node.line)
        if node.kind == SEGMENT:
            spans[node.name] = (node.number, node.number)
        else:
            unit = _group(node, whole, spans, source)
        if node.satellites:
            members = [(spans[node.name], unit)]
            members += [(spans[s.name], whole[s.name]) for s in node.satellites]
            unit.nuclearity, unit.relation = NUCLEUS, SPAN
            for satellite in node.satellites:
                whole[satellite.name].nuclearity = SATELLITE
                whole[satellite.name].relation = satellite.relation
            unit = _joined(node, members, spans, source)
        whole[node.name] = unit
    root = whole[order[0].name]
    root.nuclearity, root.relation = ROOT, NO_RELATION
    return root


def _group(
    node: Node,
    whole: dict[str, Unit],
    spans: dict[str, tuple[int, int]],
    source: str,
) -> Unit:
    """The unit of a group's nuclei; of one nucleus, that nucleus itself."""
    if not node.nuclei:
        what = "no nucleus" if node.satellites else "no units in it"
        raise RstError(
            "{node} has {what}",
            Place(source, node.line),
            code="E359",
            node=node,
            what=what,
        )
    if node.kind == SPAN and len(node.nuclei) > 1:
        names = " and ".join(nucleus.name for nucleus in node.nuclei[:2])
        raise RstError(
            "{node}, a span, has several nuclei: {names}",
            Place(source, node.line),
            code="E360",
            node=node,
            names=names,
        )
    if len(node.nuclei) == 1:
        spans[node.name] = spans[node.nuclei[0].name]
        return whole[node.nuclei[0].name]
    for nucleus in node.nuclei:
        whole[nucleus.name].nuclearity = NUCLEUS
        whole[nucleus.name].relation = nucleus.relation
    members = [(spans[n.name], whole[n.name]) for n in node.nuclei]
    return _joined(node, members, spans, source)


def _joined(
    node: Node,
    members: list[tuple[tuple[int, int], Unit]],
    spans: dict[str, tuple[int, int]],
    source: str,
) -> Unit:
    """One unit of several, which have to be neighbours."""
    members.sort(key=lambda member: member[0])
    for (left, _), (right, _) in pairwise(members):
        if left[1] + 1 != right[0]:
            fault = "a gap" if left[1] < right[0] else "an overlap"
            raise RstError(
                "{fault} below {node}: EDU {right} follows EDU {left}",
                Place(source, node.line),
                code="E362",
                fault=fault,
                node=node,
                right=right[0],
                left=left[1],
            )
    spans[node.name] = (members[0][0][0], members[-1][0][1])
    return Unit(NUCLEUS, SPAN, [unit for _, unit in members], "", node.line)
