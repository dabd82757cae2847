"""What `evalb` counts and gives back: EVALB's summaries, labels, sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.exceptions import SettingsError
from analyzer.metrics.brackets import SentenceCounts
from analyzer.metrics.ratios import MatchCounts, f_score, harmonic, ratio
from analyzer.metrics.signature import Signature
from analyzer.model.values import Value
from analyzer.pairing.in_step import NOTHING_MORE, Ending
from analyzer.pairing.ledger import Ledger, LeftOut, Surplus
from analyzer.pairing.mismatches import OnMismatch
from analyzer.transform.labels import default_labels
from analyzer.transform.parameters import EvalbParameters

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analyses.generated import GeneratedCounts, GeneratedTrees


def late_types() -> dict[str, object]:
    """Types of fields that are imported only where a checkpoint is read."""
    from analyzer.analyses.generated import GeneratedCounts

    return {"GeneratedCounts": GeneratedCounts}


F1_BITS = 53  # of a number between a half and one


class Totals(NamedTuple):
    """A summary, as evalb prints two of them: all, and up to the cut-off."""

    sentences: int = 0
    error: int = 0
    skip: int = 0
    valid: int = 0
    matched: int = 0
    gold: int = 0
    test: int = 0
    crossing: int = 0
    words: int = 0
    correct_tags: int = 0
    complete: int = 0
    no_crossing: int = 0
    two_or_less_crossing: int = 0
    # The sum of all F1, in units of 2**-53: a sum of integers is the same in any order.
    f1_units: int = 0

    def __add__(self, other: object) -> Totals:
        if not isinstance(other, Totals):
            return NotImplemented
        return Totals(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def recall(self) -> float | None:
        return ratio(self.matched, self.gold)

    @property
    def precision(self) -> float | None:
        return ratio(self.matched, self.test)

    @property
    def f1(self) -> float | None:
        return f_score(self.matched, self.gold, self.test)

    @property
    def macro_f1(self) -> float | None:
        """Mean over sentences of each one's F1 (1 where neither has brackets)."""
        return ratio(self.f1_units, self.valid << F1_BITS)

    @property
    def tagging_accuracy(self) -> float | None:
        return ratio(self.correct_tags, self.words)

    def as_dict(self) -> dict[str, int | float | None]:
        """Counts and ratios (0 to 1) under the names of the JSON output."""
        counts = self._asdict()
        del counts["f1_units"]
        return {
            **counts,
            "recall": self.recall,
            "precision": self.precision,
            "f1": self.f1,
            "macro_f1": self.macro_f1,
            "complete_match": ratio(self.complete, self.valid),
            "average_crossing": ratio(self.crossing, self.valid),
            "no_crossing_share": ratio(self.no_crossing, self.valid),
            "two_or_less_crossing_share": ratio(self.two_or_less_crossing, self.valid),
            "tagging_accuracy": self.tagging_accuracy,
        }


class LabelCounts(NamedTuple):
    gold: int = 0
    test: int = 0
    matched_gold: int = 0
    matched_test: int = 0

    def plus(self, other: LabelCounts) -> LabelCounts:
        return LabelCounts(*(a + b for a, b in zip(self, other, strict=True)))


class LabelRow(NamedTuple):
    """A label's counts and ratios; None where undefined."""

    label: str
    gold: int
    test: int
    matched: int  # of gold's
    recall: float | None
    precision: float | None
    f1: float | None


def _treebank(given: EvalbParameters) -> dict[str, object]:
    """Whose annotation it is, and where function tags are cut, if not Penn's way."""
    labels, penn = given.labels, default_labels()
    found: dict[str, object] = {}
    if labels.identity != penn.identity:
        found["treebank"] = f"{labels.name}/{labels.hash}"
    if labels.function != penn.function:
        found["function_separator"] = "".join(sorted(labels.function))
    return found


class BracketCounts(NamedTuple):
    """What is counted in a part of the input; counts of parts add up."""

    summary: Totals
    summary_cutoff: Totals
    labels: dict[str, LabelCounts]
    ledger: Ledger
    roots: tuple[Counter[str], Counter[str]]  # of gold and parsed, over one phrase
    sentences: list[SentenceCounts]  # none if these were not asked for
    lines: list[str]  # what was asked for about each sentence
    generated: GeneratedCounts | None = None  # if asked for
    ending: Ending = NOTHING_MORE
    discontinuous: MatchCounts | None = None  # where trees have crossing branches
    ids: tuple[str, ...] = ()  # of `sentences`, as files name them

    def change(self, item: Callable[[LeftOut], LeftOut]) -> BracketCounts:
        """The counts, with each item of their ledger changed."""
        return self._replace(ledger=self.ledger.change(item))


