"""Each condition on discourse trees: one document that keeps it, one that breaks it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given

from analyzer.checks import discourse
from analyzer.checks.discourse import Document, findings_of_errors
from analyzer.checks.findings import DocumentFinding
from analyzer.checks.registry import ERROR, INFO, WARNING
from analyzer.exceptions import Place, RstError, SettingsError
from analyzer.formats.documents import read_rst
from analyzer.model.discourse import Unit
from analyzer.transform.relations import (
    RelationInventory,
    RelationMap,
    load_relation_inventory,
    parse_relation_inventory,
)
from tests.support.data_paths import SHARED, needs_shared_data
from tests.support.rst_strategies import discourse_trees, tree_of

GOOD = "[N:span[N:list N:list] S:cause]"
INVENTORY = parse_relation_inventory("list multi\ncause mono\nevaluation")


def check_documents(
    documents: Iterable[tuple[str, Unit]],
    relations: RelationInventory | None = None,
    classes: RelationMap | None = None,
) -> list[DocumentFinding]:
    listed = [Document(name, root, "", relations) for name, root in documents]
    return discourse.check_documents(listed, classes)


def codes(*trees: Unit | str, name: str = "d") -> list[str]:
    documents = [
        (name, tree_of(tree) if isinstance(tree, str) else tree) for tree in trees
    ]
    return [one.code for one in check_documents(documents, INVENTORY)]


def with_texts(spec: str, *texts: str) -> Unit:
    root = tree_of(spec)
    edus = (unit for unit in root.walk() if unit.is_edu)
    for edu, text in zip(edus, texts, strict=True):
        edu.text = text
    return root


def test_a_good_document_has_no_findings() -> None:
    assert codes(GOOD) == []


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ("[N:list N:list S:cause]", "2 nuclei with a satellite (cause)"),
        ("[N:list N:contrast]", "nuclei of several relations: contrast, list"),
        ("[S:cause S:cause]", "no nucleus"),
        ("[N:span N:span]", "several nuclei and no relation between them"),
        ("[N:list S:cause]", "its nucleus is list, not span, next to a satellite"),
        ("[N:span S:span]", "a satellite without a relation (span)"),
    ],
)
def test_constraint_1(bad: str, message: str) -> None:
    found = check_documents([("d", tree_of(bad))])
    assert [(one.code, one.first, one.last) for one in found] == [
        ("R101", 1, bad.count(":"))
    ]
    assert found[0].level == ERROR
    assert found[0].message == f"span 1-{bad.count(':')}: {message}"


@given(discourse_trees(proper=True))
def test_proper_trees_keep_constraint_1(tree: Unit) -> None:
    assert "R101" not in codes(tree)


def test_one_root() -> None:
    inside = tree_of(GOOD)
    inside.children[0].nuclearity = "R"
    assert "R102" in codes(inside)
    assert "R102" in codes(tree_of(GOOD).children[0])


def test_unary_units() -> None:
    found = check_documents([("d", tree_of("[N:span[N:span] S:cause]"))])
    assert [(one.code, one.level) for one in found] == [("R104", WARNING)]


def test_gaps_and_repeats_of_texts() -> None:
    said = "he said so himself"
    assert codes(with_texts("[N:span S:cause]", said, "and left")) == []
    assert codes(with_texts("[N:span S:cause]", said, "")) == ["R105"]
    assert codes(with_texts("[N:span S:cause]", said, said)) == ["R106"]
    assert codes(with_texts("[N:span S:cause]", "Yes .", "Yes .")) == []
    assert codes(with_texts("[N:span S:cause]", "", "")) == []


def test_relations_of_the_inventory() -> None:
    assert codes("[N:span S:Cause]", "[N:evaluation N:evaluation]") == []
    assert codes("[N:span S:because]") == ["R201"]


def test_nuclearity_of_the_inventory() -> None:
    assert codes("[N:span S:evaluation]") == []
    assert codes("[N:span S:list]") == ["R202"]
    assert codes("[N:cause N:cause N:cause]") == ["R202"]


def test_mixed_uses() -> None:
    often = [(f"d{n}", tree_of("[N:evaluation N:evaluation]")) for n in range(10)]
    once = ("odd", tree_of("[N:span S:evaluation]"))
    assert check_documents(often) == []
    found = check_documents([*often, once])
    assert [(one.code, one.document, one.level) for one in found] == [
        ("R301", "odd", WARNING)
    ]
    assert "10 times" in found[0].message
    assert check_documents([often[0], once])[0].level == INFO
    # One of eleven is rare, one of ten is; one of nine is not.
    found = check_documents([*often[:9], once])
    assert [one.level for one in found] == [WARNING]
    assert [one.level for one in check_documents([*often[:8], once])] == [INFO]


def test_texts_of_one_document() -> None:
    one = with_texts("[N:span S:cause]", "it rained", "we left")
    same = with_texts("[N:span S:cause]", "it  rained we", "left")
    other = with_texts("[N:span S:cause]", "it snowed", "we left")
    assert codes(one, same) == []
    assert codes(one, other) == ["R401"]
    assert check_documents([("a", one), ("b", other)]) == []


def test_connectives_that_mark_another_class() -> None:
    def said(relation: str) -> Unit:
        return with_texts(f"[N:span S:{relation}]", "we left", "because it rained")

    usual = [(f"d{n}", said("cause")) for n in range(30)]
    assert check_documents(usual) == []
    found = check_documents([*usual, ("odd", said("List"))], classes={"list": "joint"})
    assert [(one.code, one.document, one.level) for one in found] == [
        ("R501", "odd", INFO)
    ]
    assert "'because it' with joint, 1 of 31 times; cause 30" in found[0].message


DIS = "( Root (span 1 2) {}( Nucleus (leaf 1) (rel2par span) (text _!A_!) ) {})"
BROKEN = {
    "R102": DIS.format("", "( Root (leaf 2) (text _!B_!) ) "),
    "R105": DIS.format("", "( Satellite (leaf 3) (rel2par cause) (text _!B_!) ) "),
    "R106": DIS.format("", "( Satellite (leaf 1) (rel2par cause) (text _!B_!) ) "),
    "R103": """<rst><body><segment id="1" parent="3" relname="cause">A</segment>
        <segment id="2">B</segment><segment id="3" parent="4" relname="span">C</segment>
        <group id="4" type="span" parent="2" relname="cause"/></body></rst>""",
    "R100": "( Root (span 1 2",
}


@pytest.mark.parametrize("code", BROKEN)
def test_trees_that_cannot_be_read(code: str, tmp_path: Path) -> None:
    good = DIS.format("", "( Satellite (leaf 2) (rel2par cause) (text _!B_!) ) ")
    (tmp_path / "good.dis").write_text(good)
    (tmp_path / "bad.dis").write_text(BROKEN[code])
    documents = read_rst(str(tmp_path))
    errors = documents.problems
    assert [name for name, _ in documents] == ["good"]
    found = findings_of_errors(errors)
    assert [(one.code, one.document) for one in found] == [(code, "bad")]


def test_an_error_without_a_place() -> None:
    found = findings_of_errors([RstError("no idea", Place())])
    assert (found[0].code, found[0].document) == ("R100", "")


def test_inventories() -> None:
    assert load_relation_inventory("gum")["joint-list"] == frozenset()
    with pytest.raises(SettingsError, match="no inventory 'gmu'"):
        load_relation_inventory("gmu")
    with pytest.raises(SettingsError, match="expected mono or multi"):
        parse_relation_inventory("list both")


@pytest.mark.slow
@needs_shared_data
def test_gum_is_well_formed() -> None:
    documents = []
    for folder in ("rs4", "dis"):
        found = read_rst(str(SHARED / "rst" / "gold" / folder))
        errors = found.problems
        assert not errors
        documents += found
    findings = check_documents(documents, load_relation_inventory("gum"))
    assert {one.code for one in findings if one.level == ERROR} == set()


def _told(*parts: str) -> str:
    """A document of two parts of a same-unit, and what may stand between them."""
    leaves = "".join(
        f"( {role} (leaf {n}) (rel2par {relation}) (text _!{text}_!) )"
        for n, part in enumerate(parts, start=1)
        for role, relation, text in [part.split("|")]
    )
    return f"( Root (span 1 {len(parts)}) {leaves} )"


def test_parts_of_a_same_unit_are_apart() -> None:
    joined = _told("Nucleus|same-unit|The man", "Nucleus|same-unit|left .")
    assert "R601" in {one.code for one in check_text(joined)}


def check_text(text: str) -> list[DocumentFinding]:
    return check_documents(list(read_rst(text)))


def test_placeholders_are_no_connectives() -> None:
    leaves = "".join(
        f"( {'Nucleus' if n == 1 else 'Satellite'} (leaf {n}) "
        f"(rel2par {'span' if n == 1 else 'Cause' if n % 20 else 'Purpose'}) "
        f"(text _!edu {n}_!) )"
        for n in range(1, 42)
    )
    found = check_text(f"( Root (span 1 41) {leaves} )")
    assert "R501" not in {one.code for one in found}
