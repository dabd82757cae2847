"""Secondary edges and signals scored, and the tree by its signals."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from analyzer.analyses.erst import EnhancedRow, EnhancedScores
from analyzer.analyses.rst_scores import score_rst
from analyzer.exceptions import PairingError
from analyzer.formats.rst.rs3 import read_rs3
from analyzer.metrics.rst import DECISIONS, DEPENDENCY
from analyzer.model.discourse import Enhancements, GraphNode, Signal, Unit
from tests.support.command import spinal
from tests.support.data_paths import RST, needs_rst_data
from tests.support.examples import some
from tests.support.rst_strategies import discourse_trees

# He left | because it rained | and she stayed | though it rained
GOLD = """<rst><header><relations><rel name="list" type="multinuc"/>
<rel name="reason" type="rst"/><rel name="concession" type="rst"/></relations>
<sigtypes><sig type="dm" subtypes="dm"/></sigtypes></header><body>
<segment id="1" parent="5" relname="span">He left</segment>
<segment id="2" parent="1" relname="reason">because it rained</segment>
<segment id="3" parent="6" relname="span">and she stayed</segment>
<segment id="4" parent="3" relname="concession">though it rained</segment>
<group id="5" type="span" parent="7" relname="list"/>
<group id="6" type="span" parent="7" relname="list"/>
<group id="7" type="multinuc"/>
<secedges><secedge id="4-1" source="4" target="1" relname="reason"/>
<secedge id="6-2" source="6" target="2" relname="concession"/></secedges>
<signals><signal source="2" type="dm" subtype="dm" tokens="3"/>
<signal source="5" type="semantic" subtype="chain" tokens="2"/>
<signal source="4-1" type="semantic" subtype="repetition" tokens="5,11"/></signals>
</body></rst>"""
# One relation and one word otherwise, one signal more; the tree is the same.
OTHER = (
    GOLD.replace('target="2" relname="concession"', 'target="2" relname="list"')
    .replace('tokens="5,11"', 'tokens="11"')
    .replace(
        "<signals>", '<signals><signal source="4" type="dm" subtype="dm" tokens="9"/>'
    )
)


def scored(gold: str, other: str, **options: bool) -> EnhancedScores:
    found = score_rst(gold, other, erst=True, **options).enhanced
    assert found is not None
    return found


def counts(found: EnhancedScores) -> dict[tuple[str, str, str], tuple[int, int, int]]:
    return {
        (row.what, row.kind, row.metric): (row.matched, row.gold, row.predicted)
        for row in found.rows
    }


@pytest.mark.parametrize("by_offsets", [False, True])
def test_edges_and_signals_by_hand(by_offsets: bool) -> None:
    found = counts(scored(GOLD, OTHER, by_offsets=by_offsets))
    assert found == {
        ("secondary edges", "all", "S"): (2, 2, 2),
        ("secondary edges", "all", "R"): (1, 2, 2),
        ("secondary edges", "reason", "R"): (1, 1, 1),
        ("secondary edges", "concession", "R"): (0, 1, 0),
        ("secondary edges", "list", "R"): (0, 0, 1),
        ("signals", "all", "type"): (3, 3, 4),
        ("signals", "semantic", "type"): (2, 2, 2),
        ("signals", "dm", "type"): (1, 1, 2),
        ("signals", "all", "subtype"): (3, 3, 4),
        ("signals", "semantic", "subtype"): (2, 2, 2),
        ("signals", "dm", "subtype"): (1, 1, 2),
        ("signals", "all", "words"): (2, 3, 4),
        ("signals", "semantic", "words"): (1, 2, 2),
        ("signals", "dm", "words"): (1, 1, 2),
    }
    assert EnhancedRow("signals", "dm", "type", 1, 1, 2, 0.5, 1.0, 2 / 3) in (
        scored(GOLD, OTHER).rows
    )


def test_relations_of_edges_are_mapped() -> None:
    relations = {"concession": "joint", "list": "joint"}
    found = score_rst(GOLD, OTHER, erst=True, relations=relations).enhanced
    assert found is not None
    assert counts(found)["secondary edges", "joint", "R"] == (1, 1, 1)


def test_relations_by_their_signals_by_hand() -> None:
    """The reason has a connective, the concession nothing; the list's signal is of its
    first nucleus, so it is of how the second attaches. The parser has no reason."""
    parsed = "(NN-list (NS-cause (1) (2)) (NS-concession (3) (4)))"
    found = scored(GOLD, parsed)
    assert not found.rows
    rows = [row[2:5] for row in found.signalled_rows if row[:2] == (DECISIONS, "F")]
    assert rows == [("connective", 0, 1), ("other", 1, 1), ("none", 1, 1)]
    rows = [row[2:5] for row in found.signalled_rows if row[:2] == (DEPENDENCY, "UAS")]
    assert rows == [
        ("connective", 1, 1),
        ("other", 1, 1),
        ("none", 1, 1),
        ("root", 1, 1),
    ]


def with_signals(root: Unit) -> Unit:
    """Every second unit is signalled, by a connective or otherwise."""
    root = root.copy()
    nodes, signals = {}, []
    spans: dict[int, tuple[int, int]] = {}
    edus = 0
    for unit in root.walk():
        if unit.is_edu:
            edus += 1
            spans[id(unit)] = edus, edus
    for unit in reversed(list(root.walk())):
        if not unit.is_edu:
            ends = spans[id(unit.children[0])][0], spans[id(unit.children[-1])][1]
            spans[id(unit)] = ends
    for number, unit in enumerate(root.walk()):
        name, span = str(number), spans[id(unit)]
        nodes[name] = GraphNode(name, "span", None, unit.relation, span, span)
        if number % 2:
            signals.append(Signal(name, "dm" if number % 3 else "semantic", "", ""))
    root.enhancements = Enhancements(nodes, [], signals)
    return root


@settings(max_examples=some(30), deadline=None)
@given(discourse_trees(edus=7, least=7), discourse_trees(edus=7, least=7))
def test_parts_by_signal_add_up(one: Unit, parsed: Unit) -> None:
    gold = with_signals(one)
    for count_root in (True, False):
        scores = score_rst(
            [("d", gold)], [("d", parsed)], erst=True, count_root=count_root
        )
        assert scores.enhanced is not None
        for (encoding, metric), total in scores.counts.items():
            if encoding in (DECISIONS, DEPENDENCY):
                rows = [
                    row
                    for row in scores.enhanced.signalled_rows
                    if (row.encoding, row.metric) == (encoding, metric)
                ]
                sums = sum(r.matched for r in rows), sum(r.gold for r in rows)
                assert sums == total.micro[:2]


def test_gold_without_edges_and_signals_is_told() -> None:
    plain = "(NS-cause (1) (2))"
    with pytest.raises(PairingError, match="no document of gold has"):
        score_rst(plain, plain, erst=True)


def test_the_command(tmp_path: Path) -> None:
    gold, other = tmp_path / "gold.rs4", tmp_path / "other.rs4"
    gold.write_text(GOLD)
    other.write_text(OTHER)
    code, out, err = spinal("rst", "score", gold, other, "--erst")
    assert (code, err) == (0, "")
    assert "Secondary edges, micro" in out
    assert re.search(r"(?m)^semantic +words +1 +2 +2 +50.0 +50.0 +50.0$", out)
    assert "gold's relations, by signal: attachment decisions" in out
    ran = spinal("rst", "score", gold, other, "--erst", "--constructions")
    assert (ran.code, "--erst does not go with" in ran.err) == (2, True)
    shown = spinal("rst", "show", gold).out
    assert "  4 → 1    reason; semantic repetition “rained … rained”" in shown
    assert "  2    dm “because”" in shown
    picture = tmp_path / "gold.svg"
    assert spinal("rst", "show", gold, "--svg", picture).code == 0
    svg = picture.read_text()
    assert '<tspan class="connective">because</tspan>' in svg
    assert '<tspan class="signal">rained</tspan>' in svg
    assert ">4 → 1 reason; semantic repetition “rained … rained”<" in svg
    assert "<title>dm “because”</title>2<" in svg


@needs_rst_data
def test_gum_against_itself() -> None:
    """All edges and signals are found, and each decision is of one class."""
    gold = str(RST / "gold" / "rs4")
    found = scored(gold, gold, segmentation="offsets")
    assert {row.f1 for row in found.rows} == {1.0}
    totals = {row[:3]: row.gold for row in found.rows}
    assert totals["secondary edges", "all", "R"] == 170
    assert totals["signals", "all", "words"] == 4514
    rows = [row for row in found.signalled_rows if row[:2] == (DECISIONS, "S")]
    assert [row.gold for row in rows] == [846, 1771, 1248]


def test_nodes_of_nuclei_with_satellites() -> None:
    """A satellite that points to a segment is not part of what the segment's edges
    point to, but of the unit that has the segment's relation."""
    text = GOLD.replace(
        'id="3" parent="6" relname="span"', 'id="3" parent="7" relname="list"'
    )
    text = text.replace('<group id="6" type="span" parent="7" relname="list"/>', "")
    text = text.replace('source="6" target="2"', 'source="3" target="2"')
    root = read_rs3(text).tree
    assert isinstance(root, Unit)
    assert root.enhancements is not None
    node = root.enhancements.nodes["3"]
    assert (node.own, node.whole) == ((3, 3), (3, 4))


_EDGE = '<secedge id="9-3" source="9" target="3" relname="reason"/>'
_SIGNAL = '<signal source="9" type="dm" subtype="dm" tokens="1"/>'
TITLED = (
    GOLD.replace("<body>", '<body>\n<segment id="9">A title</segment>')
    .replace("</secedges>", f"{_EDGE}</secedges>")
    .replace("</signals>", f"{_SIGNAL}</signals>")
)


def test_what_points_to_a_dropped_segment_is_dropped() -> None:
    """The others keep their places: EDUs are numbered anew."""
    plain = score_rst(GOLD, GOLD, erst=True)
    for roots in ("join", "forest"):
        both = score_rst(TITLED, TITLED, erst=True, roots=roots)
        assert both.enhanced is not None
        assert {row.f1 for row in both.enhanced.rows if row.gold} == {1.0}
    dropped = score_rst(TITLED, TITLED, erst=True, roots="drop")
    assert dropped.enhanced is not None
    assert plain.enhanced is not None
    assert dropped.enhanced.rows == plain.enhanced.rows
