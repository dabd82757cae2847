"""From a path, a stream or a text to syntactic trees: whole, or block by block."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TypeGuard, cast

import numpy as np

from analyzer.exceptions import InputError, InputWarning, Place, SettingsError
from analyzer.files.inputs import Input, InputFile
from analyzer.files.sources import Readable
from analyzer.formats.blocks import (
    Block,
    BlockSettings,
    FirstLook,
    PlainBlock,
    Progress,
    TreeFile,
)
from analyzer.formats.objects import BankFile, TreeObjects, as_treebank, listed
from analyzer.formats.opening import tree_file
from analyzer.formats.registry import (
    PENN,
    TIGER,
    Family,
    check_syntax,
    detect,
    refuse_unsupported,
)
from analyzer.formats.shapes import has_line_of_brackets
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import LabelSet, load_labels

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
    """The files of syntactic trees; those of a folder that are none are told of."""
    if given.is_folder:
        given.sift(check_syntax, "files that begin with '(', or TIGER-XML")
    return given.files


def as_input(source: Source, *, encoding: str = "utf-8") -> Input:
    """A path, paths, an open file or a text as an input.

    A string that starts with '(' or spans lines is a text, unless there is a file of
    that name; any other is a path (a file, a glob, a directory, a URL, '-'). A list
    is one of paths, unless its first string is a tree: then each is one, and '' or None
    is a parse that failed.

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
        if are_bracketings(source):
            return Input.of_strings([one or "" for one in source])
        if all(isinstance(one, str | Path) for one in source):
            return Input.of_paths(cast(Sequence[str], source), encoding=encoding)
    elif hasattr(source, "read"):
        return Input.of_stream(cast(IO[bytes], source), encoding=encoding)
    raise SettingsError(
        "cannot read trees from {kind}; expected a path, paths, an open file, a text, "
        "or trees that were read",
        code="E580",
        kind=_kind(source),
    )


def open_trees(given: Trees, encoding: str = "utf-8") -> Input | Treebank:
    """Trees as they are, anything else as the files that it stands for."""
    if isinstance(given, Treebank | Input):
        return given
    source = listed(given)
    bank = as_treebank(source)
    return as_input(source, encoding=encoding) if bank is None else bank


def _kind(source: object) -> str:
    if isinstance(source, Sequence) and source:
        return f"a {type(source).__name__} of {type(source[0]).__name__}"
    return f"a {type(source).__name__}"


class TreeReader:
    """Reads the files of an input (see `as_input`) block by block.

    >>> reader = TreeReader("(A a)\\n\\n(B b)\\n", keep_blank_lines=True)
    >>> [len(bank) for bank in reader.banks()]
    [3]
    """

    def __init__(
        self,
        source: Source,
        *,
        encoding: str = "utf-8",
        strict: bool = False,
        keep_blank_lines: bool = False,
        progress: Progress | None = None,
        is_continued: bool = False,  # files came before: this one need not hold trees
        mend: bool = False,
        labels: LabelSet | None = None,
    ) -> None:
        self._mend = mend
        # What is no text goes as the trees are read; most label sets have no such.
        self._labels = labels if labels is not None and labels.changes_text else None
        self.input = as_input(source, encoding=encoding)
        self.name = self.input.name
        self.strict = strict
        self.keep_blank_lines = keep_blank_lines
        self.first_of_line = False
        self.sentences = 0  # taken so far
        self._progress = progress
        self._is_continued = is_continued
        self._files = list(tree_files(self.input))
        self._next_file = 0  # the one after what is open
        self._file: TreeFile | None = None
        self._stack = ExitStack()
        if self.input.strings is not None:
            self._file = _strings_file(self.input.strings, self.name, mend)
            self._next_file = len(self._files)

    @classmethod
    def of_bank(
        cls, bank: Treebank, *, strict: bool = False, labels: LabelSet | None = None
    ) -> TreeReader:
        """A reader of trees that are read already, to stand beside one of files."""
        reader = cls(Input.of_text(""), strict=strict, labels=labels)
        reader.name = bank.source
        reader._file = BankFile(bank)
        reader._next_file = len(reader._files)
        return reader

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
            if found := self._file.available(at_least, self._settings):
                return found
            self._file = None
        return 0

    def take(self, trees: int) -> Block:
        """The next trees, as many as are `available` or fewer."""
        assert self._file is not None
        block = self._file.take(trees, self.sentences + 1, self._settings)
        self.sentences += trees
        return block if self._labels is None else PlainBlock(block, self._labels)

    def banks(self) -> Iterator[Treebank]:
        """All trees, read, a block at a time. Raises on the first bad one if strict."""
        try:
            while trees := self.available():
                yield self.take(trees).read()
        finally:
            self.close()

    def close(self) -> None:
        self._stack.close()

    @property
    def _settings(self) -> BlockSettings:
        return BlockSettings(self.keep_blank_lines, self.strict, self.first_of_line)

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
        stream = self._stack.enter_context(file.open())
        is_first = self._next_file == 1 and not self._is_continued
        self._file = _tree_file(
            stream,
            file.name,
            stream.start(),
            stream.is_recoded,
            is_first or self.input.is_folder,
            self._progress,
            self._mend,
        )
        self._stack.callback(self._file.close)
        if self.input.is_folder:
            self._file.first_look()  # or it is not read


