"""EVALB's summaries of bracket counts, and the function `evalb`."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from analyzer.exceptions import AnalyzerError, InputError, PairingError, Place
from analyzer.metrics.brackets import (
    ERROR,
    SKIPPED,
    Matched,
    SentenceCounts,
    score_pair,
)
from analyzer.metrics.ratios import f_score, ratio
from analyzer.metrics.signature import Signature
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.in_step import (
    NO_SURPLUS,
    NOTHING_MORE,
    Ending,
    Pairs,
    SentencePair,
    Surplus,
    open_tasks,
)
from analyzer.pairing.words import LeftOut, Reason
from analyzer.runtime.executor import results
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import EvalbParameters, load_parameters

if TYPE_CHECKING:
    import pandas as pd

_F1_BITS = 53  # of a number between a half and one
OnMismatch = Literal["skip", "zero", "error"]


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
        return ratio(self.f1_units, self.valid << _F1_BITS)

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


@dataclass
class BracketScores:
    """What `evalb` returns. Counts only; the ratios are properties of the totals."""

    parameters: EvalbParameters
    on_mismatch: OnMismatch
    summary: Totals = field(default_factory=Totals)
    summary_cutoff: Totals = field(default_factory=Totals)
    labels: dict[str, LabelCounts] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    surplus: Surplus = NO_SURPLUS
    ending: Ending = NOTHING_MORE  # of a piece
    roots: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    _kept: list[SentenceCounts] = field(default_factory=list)

    def add(self, part: BracketScores) -> None:
        """Count what was found in the sentences that come next."""
        self.summary += part.summary
        self.summary_cutoff += part.summary_cutoff
        for label, counts in part.labels.items():
            self.labels[label] = self.labels.get(label, LabelCounts()).plus(counts)
        if part.sentences is not None:
            self.keep(part.sentences)
        self.left_out += part.left_out
        self.surplus = self.surplus.plus(part.ending.surplus)
        for seen, more in zip(self.roots, part.roots, strict=True):
            seen.update(more)

    def keep(self, counts: SentenceCounts) -> None:
        self._kept.append(counts)

    @property
    def sentences(self) -> SentenceCounts | None:
        """A row a sentence, if these were asked for."""
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
            labeled=given.labeled,
            deleted=given.delete,
            equal=tuple("=".join(pair) for pair in given.equal_labels),
            equal_words=tuple("=".join(pair) for pair in given.equal_words),
            not_in_length=given.delete_for_length,
            quotes=given.quotes,
            cutoff=given.cutoff_length,
            mismatch=self.on_mismatch,
            average="micro",
        )

    def coverage(self) -> str:
        """What was scored and what was left out, in a sentence.

        With the policy `zero` only malformed gold is left out; the sentence then says
        how many others were counted as finding nothing.
        """
        total, scored = self.summary.sentences, self.summary.valid
        text = f"scored {scored:,} of {total:,} sentences"
        reasons = Counter(item.reason for item in self.left_out)
        zero = Counter[Reason]()
        if self.on_mismatch == "zero":
            zero = Counter(
                {r: n for r, n in reasons.items() if r is not Reason.BAD_GOLD}
            )
        for counts, what in (
            (zero, "counted as finding nothing"),
            (reasons - zero, "left out"),
        ):
            if counts:
                listed = ", ".join(f"{n:,} {r.value}" for r, n in counts.items())
                text += f"; {counts.total():,} {what}: {listed}"
        return text

    def _repr_html_(self) -> str:
        from reports.notebook import brackets_html

        return brackets_html(self)

    def labels_frame(self) -> pd.DataFrame:
        """Per label: counts, precision, recall, F1; most frequent first."""
        import pandas as pd

        return pd.DataFrame(
            label_rows(self.labels),
            columns=["label", "gold", "test", "matched", "recall", "precision", "f1"],
        )

    def sentences_frame(self) -> pd.DataFrame:
        """evalb's columns, a row a sentence."""
        import pandas as pd

        if self.sentences is None:
            raise AnalyzerError("sentences were not kept: pass by_sentence=True")
        frame = pd.DataFrame(self.sentences._asdict())
        frame.insert(0, "sentence", np.arange(1, len(frame) + 1))
        return frame


