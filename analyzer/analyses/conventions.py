"""One pair of files under all the scoring conventions in use.

"How was this F1 calculated?" is the most asked question about parser scores.
Each row changes one choice against the first, so that the differences say which
choice moves the score by how much.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from analyzer.analyses.bracket_scores import BracketScores, Totals
from analyzer.analyses.evalb import total_of
from analyzer.analyses.generated import (
    GeneratedCounts,
    GeneratedTrees,
    GeneratedWork,
)
from analyzer.formats.blocks import Progress
from analyzer.formats.reading import Trees
from analyzer.metrics.brackets import score_pair
from analyzer.metrics.signature import Signature
from analyzer.model.settings import require_percent
from analyzer.pairing.in_step import NOTHING_MORE, Ending, PairTask
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.shards import open_input
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


@dataclass(frozen=True)
class ConventionScores:
    """What `compare_conventions` returns: one row for each convention, the reference
    first."""

    rows: list[ConventionRow]
    reference: BracketScores  # the summary and left-outs of the first row

    def __repr__(self) -> str:
        return f"<ConventionScores: {len(self.rows)} conventions, {self.scored_text()}>"

    @property
    def total(self) -> Totals:
        """The summary under the first convention."""
        return self.reference.summary

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that the first convention does not score."""
        return self.reference.left_out

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
        import pandas as pd

        return pd.DataFrame(self.rows, columns=ConventionRow._fields).set_index("name")

    def _repr_html_(self) -> str:
        from reports.notebook import conventions_html

        return conventions_html(self)

    def scored_text(self) -> str:
        return self.reference.scored_text()

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
    """A part of the input under every convention, and what was left out of it."""

    totals: list[Totals]
    ledger: Ledger
    generated: GeneratedCounts | None = None  # if asked for
    ending: Ending = NOTHING_MORE

    def change(self, item: Callable[[LeftOut], LeftOut]) -> ConventionCounts:
        """The counts, with each item of their ledger changed."""
        return self._replace(ledger=self.ledger.change(item))


@dataclass(frozen=True)
class ConventionWork:
    """How a part of the input is scored under every convention."""

    tables: list[LabelTables]
    generated: GeneratedWork | None = None

    def __call__(self, task: PairTask) -> ConventionCounts:
        found = ConventionCounts([Totals() for _ in self.tables], Ledger())
        for pair in task.pairs():
            if self.generated is not None:
                generated = self.generated.add(found.generated, pair)
                found = found._replace(generated=generated)
            for at, convention in enumerate(conventions()):
                outcome = score_pair(
                    pair,
                    self.tables[at],
                    on_mismatch=convention.on_mismatch,
                    as_sets=convention.as_sets,
                )
                counts = outcome.counts
                if convention.max_length is not None:
                    counts = counts.only(counts.length <= convention.max_length)
                found.totals[at] += total_of(counts)
                if at == 0:
                    found = found._replace(ledger=found.ledger.plus(outcome.ledger))
        return found._replace(ending=task.ending)


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


def compare_conventions(
    gold: Trees,
    parsed: Trees,
    *,
    mend: bool = False,
    faithfulness: bool = False,
    strict: bool = False,
    encoding: str = "utf-8",
    jobs: int | None = 1,
    backend: Backend | None = None,
    progress: Progress | None = None,
    max_left_out: float | None = None,
) -> ConventionScores:
    """Score a pair of files under every convention, in one pass over them.

    `mend` and `faithfulness`: as for `evalb`.

    >>> scores = compare_conventions("(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I))")
    >>> scores.rows[0].name, scores.total.sentences
    ('EVALB, COLLINS.prm', 1)
    """
    require_percent("max_left_out", max_left_out)
    backend = backend or Backend(jobs)
    generated = GeneratedTrees.of(default_labels(), mend=mend, asked=faithfulness)
    opened = open_input(
        gold,
        parsed,
        as_shards=backend.is_for_shards and generated is None,
        strict=strict,
        encoding=encoding,
        progress=progress,
        mend=mend,
    )
    used = conventions()
    totals = [Totals() for _ in used]
    reference = BracketScores(
        used[0].parameters, OnMismatch.SKIP, faithfulness=generated
    )
    work = convention_work(generated.work if generated else None)
    for counts in opened.counts(work, backend):
        if generated is not None and counts.generated is not None:
            generated.add(counts.generated)
        totals = [a + b for a, b in zip(totals, counts.totals, strict=True)]
        reference.ledger = reference.ledger.plus(counts.ledger)
    reference.summary = totals[0]
    reference.ledger = reference.ledger.plus(opened.ledger())
    reference.ledger.check(opened.names[1], max_left_out)
    first = totals[0].f1
    rows = [_row(one, total, first) for one, total in zip(used, totals, strict=True)]
    rows[0] = rows[0]._replace(difference=None)
    return ConventionScores(rows, reference)


def convention_work(generated: GeneratedWork | None = None) -> ConventionWork:
    """The work of `compare_conventions`."""
    tables = [LabelTables(one.parameters) for one in conventions()]
    return ConventionWork(tables, generated)
