"""What evalb's parameters mean for each label, as columns to look labels up in."""

from __future__ import annotations

import re
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from analyzer.model.arrays import Flags, Ids, Ints, sums_between
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.transform.parameters import EvalbParameters

_FUNCTION_TAG = re.compile("[-=]")

DELETED = -1
_FIRST_WRAPPER = -2


def wrapper_class(compared: Ids) -> Ids:
    """What is compared of wrappers, as `phrase_class` has it; and the other way.

    >>> wrapper_class(np.array([0, 3])).tolist(), wrapper_class(np.array([-2])).tolist()
    ([-2, -5], [0])
    """
    return np.subtract(_FIRST_WRAPPER, compared, dtype=np.int32)


def phrase_label(label: str) -> str:
    """A phrase label as evalb compares it: cut at the first '-' or '='.

    >>> [phrase_label(label) for label in ("NP-SBJ-1", "NP=2", "ADVP|PRT")]
    ['NP', 'NP', 'ADVP|PRT']
    """
    return _FUNCTION_TAG.split(label, maxsplit=1)[0]


class _Columns(NamedTuple):
    """An entry for each label; `LabelTables` says what the columns mean."""

    deletes_word: Flags
    counts_for_length: Flags
    may_be_quote: Flags
    phrase: Ids
    phrase_class: Ids
    tag_class: Ids


class LabelTables:
    """The parameters, applied to every label seen so far.

    Brackets of `wrappers` stand around whole trees: evalb counts them unless the
    parameters delete them, but they have no construction.

    Each column has an entry for each number of `SYMBOLS`: whoever asks for a column
    gets it with the entries of labels that were read since.
    """

    def __init__(
        self,
        parameters: EvalbParameters,
        *,
        compares_words: bool = True,
        wrappers: frozenset[str] = frozenset(),
    ) -> None:
        self.parameters = parameters
        self.wrappers = wrappers
        self.compares_words = compares_words
        self._class_of = parameters.classes_of_labels()
        deleted = (*parameters.delete, *parameters.delete_brackets)
        self._deleted_classes = {self._in_class(label) for label in deleted}
        self._columns = self._entries([])

    def __reduce__(self) -> tuple[Any, ...]:
        """The columns are of this process: what travels is what they follow from."""
        made = partial(
            LabelTables, compares_words=self.compares_words, wrappers=self.wrappers
        )
        return made, (self.parameters,)

    @property
    def identity(self) -> tuple[object, ...]:
        """What they follow from, to tell them from others."""
        return self.parameters, self.compares_words, tuple(sorted(self.wrappers))

    @property
    def deletes_word(self) -> Flags:
        return self._complete().deletes_word

    @property
    def counts_for_length(self) -> Flags:
        return self._complete().counts_for_length

    @property
    def may_be_quote(self) -> Flags:
        return self._complete().may_be_quote

    @property
    def phrase(self) -> Ids:
        """The label without function tags."""
        return self._complete().phrase

    @property
    def phrase_class(self) -> Ids:
        """What is compared of a phrase; DELETED; or, below that, of a wrapper."""
        return self._complete().phrase_class

    @property
    def tag_class(self) -> Ids:
        """What is compared of a tag."""
        return self._complete().tag_class

    def _complete(self) -> _Columns:
        """The columns, with an entry for every label."""
        # Looking a label up may add its bare form to SYMBOLS, hence the loop.
        while self._columns.phrase.size < len(SYMBOLS):
            more = self._entries(SYMBOLS.names[self._columns.phrase.size :])
            both = zip(self._columns, more, strict=True)
            self._columns = _Columns(*(np.append(old, new) for old, new in both))
        return self._columns

    def _entries(self, labels: list[str]) -> _Columns:
        given = self.parameters
        bare = [phrase_label(label) for label in labels]
        in_class = [SYMBOLS.id(self._in_class(label)) for label in labels]
        compared = np.array([self._compared(label) for label in bare], np.int32)
        is_wrapper = np.array([label in self.wrappers for label in bare], np.bool_)
        is_wrapper &= compared != DELETED
        return _Columns(
            np.array([label in given.delete for label in labels], np.bool_),
            np.array(
                [label not in given.delete_for_length for label in labels], np.bool_
            ),
            np.array([label in given.quotes for label in labels], np.bool_),
            np.array([SYMBOLS.id(label) for label in bare], np.int32),
            np.where(is_wrapper, wrapper_class(compared), compared),
            np.array(in_class, np.int32),
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
