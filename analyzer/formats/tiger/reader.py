"""TIGER-XML, sentence by sentence, as trees of brackets.

    <s id="s1"><graph root="s1_500">
      <terminals><t id="s1_1" word="Ihn" pos="PPER"/> …</terminals>
      <nonterminals><nt id="s1_500" cat="S"><edge label="OA" idref="s1_1"/> …</nt> …

becomes `(ROOT (S (PPER Ihn) …))`:

* The root is ROOT: instead of TIGER's VROOT, or above any other. Nodes without a parent
  hang under it.
* The label of a phrase is its category and the label of its edge: `NP-SB`; `--` is
  none. Tags have no edge labels, since scores compare tags as they are: those of edges
  to words are in `Treebank.edges`, for the scores of function tags.
* Crossing branches are resolved by raising (see `discontinuity` beside this; `HD`
  edges are heads).
* `(` and `)` are -LRB- and -RRB- in words, *LRB* and *RRB* in labels (`$(`: `$*LRB*`);
  white space in either is `_`. Phrases without words are left out.

A sentence that makes no tree becomes a tree without nodes whose error stands in
`Treebank.problems`. The hardened parser reads a little at a time, so a corpus of any
size takes little memory.
"""

from __future__ import annotations

import re

from analyzer.exceptions import BadSentenceError, InputError, Place
from analyzer.files.sources import Readable
from analyzer.files.xml import HardenedParser
from analyzer.formats.blocks import Progress
from analyzer.formats.built import BuiltFile
from analyzer.formats.tiger.sentence import Sentence, build_tree, problem_of
from analyzer.safe_text import counted

ROOTS = frozenset({"corpus", "subcorpus"})
_XML_START = re.compile(r"\s*<(?:\?xml|!--|!DOCTYPE|(?:sub)?corpus\b|rst\b)")
_LINE_OF_BRACKETS = re.compile(r"^\s*\(", re.MULTILINE)
_DISCOURSE_HINT = " (discourse trees are for the commands `spinal rst …`)"


def is_xml(start: str) -> bool:
    """Whether a file that starts like this is XML, not brackets between SGML tags.

    >>> is_xml('<?xml version="1.0"?>'), is_xml("<html>"), is_xml("<DOC>\\n(S (A a))")
    (True, True, False)
    """
    return bool(_XML_START.match(start)) or (
        start.lstrip().startswith("<") and not _LINE_OF_BRACKETS.search(start)
    )


class TigerFile(BuiltFile):
    """An open file of TIGER-XML; a `TreeFile`.

    At its end it warns (InputWarning) of what brackets could not keep. `is_utf8`: the
    stream was decoded, whatever the XML declares. `must_hold_trees`: one whose first
    sentences are all bad is refused.

    >>> import io
    >>> from analyzer.formats.blocks import BlockSettings
    >>> xml = b'''<corpus><body><s id="s1"><graph root="s1_1"><terminals>
    ... <t id="s1_1" word="Ja" pos="PTKANT"/></terminals></graph></s></body></corpus>'''
    >>> file, settings = TigerFile(io.BytesIO(xml), "a.xml"), BlockSettings()
    >>> file.available(1, settings)
    1
    >>> print(file.take(1, 1, settings).read()[0])
    (ROOT (PTKANT Ja))
    """

    def __init__(
        self,
        stream: Readable,
        name: str,
        *,
        is_utf8: bool = False,
        must_hold_trees: bool = False,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(
            stream, name, must_hold_trees=must_hold_trees, progress=progress
        )
        encoding = "utf-8" if is_utf8 else None
        self._parser = HardenedParser(
            name, start=self._start, end=self._end, encoding=encoding
        )
        self._has_root = False
        self._sentence: Sentence | None = None  # the one that is open
        self._secondary_edges = self._elsewhere = 0

    def _feed(self, data: bytes) -> None:
        try:
            self._parser.feed(data, is_last=self._is_read)
        except InputError as error:
            if self._sentence is None:
                raise
            raise InputError(
                "{message} (in sentence {name})",
                error.place,
                code="E126",
                message=error.message,
                name=self._sentence.name,
            ) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._has_root:
            self._check_root(name)
        elif name == "s":
            if self._sentence is not None:
                raise self._parser.error("a sentence within a sentence", code="E182")
            given = attributes.get("id", "")
            name = given or f"number {self._sentences + 1}"
            self._sentence = Sentence(name, self._parser.line, given)
        elif name == "subcorpus" and "external" in attributes:
            self._elsewhere += 1
        elif name == "secedge":
            self._secondary_edges += 1
        elif self._sentence is not None:
            self._sentence.add(name, attributes)

    def _check_root(self, name: str) -> None:
        self._has_root = True
        if name in ROOTS:
            return
        is_discourse = name == "rst"
        raise InputError(
            "is XML, but not TIGER-XML: expected <corpus>, found <{name}>{hint}",
            Place(self._name, self._parser.line),
            code="E181",
            name=name,
            hint=_DISCOURSE_HINT if is_discourse else "",
        )

    def _end(self, name: str) -> None:
        if name != "s" or self._sentence is None:
            return
        sentence, self._sentence = self._sentence, None
        try:
            tree = build_tree(sentence, self._builder)
        except BadSentenceError as error:
            problem = problem_of(
                error, Place(self._name, sentence.line, id=sentence.id)
            )
            self._refused(problem, sentence.line, sentence.id)
        else:
            self._built(tree, sentence.line, sentence.id)

    def _notes(self) -> list[str]:
        notes = []
        if n := self._secondary_edges:
            notes.append(f"{counted(n, 'secondary edge')} left out")
        if n := self._elsewhere:
            notes.append(f"{counted(n, 'part')} in other files (external=…) not read")
        self._secondary_edges = self._elsewhere = 0
        return notes
