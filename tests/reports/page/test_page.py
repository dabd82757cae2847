"""The HTML page in a real browser: what it shows, and that it shows the right thing.

Without a browser these tests are skipped, and say so; test_page_data.py has
those that need none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer import read_trees
from analyzer.analyses.errors import SentenceWords
from analyzer.analyses.score import settings
from analyzer.derivation.spines import drawn, spines_of
from analyzer.metrics.constructions import compare
from analyzer.model.tree import Tree
from analyzer.pairing.in_step import open_pairs
from reports.page.html import LARGEST
from tests.reports.page.test_page_data import (
    HOSTILE,
    hostile_banks,
    long_sentences,
    page_of,
)
from tests.support.browser import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

# Everything the error browser shows of an error, read from the page.
SHOWN = """
const texts = (side, more = "") =>
  [...document.querySelectorAll(`#${side}-tree text${more}`)]
    .map((t) => t.dataset.text);
const one = (side) => ({
  texts: texts(side),
  marked: texts(side, ":has(.sign)"),
  here: texts(side, ".here"),
  asked: document.querySelectorAll(`#${side}-tree rect.asked`).length,
  name: document.querySelector(`#${side}-tree svg`).getAttribute("aria-label"),
});
const shown = () => ({
  hash: document.getElementById("link").getAttribute("href"),
  heading: document.getElementById("error-heading").textContent,
  words: document.getElementById("words").textContent.trim(),
  mark: document.querySelector("#words mark").textContent,
  sides: [...document.querySelectorAll("#sides tr")].map(
    (row) => [...row.cells].map((cell) => cell.textContent.trim())),
  gold: one("gold"), parsed: one("parsed"),
});
"""
ALL_SHOWN = (
    SHOWN
    + """
