"""Breakdowns: cells add up to the scores, and fall where gold and parser say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer import SettingsError, breakdown, read_rst, score
from analyzer.analyses.cells import KEYS, Interval
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

GOLD, PARSED = str(EXAMPLES / "web.gold.mrg"), str(EXAMPLES / "web.greedy.mrg")
OTHER = str(EXAMPLES / "web.chart.mrg")
SENTENCES = len(Path(GOLD).read_text("utf-8").splitlines())
GROUPS = [f"g{number % 3}" for number in range(SENTENCES)]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("construction", [None, "PP-t"])
def test_cells_add_up_to_the_scores(key: str, construction: str | None) -> None:
    found = breakdown(
        GOLD,
        PARSED,
        by=key,
        construction=construction,
        train=OTHER,
        group_by=GROUPS,
        resamples=1,
    )
    scores = score(GOLD, PARSED)
    rows = {row.construction: row for row in scores.rows}
    expected = scores.total if construction is None else rows[construction]
    counts = [found.systems[0].total(cell) for cell in found.cells]
    assert sum(one.gold for one in counts) == expected.gold
    assert sum(one.parsed for one in counts) == expected.parsed
    for name in ("matched_h", "matched_s", "matched_att"):
        assert sum(getattr(one, name) for one in counts) == getattr(expected, name)
    assert sum(one.matched_s_parsed for one in counts) == expected.matched_s


def test_each_side_falls_into_its_own_cell() -> None:
    pp = "(PP (IN in) (NP (NN it)))"
    gold = f"(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds)) {pp}))"
    parsed = f"(S (NP (PRP I)) (VP (VBP see) (NP (NP (NNS birds)) {pp})))"
    found = breakdown(
        gold, parsed, by=["attached-at", "distance"], construction="PP-t", resamples=5
    )
    rows = {row.cell: row for row in found.rows}
    assert {cell: (row.gold, row.parsed) for cell, row in rows.items()} == {
        ("VP", "2"): (1, 0),
        ("NP", "1"): (0, 1),
    }
    # The head is found, gold's and the parser's; its governor is another one.
    assert [row.f_h for row in rows.values()] == [1, 1]
    assert rows["VP", "2"].att == 0
    assert rows["NP", "1"].att is None
    assert rows["NP", "1"].att_interval == Interval(None, None)


def test_intervals_hold_the_score_and_narrow_with_sentences() -> None:
    few = breakdown(GOLD, PARSED, by="tag", construction="NP-t", resamples=200)
    lines = [Path(path).read_text("utf-8").splitlines() * 9 for path in (GOLD, PARSED)]
    many = breakdown(*lines, by="tag", construction="NP-t", resamples=200)
    for one, other in zip(few.rows[:3], many.rows[:3], strict=True):
        assert one.f_s == other.f_s
        for row in (one, other):
            low, high = row.f_s_interval
            assert low is not None
            assert high is not None
            assert row.f_s is not None
            assert low <= row.f_s <= high
        assert _width(other.f_s_interval) <= _width(one.f_s_interval)
    assert _width(many.rows[0].f_s_interval) < _width(few.rows[0].f_s_interval)
    again = breakdown(GOLD, PARSED, by="tag", construction="NP-t", resamples=200)
    assert few.rows == again.rows  # the seed is part of the signature


def _width(interval: Interval) -> float:
    assert interval.low is not None
    assert interval.high is not None
    return interval.high - interval.low


def test_known_words_are_those_of_the_training_data() -> None:
    found = breakdown(
        "(S (NP (NN rain)) (VP (VBZ falls)))",
        "(S (NP (NN rain)) (VP (VBZ falls)))",
        by="known",
        train="(NP (NN rain))",
        resamples=1,
    )
    assert {row.cell: row.gold for row in found.rows} == {
        ("known",): 1,
        ("unknown",): 2,
    }


def test_documents_have_breakdowns_too() -> None:
    gold = read_rst("(NS-Cause (1) (NN-List (2) (3)))")
    found = breakdown(gold, gold, by="length", resamples=1)
    assert all(row.f_s == 1 for row in found.rows)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "words"}, "no key 'words'; there are word, tag"),
        ({"by": []}, "one key or by two"),
        ({"by": ["tag", "tag"]}, "one key or by two"),
        ({"by": ["tag", "word", "depth"]}, "one key or by two"),
        ({"by": "known"}, "--train"),
        ({"by": "group"}, "--group-by"),
        ({"by": "tag", "construction": "PPP"}, "no construction 'PPP'"),
        ({"by": "tag", "resamples": 0}, "resamples"),
    ],
)
def test_settings_that_make_no_sense(options: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        breakdown(GOLD, PARSED, **options)


@pytest.mark.slow
def test_one_command_for_prepositions(tmp_path: Path) -> None:
    ran = spinal(
        *("breakdown", GOLD, f"greedy={PARSED}", f"chart={OTHER}"),
        *("--construction", "PP-t", "--by", "word,attached-at", "--top", "3"),
        *("--output", tmp_path / "out"),
    )
    assert ran.code == 0
    heading, _, first = ran.out.splitlines()[2:5]
    assert "F-h greedy" in heading
    assert "att chart" in heading
    assert first.split()[:2] == ["for", "VP"]
    assert "more rows not shown" in ran.out
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"breakdown.png", "breakdown_rows.csv", "data.json"} <= written
    csv = spinal("breakdown", GOLD, PARSED, "--by", "distance", "--format", "csv")
    assert csv.out.splitlines()[0].startswith("system,distance,gold,parsed,f_h,f_h_low")
