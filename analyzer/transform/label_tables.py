"""What evalb's parameters mean for each label, as columns to look labels up in."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import numpy as np

from analyzer.model.symbols import SYMBOLS, Flags, Ids, Ints
from analyzer.model.treebank import Treebank
from analyzer.transform.parameters import EvalbParameters

_FUNCTION_TAG = re.compile("[-=]")

DELETED = -1


def phrase_label(label: str) -> str:
    """A phrase label as evalb compares it: cut at the first '-' or '='.

    >>> [phrase_label(label) for label in ("NP-SBJ-1", "NP=2", "ADVP|PRT")]
    ['NP', 'NP', 'ADVP|PRT']
    """
    return _FUNCTION_TAG.split(label, maxsplit=1)[0]


class LabelTables:
    """The parameters, applied to every label seen so far.

    Each column has an entry for each number of `SYMBOLS`; `refresh` adds the
    entries of labels that were read since.
    """

    def __init__(
        self, parameters: EvalbParameters, *, compares_words: bool = True
    ) -> None:
        self.parameters = parameters
        self.compares_words = compares_words
        self._class_of = parameters.classes_of_labels()
        deleted = (*parameters.delete, *parameters.delete_brackets)
        self._deleted_classes = {self._in_class(label) for label in deleted}
        self.deletes_word: Flags = np.zeros(0, np.bool_)
        self.counts_for_length: Flags = np.zeros(0, np.bool_)
        self.may_be_quote: Flags = np.zeros(0, np.bool_)
        self.phrase: Ids = np.zeros(0, np.int32)  # label without function tags
        self.phrase_class: Ids = np.zeros(0, np.int32)  # what is compared, or DELETED
        self.tag_class: Ids = np.zeros(0, np.int32)

    def __reduce__(self) -> tuple[Any, ...]:
        """The columns are of this process: what travels is what they follow from."""
        return partial(LabelTables, compares_words=self.compares_words), (
            self.parameters,
        )

    @property
    def identity(self) -> tuple[object, ...]:
        """What they follow from, to tell them from others."""
        return self.parameters, self.compares_words

    def refresh(self) -> None:
        # Looking a label up may add its bare form to SYMBOLS, hence the loop.
        while self.phrase.size < len(SYMBOLS):
            new = SYMBOLS.names[self.phrase.size :]
            given = self.parameters
            self.deletes_word = _extended(self.deletes_word, new, given.delete)
            excluded = _extended(~self.counts_for_length, new, given.delete_for_length)
            self.counts_for_length = ~excluded
            self.may_be_quote = _extended(self.may_be_quote, new, given.quotes)
            self.tag_class = np.append(
                self.tag_class,
                np.array(
                    [SYMBOLS.id(self._in_class(label)) for label in new], np.int32
                ),
            )
            bare = [phrase_label(label) for label in new]
            self.phrase_class = np.append(
                self.phrase_class,
                np.array([self._compared(label) for label in bare], np.int32),
            )
            self.phrase = np.append(
                self.phrase, np.array([SYMBOLS.id(label) for label in bare], np.int32)
            )

    def _in_class(self, label: str) -> str:
        return self._class_of.get(label, label)

    def _compared(self, bare: str) -> int:
        in_class = self._in_class(bare)
        if in_class in self._deleted_classes:
            return DELETED
        return SYMBOLS.id(in_class) if self.parameters.labeled else 0


def kept_leaves(bank: Treebank, tables: LabelTables) -> Ints:
    """The leaves whose tags are not deleted, in order."""
    return np.flatnonzero(~tables.deletes_word.take(bank.label[bank.leaf_node]))


def lengths(bank: Treebank, tables: LabelTables) -> Ints:
    """The length of each tree, as the cut-off counts it.

    Only DELETE_LABEL_FOR_LENGTH is left out: punctuation usually counts.
    """
    counts = tables.counts_for_length.take(bank.label[bank.leaf_node])
    return sums_between(counts, bank.leaf_start)


def sums_between(values: Ints | Flags | Ids, starts: Ints) -> Ints:
    """Sums of the values from each start up to the next."""
    running = np.zeros(values.size + 1, np.int64)
    np.cumsum(values, out=running[1:])
    return np.diff(running[starts])


def _extended(column: Flags, names: list[str], chosen: tuple[str, ...]) -> Flags:
    return np.append(column, np.array([name in chosen for name in names], np.bool_))