const next = document.getElementById("next");
const found = [shown()];
while (!next.disabled) {
  next.click();
  found.push(shown());
}
return found;
"""
)


def shown(browser: Browser) -> dict[str, Any]:
    found: dict[str, Any] = browser.run(SHOWN + "return shown();")
    return found


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "examples page.html"
    specs = [
        f"{name}={EXAMPLES}/{name}.gold.mrg:{EXAMPLES}/{name}.chart.mrg"
        for name in ("news", "web")
    ]
    assert spinal("report", *specs, "--html", path, "-q").code == 0
    return path


def column(browser: Browser, number: int) -> list[str]:
    return browser.texts(f"#constructions tbody tr > :nth-child({number})")


# -- tables ----------------------------------------------------------------------------


def test_it_opens_with_everything(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.texts("nav a") == [
        *("Data sets", "The gap", "Plots", "Summary", "Constructions", "Coverage"),
        *("Confusions", "Errors"),
    ]
    assert browser.texts("main h2")[3] == "Summary news"
    assert browser.text("#summary .facts .value") == "91.0"
    assert browser.run("return [...document.images].every(i => i.naturalWidth > 100)")
    assert browser.texts("#rows [role=option]")


def test_tables_sort(browser: Browser, page: Path) -> None:
    browser.open(page)
    original = column(browser, 1)
    heading = "#constructions thead th:nth-child(6)"
    orders = []
    for _ in range(3):
        browser.click(f"{heading} button")
        order = browser.run(
            f"return document.querySelector('{heading}').getAttribute('aria-sort')"
        )
        orders.append(order)
        values = [float(text) for text in column(browser, 6) if text != "-"]
        if order == "descending":
            assert values == sorted(values, reverse=True)
        elif order == "ascending":
            assert values == sorted(values)
    assert orders == ["descending", "ascending", "none"]
    assert column(browser, 1) == original
    browser.click("#constructions thead th:nth-child(1) button")
    assert column(browser, 1) == sorted(original, key=str.casefold)
    assert browser.text("#constructions tfoot th") == "total"


def test_undefined_values_come_last(browser: Browser, page: Path) -> None:
    browser.open(page)
    for _ in range(2):
        browser.click("#constructions thead th:nth-child(7) button")
        values = column(browser, 7)
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


# -- errors ----------------------------------------------------------------------------


def flattened(tree: Tree) -> list[str]:
    """Labels and words in the order in which they are drawn."""
    pieces = []
    for node in tree.nodes:
        pieces.append(node.label)
        pieces += [node.form] if node.form is not None else []
    return pieces


def test_every_tree_shown_is_the_right_one(browser: Browser, page: Path) -> None:
    """Page through all errors of a data set; compare trees with the treebanks."""
    browser.open(page, "#web/*/*")
    browser.click("#fold")
    found = browser.run(ALL_SHOWN)
    gold = read_trees(str(EXAMPLES / "web.gold.mrg"))
    parsed = read_trees(str(EXAMPLES / "web.chart.mrg"))
    assert len(found) > 100
    assert len({one["hash"] for one in found}) == len(found)
    for one in found:
        number = int(one["heading"].rsplit(" ", 1)[1])
        for side, bank in (("gold", gold), ("parsed", parsed)):
            tree = bank[number - 1]
            assert one[side]["texts"] == flattened(tree)
            assert one[side]["name"] == f"{side} tree: {tree.brackets()}"
            assert one[side]["here"] == [one["mark"]]
        kind = one["hash"].split("/")[2]
        assert one["gold"]["asked"] == (0 if kind == "head-spurious" else 1)
        assert one["parsed"]["asked"] == (0 if kind == "head-missed" else 1)


def test_every_derivation_shown_is_the_right_one(browser: Browser, page: Path) -> None:
    browser.open(page, "#web/*/*")
    browser.click("#fold")
    browser.click("#show-derivations")
    found = browser.run(ALL_SHOWN)
    expected = _derivations("web")
    for one in found:
        number = int(one["heading"].rsplit(" ", 1)[1])
        for side in (0, 1):
            texts, marked = expected[number][side]
            name = ("gold", "parsed")[side]
            assert one[name]["texts"] == texts
            assert len(one[name]["marked"]) == marked


def _derivations(name: str) -> dict[int, list[tuple[list[str], int]]]:
    """Per sentence and side: the texts of the drawing, and how many spines differ."""
    tables, labeller = settings()
    pairs, _ = open_pairs(
        str(EXAMPLES / f"{name}.gold.mrg"), str(EXAMPLES / f"{name}.chart.mrg")
    )
    expected = {}
    for pair in pairs:
        comparison = compare(pair, tables, labeller)
        words, a = SentenceWords(pair, comparison), comparison.alignment
        sides = (
            (pair.gold, comparison.gold, a.gold_leaves, a.gold_starts),
            (pair.parsed, comparison.parsed, a.parsed_leaves, a.parsed_starts),
        )
        for tree in range(len(pair.gold)):
            spines = [
                spines_of(
                    bank,
                    derivation,
                    labeller,
                    tree=tree,
                    leaves=leaves[starts[tree] : starts[tree + 1]],
                    first_word=int(words.offset[tree]),
                )
                for bank, derivation, leaves, starts in sides
            ]
            both = [drawn(one) for one in spines]
            expected[pair.first_sentence + tree] = [
                (_drawn_texts(one.tree), len(one.marks(other)))
                for one, other in zip(both, reversed(spines), strict=True)
            ]
    return expected


def _drawn_texts(tree: Tree) -> list[str]:
    """The page draws a spine top down, what it attaches to above it."""
    texts = []
    for node in tree.nodes:
        texts += reversed(node.label.split(" "))
        texts += [node.form] if node.form is not None else []
    return texts


def test_an_attachment_error(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click("#constructions tbody a[href='#news/PP-t/*']")
    browser.choose("#kind", "attachment")
    assert browser.text("#counter") == "1 of 14"
    one = shown(browser)
    assert one["heading"] == "PP-t of “in” · attachment · sentence 6"
    assert one["words"].startswith("Bracken who turned 31 in March scored twice")
    assert [row[:4] for row in one["sides"]] == [
        ["Gold", "PP-t", "in March", "turned"],
        ["Parsed", "PP-t", "in March", "31"],
    ]
    assert one["hash"] == "#news/PP-t/attachment/6.4"
    _wait(browser, f"location.hash === '{one['hash']}'")


def test_differing_brackets_are_marked(browser: Browser, page: Path) -> None:
    """As `spinal show` marks them: sign, underline and colour."""
    browser.open(page, "#web/PP-t/attachment/22.9")
    assert shown(browser)["gold"]["marked"] == ["NP", "NX", "NX", "NX"]
    assert shown(browser)["parsed"]["marked"] == []
    assert browser.text("#gold-note") == "4 brackets only here"
    style = """
    const [marked, plain] = [".missed", ":not(.missed)"].map((kind) =>
      getComputedStyle(document.querySelector(`#gold-tree text.label${kind} .name`)));
    const lines = [marked, plain].map((style) => style.textDecorationLine);
    return [...lines, marked.fill !== plain.fill];
    """
    assert browser.run(style) == ["underline", "none", True]
    assert browser.run("return document.getElementById('trees').className") == "beside"


def test_nothing_overlaps_and_wide_trees_scroll_inside(
    browser: Browser, page: Path
) -> None:
    browser.open(page, "#news/*/*")
    browser.click("#fold")
    overlaps = """
    const next = document.getElementById("next");
    const bad = [];
    for (let n = 0; n < 40; n += 1, next.click()) {
      for (const side of ["gold", "parsed"]) {
        const boxes = [...document.querySelectorAll(`#${side}-tree text`)]
          .map((t) => t.getBoundingClientRect()).sort((a, b) => a.left - b.left);
        boxes.forEach((a, i) => {
          for (let j = i + 1; j < boxes.length && boxes[j].left < a.right - 1; j += 1) {
            const b = boxes[j];
            if (b.top < a.bottom - 4 && b.bottom > a.top + 4) bad.push([side, n]);
          }
        });
      }
    }
    return bad;
    """
    assert browser.run(overlaps) == []
    widths = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1]


def test_folding_keeps_what_matters(browser: Browser, page: Path) -> None:
    browser.open(page, "#news/NP-modr/head-missed")
    one = shown(browser)
    whole = int(
        browser.run("return document.querySelectorAll('#gold-tree text').length")
    )
    browser.keys("f")
    assert len(shown(browser)["gold"]["texts"]) > whole
    assert one["gold"]["here"] == [one["mark"]]
    assert one["gold"]["asked"] == 1


def test_keys(browser: Browser, page: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(page, "#news/PP-t/attachment")
    seen = [browser.text("#counter")]
    for key in ("j", Keys.ARROW_RIGHT, "k", Keys.ARROW_LEFT, "k"):
        browser.keys(key)
        seen.append(browser.text("#counter").split()[0])
    assert seen == ["1 of 14", "2", "3", "2", "1", "1"]
    browser.keys("t")
    assert browser.text("#gold-note").endswith("spines only here")
    browser.keys("t")
    assert "bracket" in browser.text("#gold-note")
    browser.keys("/")
    assert browser.run("return document.activeElement.id") == "filter"
    browser.keys("j")  # typed, not obeyed
    assert browser.run("return document.activeElement.value") == "j"
    browser.keys(Keys.BACKSPACE + Keys.ESCAPE)
    browser.keys("?")
    assert browser.run("return document.getElementById('help').open") is True
    browser.keys(Keys.ESCAPE)
    assert browser.run("return document.getElementById('help').open") is False
    browser.run("document.getElementById('list').focus()")
    browser.keys(Keys.ARROW_DOWN)
    assert browser.text("#counter").startswith("2 ")
    browser.keys(Keys.END)
    assert browser.text("#counter") == "14 of 14"
    assert browser.texts("#rows [aria-selected=true] b")


@pytest.mark.parametrize(
    ("text", "kept"),
    [("bridge", "bridge"), ("=in", "in"), ("#10", "10"), ("lack of", "lack of")],
)
def test_errors_filter(browser: Browser, page: Path, text: str, kept: str) -> None:
    browser.open(page, "#news/*/*")
    before = browser.text("#counter")
    browser.run(
        "const f = document.getElementById('filter'); f.value = arguments[0];"
        "f.dispatchEvent(new Event('input'))",
        text,
    )
    _wait(browser, f"document.getElementById('counter').innerText !== '{before}'")
    rows = browser.texts("#rows [role=option]")
    heads = browser.texts("#rows [role=option] b")
    numbers = browser.texts("#rows .number")
    assert rows
    if text.startswith("="):
        assert {head.lower() for head in heads} == {kept}
    elif text.startswith("#"):
        assert set(numbers) == {kept}
    else:
        assert all(kept in row for row in rows)


def test_a_filter_that_nothing_fits(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run("document.getElementById('filter').focus()")
    browser.keys("no such words")
    _wait(browser, "!document.getElementById('nothing').hidden")
    assert browser.text("#counter") == "none"
    browser.click("#reset")
    assert browser.text("#counter").startswith("1 of ")


# -- links -----------------------------------------------------------------------------


def test_links_open_what_they_name(browser: Browser, page: Path) -> None:
    browser.open(page, "#web/VP-t/span")
    for _ in range(3):
        browser.keys("j")
    there = shown(browser)
    link = there["hash"]
    assert link.startswith("#web/VP-t/span/")
    _wait(browser, f"location.hash === '{link}'")
    browser.open(page, link)
    assert shown(browser) == there
    assert browser.text("#counter") == "4 of 19"
    assert browser.run("return document.querySelector('.choose-dataset').value") == "1"
    # And without loading anew.
    browser.open(page)
    browser.run("location.hash = arguments[0]", link)
    _wait(browser, "document.getElementById('counter').innerText.startsWith('4 ')")
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
    _wait(browser, "location.hash.startsWith('#web/')")
    browser.open(page, "#confusions-2")
    assert browser.texts("#confusions-2 h2") == ["Confusions web"]


def test_light_and_dark(browser: Browser, page: Path) -> None:
    background = "return getComputedStyle(document.body).backgroundColor"

    def prefer(scheme: str) -> None:
        feature = {"name": "prefers-color-scheme", "value": scheme}
        browser.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"features": [feature]}
        )

    try:
        prefer("light")
        browser.open(page)
        assert browser.run(background) == "rgb(255, 255, 255)"
        prefer("dark")
        dark = browser.run(background)
        assert dark != "rgb(255, 255, 255)"
        assert browser.text("#theme") == "Light"
        browser.click("#theme")
        assert browser.run(background) == "rgb(255, 255, 255)"
        browser.click("#theme")
        assert browser.run(background) == dark
    finally:
        prefer("")


def test_hostile_words_are_text_everywhere(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(page_of(*hostile_banks(), name="<b>&"), "utf-8")
    browser.open(path)
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
    _wait(browser, "location.hash.startsWith('#%3Cb%3E%26/')")
    counts = (
        "return ['script', 'i', 'img'].map(t => document.querySelectorAll(t).length)"
    )
    plots = browser.run("return document.querySelectorAll('.picture img').length")
    assert browser.run(counts) == [2, 0, plots]


def test_ten_thousand_errors(browser: Browser, tmp_path: Path) -> None:
    """Small enough, quick to open, quick to go through; and the note about the cap."""
    path = tmp_path / "page.html"
    text = page_of(*long_sentences(5_100, 60))
    path.write_text(text, "utf-8")
    assert path.stat().st_size < LARGEST
    browser.open(path)
    milliseconds = int(browser.run("return document.documentElement.dataset.ready"))
    assert milliseconds < 5_000  # about 300 on a quiet laptop
    assert browser.text("#cap").startswith(
        "Here are the first 10,000 of 10,200 errors in the order of the sentences; "
        "200 are left out"
    )
    assert browser.text("#counter") == "1 of 10,000"
    assert len(browser.texts("#rows [role=option]")) < 40
    browser.run("document.getElementById('list').focus()")
    from selenium.webdriver.common.keys import Keys

    browser.keys(Keys.END)
    assert browser.text("#counter") == "10,000 of 10,000"
    assert shown(browser)["heading"].endswith("sentence 5000")


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
    size = {"width": 400, "height": 800, "deviceScaleFactor": 1, "mobile": False}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    try:
        browser.open(page, "#web/PP-t/attachment")
        assert browser.run("return document.documentElement.scrollWidth") <= 400
        assert browser.run("return document.getElementById('trees').className") == ""
    finally:
        browser.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def _wait(browser: Browser, condition: str) -> None:
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser.driver, 5, 0.02).until(
        lambda _: browser.run(f"return {condition}")
    )