def _tree_file(
    stream: Readable,
    name: str,
    start: str,
    is_recoded: bool,
    must_hold_trees: bool,
    progress: Progress | None,
    mend: bool,
) -> TreeFile:
    """The trees of a stream in whatever format it starts like."""
    found = detect(start, Family.SYNTAX)
    format = found.name if found else PENN
    if found is None and not mend and not has_line_of_brackets(start):
        refuse_unsupported(start, name)
    if format == PENN and start.lstrip().startswith("<"):
        from analyzer.formats.tiger.reader import is_xml

        format = TIGER if is_xml(start) else PENN  # which says what it misses
    return tree_file(
        format,
        stream,
        name,
        is_recoded=is_recoded,
        must_hold_trees=must_hold_trees,
        progress=progress,
        mend=mend,
    )


def _strings_file(strings: Sequence[str], name: str, mend: bool) -> TreeFile:
    from analyzer.formats.penn.strings import StringsFile

    return StringsFile(strings, name, mend=mend)


def read_trees(
    source: Trees,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    keep_blank_lines: bool = False,
    mend: bool = False,
    treebank: str | LabelSet | None = None,
) -> Treebank:
    """All trees of a path, several paths, an open file, a text, or of NLTK or Stanza.

    A string that starts with '(' or spans lines is text, unless there is a file of
    that name; any other is a path (as on the command line: a file, a glob, a
    directory, '-'). A list has paths, unless its first string is a tree: then each
    string is a tree, and '' or None is a parse that failed. Malformed trees become
    trees without nodes, with a warning; with `strict` the first raises TreeSyntaxError.
    A blank line is no tree, unless `keep_blank_lines` makes it an empty one, as in
    evalb. With `mend`, trees of language models whose meaning is certain are mended;
    `Treebank.mends` says how. `treebank` names the annotation scheme, which says what
    is not text (traces, comments, lemmas).

    >>> read_trees("(S (NP (PRP I)) (VP (VBP see)))")
    <Treebank <text>: 1 trees, 5 nodes, 2 leaves>
    """
    bank = all_trees(
        source,
        encoding=encoding,
        strict=strict,
        keep_blank_lines=keep_blank_lines,
        mend=mend,
        treebank=treebank,
    )
    if bank.problems:
        first = next(iter(bank.problems.values()))
        note = (
            f"{len(bank.problems):,} of {len(bank):,} trees could not be read; the "
            f"first: {first}"
        )
        warnings.warn(InputWarning(bank.source, note), stacklevel=2)
    return bank


def all_trees(
    source: Trees,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    keep_blank_lines: bool = False,
    mend: bool = False,
    treebank: str | LabelSet | None = None,
) -> Treebank:
    """As `read_trees`, for those who tell themselves of trees that cannot be read."""
    labels = load_labels(treebank) if isinstance(treebank, str) else treebank
    opened = open_trees(source, encoding)
    if isinstance(opened, Treebank):
        reader = TreeReader.of_bank(opened, strict=strict, labels=labels)
    else:
        reader = TreeReader(
            opened,
            strict=strict,
            keep_blank_lines=keep_blank_lines,
            mend=mend,
            labels=labels,
        )
    return Treebank.join(_some_trees(reader), reader.name)


def trees_by_file(source: Input, *, strict: bool, labels: LabelSet) -> list[Treebank]:
    """All trees, a block of a file at a time; the ledger tells of bad ones."""
    return _some_trees(TreeReader(source, strict=strict, labels=labels))


def _some_trees(reader: TreeReader) -> list[Treebank]:
    banks = list(reader.banks())
    if not any(map(len, banks)) and not reader.input.is_text:
        raise InputError(
            "contains no trees; expected brackets", Place(reader.name), code="E121"
        )
    return banks


def are_bracketings(given: Sequence[object]) -> TypeGuard[Sequence[str | None]]:
    """Whether a list holds trees as strings, or None, rather than paths.

    >>> are_bracketings([None, "(A a)"]), are_bracketings(["a.mrg"])
    (True, False)
    """
    if not given or not all(one is None or isinstance(one, str) for one in given):
        return False
    first = next((str(one) for one in given if one and str(one).strip()), "(")
    return is_text(first)


def is_text(source: str) -> bool:
    """Whether a string is trees rather than the path of some.

    >>> is_text("(A a)"), is_text("a.mrg")
    (True, False)
    """
    if source.strip() and not source.lstrip().startswith("(") and "\n" not in source:
        return False
    return len(source) > _LONGEST_NAME or not os.path.lexists(source)
