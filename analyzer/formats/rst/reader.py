"""Documents from files, globs, directories and standard input."""

from __future__ import annotations

import gc
import glob
import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    Place,
    RstError,
    TooLargeError,
)
from analyzer.files.small_files import LARGEST_FILE, bytes_of, decoded, lines_of
from analyzer.files.sources import STDIN, open_utf8
from analyzer.formats.registry import Family, detect, parse_documents
from analyzer.formats.rst.brackets import read_brackets
from analyzer.formats.rst.documents import Document
from analyzer.model.discourse import Unit
from analyzer.transform.heuristics import RELEASED_MULTINUCLEAR, constituents

_COMPRESSED = (".gz", ".bz2", ".xz")
# What the names of these files end in, after the document's own name.
_TREES = frozenset(
    (
        *(".dis", ".doc_dis", ".sen_dis", ".rs3", ".rs4", ".rsd", ".conllu", ".conll"),
        *(".dep", ".brackets", ".tree", ".mrg", ".pred"),
    )
)
_ENDINGS = _TREES | {".xml", ".json", ".tsv", ".csv", ".out", ".edus", ".txt"}
_PLAIN_STARTS = tuple(bytes([byte]) for byte in b" \t\r\n(<{[#0123456789")
_ENCODING_HINT = "; if the file is in another encoding, name it (--encoding latin-1)"
_LOOKED_AT = 4096  # characters, to tell whether a file in a directory is a document


class NamedDocument(NamedTuple):
    name: str
    source: str  # the file
    document: Document


def read_corpus(
    spec: str,
    *,
    encoding: str = "utf-8",
    multinuclear: Collection[str] = RELEASED_MULTINUCLEAR,
    warnings: list[str] | None = None,
) -> tuple[list[tuple[str, Unit]], list[RstError]]:
    """Documents by name, as constituents, and what is wrong with the others.

    `spec` is a file, a glob or a directory, whose files may be in different formats;
    those that are in none, and are not called as if they were, are passed over. A
    document is called what its file is called, without endings; if a file has several,
    they are numbered: `test:1`.
    """
    found: list[tuple[str, Unit]] = []
    with without_collecting():
        documents, errors = read_as_written(spec, encoding=encoding)
        for name, source, document in documents:
            try:
                tree = constituents(document.tree, source, multinuclear=multinuclear)
            except RstError as error:
                errors.append(error)
                continue
            found.append((name, tree))
            if warnings is not None:
                warnings.extend(document.warnings)
    return found, errors


def read_as_written(
    spec: str, *, encoding: str = "utf-8"
) -> tuple[list[NamedDocument], list[RstError]]:
    """Documents as they were written, dependency trees as such; and the errors."""
    found: list[NamedDocument] = []
    errors: list[RstError] = []
    taken: dict[str, str] = {}
    with without_collecting():
        for path in document_files(spec):
            try:
                documents = _documents(path, encoding, is_listed=path == spec)
                name = document_name(path)
                if documents and name in taken:
                    message = f"a second document {name!r}; the first is {taken[name]}"
                    raise RstError(message, Place(path))
                taken[name] = path
            except RstError as error:
                errors.append(error)
                continue
            except AnalyzerError as error:  # not text, cut short, no permission
                errors.append(RstError(error.message, error.place or Place(path)))
                continue
            several = len(documents) > 1
            for number, document in enumerate(documents, start=1):
                own = f"{name}:{number}" if several else name
                found.append(NamedDocument(own, path, document))
    if not found and not errors:
        raise InputError("no discourse trees in here", Place(spec))
    return found, errors


def _documents(path: str, encoding: str, *, is_listed: bool) -> list[Document]:
    try:
        text = file_text(path, encoding=encoding)
    except TooLargeError:
        trees = _trees_by_line(path, encoding)
        if not trees:
            raise
        return [Document("brackets", tree, []) for tree in trees]
    is_meant = is_listed or _endings(path) & _TREES
    if not is_meant and not detect(text[:_LOOKED_AT], Family.DISCOURSE):
        return []  # a README among documents
    return parse_documents(text, path)


def _trees_by_line(path: str, encoding: str) -> list[Unit]:
    """The trees of brackets, one a line, which may fill a file of any size.

    None if it is another file, or can be read only once.
    """
    trees: list[Unit] = []
    if path == STDIN:
        return trees
    lines = lines_of(path, encoding=encoding, longest=LARGEST_FILE)
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        if not trees:
            format = detect(line[:_LOOKED_AT], Family.DISCOURSE)
            if format is None or format.name != "brackets":
                break
        try:
            trees += read_brackets(line, path)
        except RstError as error:
            column = error.place.column if error.place else None
            raise RstError(error.message, Place(path, number, column)) from None
    return trees


@contextmanager
def without_collecting() -> Iterator[None]:
    """Without looking for garbage: units form trees, and no cycles.

    Python would look through all units read so far, again and again.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def file_text(path: str, *, encoding: str = "utf-8") -> str:
    """All of a file, decompressed and decoded; InputError if it is too large."""
    data = _plain_bytes(path) if encoding == "utf-8" else None
    if data is None:
        with open_utf8(path, encoding=encoding) as stream:
            data = bytes_of(stream, path, LARGEST_FILE)
    return decoded(data, path, hint=_ENCODING_HINT)


def _plain_bytes(path: str) -> bytes | None:
    """The bytes of a file that begins as text does; None: it needs a closer look.

    Most files are plain, and corpora have thousands of small ones.
    """
    if path == STDIN:
        return None
    try:
        with open(path, "rb", buffering=0) as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError:
        return None  # whoever looks closer says why
    is_plain = data[:1] in _PLAIN_STARTS and b"\0" not in data
    return data if is_plain and len(data) <= LARGEST_FILE else None


def document_files(spec: str) -> list[str]:
    """The files that an argument stands for, sorted by name."""
    if spec == STDIN or os.path.isfile(spec):
        return [spec]
    if os.path.isdir(spec):
        return sorted(
            str(path)
            for path in Path(spec).rglob("*")
            if path.is_file() and not path.name.startswith(".")
        )
    if any(character in spec for character in "*?["):
        matches = sorted(filter(os.path.isfile, glob.glob(spec, recursive=True)))
        if matches:
            return matches
        raise InputError("no file matches this pattern", Place(spec))
    raise InputError("no such file", Place(spec))


def _endings(path: str) -> set[str]:
    return {ending.lower() for ending in Path(path).suffixes}


def document_name(path: str) -> str:
    """What a document is called: its file, without folders and endings.

    >>> document_name("gold/wsj_0601.out.dis"), document_name("GUM_bio.rs4.gz")
    ('wsj_0601', 'GUM_bio')
    """
    if path == STDIN:
        return "stdin"
    name = os.path.basename(path)
    while True:
        start, ending = os.path.splitext(name)
        if not start or ending.lower() not in (*_ENDINGS, *_COMPRESSED):
            return name
        name = start
