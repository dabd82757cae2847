"""Intervals hold the truth, say nothing of too little, and do not depend on blocks."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import analyzer
from analyzer.metrics.constructions import MEASURES
from analyzer.metrics.counts import Counts
from analyzer.metrics.intervals import (
    FEWEST_DOCUMENTS,
    UNKNOWN,
    Interval,
    SentenceUnits,
    UnitCounts,
)
from analyzer.metrics.measures import TOTAL, measure_named
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, ROOT, SYNTAX, needs_shared_data
from tests.support.examples import some

SIMULATION = runpy.run_path(str(ROOT / "benchmarks" / "intervals.py"))
coverage, interval_of = SIMULATION["coverage"], SIMULATION["interval_of"]
GOLD, PARSED = EXAMPLES / "web.gold.mrg", EXAMPLES / "web.chart.mrg"
F_S = measure_named("f_s", MEASURES)


def counts_of(values: list[list[int]], name: str = "NP") -> Counts:
    number = np.arange(len(values))
    return Counts([name], len(values), number, np.zeros_like(number), np.array(values))


@pytest.mark.parametrize(
    ("units", "size", "truth", "correlation"),
    [(30, 1.0, 0.9, 0.0), (30, 20.0, 0.6, 0.1), (100, 1.0, 0.6, 0.1), (500, 1, 0.9, 0)],
)
def test_an_interval_holds_the_truth_as_often_as_it_says(
    units: int, size: float, truth: float, correlation: float
) -> None:
    # 300 runs: two standard deviations around 93 and 97 %.
    assert 90 <= coverage(units, size, truth, correlation, runs=300) <= 99.5


def test_five_of_five_may_be_luck() -> None:
    # Jeffreys' interval for 5 of 5 begins at 0.62; the sentences are few, too.
    low, high = interval_of(np.array([1] * 5 + [0] * 60), np.array([1] * 5 + [0] * 60))
    assert 0.5 < low < 0.7
    assert high == 1
    # Of two sentences nothing can be said.
    units = UnitCounts.of(counts_of([[1] * len(["gold", "matched"])] * 2), ["", ""])
    recall = analyzer.metrics.measures.Measure("r", "matched", "gold", "r")
    assert units.units.intervals(recall, ("gold", "matched"))[0] == UNKNOWN


def test_what_excludes_zero() -> None:
    assert Interval(0.1, 0.2).excludes_zero
    assert Interval(-0.2, -0.1).excludes_zero
    assert not Interval(-0.1, 0.1).excludes_zero
    assert not Interval(-1e-17, -1e-18).excludes_zero  # rounding
    assert not UNKNOWN.excludes_zero


parts = st.lists(
    st.lists(st.lists(st.integers(0, 9), min_size=2, max_size=2), max_size=40),
    max_size=8,
)


@settings(max_examples=some(30))
@given(parts, st.integers(0, 3))
def test_blocks_do_not_matter(blocks: list[list[list[int]]], documents: int) -> None:
    """However the input is cut, the same units come out."""
    blocks = [block for block in blocks if block]
    assume(blocks)
    sentences = [row for block in blocks for row in block]
    names = [f"d{number % (documents * 9 + 1)}" for number in range(len(sentences))]
    whole = UnitCounts.of(counts_of(sentences), names)
    added, start = UnitCounts(), 0
    for block in blocks:
        counts, given = counts_of(block), names[start : start + len(block)]
        sums = {"NP": counts.sums()[0].tolist()} if len(block) % 3 else None
        added += UnitCounts.of(counts, given, sums)
        start += len(block)
        added = added.folded() if len(block) % 2 else added
    one, other = whole.units, added.units
    assert (one.noun, one.number) == (other.noun, other.number)
    assert one.counts.sums().tolist() == other.counts.sums().tolist()
    tables = [side.dense(("gold", "matched"))["gold"] for side in (one, other)]
    assert tables[0].tolist() == tables[1].tolist()


def test_documents_are_drawn_where_there_are_enough(tmp_path: Path) -> None:
    trees = GOLD.read_text().splitlines(), PARSED.read_text().splitlines()
    folders = tmp_path / "gold", tmp_path / "parsed"
    for folder, lines in zip(folders, trees, strict=True):
        folder.mkdir()
        for number in range(FEWEST_DOCUMENTS):
            part = lines[number::FEWEST_DOCUMENTS]
            (folder / f"{number}.mrg").write_text("\n".join(part))
    by_files = analyzer.score(*map(str, folders))
    assert by_files.units.setting == f"{FEWEST_DOCUMENTS} documents"
    assert f"intervals:{FEWEST_DOCUMENTS} documents" in str(by_files.signature)
    assert analyzer.score(GOLD, PARSED).units.setting == "44 sentences"
    # The same as a column names them.
    column = [f"{number % FEWEST_DOCUMENTS}" for number in range(len(trees[0]))]
    by_units = analyzer.score(GOLD, PARSED, units=column)
    assert by_units.units.setting == by_files.units.setting
    ends = [one.intervals(F_S)[TOTAL] for one in (by_files, by_units)]
    assert ends[0] != analyzer.score(GOLD, PARSED).intervals(F_S)[TOTAL]
    np.testing.assert_allclose(*ends, atol=0.03)  # other weights, as files come sorted


def test_ids_name_documents() -> None:
    tree = "(S (NP (PRP I)) (VP (VBP see)))"
    bank = analyzer.read_trees("\n".join([tree] * 40))
    from dataclasses import replace

    ids = tuple(f"letter_{number // 2}-{number % 2}" for number in range(40))
    named = replace(bank, ids=ids)
    assert analyzer.score(named, bank).units.setting == "20 documents"
    units = SentenceUnits.of(["a", "b"] * 9, np.ones(18, np.bool_), "sentence")
    assert units.setting == "18 sentences"  # two documents are too few


def test_processes_give_the_same(tmp_path: Path) -> None:
    for name, source in (("gold", GOLD), ("parsed", PARSED)):
        (tmp_path / name).write_text(source.read_text() * 30)
    alone, shared = (
        analyzer.score(tmp_path / "gold", tmp_path / "parsed", jobs=jobs)
        for jobs in (1, 2)
    )
    assert alone.units.setting == "1320 sentences"
    assert alone.intervals(F_S) == shared.intervals(F_S)
    total = alone.intervals(F_S)[TOTAL]
    assert total.low is not None
    assert total.low < alone.total.f_s < (total.high or 0)


def test_the_table_says_how_sure_it_is() -> None:
    ran = spinal("score", GOLD, PARSED, "--top", "2")
    assert ran.code == 0, ran.err
    assert "95 %" in ran.out
    assert "intervals:44 sentences" in ran.out
    low, high = analyzer.score(GOLD, PARSED).intervals(F_S)["VP-t"]
    assert low is not None
    assert high is not None
    assert f"{100 * low:.1f}–{100 * high:.1f}" in ran.out


@needs_shared_data
def test_genres_that_cannot_be_told_apart_are_not() -> None:
    """Of 14 genres against news, prose claims no gap that may be chance."""
    column = f"{SYNTAX / 'sidecar' / 'dev.tsv'}:genre"
    result = analyzer.compare_domains(
        [
            (
                "all",
                SYNTAX / "gold" / "dev.gold.mrg",
                SYNTAX / "parsed" / "dev.berkeley-sm4.mrg",
            )
        ],
        group_by=column,
        reference="news",
    )
    from reports.tables.domains import paragraph

    splits = result.splits()
    sure = [split for split in splits if split.interval(split.total).excludes_zero]
    assert 0 < len(sure) < len(splits)
    for split in splits:
        shown = "No difference in F-s can be shown" in paragraph(split)
        assert shown is (split not in sure)
        low, high = split.interval(split.total)
        assert low is not None
        assert high is not None
        assert low <= split.total.difference <= high
