"""A document in each format of discourse trees: readers and writers by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

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
from analyzer.model.dependencies import DiscourseTree
from analyzer.model.discourse import Unit
from analyzer.transform.head_order import dependency_tree
from analyzer.transform.heuristics import constituents


class Document(NamedTuple):
    """A document as it was read: its format, its tree, what was left out."""

    format: str
    tree: DiscourseTree
    warnings: list[str]


_READERS: dict[str, Callable[[str, str], DiscourseTree]] = {
    "dis": read_dis,
    "json": read_json,
    "spans": read_spans,
    "decisions": read_decisions,
    "conllu": read_conllu,
    "table": read_table,
    "triples": read_triples,
}
# Of these formats, not everything is part of a tree: the third argument is told what.
_WARNING_READERS: dict[str, Callable[[str, str, list[str]], DiscourseTree]] = {
    "rs3": read_rs3,
    "rsd": read_rsd,
}
_CONSTITUENT_WRITERS: dict[str, Callable[[Unit], str]] = {
    "dis": write_dis,
    "rs3": write_rs3,
    "json": write_json,
    "brackets": write_brackets,
}


def read_in(format: str, text: str, source: str) -> list[Document]:
    """The documents of a text: one, but for brackets, which may have a tree a line."""
    if format == "brackets":
        return [Document(format, tree, []) for tree in read_brackets(text, source)]
    if format in _WARNING_READERS:
        warnings: list[str] = []
        tree = _WARNING_READERS[format](text, source, warnings)
        return [Document(format, tree, warnings)]
    return [Document(format, _READERS[format](text, source), [])]


def write_in(format: str, tree: DiscourseTree, name: str) -> str:
    """A tree in a format, turned into dependencies or constituents as that needs."""
    if format in _CONSTITUENT_WRITERS:
        return _CONSTITUENT_WRITERS[format](constituents(tree, name))
    arcs = dependency_tree(tree, source=name) if isinstance(tree, Unit) else tree
    return write_rsd(arcs) if format == "rsd" else write_conllu(arcs, name)
