"""The HTML page in a real browser: tables, links, colours, hostile text.

Without a browser these tests are skipped, and say so; test_page_data.py has
those that need none.
"""

from __future__ import annotations

import base64
import re
from pathlib import Path

import pytest

from tests.support.browser import Browser
from tests.support.pages import (
    HOSTILE,
    hostile_banks,
    long_sentences,
    page_of,
)
from tests.support.shown_errors import shown

pytestmark = pytest.mark.browser


def column(browser: Browser, number: int) -> list[str]:
    return browser.texts(f"#constructions tbody tr > :nth-child({number})")


# -- tables ----------------------------------------------------------------------------


def test_it_opens_with_everything(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.texts("nav a") == [
        *("Where your F1 goes", "Data sets", "The gap", "Summary", "Constructions"),
        *("Why it is wrong", "Confusions", "Error types", "Coverage", "Plots"),
        "Errors",
    ]
    assert browser.texts("main h2")[3] == "Summary news"
    assert browser.text("#summary .facts .value") == "90.9"
    assert browser.run("return [...document.images].every(i => i.naturalWidth > 100)")
    assert browser.texts("#rows [role=option]")


def test_tables_sort(browser: Browser, page: Path) -> None:
    browser.open(page)
    original = column(browser, 1)
    heading = "#constructions thead th:nth-child(7)"
    orders = []
    for _ in range(3):
        browser.click(f"{heading} button")
        order = browser.run(
            f"return document.querySelector('{heading}').getAttribute('aria-sort')"
        )
        orders.append(order)
        values = [float(text) for text in column(browser, 7) if text != "-"]
        if order == "descending":
            assert values == sorted(values, reverse=True)
        elif order == "ascending":
            assert values == sorted(values)
    assert orders == ["ascending", "descending", "none"]  # a score: the worst first
    assert column(browser, 1) == original
    browser.click("#constructions thead th:nth-child(4) button")  # a count: the most
    counts = [int(text.replace(",", "")) for text in column(browser, 4)]
    assert counts == sorted(counts, reverse=True)
    browser.click("#constructions thead th:nth-child(1) button")
    assert column(browser, 1) == sorted(original, key=str.casefold)
    assert browser.text("#constructions tfoot th") == "total"


def test_undefined_values_come_last(browser: Browser, page: Path) -> None:
    browser.open(page)
    for _ in range(2):
        browser.click("#constructions thead th:nth-child(9) button")
        values = column(browser, 9)
        assert "-" in values
        assert values.index("-") + values.count("-") == len(values)


def test_tables_filter(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run("document.querySelector('#constructions input').focus()")
    browser.keys("vp-")
    names = column(browser, 1)
    assert names
    assert all("VP-" in name for name in names)
    assert browser.text("#constructions .table-tools output").startswith(
        f"{len(names)} of "
    )


# -- links -----------------------------------------------------------------------------


def test_links_open_what_they_name(browser: Browser, page: Path) -> None:
    browser.open(page, "#web/VP-t/span")
    for _ in range(3):
        browser.keys("j")
    there = shown(browser)
    link = there["hash"]
    assert link.startswith("#web/VP-t/span/")
    browser.wait(f"location.hash === '{link}'")
    browser.open(page, link)
    assert shown(browser) == there
    assert browser.text("#counter") == "4 of 19"
    assert browser.run("return document.querySelector('.choose-dataset').value") == "1"
    # And without loading anew.
    browser.open(page)
    browser.run("location.hash = arguments[0]", link)
    browser.wait("document.getElementById('counter').innerText.startsWith('4 ')")
    assert shown(browser) == there


def test_links_that_name_nothing_say_so(browser: Browser, page: Path) -> None:
    for link in ("#web/VP-t/span/999.1", "#nowhere/VP-t/span/1.1", "#a/%E0%A4%A"):
        browser.open(page, link)
        assert "not in this page" in browser.text("#notice")
        assert browser.texts("#rows [role=option]")


def test_several_errors_of_one_word_have_links_of_their_own(
    browser: Browser, tmp_path: Path
) -> None:
    gold = "(S (NP (NP (NP (NN a)) (PP (IN of) (NP (NN b)))) (PP (IN in) (NP (NN c)))))"
    parsed = "(S (NP (NN a)) (PP (IN of) (NP (NN b))) (PP (IN in) (NP (NN c))))"
    path = tmp_path / "page.html"
    path.write_text(page_of(gold, parsed), "utf-8")
    browser.open(path, "#a/NP-modr/head-missed/1.0.2")
    assert browser.text("#counter") == "2 of 2"
    assert browser.run("return document.getElementById('notice').hidden") is True
    assert shown(browser)["sides"][0][2] in ("a of b", "a of b in c")


# -- the rest --------------------------------------------------------------------------


def test_data_sets_can_be_chosen(browser: Browser, page: Path) -> None:
    browser.open(page)
    news = browser.text("#counter")
    assert not browser.texts("#constructions-2 h2")
    browser.choose(".bar .choose-dataset", "1")
    assert browser.texts("#constructions-2 h2") == ["Constructions web"]
    assert not browser.texts("#constructions h2")
    assert browser.text("#counter") != news
    assert (
        browser.run("return document.querySelector('.controls .choose-dataset').value")
        == "1"
    )
    href = "return document.querySelector('nav [data-key=constructions]').hash"
    assert browser.run(href) == "#constructions-2"
    browser.wait("location.hash.startsWith('#web/')")
    browser.open(page, "#confusions-2")
    assert browser.texts("#confusions-2 h2") == ["Confusions web"]


def test_light_and_dark(own_browser: Browser, page: Path) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"

    def prefer(scheme: str) -> None:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        own_browser.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [feature]}
        )

    try:
        prefer("light")
        own_browser.open(page)
        assert own_browser.run(background) == "rgb(255, 255, 255)"
        prefer("dark")
        dark = own_browser.run(background)
        assert dark != "rgb(255, 255, 255)"
        # The page hears of the change by an event, which may come a little later.
        own_browser.wait("document.querySelector('#theme').innerText === 'Light'")
        own_browser.click("#theme")
        assert own_browser.run(background) == "rgb(255, 255, 255)"
        own_browser.click("#theme")
        assert own_browser.run(background) == dark
    finally:
        prefer("")


