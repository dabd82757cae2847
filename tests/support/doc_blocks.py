"""The code blocks of a page of documentation.

```console   commands after `$`, each followed by exactly what it prints; a line `…`
             stands for any lines
```sh        commands whose output is not shown
```python    a doctest if it begins with `>>>`, else a program
```          anything else; nothing is run

`<!-- not run: reason -->` on the line before a block leaves it out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from tests.support.data_paths import ROOT

NOT_RUN = re.compile(r"<!-- not run: (?P<reason>.+) -->")
_FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)[^`]*$")
_INLINE = re.compile(r"(?<!`)`(?P<code>[^`\n]+(?:\n[^`\n]+)?)`(?!`)")


class Block(NamedTuple):
    language: str
    lines: list[str]
    first_line: int  # of the page, from 1
    not_run: str | None  # why

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def all_pages() -> list[Path]:
    """What people read: the README, docs/, and the notes beside them."""
    return [
        *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
        ROOT / "examples" / "README.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ]


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        fence = _FENCE.match(lines[at])
        at += 1
        if fence is None:
            continue
        first, indent = at, len(fence["indent"])
        while lines[at].strip() != "```":
            at += 1
        before = NOT_RUN.fullmatch(lines[first - 2].strip()) if first > 1 else None
        yield Block(
            fence["language"],
            [line[indent:] for line in lines[first:at]],
            first + 1,
            before["reason"] if before else None,
        )
        at += 1


def inline_code(text: str) -> list[str]:
    """What stands between single backticks, outside of blocks."""
    prose: list[str] = []
    inside = False
    for line in text.splitlines():
        if _FENCE.match(line) or line.strip() == "```":
            inside = not inside
        elif not inside and not line.startswith("    "):
            prose.append(line)
    found = _INLINE.findall("\n".join(prose))
    return [" ".join(code.split()) for code in found]


def indented_code(text: str) -> list[str]:
    """First lines of blocks that are marked by their indentation alone."""
    lines = ["", *text.splitlines()]
    found = []
    inside = False
    for before, line in pairwise(lines):
        if _FENCE.match(line):
            inside = not inside
        elif not inside and not before.strip() and line.startswith("    "):
            found.append(line.strip())
    return found
