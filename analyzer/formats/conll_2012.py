"""The columns of CoNLL-2012 and OntoNotes (`_gold_conll`, `_auto_conll`): parse bits.

    #begin document (bc/cctv/00/cctv_0000); part 000
    bc/cctv/00/cctv_0000  0  0  In       IN  (TOP(S(PP*   -  -  -  Speaker#1  *  -
    bc/cctv/00/cctv_0000  0  1  summer   NN  (NP*))       -  -  -  Speaker#1  *  -
    …

A line is a word: document, part, number, word, tag, and its bit of the tree, in which
`*` stands for the tag and the word. A blank line ends a sentence, whose name is
document, part and number in the part: `bc/cctv/00/cctv_0000:0:1`.
"""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from analyzer.exceptions import Place, TreeSyntaxError
from analyzer.files.sources import Readable
from analyzer.formats.blocks import AS_USUAL, Family, FileOptions, Format
from analyzer.formats.incremental import LineFile
from analyzer.formats.penn.reader import TextBlock
from analyzer.formats.penn.records import Layout
from analyzer.model.tree import written
from analyzer.model.treebank import Treebank

_COLUMNS = 6
_DOCUMENT, _PART, _WORD, _TAG, _BIT = 0, 1, 3, 4, 5
_STAR = "*"
# Document, part, number, word, tag, and a bit of a tree that opens a bracket.
_FIRST_LINE = re.compile(
    r"(?!\()\S+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]+\S+[ \t]+\S+[ \t]+\([^\s*]*\*[)\s]"
)


class Conll2012File(LineFile):
    """An open file of CoNLL-2012 columns; a `TreeFile`.

    >>> import io
    >>> from analyzer.formats.blocks import read_all
    >>> text = b"d 0 0 He PRP (S(NP*)\\nd 0 1 left VBD (VP*))\\n"
    >>> bank = read_all(Conll2012File(io.BytesIO(text), "a"), "a")
    >>> print(bank[0], bank.ids)
    (S (NP (PRP He)) (VP (VBD left))) ('d:0:1',)
    """

    def __init__(
        self, stream: Readable, name: str, options: FileOptions = AS_USUAL
    ) -> None:
        super().__init__(stream, name, options)
        self._bits: list[str] = []  # of the sentence that is open
        self._begun = 0
        self._part: tuple[str, str] = ("", "")
        self._in_part = 0
        # Of the sentences that are ready to be read: text, line, name.
        self._drafts: list[tuple[str, int, str]] = []

    def _line(self, line: str) -> None:
        fields = line.split()
        if not fields or line.startswith("#"):
            self._close_sentence()
            return
        self._begun = self._begun or self._number
        if len(fields) < _COLUMNS:
            self._bits.append(")")  # no word: so what it is in is no tree
        else:
            part = (fields[_DOCUMENT], fields[_PART])
            if part != self._part:
                self._part, self._in_part = part, 0
            leaf = f"({written(fields[_TAG])} {written(fields[_WORD])})"
            self._bits.append(fields[_BIT].replace(_STAR, leaf))

    def _last_line(self) -> None:
        self._close_sentence()

    def _close_sentence(self) -> None:
        if not self._bits:
            return
        self._in_part += 1
        name = ":".join([*self._part, str(self._in_part)]) if self._part[0] else ""
        text = "".join(self._bits)
        self._drafts.append((text, self._begun, name))
        self._rows += 1 + text.count("(")
        self._sentences += 1
        self._bits, self._begun = [], 0

    def _finished(self) -> Treebank:
        drafts, self._drafts = self._drafts, []
        text = "".join(f"{bits}\n" for bits, _, _ in drafts).encode()
        block = TextBlock(text, len(drafts), Layout.LINES, self._name)
        bank = block.read()
        problems: dict[int, TreeSyntaxError] = {}
        for tree, problem in bank.problems.items():
            place = Place(self._name, drafts[tree][1], id=drafts[tree][2])
            problems[tree] = problem.at(place)
        names = tuple(name for _, _, name in drafts)
        return replace(
            bank,
            line=np.array([line for _, line, _ in drafts], np.int64),
            problems=problems,
            ids=names if any(names) else (),
        )


def _begins(start: str) -> bool:
    """Columns, the sixth of which is a bit of a tree.

    >>> _begins("bc/cctv/00/a 0 0 In IN (TOP(S(PP* - - -")
    True
    """
    return not start.startswith("<") and bool(_FIRST_LINE.match(start))


CONLL_2012 = Format("conll-2012", Family.SYNTAX, _begins, Conll2012File)
