"""From a path, a stream or a text to syntactic trees: whole, or block by block."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from os.path import isfile
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeGuard, cast

import numpy as np

from analyzer.exceptions import InputError, InputWarning, Place, SettingsError
from analyzer.files.inputs import Input, InputFile, is_called_trees
from analyzer.files.sources import stream_of
from analyzer.files.urls import is_url
from analyzer.formats.blocks import (
    NO_FIELDS,
    Block,
    BlockSettings,
    Fields,
    FileOptions,
    FirstLook,
    PlainBlock,
    Progress,
    TreeFile,
    fields_of,
)
from analyzer.formats.objects import TreeObjects, as_treebank, escape_words, listed
from analyzer.formats.registry import (
    PENN,
    Family,
    Format,
    check_syntax,
    detect,
    format_named,
    syntax_format,
)
from analyzer.model.arrays import Ints
from analyzer.model.settings import Choice, keywords
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import LabelSet, load_labels

_FIRST = 50  # strings of a list, which tell their dialect
_LONGEST_NAME = 4096  # of a file, on any system
# What names files: a path, several, an open file; or a text, or texts, in their place.
Source = (
    str
    | Path
    | IO[bytes]
    | IO[str]
    | Iterable[str | Path]
    | Iterable[str | None]
    | Input
)
# The same, or trees that were read, or trees of other programs.
Trees = Source | Treebank | TreeObjects


def tree_files(given: Input) -> list[InputFile]:
    """The files of syntactic trees; others of a folder are left to a warning."""
    if given.is_folder:
        given.sift(check_syntax, "files that begin with '(', or TIGER-XML")
    return given.files


def as_input(source: Source, *, encoding: str = "utf-8") -> Input:
    """A path, paths, an open file or a text as an input.

    A string that starts with '(' or spans lines is a text, unless there is a file of
    that name; any other is a path (a file, a glob, a directory, a URL, '-'). The
    strings of a list are sentences, whatever stands in them, and '' or None is a parse
    that failed; unless all of them must be names of files (see `are_sentences`).

    >>> as_input("(A a)").is_text, as_input("-").is_text
    (True, False)
    """
    if isinstance(source, Input):
        return source
    if isinstance(source, str) and is_text(source):
        return Input.of_text(source)
    if isinstance(source, str | Path):
        return Input.of_path(source, encoding=encoding)
    if isinstance(source, io.TextIOBase):  # opened as text: what is below it is read
        below = getattr(source, "buffer", None)
        return Input.of_text(source.read()) if below is None else as_input(below)
    source = listed(source)
    if isinstance(source, Sequence):
        if are_sentences(source):
            if all(
                item and len(item) < _LONGEST_NAME and isfile(item) for item in source
            ):
                note = "strings of a list are sentences; name a file by a Path"
                warnings.warn(InputWarning(str(source[0]), note), stacklevel=2)
            return Input.of_strings([item or "" for item in source])
        if all(isinstance(item, str | Path) for item in source):
            return Input.of_paths(cast(Sequence[str], source), encoding=encoding)
    elif hasattr(source, "read"):
        return Input.of_stream(cast(IO[bytes], source), encoding=encoding)
    raise SettingsError("E580 cannot read trees from", kind=_kind(source))


def open_trees(
    given: Trees,
    encoding: str = "utf-8",
    grammar: str | None = None,
    mend: bool = False,
) -> Input | Treebank:
    """Trees as they are, anything else as the files that it stands for.

    `grammar`: that of the dialect that these are in. With `mend`, strings may be text
    around trees, which tell their dialect.
    """
    if isinstance(given, Treebank):
        given.require_sound()
        return given
    source: Any = given if isinstance(given, Input) else listed(given)
    bank = as_treebank(source)
    if bank is not None:
        return bank
    opened = as_input(source, encoding=encoding)
    if opened.grammar:
        return opened
    if grammar is not None:
        from analyzer.formats.dialects import read_by

        read_by(grammar, opened)
    elif opened.strings is not None:
        opened.files[0].formats[Family.SYNTAX] = _dialect_of(opened.strings, mend)
    return opened


def _dialect_of(strings: Sequence[str], mend: bool = False) -> Format | None:
    """The dialect of brackets that strings are in; None: Penn's, or they are text."""
    texts = strings[:_FIRST]
    if mend:
        from analyzer.formats.penn.generated import brackets_in

        texts = [text for text in map(brackets_in, texts) if text]
    kind = detect("\n".join(texts), Family.SYNTAX)
    return kind if kind is not None and kind.is_dialect else None


