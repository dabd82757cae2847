"""What is seen of units, of pairs of them, of spans split in two, of trees over them.

A template names atoms with blanks between them. Of a unit: `f:` is of its first EDU,
`l:` of its last, nothing of its head EDU. Of a pair, one of which may govern the other:
`h.` is of the governor, `d.` of the dependent; what has no such letter is of the pair.

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
from analyzer.rst_parser.linear import Hashes, hashes, mixed
from analyzer.rst_parser.stages import Stage, Units

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
_WIDE_UNIT = """
f:w1; f:w1 f:w2; f:w1 f:w2 f:w3; f:t1 f:t2; f:t1 f:t2 f:t3; f:conn; f:hf; f:ht; f:hw;
l:end; l:wl; l:w1; l:hf; size; sentences; size pp; size pd; f:conn pp; f:w1 pp; f:len;
f:subj; f:w1 f:ht; f:conn size; l:w1>; l:conn>; f:wl<; f:end<; f:turn; f:turn size;
f:heading; f:heading size; l:q; f:q size; f:cap size; l:quote; l:heading; f:turn f:q;
f:pd sentences; f:part size
"""
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
_SPAN = """
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
_NARROW_SPAN = """
links; links nl nr; links c.hf; links b.hf; links b.hf c.hf; links c.conn; links b.end;
links a.hf; clauses; clauses c.hf; clauses nl nr; clauses c.conn; clauses a.hf; clauses
a.conn; clauses b.hf c.hf; a.hf c.hf nl nr; c.hf nl nr; c.conn nl nr; a.hf b.hf c.hf
e.hf
"""
_WIDE_SPAN = """
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
# What is seen in the first stage, where units are EDUs, and what in the others.
_TEMPLATES = {
    "unit": (_UNIT, f"{_UNIT};{_WIDE_UNIT}"),
    "pair": (_PAIR, f"{_PAIR};{_WIDE_PAIR}"),
    "span": (f"{_SPAN};{_NARROW_SPAN}", f"{_SPAN};{_WIDE_SPAN}"),
}
_OF_SYNTAX = frozenset(("syn", "host", "lca", "links", "clauses"))
_EDGES = np.array([2, 3, 4, 6, 9, 14, 25])
_LIKE = ("f:w1", "f:t1", "ht", "subj")  # by which units are alike
CONTEXTS = 6  # of a pair: before or after, as neighbours, near or far
_STEPS_UP = 4
_SYNTAX = ("none", "up", "down", "beside", "up-up", "down-down")
# Which end of the span an atom looks at; those not named look at the split alone.
_LOOKS_LEFT = ("a", "x", "nl", "begins", "alike_first", "returns", "one_left")
_LOOKS_RIGHT = ("e", "y", "nr", "ends", "one_right")
_LOOKS_AT_BOTH = ("links", "clauses", "size")
_MAY_LACK = frozenset(("x", "y", "in", "out", "kid", "up"))  # units that may be missing
_MOST = 3  # dependents: more are as good as this


def templates(kind: str, level: int) -> str:
    """What is seen of a unit, pair or span in the stage of a level."""
    return _TEMPLATES[kind][min(level, 1)]


@cache
def parsed(templates: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(template.split()) for template in templates.split(";"))


@cache
def chosen(templates: str, has_syntax: bool) -> tuple[tuple[str, ...], ...]:
    """The templates that tell something: without syntax, those of none."""
    known = parsed(templates)
    return known if has_syntax else tuple(filter(_OF_SYNTAX.isdisjoint, known))


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


class Features:
    """What is seen of some things, a column a name; made when asked for, and kept."""

    def __init__(self, edus: EduTable) -> None:
        self.edus = edus
        self._known: dict[str, Hashes] = {}

    def atom(self, name: str) -> Hashes:
        if name not in self._known:
            self._known[name] = self._made(name)
        return self._known[name]

    def _made(self, name: str) -> Hashes:
        column: Hashes = getattr(self, f"_{name}")()
        return column

    def add(self, name: str, column: Hashes) -> None:
        """An atom that others know."""
        self._known[name] = column

    def columns(self, templates: str, reach: str | None = None) -> Iterator[Hashes]:
        """One a template; reach: only of those that look just so far."""
        for template in chosen(templates, self.edus.has_syntax):
            if reach is None or _reach(template) == reach:
                atoms = (self.atom(name) for name in template)
                yield mixed(" ".join(template), *atoms)


@cache
def _reach(template: tuple[str, ...]) -> str:
    """Which ends of a span a template looks at, besides the split: a, e, both."""
    letters = {name.partition(".")[0] for name in template}
    is_left = not letters.isdisjoint(_LOOKS_LEFT + _LOOKS_AT_BOTH)
    is_right = not letters.isdisjoint(_LOOKS_RIGHT + _LOOKS_AT_BOTH)
    return "a" * is_left + "e" * is_right


class UnitFeatures(Features):
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


class _SeveralUnits(Features):
    """Atoms of things that several units are part of: `at` has them by their letters.

    Where a unit is missing, at -1, its atoms are 0.
    """

    def __init__(self, edus: EduTable, units: Units, at: dict[str, Ints]) -> None:
        super().__init__(edus)
        self._units = units
        self.units = UnitFeatures(edus, units)
        self.at = at

    def _made(self, name: str) -> Hashes:
        side, dot, rest = name.partition(".")
        if not dot:
            return super()._made(name)
        at = self.at[side]
        column = self.units.atom(rest)[at]
        return np.where(at < 0, np.uint64(0), column) if side in _MAY_LACK else column

    def _is_equal(self, name: str, other: str) -> Hashes:
        return numbered((self.atom(name) == self.atom(other)) * 1)

    def _likeness(self, side: str, other: str) -> Hashes:
        """Whether two units begin with the same word, and with the same tag, …"""
        bits = np.zeros(len(self.at[side]), np.int64)
        for bit, name in enumerate(_LIKE):
            column = self.units.atom(name)
            bits |= (column[self.at[side]] == column[self.at[other]]) << bit
        return numbered(bits)


# -- pairs -----------------------------------------------------------------------------


class PairFeatures(_SeveralUnits):
    """Atoms of pairs of units of one group."""

    def __init__(
        self, edus: EduTable, units: Units, governor: Ints, dependent: Ints
    ) -> None:
        super().__init__(edus, units, {"h": governor, "d": dependent})
        self.governor, self.dependent = governor, dependent

    def context(self) -> Ints:
        """Which weights of single units count."""
        apart = self._apart()
        near = np.abs(apart)
        return (apart > 0) * 3 + (near > 1) + (near > 3)

    def _apart(self) -> Ints:
        return self._difference(self._units.place)

    def _difference(self, values: Ints) -> Ints:
        return values[self.dependent] - values[self.governor]

    def _dist(self) -> Hashes:
        return numbered(signed(self._apart()))

    def _edist(self) -> Hashes:
        return numbered(signed(self._difference(self._units.head)))

    def _sdist(self) -> Hashes:
        sentence = self.edus.sentence[self._units.head]
        return numbered(signed(self._difference(sentence)))

    def _size2(self) -> Hashes:
        return numbered(bucket(self._units.sizes))[self._units.group[self.governor]]

    def _heads(self) -> tuple[Ints, Ints]:
        """The EDUs that stand for governor and dependent."""
        head = self._units.head
        return head[self.governor], head[self.dependent]

    def _syn(self) -> Hashes:
        return hashes(_SYNTAX)[_related(self.edus.governor, *self._heads())]

    def _host(self) -> Hashes:
        """As `syn`, where the parts of a clause that is interrupted are one."""
        edus = self.edus
        head, dependent = self._heads()
        host, other_host = edus.host[head], edus.host[dependent]
        related = _related(edus.clause_governor, host, other_host)
        related[host == other_host] = len(_SYNTAX)
        return numbered(related * 4 + (head == host) + 2 * (dependent == other_host))

    def _lca(self) -> Hashes:
        """How many steps up from each it is to what governs both."""
        above = self.edus.governor
        at, dependent = self._heads()
        steps = np.full(len(at), _STEPS_UP * _STEPS_UP)
        for step in range(_STEPS_UP):
            to = dependent
            for other_step in range(_STEPS_UP):
                is_met = (at == to) & (at >= 0) & (steps == _STEPS_UP * _STEPS_UP)
                steps[is_met] = step * _STEPS_UP + other_step
                to = np.where(to >= 0, above[to], -1)
            at = np.where(at >= 0, above[at], -1)
        return numbered(steps)

    def _speakers(self) -> Hashes:
        return self._is_equal("h.speaker", "d.speaker")

    def _same(self) -> Hashes:
        return self._likeness("h", "d")

    def _overlap(self) -> Hashes:
        """How many content words both have."""
        units, lemmas = self._units, self.edus.lemmas
        ends = zip(units.first.tolist(), units.last.tolist(), strict=True)
        words = [
            lemmas[first]
            if first == last
            else frozenset().union(*lemmas[first : last + 1])
            for first, last in ends
        ]
        pairs = zip(self.governor.tolist(), self.dependent.tolist(), strict=True)
        counts = [len(words[head] & words[dependent]) for head, dependent in pairs]
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
        group = self._units.group
        is_last = np.append(group[1:] != group[:-1], True)
        ends = (self._units.place == 0) * 1 + is_last * 2
        return numbered(ends[self.governor] * 4 + ends[self.dependent])


def _related(above: Ints, head: Ints, dependent: Ints) -> Ints:
    """How syntax relates EDUs, as numbers of `_SYNTAX`; above: what governs each."""
    up, down = above[dependent], above[head]
    related = np.zeros(len(head), np.int64)
    related[(above[down] == dependent) & (down >= 0)] = 5
    related[(above[up] == head) & (up >= 0)] = 4
    related[(up == down) & (up >= 0)] = 3
    related[down == dependent] = 2
    related[up == head] = 1
    return related


def all_pairs(units: Units) -> tuple[Ints, Ints]:
    """Governor and dependent of all pairs within a group, ordered by dependent."""
    starts, sizes = units.starts, units.sizes
    counts = np.repeat(sizes, sizes)  # candidates of each dependent, and itself
    dependent = np.repeat(np.arange(len(units)), counts)
    begin = np.cumsum(counts) - counts
    offset = np.arange(len(dependent)) - np.repeat(begin, counts)
    governor = np.repeat(np.repeat(starts, sizes), counts) + offset
    apart = governor != dependent
    return governor[apart], dependent[apart]


# -- spans -----------------------------------------------------------------------------


class SpanFeatures(_SeveralUnits):
    """Atoms of spans: units first to last of a group, split after `split`."""

    def __init__(
        self, edus: EduTable, units: Units, first: Ints, split: Ints, last: Ints
    ) -> None:
        starts = units.starts
        self._is_first = starts[units.group[first]] == first
        self._is_last = (starts + units.sizes - 1)[units.group[last]] == last
        before = np.where(self._is_first, -1, first - 1)
        after = np.where(self._is_last, -1, last + 1)
        ends = {"a": first, "b": split, "c": split + 1, "e": last}
        super().__init__(edus, units, {**ends, "x": before, "y": after})

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
        splits, which = np.unique(self.at["b"], return_inverse=True)
        pairs = zip(head[splits].tolist(), head[splits + 1].tolist(), strict=True)
        counts = [len(lemmas[left] & lemmas[right]) for left, right in pairs]
        return numbered(np.minimum(np.array(counts, np.int64), 3)[which])

    def _alike(self) -> Hashes:
        return self._likeness("b", "c")

    def _alike_first(self) -> Hashes:
        return self._likeness("a", "c")

    # -- speakers: whether two EDUs are the same one's ---------------------------------

    def _goes_on(self) -> Hashes:
        return self._is_equal("b.l:speaker", "c.f:speaker")

    def _returns(self) -> Hashes:
        return self._is_equal("a.f:speaker", "c.f:speaker")

    def _one_left(self) -> Hashes:
        return self._is_equal("a.f:speaker", "b.l:speaker")

    def _one_right(self) -> Hashes:
        return self._is_equal("c.f:speaker", "e.l:speaker")

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
        """How many EDUs of each half are governed from the other."""
        first, split, last = self.at["a"], self.at["b"], self.at["e"]
        sizes = self._units.last - self._units.first + 1  # of blocks of EDUs; else 1
        unit_of = np.repeat(np.arange(len(sizes)), sizes)
        edu = np.flatnonzero(above >= 0)
        below, head = unit_of[edu], unit_of[above[edu]]
        both = np.zeros(len(first), np.int64)
        for low, high in ((head, below), (below, head)):
            is_so = low < high
            inside = _Inside(self._units, low[is_so], high[is_so])
            here = inside.count(first, last) - inside.count(first, split)
            here -= inside.count(split + 1, last)
            both = both * 4 + np.minimum(here, 3)
        return numbered(both)


class _Inside:
    """How many of some links lie within a span: for all spans of all groups at once."""

    def __init__(self, units: Units, low: Ints, high: Ints) -> None:
        self._place = units.place
        starts, sizes = units.starts, units.sizes
        self._size = sizes[units.group]
        self._begin = (np.cumsum(sizes**2) - sizes**2)[units.group]
        is_in_group = units.group[low] == units.group[high]
        self._table: Ints = np.zeros(int((sizes**2).sum()), np.int64)
        np.add.at(self._table, self._index(low[is_in_group], high[is_in_group]), 1)
        for size in np.unique(sizes).tolist():
            groups = starts[sizes == size]
            cells = self._begin[groups][:, None] + np.arange(size * size)
            square = self._table[cells].reshape(-1, size, size)
            whole = square[:, ::-1].cumsum(axis=1)[:, ::-1].cumsum(axis=2)
            self._table[cells] = whole.reshape(len(groups), -1)

    def _index(self, first: Ints, last: Ints) -> Ints:
        row = self._begin[first] + self._place[first] * self._size[first]
        index: Ints = row + self._place[last]
        return index

    def count(self, first: Ints, last: Ints) -> Ints:
        counts: Ints = self._table[self._index(first, last)]
        return counts


# -- trees -----------------------------------------------------------------------------


class TreeFeatures(PairFeatures):
    """Atoms of the arcs of a stage.

    Besides those of a pair: `kids` and `yield` of its units (how many depend on a unit
    on each side, and how many units its tree has), `rank` (how many dependents on the
    same side are nearer, and farther), `above` (whether the governor has one, and
    where), and atoms of other units: `in` and `out`, the dependents on the same side
    that are next to it, nearer to the governor and farther; `kid`, its own first to the
    right; `up`, the governor's governor.
    """

    def __init__(self, edus: EduTable, stage: Stage) -> None:
        super().__init__(edus, stage.units, *stage.arcs)
        self._governors = stage.governor
        count = len(stage.units)
        is_right = self.governor < self.dependent
        left = np.bincount(self.governor[~is_right], minlength=count)
        right = np.bincount(self.governor[is_right], minlength=count)
        kids = np.minimum(left, _MOST) * 4 + np.minimum(right, _MOST)
        self.units.add("kids", numbered(kids))
        self.units.add("yield", numbered(bucket(self._yields())))
        self.at |= self._siblings(is_right * 1, count)
        self.at["up"] = self._governors[self.governor]

    def _yields(self) -> Ints:
        """How many units each tree has."""
        size = np.ones(len(self._governors), np.int64)
        at = self._governors
        while (at >= 0).any():
            size += np.bincount(at[at >= 0], minlength=len(size))
            at = np.where(at >= 0, self._governors[at], -1)
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
        up = self.at["up"]
        return numbered(np.where(up < 0, 0, np.where(up < self.governor, 1, 2)))