def label_rows(
    labels: dict[str, LabelCounts],
) -> list[tuple[str, int, int, int, float | None, float | None, float | None]]:
    """Label, counts and ratios, most frequent in gold first."""
    rows = []
    for label, counts in sorted(
        labels.items(), key=lambda item: (-item[1].gold, -item[1].test, item[0])
    ):
        recall = ratio(counts.matched_gold, counts.gold)
        precision = ratio(counts.matched_test, counts.test)
        f1 = (
            f_score(counts.matched_gold, counts.gold, counts.test)
            if counts.matched_gold == counts.matched_test
            else _harmonic(precision, recall)
        )
        rows.append(
            (
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


def _harmonic(precision: float | None, recall: float | None) -> float | None:
    """F1 where an equated label makes the two sides' matches differ (ADVP, PRT)."""
    if precision is None or recall is None:
        return None
    return ratio(2 * precision * recall, precision + recall) or 0.0


def evalb(
    gold: str | Treebank,
    parsed: str | Treebank,
    *,
    parameters: str | EvalbParameters = "collins",
    on_mismatch: OnMismatch = "skip",
    by_label: bool = False,
    by_sentence: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
) -> BracketScores:
    """Bracket scores of parsed against gold, as EVALB computes them.

    Both are given as on the command line (file, glob, directory), as text, or as
    a Treebank. Memory does not grow with the input, except for `by_sentence`. With
    `jobs`, files are scored by so many processes (None: all processors).

    >>> scores = evalb("(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))")
    >>> scores.summary.recall, scores.summary.precision
    (0.6666666666666666, 1.0)
    """
    if isinstance(parameters, str):
        parameters = load_parameters(parameters)
    work = BracketWork(LabelTables(parameters), on_mismatch, by_label, by_sentence)
    tasks, surplus = open_tasks(gold, parsed, strict=strict, encoding=encoding)
    result = BracketScores(parameters, on_mismatch)
    for part in results(work, tasks, jobs=jobs):
        result.add(part)
    result.surplus = surplus()
    return result


@dataclass(frozen=True)
class BracketWork:
    """How a piece of the input is scored: what another process has to know."""

    tables: LabelTables
    on_mismatch: OnMismatch = "skip"
    by_label: bool = False
    by_sentence: bool = False

    def __call__(self, task: Pairs) -> BracketScores:
        part = BracketScores(self.tables.parameters, self.on_mismatch)
        for pair in task.pairs():
            self.score(part, pair)
        part.ending = task.ending
        return part

    def score(self, part: BracketScores, pair: SentencePair) -> Matched:
        """Add the counts of a run of sentences."""
        outcome = score_pair(pair, self.tables, zero=self.on_mismatch == "zero")
        if outcome.left_out and self.on_mismatch == "error":
            raise outcome.left_out[0].error
        counts = outcome.counts
        part.summary += total_of(counts)
        short = counts.length <= self.tables.parameters.cutoff_length
        part.summary_cutoff += total_of(counts.only(short))
        part.left_out += outcome.left_out
        for side, bank in zip(part.roots, (pair.gold, pair.parsed), strict=True):
            _count_roots(side, bank)
        if self.by_label:
            _add_labels(part.labels, outcome)
        if self.by_sentence:
            part.keep(counts)
        return outcome


def total_of(counts: SentenceCounts) -> Totals:
    """Sums over sentences; only scored ones count for the brackets."""
    scored = counts.only(counts.is_scored)
    either = scored.gold + scored.test
    f1 = np.where(either > 0, 2 * scored.matched / np.maximum(either, 1), 1.0)
    complete = (scored.gold == scored.test) & (scored.test == scored.matched)
    return Totals(
        sentences=counts.status.size,
        error=int(np.count_nonzero(counts.status == ERROR)),
        skip=int(np.count_nonzero(counts.status == SKIPPED)),
        valid=scored.status.size,
        matched=int(scored.matched.sum()),
        gold=int(scored.gold.sum()),
        test=int(scored.test.sum()),
        crossing=int(scored.crossing.sum()),
        words=int(scored.words.sum()),
        correct_tags=int(scored.correct_tags.sum()),
        complete=int(np.count_nonzero(complete)),
        no_crossing=int(np.count_nonzero(scored.crossing == 0)),
        two_or_less_crossing=int(np.count_nonzero(scored.crossing <= 2)),
        f1_units=sum(np.ldexp(f1, _F1_BITS).astype(np.int64).tolist()),
    )


def _add_labels(labels: dict[str, LabelCounts], outcome: Matched) -> None:
    size = len(SYMBOLS)
    gold = np.bincount(outcome.gold.label, minlength=size)
    test = np.bincount(outcome.parsed.label, minlength=size)
    gold_hit = np.bincount(outcome.gold.label[outcome.matches.gold], minlength=size)
    test_hit = np.bincount(outcome.parsed.label[outcome.matches.parsed], minlength=size)
    for label in np.flatnonzero(gold + test).tolist():
        name = SYMBOLS.name(label)
        counts = (column[label] for column in (gold, test, gold_hit, test_hit))
        found = LabelCounts(*(int(count) for count in counts))
        labels[name] = labels.get(name, LabelCounts()).plus(found)


def _count_roots(seen: Counter[str], bank: Treebank) -> None:
    """Which labels stand at the top of trees and have just one phrase below."""
    roots = bank.node_start[:-1][np.diff(bank.node_start) > 1]
    labels, counts = np.unique(bank.label[roots], return_counts=True)
    for label, count in zip(labels.tolist(), counts.tolist(), strict=True):
        seen[SYMBOLS.name(label)] += count


def last_allowed(result: BracketScores) -> int | None:
    """The sentence before the one that evalb's MAX_ERROR stops at, if it does.

    evalb counts mismatches, not failed parses, and stops one after the limit.
    """
    limit = result.parameters.max_error
    if limit is None:
        return None
    errors = [item for item in result.left_out if not item.reason.is_skip]
    if len(errors) <= limit + 1:
        return None
    return errors[limit + 1].sentence - 1


def nothing_scored(result: BracketScores, name: str) -> AnalyzerError | None:
    if result.summary.valid:
        return None
    if not result.summary.sentences:
        return InputError("no trees to score; expected brackets", Place(name))
    return PairingError(f"nothing could be scored: {result.coverage()}", Place(name))
