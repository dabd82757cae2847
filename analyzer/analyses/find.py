"""Where trees have what a query describes: `find`.

Blocks are searched in any process; what comes back are the trees that have matches,
and the numbers of the nodes in them. All that is shown is made from these.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Unpack, cast

import numpy as np

from analyzer.analyses.compared import Compared, frame_of
from analyzer.analyses.opening import (
    OpenedTrees,
    TreeOptions,
    TreeReading,
    Trees,
)
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import Place, QueryError, SettingsError
from analyzer.files.inputs import Input
from analyzer.formats.blocks import Block
from analyzer.formats.registry import Family
from analyzer.model.arrays import Ints, ranges
from analyzer.model.settings import keywords
from analyzer.model.tree import Tree
from analyzer.model.treebank import Treebank
from analyzer.pairing.ledger import Ledger, LeftOut, Reason, of_one_side
from analyzer.pairing.tasks import groups_of, of_files
from analyzer.queries.columns import (
    UNBOUND,
    first_word,
    is_word,
    label,
    last_word,
    tree_of,
)
from analyzer.queries.language import Description, Query, parse_query
from analyzer.queries.matching import find_matches
from analyzer.runtime.executor import Backend, run_tasks
from analyzer.safe_text import did_you_mean
from analyzer.transform.pruning import some_trees, without_nontext

if TYPE_CHECKING:
    import pandas as pd

MOST_KEPT: Final = 1_000_000  # matches; of more, no list can be made
_AT_ONCE: Final = 2_000  # trees that were read before


class FoundNode(NamedTuple):
    """A node of a match, as people read it."""

    label: str  # of a word, the word
    words: str
    first: int  # in the sentence, from 0
    last: int  # the word after its last one
    node: int  # its row in the tree's bank; of a word, that of its tag

    @staticmethod
    def of(
        bank: Treebank, node: int, words: Sequence[str], first: int, last: int
    ) -> FoundNode:
        """A node or a word of a bank, and where it stands among some words."""
        row, text = node, " ".join(words[first:last])
        if is_word(bank, node):
            row = int(bank.leaf_node[node - bank.label.size])
        return FoundNode(label(bank, node), text, first, last, row)


class Match(NamedTuple):
    """A match: where it is, and its named nodes."""

    file: str
    sentence: int  # its number in the file, from 1
    id: str  # what the file calls it
    group: str
    nodes: dict[str, FoundNode | None]  # by name; None where it is not bound
    tree: Tree

    @property
    def root(self) -> FoundNode:
        """The first node of the query."""
        node = next(iter(self.nodes.values()))
        assert node is not None  # the others may be missing
        return node


class FoundBlock(NamedTuple):
    """What was found in a block of trees."""

    source: str
    first: int  # the number of its first tree in the input
    counts: Ints  # per tree, its matches
    bank: Treebank  # the trees that have matches; none if they are only counted
    numbers: Ints  # per tree of `bank`, which of the block it is
    nodes: Ints  # matches × names; see `queries.matching.Matches`
    ledger: Ledger
    # If there is no match: labels, and which descriptions no node fits.
    labels: frozenset[str] = frozenset()
    unmet: frozenset[str] = frozenset()
    before: int = 0  # trees of the input before those of its file


class CountRow(NamedTuple):
    """Matches in a file, a group or everywhere."""

    name: str
    sentences: int
    with_match: int
    matches: int


@dataclass(frozen=True)
class _Finder:
    """Searches a block."""

    query: Query
    deriver: Deriver
    keeps_trees: bool

    def __call__(self, block: Block) -> FoundBlock:
        bank = block.read()
        labels = self.deriver.tables.parameters.labels
        matches = find_matches(self.query, bank, self.deriver, labels=labels)
        tree = tree_of(bank, matches.nodes[:, 0])
        counts = np.bincount(tree, minlength=len(bank))
        matched = np.flatnonzero(counts) if self.keeps_trees else tree[:0]
        nodes = matches.nodes if self.keeps_trees else matches.nodes[:0]
        kept, nodes = _moved(bank, matched, nodes)
        return FoundBlock(
            bank.source,
            block.first_sentence,
            counts,
            kept,
            matched,
            nodes,
            _ledger(bank, block.first_sentence, matches.given_up, self.deriver.noun),
            matches.labels,
            matches.unmet,
        )


def _moved(bank: Treebank, trees: Ints, nodes: Ints) -> tuple[Treebank, Ints]:
    """Some of the trees, and nodes of them by their numbers there."""
    kept = _with_own_text(some_trees(bank, trees))
    tree = tree_of(bank, nodes)
    at = np.searchsorted(trees, tree)
    at[tree < 0] = 0
    is_word = nodes >= bank.label.size
    of_node = nodes - bank.node_start[tree] + kept.node_start[at]
    leaf = nodes - bank.label.size - bank.leaf_start[tree] + kept.leaf_start[at]
    moved = np.where(is_word, kept.label.size + leaf, of_node)
    return kept, np.where(nodes < 0, UNBOUND, moved)


def _with_own_text(bank: Treebank) -> Treebank:
    """The trees with their words, and nothing else of the text that these are from."""
    lengths = bank.form_end - bank.form_start
    text = np.frombuffer(bank.text, np.uint8)[ranges(bank.form_start, lengths)]
    ends = np.cumsum(lengths)
    start = ends - lengths
    return bank.reshaped(text=text.tobytes(), form_start=start, form_end=ends)


def _ledger(bank: Treebank, first: int, given_up: Sequence[int], noun: str) -> Ledger:
    """What was searched in a block, and what was not."""
    items = [
        LeftOut(first + tree, Reason.BAD_TREE, error)
        for tree, error in bank.problems.items()
    ]
    for tree in given_up:
        place = Place(
            *(bank.source, int(bank.line[tree])),
            sentence=first + tree,
            id=bank.id_of(tree),
        )
        error = QueryError("E663 in too many ways", place)
        items.append(LeftOut(first + tree, Reason.TOO_LONG, error))
    items.sort(key=lambda item: item.sentence)
    trees = len(bank)
    return Ledger(noun, trees, trees, trees - len(items), tuple(items))


@dataclass(eq=False, repr=False)
class Found(Compared):
    """What `find` returns: the matches, in the order of the text."""

    query: Query = field(default_factory=lambda: parse_query("__"))
    blocks: list[FoundBlock] = field(default_factory=list)
    groups: Sequence[str] | None = None  # per tree of the input
    limit: int | None = None  # so many matches are rows

    scorer: ClassVar[str] = "find"
    verb: ClassVar[str] = "searched"

    def _shown(self) -> str:
        return f"{self.total:,} matches"

    @cached_property
    def total(self) -> int:
        """How many matches there are, whether they are rows or not."""
        return sum(int(block.counts.sum()) for block in self.blocks)

    @property
    def kept(self) -> int:
        """How many of them are rows."""
        there = sum(len(block.nodes) for block in self.blocks)
        return there if self.limit is None else min(there, self.limit)

    @property
    def names(self) -> tuple[str, ...]:
        """The named nodes; the first is the root of a match."""
        return self.query.names

    @property
    def rows(self) -> list[Match]:
        """The matches, all of them or the first ones."""
        return list(self.matches())

    def matches(self) -> Iterator[Match]:
        """The matches one after the other, made as they are asked for."""
        left = self.kept
        for block in self.blocks:
            for row in range(min(left, block.nodes.shape[0])):
                yield self._match(block, row)
            left -= min(left, block.nodes.shape[0])

    def _match(self, block: FoundBlock, row: int) -> Match:
        bank, nodes = block.bank, block.nodes[row]
        tree = int(tree_of(bank, nodes[:1])[0])
        number = block.first + int(block.numbers[tree])
        offset = int(bank.leaf_start[tree])
        ends = [of(bank, nodes) - offset for of in (first_word, last_word)]
        spans = nodes.tolist(), *(end.tolist() for end in ends)
        words = bank[tree].words
        shown = [
            FoundNode.of(bank, node, words, first, last) if node >= 0 else None
            for node, first, last in zip(*spans, strict=True)
        ]
        return Match(
            block.source,
            number - block.before,
            bank.id_of(tree),
            self.groups[number - 1] if self.groups is not None else "",
            dict(zip(self.names, shown, strict=True)),
            bank[tree],
        )

    def counts_by_file(self) -> list[CountRow]:
        """How many matches each file has, in their order."""
        names = [block.source for block in self.blocks]
        return _counted(names, [block.counts for block in self.blocks])

    def counts_by_group(self) -> list[CountRow]:
        """How many matches each group has, if there are groups."""
        if self.groups is None:
            return []
        counts = [np.zeros(0, np.int64), *(block.counts for block in self.blocks)]
        groups = np.array(self.groups, object)
        parts = np.concatenate(counts)
        names = list(dict.fromkeys(self.groups))
        return _counted(names, [parts[groups == name] for name in names])

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *self.hints]

    @property
    def hints(self) -> list[str]:
        """Why nothing can match, if nothing does: descriptions that no node fits."""
        if self.total or not self.blocks:
            return []
        parts = [(block.labels, block.unmet) for block in self.blocks]
        return unmet_hints(self.query, parts, self.deriver)

    def frame(self) -> pd.DataFrame:
        """One row a match; of each named node its words, its label and its place."""
        rows = [match_cells(match) for match in self.matches()]
        return frame_of(rows, match_columns(self.names))


def unmet_hints(
    query: Query,
    parts: Sequence[tuple[frozenset[str], frozenset[str]]],
    deriver: Deriver,
) -> list[str]:
    """What no node of some trees is, though a query wants one.

    Of each part: the labels that it has, and what none of its nodes is.
    """
    unmet = frozenset.intersection(*(unmet for _, unmet in parts))
    labels = frozenset[str]().union(*(labels for labels, _ in parts))
    return [
        _hint(description, labels, deriver)
        for description in query.descriptions()
        if str(description) in unmet
    ]


def _hint(description: Description, labels: Collection[str], deriver: Deriver) -> str:
    """The hint that no node is as described, and what is similar, if anything is."""
    if not description.conditions:
        text = str(description).lstrip("!@")
        bare = map(deriver.tables.parameters.labels.bare_phrase, labels)
        if not description.is_basic and text in set(bare):
            return f"no label or word is {text}; did you mean '@{text}'?"
        return f"no label or word is {description}{did_you_mean(text, sorted(labels))}"
    constructions = deriver.constructions
    known = {*constructions.listed, *constructions.recursive}
    meant = "".join(
        did_you_mean(value.text, sorted(known))
        for condition in description.conditions
        for value in condition.values
        if condition.attribute == "construction" and value.text not in known
    )
    return f"no node is {description}{meant}"


_OF_MATCH = ("file", "sentence", "id", "group")
_OF_NODE = ("_label", "_first", "_last")  # and its words


def match_columns(names: Sequence[str]) -> list[str]:
    """The columns of a table of matches; those of a node are called after it.

    >>> match_columns(["id"])[3:6]
    ['group', 'id_words', 'id_label']
    """
    columns = [*_OF_MATCH]
    for name in names:
        columns += [f"{name}_words" if name in _OF_MATCH else name]
        columns += [f"{name}{part}" for part in _OF_NODE]
    return columns


def match_cells(match: Match) -> list[Any]:
    """A match as a row of such a table."""
    cells: list[Any] = [match.file, match.sentence, match.id or None]
    cells.append(match.group or None)
    for node in match.nodes.values():
        cells += [node.words, node.label, node.first, node.last] if node else [None] * 4
    return cells


def _counted(names: Sequence[str], parts: Sequence[Ints]) -> list[CountRow]:
    """The counts of trees as rows; those of the same name are one."""
    rows: dict[str, CountRow] = {}
    for name, counts in zip(names, parts, strict=True):
        before = rows.get(name, CountRow(name, 0, 0, 0))
        rows[name] = CountRow(
            name,
            before.sentences + counts.size,
            before.with_match + int(np.count_nonzero(counts)),
            before.matches + int(counts.sum()),
        )
    return list(rows.values())


@keywords(TreeOptions.__annotations__, TreeReading, binarize="none")
def find(
    query: str | Query,
    trees: Trees,
    *,
    group_by: str | Sequence[str] | None = None,
    limit: int | None = None,
    count: bool = False,
    jobs: int | None = 1,
    **options: Unpack[TreeOptions],
) -> Found:
    """Where trees of sentences or documents have what a query describes.

    docs/find.md has the language: tregex's and tgrep2's common core, and constructions,
    heads and attachment. With `limit`, only so many matches are rows, the first ones;
    with `count`, none. `group_by` gives the group of each sentence, or a file and
    its column. So many `jobs` (None: all processors) share the work. `TreeOptions`
    lists the other options.

    >>> matches = find("NP=np , /^VB/=verb", "(S (PRP I) (VP (VBP see) (NP (NN it))))")
    >>> [(node.label, node.words) for node in matches.rows[0].nodes.values()]
    [('NP', 'it'), ('VBP', 'see')]
    """
    if isinstance(query, str):
        query = parse_query(query)
    # Trees are searched as they are written, unless somebody says otherwise.
    options.setdefault("binarize", "none")
    reading = TreeReading(**options)
    opened = reading.resolve(trees)
    result = find_opened(
        query,
        opened,
        reading,
        groups=groups_of(group_by, 1),
        limit=limit,
        counts_only=count,
        backend=Backend(jobs),
    )
    reading.warn_left_out(result.ledger, opened)
    return result


def find_opened(
    query: Query,
    trees: OpenedTrees,
    reading: TreeReading,
    *,
    groups: Sequence[str] | None = None,
    limit: int | None = None,
    counts_only: bool = False,
    backend: Backend | None = None,
) -> Found:
    """What a query finds in trees that are opened."""
    deriver = reading.deriver_for(trees)
    source = _Source(trees, reading, deriver)
    work = _Finder(query, deriver, not counts_only)
    blocks: list[FoundBlock] = []
    ledger, kept, before = Ledger(deriver.noun), 0, 0
    for block in run_tasks(work, source.blocks(), backend=backend or Backend(1)):
        if not blocks or block.source != blocks[-1].source:
            before = block.first - 1
        block = block._replace(before=before)
        ledger += block.ledger
        if limit is not None and kept >= limit:
            nothing = _moved(block.bank, block.numbers[:0], block.nodes[:0])[0]
            block = block._replace(bank=nothing, nodes=block.nodes[:0])
        kept += block.nodes.shape[0]
        if kept > MOST_KEPT and limit is None:
            raise QueryError("E662 there are more than", most=MOST_KEPT)
        blocks.append(block)
    ledger += source.left_over()
    searched = sum(block.counts.size for block in blocks)
    if groups is not None and len(groups) != searched:
        if len(groups) < searched:
            raise SettingsError("E505 the", noun="groups", n=len(groups))
        raise SettingsError("E504 the", noun="groups", n=len(groups), start=searched)
    return Found(
        deriver,
        reading.mismatch,
        ledger,
        query=query,
        blocks=blocks,
        groups=groups,
        limit=limit,
    )


class _ReadBlock(NamedTuple):
    """Trees that are read, as a block."""

    bank: Treebank
    first_sentence: int = 1

    @property
    def trees(self) -> int:
        return len(self.bank)

    def read(self) -> Treebank:
        return self.bank


@dataclass
class _Source:
    """Trees of one side in blocks, which any process can read."""

    trees: OpenedTrees
    reading: TreeReading
    deriver: Deriver
    _problems: Sequence[Any] = ()

    def blocks(self) -> Iterator[Block]:
        if self.deriver.family is Family.DISCOURSE:
            documents = self.reading.documents(self.trees)
            self._problems = documents.problems
            shaped = self.reading.shape.reshape(documents)
            yield _ReadBlock(replace(shaped.bank, ids=tuple(shaped.names)))
            return
        labels = self.deriver.inventory.labels
        if isinstance(self.trees, Treebank):
            bank = without_nontext(self.trees, labels)
            for start in range(0, len(bank), _AT_ONCE):
                some = bank[start : start + _AT_ONCE]
                yield _ReadBlock(_with_own_text(some), start + 1)
            return
        yield from self.reading.blocks_alone(cast(Input, self.trees), labels)

    def left_over(self) -> Ledger:
        """What no block tells: files and documents that could not be read."""
        ledger = of_one_side(self.deriver.noun, len(self._problems), self._problems)
        if isinstance(self.trees, Input):
            ledger += of_files(self.trees.unread)
        return ledger
