"""The paper's tables for one data set: `score`, and the result that it returns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import (
    Compared,
    documents_of,
    frame_of,
    run_count,
    units_of,
)
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    can_be_read_again,
    scoring_keywords,
)
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import SettingsError
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import (
    COUNTS,
    MEASURES,
    Comparison,
    ConstructionCounts,
    Tally,
    sentence_counts,
    tally,
)
from analyzer.metrics.counts import total_of
from analyzer.metrics.intervals import UNKNOWN, Interval, UnitCounts, Units
from analyzer.metrics.measures import TOTAL, Measure, Row, row_type
from analyzer.metrics.ratios import MatchCounts, f_score, ratio
from analyzer.metrics.recurring import Conventions, find_conventions
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Flags, Ints, sums_between
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger
from analyzer.pairing.mismatches import OnMismatch
from analyzer.runtime.executor import Backend
from analyzer.transform.labels import LabelHint, label_hint

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analyses.causes import Cause, Causes
    from analyzer.analyses.find_pairs import FoundPairs, QueryCounter, QueryCounts
    from analyzer.analyses.functions import FunctionScores
    from analyzer.analyses.generated import (
        GeneratedCounts,
        GeneratedTrees,
        GeneratedWork,
    )
    from analyzer.analyses.instances import InstanceRows
    from analyzer.queries.named import Queries


class SentenceRow(NamedTuple):
    """The counts of a sentence."""

    sentence: int
    scored: int  # 1, or 0 for a sentence that was left out
    gold: int
    parsed: int
    matched_h: int
    matched_s: int
    evalb_matched: int


class Reconciliation(NamedTuple):
    """Where evalb's matched brackets go; the four add up to them."""

    same_head_same_construction: int
    same_head_other_construction: int
    other_head: int
    wrapper: int  # around a whole tree (such as ROOT): they have no construction


def row_fields() -> list[str]:
    """What a row of a construction has: its name, its counts, its measures."""
    counts = [name for name in COUNTS if name != "attachable"]
    measures = [measure.name for measure in MEASURES]
    return ["construction", "recursive", *counts, "share_gold", *measures]


def construction_row(
    name: str, counts: ConstructionCounts, is_recursive: bool, total_gold: int
) -> Row:
    """A line of the paper's Table 2, counts and ratios; None where undefined."""
    # Not always `ConstructionRow`: a measure may have been declared since.
    make = row_type("ConstructionRow", *row_fields(), module=__name__)
    return make(
        construction=name,
        recursive=is_recursive,
        share_gold=ratio(counts.gold, total_gold),
        **_shown(counts, is_recursive),
        **{measure.name: measure.of(counts) for measure in MEASURES},
    )


def _shown(counts: ConstructionCounts, is_recursive: bool) -> dict[str, int | None]:
    """The counts that are shown; a recursive construction has no attachment."""
    shown: dict[str, int | None] = dict(zip(COUNTS, counts, strict=True))
    del shown["attachable"]
    if is_recursive:
        shown["matched_att"] = None
    return shown


ConstructionRow = row_type("ConstructionRow", *row_fields(), module=__name__)


@dataclass
class ScoreCounts:
    """What is counted in some sentences."""

    tally: Tally
    sentences: list[tuple[Ints, ...]] | None = None  # columns of SentenceRow
    ids: tuple[str, ...] = ()  # of `sentences`, as files name them
    generated: GeneratedCounts | None = None  # if asked for
    instances: list[InstanceRows] | None = None  # if asked for
    units: UnitCounts = field(default_factory=UnitCounts)
    causes: Counter[Cause] | None = None  # if asked for
    queries: QueryCounts | None = None  # if asked for


@dataclass(frozen=True)
class ScoreCounter:
    """What is counted in a pair, beside its constructions: what is asked for."""

    deriver: Deriver
    by_sentence: bool = False
    generated: GeneratedWork | None = None
    instances: bool = False
    causes: bool = False
    queries: QueryCounter | None = None

    def __call__(self, pair: Pair, comparison: Comparison) -> ScoreCounts:
        whole, units = tally_and_units(pair, comparison, self.deriver)
        counts = ScoreCounts(whole, units=units)
        if self.by_sentence:
            counts.sentences = [_by_sentence(comparison)]
            counts.ids = tuple(pair.id_of(tree) for tree in range(pair.sentences))
        if self.generated is not None:
            counts.generated = self.generated.of(pair)
        if self.instances:
            from analyzer.analyses.instances import instance_rows

            counts.instances = [instance_rows(pair, comparison, self.deriver)]
        if self.causes:
            from analyzer.analyses.causes import count_causes

            counts.causes = count_causes(comparison, self.deriver)
        if self.queries is not None:
            counts.queries = self.queries(pair, comparison)
        return counts


