"""One sentence of TIGER-XML: checked, and built as a tree."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from analyzer.exceptions import BadSentenceError
from analyzer.formats.tiger.discontinuity import NO_PARENT, continuous
from analyzer.limits import limits
from analyzer.model.treebank import TreebankBuilder

_ROOT_LABEL = "ROOT"
_VIRTUAL_ROOT = "VROOT"
_HEAD = "HD"
_NO_LABEL = re.compile("-*")
# Far beyond any sentence; it bounds the work that raising can be made to do.
_DEEPEST = 200
_WHITE_SPACE = dict.fromkeys(map(ord, " \t\n\r\v\f"), "_")
_IN_WORDS = {**_WHITE_SPACE, ord("("): "-LRB-", ord(")"): "-RRB-"}
_IN_LABELS = {**_WHITE_SPACE, ord("("): "*LRB*", ord(")"): "*RRB*"}


class _Edge(NamedTuple):
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
        self.edges: list[_Edge] = []
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
                raise BadSentenceError(
                    "an edge to {child} outside of any <nt>", code="E262", child=child
                )
            self.edges.append(_Edge(phrase, child, given.get("label", "")))
        nodes = len(self.words) + len(self.phrase_ids)
        if nodes > self.most_nodes or len(self.edges) > self.most_nodes:
            raise self.too_large()

    def too_large(self) -> BadSentenceError:
        most = f"{self.most_nodes:,}"
        return BadSentenceError(
            "more than {most} nodes, the limit for one tree", code="E251", most=most
        )


def _attribute(
    element: str, given: dict[str, str], name: str, *, may_be_empty: bool = False
) -> str:
    value = given.get(name)
    if value is None or not (value or may_be_empty):
        which = f"{element} {given['id']}" if given.get("id") else f"a <{element}>"
        raise BadSentenceError(
            "{which} has no {name}", code="E252", which=which, name=name
        )
    return value


class BuiltTree(NamedTuple):
    """What became of a sentence."""

    nodes: int
    was_raised: bool
    was_lowered: bool  # a word that hung under the root


def build_tree(sentence: Sentence, builder: TreebankBuilder) -> BuiltTree:
    """Add the sentence without crossing branches, up to `end_tree`.

    Nothing is added if that cannot be: BadSentenceError.
    """
    graph = _graph(sentence)
    tree = continuous(graph.parents, len(sentence.words), graph.heads)
    order = _closed_pre_order(graph.parents.index(NO_PARENT), tree.children)
    nodes = len(order) - order.count(None)
    if nodes > sentence.most_nodes:
        raise sentence.too_large()
    words = sentence.words
    for node in order:
        if node is None:
            builder.close()
        elif node < len(words):
            word = words[node].translate(_IN_WORDS)
            builder.leaf(_written_label(graph.labels[node]), word, graph.edges[node])
        else:
            builder.open(_written_label(graph.labels[node]))
    return BuiltTree(nodes, tree.was_raised, tree.was_lowered)


@lru_cache(maxsize=1 << 12)
def _written_label(label: str) -> str:
    return label.translate(_IN_LABELS)


class _Graph(NamedTuple):
    """A sentence as a tree that may have crossing branches; the words come first.

    The last node is there to be the root, if no other can.
    """

    parents: list[int]
    labels: list[str]
    heads: set[int]
    edges: list[str]  # of the words: the labels of the edges above them


def _graph(sentence: Sentence) -> _Graph:
    """The sentence's tree, or what keeps it from being one."""
    if sentence.problem is not None:
        raise sentence.problem
    if not sentence.words:
        raise BadSentenceError(
            "no terminals; expected <t id=… word=… pos=…>", code="E253"
        )
    number_of: dict[str, int] = {}
    for number, name in enumerate(chain(sentence.word_ids, sentence.phrase_ids)):
        if number_of.setdefault(name, number) != number:
            raise BadSentenceError("id {name} a second time", code="E257", name=name)
    graph = _linked(sentence, number_of)
    top = _top(sentence, number_of, graph)
    parents = [
        top if parent == NO_PARENT and node != top else parent
        for node, parent in enumerate(graph.parents)
    ]
    _check_paths(parents, [*number_of, _ROOT_LABEL])
    return graph._replace(parents=parents)


def _linked(sentence: Sentence, number_of: dict[str, int]) -> _Graph:
    """The nodes with the parents that edges give them."""
    words = len(sentence.words)
    labels = [*sentence.tags, *sentence.categories, _ROOT_LABEL]
    parents = [NO_PARENT] * len(labels)
    heads: set[int] = set()
    edges = [""] * words
    for phrase, name, label in sentence.edges:
        child = number_of.get(name)
        if child is None:
            raise BadSentenceError(
                "an edge to {name}, which is not there", code="E258", name=name
            )
        if parents[child] != NO_PARENT:
            raise BadSentenceError("{name} has two parents", code="E259", name=name)
        parents[child] = words + phrase
        if label == _HEAD:
            heads.add(child)
        if _NO_LABEL.fullmatch(label):
            continue
        if child >= words:
            labels[child] += f"-{label}"
        else:
            edges[child] = _written_label(label)
    return _Graph(parents, labels, heads, edges)


def _top(sentence: Sentence, number_of: dict[str, int], graph: _Graph) -> int:
    """The root: TIGER's virtual one, which gets our label, or the last node."""
    if not sentence.root:
        raise BadSentenceError(
            "the graph has no root; expected <graph root=…>", code="E254"
        )
    root = number_of.get(sentence.root)
    if root is None:
        raise BadSentenceError(
            "the root {root} is not there", code="E255", root=sentence.root
        )
    if graph.parents[root] != NO_PARENT:
        raise BadSentenceError(
            "the root {root} has a parent", code="E256", root=sentence.root
        )
    if root < len(sentence.words) or graph.labels[root] != _VIRTUAL_ROOT:
        return len(graph.labels) - 1
    graph.labels[root] = _ROOT_LABEL
    return root


def _check_paths(parents: list[int], names: list[str]) -> None:
    """Whether every path upwards ends at the root, and soon enough."""
    depth: dict[int, int] = {NO_PARENT: 0}
    for start in range(len(parents)):
        path: dict[int, None] = {}  # nodes, in order
        node = start
        while node not in depth:
            if node in path:
                raise BadSentenceError(
                    "a cycle: {names} is above itself", code="E261", names=names[node]
                )
            path[node] = None
            node = parents[node]
        for below in reversed(path):
            depth[below] = depth[parents[below]] + 1
        if depth[start] > _DEEPEST:
            raise BadSentenceError(
                "more than {deepest} levels deep", code="E260", deepest=_DEEPEST
            )


def _closed_pre_order(root: int, children: list[list[int]]) -> list[int | None]:
    """The nodes as they open; None where a phrase closes."""
    order: list[int | None] = []
    pending: list[int | None] = [root]
    while pending:
        node = pending.pop()
        order.append(node)
        if node is not None and children[node]:
            pending.append(None)
            pending.extend(reversed(children[node]))
    return order
