"""Arcs of a tree that is known, and what is around them in the tree."""

from __future__ import annotations

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.hashing import Hashes
from analyzer.rst_parser.pairs import PairView
from analyzer.rst_parser.stages import Stage
from analyzer.rst_parser.units import bucket, numbered

_MOST = 3  # counts above are as good as this


class Surroundings(PairView):
    """Atoms of the arcs of a stage.

    Besides those of a pair: `kids` and `yield` of its units (how many depend on a unit
    on each side, and how many units its tree has), `rank` (how many dependents on the
    same side are nearer, and farther), `above` (whether the governor has one, and
    where), and atoms of other units: see `labels`.
    """

    def __init__(self, edus: EduTable, stage: Stage) -> None:
        super().__init__(edus, stage.units, *stage.arcs)
        self._heads = stage.governor
        count = len(stage.units)
        is_right = self.governor < self.dependent
        left = np.bincount(self.governor[~is_right], minlength=count)
        right = np.bincount(self.governor[is_right], minlength=count)
        kids = np.minimum(left, _MOST) * 4 + np.minimum(right, _MOST)
        self.units.add("kids", numbered(kids))
        self.units.add("yield", numbered(bucket(self._yields())))
        self._others = self._siblings(is_right * 1, count)
        self._others["up"] = self._heads[self.governor]

    def _made(self, name: str) -> Hashes:
        side, _, rest = name.partition(".")
        if side not in self._others:
            return super()._made(name)
        at = self._others[side]
        return np.where(at < 0, np.uint64(0), self.units.atom(rest)[at])

    def _yields(self) -> Ints:
        """How many units each tree has."""
        size = np.ones(len(self._heads), np.int64)
        at = self._heads
        while (at >= 0).any():
            size += np.bincount(at[at >= 0], minlength=len(size))
            at = np.where(at >= 0, self._heads[at], -1)
        return size

    def _siblings(self, is_right: Ints, count: int) -> dict[str, Ints]:
        """Of each arc, the next dependents on its side; also makes `rank`."""
        distance = np.abs(self.dependent - self.governor)
        turns = np.lexsort((distance, is_right, self.governor))
        edu = self.dependent[turns]
        head, side = self.governor[turns], is_right[turns]
        is_same = (head[1:] == head[:-1]) & (side[1:] == side[:-1])
        nearer, farther, kid = np.full((3, count), -1)
        nearer[edu[1:][is_same]] = edu[:-1][is_same]
        farther[edu[:-1][is_same]] = edu[1:][is_same]
        starts = np.flatnonzero(np.append(True, ~is_same)[: len(edu)])
        sizes = np.diff(np.append(starts, len(edu)))
        inside = np.arange(len(edu)) - np.repeat(starts, sizes)
        outside = np.repeat(sizes, sizes) - 1 - inside
        rank = np.zeros(count, np.int64)
        rank[edu] = np.minimum(inside, _MOST) * 8 + np.minimum(outside, _MOST)
        self.add("rank", numbered(rank[self.dependent]))
        firsts = starts[side[starts] == 1]
        kid[head[firsts]] = edu[firsts]
        return {
            "in": nearer[self.dependent],
            "out": farther[self.dependent],
            "kid": kid[self.dependent],
        }

    def _above(self) -> Hashes:
        """Whether the governor has one itself, and on which side."""
        up = self._heads[self.governor]
        return numbered(np.where(up < 0, 0, np.where(up < self.governor, 1, 2)))
