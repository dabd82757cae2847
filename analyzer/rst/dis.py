"""RST-DT's .dis format.

One expression reads what is well formed; what is not goes through the grammar
(`grammars/rst_dis.lark`), which says where it is wrong.
"""

from __future__ import annotations

import re

from analyzer.errors import Place
from analyzer.rst.documents import NO_RELATION, ROOT, RstError, Unit
from grammars import load

_NUCLEARITY = {"Root": ROOT, "Nucleus": "N", "Satellite": "S"}
_NAMES = {short: name for name, short in _NUCLEARITY.items()}

_ITEM = re.compile(
    r"""
    \s* (?: //TT_ERR \s* )*
    (?:
      \( \s* (?P<nuclearity>Root|Nucleus|Satellite)
      \s* \( \s* (?: span \s+ (?P<first>\d+) \s+ (?P<last>\d+) | leaf \s+ (?P<edu>\d+) )
      \s* \) (?: \s* // TT_ERR )* \s*
      (?: \( \s* rel2par \s+ (?P<relation>[^\s()]+) \s* \) (?: \s* //TT_ERR )* \s* )?
      (?: \( \s* text \s+
          (?: _!(?P<text>(?:(?!_!).)*)_!
            | (?:<s>)? \s* <EDU>(?P<tagged>.*?)</EDU> \s* (?:</s>)? )
          \s* (?: //TT_ERR \s* )* \) )?
    | (?P<close>\))
    )
    """,
    re.VERBOSE | re.DOTALL,
)


def read_dis(text: str, source: str = "<text>") -> Unit:
    """The tree of a .dis document; RstError says what is wrong with it.

    >>> root = read_dis(
    ...     "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!A_!) ) "
    ...     "( Satellite (leaf 2) (rel2par cause) (text _!B_!) ) )")
    >>> [unit.label for unit in root.walk()]
    ['---/R', 'span/N', 'cause/S']
    """
    root: Unit | None = None
    still_open: list[tuple[Unit, int, int]] = []
    next_edu = 1
    position = 0
    end = len(text.rstrip())
    while position < end:
        found = _ITEM.match(text, position)
        if found is None:
            raise _explained(text, source, position)
        position = found.end()
        if found["close"]:
            if not still_open:
                raise _error("')' without '('", text, source, found.start("close"))
            unit, first, last = still_open.pop()
            _check_unit(unit, first, last, next_edu - 1, text, source, found.start())
            continue
        at = found.start("nuclearity")
        if not still_open and root is not None:
            raise _error("a second root", text, source, at)
        unit = _unit(found, text, source)
        if found["edu"]:
            number = int(found["edu"])
            if number != next_edu:
                fault = "again" if number < next_edu else "too early"
                message = f"EDU {number} {fault}; expected EDU {next_edu}"
                raise _error(message, text, source, found.start("edu"))
            first = last = number
            next_edu += 1
        else:
            first, last = int(found["first"]), int(found["last"])
            if first != next_edu:
                message = f"span {first} {last} starts at EDU {next_edu}"
                raise _error(message, text, source, found.start("first"))
        if still_open:
            still_open[-1][0].children.append(unit)
        else:
            root = unit
        still_open.append((unit, first, last))
    if still_open:
        message = f"{len(still_open)} units still open at the end; expected ')'"
        raise _error(message, text, source, end - 1)
    if root is None:
        raise _error("no tree; expected '( Root'", text, source, 0)
    return root


def _unit(found: re.Match[str], text: str, source: str) -> Unit:
    nuclearity = _NUCLEARITY[found["nuclearity"]]
    at = found.start("nuclearity")
    if nuclearity != ROOT and found["relation"] is None:
        raise _error("a unit without (rel2par …)", text, source, at)
    if nuclearity == ROOT and found["relation"] is not None:
        raise _error("a root with (rel2par …)", text, source, at)
    words = found["text"] if found["text"] is not None else found["tagged"]
    if found["edu"] and words is None:
        raise _error("a leaf without (text …)", text, source, at)
    if not found["edu"] and words is not None:
        raise _error("a text above the leaves", text, source, at)
    relation = found["relation"] or NO_RELATION
    line = text.count("\n", 0, at) + 1 if len(text) < 2000 else 0
    return Unit(nuclearity, relation, text=words or "", line=line)


def _check_unit(
    unit: Unit, first: int, last: int, seen: int, text: str, source: str, at: int
) -> None:
    if not unit.is_edu or first != last:
        if not unit.children:
            raise _error(f"span {first} {last} has no units in it", text, source, at)
        if last != seen:
            message = f"span {first} {last} ends at EDU {seen}"
            raise _error(message, text, source, at)
        if all(child.nuclearity != "N" for child in unit.children):
            message = f"span {first} {last} has no nucleus"
            raise _error(message, text, source, at)


def _explained(text: str, source: str, position: int) -> RstError:
    """What the grammar expected where the expression stopped."""
    from lark.exceptions import UnexpectedInput

    try:
        load("rst_dis", "document").parse(text)
    except UnexpectedInput as error:
        at = error.pos_in_stream if error.pos_in_stream is not None else len(text)
        expected = getattr(error, "expected", None) or getattr(error, "allowed", ())
        names = " or ".join(sorted(str(name).lower() for name in expected))
        found = repr(text[at : at + 12].split("\n")[0]) if at < len(text) else "the end"
        return _error(f"found {found}; expected {names}", text, source, at)
    return _error("cannot be read here", text, source, position)


def _error(message: str, text: str, source: str, at: int) -> RstError:
    line_start = text.rfind("\n", 0, at) + 1
    line = text.count("\n", 0, at) + 1
    return RstError(message, Place(source, line, at - line_start + 1))


def write_dis(root: Unit) -> str:
    """The document in .dis, one unit a line."""
    ends = _spans(root)
    lines: list[str] = []
    pending: list[tuple[Unit | None, int]] = [(root, 0)]
    while pending:
        unit, depth = pending.pop()
        indent = "  " * min(depth, 50)
        if unit is None:
            lines.append(f"{indent})")
            continue
        first, last = ends[id(unit)]
        where = f"(leaf {first})" if unit.is_edu else f"(span {first} {last})"
        relation = f" (rel2par {unit.relation})" if unit.nuclearity != ROOT else ""
        head = f"{indent}( {_NAMES[unit.nuclearity]} {where}{relation}"
        if unit.is_edu:
            lines.append(f"{head} (text _!{unit.text}_!) )")
            continue
        lines.append(head)
        pending.append((None, depth))
        pending.extend((child, depth + 1) for child in reversed(unit.children))
    return "\n".join(lines) + "\n"


def _spans(root: Unit) -> dict[int, tuple[int, int]]:
    """First and last EDU of each unit, from 1."""
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
