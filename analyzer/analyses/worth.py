"""What a repair is worth: the score if a parser never made this kind of error.

The trees in which only these errors are mended (`editing.mending`) are scored by what
`score` is made of. A sentence counts by itself, so only those with such an error are
scored again, each with the same edits once. docs/repairs.md says how to read the
numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from analyzer.analyses.compared import Result, frame_of
from analyzer.analyses.repairs import (
    NO_EDITS,
    Classifier,
    Repair,
    RepairedSentence,
    Repairs,
    Status,
)
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.editing.mending import EditedTrees, KeptTrees
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import compare
from analyzer.metrics.ratios import f_score
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Ints, sums_between
from analyzer.model.settings import Choice, keywords
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger
from analyzer.transform.pruning import some_trees

if TYPE_CHECKING:
    import pandas as pd

TOO_FAR = "sentences for which no edits were found"
THE_REST = "tags, order of unary brackets"
_COUNTED = 6  # numbers of a tree: see `_Scorer`
_AT_A_TIME = 4096  # trees that are scored together: more would only take memory


class By(Choice, what="grouping"):
    """What errors are grouped by."""

    TYPE = "type"
    CONSTRUCTION = "construction"
    GOVERNOR = "governor"  # a construction under a phrase: PP-t under VP

    def group_of(self, error: Repair) -> str:
        """The group that an error is in."""
        if self is By.TYPE:
            return error.error_type
        touched = error.touched
        if self is By.CONSTRUCTION:
            return touched.construction
        return f"{touched.construction} under {touched.governor or 'ROOT'}"


class WorthRow(NamedTuple):
    """A group of errors, mended alone, and after all groups above it.

    Scores are ratios, what they gain are differences of ratios; None where undefined.
    """

    group: str
    errors: int
    nodes: int  # bracket errors that they mend
    f1: float | None  # evalb's, if only these are mended
    worth: float | None
    f_s: float | None
    worth_s: float | None
    f1_in_a_row: float | None  # if those of the rows above are mended as well
    gain: float | None
    f_s_in_a_row: float | None
    gain_s: float | None


@dataclass(eq=False, repr=False)
class Worth(Result):
    """What `worth_of` returns: groups of errors, those worth most first.

    The last rows are what no edit touches; after them the scores are 1.
    """

    by: By
    f1: float | None  # as parsed
    f_s: float | None
    rows: list[WorthRow]
    others: list[WorthRow]
    ledger: Ledger
    signature: Signature

    counts_roots: ClassVar[bool] = True

    def __repr__(self) -> str:
        best = self.rows[0] if self.rows else None
        summary = "no errors" if best is None else f"{best.group} {_points(best.worth)}"
        return f"<Worth by {self.by}: {summary}>"

    @property
    def classifier(self) -> str:
        """Whose rules name the types of error."""
        return self.signature.get("classifier") or ""

    @property
    def alone(self) -> float:
        """What the groups are worth, each mended alone, added up."""
        return sum(row.worth or 0.0 for row in self.rows)

    @property
    def together(self) -> float:
        """What they are worth if all are mended."""
        return sum(row.gain or 0.0 for row in self.rows)

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, indexed by group."""
        return frame_of([*self.rows, *self.others], WorthRow._fields, "group")


def _points(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:+.2f}"


@keywords()
def worth_of(found: Repairs, *, by: By | str = By.TYPE) -> Worth:
    """What each group of errors is worth, alone and one after the other.

    `found` is of `repairs(…, keep_trees=True)`. Constructions are named by our
    classifier only.
    """
    [worth] = worths_of(found, [By(by)])
    return worth


def worths_of(repairs: Repairs, groupings: Sequence[By]) -> list[Worth]:
    """What `worth_of` gives back for each of some groupings."""
    if {*groupings} != {By.TYPE} and repairs.classifier is not Classifier.SPINAL:
        raise SettingsError("E553 names constructions")
    if repairs.deriver is None:
        raise SettingsError("E554 trees were not kept")
    searched = [
        sentence
        for sentence in repairs.sentences
        if sentence.status is not Status.REFUSED
    ]
    places = [sentence.tree for sentence in searched]
    scorer = _Scorer(repairs.kept_trees(), places, repairs.deriver)
    return [_worth(repairs, searched, scorer, by) for by in groupings]


_Edits = dict[int, frozenset[int]]  # those that are made, by tree
_Scores = tuple[float | None, float | None]  # F1 and F-s
_UNKNOWN: _Scores = (None, None)


