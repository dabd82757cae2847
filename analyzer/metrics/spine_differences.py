"""In what the spines of a word differ: what gold alone projects, and the parser alone.

A spine is all that a word projects. Where gold and the parser disagree about a word,
its *difference* is two multisets of constructions: those that only gold has, and those
that only the parser has, as F-h counts them. The differences of all words together
hold exactly the constructions that F-h counts as missed or spurious.
"""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.columns import Derivation
from analyzer.metrics.counts import Counts
from analyzer.metrics.join import Matches
from analyzer.model.arrays import Ints, begins

# Constructions in a difference; what is larger than that is not the same thing twice.
MOST = 4
_LARGEST_BASE = int(np.iinfo(np.int64).max ** (1 / MOST)) - 1
_BETWEEN, _SIDES = "\t", "\n"


class SpineDifference(NamedTuple):
    """What only gold projects for a word, and what only the parser does."""

    gold: tuple[str, ...]
    parsed: tuple[str, ...]

    @property
    def text(self) -> str:
        """The difference as a key that can stand in JSON."""
        return _SIDES.join(map(_BETWEEN.join, self))

    @classmethod
    def of_text(cls, text: str) -> SpineDifference:
        """The difference that a key is of.

        >>> SpineDifference.of_text(SpineDifference((), ("CP-t", "CP-mod")).text)
        SpineDifference(gold=(), parsed=('CP-t', 'CP-mod'))
        """
        sides = (side.split(_BETWEEN) for side in text.split(_SIDES, 1))
        gold, parsed = (tuple(filter(None, side)) for side in sides)
        return cls(gold, parsed)

    @property
    def size(self) -> int:
        """How many brackets that makes wrong."""
        return len(self.gold) + len(self.parsed)


def differing_words(
    gold: Derivation,
    parsed: Derivation,
    by_head: Matches,
    constructions: ConstructionNames,
) -> Counts:
    """The words whose spines differ, in at most `MOST` brackets.

    A name is the text of a difference, the value the number of the word. The matches by
    head are enough: no further join is made.
    """
    sides = []
    for derivation, is_found in ((gold, by_head.gold), (parsed, by_head.parsed)):
        # Brackets over doubtful words have no head: see derivation/characters.
        row = np.flatnonzero(~is_found & (derivation.head >= 0))
        tree = np.searchsorted(derivation.starts, row, side="right") - 1
        sides.append((tree, derivation.head[row], derivation.construction[row]))
    (gold_tree, gold_word, missed), (parsed_tree, parsed_word, spurious) = sides
    size = len(constructions)
    tree = np.concatenate([gold_tree, parsed_tree])
    word = np.concatenate([gold_word, parsed_word]).astype(np.int64)
    code = np.concatenate([missed, spurious.astype(np.int64) + size])
    order = np.argsort(word * (2 * size) + code, kind="stable")
    tree, word, code = tree[order], word[order], code[order]
    start = np.flatnonzero(begins(word))
    length = np.diff(np.append(start, word.size))
    start, length = start[length <= MOST], length[length <= MOST]
    # Codes as the digits of a number, 0 where there is none.
    base = 2 * size + 1
    digits, values = (code + 1, None) if base < _LARGEST_BASE else _renumbered(code)
    if values is not None:
        base = values.size + 1
    key = np.zeros(start.size, np.int64)
    for column in range(MOST):
        has = np.flatnonzero(length > column)
        key *= base
        key[has] += digits[start[has] + column]
    kinds, kind = np.unique(key, return_inverse=True)
    keys = kinds.tolist()
    if values is not None:
        names = constructions.listed
        differences = [
            _difference(_digits(number, base), values, names) for number in keys
        ]
    else:
        differences = _KNOWN.setdefault(constructions, _Known()).differences(
            keys, base, constructions
        )
    trees_there = gold.starts.size - 1
    texts = [difference.text for difference in differences]
    return Counts(texts, trees_there, tree[start], kind, word[start][:, None])


class _Known:
    """Differences that were met before, by what stands for them: blocks have the same.

    What stands for a difference changes whenever there is a new construction.
    """

    def __init__(self) -> None:
        self._by_key: tuple[int, dict[int, SpineDifference]] = 0, {}

    def differences(
        self, keys: list[int], base: int, constructions: ConstructionNames
    ) -> list[SpineDifference]:
        known_base, known = self._by_key  # of one moment, whatever other threads do
        if known_base != base:
            known = {}
        names = constructions.listed[: (base - 1) // 2]
        for key in keys:
            if key not in known:
                known[key] = _difference(_digits(key, base), None, names)
        self._by_key = base, known
        return [known[key] for key in keys]


_KNOWN: WeakKeyDictionary[ConstructionNames, _Known] = WeakKeyDictionary()


def _renumbered(code: Ints) -> tuple[Ints, Ints | None]:
    """Codes without gaps, from 1, and what they stand for."""
    values, digits = np.unique(code, return_inverse=True)
    return digits + 1, values


def _digits(key: int, base: int) -> list[int]:
    """The digits of a key, the first ones last; no zeros."""
    digits = []
    while key:
        key, digit = divmod(key, base)
        digits.append(digit)
    return [digit for digit in digits if digit]


def _difference(
    digits: list[int], values: Ints | None, names: list[str]
) -> SpineDifference:
    size = len(names)
    codes = [digit - 1 for digit in reversed(digits)]
    if values is not None:
        codes = values[codes].tolist()
    # By name: numbers of constructions are of one process.
    return SpineDifference(
        tuple(sorted(names[code] for code in codes if code < size)),
        tuple(sorted(names[code - size] for code in codes if code >= size)),
    )
