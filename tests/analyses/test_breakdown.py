"""Breakdowns: cells add up to the scores, and fall where gold and parser say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analyzer import SettingsError, breakdown, instances, read_rst, score
from analyzer.analyses.breakdown import KEYS, Interval
from analyzer.metrics.constructions import COUNTS
from reports.views import view_of
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
    sums = found.systems[0].units.counts.sums().sum(axis=0).tolist()
    of_parser = dict(zip(COUNTS, sums[len(COUNTS) :], strict=True))
    assert (of_parser["gold"], of_parser["parsed"]) == (0, expected.parsed)
    for name in ("matched_h", "matched_s", "matched_att"):
        assert of_parser[name] == getattr(expected, name)


def naive_rows(
    table: pd.DataFrame, key: str
) -> dict[str, list[tuple[float | None, ...]]]:
    """Of each cell: F-h, F-s and att of each sentence, as (matched, of how many)."""
    found: dict[str, list[Any]] = {}
    for cell, rows in table.groupby(table[key].fillna("ROOT")):
        found[str(cell)] = []
        for _, row in rows.groupby("sentence"):
            gold = row[row.side == "gold"]
            attachable = gold[gold.matched_att.notna()]
            found[str(cell)].append(
                (
                    (row.matched_h.sum(), len(row)),
                    (row.matched_s.sum(), len(row)),
                    (attachable.matched_att.sum(), attachable.matched_h.sum()),
                )
            )
    return found


@pytest.mark.parametrize("key", ["tag", "construction", "governor-tag"])
def test_rows_are_those_of_instances(key: str) -> None:
    """Scores are ratios of sums over sentences; intervals those of sentences drawn."""
    found = breakdown(GOLD, PARSED, by=key, resamples=2000)
    result = instances(GOLD, PARSED)
    of_spine = "spine_" if key == "governor-tag" else ""
    cells = naive_rows(result.frame(), of_spine + key.replace("-", "_"))
    assert {row.cell[0] for row in found.rows} == {*cells}
    random = np.random.default_rng(1)
    scored = result.ledger.scored
    # By numbers of another source than ours.
    weights = random.standard_exponential((2000, scored))
    hits, misses = random.standard_gamma(0.5, (2, 2000))
    for row in found.rows:
        sentences = np.array(cells[row.cell[0]], np.float64)
        others = np.zeros((scored - len(sentences), 3, 2))
        sentences = np.concatenate([sentences, others])
        for at, name in enumerate(("f_h", "f_s", "att")):
            matched, size = sentences[:, at].sum(axis=0).tolist()
            is_one_sided = name != "att" and not (row.gold and row.parsed)
            is_one_sided &= row.matched_h + row.parsed_matched_h > 0
            has_score = size and not is_one_sided
            assert getattr(row, name) == (matched / size if has_score else None)
            if size < 20 or is_one_sided:
                continue  # percentiles of so few values jump
            sums = weights @ sentences[:, at]
            unit = np.sqrt(size / np.count_nonzero(sentences[:, at, 1]))
            ratios = (sums[:, 0] + hits * unit) / (sums[:, 1] + (hits + misses) * unit)
            low, high = np.quantile(ratios, [0.025, 0.975])
            ends = 0 if matched == 0 else low, 1 if matched == size else high
            interval = tuple(getattr(row, f"{name}_interval"))
            # Of 43 sentences, ours vary a little more (Student's quantile).
            assert interval == pytest.approx(ends, abs=0.05)


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
    # The head is found, gold's and the parser's; its governor is another one. So one
    # cell has a recall and the other a precision, but neither has an F.
    assert [row.f_h for row in rows.values()] == [None, None]
    assert {row.f_h_interval for row in rows.values()} == {Interval(None, None)}
    counts = [(row.matched_h, row.parsed_matched_h) for row in rows.values()]
    assert counts == [(1, 0), (0, 1)]
    assert rows["VP", "2"].att == 0
    assert rows["NP", "1"].att is None
    assert rows["NP", "1"].att_interval == Interval(None, None)
    notes = [table.notes for table in view_of(found).tables]
    assert any("only one side has constructions in this row" in str(n) for n in notes)
    agreed = breakdown(gold, gold, by="attached-at", construction="PP-t", resamples=5)
    assert "only one side" not in str([t.notes for t in view_of(agreed).tables])


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


@pytest.mark.parametrize(
    ("key", "unknown"),
    [
        ("known", {"Dogs", "chase", "birds"}),  # Cats are known, as a word
        ("known-production", {"Dogs", "chase"}),  # NP over NNP, VP with a PP
        ("known-spine", set()),
        ("known-pair", {"Dogs", "chase", "birds"}),  # that Cats depend on see is known
    ],
)
def test_what_training_data_has_of_each_construction(
    key: str, unknown: set[str]
) -> None:
    train = "(S (NP (NNS Cats)) (VP (VBP see) (NP (NN food))))"
    gold = (
        "(S (NP (NNP Dogs)) (VP (VBP chase) (NP (NNS birds)) (NP (NNS Cats))))\n"
        "(S (NP (NNS cats)) (VP (VBP See) (NP (NN food))))"
    )
    rows = instances(gold, gold, train=train).frame()
    assert len(rows.columns) == len(instances(gold, gold).frame().columns) + 4
    first = rows[(rows.sentence == 1) & (rows.side == "gold")]
    column = first[key.replace("-", "_")]
    if key == "known-pair":  # "Cats" depends on "chase" here
        unknown = {*unknown, "Cats"}
    assert {*first.word[~column]} == unknown
    second = rows[rows.sentence == 2]
    # Only words are told apart by their case: Cats is known, not cats.
    is_all_known = second[key.replace("-", "_")].all()
    assert is_all_known == (key != "known")
    found = breakdown(gold, gold, by=key, train=train, resamples=1)
    expected = rows[rows.side == "gold"][key.replace("-", "_")].value_counts()
    assert {row.cell[0]: row.gold for row in found.rows} == {
        {True: "known", False: "unknown"}[bool(value)]: size
        for value, size in expected.items()
    }


WRONG = "(S (NP (NN Dogs)) (VP (VBP bark) (NP (NN loud))))"
RIGHT = "(S (NP (NNS Dogs)) (VP (VBP bark) (ADVP (RB loud))))"


def test_tags_are_a_factor() -> None:
    scores = score(f"{RIGHT}\n{RIGHT}", f"{WRONG}\n{RIGHT}")
    assert scores.by_tags is not None
    right, wrong = scores.by_tags
    # Of the first sentence VP-t and S-vp have the right tag, one sentence all four.
    assert right == (6, 6, 6)
    assert wrong == (1, 2, 2)  # NP-t of Dogs; ADVP-t is missed, NP-t of loud spurious
    assert score(RIGHT, RIGHT).by_tags is None
    assert score(f"{RIGHT}\n{RIGHT}", f"{WRONG}\n{RIGHT}", tags="gold").by_tags is None
    table = instances(RIGHT, WRONG).frame()
    assert {*table.word[~table.matched_tag]} == {"Dogs", "loud"}


@pytest.mark.filterwarnings("ignore::analyzer.LeftOutWarning")
@pytest.mark.parametrize(("policy", "alone"), [("skip", 0), ("zero", 8), ("align", 4)])
def test_words_of_one_side_have_no_tag_there(policy: str, alone: int) -> None:
    gold, parsed = [RIGHT, RIGHT, RIGHT], [WRONG, None, RIGHT.replace("loud", "aloud")]
    scores = score(gold, parsed, on_mismatch=policy)
    rows = instances(gold, parsed, on_mismatch=policy).frame()
    of_gold = rows.matched_tag[rows.side == "gold"]
    assert of_gold.isna().sum() == alone
    assert scores.by_tags is not None
    assert scores.by_tags[0].gold == of_gold.fillna(False).sum()
    assert scores.by_tags[1].gold == 2
    found = breakdown(gold, parsed, by="tag-right", resamples=1, on_mismatch=policy)
    cells = {row.cell[0]: row.gold for row in found.rows}
    assert cells["right"] == scores.by_tags[0].gold
    assert cells.get("(no tag)", 0) == alone
    assert sum(cells.values()) == scores.total.gold


def test_training_data_of_documents() -> None:
    gold = read_rst("(NS-Cause (1) (NN-List (2) (3)))")
    other = read_rst("(NS-Cause (1) (2))")
    rows = instances(gold, gold, train=other).frame()
    assert rows[rows.side == "gold"].known_production.tolist().count(False) > 0
    assert instances(gold, gold, train=gold).frame().known_production.all()


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
        ({"by": "known"}, "train="),
        ({"by": "group"}, "group_by="),
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
