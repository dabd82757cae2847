"""Documents from files, globs, directories, URLs and standard input."""

from __future__ import annotations

import gc
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, NamedTuple, TypeGuard, cast

from analyzer.exceptions import (
    AnalyzerError,
    InputError,
    InputWarning,
    Place,
    RstError,
    TooLargeError,
)
from analyzer.files.inputs import TREE_ENDINGS, Input, InputFile, Origin
from analyzer.files.small_files import LARGEST_FILE, decode_utf8, lines_of, read_bytes
from analyzer.files.sources import STDIN
from analyzer.formats.reading import as_input
from analyzer.formats.registry import (
    Family,
    detect,
    documents_of,
    format_of,
    parse_documents,
)
from analyzer.formats.rst.brackets import read_brackets
from analyzer.formats.rst.building import Document
from analyzer.formats.rst.dis import scan_documents
from analyzer.model.discourse import (
    NO_RELATION,
    ROOT,
    DependencyTree,
    Documents,
    Reading,
    Unit,
    joined,
)
from analyzer.model.settings import keywords
from analyzer.model.treebank import Treebank
from analyzer.runtime.executor import run_tasks
from analyzer.transform.documents import Roots, replaced, rooted_alone
from analyzer.transform.head_order import (
    RELEASED_MULTINUCLEAR,
    Multinuclear,
    constituents,
    multinuclear_relations,
)

_COMPRESSED = (".gz", ".bz2", ".xz")
# What the names of these files end in, after the document's own name.
_ENDINGS = TREE_ENDINGS | {
    ".dep",
    ".rels",
    ".json",
    ".tsv",
    ".csv",
    ".out",
    ".edus",
    ".txt",
    ".tok",
}
_PLAIN_STARTS = tuple(bytes([byte]) for byte in b" \t\r\n(<{[#0123456789")
_ENCODING_HINT = "; if the file is in another encoding, name it (--encoding latin-1)"
_TEXT_NAME = "text"  # what the document of a text is called
_AT_ONCE = 64  # documents of a scan: about a block of the fast reader
_OPEN_FILES = ("/dev/fd/", "/proc/self/fd/")
_LOOKED_AT = 4096  # characters, to tell whether a file in a directory is a document

# The code of the error for a document that was read already.
SECOND_DOCUMENT = "E301"


# What functions take that ask for documents.
Paths = str | Path | IO[bytes] | Sequence[str | Path] | Input
DocumentSource = Paths | Documents | Iterable[tuple[str, Unit]]


class NamedDocument(NamedTuple):
    name: str
    source: str  # the file
    document: Document


@keywords()
def read_rst(
    source: Paths,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    jobs: int | None = 1,
    keep_texts: bool = True,
    multinuclear: Multinuclear | Iterable[str] | None = None,
    graphs: bool = False,
    roots: Roots | str | None = None,
) -> Documents:
    """The documents of a path, several paths, an open file or a text, as constituents.

    A string is a file, a glob, a directory, a URL or '-', unless it begins like a
    document of any format and there is no file of that name. Files of a directory in no
    known format are skipped, unless their names suggest trees. The name of a document
    is that of its file without endings; several documents of one file are numbered:
    `test:1`. Documents that cannot be read are in `problems`; with `strict` the first
    of them is raised. Without texts, `jobs` processes read .dis quickly. Dependencies
    without nuclearity get it from the relations that are `multinuclear`. With `graphs`,
    dependencies that are no constituent tree are read as `arcs`, not as problems.
    `roots`: what becomes of documents of several trees; without it they are joined, and
    whoever scores them may still choose.

    >>> read_rst("(NS-Cause (1) (2))")
    <Documents <text>: 1 document, 2 EDUs>
    """
    given = documents_input(source, encoding=encoding)
    documents = None
    if not keep_texts and not given.is_text:
        documents = _scanned_documents(given, encoding, jobs)
    if documents is None:
        with without_collecting():
            named, problems = read_written(given)
            known = RELEASED_MULTINUCLEAR if multinuclear is None else multinuclear
            documents = _as_units(named, problems, given.name, known, graphs=graphs)
    if roots is not None:
        documents = rooted_alone(documents, roots)
    if strict and documents.problems:
        raise documents.problems[0]
    return replace(documents, stem=_stem(given))


def _stem(given: Input) -> str | None:
    """What documents of a single file are called; None if it is not what was named."""
    if given.is_text:
        return _TEXT_NAME
    is_single = given.origin is Origin.LISTED and len(given.files) == 1
    return document_name(given.files[0].name) if is_single else None


def as_documents(
    source: DocumentSource,
    *,
    encoding: str = "utf-8",
    strict: bool = False,
    jobs: int | None = 1,
    keep_texts: bool = True,
    multinuclear: Multinuclear | Iterable[str] | None = None,
    graphs: bool = False,
) -> Documents:
    """Documents as they are, names with trees as a table, anything else read."""
    if isinstance(source, Documents):
        return source
    if not _is_paths(source):
        return Documents.of_units(cast(Iterable[tuple[str, Unit]], source))
    return read_rst(
        source,
        encoding=encoding,
        strict=strict,
        jobs=jobs,
        keep_texts=keep_texts,
        multinuclear=multinuclear,
        graphs=graphs,
    )


