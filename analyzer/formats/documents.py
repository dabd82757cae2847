"""Documents from files, globs, directories, URLs and standard input."""

from __future__ import annotations

import gc
import glob
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    Place,
    RstError,
    TooLargeError,
)
from analyzer.files.small_files import LARGEST_FILE, decode_utf8, read_bytes, read_lines
from analyzer.files.sources import STDIN, open_utf8
from analyzer.files.urls import files_at, is_url
from analyzer.formats.registry import Family, detect, parse_documents
from analyzer.formats.rst.brackets import read_brackets
from analyzer.formats.rst.dis_scanner import scan_documents
from analyzer.formats.rst.dispatch import Document
from analyzer.model.discourse import Documents, Unit
from analyzer.model.treebank import Treebank
from analyzer.runtime.executor import run_tasks
from analyzer.transform.heuristics import constituents

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
# What is called the source of what is no file, and its documents.
_TEXT, _TEXT_NAME = "<text>", "text"
_AT_ONCE = 64  # documents of a scan: about a block of the fast reader
_LOOKED_AT = 4096  # characters, to tell whether a file in a directory is a document

# The code of the error for a document that was read already.
SECOND_DOCUMENT = "E301"


# What functions take that ask for documents.
DocumentSource = str | Path | Documents | Iterable[tuple[str, Unit]]


class NamedDocument(NamedTuple):
    name: str
    source: str  # the file
    document: Document


def read_rst(
    source: str | Path,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    jobs: int | None = 1,
    keep_texts: bool = True,
) -> Documents:
    """The documents of a path or a text, as constituents, in any format.

    A string is a file, a glob, a directory, a URL or '-', unless it begins as a
    document does. Files of a directory that are in no format, and are not called as if
    they were, are passed over. A document is called what its file is called, without
    endings; if a file has several, they are numbered: `test:1`. What cannot be read is
    in `problems`; with `strict` the first of them is raised.

    Without texts, .dis is read fast, by so many processes.

    >>> read_rst("(NS-Cause (1) (2))")
    <Documents <text>: 1 document, 2 EDUs>
    """
    spec = str(source)
    is_text = _is_text(spec)
    found = None
    if not keep_texts and not is_text:
        found = _scanned_documents(spec, encoding, jobs)
    if found is None:
        with without_collecting():
            documents, problems = read_written(spec, encoding=encoding)
            found = _as_units(documents, problems, _TEXT if is_text else spec)
    if strict and found.problems:
        raise found.problems[0]
    return replace(found, stem=_TEXT_NAME if is_text else _stem(spec, found.names))


def _stem(spec: str, names: Sequence[str]) -> str | None:
    """What documents of a single file are called; None if it is not what was named."""
    if os.path.isdir(spec):
        return None
    stem = document_name(spec)
    is_single = all(name == stem or name.startswith(f"{stem}:") for name in names)
    return stem if is_single else None


def as_documents(
    source: DocumentSource,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    jobs: int | None = 1,
    keep_texts: bool = True,
) -> Documents:
    """Documents as they are, names with trees as a table, anything else read."""
    if isinstance(source, Documents):
        return source
    if not isinstance(source, str | Path):
        return Documents.of_units(source)
    return read_rst(
        source, encoding=encoding, strict=strict, jobs=jobs, keep_texts=keep_texts
    )


def _is_text(source: str) -> bool:
    """Whether a string is a document rather than the path of some."""
    if os.path.exists(source):
        return False
    return "\n" in source or detect(source, Family.DISCOURSE) is not None


def _as_units(
    documents: Iterable[NamedDocument], problems: list[RstError], source: str
) -> Documents:
    found: list[tuple[str, Unit]] = []
    for name, path, document in documents:
        try:
            found.append((name, constituents(document.tree, path)))
        except RstError as error:
            problems.append(error)
    return Documents.of_units(found, source, problems)


