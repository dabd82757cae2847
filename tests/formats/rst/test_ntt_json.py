"""NTT's records: a tree whose leaves are numbers, and the texts beside it."""

from __future__ import annotations

import json

import pytest

from analyzer.exceptions import RstError
from analyzer.formats.registry import Family, detect, parse_documents
from analyzer.model.discourse import Unit

RECORD = {
    "doc_id": "wsj_1",
    "tokens": [["He", "left"]],
    "edu_strings": ["He left ", "because it rained ."],
    "rst_tree": "(ROOT (nucleus:span (text 0)) (satellite:Reason (text 1)))",
}


def test_both_kinds_of_trees() -> None:
    attached = {
        **RECORD,
        "doc_id": "wsj_2",
        "attach_tree": "(nucleus-satellite:Reason (text 0) (text 1))",
    }
    del attached["rst_tree"]
    text = json.dumps([RECORD, attached])
    found = detect(text, Family.DISCOURSE)
    assert found is not None
    assert found.name == "ntt-json"
    first, second = parse_documents(text)
    assert [first.name, second.name] == ["wsj_1", "wsj_2"]
    assert first.tree == second.tree
    assert isinstance(first.tree, Unit)
    edus = [unit.text for unit in first.tree.walk() if unit.is_edu]
    assert edus == ["He left", "because it rained ."]


def test_rstfinder_writes_words_and_its_best_tree_first() -> None:
    record = {
        "doc_id": "7",
        "edu_tokens": [["He", "left"], ["because", "it", "rained", "."]],
        "scored_rst_trees": [
            {"score": -1.5, "tree": RECORD["rst_tree"]},
            {"score": -9.0, "tree": "(ROOT (nucleus:Joint (text 0)) (text 1))"},
        ],
    }
    [document] = parse_documents(json.dumps(record))
    [expected] = parse_documents(json.dumps(RECORD))
    assert isinstance(document.tree, Unit)
    assert [unit.text for unit in document.tree.walk() if unit.is_edu] == [
        "He left",
        "because it rained .",
    ]
    assert document.tree == expected.tree
    with pytest.raises(RstError) as caught:
        parse_documents(json.dumps(record | {"edu_tokens": ["He left", "so"]}))
    assert caught.value.code == "E969"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"edu_strings": ["He left"]}, "E970"),
        ({"edu_strings": "He left"}, "E969"),
        ({"edu_strings": [1, 2]}, "E969"),
        ({"rst_tree": ""}, "E969"),
        ({"rst_tree": 7}, "E969"),
    ],
)
def test_what_is_wrong(change: dict[str, object], code: str) -> None:
    with pytest.raises(RstError) as caught:
        parse_documents(json.dumps(RECORD | change))
    assert caught.value.code == code
