"""Brackets whose words have numbers: `(S (VP (PPER 0=Ihn) (VVPP 3=gesehen)) …)`.

The format of disco-dop: the words of a phrase need not stand side by side. A tree is a
line, or several until its brackets close; `#LRB#` and `#RRB#` are round brackets in
words. Crossing branches are resolved as in TIGER-XML (`formats.tiger.discontinuity`),
where a label that ends in `-HD` is a head.
"""

from __future__ import annotations

import re

from analyzer.exceptions import BadSentenceError, Place
from analyzer.files.sources import Readable
from analyzer.formats.blocks import Progress
from analyzer.formats.built import LineFile
from analyzer.formats.tiger.discontinuity import NO_PARENT
from analyzer.formats.tiger.sentence import (
    Graph,
    add_graph,
    check_paths,
    problem_of,
    too_large,
)
from analyzer.limits import limits
from analyzer.transform.labels import default_labels

_TOKEN = re.compile(r"\(\s*([^\s()]*)|(\))|([^\s()]+)")
_NUMBERED = re.compile(r"([0-9]{1,6})=(.*)", re.DOTALL)
_ESCAPED = (("#LRB#", "("), ("#RRB#", ")"))
# disco-dop writes square brackets in labels; TIGER's tag is $(.
_TAGS = {"$[": "$("}
_LONGEST = 1 << 20  # characters of a tree that never ends


class DiscbracketFile(LineFile):
    """An open file of brackets with numbered words; a `TreeFile`.

    >>> import io
    >>> from analyzer.formats.blocks import read_all
    >>> text = b"(S (VP (A 0=a) (B 2=c)) (C 1=b))"
    >>> print(read_all(DiscbracketFile(io.BytesIO(text), "a"), "a")[0])
    (S (VP (A a)) (C b) (B c))
    """

    def __init__(
        self,
        stream: Readable,
        name: str,
        *,
        must_hold_trees: bool = False,
        progress: Progress | None = None,
    ) -> None:
        super().__init__(
            stream, name, must_hold_trees=must_hold_trees, progress=progress
        )
        self._lines: list[str] = []  # of the tree that is open
        self._depth = self._begun = self._length = 0

    def _line(self, line: str) -> None:
        if not self._lines:
            if not line.strip() or line.startswith("#"):
                return
            self._begun = self._number
        self._lines.append(line)
        self._length += len(line)
        self._depth += line.count("(") - line.count(")")
        if self._depth <= 0 or self._length > _LONGEST:
            self._close_tree()

    def _last_line(self) -> None:
        if self._lines:
            self._close_tree()

    def _close_tree(self) -> None:
        text, self._lines = "\n".join(self._lines), []
        self._depth = self._length = 0
        try:
            graph, words = _graph(text)
            tree = add_graph(graph, words, self._builder)
        except BadSentenceError as error:
            place = Place(self._name, self._begun)
            self._refused(problem_of(error, place), self._begun, "")
        else:
            self._built(tree, self._begun, "")


def _graph(text: str) -> tuple[Graph, list[str]]:
    """The tree of a text, and its words in order; BadSentenceError if it is none."""
    labels: list[str] = []
    parents: list[int] = []
    word_of: dict[int, tuple[int, str]] = {}  # word -> node, form
    has_child: set[int] = set()
    above: list[int] = []
    for token in _TOKEN.finditer(text):
        label, close, atom = token.groups()
        if close:
            if not above:
                raise BadSentenceError("')' without '('", code="E268")
            above.pop()
        elif label is not None:
            if not above and labels:
                raise BadSentenceError("a second root", code="E269")
            labels.append(label)
            parents.append(above[-1] if above else NO_PARENT)
            has_child.update(above[-1:])
            above.append(len(labels) - 1)
            if len(labels) > limits().tree_nodes:
                raise too_large(limits().tree_nodes)
        else:
            _take_word(atom, above, has_child, word_of)
    if above:
        raise BadSentenceError("missing ')'", code="E270")
    return _ordered(labels, parents, word_of)


def _take_word(
    atom: str,
    above: list[int],
    has_child: set[int],
    word_of: dict[int, tuple[int, str]],
) -> None:
    numbered = _NUMBERED.fullmatch(atom)
    if numbered is None or not above or above[-1] in has_child:
        raise BadSentenceError(
            "found {atom}, expected a tag with a numbered word, as (NN 0=word)",
            code="E271",
            atom=atom,
        )
    number, form = int(numbered[1]), numbered[2]
    if number in word_of:
        raise BadSentenceError("word {number} twice", code="E272", number=number)
    for written, meant in _ESCAPED:
        form = form.replace(written, meant)
    word_of[number] = (above[-1], form)
    has_child.add(above[-1])


def _ordered(
    labels: list[str], parents: list[int], word_of: dict[int, tuple[int, str]]
) -> tuple[Graph, list[str]]:
    """The nodes renumbered: words in order, then the others."""
    if sorted(word_of) != list(range(len(word_of))) or not word_of:
        raise BadSentenceError(
            "words are numbered from 0 on, without a gap", code="E273"
        )
    tags = [word_of[number][0] for number in range(len(word_of))]
    is_tag = set(tags)
    order = [*tags, *(node for node in range(len(labels)) if node not in is_tag)]
    number_of = {node: at for at, node in enumerate(order)}
    number_of[NO_PARENT] = NO_PARENT
    moved = [number_of[parents[node]] for node in order]
    named = [_TAGS.get(labels[node], labels[node]) for node in order]
    check_paths(moved, named)
    if moved.index(NO_PARENT) < len(tags):
        # A word alone: brackets need something above it.
        moved = [len(order) if one == NO_PARENT else one for one in moved]
        moved.append(NO_PARENT)
        named.append("ROOT")
    heads = {at for at, label in enumerate(named) if label.endswith("-HD")}
    words = [word_of[number][1] for number in range(len(word_of))]
    root = named[moved.index(NO_PARENT)]
    is_phrase = root not in default_labels().wrapper
    return Graph(moved, named, heads, [""] * len(words), is_phrase), words
