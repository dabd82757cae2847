"""Which properties of two units make a feature together.

A template names atoms with blanks between them: `h.` is of the governor, `d.` of the
dependent, `f:` of the first EDU of a unit, `l:` of its last, nothing of its head EDU;
what has no such letter is of the pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.hashing import Hashes, hashes, mixed

# Of one unit alone; each has a weight for every `context` of a pair.
UNIT_TEMPLATES = """
w1; w2; w1 w2; w1 w2 w3; t1; t1 t2; t1 t2 t3; wl; tl; wl2 wl; tl2 tl; hw; ht; hf; ht
hf; gt; hf gt; gw hf; conn; conn len; say; say hf; len; end; cap; open; quote; digit;
neg; q; ps; pp; pd; part; heading; turn; finite; verb; verb hf; subj; inner; side hf;
w1 hf; w1 ht; t1 hf; hw hf; hf ps; conn ps; w1 ps; len ps; wl<; w1<; end<; conn<; hf<;
w1>; t1>; conn>; hf>; len>; wl>; end< w1; end w1>; end conn>; hf hf>; hf< hf; heading
pp; turn q
"""
# Of units that are more than an EDU, besides.
WIDE_TEMPLATES = """
f:w1; f:w1 f:w2; f:w1 f:w2 f:w3; f:t1 f:t2; f:t1 f:t2 f:t3; f:conn; f:hf; f:ht; f:hw;
l:end; l:wl; l:w1; l:hf; size; sentences; size pp; size pd; f:conn pp; f:w1 pp; f:len;
f:subj; f:w1 f:ht; f:conn size; l:w1>; l:conn>; f:wl<; f:end<; f:turn; f:turn size;
f:heading; f:heading size; l:q; f:q size; f:cap size; l:quote; l:heading; f:turn f:q;
f:pd sentences; f:part size
"""
PAIR_TEMPLATES = """
dist; edist; sdist; dist size2; syn; syn h.hf; syn d.hf; syn d.hf d.w1; syn h.ht d.hf;
syn dist; syn d.hf d.ht; syn h.hf d.hf; syn d.conn; syn h.say; syn h.hw d.hf; syn
d.t1; dist d.t1; dist d.hf; dist d.w1; dist d.conn; dist d.len; dist h.len; dist h.hf;
dist h.conn; dist h.end; dist d.end; dist h.say; dist d.say; dist h.ps; dist d.ps;
dist h.pp d.pp; dist h.pd d.pd; dist h.t1 d.t1; dist h.hf d.hf; dist h.ht d.ht; dist
h.finite d.finite; dist d.turn h.turn; dist speakers; dist speakers h.q d.q; dist
h.heading d.heading; dist h.q d.q; dist d.quote h.quote; dist d.w1 d.w2; h.w1 d.w1;
h.t1 d.t1; h.hf d.hf; h.ht d.ht; h.hw d.hw; h.hw d.w1; h.hw d.hf; h.wl d.w1; h.end
d.conn; h.end d.w1; h.conn d.conn; h.say d.t1; h.say d.w1; h.len d.len; h.verb d.verb;
h.subj d.subj; h.ps d.ps; h.t1 h.t2 d.t1 d.t2; h.hf h.ht d.hf d.ht; h.w1 d.hf; h.hf
d.w1; overlap; overlap dist; overlap h.hf d.hf; same; same dist; same d.w1; h.heading
d.heading; h.conn d.w1 dist; h.w1 d.conn dist; between; between dist; between d.hf;
between h.hf; between d.conn
"""
WIDE_PAIR_TEMPLATES = """
h.f:conn d.f:conn; h.f:w1 d.f:w1; h.f:t1 d.f:t1; h.l:end d.f:w1; dist d.f:conn; dist
h.f:conn; dist d.f:w1; dist d.f:w1 d.f:w2; h.size d.size; dist h.size d.size; dist
d.f:turn h.f:turn; dist speakers d.size; dist h.l:q d.l:q speakers; h.l:q d.f:w1 dist;
dist h.f:heading d.f:heading; dist d.f:part; dist h.pd; dist d.pd; overlap d.f:conn;
dist h.f:subj d.f:subj; h.f:hf d.f:hf; h.f:conn d.f:conn dist; dist d.f:t1 d.f:t2;
dist h.f:cap d.f:cap; dist h.sentences d.sentences; dist h.f:hf d.f:hf; h.f:pd d.f:pd;
dist d.f:wl<; parts; parts d.f:conn; parts h.size d.size
"""
CONTEXTS = 6  # of a pair: before or after, as neighbours, near or far
_DISTANCES = np.array([2, 3, 4, 6, 9, 14, 25])
_SYNTAX = ("none", "up", "down", "beside", "up-up", "down-down")


@cache
def parsed(templates: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(one.split()) for one in templates.split(";"))


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


class UnitView:
    """Atoms of units, looked up when they are asked for and kept."""

    def __init__(self, edus: EduTable, units: Units) -> None:
        self._edus = edus
        self._units = units
        self._known: dict[str, Hashes] = {}

    def atom(self, name: str) -> Hashes:
        if name not in self._known:
            self._known[name] = self._made(name)
        return self._known[name]

    def _made(self, name: str) -> Hashes:
        units, edus = self._units, self._edus
        if name == "size":
            return _numbered(_bucket(units.last - units.first + 1))
        if name == "sentences":
            spanned = edus.sentence[units.last] - edus.sentence[units.first] + 1
            return _numbered(_bucket(spanned))
        at, _, rest = name.rpartition(":")
        rows = {"": units.head, "f": units.first, "l": units.last}[at]
        return edus.atoms[rest][rows]

    def columns(self, templates: str) -> Iterator[Hashes]:
        for one in parsed(templates):
            yield mixed(" ".join(one), *(self.atom(name) for name in one))


class PairView:
    """Atoms of pairs of units of one group."""

    def __init__(
        self, edus: EduTable, units: Units, governor: Ints, dependent: Ints
    ) -> None:
        self._edus, self._units = edus, units
        self.units = UnitView(edus, units)
        self.governor, self.dependent = governor, dependent
        self._known: dict[str, Hashes] = {}

    def atom(self, name: str) -> Hashes:
        if name not in self._known:
            self._known[name] = self._made(name)
        return self._known[name]

    def _made(self, name: str) -> Hashes:
        side, _, rest = name.partition(".")
        if side == "h":
            return self.units.atom(rest)[self.governor]
        if side == "d":
            return self.units.atom(rest)[self.dependent]
        found: Hashes = getattr(self, f"_{name}")()
        return found

    def columns(self, templates: str) -> Iterator[Hashes]:
        for one in parsed(templates):
            yield mixed(" ".join(one), *(self.atom(name) for name in one))

    def add(self, name: str, column: Hashes) -> None:
        """An atom that others know."""
        self._known[name] = column

    def context(self) -> Ints:
        """Which weights of single units count."""
        apart = self._apart()
        near = np.abs(apart)
        return (apart > 0) * 3 + (near > 1) + (near > 3)

    def _apart(self) -> Ints:
        place = self._units.place
        return place[self.dependent] - place[self.governor]

    def _dist(self) -> Hashes:
        return _numbered(_signed(self._apart()))

    def _edist(self) -> Hashes:
        head = self._units.head
        return _numbered(_signed(head[self.dependent] - head[self.governor]))

    def _sdist(self) -> Hashes:
        sentence = self._edus.sentence[self._units.head]
        return _numbered(_signed(sentence[self.dependent] - sentence[self.governor]))

    def _size2(self) -> Hashes:
        _, which, counts = np.unique(
            self._units.group, return_inverse=True, return_counts=True
        )
        return _numbered(_bucket(counts[which]))[self.governor]

    def _syn(self) -> Hashes:
        head = self._units.head
        one, other = head[self.governor], head[self.dependent]
        above = self._edus.governor
        up, down = above[other], above[one]
        found = np.zeros(len(one), np.int64)
        found[(above[down] == other) & (down >= 0)] = 5
        found[(above[up] == one) & (up >= 0)] = 4
        found[(up == down) & (up >= 0)] = 3
        found[down == other] = 2
        found[up == one] = 1
        return hashes(_SYNTAX)[found]

    def _speakers(self) -> Hashes:
        speaker = self._edus.speaker[self._units.head]
        return _numbered((speaker[self.governor] == speaker[self.dependent]) * 1)

    def _same(self) -> Hashes:
        """Whether both begin with the same word, and with the same tag."""
        found = np.zeros(len(self.governor), np.int64)
        for bit, name in enumerate(("f:w1", "f:t1", "ht", "subj")):
            column = self.units.atom(name)
            found |= (column[self.governor] == column[self.dependent]) << bit
        return _numbered(found)

    def _overlap(self) -> Hashes:
        units, lemmas = self._units, self._edus.lemmas
        sets = [
            lemmas[first]
            if first == last
            else frozenset().union(*lemmas[first : last + 1])
            for first, last in zip(
                units.first.tolist(), units.last.tolist(), strict=True
            )
        ]
        counts = [
            len(sets[one] & sets[other])
            for one, other in zip(
                self.governor.tolist(), self.dependent.tolist(), strict=True
            )
        ]
        return _numbered(_bucket(np.array(counts, np.int64)))

    def _between(self) -> Hashes:
        """What stands right before the second of the two, if it is not the first."""
        later = np.maximum(self.governor, self.dependent)
        earlier = np.minimum(self.governor, self.dependent)
        kind = self.units.atom("f:hf")
        before = kind[np.maximum(later - 1, 0)] ^ kind[earlier + 1]
        return np.where(later - earlier == 1, np.uint64(0), before)

    def _parts(self) -> Hashes:
        """Whether one, both or none begin or end their groups."""
        units = self._units
        place = units.place
        is_last = np.append(units.group[1:] != units.group[:-1], True)
        ends = (place == 0) * 1 + is_last * 2
        return _numbered(ends[self.governor] * 4 + ends[self.dependent])


def _bucket(values: Ints) -> Ints:
    return np.where(
        values <= 2, values, 2 + np.searchsorted(_DISTANCES, values, side="right")
    )


def _signed(values: Ints) -> Ints:
    return np.sign(values) * _bucket(np.abs(values))


def _numbered(values: Ints) -> Hashes:
    """Small numbers as hashes."""
    with np.errstate(over="ignore"):
        spread = (values + 64).astype(np.uint64) * np.uint64(0xBF58476D1CE4E5B9)
    return spread ^ (spread >> np.uint64(31))


def unit_columns(view: UnitView, level: int) -> Iterator[Hashes]:
    yield from view.columns(UNIT_TEMPLATES)
    if is_wide(level):
        yield from view.columns(WIDE_TEMPLATES)


def pair_columns(view: PairView, level: int) -> Iterator[Hashes]:
    yield from view.columns(PAIR_TEMPLATES)
    if is_wide(level):
        yield from view.columns(WIDE_PAIR_TEMPLATES)


def all_pairs(units: Units) -> tuple[Ints, Ints]:
    """Governor and dependent of all pairs within a group, ordered by dependent."""
    starts = np.flatnonzero(units.place == 0)
    sizes = np.diff(np.append(starts, len(units)))
    counts = np.repeat(sizes, sizes)  # candidates of each dependent, and itself
    dependent = np.repeat(np.arange(len(units)), counts)
    begin = np.cumsum(counts) - counts
    offset = np.arange(len(dependent)) - np.repeat(begin, counts)
    governor = np.repeat(np.repeat(starts, sizes), counts) + offset
    apart = governor != dependent
    return governor[apart], dependent[apart]


def grouped(keys: Ints, first: Ints, last: Ints, head: Ints) -> Units:
    """Units with the group of each, from keys that are equal within a group."""
    starts = np.flatnonzero(np.append(True, keys[1:] != keys[:-1]))
    sizes = np.diff(np.append(starts, len(keys)))
    group = np.repeat(np.arange(len(starts)), sizes)
    place = np.arange(len(keys)) - np.repeat(starts, sizes)
    return Units(first, last, head, group, place)


def arc_templates(level: int) -> int:
    """How many templates a stage has."""
    found = [UNIT_TEMPLATES, PAIR_TEMPLATES]
    if is_wide(level):
        found += [WIDE_TEMPLATES, WIDE_PAIR_TEMPLATES]
    return sum(len(parsed(one)) for one in found)
