"""Where the score goes, and that nothing on the page is a dead end."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from analyzer import score
from analyzer.analyses.errors import LOSSES
from analyzer.metrics.intervals import Interval
from reports.drawing.lost_svg import Lost, lost_svg
from tests.support.browser import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES, WEB_PAIR

DOCUMENTS = EXAMPLES / "discourse", EXAMPLES / "discourse_chart"


@pytest.fixture(scope="module")
def one_parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("lost") / "page.html"
    assert spinal("report", *WEB_PAIR, "--html", path, "-q").code == 0
    return path


def test_bars_are_as_long_as_what_is_lost() -> None:
    parts = {"head": 2, "label": 6}
    rows = [
        Lost("NP-t", 40, parts, Interval(0.1, 0.4)),
        Lost("S<i>" + "x" * 40, 4, {"span": 4}, Interval(None, None)),
    ]
    svg = lost_svg(rows, lambda row, part: f"#{row and row.name}/{part}", "bars")
    widths = re.findall(
        r'<rect class="(\w+)" x="([\d.]+)%" y="\d+" width="([\d.]+)%"', svg
    )
    # The end of the interval, 16 brackets, is the longest: 40 % of the width.
    assert widths == [
        ("head", "0.00", "5.00"),
        ("label", "5.00", "15.00"),
        ("span", "0.00", "10.00"),
    ]
    assert '<line x1="10.00%" x2="40.00%"' in svg
    assert "8 of 40" in svg
    assert "20 % (10–40)" in svg
    assert "<i>" not in svg
    assert "x…</text>" in svg
    assert 'href="#NP-t/label"' in svg
    assert 'href="#None/unary"' in svg


def test_the_first_thing_on_the_page_is_what_is_lost(one_parser: Path) -> None:
    html = one_parser.read_text("utf-8")
    first = html.split("<section ")[1]
    assert first.startswith('id="lost"')
    rows = score(*WEB_PAIR).rows
    lost = {row.construction: row.gold - row.matched_s for row in rows}
    told = re.findall(r'aria-label="([\w-]+): (\d+) of (\d+) lost', first)
    assert len(told) == 10
    assert {name: int(n) for name, n, _ in told} == {x: lost[x] for x, *_ in told}
    counts = [int(n) for _, n, _ in told]
    assert counts == sorted(lost.values(), reverse=True)[:10]
    assert f"{sum(lost.values())} of" in first
    # The table has the same order.
    table = html.split('data-name="constructions"')[1].split("</table>")[0]
    in_table = re.findall(r'<th scope="row">(?:<a [^>]*>)?([\w-]+)<', table)
    assert [lost[name] for name in in_table[:-1]] == sorted(lost.values(), reverse=True)


def test_documents_have_no_head_words(tmp_path: Path) -> None:
    path = tmp_path / "documents.html"
    assert spinal("report", *DOCUMENTS, "--html", path, "-q").code == 0
    html = path.read_text("utf-8").split("<script")[0]
    assert "head word" not in html
    assert "evalb" not in html
    assert "same head unit" in html


# -- in the browser --------------------------------------------------------------------


@pytest.mark.browser
def test_every_link_of_tables_and_bars_opens_errors(
    browser: Browser, one_parser: Path
) -> None:
    """Each leads somewhere; what it counts is what is listed."""
    browser.open(one_parser)
    browser.run("document.querySelectorAll('details').forEach((d) => d.open = true)")
    browser.wait("document.querySelectorAll('.table a[href]').length > 300")
    links = browser.run(
        "return [...document.querySelectorAll('.table a[href], .lost a[href]')]"
        ".map((a) => [a.getAttribute('href'), a.textContent,"
        "a.closest('[data-name]')?.dataset.name ?? 'lost',"
        "a.closest('[data-value]')?.dataset.value ?? null])"
    )
    opened = """
    const seen = {};
    for (const link of arguments[0]) {
      history.replaceState(null, "", link);
      dispatchEvent(new PopStateEvent("popstate"));
      seen[link] = document.getElementById("counter").textContent;
    }
    return seen;
    """
    names = {name for *_, name, _ in links}
    # Of large tables some: browsers refuse hundreds of addresses in a few seconds.
    by_name = {name: [one for one in links if one[2] == name] for name in names}
    links = [one for some in by_name.values() for one in some[:: 1 + len(some) // 18]]
    links += [link for link in by_name["lost"] if "/*/" in link[0]]
    chosen = sorted({link for link, *_ in links} | {"#web.chart/*/lost"})
    seen = browser.run(opened, chosen)
    assert {"lost", "constructions", "confusions", "causes", "error_types"} <= names
    for link, text, name, value in links:
        listed = int(seen[link].split(" of ")[1]) if " of " in seen[link] else 0
        assert listed, (link, text, name)
        counts = name == "confusions" or "/lost?" in link or link.endswith("/lost")
        if value is not None and counts and "." not in value:
            assert listed == int(value), (link, name)
    parts = [link.rsplit("-", 1)[1] for link in chosen if "/*/lost-" in link]
    assert sorted(parts) == sorted(LOSSES)
    of_parts = [int(seen[f"#web.chart/*/lost-{part}"].split()[-1]) for part in LOSSES]
    assert sum(of_parts) == int(seen["#web.chart/*/lost"].split()[-1])


@pytest.mark.browser
def test_a_click_on_a_bar_opens_its_errors_and_back_leads_back(
    browser: Browser, one_parser: Path
) -> None:
    browser.open(one_parser)
    part = "#lost a[href='#web.chart/S-vp/lost-attachment']"
    browser.run(
        "document.querySelector(arguments[0])"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}))",
        part,
    )
    browser.wait("document.getElementById('kind').value === 'lost-attachment'")
    assert browser.run("return document.getElementById('construction').value") == "S-vp"
    assert "Lost to attachment" in browser.text("#what")
    browser.run("history.back()")
    browser.wait("document.getElementById('kind').value === '*'")


@pytest.mark.browser
def test_the_browser_filters_by_error_type(browser: Browser, one_parser: Path) -> None:
    browser.open(one_parser, "#web.chart/*/*?type=UNSET+move")
    number = browser.text("#counter").split()[-1]
    assert number == "8"
    assert "UNSET move: " in browser.text("#mended")
    assert f"UNSET move ({number})" in browser.run(
        "return [...document.querySelectorAll('#type option')].map(o => o.textContent)"
    )
    browser.choose("#type", "Unary")
    browser.wait("location.hash.includes('type=Unary')")
    assert "Unary: " in browser.text("#mended")
    browser.run("history.back()")
    browser.wait("document.getElementById('type').value === 'UNSET move'")
    asked = parse_qs(urlsplit(browser.fragment()[1:]).query)
    assert asked["type"] == ["UNSET move"]


@pytest.mark.browser
def test_a_sentence_can_be_linked(browser: Browser, one_parser: Path) -> None:
    browser.open(one_parser, "#errors")
    browser.click("#error-heading a:last-of-type[href*='filter']")
    browser.wait("location.hash.includes('filter=%23')")
    assert len(set(browser.texts("#rows .number"))) == 1


@pytest.mark.browser
def test_escape_lists_all_errors_again(browser: Browser, one_parser: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(one_parser, "#errors")
    whole = browser.text("#counter").split()[-1]
    instead = "#web.chart/NP-modr/head-missed?instead=%28nothing%29"
    browser.open(one_parser, instead)
    assert browser.text("#instead").startswith("instead: (nothing)")
    assert browser.text("#counter").split()[-1] != whole
    browser.keys(Keys.ESCAPE)
    assert browser.text("#counter").split()[-1] == whole
    assert browser.texts("#instead") == []


@pytest.mark.browser
def test_keys_move_what_is_in_sight(browser: Browser, one_parser: Path) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(one_parser)
    before = browser.text("#counter")
    browser.keys("t" + Keys.ARROW_RIGHT)
    assert browser.text("#counter") == before
    assert browser.text("#gold-note").endswith("only here")
    browser.keys("j")  # leads there
    browser.wait(
        "document.getElementById('errors').getBoundingClientRect().top < innerHeight/2"
    )
    assert browser.text("#counter") == before
    browser.keys("j")
    assert browser.text("#counter").startswith("2 ")


@pytest.mark.browser
def test_two_tabs_and_enter_lead_to_the_errors(
    browser: Browser, one_parser: Path
) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.open(one_parser)
    browser.keys(Keys.TAB + Keys.TAB)
    assert browser.run("return document.activeElement.textContent") == (
        "Skip to the errors"
    )
    browser.keys(Keys.ENTER)
    browser.wait("location.hash === '#errors'")
    browser.keys(Keys.TAB)
    assert browser.run("return Boolean(document.activeElement.closest('#errors'))")


@pytest.mark.browser
def test_types_are_explained_to_keys_and_pointers(
    browser: Browser, one_parser: Path
) -> None:
    focused = {"enabled": True}  # whatever windows there are
    browser.driver.execute_cdp_cmd("Emulation.setFocusEmulationEnabled", focused)
    browser.open(one_parser)
    link = "[data-name='error_types'] a[href='#web.chart/*/*?type=XoverX+Unary']"
    browser.run("document.querySelector(arguments[0]).focus()", link)
    assert "one of the same label" in browser.text("#tip")
    described = "return document.activeElement.getAttribute('aria-describedby')"
    assert browser.run(described) == "tip"
    browser.run("document.activeElement.blur()")
    assert browser.texts("#tip") == []
    browser.run(
        "document.querySelector(arguments[0])"
        ".dispatchEvent(new MouseEvent('mouseover', {bubbles: true}))",
        link,
    )
    assert "one of the same label" in browser.text("#tip")


@pytest.mark.browser
def test_headings_of_tables_do_not_cover_the_bar(
    browser: Browser, one_parser: Path
) -> None:
    browser.open(one_parser)
    on_top = """
    const head = document.querySelector("#constructions thead th");
    scrollBy(0, head.getBoundingClientRect().top - 8);
    const { left } = head.getBoundingClientRect();
    return Boolean(document.elementFromPoint(left + 5, 20).closest(".bar"));
    """
    assert browser.run(on_top) is True


@pytest.mark.browser
def test_one_parser_prints_on_six_sheets(browser: Browser, one_parser: Path) -> None:
    browser.open(one_parser)
    printed = browser.driver.execute_cdp_cmd(
        "Page.printToPDF", {"preferCSSPageSize": True}
    )
    content = base64.b64decode(printed["data"])
    assert 3 <= len(re.findall(rb"/Type\s*/Page\b", content)) <= 6
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        assert browser.texts("button, select, input") == []
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
