"""How a file of a language model's answers divides into records.

A record is a tree with the text and code fences around it. One begins with the line of
its first bracket; it ends where its brackets do, or if they never do, before the next
tree, which is a line that begins with '(' or with text and a '('. Lines that
continue a tree are indented.
"""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.formats.penn.mending import mend
from analyzer.formats.penn.records import Layout, Record, records, without_comments
from analyzer.formats.penn.scanner import scan

_INDENT = (b" ", b"\t")
# The share of lines that are trees or can be mended, in a file of a tree a line.
_MOSTLY = 2 / 3


def layout_of_answers(start: bytes, layout: Layout) -> Layout:
    """The layout to mend a file by, given its start and what that seems to be."""
    if scan(start, layout, keep_blank_lines=True) is not None:
        return layout
    lines = [line.rstrip() for line in without_comments(start).split(b"\n")]
    outer = [line for line in lines if line and not line.startswith(_INDENT)]
    texts = [line for line in outer if b"(" not in line and b")" not in line]
    has_fences = any(line.startswith(b"```") for line in texts)
    if has_fences or 2 * len(texts) >= max(1, len(outer) - len(texts)):
        return Layout.ANSWERS
    if layout is Layout.LINES:
        return layout
    if any(line.startswith(_INDENT) for line in lines):
        return Layout.ANSWERS if texts else layout
    # A tree over many lines could be mended from lines of several trees: only whole
    # ones count there.
    by_lines = _share_of_trees(start, Layout.LINES, can_mend=True)
    is_by_lines = by_lines >= _MOSTLY and by_lines > _share_of_trees(start, layout)
    return Layout.LINES if is_by_lines else layout


def _share_of_trees(start: bytes, layout: Layout, *, can_mend: bool = False) -> float:
    """The share of records that are trees, or can be mended; blank ones left out."""
    texts = (start[one.start : one.end] for one in records(start, layout))
    found = [
        scan(text, layout, keep_blank_lines=False) is not None
        or (can_mend and mend(text) is not None)
        for text in texts
        if text.strip()
    ]
    return sum(found) / max(1, len(found))


def answer_records(block: bytes) -> Iterator[Record]:
    """The records of a block of answers; text after the last tree is part of it."""
    start = position = first_line = depth = 0
    is_open = has_tree = is_followed = False
    for number, line in enumerate(block.split(b"\n")):
        text = line.strip()
        opens = line.find(b"(")
        closes_first = 0 <= line.find(b")") < opens
        begins = opens >= 0 and (
            not is_open or not (line.startswith(_INDENT) or closes_first)
        )
        # Text before a tree belongs to it, text right after one to that.
        if has_tree and (begins or (not is_open and is_followed and text)):
            yield Record(start, position, first_line)
            start, has_tree, is_open, is_followed = position, False, False, False
        if begins:
            first_line, depth, has_tree, is_open = number, 0, True, True
        if is_open:
            depth += line.count(b"(") - line.count(b")")
            is_text = not text or (b"(" not in line and b")" not in line)
            if depth <= 0 or (text and is_text and not line.startswith(_INDENT)):
                is_open = False
        elif has_tree and not text:
            is_followed = True
        position += len(line) + 1
    if has_tree:
        yield Record(start, len(block), first_line)


def last_answer_cut(block: bytes) -> int:
    """Where the last record that is sure to be whole ends; 0 if none is."""
    starts = [record.start for record in answer_records(block)]
    return starts[-1] if starts else 0
