"""Documents of the same name beside each other."""

from __future__ import annotations

from dataclasses import replace

from analyzer.formats.documents import read_rst
from analyzer.model.discourse import Documents
from analyzer.pairing.partners import (
    document_pairs,
    names_to_pair,
    pair_documents,
)
from analyzer.pairing.same_text import shared_names
from analyzer.transform.documents import DocumentShape
from tests.support.rst_strategies import tree_of

TWO, THREE = "[N:span S:cause]", "[N:list N:list N:list]"


def documents(**trees: str) -> Documents:
    return Documents.of_units((name, tree_of(tree)) for name, tree in trees.items())


def test_names_of_three_sides() -> None:
    found = shared_names(["a", "b"], ["b", "a"], ["c", "b"])
    assert found.names == ["b"]
    assert found.places == [(1, 0, 1)]
    assert found.missing == {"a": [2], "c": [0, 1]}


def test_what_cannot_be_paired_is_told_in_golds_order() -> None:
    gold = documents(a=TWO, b=TWO, c=THREE)
    parsed = documents(d=TWO, c=THREE, b=THREE)
    pairs, missed, ledger = pair_documents(gold, parsed)
    left_out = ledger.items
    assert missed == [0, 1]
    assert (ledger.gold, ledger.parsed) == (2, 2)
    assert pairs == [(2, 1)]
    assert [one.document for one in left_out] == ["a", "b", "d"]
    assert left_out[1].error.message.startswith("gold has 2 EDUs, the prediction 3")


def test_both_sides_are_reshaped_alike() -> None:
    gold = documents(a=TWO, c=THREE)
    shape = DocumentShape("right", {"list": "joint"})
    found = document_pairs(gold, documents(c=THREE), shape)
    assert found.names == ["c"]
    for bank in (found.pair.gold, found.pair.parsed):
        assert bank.label.size == 5  # three EDUs, two units above them
        assert bank.label_name(1) == "joint/N"
    assert gold.bank.label.size == 7


def test_documents_can_be_asked_by_name_and_gone_through() -> None:
    found = read_rst("(NS-Cause (1) (2))\n(NN-List (1) (2))\n")
    assert found.names == ["text:1", "text:2"]
    assert dict(found)["text:2"] is found["text:2"]
    columns = Documents(found.names, found.bank)
    assert [unit.label for unit in columns["text:1"].walk()] == [
        *("---/R", "span/N", "Cause/S")
    ]


def test_single_files_go_by_the_name_of_the_first() -> None:
    gold, parsed = documents(a=TWO), documents(b=TWO)
    assert names_to_pair(gold, parsed) == [["a"], ["b"]]
    gold, parsed = replace(gold, stem="a"), replace(parsed, stem="b")
    assert names_to_pair(gold, parsed, gold) == [["a"], ["a"], ["a"]]
    assert names_to_pair(gold, documents(b=TWO)) == [["a"], ["b"]]
    assert pair_documents(gold, parsed)[:2] == ([(0, 0)], [])
