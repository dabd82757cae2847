"""What the functions for discourse give back, as Python users see it."""

from __future__ import annotations

import warnings

import pytest

import analyzer

GOLD = "(NS-Cause (SN-Attribution (1) (2)) (3))"
PARSED = "(NS-Reason (SN-Attribution (1) (2)) (3))"


def test_results_have_rows_signature_and_views() -> None:
    results = {
        "encoding": analyzer.score_rst(GOLD, PARSED),
        "metric": analyzer.similarity({"gold": GOLD, "ours": PARSED}),
        "document": analyzer.ambiguity(GOLD, PARSED),
    }
    for column, result in results.items():
        frame = result.frame()
        assert len(frame) == len(result.rows) > 0
        assert frame.columns[0] == column
        assert "binarize:right|relations:fine" in str(result.signature)
        assert "<table" in result._repr_html_()
        assert repr(result).startswith(f"<{type(result).__name__}: ")
        assert result.left_out == []


def test_a_map_of_relations_is_part_of_the_signature() -> None:
    same = {"cause": "why", "reason": "why"}
    scores = analyzer.score_rst(GOLD, PARSED, relations=same)
    assert {row.f1 for row in scores.rows} == {1.0}
    other = analyzer.score_rst(GOLD, PARSED, relations={"cause": "why"})
    names = {str(one.signature.get("relations")) for one in (scores, other)}
    assert len(names) == 2
    assert all(name.startswith("map/") for name in names)


def test_what_cannot_be_read_is_told_or_raised(tmp_path: object) -> None:
    folder = str(tmp_path)
    for name, text in (("a.dis", "nothing"), ("b.brackets", GOLD)):
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    documents = analyzer.read_rst(folder)
    assert documents.names == ["b"]
    assert len(documents.problems) == 1
    scores = analyzer.score_rst(folder, documents)
    assert scores.names == ["b"]
    assert len(scores.problems) == 2  # one on each side
    with pytest.raises(analyzer.RstError):
        analyzer.score_rst(folder, documents, strict=True)


def test_predictions_that_are_not_binary_are_noted() -> None:
    """If the reference alone is binarised, even it would not get 100."""
    tree = "(NNN-List (1) (2) (3))"
    both = analyzer.score_rst(tree, tree).rows[0]
    assert (both.matched, both.gold, both.predicted) == (4, 4, 4)
    with pytest.warns(analyzer.InputWarning, match="1 predicted unit of"):
        spans = analyzer.score_rst(tree, tree, binarize_parsed=False).rows[0]
    assert (spans.matched, spans.gold, spans.predicted) == (3, 4, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        analyzer.score_rst(tree, tree, binarize="none")
