"""One discourse tree a segment: from a file with a tree a line, or a folder."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from analyzer.exceptions import InputError, PairingError, Place, RstError
from analyzer.formats.documents import file_text, read_rst, without_collecting
from analyzer.formats.registry import Family, detect, parse_documents
from analyzer.formats.rst.brackets import read_brackets
from analyzer.model.discourse import Unit
from analyzer.safe_text import counted
from analyzer.transform.heuristics import constituents

_NUMBER_AT_END = re.compile(r"(\D*)(\d+)")
_NAMED = 3


@dataclass(frozen=True)
class Segments:
    """Trees by segment; a segment whose tree is missing is None."""

    source: str
    trees: dict[str, Unit | None]

    @property
    def missing(self) -> list[str]:
        return [name for name, tree in self.trees.items() if tree is None]


def read_segments(spec: str, *, encoding: str = "utf-8") -> Segments:
    """The trees of a translation or a reference.

    A file of brackets has a tree a line, and an empty line is a segment without tree
    (at the end of a file, nothing); segments are numbered from 1. A folder or a glob
    has a file a segment in any format; `seg_12.dis` is segment 12 if all are numbered
    in this way, otherwise the segment is called as its file is.
    """
    if not os.path.isdir(spec) and not any(c in spec for c in "*?["):
        text = file_text(spec, encoding=encoding)
        with without_collecting():
            format = detect(text, Family.DISCOURSE)
            if format is not None and format.name == "brackets":
                return Segments(spec, _lines(text, spec))
            documents = parse_documents(text, spec)
            trees = [constituents(one.tree, spec) for one in documents]
        return Segments(spec, _numbered(trees))
    found = read_rst(spec, encoding=encoding, strict=True)
    names, named = found.names, list(found)
    parts = [_NUMBER_AT_END.fullmatch(name) for name in names]
    if all(parts) and len({part[1] for part in parts if part}) == 1:
        names = [str(int(part[2])) for part in parts if part]
        if len(set(names)) < len(names):
            raise InputError(
                "two files of one segment (7 and 07)", Place(spec), code="E922"
            )
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
            found = read_brackets(line, source)
        except RstError as error:
            try:
                # Perhaps its trees go over several lines; then they are counted.
                return _numbered(read_brackets(text, source))
            except RstError:
                place = error.place
                column = place.column if place else None
                raise error.at(Place(source, number, column)) from None
        if len(found) > 1:
            raise RstError(
                "{count} trees on a line; expected one for each segment",
                Place(source, number),
                code="E923",
                count=len(found),
            )
        trees += found
    return _numbered(trees)


def _numbered(trees: list[Unit | None] | list[Unit]) -> dict[str, Unit | None]:
    return {str(number): tree for number, tree in enumerate(trees, start=1)}


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
            "the reference has no tree for {some}",
            Place(reference.source),
            code="E921",
            some=_some(reference.missing),
        )
    for name, segments in systems.items():
        place = Place(segments.source)
        surplus = [one for one in segments.trees if one not in reference.trees]
        if surplus:
            raise PairingError(
                "{name} has {surplus}, which the reference lacks: {trees:,} against "
                "{in_reference:,}",
                place,
                code="E984",
                name=name,
                surplus=_some(surplus),
                trees=len(segments.trees),
                in_reference=len(reference.trees),
            )
        lacking = [one for one in reference.trees if segments.trees.get(one) is None]
        if lacking and missing == "error":
            raise PairingError(
                "{name} has no tree for {some}; --missing worst scores them 0",
                place,
                code="E924",
                name=name,
                some=_some(lacking),
            )
        if lacking and notes is not None:
            notes.append(f"{name}: no tree for {_some(lacking)}; scored 0")


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return f"{counted(len(names), 'segment')} ({shown})"
