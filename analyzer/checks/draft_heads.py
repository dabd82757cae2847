"""Which children head the phrases of a treebank, for a draft of its patterns.

The heads that are known come from dependencies of the same sentences or from marks
among the function tags; others are guessed (`thumb_heads`). Then the children of each
label are ranked so that as many heads as possible are right: the first (last) of the
highest rank that is there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from analyzer.checks.heads import OTHER, SAME, WordsOfTree, trees_beside
from analyzer.constructions.inventory import Child
from analyzer.derivation.columns import Derivation
from analyzer.derivation.deriver import derive_alone
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.formats.word_dependencies import Dependencies
from analyzer.model.arrays import flags_at, parents
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.transform.label_tables import LabelTables, kept_by_tree
from analyzer.transform.labels import LabelSet
from analyzer.transform.pruning import depths

# How treebanks mark the head among function tags; also at the end of one (DetHead).
HEAD_MARKS = frozenset({"hd", "h", "head"})
DEPENDENCIES, MARKS, THUMB = "dependencies", "marks", "thumb"
SOURCES = {
    DEPENDENCIES: "the dependencies",
    MARKS: "the treebank's own marks",
    THUMB: "rules of thumb",
}

KNOWN = 20  # heads that must be known of a label, or it is guessed
_MOST_ALONE = 4  # times that a word is a whole phrase show nothing
_PRODUCTIONS = 2000  # of a label that are looked at to rank its children
_ROUNDS = 3  # of moving children to other ranks
_CONVENTION = 0.95  # what a head by convention is worth


# -- productions, and the heads that are known of them ---------------------------------


@dataclass
class Production:
    """A distinct production: how often it is there, and which child was the head."""

    parent: str
    children: tuple[Child, ...]
    count: int = 0
    heads: Counter[int] = field(default_factory=Counter)
    # Children that some scheme has as the head instead: see `heads.CONVENTIONS`.
    others: Counter[int] = field(default_factory=Counter)
    # Where the only child with a function tag is, if the trees have such tags.
    functions: dict[str, Counter[int]] = field(default_factory=dict)
    words: str = ""  # of one that is there, the shortest of the first ones

    def __str__(self) -> str:
        return f"{self.parent} -> {' '.join(child.label for child in self.children)}"

    def worth(self, head: int) -> float:
        """How often a child is the head, by convention almost as good as itself."""
        return self.heads[head] + _CONVENTION * self.others[head]


class Bracket(NamedTuple):
    """A bracket: its number among those of the derivation, its node, its children's."""

    number: int
    row: int
    children: list[int]


def brackets_of(
    bank: Treebank, derivation: Derivation, tables: LabelTables
) -> Iterator[Bracket]:
    """All brackets with the children that are left after deletion."""
    if not derivation.row.size:
        return
    keep = flags_at(bank.label.size, derivation.row)
    keep[bank.leaf_node[kept_by_tree(bank, tables)[0]]] = True
    node = np.flatnonzero(keep)
    size = int(bank.leaf_node.size)
    depth = depths(bank.is_leaf[node], bank.first[node], bank.last[node], size)
    parent, child, starts = parents(depth)
    number = np.searchsorted(derivation.row, node)
    of_children = parent[child[starts]]
    ends = np.append(starts[1:], child.size).tolist()
    nodes: list[int] = node[child].tolist()
    rows = node[of_children].tolist()
    numbers = number[of_children].tolist()
    for at, row, start, end in zip(numbers, rows, starts.tolist(), ends, strict=True):
        yield Bracket(at, row, nodes[start:end])


