"""Kendall's tau in WMT's ways, correlations and combinations on WMT13."""

from __future__ import annotations

import json

import numpy as np
import pytest

from analyzer.discotk.evaluation import (
    VARIANTS,
    Model,
    cross_validate,
    evaluate,
    expected_wins,
    fit_weights,
    pearson,
    read_model,
    sigmoid,
    spearman,
    tau,
    tune,
    variant_name,
    write_model,
)
from analyzer.discotk.score_tables import (
    Comparisons,
    ScoreTable,
    min_max,
    read_rankings,
    read_scores,
    with_ties_broken,
)
from analyzer.discotk.scoring import combine
from analyzer.exceptions import AnalyzerError, PairingError, SettingsError
from tests.support.data_paths import SHARED

MT = SHARED / "mt"
WMT13 = MT / "wmt13-fr-en"
TAU = SHARED / "kernels/tau_variants_reference.json"
SIGNS = {"<": -1, "=": 0, ">": 1}
needs_mt_data = pytest.mark.skipif(
    not MT.exists(), reason="NOT RUN: the shared data (../shared/data/mt) is not here"
)


@pytest.mark.skipif(not TAU.exists(), reason="NOT RUN: no tau_variants_reference.json")
def test_the_table_of_taus() -> None:
    data = json.loads(TAU.read_text("utf-8"))
    for variant in VARIANTS:
        for row in data["rows"]:
            human, metric = (np.array([SIGNS[row[n]]]) for n in ("human", "metric"))
            found = tau(human, metric, variant)
            expected = row[variant]
            assert found == ((0, 0) if expected == "X" else (expected, 1))
        for human_sign, others in data["table"][variant].items():
            for metric_sign, expected in others.items():
                signs = (np.array([SIGNS[s]]) for s in (human_sign, metric_sign))
                assert tau(*signs, variant).value == (
                    None if expected == "X" else expected
                )
        everything = [
            np.array([SIGNS[row[name]] for row in data["rows"]])
            for name in ("human", "metric")
        ]
        found = tau(*everything, variant)
        total = data["totals"][variant]
        assert found == (total["numerator"], total["denominator"])
        assert found.value == pytest.approx(total["tau"])


def test_other_names() -> None:
    assert variant_name("noties") == variant_name("WMT16") == "wmt14"
    assert variant_name("hties") == "xties"
    assert variant_name("kendall-like") == "wmt12"
    with pytest.raises(SettingsError, match="there are wmt12, wmt13"):
        variant_name("wmt99")


def test_undefined_correlations() -> None:
    constant = np.ones(4)
    assert pearson(constant, np.arange(4.0)) is None
    assert spearman(np.arange(4.0), constant) is None
    assert pearson(np.ones(1), np.ones(1)) is None
    assert tau(np.array([0]), np.array([1])).value is None


def test_opponents_never_met_do_not_count() -> None:
    wins = np.array([[0.0, 2, 0], [2, 0, 0], [0, 0, 0]])
    found = expected_wins(wins)
    assert found[:2].tolist() == [0.5, 0.5]
    assert np.isnan(found[2])


# -- WMT13 French-English ----------------------------------------------------------


@pytest.fixture(scope="module")
def wmt13() -> tuple[ScoreTable, Comparisons]:
    if not MT.exists():
        pytest.skip("NOT RUN: the shared data (../shared/data/mt) is not here")
    scores = read_scores(str(WMT13 / "fr-en.segscores.tsv.gz"))
    human = read_rankings([str(WMT13 / "wmt13-fr-en-train.csv.gz")])
    return scores[0], human[0]


