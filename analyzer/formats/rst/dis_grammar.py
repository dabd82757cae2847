"""The reference reader of .dis: through the Lark grammar, or a precise error.

Slow, and the definition of what is well formed. It runs on the documents that the
fast reader (`analyzer.formats.rst.dis`) did not take, and in the tests beside it on all
others.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any, NamedTuple

from analyzer.exceptions import Place, RstError
from analyzer.formats.rst.building import Lines, check_nucleus, named, nuclearity_of
from analyzer.model.discourse import NO_RELATION, ROOT, Unit
from grammars import load

_FOUND = re.compile(r"\S{1,20}")
_TAGGED = re.compile(r"(?:<s>)?\s*<EDU>(.*)</EDU>\s*(?:</s>)?", re.DOTALL)
_TEXTS = re.compile(
    r"_![^_]*+(?:_(?!!)[^_]*+)*+_!|<EDU>[^<]*+(?:<(?!/EDU>)[^<]*+)*+</EDU>"
)
_EXPECTED = {
    "OPEN": "'('",
    "CLOSE": "')'",
    "NUCLEARITY": "Root, Nucleus or Satellite",
    "SPAN": "span",
    "LEAF": "leaf",
    "REL2PAR": "rel2par",
    "RELATION": "a relation",
    "TEXT_KEYWORD": "text",
    "TEXT": "a text, _!…_! or <EDU>…</EDU>",
    "NUMBER": "a number",
    "$END": "the end",
}


class _Parsed(NamedTuple):
    """A unit as the grammar reads it: with offsets, before anything is checked."""

    unit: Unit
    at: int
    numbers_at: int
    numbers: tuple[int, ...]  # of a leaf one, of a group two
    below: list[_Parsed]


def read_by_grammar(text: str, source: str) -> Unit:
    """The tree of a .dis document, or an RstError that says what is wrong."""
    from lark.exceptions import UnexpectedInput

    lines = Lines(text, source)
    if not text.strip():
        raise RstError("is empty; expected '( Root'", Place(source), code="E342")
    try:
        parsed: list[_Parsed] = _parser().parse(text)
    except UnexpectedInput as error:
        raise _explained(text, error, lines) from None
    if len(parsed) > 1:
        first = lines.number(parsed[0].at)
        raise RstError(
            "a second root; the first is on line {first}",
            lines.place(parsed[1].at),
            code="E343",
            first=first,
        )
    _check_labels(parsed[0], lines)
    _check_numbers(parsed[0], lines)
    return parsed[0].unit


@cache
def _parser() -> Any:
    from lark import Transformer

    class Build(Transformer[Any, Any]):
        """Called as Lark reduces, bottom up, so no tree of Lark's is ever built."""

        def document(self, units: list[_Parsed]) -> list[_Parsed]:
            return units

        def group(self, items: list[Any]) -> _Parsed:
            return _parsed(items)

        def leaf(self, items: list[Any]) -> _Parsed:
            return _parsed(items)

    return load("rst_dis", "document", transformer=Build)


def _parsed(items: list[Any]) -> _Parsed:
    below = [item for item in items if isinstance(item, _Parsed)]
    tokens = {item.type: item for item in items if not isinstance(item, _Parsed)}
    numbers = [item for item in items if getattr(item, "type", "") == "NUMBER"]
    nuclearity = tokens["NUCLEARITY"]
    unit = Unit(
        nuclearity_of(nuclearity) or "",
        str(tokens.get("RELATION", NO_RELATION)),
        [parsed.unit for parsed in below],
        _words(str(tokens.get("TEXT", ""))),
        nuclearity.line,
    )
    return _Parsed(
        unit,
        nuclearity.start_pos,
        numbers[0].start_pos,
        tuple(int(number) for number in numbers),
        below,
    )


def _words(text: str) -> str:
    tagged = _TAGGED.fullmatch(text)
    return tagged[1] if tagged else text[2:-2]