class _FilesRead(NamedTuple):
    """Some documents as columns, and what is wrong with the others."""

    names: list[str]
    bank: Treebank
    problems: Sequence[RstError]


@dataclass(frozen=True)
class _Scan:
    """How some .dis files are read: what another process has to know."""

    spec: str
    encoding: str

    def __call__(self, paths: Sequence[str]) -> _FilesRead:
        with without_collecting():
            with suppress(AnalyzerError):  # is told of below
                texts = [file_text(path, encoding=self.encoding) for path in paths]
                bank = scan_documents(texts, self.spec)
                if bank is not None:
                    return _FilesRead([document_name(p) for p in paths], bank, [])
            problems: list[RstError] = []
            named = [
                one
                for path in paths
                for one in _named_documents(path, self.encoding, problems)
            ]
            found = _as_units(named, problems, self.spec)
            return _FilesRead(found.names, found.bank, problems)


def _scanned_documents(spec: str, encoding: str, jobs: int | None) -> Documents | None:
    """Documents without their texts; None if they are not all in .dis."""
    files = document_files(spec)
    names = {document_name(path) for path in files}
    is_dis = all(path.endswith(".dis") for path in files)
    if not files or not is_dis or len(names) < len(files):
        return None
    tasks = [files[at : at + _AT_ONCE] for at in range(0, len(files), _AT_ONCE)]
    parts = list(run_tasks(_Scan(spec, encoding), tasks, jobs=jobs))
    return Documents(
        [name for part in parts for name in part.names],
        Treebank.join([part.bank for part in parts], spec),
        [problem for part in parts for problem in part.problems],
    )


def read_written(
    spec: str, *, encoding: str = "utf-8"
) -> tuple[list[NamedDocument], list[RstError]]:
    """Documents as they were written, dependency trees as such; and the problems.

    The first argument is what `read_rst` takes.
    """
    if _is_text(spec):
        return _numbered(_TEXT_NAME, _TEXT, parse_documents(spec, _TEXT)), []
    found: list[NamedDocument] = []
    problems: list[RstError] = []
    taken: dict[str, str] = {}
    with without_collecting():
        for path in document_files(spec):
            name = document_name(path)
            documents = _named_documents(
                path, encoding, problems, is_listed=path == spec
            )
            if documents and name in taken:
                problems.append(
                    RstError(
                        "a second document {name!r}; the first is {first}",
                        Place(path),
                        code=SECOND_DOCUMENT,
                        name=name,
                        first=taken[name],
                    )
                )
                continue
            if documents:
                taken[name] = path
            found += documents
    if not found and not problems:
        raise InputError("no discourse trees in here", Place(spec), code="E124")
    return found, problems


def _named_documents(
    path: str, encoding: str, problems: list[RstError], *, is_listed: bool = True
) -> list[NamedDocument]:
    try:
        documents = _documents(path, encoding, is_listed=is_listed)
    except RstError as error:
        problems.append(error)
        return []
    except AnalyzerError as error:  # not text, cut short, no permission
        problems.append(error.at(error.place or Place(path)).as_a(RstError))
        return []
    return _numbered(document_name(path), path, documents)


def _numbered(
    name: str, source: str, documents: Sequence[Document]
) -> list[NamedDocument]:
    if len(documents) == 1:
        return [NamedDocument(name, source, documents[0])]
    return [
        NamedDocument(f"{name}:{number}", source, document)
        for number, document in enumerate(documents, start=1)
    ]


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
    lines = read_lines(path, encoding=encoding, longest=LARGEST_FILE)
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
            raise error.at(Place(path, number, column)) from None
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
            data = read_bytes(stream, path, LARGEST_FILE)
    return decode_utf8(data, path, hint=_ENCODING_HINT)


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
    if is_url(spec):
        return files_at(spec)
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
        raise InputError("no file matches this pattern", Place(spec), code="E112")
    raise InputError("no such file", Place(spec), code="E102")


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
