"""Several systems on the same sentences: scores, differences, and agreement.

Only sentences that every system can be compared on count, so that all are measured
on the same ground; the result says how many that leaves out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    name_of,
)
from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.score_rows import TOTAL, ConstructionRow
from analyzer.analyses.system_conventions import SharedConvention, shared_conventions
from analyzer.analyses.system_rows import (
    DifferenceRow,
    FoundRow,
    System,
    difference_row,
    found_rows,
    pools_of_cells,
)
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import (
    InputError,
    PairingError,
    Place,
    SettingsError,
)
from analyzer.files.inputs import Input
from analyzer.formats.registry import Family
from analyzer.metrics.sentence_counts import (
    SystemCounts,
    SystemWork,
    concatenate,
    tally_of,
)
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Progress,
    paired_tests,
    scores_of,
    settings_of_tests,
)
from analyzer.model.arrays import Flags
from analyzer.model.settings import require_number
from analyzer.model.values import Value
from analyzer.pairing.inputs import Blocks
from analyzer.pairing.ledger import NOTHING_LEFT_OVER, Ledger, LeftOut
from analyzer.runtime.executor import Backend, processors
from analyzer.transform.relations import RelationHint

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.analyses.rst_systems import DocumentComparison
    from analyzer.model.discourse import Documents


@dataclass(frozen=True, eq=False)
class SystemComparison(Value):
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

    def __repr__(self) -> str:
        names = ", ".join(system.name for system in self.systems)
        return f"<SystemComparison: {names}, {self.scored_text()}>"

    @property
    def ledger(self) -> Ledger:
        """What all systems were compared on, what was left out and why."""
        lost = {
            item.sentence: item
            for one in reversed(self.systems)
            for item in one.ledger.left_out
        }
        size, noun = self.is_common.size, self.deriver.noun
        common = int(np.count_nonzero(self.is_common))
        items = tuple(lost[sentence] for sentence in sorted(lost))
        return Ledger(noun, size, size, common, items).plus(self.unpaired)

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that some system cannot be scored on, system by system."""
        return [item for one in self.systems for item in one.ledger.mismatches]

    @property
    def rows(self) -> list[list[ConstructionRow]]:
        """The rows of each system."""
        return [system.scores.rows for system in self.systems]

    @property
    def total(self) -> list[ConstructionRow]:
        """The total of each system."""
        return [system.scores.total for system in self.systems]

    @property
    def constructions(self) -> Sequence[str]:
        """What the numbers of constructions mean in the counts of all systems."""
        return self.baseline.counted.names

    @property
    def baseline(self) -> System:
        return self.systems[0]

    @property
    def signature(self) -> Signature:
        scored = self.baseline.scores.signature
        return scored.insert("average", **settings_of_tests(self.resamples, self.seed))

    @property
    def conventions(self) -> list[SharedConvention]:
        """What recurs in systems and looks like a difference of annotation."""
        return shared_conventions(self.systems, self.is_common)

    def _repr_html_(self) -> str:
        from reports.notebook import systems_html

        return systems_html(self)

    def scored_text(self) -> str:
        """What the systems were compared on, and what was left out, in a sentence."""
        return self.ledger.text("compared on")

    def differences(
        self,
        other: System,
        metric: str = "f_s",
        progress: Progress | None = None,
        *,
        jobs: int | None = 1,
    ) -> list[DifferenceRow]:
        """The other system minus the baseline, per construction; total last.

        So many `jobs` (None: all processors) share the tests; they find the same.
        """
        names = [*self.constructions, TOTAL]
        recurs = self.deriver.constructions.recurs
        pools = pools_of_cells(
            [one.counted.cells.only(self.is_common) for one in (self.baseline, other)],
            metric,
            np.array([recurs(name) for name in self.constructions], np.bool_),
            self.is_common,
        )
        tested = paired_tests(
            pools,
            names,
            resamples=self.resamples,
            seed=self.seed,
            progress=progress,
            threads=min(processors(), Backend(jobs).jobs or processors()),
        )
        gold = self.baseline.scores.tally.constructions
        totals = [gold[name].gold if name in gold else 0 for name in self.constructions]
        columns = (*scores_of(pools), *tested)
        rows = [
            difference_row(name, count, columns, at)
            for at, (name, count) in enumerate(
                zip(names, (*totals, sum(totals)), strict=True)
            )
        ]
        occurring = [row for row in rows[:-1] if row.gold or row.score_a is not None]
        occurring.sort(key=lambda row: (-row.gold, row.construction))
        return [*occurring, rows[-1]]

    def agreement(self, other: System) -> list[FoundRow]:
        """Which gold brackets both find, only one, or neither; total last."""
        ours, theirs = self.baseline.counted.gold, other.counted.gold
        # A gold row is known by its node and its construction: a discourse unit has
        # two, the schema that it is and the link by which it attaches.
        widths = [
            int(max(a.max(initial=0), b.max(initial=0))) + 1
            for a, b in zip(ours[1:3], theirs[1:3], strict=True)
        ]
        our_keys, their_keys = (
            (side.sentence * np.int64(widths[0]) + side.node) * widths[1]
            + side.construction
            for side in (ours, theirs)
        )
        in_ours = in_theirs = np.arange(our_keys.size)
        if not np.array_equal(our_keys, their_keys):  # one can have lost a sentence
            _, in_ours, in_theirs = np.intersect1d(
                our_keys, their_keys, assume_unique=True, return_indices=True
            )
        tree = ours.sentence[in_ours]
        common = self.is_common[tree]
        construction = ours.construction[in_ours][common]
        found_a = ours.is_found[in_ours][common]
        found_b = theirs.is_found[in_theirs][common]
        sentence = tree[common] + 1
        listed = found_rows(
            self.constructions, construction, found_a, found_b, sentence
        )
        listed = [row for row in listed if sum(row[1:5])]
        listed.sort(key=lambda row: (-sum(row[1:5]), row.construction))
        all_of_it = np.zeros_like(construction)
        return [*listed, *found_rows([TOTAL], all_of_it, found_a, found_b, sentence)]

    def frame(self, metric: str = "f_s") -> pd.DataFrame:
        """Differences of every system against the baseline.

        Those of discourse metrics are in `documents.frame()`.
        """
        import pandas as pd

        frames = []
        for system in self.systems[1:]:
            frame = pd.DataFrame(
                self.differences(system, metric), columns=DifferenceRow._fields
            )
            frame.insert(0, "system", system.name)
            frames.append(frame)
        return pd.concat(frames, ignore_index=True)