@dataclass
class Productions:
    """All productions of a treebank, and where the heads are from."""

    deriver: SyntaxDeriver
    known: dict[tuple[str, tuple[Child, ...]], Production] = field(default_factory=dict)
    heads: Counter[str] = field(default_factory=Counter)  # by source
    words: dict[str, set[str]] = field(default_factory=dict)  # of tags
    marks: dict[str, list[str]] = field(default_factory=dict)  # of heads, by label

    def __post_init__(self) -> None:
        self._names: dict[tuple[int, bool], Child] = {}
        self._functions: dict[tuple[int, bool], tuple[str, ...]] = {}

    @property
    def labels(self) -> LabelSet:
        return self.deriver.inventory.labels

    def add(self, bank: Treebank) -> None:
        """Count the productions, with the function tags of their children."""
        derivation = derive_alone(bank, self.deriver)
        leaf_of = {node: at for at, node in enumerate(bank.leaf_node.tolist())}
        first, last = bank.first.tolist(), bank.last.tolist()
        for _, row, children in brackets_of(bank, derivation, self.deriver.tables):
            production = self._production(bank, row, children)
            production.count += 1
            if len(children) > 1:
                places: dict[str, list[int]] = {}
                for at, child in enumerate(children):
                    for tag in self._tags(bank, child, leaf_of.get(child)):
                        places.setdefault(tag, []).append(at)
                for tag, listed in places.items():
                    if len(listed) == 1:
                        of_tag = production.functions.setdefault(tag, Counter())
                        of_tag[listed[0]] += 1
            if production.count <= 5 and last[row] - first[row] <= 12:
                words = " ".join(bank.forms(slice(first[row], last[row])))
                if not production.words or len(words) < len(production.words):
                    production.words = words
        tags, forms = bank.label[bank.leaf_node].tolist(), bank.forms(slice(None))
        for tag, form in zip(tags, forms, strict=True):
            self.words.setdefault(self._child(tag, True).label, set()).add(form)

    def add_marks(self) -> None:
        """The heads that the trees mark, once all are counted.

        A mark is a function tag that says head (`HD`, `Head`), and in labels without
        one a tag that nearly every bracket has once, mostly on a word (a predicator).
        """
        conjunctions = self.labels.conjunction
        several: Counter[str] = Counter()
        tagged: Counter[tuple[str, str]] = Counter()
        on_words: Counter[tuple[str, str]] = Counter()
        for item in self.known.values():
            several[item.parent] += item.count if len(item.children) > 1 else 0
            for tag, places in item.functions.items():
                tagged[item.parent, tag] += places.total()
                for at, count in places.items():
                    child = item.children[at]
                    is_head = child.is_leaf and child.label not in conjunctions
                    on_words[item.parent, tag] += count * is_head
        for (label, tag), count in tagged.items():
            share = count / several[label]
            is_needed = share >= 0.9 and 2 * on_words[label, tag] >= count
            if (is_head_mark(tag) and count >= 5) or (is_needed and count >= KNOWN):
                self.marks.setdefault(label, []).append(tag)
        for label, tags in self.marks.items():
            named = list(filter(is_head_mark, tags))
            if sum(tagged[label, tag] for tag in named) < 0.3 * several[label]:
                named = [max(tags, key=lambda tag: on_words[label, tag])]
            self.marks[label] = named
        for item in self.known.values():
            for tag in self.marks.get(item.parent, ()):
                item.heads.update(item.functions.get(tag, {}))
            self.heads[MARKS] += item.heads.total()

    def add_dependencies(
        self, banks: Sequence[Treebank], dependencies: Dependencies
    ) -> tuple[int, int]:
        """The heads of the dependencies instead of those that the trees mark; how many
        sentences have any, and of how many."""
        for production in self.known.values():
            production.heads.clear()
            production.others.clear()
        self.heads.clear()
        paired = every = 0
        for block in trees_beside(banks, dependencies, self.deriver.tables):
            bank = block.side.bank
            paired, every = paired + block.ledger.scored, every + block.ledger.gold
            kept = flags_at(bank.leaf_node.size, block.side.leaves)
            is_kept, trees = kept.tolist(), bank.tree_of_node.tolist()
            first, last = bank.first.tolist(), bank.last.tolist()
            derivation = self.deriver.derive(block.side)
            rows = set(derivation.row.tolist())
            for _, row, children in brackets_of(bank, derivation, self.deriver.tables):
                words = block.words[trees[row]] if row in rows else None
                if words is None or len(children) < 2:
                    continue
                spans = [(first[node], last[node]) for node in (row, *children)]
                heads = _head_children(words, spans, is_kept)
                production = self._production(bank, row, children)
                for at, kind in heads.items():
                    (production.heads if kind == SAME else production.others)[at] += 1
                self.heads[DEPENDENCIES] += bool(heads)
        return paired, every

    def _production(self, bank: Treebank, row: int, nodes: list[int]) -> Production:
        label, is_leaf = bank.label, bank.is_leaf
        parent = self._child(int(label[row]), False).label
        children = tuple(
            self._child(int(label[node]), bool(is_leaf[node])) for node in nodes
        )
        production = self.known.get((parent, children))
        if production is None:
            production = self.known[parent, children] = Production(parent, children)
        return production

    def _child(self, label: int, is_leaf: bool) -> Child:
        child = self._names.get((label, is_leaf))
        if child is None:
            name = SYMBOLS.name(label)
            bare = self.labels.bare_tag if is_leaf else self.labels.bare_phrase
            child = self._names[label, is_leaf] = Child(bare(name), is_leaf)
        return child

    def _tags(self, bank: Treebank, node: int, leaf: int | None) -> Iterable[str]:
        """The function tags of a node; of words, also those of edges."""
        key = int(bank.label[node]), leaf is not None
        if key not in self._functions:
            name = SYMBOLS.name(key[0])
            tags = self.labels.function_tags(name, of_word=key[1])
            self._functions[key] = tuple(dict.fromkeys(tags))
        if leaf is None or not bank.edges:
            return self._functions[key]
        return {*self._functions[key], *re.split(r"\W", bank.edges[leaf])} - {""}


