"""Discourse parsers compared: metrics by document and by decision."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.analyses.rst_scores import MICRO, score_rst
from analyzer.analyses.rst_systems import COMPARED, DocumentComparison
from analyzer.analyses.score import score
from analyzer.analyses.systems import compare_systems
from analyzer.exceptions import PairingError
from analyzer.formats.registry import write_rst
from analyzer.metrics.constructions import MEASURES
from analyzer.metrics.significance import holm
from analyzer.model.discourse import Documents, Unit
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, RST, needs_rst_data
from tests.support.examples import some
from tests.support.rst_strategies import discourse_trees, tree_of

pytestmark = pytest.mark.slow

GOLD, OTHER = "[N:span[N:span S:cause] S:reason]", "[S:cause N:span[S:list N:span]]"


def documents(trees: list[Unit]) -> Documents:
    return Documents.of_units((f"d{at}", tree) for at, tree in enumerate(trees))


def compared(
    gold: Documents, *systems: Documents, resamples: int = 50
) -> DocumentComparison:
    named = [(name, one) for name, one in zip("abc", systems, strict=False)]
    found = compare_systems(gold, named, resamples=resamples).documents
    assert found is not None
    return found


@st.composite
def three_sides(draw: st.DrawFn) -> list[Documents]:
    """Gold and two systems over the same EDUs."""
    sides: list[list[Unit]] = [[], [], []]
    for _ in range(draw(st.integers(1, 4))):
        edus = draw(st.integers(1, 7))
        for side in sides:
            side.append(draw(discourse_trees(edus=edus, least=edus)))
    return [documents(side) for side in sides]


@pytest.mark.slow
@settings(max_examples=some(25), deadline=None)
@given(three_sides())
def test_scores_are_those_of_score_rst(sides: list[Documents]) -> None:
    gold, a, b = sides
    found = compared(gold, a, b, resamples=2)
    alone = [
        {
            (row.encoding, row.metric): (row.gold, row.f1)
            for row in score_rst(gold, side).rows
            if row.average == MICRO
        }
        for side in (a, b)
    ]
    rows = found.differences("b")
    assert len(rows) == 2 * sum(map(len, COMPARED.values()))
    for row in rows:
        key = row.encoding, row.metric
        assert row.gold == alone[0][key][0]
        assert row.score_a == pytest.approx(alone[0][key][1], nan_ok=True)
        assert row.score_b == pytest.approx(alone[1][key][1], nan_ok=True)
        if row.score_a is not None and row.score_b is not None:
            assert row.difference == pytest.approx(row.score_b - row.score_a)


@settings(max_examples=some(30), deadline=None)
@given(three_sides())
def test_a_system_does_not_differ_from_itself(sides: list[Documents]) -> None:
    gold, a, _ = sides
    for row in compared(gold, a, a).differences("b"):
        if row.score_a is None:
            assert row.p_value is None
            continue
        assert (row.difference, row.p_value, row.p_corrected) == (0, 1, 1)
        assert row.low in (0, None)
        assert row.high in (0, None)


def test_one_document_more_is_no_proof_many_are() -> None:
    right, wrong = tree_of(GOLD), tree_of(OTHER)
    gold = documents([right] * 6)
    baseline = documents([wrong] * 6)
    one_more = documents([right] + [wrong] * 5)
    found = compared(gold, baseline, one_more, gold, resamples=4000)
    for row in found.differences("b"):
        if row.paired_by == "document":
            assert row.difference is not None
            assert row.difference > 0
            assert row.p_value == 1  # swapped or not, one document differs
    by_document = [r for r in found.differences("c") if r.paired_by == "document"]
    for row in by_document:
        assert row.score_b == 1
        # All six the same way round, or all six the other: 2 of 64.
        assert row.p_value == pytest.approx(2 / 64, abs=0.012)
    corrected = holm(np.array([row.p_value for row in by_document]))
    assert [row.p_corrected for row in by_document] == pytest.approx(corrected.tolist())


def test_more_decisions_than_documents_say_more() -> None:
    """One document of 16 EDUs: nothing by document, much by decision."""
    right, wrong = "N:span S:cause", "S:cause N:span"
    for _ in range(14):
        right, wrong = f"N:span S:cause[{right}]", f"S:cause[{wrong}] N:span"
    gold = documents([tree_of(f"[{right}]")])
    found = compared(gold, documents([tree_of(f"[{wrong}]")]), gold, resamples=500)
    rows = {(r.paired_by, r.metric): r for r in found.differences("b")}
    assert rows["document", "UAS"].p_value == 1
    assert (rows["decision", "UAS"].p_value or 1) < 0.01


def test_only_documents_that_all_systems_have() -> None:
    trees = [tree_of(GOLD), tree_of(OTHER), tree_of(GOLD)]
    gold = documents(trees)
    short = Documents.of_units([("d2", trees[2]), ("d0", trees[0])])
    other = Documents.of_units([("d0", trees[1]), ("d1", trees[1])])
    result = compare_systems(gold, [("a", short), ("b", other)], resamples=5)
    assert result.documents is not None
    assert result.documents.names == ["d0"]
    assert result.scored_text().startswith("compared on 1 of 3 documents; 2 left out")
    assert [(s, one.document) for s, one in result.documents.left_out] == [
        *(("a", "d1"), ("b", "d2"))
    ]
    nothing = Documents.of_units([("x", trees[0])])
    with pytest.raises(PairingError, match="no document could be scored"):
        compare_systems(gold, [("a", short), ("b", nothing)])


def test_frame_has_every_other_system() -> None:
    gold = documents([tree_of(GOLD), tree_of(OTHER)])
    frame = compared(gold, gold, gold, gold, resamples=5).frame()
    assert list(dict.fromkeys(frame["system"])) == ["b", "c"]
    assert np.isin(frame["paired_by"], ["document", "decision"]).all()


@needs_rst_data
def test_the_command_has_them_in_every_format(tmp_path: Path) -> None:
    gold = RST / "gold" / "dis"
    systems = [f"sr={RST / 'pred' / 'sr'}", f"hilda={RST / 'pred' / 'hilda'}"]
    options = ["--relations", "gum", "--resamples", "20", "--output", str(tmp_path)]
    ran = spinal("compare", gold, *systems, *options, "--format", "json", "-q")
    [comparison] = json.loads(ran.out)["comparisons"]
    found = {
        (row["paired_by"], row["encoding"], row["metric"]): row
        for row in comparison["metrics"]
    }
    row = found["decision", "rst-parseval", "S"]
    assert round(100 * row["score_a"], 1) == 77.9
    assert round(100 * row["score_b"], 1) == 71.5
    assert row["low"] < row["difference"] < row["high"] < 0
    for name in ("metrics", "metrics_by_document_hilda", "metrics_by_decision_hilda"):
        assert (tmp_path / f"{name}.csv").is_file()


def test_metrics_are_in_csv_and_in_notebooks(tmp_path: Path) -> None:
    for name, tree in (("gold", GOLD), ("a", GOLD), ("b", OTHER)):
        (tmp_path / f"{name}.dis").write_text(write_rst(tree_of(tree), "dis"))
    files = [tmp_path / f"{name}.dis" for name in ("gold", "a", "b")]
    ran = spinal("compare", *files, "--resamples", "20", "--format", "csv", "-q")
    rows = list(csv.DictReader(ran.out.splitlines()))
    assert {row["encoding"] for row in rows} == {*COMPARED, "constructions"}
    decisions = [row for row in rows if row["paired_by"] == "decision"]
    assert [row["metric"] for row in decisions if row["encoding"] == "dependency"]
    gold, *systems = files
    found = compare_systems(gold, [(one.stem, one) for one in systems], resamples=20)
    shown = found._repr_html_()
    assert "Discourse metrics, paired by decision: a and b" in shown


def test_systems_have_the_scores_that_they_have_alone() -> None:
    """Attachment too: recursive constructions have none."""
    gold, *systems = (
        str(EXAMPLES / name)
        for name in ("discourse", "discourse_chart", "discourse_greedy")
    )
    compared = compare_systems(gold, dict(zip("ab", systems, strict=True)), resamples=9)
    for one, parsed in zip(compared.systems, systems, strict=True):
        alone = score(gold, parsed).total
        for measure in MEASURES:
            assert getattr(one.scores.total, measure.name) == getattr(
                alone, measure.name
            )
    (total,) = [
        row
        for row in compared.differences(compared.systems[1], metric="att")
        if row.construction == "total"
    ]
    assert (total.score_a, total.score_b) == tuple(
        score(gold, parsed).total.att for parsed in systems
    )


def test_predictions_as_they_are() -> None:
    """As the papers' own program: only gold is binarised."""
    wide = documents([tree_of("[N:list N:list N:list]")] * 2)
    for binarize_parsed, expected in ((True, {1.0}), (False, {0.75})):
        result = compare_systems(
            wide,
            [("a", wide), ("b", wide)],
            resamples=5,
            binarize_parsed=binarize_parsed,
        ).documents
        assert result is not None
        alone = score_rst(wide, wide, binarize_parsed=binarize_parsed)
        found = {row.recall for row in result.scores["a"].rows if row.metric == "S"}
        assert found == {row.recall for row in alone.rows if row.metric == "S"}
        assert (found == {1.0}) == (expected == {1.0})
        setting = result.signature.get("binarized")
        assert setting == ("both" if binarize_parsed else "gold")
