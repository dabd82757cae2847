"""Runs of whole trees as text, and how they are read.

A run goes through the fast reader; only what that does not take goes, record by record,
through the grammar. A record that cannot be read becomes a tree without nodes whose
error stands in `Treebank.problems`, so that the trees after it keep their numbers.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import AnalyzerError, InputError, Place, TreeSyntaxError
from analyzer.formats.penn.grammar import read_record
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
from analyzer.model.symbols import Ints
from analyzer.model.treebank import Treebank, TreebankBuilder

# A file that begins with this many bad trees, and no good one, is refused there: to
# explain what is wrong with each line of a long novel would take hours.
_HOPELESS = 1000
# Text that is worth counting its brackets before anything is done with it.
_LONG = 1 << 20


class TextRun(NamedTuple):
    """Whole trees of one file, as text that is still to be read."""

    text: bytes
    trees: int
    layout: Layout
    source: str
    first_line: int = 1
    first_sentence: int = 1
    keep_blank_lines: bool = False
    strict: bool = False


def ends_of(block: bytes, layout: Layout, keep_blank_lines: bool) -> Ints:
    """Where each tree of a block of whole records ends."""
    ends = tree_ends(block, layout, keep_blank_lines=keep_blank_lines)
    if ends is not None:
        return ends
    found: list[int] = []
    for record in records(block, layout):
        text = block[record.start : record.end]
        bank = scan(text, layout, keep_blank_lines=False)
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


def read_run(run: TextRun) -> Treebank:
    """The trees of a run, good and bad."""
    bank = _read(run)
    if len(bank) != run.trees:
        raise AnalyzerError(
            f"counted {run.trees} trees from here on, but read {len(bank)}; a fault of "
            "spinal, not of the file: please report it",
            Place(run.source, run.first_line),
        )
    return bank


def _read(run: TextRun) -> Treebank:
    text, most = run.text, limits().tree_nodes

    def fast(start: int, end: int, line: int) -> Treebank | None:
        if end - start > _LONG and text.count(b"(", start, end) > most:
            return None  # one monstrous tree: not even look
        bank = scan(
            text[start:end],
            run.layout,
            keep_blank_lines=run.keep_blank_lines,
            first_line=line,
            source=run.source,
        )
        if bank is None or np.diff(bank.node_start).max(initial=0) > most:
            return None
        return bank

    whole = fast(0, len(text), run.first_line)
    if whole is not None:
        return whole
    # Something in here is irregular: halve the run until what is irregular stands
    # alone, and let the grammar read that.
    banks: list[Treebank] = []
    sentence = run.first_sentence
    pieces = _halves(list(records(text, run.layout)))
    while pieces:
        piece = pieces.pop()
        start, end = piece[0].start, piece[-1].end
        line = run.first_line + text.count(b"\n", 0, start)
        bank = fast(start, end, line)
        if bank is None and len(piece) > 1:
            pieces += _halves(piece)
            continue
        if bank is None:
            builder = TreebankBuilder(run.source)
            problem = _read_record(
                text[start:end],
                builder,
                line=run.first_line + piece[0].lines_before,
                place=Place(run.source, line, None, sentence),
            )
            if problem is not None and run.strict:
                raise problem
            bank = builder.finish()
        sentence += len(bank)
        banks.append(bank)
    return Treebank.joined(banks, run.source)


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
        f"{nodes:,} brackets are opened here, more than a tree may have nodes "
        f"({most:,}; see --max-tree-nodes)",
        replace(place, line=line),
    )
    builder.end_tree(line, problem)
    return problem


def _halves(piece: list[Record]) -> list[list[Record]]:
    """Both halves of a list, the first one last: a stack's order."""
    middle = len(piece) // 2
    return [half for half in (piece[middle:], piece[:middle]) if half]


def refuse_if_hopeless(start: bytes, layout: Layout, source: str) -> None:
    """An error if a file begins with very many bad trees, and no good one."""
    bad: list[Record] = []
    for record in records(start, layout):
        text = start[record.start : record.end]
        if not text.strip():
            continue  # a parse that failed
        if scan(text, layout, keep_blank_lines=False) is not None:
            return
        bad.append(record)
        if len(bad) == _HOPELESS:
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
        raise InputError(
            f"is this a file of trees? None of the first {_HOPELESS:,} could be read: "
            f"{problem.message}",
            problem.place,
            problem.excerpt,
        )
