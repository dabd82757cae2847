"""What the address of a page holds, how one goes back, and what Esc undoes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.browser import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def browser(own_browser: Browser) -> Browser:
    return own_browser


# All that a reader has chosen.
CHOSEN = """
const value = (id) => document.getElementById(id).value;
const pressed = (id) => document.getElementById(id).getAttribute("aria-pressed");
const sorted = [...document.querySelectorAll("#constructions-2 th[aria-sort]")]
  .map((head) => head.getAttribute("aria-sort"));
return {
  dataset: document.querySelector(".choose-dataset").value,
  construction: value("construction"), kind: value("kind"), filter: value("filter"),
  edit: pressed("show-edit"), counter: document.getElementById("counter").innerText,
  heading: document.getElementById("error-heading").innerText,
  sorted, first: document.querySelector("#constructions-2 tbody th")?.textContent,
};"""


def typed(browser: Browser, text: str) -> None:
    """Text typed into the filter of errors, and left there.

    On a slow machine the page takes the letters one by one: the address holds them
    all at last.
    """
    browser.run("document.getElementById('filter').focus()")
    browser.keys(text)
    browser.wait(
        f"new URLSearchParams(location.hash.split('?')[1]).get('filter') === '{text}'"
    )
    browser.run("document.activeElement.blur()")


def test_an_address_brings_all_that_was_chosen_back(
    browser: Browser, page: Path
) -> None:
    browser.open(page, "#web/*/*")
    browser.choose("#kind", "attachment")
    typed(browser, "the")
    browser.click("#show-edit")
    browser.click("#next")
    browser.click("#constructions-2 thead th:nth-child(2) button")
    browser.click("#next")
    browser.wait("location.hash.includes('view=edit')")
    chosen = browser.run(CHOSEN)
    assert chosen["counter"].startswith("3 of ")
    assert chosen["edit"] == "true"
    assert "descending" in chosen["sorted"]
    address = browser.fragment()
    assert "kind" not in address.split("?")[1]  # the path says it
    link = browser.run("return document.getElementById('link').hash")
    assert link == address
    browser.open(page, address)
    assert browser.run(CHOSEN) == chosen


def test_going_back_undoes_choices_one_by_one(browser: Browser, page: Path) -> None:
    browser.open(page)
    steps = [(browser.fragment(), browser.run(CHOSEN))]
    for action in (
        lambda: browser.choose(".bar .choose-dataset", "1"),
        lambda: browser.choose("#kind", "span"),
        lambda: browser.choose("#construction", "VP-t"),
        lambda: typed(browser, "the"),
        lambda: browser.click("#constructions-2 thead th:nth-child(2) button"),
    ):
        action()
        browser.wait(f"location.hash !== {json.dumps(steps[-1][0])}")
        steps.append((browser.fragment(), browser.run(CHOSEN)))
    # Not the button: that passes over what no hand has chosen.
    for address, before in reversed(steps[:-1]):
        browser.run("history.back()")
        browser.wait(f"location.hash === {json.dumps(address)}")
        if before["sorted"]:
            assert browser.run(CHOSEN) == before
    for address, _ in steps[1:]:
        browser.run("history.forward()")
        browser.wait(f"location.hash === {json.dumps(address)}")
    assert browser.run(CHOSEN)["sorted"] == steps[-1][1]["sorted"]


def test_links_of_the_page_leave_the_order_of_tables(
    browser: Browser, page: Path
) -> None:
    browser.open(page, "#constructions-2")
    browser.click("#constructions-2 thead th:nth-child(2) button")
    sorted_rows = browser.run(CHOSEN)["sorted"]
    assert "descending" in sorted_rows
    browser.click("nav a[data-key='coverage']")
    assert browser.fragment().startswith("#coverage-2?sort=")
    browser.click("#constructions-2 tbody a")
    browser.wait("location.hash.startsWith('#web/')")
    assert browser.run(CHOSEN)["sorted"] == sorted_rows


def test_escape_empties_the_field_and_the_filter(browser: Browser, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(page, "#web/*/*")
    whole = browser.text("#counter")
    browser.run("document.getElementById('filter').focus()")
    browser.keys("location")
    browser.wait(f"document.getElementById('counter').innerText !== '{whole}'")
    browser.keys(Keys.ESCAPE)
    # The error that was shown stays, among all others.
    total = whole.split(" of ")[1]
    browser.wait(f"document.getElementById('counter').innerText.endsWith(' {total}')")
    assert browser.run("return document.getElementById('filter').value") == ""
    assert browser.run("return document.activeElement.id") != "filter"
    rows = "#constructions-2 tbody tr"
    number = len(browser.texts(rows))
    browser.run("document.querySelector('#constructions-2 input').focus()")
    browser.keys("NP")
    assert 0 < len(browser.texts(rows)) < number
    browser.keys(Keys.ESCAPE)
    assert len(browser.texts(rows)) == number
