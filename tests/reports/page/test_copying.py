"""“Copy as” on the pages: what would be copied, and how the menu is used."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.support.browser import Browser
from tests.support.command import spinal
from tests.support.data_paths import EXAMPLES

pytestmark = pytest.mark.browser

# The clipboard, for a test to read.
CLIPBOARD = """
window.copied = null;
const read = (blob) => new Promise((done) => {
  const reader = new FileReader();
  reader.onload = () => done(reader.result);
  reader.readAsDataURL(blob);
});
Object.defineProperty(navigator, "clipboard", { configurable: true, value: {
  writeText: async (text) => { window.copied = text; },
  write: async ([item]) => {
    window.copied = await read(await item.getType("image/png"));
  },
} });
"""
TABLE = "#constructions div.table"
TREE = "#trees figure"


def copied(browser: Browser, block: str, form: str) -> str:
    """What a choice of the menu of the first such block puts on the clipboard."""
    browser.run(CLIPBOARD)
    browser.click(f"{block} > .copy")
    browser.click(f".copy-menu [data-format={form}]")
    browser.wait("window.copied !== null")
    return str(browser.run("return window.copied"))


def offered(browser: Browser, block: str) -> list[str]:
    browser.click(f"{block} > .copy")
    names = browser.texts(".copy-menu button")
    browser.click(f"{block} > .copy")
    return names


def png_size(url: str) -> tuple[int, int]:
    content = base64.b64decode(url.partition(",")[2])
    assert content.startswith(b"\x89PNG")
    return tuple(int.from_bytes(content[a : a + 4], "big") for a in (16, 20))  # type: ignore[return-value]


def test_every_table_and_picture_has_a_menu(browser: Browser, page: Path) -> None:
    browser.open(page)
    lacking = browser.run(
        "return [...document.querySelectorAll('div.table, figure')]"
        ".filter(e => e.querySelectorAll(':scope > .copy').length !== 1).length"
    )
    assert lacking == 0
    assert offered(browser, TABLE) == ["SVG", "PNG", "LaTeX", "TSV", "Link"]
    assert offered(browser, TREE) == ["SVG", "PNG", "LaTeX", "Link"]
    assert offered(browser, "figure.picture") == ["SVG", "PNG", "Link"]


def test_a_table_is_copied_as_it_stands(browser: Browser, page: Path) -> None:
    browser.open(page)
    lines = copied(browser, TABLE, "tsv").splitlines()
    titles = lines[0].split("\t")
    assert titles[0] == "construction"
    assert {line.count("\t") for line in lines} == {len(titles) - 1}
    assert lines[-1].startswith("total\t")
    browser.click(f"{TABLE} thead button")  # sorted by name
    names = [
        line.split("\t")[0] for line in copied(browser, TABLE, "tsv").splitlines()[1:-1]
    ]
    assert names == browser.run(
        "return [...document.querySelectorAll(arguments[0] + ' tbody tr')]"
        ".map(row => row.cells[0].firstChild.textContent)",
        TABLE,
    )
    browser.run(
        "const e = document.querySelector(arguments[0] + ' input'); e.value = 'NP-t';"
        "e.dispatchEvent(new Event('input', {bubbles: true}))",
        TABLE,
    )
    latex = copied(browser, TABLE, "latex")
    begin, top, head, rule, *rows = latex[latex.index("\\begin") :].splitlines()
    assert re.fullmatch(r"\\begin\{tabular\}\{l[rl]+\}", begin)
    assert (top, rule, rows[-2:]) == (
        *("\\toprule", "\\midrule", ["\\bottomrule", "\\end{tabular}"]),
    )
    assert head.endswith("\\\\")
    shown = browser.run(
        "return [...document.querySelectorAll(arguments[0] + ' tbody tr')]"
        ".filter(row => !row.hidden).length",
        TABLE,
    )
    assert len(rows) == shown + 4  # a rule, the total, and two lines at the end
    assert copied(browser, TABLE, "link").partition("#")[2].startswith("constructions")


def test_pictures_stand_on_their_own_and_are_light(
    browser: Browser, page: Path
) -> None:
    browser.open(page)
    light = [copied(browser, one, "svg") for one in (TREE, TABLE, "figure.picture")]
    for svg in light:
        root = ElementTree.fromstring(svg)
        assert float(root.attrib["width"]) > 100
        assert "var(" not in svg
        assert not [node for node in root.iter() if node.get("class")]
        assert "".join(root.itertext()).strip()
    browser.click("#theme")
    dark = [copied(browser, one, "svg") for one in (TREE, TABLE, "figure.picture")]
    assert browser.run("return document.documentElement.style.colorScheme") == ""
    browser.click("#theme")
    assert dark == light
    for block, svg in zip((TREE, TABLE), light, strict=False):
        width = float(ElementTree.fromstring(svg).attrib["width"])
        assert png_size(copied(browser, block, "png"))[0] == pytest.approx(
            2 * width, abs=2
        )


def test_trees_are_copied_for_forest(browser: Browser, page: Path) -> None:
    browser.open(page)
    for view in ("#show-trees", "#show-derivations"):
        browser.click(view)
        text = copied(browser, TREE, "latex")
        assert "\\begin{forest}" in text
        body = re.sub(r"\\[^a-z]", "", text[text.index("[, content") :])
        while "{" in body:
            body, count = re.subn(r"\{[^{}]*\}", "", body)
            assert count
        assert "}" not in body
        assert body.count("[") == body.count("]")
        marked = len(re.findall(r"\}, missed", text))
        drawn = browser.run(
            "return document.querySelectorAll('#gold-tree text.missed .sign').length"
        )
        assert marked == drawn
    link = copied(browser, TREE, "link")
    assert link == browser.run("return location.href")


def test_the_menu_has_keys_of_its_own(browser: Browser, page: Path) -> None:
    browser.open(page)
    before = browser.text("#counter")
    browser.run(CLIPBOARD)
    browser.run("document.querySelector(arguments[0]).focus()", f"{TREE} > .copy")
    browser.keys("\ue007")  # Enter
    focused = "return document.activeElement.textContent"
    assert browser.run(focused) == "SVG"
    browser.keys("\ue015\ue015")  # arrow down
    assert browser.run(focused) == "LaTeX"
    browser.keys("\ue013\ue013\ue013")  # up, round to the last
    assert browser.run(focused) == "Link"
    assert browser.text("#counter") == before
    browser.keys("\ue00c")  # Escape
    assert browser.run("return document.querySelector('.copy-menu').hidden")
    assert browser.run("return document.activeElement.className") == "copy"
    browser.keys("\ue007\ue015\ue015\ue007")
    browser.wait("window.copied !== null")
    browser.wait("document.activeElement.textContent === 'Copied'")
    assert "forest" in browser.run("return window.copied")


def test_findings_are_copied_as_well(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "cards.html"
    bank = tmp_path / "bank.mrg"
    good = "(ROOT (S (NP (DT the) (NN cat)) (VP (VBD sat)) (. .)))\n"
    bank.write_text(
        good * 9 + good.replace("(DT the) (NN cat)", "(DT the) (VB cat)"), "utf-8"
    )
    ran = spinal("check", bank, "--format", "html", "--level", "info", "-q")
    path.write_text(ran.out, "utf-8")
    browser.open(path)
    browser.wait("document.querySelector('article figure.copied img')")
    latex = copied(browser, "article figure", "latex")
    assert "content={cat}" in latex
    svg = copied(browser, "article figure", "svg")
    count = browser.run(
        "return document.querySelector('article figure').querySelectorAll('img').length"
    )
    assert len(list(ElementTree.fromstring(svg).iter(f"{{{SVG}}}style"))) == count
    assert png_size(copied(browser, "article figure", "png"))[0] > 200
    article = browser.run("return document.querySelector('article').id")
    assert copied(browser, "article figure", "link").endswith(f"#{article}")


SVG = "http://www.w3.org/2000/svg"


def test_without_a_clipboard_it_is_a_file(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run(
        "Object.defineProperty(navigator, 'clipboard', {configurable: true, value: {"
        "writeText: () => Promise.reject(new Error()) }});"
        "window.saved = null;"
        "HTMLAnchorElement.prototype.click = "
        "function () { window.saved = this.download; }"
    )
    browser.click(f"{TABLE} > .copy")
    browser.click(".copy-menu [data-format=latex]")
    browser.wait("window.saved")
    assert browser.run("return window.saved") == "spinal.tex"
    browser.wait(
        f"document.querySelector('{TABLE} > .copy').textContent.startsWith('Saved')"
    )


def test_a_page_of_three_annotators_browses_each_pair(
    browser: Browser, tmp_path: Path
) -> None:
    ben = EXAMPLES / "annotators" / "ben.mrg"
    other, path = tmp_path / "cleo.mrg", tmp_path / "agree.html"
    other.write_text(ben.read_text("utf-8").replace("(NML ", "(NP "), "utf-8")
    paths = (EXAMPLES / "annotators" / "anna.mrg", ben, other)
    path.write_text(spinal("agree", *paths, "--format", "html", "-q").out, "utf-8")
    browser.open(path)
    pairs = (
        "return [...document.querySelector('.choose-dataset').options].map(o=>o.text)"
    )
    assert browser.run(pairs) == ["anna – ben", "anna – cleo", "ben – cleo"]
    assert browser.texts("#trees svg")
    assert "anna.mrg" in browser.text("#disagreements")
    browser.choose(".choose-dataset", "1")
    browser.wait("!document.querySelector('#disagreements-2').hidden")
    assert "cleo.mrg" in browser.text("#disagreements-2")
