"""Several systems on the same sentences: scores, differences, and agreement.

Systems are counted apart, block by block. Which sentences all of them can be compared
on is known only at the end, and resampling draws sentences: so counts are kept for each
sentence. Only sentences that every system can be compared on count, so that all are
measured on the same ground; the result says how many that leaves out.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import (
    Outcome,
    Result,
    common_ledger,
    documents_of,
    frame_of,
    run_count,
    shared_notes,
    texts_of,
)
from analyzer.analyses.functions import (
    END_TO_END_F,
    EXACT_SET,
    F_FN,
    STRICT_F,
    FunctionScores,
)
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    name_of,
    scoring_keywords,
)
from analyzer.analyses.score import ConstructionScores
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import (
    InputError,
    InputWarning,
    PairingError,
    Place,
    SettingsError,
)
from analyzer.formats.registry import Family
from analyzer.metrics.constructions import (
    COUNTS,
    MEASURES,
    Comparison,
    SentenceCounts,
    Tally,
    measures_of,
    sentence_counts,
)
from analyzer.metrics.counts import Counts, Numbers, concatenated, total_of
from analyzer.metrics.functions import FunctionTally, LevelTally, TagCounts
from analyzer.metrics.intervals import SentenceUnits, UnitCounts
from analyzer.metrics.join import match
from analyzer.metrics.measures import TOTAL, Measure, Row, measure_named, row_type
from analyzer.metrics.ratios import MatchCounts, f_score
from analyzer.metrics.recurring import (
    Recurring,
    explained,
    find_conventions,
    is_one_sided,
)
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    DIFFERENCE,
    Pool,
    Progress,
    dense_pools,
    holm,
    paired_tests,
    score_pools,
    settings_of_tests,
)
from analyzer.metrics.spine_differences import SpineDifference
from analyzer.model.arrays import Flags, Ints, Value
from analyzer.model.settings import named_systems, require_number
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import NOTHING_LEFT_OVER, Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch
from analyzer.runtime.executor import Backend, processors
from analyzer.safe_text import counted
from analyzer.transform.relations import RelationHint

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analyses.rst_systems import DocumentComparison

DifferenceRow = row_type("DifferenceRow", "construction", *DIFFERENCE, module=__name__)
NeighbourRow = row_type("NeighbourRow", "better", "worse", *DIFFERENCE, module=__name__)
FunctionDifference = row_type("FunctionDifference", "tag", *DIFFERENCE, module=__name__)

# Said of a system that has all brackets of gold.
GOLD_AMONG = "every bracket is gold's: is gold itself among the systems?"


def compared_metrics() -> list[str]:
    """The measures that `spinal compare` offers, the default first."""
    names = [measure.name for measure in measures_of(detail=2)]
    return sorted(names, key=lambda name: name != "f_s")


class SystemCounts(NamedTuple):
    """What is kept of each sentence of a system, of all blocks or of one."""

    is_comparable: Flags
    counts: SentenceCounts
    gold: Counts  # a row for each gold bracket: its node in the tree, whether found
    ids: tuple[str, ...] = ()  # what gold's file calls them; none: nothing
    tags: Counts | None = None  # function tags, if asked for: TagCounts
    tag_brackets: Any = None  # sentences x (matched, gold, parsed, exact)
    documents: tuple[str, ...] = ()  # of each sentence
    ledger: Ledger = NOTHING_LEFT_OVER


def count_sentences(pair: Pair, comparison: Comparison) -> list[SystemCounts]:
    """A block of a system's output, sentence by sentence."""
    gold, functions = comparison.gold, comparison.functions
    sentence = np.repeat(np.arange(len(pair.gold)), np.diff(gold.starts))
    node = gold.row - pair.gold.node_start[sentence]
    counts = sentence_counts(comparison)
    # Words by their numbers in their sentences.
    offset = comparison.alignment.gold.offset[counts.differing.sentence]
    words = counts.differing.values - offset[:, None]
    counts = counts._replace(differing=counts.differing._replace(values=words))
    values = np.column_stack([node, comparison.by_span.gold]).astype(np.int32)
    kept = SystemCounts(
        comparison.alignment.is_comparable,
        counts,
        Counts(
            counts.constructions.names,
            len(pair.gold),
            sentence.astype(np.int32),
            gold.construction,
            values,
        ),
        pair.gold.ids,
        documents=tuple(pair.documents),
    )
    if functions is None:
        return [kept]
    phrases = functions.phrases
    return [kept._replace(tags=phrases.by_sentence(), tag_brackets=phrases.counts)]