def _kind(source: object) -> str:
    if isinstance(source, Sequence) and source:
        return f"{type(source).__name__} of {type(source[0]).__name__}"
    return type(source).__name__


class Pairing(Choice, what="pairing"):
    """Which sentences of two sides go together."""

    ORDER = "order"  # the n-th with the n-th
    TEXT = "text"  # those that say the same, wherever they stand
    ID = "id"  # those that their files call the same
    CHARACTERS = "characters"  # those of one text, whatever its sentences and tokens
    JP_EVALB = "jp-evalb"  # the same, as jp-evalb aligns sentences and words

    @property
    def is_over_one_text(self) -> bool:
        """Whether brackets are compared by places in the text of both sides."""
        return self in (Pairing.CHARACTERS, Pairing.JP_EVALB)


class Tags(Choice, what="side to take tags from"):
    """Whose tags the words of two sides have."""

    OWN = "own"  # each side its own
    GOLD = "gold"
    PARSED = "parsed"


class ReadOptions(NamedTuple):
    """How trees of sentences are read, and set beside those of another side.

    With `mend`, trees are mended where it is certain what they mean; of a pair, only
    parsed ones. With `labels`, what is no text by them is left out. With `by_line`,
    blank lines are sentences (unless they separate all trees), whatever would fit
    better to the other side.
    """

    strict: bool = False  # the first bad tree is an error
    encoding: str = "utf-8"
    progress: Progress | None = None  # called with the bytes that were read
    mend: bool = False
    labels: LabelSet | None = None
    by_line: bool = False
    grammar: str | None = None  # of a dialect: its name, or a file
    pairing: Pairing = Pairing.ORDER
    tags: Tags = Tags.OWN
    fields: Fields = NO_FIELDS  # of records: where answers stand, and gold beside them
    has_gold: bool = True  # else both sides are read as parses are

    @property
    def for_gold(self) -> ReadOptions:
        """How gold is read where parses are read so."""
        mend = self.mend and not self.has_gold
        return self._replace(mend=mend, fields=self.fields.of_gold)

    def settings(self, *sides: Input | Treebank) -> tuple[tuple[str, str], ...]:
        """What of this changes what is read of some trees, for signatures."""
        grammars = [side.grammar for side in sides if isinstance(side, Input)]
        values = {
            "mend": "yes" if self.mend else None,
            "field": self.fields.answer,
            "gold_field": self.fields.gold,
            "id": self.fields.id if self.pairing is Pairing.ID else None,
            "grammar": os.path.basename(max(grammars, default="")),
        }
        return tuple((name, value) for name, value in values.items() if value)

    def files(self, given: Input) -> list[InputFile]:
        """The files of an input that hold trees, or records that do."""
        return tree_files(given) if self.fields.answer is None else given.files

    def open(self, given: Trees) -> Input | Treebank:
        """Trees as they are, anything else as the files that it stands for."""
        return open_trees(given, self.encoding, self.grammar, self.mend)


AS_USUAL = ReadOptions()


