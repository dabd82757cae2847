"""What is measured, declared once: a ratio of sums of counts, its name and its heading.

A `Measure` gives the ratio of a row, the column of the DataFrame, the field in JSON,
the heading of the table, and the difference between two systems with its test
(`metrics.significance`). docs/architecture.md shows how to add one.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from analyzer.exceptions import SettingsError
from analyzer.metrics.ratios import ratio

if TYPE_CHECKING:

    class Row(tuple[Any, ...]):
        """A line of a result: what it is of, its counts, its measures."""

        _fields: tuple[str, ...]

        def __getattr__(self, name: str) -> Any: ...
        def _asdict(self) -> dict[str, Any]: ...
        def _replace(self, **changes: object) -> Row: ...
else:
    Row = tuple

Unit = Literal["text", "count", "percent", "number", "points"]
TOTAL = "total"
_TERM = re.compile(r"([+-]?) *(?:(\d+) )?(\w+) *")
Number = TypeVar("Number")


@dataclass(frozen=True)
class Measure:
    """A ratio of two sums of counts, which may be multiplied by whole numbers.

    It is undefined (None) where there is nothing to divide by. `is_score` says that low
    values are the bad ones. `detail` says which tables have it: 0 all, 1 those of
    constructions, 2 those with room, 3 none that do not ask for it.

    >>> f_h = Measure("f_h", "2 matched_h", "gold + parsed", "F-h")
    >>> f_h.of({"matched_h": 3, "gold": 4, "parsed": 6})
    0.6
    """

    name: str
    numerator: str
    denominator: str
    title: str
    unit: Unit = "percent"
    digits: int = 1
    is_score: bool = True
    detail: int = 0

    @cached_property
    def terms(self) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
        """Numerator and denominator: factors, and the counts they are of."""
        return _terms(self.numerator), _terms(self.denominator)

    @property
    def counts(self) -> list[str]:
        """The counts that it is made of."""
        return [name for side in self.terms for _, name in side]

    def fraction(self, count: Callable[[str], Number]) -> tuple[Number, Number]:
        """Numerator and denominator; `count` gives a number, or an array, by name."""
        get: Callable[[str], Any] = count
        numerator, denominator = (
            sum(factor * get(name) for factor, name in side) for side in self.terms
        )
        return numerator, denominator

    def of(self, counts: Any) -> float | None:
        """The ratio of a record or a mapping of counts."""
        if isinstance(counts, Mapping):
            return ratio(*self.fraction(counts.__getitem__))
        return ratio(*self.fraction(partial(getattr, counts)))


def _terms(text: str) -> list[tuple[int, str]]:
    """A sum as it is written.

    >>> _terms("gold + parsed - 2 matched_h")
    [(1, 'gold'), (1, 'parsed'), (-2, 'matched_h')]
    """
    return [
        (int(factor or 1) * (-1 if sign == "-" else 1), name)
        for sign, factor, name in _TERM.findall(text)
    ]


def measure_named(name: str, measures: Sequence[Measure]) -> Measure:
    """The measure of that name; SettingsError lists those that there are."""
    for measure in measures:
        if measure.name == name:
            return measure
    names = [measure.name for measure in measures]
    raise SettingsError("E512 no metric", metric=name, metrics=names)


@cache
def row_type(name: str, *fields: str, module: str) -> Callable[..., Row]:
    """What makes rows with these fields; `module` is the one that it is defined in."""
    make: Any = namedtuple
    return make(name, fields, module=module)  # type: ignore[no-any-return]
