"""Every format of trees, and which of them a file is in.

A file is recognised by how it begins; only where that tells nothing, its name may. Each
format declares itself in the module that reads it. Here stand the names of these
modules, so that they are imported for files that may be theirs, and no others.
docs/tree_formats.md and docs/rst_formats.md show the formats.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from analyzer.exceptions import InputError, Place, RstError, SettingsError
from analyzer.files.inputs import Input, InputFile
from analyzer.files.sources import LOOK_BYTES
from analyzer.formats.blocks import Family as Family
from analyzer.formats.blocks import Format as Format
from analyzer.model.settings import keywords
from analyzer.runtime.executor import declared_here

if TYPE_CHECKING:
    from analyzer.formats.rst.building import Document
    from analyzer.model.discourse import DiscourseTree, Unit


class Listed(NamedTuple):
    """Where a format is, and what a text is like that may be in it."""

    name: str
    family: Family
    module: str  # with the format's name in capitals
    first: str  # characters; "" is any
    hint: str = ""  # an expression that is in the text
    tells_family: bool = True  # False: others begin so as well
    sees_comments: bool = False  # as in `Format`

    def may_begin(self, start: str) -> bool:
        """Whether it is worth asking the format itself."""
        if self.first and start[:1] not in self.first:
            return False
        return not self.hint or re.search(self.hint, start) is not None

    @property
    def format(self) -> Format:
        return _format_in(self.module, self.name)


@cache
def _format_in(module: str, name: str) -> Format:
    attribute = name.upper().replace("-", "_")
    kind: Format = getattr(import_module(f"analyzer.formats.{module}"), attribute)
    return kind


_DIGITS = "0123456789"
_LOOSE_WORD = r"\([^\s()]+\s+[^\s()]+\s+[^\s)]"  # `(NP the cat`, `(VP saw (`
# A number or a remark before a tree; two lines with trees that begin with one word.
_FIRST_WORD = r"[^)\n]*[ \t(]{}[ \t]*+\)"
_TWICE = _FIRST_WORD.format(r"([^\s()]++)") + r".*\n" + _FIRST_WORD.format(r"\1")
_LISTS = rf"\A(?:#\s*Parse|[-+]?[0-9.]++[ \t]*+(?:[^\n(]*+\n|\())|(?m:^{_TWICE})"
_UNIT = "Root|Nucleus|Satellite"
_DISCOURSE, _SYNTAX = Family.DISCOURSE, Family.SYNTAX
# In the order in which they are tried: the first that fits is the one.
FORMATS = (
    Listed("nbest", _SYNTAX, "nbest", "", _LISTS, sees_comments=True),
    Listed("dis", _DISCOURSE, "rst.dis", "(/", _UNIT),
    Listed("rs4", _DISCOURSE, "rst.rs3", "<", "<(?:sigtypes|secedges|signals)"),
    Listed("rs3", _DISCOURSE, "rst.rs3", "<"),
    Listed("segments", _DISCOURSE, "rst.arcs", _DIGITS, r"\tSeg=|BeginSeg="),
    Listed("rsd", _DISCOURSE, "rst.dependencies", _DIGITS, r"\A\d+\t"),
    Listed("conllu", _DISCOURSE, "rst.dependencies", _DIGITS, r"\A\d+\t"),
    Listed("json", _DISCOURSE, "rst.units_json", "{"),
    Listed("scidtb", _DISCOURSE, "rst.arcs", "{", r'"root"'),
    Listed(
        "ntt-json", _DISCOURSE, "rst.brackets", "[{", r'"(?:edu_[st]|doc_id|.*_tree)'
    ),
    Listed("dialogue", _DISCOURSE, "rst.arcs", "[{", r'"(?:edus|relations)"'),
    Listed("rels", _DISCOURSE, "rst.arcs", "d", r"\Adoc\tunit1_toks"),
    Listed("ntt", _DISCOURSE, "rst.brackets", "(", r"\((?:nucleus|satellite)[:-]"),
    Listed("spans", _DISCOURSE, "rst.spans_and_decisions", "", r"\A[(\[\s]*\d"),
    Listed(
        *("decisions", _DISCOURSE, "rst.spans_and_decisions", "", r"\A[(\[]*\s*\d"),
        tells_family=False,
    ),
    Listed("brackets", _DISCOURSE, "rst.brackets", "(PT", tells_family=False),
    Listed("table", _DISCOURSE, "rst.dependencies", "eEiI"),
    Listed("triples", _DISCOURSE, "rst.dependencies", _DIGITS, tells_family=False),
    Listed("tiger", _SYNTAX, "tiger", "<"),
    Listed("export", _SYNTAX, "tiger", "", "#(?:BOS|FORMAT)", sees_comments=True),
    Listed("conll-2012", _SYNTAX, "conll_2012", "", r"\A[^(<]\S*[ \t]+[0-9]+[ \t]"),
    Listed("discbracket", _SYNTAX, "dialects", "(", "0="),
    Listed("cgel", _SYNTAX, "dialects", "(", r"\A\([^()\"]+\s:\S+\s*[(\"]"),
    Listed("square", _SYNTAX, "dialects", "["),
    Listed("ancora", _SYNTAX, "dialects", "(", r"\([^\s()]+(?:\s+[^\s()]+){2}\s*\)"),
    Listed("floresta", _SYNTAX, "dialects", "(", r"\([^\s()+]+\+[a-z]"),
    Listed("markup", _SYNTAX, "penn.reader", "<"),
    Listed("corpus-search", _SYNTAX, "penn.reader", "(/", r"/~?\*"),
    Listed("unlabelled", _SYNTAX, "dialects", "(", r"\([a-z]"),
    Listed("slash", _SYNTAX, "dialects", "(", r"\([^\s()]+\s+[^\s()]+/[A-Z]"),
    Listed("untagged", _SYNTAX, "dialects", "(", _LOOSE_WORD),
    Listed("penn", _SYNTAX, "penn.reader", ""),
)
PENN = "penn"
# What names of files tell where their start does not.
_ENDINGS: dict[str, Listed | Format] = {
    ".cgel": next(listed for listed in FORMATS if listed.name == "cgel")
}
# Formats that are written: trees come back from the first as they were; DISRPT's
# relations say neither nuclearity nor order.
WHOLE_TREES = ("dis", "rs3", "rs4", "rsd", "conllu", "json", "brackets")
WRITTEN = (*WHOLE_TREES, "rels")
_REGISTERED: list[Format] = []

_XML = r"(?:<\?xml[^>]*>\s*)?(?:<!--(?s:.*?)-->\s*|<!DOCTYPE[^>]*>\s*)*"
_ROW = r"[0-9]+\t[^\t\n]+"
# Known, and not read: what they are called, and how they begin.
_UNSUPPORTED = {
    "CoNLL-U (dependencies)": r"(?:[0-9]+[-.][^\n]*\n)*"
    rf"{_ROW}(?:\t[^\t\n]*){{8}}(?:\n|\Z)",
    "CoNLL-2009 (dependencies)": rf"{_ROW}(?:\t[^\t\n]*){{12,}}(?:\n|\Z)",
    "Alpino XML": rf"{_XML}<alpino_ds\b",
    "export XML": rf"{_XML}<exml",
    "FoLiA": rf"{_XML}<FoLiA\b",
    "TCF": rf"{_XML}<D-Spin\b",
    "PAULA": rf"{_XML}<paula\b",
    "NAF": rf"{_XML}<(?:NAF|KAF)\b",
    "French Treebank XML": rf"{_XML}<(?:text|SENT)\b",
    "AnCora XML": rf"{_XML}<article\b",
    "TEI XML (psdx and others)": rf"{_XML}<TEI(?:\.2|[Cc]orpus)?\b",
    "GrAF": rf"{_XML}<graph\b",
    "Perseus XML (dependencies)": rf"{_XML}<treebank\b",
    "OntoNotes Normal Form (.onf)": r"-{20,}\s+Plain sentence:",
    "typed dependencies": r"[a-z][a-z:_]*\(\S+-[0-9]+'*, \S+-[0-9]+'*\)\s",
    "HTML": r"(?i:<!DOCTYPE\s+html|<html)\b",
    "tagged words (word/TAG)": r"(?:\[ )?[^\s/]+/[A-Z]{2,4}\$?\s+[^\s/]+/[A-Z.,:$]+\s",
}
_COMMENTS = r"(?>(?:#[^\n]*+\n|\s++)*)"
_LINE_OF_BRACKETS = r"(?m)^[ \t]*\("
# JSON, of which nobody said which field to read.
_RECORDS = r"\s*\[?\s*\{\s*\""
# What is looked at where the first bytes of a file do not tell.
_LONG_LOOK = 1 << 19
# How the names of texts end that lie beside their discourse trees.
_PROSE = (".txt", ".out", ".edus")


def register(format: Format) -> None:
    """Read one more format; it is asked before all others. `unregister` undoes it."""
    _REGISTERED.append(format)
    declared_here.append(format)


def unregister(format: Format) -> None:
    _REGISTERED.remove(format)
    declared_here.remove(format)


def format_named(name: str) -> Format:
    """A format by its name, which must be one."""
    listed: Iterator[Format] = (entry.format for entry in FORMATS if entry.name == name)
    return next((entry for entry in _REGISTERED if entry.name == name), None) or next(
        listed
    )


# -- which one is it? -----------------------------------------------------------------


def detect(start: str, family: Family | None = None) -> Format | None:
    """The format that a text is in, from how it starts; None if it is in none.

    Brackets may be either family's: discourse only if `family` says so.

    >>> [detect(start).name for start in ("( Root (span 1 2)", "<rst>", "(S (A a))")]
    ['dis', 'rs3', 'penn']
    >>> detect("(NS-Cause (1) (2))", Family.DISCOURSE).name
    'brackets'
    """
    whole = start.removeprefix("\ufeff")
    text = _without_comments(whole)
    for format in _REGISTERED:
        if _is_in(format, family, whole if format.sees_comments else text):
            return format
    for listed in FORMATS:
        if listed.tells_family if family is None else listed.family is family:
            look = whole if listed.sees_comments else text
            if listed.may_begin(look) and _is_in(listed.format, family, look):
                return listed.format
    return None


def _is_in(format: Format, family: Family | None, start: str) -> bool:
    if family is not None and format.family is not family:
        return False
    if family is None and format.tells_family and not format.tells_family(start):
        return False
    return bool(format.begins(start))


def _without_comments(text: str) -> str:
    comments = re.match(_COMMENTS, text)
    return text[comments.end() :] if comments else text


def format_of(
    file: InputFile, family: Family | None = None, text: str | None = None
) -> Format | None:
    """The format of a file, which is asked once; InputError if it cannot be read.

    `text`: what is in it, if that was read.
    """
    known = file.formats
    if family not in known:
        of_any = known.get(None)
        is_known = of_any is not None and of_any.family is family
        known[family] = of_any if is_known else _looked_at(file, family, text)
    kind: Format | None = known[family]
    return kind


def _looked_at(
    file: InputFile, family: Family | None, text: str | None
) -> Format | None:
    start = file.start() if text is None else text
    kind = detect(start, family)
    if kind is None and text is None and len(start) >= LOOK_BYTES // 4:
        # Blank lines or a long comment may come first.
        kind = detect(file.start(_LONG_LOOK), family)
    return kind or _by_ending(file.name, family)


def _by_ending(name: str, family: Family | None) -> Format | None:
    endings = _ENDINGS | {end: entry for entry in _REGISTERED for end in entry.endings}
    for ending in reversed(name.lower().split(".")[1:]):
        listed = endings.get(f".{ending}")
        if listed is not None and family in (None, listed.family):
            return listed if isinstance(listed, Format) else listed.format
    return None


def syntax_format(file: InputFile, *, mend: bool = False) -> Format:
    """What reads a file as trees of sentences: Penn brackets if nothing tells.

    With `mend`, any text may stand around trees.
    """
    kind = format_of(file, Family.SYNTAX)
    start = file.start() if mend or kind is None else ""
    if kind is not None and not (mend and _may_be_answers(kind, start)):
        return kind
    if re.match(_RECORDS, start):
        raise InputError("E178 records of JSON", Place(file.name))
    if not mend and not re.search(_LINE_OF_BRACKETS, start):
        refuse_unsupported(start, file.name)
    if start.lstrip().startswith("<"):
        from analyzer.formats.tiger import TIGER, is_xml

        if is_xml(start):
            return TIGER  # which says what it misses
    return format_named(PENN)


def _may_be_answers(kind: Format, start: str) -> bool:
    """Whether a file begins with an answer whose start only looks like a format's."""
    if kind.name == "square":
        return re.search(_LINE_OF_BRACKETS, start) is not None
    return kind.name == "markup" and start.lstrip().startswith("<think")


