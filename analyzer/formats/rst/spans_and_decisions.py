"""Parsers' output that is no tree but a list: of labelled spans, of decisions.

Spans, the root left out, in any order and however many a line:

    ((1, 3), 'Nucleus', 'span')                            DPLP (Ji and Eisenstein 2014)
    (1-Nucleus:span-3, 4-Satellite:elaboration-5)          pairs of them
    (1:Nucleus=span:3,4:Satellite=elaboration:5)           Lin et al. 2019
    (1:Nucleus=span;entropy=0.2:3,4:Satellite=…:5)         isanlp, the entropy left out

Decisions, one a line: the two units that are joined, their nuclearity, their relation:

    1-3 4-5 NS elaboration
    (1-3, 4-5) NS elaboration
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from analyzer.exceptions import Place, RstError
from analyzer.formats.blocks import Family, Format
from analyzer.formats.rst.building import (
    Lines,
    check_nucleus,
    decided,
    named,
    nuclearity_of,
)
from analyzer.model.discourse import NO_RELATION, ROOT, Unit, check_size

_DPLP = re.compile(
    r"""
    \( \s* \( \s* (?P<first>[0-9]{1,9}) \s* , \s* (?P<last>[0-9]{1,9}) \s* \) \s* ,
    \s* [uU]? (?P<q>['"]) (?P<nuclearity>\w+) (?P=q) \s* ,
    \s* [uU]? (?P<p>['"]) (?P<relation>[^'"]+) (?P=p) \s* \)
    """,
    re.VERBOSE,
)
_INLINE = re.compile(
    r"""
    (?P<first>[0-9]{1,9}) \s* [-:] \s* (?P<nuclearity>Nucleus|Satellite|Root)
    \s* [:=] \s* (?P<relation>[^\s,;()\[\]]{1,200}?) (?: ;entropy=[-+.\w]{1,40} )?
    \s* [-:] \s* (?P<last>[0-9]{1,9})
    (?= \s* (?: [,;()\[\]\s] | $ ) )
    """,
    re.VERBOSE,
)
_STRANGE = re.compile(r"[^\s,;()\[\]]\S{0,19}")
_DECISION = re.compile(
    r"""
    [(\[]* \s*
    (?P<first>[0-9]{1,9}) (?: \s*-\s* (?P<first_last>[0-9]{1,9}) )? \s* [)\]]*
    \s* [\s,;] \s* [(\[]*
    \s* (?P<second>[0-9]{1,9}) (?: \s*-\s* (?P<second_last>[0-9]{1,9}) )? \s* [)\]]*
    \s* [\s,;:] \s* (?P<pattern>NS|SN|NN) \s* [\s,;:-] \s* (?P<relation>[^\s,;()]+)
    \s* [)\]]* \s*
    """,
    re.VERBOSE,
)


def read_spans(text: str, source: str = "<text>") -> Unit:
    """The tree of a list of spans with labels.

    >>> root = read_spans("(1-Nucleus:span-1, 2-Satellite:cause-2)")
    >>> [unit.label for unit in root.walk()]
    ['---/R', 'span/N', 'cause/S']
    """
    lines = Lines(text, source)
    shape = _DPLP if _DPLP.search(text) else _INLINE
    spans: list[Span] = []
    position = 0
    for match in shape.finditer(text):
        _check_between(text, position, match.start(), lines)
        place = lines.place(match.start())
        check_size(len(spans) + 1, place)
        nuclearity = nuclearity_of(match["nuclearity"])
        if nuclearity is None:
            raise RstError(
                "E351 expected Nucleus or Satellite", place, found=match["nuclearity"]
            )
        first, last = int(match["first"]), int(match["last"])
        spans.append(Span(first, last, nuclearity, match["relation"], place))
        position = match.end()
    _check_between(text, position, len(text), lines)
    return tree_of_spans(spans, source)


def _check_between(text: str, start: int, end: int, lines: Lines) -> None:
    """Between spans there are brackets and commas, or something is wrong."""
    strange = _STRANGE.search(text, start, end)
    if strange:
        raise RstError(
            "E350 expected a span such as",
            lines.place(strange.start()),
            strange=strange[0],
        )


def read_decisions(text: str, source: str = "<text>") -> Unit:
    """The tree of a list of attachment decisions.

    >>> root = read_decisions("1 2 NS cause\\n1-2 3 NN list")
    >>> [unit.label for unit in root.walk()]
    ['---/R', 'list/N', 'span/N', 'cause/S', 'list/N']
    """
    spans: list[Span] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        place = Place(source, number)
        check_size(len(spans) + 2, place)
        # One blank at most between what counts: else there are many ways to match.
        match = _DECISION.fullmatch(" ".join(line.split()))
        if match is None:
            raise RstError(
                "E352 expected two units, NS, SN or NN, and a",
                place,
                line=line.strip()[:30],
            )
        first = int(match["first"])
        middle = int(match["first_last"] or first)
        second = int(match["second"])
        last = int(match["second_last"] or second)
        if second > middle + 1:
            raise RstError("E353 a gap", place, second=second, middle=middle)
        if second <= middle:
            raise RstError("E391 an overlap", place, second=second, middle=middle)
        labels = decided(match["pattern"], match["relation"])
        for (low, high), (nuclearity, relation) in zip(
            ((first, middle), (second, last)), labels, strict=True
        ):
            spans.append(Span(low, high, nuclearity, relation, place))
    return tree_of_spans(spans, source)


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
        raise RstError("E320 no units", Place(source))
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
                "E322 overlaps with",
                span.place,
                named=named(span.first, span.last),
                named_2=named(first, last),
            )
        unit = Unit(
            span.nuclearity, span.relation, text=span.text, line=span.place.line or 0
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
                "E323 is not a span of EDUs",
                span.place,
                first=span.first,
                last=span.last,
            )
        if here == before:
            raise RstError("E324 is given twice", span.place, named=named(*here))
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
    return RstError("E319 a gap", place, edu=edu)


# -- the formats --------------------------------------------------------------------

_SPANS_START = re.compile(
    r"\[?\s*\(\s*\(\s*\d+\s*,\s*\d+\s*\)\s*,\s*[uU]?['\"]"
    r"|[(\[\s]*\d+\s*[-:]\s*(?:Nucleus|Satellite|Root)\s*[:=]"
)
_DECISIONS_START = re.compile(r"[(\[]*\s*\d++[^\n]*\b(?:NS|SN|NN)[\s,;:-]")

SPANS = Format("spans", Family.DISCOURSE, _SPANS_START.match, read_spans)
DECISIONS = Format(
    "decisions", Family.DISCOURSE, _DECISIONS_START.match, read_decisions
)
