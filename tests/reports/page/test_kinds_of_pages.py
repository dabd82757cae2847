"""Pages of several parsers, of discourse, of annotators and of checks, in a browser."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from analyzer import read_rst, read_trees
from tests.support.browser import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES
from tests.support.shown_errors import shown

pytestmark = pytest.mark.browser

GOLD = EXAMPLES / "web.gold.mrg"
PARSERS = [f"{name}={EXAMPLES}/web.{name}.mrg" for name in ("chart", "greedy")]


@pytest.fixture(scope="module")
def parsers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of both sample parsers."""
    path = tmp_path_factory.mktemp("parsers") / "parsers.html"
    options = ("--html", path, "-q", "--resamples", "50")
    assert spinal("report", GOLD, *PARSERS, *options).code == 0
    return path


@pytest.fixture(scope="module")
def discourse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("discourse") / "discourse.html"
    files = EXAMPLES / "discourse", EXAMPLES / "discourse_greedy"
    assert spinal("report", *files, "--html", path, "-q").code == 0
    return path


# -- several parsers -------------------------------------------------------------------


def test_scores_are_those_of_compare(browser: Browser, parsers: Path) -> None:
    browser.open(parsers)
    ran = spinal(
        "compare", GOLD, *PARSERS, "--resamples", "50", "--format", "json", "-q"
    )
    told = json.loads(ran.out)
    expected = {one["system"]: f"{100 * one['f_s']:.2f}" for one in told["systems"]}
    rows = browser.texts("#parsers .table:first-of-type tbody tr")
    assert len(rows) == len(expected)
    for name, f_s in expected.items():
        assert any(row.startswith(name) and f_s in row for row in rows)
    total = told["comparisons"][0]["differences"][-1]
    assert browser.texts("#differences tfoot td")[3] == (
        f"{100 * total['difference']:+.2f}"
    )
    found = told["comparisons"][0]["agreement"][-1]
    only_b, neither = found["only_b"], found["neither"]
    assert browser.texts("#found [data-place='1'] tfoot td")[:2] == [
        str(found["repaired"]),
        str(only_b + neither),
    ]
    assert browser.texts("#found [data-place='2'] tfoot td")[:2] == [
        str(found["broken"]),
        str(found["both"] + found["only_a"]),
    ]


def test_errors_of_one_parser_or_of_both(browser: Browser, parsers: Path) -> None:
    browser.open(parsers, "#chart/*/*")
    count = (
        "return Number(document.querySelector('#counter').innerText.split(' ').pop())"
    )
    whole = browser.run(count)
    browser.choose("#shared", "alone")
    alone = browser.run(count)
    assert "greedy does not make this error" in browser.text("#what")
    browser.choose("#shared", "greedy")
    both = browser.run(count)
    assert "greedy makes the same error" in browser.text("#what")
    assert 0 < alone < whole
    # Of one sentence greedy has no parse.
    browser.choose("#shared", "*")
    said = [what for what, _ in browser.run(SAID).values()]
    unknown = sum("greedy was not compared in this sentence" in what for what in said)
    assert alone + both + unknown == whole
    browser.choose(".bar .choose-dataset", "1")
    browser.choose("#shared", "chart")
    assert browser.run(count) == both


# What the page says of each error: its address, what other parsers do, and which of
# them have no error in its sentence.
SAID = """
const next = document.getElementById("next");
const found = {};
for (;;) {
  const told = (id) => document.getElementById(id).innerText;
  const link = document.getElementById("link").getAttribute("href");
  found[link.split("?")[0]] = [told("what"), told("right")];
  if (next.disabled) return found;
  next.click();
}"""


