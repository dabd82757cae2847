"""A file of brackets, cut into blocks of whole trees; and how a block is read.

The fast reader takes a block in one go. Where something in it is irregular, each record
is put on a line of its own, bad ones are blanked out, and the fast reader takes the
rest. A record that cannot be read becomes a tree without nodes, its error stands in
`Treebank.problems`, and the trees after it keep their numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import AnalyzerError, InputError, Place, TreeSyntaxError
from analyzer.files.sources import Readable
from analyzer.formats.blocks import (
    AS_USUAL,
    HOPELESS,
    READY_BLOCKS,
    Block,
    BlockSettings,
    Family,
    FileOptions,
    FirstLook,
    Format,
    refusal,
)
from analyzer.formats.penn.faults import (
    bad_lines,
    first_of_lines,
    needs_cutting,
    problem_of,
)
from analyzer.formats.penn.identifiers import (
    Names,
    are_sentences,
    has_search_comments,
    is_historical,
    is_markup,
    markup_as_comments,
    search_comments,
    with_names,
)
from analyzer.formats.penn.records import (
    Layout,
    Record,
    blank_comments,
    blank_lines,
    escape_bracket_words,
    last_cut,
    line_ends,
    records,
    sniff,
    tree_ends,
    without_comments,
    words_between,
)
from analyzer.formats.penn.scanner import scan
from analyzer.limits import limits
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank
from grammars import terminal_patterns

# A block should fit the processor's cache; see benchmarks/README.md.
BLOCK_BYTES = 1 << 19
# What is looked at to tell how a file divides: not a block, so that the answer does
# not depend on how large blocks are.
_LOOK_BYTES = 1 << 19
# A record may be larger than a block, but not so large that it takes all memory.
_LARGEST_RECORD = 1 << 24
# Text that is worth counting its brackets before anything is done with it.
_LONG = 1 << 20
# How lines of a file begin that are no trees.
_COMMENTS = ("#", "*")
_NO_BRACKET = re.compile(rb"[^()]*")
# Of a string of many lines that has to be on one: white space, but no line end.
LINE_END = b"\v"


# -- a block ------------------------------------------------------------------------


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
    one_a_line: bool = False  # as in `FileOptions`: these are answers, perhaps

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        return self.checked(_read(self))

    def checked(self, bank: Treebank) -> Treebank:
        """The trees that were read, with their names; as many as were counted."""
        if bank.problems and self.strict:
            raise bank.problems[min(bank.problems)]
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
                "E001 trees from here on, but read",
                Place(self.source, self.first_line),
                trees=self.trees,
                count=len(bank),
            )
        return bank


def _read(block: TextBlock) -> Treebank:
    cuts_lines = block.first_of_line and block.layout is Layout.LINES
    if block.layout is not Layout.ANSWERS:
        whole = _scan_whole(block)
        if whole is not None and not (cuts_lines and needs_cutting(block.text)):
            return whole
    if cuts_lines:
        text = first_of_lines(block.text)
        return _read(block._replace(text=text, first_of_line=False))
    return _read_records(block)


def _scan_whole(block: TextBlock) -> Treebank | None:
    """The trees of a block by the fast reader, if that takes it."""
    text, most = block.text, limits().tree_nodes
    if len(text) > _LONG and text.count(b"(") > most:
        return None  # one monstrous tree, perhaps: not even look
    if block.mend:
        from analyzer.formats.penn.generated import is_repeated, may_be_mended

        lines = text.split(b"\n") if block.one_a_line else []
        if may_be_mended(text) or any(map(is_repeated, lines)):
            return None
    bank = scan(
        text,
        block.layout,
        keep_blank_lines=block.keep_blank_lines,
        first_line=block.first_line,
        source=block.source,
    )
    if bank is None or np.diff(bank.node_start).max(initial=0) > most:
        return None
    return bank


def _read_records(block: TextBlock) -> Treebank:
    """The trees of a block in which something is irregular."""
    from analyzer.formats.penn.generated import (
        Beyond,
        Mendable,
        Mended,
        is_repeated,
        may_be_mended,
        problem_of_answer,
        read_answer,
    )

    all_drafts = list(drafts(block, block.text))
    most = limits().tree_nodes
    mends: dict[int, tuple[str, ...]] = {}
    problems: dict[int, TreeSyntaxError] = {}
    for number, draft in enumerate(all_drafts):
        if (nodes := draft.line.count(b"(")) > most:
            place = Place(
                block.source, draft.tree_line, None, block.first_sentence + number
            )
            problems[number] = TreeSyntaxError(
                "E201 brackets are opened here, more than a tree",
                place,
                nodes=nodes,
                most=most,
            )
    lines = [
        b"" if at in problems else draft.line for at, draft in enumerate(all_drafts)
    ]
    bad = {line.number: line.fault for line in bad_lines(b"\n".join(lines))}
    malformed: dict[int, bytes] = {}
    for number, draft in enumerate(all_drafts):
        is_bad = number in bad
        if block.mend and (
            is_bad
            or (block.one_a_line and is_repeated(draft.text))
            or may_be_mended(draft.text)
        ):
            answer = read_answer(draft.text)
            if isinstance(answer, Mended):
                lines[number] = answer.text
                mends[number] = answer.names
                continue
        else:
            is_text = block.one_a_line and _NO_BRACKET.fullmatch(draft.line)
            answer = Beyond.NO_TREE if is_text else Beyond.MALFORMED
        if is_bad:
            lines[number] = b""
            malformed[number] = draft.text
            text = blank_comments(draft.text).replace(LINE_END, b" ")
            place = Place(
                block.source, draft.first_line, None, block.first_sentence + number
            )
            if answer is not Beyond.MALFORMED:
                problems[number] = problem_of_answer(answer, text, place)
                continue
            problems[number] = problem_of(
                text, place=place, tree_line=draft.tree_line, fault=bad[number]
            )
    bank = scan(
        b"".join(line + b"\n" for line in lines),
        Layout.LINES,
        keep_blank_lines=True,
        source=block.source,
    )
    assert bank is not None
    return replace(
        bank,
        line=np.array([draft.tree_line for draft in all_drafts], np.int64),
        problems=dict(sorted(problems.items())),
        mends=mends or Mendable(malformed),
    )


class Draft(NamedTuple):
    """A record that is still to be read."""

    text: bytes
    line: bytes  # the same without line ends and comments
    first_line: int
    tree_line: int  # its tree's


def drafts(block: TextBlock, shape: bytes) -> Iterator[Draft]:
    """The records of a block; its `shape` is what tells where they end."""
    plain = without_comments(block.text)
    is_answers = block.layout is Layout.ANSWERS
    line, start = block.first_line, 0
    for end in ends_of(shape, block.layout, block.keep_blank_lines).tolist():
        text = block.text[start:end]
        flat = plain[start:end].replace(b"\n", b" ")
        # What stands before the tree: white space, comments, in answers also text.
        before = flat.find(b"(") if is_answers else len(flat) - len(flat.lstrip())
        lines_before = text.count(b"\n", 0, before)
        if before == len(flat) and text.endswith(b"\n"):
            lines_before -= 1  # a blank line
        yield Draft(text, flat, line, line + lines_before)
        line, start = line + text.count(b"\n"), end


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
        return np.array([end for _, end in _records(block, layout)], np.int64)
    ends = tree_ends(block, layout, keep_blank_lines=keep_blank_lines)
    if ends is not None:
        return ends
    places: list[int] = []
    for start, end in records(block, layout):
        text = block[start:end]
        bank = scan(text, layout, keep_blank_lines=False)
        if bank is None or len(bank) < 2:
            places += [end] * (1 if bank is None else len(bank))
            continue
        # Several trees on a line: each ends where its outermost bracket does.
        depth = 0
        for place, byte in enumerate(without_comments(text)):
            depth += (byte == ord("(")) - (byte == ord(")"))
            if byte == ord(")") and depth == 0:
                places.append(start + place + 1)
        places[-1] = end
    return np.array(places, np.int64)


def _records(text: bytes, layout: Layout) -> Iterator[Record]:
    """The records of a text, whatever its layout."""
    if layout is not Layout.ANSWERS:
        return records(text, layout)
    from analyzer.formats.penn.generated import answer_records

    return answer_records(text)


# -- a file -------------------------------------------------------------------------


class BracketFile:
    """An open file of brackets; a `TreeFile`.

    With `options.mend`, bad trees are mended where it is certain what they mean.
    `names`: lines of markup, made comments, name the sentences.

    >>> import io
    >>> file = BracketFile(io.BytesIO(b"(A a)\\n\\n(B b)\\n"))
    >>> file.available(1, BlockSettings(keep_blank_lines=True))
    3
    """

    def __init__(
        self,
        stream: Readable,
        name: str = "<text>",
        options: FileOptions = AS_USUAL,
        *,
        names: Names = Names.NONE,
    ) -> None:
        self._stream = stream
        self._name = name
        self._options = options
        self._names = names
        self._ahead = b""  # read, but not yet cut at the end of a tree
        self._ahead_is_all = False
        self._plain = 0  # so much of it has no brackets that are words
        self._layout: Layout | None = None  # once looked at
        self._look: tuple[bytes, FirstLook] | None = None  # and what was ahead then
        self._ready = b""  # whole trees, and where each ends
        self._ends: Ints = np.zeros(0, np.int64)
        self._line = 1

    def first_look(self) -> FirstLook:
        """Look at the start without consuming it."""
        layout = self._looked()
        if self._options.one_a_line:
            return FirstLook(is_whole=True, is_counted=False)
        if self._look is None or self._look[0] is not self._ahead:
            start = self._ahead[:_LOOK_BYTES]
            lines = blank_lines(start)
            # Elsewhere blank lines mean nothing.
            is_counted = layout is Layout.LINES
            look = FirstLook(
                is_whole=self._ahead_is_all and len(self._ahead) == len(start),
                is_counted=is_counted,
                trees=lines.others if is_counted else 0,
                blank_lines=lines.blank if is_counted else 0,
                blanks_separate=lines.separate,
            )
            self._look = self._ahead, look
        return self._look[1]

    def lengths(self) -> Ints:
        """The words of each record at the start, without consuming it; of blanks 0."""
        layout = self._looked()
        start = self._ahead[:_LOOK_BYTES]
        if len(self._ahead) > len(start) or not self._ahead_is_all:
            start = start[: self._last_cut(start, layout)]
        count = self._words_read if self._options.one_a_line else self._words
        return count(start, layout)

    def _words(self, start: bytes, layout: Layout) -> Ints:
        return words_between(start, self._sentence_ends(start, layout, True))

    def _words_read(self, start: bytes, layout: Layout) -> Ints:
        """As `_words`, by reading it: of bad trees 0."""
        trees = self._sentence_ends(start, layout, True).size
        block = self._block(start, layout, 1)
        block = block._replace(trees=trees, keep_blank_lines=True)
        return np.diff(self._bank(block).leaf_start)

    def available(self, at_least: int, settings: BlockSettings) -> int:
        """How many trees can be taken now: so many, if that is not too much text."""
        while self._ends.size < at_least and (
            not self._ends.size or len(self._ready) < READY_BLOCKS * BLOCK_BYTES
        ):
            keeps_blanks = settings.keep_blank_lines or self._options.one_a_line
            if not self._cut_block(keeps_blanks):
                break
        return self._ends.size

    def take(self, trees: int, first_sentence: int, settings: BlockSettings) -> Block:
        """The next trees, as many as are `available` or fewer."""
        assert self._layout is not None
        end = int(self._ends[trees - 1]) if trees < self._ends.size else None
        block = self._block(self._ready[:end], self._layout, self._line)._replace(
            trees=trees,
            first_sentence=first_sentence,
            keep_blank_lines=settings.keep_blank_lines or self._options.one_a_line,
            strict=settings.strict,
            first_of_line=settings.first_of_line,
        )
        self._line += line_ends(block.text)
        self._ready = self._ready[len(block.text) :]
        self._ends = self._ends[trees:] - len(block.text)
        return block

    def close(self) -> None:
        """The stream belongs to whoever opened it."""

    def _looked(self) -> Layout:
        """The layout, from the start of the file."""
        if self._layout is None:
            self._read_ahead(_LOOK_BYTES)
            start = self._escaped(self._ahead)
            self._plain = len(start) if start == self._ahead else 0
            is_known = self._options.one_a_line
            self._layout = Layout.LINES if is_known else self._layout_of(start)
            if self._options.must_hold_trees:
                self._refuse_if_hopeless(start, self._layout)
        return self._layout

    def _layout_of(self, start: bytes) -> Layout:
        layout = sniff(self._shape(start), is_whole=self._ahead_is_all)
        if self._options.mend:
            from analyzer.formats.penn.generated import layout_of_answers

            end = None if self._ahead_is_all else last_cut(start, layout)
            layout = layout_of_answers(start[:end], layout)
        if is_historical(start):
            self._names = Names.HISTORICAL
        return layout

    def _refuse_if_hopeless(self, start: bytes, layout: Layout) -> None:
        """An error if a file begins with very many bad trees, and no good one."""
        first: TreeSyntaxError | None = None
        bad = 0
        for begin, end in _records(self._shape(start), layout):
            text = start[begin:end]
            if not text.strip():
                continue  # a parse that failed
            block = self._block(text, layout, 1 + start.count(b"\n", 0, begin))
            problems = self._bank(block).problems
            if not problems:
                return
            first = first or problems[0]
            bad += 1
            if bad == HOPELESS:
                raise refusal(first)

    def _block(self, text: bytes, layout: Layout, line: int) -> TextBlock:
        """A text of this file as a block of one tree."""
        return TextBlock(
            text,
            1,
            layout,
            self._name,
            line,
            mend=self._options.mend,
            names=self._names,
            one_a_line=self._options.one_a_line,
        )

    def _bank(self, block: TextBlock) -> Treebank:
        """The trees of a block, good and bad."""
        return _read(block)

    def _escaped(self, text: bytes) -> bytes:
        """The text with another form for words that are brackets."""
        return escape_bracket_words(text)

    def _shape(self, text: bytes) -> bytes:
        """The text, byte for byte, with round brackets for what opens and closes."""
        return text

    def _last_cut(self, ahead: bytes, layout: Layout) -> int:
        """Where the last record that is sure to be whole ends; 0 if none is."""
        if layout is not Layout.ANSWERS:
            return last_cut(self._shape(ahead), layout)
        starts = [start for start, _ in _records(ahead, layout)]
        return starts[-1] if starts else 0

    def _sentence_ends(self, block: bytes, layout: Layout, keeps_blanks: bool) -> Ints:
        return sentence_ends(self._shape(block), layout, keeps_blanks, self._names)

    def _read_ahead(self, size: int) -> None:
        """Have `size` bytes ahead, or all that is left."""
        while len(self._ahead) < size and not self._ahead_is_all:
            data = self._stream.read(size - len(self._ahead))
            self._ahead += data
            self._ahead_is_all = not data
            if self._options.progress and data:
                self._options.progress(len(data))

    def _cut_block(self, keep_blank_lines: bool) -> bool:
        """Make the next block's trees ready; False at the end of the file."""
        layout = self._looked()
        size = BLOCK_BYTES
        while True:
            self._read_ahead(size)
            if layout in (Layout.SEPARATED, Layout.FREE):
                # Their brackets show where records end.
                self._ahead = self._escaped(self._ahead)
            if self._ahead_is_all and len(self._ahead) <= size:
                cut = len(self._ahead)
                break
            cut = self._last_cut(self._ahead[:size], layout)
            if cut:
                break
            if size > _LARGEST_RECORD:
                raise InputError(
                    "E125 a tree of more than",
                    Place(self._name, self._line + self._ready.count(b"\n")),
                    largest_record=_LARGEST_RECORD >> 20,
                )
            size *= 2  # one record larger than the block
        if not cut:
            return False
        block, self._ahead = self._ahead[:cut], self._ahead[cut:]
        if self._plain >= cut:
            self._plain -= cut
        else:
            self._plain, block = 0, self._escaped(block)
        ends = self._sentence_ends(block, layout, keep_blank_lines)
        if self._names is Names.MARKUP and ends.size:
            # A line that names the next tree stays with it.
            block, self._ahead = block[: ends[-1]], block[ends[-1] :] + self._ahead
        if not ends.size and not self._ends.size:
            # Comments and blank lines only: nobody will ever take them.
            self._line += line_ends(block)
            return True
        self._ends = np.concatenate([self._ends, ends + len(self._ready)])
        self._ready += block
        return True


