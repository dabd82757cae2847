"""The reference reader: one record through the Lark grammar, or a precise error.

Slow, and the definition of what is well formed. Of the records that the fast reader
did not take, those with a fault are explained without it, as there may be thousands;
in the tests it runs beside both on all others.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

from analyzer.exceptions import Place, TreeSyntaxError
from analyzer.formats.penn.faults import Fault, Kind, find_fault
from analyzer.model.builder import TreebankBuilder
from analyzer.safe_text import printable
from grammars import load

_EXCERPT_BEFORE = 50
_EXCERPT_AFTER = 30
_BRACKET_AS_WORD = re.compile(r"\([^\s()]+ +\(\)|\([()] +[()]")
_BRACKET_HINT = "a bracket that is a word is written -LRB- or -RRB-"

# A tree as Lark's callbacks build it: label, then a word or a list of trees.
_Parsed = tuple[str, "str | list[Any]"]


def read_record(
    record: bytes,
    builder: TreebankBuilder,
    *,
    line: int,
    place: Place,
) -> TreeSyntaxError | None:
    """Add the trees of one record to the builder; if that cannot be, say why.

    `line` is where the record's tree starts; `place` where the record does.
    """
    try:
        trees = _parse(record, place, line)
    except TreeSyntaxError as problem:
        builder.end_tree(line, problem)
        return problem
    pending: list[_Parsed | None] = list(reversed(trees))
    while pending:
        tree = pending.pop()
        if tree is None:
            builder.close()
        elif isinstance(tree[1], str):
            builder.leaf(tree[0], tree[1])
        else:
            builder.open(tree[0])
            pending.append(None)
            pending.extend(reversed(tree[1]))
    builder.end_tree(line)
    return None


def problem_of(
    record: bytes, *, place: Place, fault: Fault | None = None
) -> TreeSyntaxError:
    """What is wrong with a record of one line; `fault`, if that is known already."""
    try:
        text = _decoded(record, place)
    except TreeSyntaxError as problem:
        return problem
    fault = fault or find_fault(text)
    assert fault is not None
    return _explained(text, fault, place)


def has_fault(record: bytes) -> bool:
    """Whether a record cannot be read: sooner told than by scanning, if it is short.

    >>> has_fault(b"(NN cat)"), has_fault(b"(NN cat")
    (False, True)
    """
    try:
        text = record.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return "\0" in text or find_fault(text) is not None


def _parse(record: bytes, place: Place, tree_line: int) -> list[_Parsed]:
    text = _decoded(record, place)
    fault = find_fault(text)
    if fault is None:
        return list(_parser().parse(text))
    problem = _explained(text, fault, place)
    if problem.place and problem.place.line != tree_line:
        raise TreeSyntaxError(
            "{message}; the tree starts on line {tree_line}",
            problem.place,
            problem.excerpt,
            code="E202",
            message=problem.message,
            tree_line=tree_line,
        )
    raise problem


@cache
def _parser() -> Any:
    from lark import Transformer

    class Build(Transformer[Any, Any]):
        """Called as Lark reduces, bottom up, so no tree of Lark's is ever built."""

        def record(self, trees: list[_Parsed]) -> list[_Parsed]:
            return trees

        def phrase(self, items: list[Any]) -> _Parsed:
            return _label(items), [item for item in items if isinstance(item, tuple)]

        def leaf(self, items: list[Any]) -> _Parsed:
            return _label(items), str(items[-2])

        def empty_leaf(self, items: list[Any]) -> _Parsed:
            return _label(items), ""

    return load("ptb", "record", transformer=Build)


def _label(items: list[Any]) -> str:
    second = items[1]
    return str(second) if getattr(second, "type", "") == "LABEL" else ""


def _decoded(record: bytes, place: Place) -> str:
    try:
        text = record.decode("utf-8")
    except UnicodeDecodeError as error:
        before = record[: error.start].decode("utf-8")
        problem = TreeSyntaxError(
            "byte 0x{byte:02X} is not UTF-8; if the file is in another encoding, name "
            "it (--encoding latin-1)",
            code="E211",
            byte=record[error.start],
        )
        shown = record.decode("utf-8", "replace")
        raise _placed(problem, shown, len(before), place) from None
    if "\0" in text:
        problem = TreeSyntaxError("a NUL byte: this is not text", code="E212")
        raise _placed(problem, text, text.index("\0"), place)
    return text


def _explained(text: str, fault: Fault, place: Place) -> TreeSyntaxError:
    """What is wrong, in the words of someone who edits treebanks."""
    if fault.kind is Kind.END:
        hint = f" ({_BRACKET_HINT})" if _BRACKET_AS_WORD.search(text) else ""
        problem = TreeSyntaxError(
            "missing ')': {count:bracket} still open at the end, the innermost "
            "here{hint}",
            code="E213",
            count=fault.still_open,
            hint=hint,
        )
    elif fault.kind is Kind.CLOSE:
        problem = TreeSyntaxError(
            "')' without '(': no bracket is open here", code="E214"
        )
    elif fault.kind is Kind.OPEN:
        problem = TreeSyntaxError(
            "found '(' after a word; expected ')' ({hint})",
            code="E215",
            hint=_BRACKET_HINT,
        )
    elif fault.kind is Kind.OUTSIDE:
        problem = TreeSyntaxError(
            "found {word!r} outside of any bracket; expected '('",
            code="E216",
            word=fault.found,
        )
    elif fault.kind is Kind.SECOND_WORD:
        problem = TreeSyntaxError(
            "found a second word {word!r} in one leaf; expected ')'",
            code="E217",
            word=fault.found,
        )
    else:
        problem = TreeSyntaxError(
            "found word {word!r} next to a bracket; expected '(' or ')'",
            code="E218",
            word=fault.found,
        )
    return _placed(problem, text, fault.at, place)


def _placed(
    problem: TreeSyntaxError, text: str, at: int, place: Place
) -> TreeSyntaxError:
    """The problem where it stands in the text, with what stands around it."""
    line_start = text.rfind("\n", 0, at) + 1
    lines_before = text.count("\n", 0, at)
    line_end = text.find("\n", at)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    column = at - line_start
    cut = max(0, column - _EXCERPT_BEFORE)
    excerpt = printable(line[cut : column + _EXCERPT_AFTER].rstrip("\r"))
    return problem.at(
        replace(place, line=(place.line or 1) + lines_before, column=column + 1),
        f"    {excerpt}\n    {' ' * (column - cut)}^",
    )
