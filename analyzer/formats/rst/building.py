"""Trees from what files say of them: places, spans, decisions.

What the formats share: where in a text something stands, the EDUs below each unit,
and a tree out of a list of labelled spans.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from analyzer.exceptions import Place, RstError
from analyzer.model.discourse import NO_RELATION, NUCLEUS, ROOT, SATELLITE, SPAN, Unit

_NUCLEARITIES = {
    "root": ROOT,
    "r": ROOT,
    "nucleus": NUCLEUS,
    "n": NUCLEUS,
    "satellite": SATELLITE,
    "s": SATELLITE,
}
NUCLEARITY_NAMES = {ROOT: "Root", NUCLEUS: "Nucleus", SATELLITE: "Satellite"}


class Lines:
    """Where in a text an offset is: the line breaks are looked for once."""

    def __init__(self, text: str, source: str) -> None:
        self._source = source
        self._starts = array("Q", [0])  # a file can be all line breaks
        at = text.find("\n")
        while at >= 0:
            self._starts.append(at + 1)
            at = text.find("\n", at + 1)

    def number(self, at: int) -> int:
        return bisect_right(self._starts, at)

    def place(self, at: int) -> Place:
        line = self.number(at)
        return Place(self._source, line, at - self._starts[line - 1] + 1)


def nuclearity_of(name: str) -> str | None:
    """N, S or R for the ways in which files write them; None for anything else.

    >>> nuclearity_of("Satellite"), nuclearity_of("n"), nuclearity_of("head")
    ('S', 'N', None)
    """
    return _NUCLEARITIES.get(name.lower())


def spans_of(root: Unit) -> dict[int, tuple[int, int]]:
    """First and last EDU of each unit, from 1, by the unit's `id`."""
    spans: dict[int, tuple[int, int]] = {}
    order = list(root.walk())
    number = 0
    for unit in order:
        if unit.is_edu:
            number += 1
            spans[id(unit)] = (number, number)
    for unit in reversed(order):
        if not unit.is_edu:
            first = spans[id(unit.children[0])][0]
            spans[id(unit)] = (first, spans[id(unit.children[-1])][1])
    return spans


def edus_of(root: Unit) -> list[Unit]:
    return [unit for unit in root.walk() if unit.is_edu]


def named(first: int, last: int) -> str:
    """What to call a unit in messages.

    >>> named(3, 3), named(3, 5)
    ('EDU 3', 'span 3-5')
    """
    return f"EDU {first}" if first == last else f"span {first}-{last}"


def decided(pattern: str, relation: str, count: int = 2) -> list[tuple[str, str]]:
    """Nuclearity and relation of the children, from those of their parent.

    In the encoding by attachment decisions (Morey et al. 2018, section 2.2) the parent
    carries both: the satellite gets the relation, its nucleus `span`; all nuclei of a
    multinuclear relation get it.

    >>> decided("NS", "cause")
    [('N', 'span'), ('S', 'cause')]
    >>> decided("NN", "list", 3)
    [('N', 'list'), ('N', 'list'), ('N', 'list')]
    """
    if pattern == "N" * len(pattern):
        return [(NUCLEUS, relation)] * max(count, len(pattern))
    return [(one, SPAN if one == NUCLEUS else relation) for one in pattern]


class Span(NamedTuple):
    """A unit as a file lists it: what it covers, its labels, where that is said."""

    first: int
    last: int
    nuclearity: str
    relation: str
    place: Place
    text: str = ""


def tree_of_spans(given: Iterable[Span], source: str) -> Unit:
    """The tree of a list of labelled spans, in any order; the root may be left out.

    >>> here = Place("<text>")
    >>> spans = [Span(2, 2, "S", "cause", here), Span(1, 1, "N", "span", here)]
    >>> [unit.label for unit in tree_of_spans(spans, "<text>").walk()]
    ['---/R', 'span/N', 'cause/S']
    """
    spans = sorted(given, key=lambda span: (span.first, -span.last))
    if not spans:
        raise RstError("no units; expected a list of spans", Place(source), code="E320")
    _check_each(spans)
    edus = max(span.last for span in spans)
    top = spans[0]
    if (top.first, top.last) == (1, edus):
        spans = spans[1:]
    root = Unit(ROOT, NO_RELATION, text=top.text if edus == 1 else "")
    # Units whose end has not come yet, each with its last EDU; the innermost is last.
    still_open = [(root, 1, edus, top.place)]
    done = 0  # EDUs
    for span in spans:
        _close(still_open, done, span.first)
        _, first, last, _ = still_open[-1]
        if span.last > last:
            raise RstError(
                "{named} overlaps with {named_2}",
                span.place,
                code="E322",
                named=named(span.first, span.last),
                named_2=named(first, last),
            )
        unit = Unit(
            span.nuclearity,
            span.relation,
            text=span.text,
            line=span.place.line or 0,
        )
        if span.first != done + 1:
            raise _gap(done + 1, span.place)
        still_open[-1][0].children.append(unit)
        if span.first == span.last:
            done = span.last
        else:
            still_open.append((unit, span.first, span.last, span.place))
    if edus > 1:
        _close(still_open, done, edus + 1)
        if still_open:  # the root itself is short of EDUs
            raise _gap(done + 1, still_open[-1][3])
    return root


def _check_each(spans: Sequence[Span]) -> None:
    """Every span goes forward from 1 on, and none is given twice."""
    before: tuple[int, int] | None = None
    for span in spans:
        here = (span.first, span.last)
        if not 1 <= span.first <= span.last:
            raise RstError(
                "span {first}-{last} is not a span of EDUs",
                span.place,
                code="E323",
                first=span.first,
                last=span.last,
            )
        if here == before:
            raise RstError(
                "{named} is given twice", span.place, code="E324", named=named(*here)
            )
        before = here


def _close(
    still_open: list[tuple[Unit, int, int, Place]], done: int, following: int
) -> None:
    """Close the units that end before an EDU."""
    while still_open and still_open[-1][2] < following:
        unit, first, last, place = still_open[-1]
        if done != last:
            raise _gap(done + 1, place)
        check_nucleus(unit, first, last, place)
        still_open.pop()


def _gap(edu: int, place: Place) -> RstError:
    return RstError("a gap: EDU {edu} is missing", place, code="E319", edu=edu)


def check_nucleus(unit: Unit, first: int, last: int, place: Place) -> None:
    """At least one of the units below has to be a nucleus: one heads the others."""
    if all(child.nuclearity != NUCLEUS for child in unit.children):
        raise RstError(
            "{named} has no nucleus among its units",
            place,
            code="E321",
            named=named(first, last),
        )
