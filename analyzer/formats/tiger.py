"""TIGER-XML and NeGra's export format, sentence by sentence, as trees of brackets.

    <s id="s1"><graph root="s1_500">
      <terminals><t id="s1_1" word="Ihn" pos="PPER"/> …</terminals>
      <nonterminals><nt id="s1_500" cat="S"><edge label="OA" idref="s1_1"/> …</nt> …

becomes `(ROOT (S (PPER Ihn) …))`:

* The root is ROOT: instead of TIGER's VROOT, or above any other. Nodes without a parent
  hang under it.
* The label of a phrase is its category and the label of its edge: `NP-SB`; `--` is
  none. Tags have no edge labels, since scores compare tags as they are: those of edges
  to words are in `Treebank.edges`, for the scores of function tags.
* Crossing branches are resolved by raising (see `crossing` beside this; `HD`
  edges are heads).
* `(` and `)` are -LRB- and -RRB- in words, *LRB* and *RRB* in labels (`$(`: `$*LRB*`);
  white space in either is `_`. Phrases without words are left out.

A sentence that makes no tree becomes a tree without nodes whose error stands in
`Treebank.problems`. The hardened parser reads a little at a time, so a corpus of any
size takes little memory.

The export format, versions 3 and 4, is a line a word, or a phrase that begins with its
number (#500 and on):

    #BOS 1
    Ihn      --  PPER   --  OA  500
    hat      --  VAFIN  --  HD  501
    er       --  PPER   --  SB  501
    gesehen  --  VVPP   --  HD  500
    .        --  $.     --  --  0
    #500     --  VP     --  OC  501
    #501     --  S      --  --  0
    #EOS 1

The columns are lemma (version 4 only), tag, morphology, edge label, parent; secondary
edges may follow, in pairs. The number of columns tells the version: odd in 3, even in
4. `%%` begins a comment.
"""

from __future__ import annotations

import re
from itertools import chain
from typing import NamedTuple

from analyzer.exceptions import BadSentenceError, InputError, Place
from analyzer.files.sources import Readable
from analyzer.files.xml import HardenedParser, root_element
from analyzer.formats.blocks import AS_USUAL, Family, FileOptions, Format
from analyzer.formats.crossing import (
    NO_PARENT,
    Graph,
    add_graph,
    check_paths,
    too_large,
    written_label,
)
from analyzer.formats.incremental import BuiltFile, BuiltTree, LineFile
from analyzer.limits import limits
from analyzer.model.treebank import TreebankBuilder
from analyzer.safe_text import counted

_ROOT_LABEL = "ROOT"
_VIRTUAL_ROOT = "VROOT"
_HEAD = "HD"
_NO_LABEL = re.compile("-*")
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

    At its end it warns (InputWarning) of what brackets could not keep.

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
        self, stream: Readable, name: str, options: FileOptions = AS_USUAL
    ) -> None:
        super().__init__(stream, name, options)
        encoding = "utf-8" if options.is_recoded else None
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
                "E126 in sentence",
                error.place,
                message=error.message,
                name=self._sentence.name,
            ) from None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if not self._has_root:
            self._check_root(name)
        elif name == "s":
            if self._sentence is not None:
                raise self._parser.error("E182 a sentence within a sentence")
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
            "E181 is XML, but not TIGER-XML",
            Place(self._name, self._parser.line),
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
            self._refused(error, sentence.line, sentence.id)
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


# -- a sentence ----------------------------------------------------------------------


class Edge(NamedTuple):
    phrase: int
    child: str
    label: str


class Sentence:
    """What stands in an <s>, as it is read."""

    def __init__(self, name: str, line: int, id: str = "") -> None:
        self.name = name
        self.id = id  # "" if it has none
        self.line = line
        self.root: str | None = None
        self.word_ids: list[str] = []
        self.words: list[str] = []
        self.tags: list[str] = []
        self.phrase_ids: list[str] = []
        self.categories: list[str] = []
        self.edges: list[Edge] = []
        self.problem: BadSentenceError | None = None
        self.most_nodes = limits().tree_nodes

    def add(self, element: str, given: dict[str, str]) -> None:
        """An element in the sentence; after a problem, only that is kept."""
        if self.problem is not None:
            return
        try:
            self._add(element, given)
        except BadSentenceError as error:
            self.problem = error

    def _add(self, element: str, given: dict[str, str]) -> None:
        if element == "graph":
            self.root = given.get("root")
        elif element == "t":
            self.word_ids.append(_attribute(element, given, "id"))
            self.words.append(_attribute(element, given, "word", may_be_empty=True))
            self.tags.append(_attribute(element, given, "pos"))
        elif element == "nt":
            self.phrase_ids.append(_attribute(element, given, "id"))
            self.categories.append(_attribute(element, given, "cat"))
        elif element == "edge":
            child = _attribute(element, given, "idref")
            phrase = len(self.phrase_ids) - 1
            if phrase < 0:
                raise BadSentenceError("E262 an edge to", child=child)
            self.edges.append(Edge(phrase, child, given.get("label", "")))
        self.check_size(len(self.edges))

    def check_size(self, edges: int) -> None:
        """BadSentenceError if there are more nodes or edges than a tree may have."""
        nodes = len(self.words) + len(self.phrase_ids)
        if nodes > self.most_nodes or edges > self.most_nodes:
            raise too_large(self.most_nodes)


