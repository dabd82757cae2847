"""What texts of the repository name is there: files that are linked, and modules."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.support.data_paths import ROOT

LINK = re.compile(r"\]\((?!\w+:|#)(?P<path>[^()\s#]+)")
HEADING_LINK = re.compile(r"\]\((?!\w+:)(?P<page>[^()\s#]*)#(?P<heading>[^()\s]+)\)")
NAMED = re.compile(
    r"(?<![\w/.])(?P<path>(?:analyzer|reports|grammars|patterns|spinal|tests|benchmarks)"
    r"/[\w/.-]*\w\.(?:py|lark|pat|c|tsv|js))\b"
)
EXAMPLE = "NAME"  # patterns/NAME.pat
KINDS = (".md", ".py", ".lark", ".pat", ".labels", ".c", ".h", ".js", ".toml")


def texts(*endings: str) -> list[Path]:
    """The texts of the repository, but the changelog: that is about former times."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("NOT RUN: this is no repository of git")
    paths = [ROOT / line for line in listed.stdout.splitlines()]
    return [
        path
        for path in paths
        if path.suffix in endings and path.name != "CHANGELOG.md" and path.exists()
    ]


def test_links_lead_to_files() -> None:
    broken = [
        f"{path.relative_to(ROOT)}: {link['path']}"
        for path in texts(".md")
        for link in LINK.finditer(path.read_text("utf-8"))
        if not (path.parent / link["path"]).exists()
    ]
    assert broken == []


def test_links_lead_to_headings() -> None:
    """Code hosts and the site make the same names of our headings."""
    broken = [
        f"{path.relative_to(ROOT)}: {link['page']}#{link['heading']}"
        for path in texts(".md")
        for link in HEADING_LINK.finditer(without_code(path.read_text("utf-8")))
        if link["heading"] not in headings(path.parent / link["page"], path)
    ]
    assert broken == []


def without_code(text: str) -> str:
    return re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)


def headings(page: Path, from_page: Path) -> set[str]:
    """What a link can lead to within a page: its headings, as code hosts name them."""
    page = page if page.is_file() else from_page
    titles = re.findall(r"^#+ (.+)$", without_code(page.read_text("utf-8")), re.M)
    bare = [re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", title) for title in titles]
    names = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in bare}
    return names | set(re.findall(r'<a id="([^"]+)"', page.read_text("utf-8")))


def test_files_that_are_named_are_there() -> None:
    unknown = [
        f"{path.relative_to(ROOT)}: {named['path']}"
        for path in texts(*KINDS)
        for named in NAMED.finditer(path.read_text("utf-8"))
        if EXAMPLE not in named["path"] and not (ROOT / named["path"]).exists()
    ]
    assert unknown == []
