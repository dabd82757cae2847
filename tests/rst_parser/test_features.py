"""What is seen of pairs, spans and arcs, as plain loops over units find it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.model.arrays import Ints
from analyzer.rst_parser.edus import BAG, EduTable
from analyzer.rst_parser.features import (
    PairFeatures,
    SpanFeatures,
    TreeFeatures,
    UnitFeatures,
    all_pairs,
    bucket,
    numbered,
    templates,
)
from analyzer.rst_parser.linear import hashes
from analyzer.rst_parser.stages import Stage, Units, grouped
from tests.support.examples import some

# How EDUs are related by syntax, as the atom `syn` tells it.
SYNTAX = ("none", "up", "down", "beside", "up-up", "down-down")
WORDS = ("war", "peace", "snow", "rain")
LIKENESS = ("w1", "t1", "ht", "subj")
COLUMNS = (*LIKENESS, "hf", "speaker")
LARGEST, STEPS = 3, 4


class Case(NamedTuple):
    edus: EduTable
    units: Units

    def column(self, name: str) -> list[int]:
        return self.edus.atoms[name].tolist()

    def same_group(self, unit: int, other: int) -> bool:
        groups = self.units.group
        return 0 <= other < len(self.units) and bool(groups[unit] == groups[other])


@st.composite
def cases(draw: st.DrawFn, wide: bool = True) -> Case:
    """EDUs with anything as their columns, and units of one or more of them."""
    sizes = draw(st.lists(st.integers(1, 3 if wide else 1), min_size=2, max_size=9))
    count = sum(sizes)

    def numbers(low: int, high: int, size: int = count) -> Ints:
        values = st.lists(st.integers(low, high), min_size=size, max_size=size)
        return np.array(draw(values), np.int64)

    first = np.cumsum([0, *sizes[:-1]])
    last = first + np.array(sizes) - 1
    inside = draw(st.lists(st.integers(0, 2), min_size=len(sizes), max_size=len(sizes)))
    head = np.minimum(first + np.array(inside), last)
    host = np.minimum(numbers(0, count - 1), np.arange(count))
    edus = EduTable(
        {name: numbers(0, 1).astype(np.uint64) for name in COLUMNS},
        document=np.zeros(count, np.int64),
        sentence=np.cumsum(numbers(0, 1)),
        paragraph=np.cumsum(numbers(0, 1) * numbers(0, 3)),
        governor=draw(forests(count)),
        host=host,
        clause_governor=draw(forests(count)),
        bag=np.zeros((count, BAG), np.uint64),
        lemmas=[
            draw(st.frozensets(st.sampled_from(WORDS), max_size=4))
            for _ in range(count)
        ],
        has_syntax=True,
    )
    keys = np.cumsum(numbers(0, 3, len(sizes)) == 0)
    return Case(edus, grouped(keys, first, last, head))


@st.composite
def forests(draw: st.DrawFn, count: int) -> Ints:
    """What governs each of some things: others before or after it, without a cycle."""
    order = draw(st.permutations(range(count)))
    governor = np.full(count, -1, np.int64)
    for at, one in enumerate(order):
        above = draw(st.integers(-1, at - 1))
        governor[one] = order[above] if above >= 0 else -1
    return governor


def naive_bucket(value: int) -> int:
    """0, 1, 2 as they are; a step more at each edge."""
    return value if value <= 2 else 2 + sum(value >= e for e in (2, 3, 4, 6, 9, 14, 25))


@pytest.mark.parametrize(
    ("value", "step"),
    [(0, 0), (1, 1), (2, 2), (3, 4), (4, 5), (5, 5), (6, 6), (9, 7), (24, 8), (25, 9)],
)
def test_numbers_go_in_steps(value: int, step: int) -> None:
    assert bucket(np.array([value])).tolist() == [step] == [naive_bucket(value)]


def test_small_numbers_have_hashes_of_their_own() -> None:
    assert len({*numbered(np.arange(-64, 200)).tolist()}) == 264


def signed(value: int) -> int:
    return naive_bucket(abs(value)) * (1 if value > 0 else -1)


def related(above: Sequence[int], head: int, dependent: int) -> str:
    """How the dependent stands to the head, the nearest relation first."""
    up, down = above[dependent], above[head]
    if up == head:
        return "up"
    if down == dependent:
        return "down"
    if up >= 0 and up == down:
        return "beside"
    if up >= 0 and above[up] == head:
        return "up-up"
    if down >= 0 and above[down] == dependent:
        return "down-down"
    return "none"


def path_up(above: Sequence[int], edu: int) -> list[int]:
    """The EDU and what governs it, so far as is looked."""
    path = [edu]
    while above[path[-1]] >= 0 and len(path) < STEPS:
        path.append(above[path[-1]])
    return path


def likeness(case: Case, unit: int, other: int) -> int:
    """A bit for each of first word, first tag, head's tag and subject."""
    found = 0
    for bit, name in enumerate(LIKENESS):
        rows = case.units.first if bit < 2 else case.units.head
        column = case.column(name)
        found |= (column[rows[unit]] == column[rows[other]]) << bit
    return found


