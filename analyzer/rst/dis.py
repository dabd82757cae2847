"""RST-DT's .dis format.

One expression reads what is well formed; anything else goes through the grammar
(`analyzer.rst.dis_grammar`), which says what is wrong, or reads it after all.
"""

from __future__ import annotations

import re

from analyzer.errors import Place
from analyzer.rst.assembling import NUCLEARITY_NAMES, spans_of
from analyzer.rst.documents import NO_RELATION, NUCLEUS, ROOT, RstError, Unit

_NUCLEARITY = {name: short for short, name in NUCLEARITY_NAMES.items()}

# A unit up to where the next begins; brackets that close are taken along, so that
# there is one match a unit.
_UNIT = re.compile(
    r"""
    \( \s* (Root|Nucleus|Satellite) \s*
    \( \s* (?: span \s+ ([0-9]+) \s+ ([0-9]+) | leaf \s+ ([0-9]+) ) \s* \)
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
_LEADING = re.compile(r"(?:\s|//TT_ERR)*")
_MARKS = re.compile(r"</?s>|<P>")


class DoubtError(Exception):
    """Not for the fast reader: the grammar has to look at it."""


def read_dis(text: str, source: str = "<text>") -> Unit:
    """The tree of a .dis document; RstError says what is wrong with it.

    >>> root = read_dis(
    ...     "( Root (span 1 2) ( Nucleus (leaf 1) (rel2par span) (text _!A_!) ) "
    ...     "( Satellite (leaf 2) (rel2par cause) (text _!B_!) ) )")
    >>> [unit.label for unit in root.walk()]
    ['---/R', 'span/N', 'cause/S']
    """
    try:
        return quickly_read(text)
    except DoubtError:
        from analyzer.rst.dis_grammar import read_by_grammar

        return read_by_grammar(text, source)


def quickly_read(text: str) -> Unit:
    """The tree of a well-formed document; DoubtError about any other."""
    tree = _Tree()
    leading = _LEADING.match(text)
    position = leading.end() if leading else 0
    line = text.count("\n", 0, position) + 1
    for found in _UNIT.finditer(text, position):
        start, end = found.span()
        if start != position:
            raise DoubtError
        nuclearity, first, last, edu, relation, words, tagged, closed = found.groups()
        if (relation is None) is not (nuclearity == "Root"):
            raise DoubtError
        unit = Unit(
            _NUCLEARITY[nuclearity],
            NO_RELATION if relation is None else relation,
            [],
            words or tagged or "",
            line,
        )
        if edu is None:
            if words is not None or tagged is not None or closed:
                raise DoubtError
            tree.open(unit, int(first), int(last))
        else:
            if words is None and tagged is None:
                raise DoubtError
            tree.leaf(unit, int(edu), closed.count(")"))
        line += text.count("\n", start, end)
        position = end
    if position != len(text):
        raise DoubtError
    return tree.finished()


class _Tree:
    """Units as they come, checked as far as a well-formed tree needs it."""

    def __init__(self) -> None:
        self._root: Unit | None = None
        self._open: list[tuple[Unit, int]] = []
        self._seen = 0

    def open(self, unit: Unit, first: int, last: int) -> None:
        if first != self._seen + 1:
            raise DoubtError
        self._attach(unit)
        self._open.append((unit, last))

    def leaf(self, unit: Unit, number: int, closed: int) -> None:
        self._seen += 1
        if number != self._seen or not 0 < closed <= len(self._open) + 1:
            raise DoubtError
        self._attach(unit)
        for _ in range(closed - 1):
            group, last = self._open.pop()
            if last != number or not _has_nucleus(group):
                raise DoubtError

    def _attach(self, unit: Unit) -> None:
        if (unit.nuclearity == ROOT) is not (self._root is None):
            raise DoubtError
        if self._root is None:
            self._root = unit
        elif self._open:
            self._open[-1][0].children.append(unit)
        else:
            raise DoubtError

    def finished(self) -> Unit:
        if self._root is None or self._open:
            raise DoubtError
        return self._root


def _has_nucleus(unit: Unit) -> bool:
    return any(child.nuclearity == NUCLEUS for child in unit.children)


def plain_text(text: str) -> str:
    """A text without RST-DT's marks of sentences and paragraphs.

    >>> plain_text("<s> He left.<P></s>")
    'He left.'
    """
    return _MARKS.sub("", text).strip()


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
    message = f"the text of EDU {edu} holds both '_!' and '</EDU>', which end texts"
    raise RstError(f"{message} in .dis", Place())
