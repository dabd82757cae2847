"""What a tree file looks like: Lark grammars, and no logic beyond loading them."""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark

__all__ = ["grammar_text", "load", "terminal_patterns"]


def grammar_text(name: str) -> str:
    """The source of `NAME.lark`."""
    path = os.path.join(__path__[0], f"{name}.lark")
    # Not by `importlib.resources`, which takes some milliseconds to import.
    data: bytes = __spec__.loader.get_data(path)  # type: ignore[union-attr]
    return data.decode("utf-8")


@cache
def load(name: str, start: str, transformer: type[Any] | None = None) -> Lark:
    """The LALR parser for `NAME.lark`, built once; `transformer` is called as it goes.

    Lark is imported here, not above: it is needed only for input that the fast
    readers cannot take, and it costs a tenth of a second.
    """
    from lark import Lark

    return Lark(
        grammar_text(name),
        start=start,
        parser="lalr",
        lexer="contextual",
        maybe_placeholders=False,
        keep_all_tokens=True,
        transformer=transformer() if transformer else None,
        import_paths=[__path__[0]],
    )


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
    for found in definition.finditer(grammar_text(name)):
        flags = re.MULTILINE if "m" in (found["flags"] or "") else 0
        source = found["regex"] if found["text"] is None else re.escape(found["text"])
        patterns[found["name"]] = re.compile(source, flags)
    return patterns
