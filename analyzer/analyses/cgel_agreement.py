"""How far two annotations agree as CGELBank measures it: a tree edit distance.

The distance is that of Zhang and Shasha (1989), over all nodes of a tree, words and
gaps among them. To insert or to delete a node costs 1. Two nodes that are aligned cost
a quarter for each of category, function and word in which they differ, and two gaps
another quarter unless what fills them is aligned, too. There are five measures:

    flex     as above
    unlab    categories and functions cost nothing
    nocat    categories cost nothing
    nofxn    functions cost nothing
    strict   nodes that differ in anything cost 1, as do gaps that agree in all else

The nodes of A and B that are left after the costs are shares of all nodes: what is
deleted counts against precision, what is inserted against recall, and half of what
aligned nodes cost against each. That is how CGELBank's `eval.py` has it, where A is
gold; one would expect these two the other way round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

from analyzer.analyses.compared import Result, frame_of
from analyzer.analyses.opening import TreeReading, Trees
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.formats.blocks import Block, Progress
from analyzer.formats.dialects import DialectBlock, edge_of, word_of
from analyzer.metrics.counts import plus
from analyzer.metrics.ratios import harmonic, ratio
from analyzer.metrics.signature import Signature
from analyzer.model.settings import keywords
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import CountedTask, UnreadPair
from analyzer.pairing.ledger import Ledger, LeftOut, Reason
from analyzer.pairing.tasks import Blocks
from analyzer.runtime.executor import Backend, run_tasks
from grammars import Node

if TYPE_CHECKING:
    import pandas as pd

GAP = "GAP"
GAPS = "gaps"  # the row of a result that is of gaps only
# What a difference in category, in function and in the word costs, in quarters; and
# whether nodes that differ at all cost 1.
_MEASURES = {
    "unlab": (0, 0, 1),
    "flex": (1, 1, 1),
    "nocat": (0, 1, 1),
    "nofxn": (1, 0, 1),
    "strict": (1, 1, 1),
}
_STRICT = "strict"
_PARTS = ("category", "function", "word")
_WHOLE = 4  # quarters
# A cost is one number, so that costs add up and compare fast: quarters, then how many
# nodes are inserted, then how many are deleted. Of equal costs those with the fewest
# insertions come first.
_FIELD = 1 << 24
_DELETED = _WHOLE * _FIELD * _FIELD + 1
_INSERTED = _WHOLE * _FIELD * _FIELD + _FIELD


class _Label(NamedTuple):
    """What two nodes are compared by."""

    category: str
    function: str
    word: str | None  # None: a phrase, or a gap


class _Tree(NamedTuple):
    """The nodes of a tree from its last word up, and what is known of each."""

    labels: list[_Label]
    first: list[int]  # the first node below it, or itself
    variables: list[str]  # what links gaps to what fills them

    @property
    def gaps(self) -> int:
        return sum(label.category == GAP for label in self.labels)

    def filler(self, gap: int) -> int | None:
        """The node that fills a gap."""
        variable = self.variables[gap]
        for node, label in enumerate(self.labels):
            if variable and self.variables[node] == variable and label.category != GAP:
                return node
        return None


def _tree(roots: Sequence[Node]) -> _Tree:
    """Children from the last to the first: trees mostly branch to the right, and the
    distance has to look at fewer forests in trees that branch to the left."""
    tree = _Tree([], [], [])
    pending = [(node, -1) for node in roots]
    while pending:
        node, first = pending.pop()
        if first < 0:
            pending.append((node, len(tree.labels)))
            pending += [(child, -1) for child in node.children]
            continue
        tree.first.append(first)
        tree.labels.append(_label(node))
        tree.variables.append(str(node.tokens.get("VARIABLE", "")))
    return tree


def _label(node: Node) -> _Label:
    category, word, _ = word_of(node)
    has_word = node.kind == "leaf"
    if "DELETION" in node.tokens:  # of a word that should not be there
        has_word, word = True, ""
    return _Label(category, edge_of(node), word if has_word else None)


# -- the distance ---------------------------------------------------------------------


class Costs(NamedTuple):
    """What it costs to make one tree of another."""

    inserted: int = 0  # nodes
    deleted: int = 0
    changed: int = 0  # quarters of a node


class _Edits(NamedTuple):
    costs: Costs
    aligned: list[tuple[int, int]]  # nodes of both


def _edits(a: _Tree, b: _Tree, measure: str) -> _Edits:
    """The cheapest edits.

    Of equally cheap ones those whose first aligned nodes come first, as in CGELBank's
    program: which nodes are aligned decides what their differences are called.
    """
    size = len(b.labels)
    changes = _changes(a, b, measure)
    # Of the forests below two nodes: their cost, and the nodes that are aligned.
    below: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
    for start, end in _forests(a.first):
        for other_start, other_end in _forests(b.first):
            width = other_end - other_start
            costs = [[at * _INSERTED for at in range(width + 1)]]
            aligned: list[list[tuple[int, ...]]] = [[()] * (width + 1)]
            for node in range(start, end):
                first = a.first[node]
                row = [(node - start + 1) * _DELETED]
                pairs: list[tuple[int, ...]] = [()]
                costs.append(row)
                aligned.append(pairs)
                for other in range(other_start, other_end):
                    other_first, at = b.first[other], other - other_start
                    if first == start and other_first == other_start:
                        known = costs[node - start][at], aligned[node - start][at]
                        below[node, other] = known
                    else:
                        known = below[node, other]
                    least = costs[node - start][at + 1] + _DELETED
                    best = aligned[node - start][at + 1]
                    if row[at] + _INSERTED < least:
                        least, best = row[at] + _INSERTED, pairs[at]
                    elif row[at] + _INSERTED == least and pairs[at] is not best:
                        best = min(best, pairs[at])
                    before = first - start, other_first - other_start
                    cost = costs[before[0]][before[1]] + changes[node][other] + known[0]
                    if cost <= least:
                        earlier = aligned[before[0]][before[1]]
                        these = (*earlier, node * size + other, *known[1])
                        best = these if cost < least else min(best, these)
                        least = cost
                    row.append(least)
                    pairs.append(best)
    # The last forests are the trees.
    total, nodes = row[-1], pairs[-1]
    inserted, deleted = total // _FIELD % _FIELD, total % _FIELD
    changed = total // (_FIELD * _FIELD) - _WHOLE * (inserted + deleted)
    return _Edits(
        Costs(inserted, deleted, changed), [divmod(pair, size) for pair in nodes]
    )


def _changes(a: _Tree, b: _Tree, measure: str) -> list[list[int]]:
    """What it costs to align each node of A with each of B."""
    weights, is_strict = _MEASURES[measure], measure == _STRICT

    @cache
    def change(label: _Label, other: _Label) -> int:
        differs = [mine != its for mine, its in zip(label, other, strict=True)]
        cost = sum(compress(weights, differs))
        return (_WHOLE if cost and is_strict else cost) * _FIELD * _FIELD

    return [[change(label, other) for other in b.labels] for label in a.labels]


def _forests(first: Sequence[int]) -> list[tuple[int, int]]:
    """Where the forests begin and end that the distance is made of, smaller first."""
    ends = {start: node + 1 for node, start in enumerate(first)}
    return sorted(ends.items(), reverse=True)


# -- counting -------------------------------------------------------------------------


class CgelCounts(NamedTuple):
    """What is counted in pairs of trees."""

    trees: int = 0
    equal: int = 0  # of these
    a_nodes: int = 0
    b_nodes: int = 0
    a_gaps: int = 0
    b_gaps: int = 0
    gaps: int = 0  # that are aligned
    other_fillers: int = 0  # of these: what fills them is not aligned
    costs: dict[str, Costs] = {}  # by measure  # noqa: RUF012 -- never changed
    # What aligned nodes differ in, what A and what B has, under `flex`.
    changes: Counter[tuple[str, str, str]] = Counter()  # noqa: RUF012 -- the same


def _count(a: _Tree, b: _Tree) -> CgelCounts:
    counts = CgelCounts(1, 0, len(a.labels), len(b.labels), a.gaps, b.gaps)
    costs: dict[str, Costs] = {}
    for measure in _MEASURES:
        (inserted, deleted, changed), nodes = _edits(a, b, measure)
        aligned = dict(nodes)
        gaps = [
            (node, other)
            for node, other in nodes
            if a.labels[node].category == b.labels[other].category == GAP
        ]
        apart = [pair for pair in gaps if not _have_same_filler(a, b, *pair, aligned)]
        if measure == _STRICT:
            # Others cost 1 already.
            same = [pair for pair in apart if a.labels[pair[0]] == b.labels[pair[1]]]
            changed += _WHOLE * len(same)
        else:
            changed += len(apart)
        costs[measure] = Costs(inserted, deleted, changed)
        if measure == "flex":
            changes = Counter(
                (part, mine or "", its or "")
                for node, other in nodes
                for part, mine, its in zip(
                    _PARTS, a.labels[node], b.labels[other], strict=True
                )
                if mine != its
            )
            counts = counts._replace(
                equal=int(costs["flex"] == Costs()),
                gaps=len(gaps),
                other_fillers=len(apart),
                changes=changes,
            )
    return counts._replace(costs=costs)


def _have_same_filler(
    a: _Tree, b: _Tree, gap: int, other: int, aligned: dict[int, int]
) -> bool:
    mine, its = a.filler(gap), b.filler(other)
    return mine is its is None or (mine is not None and aligned.get(mine) == its)


def _count_block(task: CountedTask) -> tuple[CgelCounts, Ledger]:
    """What is counted in a block of trees of both sides."""
    if not isinstance(task, UnreadPair):  # trees that were read before
        raise SettingsError("E481 its trees have no functions on edges")
    counts, items = CgelCounts(), []
    sides = [_nodes(block) for block in (task.gold, task.parsed)]
    pairs = zip(sides[0][1], sides[1][1], strict=True)
    for tree, (a, b) in enumerate(pairs):
        why = _why_not(
            tree, task.gold.first_sentence + tree, *(side[0] for side in sides)
        )
        if why is None:
            counts = plus(counts, _count(_tree(a), _tree(b)))
        else:
            items.append(why)
    trees = task.sentences
    return counts, Ledger(
        gold=trees, parsed=trees, scored=counts.trees, items=tuple(items)
    )


def _nodes(block: Block) -> tuple[Treebank, list[list[Node]]]:
    """The trees of a block, as they were read and as the grammar has them."""
    if not isinstance(block, DialectBlock) or not block.grammar.dialect.has_edges:
        source = block.read().source
        raise SettingsError("E481 its trees have no functions on edges", Place(source))
    return block.nodes()


def _why_not(tree: int, number: int, a: Treebank, b: Treebank) -> LeftOut | None:
    """Why two trees are not compared."""
    for bank, reason in ((a, Reason.BAD_GOLD), (b, Reason.BAD_PARSE)):
        if problem := bank.problems.get(tree):
            return LeftOut(number, reason, problem)
        if bank.node_start[tree] == bank.node_start[tree + 1]:
            place = Place(bank.source, int(bank.line[tree]), None, number)
            error = PairingError("E431 failed parse", place)
            return LeftOut(number, Reason.FAILED, error)
    return None


# -- the result -----------------------------------------------------------------------


class CgelRow(NamedTuple):
    """A measure. Costs are those of a tree, on average."""

    measure: str
    f1: float | None
    precision: float | None
    recall: float | None
    cost: float | None = None
    precision_cost: float | None = None
    recall_cost: float | None = None


class CostRow(NamedTuple):
    """What a kind of edit costs under `flex`, in all trees together."""

    edit: str
    each: float
    cost: float


class ChangeRow(NamedTuple):
    """What aligned nodes differ in, and how often."""

    part: str
    a: str
    b: str
    nodes: int


@dataclass(eq=False, repr=False)
class CgelAgreement(Result):
    """What `cgel_agreement` returns."""

    counts: CgelCounts = field(default_factory=CgelCounts)
    ledger: Ledger = field(default_factory=Ledger)

    verb = "compared"

    def _shown(self) -> str:
        flex = next((row.f1 for row in self.rows if row.measure == "flex"), None)
        return "flex F1 " + ("undefined" if flex is None else f"{100 * flex:.1f}")

    def scored_text(self) -> str:
        """What was compared and what was left out, in a sentence."""
        return self.ledger.text(self.verb, sides=("A", "B"))

    @property
    def signature(self) -> Signature:
        """How the result was obtained."""
        return Signature.of(scorer="cgel", **self.ledger.settings)

    @property
    def tree_accuracy(self) -> float | None:
        """The share of trees that are equal."""
        return ratio(self.counts.equal, self.counts.trees)

    @property
    def rows(self) -> list[CgelRow]:
        """A row for each measure, and one for gaps."""
        return [*self._measures(), self._gaps()] if self.counts.trees else []

    def _measures(self) -> Iterator[CgelRow]:
        counts = self.counts
        for measure, (inserted, deleted, changed) in counts.costs.items():
            against = [nodes + changed / _WHOLE / 2 for nodes in (deleted, inserted)]
            sizes = counts.b_nodes, counts.a_nodes
            precision, recall = (
                ratio(nodes - cost, nodes)
                for nodes, cost in zip(sizes, against, strict=True)
            )
            mean = [cost / counts.trees for cost in against]
            f1 = harmonic(precision, recall)
            yield CgelRow(measure, f1, precision, recall, sum(mean), *mean)

    def _gaps(self) -> CgelRow:
        counts = self.counts
        right = counts.gaps - counts.other_fillers
        precision, recall = ratio(right, counts.b_gaps), ratio(right, counts.a_gaps)
        return CgelRow(GAPS, harmonic(precision, recall), precision, recall)

    @property
    def cost_rows(self) -> list[CostRow]:
        """What the cost of `flex` is made of."""
        costs = self.counts.costs.get("flex", Costs())
        parts = Counter[str]()
        for (part, _, _), count in self.counts.changes.items():
            parts[part] += count
        quarters = [(part, parts[part]) for part in _PARTS]
        quarters.append(("gap's antecedent", self.counts.other_fillers))
        return [
            CostRow("insertion", 1, costs.inserted),
            CostRow("deletion", 1, costs.deleted),
            *(CostRow(part, 1 / _WHOLE, count / _WHOLE) for part, count in quarters),
        ]

    @property
    def changes(self) -> list[ChangeRow]:
        """What aligned nodes differ in under `flex`, by part, most frequent first."""
        ranked = [ChangeRow(*key, n) for key, n in self.counts.changes.most_common()]
        return sorted(ranked, key=lambda row: _PARTS.index(row.part))

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, indexed by measure."""
        return frame_of(self.rows, CgelRow._fields, "measure")


