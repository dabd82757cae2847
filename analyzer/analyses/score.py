"""The paper's tables for one data set: `score`, and the result that it returns."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    can_be_read_again,
)
from analyzer.analyses.score_rows import (
    TOTAL,
    ConstructionRow,
    Reconciliation,
    SentenceRow,
    row_of,
)
from analyzer.analyses.score_work import ScoreCounts, ScoreWork
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import (
    ConstructionCounts,
    Tally,
)
from analyzer.metrics.ratios import f_score, ratio
from analyzer.metrics.recurring import Conventions, find_conventions
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Ints
from analyzer.model.values import Value
from analyzer.pairing.ledger import Ledger, LeftOut, Surplus
from analyzer.pairing.mismatches import OnMismatch, mismatch_setting
from analyzer.runtime.executor import Backend
from analyzer.transform.label_hints import LabelHint, label_hint

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analyses.functions import FunctionScores
    from analyzer.analyses.generated import GeneratedTrees
    from analyzer.analyses.instance_rows import InstanceRows
    from analyzer.transform.relations import RelationHint


class ScoredSource(NamedTuple):
    gold: OpenedTrees
    parsed: OpenedTrees
    reading: TreeReading


@dataclass(eq=False)
class ConstructionScores(Value):
    """What `score` returns: counts, and the tables made of them."""

    deriver: Deriver
    tally: Tally = field(default_factory=Tally)
    sentence_columns: list[tuple[Ints, ...]] | None = None
    on_mismatch: OnMismatch = OnMismatch.SKIP
    relation_hint: RelationHint | None = None  # of documents: a map for their labels
    faithfulness: GeneratedTrees | None = None  # if asked for
    sentence_ids: list[str] = field(default_factory=list)  # as `sentence_rows`
    instance_rows: list[InstanceRows] | None = None  # if asked for
    # What was scored, and how it was read, if it can be read again.
    source: ScoredSource | None = field(default=None, compare=False, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Numbers travel; what they were counted in does not."""
        return {**vars(self), "source": None}

    def __repr__(self) -> str:
        f_s = self.total.f_s
        shown = "undefined" if f_s is None else f"{100 * f_s:.1f}"
        return f"<ConstructionScores: F-s {shown}, {self.scored_text()}>"

    def add(self, counts: ScoreCounts) -> None:
        """Count what was found in the sentences that come next."""
        self.tally.add(counts.tally)
        if self.faithfulness is not None and counts.generated is not None:
            self.faithfulness.add(counts.generated)
        if counts.sentences is not None:
            self.sentence_columns = self.sentence_columns or []
            self.sentence_columns += counts.sentences
            self.sentence_ids += counts.ids
        if counts.instances is not None:
            self.instance_rows = (self.instance_rows or []) + counts.instances

    @property
    def ledger(self) -> Ledger:
        """What was scored, what was left out and why."""
        return replace(self.tally.ledger, noun=self.deriver.noun)

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
        """evalb's F1 if what was left out counted as finding nothing."""
        counts, lost = self.tally.evalb, self.tally.ledger.lost_brackets
        return f_score(counts.matched, counts.gold + lost, counts.parsed)

    @property
    def rows(self) -> list[ConstructionRow]:
        """One row for each construction, most frequent in gold first."""
        counts, recurs = self.tally.constructions, self.deriver.constructions.recurs
        names = sorted(counts, key=lambda n: (-counts[n].gold, -counts[n].parsed, n))
        total = self.tally.brackets.gold
        return [row_of(name, counts[name], recurs(name), total) for name in names]

    @property
    def label_hint(self) -> LabelHint | None:
        """Whose labels gold seems to have, if the inventory's treebank is another."""
        if self.deriver.family is not Family.SYNTAX:
            return None
        phrases: Counter[str] = Counter()
        for name, counts in self.tally.constructions.items():
            phrases[name.rpartition("-")[0]] += counts.gold
        return label_hint(phrases, self.deriver.inventory.labels)

    @property
    def total(self) -> ConstructionRow:
        """All constructions together; att over the non-recursive ones only."""
        rows = self.rows
        sums = ConstructionCounts()
        for counts in self.tally.constructions.values():
            sums = sums.plus(counts)
        heads = sum(row.matched_h for row in rows if not row.recursive)
        row = row_of(TOTAL, sums, False, self.tally.brackets.gold)
        return row._replace(att=ratio(sums.matched_att, heads))

    @property
    def reconciliation(self) -> Reconciliation:
        counts = self.tally
        same, heads = counts.same_construction, counts.same_head
        other = counts.brackets.matched - heads
        return Reconciliation(same, heads - same, other, counts.wrappers.matched)

    @property
    def conventions(self) -> Conventions:
        """What looks like a difference of annotation rather than errors."""
        return find_conventions(self.tally)

    @property
    def functions(self) -> FunctionScores | None:
        """The scores of function tags, if asked for."""
        counts, tags = self.tally.functions, self.deriver.function_tags
        if counts is None or tags is None:
            return None
        from analyzer.analyses.functions import FunctionScores

        return FunctionScores.from_tally(counts, tags)

    @property
    def signature(self) -> Signature:
        mismatch = mismatch_setting(self.on_mismatch)
        mend = self.faithfulness.settings if self.faithfulness else {}
        return Signature.of(
            scorer="derivation",
            **self.deriver.settings,
            **mismatch,
            **mend,
            average="micro",
        )

    def scored_text(self) -> str:
        """What was scored, how, and what was left out, in a sentence."""
        return self.ledger.text()

    def _repr_html_(self) -> str:
        from reports.notebook import scores_html

        return scores_html(self)

    def frame(self) -> pd.DataFrame:
        """The rows and the total as a DataFrame, indexed by construction."""
        import pandas as pd

        table = pd.DataFrame([*self.rows, self.total], columns=ConstructionRow._fields)
        return table.set_index("construction")

    @property
    def sentence_rows(self) -> list[SentenceRow]:
        """One row for each sentence, with `by_sentence`."""
        if self.sentence_columns is None:
            raise SettingsError(
                "sentences were not kept: pass by_sentence=True", code="E503"
            )
        rows: list[SentenceRow] = []
        for columns in self.sentence_columns:
            for values in zip(*(c.tolist() for c in columns), strict=True):
                rows.append(SentenceRow(len(rows) + 1, *values))
        return rows

    def sentences_frame(self) -> pd.DataFrame:
        """The counts of each sentence as a DataFrame."""
        import pandas as pd

        frame = pd.DataFrame(self.sentence_rows, columns=SentenceRow._fields)
        if any(self.sentence_ids):
            frame.insert(1, "id", self.sentence_ids)
        return frame

    def instances(self) -> pd.DataFrame:
        """One row for each construction of gold and of the parser; see `instances`.

        Unless they were kept (`score(..., instances=True)`), the input is read again.
        """
        if self.instance_rows is not None:
            from analyzer.analyses.instance_rows import frame_of

            return frame_of(self.instance_rows)
        if self.source is None:
            raise SettingsError(
                "the input of this result cannot be read again: pass instances=True to "
                "score",
                code="E596",
            )
        from analyzer.analyses.instances import instances_read

        return instances_read(*self.source).frame()


