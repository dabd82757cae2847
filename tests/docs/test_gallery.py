"""The pictures of the documentation are what the commands above them make.

`make pictures` (UPDATE_GOLDEN=1) writes them anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from docs.scripts.screenshots import SCREENSHOTS, take
from tests.support import doc_shell
from tests.support.browser import Browser
from tests.support.data_paths import EXAMPLES, ROOT
from tests.support.doc_blocks import blocks

PICTURES = ROOT / "docs" / "pictures"
PAGE = (ROOT / "docs" / "gallery.md").read_text("utf-8")
SHOWN = re.findall(r"\]\(pictures/([\w.]+)\)", PAGE)
# Drawings are ours, byte for byte; plots are laid out by matplotlib.
DRAWN = frozenset(
    (
        *("trees.svg", "derivations.svg", "edits.svg", "discourse.svg"),
        *("discourse_pair.svg", "discourse_arcs.svg"),
    )
)
LARGEST = 200_000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "examples").symlink_to(EXAMPLES)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
def test_drawings_and_plots(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    commands = [
        command for block in blocks(PAGE) for command in doc_shell.commands(block.lines)
    ]
    for command in commands:
        ran = doc_shell.run(command)
        assert ran is not None
        assert ran.code in (0, 1), ran.err
    for name in SHOWN:
        if name in SCREENSHOTS or name == "odds.svg":  # which its how-to makes
            continue
        (made,) = folder.rglob(name)
        if os.environ.get("UPDATE_GOLDEN"):
            (PICTURES / name).write_bytes(made.read_bytes())
        shown, now = (PICTURES / name).read_text("utf-8"), made.read_text("utf-8")
        if name in DRAWN:
            assert now == shown, name
        assert re.findall(">([^<>]+)</text>", now) == re.findall(
            ">([^<>]+)</text>", shown
        ), name


def test_every_picture_is_shown_and_small() -> None:
    """In the gallery, or on another page."""
    pages = [page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md")]
    for picture in PICTURES.iterdir():
        assert any(f"pictures/{picture.name})" in page for page in pages), picture
        assert picture.stat().st_size < LARGEST, picture


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENSHOTS)
def test_screenshots(name: str, folder: Path, browser: Browser) -> None:
    """The page shows what the picture is there to show."""
    picture = take(name, folder, browser)
    if os.environ.get("UPDATE_GOLDEN"):
        (PICTURES / name).write_bytes(picture)
    assert len(picture) < LARGEST
