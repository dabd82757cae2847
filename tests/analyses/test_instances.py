"""Every construction as a row: their sums are the scores."""

from __future__ import annotations

import io
import json
import pickle
import sys
import warnings
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

from analyzer import (
    InputError,
    LeftOutWarning,
    SettingsError,
    instances,
    read_rst,
    score,
)
from analyzer.analyses.instances import COLUMNS, InstanceRows
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, ROOT, SYNTAX, needs_shared_data

GOLD, PARSED = str(EXAMPLES / "web.gold.mrg"), str(EXAMPLES / "web.greedy.mrg")
TREE = """(S (NP-SBJ (PRP I))
  (VP (VBP see) (NP (NNS birds)) (PP-LOC (IN in) (NP (NNS trees)))))"""
WRONG = """(S (NP (PRP I))
  (VP (VBP see) (NP (NP (NNS birds)) (PP (IN in) (NP (NNS trees))))))"""


@pytest.mark.parametrize("on_mismatch", ["skip", "zero", "align"])
def test_sums_of_rows_are_the_scores(on_mismatch: str) -> None:
    scores = score(GOLD, PARSED, instances=True, on_mismatch=on_mismatch)
    table = scores.instances()
    gold, parsed = (table[table.side == side] for side in ("gold", "parsed"))
    for row in scores.rows:
        of_gold = gold[gold.construction == row.construction]
        assert len(of_gold) == row.gold
        assert (parsed.construction == row.construction).sum() == row.parsed
        assert of_gold.matched_h.sum() == row.matched_h
        assert of_gold.matched_s.sum() == row.matched_s
        assert of_gold.matched_att.sum() == (row.matched_att or 0)
        assert of_gold.matched_right.sum() == row.matched_span_right
        assert of_gold.matched_left.sum() == row.matched_span_left
    assert gold.matched_evalb.sum() == parsed.matched_evalb.sum()
    assert gold.matched_evalb.sum() == scores.tally.brackets.matched