def score(
    gold: Trees,
    parsed: Trees,
    *,
    by_sentence: bool = False,
    instances: bool = False,
    faithfulness: bool = False,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> ConstructionScores:
    """Scores per construction of parsed against gold (Kulick et al. 2014).

    Both are given as on the command line (file, glob, directory), as text, or as
    trees that were read: of sentences, or of documents. With `jobs`, this many
    processes score files (None: all processors), and a `backend` can also be a cluster;
    the numbers are the same. `ScoringOptions` lists the other options.
    `by_sentence` keeps a row for each sentence, for the result's `sentences_frame()`;
    `instances` keeps one for each construction, so that the result's `instances()` need
    not read the input again.
    With `faithfulness` or the option `mend`, the result's `faithfulness` says what is
    wrong with the parsed trees (docs/generated.md).

    >>> scores = score("(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))")
    >>> scores.frame()[["gold", "parsed", "matched_h"]].loc["NP-t"].tolist()
    [1, 0, 0]
    """
    reading = TreeReading(**options)
    opened = reading.given(gold), reading.given(parsed)
    deriver = reading.deriver_for(opened[0])
    backend = backend or Backend(jobs)
    result = score_derived(
        *opened,
        deriver,
        reading,
        backend,
        by_sentence=by_sentence,
        instances=instances,
        faithfulness=faithfulness,
    )
    if all(map(can_be_read_again, opened)):
        result.source = ScoredSource(*opened, reading)
    reading.finish(result.ledger, opened[1])
    return result


def score_derived(
    gold: OpenedTrees,
    parsed: OpenedTrees,
    deriver: Deriver,
    reading: TreeReading,
    backend: Backend,
    *,
    by_sentence: bool = False,
    instances: bool = False,
    faithfulness: bool = False,
) -> ConstructionScores:
    """The scores under a deriver, which several data sets may share."""
    generated = None
    if deriver.family is Family.SYNTAX and (reading.mend or faithfulness):
        from analyzer.analyses.generated import GeneratedTrees

        generated = GeneratedTrees.of(
            deriver.inventory.labels, mend=reading.mend, asked=faithfulness
        )
    opened = reading.open(
        gold, parsed, deriver, backend, by_number=instances or generated is not None
    )
    result = ConstructionScores(
        deriver,
        on_mismatch=reading.mismatch,
        relation_hint=opened.relation_hint,
        faithfulness=generated,
    )
    work = ScoreWork(
        deriver,
        by_sentence,
        reading.mismatch,
        generated.work if generated else None,
        instances,
    )
    for counts in opened.tasks.counts(work, backend):
        result.add(counts)
    result.tally.ledger = result.tally.ledger.plus(opened.others())
    if result.functions and result.ledger.scored:
        result.functions.require_tags()
    return result