def is_head_mark(tag: str) -> bool:
    """Whether a function tag says that this is the head.

    >>> [is_head_mark(tag) for tag in ("HD", "Head", "DetHead", "SB")]
    [True, True, True, False]
    """
    return tag.casefold() in HEAD_MARKS or tag.casefold().endswith("head")


def _head_children(
    words: WordsOfTree, spans: Sequence[tuple[int, int]], is_kept: Sequence[bool]
) -> dict[int, str]:
    """Children that have the head of a bracket, or that of another convention; `spans`
    are the bracket's and its children's."""
    head = words.head(*spans[0], is_kept)
    if head is None:
        return {}
    kinds = {}
    for at, span in enumerate(spans[1:]):
        ours = words.head(*span, is_kept)
        if ours is not None:
            kind = words.agreement(words.leaves[ours], head)
            if kind != OTHER:
                kinds[at] = kind
        elif span[0] <= words.leaves[head] < span[1]:
            kinds[at] = SAME
    return kinds if SAME in kinds.values() else {}


# -- heads that nothing tells ------------------------------------------------------


class LabelStatistics(NamedTuple):
    """What the productions of all labels say of children, for guesses."""

    alone: Counter[tuple[str, Child]]  # as the only child of a label
    present: Counter[tuple[str, Child]]
    brackets: Counter[str]
    total: Counter[Child]  # in all labels
    openness: dict[str, float]  # of tags: distinct words for each word

    @classmethod
    def of(cls, productions: Productions) -> LabelStatistics:
        alone: Counter[tuple[str, Child]] = Counter()
        present: Counter[tuple[str, Child]] = Counter()
        brackets: Counter[str] = Counter()
        total: Counter[Child] = Counter()
        for production in productions.known.values():
            brackets[production.parent] += production.count
            if len(production.children) == 1:
                alone[production.parent, production.children[0]] += production.count
            for child in set(production.children):
                present[production.parent, child] += production.count
            for child in production.children:
                total[child] += production.count
        openness = {
            tag: len(words) / max(total[Child(tag, True)], 20)
            for tag, words in productions.words.items()
        }
        return cls(alone, present, brackets, total, openness)

    def score(self, parent: str, child: Child) -> float:
        """How likely a child is the head of such a phrase.

        What can be the whole phrase, what nearly all such phrases have and others lack,
        words of an open class; a phrase of the same label, before what rarely heads.
        The weights were chosen on halves of eight treebanks whose inventories we wrote.
        """
        key = parent, child
        present = self.present[key]
        alone = self.alone[key] / present if present else 0.0
        share = present / self.brackets[parent]
        specific = present / self.total[child] if self.total[child] else 0.0
        openness = self.openness.get(child.label, 0.0) if child.is_leaf else 0.0
        own = 0.1 if child == Child(parent, False) else 0.0
        score: float = alone**1.5 + 0.3 * share * min(1.0, specific)
        return score + 0.15 * openness + own


