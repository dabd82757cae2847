"""One discourse tree a segment: from a file with a tree a line, a folder, or parsed."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.exceptions import (
    InputError,
    PairingError,
    Place,
    RstError,
    SettingsError,
)
from analyzer.formats.documents import file_text, read_rst, without_collecting
from analyzer.formats.registry import Family, detect, parse_documents
from analyzer.formats.rst.brackets import read_brackets
from analyzer.model.discourse import Documents, Reading, Unit
from analyzer.safe_text import counted
from analyzer.transform.documents import Roots, rooted_alone
from analyzer.transform.head_order import constituents

if TYPE_CHECKING:
    from analyzer.rst_parser.parser import RstParser

_NUMBER_AT_END = re.compile(r"(\D*)(\d+)")
_NAMED = 3
_AT_ONCE = 500  # segments that are parsed together


@dataclass(frozen=True)
class Segments:
    """Trees by segment; a segment whose tree is missing is None."""

    source: str
    trees: dict[str, Unit | None]
    notes: Sequence[str] = ()  # what was read otherwise than it is written

    @property
    def missing(self) -> list[str]:
        return [name for name, tree in self.trees.items() if tree is None]


def read_segments(
    spec: str, *, encoding: str = "utf-8", roots: Roots | str = Roots.JOIN
) -> Segments:
    """The trees of a translation or a reference.

    A file of brackets has a tree a line, and an empty line is a segment without tree
    (at the end of a file, nothing); segments are numbered from 1. A folder or a glob
    has a file a segment in any format; `seg_12.dis` is segment 12 if all are numbered
    in this way, otherwise the segment is called as its file is. `roots`: what becomes
    of segments of several trees.
    """
    return _rooted(_read_segments(spec, encoding), Roots(roots))


def _rooted(segments: Segments, roots: Roots) -> Segments:
    """Segments of several trees, treated as chosen; one that has none left has None."""
    if roots is Roots.JOIN:
        return segments
    if roots is Roots.FOREST:
        raise SettingsError("E971 a segment is one tree")
    trees, notes = dict(segments.trees), list(segments.notes)
    for name, tree in segments.trees.items():
        if tree is None:
            continue
        alone = rooted_alone(Documents.of_units([(name, tree)]), roots)
        if alone.problems and roots is Roots.ERROR:
            raise alone.problems[0].at(Place(segments.source))
        trees[name] = next((root for _, root in alone), None)
        notes += [f"{segments.source}: {note}" for note in _notes_of(alone.readings)]
    return Segments(segments.source, trees, notes)


def _notes_of(readings: Sequence[Reading]) -> list[str]:
    return [
        f"segment {item.document}: {counted(item.number, item.noun)} {item.fate}"
        for item in readings
    ]


def _read_segments(spec: str, encoding: str) -> Segments:
    if not os.path.isdir(spec) and not any(c in spec for c in "*?["):
        text = file_text(spec, encoding=encoding)
        with without_collecting():
            format = detect(text, Family.DISCOURSE)
            if format is not None and format.name == "brackets":
                return Segments(spec, _lines(text, spec))
            documents = parse_documents(text, spec)
            trees = [constituents(document.tree, spec) for document in documents]
        return Segments(spec, _numbered(trees))
    read = read_rst(spec, encoding=encoding, strict=True)
    names, named = read.names, list(read)
    parts = [_NUMBER_AT_END.fullmatch(name) for name in names]
    if all(parts) and len({part[1] for part in parts if part}) == 1:
        names = [str(int(part[2])) for part in parts if part]
        if len(set(names)) < len(names):
            raise InputError("E922 two files of one segment", Place(spec))
        named = sorted(
            zip(names, (tree for _, tree in named), strict=True),
            key=lambda item: int(item[0]),
        )
    return Segments(spec, dict(named))


def _lines(text: str, source: str) -> dict[str, Unit | None]:
    lines = text.removeprefix("\ufeff").rstrip().split("\n")
    trees: list[Unit | None] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            trees.append(None)
            continue
        try:
            on_line = read_brackets(line, source)
        except RstError as error:
            try:
                # Perhaps its trees go over several lines; then they are counted.
                return _numbered(read_brackets(text, source))
            except RstError:
                place = error.place
                column = place.column if place else None
                raise error.at(Place(source, number, column)) from None
        if len(on_line) > 1:
            raise RstError(
                "E923 trees on a line", Place(source, number), count=len(on_line)
            )
        trees += on_line
    return _numbered(trees)


def _numbered(trees: list[Unit | None] | list[Unit]) -> dict[str, Unit | None]:
    return {str(number): tree for number, tree in enumerate(trees, start=1)}


# What functions take that ask for the trees of segments.
TreesOfSegments = str | Path | Segments | Sequence[Unit | str | None]


def as_segments(
    given: TreesOfSegments,
    name: str = "trees",
    parser: RstParser | None = None,
    *,
    encoding: str = "utf-8",
    roots: Roots | str = Roots.JOIN,
) -> Segments:
    """Trees of segments that were read, a list of them, or those of a path.

    Strings of a list are trees in brackets; with a parser, raw text.

    >>> list(as_segments(["_!it rained!_", None]).trees)
    ['1', '2']
    """
    if isinstance(given, Segments):
        return given
    if isinstance(given, str | Path):
        if parser is None:
            return read_segments(str(given), encoding=encoding, roots=roots)
        text = file_text(str(given), encoding=encoding).removeprefix("\ufeff")
        lines = text.split("\n")
        if lines and not lines[-1].strip():
            lines.pop()
        return parse_segments(parser, lines, str(given))
    source = f"<{name}>"
    texts = [" ".join(item.split()) for item in given if isinstance(item, str)]
    if parser is not None and len(texts) == len(given):
        return parse_segments(parser, texts, source)
    read = iter(_lines("\n".join(texts), source).values() if texts else ())
    trees = [next(read, None) if isinstance(item, str) else item for item in given]
    return Segments(source, _numbered(trees))


def parse_segments(parser: RstParser, lines: Sequence[str], source: str) -> Segments:
    """The trees of raw segments; an empty one has no tree.

    Words stand apart in the trees, with blanks between them, as kernels count them.
    """
    from analyzer.rst_parser.text import read_plain

    by_segment: dict[str, Unit | None] = {}
    for start in range(0, len(lines), _AT_ONCE):
        numbers = range(start + 1, min(start + _AT_ONCE, len(lines)) + 1)
        plain = [read_plain(lines[number - 1], str(number)) for number in numbers]
        texts = [replace(text, spaces=[True] * len(text)) for text in plain]
        full = [text for text in texts if len(text)]
        trees = iter(parser.parse_together(full))
        for text in texts:
            by_segment[text.name] = next(trees).unit if len(text) else None
    return Segments(source, by_segment)


def check_segments(
    reference: Segments,
    systems: Mapping[str, Segments],
    *,
    missing: str = "error",
    notes: list[str] | None = None,
) -> None:
    """Whether systems have a tree for each segment of the reference, and no others.

    A segment too many, or without reference tree, is always an error. A system that
    lacks a tree is an error too, unless `missing="worst"`; then a note tells.
    """
    if reference.missing:
        raise PairingError(
            "E921 the reference has no tree for",
            Place(reference.source),
            some=_some(reference.missing),
        )
    for name, segments in systems.items():
        place = Place(segments.source)
        surplus = [key for key in segments.trees if key not in reference.trees]
        if surplus:
            raise PairingError(
                "E984 which the reference lacks",
                place,
                name=name,
                surplus=_some(surplus),
                trees=len(segments.trees),
                in_reference=len(reference.trees),
            )
        lacking = [key for key in reference.trees if segments.trees.get(key) is None]
        if lacking and missing == "error":
            raise PairingError(
                "E924 has no tree for", place, name=name, some=_some(lacking)
            )
        if lacking and notes is not None:
            notes.append(f"{name}: no tree for {_some(lacking)}; scored 0")


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return f"{counted(len(names), 'segment')} ({shown})"