def content(case: Case, unit: int) -> set[str]:
    first, last = int(case.units.first[unit]), int(case.units.last[unit])
    return {word for edu in range(first, last + 1) for word in case.edus.lemmas[edu]}


def is_at_ends(case: Case, unit: int) -> int:
    return (not case.same_group(unit, unit - 1)) + 2 * (
        not case.same_group(unit, unit + 1)
    )


def naive_host(case: Case, head: int, dependent: int) -> int:
    edus = case.edus
    h, d = int(case.units.head[head]), int(case.units.head[dependent])
    one, other = int(edus.host[h]), int(edus.host[d])
    names = [*SYNTAX, "same"]
    name = (
        "same" if one == other else related(edus.clause_governor.tolist(), one, other)
    )
    return names.index(name) * 4 + (h == one) + 2 * (d == other)


def naive_lca(case: Case, head: int, dependent: int) -> int:
    above = case.edus.governor.tolist()
    mine = path_up(above, int(case.units.head[head]))
    theirs = path_up(above, int(case.units.head[dependent]))
    met = [(at, theirs.index(edu)) for at, edu in enumerate(mine) if edu in theirs]
    return met[0][0] * STEPS + met[0][1] if met else STEPS * STEPS


PAIR: dict[str, Callable[[Case, int, int], int]] = {
    "dist": lambda case, h, d: signed(d - h),
    "edist": lambda case, h, d: signed(int(case.units.head[d] - case.units.head[h])),
    "sdist": lambda case, h, d: signed(
        int(np.diff(case.edus.sentence[case.units.head[[h, d]]])[0])
    ),
    "size2": lambda case, h, d: naive_bucket(
        sum(case.same_group(h, other) for other in range(len(case.units)))
    ),
    "host": naive_host,
    "lca": naive_lca,
    "speakers": lambda case, h, d: int(
        np.diff(case.edus.atoms["speaker"][case.units.head[[h, d]]].astype(int))[0] == 0
    ),
    "same": likeness,
    "overlap": lambda case, h, d: naive_bucket(
        len(content(case, h) & content(case, d))
    ),
    "parts": lambda case, h, d: is_at_ends(case, h) * 4 + is_at_ends(case, d),
}


@settings(max_examples=some(40))
@given(cases())
def test_pairs_of_units(case: Case) -> None:
    governor, dependent = all_pairs(case.units)
    pairs = list(zip(governor.tolist(), dependent.tolist(), strict=True))
    units = range(len(case.units))
    assert pairs == [
        (h, d) for d in units for h in units if h != d and case.same_group(h, d)
    ]
    found = PairFeatures(case.edus, case.units, governor, dependent)
    for name, naive in PAIR.items():
        expected = np.array([naive(case, *pair) for pair in pairs], np.int64)
        assert found.atom(name).tolist() == numbered(expected).tolist(), name
    above, head = case.edus.governor.tolist(), case.units.head.tolist()
    syntax = [related(above, head[h], head[d]) for h, d in pairs]
    assert found.atom("syn").tolist() == hashes(syntax).tolist()
    kind = [case.column("hf")[edu] for edu in case.units.first]
    assert found.atom("between").tolist() == [
        0 if abs(h - d) == 1 else kind[max(h, d) - 1] ^ kind[min(h, d) + 1]
        for h, d in pairs
    ]
    contexts = [3 * (d > h) + (abs(h - d) > 1) + (abs(h - d) > 3) for h, d in pairs]
    assert found.context().tolist() == contexts


