"""Units, and what is seen of each: EDUs in the first stage, then trees of them.

A template names atoms with blanks between them: `f:` is of the first EDU of a unit,
`l:` of its last, nothing of its head EDU.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.hashing import Hashes, mixed

# Of one unit alone; each has a weight for every `context` of a pair.
_UNIT = """
w1; w2; w1 w2; w1 w2 w3; t1; t1 t2; t1 t2 t3; wl; tl; wl2 wl; tl2 tl; hw; ht; hf; ht
hf; gt; hf gt; gw hf; conn; conn len; say; say hf; len; end; cap; open; quote; digit;
neg; q; ps; pp; pd; part; heading; turn; finite; verb; verb hf; subj; inner; side hf;
w1 hf; w1 ht; t1 hf; hw hf; hf ps; conn ps; w1 ps; len ps; wl<; w1<; end<; conn<; hf<;
w1>; t1>; conn>; hf>; len>; wl>; end< w1; end w1>; end conn>; hf hf>; hf< hf; heading
pp; turn q
"""
# Of units that are more than an EDU, besides.
_WIDE = """
f:w1; f:w1 f:w2; f:w1 f:w2 f:w3; f:t1 f:t2; f:t1 f:t2 f:t3; f:conn; f:hf; f:ht; f:hw;
l:end; l:wl; l:w1; l:hf; size; sentences; size pp; size pd; f:conn pp; f:w1 pp; f:len;
f:subj; f:w1 f:ht; f:conn size; l:w1>; l:conn>; f:wl<; f:end<; f:turn; f:turn size;
f:heading; f:heading size; l:q; f:q size; f:cap size; l:quote; l:heading; f:turn f:q;
f:pd sentences; f:part size
"""
_OF_SYNTAX = frozenset(("syn", "host", "lca", "links", "clauses"))
_EDGES = np.array([2, 3, 4, 6, 9, 14, 25])


@cache
def parsed(templates: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(one.split()) for one in templates.split(";"))


@cache
def chosen(templates: str, has_syntax: bool) -> tuple[tuple[str, ...], ...]:
    """The templates that tell something: without syntax, those of none."""
    return tuple(
        one for one in parsed(templates) if has_syntax or _OF_SYNTAX.isdisjoint(one)
    )


class Atoms:
    """What is seen of some things, a column a name; made when asked for, and kept."""

    def __init__(self, edus: EduTable) -> None:
        self.edus = edus
        self._known: dict[str, Hashes] = {}

    def atom(self, name: str) -> Hashes:
        if name not in self._known:
            self._known[name] = self._made(name)
        return self._known[name]

    def _made(self, name: str) -> Hashes:
        found: Hashes = getattr(self, f"_{name}")()
        return found

    def add(self, name: str, column: Hashes) -> None:
        """An atom that others know."""
        self._known[name] = column

    def columns(self, templates: str) -> Iterator[Hashes]:
        for one in chosen(templates, self.edus.has_syntax):
            yield self.mixture(one)

    def mixture(self, template: tuple[str, ...]) -> Hashes:
        return mixed(" ".join(template), *(self.atom(name) for name in template))


@dataclass(frozen=True)
class Units:
    """Units of a level: first, last and head EDU, and the group that each is in.

    Units of a group stand together; `place` counts them from 0 in each group.
    """

    first: Ints
    last: Ints
    head: Ints
    group: Ints
    place: Ints

    def __len__(self) -> int:
        return len(self.head)


def is_wide(level: int) -> bool:
    """Whether units of a level are more than single EDUs."""
    return level > 0


class UnitView(Atoms):
    """Atoms of units."""

    def __init__(self, edus: EduTable, units: Units) -> None:
        super().__init__(edus)
        self._units = units

    def _made(self, name: str) -> Hashes:
        units, edus = self._units, self.edus
        if name == "size":
            return numbered(bucket(units.last - units.first + 1))
        if name == "sentences":
            spanned = edus.sentence[units.last] - edus.sentence[units.first] + 1
            return numbered(bucket(spanned))
        at, _, rest = name.rpartition(":")
        rows = {"": units.head, "f": units.first, "l": units.last}[at]
        return edus.atoms[rest][rows]


def bucket(values: Ints) -> Ints:
    """Small numbers as they are, larger ones in steps."""
    return np.where(
        values <= 2, values, 2 + np.searchsorted(_EDGES, values, side="right")
    )


def signed(values: Ints) -> Ints:
    """Numbers as `bucket` has them, on both sides of zero."""
    return np.sign(values) * bucket(np.abs(values))


def numbered(values: Ints) -> Hashes:
    """Small numbers as hashes."""
    with np.errstate(over="ignore"):
        spread = (values + 64).astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
    return spread ^ (spread >> np.uint64(31))


def unit_templates(level: int) -> str:
    """What is seen of the units of a stage."""
    return _UNIT + (f";{_WIDE}" if is_wide(level) else "")


def grouped(keys: Ints, first: Ints, last: Ints, head: Ints) -> Units:
    """Units with the group of each, from keys that are equal within a group."""
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    sizes = np.diff(np.append(starts, len(keys)))
    group = np.repeat(np.arange(len(starts)), sizes)
    place = np.arange(len(keys)) - np.repeat(starts, sizes)
    return Units(first, last, head, group, place)
