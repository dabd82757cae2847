"""The export format of NeGra, versions 3 and 4: trees with crossing branches.

    #BOS 1
    Ihn      --  PPER   --  OA  500
    hat      --  VAFIN  --  HD  501
    er       --  PPER   --  SB  501
    gesehen  --  VVPP   --  HD  500
    .        --  $.     --  --  0
    #500     --  VP     --  OC  501
    #501     --  S      --  --  0
    #EOS 1

A line is a word, or a phrase that begins with its number (#500 and on): lemma (version
4 only), tag, morphology, edge label, parent; secondary edges may follow, in pairs. The
number of columns tells the version: odd in 3, even in 4. `%%` begins a comment.

What becomes of it is as for TIGER-XML: see `formats.tiger`.
"""

from __future__ import annotations

import re

from analyzer.exceptions import BadSentenceError
from analyzer.files.sources import Readable
from analyzer.formats.blocks import AS_USUAL, Family, FileOptions, Format
from analyzer.formats.incremental import LineFile
from analyzer.formats.tiger import Edge, Sentence, build_tree
from analyzer.safe_text import counted

_BEGIN, _END = "#BOS", "#EOS"
_TABLE, _END_OF_TABLE = "#BOT", "#EOT"
_LINE = re.compile(r"^(?:#BOS[ \t]+\S|#FORMAT[ \t]+[34]\s)", re.MULTILINE)
_PHRASE = re.compile(r"#([5-9][0-9]{2}|[1-9][0-9]{3,5})")
_PARENT = re.compile(r"[0-9]{1,6}")
_COMMENT = "%%"
_ROOT = "0"
_COLUMNS = 5  # of version 3; version 4 has one more, the lemma


class ExportFile(LineFile):
    """An open file in the export format; a `TreeFile`."""

    def __init__(
        self, stream: Readable, name: str, options: FileOptions = AS_USUAL
    ) -> None:
        super().__init__(stream, name, options)
        self._sentence: _Draft | None = None  # the one that is open
        self._is_in_table = False
        self._secondary_edges = self._outside = 0

    def _line(self, line: str) -> None:
        text = line.partition(_COMMENT)[0].rstrip()
        first = text.split(None, 1)[0] if text.strip() else ""
        if first == _BEGIN:
            self._close_sentence(is_whole=False)
            self._sentence = _Draft(text.split()[1:2], self._number)
        elif first == _END:
            self._close_sentence(is_whole=True)
        elif self._sentence is not None:
            if first:
                self._secondary_edges += self._sentence.add(text)
        elif first in (_TABLE, _END_OF_TABLE):
            self._is_in_table = first == _TABLE
        elif first and not first.startswith("#") and not self._is_in_table:
            self._outside += 1

    def _last_line(self) -> None:
        self._close_sentence(is_whole=False)

    def _close_sentence(self, *, is_whole: bool) -> None:
        draft, self._sentence = self._sentence, None
        if draft is None:
            return
        try:
            if not is_whole:
                raise BadSentenceError("E264 no #EOS where the sentence ends")
            tree = build_tree(draft.sentence(), self._builder)
        except BadSentenceError as error:
            self._refused(error, draft.line, draft.id)
        else:
            self._built(tree, draft.line, draft.id)

    def _notes(self) -> list[str]:
        notes = []
        if n := self._secondary_edges:
            notes.append(f"{counted(n, 'secondary edge')} left out")
        if n := self._outside:
            notes.append(f"{counted(n, 'line')} outside of any sentence not read")
        self._secondary_edges = self._outside = 0
        return notes


class _Draft:
    """The lines of a sentence, taken apart."""

    def __init__(self, ids: list[str], line: int) -> None:
        self.id = ids[0] if ids else ""
        self.line = line
        self._made = Sentence(self.id, line, self.id)
        self._made.root = _ROOT
        self._made.phrase_ids.append(_ROOT)
        self._made.categories.append("VROOT")
        self._links: list[tuple[str, str, str]] = []  # child, edge label, parent

    def add(self, text: str) -> int:
        """A line of the sentence; how many secondary edges it has."""
        made = self._made
        if made.problem is not None:
            return 0
        try:
            return self._add(text.split())
        except BadSentenceError as error:
            made.problem = error
            return 0

    def _add(self, fields: list[str]) -> int:
        made = self._made
        has_lemma = len(fields) % 2 == 0
        if len(fields) < _COLUMNS:
            raise BadSentenceError(
                "E265 columns, expected 5", found=len(fields), line=" ".join(fields)
            )
        word, *columns = fields
        tag, _, edge, parent, *others = columns[has_lemma:]
        if not _PARENT.fullmatch(parent):
            raise BadSentenceError("E266 the parent of", word=word, parent=parent)
        if phrase := _PHRASE.fullmatch(word):
            child = phrase[1]
            made.phrase_ids.append(child)
            made.categories.append(tag)
        else:
            child = f"word {len(made.words) + 1}"
            made.word_ids.append(child)
            made.words.append(word)
            made.tags.append(tag)
        self._links.append((child, edge, parent))
        made.check_size(len(self._links))
        return len(others) // 2

    def sentence(self) -> Sentence:
        """What the lines make, phrases with their children."""
        made = self._made
        number_of = {name: at for at, name in enumerate(made.phrase_ids)}
        for child, label, parent in self._links:
            if parent not in number_of:
                raise BadSentenceError(
                    "E267 the parent of",
                    child=child if child.startswith("word") else f"#{child}",
                    parent=parent,
                )
            made.edges.append(Edge(number_of[parent], child, label))
        return made


def _begins(start: str) -> bool:
    """Lines that begin with #: comments for other formats, sentences for this one.

    >>> _begins("%% NeGra\\n#BOS 1\\n"), _begins("# a comment\\n(S (A a))")
    (True, False)
    """
    return not start.lstrip().startswith("(") and bool(_LINE.search(start))


EXPORT = Format("export", Family.SYNTAX, _begins, ExportFile, sees_comments=True)
