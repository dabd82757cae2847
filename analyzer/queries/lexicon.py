"""What is known of words and labels: whether they are as queries say.

A query asks each word and each label once. Most of those of a block were in the one
before, so what is known is kept; if it has grown large, it is begun anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import (
    KEY_BYTES,
    Flags,
    Ids,
    Ints,
    KeyTable,
    Words64,
    first_bytes,
    mix,
)
from analyzer.model.discourse import split_label
from analyzer.model.symbols import ADDING, SYMBOLS
from analyzer.queries.language import Text, accepted
from analyzer.transform.labels import LabelSet

if TYPE_CHECKING:
    from analyzer.model.treebank import Treebank

_MOST_WORDS: Final = 1_000_000
_MOST_QUESTIONS: Final = 500
_UNKNOWN, _NO, _YES = 0, 1, 2


class Lexicon:
    """Words by number, and which words and labels are one of some texts."""

    _current: ClassVar[Lexicon | None] = None

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}
        self._words: list[str] = []
        # Words of up to 16 bytes: the first eight and the last eight tell them apart.
        self._table = KeyTable()
        self._ends = np.zeros((3, 64), np.uint64)  # both, and the length; by number
        self._accepted: dict[tuple[Text, ...], Flags] = {}
        self._labels: dict[object, npt.NDArray[np.uint8]] = {}

    @classmethod
    def now(cls) -> Lexicon:
        """The one that is in use."""
        kept = cls._current
        if (
            kept is None
            or len(kept._words) > _MOST_WORDS
            or len(kept._accepted) + len(kept._labels) > _MOST_QUESTIONS
        ):
            kept = cls._current = cls()
        return kept

    # -- words -----------------------------------------------------------------

    def numbers(self, bank: Treebank, lengths: Ints) -> Ints:
        """The numbers of the words of a treebank."""
        starts = bank.form_start
        first = first_bytes(bank.text, starts, lengths)
        # Of a short word the same, so that it begins where the word does.
        at = np.maximum(starts, bank.form_end - KEY_BYTES)
        last = first_bytes(bank.text, at, lengths)
        sizes = lengths.astype(np.uint64)
        key = mix(first) + mix(last ^ (sizes << np.uint64(56)))
        found, unknown = self._table.look_up(key)
        for known, own in zip(self._ends, (first, last, sizes), strict=True):
            # Another thread may have added numbers that these are too short for.
            unknown |= known.take(found, mode="clip") != own
        unknown |= lengths > 2 * KEY_BYTES
        rest = np.flatnonzero(unknown)
        if rest.size:
            ends = np.stack([column[rest] for column in (first, last, sizes)])
            found[rest] = self._looked_up(bank, rest, ends, key[rest])
        return found

    def _looked_up(
        self, bank: Treebank, leaves: Ints, ends: Words64, key: Words64
    ) -> list[int]:
        """The numbers of words one by one; new ones are added."""
        text = bank.text
        spans = zip(
            range(leaves.size),
            bank.form_start[leaves].tolist(),
            bank.form_end[leaves].tolist(),
            strict=True,
        )
        found = []
        with ADDING:
            for at, start, end in spans:
                form = text[start:end]
                number = self._numbers.get(form)
                if number is None:
                    number = self._add(form)
                    if end - start <= 2 * KEY_BYTES:
                        self._ends[:, number] = ends[:, at]
                        self._table.add(int(key[at]), number)
                found.append(number)
        return found

    def _add(self, form: bytes) -> int:
        number = len(self._words)
        self._words.append(form.decode("utf-8", "replace"))
        self._numbers[form] = number
        if number >= self._ends.shape[1]:
            self._ends = np.concatenate([self._ends, np.zeros_like(self._ends)], axis=1)
        return number

    def accepted(self, texts: tuple[Text, ...]) -> Flags:
        """Per word: whether it is one of the texts."""
        known = self._accepted.get(texts, np.zeros(0, np.bool_))
        if known.size < len(self._words):
            new = accepted(texts, self._words[known.size :])
            known = np.concatenate([known, np.array(new, np.bool_)])
            self._accepted[texts] = known
        return known

    # -- labels ----------------------------------------------------------------

    def labelled(
        self, label: Ids, texts: tuple[Text, ...], part: str, labels: LabelSet
    ) -> Flags:
        """Per label: whether it, or this part of it, is one of the texts."""
        question = texts, part, labels.identity
        known = self._labels.get(question, np.zeros(0, np.uint8))
        if known.size < len(SYMBOLS):
            more = np.zeros(len(SYMBOLS) - known.size, np.uint8)
            known = self._labels[question] = np.concatenate([known, more])
        told = known[label]
        if not told.all():
            new = np.unique(label[told == _UNKNOWN])
            parts = [_PARTS[part](labels, SYMBOLS.name(one)) for one in new.tolist()]
            answers = iter(accepted(texts, [value for one in parts for value in one]))
            is_so = [max([next(answers) for _ in one], default=False) for one in parts]
            known[new] = np.where(is_so, _YES, _NO)
            told = known[label]
        there: Flags = told == _YES
        return there


# What a query may ask of a label.
_PARTS: dict[str, Callable[[LabelSet, str], Sequence[str]]] = {
    "label": lambda labels, name: [name],
    "phrase": lambda labels, name: [labels.bare_phrase(name)],
    "tag": lambda labels, name: [labels.bare_tag(name)],
    "functions": lambda labels, name: labels.function_tags(name),
    "tag functions": lambda labels, name: labels.function_tags(name, of_word=True),
    "relation": lambda labels, name: split_label(name)[:1],
    "nuclearity": lambda labels, name: split_label(name)[1:],
}
