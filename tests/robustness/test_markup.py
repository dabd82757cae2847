"""What stands in a treebank is data: no output format takes it for markup."""

from __future__ import annotations

import csv
import html.parser
import io
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import spinal

NASTY = [
    "<script>alert-1</script>",
    "=cmd",
    "+1",
    "@SUM",
    "\\input{x}",
    "|",
    '"onload=',
    "'><b>",
    "&amp;",
    "$x^2_y$%#~",
    "`code`*b*_i_[link]",
    "]]>",
    "{}",
]


@pytest.fixture
def nasty(tmp_path: Path) -> tuple[Path, Path]:
    """A pair whose labels and words would be markup if they were let."""
    for name in ("gold", "parsed"):
        lines = [f"(S ({word} (NN {word}) (NN w)) (NN v))" for word in NASTY]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    return tmp_path / "gold", tmp_path / "parsed"


def labels(nasty: tuple[Path, Path], form: str) -> str:
    ran = spinal("evalb", *nasty, "--by-label", "--params", "none", "--format", form)
    assert ran.code == 0
    return ran.out


class _Page(html.parser.HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"class", "id", "style"}

    def handle_data(self, data: str) -> None:
        self.cells.append(data)


def bare(word: str) -> str:
    return re.split("[-=]", word)[0]


def test_html_is_escaped(nasty: tuple[Path, Path]) -> None:
    page = _Page()
    page.feed(labels(nasty, "html"))
    expected = ["table", "caption", "thead", "tbody", "tr", "th", "td", "p"]
    assert page.tags <= set(expected)
    assert {bare(word) for word in NASTY} <= {*page.cells, ""}


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_spreadsheets_run_no_formulas(nasty: tuple[Path, Path], form: str) -> None:
    text = labels(nasty, form)
    rows = list(csv.reader(io.StringIO(text), delimiter="," if form == "csv" else "\t"))
    assert not any(row[0].startswith(("=", "+", "-", "@")) for row in rows)
    names = {row[0].removeprefix("'") for row in rows}
    assert {bare(word) for word in NASTY if word[0] != "'"} <= names


def test_latex_has_no_live_characters(nasty: tuple[Path, Path]) -> None:
    text = labels(nasty, "latex")
    rows = [line for line in text.splitlines() if line.endswith(r" \\")]
    commands = re.compile(
        r"\\(textbackslash|textasciicircum|textasciitilde|textless|textgreater|textbar)"
        r"\{\}|\\symbol\{34\}|\\[{}$&#%_]|\\\\$| & |\$\\leq\$"
    )
    for row in rows:
        assert not re.search(r"[\\{}$&#%_^~]", commands.sub("", row)), row
    assert "\\input" not in text


def test_markdown_cells_stay_cells(nasty: tuple[Path, Path]) -> None:
    text = labels(nasty, "markdown").split("By label")[1]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) >= len(NASTY)
    assert {len(re.findall(r"(?<!\\)\|", row)) for row in rows} == {8}
    assert not re.search(r"(?<!\\)[<`]", "".join(rows))


def test_pictures_are_escaped(nasty: tuple[Path, Path], tmp_path: Path) -> None:
    for arguments in ((nasty[0],), nasty):
        for old in tmp_path.glob("*.svg"):
            old.unlink()
        ran = spinal("show", *arguments, "--svg", tmp_path / "out.svg")
        assert ran.code == 0
        for number, word in enumerate(NASTY, start=1):
            root = ElementTree.parse(tmp_path / f"out-{number}.svg").getroot()
            assert word in "".join(root.itertext())
            kinds = {element.tag.split("}")[1] for element in root.iter()}
            assert "script" not in kinds
            assert not any(
                name.startswith("on")
                for element in root.iter()
                for name in element.attrib
            )


def test_trees_cannot_write_to_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "tree").write_text("(S (\x1b[2J \x1b[31mred\x07) (NN \x9b2J))\n")
    for style in ("drawn", "indented", "line"):
        shown = spinal("show", tmp_path / "tree", "--style", style)
        assert not set("\x1b\x07\x9b") & set(shown.out)
