"""What the released program makes of fixtures and of all documents."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.exceptions import RstError
from analyzer.formats.rst.dis import read_dis
from analyzer.model.discourse import Unit
from analyzer.transform.documents import Direction, binarize
from analyzer.transform.head_order import (
    constituent_tree,
    dependency_tree,
    transformed,
)
from tests.support.data_paths import RST, needs_rst_data
from tests.support.dependency_trees import spans_and_heads
from tests.support.rst_strategies import Shape, shape, tree_of

# Where the released program raises, or is not what it says, ours.
OUR_BINARISATION = {
    ("nss", "right"): "[N:span[N:span S:elaboration] S:explanation]",
    ("nss", "left"): "[N:span[N:span S:elaboration] S:explanation]",
    ("ssn", "right"): "[S:attribution N:span[S:elaboration N:span]]",
    ("ssn", "left"): "[S:attribution N:span[S:elaboration N:span]]",
    ("snss", "right"): "[N:span[S:attribution N:span[N:span S:elaboration]] "
    "S:explanation]",
    ("snss", "left"): "[N:span[N:span[S:attribution N:span] S:elaboration] "
    "S:explanation]",
    ("nns", "right"): "[N:span[N:List N:List] S:elaboration]",
    ("nns", "left"): "[N:span[N:List N:List] S:elaboration]",
    # It branches to the left at the top only.
    ("nnnn", "left"): "[N:List[N:List[N:List N:List] N:List] N:List]",
    # It leaves the list below the lowered nucleus as it is.
    ("sns_over_list", "right"): "[S:attribution N:span[N:span[N:List "
    "N:List[N:List N:List]] S:explanation]]",
    ("sns_over_list", "left"): "[N:span[S:attribution N:span[N:List[N:List N:List] "
    "N:List]] S:explanation]",
    # A unary unit stays, and is scored as it is written.
    ("unary", "right"): "[N:span[N:span S:elaboration]]",
    ("unary", "left"): "[N:span[N:span S:elaboration]]",
}


def labels(root: Unit) -> Shape:
    return [(label, "", size) for label, _, size in shape(root)]


def expected_fixtures() -> list[tuple[str, dict[str, object]]]:
    path = RST / "fixtures/expected.json"
    if not path.exists():
        return []
    return list(json.loads(path.read_text("utf-8")).items())


@needs_rst_data
@pytest.mark.parametrize("direction", ["right", "left"])
@pytest.mark.parametrize(("name", "expected"), expected_fixtures())
def test_binarised_fixtures(
    name: str, expected: dict[str, object], direction: Direction
) -> None:
    root = _fixture(name)
    released = expected[f"binarize_{direction}"]
    found = binarize(root, direction)
    if (name, direction) in OUR_BINARISATION:
        assert labels(found) == labels(tree_of(OUR_BINARISATION[name, direction]))
        return
    assert isinstance(released, list)
    assert [(unit.nuclearity, unit.relation) for unit in found.walk()] == [
        (item[1][0], item[2]) for item in released
    ]
    spans = {(first, last) for first, last, _ in spans_and_heads(found)}
    assert spans == {tuple(i[0]) for i in released if i[0][0] != i[0][1]}


@needs_rst_data
@pytest.mark.parametrize(
    ("key", "transform"), [("dep_chain(right)", "chain"), ("dep_tree(n-ary)", "tree")]
)
@pytest.mark.parametrize(("name", "expected"), expected_fixtures())
def test_dependencies_of_fixtures(
    name: str, expected: dict[str, object], key: str, transform: str
) -> None:
    root = _fixture(name)
    released = expected[key]
    assert isinstance(released, dict)
    if name == "unary":
        with pytest.raises(RstError, match="contains only one unit"):
            dependency_tree(root)
        return
    tree = transformed(root, "chain" if transform == "chain" else "tree")
    if "raises" in released:
        # Satellites nearest first; of two as near, the right one.
        assert (tree.heads, tree.ranks) == {
            "nss": ([0, 1, 1], [1, 1, 2]),
            "ssn": ([3, 3, 0], [2, 1, 1]),
            "snss": ([2, 0, 2, 2], [2, 1, 1, 3]),
            "nns": ([0, 1, 1], [1, 1, 2]),
        }[name]
        return
    assert tree.heads == released["heads"]
    assert tree.relations == released["labels"]
    assert tree.nuclearities == [nuclearity[0] for nuclearity in released["nucs"]]
    assert tree.ranks == released["ranks"]


def test_satellites_between_nuclei_stay_with_the_nucleus_before() -> None:
    root = tree_of("[N:list S:cause N:list N:list]")
    right = tree_of("[N:list[N:list S:cause] N:list[N:list N:list]]")
    left = tree_of("[N:list[N:list[N:list S:cause] N:list] N:list]")
    assert labels(binarize(root, "right")) == labels(right)
    assert labels(binarize(root, "left")) == labels(left)


def _fixture(name: str) -> Unit:
    path: Path = RST / "fixtures" / f"{name}.dis"
    return read_dis(path.read_text("utf-8"), str(path))


@needs_rst_data
def test_all_documents_come_back() -> None:
    for folder in ("gold/dis", "pred/sr", "pred/hilda", "pred/rb"):
        for path in sorted((RST / folder).glob("*.dis")):
            root = read_dis(path.read_text("utf-8"), str(path))
            tree = dependency_tree(root)
            assert shape(constituent_tree(tree)) == shape(root), path
