"""`spinal find`: what it prints, and how it ends."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, WEB_PAIR

WEB = WEB_PAIR[0]
NEWS = str(EXAMPLES / "news.gold.mrg")


def test_exit_codes_are_greps(tmp_path: Path) -> None:
    bad = tmp_path / "bad.mrg"
    bad.write_text("(NP (DT the))\n(NP (DT the)\n")
    assert spinal("find", "NP", WEB).code == 0
    assert spinal("find", "NP < NP < NP $ XX", WEB).code == 1
    assert spinal("find", "NP <", WEB).code == 2
    assert spinal("find", "NP", tmp_path / "none.mrg").code == 2
    assert spinal("find", "NP", bad).code == 2  # not all of it was searched


def test_a_line_a_match() -> None:
    ran = spinal("find", "NP=np < (PP < IN=i)", WEB, "--limit", "2")
    assert ran.out.splitlines() == [
        "7: … three nights in August and loved [np=NP every minute [i=IN of] it] !",
        "8: [np=NP Thanks [i=IN for] the quick reply] , Jonas .",
    ]
    assert ran.err == "7 matches, the first 2 shown; searched 44 of 44 sentences\n"
    files = spinal("find", "PP << of", WEB, NEWS).out.splitlines()
    assert {line.partition(":")[0] for line in files} == {WEB, NEWS}


def test_a_wrong_query_is_shown_with_a_mark() -> None:
    ran = spinal("find", "NP < (PP", WEB)
    assert ran.out == ""
    assert ran.err == (
        "spinal: query:1:9: found the end of the query; expected ')'\n"
        "    NP < (PP\n            ^\n"
    )


def test_what_is_not_there_is_said_also_if_quiet() -> None:
    for options in ([], ["-q"], ["--count"], ["--format", "csv"], ["--draw"]):
        ran = spinal("find", "PPP", WEB, *options)
        assert ran.code == 1
        assert "no label or word is PPP; did you mean 'PP'?" in ran.out + ran.err, (
            options
        )


def test_csv_has_a_row_a_match_and_columns_a_node() -> None:
    ran = spinal("find", "NP=np < PP ?<# NN=n", WEB, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert len(rows) == 8
    assert rows[0]["np"] == "every minute of it"
    assert (rows[0]["np_label"], rows[0]["np_first"], rows[0]["np_last"]) == (
        *("NP", "10"),
        "14",
    )
    assert rows[0]["n"] == ""


def test_json() -> None:
    ran = spinal("find", "NP=np < PP", WEB, "--format", "json", "--limit", "1")
    data = json.loads(ran.out)
    assert (data["query"], data["names"], data["total"]) == ("NP=np < PP", ["np"], 8)
    (match,) = data["matches"]
    assert match["sentence"] == 7
    assert match["nodes"]["np"]["words"] == "every minute of it"
    assert data["files"] == [
        {"name": WEB, "sentences": 44, "with_match": 7, "matches": 8}
    ]
    assert data["ledger"]["scored"] == 44


def test_counts_by_file_and_group() -> None:
    ran = spinal(
        "find", "NP < PP", WEB, "--count", "--group-by", f"{EXAMPLES}/web.tsv:genre"
    )
    assert "forum             20               3          4" in ran.out
    both = spinal("find", "NP < PP", WEB, NEWS, "--count").out
    assert both.splitlines()[4].split() == ["all", "88", "21", "25"]


def test_trees_are_drawn_with_their_matches(tmp_path: Path) -> None:
    ran = spinal("find", "VBP ~> VBZ", WEB, "--draw", "--limit", "1", "--width", "80")
    assert ran.out.startswith(f"# {WEB}: sentence ")
    assert "*VBP*" in ran.out
    picture = tmp_path / "match.svg"
    assert spinal("find", "UH", WEB, "--svg", picture, "--limit", "1").code == 0
    assert "<svg" in picture.read_text("utf-8")
    assert spinal("find", "UH", WEB, "--svg", picture).code == 0
    assert len(list(tmp_path.glob("match-*.svg"))) > 1


@pytest.mark.parametrize("form", ["markdown", "latex", "html", "tsv"])
def test_other_formats(form: str) -> None:
    assert (
        "every minute of it" in spinal("find", "NP=np < PP", WEB, "--format", form).out
    )


def test_discourse_trees_are_searched() -> None:
    ran = spinal("find", "__{relation=cause}", EXAMPLES / "discourse")
    assert ran.code == 0
    assert ran.out.splitlines()[0].startswith("1 (bakery): ")


def test_what_becomes_of_several_roots_is_heeded() -> None:
    folder = str(EXAMPLES / "discourse")
    ran = spinal("find", "__", folder, "--roots", "drop", "--format", "json")
    assert "|roots:drop|" in json.loads(ran.out)["signature"]