def _worth(
    repairs: Repairs, searched: Sequence[RepairedSentence], scorer: _Scorer, by: By
) -> Worth:
    groups: dict[str, list[Repair]] = {}
    edits: dict[str, _Edits] = {}
    for sentence in searched:
        for repair in sentence.repairs:
            group = by.group_of(repair)
            groups.setdefault(group, []).append(repair)
            made = edits.setdefault(group, {})
            made[sentence.tree] = made.get(sentence.tree, frozenset()) | {
                repair.step - 1
            }
    nodes = {name: sum(repair.edit.nodes for repair in groups[name]) for name in groups}
    base = _scores(scorer.base.sum(axis=0))
    scorer.learn(edits.values())
    alone = {name: _scores(scorer.total(edits[name]), base) for name in groups}
    order = sorted(
        groups, key=lambda name: (-(alone[name][0] or 0), -nodes[name], name)
    )
    steps = list(_in_a_row(edits[name] for name in order))
    scorer.learn(steps)
    mended = [
        (name, list(step), scorer.counts(step))
        for name, step in zip(order, steps, strict=True)
    ]
    # Then what no edit touches: after it the trees are those of gold.
    far = [sentence.tree for sentence in searched if sentence.status in NO_EDITS]
    for name, trees in (
        (TOO_FAR, far),
        (THE_REST, [sentence.tree for sentence in searched]),
    ):
        if trees or name == THE_REST:
            mended.append((name, trees, scorer.perfect[trees]))
    rows = []
    current, before = scorer.base.copy(), base
    for name, trees, counts in mended:
        current[trees] = counts
        then = _scores(current.sum(axis=0), base)
        errors = len(groups.get(name, ())), nodes.get(name, 0)
        gained = *_gained(alone.get(name, _UNKNOWN), base), *_gained(then, before)
        rows.append(WorthRow(name, *errors, *gained))
        before = then
    return Worth(
        by,
        *base,
        rows[: len(order)],
        rows[len(order) :],
        repairs.ledger,
        Signature.of(
            scorer="worth",
            by=by,
            classifier=repairs.classifier,
            **scorer.settings,
            **repairs.ledger.settings,
        ),
    )


def _in_a_row(groups: Iterable[_Edits]) -> Iterator[_Edits]:
    """Of the trees that each group is in, all edits that are made by then."""
    done: _Edits = {}
    for group in groups:
        step = {tree: done.get(tree, frozenset()) | group[tree] for tree in group}
        done |= step
        yield step


class _Scorer:
    """Scores trees with some edits made, each against its gold tree.

    Counts have a row for each tree: brackets that match, of gold and of the parse, as
    evalb counts them and as F-s does.
    """

    def __init__(
        self,
        kept: tuple[KeptTrees, KeptTrees],
        places: list[int],
        deriver: SyntaxDeriver,
    ) -> None:
        self.settings = deriver.settings
        self._deriver = deriver
        self._gold = kept[0].bank
        self._trees = EditedTrees(*kept)
        self._known: dict[tuple[int, frozenset[int]], int] = {}  # -> row of counts
        self._counts = np.zeros((0, _COUNTED), np.int64)
        self.base = np.zeros((max(places, default=-1) + 1, _COUNTED), np.int64)
        self.perfect = self.base.copy()
        self.perfect[places] = self._compared(np.array(places, np.int64))
        nothing = dict.fromkeys(places, frozenset[int]())
        self.learn([nothing])
        self.base[places] = self.counts(nothing)

    def learn(self, steps: Iterable[_Edits]) -> None:
        """Score all that is new, many trees at a time."""
        asked = dict.fromkeys(each for step in steps for each in step.items())
        new = [each for each in asked if each not in self._known]
        parts = [self._counts]
        for start in range(0, len(new), _AT_A_TIME):
            some = new[start : start + _AT_A_TIME]
            trees = np.array([tree for tree, _ in some], np.int64)
            parts.append(self._compared(trees, self._trees.apply_edits(some)))
        self._known |= {each: at for at, each in enumerate(new, len(self._known))}
        self._counts = np.concatenate(parts)

    def counts(self, edits: _Edits) -> Ints:
        """The counts of some trees with edits made, which are known."""
        rows = np.array([self._known[each] for each in edits.items()], np.int64)
        return self._counts.take(rows, axis=0)

    def total(self, edits: _Edits) -> Ints:
        """The counts of all trees together if only these edits are made."""
        gains = self.counts(edits) - self.base[list(edits)]
        total: Ints = self.base.sum(axis=0) + gains.sum(axis=0)
        return total

    def _compared(self, trees: Ints, parsed: Treebank | None = None) -> Ints:
        """Gold trees with parses, or with themselves."""
        gold = some_trees(self._gold, trees)
        pair = Pair(gold, gold if parsed is None else parsed, 1)
        both = compare(pair, self._deriver)
        gold_s, parsed_s = np.diff(both.gold.starts), np.diff(both.parsed.starts)
        columns = [
            both.evalb_matched,
            gold_s + np.diff(both.gold.wrappers.starts),
            parsed_s + np.diff(both.parsed.wrappers.starts),
            sums_between(both.by_span.gold, both.gold.starts),
            gold_s,
            parsed_s,
        ]
        return np.stack(columns, axis=1)


def _scores(counts: Ints, base: _Scores = _UNKNOWN) -> _Scores:
    """F1 and F-s of sums; where the parse, with those of `base`, has become as empty as
    gold is, nothing is wrong any more, and they are 1."""
    sums = counts.tolist()
    scores = f_score(*sums[:3]), f_score(*sums[3:])
    f1, f_s = (
        1.0 if score is None and before is not None else score
        for score, before in zip(scores, base, strict=True)
    )
    return f1, f_s


def _gained(after: _Scores, before: _Scores) -> Iterator[float | None]:
    """Each score, and what it gains."""
    for score, known in zip(after, before, strict=True):
        yield score
        yield None if score is None or known is None else score - known
