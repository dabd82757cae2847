"""What a repair is worth: the score if a parser never made this kind of error.

The trees in which only these errors are mended (`editing.mended_trees`) are scored by
what `score` is made of. A sentence counts by itself, so only those with such an error
are scored again, each with the same edits once. docs/repairs.md says how to read the
numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.analyses.repair_records import (
    Classifier,
    Repair,
    RepairedSentence,
    Status,
)
from analyzer.analyses.repairs import Repairs
from analyzer.derivation.syntax import SyntaxDeriver
from analyzer.editing.mended_trees import MendedTrees
from analyzer.editing.mending import Sentence
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import compare
from analyzer.metrics.ratios import f_score
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Ints, sums_between
from analyzer.model.settings import Choice
from analyzer.model.treebank import Treebank
from analyzer.model.values import Value
from analyzer.pairing.in_step import SentencePair
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.transform.pruning import some_trees

if TYPE_CHECKING:
    import pandas as pd

TOO_FAR = "sentences that need too many edits"
THE_REST = "tags, order of unary brackets"
_AT_A_TIME = 4096  # trees that are scored together: more would only take memory


class By(Choice):
    """What errors are grouped by."""

    TYPE = "type"
    CONSTRUCTION = "construction"
    GOVERNOR = "governor"  # a construction under a phrase: PP-t under VP

    @classmethod
    def what(cls) -> str:
        return "grouping"

    def group_of(self, one: Repair) -> str:
        """The group that an error is in."""
        if self is By.TYPE:
            return one.error_type
        touched = one.touched
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


@dataclass(eq=False)
class Worth(Value):
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

    def __repr__(self) -> str:
        best = self.rows[0] if self.rows else None
        told = "no errors" if best is None else f"{best.group} {_points(best.worth)}"
        return f"<Worth by {self.by}: {told}>"

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences whose errors are not counted, and why."""
        return self.ledger.mismatches

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
        import pandas as pd

        rows = [*self.rows, *self.others]
        return pd.DataFrame(rows, columns=WorthRow._fields).set_index("group")

    def _repr_html_(self) -> str:
        from reports.notebook import worth_html

        return worth_html(self)


def _points(value: float | None) -> str:
    return "undefined" if value is None else f"{100 * value:+.2f}"


class _Counts(NamedTuple):
    """What both scores are made of: sums over trees."""

    gold: int
    parsed: int
    matched: int
    gold_s: int
    parsed_s: int
    matched_s: int

    @property
    def f1(self) -> float | None:
        return f_score(self.matched, self.gold, self.parsed)

    @property
    def f_s(self) -> float | None:
        return f_score(self.matched_s, self.gold_s, self.parsed_s)


class _Scores(NamedTuple):
    f1: float | None
    f_s: float | None

    @classmethod
    def of(cls, counts: _Counts, base: _Scores | None = None) -> _Scores:
        """The scores; where the parse, with those of `base`, has become as empty as
        gold is, nothing is wrong any more, and they are 1."""
        found = cls(counts.f1, counts.f_s)
        if base is None:
            return found
        return cls(
            *(
                1.0 if after is None and before is not None else after
                for after, before in zip(found, base, strict=True)
            )
        )


def worth_of(found: Repairs, *, by: By | str = By.TYPE) -> Worth:
    """What each group of errors is worth, alone and one after the other.

    `found` is of `repairs(…, keep_trees=True)`. Constructions are named by our
    classifier only.
    """
    [worth] = worths_of(found, [By(by)])
    return worth


def worths_of(found: Repairs, groupings: Sequence[By]) -> list[Worth]:
    """What `worth_of` gives back for each of some groupings."""
    if {*groupings} != {By.TYPE} and found.classifier is not Classifier.SPINAL:
        raise SettingsError(
            "constructions are named by the classifier spinal only", code="E553"
        )
    if found.deriver is None:
        raise SettingsError("trees were not kept: pass keep_trees=True", code="E554")
    kept = [(one, one.trees) for one in found.sentences if one.trees is not None]
    scorer = _Scorer([trees for _, trees in kept], found.deriver)
    return [_worth(found, kept, scorer, by) for by in groupings]


def _worth(found: Repairs, kept: _Kept, scorer: _Scorer, by: By) -> Worth:
    groups = _groups([one for one, _ in kept], by)
    base = _Scores.of(_total(scorer.base))
    alone = {
        name: _Scores.of(counts, base)
        for name, counts in _alone(scorer, groups).items()
    }
    order = sorted(
        groups, key=lambda name: (-(alone[name].f1 or 0.0), -groups[name].nodes, name)
    )
    last = [name for name in (TOO_FAR, THE_REST) if name != TOO_FAR or _far(kept)]
    in_a_row = _in_a_row(scorer, [groups[name].edits for name in order], _far(kept))
    rows = []
    before = base
    for name, counts in zip([*order, *last], in_a_row, strict=True):
        then = _Scores.of(counts, base)
        rows.append(_row(name, groups.get(name), base, alone.get(name), before, then))
        before = then
    signature = Signature.of(
        scorer="worth", by=by, classifier=found.classifier, **scorer.settings
    )
    return Worth(
        by,
        base.f1,
        base.f_s,
        rows[: len(order)],
        rows[len(order) :],
        found.ledger,
        signature,
    )


