"""Trees as they stand in their files: where each bracket, label and word is.

Offsets count the characters of a file from 0. What a file holds beside trees (white
space, comments, traces, identifiers) is left as it is: a place leads back to the very
characters that the reader took a word or label from.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache, partial
from hashlib import blake2b
from itertools import accumulate
from pathlib import Path
from typing import NamedTuple

from analyzer.checks.evidence import Exhibit, Uses, concordance_line, evidence
from analyzer.checks.findings import Analysis, LeafSpan, TreeFinding
from analyzer.checks.word_stream import WordStream
from analyzer.files.small_files import LARGEST_FILE
from analyzer.formats.penn.records import without_comments
from analyzer.model.treebank import Treebank
from analyzer.safe_text import numbered

# A label follows its bracket at once; only ASCII's white space separates.
_TOKEN = re.compile(r"\(([^ \t\n\r\v\f()]*)|\)|[^ \t\n\r\v\f()]+")
_MARK = "\ufeff"  # of byte order, at the start of a file
_SENTENCES_KEPT = 64
_MORE = 3  # places of a finding beside its evidence; JSON has all
Splice = tuple[int, int, str]  # characters from, to, and what takes their place
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ")


@dataclass(slots=True)
class SourceNode:
    """A bracket: from '(' to behind ')', its label, and the word if it holds one."""

    start: int
    label: tuple[int, int]
    parent: int
    end: int = -1
    form: tuple[int, int] | None = None


@dataclass(frozen=True)
class SourceTree:
    """The brackets of one tree, in pre-order."""

    text: str = field(repr=False)
    nodes: list[SourceNode]

    def label(self, node: int) -> str:
        return self.text[slice(*self.nodes[node].label)]

    def form(self, node: int) -> str | None:
        form = self.nodes[node].form
        return None if form is None else self.text[slice(*form)]

    @cached_property
    def digest(self) -> str:
        """What tells this tree from others: its brackets, labels and words."""
        tokens = _TOKEN.finditer(self.text, self.nodes[0].start, self.nodes[0].end)
        return digest_of(" ".join(token[0] for token in tokens))

    def children(self, node: int) -> list[int]:
        return [at for at, child in enumerate(self.nodes) if child.parent == node]


def digest_of(text: str) -> str:
    """Sixteen digits that tell a text from others."""
    data = text.encode("utf-8", "surrogateescape")
    return blake2b(data, digest_size=8).hexdigest()


def parse(text: str, start: int) -> SourceTree | None:
    """The tree that begins at or after an offset; None if no whole one does.

    >>> tree = parse(" (NP (DT the)  (NN cat))", 0)
    >>> tree.label(0), tree.form(2), tree.nodes[2].start
    ('NP', 'cat', 15)
    """
    nodes: list[SourceNode] = []
    opened: list[int] = []
    for token in _TOKEN.finditer(text, start):
        if token[1] is not None:
            parent = opened[-1] if opened else -1
            opened.append(len(nodes))
            nodes.append(SourceNode(token.start(), token.span(1), parent))
        elif not opened:
            return None
        elif token[0] == ")":
            at, end = opened.pop(), token.start()
            node = nodes[at]
            node.end = token.end()
            if at == len(nodes) - 1 and node.label[0] < node.label[1] < end:
                node.form = node.form or (end, end)  # '(HYPH )'
            if not opened:
                return SourceTree(text, nodes)
        elif nodes[opened[-1]].form is None:
            nodes[opened[-1]].form = token.span()
        else:
            return None  # two words in one bracket: no tree as we know them
    return None


def spliced(text: str, changes: Iterable[Splice] | None) -> str:
    """The text with all changes made; they are given in any order."""
    pieces, at = [], 0
    for start, end, new in sorted(changes or (), key=lambda change: change[:2]):
        pieces += [text[at:start], new]
        at = max(at, end)
    return "".join([*pieces, text[at:]])


class Location(NamedTuple):
    """A place for people. Words are counted from 1, the last one is in it.

    `start` and `end` are characters of the sentence, its words joined by spaces;
    `file_start` and `file_end` those of the file, if it can be read again; its lines
    and columns are counted from 1, and the last column is behind the words.
    """

    file: str
    line: int
    sentence: int
    id: str
    first: int
    last: int
    words: str
    start: int | None
    end: int | None
    file_start: int | None = None
    file_end: int | None = None
    first_line: int | None = None
    first_column: int | None = None
    last_line: int | None = None
    last_column: int | None = None


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
        return [0, *(match.end() for match in re.finditer(end, self.text))]

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

    @cached_property
    def digests(self) -> frozenset[str]:
        """Those of all trees, up to one that is malformed."""
        digests, start = [], 0
        while tree := parse(self.bare, start):
            digests.append(tree.digest)
            start = tree.nodes[0].end
        return frozenset(digests)


def _words_of(stream: WordStream, tree: int) -> tuple[list[str], list[tuple[int, int]]]:
    """The words of a sentence, and where they are in it."""
    words = stream.bank[tree].words
    return words, character_offsets(words)


class Sources:
    """The files of a stream, read when they are asked for."""

    def __init__(self, stream: WordStream, encoding: str = "utf-8") -> None:
        self.stream = stream
        self._read = cache(partial(SourceFile.read, encoding=encoding))
        self._trees: dict[int, tuple[SourceTree, list[int]] | None] = {}
        # A long sentence may have thousands of findings, one after another.
        self._words = lru_cache(_SENTENCES_KEPT)(partial(_words_of, stream))

    @cached_property
    def _uses(self) -> Uses:
        return Uses(self.stream)

    def evidence(self, finding: TreeFinding) -> list[Analysis]:
        """The analysis that is doubted, then the others, with places of each."""
        return evidence(finding, self._uses)

    def exhibit(self, finding: TreeFinding) -> Exhibit:
        """Where it is, and its words as they are used here and elsewhere."""
        place, analyses = self.location(finding.suspects[0]), self.evidence(finding)
        column = "" if place.first_column is None else f":{place.first_column}"
        shown = {span for analysis in analyses for span in analysis.spans}
        more = [span for span in finding.suspects if span not in shown]
        # What else is odd in the same sentence mostly follows from the first place.
        apart = [other for other in more if other.tree != finding.suspects[0].tree][
            :_MORE
        ]
        line = partial(concordance_line, self.stream)
        counts = ", ".join(
            f"{analysis.text} {analysis.count}x" for analysis in finding.analyses
        )
        return Exhibit(
            f"{place.file}:{place.first_line or place.line}{column}",
            f"sentence {numbered(place.sentence, place.id)}",
            "" if counts == finding.message else finding.message,
            [
                (analysis.title, list(map(line, analysis.spans)))
                for analysis in analyses
            ],
            list(map(line, apart)),
            len(more) - len(apart),
        )

    def file_of(self, tree: int) -> SourceFile | None:
        return self._read(self.stream.file_of(tree))

    def tree(self, tree: int) -> tuple[SourceTree, list[int]] | None:
        """A tree as it stands in its file, and which bracket each of its rows is.

        None where file and tree do not agree.
        """
        if tree not in self._trees:
            file, line = self.file_of(tree), int(self.stream.bank.line[tree])
            source = file.tree(line, self.which(tree)) if file else None
            nodes = matched(source, self.stream.bank, tree) if source else None
            self._trees[tree] = (
                (source, nodes) if source and nodes is not None else None
            )
        return self._trees[tree]

    def location(self, place: LeafSpan) -> Location:
        tree, first, last = place
        stream, is_empty = self.stream, first >= last
        words, offsets = self._words(tree)
        return Location(
            stream.file_of(tree),
            int(stream.bank.line[tree]),
            stream.number_in_file(tree),
            stream.bank.id_of(tree),
            first + 1,
            last,
            " ".join(words[first:last]),
            None if is_empty else offsets[first][0],
            None if is_empty else offsets[last - 1][1],
            *(() if is_empty else self._in_file(place)),
        )

    def _in_file(self, place: LeafSpan) -> tuple[int, ...]:
        """Characters, lines and columns of a place in its file, if it is known."""
        file, matched = self.file_of(place.tree), self.tree(place.tree)
        if file is None or matched is None:
            return ()
        source, nodes = matched
        bank = self.stream.bank
        start = int(bank.leaf_start[place.tree])
        row = int(bank.node_start[place.tree])
        first, last = (
            source.nodes[nodes[int(bank.leaf_node[start + leaf]) - row]].form
            for leaf in (place.first, place.last - 1)
        )
        if first is None or last is None:
            return ()
        ends = first[0], last[1]
        return *ends, *file.line_and_column(ends[0]), *file.line_and_column(ends[1])

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


def matched(source: SourceTree, bank: Treebank, tree: int) -> list[int] | None:
    """The bracket of each row of a tree; None if they do not fit.

    Words that the reader left out, and brackets that hold nothing else, are passed by.
    """
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
    kept = _kept_leaves(source, [pair for pair in wanted if pair[1] is not None])
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
    for node, bracket in enumerate(source.nodes):
        if bracket.form is None or at == len(leaves):
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