class TreeReader:
    """Reads the files of an input (see `as_input`) block by block.

    >>> reader = TreeReader("(A a)\\n\\n(B b)\\n", keep_blank_lines=True)
    >>> [len(bank) for bank in reader.banks()]
    [3]
    """

    def __init__(
        self,
        source: Source | Treebank,
        options: ReadOptions = AS_USUAL,
        *,
        keep_blank_lines: bool = False,
        is_continued: bool = False,  # files came before: this one need not hold trees
    ) -> None:
        self._options = options
        # What is no text goes as the trees are read; most label sets have no such.
        labels = options.labels
        self._labels = labels if labels is not None and labels.changes_trees else None
        self.keep_blank_lines = keep_blank_lines
        self.first_of_line = False
        self.sentences = 0  # taken so far
        self._is_continued = is_continued
        self._next_file = 0  # the one after what is open
        self._file: TreeFile | None = None
        self._stack = ExitStack()
        if isinstance(source, Treebank):  # to stand beside a file
            self.input, self.name = Input.of_text(""), source.source
            from analyzer.formats.incremental import BankFile  # of files, few need it

            self._file, self._files = BankFile(escape_words(source)), []
            return
        self.input = as_input(source, encoding=options.encoding)
        self.name = self.input.name
        self._files = list(options.files(self.input))
        if self.input.strings is not None:
            format = self._files[0].formats.get(Family.SYNTAX)
            self._file = self._of_strings(self.input.strings, self.name, format)
            self._files = []

    def first_look(self) -> FirstLook:
        """Look at the start of the first file without consuming it."""
        if self._file is None and not self._open_next():
            return FirstLook(is_whole=True, is_counted=True)
        assert self._file is not None
        look = self._file.first_look()
        is_last = self._next_file == len(self._files)
        return look._replace(is_whole=look.is_whole and is_last)

    def lengths(self) -> Ints:
        """The words of each sentence at the start of the first file, as it is read.

        0 for a blank line that may stand for a sentence.
        """
        if self._file is None and not self._open_next():
            return np.zeros(0, np.int64)
        assert self._file is not None
        return self._file.lengths()

    def available(self, at_least: int = 1) -> int:
        """How many trees can be taken now: so many, if that is not too much text.

        Fewer where a file ends: the next file's trees are a block of their own.
        """
        while self._file is not None or self._open_next():
            assert self._file is not None
            if trees := self._file.available(at_least, self._settings):
                return trees
            self._file = None
        return 0

    def take(self, trees: int) -> Block:
        """The next trees, as many as are `available` or fewer."""
        assert self._file is not None
        block = self._file.take(trees, self.sentences + 1, self._settings)
        self.sentences += trees
        return block if self._labels is None else PlainBlock(block, self._labels)

    def blocks(self) -> Iterator[Block]:
        """All trees, a block at a time, still to be read."""
        try:
            while trees := self.available():
                yield self.take(trees)
        finally:
            self.close()

    def banks(self) -> Iterator[Treebank]:
        """All trees, read, a block at a time. Raises on the first bad one if strict."""
        for block in self.blocks():
            yield block.read()

    def close(self) -> None:
        self._stack.close()

    @property
    def _settings(self) -> BlockSettings:
        strict = self._options.strict
        return BlockSettings(self.keep_blank_lines, strict, self.first_of_line)

    def _open_next(self) -> bool:
        self._stack.close()
        while self._next_file < len(self._files):
            file = self._files[self._next_file]
            self._next_file += 1
            try:
                self._open(file)
            except InputError as error:
                if not self.input.is_folder:
                    raise
                self._stack.close()
                self.input.refuse(file, error)
                self.input.warn()
                continue
            return True
        self._file = None
        return False

    def _open(self, file: InputFile) -> None:
        mend, fields = self._options.mend, self._options.fields
        if fields.answer is not None and not file.start().lstrip().startswith("("):
            self._file = self._of_records(file, fields)
            return
        format = syntax_format(file, mend=mend)
        stream = self._stack.enter_context(file.open())
        is_first = self._next_file == 1 and not self._is_continued
        options = FileOptions(
            must_hold_trees=is_first or self.input.is_folder,
            progress=self._options.progress,
            mend=mend,
            is_recoded=stream.is_recoded,
        )
        opened: TreeFile = format.reader(stream, file.name, options)
        self._file = opened
        self._stack.callback(opened.close)
        if self.input.is_folder:
            opened.first_look()  # or it is not read

    def _of_strings(
        self, strings: Iterable[str], name: str, format: Format | None
    ) -> TreeFile:
        """A sentence a string; `format`: of another dialect than Penn's."""
        from analyzer.formats.penn.reader import as_lines

        options = FileOptions(mend=self._options.mend, one_a_line=True)
        stream = stream_of(as_lines(strings))
        opened: TreeFile = (format or format_named(PENN)).reader(stream, name, options)
        return opened

    def _of_records(self, file: InputFile, fields: Fields) -> TreeFile:
        """A sentence a record."""
        from analyzer.formats.answers import AnswersFile, answers_in

        with file.open() as stream:
            answers = answers_in(stream, file.name, fields, self._options.progress)
        texts = [answer.text for answer in answers]
        mend = self._options.mend
        format = file.formats[None] if self.input.grammar else _dialect_of(texts, mend)
        return AnswersFile(self._of_strings(texts, file.name, format), answers)