@pytest.mark.parametrize(
    "pair",
    [
        (GOLD, PARSED),
        pytest.param(
            (SYNTAX / "gold/dev.gold.mrg", SYNTAX / "parsed/dev.berkeley-sm1.mrg"),
            marks=[needs_shared_data, pytest.mark.slow],
        ),
    ],
)
def test_att_follows_from_the_governors(pair: tuple[str | Path, str | Path]) -> None:
    """The F-h matches whose governors are the same word, or both ROOT, or both null."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LeftOutWarning)
        scores = score(*map(str, pair))
        table = scores.instances()
    heads = ["construction", "sentence", "position"]
    sides = [table[table.side == side] for side in ("gold", "parsed")]

    def matched(columns: list[str]) -> Counter[str]:
        rows = [
            Counter(side[columns].astype(object).fillna("-").itertuples(index=False))
            for side in sides
        ]
        return Counter(
            {
                name: sum(n for row, n in (rows[0] & rows[1]).items() if row[0] == name)
                for name in table.construction.unique()
            }
        )

    same_head, same_governor = (
        matched(columns)
        for columns in (heads, [*heads, "governor", "governor_position"])
    )
    seen = 0
    for row in scores.rows:
        assert row.matched_h == same_head[row.construction]
        if row.matched_att is not None:
            seen += row.matched_h - row.matched_att
            assert row.matched_att == same_governor[row.construction]
    assert seen  # some are wrong


def test_a_row_says_all_of_a_construction() -> None:
    table = instances(TREE, WRONG, group_by=["web"]).frame()
    at = table[(table.side == "gold") & (table.construction == "PP-t")]
    assert at.iloc[0].to_dict() == {
        "side": "gold",
        "sentence": 1,
        "id": None,
        "construction": "PP-t",
        "label": "PP",
        "functions": "LOC",
        "word": "in",
        "position": 3,
        "tag": "IN",
        "first": 3,
        "last": 5,
        "length": 2,
        "depth": 2,
        "governor": "see",
        "governor_tag": "VBP",
        "governor_position": 1,
        "spine_governor": "see",
        "spine_governor_tag": "VBP",
        "distance": 2,
        "direction": "left",
        "attached_at": "VP",
        "sentence_length": 5,
        "group": "web",
        "matched_h": True,
        "matched_s": True,
        "matched_att": False,
        "matched_right": True,
        "matched_left": True,
        "matched_evalb": True,
        "matched_tag": True,
        "confused_with": None,
    }
    spurious = table[~table.matched_h]
    assert spurious[["side", "construction", "confused_with"]].values.tolist() == [
        ["parsed", "NP-modr", "(nothing)"]
    ]
    assert list(table) == list(COLUMNS)


def test_blocks_are_passed_on_and_not_kept() -> None:
    passed: list[InstanceRows] = []
    found = instances(GOLD, PARSED, each=passed.append, jobs=2)
    assert found.rows == []
    together = pd.concat([rows.frame() for rows in passed], ignore_index=True)
    pd.testing.assert_frame_equal(together, instances(GOLD, PARSED).frame())
    assert found.total == len(together)


def test_documents_have_instances_too() -> None:
    gold = read_rst("(NS-Cause (1) (NN-List (2) (3)))")
    parsed = read_rst("(NN-List (NS-Cause (1) (2)) (3))")
    table = instances(gold, parsed).frame()
    scores = score(gold, parsed)
    of_gold = table[table.side == "gold"]
    assert len(of_gold) == scores.total.gold
    assert of_gold.matched_h.sum() == scores.total.matched_h
    assert table.tag.isna().all()


def test_a_score_gives_its_instances_by_reading_again() -> None:
    kept = score(GOLD, PARSED, instances=True).instances()
    assert score(GOLD, PARSED).instances().equals(kept)


def test_what_is_read_once_must_keep_its_instances() -> None:
    once = score(io.BytesIO(Path(GOLD).read_bytes()), PARSED)
    with pytest.raises(SettingsError, match="pass instances=True"):
        once.instances()
    elsewhere = pickle.loads(pickle.dumps(score(GOLD, PARSED)))
    with pytest.raises(SettingsError, match="pass instances=True"):
        elsewhere.instances()
    with pytest.raises(SettingsError, match="the groups name 1 sentence"):
        instances(GOLD, GOLD, group_by=["a"])


@pytest.mark.slow
def test_every_format_has_the_same_rows(tmp_path: Path) -> None:
    expected = instances(GOLD, PARSED).frame()
    pair = ["instances", GOLD, PARSED, "-q"]
    csv = spinal(*pair).out
    assert len(pd.read_csv(io.StringIO(csv))) == len(expected)
    tsv = spinal(*pair, "--format", "tsv").out
    assert tsv.splitlines()[0].split("\t") == list(COLUMNS)
    lines = spinal(*pair, "--format", "jsonl").out.splitlines()
    records = [json.loads(line) for line in lines]
    assert [one["word"] for one in records] == expected.word.tolist()
    assert [one["matched_att"] for one in records] == [
        None if value is pd.NA else value for value in expected.matched_att
    ]
    file = tmp_path / "rows.parquet"
    ran = spinal(*pair, "--format", "parquet", "-o", file)
    assert (ran.code, ran.out) == (0, "")
    table = pd.read_parquet(file)
    assert table.word.tolist() == expected.word.tolist()
    assert table.distance.sum() == expected.distance.sum()
    only = spinal(*pair, "--construction", "PP-t", "-o", tmp_path / "pp.csv")
    assert only.code == 0
    of_pp = pd.read_csv(tmp_path / "pp.csv")
    assert ((of_pp.construction == "PP-t") | (of_pp.confused_with == "PP-t")).all()


def test_parquet_needs_a_file_and_a_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pair = ["instances", GOLD, PARSED, "--format", "parquet"]
    ran = spinal(*pair)
    assert ran.code == 2
    assert "-o FILE" in ran.err
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = spinal(*pair, "-o", tmp_path / "x")
    assert ran.code == 2
    assert "pip install 'spinal[parquet]'" in ran.err


def test_the_page_names_every_column() -> None:
    page = (ROOT / "docs" / "instances.md").read_text("utf-8")
    for name, meaning in COLUMNS.items():
        assert f"| `{name}` | {meaning} |" in page


def test_bad_input_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        instances(str(tmp_path / "none.mrg"), GOLD)