def test_a_page_of_a_sample_says_what_the_whole_page_says(
    browser: Browser, parsers: Path, tmp_path: Path
) -> None:
    """No sentence, filter or count rests on errors that are not on the page."""
    path = tmp_path / "sample.html"
    options = ("--resamples", "20", "--max-instances", "60", "--html", path, "-q")
    assert spinal("report", GOLD, *PARSERS, *options).code == 0
    for name in ("chart", "greedy"):
        said = []
        for page in (parsers, path):
            browser.open(page, f"#{name}/*/*")
            whole = browser.run(SAID)
            browser.choose("#shared", "alone")
            said.append((whole, browser.run(SAID)))
        (whole, alone), (sample, sampled_alone) = said
        assert 0 < len(sample) < len(whole)
        assert sample == {link: whole[link] for link in sample}
        assert sampled_alone == {link: alone[link] for link in sample if link in alone}
        numbers = {int(link.rsplit("/", 1)[1].split(".")[0]) for link in sample}
        assert max(numbers) > 22  # of 44 sentences
        cap = browser.text("#cap")
        assert ": all those of one sentence in " in cap
        assert ", the same for every parser)" in cap
        kinds = browser.texts("#kind option")
        assert all(kind.endswith(" here)") for kind in kinds)
    browser.run(
        "const f = document.getElementById('filter'); f.value = 'no such words';"
        "f.dispatchEvent(new Event('input'))"
    )
    browser.wait("!document.getElementById('nothing').hidden")
    assert "No error fits among those that this page holds" in browser.text("#nothing")


def test_nothing_is_claimed_of_sentences_that_were_not_compared(
    browser: Browser, tmp_path: Path
) -> None:
    """A parser whose words differ there may be right or wrong."""
    path, other = tmp_path / "page.html", tmp_path / "other.mrg"
    lines = (EXAMPLES / "web.greedy.mrg").read_text("utf-8").splitlines()
    lines[21] = "(S (NP (NN something)) (VP (VBZ else)))"
    other.write_text("\n".join(lines) + "\n", "utf-8")
    options = ("--resamples", "20", "--html", path, "-q")
    assert spinal("report", GOLD, PARSERS[0], f"greedy={other}", *options).code == 0
    browser.open(path, "#chart/*/*")
    said = browser.run(SAID)
    of_first = [one for link, one in said.items() if "/22." in link]
    assert of_first
    for what, right in of_first:
        assert what.endswith(" greedy was not compared in this sentence.")
        assert right == "Not compared in this sentence: greedy."


def test_documents_that_a_parser_lacks_do_not_shift_the_others(
    browser: Browser, tmp_path: Path
) -> None:
    """Documents are told apart by their names, not by how many came before."""
    gold = EXAMPLES / "discourse"
    fewer = tmp_path / "fewer"
    shutil.copytree(EXAMPLES / "discourse_greedy", fewer)
    first = min(fewer.iterdir())
    first.unlink()
    path = tmp_path / "page.html"
    parsers = (f"all={EXAMPLES}/discourse_greedy", f"fewer={fewer}")
    spinal("report", gold, *parsers, "--resamples", "20", "--html", path, "-q")
    browser.open(path, "#all/*/*")
    for link, (what, _) in browser.run(SAID).items():
        is_there = "fewer was not compared in this document" not in what
        assert is_there == ("fewer makes the same error" in what), link


@pytest.fixture(scope="module")
def three_parsers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("parsers") / "three.html"
    third = f"right={EXAMPLES}/web.chart.mrg"
    options = ("--html", path, "-q", "--resamples", "20")
    assert spinal("report", GOLD, *PARSERS, third, *options).code == 0
    return path


@pytest.mark.parametrize("width", [420, 700, 900, 1100, 1280, 1600])
def test_the_bar_has_all_its_links_at_any_width(
    browser: Browser, three_parsers: Path, width: int
) -> None:
    cut_off = """
    const bar = document.querySelector(".bar").getBoundingClientRect();
    return [...document.querySelectorAll(".bar a, .bar button, .bar select")]
      .filter((one) => one.getClientRects().length)
      .filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const nav = one.closest("nav")?.getBoundingClientRect() ?? bar;
        return left < nav.left - 1 || right > Math.min(nav.right, innerWidth) + 1
          || top < bar.top - 1 || bottom > bar.bottom + 1;
      }).map((one) => one.textContent);"""
    with browser.sized(width):
        browser.open(three_parsers)
        assert browser.texts(".bar nav a")[-1] == "Errors"
        assert browser.run(cut_off) == []
        assert browser.run("return document.documentElement.scrollWidth") <= width
        browser.click("nav a[data-key='errors']")
        under = """
        const bar = document.querySelector(".bar").getBoundingClientRect();
        const heading = document.getElementById("errors-heading");
        return heading.getBoundingClientRect().top - bar.bottom;"""
        browser.wait(f"(() => {{ {under} }})() >= 0")