def test_hostile_words_are_text_everywhere(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page_of(*hostile_banks(), name="<b>&"), "utf-8")
    browser.open(path, "#errors")
    words = [*HOSTILE[:-1], "\ufffdgnp"]
    one = shown(browser)
    for place in (one["words"], one["gold"]["name"], browser.texts("#rows div")[0]):
        assert all(word in place for word in words)
    browser.click("#fold")
    one = shown(browser)
    assert set(words) <= set(one["gold"]["texts"])
    assert 'NP<i>"' in one["gold"]["texts"]
    browser.keys("t")
    assert set(words) <= set(shown(browser)["gold"]["texts"])
    browser.keys("j")
    browser.wait("location.hash.startsWith('#%3Cb%3E%26/')")
    counts = (
        "return ['script', 'i', 'img'].map(t => document.querySelectorAll(t).length)"
    )
    plots = browser.run("return document.querySelectorAll('.picture img').length")
    assert browser.run(counts) == [2, 0, plots]


def test_thousands_of_errors(browser: Browser, tmp_path: Path) -> None:
    """Small, few elements at a time, all within reach; and the note about the cap."""
    path = tmp_path / "page.html"
    text = page_of(*long_sentences(1_100, 60), limit=2_000)
    path.write_text(text, "utf-8")
    assert path.stat().st_size < 3_000_000
    browser.open(path)
    assert browser.run("return document.querySelectorAll('*').length") < 10_000
    assert browser.text("#cap") == (
        "This page holds 1,100 of 2,200 errors: all those of one sentence in 2 "
        "(1, 3, 5, …). Counts and filters here are of these; the tables above count "
        "all."
    )
    assert browser.text("#counter") == "1 of 1,100"
    assert len(browser.texts("#rows [role=option]")) < 40
    browser.run("document.getElementById('list').focus()")
    from selenium.webdriver.common.keys import Keys

    browser.keys(Keys.END)
    assert browser.text("#counter") == "1,100 of 1,100"
    assert shown(browser)["heading"].endswith("sentence 1099")


def test_odd_trees_are_drawn(browser: Browser, tmp_path: Path) -> None:
    """Very deep, with several roots, with empty labels, with right-to-left words."""
    deep = "(S " + "(NP " * 3_000 + "(NN a)" + ")" * 3_000 + " (VP (VB b)))"
    gold = f"{deep}\n((S (NN عربي) (VP (VB 日本))) (X (NN c)))\n(S (NP (NN a)) (VB b))"
    parsed = "(S (NP (NN a)) (VB b))\n(S (NN عربي) (VB 日本) (NN c))\n(S (NN a) (VB b))"
    path = tmp_path / "page.html"
    path.write_text(page_of(gold, parsed), "utf-8")
    for fragment in ("#a/*/*", "#a/VP-t/head-missed/1.1"):
        browser.open(path, fragment)
        for view in "tt":
            browser.keys(view)
            assert 5 < len(shown(browser)["gold"]["texts"]) < 200
            assert shown(browser)["parsed"]["here"]
    browser.open(path, "#a/VP-t/head-missed/2.1")
    assert shown(browser)["words"] == "عربي 日本 c"


def test_a_narrow_window(browser: Browser, page: Path) -> None:
    with browser.sized(400):
        browser.open(page, "#web/PP-t/attachment")
        assert browser.run("return document.documentElement.scrollWidth") <= 400
        assert browser.run("return document.getElementById('trees').className") == ""


def test_a_page_prints_what_is_open(browser: Browser, page: Path) -> None:
    """The first rows of long tables, and a line that says so; all if they are open."""
    sheets = []
    for is_open in (False, True):
        browser.open(page)
        if is_open:
            browser.run(
                "document.querySelectorAll('.table-tools button')"
                ".forEach((button) => button.click())"
            )
        told = browser.driver.execute_cdp_cmd(
            "Page.printToPDF", {"preferCSSPageSize": True}
        )
        content = base64.b64decode(told["data"])
        sheets.append(len(re.findall(rb"/Type\s*/Page\b", content)))
    assert sheets[0] < sheets[1]