def compare_systems(
    gold: Trees,
    systems: Mapping[str, Trees] | Iterable[tuple[str, Trees]],
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> SystemComparison:
    """Systems by name against the same gold; the first is the baseline.

    `resamples` and `seed` are of the tests that `differences` runs. `TreeOptions`
    lists the other options.

    >>> good, bad = "(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I) (VP (VBP go)))"
    >>> found = compare_systems(good, [("a", good), ("b", bad)], resamples=10)
    >>> [system.scores.total.matched_s for system in found.systems]
    [3, 2]
    """
    systems = list(systems.items() if isinstance(systems, Mapping) else systems)
    if len(systems) < 2:
        raise SettingsError("expected two or more systems, found one", code="E804")
    if not resamples >= 1:
        raise SettingsError(
            "--resamples must be at least 1, not {resamples}",
            code="E803",
            resamples=resamples,
        )
    require_number("seed", seed, least=0)
    reading, backend = TreeReading(**options), backend or Backend(jobs)
    reference = reading.given(gold)
    if isinstance(reference, Input):
        reference.keep()  # a pipe, too, is read for each of the systems
    outputs = [(name, reading.given(output)) for name, output in systems]
    work = SystemWork(reading.deriver_for(reference), reading.mismatch)
    loaded: list[tuple[str, SystemCounts]] = []
    unpaired = NOTHING_LEFT_OVER
    hints: dict[str, RelationHint] = {}
    documents: DocumentComparison | None = None
    if work.deriver.family is Family.DISCOURSE:
        documents, reference, outputs, unpaired = _on_common_documents(
            reference, outputs, reading, resamples=resamples, seed=seed
        )
    for name, parsed in outputs:
        opened = reading.open(reference, parsed, work.deriver, backend, by_number=True)
        assert isinstance(opened.tasks, Blocks)
        if opened.relation_hint:
            hints[name] = opened.relation_hint
        loaded.append((name, _count(name, parsed, opened.tasks, work, backend)))
    found = _assemble(loaded, work, unpaired, resamples=resamples, seed=seed)
    reading.finish(found.ledger, reference)
    for one in found.systems:
        FunctionScores.require_tags_of(
            [one.scores.tally.functions], work.deriver.function_tags
        )
    return replace(found, documents=documents, relation_hints=hints)


def _on_common_documents(
    gold: OpenedTrees,
    systems: Sequence[tuple[str, OpenedTrees]],
    reading: TreeReading,
    *,
    resamples: int,
    seed: int,
) -> tuple[
    DocumentComparison,
    Documents,
    list[tuple[str, OpenedTrees]],
    Ledger,
]:
    """The metrics of discourse parsers, and what they are of: gold, systems."""
    from analyzer.analyses.rst_results import RstSettings
    from analyzer.analyses.rst_systems import common_documents, compare_documents

    read = [(name, reading.documents(parsed)) for name, parsed in systems]
    common = common_documents(reading.documents(gold), read, reading.mismatch)
    names = [name for name, _ in systems]
    shape = reading.shape
    settings = RstSettings(shape.binarize, shape.relations)
    found = compare_documents(common, names, settings, resamples=resamples, seed=seed)
    chosen: list[tuple[str, OpenedTrees]]
    chosen = list(zip(names, common.systems, strict=True))
    return found, common.gold, chosen, common.unpaired


def _count(
    name: str, parsed: OpenedTrees, tasks: Blocks, work: SystemWork, backend: Backend
) -> SystemCounts:
    """A system's output counted to the end; it must be as long as gold."""
    parts = list(tasks.counts(work, backend))
    if any(tasks.surplus):
        raise PairingError(
            "{name} and gold differ in length by {surplus:sentence}",
            Place(name_of(parsed)),
            code="E412",
            name=name,
            surplus=max(tasks.surplus),
        )
    if not parts:
        raise InputError(
            "contains no trees; expected brackets",
            Place(name_of(parsed)),
            code="E121",
        )
    return concatenate(parts, work.deriver.constructions)


def _assemble(
    loaded: Sequence[tuple[str, SystemCounts]],
    work: SystemWork,
    unpaired: Ledger,
    *,
    resamples: int,
    seed: int,
) -> SystemComparison:
    """Bring systems that were counted apart onto common ground."""
    first_name, first = loaded[0]
    for name, system in loaded[1:]:
        if system.is_comparable.size != first.is_comparable.size:
            raise PairingError(
                "{name} has {size:,} sentences, {first_name} has {size_2:,}",
                code="E407",
                name=name,
                size=system.is_comparable.size,
                first_name=first_name,
                size_2=first.is_comparable.size,
            )
    common = np.logical_and.reduce([system.is_comparable for _, system in loaded])
    if not common.any():
        raise PairingError(
            "there is no sentence that every system can be scored on", code="E406"
        )
    systems = []
    for name, system in loaded:
        # Systems that came later may have brought constructions along.
        whole = concatenate([system], work.deriver.constructions)
        scores = ConstructionScores(
            work.deriver, tally_of(whole, common), on_mismatch=work.on_mismatch
        )
        systems.append(System(name, whole, scores))
    return SystemComparison(systems, work.deriver, common, resamples, seed, unpaired)
