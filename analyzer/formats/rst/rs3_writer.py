"""Writing .rs3: the counterpart of `analyzer.formats.rst.rs3`."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape, quoteattr

from analyzer.exceptions import Place, RstError
from analyzer.formats.rst.rs3 import SEGMENT, Node
from analyzer.model.discourse import NUCLEUS, SATELLITE, SPAN, Unit


def write_rs3(root: Unit) -> str:
    """The document in .rs3. What the format cannot say is in `rs3_losses`."""
    nodes, multinuclear, mononuclear = _numbered_nodes(_nested(root))
    relations = [
        f'\t\t\t<rel name={quoteattr(name)} type="{kind}"/>'
        for name in sorted(multinuclear | mononuclear)
        for kind, names in (("rst", mononuclear), ("multinuc", multinuclear))
        if name in names
    ]
    lines = ["<rst>", "\t<header>", "\t\t<relations>", *relations]
    lines += ["\t\t</relations>", "\t</header>", "\t<body>"]
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
    lines += ["\t</body>", "</rst>"]
    return "\n".join(lines) + "\n"


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


def _numbered_nodes(root: Unit) -> tuple[list[Node], set[str], set[str]]:
    """Segments from 1 on, then groups; relations between nuclei, and the others."""
    units = list(root.walk())
    edus = [unit for unit in units if unit.is_edu]
    groups = [unit for unit in units if not unit.is_edu]
    multinuclear = {
        child.relation for unit in groups for child in nuclei_of(unit, at_least=2)
    }
    mononuclear = {unit.relation for unit in units if unit.nuclearity == SATELLITE}
    if SPAN in mononuclear:
        raise RstError(
            "a satellite whose relation is 'span', which .rs3 keeps for nuclei",
            Place(),
            code="E363",
        )
    nodes: dict[int, Node] = {}
    for number, unit in enumerate([*edus, *groups], start=1):
        is_multinuclear = len(nuclei_of(unit)) > 1
        kind = SEGMENT if unit.is_edu else "multinuc" if is_multinuclear else SPAN
        nodes[id(unit)] = Node(str(number), kind, None, "", 0, unit.text)
    extra: list[Node] = []
    following = len(nodes) + 1
    for unit in groups:
        for node in _attached(unit, nodes, multinuclear, following):
            extra.append(node)
            following += 1
    return [*nodes.values(), *extra], multinuclear - {SPAN}, mononuclear


def nuclei_of(unit: Unit, at_least: int = 0) -> list[Unit]:
    found = [child for child in unit.children if child.nuclearity == NUCLEUS]
    return found if len(found) >= at_least else []


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
        around = Node(str(following), SPAN, governor.parent, governor.relation, 0)
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
