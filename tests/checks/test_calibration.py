"""Chances: fitted weights, files of them, and weights moved by a team's decisions."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import check
from analyzer.checks.calibration import (
    CONSTANT,
    Calibration,
    fitted,
    names_of,
    read_calibration,
    recalibrated,
)
from analyzer.checks.leave_one_out import context, numbered, support
from analyzer.checks.merging import confidence
from analyzer.checks.registry import CHECKS
from analyzer.checks.run import CheckResult
from analyzer.exceptions import InputError, SettingsError
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES
from tests.support.examples import some

CODE = "V301"
PIECES = len(names_of(CHECKS[CODE])) - 1
Decided = list[tuple[str, tuple[float, ...], bool]]


def chance(calibration: Calibration, ratio: float = 0.0) -> float:
    evidence = np.array([[ratio, *[0.0] * (PIECES - 1)]])
    return confidence(float(calibration.odds(CODE, evidence, 0.0)[0]))


def decided(errors: int, fine: int, ratio: float = 0.0) -> Decided:
    evidence = (ratio, *[0.0] * (PIECES - 1))
    return [(CODE, evidence, at < errors) for at in range(errors + fine)]


# -- fitting --------------------------------------------------------------------------


@given(st.integers(0, 9), st.floats(0.5, 50))
@settings(max_examples=some(20))
def test_at_the_fitted_weights_nothing_pulls(seed: int, held: float) -> None:
    random = np.random.default_rng(seed)
    evidence, offset = random.normal(size=(80, 3)), random.normal(size=80)
    is_error = (random.random(80) < 0.3).astype(float)
    weight = random.random(80)
    found = fitted(evidence, is_error, np.full(3, held), weight, offset)
    chances = 1 / (1 + np.exp(-(evidence @ found + offset)))
    slope = evidence.T @ (weight * (is_error - chances)) - held * found
    assert np.abs(slope).max() < 1e-2


def test_every_piece_of_evidence_has_a_weight() -> None:
    shipped = read_calibration()
    for one in CHECKS.values():
        if one.evidence:
            assert list(shipped.weights[one.code]) == list(names_of(one))


def test_what_the_contexts_of_a_choice_say() -> None:
    """Five choices in one context, three of them of class 1; the last is of class 0."""
    chosen = np.array([1, 1, 1, 0, 0])
    known = numbered([[context(np.zeros(5, np.int64))]])
    row = np.array([4])
    found = support(known, chosen, 2, row, row, np.array([1]))[0]
    # of four others, three are as the rival, one is as this one
    assert found.tolist() == pytest.approx([1.0, 0.0, 1 / 4, np.log(3.5 / 1.5)])


@given(st.lists(st.floats(-6, 6), min_size=1, max_size=40), st.floats(0, 2))
@settings(max_examples=some(40))
def test_more_that_look_like_errors_make_errors_likelier(
    odds: list[float], size: float
) -> None:
    """Whatever is added to the suspects in words that recur; within bounds."""
    shipped = read_calibration()
    shift = shipped.shift(np.array(odds), size)
    higher = shipped.shift(np.array([*odds, *[7.0] * 30]), size)
    lower = shipped.shift(np.array([*odds, *[-7.0] * 300]), size)
    assert -1.5 <= lower <= shift <= higher <= 1.5
    assert lower < higher


def test_the_shift_is_of_words_that_recur_only() -> None:
    """A hundred sure suspects of V301 raise those of T501, and none of the model's."""
    shipped = read_calibration()

    def odds(ratio: float) -> dict[str, float]:
        evidence = {
            code: np.zeros((1, len(names_of(CHECKS[code])) - 1))
            for code in ("T501", "M601")
        }
        evidence[CODE] = np.array([[ratio, *[0.0] * (PIECES - 1)]] * 100)
        of_codes = shipped.all_odds(evidence, 0.0)
        return {code: float(of_code[0]) for code, of_code in of_codes.items()}

    few, many = odds(-9.0), odds(9.0)
    assert many["T501"] > few["T501"]
    assert many["M601"] == few["M601"]


# -- decisions ------------------------------------------------------------------------


