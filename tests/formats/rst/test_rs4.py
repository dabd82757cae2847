"""Secondary edges and signals of .rs4 and .rsd: kept, and written."""

from __future__ import annotations

import pickle

import pytest

from analyzer.analyses.rst_trees import convert
from analyzer.formats.registry import write_rst
from analyzer.formats.rst.dependencies import read_rsd, write_rsd
from analyzer.formats.rst.rs3 import read_rs3, rs4_losses, write_rs4
from analyzer.model.discourse import DependencyTree, Enhancements, Signal, Unit
from analyzer.transform.documents import binarize
from analyzer.transform.relations import map_relations
from tests.support.data_paths import RST, needs_rst_data
from tests.support.rst_specimens import SPECIMENS

# A list of three, the last with a reason; an edge from the list to its first nucleus.
LIST = """\
<rst>
	<header>
		<relations>
			<rel name="list" type="multinuc"/>
			<rel name="reason" type="rst"/>
			<rel name="unused" type="rst"/>
		</relations>
		<sigtypes>
			<sig type="dm" subtypes="dm"/>
		</sigtypes>
	</header>
	<body>
		<segment id="1" parent="7" relname="list">He left</segment>
		<segment id="2" parent="7" relname="list">and she left</segment>
		<segment id="3" parent="6" relname="span">and they left</segment>
		<segment id="4" parent="3" relname="reason">since it rained.</segment>
		<group id="6" type="span" parent="7" relname="list"/>
		<group id="7" type="multinuc"/>
		<secedges>
			<secedge id="4-1" source="4" target="1" relname="reason"/>
			<secedge id="6-2" source="6" target="2" relname="reason" by="A"/>
		</secedges>
		<signals>
			<signal source="2" type="dm" subtype="dm" tokens="3" status="gold"/>
			<signal source="6" type="dm" subtype="dm" tokens="6"/>
			<signal source="4-1" type="dm" subtype="dm" tokens="9"/>
		</signals>
	</body>
</rst>
"""


def tree_of(text: str) -> Unit:
    root = read_rs3(text).tree
    assert isinstance(root, Unit)
    return root


def enhancements(root: Unit) -> Enhancements:
    assert root.enhancements is not None
    return root.enhancements


def beside(root: Unit) -> tuple[list[object], list[object]]:
    """Edges and signals by the EDUs of what they point to."""
    given = enhancements(root)
    edges = [
        (given.nodes[edge.source].own, given.nodes[edge.target].own, edge.relation)
        for edge in given.edges
    ]
    signals = [(_span(given, signal), *signal[1:]) for signal in given.signals]
    return list(edges), list(signals)


def _span(given: Enhancements, signal: Signal) -> object:
    node = given.nodes.get(signal.source)
    edge = given.edge_named.get(signal.source)
    if node:
        return node.whole
    assert edge
    return given.nodes[edge.source].own, given.nodes[edge.target].own


def test_edges_and_signals_by_hand() -> None:
    root = tree_of(LIST)
    edges, signals = beside(root)
    assert edges == [((4, 4), (1, 1), "reason"), ((3, 4), (2, 2), "reason")]
    gold = (("status", "gold"),)
    assert signals == [
        ((2, 2), "dm", "dm", "3", gold),
        ((3, 4), "dm", "dm", "6", ()),
        (((4, 4), (1, 1)), "dm", "dm", "9", ()),
    ]
    assert str(enhancements(root)) == "2 secondary edges and 3 signals"


def test_what_is_unchanged_is_written_as_it_was() -> None:
    root = tree_of(LIST)
    assert write_rs4(root) == LIST
    assert write_rs4(root.copy()) == LIST
    assert write_rs4(pickle.loads(pickle.dumps(root))) == LIST
    assert write_rst(root, "rs4") == LIST
    [converted] = convert(LIST, to="rs4").documents
    assert converted.text == LIST


def test_of_a_reshaped_tree_edges_point_to_the_same_edus() -> None:
    root = tree_of(LIST)
    shaped = binarize(root)
    written = write_rs4(shaped)
    assert written != LIST
    assert beside(tree_of(written)) == beside(root)
    assert 'by="A"' in written
    assert not rs4_losses(shaped)
    mapped = map_relations(root, {"reason": "cause", "list": "joint"})
    edges, signals = beside(tree_of(write_rs4(mapped)))
    assert [relation for *_, relation in edges] == ["cause", "cause"]
    assert signals == beside(root)[1]


def test_what_has_no_unit_any_more_is_told() -> None:
    root = tree_of(LIST)
    root.children = root.children[:2]
    assert rs4_losses(root) == [
        "2 secondary edges left out: the unit is no longer there",
        "2 signals left out: the unit is no longer there",
    ]


@pytest.mark.parametrize("to", ["rs3", "dis", "rsd", "json"])
def test_other_formats_say_what_they_have_no_place_for(to: str) -> None:
    found = convert(LIST, to=to)
    [warning] = found.warnings
    assert warning.endswith(
        f"2 secondary edges and 3 signals left out: .{to} has no place for them"
    )


def test_rsd_keeps_its_columns() -> None:
    text = SPECIMENS["rsd"]
    tree = read_rsd(text).tree
    assert isinstance(tree, DependencyTree)
    assert write_rsd(tree) == text
    [warning] = convert(text, to="dis").warnings
    assert "secondary edges and signals left out: .dis has no place" in warning
    assert not convert(text, to="rsd").warnings


@needs_rst_data
def test_gum_loses_nothing() -> None:
    """The files, byte for byte but for the line break at their end."""
    files = sorted((RST / "gold" / "rs4").glob("*.rs4"))
    edges = signals = 0
    for file in files:
        text = file.read_text("utf-8")
        root = tree_of(text)
        assert write_rs4(root).rstrip("\n") == text.rstrip("\n"), file.name
        edges += len(enhancements(root).edges)
        signals += len(enhancements(root).signals)
        shaped = binarize(root)
        assert beside(tree_of(write_rs4(shaped))) == beside(root), file.name
    assert (len(files), edges, signals) == (32, 170, 4514)