@keywords()
def read_trees(
    source: Trees,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    keep_blank_lines: bool = False,
    mend: bool = False,
    treebank: str | LabelSet | None = None,
    grammar: str | None = None,
    field: str | None = None,
    id: str | None = None,
) -> Treebank:
    """All trees of a path, several paths, an open file, a text, or of NLTK or Stanza.

    A string that starts with '(' or spans lines is text, unless there is a file of
    that name; any other is a path (as on the command line: a file, a glob, a
    directory, '-'). The strings of a list are sentences, unless all are names of files;
    '' or None is a parse that failed. With `field`, each record of JSON, or row of a
    table, is a sentence, which stands in this field, and `id` is the field of its id.
    Malformed trees become trees without nodes, with a warning; with `strict` the first
    raises TreeSyntaxError.
    A blank line is no tree, unless `keep_blank_lines` makes it an empty one, as in
    evalb. With `mend`, trees of language models whose meaning is certain are mended;
    `Treebank.mends` says how. `treebank` names the annotation scheme, which says what
    is not text (traces, comments, lemmas); `grammar` the dialect of brackets, if these
    are not the Treebank's (docs/grammars.md).

    >>> read_trees("(S (NP (PRP I)) (VP (VBP see)))")
    <Treebank <text>: 1 trees, 5 nodes, 2 leaves>
    """
    labels = load_labels(treebank) if isinstance(treebank, str) else treebank
    options = ReadOptions(
        *(strict, encoding, None, mend, labels),
        grammar=grammar,
        fields=fields_of(field, id),
    )
    opened = options.open(source)
    reader = TreeReader(opened, options, keep_blank_lines=keep_blank_lines)
    bank = Treebank.join(_some_trees(reader), reader.name)
    if bank.problems:
        first = next(iter(bank.problems.values()))
        note = (
            f"{len(bank.problems):,} of {len(bank):,} trees could not be read; the "
            f"first: {first}"
        )
        warnings.warn(InputWarning(bank.source, note), stacklevel=2)
    return bank


def trees_by_file(source: Input | Treebank, options: ReadOptions) -> list[Treebank]:
    """All trees, a block of a file at a time; the ledger tells of bad ones."""
    return _some_trees(TreeReader(source, options))


def _some_trees(reader: TreeReader) -> list[Treebank]:
    banks = list(reader.banks())
    if not any(map(len, banks)) and not reader.input.is_text:
        raise InputError("E121 contains no trees", Place(reader.name))
    return banks


def are_sentences(given: Sequence[object]) -> TypeGuard[Sequence[str | None]]:
    """Whether a list holds sentences: strings, or None for a parse that failed.

    Strings are names of files only if all of them can be nothing else: a name with
    the ending of trees (`.mrg`), a URL. Other files are named by a `Path`.

    >>> are_sentences([None, "(A a)"]), are_sentences(["I cannot."])
    (True, True)
    >>> are_sentences(["a.mrg", "b.mrg"]), are_sentences(["a.mrg", "I cannot."])
    (False, True)
    """
    if not given or not all(item is None or isinstance(item, str) for item in given):
        return False
    texts = [str(item) for item in given if item and str(item).strip()]
    return not texts or not all(map(_is_name, texts))


def _is_name(text: str) -> bool:
    if is_text(text) or len(text) > _LONGEST_NAME:
        return False
    return is_url(text) or is_called_trees(text)


def is_text(source: str) -> bool:
    """Whether a string is trees rather than the path of some.

    >>> is_text("(A a)"), is_text("a.mrg")
    (True, False)
    """
    if source.strip() and not source.lstrip().startswith("(") and "\n" not in source:
        return False
    return len(source) > _LONGEST_NAME or not os.path.lexists(source)