_Kept = Sequence[tuple[RepairedSentence, Sentence]]
_Mend = tuple[int, frozenset[int]]  # a sentence, and which of its edits are made
_Edits = dict[int, frozenset[int]]  # by sentence


@dataclass
class _Group:
    """The errors of a group: which edits of which sentences."""

    edits: _Edits
    errors: int = 0
    nodes: int = 0


def _groups(sentences: Sequence[RepairedSentence], by: By) -> dict[str, _Group]:
    groups: dict[str, _Group] = {}
    for place, sentence in enumerate(sentences):
        for edit, one in enumerate(sentence.repairs):
            group = groups.setdefault(by.group_of(one), _Group({}))
            group.edits[place] = group.edits.get(place, frozenset()) | {edit}
            group.errors += 1
            group.nodes += one.edit.nodes
    return groups


def _far(kept: _Kept) -> list[int]:
    """The sentences that no edits were found for."""
    return [
        place for place, (one, _) in enumerate(kept) if one.status is Status.NO_PATH
    ]


class _Scorer:
    """Scores sentences with some edits made, each against its gold tree."""

    def __init__(self, sentences: Sequence[Sentence], deriver: SyntaxDeriver) -> None:
        self.settings = deriver.settings
        self._deriver = deriver
        self._made = MendedTrees(sentences)
        self._known: dict[_Mend, int] = {}  # -> row of the counts
        self._counts = np.zeros((0, len(_Counts._fields)), np.int64)
        all_trees = np.arange(len(sentences))
        self.base = self.counts([(place, frozenset()) for place in all_trees.tolist()])
        self.perfect = self._compared(self._made.gold, all_trees)

    def counts(self, mends: Sequence[_Mend]) -> Ints:
        """The counts of each sentence with some edits made."""
        new = [mend for mend in dict.fromkeys(mends) if mend not in self._known]
        parts = [self._counts]
        for start in range(0, len(new), _AT_A_TIME):
            some = new[start : start + _AT_A_TIME]
            places = np.array([place for place, _ in some], np.int64)
            parts.append(self._compared(self._made.trees(some), places))
        self._known |= {mend: at for at, mend in enumerate(new, len(self._known))}
        self._counts = np.concatenate(parts)
        return self._counts[[self._known[mend] for mend in mends]]

    def _compared(self, trees: Treebank, places: Ints) -> Ints:
        gold = some_trees(self._made.gold, places)
        both = compare(SentencePair(gold, trees, 1), self._deriver)
        found = [
            np.diff(both.gold.starts) + np.diff(both.gold.wrappers.starts),
            np.diff(both.parsed.starts) + np.diff(both.parsed.wrappers.starts),
            both.evalb_matched,
            np.diff(both.gold.starts),
            np.diff(both.parsed.starts),
            sums_between(both.by_span.gold, both.gold.starts),
        ]
        return np.stack(found, axis=1)


def _total(counts: Ints) -> _Counts:
    return _Counts(*counts.sum(axis=0).tolist())


def _alone(scorer: _Scorer, groups: dict[str, _Group]) -> dict[str, _Counts]:
    """The scores of all sentences, if one group alone is mended."""
    base = scorer.base.sum(axis=0)
    mends = [each for group in groups.values() for each in group.edits.items()]
    places = [place for place, _ in mends]
    gains = scorer.counts(mends) - scorer.base[places]
    ends = np.cumsum([len(group.edits) for group in groups.values()]).tolist()
    starts = [0, *ends]
    return {
        name: _Counts(*(base + gains[start:end].sum(axis=0)).tolist())
        for name, start, end in zip(groups, starts, ends, strict=False)
    }


def _in_a_row(
    scorer: _Scorer, groups: Sequence[_Edits], far: Sequence[int]
) -> list[_Counts]:
    """The scores of all sentences after each group; then after what no edit touches."""
    done: _Edits = {}
    steps: list[list[_Mend]] = []
    for group in groups:
        done |= {place: done.get(place, frozenset()) | group[place] for place in group}
        steps.append([(place, done[place]) for place in group])
    counts = scorer.counts([mend for step in steps for mend in step])
    current = scorer.base.copy()
    found, start = [], 0
    for step in steps:
        end = start + len(step)
        current[[place for place, _ in step]] = counts[start:end]
        found.append(_total(current))
        start = end
    if far:
        current[far] = scorer.perfect[far]
        found.append(_total(current))
    return [*found, _total(scorer.perfect)]


def _row(
    name: str,
    group: _Group | None,
    base: _Scores,
    alone: _Scores | None,
    before: _Scores,
    then: _Scores,
) -> WorthRow:
    return WorthRow(
        name,
        group.errors if group else 0,
        group.nodes if group else 0,
        alone.f1 if alone else None,
        _gain(alone.f1, base.f1) if alone else None,
        alone.f_s if alone else None,
        _gain(alone.f_s, base.f_s) if alone else None,
        then.f1,
        _gain(then.f1, before.f1),
        then.f_s,
        _gain(then.f_s, before.f_s),
    )


def _gain(after: float | None, before: float | None) -> float | None:
    return None if after is None or before is None else after - before