def test_nothing_paints_over_the_bar(browser: Browser, parsers: Path) -> None:
    """Headings of tables stay in sight within their tables, under the bar."""
    browser.open(parsers)
    on_top = """
    const cell = document.querySelector("#constructions thead th");
    scrollBy(0, cell.getBoundingClientRect().top - 5);
    const { left, top } = cell.getBoundingClientRect();
    return document.elementFromPoint(left + 8, top + 8).closest(".bar") !== null;"""
    assert browser.run(on_top)


def test_trees_of_other_parsers_are_drawn_whole(
    browser: Browser, three_parsers: Path
) -> None:
    """Beside each other, all trees have one scale, and none is wider than its panel."""
    browser.open(three_parsers, "#chart/*/*")
    measured = """
    const next = document.getElementById("next");
    const found = [];
    for (;;) {
      const panels = [...document.querySelectorAll("#trees .tree")]
        .filter((panel) => panel.getClientRects().length);
      found.push({
        beside: document.getElementById("trees").className === "beside",
        panels: panels.length,
        clipped: panels.filter((p) => p.scrollWidth > p.clientWidth + 1).length,
        scales: new Set(panels.map((panel) => {
          const svg = panel.querySelector("svg");
          const [, , width] = svg.getAttribute("viewBox").split(" ").map(Number);
          return (svg.getBoundingClientRect().width / width).toFixed(2);
        })).size,
      });
      if (next.disabled) return found;
      next.click();
    }"""
    found = browser.run(measured)
    assert {one["panels"] for one in found} == {3, 4}
    beside = [one for one in found if one["beside"]]
    assert len(beside) > 0.3 * len(found)
    assert not [one for one in found if one["clipped"]]
    assert {one["scales"] for one in found} == {1}


def test_the_trees_of_all_parsers_are_shown(browser: Browser, parsers: Path) -> None:
    """For every error of the first: the other's tree, or that it has no error."""
    browser.open(parsers, "#chart/*/head-missed")
    browser.click("#fold")
    script = """
    const next = document.getElementById("next");
    const found = [];
    for (;;) {
      const other = document.querySelector("#other-1-tree svg");
      const isShown = other !== null && other.getClientRects().length > 0;
      found.push([
        document.getElementById("error-heading").textContent,
        document.querySelector("#parsed-tree svg").getAttribute("aria-label"),
        isShown ? other.getAttribute("aria-label") : null,
        document.getElementById("right").hidden,
      ]);
      if (next.disabled) return found;
      next.click();
    }
    """
    chart, greedy = (
        read_trees(EXAMPLES / f"web.{one}.mrg") for one in ("chart", "greedy")
    )
    shown_all = browser.run(script)
    assert len(shown_all) > 20
    for heading, parsed, other, has_other in shown_all:
        number = int(heading.rsplit(" ", 1)[1]) - 1
        assert parsed == f"parsed tree: {chart[number].brackets()}"
        assert has_other is (other is not None)
        if other is not None:
            assert other == f"parsed tree: {greedy[number].brackets()}"
    assert any(other is None for *_, other, _ in shown_all)
    browser.click("#others")
    assert not browser.texts("#other-1-tree text")


# -- discourse -------------------------------------------------------------------------


def test_discourse_names_document_and_unit(browser: Browser, discourse: Path) -> None:
    browser.open(discourse, "#discourse_greedy/*/*")
    documents = read_rst(EXAMPLES / "discourse")
    browser.run("document.getElementById('list').focus()")
    seen = set()
    for _ in range(12):
        one = shown(browser)
        about, name = one["heading"].split(" · document ")
        unit = int(about.split(" of unit ")[1].split(" · ")[0])
        words = documents.bank[documents.names.index(name)].words
        assert one["mark"] == words[unit - 1]
        # The text around the unit, with numbers; not all of a long document.
        assert one["words"].count("⋯") or all(word in one["words"] for word in words)
        assert one["gold"]["here"][0].startswith(f"{unit} {one['mark'][:10]}")
        seen.add(name)
        browser.keys("jjj")
    assert browser.texts("#rows .number")[0].rsplit(" ", 1)[0] in documents.names
    assert browser.texts("thead th")[-1] == "all that the unit heads"
    browser.run(
        "const f = document.getElementById('filter'); f.value = '#garden';"
        "f.dispatchEvent(new Event('input'))"
    )
    browser.wait(
        "[...document.querySelectorAll('#rows .number')]"
        ".every(e => e.textContent.startsWith('garden '))"
    )
    assert browser.texts("#rows .number")


