"""Edits of discourse trees in the texts of their files: all else stays as it is.

An edit is made twice: in the tree, and in the text, where .rs3 and .rs4 change
attributes and .dis changes brackets. The text is then read again, and counts only if it
has the tree that was meant. Units are numbered from 0, parents first.

`relation`: the unit `row` gets the relation `label`, and so do all nuclei if it is one
of several. `nuclearity`: the satellite `row` and its nucleus change places. `attach`:
the satellite `row` joins the unit `other`, which is below or above the one it joins.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from html import unescape
from typing import NamedTuple
from xml.sax.saxutils import escape

from analyzer.checks.findings import Edit
from analyzer.checks.sources import Splice, spliced
from analyzer.exceptions import AnalyzerError
from analyzer.formats.registry import Family, detect
from analyzer.formats.rst.building import NUCLEARITY_NAMES, spans_of
from analyzer.formats.rst.dis import UNIT, read_dis
from analyzer.formats.rst.rs3 import Graph, Node, read_graph, shape_of
from analyzer.model.discourse import (
    NO_RELATION,
    NUCLEUS,
    ROOT,
    SATELLITE,
    SPAN,
    EduSpan,
    Unit,
)

ACTIONS = ("relation", "nuclearity", "attach")
_MARK = "\ufeff"
_CLOSING = re.compile(r"\)")
_REMARK = re.compile(r"//TT_ERR\s*")  # of RST-DT's annotation tool
_XML_TAG = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>"
    r"|<(rel|segment|group|signal)\b"
    r"((?>(?:\s+[\w:.-]+\s*=\s*(?:\"[^\"]*+\"|'[^']*+'))*))\s*/?>",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"\s+([\w:.-]+)\s*=\s*(\"[^\"]*+\"|'[^']*+')")


class Mended(NamedTuple):
    """A tree after an edit, and what became of each unit that there was before."""

    root: Unit
    units: list[Unit]


# -- in the tree ----------------------------------------------------------------------


def mended(root: Unit, edit: Edit) -> Mended | None:
    """A copy of the tree after the edit; None if it cannot be made.

    >>> cause = Unit("R", "---", [Unit("N", "span"), Unit("S", "cause")])
    >>> [unit.label for unit in mended(cause, Edit("nuclearity", 2)).root.walk()]
    ['---/R', 'cause/S', 'span/N']
    """
    copy = root.copy()
    units = list(copy.walk())
    above = {id(child): unit for unit in units for child in unit.children}
    if not 0 < edit.row < len(units) or edit.other >= len(units):
        return None
    unit = units[edit.row]
    parent = above[id(unit)]
    if edit.action == "relation" and edit.label:
        is_nucleus = unit.nuclearity == NUCLEUS
        alike = [
            sibling
            for sibling in parent.children
            if sibling.nuclearity == unit.nuclearity
        ]
        if unit.relation == SPAN or (is_nucleus and len(alike) < 2):
            return None
        for changed in alike if is_nucleus else [unit]:
            changed.relation = edit.label
        return Mended(copy, units)
    if unit.nuclearity != SATELLITE:
        return None
    if edit.action == "nuclearity" and len(parent.children) == 2:
        [other] = [sibling for sibling in parent.children if sibling is not unit]
        if other.label != f"{SPAN}/{NUCLEUS}":
            return None
        unit.nuclearity, unit.relation, other.nuclearity, other.relation = (
            *(other.nuclearity, other.relation),
            *(unit.nuclearity, unit.relation),
        )
        return Mended(copy, units)
    if edit.action == "attach" and edit.other >= 0:
        top = _attached(copy, unit, units[edit.other], above)
        return Mended(top, units) if top else None
    return None


def _attached(
    root: Unit, unit: Unit, host: Unit, above: dict[int, Unit]
) -> Unit | None:
    """The tree with a satellite of another host; None if that is no neighbour."""
    spans, parent = spans_of(root), above[id(unit)]
    (first, last), (start, end) = spans[id(unit)], spans[id(host)]
    is_left = last < start or (first == start and last < end)
    is_near = last + 1 == start if last < start else end + 1 == first
    is_around = parent is not host and start <= first and last <= end
    if host is unit or not (is_near or (is_around and (start == first or end == last))):
        return None
    parent.children = [child for child in parent.children if child is not unit]
    if len(parent.children) == 1 and parent.children[0] is host:
        return None  # it is there

    def put(new: Unit, old: Unit) -> None:
        """One unit in the place, and with the role, of another."""
        nonlocal root
        new.nuclearity, new.relation = old.nuclearity, old.relation
        if old is root:
            root = new
        else:
            owner = above[id(new)] = above[id(old)]
            owner.children = [
                new if child is old else child for child in owner.children
            ]

    if len(parent.children) == 1:
        put(parent.children[0], parent)
    both = Unit(NUCLEUS, SPAN)
    put(both, host)
    host.nuclearity, host.relation = NUCLEUS, SPAN
    both.children = [unit, host] if is_left else [host, unit]
    return root


# -- in the text ----------------------------------------------------------------------


def units_in(text: str) -> Unit | None:
    """The tree of a text that can be edited; None of any other."""
    text = text.removeprefix(_MARK)
    file_format = detect(text, Family.DISCOURSE)
    with suppress(AnalyzerError):
        if file_format and file_format.name in ("rs3", "rs4"):
            return read_graph(text).root
        if file_format and file_format.name == "dis":
            return read_dis(text)
    return None


def edited(text: str, edit: Edit) -> tuple[str, Mended] | None:
    """A text after an edit, and its tree; None if it cannot be made.

    >>> text = "<rst><body><segment id='1'>a</segment>"
    >>> text += "<segment id='2' parent='1' relname='cause'>b</segment></body></rst>"
    >>> edited(text, Edit("relation", 2, label="result"))[0].partition("<seg")[2][30:]
    "t id='2' parent='1' relname='result'>b</segment></body></rst>"
    """
    body = text.removeprefix(_MARK)
    root = units_in(body)
    then = mended(root, edit) if root else None
    if root is None or then is None:
        return None
    versions = _in_xml if body.lstrip().startswith("<") else _in_brackets
    wanted = shape_of(then.root)
    for version in versions(body, root, then, edit):
        now = units_in(version)
        if now is not None and shape_of(now) == wanted:
            return text[: len(text) - len(body)] + version, then
    return None


# -- .dis: brackets -------------------------------------------------------------------


def _in_brackets(text: str, root: Unit, then: Mended, edit: Edit) -> Iterator[str]:
    """The text with the headers and closing brackets of another tree.

    EDUs stay where they are: before each of them units begin, behind it they end.
    """
    headers = list(UNIT.finditer(text))
    old_units, spans = list(root.walk()), spans_of(then.root)
    if len(headers) != len(old_units):
        return
    place = {id(unit): at for at, unit in enumerate(then.units)}
    begun: dict[int, list[Unit]] = {}  # by EDU: the units that begin there
    ended: dict[int, int] = {}
    for unit in then.root.walk():
        first, last = spans[id(unit)]
        begun.setdefault(first, []).append(unit)
        ended[last] = ended.get(last, 0) + 1
    changes: list[Splice] = []
    edu, before = 1, list[int]()  # the units that began before this EDU
    for at, old in enumerate(old_units):
        before.append(at)
        if not old.is_edu:
            continue
        kept = {place.get(id(unit), -1) for unit in begun[edu]}
        for number in before:
            if number not in kept:
                span = headers[number].span()
                changes.append((*span, "".join(_REMARK.findall(text, *span))))
        following = at  # from the last to the first, what is new goes before it
        for unit in reversed(begun[edu]):
            number = place.get(id(unit), -1)
            if number in before:
                changes += _changed_header(text, headers[number], unit, spans[id(unit)])
                following = number
                continue
            start = headers[following].start()
            gap = text[len(text[:start].rstrip()) : start] or " "
            changes.insert(0, (start, start, _header(unit, spans[id(unit)]) + gap))
        changes += _closing(text, headers[at].span(9), ended[edu])
        edu, before = edu + 1, []
    yield spliced(text, changes)


def _closing(text: str, span: tuple[int, int], wanted: int) -> Iterator[Splice]:
    """What makes the brackets that close behind an EDU as many as are wanted."""
    closing = [bracket.end() for bracket in _CLOSING.finditer(text, *span)]
    if wanted > len(closing):
        yield closing[0], closing[0], " )" * (wanted - len(closing))
    for end in closing[wanted:]:
        yield len(text[: end - 1].rstrip()), end, ""


def _header(unit: Unit, span: EduSpan) -> str:
    relation = "" if unit.nuclearity == ROOT else f" (rel2par {unit.relation})"
    name = NUCLEARITY_NAMES[unit.nuclearity]
    return f"( {name} (span {span[0]} {span[1]}){relation}"


def _changed_header(
    text: str, match: re.Match[str], unit: Unit, span: EduSpan
) -> Iterator[Splice]:
    """What is new in the header of a unit that was there."""
    values = [(2, NUCLEARITY_NAMES[unit.nuclearity]), (3, str(span[0]))]
    values.append((4, str(span[1])))
    is_root, numbers_end = unit.relation == NO_RELATION, max(map(match.end, (4, 5)))
    if match[6] and is_root:
        start, end = text.rindex("(", 0, match.start(6)), text.index(")", match.end(6))
        yield len(text[:start].rstrip()), end + 1, ""
    elif not match[6] and not is_root:
        end = text.index(")", numbers_end) + 1
        yield end, end, f" (rel2par {unit.relation})"
    else:
        values.append((6, unit.relation))
    for group, value in values:
        if match[group] is not None and match[group] != value:
            yield (*match.span(group), value)


# -- .rs3 and .rs4: attributes --------------------------------------------------------

Pointers = dict[str, tuple[str | None, str]]  # of nodes: parent and relation


def _in_xml(text: str, root: Unit, then: Mended, edit: Edit) -> Iterator[str]:
    """Versions of the text that may have the tree, the one of best form first."""
    graph, spans = read_graph(text), spans_of(root)
    units = list(root.walk())
    node = _carrier(graph.nodes, spans[id(units[edit.row])])
    if node is None or node.parent is None:
        return
    now: Pointers = {n.name: (n.parent, n.relation) for n in graph.nodes.values()}
    governor = graph.nodes[node.parent]
    if edit.action == "relation":
        is_nucleus = node in governor.nuclei
        alike = governor.nuclei if is_nucleus else [node]
        changed = {member.name: (member.parent, edit.label) for member in alike}
        needed = edit.label, "multinuc" if is_nucleus else "rst"
        needed = ("", "") if needed in graph.declared else needed
        yield _repointed(text, now, now | changed, needed=needed)
    elif edit.action == "nuclearity":
        signals = {node.name: governor.name, governor.name: node.name}
        changed = {node.name: now[governor.name]}
        changed[governor.name] = (node.name, node.relation)
        yield _repointed(text, now, now | changed, signals)
    else:
        span = spans[id(units[edit.other])]
        if with_group := _with_group(graph, now, node, governor, span):
            yield _repointed(text, now, *with_group)
        for host in graph.nodes.values():
            if span in (host.own, host.whole):
                changed = {node.name: (host.name, node.relation)}
                yield _repointed(text, now, now | changed)


def _carrier(nodes: Mapping[str, Node], span: EduSpan) -> Node | None:
    """The node that has the relation of a unit: the highest over its EDUs."""
    for node in nodes.values():
        above = nodes.get(node.parent or "")
        if node.whole == span and (above is None or above.whole != span):
            return node
    return None


def _with_group(
    graph: Graph, now: Pointers, unit: Node, nucleus: Node, span: EduSpan
) -> tuple[Pointers, dict[str, str]] | None:
    """A satellite joins a host, and the group of both goes with it.

    rstWeb has a group of type span around every nucleus with its satellites. That of
    the old nucleus is not needed there any more: it is put around the new one.
    """
    group = graph.nodes.get(nucleus.parent or "")
    ends = {
        edge.attributes.get(name)
        for edge in graph.beside["secedge"]
        for name in ("source", "target")
    }
    if group is None or group.kind != SPAN or group.name in ends:
        return None
    if group.nuclei != [nucleus] or nucleus.satellites != [unit]:
        return None
    # A nucleus may have satellites, beside the new one: those join the group.
    nuclei = [node for node in graph.nodes.values() if node.own == span != node.whole]
    host = nuclei[0] if nuclei else _carrier(graph.nodes, span)
    if host is None or host is group:
        return None
    then = dict(now)
    for satellite in group.satellites:
        then[satellite.name] = (nucleus.name, satellite.relation)
    then[nucleus.name] = then[group.name]
    then[group.name] = then[host.name]
    then[host.name] = (group.name, SPAN)
    if host.own == span:
        for satellite in host.satellites:
            then[satellite.name] = (group.name, satellite.relation)
    then[unit.name] = (host.name, unit.relation)
    return then, {group.name: nucleus.name, host.name: group.name}


def _repointed(
    text: str,
    now: Pointers,
    then: Pointers,
    signals: Mapping[str, str] | None = None,
    needed: tuple[str, str] = ("", ""),
) -> str:
    """The text with other parents and relations of nodes; signals go with these.

    A relation that is `needed` is declared as the last one, if the header has any.
    """
    changes: list[Splice] = []
    declared: list[Splice] = []
    for tag in filter(lambda element: element[1], _XML_TAG.finditer(text)):
        given = {match[1]: match for match in _ATTRIBUTE.finditer(text, *tag.span(2))}
        read = {name: unescape(attribute[2][1:-1]) for name, attribute in given.items()}
        name, wanted = read.get("id", ""), dict[str, str | None]()
        if tag[1] == "rel" and needed[0]:
            gap = text[len(text[: tag.start()].rstrip()) : tag.start()]
            quoted = escape(needed[0], {'"': "&quot;"})
            new = f'{gap}<rel name="{quoted}" type="{needed[1]}"/>'
            declared = [(tag.end(), tag.end(), new)]
        elif tag[1] == "signal" and (source := read.get("source")) in (signals or {}):
            wanted = {"source": (signals or {})[source or ""]}
        elif tag[1] in ("segment", "group") and now.get(name) != then.get(name):
            parent, relation = then[name]
            wanted = {"parent": parent, "relname": relation if parent else None}
        for name, value in wanted.items():
            changes += _set(given.get(name), read.get(name), tag.end(2), name, value)
    return spliced(text, [*changes, *declared])


def _set(
    given: re.Match[str] | None, was: str | None, end: int, name: str, value: str | None
) -> Iterator[Splice]:
    """What gives an attribute another value, or takes it away."""
    if value == was:
        return
    if value is None:
        if given:
            yield (*given.span(), "")
    elif given:
        quote = given[2][0]
        quoted = escape(value, {quote: "&quot;" if quote == '"' else "&apos;"})
        yield given.start(2) + 1, given.end(2) - 1, quoted
    else:
        quoted = escape(value, {'"': "&quot;"})
        yield end, end, f' {name}="{quoted}"'