def concatenated_systems(
    parts: Sequence[SystemCounts], constructions: Sequence[str]
) -> SystemCounts:
    """The counts of blocks one after another, all by the same numbers."""
    first, sizes = parts[0], [part.is_comparable.size for part in parts]
    if len(parts) == 1 and list(first.counts.constructions.names) == list(
        constructions
    ):
        return first
    has_tags = first.tags is not None
    ids: tuple[str, ...] = ()
    if any(part.ids for part in parts):
        ids = tuple(
            name
            for part, size in zip(parts, sizes, strict=True)
            for name in part.ids or ("",) * size
        )
    return SystemCounts(
        np.concatenate([part.is_comparable for part in parts]),
        SentenceCounts(
            concatenated([part.counts.constructions for part in parts], constructions),
            np.concatenate([part.counts.brackets for part in parts]),
            concatenated([part.counts.differing for part in parts]),
        ),
        concatenated([part.gold for part in parts], constructions),
        ids,
        concatenated([part.tags for part in parts if part.tags]) if has_tags else None,
        np.concatenate([part.tag_brackets for part in parts]) if has_tags else None,
        tuple(name for part in parts for name in part.documents),
        first.ledger,
    )


def _tally(system: SystemCounts, common: Flags) -> Tally:
    """The counts of some sentences, summed."""
    whole = system.counts.tally(common)
    if system.tags is not None:
        matched, *of_sides, exact = system.tag_brackets[common].sum(axis=0).tolist()
        tags = system.tags.only(common).named(TagCounts)
        brackets = MatchCounts(matched, *of_sides)
        whole.functions = FunctionTally(LevelTally(brackets, exact, tags))
    return whole


def _bracket_pool(systems: Sequence[Ints], measure: Measure) -> Pool:
    """What two systems count of a measure of brackets, in each sentence."""
    fields = ("brackets_matched", "brackets_gold", "brackets_parsed", "exact")
    named = [dict(zip(fields, counts.T, strict=True)) for counts in systems]
    columns = [c for counts in named for c in measure.fraction(counts.__getitem__)]
    return dense_pools(np.stack(columns)[:, :, None])[0]


@dataclass(frozen=True, eq=False)
class System(Value):
    """One parser's output and what was counted of it."""

    name: str
    counted: SystemCounts
    scores: ConstructionScores

    @property
    def ledger(self) -> Ledger:
        """What can be scored of its output, what not and why."""
        return replace(self.counted.ledger, noun=self.scores.deriver.noun)

    @property
    def f1(self) -> float | None:
        """evalb's F1 on all sentences that can be scored of it."""
        return self._alone.evalb.f1

    @property
    def f1_if_zero(self) -> float | None:
        """evalb's F1 if what cannot be scored of it counted as finding nothing."""
        counts, lost = self._alone.evalb, self.counted.ledger.lost_brackets
        return f_score(counts.matched, counts.gold + lost, counts.parsed)

    @cached_property
    def _alone(self) -> Tally:
        """The counts of all sentences that can be scored of it."""
        own = self.counted.is_comparable
        if np.count_nonzero(own) == self.scores.ledger.scored:
            return self.scores.tally  # all systems can be compared on these
        return _tally(self.counted, own)


