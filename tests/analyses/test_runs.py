"""Several runs of each system: better, or the seed?"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import analyzer
from analyzer.analyses.runs import RunScores, compare_runs
from analyzer.exceptions import SettingsError
from analyzer.metrics.measures import TOTAL
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, SHARED, needs_shared_data

GOLD = EXAMPLES / "web.gold.mrg"
CHART, GREEDY = EXAMPLES / "web.chart.mrg", EXAMPLES / "web.greedy.mrg"


def mixed(every: int) -> str:
    """The greedy parser's output, where every n-th sentence is the chart parser's."""
    greedy, chart = (path.read_text().splitlines() for path in (GREEDY, CHART))
    pairs = enumerate(zip(greedy, chart, strict=True))
    return "\n".join(two[number % every == 0] for number, two in pairs)


def test_runs_are_averaged() -> None:
    runs = [CHART, mixed(2), mixed(3)]
    found = compare_runs(GOLD, {"A": runs, "B": [GREEDY]}, resamples=200)
    alone = [analyzer.score(GOLD, run).total for run in runs]
    common = found.compared.systems  # the greedy parser fails on a sentence
    scores = [one.scores.total.f_s for one in common[:3]]
    assert alone[0].f_s != scores[0]
    [total] = [row for row in found.rows if row[:2] == ("A", TOTAL)]
    assert total.runs == len(runs)
    assert total.mean == pytest.approx(np.mean(scores))
    assert total.sd == pytest.approx(np.std(scores, ddof=1))
    assert (total.best, total.worst) == (max(scores), min(scores))
    assert total.low is not None
    assert total.high is not None
    assert total.low < total.mean < total.high
    assert "B: a single run says nothing of other seeds" in found.notes
    [difference] = [row for row in found.differences("B") if row.name == TOTAL]
    assert difference.difference == pytest.approx(
        (common[3].scores.total.f_s or 0) - (total.mean or 0)
    )
    assert "single run" in found.in_words("B") or "cannot be shown" in found.in_words(
        "B"
    )
    with pytest.raises(SettingsError, match="no system"):
        found.differences("A")


def test_the_same_runs_do_not_differ() -> None:
    found = compare_runs(
        GOLD, {"A": [CHART, mixed(2)], "B": [CHART, mixed(2)]}, resamples=500
    )
    assert "It cannot be shown that B and A differ" in found.in_words("B")
    for row in found.differences("B"):
        assert not row.interval.excludes_zero, row


def coverage(runs: int, tries: int = 400) -> float:
    """How often an interval of the mean holds the truth, if only runs differ."""
    random = np.random.default_rng(runs)
    observed = random.normal(0.8, 0.02, (tries, runs))
    held = 0
    for seed, of_runs in enumerate(observed):
        # The text is so long that it does not matter.
        by_text = np.repeat(of_runs[:, None, None], 1000, axis=1)
        drawn = RunScores(of_runs[:, None], by_text).resampled(0, seed)
        low, high = np.quantile(drawn, [0.025, 0.975])
        held += low <= 0.8 <= high
    return 100 * held / tries


@pytest.mark.parametrize("runs", [2, 3, 5])
def test_few_runs_are_enough_for_an_interval_that_holds(runs: int) -> None:
    assert 91 <= coverage(runs) <= 99


def test_the_command_takes_lists_and_globs(tmp_path: Path) -> None:
    for number in (2, 3, 4):
        (tmp_path / f"b{number}.mrg").write_text(mixed(number))
    given = f"A={CHART},{GREEDY}", f"B={tmp_path}/b*.mrg"
    ran = spinal("compare", GOLD, *given, "--resamples", "100", "--format", "json")
    assert ran.code == 0, ran.err
    data = json.loads(ran.out)
    runs = {row["system"]: row["runs"] for row in data["runs"]}
    assert runs == {"A": 2, "B": 3}
    assert data["in_words"]
    text = spinal("compare", GOLD, *given, "--resamples", "100").out
    assert "sd" in text
    assert data["in_words"][0] in " ".join(text.split())
    refused = spinal("compare", GOLD, *given, "--repairs")
    assert refused.code == 2
    assert "E691" in refused.err or "several runs" in refused.err


@needs_shared_data
def test_two_neural_parsers() -> None:
    folder = SHARED / "rst_corpora" / "gum9_neural"
    runs = {
        name: [folder / name / f"run{number}" for number in range(1, 6)]
        for name in ("bottomup", "topdown")
    }
    found = compare_runs(folder / "gold", runs, relations="gum", resamples=500)
    means = {row[:2]: row.mean for row in found.rows}
    assert means["bottomup", "rst-parseval: F"] == pytest.approx(0.56, abs=0.02)
    assert "It cannot be shown that topdown and bottomup differ" in found.in_words(
        "topdown"
    )
    sure = {r.name for r in found.differences("topdown") if r.interval.excludes_zero}
    assert "rst-parseval: N" in sure