@pytest.mark.slow
@needs_mt_data
def test_wmt13_single_metrics(wmt13: tuple[ScoreTable, Comparisons]) -> None:
    table, human = wmt13
    expected = json.loads((MT / "wmt13_fren_reference.json").read_text("utf-8"))
    result = evaluate([table], [human])
    assert len(result.rows) == 7
    for row in result.rows:
        other = expected["single"][row.metric]
        ours = [round(one.value or 0, 4) for one in row.tau.values()]
        assert ours == other["tau"]
        system = [round(one.value or 0, 4) for one in (row.spearman, row.pearson)]
        assert system == other["sys"]
    assert result.human["fr-en"] == pytest.approx(expected["expected_wins"])


@pytest.mark.slow
@needs_mt_data
def test_wmt13_combinations(wmt13: tuple[ScoreTable, Comparisons]) -> None:
    table, human = wmt13
    reference = json.loads((MT / "wmt13_fren_reference.json").read_text("utf-8"))
    expected = reference["combo"]["lexical(7)"]
    scaled = min_max(table)
    uniform = combine(table).segments.column("uniform")
    raw = cross_validate(scaled, human)
    both = scaled.with_values(("uniform", "tuned"), np.stack([uniform, raw], axis=2))
    for row in evaluate([both], [human]).rows:
        other = expected[row.metric]
        ours = [one.value for one in row.tau.values()]
        assert ours == pytest.approx(other["tau"], abs=0.002)
        assert [row.spearman.value, row.pearson.value] == pytest.approx(
            other["sys"], abs=0.002
        )
    assert np.array_equal(raw, cross_validate(scaled, human))  # the seed decides
    weights = dict(zip(table.metrics, tune([scaled], [human]).weights, strict=True))
    assert weights["chrF"] == pytest.approx(expected["weights"]["chrF"], abs=0.2)


@pytest.mark.slow
@needs_mt_data
def test_intervals_hold_the_tau(wmt13: tuple[ScoreTable, Comparisons]) -> None:
    table, human = wmt13
    result = evaluate([table.select(["chrF"])], [human], resamples=50, seed=1)
    again = evaluate([table.select(["chrF"])], [human], resamples=50, seed=1)
    assert result.rows == again.rows
    for one in result.rows[0].tau.values():
        assert one.low is not None
        assert one.high is not None
        assert one.low < (one.value or 0) < one.high
        assert one.high - one.low < 0.06


@pytest.mark.slow
@needs_mt_data
def test_system_intervals_are_of_the_same_segments(
    wmt13: tuple[ScoreTable, Comparisons],
) -> None:
    """Not only of ranked ones: -TER's rho was above its interval once."""
    table, human = wmt13
    wins = evaluate([table], [human]).human
    result = evaluate([table], [human], human_scores=wins, resamples=200, seed=1)
    for row in result.rows:
        for one in (row.spearman, row.pearson):
            assert one.low is not None
            assert one.high is not None
            assert one.low <= (one.value or 0) <= one.high


# -- small ones --------------------------------------------------------------------


def table_of(values: object, metrics: str = "m", pair: str = "") -> ScoreTable:
    array = np.array(values, np.float64)
    systems = tuple("ABCDEFG"[: array.shape[0]])
    segments = tuple(str(n + 1) for n in range(array.shape[1]))
    return ScoreTable(pair, systems, segments, tuple(metrics), array)


def comparisons_of(*rows: tuple[int, str, str, int], pair: str = "") -> Comparisons:
    systems = sorted({name for row in rows for name in row[1:3]})
    segments = sorted({row[0] for row in rows})
    return Comparisons(
        pair,
        tuple(systems),
        tuple(map(str, segments)),
        np.array([segments.index(row[0]) for row in rows]),
        np.array([systems.index(row[1]) for row in rows]),
        np.array([systems.index(row[2]) for row in rows]),
        np.array([row[3] for row in rows]),
        0,
    )


def test_constant_metrics_become_0_and_are_told() -> None:
    notes: list[str] = []
    scaled = min_max(table_of([[[1, 5]], [[1, 7]]], "mn"), notes=notes)
    assert scaled.values.tolist() == [[[0, 0]], [[0, 1]]]
    assert notes == ["m is constant (max = min): counted as 0 throughout"]