@settings(max_examples=some(20))
@given(cases())
def test_units_are_seen_at_their_heads_and_ends(case: Case) -> None:
    found, units = UnitFeatures(case.edus, case.units), case.units
    for prefix, rows in (("", units.head), ("f:", units.first), ("l:", units.last)):
        values = [case.column("hf")[edu] for edu in rows]
        assert found.atom(f"{prefix}hf").tolist() == values
    ends = list(zip(units.first.tolist(), units.last.tolist(), strict=True))
    sizes = [naive_bucket(last - first + 1) for first, last in ends]
    assert found.atom("size").tolist() == numbered(np.array(sizes)).tolist()
    sentence = case.edus.sentence.tolist()
    spanned = [
        naive_bucket(sentence[last] - sentence[first] + 1) for first, last in ends
    ]
    assert found.atom("sentences").tolist() == numbered(np.array(spanned)).tolist()


# -- spans: units a to e, split after b ------------------------------------------------


def crossing(case: Case, above: Sequence[int], a: int, b: int, e: int) -> int:
    """How many EDUs of the right half are governed from the left, and the reverse."""
    first, last = case.units.first, case.units.last
    left = range(first[a], last[b] + 1)
    right = range(first[b + 1], last[e] + 1)
    governed = sum(above[edu] in left for edu in right)
    governing = sum(above[edu] in right for edu in left)
    return min(governed, 3) * 4 + min(governing, 3)


def of_clauses(case: Case) -> list[int]:
    """What governs each EDU, where an interrupted clause is one."""
    host, above = case.edus.host.tolist(), case.edus.governor.tolist()
    return [
        host[edu] if host[edu] != edu else host[above[edu]] if above[edu] >= 0 else -1
        for edu in range(len(host))
    ]


def is_same(case: Case, one: int, other: int) -> int:
    return int(case.column("speaker")[one] == case.column("speaker")[other])


SPAN: dict[str, Callable[[Case, int, int, int], int]] = {
    "nl": lambda case, a, b, e: naive_bucket(b - a + 1),
    "nr": lambda case, a, b, e: naive_bucket(e - b),
    "size": lambda case, a, b, e: naive_bucket(e - a + 1),
    "begins": lambda case, a, b, e: not case.same_group(a, a - 1),
    "ends": lambda case, a, b, e: not case.same_group(e, e + 1),
    "break": lambda case, a, b, e: min(
        2,
        int(case.edus.paragraph[case.units.first[b + 1]])
        - int(case.edus.paragraph[case.units.last[b]]),
    ),
    "shared": lambda case, a, b, e: min(
        3,
        len(
            frozenset.intersection(
                *(case.edus.lemmas[u] for u in case.units.head[b : b + 2])
            )
        ),
    ),
    "alike": lambda case, a, b, e: likeness(case, b, b + 1),
    "alike_first": lambda case, a, b, e: likeness(case, a, b + 1),
    "goes_on": lambda case, a, b, e: is_same(
        case, case.units.last[b], case.units.first[b + 1]
    ),
    "returns": lambda case, a, b, e: is_same(
        case, case.units.first[a], case.units.first[b + 1]
    ),
    "one_left": lambda case, a, b, e: is_same(
        case, case.units.first[a], case.units.last[b]
    ),
    "one_right": lambda case, a, b, e: is_same(
        case, case.units.first[b + 1], case.units.last[e]
    ),
    "links": lambda case, *span: crossing(case, case.edus.governor.tolist(), *span),
    "clauses": lambda case, *span: crossing(case, of_clauses(case), *span),
}