def _attribute(
    element: str, given: dict[str, str], name: str, *, may_be_empty: bool = False
) -> str:
    value = given.get(name)
    if value is None or not (value or may_be_empty):
        which = f"{element} {given['id']}" if given.get("id") else f"a <{element}>"
        raise BadSentenceError("E252 has no", which=which, name=name)
    return value


def build_tree(sentence: Sentence, builder: TreebankBuilder) -> BuiltTree:
    """Add the sentence without crossing branches, up to `end_tree`.

    Nothing is added if that cannot be: BadSentenceError.
    """
    return add_graph(_graph(sentence), sentence.words, builder)


def _graph(sentence: Sentence) -> Graph:
    """The sentence's tree, or what keeps it from being one."""
    if sentence.problem is not None:
        raise sentence.problem
    if not sentence.words:
        raise BadSentenceError("E253 no terminals")
    number_of: dict[str, int] = {}
    for number, name in enumerate(chain(sentence.word_ids, sentence.phrase_ids)):
        if number_of.setdefault(name, number) != number:
            raise BadSentenceError("E257 a second time", name=name)
    graph = _linked(sentence, number_of)
    top = _top(sentence, number_of, graph)
    parents = [
        top if parent == NO_PARENT and node != top else parent
        for node, parent in enumerate(graph.parents)
    ]
    check_paths(parents, [*number_of, _ROOT_LABEL])
    return graph._replace(parents=parents)


def _linked(sentence: Sentence, number_of: dict[str, int]) -> Graph:
    """The nodes with the parents that edges give them."""
    words = len(sentence.words)
    labels = [*sentence.tags, *sentence.categories, _ROOT_LABEL]
    parents = [NO_PARENT] * len(labels)
    heads: set[int] = set()
    edges = [""] * words
    for phrase, name, label in sentence.edges:
        child = number_of.get(name)
        if child is None:
            raise BadSentenceError("E258 an edge to", name=name)
        if parents[child] != NO_PARENT:
            raise BadSentenceError("E259 has two parents", name=name)
        parents[child] = words + phrase
        if label == _HEAD:
            heads.add(child)
        if _NO_LABEL.fullmatch(label):
            continue
        if child >= words:
            labels[child] += f"-{label}"
        else:
            edges[child] = written_label(label)
    return Graph(parents, labels, heads, edges)


def _top(sentence: Sentence, number_of: dict[str, int], graph: Graph) -> int:
    """The root: TIGER's virtual one, which gets our label, or the last node."""
    if not sentence.root:
        raise BadSentenceError("E254 the graph has no root")
    root = number_of.get(sentence.root)
    if root is None:
        raise BadSentenceError("E255 does not exist", root=sentence.root)
    if graph.parents[root] != NO_PARENT:
        raise BadSentenceError("E256 has a parent", root=sentence.root)
    if root < len(sentence.words) or graph.labels[root] != _VIRTUAL_ROOT:
        return len(graph.labels) - 1
    graph.labels[root] = _ROOT_LABEL
    return root


def _begins(start: str) -> bool:
    return start.startswith("<") and root_element(start) in ROOTS


TIGER = Format("tiger", Family.SYNTAX, _begins, TigerFile)


# -- the export format of NeGra, versions 3 and 4 --------------------------------------


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


def _begins_with_sentences(start: str) -> bool:
    """Lines that begin with #: comments for other formats, sentences for this one.

    >>> _begins_with_sentences("%% NeGra\\n#BOS 1\\n")
    True
    >>> _begins_with_sentences("# a comment\\n(S (A a))")
    False
    """
    return not start.lstrip().startswith("(") and bool(_LINE.search(start))


EXPORT = Format(
    "export", Family.SYNTAX, _begins_with_sentences, ExportFile, sees_comments=True
)
