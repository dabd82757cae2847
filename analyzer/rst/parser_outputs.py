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

from analyzer.errors import Place
from analyzer.rst.assembling import (
    Lines,
    Span,
    decided,
    nuclearity_of,
    tree_of_spans,
)
from analyzer.rst.documents import RstError, Unit

_DPLP = re.compile(
    r"""
    \( \s* \( \s* (?P<first>\d+) \s* , \s* (?P<last>\d+) \s* \) \s* ,
    \s* [uU]? (?P<q>['"]) (?P<nuclearity>\w+) (?P=q) \s* ,
    \s* [uU]? (?P<p>['"]) (?P<relation>[^'"]+) (?P=p) \s* \)
    """,
    re.VERBOSE,
)
_INLINE = re.compile(
    r"""
    (?P<first>\d+) \s* [-:] \s* (?P<nuclearity>Nucleus|Satellite|Root)
    \s* [:=] \s* (?P<relation>[^\s,;()\[\]]+?) \s* [-:] \s* (?P<last>\d+)
    (?= \s* (?: [,;()\[\]\s] | $ ) )
    """,
    re.VERBOSE,
)
_BETWEEN = re.compile(r"[\s,;()\[\]]*")
_DECISION = re.compile(
    r"""
    [(\[]* \s* (?P<first>\d+) (?: \s*-\s* (?P<first_last>\d+) )? \s* [)\]]*
    \s* [\s,;] \s* [(\[]*
    \s* (?P<second>\d+) (?: \s*-\s* (?P<second_last>\d+) )? \s* [)\]]*
    \s* [\s,;:] \s* (?P<pattern>NS|SN|NN) \s* [\s,;:-] \s* (?P<relation>[^\s,;()]+)
    \s* [)\]]* \s*
    """,
    re.VERBOSE,
)


def read_spans(text: str, source: str = "<text>") -> Unit:
    """The tree of a list of spans with labels.

    >>> root = read_spans("((1, 1), 'Nucleus', 'span')\\n((2, 2), 'Satellite', 'cause')")
    >>> [unit.label for unit in root.walk()]
    ['---/R', 'span/N', 'cause/S']
    """
    lines = Lines(text, source)
    spans: list[Span] = []
    position, end = 0, len(text.rstrip())
    while position < end:
        found = _DPLP.match(text, position) or _INLINE.match(text, position)
        if found is None:
            between = _BETWEEN.match(text, position)
            after = between.end() if between else position
            # An opening bracket may begin the next span, or stand around several.
            following = _DPLP.search(text, position, after + 1)
            if after == position and following is None:
                shown = text[position : position + 20].split("\n")[0]
                message = f"found {shown!r}; expected a span such as"
                raise RstError(f"{message} ((1, 2), 'Nucleus', 'span')", Place())
            position = _next_start(text, position, after)
            continue
        place = lines.place(found.start())
        nuclearity = nuclearity_of(found["nuclearity"])
        if nuclearity is None:
            message = f"found {found['nuclearity']!r}; expected Nucleus or Satellite"
            raise RstError(message, place)
        first, last = int(found["first"]), int(found["last"])
        spans.append(Span(first, last, nuclearity, found["relation"], place))
        position = found.end()
    return tree_of_spans(spans, source)


def _next_start(text: str, position: int, after: int) -> int:
    for at in range(position, after):
        if _DPLP.match(text, at):
            return at
    return after


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
        found = _DECISION.fullmatch(line.strip())
        if found is None:
            message = f"found {line.strip()[:30]!r}; expected two units, NS, SN or NN,"
            raise RstError(f"{message} and a relation, such as 1-3 4 NS cause", place)
        first = int(found["first"])
        middle = int(found["first_last"] or first)
        second = int(found["second"])
        last = int(found["second_last"] or second)
        if second != middle + 1:
            fault = "a gap" if second > middle else "an overlap"
            message = f"{fault}: EDU {second} follows EDU {middle}"
            raise RstError(message, place)
        labels = decided(found["pattern"], found["relation"])
        for (low, high), (nuclearity, relation) in zip(
            ((first, middle), (second, last)), labels, strict=True
        ):
            spans.append(Span(low, high, nuclearity, relation, place))
    return tree_of_spans(spans, source)