@settings(max_examples=some(40))
@given(st.booleans().flatmap(lambda wide: cases(wide=wide)))
def test_spans_of_units(case: Case) -> None:
    units = range(len(case.units))
    spans = [
        (a, b, e)
        for a in units
        for e in units
        for b in range(a, e)
        if case.same_group(a, e)
    ]
    if not spans:
        return
    found = SpanFeatures(case.edus, case.units, *np.array(spans).T)
    for name, naive in SPAN.items():
        expected = np.array([naive(case, *span) for span in spans], np.int64)
        assert found.atom(name).tolist() == numbered(expected).tolist(), name
    kind = [case.column("hf")[edu] for edu in case.units.head]
    for letter, step in (("x", -1), ("y", 1)):  # before the span, and after it
        beyond = [(span[-(step > 0)], span[-(step > 0)] + step) for span in spans]
        expected_kinds = [
            kind[to] if case.same_group(at, to) else 0 for at, to in beyond
        ]
        assert found.atom(f"{letter}.hf").tolist() == expected_kinds


def test_what_looks_at_one_end_is_told_apart() -> None:
    """Each template is seen once, with the ends that it looks at."""
    for level in (0, 1):
        count = len(templates("span", level).split(";"))
        each = np.zeros(2, np.int64)
        units = Units(each, each + 1, each, each, np.arange(2))
        atoms = {name: np.zeros(2, np.uint64) for name in _every_atom(level)}
        edus = EduTable(
            atoms,
            **{
                name: np.zeros(2, np.int64)
                for name in ("document", "sentence", "paragraph", "host")
            },
            governor=each - 1,
            clause_governor=each - 1,
            bag=np.zeros((2, BAG), np.uint64),
            lemmas=[frozenset(), frozenset()],
            has_syntax=True,
        )
        spans = SpanFeatures(edus, units, each[:1], each[:1], each[:1] + 1)
        sizes = [
            len(list(spans.columns(templates("span", level), reach)))
            for reach in ("", "a", "e", "ae")
        ]
        assert sum(sizes) == count == len(list(spans.columns(templates("span", level))))
        assert all(sizes)


def _every_atom(level: int) -> set[str]:
    names = templates("span", level).replace(";", " ").split()
    return {name.rpartition(".")[2].rpartition(":")[2] for name in names} | {"speaker"}


# -- arcs of trees ---------------------------------------------------------------------


@settings(max_examples=some(40))
@given(st.data())
def test_arcs_see_what_is_around_them(data: st.DataObject) -> None:
    case = data.draw(cases())
    above = data.draw(forests(len(case.units))).tolist()
    above = [up if case.same_group(at, up) else -1 for at, up in enumerate(above)]
    found = TreeFeatures(case.edus, Stage(0, case.units, np.array(above)))
    arcs = [(up, at) for at, up in enumerate(above) if up >= 0]
    kind = [case.column("hf")[edu] for edu in case.units.head]

    def kids(unit: int, is_right: bool) -> list[int]:
        """The dependents on one side, the nearest first."""
        those = [at for up, at in arcs if up == unit and (at > unit) == is_right]
        return sorted(those, key=lambda at: abs(at - unit))

    def tree_size(unit: int) -> int:
        return 1 + sum(tree_size(at) for up, at in arcs if up == unit)

    expected: dict[str, list[int]] = {
        name: [] for name in ("rank", "above", "d.kids", "h.yield")
    }
    units: dict[str, list[int | None]] = {
        name: [] for name in ("in", "out", "kid", "up")
    }
    for head, at in arcs:
        siblings = [None, *kids(head, at > head), None]
        place = siblings.index(at)
        nearer, farther = place - 1, len(siblings) - 2 - place
        expected["rank"].append(min(nearer, LARGEST) * 8 + min(farther, LARGEST))
        up = above[head]
        expected["above"].append(0 if up < 0 else 1 if up < head else 2)
        left, right = len(kids(at, False)), len(kids(at, True))
        expected["d.kids"].append(min(left, LARGEST) * 4 + min(right, LARGEST))
        expected["h.yield"].append(naive_bucket(tree_size(head)))
        units["in"].append(siblings[place - 1])
        units["out"].append(siblings[place + 1])
        units["kid"].append(next(iter(kids(at, True)), None))
        units["up"].append(up if up >= 0 else None)
    for name, values in expected.items():
        assert found.atom(name).tolist() == numbered(np.array(values, int)).tolist(), (
            name
        )
    for name, others in units.items():
        kinds = [0 if unit is None else kind[unit] for unit in others]
        assert found.atom(f"{name}.hf").tolist() == kinds, name
