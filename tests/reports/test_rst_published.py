"""The papers' tables: their rows beside ours, and relative error reduction."""

from __future__ import annotations

import pytest

from analyzer.analyses.rst_scores import score_rst
from analyzer.metrics.ratios import error_reduction
from reports.model import Table
from reports.tables.rst_published import HUMAN, published_rows, published_tables

GOLD = "(NS-Cause (NN-List (1) (2)) (NN-List (3) (4)))"
OTHER = "(NS-Cause (NN-List (1) (2)) (NS-List (3) (4)))"


def tables(**options: str) -> dict[str, Table]:
    systems = [
        ("ours", score_rst(GOLD, OTHER, **options)),
        ("theirs", score_rst(GOLD, GOLD.replace("Cause", "Result"), **options)),
        (HUMAN, score_rst(GOLD, GOLD, **options)),
    ]
    return {table.title: table for table in published_tables(systems)}


def test_which_tables_depends_on_the_reference() -> None:
    right = list(tables())
    assert [title[:13] for title in right[:4]] == [
        *("2018, Table 1", "2018, Table 2", "2018, Table 3", "2017, Table 3")
    ]
    assert right[3].endswith("RST-Parseval, macro F1")
    assert [title[:13] for title in tables(binarize="none")][:2] == [
        *("2018, Table 4", "2018, Table 5")
    ]
    assert not any("20" in title for title in tables(binarize="left"))


def test_published_and_human_rows_stand_below_ours() -> None:
    table = tables()["2018, Table 1: RST-Parseval, micro F1"]
    assert list(table.rows[0])[:2] == ["ours", "here"]
    by_source = {(row[0], row[1]): row for row in map(list, table.rows)}
    parser = by_source["FH14 gCRF *", "2018, Table 1"]
    assert parser[2:6] == pytest.approx([0.843, 0.694, 0.569, 0.562])
    human = by_source["human", "2017, Table 2"]
    assert human[2:6] == pytest.approx([0.883, 0.773, 0.654, 0.647])
    assert human[6] is None
    assert len(table.rows) == 3 + 12 + 1


def test_relative_error_reductions_are_those_of_the_paper() -> None:
    """2017: 24, 41 and 51 % of Table 1; 11 and 16 % of Table 2; 16 % of Table 4."""
    table = tables()["Relative error reduction"]
    rows = {
        row[2]: [v and round(100 * v) for v in row[3:]] for row in map(list, table.rows)
    }
    assert rows["2017, Table 1"] == [24, 41, None, 51]
    assert rows["2017, Table 2"][2:] == [11, 16]
    assert rows["2017, Table 4"][3] == 16


def test_ours_against_a_second_annotation() -> None:
    """Of three decisions, ours has a wrong nuclearity, theirs a wrong relation."""
    table = tables()["Relative error reduction"]
    rows = [list(row) for row in table.rows if row[0] == "ours"]
    assert [row[1] for row in rows] == ["theirs"] * 3
    assert [row[3:] for row in rows if "decisions" in str(row[2])] == [
        [None, 1.0, None, 0.0]
    ]
    assert error_reduction(0.5, 0.7, 0.5) is None


def test_every_row_is_there() -> None:
    rows = published_rows()
    assert len(rows) == 5 * 12 + 4 * 10
    assert all(0 < score < 1 for row in rows for score in row.scores.values())
