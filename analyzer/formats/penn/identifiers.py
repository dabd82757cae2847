"""Names of sentences in files of brackets, and what stands there that is none.

Two kinds of files have them. In the Penn historical corpora and those like them,

    ( (CODE <P_8>))
    ( (METADATA (AUTHOR ...)) (IP-MAT (NP-SBJ (PRO I)) (VBP say)) (ID ALLEN,8.16))

a tree's last child is its name; CODE and METADATA are no words, and trees of nothing
else no sentences. Which labels these are is in the label sets of treebanks that write
such trees (`sentence-name`, `no-text`). In the Chinese treebank and those like it,
lines of markup stand around the trees:

    <S ID=12>
    ( (IP (NP-SBJ (NN ...)) ...))
    </S>

Such a line is read as a comment; the last one before a tree that has an ID names it.

CorpusSearch, the search program of the historical corpora, writes the text of a
sentence, and where things were found, between trees; such lines are comments, too:

    /~*
    He came to the city
    *~/
    /*
    1 IP-MAT:  1 IP-MAT, 4 NP-SBJ
    */
"""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from functools import cache
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import Place, TreeSyntaxError
from analyzer.files.sources import ChangedLines, Readable
from analyzer.model.arrays import Flags, Ints
from analyzer.model.symbols import SYMBOLS, by_name
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import default_labels, label_set_names, load_labels
from analyzer.transform.pruning import keep_leaves

_UNLABELLED_ROOT = re.compile(rb"\n\(\s*\(")
_FIRST_LABEL = re.compile(rb"\s*\(\s*\(([!-\x7e]+?)[\s()]")
# A leaf as the last child of a root: the next one begins in the first column.
_LEAF_AT_COMMENT_END = re.compile(rb"\([^\s()]+[ \t]+[^\s()]+\)\s*\)\s*(?:\n[(#]|\Z)")
# A line of markup and nothing else: no brackets, so it cannot be part of a tree.
_MARKUP = re.compile(rb"^<(?=[/?!]?[A-Za-z-][^<>()]*>[^()]*$)", re.MULTILINE)
_ID_LINE = re.compile(
    rb"""^\#[A-Za-z]+\s[^>()]*?\bid\s*=\s*["']?([^\s"'<>()]+)""",
    re.MULTILINE | re.IGNORECASE,
)


class Markers(NamedTuple):
    """Labels of what trees hold beside the sentence, and what files look like then."""

    names: frozenset[str]  # of what names the sentence
    no_text: frozenset[str]  # of these, and of all else that is no part of it
    start: re.Pattern[bytes]  # a first tree of nothing else
    # The name at the end of a tree: the next one begins in the first column.
    name_at_end: re.Pattern[bytes]


@cache
def markers() -> Markers:
    """Those of all treebanks that name sentences in their trees.

    >>> sorted(markers().names), "CODE" in markers().no_text
    (['ID'], True)
    """
    named = [
        labels for labels in map(load_labels, label_set_names()) if labels.sentence_name
    ]
    names = frozenset(name for labels in named for name in labels.sentence_name)
    no_text = names.union(*(labels.no_text for labels in named))
    return Markers(
        names,
        no_text,
        re.compile(rb"\s*\(\s*\((?:%b)[\s()]" % _any_of(no_text)),
        re.compile(rb"\((?:%b)[ \t]+[^\s()]+\)\s*\)\s*(?:\n[(#]|\Z)" % _any_of(names)),
    )


def _any_of(labels: frozenset[str]) -> bytes:
    return b"|".join(re.escape(label).encode() for label in sorted(labels))


class Names(Enum):
    """Where a file of brackets has the names of its sentences."""

    NONE = "nowhere"
    HISTORICAL = "in the trees"
    MARKUP = "in lines of markup"


def is_historical(start: bytes) -> bool:
    """Whether a file that starts like this is of the Penn historical corpora.

    >>> is_historical(b"( (CODE <P_8>))"), is_historical(b"( (S (X a)) (ID A,1))")
    (True, True)
    >>> is_historical(b"( (S (NP (ID card)) (VP (X a))))")
    False
    """
    if not _UNLABELLED_ROOT.search(b"\n" + start):
        return False
    first = _FIRST_LABEL.match(start)
    is_plain = first is None or first[1].decode() in default_labels().phrase
    if is_plain and not _LEAF_AT_COMMENT_END.search(start):
        return False  # known without the labels of all treebanks
    known = markers()
    return bool(known.start.match(start) or known.name_at_end.search(start))


def is_markup(start: bytes) -> bool:
    """Whether a file starts with a line of markup, as the Chinese treebank does."""
    return bool(_MARKUP.match(start.lstrip()))


def markup_as_comments(stream: Readable) -> Readable:
    """A stream whose lines of markup are comments: `#` for `<`, all else as it is.

    >>> import io
    >>> text = b"<S ID=1>\\n( (S (X a)))\\n</S>\\n"
    >>> markup_as_comments(io.BytesIO(text)).read(99)
    b'#S ID=1>\\n( (S (X a)))\\n#/S>\\n'
    """
    return ChangedLines(stream, lambda lines: _MARKUP.sub(b"#", lines))


