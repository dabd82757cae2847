"""Discourse trees of GUM in every format."""

from __future__ import annotations

import pytest

from analyzer.formats.documents import read_rst
from analyzer.formats.registry import WHOLE_TREES, read_document, write_rst
from analyzer.formats.rst.dis import (
    quickly_read,
    read_by_grammar,
)
from analyzer.model.discourse import Unit
from analyzer.transform.head_order import (
    constituent_tree,
    dependency_tree,
)
from tests.support.data_paths import RST, needs_rst_data
from tests.support.rst_specimens import detected
from tests.support.rst_strategies import shape


@pytest.fixture(scope="module")
def gold() -> dict[str, Unit]:
    documents = read_rst(str(RST / "gold" / "dis"))
    errors = documents.problems
    assert not errors
    assert len(documents) == 32
    return dict(documents)


@needs_rst_data
@pytest.mark.parametrize("other", ["rs4", "rsd"])
def test_gum_is_the_same_in_every_format(gold: dict[str, Unit], other: str) -> None:
    documents = read_rst(str(RST / "gold" / other))
    errors = documents.problems
    assert not errors
    assert {name: shape(root) for name, root in documents} == {
        name: shape(root) for name, root in gold.items()
    }


@needs_rst_data
def test_gums_own_dependencies_are_ours(gold: dict[str, Unit]) -> None:
    for name, root in gold.items():
        theirs = (RST / "gold" / "rsd" / f"{name}.rsd").read_text("utf-8").strip()
        ours = write_rst(root, "rsd").strip()
        for line, other in zip(ours.split("\n"), theirs.split("\n"), strict=True):
            one, two = line.split("\t"), other.split("\t")
            assert [one[at] for at in (0, 1, 2, 6, 7)] == [
                two[at] for at in (0, 1, 2, 6, 7)
            ]


@needs_rst_data
@pytest.mark.parametrize("to", WHOLE_TREES)
def test_gum_round_trips(gold: dict[str, Unit], to: str) -> None:
    for name, root in gold.items():
        written = write_rst(root, to, name=name)
        assert detected(written) == to
        assert shape(read_document(written, name)) == shape(root)


@needs_rst_data
def test_gum_through_dependencies(gold: dict[str, Unit]) -> None:
    for root in gold.values():
        assert shape(constituent_tree(dependency_tree(root))) == shape(root)


@needs_rst_data
def test_arcs_become_the_constituents_of_the_released_program() -> None:
    """`dep_raw` has nuclearity and order by heuristics, `pred/dep` the trees."""
    arcs = read_rst(str(RST / "dep_raw"))
    errors = arcs.problems
    assert not errors
    trees = read_rst(str(RST / "pred" / "dep"))
    assert {name: [u.label for u in root.walk()] for name, root in arcs} == {
        name: [u.label for u in root.walk()] for name, root in trees
    }


@pytest.mark.slow
@needs_rst_data
def test_every_fourth_file_goes_through_both_readers() -> None:
    for path in sorted(RST.rglob("*.dis"))[::4]:
        text = path.read_text("utf-8")
        assert quickly_read(text) == read_by_grammar(text, str(path))