def refuse_unsupported(start: str, source: str) -> None:
    """InputError if a file is in a format that is known and not read."""
    text = _without_comments(start.removeprefix("\ufeff"))
    if text.startswith("("):
        return
    for name, shape in _UNSUPPORTED.items():
        if re.match(shape, text):
            raise InputError("E149 which is not read here", Place(source), format=name)


def family_of(given: Input) -> Family:
    """Which trees an input holds; syntax if nothing tells.

    The first file in a known format decides, but in a folder all files must agree.
    """
    file_of: dict[Family, str] = {}
    for file in given.files:
        try:
            kind = format_of(file)
        except InputError:
            if file.is_read_once:
                raise
            continue  # the reader says what is wrong
        # The text that was annotated may begin with a bracket.
        is_prose = file.name.endswith(_PROSE)
        if kind is None or (kind.name == PENN and is_prose):
            continue
        file_of.setdefault(kind.family, file.name)
        if not given.is_folder:
            break
    if len(file_of) == len(Family):
        raise InputError(
            "E140 contains trees of sentences",
            Place(given.name),
            sentences=file_of[Family.SYNTAX],
            documents=file_of[Family.DISCOURSE],
        )
    return next(iter(file_of), Family.SYNTAX)


def check_syntax(file: InputFile) -> None:
    """InputError if a file of a folder does not hold trees of sentences."""
    kind = format_of(file)
    if kind is None:
        start = file.start(_LONG_LOOK)
        if re.search(_LINE_OF_BRACKETS, start):
            return  # after some that is no tree
        if not start.strip():
            raise InputError("E141 is empty", Place(file.name))
        refuse_unsupported(start, file.name)
        raise InputError("E142 contains no trees", Place(file.name))
    if kind.family is Family.DISCOURSE:
        raise InputError(
            "E143 contains a discourse tree", Place(file.name), format=kind.name
        )


