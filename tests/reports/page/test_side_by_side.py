"""Pages of several parsers and of many data sets, in a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.browser import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, SYNTAX
from tests.support.pages import long_sentences, page_of

pytestmark = pytest.mark.browser

GOLD = EXAMPLES / "web.gold.mrg"
GROUPS = 15
ELEMENTS = "return document.querySelectorAll('*').length"
MOST_ELEMENTS = 20_000


@pytest.fixture(scope="module")
def parsers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Parsers that are given in an order that is not that of their scores."""
    folder = tmp_path_factory.mktemp("parsers")
    texts = [(EXAMPLES / f"web.{one}.mrg").read_text("utf-8") for one in PARSERS]
    lines = [text.splitlines() for text in texts]
    mixed = [pair[at % 2] for at, pair in enumerate(zip(*lines, strict=True))]
    (folder / "mixed.mrg").write_text("\n".join(mixed) + "\n", "utf-8")
    path = folder / "parsers.html"
    files = [*(f"{one}={EXAMPLES}/web.{one}.mrg" for one in PARSERS), MIXED]
    files[-1] += str(folder / "mixed.mrg")
    options = ("--html", path, "-q", "--resamples", "50")
    assert spinal("report", GOLD, *files, *options).code == 0
    ran = spinal("compare", GOLD, *files, "--resamples", "50", "--format", "json", "-q")
    (folder / "compared.json").write_text(ran.out, "utf-8")
    return path


PARSERS = ("greedy", "chart")
MIXED = "a_parser_with_a_name_that_is_long="


