"""The errors on the page in a real browser: each shows the right trees."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from analyzer import derive, read_trees, repairs
from analyzer.derivation.spines import Spine, differing
from analyzer.model.tree import Tree
from reports.drawing.outline import derivation_outline
from tests.support.browser import Browser
from tests.support.data_paths import EXAMPLES
from tests.support.shown_errors import ALL_SHOWN, shown

pytestmark = pytest.mark.browser


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


def test_every_edit_shown_is_the_right_one(browser: Browser, page: Path) -> None:
    """The trees before and after the edit that mends an error, with what it moves."""
    browser.open(page, "#web/*/*")
    browser.click("#fold")
    browser.click("#show-edit")
    pair = (str(EXAMPLES / "web.gold.mrg"), str(EXAMPLES / "web.chart.mrg"))
    repaired = repairs(*pair, classifier="spinal", keep_trees=True)
    steps = [repaired.stages(one) for one in repaired.sentences]
    found = browser.run(ALL_SHOWN)
    mended = [one for one in found if one["mended"].startswith("Corrected by")]
    assert len(mended) > 0.9 * len(found)
    for one in mended:
        number = int(one["heading"].rsplit(" ", 1)[1])
        told = re.fullmatch(r"Corrected by edit (\d+) of (\d+): (.*)\.", one["mended"])
        assert told is not None
        stage = steps[number - 1][int(told[1]) - 1]
        assert (len(steps[number - 1]), stage.text) == (
            int(told[2]),
            f"{told[1]}. {told[3]}",
        )
        before, after = (tree.brackets() for tree in stage.trees())
        before = f"tree before the edit: {before}"
        after = f"tree after the edit: {after}"
        assert (one["gold"]["name"], one["parsed"]["name"]) == (before, after)
        assert len(one["gold"]["marked"]) == len(stage.before_marks)
        assert len(one["parsed"]["marked"]) == len(stage.after_marks)
    legend = " ".join(browser.texts(".legend span"))
    assert "moved or removed" in legend
    browser.click("#show-trees")
    assert "moved or removed" not in " ".join(browser.texts(".legend span"))


def _derivations(name: str) -> dict[int, list[tuple[list[str], int]]]:
    """Per sentence and side: the texts of the drawing, and how many spines differ."""
    files = EXAMPLES / f"{name}.gold.mrg", EXAMPLES / f"{name}.chart.mrg"
    expected = {}
    for sentence in derive(*files).rows:
        both = zip(sentence.sides, reversed(sentence.sides), strict=True)
        expected[sentence.number] = [
            (_texts(spines), len(differing(spines, others))) for spines, others in both
        ]
    return expected


def _texts(spines: Sequence[Spine]) -> list[str]:
    """The page draws a spine top down, what it attaches to above it."""
    texts = []
    for node in derivation_outline(spines).nodes:
        texts += reversed(node.label.split(" "))
        texts += [node.text] if node.text is not None else []
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
    browser.wait(f"location.hash === '{one['hash']}'")


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
    # What was typed may have been looked for before it was taken back.
    browser.open(page, "#news/PP-t/attachment")
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
    browser.wait(f"document.getElementById('counter').innerText !== '{before}'")
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
    browser.wait("!document.getElementById('nothing').hidden")
    assert browser.text("#counter") == "none"
    browser.click("#reset")
    assert browser.text("#counter").startswith("1 of ")
