"""Spans of units split in two, and what is seen of them.

A span goes from unit `a` to unit `e`; its left half ends with `b`, its right half
begins with `c`, the next one. `x` stands before the span and `y` after it, in the same
group. A template names atoms of these (`c.f:conn`), or of the whole (`nl`: the size of
the left half).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import EduTable
from analyzer.rst_parser.hashing import Hashes
from analyzer.rst_parser.units import (
    Atoms,
    Units,
    UnitView,
    bucket,
    chosen,
    is_wide,
    numbered,
)

_ANY = """
nl nr; nl; nr; begins; ends; begins nl; ends nr; c.conn; c.conn nl; c.conn nr; c.w1;
c.w1 c.w2; c.w1 nl; c.w1 nr; c.t1; c.t1 c.t2; c.t1 nl; c.t1 nr; c.hf; c.hf nl; c.hf nr;
b.hf; b.hf nl; b.hf nr; c.hw; c.ht c.hf; b.ht; c.hf c.gt; b.end; b.end nl; b.end nr;
b.end c.w1; b.end c.conn; b.end c.hf; b.wl; b.tl; b.tl c.t1; b.hf c.hf; b.hf c.hf nl;
b.hf c.hf nr; b.t1 c.t1; b.ht c.ht; b.w1 c.w1; b.conn c.conn; a.conn; a.conn c.conn;
a.conn nl; a.w1 c.w1; a.t1 c.t1; a.hf c.hf; a.hf c.hf nl; a.hf; a.ht c.ht; a.conn a.hf
c.hf; a.say; a.say c.hf; b.say; b.say c.hf; b.say c.t1; b.hw c.hf; e.hf; c.hf e.hf;
c.hf e.hf nr; b.hf c.hf e.hf; a.hf b.hf c.hf; e.conn c.conn; y.conn; y.hf; y.hf c.hf;
x.hf c.hf; x.end; e.end; a.verb c.verb; b.verb c.verb; a.finite c.finite; b.finite
c.finite; c.len; b.len; c.len b.len; c.quote b.quote; b.quote; a.open c.open; c.ps;
b.ps; a.ps; c.side c.hf; shared; shared nl; shared nr; c.subj; b.subj c.subj; alike;
alike_first
"""
# Of single EDUs: what syntax says. Their groups are small, so both halves may count.
_NARROW = """
links; links nl nr; links c.hf; links b.hf; links b.hf c.hf; links c.conn; links b.end;
links a.hf; clauses; clauses c.hf; clauses nl nr; clauses c.conn; clauses a.hf; clauses
a.conn; clauses b.hf c.hf; a.hf c.hf nl nr; c.hf nl nr; c.conn nl nr; a.hf b.hf c.hf
e.hf
"""
# Of units that are more than an EDU.
_WIDE = """
a.f:conn c.f:conn; a.f:w1 c.f:w1; a.f:t1 c.f:t1; c.f:conn; c.f:conn nl; c.f:conn nr;
c.f:w1; c.f:w1 c.f:w2; c.f:w1 nl; c.f:w1 nr; c.f:t1; c.f:t1 c.f:t2; c.f:hf; c.f:hf nl;
c.f:hf nr; b.l:end; b.l:end nl; b.l:end nr; b.l:end c.f:w1; b.l:wl; c.f:heading;
c.f:heading nl; c.f:heading nr; a.f:heading; a.f:heading nl; a.f:heading c.f:heading;
a.f:heading c.f:heading nl; b.heading; b.heading nl; b.heading nr; e.heading c.f:heading
nr; c.f:turn; c.f:turn nl; c.f:turn nr; c.f:turn b.l:q; c.f:turn b.l:q nl; c.f:turn
b.l:q nr; a.f:turn c.f:turn; b.l:q; b.l:q nl; b.l:q nr; goes_on; goes_on nl; goes_on nr;
returns; returns nl; one_left; one_left nl; one_right; one_right nr; goes_on one_left;
goes_on one_right; c.pp; b.pp; c.pd; b.pd; c.pp nl; c.pp nr; c.pd nl; c.pd nr; c.size;
b.size; a.size; e.size; b.size c.size; c.size nl; c.size nr; a.size nl; c.sentences;
b.sentences; break; break nl; break nr; e.l:end; e.l:q; y.f:conn; y.f:turn; y.f:heading;
y.f:heading c.f:heading; y.f:heading nr; y.f:conn c.f:conn; c.f:cap; c.f:cap a.f:cap;
c.f:part; a.f:subj c.f:subj; b.subj c.f:subj; c.f:len; b.f:len; a.f:len; size c.f:conn
"""
# Which end of the span each atom looks at; those not named look at the split alone.
_LEFT, _RIGHT = 1, 2
SPLIT, LEFT, RIGHT, BOTH = range(4)
_REACH = {
    **dict.fromkeys(("a", "x", "nl", "begins"), _LEFT),
    **dict.fromkeys(("alike_first", "returns", "one_left"), _LEFT),
    **dict.fromkeys(("e", "y", "nr", "ends", "one_right"), _RIGHT),
    **dict.fromkeys(("links", "clauses", "size"), _LEFT | _RIGHT),
}
_LIKE = ("f:w1", "f:t1", "ht", "subj")


def span_templates(level: int) -> str:
    """What is seen of the spans of a stage."""
    return f"{_ANY};{_WIDE if is_wide(level) else _NARROW}"


@cache
def _reach(template: tuple[str, ...]) -> int:
    """Which ends of a span a template looks at, besides the split."""
    found = 0
    for name in template:
        found |= _REACH.get(name.partition(".")[0], 0)
    return found


class SpanView(Atoms):
    """Atoms of spans: units first to last of a group, split after `split`."""

    def __init__(
        self, edus: EduTable, units: Units, first: Ints, split: Ints, last: Ints
    ) -> None:
        super().__init__(edus)
        self._units = units
        self._view = UnitView(edus, units)
        starts = np.flatnonzero(units.place == 0)
        ends = np.append(starts[1:], len(units)) - 1
        self._is_first = starts[units.group[first]] == first
        self._is_last = ends[units.group[last]] == last
        self.at: dict[str, Ints] = {
            "a": first,
            "b": split,
            "c": split + 1,
            "e": last,
            "x": np.where(self._is_first, -1, first - 1),
            "y": np.where(self._is_last, -1, last + 1),
        }

    def reaching(self, templates: str, reach: int) -> Iterator[Hashes]:
        """The columns of the templates that look just so far."""
        for one in chosen(templates, self.edus.has_syntax):
            if _reach(one) == reach:
                yield self.mixture(one)

    def _made(self, name: str) -> Hashes:
        side, dot, rest = name.partition(".")
        if not dot:
            return super()._made(name)
        at = self.at[side]
        column = self._view.atom(rest)[at]
        return np.where(at < 0, np.uint64(0), column) if side in "xy" else column

    # -- sizes and places --------------------------------------------------------------

    def _nl(self) -> Hashes:
        return numbered(bucket(self.at["c"] - self.at["a"]))

    def _nr(self) -> Hashes:
        return numbered(bucket(self.at["e"] - self.at["b"]))

    def _size(self) -> Hashes:
        return numbered(bucket(self.at["e"] - self.at["a"] + 1))

    def _begins(self) -> Hashes:
        return numbered(self._is_first * 1)

    def _ends(self) -> Hashes:
        return numbered(self._is_last * 1)

    def _break(self) -> Hashes:
        """Whether a paragraph, or more than one, begins with the right half."""
        paragraph, units = self.edus.paragraph, self._units
        later = paragraph[units.first[self.at["c"]]]
        return numbered(np.minimum(later - paragraph[units.last[self.at["b"]]], 2))

    # -- words -------------------------------------------------------------------------

    def _shared(self) -> Hashes:
        """How many content words the heads next to the split share."""
        lemmas, head = self.edus.lemmas, self._units.head
        pairs, which = np.unique(self.at["b"], return_inverse=True)
        counts = [
            len(lemmas[one] & lemmas[other])
            for one, other in zip(
                head[pairs].tolist(), head[pairs + 1].tolist(), strict=True
            )
        ]
        return numbered(np.minimum(np.array(counts, np.int64), 3)[which])

    def _alike(self) -> Hashes:
        return self._same("b")

    def _alike_first(self) -> Hashes:
        return self._same("a")

    def _same(self, side: str) -> Hashes:
        """Whether the right half begins as another unit does."""
        found = np.zeros(len(self.at["c"]), np.int64)
        for bit, name in enumerate(_LIKE):
            column = self._view.atom(name)
            found |= (column[self.at[side]] == column[self.at["c"]]) << bit
        return numbered(found)

    # -- speakers: whether two EDUs are the same one's ---------------------------------

    def _goes_on(self) -> Hashes:
        return self._one_speaks(self._last("b"), self._first("c"))

    def _returns(self) -> Hashes:
        return self._one_speaks(self._first("a"), self._first("c"))

    def _one_left(self) -> Hashes:
        return self._one_speaks(self._first("a"), self._last("b"))

    def _one_right(self) -> Hashes:
        return self._one_speaks(self._first("c"), self._last("e"))

    def _first(self, side: str) -> Ints:
        first: Ints = self._units.first[self.at[side]]
        return first

    def _last(self, side: str) -> Ints:
        last: Ints = self._units.last[self.at[side]]
        return last

    def _one_speaks(self, one: Ints, other: Ints) -> Hashes:
        speaker = self.edus.speaker
        return numbered((speaker[one] == speaker[other]) * 1)

    # -- syntax ------------------------------------------------------------------------

    def _links(self) -> Hashes:
        return self._crossing(self.edus.governor)

    def _clauses(self) -> Hashes:
        """As `links`, where the parts of a clause that is interrupted are one."""
        edus = self.edus
        each = np.arange(len(edus))
        above = np.where(edus.governor >= 0, edus.host[edus.governor], -1)
        return self._crossing(np.where(edus.host != each, edus.host, above))

    def _crossing(self, above: Ints) -> Hashes:
        """How many EDUs of each half are governed from the other; units are EDUs."""
        first, split, last = self.at["a"], self.at["b"], self.at["e"]
        edu = np.flatnonzero(above >= 0)
        found = np.zeros(len(first), np.int64)
        for low, high in ((above[edu], edu), (edu, above[edu])):
            is_so = low < high
            inside = _Inside(self._units, low[is_so], high[is_so])
            here = inside.count(first, last) - inside.count(first, split)
            here -= inside.count(split + 1, last)
            found = found * 4 + np.minimum(here, 3)
        return numbered(found)


class _Inside:
    """How many of some links lie within a span: for all spans of all groups at once."""

    def __init__(self, units: Units, low: Ints, high: Ints) -> None:
        self._place = units.place
        starts = np.flatnonzero(units.place == 0)
        sizes = np.diff(np.append(starts, len(units)))
        self._size = sizes[units.group]
        self._begin = (np.cumsum(sizes**2) - sizes**2)[units.group]
        is_one = units.group[low] == units.group[high]
        self._table: Ints = np.zeros(int((sizes**2).sum()), np.int64)
        np.add.at(self._table, self._index(low[is_one], high[is_one]), 1)
        for size in np.unique(sizes).tolist():
            groups = starts[sizes == size]
            cells = self._begin[groups][:, None] + np.arange(size * size)
            square = self._table[cells].reshape(-1, size, size)
            whole = square[:, ::-1].cumsum(axis=1)[:, ::-1].cumsum(axis=2)
            self._table[cells] = whole.reshape(len(groups), -1)

    def _index(self, first: Ints, last: Ints) -> Ints:
        place = self._place
        found: Ints = (
            self._begin[first] + place[first] * self._size[first] + place[last]
        )
        return found

    def count(self, first: Ints, last: Ints) -> Ints:
        found: Ints = self._table[self._index(first, last)]
        return found
