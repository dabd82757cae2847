"""What evalb's parameters mean for each label, as columns to look labels up in."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from analyzer import _native
from analyzer.model.arrays import Flags, Ids, Ints, number_densely, sums_between
from analyzer.model.symbols import ADDING, SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.transform.parameters import EvalbParameters

DELETED = -1
_FIRST_WRAPPER = -2
_BRACKETS_IN_LABELS = str.maketrans(dict.fromkeys("([", "*LRB*"))


def wrapper_class(compared: Ids) -> Ids:
    """What is compared of wrappers, as `phrase_class` has it; and the other way.

    >>> wrapper_class(np.array([0, 3])).tolist(), wrapper_class(np.array([-2])).tolist()
    ([-2, -5], [0])
    """
    return np.subtract(_FIRST_WRAPPER, compared, dtype=np.int32)


class LabelTables:
    """The parameters, applied to columns of labels.

    Brackets of `wrappers` stand around whole trees: evalb counts them unless the
    parameters delete them, but they have no construction.

    What is known of a label is shared by all tables of the same parameters, and worked
    out when the label is first met.
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
        self._known = _known_labels(parameters, wrappers)

    def __reduce__(self) -> tuple[Any, ...]:
        """The columns are of this process: only what they are made from is pickled."""
        made = partial(
            LabelTables, compares_words=self.compares_words, wrappers=self.wrappers
        )
        return made, (self.parameters,)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LabelTables) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @property
    def identity(self) -> tuple[object, ...]:
        """What they follow from, to tell them from others."""
        return self.parameters, self.compares_words, tuple(sorted(self.wrappers))

    @property
    def cuts_tags(self) -> bool:
        """Whether patterns know less of some tags than the trees say."""
        of = self.parameters.labels
        cuts = of.tag_function | of.function_first | of.compound | of.tag_ending
        return bool(cuts | of.feature)

    def deletes_word(self, labels: Ids) -> Flags:
        return self._known.columns(labels).deletes_word.take(labels)

    def counts_for_length(self, labels: Ids) -> Flags:
        return self._known.columns(labels).counts_for_length.take(labels)

    def may_be_quote(self, labels: Ids) -> Flags:
        return self._known.columns(labels).may_be_quote.take(labels)

    def phrase(self, labels: Ids) -> Ids:
        """The labels without function tags."""
        return self._known.columns(labels).phrase.take(labels)

    def tag(self, labels: Ids) -> Ids:
        """Tags as patterns know them: without what the label set says is cut off."""
        return self._known.columns(labels).tag.take(labels)

    def phrase_class(self, labels: Ids) -> Ids:
        """What is compared of a phrase; DELETED; or, below that, of a wrapper."""
        return self._known.columns(labels).phrase_class.take(labels)

    def root_class(self, labels: Ids) -> Ids:
        """What is compared of a wrapper at the top of a tree; DELETED for all else."""
        return self._known.columns(labels).root_class.take(labels)

    def tag_class(self, labels: Ids) -> Ids:
        """What is compared of a tag."""
        return self._known.columns(labels).tag_class.take(labels)

    def by_number(self, *labels: Ids) -> LabelColumns:
        """What is known of labels by their number: of these labels, and of others."""
        return [self._known.columns(column) for column in labels][-1]


class LabelColumns(NamedTuple):
    """What is known of labels, by their number; `LabelTables` says what it means."""

    is_known: Flags
    deletes_word: Flags
    counts_for_length: Flags
    may_be_quote: Flags
    phrase: Ids
    tag: Ids
    phrase_class: Ids
    tag_class: Ids
    root_class: Ids


