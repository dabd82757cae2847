"""The names of constructions, by number; which are recursive, which are merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from analyzer.exceptions import PatternError, SettingsError
from analyzer.model.arrays import Flags
from analyzer.model.settings import several
from analyzer.model.symbols import ADDING

# What is scored as what: one construction as another, or several as one.
Merge = Mapping[str, str | Sequence[str]] | str | Sequence[str]


def _merge(spec: object) -> tuple[str, list[str]]:
    """NAME=NAME,NAME, taken apart."""
    if not isinstance(spec, str):
        raise SettingsError("E507 cannot read the merge", spec=spec)
    target, _, sources = spec.partition("=")
    names = [name.strip() for name in sources.split(",") if name.strip()]
    if not target.strip() or not names:
        raise SettingsError("E507 cannot read the merge", spec=spec)
    return target.strip(), names


def merged_names(merge: Merge | None) -> dict[str, str]:
    """For each construction that is scored as another, that one.

    >>> merged_names({"NP-t": ["NP-t", "NP-pos"], "VP-aux": "VP-t"})
    {'NP-pos': 'NP-t', 'VP-aux': 'VP-t'}
    >>> merged_names("NP-t=NP-t,NP-pos")  # as on the command line; or a list of these
    {'NP-pos': 'NP-t'}
    """
    merged: dict[str, str] = {}
    merge = merge or {}
    for name, given in (
        merge.items() if isinstance(merge, Mapping) else map(_merge, several(merge))
    ):
        is_one = isinstance(given, str)
        for other in several(given):
            source, target = (name, other) if is_one else (other, name)
            if not isinstance(source, str):
                raise SettingsError("E586 cannot merge", name=name, value=given)
            if source in merged:
                raise SettingsError("E508 is merged twice", name=source)
            if source != target:
                merged[source] = target
    if chained := sorted(set(merged.values()) & set(merged)):
        raise SettingsError(
            "E506 is merged into another name, and other names", chained=chained[0]
        )
    return merged


class ConstructionNames:
    """Constructions and their numbers, as columns hold them.

    `merged` folds constructions before anything is matched: each name on the left is
    scored as the one on the right. Numbers are given out on first sight, so they are
    of one process.

    >>> names = ConstructionNames({"NP-modr": True}, {"NP-pos": "NP-t"})
    >>> names.number("NP-t"), names.number("NP-modr"), names.number("NP-pos")
    (0, 1, 0)
    >>> names[1], names.recurs("NP-modr"), names.recurs("NP-t")
    ('NP-modr', True, False)
    """

    def __init__(
        self,
        recursive: Mapping[str, bool] | None = None,
        merged: Mapping[str, str] | None = None,
    ) -> None:
        self.merged = dict(merged or {})
        self._recursive = dict(recursive or {})
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self.overlaps: list[PatternError] = []  # productions that two patterns match

    def __len__(self) -> int:
        return len(self._names)

    def __getitem__(self, number: int) -> str:
        return self._names[number]

    @property
    def listed(self) -> list[str]:
        """All names so far; a name's position is its number."""
        return list(self._names)

    def number(self, name: str) -> int:
        """The number of a construction, or of the one that it is merged into."""
        name = self.merged.get(name, name)
        number = self._numbers.get(name)
        if number is not None:
            return number
        with ADDING:
            if name not in self._numbers:
                self._names.append(name)
                self._numbers[name] = len(self._names) - 1
            return self._numbers[name]

    def find(self, name: str) -> int:
        """The number, or -1 for a name that does not occur: asking adds nothing."""
        return self._numbers.get(self.merged.get(name, name), -1)

    @property
    def recursive(self) -> dict[str, bool]:
        """Of those that anything is known of: whether they are recursive."""
        return dict(self._recursive)

    def recurs(self, name: str) -> bool:
        """Whether its head child is of its own nonterminal."""
        return self._recursive.get(name, False)

    @property
    def is_recursive(self) -> Flags:
        """Per construction: whether it is recursive."""
        return np.array([self.recurs(name) for name in self._names], np.bool_)

    def declare(self, name: str, *, is_recursive: bool) -> None:
        """Say of a construction that no pattern names whether it is recursive."""
        self._recursive[self.merged.get(name, name)] = is_recursive
