"""One sentence of TIGER-XML: checked, and built as a tree."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from analyzer.exceptions import BadSentenceError, Place, TreeSyntaxError
from analyzer.formats.built import BuiltTree
from analyzer.formats.tiger.discontinuity import NO_PARENT, continuous
from analyzer.limits import limits
from analyzer.model.builder import TreebankBuilder
from analyzer.model.yields import runs_of
from analyzer.safe_text import printable

_ROOT_LABEL = "ROOT"
_VIRTUAL_ROOT = "VROOT"
_HEAD = "HD"
_NO_LABEL = re.compile("-*")
# Far beyond any sentence; it bounds the work that raising can be made to do.
_DEEPEST = 200
_WHITE_SPACE = dict.fromkeys(map(ord, " \t\n\r\v\f"), "_")
_IN_WORDS = {**_WHITE_SPACE, ord("("): "-LRB-", ord(")"): "-RRB-"}
_IN_LABELS = {**_WHITE_SPACE, ord("("): "*LRB*", ord(")"): "*RRB*"}


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
                raise BadSentenceError(
                    "an edge to {child} outside of any <nt>", code="E262", child=child
                )
            self.edges.append(Edge(phrase, child, given.get("label", "")))
        self.check_size(len(self.edges))

    def check_size(self, edges: int) -> None:
        """BadSentenceError if there are more nodes or edges than a tree may have."""
        nodes = len(self.words) + len(self.phrase_ids)
        if nodes > self.most_nodes or edges > self.most_nodes:
            raise too_large(self.most_nodes)


def too_large(most: int) -> BadSentenceError:
    """The error of a sentence that has more nodes than a tree may have."""
    return BadSentenceError(
        "more than {most} nodes, the limit for one tree", code="E251", most=f"{most:,}"
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


def problem_of(error: BadSentenceError, place: Place) -> TreeSyntaxError:
    """The error of a sentence, where it stands."""
    return TreeSyntaxError(
        "{reason}", place, code=error.code, reason=printable(error.message)
    )


def build_tree(sentence: Sentence, builder: TreebankBuilder) -> BuiltTree:
    """Add the sentence without crossing branches, up to `end_tree`.

    Nothing is added if that cannot be: BadSentenceError.
    """
    return add_graph(_graph(sentence), sentence.words, builder)


def add_graph(
    graph: Graph, words: Sequence[str], builder: TreebankBuilder
) -> BuiltTree:
    """Add a tree without crossing branches, up to `end_tree`.

    What its nodes were with them is kept: see `model.yields`.
    """
    tree = continuous(
        graph.parents, len(words), graph.heads, root_is_phrase=graph.root_is_phrase
    )
    order = _closed_pre_order(graph.parents.index(NO_PARENT), tree.children)
    nodes = len(order) - order.count(None)
    if nodes > limits().tree_nodes:
        raise too_large(limits().tree_nodes)
    has_moved = tree.was_raised or tree.was_lowered
    runs = _runs_with_gaps(graph, len(words), tree.children) if has_moved else {}
    for node in order:
        if node is None:
            builder.close()
        elif node < len(words):
            word = words[node].translate(_IN_WORDS)
            builder.leaf(_written_label(graph.labels[node]), word, graph.edges[node])
        else:
            label = _written_label(graph.labels[node])
            builder.open(label, runs.get(node, ()))
    return BuiltTree(nodes, tree.was_raised, tree.was_lowered)


def _runs_with_gaps(
    graph: Graph, words: int, children: list[list[int]]
) -> dict[int, list[tuple[int, int]]]:
    """The words of nodes that are not those of their brackets, as runs."""
    before = _words_below(graph.parents, words)
    # The parents that nodes have in brackets.
    parents = [NO_PARENT] * len(graph.parents)
    for node, below in enumerate(children):
        for child in below:
            parents[child] = node
    after = _words_below(parents, words)
    return {
        node: runs_of(found)
        for node, found in before.items()
        if found != after.get(node)
    }


def _words_below(parents: Sequence[int], words: int) -> dict[int, list[int]]:
    """The words of each node that has any, in order."""
    below: dict[int, list[int]] = {}
    for word in range(words):
        node = parents[word]
        while node != NO_PARENT:
            below.setdefault(node, []).append(word)
            node = parents[node]
    return below


@lru_cache(maxsize=1 << 12)
def _written_label(label: str) -> str:
    return label.translate(_IN_LABELS)


class Graph(NamedTuple):
    """A sentence as a tree that may have crossing branches; the words come first.

    The last node is there to be the root, if no other can.
    """

    parents: list[int]
    labels: list[str]
    heads: set[int]
    edges: list[str]  # of the words: the labels of the edges above them
    root_is_phrase: bool = False  # S, say; not a wrapper, as ROOT


def _graph(sentence: Sentence) -> Graph:
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
            raise BadSentenceError(
                "an edge to {name}, which does not exist", code="E258", name=name
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
    return Graph(parents, labels, heads, edges)


def _top(sentence: Sentence, number_of: dict[str, int], graph: Graph) -> int:
    """The root: TIGER's virtual one, which gets our label, or the last node."""
    if not sentence.root:
        raise BadSentenceError(
            "the graph has no root; expected <graph root=…>", code="E254"
        )
    root = number_of.get(sentence.root)
    if root is None:
        raise BadSentenceError(
            "the root {root} does not exist", code="E255", root=sentence.root
        )
    if graph.parents[root] != NO_PARENT:
        raise BadSentenceError(
            "the root {root} has a parent", code="E256", root=sentence.root
        )
    if root < len(sentence.words) or graph.labels[root] != _VIRTUAL_ROOT:
        return len(graph.labels) - 1
    graph.labels[root] = _ROOT_LABEL
    return root


def check_paths(parents: list[int], names: list[str]) -> None:
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
