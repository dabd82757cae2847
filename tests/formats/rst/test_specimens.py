"""One tree in every format of discourse trees: what is read, what is written."""

from __future__ import annotations

import json

import pytest

from analyzer.exceptions import RstError
from analyzer.formats.registry import (
    WHOLE_TREES,
    parse_documents,
    read_document,
    write_rst,
)
from analyzer.model.discourse import Unit
from tests.support.rst_specimens import (
    KNOWN,
    SPECIMENS,
    TEXTS,
    WITHOUT_TEXTS,
    detected,
    expected,
    named_format,
)
from tests.support.rst_strategies import shape


@pytest.mark.parametrize("name", SPECIMENS)
def test_specimens(name: str) -> None:
    text = SPECIMENS[name]
    assert detected(text) == named_format(name)
    assert shape(read_document(text)) == expected(TEXTS)


@pytest.mark.parametrize("name", WITHOUT_TEXTS)
def test_specimens_without_texts(name: str) -> None:
    text = WITHOUT_TEXTS[name]
    assert detected(text) == named_format(name)
    assert shape(read_document(text)) == expected()


def test_every_format_has_a_specimen() -> None:
    there = {named_format(name) for name in (*SPECIMENS, *WITHOUT_TEXTS)}
    # Those of arcs say nothing of nuclei: see test_arcs; and see test_ntt_json.
    of_arcs = {"scidtb", "dialogue", "rels", "segments"}
    assert there | of_arcs | {"triples", "ntt-json"} == KNOWN


def test_braud_2017_a_document_a_line() -> None:
    line = "(ROOT (NNList (NSReason (EDU He_left) (EDU rain)) (EDU She_stayed.)))\n"
    documents = parse_documents(line * 2)
    assert len(documents) == 2
    tree = documents[0].tree
    assert isinstance(tree, Unit)
    assert [unit.relation for unit in tree.walk()] == [
        *("---", "List", "span", "Reason", "List")
    ]
    with pytest.raises(RstError, match="a second root"):
        read_document(line * 2)


def test_triples_get_nuclearity_and_order_by_heuristics() -> None:
    text = "1 0 root\n2 1 reason\n3 1 joint\n"
    assert detected(text) == "triples"
    found = shape(read_document(text))
    assert [label for label, _, _ in found] == [
        *("---/R", "joint/N", "span/N", "reason/S", "joint/N")
    ]
    given = read_document(text, multinuclear={"reason"})
    assert [unit.label for unit in given.walk()][-1] == "joint/S"


@pytest.mark.parametrize("to", WHOLE_TREES)
def test_golden_text(to: str) -> None:
    """What is written is what the specimens show, but for layout of the XML."""
    root = read_document(SPECIMENS["dis"])
    written = write_rst(root, to, name="weather")
    golden = SPECIMENS[to].lstrip("\n")
    if to in ("dis", "conllu", "brackets"):
        assert written == golden
    elif to == "json":
        assert json.loads(written)["units"][1:] == json.loads(golden)["units"][1:]
    elif to == "rsd":
        columns = [0, 1, 2, 6, 7]
        for mine, theirs in zip(written.splitlines(), golden.splitlines(), strict=True):
            cells, others = mine.split("\t"), theirs.split("\t")
            assert [cells[at] for at in columns] == [others[at] for at in columns]
    else:
        assert '<segment id="2" parent="1" relname="reason">because' in written
        assert '<rel name="list" type="multinuc"/>' in written
