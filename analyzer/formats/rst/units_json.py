"""Discourse trees as JSON: a flat table of units, so that depth is no limit.

    {"format": "rst", "version": 1,
     "edus": ["He left", "because it rained."],
     "units": [
       {"span": [1, 2], "nuclearity": "root", "relation": "---", "parent": null},
       {"span": [1, 1], "nuclearity": "nucleus", "relation": "span", "parent": 1},
       {"span": [2, 2], "nuclearity": "satellite", "relation": "reason", "parent": 1}]}

Units are counted from 1, parents stand before children, children from left to right;
`parent` is the number of a unit.
"""

from __future__ import annotations

import json
import re
from typing import Any

from analyzer.exceptions import Place, RstError
from analyzer.formats.blocks import Family, Format
from analyzer.formats.rst.building import (
    NUCLEARITY_NAMES,
    check_nucleus,
    edus_of,
    loaded_json,
    named,
    nuclearity_of,
    spans_of,
)
from analyzer.model.discourse import NO_RELATION, ROOT, Unit, check_size

FORMAT, VERSION = "rst", 1


def read_json(text: str, source: str = "<text>") -> Unit:
    """The tree of a JSON document; RstError says what is wrong with it."""
    data = _loaded(text, source)
    edus, given = data.get("edus"), data.get("units")
    if not isinstance(edus, list) or not all(isinstance(edu, str) for edu in edus):
        raise RstError("E365 expected 'edus', a list of texts", Place(source))
    if not isinstance(given, list) or not given:
        raise RstError("E366 expected 'units', a list of units", Place(source))
    check_size(len(given), Place(source))
    _check_characters(edus, source)
    units: list[Unit] = []
    spans: list[tuple[int, int]] = []
    for number, entry in enumerate(given, start=1):
        unit, span, parent = _unit(entry, number, len(units), source)
        if 1 <= span[0] == span[1] <= len(edus):
            unit.text = edus[span[0] - 1]
        units.append(unit)
        spans.append(span)
        if parent:
            units[parent - 1].children.append(unit)
    _check_spans(units, spans, len(edus), source)
    return units[0]


def _check_characters(texts: list[str], source: str) -> None:
    """JSON can say half of a character (\\ud800), which no other format can hold."""
    for number, text in enumerate(texts, start=1):
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise RstError(
                "E371 contains half a surrogate pair, which is not",
                Place(source),
                number=number,
            ) from None


def _loaded(text: str, source: str) -> dict[str, Any]:
    data = loaded_json(text, source)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise RstError(
            'E367 expected an object with "format"', Place(source), format=FORMAT
        )
    if data.get("version") != VERSION:
        raise RstError(
            "E368 of the format",
            Place(source),
            data=data.get("version"),
            version=VERSION,
        )
    return data


def _unit(
    entry: Any, number: int, before: int, source: str
) -> tuple[Unit, tuple[int, int], int]:
    """An entry as a unit, its span and its parent's number (0: it is the root)."""

    def fault(message: str) -> RstError:
        return RstError("E369 unit", Place(source), number=number, message=message)

    if not isinstance(entry, dict):
        raise fault("expected an object")
    span, parent = entry.get("span"), entry.get("parent")
    if not (isinstance(span, list) and len(span) == 2 and all(map(_is_number, span))):
        raise fault("expected 'span', two numbers")
    nuclearity = nuclearity_of(str(entry.get("nuclearity", "")))
    if nuclearity is None:
        raise fault("expected 'nuclearity': root, nucleus or satellite")
    relation = entry.get("relation", NO_RELATION if nuclearity == ROOT else None)
    if not isinstance(relation, str) or not relation:
        raise fault("expected 'relation', a label")
    _check_characters([relation], source)
    if (parent is None) is not (number == 1) or (nuclearity == ROOT) is not (
        number == 1
    ):
        if number > 1:
            raise RstError("E390 a second root", Place(source), number=number)
        raise fault("expected the root first")
    if parent is None:
        return Unit(ROOT, NO_RELATION), (span[0], span[1]), 0
    if not _is_number(parent) or not 1 <= parent <= before:
        raise fault(f"has parent {parent}, which does not come before it")
    return Unit(nuclearity, relation), (span[0], span[1]), parent


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _check_spans(
    units: list[Unit], spans: list[tuple[int, int]], edus: int, source: str
) -> None:
    """What each unit says that it spans is what its EDUs below are."""
    number_of = {id(unit): number for number, unit in enumerate(units, start=1)}
    actual = spans_of(units[0])
    leaves = len(edus_of(units[0]))
    for unit in units[0].walk():
        number = number_of[id(unit)]
        given, is_so = spans[number - 1], actual[id(unit)]
        place = Place(source)
        if given != is_so:
            message = f"says span {given[0]}-{given[1]}, but has {named(*is_so)} below"
            raise RstError("E369 unit", place, number=number, message=message)
        if not unit.is_edu:
            check_nucleus(unit, *is_so, place)
    if leaves != edus:
        raise RstError(
            "E370 texts, but the units have", Place(source), edus=edus, leaves=leaves
        )


def write_json(root: Unit) -> str:
    """The document as JSON, a unit a line."""
    spans = spans_of(root)
    number_of: dict[int, int] = {}
    parent_of: dict[int, int] = {}
    lines = []
    for number, unit in enumerate(root.walk(), start=1):
        number_of[id(unit)] = number
        parent_of.update((id(child), number) for child in unit.children)
        entry = {
            "span": list(spans[id(unit)]),
            "nuclearity": NUCLEARITY_NAMES[unit.nuclearity].lower(),
            "relation": unit.relation,
            "parent": parent_of.get(id(unit)),
        }
        lines.append(f"  {json.dumps(entry, ensure_ascii=False)}")
    texts = [f"  {json.dumps(e.text, ensure_ascii=False)}" for e in edus_of(root)]
    return (
        f'{{"format": "{FORMAT}", "version": {VERSION},\n'
        f' "edus": [\n{_listed(texts)}],\n "units": [\n{_listed(lines)}]}}\n'
    )


def _listed(lines: list[str]) -> str:
    return ",\n".join(lines)


_BEGINS = re.compile(r'\{[^{}]*"format"\s*:\s*"rst"')
JSON = Format("json", Family.DISCOURSE, _BEGINS.match, read_json, write_json)