@dataclass(eq=False)
class BracketScores(Value):
    """What `evalb` returns. Counts only; the ratios are properties of the totals."""

    parameters: EvalbParameters
    on_mismatch: OnMismatch
    summary: Totals = field(default_factory=Totals)
    summary_cutoff: Totals = field(default_factory=Totals)
    labels: dict[str, LabelCounts] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)
    roots: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    faithfulness: GeneratedTrees | None = None  # if asked for
    _kept: list[SentenceCounts] = field(default_factory=list)
    sentence_ids: list[str] = field(default_factory=list)  # as `sentences`
    # Brackets with gaps alone, where trees have crossing branches; `raised`: these are
    # scored as the trees of brackets that were made of them.
    discontinuous: MatchCounts | None = None
    raised: bool = False

    def __repr__(self) -> str:
        f1 = self.summary.f1
        shown = "undefined" if f1 is None else f"{100 * f1:.2f}"
        return f"<BracketScores: F1 {shown}, {self.scored_text()}>"

    def add(self, counts: BracketCounts) -> None:
        """Count what was found in the sentences that come next."""
        self.summary += counts.summary
        self.summary_cutoff += counts.summary_cutoff
        for label, found in counts.labels.items():
            self.labels[label] = self.labels.get(label, LabelCounts()).plus(found)
        self._kept += counts.sentences
        self.sentence_ids += counts.ids
        if counts.discontinuous is not None:
            known = self.discontinuous or MatchCounts()
            self.discontinuous = known.plus(counts.discontinuous)
        self.ledger = self.ledger.plus(counts.ledger)
        if self.faithfulness is not None and counts.generated is not None:
            self.faithfulness.add(counts.generated)
        for seen, more in zip(self.roots, counts.roots, strict=True):
            seen.update(more)

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that cannot be compared with gold, and why."""
        return self.ledger.mismatches

    @property
    def surplus(self) -> Surplus:
        """What only one side has."""
        return self.ledger.surplus

    @property
    def f1_if_zero(self) -> float | None:
        """F1 if what was left out counted as finding nothing."""
        found = self.summary
        return f_score(
            found.matched, found.gold + self.ledger.lost_brackets, found.test
        )

    @property
    def rows(self) -> list[LabelRow]:
        """One row a label, if these were asked for; most frequent in gold first."""
        return label_rows(self.labels)

    @property
    def total(self) -> Totals:
        """All sentences together."""
        return self.summary

    @property
    def sentences(self) -> SentenceCounts | None:
        """One row for each sentence, with `by_sentence`."""
        if not self._kept:
            return None
        if len(self._kept) > 1:
            columns = zip(*self._kept, strict=True)
            self._kept = [SentenceCounts(*(np.concatenate(c) for c in columns))]
        return self._kept[0]

    @property
    def signature(self) -> Signature:
        given = self.parameters
        return Signature.of(
            scorer="evalb",
            params=given.name,
            **_treebank(given),
            **self._branches(),
            labeled=given.labeled,
            deleted=given.deleted_names,
            equal=tuple("=".join(pair) for pair in given.equal_labels),
            equal_words=tuple("=".join(pair) for pair in given.equal_words),
            not_in_length=given.delete_for_length,
            quotes=given.quotes,
            cutoff=given.cutoff_length,
            mismatch=self.on_mismatch,
            **(self.faithfulness.settings if self.faithfulness else {}),
            average="micro",
        )

    def _branches(self) -> dict[str, object]:
        """What became of crossing branches, if there are any."""
        if self.raised:
            return {"branches": "raised"}
        return {} if self.discontinuous is None else {"branches": "crossing"}

    def scored_text(self) -> str:
        """What was scored, how, and what was left out, in a sentence."""
        return self.ledger.text()

    def _repr_html_(self) -> str:
        from reports.notebook import brackets_html

        return brackets_html(self)

    def frame(self) -> pd.DataFrame:
        """The two summaries, a row each: all sentences, and up to the cut-off."""
        import pandas as pd

        summaries = [self.summary.as_dict(), self.summary_cutoff.as_dict()]
        return pd.DataFrame(summaries, index=["all", "cutoff"])

    def labels_frame(self) -> pd.DataFrame:
        """Per label: counts, precision, recall, F1; most frequent first."""
        import pandas as pd

        if self.summary.gold and not self.labels:
            raise SettingsError(
                "labels were not counted: pass by_label=True", code="E502"
            )
        return pd.DataFrame(self.rows, columns=LabelRow._fields)

    def sentences_frame(self) -> pd.DataFrame:
        """evalb's columns, one row for each sentence."""
        import pandas as pd

        if self.sentences is None:
            raise SettingsError(
                "sentences were not kept: pass by_sentence=True", code="E503"
            )
        frame = pd.DataFrame(self.sentences._asdict())
        frame.insert(0, "sentence", np.arange(1, len(frame) + 1))
        return frame


def label_rows(labels: dict[str, LabelCounts]) -> list[LabelRow]:
    """Labels with their ratios, most frequent in gold first."""
    rows = []
    for label, counts in sorted(
        labels.items(), key=lambda item: (-item[1].gold, -item[1].test, item[0])
    ):
        recall = ratio(counts.matched_gold, counts.gold)
        precision = ratio(counts.matched_test, counts.test)
        f1 = (
            f_score(counts.matched_gold, counts.gold, counts.test)
            if counts.matched_gold == counts.matched_test
            else harmonic(precision, recall)
        )
        rows.append(
            LabelRow(
                label,
                counts.gold,
                counts.test,
                counts.matched_gold,
                recall,
                precision,
                f1,
            )
        )
    return rows
