"""What is missing splits exactly by stage, and only what is certain is said."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer import generalise
from analyzer.analyses.generalise import (
    KINDS,
    STAGES,
    WHOLE,
    Generalisation,
    stage_points,
)
from analyzer.cli.main import main
from analyzer.exceptions import SettingsError
from reports.tables.generalise import paragraph
from tests.support.data_paths import (
    NEWS_PAIR,
    SYNTAX,
    WEB_GREEDY,
    WEB_PAIR,
    needs_shared_data,
)
from tests.support.examples import some

GOLD = "(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds))))"
FLAT = "(S (NP (PRP I)) (VP (VBP see) (NNS birds)))"


@st.composite
def counted(draw: st.DrawFn) -> list[list[int]]:
    """Three constructions: all brackets, heads right, right edges too, left too."""
    rows = []
    for _ in range(3):
        matched = sorted(draw(st.lists(st.integers(0, 20), min_size=3, max_size=3)))
        whole = matched[2] + draw(st.integers(0, 9))
        rows.append([2 * whole, *(2 * one for one in reversed(matched))])
    return rows


def exact(rows: list[list[int]]) -> np.ndarray:
    return np.vectorize(Fraction, otypes=[object])(np.array(rows))


@settings(max_examples=some(60))
@given(st.lists(counted(), min_size=2, max_size=3))
def test_stages_sum_to_what_is_missing_to_the_last_digit(
    sets: list[list[list[int]]],
) -> None:
    target = sets[-1]
    whole = sum(row[0] for row in target)
    if not whole:
        target[0][0] = whole = 2
    points = stage_points([exact(one) for one in sets])
    assert points[-1, -1, -1] == 1 - Fraction(sum(row[3] for row in target), whole)
    for at, (brackets, *_, matched) in enumerate(target):
        assert points[at, -1, -1] == Fraction(brackets - matched, whole)
    for axis in range(3):
        along = np.moveaxis(points, axis, 0)
        assert (along[:-1].sum(axis=0) == along[-1]).all()
    as_floats = stage_points([np.array(one, np.float64) for one in sets])
    np.testing.assert_allclose(as_floats, points.astype(np.float64), atol=1e-12)


def test_a_split_by_hand() -> None:
    # TRAIN: 10 of 10 NPs, 6 of 8 PPs. DEV: 8 of 10 NPs, 3 of 4 PPs, 1 of 2 others.
    train = exact([[10, 10, 10, 10], [8, 8, 6, 6], [0, 0, 0, 0]])
    dev = exact([[10, 8, 8, 8], [4, 4, 4, 3], [2, 1, 1, 1]])
    points = stage_points([train, dev])
    sixteenth = Fraction(1, 16)
    assert points[0, :, -1].tolist() == [0, 2 * sixteenth, 2 * sixteenth]
    # PPs: a quarter is missed in training, by the right edge; on DEV, by the left.
    assert points[1, 0].tolist() == [0, sixteenth, 0, sixteenth]
    assert points[1, 1].tolist() == [0, -sixteenth, sixteenth, 0]
    # What TRAIN does not have was not learnt from it.
    assert points[2, :, -1].tolist() == [sixteenth, 0, sixteenth]


def three() -> Generalisation:
    sets = [("train", *NEWS_PAIR), ("dev", *WEB_PAIR), ("new", WEB_PAIR[0], WEB_GREEDY)]
    return generalise(sets, resamples=50)


def test_parts_are_those_of_the_scores() -> None:
    found = three()
    assert [one.name for one in found.targets] == ["dev", "new"]
    for target, domain in zip(found.targets, found.domains[1:], strict=True):
        assert float(target.at().points) == pytest.approx(1 - domain.scores.total.f_s)
        assert target.stages == STAGES[: 2 if target.name == "dev" else 3]
        missing = [target.at(name).points for name in target.constructions]
        assert all(a >= b for a, b in pairwise(missing))
        for stage in (*target.stages, WHOLE):
            for name in ("total", *target.constructions):
                points = target.at(name, stage)
                kinds = [target.at(name, stage, kind).points for kind in KINDS]
                assert sum(kinds) == points.points
                assert None not in points
                assert points.low <= points.high
    frame = found.frame()
    total = frame.query(
        "data_set == 'new' and construction == 'total' and kind == 'all'"
    )
    stages = total.set_index("stage").points
    assert stages[list(STAGES)].sum() == pytest.approx(stages[WHOLE])
    assert len(found.correlations_frame()) == 3


def test_the_same_data_twice_generalises_entirely() -> None:
    found = generalise([("train", *WEB_PAIR), ("dev", *WEB_PAIR)], resamples=200)
    target = found.targets[0]
    assert target.at(stage="not_generalised").points == 0
    assert not target.at(stage="not_generalised").is_certain
    assert target.distribution.points == 0
    assert found.correlations[0].r == pytest.approx(1)
    words = paragraph(found, target)
    assert "learnt, but not generalised to dev cannot be shown" in words
    assert "most of all" in words  # what is not learnt


def test_names_jobs_and_seeds_do_not_move_points() -> None:
    first = three()
    assert three() == first
    sets = [("a", *NEWS_PAIR), ("b", *WEB_PAIR), ("c", WEB_PAIR[0], WEB_GREEDY)]
    other = generalise(sets, resamples=20, seed=1, jobs=2)
    for one, two in zip(first.targets, other.targets, strict=True):
        assert (one.points == two.points).all()


@pytest.mark.parametrize("by", ["ids", "files", "given"])
def test_documents_are_drawn_where_there_are_ten(tmp_path: Path, by: str) -> None:
    units = None
    paths = []
    for side, tree in (("gold", GOLD), ("parsed", FLAT)):
        folder = tmp_path / side
        folder.mkdir()
        for number in range(12):
            name = f"( {tree} (ID D{number},8.{{n}}))" if by == "ids" else tree
            text = "".join(f"{name}\n".replace("{n}", str(n)) for n in (1, 2))
            (folder / f"{number if by == 'files' else 0}.mrg").open("a").write(text)
        paths.append(str(folder))
    if by == "given":
        units = {"dev": [str(n // 2) for n in range(24)]}
    sets = [("train", GOLD, GOLD), ("dev", paths[0], paths[1])]
    found = generalise(sets, units=units, resamples=10)
    assert found.units == {"train": (1, "sentence"), "dev": (12, "document")}
    assert "intervals:train 1 sentences, dev 12 documents" in str(found.signature)


def test_discourse_trees_are_documents() -> None:
    gold, parsed = "examples/discourse", "examples/discourse_chart"
    root = Path(__file__).parents[2]
    pair = (str(root / gold), str(root / parsed))
    found = generalise([("train", *pair), ("dev", *pair)], resamples=10)
    assert {noun for _, noun in found.units.values()} == {"document"}


def test_settings_that_cannot_be() -> None:
    with pytest.raises(SettingsError, match="expected training data and other data"):
        generalise([("train", GOLD, GOLD)])
    sets = [("train", GOLD, GOLD), ("dev", GOLD, FLAT)]
    with pytest.raises(SettingsError, match=r"no data set 'dve'.*did you mean 'dev'"):
        generalise(sets, units={"dve": ["a"]})
    with pytest.raises(SettingsError, match=r"nothing of the data set 'dev'.*1 left"):
        generalise([("train", GOLD, GOLD), ("dev", [GOLD], [None])])


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    news, web = ":".join(NEWS_PAIR), ":".join(WEB_PAIR)
    given = ["generalise", news, web, f"blog={WEB_PAIR[0]}:{WEB_GREEDY}"]
    given += ["--resamples", "30", "--top", "3"]
    assert main(given) == 0
    printed = capsys.readouterr().out
    assert "What is missing on dev, in points of F-s" in printed
    assert "lost here: found on dev, missed here" in printed
    assert main([*given, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [one["data_set"] for one in data["targets"]] == ["dev", "blog"]
    total = data["targets"][1]["total"]
    parts = sum(total[stage]["points"] for stage in STAGES)
    assert parts == pytest.approx(total[WHOLE]["points"])
    assert main([*given, "--format", "csv"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("data_set,construction,stage,points,low,high,head")
    assert any(row.startswith("blog,total,lost,") for row in rows)
    assert main(["generalise", news]) == 2
    assert "E680" not in (said := capsys.readouterr().err)
    assert "expected training data and other data" in said
    units = ["--units", "x.tsv:a"]
    assert main([*given[:3], *units, *units]) == 2
    assert "expected NAME=FILE.tsv:COLUMN for each" in capsys.readouterr().err


@needs_shared_data
def test_gum_train_and_dev() -> None:
    sets, units = [], {}
    for name in ("train_sample", "dev"):
        parsed = SYNTAX / "parsed" / f"{name}.berkeley-sm4.mrg"
        sets.append((name, str(SYNTAX / "gold" / f"{name}.gold.mrg"), str(parsed)))
        units[name] = f"{SYNTAX / 'sidecar' / name}.tsv:document"
    with pytest.warns(match="3 left out"):
        found = generalise(sets, units=units, resamples=200)
    assert found.units["dev"] == (30, "document")
    correlation = found.correlations[0]
    assert (correlation.constructions, round(correlation.r or 0, 2)) == (33, 0.96)
    target = found.targets[0]
    points = [float(target.at(stage=stage).points) for stage in target.stages]
    assert [round(100 * one, 1) for one in points] == [12.7, 5.3]
    assert target.at("ADJP-t", "not_generalised").is_certain


@pytest.mark.parametrize(("times", "is_shown"), [(1, False), (12, True)])
def test_one_of_one_that_is_missed_may_be_luck(times: int, *, is_shown: bool) -> None:
    plain = "(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds))))"
    gold = "(S (NP (PRP I)) (VP (VBP see) (PP (IN at) (NP (NN sea)))))"
    wrong = "(S (NP (PRP I)) (VP (VBP see) (IN at) (NP (NN sea))))"
    train = [plain] * 28 + [gold] * times
    dev = [plain] * 28 + [wrong] * times
    found = generalise([("train", train, train), ("dev", train, dev)])
    part = found.targets[0].at("PP-t", "not_generalised")
    assert part.points > 0
    assert (part.low > 0) is is_shown
