"""Scores of EDU boundaries, worked out by hand."""

from __future__ import annotations

from analyzer.rst_parser.segmenter import score_segments
from analyzer.rst_parser.text import of_edus

# Boundaries in characters without white space: 0, 6, 22 of gold; 0, 13, 22 found.
GOLD = of_edus(["He left", "because it rained.", "We stayed."], "rain")
FOUND = of_edus(["He left because", "it rained.", "We stayed."], "rain")


def test_precision_recall_and_f1_of_each_document_and_of_all() -> None:
    short = of_edus(["One.", "Two."], "short")
    whole = of_edus(["One. Two."], "short")
    scores = score_segments([GOLD, short], [whole, FOUND])
    assert [tuple(row) for row in scores.rows] == [
        ("rain", 3, 3, 2),
        ("short", 2, 1, 1),
    ]
    rain, one_edu = scores.rows
    assert (rain.precision, rain.recall, rain.f1) == (2 / 3, 2 / 3, 2 / 3)
    assert (one_edu.precision, one_edu.recall, one_edu.f1) == (1.0, 0.5, 2 / 3)
    total = scores.total
    assert tuple(total) == ("all", 5, 4, 3)
    assert (total.precision, total.recall, total.f1) == (3 / 4, 3 / 5, 6 / 9)
    assert "2 documents, F1 0.667" in repr(scores)


def test_places_are_characters_so_that_words_may_be_split_otherwise() -> None:
    """It 's | raining . against It's raining | . : the first boundary is shared."""
    gold = of_edus(["It's", "raining."], "a")
    apart = of_edus(["It 's raining", "."], "a")
    [row] = score_segments([gold], [apart]).rows
    assert tuple(row) == ("a", 2, 2, 1)


def test_what_cannot_be_compared_is_named() -> None:
    other = of_edus(["He left because", "it snowed."], "rain")
    scores = score_segments([GOLD, of_edus(["Alone."], "alone")], [other])
    assert scores.rows == []
    different, absent = map(str, scores.problems)
    assert "'snowed.'" in different
    assert "'rained.Westayed.'" in different
    assert absent.startswith("alone")
    assert scores.total.f1 is None
    assert "F1 -" in repr(scores)