@keywords()
def cgel_agreement(
    a: Trees,
    b: Trees,
    *,
    jobs: int | None = 1,
    strict: bool = False,
    encoding: str = "utf-8",
    grammar: str | None = None,
    max_left_out: float | None = None,
    progress: Progress | None = None,
) -> CgelAgreement:
    """How far two annotations agree by CGELBank's tree edit distance.

    Their trees have functions on edges, as those of CGELBank's files (`.cgel`), or of a
    `grammar` of your own. The options are those of `agree`.

    >>> a = '(Clause :Subj (NP :t "I") :Head (VP :t "see"))'
    >>> b = '(Clause :Subj (NP :t "I") :Head (V :t "see"))'
    >>> [(row.measure, row.f1) for row in cgel_agreement(a, b).rows[1:3]]
    [('flex', 0.9583333333333334), ('nocat', 1.0)]
    """
    reading = TreeReading(
        strict=strict,
        encoding=encoding,
        grammar=grammar,
        max_left_out=max_left_out,
        progress=progress,
    )
    opened_a, opened_b = reading.resolve(a), reading.resolve(b)
    tasks = reading.open_sentences(opened_a, opened_b)
    assert isinstance(tasks, Blocks)  # since no cluster is asked for
    counts, ledger = CgelCounts(), Ledger()
    for of_block, left_out in run_tasks(
        _count_block, tasks.tasks, backend=Backend(jobs)
    ):
        counts, ledger = plus(counts, of_block), ledger + left_out
    result = CgelAgreement(counts, ledger + tasks.ledger())
    reading.warn_left_out(result.ledger, opened_b)
    return result