def test_decisions_move_chances_the_more_the_more_there_are() -> None:
    shipped = read_calibration()
    before = chance(shipped)
    few, many = (
        chance(recalibrated(shipped, decided(9 * n, n), 0.0)) for n in (5, 100)
    )
    assert before < few < many < 0.9
    assert many == pytest.approx(0.9, abs=0.02)
    lower = chance(recalibrated(shipped, decided(5, 500), 0.0))
    assert lower < before


def test_what_was_not_decided_on_moves_less() -> None:
    shipped = read_calibration()
    moved = recalibrated(shipped, decided(200, 20), 0.0)

    def constants(code: str) -> float:
        return moved.weights[code][CONSTANT][0] - shipped.weights[code][CONSTANT][0]

    assert 0 < constants("T502") < constants(CODE)


@pytest.mark.parametrize(
    ("errors", "fine", "code", "said"),
    [
        (15, 14, "E487", "only 29 of the findings"),
        (40, 4, "E489", "40 findings are decided on as errors and 4 as fine"),
        (0, 40, "E489", "0 findings are decided on as errors and 40 as fine"),
    ],
)
def test_too_few_decisions_teach_nothing(
    errors: int, fine: int, code: str, said: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        recalibrated(read_calibration(), decided(errors, fine), 0.0)
    assert raised.value.code == code
    assert said in str(raised.value)


# -- files ----------------------------------------------------------------------------


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    moved = recalibrated(read_calibration(), decided(30, 30, 2.0), 0.0)
    path = tmp_path / "ours.tsv"
    path.write_text(moved.text(), "utf-8")
    again = read_calibration(str(path))
    assert again.notes == moved.notes
    assert again.notes[-1] == "moved towards 60 decisions (30 errors)"
    assert again.shift(np.full(100, 9.0), 0.0) == 0  # people have decided
    assert chance(again, 1.0) == pytest.approx(chance(moved, 1.0), abs=1e-3)


@pytest.mark.parametrize(
    "broken",
    ["V301\tratio\tmuch\t0\t1", "V301\tnothing\t1\t0\t1", "V301", "X999\ta\t1\t1\t1"],
)
def test_a_line_that_is_no_weight_is_named(tmp_path: Path, broken: str) -> None:
    path = tmp_path / "ours.tsv"
    path.write_text(f"# a note\n{broken}\n", "utf-8")
    with pytest.raises(InputError, match=r"ours.tsv:2: is not a calibration") as raised:
        read_calibration(str(path))
    assert raised.value.code == "E488"
    path.write_text("# weights of nothing\n", "utf-8")
    with pytest.raises(InputError, match="is not a calibration"):
        read_calibration(str(path))


# -- the command ----------------------------------------------------------------------


def test_a_team_calibrates_by_what_it_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All tags are wrong, all else is fine: chances follow."""
    monkeypatch.chdir(tmp_path)
    gold = str(EXAMPLES / "web.gold.mrg")
    before = check(gold, min_confidence=0.0)
    lines = [
        {"fingerprint": one.fingerprint, "verdict": verdict}
        for one in before.findings
        if one.evidence
        for verdict in ["error" if one.kind == "tag" else "fine"]
    ]
    assert len(lines) > 60
    Path("ours.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    written = spinal(
        *("check", gold, "--calibrate", "ours.jsonl"),
        *("--write-calibration", "ours.tsv"),
    )
    assert written.code == 0
    assert f"moved towards {len(lines)} decisions" in written.err
    after = check(gold, min_confidence=0.0, calibration="ours.tsv")
    in_python = check(
        gold, min_confidence=0.0, calibration=before.calibrated("ours.jsonl")
    )
    assert [one.confidence for one in after.findings] == pytest.approx(
        [one.confidence for one in in_python.findings], abs=1e-3
    )

    def mean(result: CheckResult, kind: str) -> float:
        found = [one.confidence for one in result.findings if one.kind == kind]
        return sum(found) / len(found)

    assert mean(after, "tag") > mean(before, "tag") + 0.1
    assert mean(after, "model") < mean(before, "model")
    Path("few.jsonl").write_text(json.dumps(lines[0]) + "\n", "utf-8")
    refused = spinal("check", gold, "--calibrate", "few.jsonl")
    assert refused.code == 2
    assert "only 1 of the findings of this treebank have a decision" in refused.err
