"""The site: what it is made of, and that it builds and loads nothing from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import spinal
from analyzer import load_inventory, score_rst_constructions
from docs.scripts import discourse_glossary, glossary
from tests.support.browser import Browser
from tests.support.data_paths import ROOT

# Attributes by which a page loads something at once.
_LOADS = {
    "script": "src",
    "link": "href",
    "img": "src",
    "iframe": "src",
    "source": "src",
    "object": "data",
}


@pytest.mark.parametrize("name", glossary.INVENTORIES)
def test_the_glossary_has_every_construction_with_a_tree(name: str) -> None:
    inventory = load_inventory(name)
    found = {entry.pattern.name: entry for entry in glossary.entries(inventory)}
    assert list(found) == [pattern.name for pattern in inventory.patterns]
    for entry in found.values():
        assert entry.drawing.startswith("<svg ")
        assert 'class="noted"' in entry.drawing  # the way to the head
    # English is what most people look up: nearly all of it is shown in real phrases.
    attested = sum(entry.is_attested for entry in found.values())
    assert attested >= (len(found) - 3 if name == "english" else 8)


def test_shapes_of_discourse_are_drawn_as_they_are_named() -> None:
    shapes = {one.name.partition("-")[2] for one in load_inventory("rst").patterns}
    assert set(discourse_glossary.EXAMPLES) == shapes
    for construction, text in discourse_glossary.EXAMPLES.values():
        rows = score_rst_constructions(text, text, binarize="none").scores.rows
        assert construction in [row.construction for row in rows]


def test_an_example_of_the_glossary() -> None:
    """A PP as it is scored: no trace, no function tag; the preposition is its head."""
    (entry,) = (
        entry
        for entry in glossary.entries(load_inventory("english"))
        if entry.pattern.name == "PP-t"
    )
    texts = re.findall(r">([^<>\n]+)</text>", entry.drawing)
    assert texts[0] == "PP"
    assert not any("-" in text for text in texts if text.isupper())


def test_the_glossary_of_the_repository_is_that_of_the_code() -> None:
    """`python -m docs.scripts.glossary` writes it; every link to it leads somewhere."""
    folder = ROOT / "docs/glossary"
    made = {**glossary.text_pages(), **discourse_glossary.text_pages()}
    assert {path.name for path in folder.glob("*.md")} == made.keys()
    for name, text in made.items():
        assert (folder / name).read_text("utf-8") == text, name
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    for page in pages:
        links = re.findall(
            r"\]\(([^()#\s]*glossary/[^()#\s]*)", page.read_text("utf-8")
        )
        for link in links:
            assert (page.parent / link).exists(), (page, link)


def test_what_heads_what_is_what_the_inventories_say() -> None:
    """The table in docs/treebanks.md: heads are in brackets."""
    text = (ROOT / "docs/treebanks.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (`.*->.*)$", text, re.M)
    assert {name for name, _ in rows} == set(glossary.INVENTORIES)
    for name, cells in rows:
        inventory = load_inventory(name)
        productions = re.findall(r"`(\w+) -> ([^`]+)`", cells)
        assert len(productions) >= 6
        for parent, shown in productions:
            labels = shown.split()
            head = next(at for at, one in enumerate(labels) if one.startswith("["))
            children = inventory.children([one.strip("[]") for one in labels])
            found = [at for _, at in inventory.matches(parent, children)]
            assert found == [head], (name, parent, shown)


def test_every_public_name_is_in_the_reference_once() -> None:
    pages = [path.read_text("utf-8") for path in (ROOT / "docs" / "api").glob("*.md")]
    named = Counter(re.findall(r"^::: spinal\.(\w+)$", "\n".join(pages), re.M))
    public = {name for name in dir(spinal) if not name.startswith("_")}
    formers = {
        name
        for name in public
        if getattr(getattr(spinal, name), "__name__", name) != name
    }
    assert formers == {
        *("compare_systems", "compare_domains", "find_errors", "write_report")
    }
    assert set(named) == public - formers
    assert set(named.values()) == {1}


class Loaded(HTMLParser):
    """The addresses that a page loads."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        address = given.get(_LOADS.get(tag, ""))
        if address and given.get("rel") not in ("next", "prev", "canonical"):
            self.found.append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built site; strictly: a broken link or a page without a place fails."""
    pytest.importorskip("material", reason="NOT RUN: mkdocs-material is not installed")
    pytest.importorskip("mkdocstrings", reason="NOT RUN: mkdocstrings is not installed")
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.mark.slow
def test_the_site_is_complete_in_itself(site: Path) -> None:
    """No page loads anything that is not in the site."""
    pages = list(site.rglob("*.html"))
    assert len(pages) > 60
    for page in pages:
        parser = Loaded()
        text = page.read_text("utf-8")
        parser.feed(text)
        assert parser.found
        if page.parent.name == "live":  # all of it is in the file
            assert parser.found == ["data:,"]
            continue
        for address in parser.found:
            assert not re.match(r"(https?:)?//", address), f"{page.name}: {address}"
            path = unquote(address.partition("#")[0].partition("?")[0])
            file = page.parent / path
            # The page for what is not found is served at any address.
            assert file.exists() or page.name == "404.html", (page.name, address)
        # The theme would load what draws diagrams from the network.
        assert "mermaid" not in re.findall(r'class="([^"]*)"', text)
    for style in site.rglob("*.css"):
        loaded = re.findall(r"url\(([^)]*)\)|@import ([^;]*)", style.read_text("utf-8"))
        assert not [one for pair in loaded for one in pair if "//" in one[:8]]


@pytest.mark.browser
@pytest.mark.slow
def test_the_start_page_has_a_report_and_a_review(site: Path, browser: Browser) -> None:
    browser.open(site / "index.html")
    assert browser.run("return document.querySelectorAll('iframe.live').length") == 2
    for number, ready in enumerate(("#trees svg", "article.here")):
        frames = browser.driver.find_elements("css selector", "iframe.live")
        browser.run("arguments[0].scrollIntoView()", frames[number])
        browser.driver.switch_to.frame(frames[number])
        browser.wait(f"document.querySelector('{ready}')")
        browser.wait("document.querySelector('.copied')")
        browser.driver.switch_to.default_content()


@pytest.mark.browser
@pytest.mark.slow
def test_search_from_a_disk(site: Path, browser: Browser) -> None:
    """Where a browser allows no workers, our stand-in for one finds pages."""
    browser.driver.get((site / "index.html").as_uri())
    browser.click("[data-md-toggle=search]")
    browser.run("document.querySelector('.md-search__input').focus()")
    browser.keys("spanR")
    browser.wait("document.querySelectorAll('.md-search-result__link').length > 3")
    assert "Scores" in browser.texts(".md-search-result__link h1")
