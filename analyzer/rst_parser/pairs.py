"""Pairs of units, and what is seen of them: one may govern the other.

In a template `h.` is of the governor, `d.` of the dependent; what has no such letter is
of the pair.
"""

from __future__ import annotations

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.hashing import Hashes, hashes
from analyzer.rst_parser.units import (
    Atoms,
    Units,
    UnitView,
    bucket,
    is_wide,
    numbered,
    signed,
)

_PAIR = """
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
between h.hf; between d.conn; host; host d.hf; host h.hf; host h.hf d.hf; host dist;
host d.gw d.hf; host h.gw h.hf; host d.conn; host h.conn; host d.w1; syn d.gw d.hf; syn
h.gw h.hf; syn d.gt d.hf; syn h.gt h.hf; lca; lca d.hf; lca h.hf; lca h.hf d.hf; lca
dist; lca host; lca d.conn; lca h.conn; syn h.conn; syn h.conn h.hf; syn h.t1; syn h.w1
h.hf; syn h.verb d.verb; syn d.say h.hf; syn d.hw h.hf; syn d.neg h.neg h.conn; syn
d.subj h.subj; syn d.len h.len; syn d.end h.hf; syn h.end d.hf; syn d.ps h.ps; syn
d.subj h.hf; syn d.conn d.hf h.hf; syn h.conn d.hf h.hf; syn d.hf d.conn d.ps
"""
_WIDE_PAIR = """
h.f:conn d.f:conn; h.f:w1 d.f:w1; h.f:t1 d.f:t1; h.l:end d.f:w1; dist d.f:conn; dist
h.f:conn; dist d.f:w1; dist d.f:w1 d.f:w2; h.size d.size; dist h.size d.size; dist
d.f:turn h.f:turn; dist speakers d.size; dist h.l:q d.l:q speakers; h.l:q d.f:w1 dist;
dist h.f:heading d.f:heading; dist d.f:part; dist h.pd; dist d.pd; overlap d.f:conn;
dist h.f:subj d.f:subj; h.f:hf d.f:hf; h.f:conn d.f:conn dist; dist d.f:t1 d.f:t2;
dist h.f:cap d.f:cap; dist h.sentences d.sentences; dist h.f:hf d.f:hf; h.f:pd d.f:pd;
dist d.f:wl<; parts; parts d.f:conn; parts h.size d.size
"""
CONTEXTS = 6  # of a pair: before or after, as neighbours, near or far
_STEPS_UP = 4
_SYNTAX = ("none", "up", "down", "beside", "up-up", "down-down")


class PairView(Atoms):
    """Atoms of pairs of units of one group."""

    def __init__(
        self, edus: EduTable, units: Units, governor: Ints, dependent: Ints
    ) -> None:
        super().__init__(edus)
        self._units = units
        self.units = UnitView(edus, units)
        self.governor, self.dependent = governor, dependent

    def _made(self, name: str) -> Hashes:
        side, dot, rest = name.partition(".")
        if not dot:
            return super()._made(name)
        at = self.governor if side == "h" else self.dependent
        return self.units.atom(rest)[at]

    def context(self) -> Ints:
        """Which weights of single units count."""
        apart = self._apart()
        near = np.abs(apart)
        return (apart > 0) * 3 + (near > 1) + (near > 3)

    def _apart(self) -> Ints:
        place = self._units.place
        return place[self.dependent] - place[self.governor]

    def _dist(self) -> Hashes:
        return numbered(signed(self._apart()))

    def _edist(self) -> Hashes:
        head = self._units.head
        return numbered(signed(head[self.dependent] - head[self.governor]))

    def _sdist(self) -> Hashes:
        sentence = self.edus.sentence[self._units.head]
        return numbered(signed(sentence[self.dependent] - sentence[self.governor]))

    def _size2(self) -> Hashes:
        _, which, counts = np.unique(
            self._units.group, return_inverse=True, return_counts=True
        )
        return numbered(bucket(counts[which]))[self.governor]

    def _syn(self) -> Hashes:
        head = self._units.head
        one, other = head[self.governor], head[self.dependent]
        return hashes(_SYNTAX)[_related(self.edus.governor, one, other)]

    def _host(self) -> Hashes:
        """As `syn`, where the parts of a clause that is interrupted are one."""
        head, edus = self._units.head, self.edus
        one, other = head[self.governor], head[self.dependent]
        first, second = edus.host[one], edus.host[other]
        found = _related(edus.clause_governor, first, second)
        found[first == second] = len(_SYNTAX)
        return numbered(found * 4 + (one == first) + 2 * (other == second))

    def _lca(self) -> Hashes:
        """How many steps up from each it is to what governs both."""
        head, above = self._units.head, self.edus.governor
        one, other = head[self.governor], head[self.dependent]
        found = np.full(len(one), _STEPS_UP * _STEPS_UP)
        at = one
        for step in range(_STEPS_UP):
            to = other
            for others in range(_STEPS_UP):
                is_met = (at == to) & (at >= 0) & (found == _STEPS_UP * _STEPS_UP)
                found[is_met] = step * _STEPS_UP + others
                to = np.where(to >= 0, above[to], -1)
            at = np.where(at >= 0, above[at], -1)
        return numbered(found)

    def _speakers(self) -> Hashes:
        speaker = self.edus.speaker[self._units.head]
        return numbered((speaker[self.governor] == speaker[self.dependent]) * 1)

    def _same(self) -> Hashes:
        """Whether both begin with the same word, and with the same tag."""
        found = np.zeros(len(self.governor), np.int64)
        for bit, name in enumerate(("f:w1", "f:t1", "ht", "subj")):
            column = self.units.atom(name)
            found |= (column[self.governor] == column[self.dependent]) << bit
        return numbered(found)

    def _overlap(self) -> Hashes:
        units, lemmas = self._units, self.edus.lemmas
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
        return numbered(bucket(np.array(counts, np.int64)))

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
        return numbered(ends[self.governor] * 4 + ends[self.dependent])


def _related(above: Ints, one: Ints, other: Ints) -> Ints:
    """How syntax relates EDUs, as numbers of `_SYNTAX`; above: what governs each."""
    up, down = above[other], above[one]
    found = np.zeros(len(one), np.int64)
    found[(above[down] == other) & (down >= 0)] = 5
    found[(above[up] == one) & (up >= 0)] = 4
    found[(up == down) & (up >= 0)] = 3
    found[down == other] = 2
    found[up == one] = 1
    return found


def pair_templates(level: int) -> str:
    """What is seen of the pairs of a stage."""
    return _PAIR + (f";{_WIDE_PAIR}" if is_wide(level) else "")


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