def _is_paths(source: Paths | Iterable[tuple[str, Unit]]) -> TypeGuard[Paths]:
    """Whether they name documents; trees with their names may come from anywhere."""
    if isinstance(source, str | Path | Input) or hasattr(source, "read"):
        return True
    is_list = isinstance(source, Sequence)
    return is_list and all(isinstance(item, str | Path) for item in source)


def documents_input(source: Paths, *, encoding: str = "utf-8") -> Input:
    """A path, paths, an open file or a document's text as an input."""
    if isinstance(source, str) and _is_text(source):
        return Input.of_text(source)
    if isinstance(source, str):
        return Input.of_path(source, encoding=encoding)
    return as_input(source, encoding=encoding)


def _is_text(source: str) -> bool:
    """Whether a string is a document rather than the path of some."""
    if os.path.lexists(source):
        return False
    return "\n" in source or detect(source, Family.DISCOURSE) is not None


def multinuclear_of(
    given: str | Iterable[str] | None, encoding: str = "utf-8"
) -> Iterable[str] | None:
    """Relations between nuclei: a collection, a text with commas, a file of them, or
    trees to learn them from."""
    if given is None or not isinstance(given, str):
        return given
    if os.path.isfile(given):
        text = file_text(given, encoding=encoding)
        if detect(text, Family.DISCOURSE) is None:
            return frozenset(text.replace(",", " ").split())
    if os.path.exists(given) or "*" in given:
        training = read_rst(given, encoding=encoding, strict=True)
        return multinuclear_relations(root for _, root in training)
    if os.sep in given:
        raise InputError("E102 no such file", Place(given))
    return frozenset(label.strip() for label in given.split(",") if label.strip())


def _as_units(
    documents: Iterable[NamedDocument],
    problems: list[RstError],
    source: str,
    multinuclear: Multinuclear | Iterable[str] = RELEASED_MULTINUCLEAR,
    *,
    graphs: bool = False,
) -> Documents:
    units: list[tuple[str, Unit]] = []
    readings: list[Reading] = []
    known = Multinuclear.of(multinuclear)
    arcs: dict[int, DependencyTree] = {}
    for name, path, document in documents:
        for note in document.warnings:
            warning = InputWarning(path, note.removeprefix(f"{path}: "))
            warnings.warn(warning, stacklevel=2)
        tree = document.tree
        error = None
        if not graphs or isinstance(tree, Unit) or not tree.is_of_arcs:
            try:
                unit = constituents(tree, path, multinuclear=known)
            except RstError as caught:
                error = caught
        if graphs and not isinstance(tree, Unit) and (error or tree.is_of_arcs):
            unit, arcs[len(units)] = joined(_alone(tree)), tree
            readings.append(Reading("dependency graph", "read as arcs", 1, name))
        elif error:
            problems.append(error)
            continue
        units.append((name, unit))
        readings += [reading._replace(document=name) for reading in document.readings]
    made = Documents.of_units(units, source, problems)
    made = replace(made, readings=tuple(readings))
    if not arcs:
        return made
    alone = replaced(made, {at: _alone(tree) for at, tree in arcs.items()})
    return replace(alone, arcs=arcs)


def _alone(tree: DependencyTree) -> list[Unit]:
    """Every EDU by itself."""
    return [Unit(ROOT, NO_RELATION, text=text) for text in tree.texts]


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
            with suppress(AnalyzerError):  # it is read again below, and refused there
                texts = [file_text(path, encoding=self.encoding) for path in paths]
                bank = scan_documents(texts, self.spec)
                if bank is not None:
                    return _FilesRead([document_name(p) for p in paths], bank, [])
            problems: list[RstError] = []
            named = [
                document
                for path in paths
                for document in _named_documents(
                    InputFile(path, encoding=self.encoding), problems
                )
            ]
            documents = _as_units(named, problems, self.spec)
            return _FilesRead(documents.names, documents.bank, problems)


def _scanned_documents(
    given: Input, encoding: str, jobs: int | None
) -> Documents | None:
    """Documents without their texts; None if they are not all in .dis."""
    files = [path for file in given.files if (path := file.path)]
    names = {document_name(path) for path in files}
    is_dis = all(path.endswith(".dis") for path in files)
    if not files or not is_dis or not len(names) == len(files) == len(given.files):
        return None
    tasks = [files[at : at + _AT_ONCE] for at in range(0, len(files), _AT_ONCE)]
    parts = list(run_tasks(_Scan(given.name, encoding), tasks, jobs=jobs))
    return Documents(
        [name for part in parts for name in part.names],
        Treebank.join([part.bank for part in parts], given.name),
        [
            *_problems_of(given),
            *(problem for part in parts for problem in part.problems),
        ],
    )


def _problems_of(given: Input) -> list[RstError]:
    """The files that may have held documents and could not be opened."""
    return [loss.error.as_a(RstError) for loss in given.losses]


