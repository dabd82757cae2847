"""A parsed file of patterns: its parts, and the place of what is wrong in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from analyzer.exceptions import PatternError, Place


def head_count(tree: Any) -> tuple[int, int]:
    """How often, at least and at most, a head stands on a way through a pattern."""
    if not hasattr(tree, "data") or tree.data in ("label", "lookahead"):
        return 0, 0  # what is only looked at is not marked
    if tree.data == "head":
        return 1, 1
    if tree.data == "repeated":
        low, high = head_count(tree.children[0])
        quantifier = str(tree.children[1])
        once_at_most = quantifier == "?"
        optional = quantifier[0] in "*?" or quantifier.startswith("{0")
        return (0 if optional else low), (high if once_at_most else 2 * high)
    counts = [head_count(child) for child in tree.children]
    if tree.data == "alternatives":
        counts = [head_count(sequence) for sequence in trees(tree)]
        return min(c[0] for c in counts), max(c[1] for c in counts)
    return sum(c[0] for c in counts), sum(c[1] for c in counts)


def is_one_child(group: Any) -> bool:
    """Whether every alternative of a group is a single label or class."""
    alternatives = next(iter(trees(group)))
    return all(
        len(sequence.children) == 1
        and getattr(sequence.children[0], "data", "label") == "label"
        for sequence in trees(alternatives)
    )


def trees(tree: Any) -> Iterator[Any]:
    """The children that are no tokens."""
    return (child for child in tree.children if hasattr(child, "data"))


def tokens(tree: Any, kind: str) -> list[Any]:
    """The children that are tokens of a kind."""
    return [child for child in tree.children if getattr(child, "type", "") == kind]


def items(tree: Any) -> list[Any]:
    """The labels and classes of a list, `ANY` among them."""
    return [
        child
        for child in tree.children
        if hasattr(child, "data") or getattr(child, "type", "") == "ANY"
    ]


def comment_above(text: str, line: int) -> str:
    """The comment lines directly above a line."""
    lines = text.splitlines()[: line - 1]
    comment: list[str] = []
    while lines and lines[-1].lstrip().startswith("#"):
        comment.insert(0, lines.pop().lstrip().lstrip("#").strip())
    return " ".join(comment)


def syntax_error(text: str, source: str, error: Any) -> PatternError:
    """What Lark complains of, in words for people who write patterns."""
    token = getattr(error, "token", None)
    line = error.line if error.line and error.line > 0 else text.count("\n") + 1
    column = error.column if error.column and error.column > 0 else 1
    if token is None:
        found = repr(text[error.pos_in_stream])
    elif token.type in ("$END", "_NEWLINE"):
        found = "the end of the line"
        line, column = _end_of_token_before(text, token)
    else:
        found = repr(str(token))
    expected = sorted(
        _TERMINALS_IN_WORDS[name]
        for name in {str(name) for name in getattr(error, "expected", ())}
        | {str(name) for name in getattr(error, "allowed", None) or ()}
        if name in _TERMINALS_IN_WORDS
    )
    wanted = " or ".join(dict.fromkeys(expected)) or "the end of the line"
    problem = PatternError(
        "found {found}; expected {wanted}", code="E690", found=found, wanted=wanted
    )
    return placed(problem, text, source, line, column)


def _end_of_token_before(text: str, token: Any) -> tuple[int, int]:
    # At the end of the text, lark gives the place of the last token.
    position = len(text) if token.type == "$END" else token.start_pos
    before = text[:position].rstrip()
    return before.count("\n") + 1, len(before) - before.rfind("\n")


_TERMINALS_IN_WORDS = {
    "NAME": "a name such as NP-t, then ':'",
    "LABEL": "a label or class",
    "PARENT": "a label",
    "QUOTED": "a label in quotes",
    "ANY": "ANY",
    "COLON": "':'",
    "RPAR": "')'",
    "LPAR": "'('",
    "HEAD": "'(head:'",
    "EQUAL": "'='",
    "CLASS": "'class'",
    "ARROW": "'->'",
    "CHILD": "a child",
    "QUANTIFIER": "'*', '+' or '?'",
}


def placed(
    error: PatternError, text: str, source: str, line: int, column: int
) -> PatternError:
    """The error at its place, with the line it is in."""
    lines = text.splitlines()
    shown = lines[line - 1] if 0 < line <= len(lines) else ""
    excerpt = f"    {shown.expandtabs(1)}\n    {' ' * (column - 1)}^"
    return error.at(Place(source, line, column), excerpt)
