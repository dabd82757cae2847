"""spinal find --gold --parsed, and --queries of find, score and report."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

import pytest

from analyzer import find_pairs
from tests.conftest import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, WEB_GREEDY, WEB_PAIR

OF = "@NP < (@PP=of < (IN < of))"
PAIR = ("--gold", WEB_PAIR[0], "--parsed", WEB_PAIR[1])
QUERIES = str(EXAMPLES / "queries" / "english.toml")


def test_scores_what_is_missed_and_what_stands_there() -> None:
    ran = spinal("find", OF, *PAIR)
    assert (ran.code, ran.err) == (0, "")
    assert re.search(r"^ +7 +7 +5 +71\.4 +\d+–\d+ +71\.4 ", ran.out, re.M)
    assert "two matches are the same if their =of have the same words" in ran.out
    assert "[of=PP of free space] to finish" in ran.out
    assert re.search(r"^\(no such bracket\) +2 +100\.0$", ran.out, re.M)


def test_formats_have_all_numbers() -> None:
    ran = spinal("find", OF, *PAIR, "--format", "json", "--limit", "1")
    data = json.loads(ran.out)
    assert data["rows"][0]["matched"] == 5
    assert data["queries"][0]["compared"] == ["of"]
    assert [match["kind"] for match in data["matches"]] == ["missed", "invented"]
    assert data["matches"][0]["nodes"]["of"]["words"] == "of free space"
    assert sum(row["times"] for row in data["instead"]) == 2 + 2
    table = spinal("find", "--queries", QUERIES, *PAIR, "--format", "csv").out
    rows = list(csv.DictReader(io.StringIO(table)))
    expected = find_pairs(Path(QUERIES), *WEB_PAIR)
    assert [row["query"] for row in rows] == [row.query for row in expected.rows]
    assert [float(row["f1"]) for row in rows] == [row.f1 for row in expected.rows]


def test_systems_and_groups() -> None:
    systems = ("--parsed", f"chart={WEB_PAIR[1]}", "--parsed", f"greedy={WEB_GREEDY}")
    groups = ("--group-by", f"{EXAMPLES / 'web.tsv'}:genre", "--resamples", "20")
    ran = spinal("find", "@PP=pp ~> /^NN/", "--gold", WEB_PAIR[0], *systems, *groups)
    assert ran.code == 0
    assert "failed parse" in ran.err
    assert "F1 of greedy minus that of chart" in ran.out
    rows = re.findall(r"^(\(all\)|\w+) +(chart|greedy) +(\d+) ", ran.out, re.M)
    assert [row[2] for row in rows if row[0] == "(all)"] == ["16", "16"]
    of_groups = [int(row[2]) for row in rows if row[1] == "chart"]
    assert of_groups[0] == sum(of_groups[1:])


def test_drawings(tmp_path: Path) -> None:
    ran = spinal("find", OF, *PAIR, "--draw", "--limit", "1", "--width", "120")
    assert "# sentence 18, missed:" in ran.out
    assert "# there instead: (no such bracket)" in ran.out
    assert ran.out.count("*PP*") == 2  # the match of each side
    assert "Missed: in gold" not in ran.out  # drawn, not listed
    target = tmp_path / "match.svg"
    spinal("find", OF, *PAIR, "--svg", target, "--limit", "1", "-q")
    pictures = sorted(tmp_path.glob("match-*.svg"))
    assert len(pictures) == 2
    assert "invented: @NP" in pictures[1].read_text("utf-8")


def test_queries_of_one_side_are_counted() -> None:
    ran = spinal("find", "--queries", QUERIES, WEB_PAIR[0])
    assert ran.code == 0
    assert re.search(r"^of-phrase .* 44 +7 +7$", ran.out, re.M)


@pytest.mark.slow
def test_score_has_a_table_of_queries() -> None:
    plain = spinal("score", *WEB_PAIR).out
    ran = spinal("score", *WEB_PAIR, "--queries", QUERIES)
    assert ran.out.startswith(plain.rstrip("\n"))
    assert re.search(r"^of-phrase +7 +7 +5 +71\.4", ran.out, re.M)
    assert "no total: the queries may match the same words" in ran.out
    data = json.loads(
        spinal("score", *WEB_PAIR, "--queries", QUERIES, "--format", "json").out
    )
    assert data["queries"]["rows"][0]["query"] == "of-phrase"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "no query is given"),
        (("NP",), "no trees are given"),
        (("NP", "--gold", "a.mrg"), "expected both --gold and --parsed"),
        (("NP", "b.mrg", *PAIR), "b.mrg is given together with --gold and --parsed"),
        (("NP", "b.mrg", "--key", "head"), "--key has no effect without --gold"),
        (("NP", *PAIR, "--count"), "--count has no effect with --gold"),
        (("NP <", *PAIR), "the end of the query"),
        (("--queries", "none.toml", *PAIR), "none.toml"),
    ],
)
def test_misuse(arguments: tuple[str, ...], said: str) -> None:
    ran = spinal("find", *arguments)
    assert ran.code == 2
    assert said in ran.err


@pytest.mark.browser
def test_the_page_leads_from_a_match_to_its_sentence(
    browser: Browser, tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    spinal("report", *WEB_PAIR, "--queries", QUERIES, "--html", page, "-q")
    browser.open(page, "#queries")
    first = "document.querySelector('#queries a')"
    number = browser.run(f"return {first}.textContent")
    browser.run(f"{first}.click()")
    browser.wait(f"document.getElementById('filter').value === '#{number}'")
    shown = browser.run("return document.getElementById('counter').textContent")
    assert re.fullmatch(r"1 of [1-9]\d*", shown.strip())


@pytest.mark.slow
def test_the_page_has_a_section_of_queries(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    ran = spinal("report", *WEB_PAIR, "--queries", QUERIES, "--html", page, "-q")
    assert ran.code == 0
    text = page.read_text("utf-8")
    assert '<section id="queries"' in text
    assert 'href="#web.chart/*/*?filter=%2318"' in text
    without = spinal("report", *WEB_PAIR, "--html", page, "-q")
    assert without.code == 0
    assert '<section id="queries"' not in page.read_text("utf-8")