def read_written(
    source: Paths, *, encoding: str = "utf-8"
) -> tuple[list[NamedDocument], list[RstError]]:
    """Documents as they were written, dependency trees as such; and the problems.

    The first argument is what `read_rst` takes.
    """
    given = documents_input(source, encoding=encoding)
    if given.is_text:
        text = file_text(given.files[0])
        parsed = parse_documents(text, given.name)
        return numbered(_TEXT_NAME, given.name, parsed), []
    named: list[NamedDocument] = []
    problems = _problems_of(given)
    taken: dict[str, str] = {}
    with without_collecting():
        files = list(given.files)
        # The text that .rels are read with is no document.
        beside = {
            f"{file.name.removesuffix('.rels')}{ending}"
            for file in files
            if file.name.endswith(".rels")
            for ending in (".conllu", ".tok")
        }
        for file in files:
            if file.name in beside:
                continue
            name = document_name(file.name)
            documents = _named_documents(file, problems, given)
            if documents and name in taken:
                problems.append(
                    RstError(
                        SECOND_DOCUMENT, Place(file.name), name=name, first=taken[name]
                    )
                )
                continue
            if documents:
                taken[name] = file.name
            named += documents
    given.warn(of_losses=False)  # which are among the problems
    if not named and not problems:
        raise InputError("E124 contains no discourse trees", Place(given.name))
    return named, problems


def _named_documents(
    file: InputFile, problems: list[RstError], given: Input | None = None
) -> list[NamedDocument]:
    try:
        documents = _documents(file, given)
    except RstError as error:
        problems.append(error)
        return []
    except AnalyzerError as error:  # not text, cut short, no permission
        if given is not None and given.passes_over(file, error):
            return []  # a picture among documents
        problems.append(error.at(error.place or Place(file.name)).as_a(RstError))
        return []
    return numbered(document_name(file.name), file.name, documents)


def numbered(
    name: str, source: str, documents: Sequence[Document]
) -> list[NamedDocument]:
    """The documents of a file by name; several have their own, or are numbered."""
    if len(documents) == 1 and not documents[0].name:
        return [NamedDocument(name, source, documents[0])]
    return [
        NamedDocument(document.name or f"{name}:{number}", source, document)
        for number, document in enumerate(documents, start=1)
    ]


def _documents(file: InputFile, given: Input | None) -> list[Document]:
    try:
        text = file_text(file)
    except TooLargeError:
        trees = _trees_by_line(file)
        if not trees:
            raise
        return [Document(tree) for tree in trees]
    format = format_of(file, Family.DISCOURSE, text)
    if given is not None and format is None:
        error = InputError("E142 contains no trees", Place(file.name))
        if given.passes_over(file, error):
            return []  # a README among documents
    return documents_of(format, text, file.name)


def _trees_by_line(file: InputFile) -> list[Unit]:
    """The trees of brackets, one a line, which may fill a file of any size.

    None if it is another file.
    """
    trees: list[Unit] = []
    with file.open() as stream:
        lines = lines_of(stream, file.name, longest=LARGEST_FILE)
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            if not trees:
                format = detect(line[:_LOOKED_AT], Family.DISCOURSE)
                if format is None or format.name != "brackets":
                    break
            try:
                trees += read_brackets(line, file.name)
            except RstError as error:
                column = error.place.column if error.place else None
                raise error.at(Place(file.name, number, column)) from None
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


def file_text(source: str | InputFile, *, encoding: str = "utf-8") -> str:
    """All of a file, decompressed and decoded; InputError if it is too large."""
    file = InputFile(source, encoding=encoding) if isinstance(source, str) else source
    is_quick = file.encoding == "utf-8" and not file.is_open
    data = _plain_bytes(file) if is_quick else None
    if data is None:
        file.keep()  # if it is too large, it may be read by lines
        with file.open() as stream:
            data = read_bytes(stream, file.name, LARGEST_FILE)
    return decode_utf8(data, file.name, hint=_ENCODING_HINT)


def _plain_bytes(file: InputFile) -> bytes | None:
    """The bytes of a file that begins as text does; None: it needs a closer look.

    Most files are plain, and corpora have thousands of small ones.
    """
    path = file.path
    if path is None:
        return None
    try:
        with open(path, "rb", buffering=0) as stream:
            data = stream.read(LARGEST_FILE + 1)
    except OSError:
        return None  # whoever looks closer says why
    is_plain = data[:1] in _PLAIN_STARTS and b"\0" not in data
    is_plain = is_plain and (b"\r" not in data or b"\n" in data)
    return data if is_plain and len(data) <= LARGEST_FILE else None


def document_name(path: str) -> str:
    """What a document is called: its file, without folders and endings.

    >>> document_name("gold/wsj_0601.out.dis"), document_name("GUM_bio.rs4.gz")
    ('wsj_0601', 'GUM_bio')
    """
    if path == STDIN:
        return "stdin"
    if path.startswith(_OPEN_FILES):  # <(…) of a shell
        return "pipe"
    name = os.path.basename(path)
    while True:
        start, ending = os.path.splitext(name)
        if not start or ending.lower() not in (*_ENDINGS, *_COMPRESSED):
            return name
        name = start
