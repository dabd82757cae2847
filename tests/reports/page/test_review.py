"""The page of `spinal check` in a browser: a key a decision, and their export."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from analyzer.checks.fixes import read_fixes
from tests.support.browser import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

pytestmark = pytest.mark.browser


@pytest.fixture
def browser(own_browser: Browser) -> Browser:
    return own_browser


def test_decisions_are_exported_as_a_fix_list(browser: Browser, tmp_path: Path) -> None:
    page, listed = tmp_path / "cards.html", tmp_path / "fixes.tsv"
    ran = spinal(
        "check", EXAMPLES / "web.gold.mrg", "--format", "html", "-q",
        "--min-confidence", "0",
    )  # fmt: skip
    page.write_text(ran.out, "utf-8")
    browser.open(page)
    cards = browser.run("return document.querySelectorAll('article').length")
    assert cards > 3
    browser.keys("ynlu")
    assert browser.text("#progress") == f"2 of {cards} decided"
    listed.write_text(browser.run("return window.spinalFixList()"), "utf-8")
    first, second = browser.run(
        "return [...document.querySelectorAll('article')].slice(0, 2)"
        ".map(card => card.dataset.decision)"
    )
    assert (first, second) == ("yes", "no")
    decided = {fix.decision for fix in read_fixes(str(listed))}
    assert decided <= {"yes", "no", ""}
    assert browser.complaints() == []


def test_a_capital_decides_for_a_group_and_quotes_survive(
    browser: Browser, tmp_path: Path
) -> None:
    good = '(ROOT (S (`` ") (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))'
    bad = good.replace("(NN cat)", "(NNP cat)")
    other = good.replace('(`` ")', '(: ")')
    bank, page = tmp_path / "my  bank.mrg", tmp_path / "cards.html"
    bank.write_text("\n".join([good] * 9 + [bad, bad, other]), "utf-8")
    page.write_text(spinal("check", bank, "--format", "html", "-q").out, "utf-8")
    browser.open(page)
    browser.keys("y")
    assert browser.text("#progress") == "1 of 3 decided"
    browser.keys("N")
    stored = browser.run("return {...localStorage}")
    listed = tmp_path / "fixes.tsv"
    listed.write_text(browser.run("return window.spinalFixList()"), "utf-8")
    fixes = read_fixes(str(listed))
    assert {(one.words, one.decision) for one in fixes} == {("cat", "no"), ('"', "yes")}
    assert {one.file for one in fixes} == {str(bank)}
    assert spinal("check", "--apply", listed).code == 0
    assert bank.read_text("utf-8") == "\n".join([good] * 9 + [bad, bad, good])
    # The page made anew knows what was decided.
    page.write_text(spinal("check", bank, "--format", "html", "-q").out, "utf-8")
    browser.reload_until(
        "document.querySelector('#progress').innerText == '2 of 2 decided'", stored
    )


def decided_page(browser: Browser, tmp_path: Path, *options: str) -> Path:
    page = tmp_path / "cards.html"
    ran = spinal("check", *options, "--format", "html", "-q")
    page.write_text(ran.out, "utf-8")
    browser.open(page)
    return page


def test_every_decision_can_be_saved_and_loaded(
    browser: Browser, tmp_path: Path
) -> None:
    """Those on findings without an edit too, which a fix list has no line for."""
    bank = str(EXAMPLES / "web.gold.mrg")
    decided_page(browser, tmp_path, bank, "--min-confidence", "0")
    cards = int(browser.run("return document.querySelectorAll('article').length"))
    browser.keys("y" * cards)
    saved = browser.run("return window.spinalDecisions()").splitlines()[1:]
    assert len(saved) == cards
    assert {line.split("\t")[0] for line in saved} == {"yes"}
    without_edit = [line for line in saved if line.split("\t")[3] == "no"]
    assert len(without_edit) == len(browser.texts("article .yes")) - sum(
        text == "Mend it" for text in browser.texts("article .yes")
    )
    assert without_edit
    browser.reload_until(
        f"document.querySelector('#progress').innerText == '0 of {cards} decided'", {}
    )
    browser.run("window.spinalLoad(arguments[0])", "decision\n" + "\n".join(saved))
    assert browser.text("#progress") == (
        f"{cards} of {cards} decided; {cards} read from the file"
    )


def test_exported_cells_are_no_formulas(browser: Browser, tmp_path: Path) -> None:
    good = "(ROOT (S (NP (DT the) (NN =1+1)) (VP (VBD sat)) (. .)))"
    bad = good.replace("(NN =1+1)", "(NNP =1+1)")
    bank = tmp_path / "bank.mrg"
    bank.write_text("\n".join([good] * 9 + [bad]), "utf-8")
    decided_page(browser, tmp_path, str(bank))
    browser.keys("y")
    listed = tmp_path / "fixes.tsv"
    listed.write_text(browser.run("return window.spinalFixList()"), "utf-8")
    cells = [
        cell
        for line in listed.read_text("utf-8").splitlines()
        for cell in line.split("\t")
    ]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@"))]
    assert {fix.words for fix in read_fixes(str(listed))} == {"=1+1"}


def test_drawings_are_made_when_they_come_into_view(
    browser: Browser, tmp_path: Path
) -> None:
    bank = str(EXAMPLES / "web.gold.mrg"), str(EXAMPLES / "news.gold.mrg")
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
    figures = (
        "return [...document.querySelectorAll('figure')]"
        ".filter(figure => !figure.firstChild).length"
    )
    assert browser.run(figures) == 0
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
    assert summary.startswith(f"{total} findings (")
    assert f"Here are the first 2 of {total} findings" in summary
    levels = re.search(r"\((.*)\)", summary)
    assert levels is not None
    assert sum(map(int, re.findall(r"\d+", levels[1].split(")")[0]))) == total
    browser.wait("document.querySelectorAll('article img').length > 0")
    browser.keys("yn")
    assert browser.text("#progress") == "2 of 2 decided"
    assert len(browser.run("return window.spinalDecisions()").splitlines()) == 3
    assert browser.complaints() == []
