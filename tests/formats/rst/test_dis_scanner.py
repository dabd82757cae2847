"""The fast reader of .dis gives the table that the reader of units gives, or none."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.exceptions import RstError
from analyzer.formats.rst.dis import read_dis, scan_documents, write_dis
from analyzer.model.discourse import Documents
from analyzer.model.treebank import Treebank
from tests.support.data_paths import RST
from tests.support.rst_strategies import discourse_trees as trees

COLUMNS = ("label", "depth", "first", "last", "is_leaf", "leaf_node", "node_start")


def assert_same(found: Treebank | None, texts: list[str]) -> None:
    expected = Documents.of_units([("d", read_dis(text)) for text in texts]).bank
    assert found is not None
    found.check()
    for column in COLUMNS:
        assert np.array_equal(getattr(found, column), getattr(expected, column))


@pytest.mark.slow
@given(st.lists(trees(), min_size=1, max_size=3))
def test_same_table_for_any_trees(roots: list) -> None:  # type: ignore[type-arg]
    texts = [write_dis(root) for root in roots]
    assert_same(scan_documents(texts), texts)


@given(trees(), st.data())
def test_never_more_lenient_than_the_definition(root, data: st.DataObject) -> None:  # type: ignore[no-untyped-def]
    """A character lost or doubled: what the fast reader takes, the other takes too."""
    text = write_dis(root)
    at = data.draw(st.integers(0, len(text) - 1))
    instead = data.draw(st.sampled_from(["", text[at] * 2, "x"]))
    garbled = text[:at] + instead + text[at + 1 :]
    found = scan_documents([garbled])
    if found is not None:
        assert_same(found, [garbled])


@pytest.mark.skipif(
    not RST.exists(), reason="NOT RUN: the shared data (../shared/data/rst) is not here"
)
@pytest.mark.parametrize("folder", ["gold/dis", "pred/sr", "pred/dep", "pred_fine/rb"])
def test_real_documents(folder: str) -> None:
    texts = [path.read_text("utf-8") for path in sorted((RST / folder).glob("*.dis"))]
    assert_same(scan_documents(texts), texts)


def test_what_is_irregular_is_left_to_the_other_reader() -> None:
    no_nucleus = (
        "( Root (span 1 2) ( Satellite (leaf 1) (rel2par a) (text _!x_!) ) "
        "( Satellite (leaf 2) (rel2par b) (text _!y_!) ) )"
    )
    assert scan_documents([no_nucleus]) is None
    with pytest.raises(RstError):
        read_dis(no_nucleus)
