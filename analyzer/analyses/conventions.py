"""One pair of files under all the scoring conventions in use.

"How was this F1 calculated?" is the most asked question about parser scores.
Each row changes one choice against the first, so that the differences say which
choice moves the score by how much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, Unpack

from analyzer.analyses.compared import Result, count_tasks, frame_of
from analyzer.analyses.evalb import BracketCounts, BracketScores, Totals, evalb_totals
from analyzer.analyses.generated import GeneratedCounts, GeneratedTrees, GeneratedWork
from analyzer.analyses.opening import PairOptions, TreeReading, Trees
from analyzer.metrics.brackets import score_pair
from analyzer.metrics.signature import Signature
from analyzer.model.settings import keywords
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.runtime.executor import Backend
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import default_labels
from analyzer.transform.parameters import BUILT_IN, EvalbParameters

if TYPE_CHECKING:
    import pandas as pd

_PUNCTUATION = frozenset((",", ":", "``", "''", ".", "?", "!"))


class ConventionRow(NamedTuple):
    """The scores under one convention; None where undefined."""

    name: str
    sentences: int
    recall: float | None
    precision: float | None
    f1: float | None
    difference: float | None  # F1 against the first row
    choice: str  # how one would say it


@dataclass(frozen=True)
class Convention:
    """A way of scoring: parameters, and what the sums run over."""

    name: str
    choice: str
    parameters: EvalbParameters
    as_sets: bool = False
    macro: bool = False
    max_length: int | None = None
    on_mismatch: OnMismatch = OnMismatch.SKIP


@dataclass(frozen=True, eq=False, repr=False)
class ConventionScores(Result):
    """What `compare_conventions` returns: one row for each convention, the reference
    first."""

    rows: list[ConventionRow]
    reference: BracketScores  # the summary and left-outs of the first row

    def _shown(self) -> str:
        return f"{len(self.rows)} conventions"

    @property
    def total(self) -> Totals:
        """The summary under the first convention."""
        return self.reference.summary

    @property
    def ledger(self) -> Ledger:
        """What was scored under the first convention, what was left out and why."""
        return self.reference.ledger

    @property
    def faithfulness(self) -> GeneratedTrees | None:
        """What is wrong with the parsed trees, if asked for."""
        return self.reference.faithfulness

    def frame(self) -> pd.DataFrame:
        """A row a convention, indexed by its name."""
        return frame_of(self.rows, ConventionRow._fields, "name")

    @property
    def signature(self) -> Signature:
        return self.reference.signature

    def in_words(self) -> list[str]:
        """Which choice moves the score by how much, largest first."""
        first, *others = self.rows
        if first.f1 is None:
            return ["Nothing could be scored."]
        lines = [f"F1 is {100 * first.f1:.2f} by {first.name}."]
        moved = [row for row in others if row.difference is not None]
        for row in sorted(moved, key=lambda row: -abs(row.difference or 0)):
            points = 100 * (row.difference or 0)
            if abs(points) < 0.005:
                lines.append(f"{row.choice} changes nothing here.")
            else:
                verb = "raises" if points > 0 else "lowers"
                lines.append(
                    f"{row.choice} {verb} it by {abs(points):.2f}, to "
                    f"{100 * (row.f1 or 0):.2f}."
                )
        return lines


def conventions() -> list[Convention]:
    """The conventions in use, the reference first."""
    collins = BUILT_IN["collins"]
    kept = tuple(label for label in collins.delete if label not in _PUNCTUATION)
    wrappers = default_labels().wrapper
    rooted = tuple(label for label in collins.delete if label not in wrappers)
    return [
        Convention("EVALB, COLLINS.prm", "", collins),
        Convention("EVALB, new.prm", "Using new.prm", BUILT_IN["new"]),
        Convention(
            "punctuation kept",
            "Keeping punctuation",
            replace(collins, name="collins, punctuation kept", delete=kept),
        ),
        Convention(
            "root counted (PYEVALB)",
            "Counting the root as PYEVALB does",
            replace(collins, name="collins, root counted", delete=rooted),
        ),
        Convention(
            "root not counted",
            "Leaving out the root, with any label,",
            collins.without_roots(),
        ),
        Convention(
            "sets, not multisets (Stanford)",
            "Counting equal brackets once, as Stanford's scorer does,",
            collins,
            as_sets=True,
        ),
        Convention(
            "mean of sentence F1 (macro)",
            "Averaging over sentences instead of summing brackets",
            collins,
            macro=True,
        ),
        Convention(
            "unlabelled",
            "Ignoring labels",
            replace(collins, name="collins, unlabelled", labeled=False),
        ),
        Convention(
            "≤ 40 words",
            "Leaving out sentences of over 40 words",
            collins,
            max_length=40,
        ),
        Convention(
            "≤ 10 words",
            "Leaving out sentences of over 10 words",
            collins,
            max_length=10,
        ),
        Convention(
            "on mismatch: zero",
            "Counting failed and mismatched parses as finding nothing",
            collins,
            on_mismatch=OnMismatch.ZERO,
        ),
        Convention(
            "on mismatch: align",
            "Aligning the words of mismatched parses (failed ones find nothing)",
            collins,
            on_mismatch=OnMismatch.ALIGN,
        ),
    ]


class ConventionCounts(NamedTuple):
    """A part of the input under every convention."""

    totals: dict[str, Totals]  # by the convention's name
    generated: GeneratedCounts | None = None  # if asked for


@dataclass(frozen=True)
class ConventionCounter:
    """How a pair is scored under every convention; what is left out, by the first."""

    tables: Sequence[LabelTables]
    generated: GeneratedWork | None = None

    def __call__(self, pair: Pair) -> tuple[ConventionCounts, Ledger]:
        totals: dict[str, Totals] = {}
        ledgers: list[Ledger] = []
        for convention, tables in zip(conventions(), self.tables, strict=True):
            outcome = score_pair(
                pair,
                tables,
                on_mismatch=convention.on_mismatch,
                as_sets=convention.as_sets,
            )
            columns = outcome.counts
            if convention.max_length is not None:
                columns = columns.only(columns.length <= convention.max_length)
            totals[convention.name] = evalb_totals(columns)
            ledgers.append(outcome.ledger)
        generated = self.generated.of(pair) if self.generated else None
        return ConventionCounts(totals, generated), ledgers[0]


def _row(
    convention: Convention, total: Totals, reference: float | None
) -> ConventionRow:
    macro = convention.macro
    f1 = total.macro_f1 if macro else total.f1
    return ConventionRow(
        convention.name,
        total.valid,
        None if macro else total.recall,
        None if macro else total.precision,
        f1,
        None if f1 is None or reference is None else f1 - reference,
        convention.choice,
    )


@keywords(PairOptions.__annotations__, TreeReading)
def compare_conventions(
    gold: Trees,
    parsed: Trees,
    *,
    faithfulness: bool = False,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[PairOptions],
) -> ConventionScores:
    """Score a pair of files under every convention, in one pass over them.

    The options are those of `evalb` that are about reading and pairing.

    >>> scores = compare_conventions("(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I))")
    >>> scores.rows[0].name, scores.total.sentences
    ('EVALB, COLLINS.prm', 1)
    """
    reading = TreeReading(**options)
    backend = backend or Backend(jobs)
    generated: GeneratedTrees | None = None
    if reading.mend or faithfulness:
        generated = GeneratedTrees(default_labels(), reading.mend)
    opened = reading.open_sentences(
        *(reading.resolve(gold), reading.resolve(parsed)),
        backend if generated is None else None,
    )
    used = conventions()
    counter = ConventionCounter(
        [LabelTables(convention.parameters) for convention in used],
        generated.work if generated else None,
    )
    counted, ledger = count_tasks(opened, counter, backend)
    nothing = {convention.name: Totals() for convention in used}
    counts = counted or ConventionCounts(nothing)
    if generated is not None and counts.generated is not None:
        generated.add(counts.generated)
    ledger += opened.ledger()
    ledger.check(opened.names[1], reading.max_left_out)
    first = counts.totals[used[0].name]
    reference = BracketScores(
        used[0].parameters,
        OnMismatch.SKIP,
        BracketCounts(first),
        ledger,
        faithfulness=generated,
    )
    rows = [
        _row(convention, counts.totals[convention.name], first.f1)
        for convention in used
    ]
    rows[0] = rows[0]._replace(difference=None)
    return ConventionScores(rows, reference)
