"""How files of syntactic trees begin: what tells one format from another.

Expressions are compiled where they are used, and what looks closer is imported there:
most files are Penn brackets, and commands should start quickly.
"""

from __future__ import annotations

import re

_LINE_OF_BRACKETS = r"(?m)^[ \t]*\("
_EXPORT_LINE = r"(?m)^(?:#BOS[ \t]+\S|#FORMAT[ \t]+[34]\s)"
# Document, part, number, word, tag, and a bit of a tree that opens a bracket.
_CONLL_2012_LINE = (
    r"(?!\()\S+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]+\S+[ \t]+\S+[ \t]+\([^\s*]*\*[)\s]"
)
_LEAF = r"\([^\s()]+[ \t]+([^()]*[^\s()])[ \t]*\)"
# As in brackets with lemmas.
_LEAF_OF_THREE = r"\([^\s()]+\s+[^\s()]+\s+[^\s()]+\s*\)"
_NUMBERED_WORD = r"[0-9]+=\S*"
_XML = r"(?:<\?xml[^>]*>\s*)?(?:<!--(?s:.*?)-->\s*|<!DOCTYPE[^>]*>\s*)*"
_ROW = r"[0-9]+\t[^\t\n]+"
# Known, and not read: what they are called, and how they begin.
UNSUPPORTED = {
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


def is_export(start: str) -> bool:
    """Lines that begin with #: comments for other formats, sentences for this one.

    >>> is_export("%% NeGra\\n#BOS 1\\n"), is_export("# a comment\\n(S (A a))")
    (True, False)
    """
    is_bracket = start.lstrip().startswith("(")
    return "#" in start and not is_bracket and bool(re.search(_EXPORT_LINE, start))


def is_conll_2012(start: str) -> bool:
    """Columns, the sixth of which is a bit of a tree.

    >>> is_conll_2012("bc/cctv/00/a 0 0 In IN (TOP(S(PP* - - -")
    True
    """
    return not start.startswith(("(", "<")) and bool(re.match(_CONLL_2012_LINE, start))


def is_discbracket(start: str) -> bool:
    """Brackets: the words of the first tree are numbered, from 0 on.

    >>> is_discbracket("(S (A 1=b) (B 0=a))"), is_discbracket("(S (A 0=1) (B a))")
    (True, False)
    """
    if not start.startswith("(") or "0=" not in start:
        return False
    words = re.findall(_LEAF, _first_tree(start))
    has_first = any(word.startswith("0=") for word in words)
    return has_first and all(re.fullmatch(_NUMBERED_WORD, word) for word in words)


def _first_tree(start: str) -> str:
    """The text up to where its first bracket closes; all if it does not."""
    depth = 0
    for bracket in re.finditer(r"[()]", start):
        depth += 1 if bracket[0] == "(" else -1
        if depth <= 0:
            return start[: bracket.end()]
    return start


def has_lemmas(start: str) -> bool:
    """Brackets nearly all of whose words have lemmas."""
    if not start.startswith("(") or not re.search(_LEAF_OF_THREE, start):
        return False
    from analyzer.formats import lemmas

    return lemmas.has_lemmas(start)


def is_historical(start: str) -> bool:
    """Brackets as in the Penn historical corpora."""
    if not start.startswith("("):
        return False
    from analyzer.formats.penn import identifiers

    return identifiers.is_historical(start.encode())


def has_markup(start: str) -> bool:
    """Brackets between lines of markup, as in the Chinese treebank."""
    if not start.startswith("<") or not has_line_of_brackets(start):
        return False
    from analyzer.formats.penn import identifiers

    return identifiers.is_markup(start.encode())


def has_comments_of_corpus_search(start: str) -> bool:
    """Brackets, and the comments of a program that searches them."""
    if not start.startswith(("(", "/")) or not ("/*" in start or "/~*" in start):
        return False
    from analyzer.formats.penn import corpus_search

    return has_line_of_brackets(start) and corpus_search.has_comments(start)


def has_line_of_brackets(start: str) -> bool:
    """Whether a line begins with one."""
    return bool(re.search(_LINE_OF_BRACKETS, start))


def unsupported(text: str) -> str | None:
    """The name of a format that is known and not read, from how a file starts.

    >>> unsupported("1\\tHe\\the\\tPRON\\tPRP\\t_\\t2\\tnsubj\\t_\\t_\\n")
    'CoNLL-U (dependencies)'
    """
    if text.startswith("("):
        return None
    return next((name for name, it in UNSUPPORTED.items() if re.match(it, text)), None)
