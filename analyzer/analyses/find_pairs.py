"""Does a query find the same in the parse as in gold? `find_pairs`.

A query is matched on both sides. What counts is what it names: a match is a row of
named nodes, and rows are joined on the words of these nodes, their spans or their
heads. Where nothing is named, it is the node that the query begins with.
docs/queries.md has the definitions with examples.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, Unpack

import numpy as np

from analyzer.analyses.compared import (
    OfSystems,
    count_systems,
    documents_of,
    frame_of,
    require_draws,
    shared_notes,
    texts_of,
)
from analyzer.analyses.errors import sample_ranks, smallest
from analyzer.analyses.find import FoundNode, unmet_hints
from analyzer.analyses.opening import (
    ScoringOptions,
    TreeReading,
    Trees,
)
from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.brackets import word_positions
from analyzer.derivation.columns import Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import PairingError
from analyzer.metrics.constructions import Comparison
from analyzer.metrics.counts import Counts, concatenated
from analyzer.metrics.intervals import SentenceUnits
from analyzer.metrics.join import Key, match, packed
from analyzer.metrics.measures import Measure, Row, row_type
from analyzer.metrics.ratios import MatchCounts
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import (
    DEFAULT_SEED,
    DIFFERENCE,
    paired_tests,
    score_pools,
)
from analyzer.model.arrays import Flags, Ints, Value, any_between
from analyzer.model.settings import keywords, require_number
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import SENTENCE, Ledger
from analyzer.pairing.mismatches import mismatch_setting
from analyzer.pairing.words import Side
from analyzer.queries.columns import Columns
from analyzer.queries.language import Query
from analyzer.queries.matching import find_on_columns
from analyzer.queries.named import KeyKind, NamedQuery, Queries, named_queries
from analyzer.runtime.executor import Backend
from analyzer.safe_text import counted

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES = 1000
MISSED = "missed"  # only gold has it
INVENTED = "invented"  # only the parser has it
KINDS = (MISSED, INVENTED)
_OF_MATCH = ("query", "kind", "sentence", "id", "group")  # in a frame, before nodes
NO_BRACKET = "(no such bracket)"
# What notes tell of: sentences with too many combinations of nodes; matches of one side
# that the other would have, were it not for function tags.
GIVEN_UP, TAGGED = "given up", "tagged"

MEASURES = (
    Measure("precision", "matched", "parsed", "P"),
    Measure("recall", "matched", "gold", "R"),
    Measure("f1", "2 matched", "gold + parsed", "F1"),
)
F1 = MEASURES[-1]
FIELDS = ("gold", "parsed", "matched")
QueryRow = row_type(
    *("QueryRow", "system", "query", "group", *FIELDS),
    *(f"{measure.name}{end}" for measure in MEASURES for end in ("", "_low", "_high")),
    module=__name__,
)
QueryDifference = row_type("QueryDifference", "query", *DIFFERENCE, module=__name__)


class PairedMatch(NamedTuple):
    """A match that only one side has, with the trees of both."""

    query: str
    kind: str  # one of KINDS
    sentence: int
    id: str  # what the file calls the sentence
    group: str
    # By name, those that are there; their words are numbered among `words`.
    nodes: Mapping[str, FoundNode]
    instead: str  # what the other side has over the same words
    words: list[str]  # of its side of the sentence, those that are compared
    trees: tuple[Treebank, Treebank]  # gold and parsed, of this sentence alone
    marks: tuple[tuple[int, ...], tuple[int, ...]]  # rows: it, and what stands there

    def _repr_svg_(self) -> str:
        from reports.tables.queries import match_picture

        return match_picture(self).svg


# -- one side of a block ---------------------------------------------------------------


class _LeftOut(NamedTuple):
    """What is found and does not count, or could not be looked for."""

    given_up: tuple[int, ...] = ()  # trees that were not searched
    wordless: int = 0  # matches with a node without words, as traces have none
    # If there is no match: the labels of the trees, and what none of their nodes is.
    unmet: tuple[frozenset[str], frozenset[str]] | None = None


class _Rows(NamedTuple):
    """The matches of a query on one side: distinct rows of named nodes."""

    nodes: Ints  # matches x names; -1: not there
    tree: Ints
    first: Ints  # matches x names: words, counted through the block; -1: not there
    last: Ints
    key: Key
    sentence: Ints  # of gold's, that each is counted with
    left_out: _LeftOut = _LeftOut()

    def only(self, chosen: Flags) -> _Rows:
        """Some of them, in the order of sentences."""
        rows = np.flatnonzero(chosen)
        rows = rows[np.argsort(self.sentence[rows], kind="stable")]
        nodes, tree, first, last = (column[rows] for column in self[:4])
        key = [column[rows] for column in self.key]
        return _Rows(nodes, tree, first, last, key, self.sentence[rows])

    def without(self, sentences: Sequence[int]) -> _Rows:
        """Those of other sentences."""
        return self.only(~np.isin(self.sentence, sentences))


class _BlockSide:
    """Where the nodes of one side stand among the words that are compared."""

    def __init__(
        self,
        side: Side,
        derivation: Derivation,
        names: ConstructionNames,
        deriver: Deriver,
    ) -> None:
        self.side, self.bank, self._deriver = side, side.bank, deriver
        self._derivation, self._names = derivation, names
        self._labels = deriver.tables.parameters.labels
        side.bank.require_sound()
        self._columns = Columns(side.bank, self._labels, deriver)  # for all queries
        bank, leaves = side.bank, np.arange(side.bank.leaf_node.size)
        # Of nodes, then of words, which are leaves again; at last of no node, -1.
        self._row = np.concatenate([np.arange(bank.label.size), bank.leaf_node, [-1]])
        self._first = np.concatenate([bank.first, leaves, [-1]])
        self._last = np.concatenate([bank.last, leaves + 1, [-1]])
        words, self._size = word_positions(side), int(side.sizes.sum())
        # What has no leaves stands where the next word does.
        self._start = np.append(words.start, self._size)
        self._end = np.append(words.end, self._size)

    @property
    def _is_in_step(self) -> bool:
        """Whether the n-th tree belongs to the n-th of the other side."""
        return self.side.places is None or self.side.places.sentences is None

    def matches(self, named: NamedQuery) -> _Rows:
        """The distinct rows of what a query names, in trees that are compared."""
        matches = find_on_columns(named.query, self._columns)
        columns = [matches.names.index(name) for name in named.key_names]
        nodes = np.unique(matches.nodes[:, columns], axis=0)
        tree = np.append(self.bank.tree_of_node, -1)[self._row[nodes]]
        tree = tree.max(axis=1, initial=-1)
        # A row of names that need not be there may have none of them. A parse that
        # counts as finding nothing has no words.
        kept = np.append(self.side.is_compared & (self.side.sizes > 0), False)[tree]
        nodes, tree = nodes[kept], tree[kept]
        first, last = self._words_of(nodes)
        has_words = ((last > first) | (nodes < 0)).all(axis=1)
        wordless = int(np.count_nonzero(~has_words))
        nodes, tree = nodes[has_words], tree[has_words]
        first, last = first[has_words], last[has_words]
        starts, ends = self._places_of(first, last)
        key: Key = [self._label(tree, first, last)]
        if named.key is KeyKind.HEAD:
            key += list(self._heads(nodes, first).T)
        else:
            key += [*starts.T, *ends.T]
        places, sentence = self.side.places, tree
        if places is not None and places.once and tree.size:
            # Equal rows match but once there: the others get a label of their own.
            _, kept = np.unique(np.stack(key), axis=1, return_index=True)
            is_again = ~np.isin(np.arange(tree.size), kept)
            key[0] = np.where(is_again, self._doubt(key[0]), key[0])
        sentences = None if places is None else places.sentences
        if sentences is not None and not self.side.is_gold:
            begins = starts.max(axis=1, initial=0)
            sentence = np.searchsorted(sentences, begins, side="right") - 1
            sentence = np.maximum(sentence, 0)
        unmet = None if matches.nodes.size else (matches.labels, matches.unmet)
        left = _LeftOut(matches.given_up, wordless, unmet)
        return _Rows(nodes, tree, first, last, key, sentence, left)

    def _words_of(self, nodes: Ints) -> tuple[Ints, Ints]:
        """The first word of each node, and the one after its last; -1 for no node."""
        first_leaf, last_leaf = self._first[nodes], self._last[nodes]
        first = np.where(nodes >= 0, self._start[first_leaf], -1)
        has_leaves = last_leaf > first_leaf
        return first, np.where(has_leaves, self._end[last_leaf - 1], first)

    def _places_of(self, first: Ints, last: Ints) -> tuple[Ints, Ints]:
        """The same in a text that both sides share, if words have places there."""
        if self.side.places is None:
            return first, last
        spans = self.side.places.spans
        begins, ends = np.append(spans.start, spans.room), np.append(spans.end, 0)
        start = np.where(first >= 0, begins[first], -1)
        return start, np.where(last > first, ends[last - 1], start)

    def _label(self, tree: Ints, first: Ints, last: Ints) -> Ints:
        """What must be the same beside words: the tree; never, of a doubtful match."""
        same = tree if self._is_in_step else np.zeros_like(tree)
        places = self.side.places
        if places is None or places.is_doubtful is None:
            return same
        doubtful = any_between(places.is_doubtful, first, last).any(axis=1)
        return np.where(doubtful, self._doubt(same), same)

    def _doubt(self, numbers: Any) -> Any:
        """Numbers that the other side has not."""
        return -2 * numbers - 2 - (not self.side.is_gold)

    def _heads(self, nodes: Ints, first: Ints) -> Ints:
        """The head words of nodes; that of the first bracket in one that has none."""
        rows, bank = self._derivation, self.bank
        first_leaf, last_leaf = self._first[nodes], self._last[nodes]
        at = np.searchsorted(rows.row, nodes)
        # What comes next in pre-order and begins with a leaf of the node is in it.
        next_row = np.append(rows.row, bank.label.size)[at]
        leaf = np.append(bank.first, bank.leaf_node.size)[next_row]
        has_row = (leaf >= first_leaf) & (leaf < last_leaf) & (nodes < bank.label.size)
        places = self.side.places
        numbers = np.arange(self._size) if places is None else places.spans.number
        word = np.append(numbers, -1)[first]
        head = np.where(has_row, np.append(rows.head, -1)[at], word)
        return np.where(nodes < 0, -1, head)

    def over_the_same_words(self, other: _BlockSide, rows: _Rows) -> Ints:
        """Of the other side, the smallest phrase over the words of each named node.

        Of a word or its tag, the word there. -1 where there is no such bracket.
        """
        bank, nodes = self.bank, rows.nodes
        is_leaf = np.append(bank.is_leaf, True)[self._row[nodes]]
        tree = np.broadcast_to(rows.tree[:, None], nodes.shape)
        wanted = self._node_key(is_leaf, tree, rows.first, rows.last)
        table = other.node_key
        if not nodes.size or not other.bank.label.size:
            return np.full(nodes.shape, -1)
        asked, known = packed([column.ravel() for column in wanted], table)
        order = np.argsort(known, kind="stable")  # parents come before children
        at = np.searchsorted(known[order], asked, side="right") - 1
        phrase = order[np.maximum(at, 0)]
        is_there = (known[phrase] == asked) & (nodes.ravel() >= 0)
        return np.where(is_there, phrase, -1).reshape(nodes.shape)

    @cached_property
    def node_key(self) -> Key:
        """What `over_the_same_words` goes by, of all nodes that are compared."""
        bank, nodes = self.bank, np.arange(self.bank.label.size)
        tree = np.where(self.side.is_compared, np.arange(len(bank)), -1)
        words = self._words_of(nodes)
        return self._node_key(bank.is_leaf, tree[bank.tree_of_node], *words)

    def _node_key(self, is_leaf: Flags, tree: Ints, first: Ints, last: Ints) -> Key:
        is_outside = tree < 0
        tree = tree if self._is_in_step else np.zeros_like(tree)
        kind = np.where(is_outside | (first >= last), 2, is_leaf)
        return [kind, tree, *self._places_of(first, last)]

    def called(self, node: int) -> str:
        """The construction of a bracket; the label of one that has none, or a tag."""
        rows = self._derivation.row
        at = int(np.searchsorted(rows, node, side="right")) - 1
        if self._deriver.has_tags and at >= 0 and rows[at] == node:
            return self._names[int(self._derivation.construction[at])]
        return self.bank.label_name(node)

    def named(self, rows: _Rows, at: int, names: Sequence[str]) -> dict[str, FoundNode]:
        """What a match names, as people read it."""
        tree = int(rows.tree[at])
        offset, words = int(self.side.offset[tree]), self.side.words(tree)
        start, nodes = int(self.bank.node_start[tree]), {}
        for column, name in enumerate(names):
            if (node := int(rows.nodes[at, column])) >= 0:
                first = int(rows.first[at, column]) - offset
                last = int(rows.last[at, column]) - offset
                shown = FoundNode.of(self.bank, node, words, first, last)
                nodes[name] = shown._replace(node=shown.node - start)
        return nodes

    def label_of(self, node: int) -> str:
        """The label of a node; of a word, its tag."""
        return self.bank.label_name(self.row_of(node))

    def bare(self, node: int) -> str:
        """The same without function tags."""
        whole, labels = self.label_of(node), self._labels
        if not self._deriver.has_tags:
            return whole
        is_leaf = self.bank.is_leaf[self.row_of(node)]
        return labels.bare_tag(whole) if is_leaf else labels.bare_phrase(whole)

    def row_of(self, node: int) -> int:
        """The node; of a word, its tag."""
        return int(self._row[node])


# -- what is counted -------------------------------------------------------------------


@dataclass(frozen=True)
class MatchSample:
    """Matches of one side alone, some of them if there are too many.

    Those of the lowest ranks are a sample from all over the input (`sample_ranks`).
    """

    limit: int | None = None  # of each query and kind
    ranked: Mapping[tuple[str, str], Sequence[tuple[int, PairedMatch]]] = field(
        default_factory=dict
    )

    def __add__(self, other: Self) -> Self:
        both = {**self.ranked}
        for name, matches in other.ranked.items():
            listed = [*both.get(name, ()), *matches]
            if self.limit is not None and len(listed) > self.limit:
                ranks = np.array([rank for rank, _ in listed], np.int64)
                listed = [listed[at] for at in smallest(ranks, self.limit)]
            both[name] = listed
        return replace(self, ranked=both)

    def of(self, query: str, kind: str) -> list[PairedMatch]:
        """Those of a query, in the order of the text."""
        return [pair for _, pair in self.ranked.get((query, kind), ())]


class _Block(NamedTuple):
    """What is counted in a block, sentence by sentence."""

    counts: Counts  # names: queries; values: FIELDS
    is_comparable: Flags
    groups: tuple[str, ...]  # of each sentence, if they were given
    documents: tuple[str, ...]  # of each sentence
    # By query, of each side that has no match: as in `_LeftOut`.
    unmet: dict[str, list[tuple[frozenset[str], frozenset[str]]]]


class QueryCounts(NamedTuple):
    """What is found in some sentences."""

    blocks: list[_Block]
    # By query and kind: what the other side has instead.
    instead: dict[tuple[str, str], Counter[str]]
    sample: MatchSample
    # By query: what notes tell of (GIVEN_UP, TAGGED; of a side, matches without words).
    noted: Counter[tuple[str, str]]


@dataclass(frozen=True)
class QueryCounter:
    """Which queries are matched on the sides of a pair, and how many are listed."""

    deriver: Deriver
    queries: tuple[NamedQuery, ...]
    limit: int | None = None

    @classmethod
    def of(
        cls, queries: str | Queries, deriver: Deriver, *, limit: int | None = None
    ) -> Self:
        """A counter of queries by name; a text is the name of their file."""
        given = Path(queries) if isinstance(queries, str) else queries
        return cls(deriver, named_queries(given), limit)

    def result(
        self,
        systems: Mapping[str, tuple[QueryCounts | None, Ledger]],
        reading: TreeReading,
        resamples: int = RESAMPLES,
        seed: int = DEFAULT_SEED,
    ) -> FoundPairs:
        """What was counted of systems, as a result."""
        names = [named.name for named in self.queries]
        matches = [
            SystemMatches.of(
                name, counts, names, ledger, self._hints(counts), self.deriver.noun
            )
            for name, (counts, ledger) in systems.items()
        ]
        texts = "\0".join(
            "\0".join((named.name, named.query.text)) for named in self.queries
        )
        signature = Signature.of(
            scorer="queries",
            queries=f"{len(names)}/{hashlib.sha256(texts.encode()).hexdigest()[:8]}",
            key=tuple(dict.fromkeys(named.key.value for named in self.queries)),
            **self.deriver.settings,
            **mismatch_setting(reading.mismatch),
            **matches[0].ledger.settings,
            intervals=matches[0].units(matches[0].is_comparable).setting,
            resamples=resamples,
            seed=seed,
        )
        how = signature, resamples, seed, self.deriver.label_hint
        return FoundPairs(matches, *how, self.queries)

    def _hints(self, counts: QueryCounts | None) -> list[str]:
        """Why queries that match nothing on either side cannot match."""
        hints: list[str] = []
        blocks = counts.blocks if counts else []
        for named in self.queries:
            parts = [block.unmet[named.name] for block in blocks]
            if parts and all(len(sides) == 2 for sides in parts):
                both = [part for sides in parts for part in sides]
                of_query = unmet_hints(named.query, both, self.deriver)
                before = f"{named.name}: " if len(self.queries) > 1 else ""
                hints += [before + hint for hint in of_query]
        return hints

    def __call__(self, pair: Pair, comparison: Comparison) -> QueryCounts:
        alignment, constructions = comparison.alignment, comparison.constructions
        aligned = alignment.gold, alignment.parsed
        derived = comparison.gold, comparison.parsed
        sides = [
            _BlockSide(side, rows, constructions, self.deriver)
            for side, rows in zip(aligned, derived, strict=True)
        ]
        sentences = pair.sentences
        table = np.zeros((sentences, len(self.queries), len(FIELDS)), np.int64)
        instead: dict[tuple[str, str], Counter[str]] = {}
        sample, unscored = MatchSample(self.limit), Counter[tuple[str, str]]()
        unmet = {}
        for at, named in enumerate(self.queries):
            matches = [side.matches(named) for side in sides]
            left_out = [rows.left_out for rows in matches]
            unmet[named.name] = [part.unmet for part in left_out if part.unmet]
            if given_up := {tree for part in left_out for tree in part.given_up}:
                unscored[named.name, GIVEN_UP] = len(given_up)
                matches = [rows.without([*given_up]) for rows in matches]
            for side, part in zip(("gold", "parsed"), left_out, strict=True):
                unscored[named.name, side] = part.wordless
            hits = match(matches[0].key, matches[1].key)[:2]
            counted = *(rows.sentence for rows in matches), matches[0].sentence[hits[0]]
            for place, sentence in enumerate(counted):
                table[:, at, place] = np.bincount(sentence, minlength=sentences)
            for own, kind in enumerate(KINDS):
                both = sides if own == 0 else sides[::-1]
                alone = _OneSided(
                    pair, both, named, matches[own].only(~hits[own]), kind
                )
                instead[named.name, kind] = Counter(alone.instead)
                unscored[named.name, TAGGED] += alone.tagged
                listed = alone.listed(self.limit)
                sample += MatchSample(self.limit, {(named.name, kind): listed})
        sentence, name = np.nonzero(table.any(axis=2))
        names = [named.name for named in self.queries]
        counts = Counts(names, sentences, sentence, name, table[sentence, name])
        groups = tuple(pair.groups or ())
        documents = tuple(documents_of(self.deriver, pair.documents))
        block = _Block(counts, alignment.is_comparable, groups, documents, unmet)
        return QueryCounts([block], instead, sample, +unscored)


class _OneSided:
    """The matches of a query that one side of a block has alone: the first side."""

    def __init__(
        self,
        pair: Pair,
        sides: Sequence[_BlockSide],
        named: NamedQuery,
        rows: _Rows,
        kind: str,
    ) -> None:
        self._pair, self._named, self._kind, self._rows = pair, named, kind, rows
        self._side, self._other = sides
        self._there = self._side.over_the_same_words(self._other, rows)

        self._by_label = named.by_label
        self.tagged = 0  # the other side has these, with other function tags
        self.instead = [
            self._instead_of(*row)
            for row in zip(rows.nodes.tolist(), self._there.tolist(), strict=True)
        ]

    def _instead_of(self, nodes: list[int], there: list[int]) -> str:
        """What the other side has over the same words, node by node.

        A construction; where labels differ in function tags alone, the label.
        """
        texts: dict[str, str] = {}
        is_same, is_tagged = True, False
        for name, node, beside in zip(self._named.key_names, nodes, there, strict=True):
            if node < 0:
                continue
            if beside < 0:
                is_same, texts[name] = False, NO_BRACKET
                continue
            bare, other_bare = self._side.bare(node), self._other.bare(beside)
            texts[name] = self._other.called(beside)
            if bare != other_bare:
                is_same = False
            elif name in self._by_label and (
                self._side.label_of(node) != self._other.label_of(beside)
            ):
                is_tagged, texts[name] = True, self._other.label_of(beside)
        self.tagged += is_same and is_tagged
        is_one = len(self._named.key_names) == 1
        return ", ".join(t if is_one else f"{name}: {t}" for name, t in texts.items())

    def listed(self, limit: int | None) -> list[tuple[int, PairedMatch]]:
        """The matches with their ranks, so many at most."""
        pair, sentence = self._pair, self._rows.sentence
        ranks = sample_ranks(pair.first_sentence + sentence * pair.every)
        chosen = np.arange(ranks.size) if limit is None else smallest(ranks, limit)
        return [(int(ranks[at]), self._match(at)) for at in chosen.tolist()]

    def _match(self, at: int) -> PairedMatch:
        pair, rows = self._pair, self._rows
        sentence, tree = int(rows.sentence[at]), int(rows.tree[at])
        side, other = self._side, self._other
        there = [node for node in self._there[at].tolist() if node >= 0]
        # Where sentences are not in step, what stands there may be in another tree.
        beside = int(other.bank.tree_of_node[there[0]]) if there else sentence
        nodes = [side.row_of(node) for node in rows.nodes[at].tolist() if node >= 0]
        shown = [_tree_and_marks(side.bank, tree, nodes)]
        shown.append(_tree_and_marks(other.bank, beside, there))
        gold, parsed = shown if side.side.is_gold else shown[::-1]
        return PairedMatch(
            self._named.name,
            self._kind,
            pair.number(sentence),
            pair.id_of(sentence),
            pair.groups[sentence] if pair.groups else "",
            side.named(rows, at, self._named.key_names),
            self.instead[at],
            side.side.words(tree),
            (gold[0], parsed[0]),
            (gold[1], parsed[1]),
        )


def _tree_and_marks(
    bank: Treebank, tree: int, nodes: Iterable[int]
) -> tuple[Treebank, tuple[int, ...]]:
    """A tree alone, and those of some nodes that are in it."""
    alone, start = bank[tree : tree + 1], int(bank.node_start[tree])
    marks = {node - start for node in nodes} & {*range(alone.label.size)}
    return alone, tuple(sorted(marks))


# -- what comes out --------------------------------------------------------------------


@dataclass(eq=False)
class SystemMatches(Value):
    """What was counted of a system, query by query."""

    name: str
    counts: Counts
    is_comparable: Flags
    groups: tuple[str, ...]  # of each sentence; none: not grouped
    documents: tuple[str, ...]  # of each sentence
    noun: str  # what a tree is of, as "sentence"
    instead: dict[tuple[str, str], Counter[str]]
    sample: MatchSample
    noted: Counter[tuple[str, str]]  # as in `QueryCounts`
    ledger: Ledger
    hints: Sequence[str] = ()  # why queries cannot match

    @classmethod
    def of(
        cls,
        name: str,
        counts: QueryCounts | None,
        names: Sequence[str],
        ledger: Ledger,
        hints: Sequence[str] = (),
        noun: str = SENTENCE,
    ) -> SystemMatches:
        """A system, of what was counted in its blocks."""
        if counts is None:
            nothing = np.zeros(0, np.int64)
            none = Counts(names, 0, nothing, nothing, np.zeros((0, 3), np.int64))
            block = _Block(none, nothing.astype(np.bool_), (), (), {})
            counts = QueryCounts([block], {}, MatchSample(), Counter())
        blocks = counts.blocks
        return cls(
            name,
            concatenated([block.counts for block in blocks], names),
            np.concatenate([block.is_comparable for block in blocks]),
            tuple(group for block in blocks for group in block.groups),
            tuple(document for block in blocks for document in block.documents),
            noun,
            counts.instead,
            counts.sample,
            counts.noted,
            ledger,
            hints,
        )

    def sentences_of(self, group: str | None) -> Flags:
        """The sentences that are compared, all or those of a group."""
        if group is None:
            return self.is_comparable
        in_group = np.array([name == group for name in self.groups], np.bool_)
        return self.is_comparable & in_group

    def total(self, query: str) -> MatchCounts:
        """How often both sides have a match, gold, and the parser."""
        counts = self.counts.only(self.is_comparable)
        gold, parsed, matched = counts.sums()[self.counts.names.index(query)].tolist()
        return MatchCounts(matched, gold, parsed)

    def units(self, chosen: Flags) -> SentenceUnits:
        """What is drawn for intervals and tests: documents, or sentences."""
        return SentenceUnits.of(self.documents, chosen, self.noun)

    def rows(self, group: str | None, resamples: int, seed: int) -> list[Row]:
        """A row for each query, with intervals."""
        chosen = self.sentences_of(group)
        units = self.units(chosen).of_chosen(self.counts)
        known = [
            units.intervals(measure, FIELDS, resamples, seed) for measure in MEASURES
        ]
        rows = []
        for at, (query, sums) in enumerate(
            zip(self.counts.names, units.counts.sums().tolist(), strict=True)
        ):
            scored: list[float | None] = []
            for measure, intervals in zip(MEASURES, known, strict=True):
                value = measure.of(dict(zip(FIELDS, sums, strict=True)))
                scored += [value, *intervals[at]]
            rows.append(QueryRow(self.name, query, group, *sums, *scored))
        return rows


class InsteadRow(NamedTuple):
    """What one side has where only the other has a match, and how often."""

    system: str
    query: str
    kind: str
    instead: str
    times: int
    share: float  # of the matches of this query and kind


@dataclass(eq=False, repr=False)
class FoundPairs(OfSystems):
    """What `find_pairs` returns: scores of queries, and what one side has alone."""

    systems: list[SystemMatches]
    queries: tuple[NamedQuery, ...]

    verb: ClassVar[str] = "compared"

    def _shown(self) -> str:
        if len(self.queries) > 1:
            return f"{len(self.queries):,} queries"
        [query], [first, *_] = self.queries, self.systems
        f1 = first.total(query.name).f1
        shown = "undefined" if f1 is None else f"{100 * f1:.1f}"
        return f"{query.name}, F1 {shown}"

    @property
    def notes(self) -> list[str]:
        of_systems = {system.name: self._notes_of(system) for system in self.systems}
        left_out = super().notes
        if len(self.systems) > 1:
            left_out = [
                f"{system.name}: {system.ledger.text(self.verb)}"
                for system in self.systems
                if not system.ledger.is_complete
            ]
        return [*left_out, *shared_notes(of_systems), *texts_of(self.label_hint)]

    def _notes_of(self, system: SystemMatches) -> list[str]:
        """What is to be known of the matches of a system, query by query."""
        notes = list(system.hints)
        for (query, what), count in system.noted.items():
            before = f"{query}: " if len(self.queries) > 1 else ""
            if what == GIVEN_UP:
                trees = counted(count, system.ledger.noun)
                text = f"not looked for in {trees} with too many combinations of nodes"
            elif what == TAGGED:
                text = (
                    f"{counted(count, 'match')} of one side alone, where the other has "
                    "the same brackets with other function tags (@NP stands for NP, "
                    "NP-SBJ, …)"
                )
            else:
                text = (
                    f"{counted(count, 'match')} of {what} left out: a node that is "
                    "compared has no words, as a trace has none"
                )
            notes.append(before + text)
        return notes

    @property
    def groups(self) -> list[str]:
        """The groups of sentences, in the order in which they are met."""
        return list(
            dict.fromkeys(name for system in self.systems for name in system.groups)
        )

    @cached_property
    def rows(self) -> list[Row]:
        """A row for each system and query, then for each of its groups."""
        return [
            row
            for group in (None, *self.groups)
            for system in self.systems
            for row in system.rows(group, self.resamples, self.seed)
        ]

    @property
    def matches(self) -> list[PairedMatch]:
        """What one side has alone, of the first system; `matches_of` has others'."""
        return self.matches_of(self.systems[0].name)

    def matches_of(self, system: str) -> list[PairedMatch]:
        """What one side has alone: missed, then invented; query by query."""
        sample = next(
            matches.sample for matches in self.systems if matches.name == system
        )
        return [
            match
            for named in self.queries
            for kind in KINDS
            for match in sample.of(named.name, kind)
        ]

    @property
    def instead(self) -> list[InsteadRow]:
        """What stands there instead, most frequent first; it sums to the misses."""
        rows = []
        for system in self.systems:
            for named in self.queries:
                for kind in KINDS:
                    counts = system.instead.get((named.name, kind), Counter())
                    order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
                    rows += [
                        InsteadRow(
                            *(system.name, named.name, kind, text, count),
                            count / counts.total(),
                        )
                        for text, count in order
                    ]
        return rows

    def differences(self, other: SystemMatches) -> list[Row]:
        """F1 of another system minus that of the first, query by query, with tests.

        Both on the sentences that both can be compared on; Holm's correction is over
        the queries.
        """
        first = self.systems[0]
        if first.is_comparable.size != other.is_comparable.size:
            raise PairingError(
                "E407 sentences",
                name=other.name,
                size=other.is_comparable.size,
                first_name=first.name,
                size_2=first.is_comparable.size,
            )
        common = first.is_comparable & other.is_comparable
        units = first.units(common)
        sides = [units.of_counts(side.counts.only(common)) for side in (first, other)]
        names = list(first.counts.names)
        pools = score_pools(sides, F1, FIELDS, units.is_common)
        tested = paired_tests(
            pools[:-1],  # queries overlap: no total
            names,
            resamples=self.resamples,
            seed=self.seed,
            has_total=False,
        )
        return tested.rows(QueryDifference, names, sides[0].sums()[:, 0].tolist())

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        return frame_of(self.rows, QueryRow._fields)  # type: ignore[attr-defined]

    def matches_frame(self) -> pd.DataFrame:
        """One row a match that only one side has, a column for each named node."""
        records = [
            {
                "system": system.name,
                **{name: getattr(pair, name) for name in _OF_MATCH},
                **{name: node.words for name, node in pair.nodes.items()},
                "instead": pair.instead,
                "text": " ".join(pair.words),
            }
            for system in self.systems
            for pair in self.matches_of(system.name)
        ]
        return frame_of(records, list(records[0]) if records else [])


