"""Systems side by side: common ground, differences, agreement."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.analyses.score import score
from analyzer.analyses.systems import compare_systems, compared_metrics
from analyzer.exceptions import PairingError, SettingsError
from analyzer.metrics.constructions import ConstructionCounts
from tests.support.data_paths import EXAMPLES

GOLD = f"{EXAMPLES}/web.gold.mrg"
CHART = f"{EXAMPLES}/web.chart.mrg"
GREEDY = f"{EXAMPLES}/web.greedy.mrg"


def test_only_sentences_that_all_systems_have_count() -> None:
    """One parse of `greedy` failed: both are scored on the other 43."""
    result = compare_systems(GOLD, [("chart", CHART), ("greedy", GREEDY)])
    assert result.is_common.size == 44
    assert np.count_nonzero(result.is_common) == 43
    assert result.scored_text().startswith("compared on 43 of 44 sentences; 1 left out")
    golds = {system.scores.tally.evalb.gold for system in result.systems}
    assert len(golds) == 1


@pytest.mark.parametrize("metric", compared_metrics())
def test_scores_are_those_of_score(metric: str) -> None:
    result = compare_systems(GOLD, [("a", CHART), ("b", CHART)], resamples=10)
    alone = score(GOLD, CHART)
    expected = {row.construction: getattr(row, metric) for row in alone.rows}
    expected["total"] = getattr(alone.total, metric)
    for row in result.differences(result.systems[1], metric):
        assert row.score_a == pytest.approx(expected[row.construction])
        assert row.difference in (None, 0)


def test_agreement_sums_to_gold_and_to_matches() -> None:
    result = compare_systems(GOLD, [("chart", CHART), ("greedy", GREEDY)])
    *rows, total = result.agreement(result.systems[1])
    a, b = (system.scores.total for system in result.systems)
    assert total.both + total.only_a + total.only_b + total.neither == a.gold
    assert total.both + total.only_a == a.matched_s
    assert total.both + total.only_b == b.matched_s
    for field in ("both", "only_a", "only_b", "neither"):
        assert sum(getattr(row, field) for row in rows) == getattr(total, field)


def test_examples_of_agreement_are_what_they_say() -> None:
    result = compare_systems(GOLD, [("chart", CHART), ("greedy", GREEDY)])
    other = result.systems[1]
    row = next(r for r in result.agreement(other) if r.construction == "NP-modr")
    number = result.deriver.constructions.number("NP-modr")
    sentence = (row.example_only_a or 0) - 1
    matched = []
    for system in result.systems:
        counts = system.counted.counts.constructions
        (at,) = np.flatnonzero((counts.sentence == sentence) & (counts.name == number))
        matched.append(ConstructionCounts(*counts.values[at].tolist()).matched_s)
    assert matched[0] > matched[1]


def test_one_system_or_other_lengths_are_refused(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(SettingsError, match="two or more systems"):
        compare_systems(GOLD, [("chart", CHART)])
    short = tmp_path / "short.mrg"
    lines = (EXAMPLES / "web.chart.mrg").read_text("utf-8").splitlines()
    short.write_text("\n".join(lines[:40]) + "\n")
    with pytest.raises(PairingError, match="differ in length by 4 sentences"):
        compare_systems(GOLD, [("chart", CHART), ("short", str(short))])


def test_frame_has_every_other_system() -> None:
    systems = [("chart", CHART), ("greedy", GREEDY), ("again", CHART)]
    frame = compare_systems(GOLD, systems, resamples=50).frame()
    assert list(dict.fromkeys(frame["system"])) == ["greedy", "again"]
    assert frame["p_corrected"].dropna().between(0, 1).all()


def test_repaired_and_broken_by_hand() -> None:
    """The NP of a is repaired; the VP and the S over it are broken."""
    gold = "(S (NP (NN a)) (VP (VB b) (NP (NN c))))"
    first = "(S (NN a) (VP (VB b) (NP (NN c))))"
    other = "(S (NP (NN a)) (VB b) (NP (NN c)))"
    result = compare_systems(gold, [("A", first), ("B", other)], resamples=5)
    rows = {row.construction: row for row in result.agreement(result.systems[1])}
    assert (rows["NP-t"].repaired, rows["NP-t"].broken, rows["NP-t"].both) == (1, 0, 1)
    assert (rows["VP-t"].repaired, rows["VP-t"].broken) == (0, 1)
    total = rows["total"]
    frame = result.found_frame()
    assert frame[["repaired", "broken"]].iloc[-1].tolist() == [
        total.repaired,
        total.broken,
    ]
    assert total.in_words("A", "B") == (
        "B repairs 1 bracket that A misses, and breaks 2 that A finds"
    )