# -- names, colours, paper -------------------------------------------------------------


def test_names_are_explained(browser: Browser, parsers: Path) -> None:
    browser.open(parsers, "#chart/NP-modr/head-missed")
    cell = "#constructions tbody th a[href='#chart/NP-modr/*']"
    title = f'return document.querySelector("{cell}").dataset.hint'
    assert browser.run(title).startswith("Modified to the right")
    assert browser.text("#explained").startswith("NP-modr: Modified to the right")
    titles = "return [...document.querySelectorAll('#gold-tree text title')].length"
    browser.click("#show-derivations")
    assert browser.run(titles) > 3
    browser.run("document.querySelector('#constructions .glossary').open = true")
    assert "NP-modr" in browser.texts(".glossary dt")


def test_plots_have_the_colours_of_the_page(
    own_browser: Browser, parsers: Path
) -> None:
    own_browser.open(parsers)
    colours = """
    const of = (selector, name) =>
      getComputedStyle(document.querySelector(selector))[name];
    return [of(".plot text", "fill"), of(".plot path[stroke^='var']", "stroke"),
            of("body", "color")];
    """
    with emulated(own_browser, "light"):
        light = own_browser.run(colours)
        own_browser.click("#theme")
        dark = own_browser.run(colours)
        own_browser.click("#theme")
    assert light[0] == light[2]
    assert dark[0] == dark[2]
    assert all(one != other for one, other in zip(light, dark, strict=True))


@contextmanager
def emulated(browser: Browser, scheme: str, media: str = "screen") -> Iterator[None]:
    feature = {"name": "prefers-color-scheme", "value": scheme}
    settings = {"media": media, "features": [feature]}
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", settings)
    try:
        yield
    finally:
        settings = {"media": "", "features": [{**feature, "value": ""}]}
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", settings)


def test_nothing_is_cut_on_paper(browser: Browser, page: Path, parsers: Path) -> None:
    """Tables, plots and trees fit on a sheet, and nothing scrolls."""
    too_wide = """
    dispatchEvent(new Event("beforeprint"));
    const found = [...document.querySelectorAll("table, svg, img")]
      .filter((e) => e.getClientRects().length)
      .filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
      .map((e) => e.outerHTML.slice(0, 80));
    const scrolling = [...document.querySelectorAll("main *")]
      .filter((e) => e.scrollWidth > e.clientWidth + 1 &&
        getComputedStyle(e).overflowX !== "visible" && e.clientWidth > 50)
      .map((e) => e.className);
    dispatchEvent(new Event("afterprint"));
    return [found, scrolling];
    """
    with browser.sized(1030, 700), emulated(browser, "dark", "print"):
        for one in (page, parsers):
            browser.open(one)
            assert browser.run(too_wide) == [[], []]
            background = "return getComputedStyle(document.body).backgroundColor"
            assert browser.run(background) == "rgb(255, 255, 255)"


# -- annotators, checks ----------------------------------------------------------------


def test_annotators_side_by_side(browser: Browser, tmp_path: Path) -> None:
    files = [EXAMPLES / "annotators" / f"{name}.mrg" for name in ("anna", "ben")]
    page = tmp_path / "agree.html"
    page.write_text(spinal("agree", *files, "--format", "html", "-q").out, "utf-8")
    browser.open(page)
    assert len(browser.texts("nav a")) < 7
    browser.choose("#kind", "head-missed")
    one = shown(browser)
    assert " · only A · " in one["heading"]
    number = int(one["heading"].rsplit(" ", 1)[1])
    browser.click("#fold")
    for side, file in zip(("gold", "parsed"), files, strict=True):
        tree = read_trees(file)[number - 1]
        assert shown(browser)[side]["name"] == f"{side} tree: {tree.brackets()}"
    assert browser.text("#gold-title") == "A"
