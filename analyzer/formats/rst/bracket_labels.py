"""What the labels of bracketed strings mean: who is a nucleus, by which relation."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.exceptions import RstError
from analyzer.formats.rst.building import (
    Lines,
    check_nucleus,
    decided,
    nuclearity_of,
    spans_of,
)
from analyzer.model.discourse import NO_RELATION, NUCLEUS, ROOT, SPAN, Unit

_OWN = re.compile(r"(?P<nuclearity>Nucleus|Satellite|N|S)[:=](?P<relation>.+)")
_DECISIONS = [
    re.compile(r"(?P<relation>.+?)\[(?P<left>[NS])\]\[(?P<right>[NS])\]"),
    re.compile(r"(?P<left>[NS])(?P<right>[NS])-(?P<relation>.+)"),
    re.compile(r"(?P<left>[NS])(?P<right>[NS])(?P<relation>[A-Z].*)"),
    re.compile(r"(?P<relation>.+):(?P<left>[NS])(?P<right>[NS])"),
]
_DIRECTIONS = {"LeftToRight": "NS", "RightToLeft": "SN"}
_LEAVES = re.compile(r"(?:EDU|TEXT)(?:$|:)")
_NUMBER = re.compile(r"(?:leaf)?([0-9]{1,9})(?:_[0-9]+_[0-9]+)?")
_TOPS = ("root", "top")


@dataclass
class Bracket:
    """A bracket, or a text: its label, and the brackets, texts and words in it."""

    label: str
    at: int
    items: list[Bracket] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    is_text: bool = False


class _Built(NamedTuple):
    unit: Unit
    has_labels: bool  # its own, not to come from its parent


def tree_of_brackets(top: Bracket, lines: Lines) -> Unit:
    """The tree that brackets stand for."""
    order = [top]
    for bracket in order:  # grows while it is read
        order.extend(_below(bracket))
    built: dict[int, _Built] = {}
    numbers: dict[int, int] = {}  # EDUs that have one, by their units' `id`
    for bracket in reversed(order):
        inside = [built[id(item)] for item in _below(bracket)]
        built[id(bracket)] = (
            _group(bracket, inside, lines) if inside else _leaf(bracket, numbers, lines)
        )
    root = built[id(top)].unit
    root.nuclearity, root.relation = ROOT, NO_RELATION
    _check(root, numbers, {id(b.unit): at for at, b in _placed(order, built)}, lines)
    return root


def _placed(order: list[Bracket], built: dict[int, _Built]) -> list[tuple[int, _Built]]:
    return [(bracket.at, built[id(bracket)]) for bracket in order]


def _below(bracket: Bracket) -> list[Bracket]:
    """The units in a bracket: a direction is none."""
    if _LEAVES.match(bracket.label):
        return []
    items = [item for item in bracket.items if item.label not in _DIRECTIONS]
    if len(items) == 1 and items[0].is_text and _own_labels(bracket):
        return []
    return items


def _own_labels(bracket: Bracket) -> re.Match[str] | bool | None:
    return _OWN.fullmatch(bracket.label) or bracket.label.lower() in _TOPS


def _leaf(bracket: Bracket, numbers: dict[int, int], lines: Lines) -> _Built:
    unit = Unit(NUCLEUS, SPAN, line=lines.number(bracket.at))
    own = _OWN.fullmatch(bracket.label)
    if own:
        unit.nuclearity = nuclearity_of(own["nuclearity"]) or ""
        unit.relation = own["relation"]
    if bracket.is_text:
        unit.text = bracket.label
    elif bracket.items:
        unit.text = bracket.items[0].label
    elif _LEAVES.match(bracket.label):
        start = bracket.label.partition(":")[2]
        unit.text = " ".join(filter(None, [start, *bracket.words]))
    else:
        alone = bracket.words[0] if len(bracket.words) == 1 else bracket.label
        number = _NUMBER.fullmatch(alone)
        if number:
            numbers[id(unit)] = int(number[1])
        elif bracket.words and _own_labels(bracket):
            unit.text = " ".join(bracket.words)
        else:
            raise RstError(
                "found {value!r}; expected units or a text in it",
                lines.place(bracket.at),
                code="E311",
                value=bracket.label or "()",
            )
    return _Built(unit, own is not None)


def _group(bracket: Bracket, inside: list[_Built], lines: Lines) -> _Built:
    units = [built.unit for built in inside]
    is_top = bracket.label.lower() in _TOPS
    if is_top and len(units) == 1 and not inside[0].has_labels:
        return inside[0]  # a root that is only a wrapper
    unit = Unit(NUCLEUS, SPAN, units, line=lines.number(bracket.at))
    own = _OWN.fullmatch(bracket.label)
    if own:
        unit.nuclearity = nuclearity_of(own["nuclearity"]) or ""
        unit.relation = own["relation"]
    if own or is_top:
        if not all(built.has_labels for built in inside):
            raise RstError(
                "a unit without nuclearity and relation, such as Nucleus:span",
                lines.place(bracket.at),
                code="E307",
            )
        return _Built(unit, has_labels=True)
    pattern, relation = _decision(bracket, lines)
    is_multinuclear = pattern == "NN"
    if len(units) < 2 or (len(units) > 2 and not is_multinuclear):
        raise RstError(
            "{label} joins two units; found {count}",
            lines.place(bracket.at),
            code="E305",
            label=bracket.label,
            count=len(units),
        )
    for child, (nuclearity, label) in zip(
        units, decided(pattern, relation, len(units)), strict=True
    ):
        child.nuclearity, child.relation = nuclearity, label
    return _Built(unit, has_labels=False)


def _decision(bracket: Bracket, lines: Lines) -> tuple[str, str]:
    """Nuclearity of the two units in a bracket, and their relation."""
    for item in bracket.items:
        if item.label in _DIRECTIONS:
            return _DIRECTIONS[item.label], bracket.label
    for shape in _DECISIONS:
        found = shape.fullmatch(bracket.label)
        if found:
            pattern = found["left"] + found["right"]
            if pattern == "SS":
                raise RstError(
                    "{label} has no nucleus among its units",
                    lines.place(bracket.at),
                    code="E310",
                    label=bracket.label,
                )
            return pattern, found["relation"]
    if not bracket.label:
        raise RstError(
            "a bracket without a label; expected a relation",
            lines.place(bracket.at),
            code="E306",
        )
    return "NN", bracket.label  # Surdeanu et al.: no direction is multinuclear


def _check(
    root: Unit, numbers: dict[int, int], places: dict[int, int], lines: Lines
) -> None:
    """Numbered EDUs are in order, and every unit has a nucleus."""
    spans = spans_of(root)
    for key, (first, _) in spans.items():
        number = numbers.get(key, first)
        if number < first:
            raise RstError(
                "EDU {number} a second time; expected EDU {first}",
                lines.place(places[key]),
                code="E308",
                number=number,
                first=first,
            )
        if number > first:
            raise RstError(
                "a gap: found EDU {number}; expected EDU {first}",
                lines.place(places[key]),
                code="E309",
                number=number,
                first=first,
            )
    for unit in root.walk():
        if not unit.is_edu:
            check_nucleus(unit, *spans[id(unit)], lines.place(places[id(unit)]))
