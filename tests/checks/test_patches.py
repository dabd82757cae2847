"""Patches of files: read and applied as `patch` does, they make the same changes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.checks.fixes import Change, patch_of, spliced
from analyzer.checks.sources import SourceFile

HUNK = re.compile(r"@@ -(\d+),(\d+) \+(\d+),(\d+) @@")
Splices = list[tuple[int, int, str]]


def applied(text: str, patch: str) -> str:
    """The text after a patch, whose line numbers and counts must be right."""
    old = text.split("\n")
    new: list[str] = []
    at = 0
    lines = patch.split("\n")[2:-1]
    while lines:
        found = HUNK.fullmatch(lines.pop(0))
        assert found, "a hunk begins"
        start, size, new_start, new_size = map(int, found.groups())
        new += old[at : start - 1]
        at = start - 1
        assert len(new) == new_start - 1
        before, after = len(new), at
        kept = 0
        while lines and not lines[0].startswith("@@"):
            mark, line = lines[0][:1], lines.pop(0)[1:]
            if mark == "\\":
                assert line == " No newline at end of file"
                continue
            if mark in " -":
                assert old[at] == line
                at += 1
            if mark in " +":
                new.append(line)
            kept = kept + 1 if mark == " " else 0
        assert (at - after, len(new) - before) == (size, new_size)
        assert kept <= 3
    return "\n".join([*new, *old[at:]])


@st.composite
def changed_texts(draw: st.DrawFn) -> tuple[str, Splices]:
    line = st.text("ab(", max_size=4)
    text = "\n".join(draw(st.lists(line, min_size=1, max_size=30)))
    text += draw(st.sampled_from(["\n", ""]))
    cuts = draw(
        st.lists(st.integers(0, len(text)), max_size=8, unique=True).map(sorted)
    )
    new = st.text("xy\n", max_size=3)
    # Within a line: edits of brackets never cross one.
    pairs = zip(cuts[::2], cuts[1::2], strict=False)
    return text, [(s, e, draw(new)) for s, e in pairs if "\n" not in text[s:e]]


@given(changed_texts())
def test_a_patch_makes_the_changes(given_text: tuple[str, Splices]) -> None:
    text, splices = given_text
    changed = spliced(text, splices)
    patch = patch_of([Change(SourceFile("a.mrg", text, True), splices)])
    assert applied(text, patch) == changed
    has_end = text.endswith("\n") or not text
    assert has_end or patch.count("\\ No newline") <= 2


def test_a_patch_by_hand() -> None:
    """Three lines around a change; changes that these join are one hunk."""
    text = "".join(f"line {number}\n" for number in range(1, 21))
    at = text.index
    splices = [
        (at("line 5\n"), at("line 5\n") + 4, "LINE"),
        (at("line 7\n"), at("line 7\n"), "new\n"),
        (at("line 18"), at("line 18") + 7, "last"),
    ]
    patch = patch_of([Change(SourceFile("my trees.mrg", text, True), splices)])
    assert patch.split("\n") == [
        "--- a/my trees.mrg\t",
        "+++ b/my trees.mrg\t",
        "@@ -2,9 +2,10 @@",
        *(" line 2", " line 3", " line 4", "-line 5", "+LINE 5", " line 6"),
        *("-line 7", "+new", "+line 7", " line 8", " line 9", " line 10"),
        "@@ -15,6 +16,6 @@",
        *(" line 15", " line 16", " line 17", "-line 18", "+last", " line 19"),
        " line 20",
        "",
    ]


@pytest.mark.parametrize("splice", [(0, 1, "A"), (4, 5, "C")])
def test_the_end_of_a_file_without_a_line_end(splice: tuple[int, int, str]) -> None:
    patch = patch_of([Change(SourceFile("a.mrg", "a\nb\nc", True), [splice])])
    mark = "\\ No newline at end of file"
    body = patch.split("\n")[3:-1]
    if splice[0]:
        assert body == [" a", " b", "-c", mark, "+C", mark]
    else:
        assert body == ["-a", "+A", " b", " c", mark]


def test_files_are_named_from_here_or_from_the_root(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    changes = [(0, 1, "b")]

    def name(path: Path) -> str:
        patch = patch_of([Change(SourceFile(str(path), "a\n", True), changes)])
        return patch.split("\n")[0]

    assert name(tmp_path / "here/in/a.mrg") == "--- a/in/a.mrg"
    assert name(Path("in/a.mrg")) == "--- a/in/a.mrg"
    assert name(tmp_path / "a.mrg") == f"--- a{tmp_path}/a.mrg"