# -- discourse trees as text ----------------------------------------------------------


def parse_documents(
    text: str, source: str = "<text>", *, format: str = ""
) -> list[Document]:
    """The documents of a text: one, but for brackets, which may have a tree a line."""
    kind = format_named(format) if format else detect(text, Family.DISCOURSE)
    return documents_of(kind, text, source)


def documents_of(kind: Format | None, text: str, source: str) -> list[Document]:
    """The documents of a text in a format; None is one that is not known."""
    if kind is None and text.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        kind = format_named("rs3")  # which says what it misses
    if kind is not None:
        from analyzer.formats.rst.building import Document

        trees = kind.reader(text, source)
        trees = trees if isinstance(trees, list) else [trees]
        return [
            tree if isinstance(tree, Document) else Document(tree) for tree in trees
        ]
    if not text.strip():
        raise RstError("E303 is empty", Place(source))
    shown = text.strip().split("\n")[0][:20]
    known = ", ".join(
        sorted(entry.name for entry in FORMATS if entry.family is _DISCOURSE)
    )
    raise RstError("E302 an unknown format", Place(source, 1), shown=shown, known=known)


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
    from analyzer.transform.head_order import RELEASED_MULTINUCLEAR, constituents

    documents = parse_documents(text, source, format=format)
    if len(documents) > 1:
        line = getattr(documents[1].tree, "line", None)
        raise RstError("E304 a second root", Place(source, line))
    known = RELEASED_MULTINUCLEAR if multinuclear is None else multinuclear
    return constituents(documents[0].tree, source, multinuclear=known)


@keywords()
def write_rst(tree: DiscourseTree, format: str, *, name: str = "") -> str:
    """A tree in a format of `WRITTEN`, turned into the other kind if need be."""
    if format not in WRITTEN:
        raise SettingsError("E518 to write", format=format, written=WRITTEN)
    from analyzer.model.discourse import Unit
    from analyzer.transform.head_order import constituents, dependency_tree

    kind = format_named(format)
    assert kind.writer is not None
    if not kind.is_of_dependencies:
        return kind.writer(constituents(tree, name))
    arcs = dependency_tree(tree, source=name) if isinstance(tree, Unit) else tree
    return kind.writer(arcs, name)
