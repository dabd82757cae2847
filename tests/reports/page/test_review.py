"""The page of `spinal check` in a browser: evidence, a key a decision, their file."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from analyzer.checks.decisions import Decision, read_decisions, written_decisions
from tests.support.browser import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

pytestmark = pytest.mark.browser


@pytest.fixture
def browser(own_browser: Browser) -> Browser:
    return own_browser


def decided_page(browser: Browser, tmp_path: Path, *options: str | Path) -> Path:
    page = tmp_path / "cards.html"
    ran = spinal("check", *options, "--format", "html", "-q")
    page.write_text(ran.out, "utf-8")
    browser.open(page)
    return page


def saved(browser: Browser, path: Path) -> dict[str, Decision]:
    """What the page saves, as it is read."""
    path.write_text(browser.run("return window.spinalDecisions()"), "utf-8")
    return read_decisions(str(path))


def test_decisions_are_saved_and_loaded(browser: Browser, tmp_path: Path) -> None:
    """Those on findings without an edit too, with comments, by a key or a button."""
    bank, file = EXAMPLES / "web.gold.mrg", tmp_path / "decisions.jsonl"
    decided_page(browser, tmp_path, bank, "--min-confidence", "0")
    cards = int(browser.run("return document.querySelectorAll('article').length"))
    assert cards > 4
    listed = saved(browser, file)
    assert len(listed) == cards
    assert {one.verdict for one in listed.values()} == {"undecided"}
    spinal(
        *("check", bank, "--min-confidence", "0", "-q"),
        *("--write-decisions", tmp_path / "command.jsonl"),
    )
    written = read_decisions(str(tmp_path / "command.jsonl"))
    assert {key: written[key] for key in listed} == listed
    browser.choose("#annotator", "kim")
    browser.keys("yxn")
    assert browser.text("#progress") == f"3 of {cards} decided; 3 not saved"
    browser.keys("cwhy not\ue007")  # the last is Enter
    browser.keys("u" * 3)
    assert browser.text("#progress") == f"0 of {cards} decided; 4 not saved"
    browser.keys("y" * cards)
    decided = saved(browser, file)
    assert {one.verdict for one in decided.values()} == {"error"}
    assert {one.annotator for one in decided.values()} == {"kim"}
    assert [one.comment for one in decided.values() if one.comment] == ["why not"]
    assert all(len(one.date) == len("2026-01-31") for one in decided.values())
    assert {key: one.edit for key, one in decided.items()} == {
        key: one.edit for key, one in listed.items()
    }
    assert any(one.edit is None for one in decided.values())
    # It is what Python writes, byte for byte.
    text = file.read_text("utf-8")
    assert written_decisions(decided.values()) == text
    # The file brings them back, in any browser, and so does --decisions.
    browser.run("localStorage.clear()")
    browser.reload_until(
        f"document.querySelector('#progress').innerText == '0 of {cards} decided'", {}
    )
    browser.run("window.spinalLoad(arguments[0])", text)
    loaded = f"{cards} of {cards} decided"
    assert browser.text("#progress") == f"{loaded}; {cards} loaded"
    browser.run("localStorage.clear()")
    options = (bank, "--min-confidence", "0", "--decisions", str(file))
    decided_page(browser, tmp_path, *options)
    assert browser.text("#progress") == loaded
    assert saved(browser, tmp_path / "again.jsonl") == decided


def test_what_is_no_decision_is_not_loaded(browser: Browser, tmp_path: Path) -> None:
    decided_page(browser, tmp_path, EXAMPLES / "web.gold.mrg", "--level", "info")
    before = browser.run("return window.spinalDecisions()")
    good = before.split("\n")[0].replace("undecided", "fine")
    browser.run("window.spinalLoad(arguments[0])", f"{good}\nnonsense\n")
    told = browser.text("#progress")
    assert told.endswith("nothing loaded: line 2 is not a decision")
    assert browser.run("return window.spinalDecisions()") == before


def test_decisions_that_differ_from_a_file_stay(
    browser: Browser, tmp_path: Path
) -> None:
    """And lines on findings that the page does not have are saved again."""
    decided_page(browser, tmp_path, EXAMPLES / "web.gold.mrg", "--level", "info")
    browser.keys("y")
    ours = saved(browser, tmp_path / "ours.jsonl")
    theirs = [replace(one, verdict="fine") for one in ours.values()]
    theirs += [Decision("f" * 17, "fine", "of another page")]
    browser.run("window.spinalLoad(arguments[0])", written_decisions(theirs))
    told = browser.text("#progress")
    assert told.endswith(f"{len(theirs)} loaded; 1 decided otherwise here stay so")
    both = saved(browser, tmp_path / "both.jsonl")
    assert Counter(one.verdict for one in both.values()) == {
        "error": 1,
        "fine": len(ours),
    }
    assert both["f" * 17] == theirs[-1]


def test_unsaved_decisions_are_told_before_the_page_is_left(
    browser: Browser, tmp_path: Path
) -> None:
    leave = (
        "const event = new Event('beforeunload', {cancelable: true});"
        "dispatchEvent(event); return event.defaultPrevented"
    )
    decided_page(browser, tmp_path, EXAMPLES / "web.gold.mrg", "--level", "info")
    assert not browser.run(leave)
    browser.keys("n")
    assert browser.run(leave)
    assert browser.run("return document.querySelector('#save.unsaved') !== null")
    browser.keys("s")
    assert not browser.run(leave)
    assert "not saved" not in browser.text("#progress")


def test_a_group_is_decided_once(browser: Browser, tmp_path: Path) -> None:
    """A digit makes one analysis that of the group; quotes survive; --apply mends."""
    good = '(ROOT (S (`` ") (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))'
    bad = good.replace("(NN cat)", "(NNP cat)")
    other = good.replace('(`` ")', '(: ")')
    bank, file = tmp_path / "my  bank.mrg", tmp_path / "decisions.jsonl"
    bank.write_text("\n".join([good] * 9 + [bad, bad, other]), "utf-8")
    decided_page(browser, tmp_path, bank)
    (heading,) = browser.texts(".group strong")
    assert heading == "tag: NN 10×, NNP 2×: decide once, 2 findings"
    assert browser.texts(".group button") == ["1 NN everywhere", "2 NNP everywhere"]
    browser.click(".group button:last-child")
    both = [one for one in saved(browser, file).values() if "[cat]" in one.context]
    assert [one.verdict for one in both] == ["fine", "fine"]
    browser.keys("u1")
    decided = saved(browser, file)
    assert Counter(one.verdict for one in decided.values()) == {
        "error": 2,
        "undecided": 1,
    }
    assert {one.file for one in decided.values()} == {str(bank)}
    assert spinal("check", "--apply", file).code == 0
    assert bank.read_text("utf-8") == "\n".join([good] * 11 + [other])


def test_a_capital_decides_for_the_rest_of_a_group(
    browser: Browser, tmp_path: Path
) -> None:
    good = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))"
    bad = good.replace("(NN cat)", "(NNP cat)")
    bank = tmp_path / "bank.mrg"
    bank.write_text("\n".join([good] * 9 + [bad] * 4), "utf-8")
    decided_page(browser, tmp_path, bank)
    browser.keys("nY")
    verdicts = [one.verdict for one in saved(browser, tmp_path / "d.jsonl").values()]
    assert sorted(verdicts) == ["error"] * 3 + ["fine"]


def test_filters_and_search(browser: Browser, tmp_path: Path) -> None:
    files = EXAMPLES / "web.gold.mrg", EXAMPLES / "news.gold.mrg"
    decided_page(browser, tmp_path, *files, "--min-confidence", "0", "--limit", "0")
    lines = saved(browser, tmp_path / "d.jsonl").values()

    def shown() -> int:
        return len(browser.texts("article h2"))

    assert shown() == len(lines)
    code, count = Counter(one.code for one in lines).most_common()[-1]
    browser.choose("#code", code)
    assert shown() == count
    assert f"{count} shown" in browser.text("#progress")
    browser.choose("#code", "")
    browser.choose("#name", "news.gold.mrg")
    assert shown() == sum(one.file.endswith("news.gold.mrg") for one in lines) > 0
    browser.keys("n")
    browser.choose("#name", "")
    browser.choose("#verdict", "fine")
    assert shown() == 1
    browser.choose("#verdict", "undecided")
    assert shown() == len(lines) - 1
    # What is decided leaves what is shown, and comes back when it is undone.
    browser.keys("y")
    assert shown() == len(lines) - 2
    browser.keys("u")
    assert shown() == len(lines) - 1
    browser.choose("#verdict", "")
    word = max((word for one in lines for word in one.context.split()), key=len)
    browser.keys("/" + word.strip("[]").upper())
    assert 0 < shown() < len(lines)
    browser.keys("\ue007n")  # Enter: keys are keys again
    assert "2 of" in browser.text("#progress")


def test_evidence_is_a_concordance(browser: Browser, tmp_path: Path) -> None:
    good = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))"
    bank = tmp_path / "bank.mrg"
    bank.write_text("\n".join([good] * 9 + [good.replace("NN", "NNP")]), "utf-8")
    decided_page(browser, tmp_path, bank)
    browser.wait("document.querySelectorAll('article img').length == 2")
    rows = browser.texts(".lines tr")
    assert rows == [
        "NNP 1×thecat sat .bank.mrg:10",
        "NN 9×thecat sat .bank.mrg:1",
        "thecat sat .bank.mrg:2",
        "thecat sat .bank.mrg:3",
    ]
    edges = browser.run(
        "return [...document.querySelectorAll('.lines mark')]"
        ".map(mark => Math.round(mark.getBoundingClientRect().left))"
    )
    assert len(set(edges)) == 1
    alt = browser.run("return [...document.images].map(image => image.alt)")
    assert [text.split(":")[0] for text in alt] == ["as it is", "elsewhere"]
    assert browser.complaints() == []


def test_many_findings_load_as_few_do(browser: Browser, tmp_path: Path) -> None:
    """A finding that is far away is a heading, its words and its message."""
    files = EXAMPLES / "web.gold.mrg", EXAMPLES / "news.gold.mrg"
    count = "return arguments[0].map(s => document.querySelectorAll(s).length)"
    counted = []
    for limit in (50, 200):
        options = ("--min-confidence", "0", "--limit", str(limit))
        decided_page(browser, tmp_path, *files, *options)
        browser.wait("document.querySelectorAll('article img').length > 0")
        selectors = ["article", "figure", "*", ".group, .group *, option"]
        counted.append(browser.run(count, selectors))
        assert counted[-1][0] == limit
        assert counted[-1][1] < 10  # those that are near
    (few, near, elements, others), (many, more_near, more, more_others) = counted
    in_one = 45  # elements of a card that is near
    beside = more_others - others + in_one * max(0, more_near - near)
    assert more - elements <= 5 * (many - few) + beside


def test_drawings_are_made_when_they_come_into_view(
    browser: Browser, tmp_path: Path
) -> None:
    bank = EXAMPLES / "web.gold.mrg", EXAMPLES / "news.gold.mrg"
    decided_page(browser, tmp_path, *bank, "--min-confidence", "0", "--limit", "0")
    drawn = "return document.querySelectorAll('article img').length"
    browser.wait("document.querySelectorAll('article img').length > 0")
    cards = int(browser.run("return document.querySelectorAll('article').length"))
    assert cards > 15
    assert browser.run(drawn) < 20
    last = "document.querySelector('article:last-of-type img')"
    assert browser.run(f"return {last} === null")
    browser.run("document.querySelector('article:last-of-type').scrollIntoView()")
    browser.wait(f"{last} !== null && {last}.naturalWidth > 0")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    assert browser.run("return document.querySelectorAll('figure').length") == cards
    assert browser.complaints() == []


def test_buttons_are_not_printed(browser: Browser, tmp_path: Path) -> None:
    decided_page(browser, tmp_path, str(EXAMPLES / "web.gold.mrg"))
    media = {"media": "print"}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    try:
        assert browser.texts("button, select, summary") == []
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_findings_in_discourse_trees_are_cards_with_diagrams(
    browser: Browser, tmp_path: Path
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    text = (EXAMPLES / "discourse" / "museum.tsv").read_text("utf-8")
    for number in range(3):
        same = text.replace("pleased", f"pleased{number}")
        (folder / f"museum{number}.tsv").write_text(same, "utf-8")
    options = ("--rst", str(folder), "--min-confidence", "0")
    found = json.loads(spinal("check", *options, "--format", "json", "-q").out)
    total = len(found["findings"])
    decided_page(browser, tmp_path, *options, "--limit", "2")
    assert len(browser.texts("article")) == 2 < total
    summary = browser.text("header p")
    assert summary.startswith(f"{total} findings in ")
    assert f"Here are the first 2 of {total} findings" in summary
    levels = re.search(r"\((.*)\)", summary)
    assert levels is not None
    assert sum(map(int, re.findall(r"\d+", levels[1].split(")")[0]))) == total
    browser.wait("document.querySelectorAll('article img').length > 0")
    browser.keys("yn")
    assert browser.text("#progress") == "2 of 2 decided; 2 not saved"
    assert len(browser.run("return window.spinalDecisions()").splitlines()) == 2
    assert browser.complaints() == []


def test_a_discourse_finding_is_mended_from_the_page(
    browser: Browser, tmp_path: Path
) -> None:
    """Both analyses are drawn; what is decided with a key is what --apply does."""
    folder = tmp_path / "documents"
    folder.mkdir()
    for number in range(60):
        relation = "cause" if number < 59 else "list-of"
        (folder / f"d{number:02}.dis").write_text(
            "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!He left ,_!) )"
            f" ( Satellite (leaf 2) (rel2par {relation})"
            f" (text _!because it rained {number} ._!) ) )\n",
            "utf-8",
        )
    decided_page(browser, tmp_path, "--rst", str(folder), "--select", "R501")
    browser.wait("document.querySelectorAll('article img').length === 2")
    titles = browser.run("return [...document.images].map((one) => one.alt)")
    assert titles == ["as it is: EDUs 1-2", "suggested: EDUs 1-2"]
    assert browser.texts(".edit") == ["Edit: cause in place of list-of"]
    browser.keys("y")
    decisions = tmp_path / "d.jsonl"
    decisions.write_text(browser.run("return window.spinalDecisions()"), "utf-8")
    before = (folder / "d59.dis").read_text("utf-8")
    assert spinal("check", "--apply", decisions).code == 0
    after = (folder / "d59.dis").read_text("utf-8")
    assert after == before.replace("list-of", "cause") != before
    assert browser.complaints() == []