@keywords(ScoringOptions.__annotations__, TreeReading, binarize="none")
def find_pairs(
    query: str | Query | Queries,
    gold: Trees,
    parsed: Trees | Mapping[str, Trees],
    *,
    key: KeyKind | str = KeyKind.SPAN,
    group_by: str | Sequence[str] | None = None,
    limit: int | None = None,
    resamples: int = RESAMPLES,
    seed: int = DEFAULT_SEED,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> FoundPairs:
    """Whether a query finds the same in the parse as in gold, and what is missed.

    `query` is one, or several by name: a mapping, or what `load_queries` gives.
    Matches are joined on the words of the nodes that the query names, their spans or
    their heads (`key`); if it names none, on those of its first node. `parsed` is a
    parser's output, or a mapping from names of parsers to theirs. Of the matches that
    one side has alone, all are listed, or a sample of so many of each kind and query
    (`limit`). `ScoringOptions` lists the other options.

    >>> gold = "(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds))))"
    >>> parsed = "(S (PRP I) (VP (VBP see) (NP (NNS birds))))"
    >>> pairs = find_pairs("NP", gold, parsed, resamples=10)
    >>> [(row.query, row.gold, row.parsed, row.recall) for row in pairs.rows]
    [('NP', 2, 1, 0.5)]
    >>> [(row.kind, row.nodes["match"].words, row.instead) for row in pairs.matches]
    [('missed', 'I', '(no such bracket)')]
    """
    queries = named_queries(query, key)
    require_draws(resamples, seed, parsed)
    if limit is not None:
        require_number("limit", limit, least=0)
    options.setdefault("binarize", "none")  # trees are searched as they are written
    reading, backend = TreeReading(**options), Backend(jobs)
    reference = reading.resolve(gold, again=True)
    deriver = reading.deriver_for(reference)
    counter = QueryCounter(deriver, queries, limit)
    counts = {}
    for name, outcome in count_systems(
        *(reference, parsed, reading, deriver, counter),
        backend=backend,
        group_by=group_by,
    ):
        reading.warn_left_out(outcome.ledger, outcome.names[1])
        counts[name] = outcome.counts, outcome.ledger
    return counter.result(counts, reading, resamples, seed)
