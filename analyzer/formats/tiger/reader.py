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
import warnings
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from analyzer.exceptions import (
    BadSentenceError,
    InputError,
    InputWarning,
    Place,
    TreeSyntaxError,
)
from analyzer.files.sources import Readable
from analyzer.files.xml import HardenedParser
from analyzer.formats.blocks import (
    HOPELESS,
    READY_BLOCKS,
    BlockSettings,
    FirstLook,
    Progress,
    refusal,
)
from analyzer.formats.tiger.sentence import Sentence, build_tree
from analyzer.model.arrays import Ints
from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.safe_text import counted, printable

ROOTS = frozenset({"corpus", "subcorpus"})
# Read at a time.
_CHUNK_BYTES = 1 << 16
# Rows of a block: trees and their nodes. As many as a block of brackets has.
BLOCK_ROWS = 1 << 15
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


class TigerBlock(NamedTuple):
    """Trees of one file that are built already."""

    bank: Treebank
    first_sentence: int
    strict: bool = False

    @property
    def trees(self) -> int:
        return len(self.bank)

    def read(self) -> Treebank:
        """The trees, good and bad; if it is strict, the first bad one is raised."""
        if not self.bank.problems:
            return self.bank
        problems = {
            tree: _numbered(problem, self.first_sentence + tree)
            for tree, problem in self.bank.problems.items()
        }
        if self.strict:
            raise problems[min(problems)]
        return replace(self.bank, problems=problems)

    @property
    def identity(self) -> tuple[object, ...]:
        """What a checkpoint tells this block from others by."""
        names, columns = self.bank.content()
        problems = [(at, str(error)) for at, error in self.bank.problems.items()]
        return self.first_sentence, self.strict, names, columns, problems


def _numbered(problem: TreeSyntaxError, sentence: int) -> TreeSyntaxError:
    place = problem.place and replace(problem.place, sentence=sentence)
    return problem.at(place)


class TigerFile:
    """An open file of TIGER-XML; a `TreeFile`.

    At its end it warns (InputWarning) of what brackets could not keep. `is_utf8`: the
    stream was decoded, whatever the XML declares. `must_hold_trees`: one whose first
    sentences are all bad is refused.

    >>> import io
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
        self._stream = stream
        self._name = name
        self._must_hold_trees = must_hold_trees
        self._progress = progress
        encoding = "utf-8" if is_utf8 else None
        self._parser = HardenedParser(
            name, start=self._start, end=self._end, encoding=encoding
        )
        self._is_read = False  # to its end
        self._has_root = False
        self._sentence: Sentence | None = None  # the one that is open
        self._builder = TreebankBuilder(name)
        self._rows = 0  # in the builder
        self._ready: list[Treebank] = []
        self._first_problem: TreeSyntaxError | None = None
        self._sentences = self._bad = self._raised = self._lowered = 0
        self._secondary_edges = self._elsewhere = 0

    def first_look(self) -> FirstLook:
        """Look at the first block without consuming it."""
        if not self._ready:
            self._build_block()
        trees = self._trees_ready()
        return FirstLook(is_whole=self._is_read, is_counted=True, trees=trees)

    def lengths(self) -> Ints:
        """The words of each sentence of the first block, without consuming it."""
        self.first_look()
        words = [np.diff(bank.leaf_start) for bank in self._ready]
        return np.concatenate([np.zeros(0, np.int64), *words])

    def available(self, at_least: int, settings: BlockSettings) -> int:
        """How many trees can be taken now: so many, if these are not too many blocks.

        0 where the file ends.
        """
        while self._trees_ready() < at_least and len(self._ready) < READY_BLOCKS:
            if not self._build_block():
                break
        return self._trees_ready()

    def take(
        self, trees: int, first_sentence: int, settings: BlockSettings
    ) -> TigerBlock:
        """The next trees, as many as are `available` or fewer."""
        taken: list[Treebank] = []
        missing = trees
        while missing:
            bank = self._ready.pop(0)
            if len(bank) > missing:
                self._ready.insert(0, bank[missing:])
                bank = bank[:missing]
            taken.append(bank)
            missing -= len(bank)
        bank = Treebank.join(taken, self._name)
        return TigerBlock(bank, first_sentence, settings.strict)

    def close(self) -> None:
        """Also warns of what was read, if that was not all."""
        self._warn()

    def _trees_ready(self) -> int:
        return sum(map(len, self._ready))

    def _build_block(self) -> bool:
        """Make the next block's trees ready; False at the end of the file."""
        while not self._is_read and self._rows < BLOCK_ROWS:
            data = self._stream.read(_CHUNK_BYTES)
            if self._progress and data:
                self._progress(len(data))
            self._feed(data)
        if not self._rows:
            return False
        self._ready.append(self._builder.finish())
        self._builder, self._rows = TreebankBuilder(self._name), 0
        return True

    def _feed(self, data: bytes) -> None:
        """Read on; no data is the end."""
        self._is_read = not data
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
        if self._is_read:
            self._warn()

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
        self._sentences += 1
        self._rows += 1
        try:
            tree = build_tree(sentence, self._builder)
        except BadSentenceError as error:
            self._add_problem(sentence, error)
            return
        self._builder.end_tree(sentence.line, id=sentence.id)
        self._rows += tree.nodes
        self._raised += tree.was_raised
        self._lowered += tree.was_lowered

    def _add_problem(self, sentence: Sentence, error: BadSentenceError) -> None:
        problem = TreeSyntaxError(
            "{reason}",
            Place(self._name, sentence.line, id=sentence.id),
            code=error.code,
            reason=printable(error.message),
        )
        self._builder.end_tree(sentence.line, problem, id=sentence.id)
        self._first_problem = self._first_problem or problem
        self._bad += 1
        if self._must_hold_trees and self._bad == self._sentences == HOPELESS:
            raise refusal(_numbered(self._first_problem, 1))

    def _warn(self) -> None:
        """Warn, once, of what is in the XML and not in the trees."""
        notes = []
        if n := self._raised:
            have = "has" if n == 1 else "have"
            trees = counted(self._sentences, "tree")
            notes.append(
                f"{n:,} of {trees} {have} crossing branches, resolved by raising"
            )
        if n := self._lowered:
            notes.append(
                f"in {counted(n, 'tree')} words under the root moved down to "
                "their neighbours"
            )
        if n := self._secondary_edges:
            notes.append(f"{counted(n, 'secondary edge')} left out")
        if n := self._elsewhere:
            notes.append(f"{counted(n, 'part')} in other files (external=…) not read")
        self._raised = self._lowered = self._secondary_edges = self._elsewhere = 0
        if notes:
            warnings.warn(InputWarning(self._name, "; ".join(notes)), stacklevel=2)
