"""Built-in inventories as they were compiled last, kept beside their texts.

To parse the English inventory and compile its expressions takes longer than to score
thousands of sentences. So the outcome is kept in `patterns/__pycache__`, where Python
keeps its own: plain values, of which reading makes no code. It is used only if all
that it was made of is still the same, character by character. Where that folder
cannot be written, inventories are parsed each time.
"""

from __future__ import annotations

import contextlib
import copyreg
import marshal
import os
import sys
from collections.abc import Callable
from typing import Any

import regex

import patterns
from analyzer.constructions.inventory import Example, Inventory, Pattern
from analyzer.transform.labels import default_labels, load_labels
from grammars import grammar_text

Parse = Callable[[str, str], Inventory]  # of a text and its name

_FOLDER = os.path.join(patterns.__path__[0], "__pycache__")
_LAYOUT = 1  # of what is kept
# The code that makes an inventory of a text.
_CODE = ("inventory.py", "language.py")


def built_in(name: str, parse: Parse) -> Inventory | None:
    """The inventory of that name, parsed if it must be; None if there is none."""
    text = patterns.text(f"{name}.pat")
    if text is None:
        return None
    made_of = _made_of(text)
    try:
        with open(_path(name), "rb") as stream:
            found = marshal.loads(stream.read())
        if made_of is not None and found[0] == made_of:
            labels = load_labels(found[1])
            if labels.text == found[2]:
                return _restored(name, text, found)
    except (OSError, ValueError, EOFError, TypeError, LookupError):
        pass  # nothing was kept, or nothing that can be used
    inventory = parse(text, name)
    if made_of is not None:
        _keep(inventory, made_of)
    return inventory


def _made_of(text: str) -> tuple[Any, ...] | None:
    """All that the outcome depends on, but for labels that the text may name."""
    folder = os.path.dirname(__file__)
    try:
        code = []
        for name in _CODE:
            with open(os.path.join(folder, name), "rb") as stream:
                code.append(stream.read())
    except OSError:  # in an archive, say
        return None
    return (
        _LAYOUT,
        sys.version,
        regex.__version__,
        text,
        default_labels().text,
        grammar_text("patterns"),
        *code,
    )


def _path(name: str) -> str:
    return os.path.join(_FOLDER, f"{name}.{sys.implementation.cache_tag}.inventory")


def _keep(inventory: Inventory, made_of: tuple[Any, ...]) -> None:
    kept = (
        made_of,
        inventory.labels.name,
        inventory.labels.text,
        inventory.hash,
        [_values(pattern) for pattern in inventory.patterns],
    )
    path = _path(inventory.name)
    part = f"{path}.{os.getpid()}"
    with contextlib.suppress(OSError):
        os.makedirs(_FOLDER, exist_ok=True)
        try:
            with open(part, "xb") as stream:
                stream.write(marshal.dumps(kept))
            os.replace(part, path)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(part)


def _values(pattern: Pattern) -> tuple[Any, ...]:
    """A pattern as plain values: its fields, then what is worked out from them."""
    return (
        pattern.name,
        pattern.nonterminal,
        pattern.source,
        pattern.expression,
        pattern.head_items,
        pattern.line,
        pattern.comment,
        [(e.line, e.is_positive, e.parent, e.children) for e in pattern.examples],
        pattern.is_recursive,
        # What an expression is restored from when it is pickled: plain values too.
        _reduced(pattern.compiled)[1],
    )


def _restored(name: str, text: str, kept: tuple[Any, ...]) -> Inventory:
    _, labels_name, _, digest, rows = kept
    restore = _reduced(regex.compile(""))[0]
    found: list[Pattern] = []
    by_nonterminal: dict[str, list[Pattern]] = {}
    for *fields, examples, is_recursive, code in rows:
        values: tuple[Any, ...] = (*fields, tuple(Example(*one) for one in examples))
        pattern = Pattern(*values)
        vars(pattern).update(is_recursive=is_recursive, compiled=restore(*code))
        found.append(pattern)
        by_nonterminal.setdefault(pattern.nonterminal, []).append(pattern)
    inventory = Inventory(
        name,
        text,
        tuple(found),
        f"patterns/{name}.pat",
        by_nonterminal,
        load_labels(labels_name),
    )
    vars(inventory).update(hash=digest)
    return inventory


def _reduced(expression: regex.Pattern[str]) -> tuple[Callable[..., Any], Any]:
    """What restores a compiled expression, and from which values, as pickle asks."""
    reduced: Any = copyreg.dispatch_table[type(expression)](expression)
    return reduced[0], reduced[1]