class FoundRow(NamedTuple):
    """Gold brackets of a construction, by which system finds them (F-s).

    What only the other system finds, it repairs; what only the baseline finds, it
    breaks.
    """

    construction: str
    both: int
    only_a: int
    only_b: int
    neither: int
    example_only_a: int | None  # a sentence's number
    example_only_b: int | None
    example_neither: int | None
    example_both: int | None

    @property
    def repaired(self) -> int:
        """Brackets that the baseline misses and the other system finds."""
        return self.only_b

    @property
    def broken(self) -> int:
        """Brackets that the baseline finds and the other system misses."""
        return self.only_a

    def in_words(self, baseline: str, other: str) -> str:
        """What another system changes for the better, and for the worse.

        >>> FoundRow("total", 90, 12, 1, 8, 3, 5, None, 1).in_words("A", "B")
        'B repairs 1 bracket that A misses, and breaks 12 that A finds'
        """
        repaired = counted(self.repaired, "bracket")
        return (
            f"{other} repairs {repaired} that {baseline} misses, and breaks "
            f"{self.broken:,} that {baseline} finds"
        )


@dataclass(frozen=True, eq=False, repr=False)
class SystemComparison(Result):
    """Systems that were scored on the same sentences; the first is the baseline."""

    systems: list[System]
    deriver: Deriver
    is_common: Flags  # per sentence: every system can be compared on it
    resamples: int
    seed: int
    unpaired: Ledger = NOTHING_LEFT_OVER  # documents that not all can be compared on
    documents: DocumentComparison | None = None  # of discourse trees: their metrics
    # Of systems with other relation labels than gold's: a map for them.
    relation_hints: Mapping[str, RelationHint] = field(default_factory=dict)

    verb: ClassVar[str] = "compared on"

    def _shown(self) -> str:
        return ", ".join(system.name for system in self.systems)

    @property
    def ledger(self) -> Ledger:
        """What all systems were compared on, what was left out and why."""
        ledgers = [system.ledger for system in self.systems]
        common = common_ledger(ledgers, self.is_common, self.deriver.noun)
        return common + self.unpaired

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that some system cannot be scored on, system by system."""
        return [item for system in self.systems for item in system.ledger.mismatches]

    @property
    def notes(self) -> list[str]:
        of_systems = {
            system.name: [
                *system.ledger.root_notes(),
                *texts_of(self.relation_hints.get(system.name)),
                *(self.documents.scores[system.name].notes if self.documents else []),
            ]
            for system in self.systems
        }
        hint = texts_of(self.baseline.scores.label_hint)
        return [*super().notes, *shared_notes(of_systems), *hint]

    @property
    def rows(self) -> list[list[Row]]:
        """The rows of each system."""
        return [system.scores.rows for system in self.systems]

    @property
    def total(self) -> list[Row]:
        """The total of each system."""
        return [system.scores.total for system in self.systems]

    @property
    def constructions(self) -> Sequence[str]:
        """What the numbers of constructions mean in the counts of all systems."""
        return self.baseline.counted.counts.constructions.names

    @property
    def baseline(self) -> System:
        return self.systems[0]

    @property
    def signature(self) -> Signature:
        scored = self.baseline.scores.signature
        tests = settings_of_tests(self.resamples, self.seed)
        return scored.insert("average", **self.ledger.settings, **tests)

    @property
    def conventions(self) -> list[SharedConvention]:
        """What recurs in systems and looks like a difference of annotation."""
        return shared_conventions(self.systems, self.is_common)

    def system(self, name: System | str) -> System:
        """The system of a name; SettingsError if there is none."""
        if isinstance(name, System):
            return name
        by_name = {system.name: system for system in self.systems}
        if name not in by_name:
            raise SettingsError("E246 no system", name=name, names=list(by_name))
        return by_name[name]

    def differences(
        self,
        other: System | str,
        metric: str = "f_s",
        progress: Progress | None = None,
        *,
        jobs: int | None = 1,
    ) -> list[Row]:
        """The other system minus the baseline, per construction; total last.

        So many `jobs` (None: all processors) share the tests; they find the same.
        """
        measure = measure_named(metric, MEASURES)
        sides = [
            system.counted.counts.constructions.only(self.is_common)
            for system in (self.baseline, self.system(other))
        ]
        names = [*self.constructions, TOTAL]
        tested = paired_tests(
            self._pools(sides, measure, COUNTS),
            names,
            resamples=self.resamples,
            seed=self.seed,
            progress=progress,
            threads=min(processors(), Backend(jobs).jobs or processors()),
        )
        counts = self.baseline.scores.tally.constructions
        gold = [counts[n].gold if n in counts else 0 for n in self.constructions]
        *rows, total = tested.rows(DifferenceRow, names, [*gold, sum(gold)])
        rows = [row for row in rows if row.gold or row.score_a is not None]
        return [*sorted(rows, key=lambda row: (-row.gold, row.construction)), total]

    @cached_property
    def units(self) -> SentenceUnits:
        """What tests draw: documents, or sentences."""
        names = documents_of(self.deriver, self.baseline.counted.documents)
        return SentenceUnits.of(names, self.is_common, self.deriver.noun)

    def _pools(
        self, sides: Sequence[Counts], measure: Measure, fields: Sequence[str]
    ) -> list[Pool]:
        units = self.units
        return score_pools(
            [units.of_counts(side) for side in sides], measure, fields, units.is_common
        )

    @property
    def ranked(self) -> list[System]:
        """The systems, the one with the best F-s first."""
        return sorted(self.systems, key=lambda system: -(system.scores.total.f_s or 0))

    @property
    def gold_among(self) -> list[str]:
        """Systems that have all of gold's brackets and no other: they may be gold."""
        return [
            system.name
            for system in self.systems
            if system.scores.tally.evalb.f1 == system.scores.total.f_s == 1
        ]

    def neighbours(
        self,
        metric: str = "f_s",
        progress: Progress | None = None,
        *,
        jobs: int | None = 1,
    ) -> list[Row]:
        """Each system beside the next in rank: the total; Holm over these pairs."""
        pairs = list(pairwise(self.ranked))
        rows = [
            replace(self, systems=[better, worse]).differences(
                worse, metric, progress, jobs=jobs
            )[-1]
            for better, worse in pairs
        ]
        corrected = holm(np.array([row.p_value for row in rows], np.float64))
        return [
            NeighbourRow(
                *(better.name, worse.name, row.gold, row.score_a, row.score_b),
                *(row.difference, row.low, row.high, row.p_value, p),
            )
            for (better, worse), row, p in zip(
                pairs, rows, corrected.tolist(), strict=True
            )
        ]

    def function_differences(
        self, other: System | str, progress: Progress | None = None
    ) -> list[Row]:
        """The other system minus the baseline: F-fn of each tag, then measures of all.

        Tests as those of constructions.
        """
        sides = [system.counted for system in (self.baseline, self.system(other))]
        tags = [side.tags for side in sides if side.tags is not None]
        if len(tags) < 2:
            raise SettingsError("E593 function tags were not scored")
        names = list(dict.fromkeys(name for counts in tags for name in counts.names))
        tags = [counts.renamed(names).only(self.is_common) for counts in tags]
        *of_tags, total = self._pools(tags, F_FN, TagCounts._fields)
        [*_, end_to_end] = self._pools(tags, END_TO_END_F, TagCounts._fields)
        brackets = [side.tag_brackets * self.is_common[:, None] for side in sides]
        brackets = [self.units.added(counts) for counts in brackets]
        of_brackets = [
            _bracket_pool(brackets, measure) for measure in (EXACT_SET, STRICT_F)
        ]
        measures = (EXACT_SET, STRICT_F, END_TO_END_F, F_FN)
        tested = paired_tests(
            [*of_tags, *of_brackets, end_to_end, total],
            [
                *(f"tag {name}" for name in names),
                *(measure.title for measure in measures),
            ],
            resamples=self.resamples,
            seed=self.seed,
            progress=progress,
        )
        counts = tags[0].named(TagCounts)
        gold = [counts[name].gold if name in counts else 0 for name in names]
        rows = tested.rows(
            FunctionDifference,
            [*names, *(measure.title for measure in measures)],
            [*gold, *[sum(gold)] * len(measures)],
        )
        by_tag = sorted(rows[: len(names)], key=lambda row: (-row.gold, row.tag))
        return [*by_tag, *rows[len(names) :]]

    def agreement(self, other: System | str) -> list[FoundRow]:
        """Which gold brackets both find, only one, or neither; total last."""
        # A gold row is known by its node and its construction: a discourse unit has
        # two, the schema that it is and the link by which it attaches.
        rows = [system.counted.gold for system in (self.baseline, self.system(other))]
        keys = [[side.sentence, side.values[:, 0], side.name] for side in rows]
        same = match(keys[0], keys[1])  # one can have lost a sentence
        in_both = np.flatnonzero(same.gold & self.is_common[rows[0].sentence])
        found_a = rows[0].values[in_both, 1].astype(np.bool_)
        found_b = rows[1].values[same.partner[in_both], 1].astype(np.bool_)
        construction = rows[0].name[in_both]
        sentence = rows[0].sentence[in_both] + 1
        listed = found_rows(
            self.constructions, construction, found_a, found_b, sentence
        )
        listed = [row for row in listed if sum(row[1:5])]
        listed.sort(key=lambda row: (-sum(row[1:5]), row.construction))
        all_of_it = np.zeros_like(construction)
        return [*listed, *found_rows([TOTAL], all_of_it, found_a, found_b, sentence)]

    def found_frame(self) -> pd.DataFrame:
        """What every system repairs and breaks against the baseline."""
        rows = [
            (system.name, row[0], row.both, row.repaired, row.broken, row.neither)
            for system in self.systems[1:]
            for row in self.agreement(system)
        ]
        fields = ("system", "construction", "both", "repaired", "broken", "neither")
        return frame_of(rows, fields)

    def frame(self, metric: str = "f_s") -> pd.DataFrame:
        """Differences of every system against the baseline.

        Those of discourse metrics are in `documents.frame()`.
        """
        rows = [
            (system.name, *row)
            for system in self.systems[1:]
            for row in self.differences(system, metric)
        ]
        return frame_of(rows, ("system", "construction", *DIFFERENCE))