def thumb_heads(
    productions: Iterable[Production],
    statistics: LabelStatistics,
    is_conjunction: Callable[[Child], bool],
) -> None:
    """Guess the heads of a label's productions, by rules of thumb.

    Of the likeliest children (`LabelStatistics.score`) the head is the last, if such
    stand behind other children more often than before them, else the first; in a
    coordination, one before the conjunction, if there is one.
    """
    several = [production for production in productions if len(production.children) > 1]
    scores: dict[Child, float] = {}
    for production in several:
        for child in production.children:
            if child not in scores:
                guess = statistics.score(production.parent, child)
                scores[child] = -1.0 if is_conjunction(child) else guess
    # Per kind of head, the label itself or another: children before it, behind it.
    sides = {True: [0, 0], False: [0, 0]}
    for production in several:
        ranks = [scores[child] for child in production.children]
        best = max(range(len(ranks)), key=ranks.__getitem__)
        if production.children.count(production.children[best]) > 1:
            continue
        side = sides[production.children[best] == Child(production.parent, False)]
        side[0] += best * production.count
        side[1] += (len(ranks) - 1 - best) * production.count
    for production in several:
        ranks = [scores[child] for child in production.children]
        places = list(range(len(ranks)))
        joined = [at for at in places[1:] if ranks[at] < 0]
        if joined and 2 * max(ranks[: joined[0]]) >= max(ranks):
            places = places[: joined[0]]
        best_rank = max(ranks[at] for at in places)
        peers = [at for at in places if 2 * ranks[at] >= best_rank and ranks[at] >= 0]
        if not peers:
            continue
        best = max(peers, key=ranks.__getitem__)
        is_own = production.children[best] == Child(production.parent, False)
        is_leaf = production.children[best].is_leaf
        peers = [
            at
            for at in peers
            if (production.children[at] == Child(production.parent, False)) == is_own
            and production.children[at].is_leaf == is_leaf
        ]
        before, behind = sides[is_own]
        is_last = before + (not is_own) > behind and not (is_own and joined)
        production.heads[peers[-1 if is_last else 0]] += production.count


# -- ranking the children of a label ---------------------------------------------------

A, OWN, B, REST, LATE = range(5)  # ranks; LATE: of rank A, behind the conjunction
ORDERS = ((A, OWN, B, REST), (OWN, A, B, REST), (A, B, OWN, REST), (A, B, REST, OWN))


class Choice(NamedTuple):
    """Where a production's head is looked for: in which rank, among which children."""

    is_joined: bool  # a coordination
    rank: int
    places: list[int]


@dataclass
class Ranking:
    """Which children head the phrases of a label, and which of several."""

    own: Child
    joins: frozenset[Child]  # what makes a coordination of it; empty: nothing does
    order: tuple[int, ...] = ORDERS[0]
    rank_of: dict[Child, int] = field(default_factory=dict)
    is_last: dict[tuple[bool, int], bool] = field(default_factory=dict)

    def rank(self, child: Child) -> int:
        return OWN if child == self.own else self.rank_of.get(child, REST)

    def choice(self, children: Sequence[Child]) -> Choice | None:
        """The rank that decides; None if there is nothing but conjunctions."""
        start = int(bool(self.joins) and children[0] in self.joins)
        places = list(range(start, len(children)))
        joined = [at for at in places if children[at] in self.joins]
        first = places[: joined[0] - start] if joined else places
        if not first:
            return None
        ranks = {at: self.rank(children[at]) for at in first}
        best = min(ranks.values(), key=self.order.index)
        if joined and best == REST:
            late = [at for at in places if self.rank(children[at]) == A]
            late = [at for at in late if children[at] not in self.joins]
            if late:
                return Choice(True, LATE, late)
        return Choice(bool(joined), best, [at for at in first if ranks[at] == best])

    def head(self, children: Sequence[Child]) -> int | None:
        choice = self.choice(children)
        if choice is None:
            return None
        is_last = self.is_last.get((choice.is_joined, choice.rank), False)
        return choice.places[-1 if is_last else 0]