def as_lines(strings: Iterable[str]) -> str:
    """Strings as lines of a file, of which none is a comment.

    >>> as_lines(["(A\\n  a)", "", "# none"])
    '(A\\x0b  a)\\n\\n # none\\n'
    """
    lines = (LINE_END.decode().join(string.splitlines()) for string in strings)
    return "".join(
        f" {line}\n" if line[:1] in _COMMENTS else f"{line}\n" for line in lines
    )


# -- the formats --------------------------------------------------------------------


def _begins(start: str) -> bool:
    comment = terminal_patterns("common")["COMMENT"]
    return comment.sub("", start).lstrip().startswith("(")


def _begins_with_markup(start: str) -> bool:
    """Brackets between lines of markup, as in the Chinese treebank."""
    return _has_line_of_brackets(start) and is_markup(start.encode())


def _has_search_comments(start: str) -> bool:
    """Brackets, and the comments of a program that searches them."""
    return _has_line_of_brackets(start) and has_search_comments(start)


def _has_line_of_brackets(start: str) -> bool:
    return re.search(r"(?m)^[ \t]*\(", start) is not None


def _open_markup(
    stream: Readable, name: str, options: FileOptions = AS_USUAL
) -> BracketFile:
    as_comments = markup_as_comments(stream)
    return BracketFile(as_comments, name, options, names=Names.MARKUP)


def _open_searched(
    stream: Readable, name: str, options: FileOptions = AS_USUAL
) -> BracketFile:
    return BracketFile(search_comments(stream), name, options)


PENN = Format("penn", Family.SYNTAX, _begins, BracketFile)
MARKUP = Format("markup", Family.SYNTAX, _begins_with_markup, _open_markup)
CORPUS_SEARCH = Format(
    "corpus-search", Family.SYNTAX, _has_search_comments, _open_searched
)
