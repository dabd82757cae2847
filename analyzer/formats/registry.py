"""Every format of discourse trees, recognised by what is in it, read and written.

`docs/rst_formats.md` shows each of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from analyzer.exceptions import Place, RstError, SettingsError
from analyzer.formats.detecting import detect
from analyzer.formats.rst.brackets import read_brackets, write_brackets
from analyzer.formats.rst.conllu import (
    read_conllu,
    read_table,
    read_triples,
    write_conllu,
)
from analyzer.formats.rst.dis import read_dis, write_dis
from analyzer.formats.rst.lists import read_decisions, read_spans
from analyzer.formats.rst.rs3 import read_rs3
from analyzer.formats.rst.rs3_writer import write_rs3
from analyzer.formats.rst.rsd import read_rsd, write_rsd
from analyzer.formats.rst.units_json import read_json, write_json
from analyzer.model.discourse import Unit
from analyzer.transform.head_order import (
    DependencyTree,
    constituent_tree,
    dependency_tree,
)
from analyzer.transform.heuristics import RELEASED_MULTINUCLEAR, completed

DiscourseTree = Unit | DependencyTree
WRITTEN = ("dis", "rs3", "rsd", "conllu", "json", "brackets")
DEPENDENCY_FORMATS = frozenset({"rsd", "conllu", "table", "triples"})


class Document(NamedTuple):
    """A document as it was read: its format, its tree, what was left out."""

    format: str
    tree: DiscourseTree
    warnings: list[str]


def parse_documents(
    text: str, source: str = "<text>", *, format: str = ""
) -> list[Document]:
    """The documents of a text: one, but for brackets, which may have a tree a line."""
    name = format or detect(text)
    warnings: list[str] = []
    if name == "brackets":
        return [Document(name, tree, []) for tree in read_brackets(text, source)]
    if name == "rs3":
        return [Document(name, read_rs3(text, source, warnings), warnings)]
    if name == "rsd":
        return [Document(name, read_rsd(text, source, warnings), warnings)]
    if name in _READERS:
        return [Document(name, _READERS[name](text, source), [])]
    if not text.strip():
        raise RstError("nothing in here", Place(source))
    shown = text.strip().split("\n")[0][:20]
    message = f"an unknown format: it begins with {shown!r}; known are"
    raise RstError(f"{message} {', '.join(sorted(FORMATS))}", Place(source, 1))


_READERS: dict[str, Callable[[str, str], DiscourseTree]] = {
    "dis": read_dis,
    "json": read_json,
    "spans": read_spans,
    "decisions": read_decisions,
    "conllu": read_conllu,
    "table": read_table,
    "triples": read_triples,
}
FORMATS = frozenset({*_READERS, "rs3", "rsd", "brackets"})


def read_document(
    text: str,
    source: str = "<text>",
    *,
    format: str = "",
    multinuclear: Collection[str] = RELEASED_MULTINUCLEAR,
) -> Unit:
    """The constituent tree of a document in any format; RstError if it is none.

    A dependency tree is turned into constituents (2018, Algorithm 2); if it has no
    nuclearity or no order, they are guessed as in section 4.1, with the relations that
    are `multinuclear`.

    >>> [unit.label for unit in read_document("(NS-Cause (1) (2))").walk()]
    ['---/R', 'span/N', 'Cause/S']
    """
    documents = parse_documents(text, source, format=format)
    if len(documents) > 1:
        second = documents[1].tree
        line = second.line if isinstance(second, Unit) else None
        raise RstError("a second root", Place(source, line))
    return constituents(documents[0].tree, source, multinuclear=multinuclear)


def constituents(
    tree: DiscourseTree,
    source: str = "<tree>",
    *,
    multinuclear: Collection[str] = RELEASED_MULTINUCLEAR,
) -> Unit:
    """A tree of either kind as constituents."""
    if isinstance(tree, Unit):
        return tree
    whole = completed(tree, multinuclear, source=source)
    return constituent_tree(whole, source=source)


def write_document(tree: DiscourseTree, format: str, *, name: str = "") -> str:
    """A tree in a format of `WRITTEN`, turned into the other kind if need be."""
    if format in ("rsd", "conllu"):
        arcs = dependency_tree(tree, source=name) if isinstance(tree, Unit) else tree
        return write_rsd(arcs) if format == "rsd" else write_conllu(arcs, name)
    if format not in _WRITERS:
        message = f"no format {format!r} to write; there are {', '.join(WRITTEN)}"
        raise SettingsError(message)
    return _WRITERS[format](constituents(tree, name))


_WRITERS: dict[str, Callable[[Unit], str]] = {
    "dis": write_dis,
    "rs3": write_rs3,
    "json": write_json,
    "brackets": write_brackets,
}
