"""How a file divides into records, a record being what counts as one sentence.

Four layouts are told apart by looking at the start of a file:

* LINES: a record a line, as evalb wants it. A blank line may be a parse that
  failed (evalb counts it) or a mere separator; see `blank_lines`.
* INDENTED: a tree over many lines, as in the Penn Treebank: each begins with
  '(' in the first column, the lines that continue it are indented.
* SEPARATED: anything else; a record ends where its brackets do, or if they never do,
  at the latest before a '(' in the first column after a blank line.
* FREE: the same where blank lines mean nothing, because they stand within trees.

A fifth, ANSWERS, is that of files which are to be mended: see `generated`.

Before that, words that are round brackets, written as such (`(-LRB- ()`, `(-RRB- ))`,
`(( ()`), are brought into the Treebank's form. Programs that do not know it (the
printer of NLTK, say) write trees in which words are taken for brackets; such trees can
balance, and would be read as others silently. `(-LRB- ()` can mean nothing else.
`(-RRB- ))` may also be an empty word at the end of a phrase; which it is, the tree's
balance tells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analyzer import _native
from grammars import terminal_patterns

_NEWLINE = ord("\n")
_SPACE, _OPEN, _CLOSE = b" ()"
_MAY_COMMENT = np.isin(np.arange(256), list(b"#*"))
_IS_SPACE = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
_NOT_LINE_END = re.compile(rb"[^\n]")
_BLANK_LINE = re.compile(rb"\n[ \t\r\v\f]*\n")
# A bracket in the first column after a blank line starts a tree, even if the one
# before it was never closed. Read backwards, so that the last one is found first.
_TREE_AFTER_BLANK_LINE = re.compile(rb"\((?=\n[ \t\r\v\f]*\n)")
# Blank lines separate when at least this share of the trees is followed by one.
_SEPARATED_SHARE = 0.9
# Shares of lines that are whole trees, for a file with broken trees in it.
_MOSTLY_WHOLE = 0.8
_RATHER_WHOLE = 0.5
_LEFT_WORD = re.compile(rb"\((-[LR]RB-|\() +\(\)")
_RIGHT_WORD = re.compile(rb"\((-[LR]RB-|\)) +\)\)")
_LEFT_FOR_SURE = re.compile(rb"\(-[LR]RB- +\(\)")
_NO_BRACKET = re.compile(rb"[^()]+")
_BRACKET_TAGS = {b"(": b"-LRB-", b")": b"-RRB-"}


class Layout(Enum):
    LINES = "one tree a line"
    INDENTED = "trees over many lines, indented"
    SEPARATED = "trees over many lines"
    FREE = "trees over many lines, with blank lines in them"
    ANSWERS = "trees with text around them, to be mended"


# The part of a block that holds one sentence: where it starts, and where it ends.
Record = tuple[int, int]


def ends_of_lines(text: bytes) -> npt.NDArray[np.int64]:
    """The places after line ends."""
    if _native.has_kernel():
        return _native.line_ends(text)
    return np.flatnonzero(np.frombuffer(text, np.uint8) == _NEWLINE) + 1


def line_ends(block: bytes) -> int:
    """How many there are: as `count` says, in a fifth of the time."""
    if _native.has_kernel():
        return _native.count_line_ends(block)
    return int(np.count_nonzero(np.frombuffer(block, np.uint8) == _NEWLINE))


def without_comments(block: bytes) -> bytes:
    """The block with comment lines, and their line ends, turned into spaces.

    Every other byte keeps its place.
    """
    if _native.has_kernel():
        if not _native.may_comment(block):
            return block
    else:
        given = np.frombuffer(block, np.uint8)
        before = np.flatnonzero(given[:-1] == _NEWLINE)
        if block[:1] not in (b"#", b"*") and not _MAY_COMMENT[given[1:][before]].any():
            return block
    return _comment_line().sub(lambda comment: b" " * len(comment[0]), block)


def blank_comments(record: bytes) -> bytes:
    """The record with spaces for comments, which may hold anything; lines stay."""
    return _comment_line().sub(lambda line: _NOT_LINE_END.sub(b" ", line[0]), record)


@cache
def _comment_line() -> re.Pattern[bytes]:
    source = terminal_patterns("common")["COMMENT"].pattern
    return re.compile(source.encode() + rb"\n?", re.MULTILINE)


def sniff(block: bytes, *, is_whole: bool) -> Layout:
    """The layout of a file, from its first block (or all of it)."""
    if without_comments(block) is not block:
        block = _comment_line().sub(b"", block)
    text = np.frombuffer(block + b"\n", np.uint8)
    depths = np.cumsum(_signs(text), dtype=np.int64)
    line_ends = np.flatnonzero(text == _NEWLINE)
    depth_after_line = depths[line_ends]
    if not is_whole:
        line_ends, depth_after_line = line_ends[:-1], depth_after_line[:-1]
    if not depth_after_line.any():
        return Layout.LINES

    line_starts = np.concatenate([[0], line_ends[:-1] + 1])
    starts_with_open = text[line_starts] == _OPEN
    depth_before = np.concatenate([[0], depth_after_line[:-1]])
    ends_at_zero = np.flatnonzero(depth_after_line == 0)
    is_balanced = depths.min() >= 0 and (
        depth_after_line[-1] == 0
        if is_whole
        # The last tree may be cut off, but not more than half of the block.
        else ends_at_zero.size and ends_at_zero[-1] > depth_after_line.size // 2
    )
    is_indented = _has_indented_lines(text, line_starts)
    own_balance = depth_after_line - depth_before
    whole = own_balance[starts_with_open] == 0
    whole_lines = float(whole.mean()) if whole.size else 0.0
    if is_balanced:
        all_start_in_first_column = not np.any(starts_with_open & (depth_before > 0))
        if is_indented and all_start_in_first_column:
            return Layout.INDENTED
        # A ')' missing in one tree and one too many in another balance each other. But
        # no line of one tree a line begins with ')': it closes what stands above it.
        closes_above = bool(np.any(text[line_starts] == _CLOSE))
        if whole_lines >= _MOSTLY_WHOLE and not closes_above:
            return Layout.LINES
        between = np.diff(depth_before[starts_with_open], append=depth_after_line[-1])
        are_whole = np.count_nonzero(between == 0) >= _MOSTLY_WHOLE * between.size
        if is_indented and are_whole:
            return Layout.INDENTED
        is_blank = np.logical_and.reduceat(_IS_SPACE[text], line_starts)
        after_blank = depth_before[starts_with_open & np.append(False, is_blank[:-1])]
        within = np.count_nonzero(after_blank > 0)
        return Layout.FREE if 2 * within > after_blank.size else Layout.SEPARATED
    # Something is broken. If most lines that start with '(' are whole trees, it
    # is a file of one tree a line with a few bad ones.
    if whole_lines >= _RATHER_WHOLE:
        return Layout.LINES
    return Layout.INDENTED if is_indented else Layout.SEPARATED


class BlankLines(NamedTuple):
    """How many lines of a text are blank, and how many others there are."""

    blank: int
    others: int
    separate: bool  # in a file of one tree a line: they only separate the trees


def blank_lines(block: bytes) -> BlankLines:
    """The blank lines of a text; one at its end, without a line end, is none.

    >>> blank_lines(b"(A a)\\n\\n(B b)\\n \\n(C c)\\n\\n")
    BlankLines(blank=3, others=3, separate=True)
    >>> blank_lines(b"(A a)\\n(B b)")
    BlankLines(blank=0, others=2, separate=False)

    They separate trees if they follow nearly all of them, or are more than the trees.
    """
    text = without_comments(block)
    if text[:1].strip() and not _BLANK_LINE.search(text):
        return BlankLines(0, line_ends(text) + bool(_last_line(text).strip()), False)
    lines = text.split(b"\n")
    is_blank = [not line.strip() for line in lines]
    followed = [after for here, after in pairwise(is_blank) if not here]
    # The last tree is always followed by the end of the file.
    separate = len(followed) > 2 and sum(followed[:-1]) >= _SEPARATED_SHARE * (
        len(followed) - 1
    )
    blank, others = sum(is_blank[:-1]), is_blank.count(False)
    return BlankLines(blank, others, separate or blank > others > 0)


def _last_line(text: bytes) -> bytes:
    """What stands after the last line end."""
    return text[text.rfind(b"\n") + 1 :]


def last_cut(block: bytes, layout: Layout) -> int:
    """Where the last record that is sure to be whole ends; 0 if none is.

    Always between two records as `records` sees them, so that it does not matter
    how large the blocks are that a file is read in.
    """
    if layout is Layout.LINES:
        return block.rfind(b"\n") + 1
    if layout is Layout.INDENTED:
        return block.rfind(b"\n(") + 1
    cut = 0
    if layout is Layout.SEPARATED:
        forced = _TREE_AFTER_BLANK_LINE.search(block[::-1])
        cut = len(block) - forced.start() - 1 if forced else 0
    text = np.frombuffer(without_comments(block), np.uint8)
    line_end = np.flatnonzero(text == _NEWLINE)
    if not line_end.size:
        return cut
    depth = np.cumsum(_signs(text), dtype=np.int64)[line_end]
    # Brackets too many make the sum negative: what ends then is a (bad) record, too,
    # and the next one starts at that depth.
    ends = np.flatnonzero(depth <= np.minimum.accumulate(np.minimum(depth, 0)))
    return max(cut, int(line_end[ends[-1]]) + 1) if ends.size else cut


def tree_ends(
    block: bytes, layout: Layout, *, keep_blank_lines: bool
) -> npt.NDArray[np.int64] | None:
    """Where each tree of a block ends; None if that takes a closer look.

    In LINES that is where its line does. Elsewhere only blocks are taken in which
    each record is one balanced bracket.
    """
    plain = without_comments(block)
    text = np.frombuffer(plain, np.uint8)
    line_end = ends_of_lines(plain)
    if text.size and (not line_end.size or line_end[-1] < text.size):
        line_end = np.append(line_end, text.size)
    if layout is Layout.LINES:
        return _ends_of_lines(text, line_end, keep_blank_lines)
    signs = _signs(text)
    depth = np.cumsum(signs, dtype=np.int32)
    if not depth.size:
        return line_end
    if depth[-1] != 0 or depth.min() < 0:
        return None
    is_outside = depth == 0
    closes_root = is_outside & (signs < 0)
    if np.any(is_outside & ~closes_root & ~_IS_SPACE[text]):
        return None  # a word outside of any bracket
    if np.any(depth[forced_starts(block, layout)] > 1):
        return None  # a tree that was never closed
    line = np.searchsorted(line_end, np.flatnonzero(closes_root), side="right")
    ends: npt.NDArray[np.int64] = line_end[line]
    are_apart = bool(np.all(np.diff(line) > 0)) and not depth[ends - 1].any()
    return ends if are_apart else None


def words_between(block: bytes, ends: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """How many words stand before each end, after the one before it.

    >>> words_between(b"(S (A a) (B b) )\\n\\n(C c)", np.array([17, 18, 23])).tolist()
    [2, 0, 1]
    """
    text = np.frombuffer(without_comments(block), np.uint8)
    place = np.flatnonzero(~_IS_SPACE[text])
    closes = text[place] == _CLOSE
    # Below a word's bracket there is no other.
    is_word = closes[1:] & ~closes[:-1]
    before = np.searchsorted(place[1:][is_word], ends)
    return np.diff(before, prepend=0)


def _signs(text: npt.NDArray[np.uint8]) -> npt.NDArray[np.int8]:
    signs: npt.NDArray[np.int8] = (text == _OPEN).astype(np.int8) - (text == _CLOSE)
    return signs


def _ends_of_lines(
    text: npt.NDArray[np.uint8], line_end: npt.NDArray[np.int64], keep_blank_lines: bool
) -> npt.NDArray[np.int64]:
    """The ends of the lines that are records: blank ones too, or not."""
    if not line_end.size:
        return line_end
    if not keep_blank_lines:
        starts = np.append(0, line_end[:-1])
        return line_end[~np.logical_and.reduceat(_IS_SPACE[text], starts)]
    if text[-1] != _NEWLINE:
        # What is left after the last line end is a line only if it is not blank.
        start = line_end[-2] if line_end.size > 1 else 0
        return line_end[:-1] if _IS_SPACE[text[start:]].all() else line_end
    return line_end


def forced_starts(block: bytes, layout: Layout) -> npt.NDArray[np.int64]:
    """Where a tree starts even if the one before it was never closed.

    That is a '(' in the first column, or only after a blank line or a comment.
    """
    if layout is Layout.FREE:
        return np.zeros(0, np.int64)
    given = np.frombuffer(block, np.uint8)
    line_start = np.flatnonzero(given == _NEWLINE) + 1
    line_start = np.append(0, line_start[line_start < given.size])[: given.size]
    begins = given[line_start] == _OPEN
    if layout is Layout.SEPARATED and begins.any():
        text = np.frombuffer(without_comments(block), np.uint8)
        is_blank = np.logical_and.reduceat(_IS_SPACE[text], line_start)
        begins[1:] &= is_blank[:-1]
    starts: npt.NDArray[np.int64] = line_start[begins]
    return starts


def records(block: bytes, layout: Layout) -> Iterator[Record]:
    """The records of a block, well formed or not, blank lines included in LINES.

    Used only for blocks that the fast reader did not take whole.
    """
    if layout is Layout.LINES:
        # Comments before a tree are part of its record; its own line comes last.
        plain = without_comments(block)
        ends = ends_of_lines(plain).tolist()
        if plain[ends[-1] if ends else 0 :].strip():
            ends.append(len(block))
        yield from pairwise([0, *ends])
        return
    start = depth = position = 0
    is_open = was_blank = False
    for given in block.split(b"\n"):
        line = _comment_line().sub(b"", given)
        begins_tree = line.startswith(b"(")
        forced = layout is Layout.INDENTED or (layout is Layout.SEPARATED and was_blank)
        was_blank = not line.strip()
        if is_open and begins_tree and forced:
            yield start, position
            is_open = False
        if not is_open and line.strip():
            start, depth, is_open = position, 0, True
        depth += line.count(b"(") - line.count(b")")
        position += len(given) + 1
        if is_open and depth <= 0:
            yield start, min(position, len(block))
            is_open = False
    if is_open:
        yield start, len(block)


def _has_indented_lines(
    text: npt.NDArray[np.uint8], line_starts: npt.NDArray[np.int64]
) -> bool:
    first = text[line_starts]
    return bool(np.any((first == ord(" ")) | (first == ord("\t"))))


# -- words that are brackets --------------------------------------------------------


def escape_bracket_words(text: bytes) -> bytes:
    """The text with -LRB- and -RRB- for words that are brackets.

    >>> escape_bracket_words(b"(NP (-LRB- () (NN a) (-RRB- )))")
    b'(NP (-LRB- -LRB-) (NN a) (-RRB- -RRB-))'
    >>> escape_bracket_words(b"(NP (NN a) (-RRB- ))")  # an empty word
    b'(NP (NN a) (-RRB- ))'
    """
    if not _may_have_bracket_words(text):
        return text
    # A bracket in the first column begins a tree, in nearly all files.
    first, *others = text.split(b"\n(")
    trees = [first, *(b"(" + tree for tree in others)]
    return b"\n".join(
        _escaped_tree(tree) if _may_have_bracket_words(tree) else tree for tree in trees
    )


def _may_have_bracket_words(text: bytes) -> bool:
    """Whether ' ()' or ' ))' is in the text: quicker than to search for each."""
    if _native.has_kernel():
        return _native.has_bracket_word(text)
    given = np.frombuffer(text, np.uint8)
    place = np.flatnonzero((given[:-2] == _SPACE) & (given[2:] == _CLOSE)) + 1
    return bool(np.any((given[place] == _OPEN) | (given[place] == _CLOSE)))


def _escaped_tree(tree: bytes) -> bytes:
    left = _LEFT_WORD.sub(lambda leaf: _bracket_leaf(leaf[1], b"-LRB-"), tree)
    both = _RIGHT_WORD.sub(lambda leaf: _bracket_leaf(leaf[1], b"-RRB-"), left)
    for reading in (both, left):
        if reading is not tree and _is_balanced(reading):
            return reading
    # Left brackets that are words for sure, and a tree that does not balance: it is to
    # be malformed, not another tree.
    return left if _LEFT_FOR_SURE.search(tree) else tree


def _bracket_leaf(tag: bytes, word: bytes) -> bytes:
    return b"(%s %s)" % (_BRACKET_TAGS.get(tag, tag), word)


def _is_balanced(tree: bytes) -> bool:
    depth = 0
    for bracket in _NO_BRACKET.sub(b"", tree):
        depth += 1 if bracket == ord("(") else -1
        if depth < 0:
            return False
    return depth == 0


# -- punctuation -------------------------------------------------------------------

# Marks that have another tag than themselves, where it decides what is deleted.
_MARKS = {
    ".": re.compile(r"[.?!]*[?!][.?!]*"),
    ":": re.compile(r"[;…]|\.{2,}|[-–—]+"),
    "``": re.compile("“"),
    "''": re.compile('[”"]'),
}


def mark_tag(mark: str) -> str:
    """The Penn Treebank's tag of a punctuation mark, which mostly is the mark.

    >>> mark_tag(","), mark_tag("?!"), mark_tag("--")
    (',', '.', ':')
    """
    for tag, marks in _MARKS.items():
        if marks.fullmatch(mark):
            return tag
    return mark