def ranked(
    productions: Sequence[Production], own: Child, joins: frozenset[Child], most: int
) -> Ranking:
    """The ranking that agrees best with the heads of the productions.

    It is searched for by moving one child after the other to another rank; `most` is
    how many ranks beside the label itself and the rest may have members.
    """
    known = sorted(
        (item for item in productions if item.heads and len(item.children) > 1),
        key=lambda item: -item.heads.total(),
    )[:_PRODUCTIONS]
    present: Counter[Child] = Counter()
    for item in known:
        for child in set(item.children):
            present[child] += item.heads.total()
    start = _first_ranks(productions, known, present, most)
    start = {child: rank for child, rank in start.items() if child not in {own, *joins}}
    best: tuple[float, Ranking] | None = None
    for order in ORDERS:
        ranking = Ranking(own, joins, order, dict(start))
        score = _climb(ranking, known, present, most)
        # Fewer members are easier to read, where the heads are the same.
        if best is None or score > best[0] * 1.0005:
            best = score, ranking
    assert best is not None
    return best[1]


def _first_ranks(
    productions: Sequence[Production],
    known: Sequence[Production],
    present: Counter[Child],
    most: int,
) -> dict[Child, int]:
    """Ranks by how often a child is the head where it is there, as a start."""
    heads: Counter[Child] = Counter()
    for production in known:
        for at, count in production.heads.items():
            heads[production.children[at]] += count
    alone: Counter[Child] = Counter()
    for production in productions:
        if len(production.children) == 1:
            alone[production.children[0]] += production.count
    ranks = {}
    for child in filter(_may_list, {**present, **alone}):
        share = heads[child] / present[child] if present[child] else 0.0
        # What is the whole phrase more often than not is of the kind that heads it.
        is_alone = child.is_leaf and alone[child] > max(present[child], _MOST_ALONE)
        if present[child] < 3 and not is_alone:
            continue
        if share >= 0.5 or (is_alone and present[child] < KNOWN):
            ranks[child] = A
        elif share >= 0.15 and most > 1:
            ranks[child] = B
    return ranks


def _may_list(child: Child) -> bool:
    """Whether patterns can write its label."""
    return bool(child.label) and not re.search(r"['\s]", child.label)


def _climb(
    ranking: Ranking, known: list[Production], present: Counter[Child], most: int
) -> float:
    """Improve a ranking as long as moving a child does; how many heads it has right."""
    climb = _Climb(ranking, known)
    movable = [
        child
        for child, times in present.most_common()
        if child != ranking.own and child not in ranking.joins and times >= 3
        if _may_list(child)
    ]
    choices = (A, B, REST) if most > 1 else (A, REST)
    for _ in range(_ROUNDS):
        if not sum(climb.improves(child, choices) for child in movable):
            break
    ranking.is_last = {key: last > first for key, (first, last) in climb.right.items()}
    return climb.score


class _Climb:
    """A ranking, and how many heads it has right, as it is changed."""

    def __init__(self, ranking: Ranking, known: list[Production]) -> None:
        self.ranking = ranking
        # By choice: right heads if the first, if the last of several is taken.
        self.right: dict[tuple[bool, int], list[float]] = {}
        self._with_child: dict[Child, list[Production]] = {}
        for item in known:
            for child in set(item.children):
                self._with_child.setdefault(child, []).append(item)
        self._count(known, 1)
        # Less is chance, and makes classes longer.
        self._least = max(2.0, 0.0005 * sum(item.heads.total() for item in known))

    @property
    def score(self) -> float:
        return sum(map(max, self.right.values()))

    def improves(self, child: Child, ranks: Sequence[int]) -> bool:
        """Move a child to the rank that is best for it; whether that is another."""
        before = best = self.ranking.rank(child)
        least = self.score + self._least
        for rank in ranks:
            if rank != before:
                self._move(child, rank)
                if self.score > least:
                    least, best = self.score, rank
        self._move(child, best)
        return best != before

    def _move(self, child: Child, rank: int) -> None:
        self._count(self._with_child[child], -1)
        self.ranking.rank_of[child] = rank
        self._count(self._with_child[child], 1)

    def _count(self, productions: Iterable[Production], sign: int) -> None:
        for production in productions:
            choice = self.ranking.choice(production.children)
            if choice is not None:
                sums = self.right.setdefault(
                    (choice.is_joined, choice.rank), [0.0, 0.0]
                )
                sums[0] += sign * production.worth(choice.places[0])
                sums[1] += sign * production.worth(choice.places[-1])
