"""Bracketed strings: one we write, and those that parsers do.

Written, and read: units with nuclearity and relation, as in Hayashi et al.'s HILDA
(2016), and texts in gCRF's delimiters, a document a line:

    (Root (Nucleus:span _!He left!_) (Satellite:reason _!because it rained.!_))

Also read, with a relation on the parent (attachment decisions; N nucleus, S satellite):

    (reason[N][S] _!He left!_ _!because it rained.!_)         gCRF (Feng and Hirst 2014)
    (NS-Reason (1) (2))                                       Braud et al. 2016
    (ROOT (NSReason (EDU He_left) (EDU because_it_rained.)))  Braud et al. 2017
    (reason (LeftToRight) (TEXT:He left) (TEXT:because …))    Surdeanu et al. 2015
    ParseTree('reason[N][S]', ['He left', 'because …'])       Hernault et al. 2010
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from analyzer.exceptions import Place, RstError
from analyzer.formats.rst.bracket_labels import Bracket, tree_of_brackets
from analyzer.formats.rst.building import NUCLEARITY_NAMES, Lines
from analyzer.model.discourse import ROOT, Unit, check_size

_PLAIN = re.compile(
    r"""
    (?P<text> _! .*? (?: !_ | _! ) (?= \s* (?: [()] | _! | $ ) ) )
  | (?P<open> \( \s* (?P<label> (?! _! ) [^\s()]+ )? )
  | (?P<close> \) )
  | (?P<word> [^\s()]+ )
    """,
    re.VERBOSE | re.DOTALL,
)
_STRING = r"""[uU]?(?: '[^'\\]*+(?:\\.[^'\\]*+)*+' | "[^"\\]*+(?:\\.[^"\\]*+)*+" )"""
_PYTHON = re.compile(
    rf"""
    (?P<open> (?:Parse)?Tree \( \s* (?P<label> {_STRING} ) \s* , \s* \[ )
  | (?P<close> ,? \s* \] \s* \) )
  | (?P<text> {_STRING} )
  | (?P<comma> , )
    """,
    re.VERBOSE | re.DOTALL,
)
_IS_PYTHON = re.compile(r"\s*(?:Parse)?Tree\(")


def read_brackets(text: str, source: str = "<text>") -> list[Unit]:
    """The trees of bracketed strings, usually one.

    >>> tree, = read_brackets("(reason[N][S] _!He left!_ _!because it rained.!_)")
    >>> [(unit.label, unit.text) for unit in tree.walk()][1:]
    [('span/N', 'He left'), ('reason/S', 'because it rained.')]
    """
    lines = Lines(text, source)
    is_python = _IS_PYTHON.match(text) is not None
    tops = _nested(text, _PYTHON if is_python else _PLAIN, lines)
    if not tops:
        raise RstError("contains no tree; expected '('", Place(source), code="E312")
    return [tree_of_brackets(top, lines) for top in tops]


def _nested(text: str, tokens: re.Pattern[str], lines: Lines) -> list[Bracket]:
    tops: list[Bracket] = []
    still_open: list[Bracket] = []
    units = 0  # of the tree that is read
    for found in _tokens(text, tokens, lines):
        at, kind = found.start(), found.lastgroup
        if kind == "close":
            if not still_open:
                raise RstError("')' without '('", lines.place(at), code="E317")
            still_open.pop()
            continue
        if kind == "comma":
            continue
        if kind == "word":
            if not still_open:
                raise RstError(
                    "found {found!r} outside of any bracket",
                    lines.place(at),
                    code="E318",
                    found=found[0],
                )
            still_open[-1].words.append(found[0])
            continue
        if kind == "text":
            bracket = Bracket(_unquoted(found["text"]), at, is_text=True)
        else:
            bracket = Bracket(_unquoted(found["label"] or ""), at)
        units = units + 1 if still_open else 1
        check_size(units, lines.place(at))
        (still_open[-1].items if still_open else tops).append(bracket)
        if kind != "text":
            still_open.append(bracket)
    if still_open:
        raise RstError(
            "ends too early: {count:bracket} still open",
            lines.place(max(0, len(text.rstrip()) - 1)),
            code="E313",
            count=len(still_open),
        )
    return tops


def _tokens(
    text: str, tokens: re.Pattern[str], lines: Lines
) -> Iterator[re.Match[str]]:
    position, end = 0, len(text)
    while position < end:
        if text[position].isspace():
            position += 1
            continue
        found = tokens.match(text, position)
        if found is None:
            shown = text[position : position + 12]
            raise RstError(
                "found {shown!r}; expected a bracket or a text",
                lines.place(position),
                code="E315",
                shown=shown,
            )
        if found.lastgroup == "word" and found[0].startswith("_!"):
            # Its end was looked for as far as the end of the file: not once for each.
            raise RstError(
                "a text begins here that does not end",
                lines.place(position),
                code="E316",
            )
        yield found
        position = found.end()


def _unquoted(text: str) -> str:
    if text.startswith("_!"):
        return text[2:-2].strip()
    if text[-1:] in ("'", '"') and text.lstrip("uU")[:1] == text[-1:]:
        try:
            words = str(ast.literal_eval(text.replace("\n", "\\n")))
            return words.encode("utf-8", "replace").decode("utf-8")  # no '\ud800'
        except (SyntaxError, ValueError):  # not quite Python: a NUL, a lone backslash
            return text.lstrip("uU")[1:-1]
    return text


def write_brackets(root: Unit) -> str:
    """The document as one line of brackets; white space in a text becomes blanks."""
    parts: list[str] = []
    edu = 0
    pending: list[Unit | None] = [root]
    while pending:
        unit = pending.pop()
        if unit is None:
            parts.append(")")
            continue
        name = NUCLEARITY_NAMES[unit.nuclearity]
        label = name if unit.nuclearity == ROOT else f"{name}:{unit.relation}"
        parts.append(f" ({label}")
        if unit.is_edu:
            edu += 1
            parts.append(f" {_delimited(unit.text, edu)})")
            continue
        pending.append(None)
        pending.extend(reversed(unit.children))
    return "".join(parts).strip() + "\n"


def _delimited(text: str, edu: int) -> str:
    words = " ".join(text.split())
    whole = f"_!{words}!_"
    first = _PLAIN.match(whole)
    if first is None or first.end() != len(whole):
        raise RstError(
            "the text of EDU {edu} contains '_!' or '!_', which end texts in brackets",
            Place(),
            code="E314",
            edu=edu,
        )
    return whole