def _check_labels(top: _Parsed, lines: Lines) -> None:
    """The outermost unit, and no other, is the root; all others have a relation."""
    if top.unit.nuclearity != ROOT:
        raise RstError(
            "the outermost unit is not a Root; expected '( Root'",
            lines.place(top.at),
            code="E344",
        )
    pending = [top]
    while pending:
        parsed = pending.pop()
        pending.extend(reversed(parsed.below))
        name = named(parsed.numbers[0], parsed.numbers[-1])
        has_relation = parsed.unit.relation != NO_RELATION
        if parsed is top:
            if has_relation:
                raise RstError(
                    "a root with (rel2par …)", lines.place(parsed.at), code="E346"
                )
        elif parsed.unit.nuclearity == ROOT:
            raise RstError(
                "a second root: {name} is a Root within the tree",
                lines.place(parsed.at),
                code="E347",
                name=name,
            )
        elif not has_relation:
            raise RstError(
                "{name} has no (rel2par …)",
                lines.place(parsed.at),
                code="E348",
                name=name,
            )


def _check_numbers(top: _Parsed, lines: Lines) -> None:
    """EDUs are numbered 1, 2, 3 … and spans say which of them are below."""
    seen = 0
    pending: list[tuple[_Parsed, bool]] = [(top, False)]
    while pending:
        parsed, is_done = pending.pop()
        first, last = parsed.numbers[0], parsed.numbers[-1]
        place = lines.place(parsed.numbers_at)
        if is_done:
            _check_group(parsed, seen, place)
        elif parsed.below:
            if first != seen + 1:
                raise RstError(
                    "the units of span {first}-{last} begin with EDU {seen}",
                    place,
                    code="E349",
                    first=first,
                    last=last,
                    seen=seen + 1,
                )
            pending.append((parsed, True))
            pending.extend((child, False) for child in reversed(parsed.below))
        else:
            _check_leaf(first, seen, place)
            seen = first


def _check_group(parsed: _Parsed, seen: int, place: Place) -> None:
    first, last = parsed.numbers[0], parsed.numbers[-1]
    if last != seen:
        name = f"span {first}-{last}"
        raise RstError(
            "the units of {name} end with EDU {seen}",
            place,
            code="E345",
            name=name,
            seen=seen,
        )
    check_nucleus(parsed.unit, first, last, place)


def _check_leaf(number: int, seen: int, place: Place) -> None:
    if number == seen + 1:
        return
    if number > seen and not seen:
        raise RstError(
            "the first EDU is {number}, not 1", place, code="E386", number=number
        )
    if number > seen:
        raise RstError(
            "a gap: EDU {number} follows EDU {seen}",
            place,
            code="E387",
            number=number,
            seen=seen,
        )
    raise RstError(
        "EDU {number} a second time; expected EDU {seen}",
        place,
        code="E340",
        number=number,
        seen=seen + 1,
    )


def _explained(text: str, error: Any, lines: Lines) -> RstError:
    """What Lark stumbled over, in the words of someone who edits these files."""
    at = error.pos_in_stream
    expected: set[str] = getattr(error, "expected", None) or error.allowed or set()
    if getattr(getattr(error, "token", None), "type", "") == "$END":
        at = None  # Lark gives the last token's place
    if at is None or at < 0 or at >= len(text.rstrip()):
        depth = _depth(text)
        end = lines.place(max(0, len(text.rstrip()) - 1))
        if not depth:
            return RstError("ends too early", end, code="E388")
        return RstError(
            "ends too early: {depth:bracket} still open", end, code="E389", depth=depth
        )
    shown = _FOUND.match(text, at)
    found = repr(shown[0] if shown else text[at])
    if found.startswith("')") and "CLOSE" not in expected and "$END" in expected:
        return RstError("')' without '('", lines.place(at), code="E317")
    names = sorted({_EXPECTED.get(str(name), str(name)) for name in expected})
    return RstError(
        "found {found}; expected {names}",
        lines.place(at),
        code="E341",
        found=found,
        names=" or ".join(names),
    )


def _depth(text: str) -> int:
    """Brackets left open, those in texts not counted."""
    outside = _TEXTS.sub("", text)
    return outside.count("(") - outside.count(")")
