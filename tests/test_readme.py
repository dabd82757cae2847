"""The README is what a newcomer sees; `tests/docs` runs what it shows."""

from __future__ import annotations

from tests.support.data_paths import ROOT

README = (ROOT / "README.md").read_text("utf-8")


def test_both_commands_are_named() -> None:
    assert "make demo" in README
    assert "make test" in README
