"""From a path, a stream or a text to syntactic trees: whole, or block by block."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO

from analyzer.exceptions import InputError, Place
from analyzer.files.sources import Readable, files_of, name_of, open_utf8, stream_of
from analyzer.formats.blocks import (
    Block,
    BlockSettings,
    FirstLook,
    Progress,
    TreeFile,
)
from analyzer.formats.penn.reader import BracketFile
from analyzer.formats.registry import Family, detect
from analyzer.model.treebank import Treebank


def tree_files(spec: str) -> list[str]:
    """The files of syntactic trees that an argument stands for."""
    return files_of(
        spec,
        accepts=lambda start: detect(start, Family.SYNTAX) is not None,
        expected="files that begin with '(', or TIGER-XML",
    )


class TreeReader:
    """Reads one argument's files (path, glob, directory, '-') block by block.

    >>> reader = TreeReader.of_text("(A a)\\n\\n(B b)\\n", keep_blank_lines=True)
    >>> [len(bank) for bank in reader.banks()]
    [3]
    """

    def __init__(
        self,
        spec: str,
        *,
        encoding: str = "utf-8",
        strict: bool = False,
        keep_blank_lines: bool = False,
        progress: Progress | None = None,
        is_continued: bool = False,  # files came before: this one need not hold trees
        files: list[str] | None = None,
    ) -> None:
        self.name = spec
        self.strict = strict
        self.keep_blank_lines = keep_blank_lines
        self.sentences = 0  # taken so far
        self._encoding = encoding
        self._progress = progress
        self._is_continued = is_continued
        self._files = tree_files(spec) if files is None else files
        self._next_file = 0  # the one after what is open
        self._file: TreeFile | None = None
        self._stack = ExitStack()

    @classmethod
    def of_stream(
        cls,
        stream: Readable,
        name: str = "<text>",
        *,
        start: str = "",
        is_recoded: bool = False,
        strict: bool = False,
        keep_blank_lines: bool = False,
    ) -> TreeReader:
        """A reader of UTF-8 that somebody else has opened; `start` tells XML."""
        reader = cls(name, strict=strict, keep_blank_lines=keep_blank_lines, files=[])
        reader._begin(stream, name, start, is_recoded)
        return reader

    @classmethod
    def of_text(
        cls, text: str, *, strict: bool = False, keep_blank_lines: bool = False
    ) -> TreeReader:
        """A reader of trees that are in memory."""
        return cls.of_stream(
            stream_of(text),
            start=text,
            is_recoded=True,
            strict=strict,
            keep_blank_lines=keep_blank_lines,
        )

    def first_look(self) -> FirstLook:
        """Look at the start of the first file without consuming it."""
        if self._file is None:
            self._open_next()
        assert self._file is not None
        look = self._file.first_look()
        is_last = self._next_file == len(self._files)
        return look._replace(is_whole=look.is_whole and is_last)

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
        return block

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
        return BlockSettings(self.keep_blank_lines, self.strict)

    def _open_next(self) -> bool:
        self._stack.close()
        if self._next_file == len(self._files):
            return False
        path = self._files[self._next_file]
        self._next_file += 1
        stream = self._stack.enter_context(open_utf8(path, encoding=self._encoding))
        self._begin(stream, path, stream.start(), stream.is_recoded)
        return True

    def _begin(self, stream: Readable, name: str, start: str, is_recoded: bool) -> None:
        must_hold_trees = self._next_file <= 1 and not self._is_continued
        self._file = _tree_file(
            stream, name, start, is_recoded, must_hold_trees, self._progress
        )
        self._stack.callback(self._file.close)


def _tree_file(
    stream: Readable,
    name: str,
    start: str,
    is_recoded: bool,
    must_hold_trees: bool,
    progress: Progress | None,
) -> TreeFile:
    """The trees of a stream in whatever format it starts like."""
    # What reads XML is loaded only where there may be some.
    if start.lstrip().startswith("<"):
        from analyzer.formats.tiger.reader import TigerFile, is_xml

        if is_xml(start):
            return TigerFile(
                stream,
                name,
                is_utf8=is_recoded,
                must_hold_trees=must_hold_trees,
                progress=progress,
            )
    return BracketFile(stream, name, must_hold_trees=must_hold_trees, progress=progress)


def read_trees(
    source: str | Path | IO[bytes],
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    keep_blank_lines: bool = False,
) -> Treebank:
    """All trees of a path, an open file or a text.

    A string that starts with '(' or spans lines is text, any other is a path (as
    on the command line: a file, a glob, a directory, '-'). Trees that are not well
    formed become trees without nodes, with a warning; with `strict` the first
    raises TreeSyntaxError. A blank line stands for no tree, unless
    `keep_blank_lines` makes it an empty one, as evalb does.

    >>> read_trees("(S (NP (PRP I)) (VP (VBP see)))")
    <Treebank <text>: 1 trees, 5 nodes, 2 leaves>
    """
    given_text = isinstance(source, str) and is_text(source)
    with ExitStack() as stack:
        if isinstance(source, str) and given_text:
            reader = TreeReader.of_text(source)
        elif isinstance(source, str | Path):
            reader = TreeReader(str(source), encoding=encoding)
        else:
            stream = stack.enter_context(open_utf8(source, encoding=encoding))
            reader = TreeReader.of_stream(
                stream,
                name_of(source),
                start=stream.start(),
                is_recoded=stream.is_recoded,
            )
        reader.strict, reader.keep_blank_lines = strict, keep_blank_lines
        bank = Treebank.join(list(reader.banks()), reader.name)
    if not len(bank) and not given_text:
        raise InputError(
            "no trees in here; expected brackets", Place(reader.name), code="E121"
        )
    if bank.problems:
        first = next(iter(bank.problems.values()))
        warnings.warn(
            f"{len(bank.problems)} of {len(bank)} trees could not be read; the first: "
            f"{first}",
            stacklevel=2,
        )
    return bank


def is_text(source: str) -> bool:
    """Whether a string is trees rather than the path of some."""
    return not source.strip() or source.lstrip().startswith("(") or "\n" in source
