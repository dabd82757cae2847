"""`spinal score`: JSON, options, exit codes."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from analyzer import score
from analyzer.analyses.score import row_fields
from analyzer.metrics.constructions import measures_of
from tests.support.command import Ran, spinal
from tests.support.golden import FOLD, NEWS, SCORE, WEB

MERGE = ("--merge", "NP-t=NP-t,NP-pos")


def score_json(*arguments: str) -> dict[str, Any]:
    ran = spinal("score", *arguments, "--format", "json")
    assert ran.code == 0
    return json.loads(ran.out)


def test_json_has_the_fields_that_programs_rely_on() -> None:
    data = score_json(*WEB)
    row_fields = {
        *("construction", "recursive", "gold", "parsed", "matched_h", "matched_s"),
        *("matched_att", "matched_span_right", "matched_span_left", "share_gold"),
        *("f_h", "f_s", "att", "span_right"),
    }
    for row in (*data["constructions"], data["total"]):
        assert row.keys() >= row_fields
        for name in ("gold", "parsed", "matched_h", "matched_s"):
            assert isinstance(row[name], int)
        for name in ("share_gold", "f_h", "f_s", "att", "span_right"):
            assert row[name] is None or 0 <= row[name] <= 1
        if row["recursive"]:
            assert row["matched_att"] is row["att"] is None
        else:
            assert isinstance(row["matched_att"], int)
    assert data["coverage"]["gold"].keys() >= {"brackets", "covered"}
    assert data["coverage"]["parsed"].keys() >= {"brackets", "covered"}
    assert data["evalb"].keys() >= {"gold", "test", "matched"}
    parts = data["reconciliation"]
    assert [*parts] == [
        "same_head_same_construction",
        "same_head_other_construction",
        "other_head",
        "wrapper",
    ]
    assert sum(parts.values()) == data["evalb"]["matched"]
    assert [item["sentence"] for item in data["skipped"]] == [40]
    assert data["skipped"][0]["reason"] == "failed parse"
    assert data["signature"].startswith("scorer:derivation|patterns:english/")
    assert "sentences" not in data


def test_json_equals_python() -> None:
    data, result = score_json(*WEB), score(*WEB)
    known = {
        measure.name: result.intervals(measure) for measure in measures_of(detail=2)
    }
    for given, row in zip(
        [*data["constructions"], data["total"]],
        [*result.rows, result.total],
        strict=True,
    ):
        intervals = given.pop("intervals")
        assert given == row._asdict()
        assert intervals == {
            name: of[row.construction]._asdict() for name, of in known.items()
        }


def test_json_by_sentence() -> None:
    rows = score_json(*WEB, "--by-sentence")["sentences"]
    assert [row["sentence"] for row in rows] == [*range(1, 45)]
    assert rows[39]["gold"] == 0  # left out


def test_csv_holds_plain_values() -> None:
    ran = spinal("score", *WEB, "--columns", "all", "--format", "csv")
    rows = [*csv.DictReader(io.StringIO(ran.out))]
    given = {row.construction: row for row in (*score(*WEB).rows, score(*WEB).total)}
    assert len(rows) == len(given)
    for row in rows:
        expected = given[row["construction"]]
        assert int(row["gold"]) == expected.gold
        assert row["att"] == ("" if expected.att is None else str(expected.att))


def names_of(ran: Ran) -> list[str]:
    return [row["construction"] for row in csv.DictReader(io.StringIO(ran.out))]


def listed(*arguments: str) -> list[str]:
    ran = spinal(*SCORE, *arguments, "--columns", "all", "--format", "csv")
    assert ran.code == 0
    return names_of(ran)


@pytest.mark.parametrize("column", row_fields()[2:])
def test_every_column_can_be_sorted_by(column: str) -> None:
    ran = spinal(*SCORE, "--sort", column, "--columns", column, "--format", "csv")
    values = [row[column] for row in csv.DictReader(io.StringIO(ran.out))][:-1]
    known = [float(value) for value in values if value]
    assert values[: len(known)] == [value for value in values if value]  # none last
    is_count = column in ("gold", "parsed", "share_gold") or "matched" in column
    assert known == sorted(known, reverse=is_count)


def test_rows_may_be_left_out_but_not_of_the_total() -> None:
    everything = listed("--min-share", "0")
    assert listed("--top", "3") == [*everything[:3], "total"]
    common = listed("--min-share", "5")
    assert common == [*everything[: len(common) - 1], "total"]
    assert len(common) < len(everything)
    assert listed("--sort", "construction", "--min-share", "0") == [
        *sorted(everything[:-1]),
        "total",
    ]
    text = spinal(*SCORE, "--top", "3").out
    assert f"{len(everything) - 4} constructions not shown, but in the total" in text
    whole, part = spinal(*SCORE).out, text
    assert "--min-share 0 shows them" in spinal("score", *WEB).out
    assert [x.split() for x in whole.splitlines() if x.startswith("total")] == [
        x.split() for x in part.splitlines() if x.startswith("total")
    ]


def test_merged_rows_are_gone() -> None:
    assert "NP-crd" in listed()
    assert "NP-crd" not in listed(*FOLD)
    merged = spinal("score", *NEWS, *MERGE, "--format", "json")
    data = json.loads(merged.out)
    assert "NP-pos" not in [row["construction"] for row in data["constructions"]]
    assert "merged:NP-pos=NP-t" in data["signature"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--columns", "f_x"), "no column 'f_x'; there are construction, share_gold,"),
        (("--sort", "f_x"), "cannot sort by 'f_x'; there are"),
        (("--merge", "NP-t"), "cannot read the merge 'NP-t'"),
        (("--merge", "NP-t=NP-foo"), "cannot merge NP-foo: no construction"),
        (("--patterns", "nosuch"), "no pattern file 'nosuch', and no inventory"),
        (("--params", "nosuch"), "no parameter file 'nosuch'"),
        (("--format", "pdf"), "invalid choice: 'pdf'"),
    ],
)
def test_bad_options(options: tuple[str, ...], message: str) -> None:
    ran = spinal("score", *WEB, *options)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


def test_a_bad_inventory_is_named_with_its_place(tmp_path: Path) -> None:
    bad = tmp_path / "bad.pat"
    bad.write_text("NP-t: (head:TAG)\nVP-t: (head:FOO)\n")
    for command in (("score", *WEB), ("derive", WEB[0]), ("patterns", "check")):
        ran = spinal(*command, "--patterns", bad)
        assert (ran.code, ran.out) == (2, "")
        assert f"spinal: {bad}:2:13: unknown class or label 'FOO'; expected" in ran.err


def test_exit_codes_of_score(tmp_path: Path) -> None:
    (tmp_path / "short").write_text("(S (NP (NN a)))\n")
    (tmp_path / "long").write_text("(S (NP (NN a)))\n" * 3)
    (tmp_path / "other").write_text("(S (NP (NN b)))\n")
    (tmp_path / "broken").write_text("(S (NP (NN a)))\n(S (NP (NN a))\n(S (NN a))\n")
    short, long, other, broken = (
        tmp_path / name for name in ("short", "long", "other", "broken")
    )
    assert spinal("score", short, short).code == 0
    ran = spinal("score", long, short)
    assert ran.code == 2
    assert "differ in length by 2 sentences; scored the ones they share" in ran.err
    assert "NP-t" in ran.out
    ran = spinal("score", short, other)
    assert ran.code == 2
    assert "nothing could be scored" in ran.err
    ran = spinal("score", long, broken)
    assert ran.code == 2  # a malformed tree; the others are scored
    assert "scored 2 of 3 sentences; 1 left out: 1 malformed parse" in ran.out
    assert spinal("score", tmp_path / "nosuch", short).code == 2


def test_warnings_go_to_standard_error_and_can_be_silenced() -> None:
    assert "sentence 40: failed parse" in spinal("score", *WEB).err
    assert spinal("score", *WEB, "-q").err == ""


@pytest.mark.parametrize(
    ("least", "code", "message"),
    [
        ("f_s=72", 0, ""),
        ("f_s=72.2", 1, "F-s of total is 72.11, which is below 72.2"),
        ("PP-t:att=90", 1, "att of PP-t is 52.08, which is below 90"),
        ("PP-x:att=90", 1, "att of PP-x cannot be had"),
        ("f_z=1", 2, "no metric 'f_z'"),
        ("f_s", 2, "expected a measure and its least value"),
        ("f_s=101", 2, "not a number from 0 to 100"),
    ],
)
def test_a_score_below_a_threshold_fails(least: str, code: int, message: str) -> None:
    ran = spinal("score", *WEB, "-q", "--fail-under", least)
    assert ran.code == code
    assert message in ran.err
