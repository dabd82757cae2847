"""Trees as they stand in their files: where each bracket, label and word is.

Offsets count the characters of a file from 0. What a file holds beside trees (white
space, comments, traces, identifiers) is left as it is: a place leads back to the very
characters that the reader took a word or label from.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from analyzer.checks.findings import LeafSpan
from analyzer.checks.word_stream import WordStream
from analyzer.files.small_files import LARGEST_FILE
from analyzer.formats.penn.records import without_comments

# A label follows its bracket at once; only ASCII's white space separates.
_TOKEN = re.compile(r"\(([^ \t\n\r\v\f()]*)|\)|[^ \t\n\r\v\f()]+")
_MARK = "\ufeff"  # of byte order, at the start of a file
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")


class SourceNode(NamedTuple):
    """A bracket: from '(' to behind ')', its label, and the word if it holds one."""

    start: int
    end: int
    label: tuple[int, int]
    form: tuple[int, int] | None
    parent: int


@dataclass(frozen=True)
class SourceTree:
    """The brackets of one tree, in pre-order."""

    text: str = field(repr=False)
    nodes: tuple[SourceNode, ...]

    def label(self, node: int) -> str:
        return self.text[slice(*self.nodes[node].label)]

    def form(self, node: int) -> str | None:
        form = self.nodes[node].form
        return None if form is None else self.text[slice(*form)]

    def children(self, node: int) -> list[int]:
        return [at for at, one in enumerate(self.nodes) if one.parent == node]


def parse(text: str, start: int) -> SourceTree | None:
    """The tree that begins at or after an offset; None if no whole one does.

    >>> tree = parse(" (NP (DT the)  (NN cat))", 0)
    >>> tree.label(0), tree.form(2), tree.nodes[2].start
    ('NP', 'cat', 15)
    """
    opened: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    labels: list[tuple[int, int]] = []
    forms: list[tuple[int, int] | None] = []
    parents: list[int] = []
    for found in _TOKEN.finditer(text, start):
        if found[1] is not None:
            parents.append(opened[-1] if opened else -1)
            opened.append(len(starts))
            starts.append(found.start())
            ends.append(-1)
            labels.append(found.span(1))
            forms.append(None)
        elif not opened:
            return None
        elif found[0] == ")":
            node, end = opened.pop(), found.start()
            if node == len(starts) - 1 and labels[node][0] < labels[node][1] < end:
                forms[node] = forms[node] or (end, end)  # '(HYPH )'
            ends[node] = found.end()
            if not opened:
                columns = zip(starts, ends, labels, forms, parents, strict=True)
                return SourceTree(text, tuple(SourceNode(*one) for one in columns))
        elif forms[opened[-1]] is None:
            forms[opened[-1]] = found.span()
        else:
            return None  # two words in one bracket: no tree as we know them
    return None


class Position(NamedTuple):
    """Where words stand in their file; lines and columns from 1, the end behind it."""

    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, eq=False)
class SourceFile:
    """A file of trees as text; `is_plain` if it may be written to.

    A byte-order mark is a character of the text, but none of its first line's columns.
    """

    path: str
    text: str
    is_plain: bool

    @staticmethod
    def read(path: str, encoding: str = "utf-8") -> SourceFile | None:
        """The file, or None where there is none: standard input, a URL, text."""
        if not Path(path).is_file() or Path(path).stat().st_size > 8 * LARGEST_FILE:
            return None
        data = Path(path).read_bytes()
        is_plain = not data.startswith(_COMPRESSED)
        if not is_plain:
            from analyzer.files.sources import open_utf8

            parts = []
            with open_utf8(path) as stream:
                while part := stream.read(1 << 20):
                    parts.append(part)
            data, encoding = b"".join(parts), "utf-8"
        # What is no text in this encoding comes back as it was, or else is not written.
        text = data.decode(encoding, "surrogateescape")
        is_plain = is_plain and text.encode(encoding, "surrogateescape") == data
        return SourceFile(path, text, is_plain)

    @cached_property
    def bare(self) -> str:
        """The text with comments as spaces, character for character."""
        text = " " + self.text[1:] if self.text.startswith(_MARK) else self.text
        if "#" not in text and "*" not in text:
            return text
        # One byte a character, so that places stay: only ASCII makes a comment.
        plain = text.encode("ascii", "replace")
        kept = without_comments(plain).decode("ascii")
        if kept == plain.decode("ascii"):
            return text
        return "".join(
            old if new != " " else " " for old, new in zip(text, kept, strict=True)
        )

    @cached_property
    def line_starts(self) -> list[int]:
        """Lines end as the reader has it: in carriage returns if nothing else does."""
        end = "\n" if "\n" in self.text else "\r"
        return [0, *(found.end() for found in re.finditer(end, self.text))]

    def line_and_column(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self.line_starts, offset)
        has_mark = line == 1 and self.text.startswith(_MARK)
        return line, offset - self.line_starts[line - 1] + 1 - has_mark

    def tree(self, line: int, which: int = 0) -> SourceTree | None:
        """The tree that begins in a line; there may be several."""
        if not 1 <= line <= len(self.line_starts):
            return None
        start, tree = self.line_starts[line - 1], None
        for _ in range(which + 1):
            tree = parse(self.bare, start)
            if tree is None:
                return None
            start = tree.nodes[0].end
        return tree

    def position(self, start: int, end: int) -> Position:
        return Position(
            start, end, *self.line_and_column(start), *self.line_and_column(end)
        )


class Sources:
    """The files of a stream, read when they are asked for."""

    def __init__(self, stream: WordStream, encoding: str = "utf-8") -> None:
        self.stream, self._encoding = stream, encoding
        self._files: dict[str, SourceFile | None] = {}
        self._trees: dict[int, tuple[SourceTree, list[int]] | None] = {}

    def file_of(self, tree: int) -> SourceFile | None:
        path = self.stream.files[int(self.stream.file_of_tree[tree])]
        if path not in self._files:
            self._files[path] = SourceFile.read(path, self._encoding)
        return self._files[path]

    def tree(self, tree: int) -> tuple[SourceTree, list[int]] | None:
        """A tree as it stands in its file, and which bracket each of its rows is.

        None where file and tree do not agree.
        """
        if tree not in self._trees:
            self._trees[tree] = self._matched(tree)
        return self._trees[tree]

    def position(self, place: LeafSpan) -> Position | None:
        """Where the words of a place stand in the file."""
        file, found = self.file_of(place.tree), self.tree(place.tree)
        if file is None or found is None or place.first >= place.last:
            return None
        source, nodes = found
        bank = self.stream.bank
        start = int(bank.leaf_start[place.tree])
        row = int(bank.node_start[place.tree])
        ends = [
            source.nodes[nodes[int(bank.leaf_node[start + leaf]) - row]].form
            for leaf in (place.first, place.last - 1)
        ]
        if ends[0] is None or ends[1] is None:
            return None
        return file.position(ends[0][0], ends[1][1])

    def which(self, tree: int) -> int:
        """Which of the trees that begin in its line a tree is, from 0."""
        bank, of_file = self.stream.bank, self.stream.file_of_tree
        which, before = 0, tree - 1
        while (
            before >= 0
            and of_file[before] == of_file[tree]
            and bank.line[before] == bank.line[tree]
        ):
            which, before = which + 1, before - 1
        return which

    def _matched(self, tree: int) -> tuple[SourceTree, list[int]] | None:
        file, bank = self.file_of(tree), self.stream.bank
        if file is None:
            return None
        source = file.tree(int(bank.line[tree]), self.which(tree))
        if source is None:
            return None
        nodes = matched(source, self.stream, tree)
        return None if nodes is None else (source, nodes)


def matched(source: SourceTree, stream: WordStream, tree: int) -> list[int] | None:
    """The bracket of each row of a tree; None if they do not fit.

    Words that the reader left out, and brackets that hold nothing else, are passed by.
    """
    bank = stream.bank
    rows = range(int(bank.node_start[tree]), int(bank.node_start[tree + 1]))
    is_leaf = bank.is_leaf
    leaf = iter(range(int(bank.leaf_start[tree]), int(bank.leaf_start[tree + 1])))
    wanted = [
        (bank.label_name(row), bank.form(next(leaf)) if is_leaf[row] else None)
        for row in rows
    ]
    names = [label for label, _ in wanted]
    given = [source.label(node) for node in range(len(source.nodes))]
    if given == names:  # the usual case: nothing was left out
        return list(range(len(given)))
    kept = _kept_leaves(source, [one for one in wanted if one[1] is not None])
    if kept is None:
        return None
    for node in reversed(range(len(source.nodes))):
        if kept[node] and source.nodes[node].parent >= 0:
            kept[source.nodes[node].parent] = True
    chosen = [node for node, is_kept in enumerate(kept) if is_kept]
    return chosen if [given[node] for node in chosen] == names else None


def _kept_leaves(
    source: SourceTree, leaves: Sequence[tuple[str, str | None]]
) -> list[bool] | None:
    """Which brackets hold the words that the reader kept, in their order."""
    kept = [False] * len(source.nodes)
    at = 0
    for node, one in enumerate(source.nodes):
        if one.form is None or at == len(leaves):
            continue
        label, form = leaves[at]
        given = source.form(node) or ""
        # What the reader cut off a word is a lemma.
        fits = given.startswith(form) if form else not given
        if source.label(node) == label and fits:
            kept[node] = True
            at += 1
    return kept if at == len(leaves) else None


def character_offsets(words: list[str]) -> list[tuple[int, int]]:
    """Where words are in the sentence, with one space between them.

    >>> character_offsets(["the", "cat"])
    [(0, 3), (4, 7)]
    """
    ends = [end - 1 for end in accumulate(len(word) + 1 for word in words)]
    return [(end - len(word), end) for end, word in zip(ends, words, strict=True)]
