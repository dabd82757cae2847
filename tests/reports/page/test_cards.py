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
