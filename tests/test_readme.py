"""The README is what a newcomer sees; `tests/docs` runs what it shows."""

from __future__ import annotations

from analyzer import __version__
from tests.support.data_paths import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def test_both_commands_are_named() -> None:
    assert "make demo" in README
    assert "make test" in README


def test_the_first_screen_has_a_table_a_picture_and_the_four_scores() -> None:
    first = README.splitlines()[:40]
    assert "$ spinal score examples/" in "\n".join(first)
    assert any("docs/pictures/report.png" in line for line in first)
    explained = [line for line in first if line.startswith("- **")]
    assert [line.split("**")[1] for line in explained] == ["F-h", "F-s", "att", "spanR"]


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 135


def test_the_citation_has_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"\nversion: {__version__}\n" in citation
    assert citation.count("  - type: ") == 4  # the papers whose methods these are
