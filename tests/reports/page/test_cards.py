"""The page of `spinal check` in a browser: a key a decision, and their export."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.checks.fix_lists import read_fixes
from tests.support.browser import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

pytestmark = pytest.mark.browser


def test_decisions_are_exported_as_a_fix_list(browser: Browser, tmp_path: Path) -> None:
    page, listed = tmp_path / "cards.html", tmp_path / "fixes.tsv"
    ran = spinal(
        "check", EXAMPLES / "web.gold.mrg", "--format", "html", "-q",
        "--min-confidence", "0",
    )  # fmt: skip
    page.write_text(ran.out, "utf-8")
    browser.open(page)
    browser.driver.refresh()
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
    browser.driver.refresh()
    browser.keys("y")
    assert browser.text("#progress") == "1 of 3 decided"
    browser.keys("N")
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
        "document.querySelector('#progress').innerText == '2 of 2 decided'"
    )
