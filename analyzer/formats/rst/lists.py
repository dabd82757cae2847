"""Parsers' output that is no tree but a list: of labelled spans, of decisions.

Spans, the root left out, in any order and however many a line:

    ((1, 3), 'Nucleus', 'span')                            DPLP (Ji and Eisenstein 2014)
    (1-Nucleus:span-3, 4-Satellite:elaboration-5)          pairs of them
    (1:Nucleus=span:3,4:Satellite=elaboration:5)           Lin et al. 2019

Decisions, one a line: the two units that are joined, their nuclearity, their relation:

    1-3 4-5 NS elaboration
    (1-3, 4-5) NS elaboration
"""

from __future__ import annotations

import re

from analyzer.exceptions import Place, RstError
from analyzer.formats.rst.building import (
    Lines,
    Span,
    decided,
    nuclearity_of,
    tree_of_spans,
)
from analyzer.model.discourse import Unit, check_size

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
    \s* [:=] \s* (?P<relation>[^\s,;()\[\]]{1,200}?) \s* [-:] \s* (?P<last>[0-9]{1,9})
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
    for found in shape.finditer(text):
        _check_between(text, position, found.start(), lines)
        place = lines.place(found.start())
        check_size(len(spans) + 1, place)
        nuclearity = nuclearity_of(found["nuclearity"])
        if nuclearity is None:
            raise RstError(
                "found {found!r}; expected Nucleus or Satellite",
                place,
                code="E351",
                found=found["nuclearity"],
            )
        first, last = int(found["first"]), int(found["last"])
        spans.append(Span(first, last, nuclearity, found["relation"], place))
        position = found.end()
    _check_between(text, position, len(text), lines)
    return tree_of_spans(spans, source)


def _check_between(text: str, start: int, end: int, lines: Lines) -> None:
    """Between spans there are brackets and commas, or something is wrong."""
    strange = _STRANGE.search(text, start, end)
    if strange:
        raise RstError(
            "found {strange!r}; expected a span such as ((1, 2), 'Nucleus', 'span')",
            lines.place(strange.start()),
            code="E350",
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
        found = _DECISION.fullmatch(" ".join(line.split()))
        if found is None:
            raise RstError(
                "found {line!r}; expected two units, NS, SN or NN, and a "
                "relation, such as 1-3 4 NS cause",
                place,
                code="E352",
                line=line.strip()[:30],
            )
        first = int(found["first"])
        middle = int(found["first_last"] or first)
        second = int(found["second"])
        last = int(found["second_last"] or second)
        if second > middle + 1:
            raise RstError(
                "a gap: EDU {second} follows EDU {middle}",
                place,
                code="E353",
                second=second,
                middle=middle,
            )
        if second <= middle:
            raise RstError(
                "an overlap: EDU {second} follows EDU {middle}",
                place,
                code="E391",
                second=second,
                middle=middle,
            )
        labels = decided(found["pattern"], found["relation"])
        for (low, high), (nuclearity, relation) in zip(
            ((first, middle), (second, last)), labels, strict=True
        ):
            spans.append(Span(low, high, nuclearity, relation, place))
    return tree_of_spans(spans, source)
