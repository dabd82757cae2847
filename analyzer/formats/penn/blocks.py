"""Blocks of whole trees as text, and how they are read.

A block goes through the fast reader; only what that does not take goes, record by
record, through the grammar. A record that cannot be read becomes a tree without nodes,
its error stands in `Treebank.problems`, and the trees after it keep their numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import AnalyzerError, Place, TreeSyntaxError
from analyzer.formats.blocks import HOPELESS, refusal
from analyzer.formats.penn.bad_lines import bad_lines
from analyzer.formats.penn.first_trees import first_of_lines, needs_cutting
from analyzer.formats.penn.grammar import has_fault, problem_of, read_record
from analyzer.formats.penn.identifiers import Names, are_sentences, with_names
from analyzer.formats.penn.records import (
    Layout,
    Record,
    records,
    tree_ends,
    with_plain_comments,
    without_comments,
)
from analyzer.formats.penn.scanner import scan
from analyzer.limits import limits
from analyzer.model.arrays import Ints
from analyzer.model.builder import TreebankBuilder
from analyzer.model.treebank import Treebank

# Text that is worth counting its brackets before anything is done with it.
_LONG = 1 << 20
# Where something is wrong with so few records, or so short ones, looking at each tells
# sooner than scanning them.
_FEW = 8
_SHORT = 1 << 12


class TextBlock(NamedTuple):
    """Whole trees of one file, as text that is still to be read."""

    text: bytes
    trees: int
    layout: Layout
    source: str
    first_line: int = 1
    first_sentence: int = 1
    keep_blank_lines: bool = False
    strict: bool = False
    mend: bool = False  # bad trees, where it is certain what they mean
    names: Names = Names.NONE  # where sentences have names
    first_of_line: bool = False  # whatever else stands on the line of a tree

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        bank = _read(self)
        if self.names is not Names.NONE:
            bank = with_names(
                bank,
                self.names,
                text=self.text,
                first_line=self.first_line,
                first_sentence=self.first_sentence,
            )
        if len(bank) != self.trees:
            raise AnalyzerError(
                "counted {trees} trees from here on, but read {count}; a "
                "fault of spinal, not of the file: please report it",
                Place(self.source, self.first_line),
                code="E001",
                trees=self.trees,
                count=len(bank),
            )
        return bank


def sentence_ends(
    block: bytes, layout: Layout, keep_blank_lines: bool, names: Names
) -> Ints:
    """Where each sentence of a block of whole records ends."""
    ends = ends_of(block, layout, keep_blank_lines)
    if names is not Names.HISTORICAL or not ends.size:
        return ends
    bank = scan(block, layout, keep_blank_lines=keep_blank_lines)
    if bank is None:
        starts = [0, *ends[:-1].tolist()]
        texts = [block[start:end] for start, end in zip(starts, ends, strict=True)]
        kept = np.array([_is_sentence(text, layout) for text in texts], np.bool_)
    else:
        kept = are_sentences(bank)
    # What is no sentence is read with the one after it; at the end, with the last.
    chosen = ends[kept]
    if chosen.size:
        chosen[-1] = ends[-1]
    return chosen


def _is_sentence(record: bytes, layout: Layout) -> bool:
    bank = scan(record, layout, keep_blank_lines=False)
    return bank is None or bool(are_sentences(bank).any())


def ends_of(block: bytes, layout: Layout, keep_blank_lines: bool) -> Ints:
    """Where each tree of a block of whole records ends."""
    if layout is Layout.ANSWERS:
        return np.array([record.end for record in _records(block, layout)], np.int64)
    ends = tree_ends(block, layout, keep_blank_lines=keep_blank_lines)
    if ends is not None:
        return ends
    found: list[int] = []
    for record in records(block, layout):
        text = block[record.start : record.end]
        is_refused = _is_soon_refused(text)
        bank = None if is_refused else scan(text, layout, keep_blank_lines=False)
        if bank is None or len(bank) < 2:
            found += [record.end] * (1 if bank is None else len(bank))
            continue
        # Several trees on a line: each ends where its outermost bracket does.
        depth = 0
        for place, byte in enumerate(without_comments(text)):
            depth += (byte == ord("(")) - (byte == ord(")"))
            if byte == ord(")") and depth == 0:
                found.append(record.start + place + 1)
        found[-1] = record.end
    return np.array(found, np.int64)


def _read(block: TextBlock) -> Treebank:
    text = block.text
    is_answers = block.layout is Layout.ANSWERS
    whole = None if is_answers else _scan(block, 0, len(text), block.first_line)
    cuts_lines = block.first_of_line and block.layout is Layout.LINES
    if whole is not None and not (cuts_lines and needs_cutting(text)):
        return whole
    if cuts_lines:
        return _read(block._replace(text=first_of_lines(text), first_of_line=False))
    if block.layout is Layout.LINES and not block.mend:
        lines = _read_lines(block)
        if lines is not None:
            return lines
    # Something in here is irregular: halve the block until what is irregular stands
    # alone, and let the grammar read that.
    banks: list[Treebank] = []
    sentence, line, place = block.first_sentence, block.first_line, 0
    found = _records(text, block.layout)
    pending = [[one] for one in found][::-1] if is_answers else _halves(found)
    while pending:
        part = pending.pop()
        start, end = part[0].start, part[-1].end
        line, place = line + text.count(b"\n", place, start), start
        is_refused = (
            _is_soon_refused(text[start:end]) if len(part) == 1 else len(part) <= _FEW
        )
        bank = None if is_refused else _scan(block, start, end, line)
        if bank is None and len(part) > 1:
            pending += _halves(part)
            continue
        if bank is None:
            bank = _read_alone(
                block,
                text[start:end],
                line=block.first_line + part[0].lines_before,
                place=Place(block.source, line, None, sentence),
            )
        sentence += len(bank)
        banks.append(bank)
    return Treebank.join(banks, block.source)


def _read_lines(block: TextBlock) -> Treebank | None:
    """A block of one tree a line, some of them bad; None if it takes a closer look."""
    text = block.text
    most = limits().tree_nodes
    if without_comments(text) is not text or text.count(b"(") > most:
        return None
    bad = bad_lines(text)
    good = bytearray(text)
    for one in bad:
        good[one.start : one.end] = b" " * (one.end - one.start)
    if bad and bad[-1].end == len(text):
        good += b"\n"  # or else the last line, blank now, would be none
    bank = scan(
        bytes(good),
        block.layout,
        keep_blank_lines=True,
        first_line=block.first_line,
        source=block.source,
    )
    if bank is None:
        return None
    number = np.arange(len(bank))
    if not block.keep_blank_lines:
        is_kept = np.diff(bank.node_start) > 0
        is_kept[[one.number for one in bad]] = True
        number = np.cumsum(is_kept) - 1
        ends = np.append(np.flatnonzero(is_kept), len(bank))
        bank = replace(
            bank,
            node_start=bank.node_start[ends],
            leaf_start=bank.leaf_start[ends],
            line=bank.line[ends[:-1]],
        )
    problems: dict[int, TreeSyntaxError] = {}
    malformed: dict[int, bytes] = {}
    for one in bad:
        tree = int(number[one.number])
        record = text[one.start : one.end]
        place = Place(
            block.source,
            block.first_line + one.number,
            None,
            block.first_sentence + tree,
        )
        problems[tree] = problem_of(record, place=place, fault=one.fault)
        if block.strict:
            raise problems[tree]
        malformed[tree] = record
    from analyzer.formats.penn.mending import Mendable

    return replace(bank, problems=problems, mends=Mendable(malformed))


def _scan(block: TextBlock, start: int, end: int, line: int) -> Treebank | None:
    """The trees of a part of the block by the fast reader, if that takes it."""
    most = limits().tree_nodes
    if end - start > _LONG and block.text.count(b"(", start, end) > most:
        return None  # one monstrous tree: not even look
    text = block.text[start:end]
    if block.mend:
        from analyzer.formats.penn.mending import may_be_escaped

        if may_be_escaped(text):
            return None
    bank = scan(
        text,
        block.layout,
        keep_blank_lines=block.keep_blank_lines,
        first_line=line,
        source=block.source,
    )
    if bank is None or np.diff(bank.node_start).max(initial=0) > most:
        return None
    return None if block.layout is Layout.ANSWERS and len(bank) != 1 else bank


def _read_alone(
    block: TextBlock, record: bytes, *, line: int, place: Place
) -> Treebank:
    """One irregular record: mended, or read by the grammar."""
    from analyzer.formats.penn.mending import mend

    is_large = record.count(b"(") > limits().tree_nodes
    mended = None if is_large else mend(record)
    mends = {0: tuple(one.value for one in mended.mends)} if mended else {}
    if mended and block.mend:
        bank = scan(
            mended.text,
            Layout.LINES,
            keep_blank_lines=False,
            first_line=line,
            source=block.source,
        )
        assert bank is not None
        return replace(bank, mends=mends)
    builder = TreebankBuilder(block.source)
    problem = _read_record(record, builder, line=line, place=place)
    if problem is not None and block.strict:
        raise problem
    bank = builder.finish()
    return bank if problem is None else replace(bank, mends=mends)


def _read_record(
    record: bytes, builder: TreebankBuilder, *, line: int, place: Place
) -> TreeSyntaxError | None:
    """One record through the grammar, unless it is too large for that."""
    most = limits().tree_nodes
    nodes = record.count(b"(")
    if nodes <= most:
        plain = with_plain_comments(record)
        return read_record(plain, builder, line=line, place=place)
    problem = TreeSyntaxError(
        "{nodes:,} brackets are opened here, more than a tree "
        "may have nodes ({most:,}; see --max-tree-nodes)",
        replace(place, line=line),
        code="E201",
        nodes=nodes,
        most=most,
    )
    builder.end_tree(line, problem)
    return problem


def _can_be_mended(record: bytes) -> bool:
    from analyzer.formats.penn.mending import mend

    return mend(record) is not None


def _is_soon_refused(record: bytes) -> bool:
    """Whether a short record has a fault."""
    return len(record) < _SHORT and has_fault(with_plain_comments(record))


def _records(text: bytes, layout: Layout) -> list[Record]:
    """The records of a text, whatever its layout."""
    if layout is not Layout.ANSWERS:
        return list(records(text, layout))
    from analyzer.formats.penn.answers import answer_records

    return list(answer_records(text))


def _halves(part: list[Record]) -> list[list[Record]]:
    """Both halves of a list, the first one last: a stack's order."""
    middle = len(part) // 2
    return [half for half in (part[middle:], part[:middle]) if half]


def refuse_if_hopeless(
    start: bytes, layout: Layout, source: str, *, can_mend: bool = False
) -> None:
    """An error if a file begins with very many bad trees, and no good one."""
    bad: list[Record] = []
    is_answers = layout is Layout.ANSWERS
    for record in _records(start, layout) if is_answers else records(start, layout):
        text = start[record.start : record.end]
        if not text.strip():
            continue  # a parse that failed
        if scan(text, layout, keep_blank_lines=False) is not None:
            return
        if can_mend and _can_be_mended(text):
            return
        bad.append(record)
        if len(bad) == HOPELESS:
            break
    else:
        return
    problem = read_record(
        start[bad[0].start : bad[0].end],
        TreebankBuilder(source),
        line=1 + bad[0].lines_before,
        place=Place(source, 1 + start.count(b"\n", 0, bad[0].start), None, 1),
    )
    if problem is not None:
        raise refusal(problem)