@pytest.fixture(scope="module")
def genres(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("genres")
    rows = ["line\tgenre", *(f"{n + 1}\tgenre {n % GROUPS}" for n in range(44))]
    (folder / "genres.tsv").write_text("\n".join(rows) + "\n", "utf-8")
    path = folder / "genres.html"
    whole = f"all={GOLD}:{EXAMPLES}/web.greedy.mrg"
    options = ("--group-by", f"{folder / 'genres.tsv'}:genre", "--html", path, "-q")
    assert spinal("report", whole, *options).code == 0
    return path


# -- several parsers -------------------------------------------------------------------


def test_lists_open_what_is_repaired_and_broken(
    browser: Browser, parsers: Path
) -> None:
    """Each line leads to as many brackets as it counts, and as `compare` counts."""
    told = json.loads((parsers.parent / "compared.json").read_text("utf-8"))
    browser.open(parsers)
    browser.run(
        "document.querySelectorAll('#found details').forEach(d => d.open = true)"
    )
    browser.wait("document.querySelectorAll('#found table').length === 4")
    lists = browser.run(
        "return [...document.querySelectorAll('#found table')].map((table) => "
        "[...table.querySelectorAll('tbody tr, tfoot tr')].map((row) => "
        "[row.cells[0].textContent, Number(row.cells[1].textContent), "
        "row.cells[1].querySelector('a').getAttribute('href')]))"
    )
    at = 0
    for comparison in told["comparisons"]:
        for field in ("repaired", "broken"):
            counts = {
                row["construction"]: row[field]
                for row in comparison["agreement"]
                if row[field]
            }
            assert {name: count for name, count, _ in lists[at]} == counts
            for name, count, link in (*lists[at][:4], lists[at][-1]):
                browser.run("location.hash = arguments[0]", link)
                browser.wait("document.getElementById('link').hash.includes('found')")
                ending = f" of {count:,}"
                browser.wait(
                    "document.getElementById('counter').innerText"
                    f".endsWith({json.dumps(ending)})"
                )
                if name != "total":
                    assert browser.text("#error-heading").startswith(f"{name} of ")
            at += 1
    # The parser that finds it makes no such error.
    assert "does not make this error" in browser.text("#what")


def test_parsers_stand_in_one_order(browser: Browser, parsers: Path) -> None:
    """As they were given, though another one is better."""
    names = [*PARSERS, MIXED.rstrip("=")]
    browser.open(parsers)
    assert browser.texts("#parsers [data-place='1'] tbody th") == names
    assert browser.texts("#parsers [data-place='2'] thead th")[2:] == names
    summaries = browser.texts("#differences summary")
    assert [one.split(" against ")[0] for one in summaries] == names[1:]
    options = "[...document.querySelectorAll('.bar option')]"
    assert browser.run(f"return {options}.map((one) => one.textContent)") == names
    scores = browser.texts("#parsers [data-place='1'] tbody td:nth-child(6)")
    assert float(scores[0]) < float(scores[1])


def test_colour_never_stands_alone(browser: Browser, parsers: Path) -> None:
    """Every cell of a heat map has a number, its interval, and letters to be read."""
    contrast = """
    const pen = document.createElement("canvas").getContext("2d",
      { willReadFrequently: true });
    const channels = (color) => {
      // Where a cell has no colour of its own, it has the page's.
      for (const one of [getComputedStyle(document.body).backgroundColor, color]) {
        pen.fillStyle = one;
        pen.fillRect(0, 0, 1, 1);
      }
      return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const light = (color) => {
      const [r, g, b] = channels(color).map((one) => one / 255)
        .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    return [...document.querySelectorAll("td.heat")].map((cell) => {
      const small = cell.querySelector("small");
      const [under, over] = [cell, small].map((one, at) =>
        light(getComputedStyle(one)[at ? "color" : "backgroundColor"]));
      return [cell.textContent, small.textContent,
              (Math.max(under, over) + 0.05) / (Math.min(under, over) + 0.05)];
    });"""
    for theme in ("light", "dark"):
        browser.open(parsers)
        browser.run("document.documentElement.dataset.theme = arguments[0]", theme)
        # The darkest of both colours, wherever data may need them.
        browser.run(
            "const [one, other] = document.querySelectorAll('td.heat');"
            "one.className = 'n heat worse-8'; other.className = 'n heat better-8'"
        )
        cells = browser.run(contrast)
        assert len(cells) > 100
        for text, detail, ratio in cells:
            assert text[: len(text) - len(detail)].strip("+-−.0123456789") == ""
            assert " to " in detail or "–" in detail or detail == ""
            assert ratio > 4.5, (theme, text, ratio)


@pytest.mark.parametrize("width", [420, 760, 1000, 1280])
def test_long_names_and_many_sections_stay_in_sight(
    browser: Browser, parsers: Path, width: int
) -> None:
    with browser.sized(width):
        browser.open(parsers)
        browser.choose(".bar .choose-dataset", "2")
        links = browser.run(
            "return [...document.querySelectorAll('.bar a, .bar select, .bar button')]"
            ".filter((one) => one.getClientRects().length)"
            ".map((one) => one.getBoundingClientRect())"
            ".map(({left, right, top}) => [left, right, top])"
        )
        assert len(links) > 10
        for left, right, _ in links:
            assert left >= 0
            assert right <= width
        assert browser.run("return document.documentElement.scrollWidth") <= width


# -- many data sets --------------------------------------------------------------------


def test_what_is_not_looked_at_is_no_element(browser: Browser, genres: Path) -> None:
    """Every data set is there when it is chosen, with its tables as they were left."""
    browser.open(genres)
    first = browser.run(ELEMENTS)
    assert first < MOST_ELEMENTS / 2
    browser.click("#constructions thead th:nth-child(2) button")
    rows = browser.texts("#constructions tbody th")
    for number in range(1, GROUPS):
        browser.choose(".bar .choose-dataset", str(number))
        assert len(browser.texts(f"#constructions-{number + 1} tbody th")) > 3
        assert browser.run(ELEMENTS) < 2 * first
    browser.choose(".bar .choose-dataset", "0")
    assert browser.texts("#constructions tbody th") == rows
    assert "aria-sort" in browser.run(
        "return document.querySelector('#constructions th:nth-child(2)').outerHTML"
    )


def test_without_scripts_everything_is_there(genres: Path) -> None:
    text = genres.read_text("utf-8")
    whole = text.replace("<noscript>", "").replace("</noscript>", "")
    assert whole.count('data-name="constructions"') == GROUPS
    assert text.count("<noscript>") == text.count("</noscript>") > GROUPS


def test_a_cell_opens_the_errors_of_its_data_set(
    browser: Browser, genres: Path
) -> None:
    browser.open(genres)
    link = browser.run(
        "const cell = [...document.querySelectorAll('#datasets td.heat')]"
        ".find((one) => one.querySelector('a[href*=\"NP-t\"]'));"
        "cell.querySelector('a').click(); return cell.querySelector('a').hash"
    )
    name, construction, _ = link.removeprefix("#").split("/")
    browser.wait(f"location.hash.startsWith('#{name}/')")
    assert construction == "NP-t"
    chosen = "return document.querySelector('.controls .choose-dataset')"
    shown = browser.run(f"{chosen}.selectedOptions[0].textContent")
    assert shown == name.replace("%20", " ")


def test_folded_gaps_have_their_words_and_tables(
    browser: Browser, genres: Path
) -> None:
    browser.open(genres)
    assert not browser.texts("#gap .fold p")
    assert len(browser.texts("#gap .fold summary")) == GROUPS - 1
    browser.click("#gap .fold:nth-of-type(3) summary")
    browser.wait("document.querySelector('#gap .fold:nth-of-type(3) table button')")
    summary = browser.text("#gap .fold:nth-of-type(3) summary")
    words = browser.text("#gap .fold:nth-of-type(3) p")
    is_chance = summary.endswith("which may be chance")
    assert is_chance == (words.startswith("No difference") or "too little" in words)
    # One small plot each, on one scale.
    assert len(browser.texts(".small figcaption")) == GROUPS


def test_fifteen_thousand_sentences(browser: Browser, tmp_path: Path) -> None:
    """The list of errors and all tables, in few elements and few bytes."""
    path = tmp_path / "page.html"
    path.write_text(page_of(*long_sentences(15_000, 9), limit=100_000), "utf-8")
    assert path.stat().st_size < 9_000_000
    browser.open(path)
    assert browser.text("#counter") == "1 of 30,000"
    assert browser.run(ELEMENTS) < MOST_ELEMENTS


@pytest.mark.slow
def test_the_genres_of_gum(browser: Browser, tmp_path: Path) -> None:
    if not SYNTAX.is_dir():
        pytest.skip(f"NOT RUN: {SYNTAX} is not there")
    path = tmp_path / "gum.html"
    whole = f"all={SYNTAX}/gold/dev.gold.mrg:{SYNTAX}/parsed/dev.berkeley-sm4.mrg"
    group = f"{SYNTAX}/sidecar/dev.tsv:genre"
    assert spinal("report", whole, "--group-by", group, "--html", path, "-q").code == 0
    assert path.stat().st_size < 6_000_000
    browser.open(path)
    assert browser.run(ELEMENTS) < MOST_ELEMENTS
