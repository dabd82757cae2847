"""Trees as language models write them, made well formed where that is certain.

What can be mended: text and code fences around a tree, brackets that are missing or too
many at its end, brackets and line ends that are written with a backslash. It is certain
if what is left is one tree. A record that ends within a word, or with a bracket
too many before its end, may have meant anything: it stays malformed.

In a file of answers a record is a tree with the text and code fences around it. One
begins with the line of its first bracket; it ends where its brackets do, or if they
never do, before the next tree, which is a line that begins with '(' or with text and a
'('. Lines that continue a tree are indented.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from analyzer.formats.penn.records import Layout, Record, records, without_comments
from analyzer.formats.penn.scanner import scan

_FENCE = re.compile(rb"```[\w+-]*")
_ESCAPED_BRACKET = re.compile(rb"\\([()])")
_BRACKET_WORDS = {b"(": b"-LRB-", b")": b"-RRB-"}
# Line ends and tabs as Python and JSON write them, and what stands after them.
_ESCAPED_SPACE = re.compile(rb"(?:\\[nrt]\s*+)++(?P<next>[()]?)")
_STRING = re.compile(
    rb"""\s*(?P<quote>["'])(?P<text>.*)(?P=quote)[\s,\]]*""", re.DOTALL
)
_ESCAPED_IN_STRING = re.compile(rb"""\\([nrt"'\\])""")
_INDENT = (b" ", b"\t")
# The share of lines that are trees or can be mended, in a file of a tree a line.
_MOSTLY = 2 / 3


class Mend(Enum):
    """What was wrong with a tree, and could be mended."""

    FENCE = "code fence"
    TEXT = "text around"
    ESCAPES = "escaped characters"
    MISSING = "missing bracket at the end"
    SURPLUS = "surplus bracket at the end"


class Mended(NamedTuple):
    """A tree on one line, and what was done."""

    text: bytes
    mends: tuple[Mend, ...]


class Mendable(Mapping[int, tuple[str, ...]]):
    """How bad records of a block can be mended, by tree; found out when it is asked.

    >>> Mendable({0: b"(A a", 3: b"(B b) (C c))"}) == {}, dict(Mendable({2: b"(A a))"}))
    (True, {2: ('surplus bracket at the end',)})
    """

    def __init__(self, records: dict[int, bytes]) -> None:
        self._records = records

    @cached_property
    def _found(self) -> dict[int, tuple[str, ...]]:
        mended = {tree: mend(record) for tree, record in self._records.items()}
        return {
            tree: tuple(one.value for one in found.mends)
            for tree, found in mended.items()
            if found
        }

    def __getitem__(self, tree: int) -> tuple[str, ...]:
        return self._found[tree]

    def __iter__(self) -> Iterator[int]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def mend(record: bytes) -> Mended | None:
    """The tree that a record certainly means; None if that is not certain.

    >>> mended = mend(b"The parse is: (S (NP (PRP I)) (VP (VBP see))")
    >>> mended.text, [one.value for one in mended.mends]
    (b'(S (NP (PRP I)) (VP (VBP see)))', ['text around', 'missing bracket at the end'])
    >>> mend(b"(S (NP (PRP I))) (VP (VBP see)))") is None
    True
    """
    found: set[Mend] = set()
    text = _without_escapes(without_comments(record), found)
    start = text.find(b"(")
    if start < 0:
        return None
    _note(text[:start], found)
    text = text[start:]
    end = _end_of_tree(text)
    if end is not None:
        rest = text[end:]
        if b"(" in rest:
            return None  # another tree, or this one goes on
        after = rest.lstrip(b") \t\r\n\v\f")
        if b")" in rest[: len(rest) - len(after)]:
            found.add(Mend.SURPLUS)
        _note(after, found)
        text = text[:end]
    else:
        kept = _without_text_at_end(text).removesuffix(b"```").rstrip()
        _note(text[len(kept) :], found)
        if not kept.endswith(b")"):
            return None  # within a word, which may not be whole
        text = kept + b")" * (kept.count(b"(") - kept.count(b")"))
        found.add(Mend.MISSING)
    text = b" ".join(text.split())
    bank = scan(text, Layout.LINES, keep_blank_lines=False)
    if bank is None or len(bank) != 1 or not bank.leaf_node.size or not found:
        return None
    return Mended(text, tuple(one for one in Mend if one in found))


def may_be_escaped(text: bytes) -> bool:
    """Whether labels of well-formed trees may end in what was a line end."""
    return b"\\" in text and _with_real_space(text) != text


def _without_escapes(text: bytes, found: set[Mend]) -> bytes:
    if b"\\" not in text:
        return text
    given = text
    string = _STRING.fullmatch(text)
    if string:
        values = {b"n": b"\n", b"r": b"\r", b"t": b"\t"}
        text = _ESCAPED_IN_STRING.sub(
            lambda one: values.get(one[1], one[1]), string["text"]
        )
    text = _with_real_space(text)
    plain = _ESCAPED_BRACKET.sub(b"", text)
    if b"(" in plain:
        text = _ESCAPED_BRACKET.sub(lambda one: _BRACKET_WORDS[one[1]], text)
    else:
        text = _ESCAPED_BRACKET.sub(rb"\1", text)
    if text != given:
        found.add(Mend.ESCAPES)
    return text


def _with_real_space(text: bytes) -> bytes:
    """Spaces for escaped line ends and tabs, where no word can end in them.

    That is before '(', between two ')', and at the end.
    """

    def replaced(run: re.Match[bytes]) -> bytes:
        is_between = run["next"] != b")" or text[run.start() - 1 : run.start()] == b")"
        is_space = run["next"] or run.end() == len(text)
        return b" " + run["next"] if is_space and is_between else run[0]

    return _ESCAPED_SPACE.sub(replaced, text)


def _without_text_at_end(text: bytes) -> bytes:
    """The text without lines at its end that can be of no tree."""
    lines = text.rstrip().split(b"\n")
    while len(lines) > 1 and not (
        lines[-1].startswith(_INDENT) or b"(" in lines[-1] or b")" in lines[-1]
    ):
        lines.pop()
    return b"\n".join(lines).rstrip()


def _note(around: bytes, found: set[Mend]) -> None:
    """Note what stands around the tree."""
    text = _FENCE.sub(b"", around)
    if text != around:
        found.add(Mend.FENCE)
    if text.strip():
        found.add(Mend.TEXT)


def _end_of_tree(text: bytes) -> int | None:
    """Where the bracket that the text begins with is closed, if it is."""
    depth = 0
    for bracket in re.finditer(rb"[()]", text):
        depth += 1 if bracket[0] == b"(" else -1
        if depth == 0:
            return bracket.end()
    return None


# -- how a file of answers divides -------------------------------------------------


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
    texts = (start[begin:end] for begin, end in records(start, layout))
    found = [
        scan(text, layout, keep_blank_lines=False) is not None
        or (can_mend and mend(text) is not None)
        for text in texts
        if text.strip()
    ]
    return sum(found) / max(1, len(found))


def answer_records(block: bytes) -> Iterator[Record]:
    """The records of a block of answers; text after the last tree is part of it."""
    start = position = depth = 0
    is_open = has_tree = is_followed = False
    for line in block.split(b"\n"):
        text = line.strip()
        opens = line.find(b"(")
        closes_first = 0 <= line.find(b")") < opens
        begins = opens >= 0 and (
            not is_open or not (line.startswith(_INDENT) or closes_first)
        )
        # Text before a tree belongs to it, text right after one to that.
        if has_tree and (begins or (not is_open and is_followed and text)):
            yield start, position
            start, has_tree, is_open, is_followed = position, False, False, False
        if begins:
            depth, has_tree, is_open = 0, True, True
        if is_open:
            depth += line.count(b"(") - line.count(b")")
            is_text = not text or (b"(" not in line and b")" not in line)
            if depth <= 0 or (text and is_text and not line.startswith(_INDENT)):
                is_open = False
        elif has_tree and not text:
            is_followed = True
        position += len(line) + 1
    if has_tree:
        yield start, len(block)
