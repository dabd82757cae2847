"""Several data sets side by side: `compare_domains`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol, TypeVar, Unpack

import numpy as np

from analyzer.analyses.functions import FunctionScores
from analyzer.analyses.gap import Domain, Measure, Split, split_gap
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    name_of,
)
from analyzer.analyses.score import ConstructionScores, score_derived
from analyzer.analyses.score_rows import ConstructionRow
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import Place, SettingsError
from analyzer.metrics.constructions import Tally, compare, tally
from analyzer.metrics.signature import Signature
from analyzer.pairing.inputs import Blocks
from analyzer.pairing.ledger import NO_GROUP, NOTHING_LEFT_OVER, Ledger, LeftOut, total
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.sidecar import GroupedPairs, group_tasks, groups_of
from analyzer.runtime.executor import Backend, run_tasks

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class DomainComparison:
    """Data sets side by side; the first is the reference."""

    domains: list[Domain]
    ungrouped: Ledger = NOTHING_LEFT_OVER  # what groups cannot be told of

    def __repr__(self) -> str:
        names = ", ".join(one.name for one in self.domains)
        return f"<DomainComparison: {names}, {self.ledger.text()}>"

    @property
    def ledger(self) -> Ledger:
        """What was scored of all data sets, what was left out and why."""
        parts = [domain.scores.ledger for domain in self.domains]
        return total([*parts, self.ungrouped])

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences of all data sets that cannot be compared with gold, and why."""
        return self.ledger.mismatches

    @property
    def rows(self) -> list[list[ConstructionRow]]:
        """The rows of each data set."""
        return [domain.scores.rows for domain in self.domains]

    @property
    def total(self) -> list[ConstructionRow]:
        """The total of each data set."""
        return [domain.scores.total for domain in self.domains]

    @property
    def reference(self) -> Domain:
        return self.domains[0]

    @property
    def signature(self) -> Signature:
        """How the scores were obtained, the same for all data sets."""
        return self.reference.scores.signature

    def splits(self, measures: Sequence[Measure] = ("f_s",)) -> list[Split]:
        """The gap of every other data set, under each measure."""
        return [
            split_gap(self.reference, domain, measure)
            for domain in self.domains[1:]
            for measure in measures
        ]

    def frame(self) -> pd.DataFrame:
        """The paper's Table 2: a block of columns per data set."""
        import pandas as pd

        frames = {domain.name: domain.scores.frame() for domain in self.domains}
        return pd.concat(frames, axis=1)

    def _repr_html_(self) -> str:
        from reports.notebook import domains_html

        return domains_html(self)


Dataset = tuple[str, Trees, Trees]  # name, gold, parsed


def compare_domains(
    datasets: Sequence[Dataset | Domain],
    *,
    group_by: str | Sequence[str] | None = None,
    reference: str | None = None,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> DomainComparison:
    """Data sets side by side, the reference first unless `reference` names another.

    A data set is (name, gold, parsed), or a `Domain` that has been scored.
    `group_by` divides one data set into several: the group of each sentence, or a file
    and its column, as "dev.tsv:genre". `ScoringOptions` lists the other
    options.

    >>> two = "(S (NP (PRP I)) (VP (VBP see)))\\n" * 2
    >>> found = compare_domains([("all", two, two)], group_by=["a", "b"], reference="b")
    >>> [domain.name for domain in found.domains]
    ['b', 'a']
    """
    reading, backend = TreeReading(**options), backend or Backend(jobs)
    groups = groups_of(group_by, len(datasets))
    deriver: Deriver | None = None
    found: list[Domain] = []
    ungrouped = NOTHING_LEFT_OVER
    for dataset in datasets:
        if isinstance(dataset, Domain):
            found.append(dataset)
            continue
        name = dataset[0]
        gold, parsed = reading.given(dataset[1]), reading.given(dataset[2])
        deriver = deriver or reading.deriver_for(gold)
        if groups is not None:
            more, ungrouped = _score_groups(
                gold, parsed, groups, deriver, reading, backend
            )
            found += more
            continue
        scores = score_derived(gold, parsed, deriver, reading, backend)
        if error := scores.ledger.lengths_differ:
            raise error.at(Place(name_of(parsed)))
        found.append(Domain(name, scores))
    if found:
        ungrouped = replace(ungrouped, noun=found[0].scores.deriver.noun)
    result = DomainComparison(reference_first(found, reference), ungrouped)
    for one in result.domains:
        reading.finish(one.scores.ledger, one.name)
    if ungrouped.items:
        reading.finish(ungrouped, NO_GROUP)
    return result


class _Named(Protocol):
    @property
    def name(self) -> str: ...


Named = TypeVar("Named", bound=_Named)


def reference_first(datasets: list[Named], reference: str | None) -> list[Named]:
    """The data sets, the one that the others are compared with before them."""
    names = [dataset.name for dataset in datasets]
    if reference is not None and reference not in names:
        raise SettingsError(
            "no data set {reference!r}; there are {names:list}",
            code="E808",
            reference=reference,
            names=names,
        )
    return sorted(datasets, key=lambda one: reference not in (None, one.name))


@dataclass(frozen=True)
class GroupWork:
    """How a task is scored, group by group."""

    deriver: Deriver
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __call__(self, task: GroupedPairs) -> dict[str, Tally]:
        found: dict[str, Tally] = {}
        for pair, names in task.pairs():
            comparison = compare(pair, self.deriver, on_mismatch=self.on_mismatch)
            if comparison.left_out and self.on_mismatch == "error":
                raise comparison.left_out[0].error
            column = np.array(names)
            for name in dict.fromkeys(names):
                counts = tally(comparison, column == name)
                found.setdefault(name, Tally()).add(counts)
        return found


def _score_groups(
    gold: OpenedTrees,
    parsed: OpenedTrees,
    groups: Sequence[str],
    deriver: Deriver,
    reading: TreeReading,
    backend: Backend,
) -> tuple[list[Domain], Ledger]:
    """One data set as several, in the order in which their first sentences come."""
    opened = reading.open(gold, parsed, deriver, backend, by_number=True)
    assert isinstance(opened.tasks, Blocks)
    found: dict[str, ConstructionScores] = {}
    tasks = group_tasks(opened.tasks.tasks, groups)
    work = GroupWork(deriver, reading.mismatch)
    for tallies in run_tasks(work, tasks, backend=backend):
        for name, counts in tallies.items():
            if name not in found:
                found[name] = ConstructionScores(
                    deriver,
                    on_mismatch=reading.mismatch,
                    relation_hint=opened.relation_hint,
                )
            found[name].tally.add(counts)
    others = opened.others()
    if error := others.lengths_differ:
        raise error.at(Place(name_of(parsed)))
    FunctionScores.require_tags_of(
        [one.tally.functions for one in found.values()], deriver.function_tags
    )
    return [Domain(name, scores) for name, scores in found.items()], others
