"""Edits as a patch that `git apply` and `patch` take.

Names are those of the folder at hand, with `a/` and `b/` before them: `git apply`, or
`patch -p1`.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Iterable, Sequence

from analyzer.checks.edits import Splice, spliced
from analyzer.checks.fixes import Change

_CONTEXT = 3  # lines around a change
_QUOTED = str.maketrans(
    {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\n": "\\n", "\r": "\\r"}
)


def patch_of(changes: Iterable[Change]) -> str:
    """A patch as `git apply` and `patch -p1` take it."""
    return "".join(_file_patch(one) for one in changes)


def _name(path: str) -> str:
    """A file as seen from the folder at hand, or else from the root."""
    inside = os.path.relpath(path)
    if inside.split(os.sep)[0] == os.pardir:
        inside = os.path.splitdrive(os.path.abspath(path))[1]
    return inside.replace(os.sep, "/").lstrip("/")


def _header(name: str) -> str:
    """A name as patches have it: a tab behind spaces, quotes around what is odd.

    >>> _header("a/one.mrg"), _header("a/my trees.mrg")
    ('a/one.mrg', 'a/my trees.mrg\\t')
    """
    quoted = name.translate(_QUOTED)
    if quoted != name:
        return f'"{quoted}"'
    return f"{name}\t" if " " in name else name


def _file_patch(change: Change) -> str:
    text = change.file.text
    old = text.split("\n")  # what `patch` takes for lines
    starts = [0]
    for line in old:
        starts.append(starts[-1] + len(line) + 1)
    blocks = _blocks(change.splices, starts)
    path = _name(change.file.path)
    lines = [
        f"--- {_header(f'a/{path}')}",
        f"+++ {_header(f'b/{path}')}",
    ]
    shift = 0
    for first, last, inner in _hunks(blocks, len(old) - (old[-1] == "")):
        body: list[str] = []
        added = 0
        at = first
        for begin, end, parts in inner:
            body += [f" {line}" for line in old[at:begin]]
            piece = text[starts[begin] : starts[end] - 1]
            moved = [(s - starts[begin], e - starts[begin], new) for s, e, new in parts]
            fresh = spliced(piece, moved).split("\n")
            body += [f"-{line}" for line in old[begin:end]]
            body += [f"+{line}" for line in fresh]
            added += len(fresh) - (end - begin)
            at = end
        body += [f" {line}" for line in old[at:last]]
        size = last - first
        lines.append(f"@@ -{first + 1},{size} +{first + 1 + shift},{size + added} @@")
        if last == len(old) and old[-1] != "":
            body = _without_newline(body)
        lines += body
        shift += added
    return "\n".join([*lines, ""])


def _without_newline(body: list[str]) -> list[str]:
    """The mark after each line that ends the file without a line end."""
    mark = "\\ No newline at end of file"
    if body[-1].startswith(" "):
        return [*body, mark]
    last_old = max(n for n, line in enumerate(body) if line.startswith("-"))
    return [*body[: last_old + 1], mark, *body[last_old + 1 :], mark]


_Block = tuple[int, int, list[Splice]]  # lines from, to, and what changes in them


def _blocks(changes: Sequence[Splice], starts: Sequence[int]) -> list[_Block]:
    """Changes by the lines that they are in."""
    blocks: list[_Block] = []
    for one in sorted(changes, key=lambda change: change[:2]):
        begin = bisect_right(starts, one[0]) - 1
        end = bisect_right(starts, max(one[0], one[1])) - 1 + 1
        if blocks and begin < blocks[-1][1]:
            start, stop, parts = blocks[-1]
            blocks[-1] = (start, max(stop, end), [*parts, one])
        else:
            blocks.append((begin, end, [one]))
    return blocks


def _hunks(blocks: Sequence[_Block], lines: int) -> list[tuple[int, int, list[_Block]]]:
    """Blocks whose surroundings meet, together."""
    hunks: list[tuple[int, int, list[_Block]]] = []
    for block in blocks:
        first = max(0, block[0] - _CONTEXT)
        last = min(lines, block[1] + _CONTEXT)
        if hunks and first <= hunks[-1][1]:
            start, stop, inner = hunks[-1]
            hunks[-1] = (start, max(stop, last), [*inner, block])
        else:
            hunks.append((first, last, [block]))
    return hunks