def with_names(
    bank: Treebank, names: Names, *, text: bytes, first_line: int, first_sentence: int
) -> Treebank:
    """The sentences of a block of text, with their names."""
    if names is Names.MARKUP:
        return _named_by_lines(bank, text, first_line)
    return _renumbered(_sentences(bank), first_sentence)


def are_sentences(bank: Treebank) -> Flags:
    """Which trees of a historical corpus are sentences: all but CODE and the like.

    What could not be read may be one, and so may a tree without words.
    """
    has_words = np.diff(np.append(0, np.cumsum(~_is_no_text(bank)))[bank.leaf_start])
    had_words = np.diff(bank.leaf_start)
    is_sentence: Flags = (has_words > 0) | (had_words == 0)
    is_sentence[list(bank.problems)] = True
    return is_sentence


def _sentences(bank: Treebank) -> Treebank:
    """The sentences of a historical corpus; names and codes taken out of them."""
    kept = are_sentences(bank)
    ids = _ids(bank)
    is_word = ~_is_no_text(bank)
    if not is_word.all():
        bank = keep_leaves(bank, is_word)
    if kept.all():
        return replace(bank, ids=tuple(ids) if any(ids) else ())
    number = np.cumsum(kept) - 1
    chosen = tuple(name for name, keep in zip(ids, kept.tolist(), strict=True) if keep)
    return replace(
        bank,
        node_start=np.append(bank.node_start[:-1][kept], bank.node_start[-1]),
        leaf_start=np.append(bank.leaf_start[:-1][kept], bank.leaf_start[-1]),
        line=bank.line[kept],
        problems={int(number[tree]): value for tree, value in bank.problems.items()},
        mends={int(number[tree]): value for tree, value in bank.mends.items()},
        ids=chosen if any(chosen) else (),
    )


def _renumbered(bank: Treebank, first_sentence: int) -> Treebank:
    """Problems with numbers that count sentences, not trees that are none."""
    if not bank.problems:
        return bank
    problems: dict[int, TreeSyntaxError] = {}
    for tree, problem in bank.problems.items():
        place = problem.place or Place(bank.source)
        problems[tree] = problem.at(replace(place, sentence=first_sentence + tree))
    return replace(bank, problems=problems)


def _is_no_text(bank: Treebank) -> Flags:
    """Per leaf: whether it or a phrase above it is no text."""
    no_text = markers().no_text
    is_none = by_name(bank.label, lambda name: name in no_text, np.bool_)
    row = np.flatnonzero(is_none)
    leaves = bank.leaf_node.size
    inside = np.bincount(bank.first[row], minlength=leaves + 1)
    inside -= np.bincount(bank.last[row], minlength=leaves + 1)
    below: Flags = np.cumsum(inside[:-1]) > 0
    return below


def _ids(bank: Treebank) -> list[str]:
    """The name of each tree: the word of the ID right below its root."""
    leaves = bank.leaf_node
    of_names = [SYMBOLS.id(name) for name in markers().names]
    is_id = np.isin(bank.label[leaves], of_names) & (bank.depth[leaves] == 1)
    ids = [""] * len(bank)
    at: Ints = np.flatnonzero(is_id)
    trees = np.searchsorted(bank.leaf_start, at, side="right") - 1
    for tree, form in zip(trees.tolist(), bank.forms(at), strict=True):
        ids[tree] = form
    return ids


def _named_by_lines(bank: Treebank, text: bytes, first_line: int) -> Treebank:
    ids = [""] * len(bank)
    line, start = first_line, 0
    for match in _ID_LINE.finditer(text):
        line += text.count(b"\n", start, match.start())
        start = match.start()
        tree = int(np.searchsorted(bank.line, line))
        if tree < len(ids):
            ids[tree] = match[1].decode("utf-8", "replace")
    return replace(bank, ids=tuple(ids) if any(ids) else ())


# -- comments of CorpusSearch -------------------------------------------------------

_COMMENT_START = re.compile(rb"/~?\*")
_COMMENT_END = re.compile(rb"\*~?/\s*$")


def has_search_comments(start: str) -> bool:
    """Whether a line of a file that starts like this begins a comment.

    >>> has_search_comments("/*\\nPREFACE\\n*/\\n( (S (X a)))")
    True
    >>> has_search_comments("( (S (X /*)))")
    False
    """
    return bool(re.search(r"(?m)^/~?\*", start))


def search_comments(stream: Readable) -> Readable:
    """A stream whose comments begin with `#`, line by line.

    >>> import io
    >>> text = b"/~*\\nHe came\\n*~/\\n( (S (X a)))\\n"
    >>> search_comments(io.BytesIO(text)).read(99)
    b'#/~*\\n#He came\\n#*~/\\n( (S (X a)))\\n'
    """
    return ChangedLines(stream, _Comments())


class _Comments:
    """Marks the lines of comments; remembers whether it is inside of one."""

    def __init__(self) -> None:
        self._is_inside = False

    def __call__(self, lines: bytes) -> bytes:
        return b"".join(map(self._line, lines.splitlines(keepends=True)))

    def _line(self, line: bytes) -> bytes:
        if not self._is_inside and not _COMMENT_START.match(line):
            return line
        self._is_inside = not _COMMENT_END.search(line)
        return b"#" + line