def test_missing_values() -> None:
    table = table_of([[[1.0]], [[np.nan]]])
    with pytest.raises(PairingError, match="m lacks 1 value: B segment 1"):
        combine(table)
    notes: list[str] = []
    found = combine(table, missing="worst", notes=notes).segments
    assert found.column("m").tolist() == [[1], [1]]
    assert notes[0] == "m: 1 value missing, taken as its lowest"
    with pytest.raises(AnalyzerError, match="no value for any"):
        combine(table_of([[[np.nan]]]), missing="worst")


def test_ranked_systems_and_segments_must_be_scored() -> None:
    human = comparisons_of((1, "A", "B", -1), (7, "A", "B", 1))
    with pytest.raises(PairingError, match="1 of 2 segments that were ranked"):
        evaluate([table_of([[[1.0]], [[2.0]]])], [human])
    human = comparisons_of((1, "A", "Z", -1))
    with pytest.raises(PairingError, match=r"systems that were ranked .*: Z"):
        evaluate([table_of([[[1.0]], [[2.0]]])], [human])


def test_means_over_language_pairs() -> None:
    good, bad = table_of([[[2.0]], [[1.0]]]), table_of([[[1.0]], [[2.0]]])
    human = [comparisons_of((1, "A", "B", -1), pair=name) for name in ("x-en", "y-en")]
    result = evaluate([good, bad], human)
    assert [(row.pair, row.tau["wmt14"].value) for row in result.rows] == [
        ("x-en", 1),
        ("y-en", -1),
        ("mean", 0),
    ]


def test_breaking_ties_keeps_the_order() -> None:
    random = np.random.default_rng(0)
    table = table_of(random.integers(-2, 3, (6, 40, 2)).astype(float), "mn")
    broken = with_ties_broken(table)
    for one in range(6):
        for other in range(6):
            before = table.values[one] - table.values[other]
            after = broken.values[one] - broken.values[other]
            assert np.all((before <= 0) | (after > 0))
    totals = table.values.sum(axis=1)[:, 0]
    a, b = np.argsort(totals)[[0, -1]]
    tied = table.values[a, :, 0] == table.values[b, :, 0]
    assert np.all(broken.values[b, tied, 0] > broken.values[a, tied, 0])


def test_weights_are_where_the_gradient_is_0() -> None:
    x = np.random.default_rng(3).normal(0.3, 1, (200, 3)) * [1, 5, 0.1]
    for cost in (0.01, 1.0, 100.0):
        weights = fit_weights(x, cost=cost)
        gradient = weights - 2 * cost * (sigmoid(-(x @ weights)) @ x)
        assert np.abs(gradient).max() < 1e-6


def test_nothing_to_learn_from() -> None:
    human = comparisons_of((1, "A", "B", 0))
    with pytest.raises(SettingsError, match="all are ties"):
        tune([table_of([[[1.0]], [[2.0]]])], [human])
    with pytest.raises(SettingsError, match="10 folds of 1 ranked"):
        cross_validate(table_of([[[1.0]], [[2.0]]]), human)


def test_models_are_read_as_written(tmp_path: object) -> None:
    path = f"{tmp_path}/model.json"
    model = Model(("m", "n"), (0.1 + 0.2, -3.0), 17, "how")
    write_model(model, path)
    assert read_model(path) == model
    for text, message in (
        ("{", "not a model"),
        ("[]", "not a model of"),
        ('{"format": "spinal-discotk-model", "version": 9}', "version 9"),
        ('{"format": "spinal-discotk-model", "version": 1}', "damaged"),
        (
            '{"format": "spinal-discotk-model", "version": 1, "metrics": ["m"], '
            '"weights": [NaN], "comparisons": 1, "signature": ""}',
            "finite",
        ),
    ):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        with pytest.raises(AnalyzerError, match=message):
            read_model(path)
