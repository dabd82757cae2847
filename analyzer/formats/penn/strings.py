"""Bracketings that a program has in memory, one string a tree.

A string is one sentence, as a line of a file is to evalb, whatever is in it: an empty
one is a parse that failed. So its neighbours keep their numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analyzer.formats.blocks import BlockSettings, FirstLook
from analyzer.formats.penn.blocks import TextBlock
from analyzer.formats.penn.bracket_words import escape_bracket_words
from analyzer.formats.penn.records import Layout
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank

# Few enough that a block fits the processor's cache, as blocks of files do.
_BLOCK_STRINGS = 1 << 11
# How lines of a file begin that are no trees.
_COMMENTS = ("#", "*")


class StringsBlock(NamedTuple):
    """Some of the strings, still to be read.

    >>> strings = "(A a)", "", "# none", "(D", "(B\\n  b)"
    >>> bank = StringsBlock(strings, "<strings>").read()
    >>> len(bank), sorted(bank.problems)
    (5, [2, 3])
    """

    strings: tuple[str, ...]
    source: str
    first_sentence: int = 1
    strict: bool = False
    mend: bool = False

    @property
    def trees(self) -> int:
        return len(self.strings)

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        text = "".join(f"{_as_line(one)}\n" for one in self.strings)
        return TextBlock(
            escape_bracket_words(text.encode()),
            self.trees,
            Layout.LINES,
            self.source,
            first_line=self.first_sentence,
            first_sentence=self.first_sentence,
            keep_blank_lines=True,
            strict=self.strict,
            mend=self.mend,
        ).read()


def _as_line(string: str) -> str:
    """A string on one line, which is no comment, as it would be in a file."""
    line = " ".join(string.splitlines())
    return f" {line}" if line.startswith(_COMMENTS) else line


class StringsFile:
    """Strings beside a file: a `TreeFile` of one tree a string."""

    def __init__(
        self, strings: Sequence[str], source: str, *, mend: bool = False
    ) -> None:
        self._strings = tuple(strings)
        self._source = source
        self._mend = mend
        self._taken = 0

    def first_look(self) -> FirstLook:
        return FirstLook(is_whole=True, is_counted=False)

    def lengths(self) -> Ints:
        block = StringsBlock(self._strings, self._source, mend=self._mend)
        return np.diff(block.read().leaf_start)

    def available(self, at_least: int, settings: BlockSettings) -> int:
        return min(len(self._strings) - self._taken, max(at_least, _BLOCK_STRINGS))

    def take(
        self, trees: int, first_sentence: int, settings: BlockSettings
    ) -> StringsBlock:
        start = self._taken
        self._taken += trees
        return StringsBlock(
            self._strings[start : self._taken],
            self._source,
            first_sentence,
            settings.strict,
            self._mend,
        )

    def close(self) -> None:
        """There is nothing open."""
