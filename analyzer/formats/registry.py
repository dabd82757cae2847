"""Every format of trees: what it looks like, how it is read and written.

A file is recognised by how it begins, never by its name. What reads a format is
imported when a file in it is read. docs/rst_formats.md shows those of discourse.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from analyzer.exceptions import InputError, Place, RstError, SettingsError
from analyzer.files.inputs import Input, InputFile
from analyzer.files.sources import stream_of
from analyzer.formats import shapes
from grammars import terminal_patterns

if TYPE_CHECKING:
    from analyzer.formats.rst.dispatch import Document
    from analyzer.model.dependencies import DiscourseTree
    from analyzer.model.discourse import Unit
    from analyzer.model.treebank import Treebank

Trees = TypeVar("Trees")


class Family(Enum):
    """What kind of trees a file holds: of sentences, or of documents."""

    SYNTAX = "syntax"
    DISCOURSE = "discourse"


@dataclass(frozen=True)
class Format(Generic[Trees]):
    """A way to write trees down.

    `sniff` is given a text, without the byte order mark, comments and white space that
    it may begin with; `read` a text and its name. Formats that begin as others do are
    recognised only where their family is known: they have `tells_family` False, or a
    stricter look at the text.
    """

    name: str
    family: Family
    sniff: Callable[[str], bool]
    read: Callable[[str, str], Trees]
    write: Callable[[DiscourseTree, str], str] | None = None
    tells_family: bool | Callable[[str], bool] = True
    sees_comments: bool = False  # `sniff` is given lines that begin with # as well


# -- syntax ---------------------------------------------------------------------------

_TIGER_ROOTS = ("corpus", "subcorpus")


def _is_penn(start: str) -> bool:
    comment = terminal_patterns("common")["COMMENT"]
    return comment.sub("", start).lstrip().startswith("(")


def _is_tiger(start: str) -> bool:
    return start.startswith("<") and _root_element(start) in _TIGER_ROOTS


def _root_element(start: str) -> str | None:
    # What parses XML is loaded only where there is some.
    from analyzer.files.xml import root_element

    return root_element(start)


def _syntax(
    name: str, sniff: Callable[[str], bool], *, sees_comments: bool = False
) -> Format[Treebank]:
    def read(text: str, source: str) -> Treebank:
        from analyzer.formats.blocks import read_all
        from analyzer.formats.opening import tree_file

        return read_all(tree_file(name, stream_of(text), source), source)

    return Format(name, Family.SYNTAX, sniff, read, sees_comments=sees_comments)


PENN, TIGER = "penn", "tiger"
# In the order in which they are tried: the first that fits is the one.
SYNTAX_FORMATS: tuple[Format[Treebank], ...] = (
    _syntax(TIGER, _is_tiger),
    _syntax("export", shapes.is_export, sees_comments=True),
    _syntax("conll-2012", shapes.is_conll_2012),
    _syntax("discbracket", shapes.is_discbracket),
    _syntax("ancora", shapes.has_lemmas),
    _syntax("markup", shapes.has_markup),
    _syntax("corpus-search", shapes.has_comments_of_corpus_search),
    _syntax("historical", shapes.is_historical),
    _syntax(PENN, _is_penn),
)

# -- discourse ------------------------------------------------------------------------

# Expressions are compiled when first needed: that takes longer than to look.
_XML = r"<(?:\?xml|rst\b|!--|!DOCTYPE\s+rst)"
_COLUMNS = r"\d+(?:\t[^\n\t]*){7}"
_HEIGHT = 2  # the third column of .rsd; of CoNLL-U that is a lemma
_SUFFIXED = r"(?m)\t\d+\t[^\t\n]+_[rm](?:\t|$)"


def _begins_with(*shapes: str, flags: int = 0) -> Callable[[str], bool]:
    """Whether a text begins with one of some expressions."""
    return lambda start: any(re.match(shape, start, flags) for shape in shapes)


def _is_rs3(start: str) -> bool:
    """Not all XML is .rs3: TIGER-XML is syntax."""
    return bool(re.match(_XML, start)) and _root_element(start) in (None, "rst")


def _is_rsd(start: str) -> bool:
    columns = re.match(_COLUMNS, start)
    if columns is None:
        return False
    has_height = columns[0].split("\t")[_HEIGHT].isdigit()
    return has_height or re.search(_SUFFIXED, start) is not None


def _is_table_of_edus(start: str) -> bool:
    """Whether the first line names the columns that a table of EDUs must have."""
    names = set(re.split(r"[\t,]", start.partition("\n")[0].strip().lower()))
    return {"edu", "head"} <= names and not names.isdisjoint(("relation", "label"))


def _discourse(
    name: str,
    sniff: Callable[[str], bool],
    *,
    is_written: bool = False,
    tells_family: bool | Callable[[str], bool] = True,
) -> Format[list[Document]]:
    def read(text: str, source: str) -> list[Document]:
        from analyzer.formats.rst.dispatch import read_in

        return read_in(name, text, source)

    def write(tree: DiscourseTree, document: str) -> str:
        from analyzer.formats.rst.dispatch import write_in

        return write_in(name, tree, document)

    return Format(
        name,
        Family.DISCOURSE,
        sniff,
        read,
        write if is_written else None,
        tells_family,
    )


# In the order in which they are tried: the first that fits is the one.
DISCOURSE_FORMATS: tuple[Format[list[Document]], ...] = (
    _discourse(
        "dis",
        _begins_with(
            r"(?://TT_ERR\s*)*\(\s*(?:Root|Nucleus|Satellite)\s*(?:\(\s*|$)"
            r"(?:(?:span|leaf)\b|$)"
        ),
        is_written=True,
    ),
    _discourse("rs3", _is_rs3, is_written=True),
    _discourse("rsd", _is_rsd, is_written=True),
    _discourse(
        "conllu",
        _begins_with(_COLUMNS),
        is_written=True,
        tells_family=_begins_with(r"\d+(?:\t[^\n\t]*){4}\t[^\n\t]*\bNuclearity="),
    ),
    _discourse("json", _begins_with(r'\{[^{}]*"format"\s*:\s*"rst"'), is_written=True),
    _discourse(
        "spans",
        _begins_with(
            r"\[?\s*\(\s*\(\s*\d+\s*,\s*\d+\s*\)\s*,\s*[uU]?['\"]",
            r"[(\[\s]*\d+\s*[-:]\s*(?:Nucleus|Satellite|Root)\s*[:=]",
        ),
    ),
    _discourse(
        "decisions",
        _begins_with(r"[(\[]*\s*\d++[^\n]*\b(?:NS|SN|NN)[\s,;:-]"),
        tells_family=False,
    ),
    _discourse(
        "brackets",
        _begins_with(r"(?:(?:Parse)?Tree)?\("),
        is_written=True,
        tells_family=False,
    ),
    _discourse(
        "table",
        _begins_with(r"(?:edu|id)[\t,]", flags=re.IGNORECASE),
        tells_family=_is_table_of_edus,
    ),
    _discourse(
        "triples",
        _begins_with(r"\d+[ \t]+\d+[ \t]+\S+[ \t]*(?:\r?\n|$)"),
        tells_family=False,
    ),
)
WRITTEN = tuple(one.name for one in DISCOURSE_FORMATS if one.write is not None)

# -- which one is it? -----------------------------------------------------------------

FORMATS: tuple[Format[Any], ...] = (*DISCOURSE_FORMATS, *SYNTAX_FORMATS)
_COMMENTS = r"(?:#[^\n]*+\n|\s++)*+"
_LINE_OF_BRACKETS = r"(?m)^[ \t]*\("
# What is looked at where the first bytes of a file do not tell.
_LONG_LOOK = 1 << 19
# How the names of texts end that lie beside their discourse trees.
_PROSE = (".txt", ".out", ".edus")


def detect(start: str, family: Family | None = None) -> Format[Any] | None:
    """The format that a text is in, from how it starts; None if it is in none.

    Brackets may be either family's: discourse only if `family` says so.

    >>> [detect(start).name for start in ("( Root (span 1 2)", "<rst>", "(S (A a))")]
    ['dis', 'rs3', 'penn']
    >>> detect("(NS-Cause (1) (2))", Family.DISCOURSE).name
    'brackets'
    """
    whole = start.removeprefix("\ufeff")
    text = _without_comments(whole)
    for one in FORMATS:
        look = whole if one.sees_comments else text
        if _is_asked_for(one, family, look) and one.sniff(look):
            return one
    return None


def _is_asked_for(one: Format[Any], family: Family | None, start: str) -> bool:
    if family is not None:
        return one.family is family
    tells = one.tells_family
    return tells(start) if callable(tells) else tells


def _without_comments(text: str) -> str:
    comments = re.match(_COMMENTS, text)
    return text[comments.end() :] if comments else text


def refuse_unsupported(start: str, source: str) -> None:
    """InputError if a file is in a format that is known and not read."""
    name = shapes.unsupported(_without_comments(start.removeprefix("\ufeff")))
    if name is not None:
        raise InputError(
            "is {format}, which is not read here; see docs/tree_formats.md for the "
            "formats that are",
            Place(source),
            code="E149",
            format=name,
        )


def family_of(given: Input) -> Family:
    """Which trees an input holds; syntax if nothing tells.

    The first file in a known format tells, but in a folder all files must agree.
    """
    told: dict[Family, str] = {}
    for file in given.files:
        try:
            found = format_of(file)
        except InputError:
            if file.is_read_once:
                raise
            continue  # whoever reads it says what is wrong
        if found is None or _is_companion(file, found):
            continue
        told.setdefault(found.family, file.name)
        if not given.is_folder:
            break
    if len(told) == len(Family):
        raise InputError(
            "contains trees of sentences ({sentences}) and of documents ({documents}); "
            "name the files that you mean",
            Place(given.name),
            code="E140",
            sentences=told[Family.SYNTAX],
            documents=told[Family.DISCOURSE],
        )
    return next(iter(told), Family.SYNTAX)


def format_of(file: InputFile) -> Format[Any] | None:
    """The format of a file, from how it begins; InputError if it cannot be read."""
    # Blank lines or a long comment may come first.
    return detect(file.start()) or detect(file.start(_LONG_LOOK))


def _is_companion(file: InputFile, found: Format[Any]) -> bool:
    """Whether it is the text that was annotated, which may begin with a bracket."""
    return found.name == PENN and file.name.endswith(_PROSE)


def check_syntax(file: InputFile) -> None:
    """InputError if a file of a folder does not hold trees of sentences."""
    found = format_of(file)
    if found is None:
        start = file.start(_LONG_LOOK)
        if re.search(_LINE_OF_BRACKETS, start):
            return  # after some that is no tree
        if not start.strip():
            raise InputError("is empty", Place(file.name), code="E141")
        refuse_unsupported(start, file.name)
        raise InputError("contains no trees", Place(file.name), code="E142")
    if found.family is Family.DISCOURSE:
        raise InputError(
            "contains a discourse tree ({format}), not trees of sentences",
            Place(file.name),
            code="E143",
            format=found.name,
        )


# -- discourse trees as text ----------------------------------------------------------


def parse_documents(
    text: str, source: str = "<text>", *, format: str = ""
) -> list[Document]:
    """The documents of a text: one, but for brackets, which may have a tree a line."""
    found = _format_named(format) if format else detect(text, Family.DISCOURSE)
    if found is None and text.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        found = _format_named("rs3")  # which says what it misses
    if found is not None:
        documents: list[Document] = found.read(text, source)
        return documents
    if not text.strip():
        raise RstError("is empty", Place(source), code="E303")
    shown = text.strip().split("\n")[0][:20]
    known = ", ".join(sorted(one.name for one in DISCOURSE_FORMATS))
    raise RstError(
        "an unknown format: it begins with {shown!r}; known are {known}",
        Place(source, 1),
        code="E302",
        shown=shown,
        known=known,
    )


def read_document(
    text: str,
    source: str = "<text>",
    *,
    format: str = "",
    multinuclear: Collection[str] | None = None,
) -> Unit:
    """The constituent tree of a document in any format; RstError if it is none.

    A dependency tree is turned into constituents (2018, Algorithm 2); if it has no
    nuclearity or no order, they are guessed as in section 4.1, with the relations that
    are `multinuclear`.

    >>> [unit.label for unit in read_document("(NS-Cause (1) (2))").walk()]
    ['---/R', 'span/N', 'Cause/S']
    """
    from analyzer.transform.heuristics import RELEASED_MULTINUCLEAR, constituents

    documents = parse_documents(text, source, format=format)
    if len(documents) > 1:
        second = documents[1].tree
        line = getattr(second, "line", None)
        raise RstError("a second root", Place(source, line), code="E304")
    known = RELEASED_MULTINUCLEAR if multinuclear is None else multinuclear
    return constituents(documents[0].tree, source, multinuclear=known)


def write_rst(tree: DiscourseTree, format: str, *, name: str = "") -> str:
    """A tree in a format of `WRITTEN`, turned into the other kind if need be."""
    if format not in WRITTEN:
        raise SettingsError(
            "no format {format!r} to write; there are {written:list}",
            code="E518",
            format=format,
            written=WRITTEN,
        )
    write = _format_named(format).write
    assert write is not None
    return write(tree, name)


def _format_named(name: str) -> Format[list[Document]]:
    return next(one for one in DISCOURSE_FORMATS if one.name == name)