def tally_and_units(
    pair: Pair, comparison: Comparison, deriver: Deriver, trees: Flags | None = None
) -> tuple[Tally, UnitCounts]:
    """The counts of a block, or of some of its trees; and what is resampled of them."""
    counts = sentence_counts(comparison)
    documents = documents_of(deriver, pair.documents)
    whole, by_sentence = tally(comparison, trees, counts), counts.constructions
    if trees is not None:
        by_sentence = by_sentence.taken(trees)
        documents = [documents[tree] for tree in np.flatnonzero(trees).tolist()]
    return whole, UnitCounts.of(by_sentence, documents, whole.constructions)


def _by_sentence(comparison: Comparison) -> tuple[Ints, ...]:
    starts = comparison.gold.starts
    return (
        comparison.alignment.is_comparable.astype(np.int64),
        np.diff(starts),
        np.diff(comparison.parsed.starts),
        sums_between(comparison.by_head.gold, starts),
        sums_between(comparison.by_span.gold, starts),
        comparison.evalb_matched,
    )


def _unknown() -> Interval:
    """Of a construction that does not occur. (Of a lambda there are no copies.)"""
    return UNKNOWN


class ScoredSource(NamedTuple):
    gold: OpenedTrees
    parsed: OpenedTrees
    reading: TreeReading


@dataclass(eq=False, repr=False)
class ConstructionScores(Compared):
    """What `score` returns: counts, and the tables made of them."""

    tally: Tally = field(default_factory=Tally)
    sentence_columns: list[tuple[Ints, ...]] | None = None
    faithfulness: GeneratedTrees | None = None  # if asked for
    sentence_ids: tuple[str, ...] = ()  # as `sentence_rows`
    instance_rows: list[InstanceRows] | None = None  # if asked for
    unit_counts: UnitCounts = field(default_factory=UnitCounts, compare=False)
    causes: Causes | None = None  # if asked for
    queries: FoundPairs | None = None  # if asked for
    # What was scored, and how it was read, if it can be read again.
    source: ScoredSource | None = field(default=None, compare=False, repr=False)

    scorer: ClassVar[str] = "derivation"
    counts_roots: ClassVar[bool] = True  # in the line of evalb

    def __getstate__(self) -> dict[str, Any]:
        """Numbers travel; what they were counted in does not."""
        return {**vars(self), "source": None}

    def _shown(self) -> str:
        f_s = self.total.f_s
        return "F-s " + ("undefined" if f_s is None else f"{100 * f_s:.1f}")

    @property
    def f1_if_zero(self) -> float | None:
        """evalb's F1 if what was left out counted as finding nothing."""
        counts, lost = self.tally.evalb, self.ledger.lost_brackets
        return f_score(counts.matched, counts.gold + lost, counts.parsed)

    @property
    def rows(self) -> list[Row]:
        """One row for each construction, most frequent in gold first."""
        counts, recurs = self.tally.constructions, self.deriver.constructions.recurs
        names = sorted(counts, key=lambda n: (-counts[n].gold, -counts[n].parsed, n))
        gold = self.tally.brackets.gold
        return [construction_row(n, counts[n], recurs(n), gold) for n in names]

    @cached_property
    def units(self) -> Units:
        """What intervals resample: documents, or sentences."""
        return units_of(self.deriver, self.unit_counts)

    def intervals(
        self, measure: Measure, only: Callable[[str], bool] | None = None
    ) -> dict[str, Interval]:
        """Where a measure lies, of each construction (or only some) and in total.

        >>> trees = "(S (NP (PRP I)) (VP (VBP see)))\\n" * 9
        >>> low, high = score(trees, trees).intervals(MEASURES[0])["NP-t"]
        >>> round(low, 1), high
        (0.8, 1.0)
        """
        if only is None and measure in self._intervals:
            return self._intervals[measure]
        units = self.units if only is None else self.units.only(only)
        names = [*units.counts.names, TOTAL]
        known = zip(names, units.intervals(measure, COUNTS), strict=True)
        intervals = defaultdict(_unknown, known)
        if only is None:
            self._intervals[measure] = intervals
        return intervals

    @cached_property
    def _intervals(self) -> dict[Measure, dict[str, Interval]]:
        """Those that were asked for: tables and JSON share them."""
        return {}

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
    def total(self) -> Row:
        """All constructions together; att over the non-recursive ones only."""
        constructions = list(self.tally.constructions.values())
        sums = total_of(constructions, ConstructionCounts())
        return construction_row(TOTAL, sums, False, self.tally.brackets.gold)

    @property
    def reconciliation(self) -> Reconciliation:
        counts = self.tally
        same, heads = counts.same_construction, counts.same_head
        other = counts.brackets.matched - heads
        return Reconciliation(same, heads - same, other, counts.wrappers.matched)

    @property
    def conventions(self) -> Conventions:
        """What looks like a difference of annotation rather than errors."""
        return find_conventions(self.tally, self.deriver.constructions.recurs)

    @property
    def by_tags(self) -> tuple[MatchCounts, MatchCounts] | None:
        """F-s where the head's tag is right, and where it is wrong.

        None if the parser's tags are gold's, or if there are none. Words that only one
        side has are in neither.
        """
        right, wrong = self.tally.right_tags, self.tally.wrong_tags
        return (right, wrong) if wrong.gold or wrong.parsed else None

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
        intervals = {"intervals": self.units.setting} if self.units.number else {}
        return super().signature.replace(average="micro", **intervals)

    def frame(self) -> pd.DataFrame:
        """The rows and the total as a DataFrame, indexed by construction."""
        return frame_of([*self.rows, self.total], row_fields(), "construction")

    @property
    def sentence_rows(self) -> list[SentenceRow]:
        """One row for each sentence, with `by_sentence`."""
        if self.sentence_columns is None:
            raise SettingsError("E503 sentences were not kept")
        rows: list[SentenceRow] = []
        for columns in self.sentence_columns:
            for values in zip(*(c.tolist() for c in columns), strict=True):
                rows.append(SentenceRow(len(rows) + 1, *values))
        return rows

    def sentences_frame(self) -> pd.DataFrame:
        """The counts of each sentence as a DataFrame."""
        frame = frame_of(self.sentence_rows, SentenceRow._fields)
        if any(self.sentence_ids):
            frame.insert(1, "id", self.sentence_ids)
        return frame

    def instances(self) -> pd.DataFrame:
        """One row for each construction of gold and of the parser; see `instances`.

        Unless they were kept (`score(..., instances=True)`), the input is read again.
        """
        if self.instance_rows is not None:
            from analyzer.analyses.instances import instances_frame

            return instances_frame(self.instance_rows)
        if self.source is None:
            raise SettingsError("E596 the input of this result cannot be read again")
        from analyzer.analyses.instances import instances_read

        return instances_read(*self.source).frame()


