"""`spinal score`, `derive`, `errors` and `patterns`: output, JSON, exit codes.

Expected output stands in tests/golden. After a change that is meant,
`UPDATE_GOLDEN=1 pytest tests/cli/test_score.py` writes it anew: read the difference.
It is made with an inventory that does not change (tests/data/frozen.pat).
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from analyzer import __version__, load_inventory, score
from analyzer.analyses.score import ConstructionRow
from tests.support.command import Ran, spinal
from tests.support.data_paths import ROOT

GOLDEN = ROOT / "tests" / "golden"
FROZEN = "tests/data/frozen.pat"
WEB = ("examples/web.gold.mrg", "examples/web.greedy.mrg")
NEWS = ("examples/news.gold.mrg", "examples/news.greedy.mrg")
PATTERNS = ("--patterns", FROZEN)
SCORE = ("score", *NEWS, *PATTERNS)
FOLD = ("--merge", "NP-modr=NP-modr,NP-crd")
MERGE = ("--merge", "NP-t=NP-t,NP-pos")

COMMANDS: dict[str, tuple[str, ...]] = {
    "score.text": SCORE,
    "score.markdown": (*SCORE, "--min-share", "1", "--format", "markdown"),
    "score.latex": (*SCORE, "--min-share", "1", "--format", "latex"),
    "score.csv": (*SCORE, "--columns", "all", "--format", "csv"),
    "score.html": (*SCORE, "--top", "3", "--format", "html"),
    "score.json": (*SCORE, "--format", "json"),
    "score-sorted.text": (*SCORE, "--min-share", "1", "--sort", "f-s", "--top", "8"),
    "score-columns.text": (
        *(*SCORE, "--top", "6", "--columns"),
        "gold,precision-h,recall-h,precision-s,recall-s,span-left,matched-att",
    ),
    "score-merged.text": (*SCORE, "--top", "6", *FOLD),
    "score-by-sentence.text": (*SCORE, "--top", "3", "--by-sentence"),
    "score-by-sentence.csv": (*SCORE, "--by-sentence", "--format", "csv"),
    "derive.drawn": ("derive", WEB[0], "2", "3", *PATTERNS, "--width", "100"),
    "derive.table": ("derive", WEB[0], "3", *PATTERNS, "--style", "table"),
    "derive.json": ("derive", WEB[0], "2", *PATTERNS, "--style", "json"),
    "derive-pair.drawn": ("derive", *WEB, "1", "3", *PATTERNS, "--width", "100"),
    "derive-pair.color": (
        *("derive", *WEB, "1", *PATTERNS, "--width", "100"),
        *("--color", "always"),
    ),
    "derive-pair.table": ("derive", *WEB, "1", *PATTERNS, "--style", "table"),
    "derive-pair.json": ("derive", *WEB, "1", *PATTERNS, "--style", "json"),
    "derive-failed.drawn": ("derive", *WEB, "40", *PATTERNS, "--width", "100"),
    "errors.text": ("errors", *WEB, *PATTERNS, "--limit", "12"),
    "errors-attachment.text": (
        *("errors", *WEB, *PATTERNS, "--construction", "PP-t", "--kind", "att"),
        *("--limit", "0"),
    ),
    "errors-right.markdown": (
        *("errors", *WEB, *PATTERNS, "--kind", "span-right", "--limit", "5"),
        *("--format", "markdown"),
    ),
    "errors.json": ("errors", *WEB, *PATTERNS, "--limit", "3", "--format", "json"),
    "errors-confusions.text": ("errors", *WEB, *PATTERNS, "--confusions"),
    "errors-confusions.csv": (
        *("errors", *WEB, *PATTERNS, "--confusions", "--limit", "0"),
        *("--construction", "NP-modr", "--format", "csv"),
    ),
    "patterns-list.text": ("patterns", "list", *PATTERNS),
    "patterns-list-counts.text": ("patterns", "list", WEB[0], *PATTERNS),
    "patterns-list-counts.csv": (
        *("patterns", "list", WEB[0], *PATTERNS),
        *("--format", "csv"),
    ),
    "patterns-check.text": ("patterns", "check", *NEWS, *PATTERNS, "--limit", "5"),
    "patterns-check.json": (
        *("patterns", "check", WEB[0], *PATTERNS, "--limit", "2"),
        *("--format", "json"),
    ),
    "patterns-explain.text": ("patterns", "explain", "NP-SBJ -> NP , CC NP", *PATTERNS),
    "patterns-explain-uncovered.text": (
        *("patterns", "explain", "NP -> NP NN PP", *PATTERNS),
    ),
}


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def steady(text: str) -> str:
    """Output without what changes from version to version."""
    text = text.replace(f"frozen/{load_inventory(FROZEN).hash}", "frozen/HASH")
    return text.replace(f"spinal:{__version__}", "spinal:VERSION")


@pytest.mark.parametrize("name", COMMANDS)
def test_output_word_for_word(name: str) -> None:
    ran = spinal(*COMMANDS[name])
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(steady(ran.out), "utf-8")
    assert ran.code == 0
    assert steady(ran.out) == path.read_text("utf-8")


def test_no_golden_file_is_left_over() -> None:
    mine = re.compile(r"(score|derive|errors|patterns)[.-]")
    there = {path.stem for path in GOLDEN.glob("*.txt") if mine.match(path.name)}
    assert there == COMMANDS.keys()


# -- score ---------------------------------------------------------------------------


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
    ]
    assert sum(parts.values()) == data["evalb"]["matched"]
    assert [item["sentence"] for item in data["skipped"]] == [40]
    assert data["skipped"][0]["reason"] == "failed parse"
    assert data["signature"].startswith("scorer:derivation|patterns:english/")
    assert "sentences" not in data


def test_json_equals_python() -> None:
    data, result = score_json(*WEB), score(*WEB)
    assert data["constructions"] == [row._asdict() for row in result.rows]
    assert data["total"] == result.total._asdict()


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


@pytest.mark.parametrize("column", ConstructionRow._fields[2:])
def test_every_column_can_be_sorted_by(column: str) -> None:
    ran = spinal(*SCORE, "--sort", column, "--columns", column, "--format", "csv")
    values = [row[column] for row in csv.DictReader(io.StringIO(ran.out))][:-1]
    known = [float(value) for value in values if value]
    assert values[: len(known)] == [value for value in values if value]  # none last
    is_count = column in ("gold", "parsed", "share_gold") or "matched" in column
    assert known == sorted(known, reverse=is_count)


def test_rows_may_be_left_out_but_not_of_the_total() -> None:
    everything = listed()
    assert listed("--top", "3") == [*everything[:3], "total"]
    common = listed("--min-share", "5")
    assert common == [*everything[: len(common) - 1], "total"]
    assert len(common) < len(everything)
    assert listed("--sort", "construction") == [*sorted(everything[:-1]), "total"]
    text = spinal(*SCORE, "--top", "3").out
    assert f"{len(everything) - 4} constructions not shown, but in the total" in text
    whole, part = spinal(*SCORE).out, text
    assert [x for x in whole.splitlines() if x.startswith("total")] == [
        x for x in part.splitlines() if x.startswith("total")
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


# -- derive --------------------------------------------------------------------------


def test_every_sentence_can_be_derived() -> None:
    ran = spinal("derive", WEB[0], "--style", "json")
    assert ran.code == 0
    sentences = json.loads(ran.out)
    assert [one["sentence"] for one in sentences] == [*range(1, 45)]
    for one in sentences:
        roots = [spine for spine in one["spines"] if spine["governor"] is None]
        assert len(roots) == 1
        assert roots[0]["at"] is None
        for spine in one["spines"]:
            if spine["at"] is not None:
                above = one["spines"][spine["governor"]]
                assert spine["at"] in above["constructions"]


def test_events_are_as_many_as_the_scores_say() -> None:
    total = score(*WEB, patterns=load_inventory(FROZEN)).total
    data = json.loads(spinal("derive", *WEB, *PATTERNS, "--style", "json").out)
    events = [event for one in data for event in one.get("events", [])]
    by_kind = {
        kind: sum(event["event"] == kind for event in events)
        for kind in ("match", "recall error", "precision error")
    }
    assert by_kind == {
        "match": total.matched_h,
        "recall error": total.gold - total.matched_h,
        "precision error": total.parsed - total.matched_h,
    }
    same = [event for event in events if event["event"] == "match"]
    assert sum(event["span"] == "same" for event in same) == total.matched_s
    assert sum(event["right_edge"] == "same" for event in same) == (
        total.matched_span_right
    )
    assert sum(event["attachment"].startswith("same") for event in same) == (
        total.matched_att
    )


def test_a_sentence_that_cannot_be_compared_is_still_shown() -> None:
    ran = spinal("derive", *WEB, "40", "--style", "json")
    assert ran.code == 0
    (sentence,) = json.loads(ran.out)
    assert "failed parse" in sentence["note"]
    assert "failed parse" in ran.err
    assert "events" not in sentence
    (alone,) = json.loads(spinal("derive", WEB[0], "40", "--style", "json").out)
    assert sentence["gold"] == alone["spines"]
    assert any(spine["constructions"] for spine in sentence["gold"])
    assert sentence["parsed"] == []
    (lengths,) = json.loads(spinal("derive", *NEWS, "10", "--style", "json").out)
    for side, path in zip(("gold", "parsed"), NEWS, strict=True):
        (alone,) = json.loads(spinal("derive", path, "10", "--style", "json").out)
        assert lengths[side] == alone["spines"]


def test_pictures_are_well_formed(tmp_path: Path) -> None:
    one, pair = tmp_path / "one.svg", tmp_path / "pair.svg"
    assert spinal("derive", WEB[0], "3", "--svg", one).code == 0
    assert spinal("derive", *WEB, "3", "--svg", pair).code == 0
    for path in (one, pair):
        root = ElementTree.parse(path).getroot()
        assert root.tag.endswith("svg")
        text = "".join(root.itertext())
        assert "VP-t S-vp" in text
        assert "unplugging" in text
    assert spinal("derive", WEB[0], "3", "4", "--svg", tmp_path / "a.svg").code == 0
    assert {path.name for path in tmp_path.glob("a*")} == {"a-3.svg", "a-4.svg"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((WEB[0], "99"), "no sentence 99 in here"),
        (("1",), "one file or two, please"),
        ((*WEB, WEB[0]), "one file or two, please; found 3"),
        (("nosuch.mrg",), "nosuch.mrg"),
    ],
)
def test_derive_what_is_not_there(arguments: tuple[str, ...], message: str) -> None:
    ran = spinal("derive", *arguments)
    assert (ran.code, ran.out) == (2, "")
    assert message in ran.err


# -- errors --------------------------------------------------------------------------


def errors_json(*arguments: str) -> dict[str, Any]:
    ran = spinal("errors", *WEB, *arguments, "--limit", "0", "--format", "json")
    assert ran.code == 0
    return json.loads(ran.out)


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("head-missed", lambda row: row.gold - row.matched_h),
        ("head-spurious", lambda row: row.parsed - row.matched_h),
        ("span", lambda row: row.matched_h - row.matched_s),
        ("span-right", lambda row: row.matched_h - row.matched_span_right),
        ("attachment", lambda row: row.matched_h - row.matched_att),
        ("att", lambda row: row.matched_h - row.matched_att),
    ],
)
def test_kinds_of_errors(kind: str, count: Any) -> None:
    row = score(*WEB, patterns=load_inventory(FROZEN)).frame().loc["S-vp"]
    data = errors_json(*PATTERNS, "--construction", "S-vp", "--kind", kind)
    assert data["total"] == len(data["errors"]) == count(row) > 0
    for one in data["errors"]:
        assert one["construction"] == "S-vp"
        assert one["kind"] == ("attachment" if kind == "att" else kind)
        assert one["words"][one["position"]] == one["word"]


def test_all_kinds_at_once_and_the_limit() -> None:
    data = errors_json()
    numbers = [one["sentence"] for one in data["errors"]]
    assert numbers == sorted(numbers)
    ran = spinal("errors", *WEB, "--limit", "2")
    assert f"the first 2 of {data['total']} shown; --limit shows more" in ran.out


def test_unknown_constructions_are_refused() -> None:
    ran = spinal("errors", *WEB, "--construction", "PP-x", "-q")
    assert (ran.code, ran.out) == (2, "")
    assert "no construction 'PP-x'; in this data there are ADJP-" in ran.err
    assert spinal("errors", *WEB, "--kind", "odd").code == 2


def test_a_construction_without_errors_is_no_mistake() -> None:
    """What the inventory has and the data has not: no errors, but no typo either."""
    data = errors_json(*PATTERNS, "--construction", "EMBED-t")
    assert data == {"total": 0, "errors": []}


def test_confusions_of_one_construction() -> None:
    ran = spinal(
        *("errors", *WEB, "--confusions", "--construction", "NP-modr"),
        *("--limit", "0", "--format", "json"),
    )
    rows = json.loads(ran.out)["confusions"]
    assert all("NP-modr" in (row["gold"], row["parsed"]) for row in rows)
    row = score(*WEB).frame().loc["NP-modr"]
    missed = sum(one["count"] for one in rows if one["gold"] == "NP-modr")
    assert missed == row["gold"] - row["matched_h"]


# -- patterns ------------------------------------------------------------------------


def test_list_every_pattern() -> None:
    patterns = load_inventory().patterns
    data = json.loads(spinal("patterns", "list", "--format", "json").out)["patterns"]
    assert [row["construction"] for row in data] == [one.name for one in patterns]
    assert {row["recursive"] for row in data} == {"yes", "no"}
    counted = json.loads(spinal("patterns", "list", WEB[0], "--format", "json").out)
    by_name = {row["construction"]: row["count"] for row in counted["patterns"]}
    scores = score(WEB[0], WEB[0])
    assert by_name["VP-aux"] == scores.frame().loc["VP-aux", "gold"]
    # What is uncovered is scored as X-t, but no pattern matches it.
    assert sum(by_name.values()) == scores.tally.gold_coverage.covered


def test_check_exit_codes(tmp_path: Path) -> None:
    assert spinal("patterns", "check").code == 0
    assert spinal("patterns", "check", *WEB, "--min-coverage", "90").code == 0
    ran = spinal("patterns", "check", WEB[0], *PATTERNS, "--min-coverage", "99.9")
    assert ran.code == 1
    assert "coverage is below 99.9 %" in ran.err
    assert spinal("patterns", "check", "nosuch.mrg").code == 2
    own = tmp_path / "own.pat"
    own.write_text("NP-t: ANY* (head:TAG)\n  yes: NP -> NP\nNP-u: ANY* (head:NN)\n")
    ran = spinal("patterns", "check", "--patterns", own)
    assert ran.code == 1
    assert "P101" in ran.out
    assert f"{own}:2" in ran.out
    assert "NP-t should match NP -> NP" in ran.out
    ran = spinal("patterns", "check", "--patterns", own, WEB[0], "--format", "json")
    assert ran.code == 1
    codes = {finding["code"] for finding in json.loads(ran.out)["findings"]}
    assert codes == {"P101", "P201"}
    own.write_text("NP-t: (head:\n")
    assert spinal("patterns", "check", "--patterns", own).code == 2


def test_check_counts_like_score() -> None:
    ran = spinal("patterns", "check", WEB[0], *PATTERNS, "--format", "json")
    data = json.loads(ran.out)
    result = score(WEB[0], WEB[0], patterns=load_inventory(FROZEN))
    assert data["coverage"] == result.tally.gold_coverage._asdict()
    shown = spinal(*("patterns", "check", WEB[0], *PATTERNS), "--limit", "0").out
    uncovered = re.search(r"(\d+) uncovered productions, (\d+) brackets", shown)
    assert uncovered is not None
    covered = result.tally.gold_coverage
    assert int(uncovered[2]) == covered.brackets - covered.covered
    listing = shown.split("-----\n", 1)[1].split("\n\n")[0]
    assert len(listing.splitlines()) == int(uncovered[1])


@pytest.mark.parametrize(
    ("production", "construction", "head"),
    [
        ("NP -> NP CC NP", "NP-crd", 0),
        ("NP-SBJ-1 -> NP-2 , PP-LOC", "NP-modr", 0),
        ("VP -> MD RB VP", "VP-aux", 2),
        ("NP -> NP NN PP", "NP-t", 0),  # uncovered: the default head
        ("FOO -> NP PP", "FOO-t", 1),
    ],
)
def test_explain(production: str, construction: str, head: int) -> None:
    ran = spinal("patterns", "explain", production, *PATTERNS, "--format", "json")
    assert ran.code == 0
    data = json.loads(ran.out)
    assert (data["construction"], data["head"]) == (construction, head)
    text = spinal("patterns", "explain", production, *PATTERNS).out
    assert construction in text
    assert f"child {head + 1} of" in text


@pytest.mark.parametrize("production", ["NP NP", "NP ->", "-> NP", "", "NP -> , ."])
def test_productions_that_cannot_be_explained(production: str) -> None:
    ran = spinal("patterns", "explain", production)
    assert (ran.code, ran.out) == (2, "")
    assert "cannot read the production" in ran.err or "nothing is left" in ran.err