class _KnownLabels:
    """What parameters mean for the labels met so far. Threads may share it.

    Entries are written before they are marked as known, and columns that have become
    too short are replaced, all of them together.
    """

    def __init__(self, parameters: EvalbParameters, wrappers: frozenset[str]) -> None:
        self._given = parameters
        self._wrappers = wrappers
        self._deletes = _as_read(parameters.delete)
        self._not_in_length = _as_read(parameters.delete_for_length)
        self._class_of = parameters.classes_of_labels()
        deleted = (*parameters.delete, *parameters.delete_brackets)
        self._deleted_classes = {self._in_class(label) for label in deleted}
        self._columns = _columns(0)
        # Columns of labels of which all are known: those of the last blocks.
        self._seen: tuple[Ids, ...] = ()

    def columns(self, labels: Ids) -> LabelColumns:
        """Columns that have an entry for each of the labels."""
        if not labels.size or self._has_seen(labels):
            return self._columns
        columns = self._columns
        if not _knows_all(columns, labels):
            with ADDING:
                columns = self._add(number_densely(labels)[0])
        if not labels.flags.writeable:
            self._seen = (*self._seen[-1:], labels)
        return columns

    def _has_seen(self, labels: Ids) -> bool:
        """Whether this same array, which cannot change, was looked up before.

        A block's labels are looked up for one thing after the other.
        """
        return any(labels is column for column in self._seen)

    def _add(self, labels: Ints) -> LabelColumns:
        columns = self._columns
        if int(labels[-1]) >= columns.is_known.size:
            # Twice as long as needed, so that many labels do not mean many copies.
            larger = _columns(2 * int(labels[-1]) + 2)
            for new, old in zip(larger, columns, strict=True):
                new[: old.size] = old
            columns = larger
        for label in labels[~columns.is_known[labels]].tolist():
            self._fill(columns, label)
            columns.is_known[label] = True
        self._columns = columns
        return columns

    def _fill(self, columns: LabelColumns, number: int) -> None:
        given, label = self._given, SYMBOLS.name(number)
        if given.features:
            label = label.partition(given.features)[0] or label
        bare, tag = given.labels.bare_phrase(label), given.labels.bare_tag(label)
        columns.deletes_word[number] = not {label, tag}.isdisjoint(self._deletes)
        columns.counts_for_length[number] = label not in self._not_in_length
        columns.may_be_quote[number] = label in given.quotes
        columns.phrase[number] = SYMBOLS.id(bare)
        columns.tag[number] = SYMBOLS.id(tag)
        compared = self._compared(bare)
        if bare in self._wrappers and compared != DELETED:
            compared = _FIRST_WRAPPER - compared  # as `wrapper_class`
        columns.phrase_class[number] = compared
        columns.tag_class[number] = SYMBOLS.id(self._in_class(label))
        is_root = bare in given.labels.wrapper
        columns.root_class[number] = self._compared(bare) if is_root else DELETED

    def _in_class(self, label: str) -> str:
        return self._class_of.get(label, label)

    def _compared(self, bare: str) -> int:
        in_class = self._in_class(bare)
        if in_class in self._deleted_classes:
            return DELETED
        return SYMBOLS.id(in_class) if self._given.labeled else 0


def _as_read(tags: Iterable[str]) -> frozenset[str]:
    """Tags as parameters give them, and as they are once trees are read.

    No label has a bracket then: TIGER's `$(`, which disco-dop writes `$[`, is `$*LRB*`.

    >>> sorted(_as_read(["$(", "$,"]))
    ['$(', '$*LRB*', '$,']
    """
    read = {tag.translate(_BRACKETS_IN_LABELS) for tag in tags}
    return frozenset({*tags, *read})


_known_labels = lru_cache(maxsize=16)(_KnownLabels)


def _columns(size: int) -> LabelColumns:
    flags, numbers = np.zeros((4, size), np.bool_), np.zeros((5, size), np.int32)
    return LabelColumns(*flags, *numbers)


def _knows_all(columns: LabelColumns, labels: Ids) -> bool:
    try:
        return bool(columns.is_known.take(labels).all())
    except IndexError:  # labels that are newer than the columns
        return False


def kept_by_tree(bank: Treebank, tables: LabelTables) -> tuple[Ints, Ints]:
    """The leaves whose tags are not deleted, and where each tree's begin."""
    bank.require_sound()
    if _native.has_kernel():
        return _native.kept(bank, tables.by_number(bank.label).deletes_word)
    leaves = np.flatnonzero(~tables.deletes_word(bank.label[bank.leaf_node]))
    return leaves, np.searchsorted(leaves, bank.leaf_start)


def lengths(bank: Treebank, tables: LabelTables) -> Ints:
    """The length of each tree, as the cut-off counts it.

    Only DELETE_LABEL_FOR_LENGTH is left out: punctuation usually counts.
    """
    counts = tables.counts_for_length(bank.label[bank.leaf_node])
    return sums_between(counts, bank.leaf_start)