@scoring_keywords
def score(
    gold: Trees,
    parsed: Trees,
    *,
    by_sentence: bool = False,
    instances: bool = False,
    causes: bool = False,
    faithfulness: bool = False,
    queries: str | Queries | None = None,
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
    `causes` says why heads, edges and attachments are wrong, in the result's `causes`.
    With `faithfulness` or the option `mend`, the result's `faithfulness` says what is
    wrong with the parsed trees (docs/generated.md). `queries`, a file of them or a
    mapping, are constructions of your own: the result's `queries` has their scores
    (docs/queries.md).

    >>> scores = score("(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))")
    >>> scores.frame()[["gold", "parsed", "matched_h"]].loc["NP-t"].tolist()
    [1, 0, 0]
    """
    reading = TreeReading(**options)
    opened = reading.resolve(gold), reading.resolve(parsed)
    deriver = reading.deriver_for(opened[0])
    backend = backend or Backend(jobs)
    result = score_derived(
        *opened,
        deriver,
        reading,
        backend,
        by_sentence=by_sentence,
        instances=instances,
        causes=causes,
        faithfulness=faithfulness,
        queries=queries,
    )
    if all(map(can_be_read_again, opened)):
        result.source = ScoredSource(*opened, reading)
    reading.warn_left_out(result.ledger, opened[1])
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
    causes: bool = False,
    faithfulness: bool = False,
    queries: str | Queries | None = None,
) -> ConstructionScores:
    """The scores under a deriver, which several data sets may share."""
    generated: GeneratedTrees | None = None
    if deriver.family is Family.SYNTAX and (reading.mend or faithfulness):
        from analyzer.analyses.generated import GeneratedTrees

        generated = GeneratedTrees(deriver.inventory.labels, reading.mend)
    work = generated.work if generated else None
    asked: QueryCounter | None = None
    if queries is not None:
        from analyzer.analyses.find_pairs import QueryCounter

        asked = QueryCounter.of(queries, deriver, limit=0)
    counter = ScoreCounter(deriver, by_sentence, work, instances, causes, asked)
    outcome = run_count(
        *(gold, parsed, reading, deriver, counter),
        backend=backend,
        by_number=instances or generated is not None or asked is not None,
    )
    counts = outcome.counts or ScoreCounts(Tally(), [] if by_sentence else None)
    if generated is not None and counts.generated is not None:
        generated.add(counts.generated)
    result = construction_scores(
        deriver, reading.mismatch, outcome.ledger, counts, generated
    )
    result.relation_hint = outcome.relation_hint
    if asked is not None:
        matches = {"parsed": (counts.queries, outcome.ledger)}
        result.queries = asked.result(matches, reading)
    if result.functions and result.ledger.scored:
        result.functions.require_tags()
    return result


def construction_scores(
    deriver: Deriver,
    on_mismatch: OnMismatch,
    ledger: Ledger,
    counts: ScoreCounts,
    generated: GeneratedTrees | None = None,
) -> ConstructionScores:
    """The scores that counts make."""
    causes = None
    if counts.causes is not None:
        from analyzer.analyses.causes import Causes

        causes = Causes(counts.causes)
    return ConstructionScores(
        deriver,
        on_mismatch,
        ledger,
        tally=counts.tally,
        sentence_columns=counts.sentences,
        faithfulness=generated,
        sentence_ids=counts.ids,
        instance_rows=counts.instances,
        unit_counts=counts.units,
        causes=causes,
    )
