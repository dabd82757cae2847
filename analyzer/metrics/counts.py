"""Counts that add up, and counts by sentence, which resampling draws from.

What an analysis counts in a block is a record of numbers, or names with such records,
or lists; `plus` puts those of two blocks together, over all their fields.
`Counts` keeps the numbers of each sentence apart: a row for each name that it has.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from itertools import accumulate
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import Flags, Ints

Added = TypeVar("Added")
Numbers = npt.NDArray[np.integer]


def plus(left: Added, right: Added) -> Added:
    """What was counted in one part, and in another that comes after it.

    Numbers add up, lists follow each other; records (named tuples, data classes) and
    dictionaries do so by their fields and keys. None is nothing yet.

    >>> plus({"NP": 2, "VP": 1}, {"NP": 3}), plus(["a"], ["b"])
    ({'NP': 5, 'VP': 1}, ['a', 'b'])
    >>> plus(Counter(a=1), Counter(a=2, b=1))
    Counter({'a': 3, 'b': 1})
    """
    return _plus(left, right)  # type: ignore[no-any-return]


def _plus(left: Any, right: Any) -> Any:
    if left is None or right is None:
        return right if left is None else left
    if isinstance(left, Counter):
        together = left.copy()
        together.update(right)
        return together
    if isinstance(left, dict):
        new = {
            key: _plus(left[key], value) if key in left else value
            for key, value in right.items()
        }
        return {**left, **new}
    if hasattr(left, "_fields"):
        return type(left)(*map(_plus, left, right))
    if is_dataclass(left) and not hasattr(left, "__add__"):
        names = [field.name for field in fields(left)]
        kind: Any = type(left)
        parts = (_plus(getattr(left, name), getattr(right, name)) for name in names)
        return kind(**dict(zip(names, parts, strict=True)))
    return left + right


def total_of(records: Sequence[Added], nothing: Added) -> Added:
    """The sum of some records of numbers."""
    for record in records:
        nothing = plus(nothing, record)
    return nothing


class Counts(NamedTuple):
    """Numbers of things with a name, sentence by sentence.

    A row is a sentence and a name that it has; rows stand in the order of sentences.
    """

    names: Sequence[str]
    sentences: int  # how many there are, those without rows too
    sentence: Numbers  # of each row, from 0
    name: Numbers  # of each row: a place in `names`
    values: Numbers  # rows x fields of the record

    def only(self, chosen: Flags) -> Counts:
        """Those of some of the sentences, which keep their numbers."""
        if chosen.all():
            return self
        rows = np.flatnonzero(chosen[self.sentence])
        return self._replace(
            sentence=self.sentence[rows], name=self.name[rows], values=self.values[rows]
        )

    def taken(self, chosen: Flags) -> Counts:
        """Those of some of the sentences, as if there were no others."""
        number = np.cumsum(chosen) - 1
        some = self.only(chosen)
        return some._replace(
            sentences=int(np.count_nonzero(chosen)), sentence=number[some.sentence]
        )

    def rows_of_names(self) -> Counter[str]:
        """How many rows each name has, of those that have any."""
        sizes = np.bincount(self.name, minlength=len(self.names)).tolist()
        both = zip(self.names, sizes, strict=True)
        return Counter({name: size for name, size in both if size})

    def sums(self) -> Ints:
        """Of all sentences: names x fields."""
        columns = [
            np.bincount(self.name, column, minlength=len(self.names))
            for column in self.values.T
        ]
        return np.stack(columns, axis=1).astype(np.int64)

    def named(self, record: type[Added]) -> dict[str, Added]:
        """The sums of each name that has any, as records."""
        sums = self.sums()
        return {
            self.names[number]: record(*sums[number].tolist())
            for number in np.flatnonzero(sums.any(axis=1)).tolist()
        }

    def renamed(self, names: Sequence[str]) -> Counts:
        """The same by the numbers of other names, which hold all of these."""
        if list(names) == list(self.names):
            return self
        place = {name: at for at, name in enumerate(names)}
        numbers = np.array([place[name] for name in self.names], np.int32)
        return self._replace(names=names, name=numbers[self.name])


def concatenated(parts: Sequence[Counts], names: Sequence[str] | None = None) -> Counts:
    """The counts of blocks one after another, all by the same names."""
    if names is None:
        names = list(dict.fromkeys(name for part in parts for name in part.names))
    if len(parts) == 1:
        return parts[0].renamed(names)
    before = accumulate((part.sentences for part in parts), initial=0)
    renamed = [part.renamed(names) for part in parts]
    return Counts(
        names,
        sum(part.sentences for part in parts),
        np.concatenate(
            [part.sentence + start for part, start in zip(parts, before, strict=False)]
        ),
        np.concatenate([part.name for part in renamed]),
        np.concatenate([part.values for part in parts]),
    )
