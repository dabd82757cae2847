"""What a tree file looks like: Lark grammars, and what reads a text by one.

A grammar of trees has rules, or aliases of rules, with these names: `phrase`, `leaf`,
`empty_leaf` and `edge`. Each becomes a `Node`; other rules pass on what is in them.
docs/grammars.md says what terminals mean.
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from lark import Lark

__all__ = [
    "MismatchError",
    "Node",
    "grammar_text",
    "load",
    "nodes_of",
    "reader",
    "terminal_patterns",
]

_FOLDER = __path__[0]


class Node(NamedTuple):
    """What a rule of a grammar read."""

    kind: str  # the name of the rule: phrase, leaf or empty_leaf
    tokens: dict[str, Any]  # Lark's, by their terminals; of several the last
    children: list[Node]
    edge: str = ""  # the label of the edge above it


class MismatchError(Exception):
    """A text that does not fit its grammar, and where it stops to do so."""

    def __init__(self, error: Any, text: str) -> None:
        super().__init__(str(error))
        token = getattr(error, "token", None)
        self.kind: str = getattr(token, "type", "")  # "" is no token at all
        self.is_end = self.kind == "$END"
        self.at: int = len(text) if self.is_end else error.pos_in_stream
        self.token = text[self.at] if token is None else str(token)
        allowed = getattr(error, "expected", None) or error.allowed
        self.expected: frozenset[str] = frozenset(allowed or ())
        self.opened: list[int] = []  # brackets that are still open, from the outermost
        interactive = getattr(error, "interactive_parser", None)
        for item in interactive.parser_state.value_stack if interactive else ():
            terminal = getattr(item, "type", "")
            if terminal == "OPEN":
                self.opened.append(item.start_pos)
            elif terminal == "CLOSE" and self.opened:  # of a tree that is whole
                self.opened.pop()


def grammar_text(name: str) -> str:
    """The source of `NAME.lark`."""
    path = os.path.join(_FOLDER, f"{name}.lark")
    # Not by `importlib.resources`, which takes some milliseconds to import.
    data: bytes = __spec__.loader.get_data(path)  # type: ignore[union-attr]
    return data.decode("utf-8")


@cache
def load(
    name: str,
    transformer: type[Any] | None = None,
    text: str | None = None,
    folder: str = _FOLDER,
) -> Lark:
    """The LALR parser for `NAME.lark`, built once; `transformer` is called as it goes.

    It may also be given the `text` of a grammar, and the folder that it imports from:
    `%import .mine` what lies beside it, `%import grammars.common` what lies here.
    Lark is imported here, not above: it costs a tenth of a second.
    """
    from lark import Lark

    return Lark(
        grammar_text(name) if text is None else text,
        start="start",
        parser="lalr",
        lexer="contextual",
        maybe_placeholders=False,
        keep_all_tokens=True,
        transformer=transformer() if transformer else None,
        source_path=os.path.join(folder, os.path.basename(name)),
        import_paths=[os.path.dirname(_FOLDER)],
    )


@cache
def _builder() -> Any:
    from lark import Token, Transformer, Tree

    def node(kind: str, items: list[Any]) -> Node:
        tokens: dict[str, Any] = {}
        children: list[Node] = []
        pending = items[::-1]
        while pending:
            item = pending.pop()
            if type(item) is Token:
                tokens[item.type] = item
            elif type(item) is Tree:  # of a rule without a meaning of its own
                pending += item.children[::-1]
            else:
                children.append(item)
        return Node(kind, tokens, children)

    class Build(Transformer[Any, Any]):
        """Called as Lark reduces, bottom up, so no tree of Lark's is ever built."""

        def start(self, items: list[Any]) -> list[Node]:
            return node("start", items).children

        def phrase(self, items: list[Any]) -> Node:
            return node("phrase", items)

        def leaf(self, items: list[Any]) -> Node:
            return node("leaf", items)

        def empty_leaf(self, items: list[Any]) -> Node:
            return node("empty_leaf", items)

        def edge(self, items: list[Any]) -> Any:
            _, tokens, children, _ = node("edge", items)
            label = str(tokens.get("EDGE", ""))
            return Tree("edge", [child._replace(edge=label) for child in children])

    return Build


def reader(name: str, text: str | None = None, folder: str = _FOLDER) -> Lark:
    """What reads trees by a grammar: see `nodes_of`."""
    return load(name, _builder(), text, folder)


def nodes_of(reader: Lark, text: str) -> list[Node]:
    """The trees of a text; `MismatchError` if it does not fit the grammar."""
    from lark.exceptions import UnexpectedInput

    try:
        nodes: list[Node] = reader.parse(text)  # type: ignore[assignment]
    except UnexpectedInput as error:
        raise MismatchError(error, text) from None
    return nodes


@cache
def terminal_patterns(name: str) -> dict[str, re.Pattern[str]]:
    r"""The terminals that `NAME.lark` defines, as compiled expressions, by name.

    Reads the definitions off the grammar's text, without importing Lark; only
    plain strings and regular expressions are understood, which is all that the
    shared terminals are.

    >>> terminal_patterns("common")["OPEN"].pattern
    '\\('
    >>> bool(terminal_patterns("common")["WHITESPACE"].fullmatch(" \t"))
    True
    """
    definition = re.compile(
        r"^(?P<name>[A-Z_]+)(?:\.\d+)?: "
        r'(?:/(?P<regex>.+)/(?P<flags>[a-z]*)|"(?P<text>.+)")$',
        re.MULTILINE,
    )
    patterns = {}
    for match in definition.finditer(grammar_text(name)):
        flags = re.MULTILINE if "m" in (match["flags"] or "") else 0
        source = match["regex"] if match["text"] is None else re.escape(match["text"])
        patterns[match["name"]] = re.compile(source, flags)
    return patterns