@scoring_keywords
def compare(
    gold: Trees,
    systems: Mapping[str, Trees] | Iterable[tuple[str, Trees]],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    binarize_parsed: bool = True,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> SystemComparison:
    """Systems by name against the same gold; the first is the baseline.

    `resamples` and `seed` are of the tests that `differences` runs; `binarize_parsed`
    is as in `score_rst`, for the metrics of discourse. `TreeOptions` lists the other
    options.

    >>> good, bad = "(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I) (VP (VBP go)))"
    >>> comparison = compare(good, [("a", good), ("b", bad)], resamples=10)
    >>> [system.scores.total.matched_s for system in comparison.systems]
    [3, 2]
    """
    given = require_systems(systems, resamples, seed)
    reading, backend = TreeReading(**options), backend or Backend(jobs)
    reference = reading.resolve(gold, again=True)
    outputs: list[tuple[str, OpenedTrees]]
    outputs = [(name, reading.resolve(output)) for name, output in given]
    deriver = reading.deriver_for(reference)
    unpaired = NOTHING_LEFT_OVER
    documents: DocumentComparison | None = None
    if deriver.family is Family.DISCOURSE:
        from analyzer.analyses.rst_systems import compare_documents

        read = [(name, reading.documents(parsed)) for name, parsed in outputs]
        documents, common = compare_documents(
            *(reading.documents(reference), read, reading),
            resamples=resamples,
            seed=seed,
            binarize_parsed=binarize_parsed,
        )
        names = [name for name, _ in outputs]
        reference, unpaired = common.gold, common.unpaired
        outputs = list(zip(names, common.systems, strict=True))
    counted = (
        (
            name,
            parsed,
            run_count(
                *(reference, parsed, reading, deriver, count_sentences),
                backend=backend,
                by_number=True,
            ),
        )
        for name, parsed in outputs
    )
    comparison = join_systems(
        counted, deriver, reading.mismatch, unpaired, resamples=resamples, seed=seed
    )
    reading.warn_left_out(comparison.ledger, reference)
    for name in comparison.gold_among:
        warnings.warn(InputWarning(name, GOLD_AMONG), stacklevel=2)
    for system in comparison.systems:
        FunctionScores.require_tags_of(
            [system.scores.tally.functions], deriver.function_tags
        )
    return replace(comparison, documents=documents)


compare_systems = compare  # its name before


def require_systems(
    systems: Mapping[str, Trees] | Iterable[tuple[str, Trees]],
    resamples: int,
    seed: int,
    function: str = "compare",
) -> list[tuple[str, Trees]]:
    """Two systems or more, by name; SettingsError if these cannot be compared."""
    given = named_systems(systems, function)
    if not resamples >= 1:
        raise SettingsError(
            "E803 --resamples must be at least 1, not", resamples=resamples
        )
    require_number("seed", seed, least=0)
    return given


def _whole(
    name: str,
    parsed: OpenedTrees,
    outcome: Outcome[list[SystemCounts]],
    deriver: Deriver,
) -> SystemCounts:
    """A system's output as it was counted to the end; it must be as long as gold."""
    surplus = max(outcome.ledger.surplus)
    if surplus and not outcome.ledger.paired_by:
        raise PairingError(
            "E412 and gold differ in length by",
            Place(name_of(parsed)),
            name=name,
            surplus=surplus,
        )
    if not outcome.counts:
        raise InputError("E121 contains no trees", Place(name_of(parsed)))
    for part in outcome.counts:  # of other processes, which have their own numbers
        for construction in part.counts.constructions.names:
            deriver.constructions.number(construction)
    whole = concatenated_systems(outcome.counts, deriver.constructions.listed)
    return whole._replace(ledger=outcome.ledger)


def join_systems(
    counted: Iterable[tuple[str, OpenedTrees, Outcome[list[SystemCounts]]]],
    deriver: Deriver,
    on_mismatch: OnMismatch,
    unpaired: Ledger = NOTHING_LEFT_OVER,
    *,
    resamples: int,
    seed: int,
) -> SystemComparison:
    """Bring systems that were counted apart onto common ground."""
    loaded: list[tuple[str, SystemCounts]] = []
    hints: dict[str, RelationHint] = {}
    for name, parsed, outcome in counted:
        if outcome.relation_hint:
            hints[name] = outcome.relation_hint
        loaded.append((name, _whole(name, parsed, outcome, deriver)))
    first_name, first = loaded[0]
    for name, system in loaded[1:]:
        if system.is_comparable.size != first.is_comparable.size:
            raise PairingError(
                "E407 sentences",
                name=name,
                size=system.is_comparable.size,
                first_name=first_name,
                size_2=first.is_comparable.size,
            )
    common = np.logical_and.reduce([system.is_comparable for _, system in loaded])
    if not common.any():
        raise PairingError("E406 there is no sentence that every system can be")
    documents = documents_of(deriver, first.documents)
    systems = []
    for name, system in loaded:
        # Systems that came later may have brought constructions along.
        whole = concatenated_systems([system], deriver.constructions.listed)
        scored = int(np.count_nonzero(common))
        settled = tuple(
            item for item in system.ledger.mismatches if common[item.sentence - 1]
        )
        scores = ConstructionScores(
            deriver,
            on_mismatch,
            Ledger(gold=scored, parsed=scored, scored=scored, items=settled),
            tally=_tally(whole, common),
            unit_counts=UnitCounts.of(
                whole.counts.constructions.taken(common),
                [name for name, is_in in zip(documents, common, strict=True) if is_in],
            ),
        )
        systems.append(System(name, whole, scores))
    return SystemComparison(
        systems, deriver, common, resamples, seed, unpaired, relation_hints=hints
    )


def found_rows(
    names: Sequence[str],
    construction: Numbers,
    found_a: Flags,
    found_b: Flags,
    sentence: Numbers,
) -> list[FoundRow]:
    """Per construction: how many brackets both find, one, or neither; and examples.

    Brackets stand in the order of sentences.
    """
    # Both, only A, only B, neither.
    cell = np.int64(4) * construction + 2 * ~found_a + ~found_b
    table = np.bincount(cell, minlength=4 * len(names)).reshape(-1, 4)
    examples = np.zeros_like(table)
    examples.flat[cell[::-1]] = sentence[::-1]  # what is assigned last, stays
    return [
        FoundRow(name, *row, *((number or None) for number in (*firsts[1:], firsts[0])))
        for name, row, firsts in zip(
            names, table.tolist(), examples.tolist(), strict=True
        )
    ]


# -- annotation or parser? What several systems say about it ---------------------------
#
# A difference that recurs (`metrics.recurring`) may be one of annotation, or a habit of
# a parser. If two systems or more differ from gold in the same way, and on the same
# words, it is rather gold that follows another rule; if only one does while the others
# do as gold does, it is rather an error of that one.


class SharedConvention(NamedTuple):
    """A recurring difference, and the systems that differ from gold in it."""

    constructions: tuple[str, ...]
    difference: SpineDifference
    systems: dict[str, int]  # those that it recurs in: how many words each
    others: tuple[str, ...]  # those that it does not recur in
    words: int  # that all of `systems` have it on

    @property
    def is_shared(self) -> bool:
        """Whether two systems or more agree against gold."""
        return len(self.systems) > 1

    def as_json(self) -> dict[str, object]:
        """As `conventions` in the JSON of `compare`; see docs/json.md."""
        return {
            "constructions": list(self.constructions),
            "difference": {
                side: list(names) for side, names in self.difference._asdict().items()
            },
            "systems": dict(self.systems),
            "others": list(self.others),
            "words": self.words,
            "is_shared": self.is_shared,
        }


def shared_conventions(
    systems: Sequence[System], common: Flags
) -> list[SharedConvention]:
    """The recurring differences of all systems, those of most systems first.

    `common`: the sentences that all of them are scored on.
    """
    tallies = {system.name: system.scores.tally for system in systems}
    recurs = systems[0].scores.deriver.constructions.recurs
    # Of each system, and of all together, as if they were one.
    together = total_of(list(tallies.values()), Tally())
    recurring = dict.fromkeys(
        row.recurring
        for tally in (*tallies.values(), together)
        for row in find_conventions(tally, recurs).rows
    )
    sizes: dict[Recurring, dict[str, int]] = {}
    pooled = find_conventions(together, recurs).recurring
    for convention in recurring:
        for system in systems:
            tally = system.scores.tally
            # Together they may be evidence enough, where each of them alone is not.
            is_evident = convention in system.scores.conventions.recurring or (
                convention in pooled and is_one_sided(convention, tally)
            )
            if is_evident and (words := explained(tally.differences, [convention])):
                size = sum(size for _, size in words)
                sizes.setdefault(convention, {})[system.name] = size
    shared = []
    for key, agreeing in sizes.items():
        words_of = [
            _words_that_differ(system.counted.counts.differing, key, common)
            for system in systems
            if system.name in agreeing
        ]
        others = (system.name for system in systems if system.name not in agreeing)
        shared.append(
            SharedConvention(
                (key.construction,),
                key.difference,
                agreeing,
                tuple(others),
                len(set.intersection(*words_of)),
            )
        )
    return sorted(
        shared, key=lambda convention: (-len(convention.systems), -convention.words)
    )


def _words_that_differ(
    differing: Counts, recurring: Recurring, trees: Flags
) -> set[tuple[int, int]]:
    """The words of some trees that differ in this: tree and word."""
    has_it = np.array(
        [
            recurring.times_in(SpineDifference.of_text(text)) > 0
            for text in differing.names
        ],
        np.bool_,
    )
    if not has_it.any():
        return set()
    chosen = has_it[differing.name] & trees[differing.sentence]
    words = differing.values[chosen, 0].tolist()
    return set(zip(differing.sentence[chosen].tolist(), words, strict=True))
