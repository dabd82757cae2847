"""What the formats share: where in a text something stands, the EDUs of a unit."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

from analyzer.exceptions import InputError, Place, RstError
from analyzer.files.small_files import LARGEST_JSON, parse_json, too_large
from analyzer.model.discourse import (
    NUCLEUS,
    ROOT,
    SATELLITE,
    SPAN,
    DiscourseTree,
    Reading,
    Unit,
)

_NUCLEARITIES = {
    "root": ROOT,
    "r": ROOT,
    "nucleus": NUCLEUS,
    "n": NUCLEUS,
    "satellite": SATELLITE,
    "s": SATELLITE,
}
NUCLEARITY_NAMES = {ROOT: "Root", NUCLEUS: "Nucleus", SATELLITE: "Satellite"}


class Document(NamedTuple):
    """A document as it was read: its tree, lines that say what was left out, and what
    was read otherwise than it is written."""

    tree: DiscourseTree
    warnings: Sequence[str] = ()
    readings: Sequence[Reading] = ()
    name: str = ""  # of one of several in a file, where they have names


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


def loaded_json(text: str, source: str) -> Any:
    """What a document in JSON holds; RstError if it is none."""
    if len(text) > LARGEST_JSON:
        raise too_large(source, LARGEST_JSON).as_a(RstError)
    try:
        return parse_json(text.removeprefix("\ufeff"), source)
    except InputError as error:
        raise error.as_a(RstError) from None


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
    return [(letter, SPAN if letter == NUCLEUS else relation) for letter in pattern]


def check_nucleus(unit: Unit, first: int, last: int, place: Place) -> None:
    """At least one of the units below has to be a nucleus: one heads the others."""
    if all(child.nuclearity != NUCLEUS for child in unit.children):
        raise RstError(
            "E321 has no nucleus among its units", place, named=named(first, last)
        )
