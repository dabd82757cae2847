"""RST-DT's .dis format.

One expression reads what is well formed; anything else goes through the grammar
(`analyzer.formats.rst.dis_grammar`), which says what is wrong, or reads it after all.
"""

from __future__ import annotations

import re
from sys import intern

from analyzer.exceptions import Place, RstError
from analyzer.formats.rst.building import NUCLEARITY_NAMES, Lines, spans_of
from analyzer.limits import limits
from analyzer.model.discourse import NO_RELATION, NUCLEUS, ROOT, Unit, check_size

_NUCLEARITY = {name: short for short, name in NUCLEARITY_NAMES.items()}

# A unit up to where the next begins; brackets that close are taken along, so that
# there is one match a unit.
_UNIT = re.compile(
    r"""
    \( \s* (Root|Nucleus|Satellite) \s*
    \( \s* (?: span \s+ ([0-9]{1,9}) \s+ ([0-9]{1,9}) | leaf \s+ ([0-9]{1,9}) ) \s* \)
    (?: \s* //TT_ERR )* \s*
    (?: \( \s* rel2par \s+ ( (?: [^\s()/]++ | /(?!/TT_ERR) )++ )
        (?: \s* //TT_ERR )* \s* \) (?: \s* //TT_ERR )* \s* )?
    (?: \( \s* text \s+
        (?: _! ( [^_]*+ (?: _(?!!) [^_]*+ )*+ ) _!
          | (?:<s>)? \s* <EDU> ( [^<]*+ (?: <(?!/EDU>) [^<]*+ )*+ ) </EDU>
            \s* (?:</s>)? )
        (?: \s* //TT_ERR )* \s* \) (?: \s* //TT_ERR )* \s* )?
    ( (?: \) (?: \s* //TT_ERR )* \s* )* )
    """,
    re.VERBOSE,
)
_UNIT_START = re.compile(r"\(\s*(?:Root|Nucleus|Satellite)\b")
_SHORTEST_UNIT = len("(Root(leaf 1)")
# Brackets: the grammar takes its time, and no treebank's documents are as large.
_MOST_EXPLAINED = 50_000
_LEADING = re.compile(r"(?:\s++|//TT_ERR)*+")


class DoubtError(Exception):
    """Not for the fast reader: the grammar has to look at it."""

    at = 0  # how far the fast reader came


def read_dis(text: str, source: str = "<text>") -> Unit:
    """The tree of a .dis document; RstError says what is wrong with it.

    >>> root = read_dis(
    ...     "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!A_!) ) "
    ...     "( Satellite (leaf 2) (rel2par cause) (text _!B_!) ) )")
    >>> [unit.label for unit in root.walk()]
    ['---/R', 'span/N', 'cause/S']
    """
    _check_size(text, source)
    try:
        return quickly_read(text)
    except DoubtError as doubt:
        if text.count("(") > _MOST_EXPLAINED:
            message = "not well formed from here on; expected a unit, such as"
            example = "( Nucleus (leaf 7) (rel2par span) (text _!…_!) )"
            place = Lines(text, source).place(doubt.at)
            raise RstError(
                "{message} {example}",
                place,
                code="E339",
                message=message,
                example=example,
            ) from None
        from analyzer.formats.rst.dis_grammar import read_by_grammar

        return read_by_grammar(text, source)


def _check_size(text: str, source: str) -> None:
    """Whether the document has more units than are read of one."""
    if len(text) < limits().tree_nodes * _SHORTEST_UNIT:
        return
    for number, found in enumerate(_UNIT_START.finditer(text), start=1):
        if number > limits().tree_nodes:
            check_size(number, Lines(text, source).place(found.start()))


def quickly_read(text: str) -> Unit:
    """The tree of a well-formed document; DoubtError about any other."""
    leading = _LEADING.match(text)
    position = leading.end() if leading else 0
    line = text.count("\n", 0, position) + 1
    above = [Unit("", "")]  # open units, the innermost last, under one for the root
    lasts = [0]  # the last EDU that each of them is said to have
    seen = 0
    try:
        for found in _UNIT.finditer(text, position):
            start, end = found.span()
            if start != position:
                raise DoubtError
            seen = _add(found, above, lasts, seen, line)
            line += text.count("\n", start, end)
            position = end
        return _root(above, position == len(text))
    except DoubtError as doubt:
        doubt.at = position
        raise


def _add(
    found: re.Match[str], above: list[Unit], lasts: list[int], seen: int, line: int
) -> int:
    """Take a unit into the tree; the number of EDUs seen after it."""
    nuclearity, first, last, edu, relation, words, tagged, closed = found.groups()
    is_top = len(above) == 1
    if (nuclearity == "Root") is not is_top or (relation is None) is not is_top:
        raise DoubtError
    # Relations are few: one string each, however many units have it.
    label = intern(relation or NO_RELATION)
    unit = Unit(_NUCLEARITY[nuclearity], label, [], "", line)
    above[-1].children.append(unit)
    if edu is None:
        if words or tagged or closed or int(first) != seen + 1:
            raise DoubtError
        above.append(unit)
        lasts.append(int(last))
        return seen
    unit.text = _text(words, tagged)
    if int(edu) != seen + 1:
        raise DoubtError
    _close(above, lasts, seen + 1, closed.count(")") - 1)
    return seen + 1


def _text(words: str | None, tagged: str | None) -> str:
    if words is not None:
        return words
    if tagged is None:
        raise DoubtError
    return tagged


def _close(above: list[Unit], lasts: list[int], seen: int, count: int) -> None:
    """Close so many units, which all end with the EDU seen last."""
    if not 0 <= count < len(above):
        raise DoubtError
    for _ in range(count):
        if lasts.pop() != seen:
            raise DoubtError
        for child in above.pop().children:
            if child.nuclearity == NUCLEUS:
                break
        else:
            raise DoubtError


def _root(above: list[Unit], is_all_read: bool) -> Unit:
    top = above[0]
    if not is_all_read or len(above) != 1 or len(top.children) != 1:
        raise DoubtError
    return top.children[0]


def write_dis(root: Unit) -> str:
    """The document in .dis, one unit a line."""
    ends = spans_of(root)
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
        head = f"{indent}( {NUCLEARITY_NAMES[unit.nuclearity]} {where}{relation}"
        if unit.is_edu:
            lines.append(f"{head} (text {_delimited(unit.text, first)}) )")
            continue
        lines.append(head)
        pending.append((None, depth))
        pending.extend((child, depth + 1) for child in reversed(unit.children))
    return "\n".join(lines) + "\n"


def _delimited(text: str, edu: int) -> str:
    if "_!" not in text:
        return f"_!{text}_!"
    if "</EDU>" not in text:
        return f"<EDU>{text}</EDU>"
    message = f"the text of EDU {edu} contains both '_!' and '</EDU>', which end texts"
    raise RstError("{message} in .dis", Place(), code="E338", message=message)
