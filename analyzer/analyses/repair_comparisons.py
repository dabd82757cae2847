"""In which types of error parsers, or data sets, differ.

`compare_repairs` sets systems side by side on the same sentences, with the tests that
`compare` has for constructions; `repairs_by_domain` data sets, or groups of
one.
What is compared are errors per 100 sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import (
    Result,
    common_ledger,
    frame_of,
    require_draws,
    shared_notes,
)
from analyzer.analyses.domain_gap import Dataset
from analyzer.analyses.opening import ScoringOptions, Trees, scoring_keywords
from analyzer.analyses.repairs import (
    TOTAL,
    Classifier,
    RepairedSentence,
    Repairs,
    Status,
    run_search,
)
from analyzer.exceptions import PairingError, SettingsError
from analyzer.files.inputs import Input
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Progress,
    dense_pools,
    paired_tests,
    settings_of_tests,
)
from analyzer.model.arrays import Flags, Ints
from analyzer.model.settings import named_systems
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.tasks import groups_of
from analyzer.runtime.executor import Backend

if TYPE_CHECKING:
    import pandas as pd

_HUNDRED = 100


class RepairDifference(NamedTuple):
    """A type of error under two systems: errors per 100 sentences."""

    error_type: str
    errors_a: int
    errors_b: int
    rate_a: float | None  # errors per 100 sentences
    rate_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_corrected: float | None


@dataclass(frozen=True, eq=False, repr=False)
class RepairComparison(Result):
    """Errors of systems on the same sentences; the first is the baseline."""

    systems: dict[str, Repairs]
    is_common: Flags  # per sentence: the errors of every system are known
    resamples: int
    seed: int

    def __repr__(self) -> str:
        return f"<RepairComparison: {', '.join(self.systems)}, {self.ledger.text()}>"

    @property
    def baseline(self) -> str:
        return next(iter(self.systems))

    @property
    def classifier(self) -> Classifier:
        """Whose rules name the types of error."""
        return self.systems[self.baseline].classifier

    @property
    def ledger(self) -> Ledger:
        """What all systems were compared on, what was left out and why."""
        ledgers = [repairs.ledger for repairs in self.systems.values()]
        return common_ledger(ledgers, self.is_common)

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that some system's errors are not known of, system by system."""
        return [item for repairs in self.systems.values() for item in repairs.left_out]

    @property
    def notes(self) -> list[str]:
        return shared_notes(
            {name: repairs.notes for name, repairs in self.systems.items()}
        )

    @property
    def signature(self) -> Signature:
        signature = self.systems[self.baseline].signature
        return signature.replace(**settings_of_tests(self.resamples, self.seed))

    def _common(self, name: str) -> list[RepairedSentence]:
        """A system's sentences, of those that every system can be compared on."""
        places = np.flatnonzero(self.is_common).tolist()
        return [self.systems[name].sentences[place] for place in places]

    def _counts(self, name: str, types: Sequence[str]) -> Ints:
        """Errors of each type a sentence; the last column has all of them."""
        place = {error_type: at for at, error_type in enumerate(types)}
        sentences = self._common(name)
        counts = np.zeros((len(sentences), len(types) + 1), np.int64)
        for row, sentence in zip(counts, sentences, strict=True):
            for repair in sentence.repairs:
                row[[place[repair.error_type], -1]] += _HUNDRED
        return counts

    def brackets_per_sentence(self, name: str) -> dict[str, float]:
        """The wrong and missing brackets of a system a sentence, by type of error.

        Of the sentences that every system can be compared on.
        """
        sentences = self._common(name)
        nodes = self.systems[name].only(sentences).nodes
        return {kind: count / len(sentences) for kind, count in nodes.items()}

    def differences(
        self, other: str, progress: Progress | None = None
    ) -> list[RepairDifference]:
        """The other system minus the baseline, by type, frequent first; total last.

        Tests as those of constructions: see `SystemComparison.differences`.
        """
        both = (self.baseline, other)
        types = sorted({kind for name in both for kind in self.systems[name].errors})
        a, b = (self._counts(name, types) for name in both)
        tested = paired_tests(
            dense_pools(np.stack([a, np.ones_like(a), b, np.ones_like(b)])),
            [*types, TOTAL],
            resamples=self.resamples,
            seed=self.seed,
            progress=progress,
        )
        errors = [(side.sum(axis=0) // _HUNDRED).tolist() for side in (a, b)]
        rows = [
            RepairDifference(name, errors[0][at], errors[1][at], *tested.row(at))
            for at, name in enumerate([*types, TOTAL])
        ]
        rows[:-1] = sorted(
            rows[:-1], key=lambda row: (-row.errors_a - row.errors_b, row.error_type)
        )
        return rows

    def frame(self) -> pd.DataFrame:
        """Differences of every system against the baseline."""
        rows = [
            (name, *row)
            for name in list(self.systems)[1:]
            for row in self.differences(name)
        ]
        return frame_of(rows, ["system", *RepairDifference._fields])


@scoring_keywords
def compare_repairs(
    gold: Trees,
    systems: Mapping[str, Trees] | Iterable[tuple[str, Trees]],
    *,
    classifier: Classifier | str = Classifier.SPINAL,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> RepairComparison:
    """Systems by name against the same gold, by type of error.

    The first is the baseline. Sentences count that every system can be compared on.

    >>> good, bad = "(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I) (VP (VBP go)))"
    >>> comparison = compare_repairs(good, [("a", good), ("b", bad)], resamples=10)
    >>> [(row.error_type, row.difference) for row in comparison.differences("b")]
    [('Single Word Phrase', 100.0), ('total', 100.0)]
    """
    require_draws(resamples, seed)
    chosen = named_systems(systems, "compare_repairs")
    if isinstance(gold, Input):
        gold.keep()  # a pipe, too, is read for each of the systems
    by_system: dict[str, Repairs] = {}
    for name, parsed in chosen:
        by_system[name] = run_search(
            gold,
            parsed,
            classifier=classifier,
            by_sentence=True,
            backend=backend or Backend(jobs),
            **options,
        )
    sizes = {len(repairs.sentences) for repairs in by_system.values()}
    if len(sizes) > 1:
        raise PairingError("E462 systems differ in length", sizes=sizes)
    known = [
        [sentence.status is Status.OK for sentence in repairs.sentences]
        for repairs in by_system.values()
    ]
    return RepairComparison(by_system, np.all(np.array(known), axis=0), resamples, seed)


@scoring_keywords
def repairs_by_domain(
    datasets: Sequence[Dataset],
    *,
    group_by: str | Sequence[str] | None = None,
    classifier: Classifier | str = Classifier.SPINAL,
    keep_trees: bool = False,
    every: int = 1,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> dict[str, Repairs]:
    """The errors of each data set (name, gold, parsed), by type.

    `group_by` makes several of one, as in `domains`; `keep_trees` as in
    `repairs`. Of `every` so many sentences one is searched.

    >>> two, bad = "(S (NP (PRP I)))\\n" * 2, "(S (NP (PRP I)))\\n(S (PRP I))"
    >>> domains = repairs_by_domain([("all", two, bad)], group_by=["a", "b"])
    >>> {name: repairs.total.errors for name, repairs in domains.items()}
    {'a': 0, 'b': 1}
    """
    groups = groups_of(group_by, len(datasets))
    options["units"] = None  # nothing is resampled
    by_domain: dict[str, Repairs] = {}
    for name, gold, parsed in datasets:
        by_domain[name] = run_search(
            gold,
            parsed,
            classifier=classifier,
            by_sentence=groups is not None,
            keep_trees=keep_trees,
            backend=backend or Backend(jobs),
            every=every,
            **options,
        )
    if groups is None:
        return by_domain
    return repairs_of_groups(next(iter(by_domain.values())), groups)


def repairs_of_groups(whole: Repairs, groups: Sequence[str]) -> dict[str, Repairs]:
    """The errors of one data set as those of several, given each sentence's group."""
    if len(groups) != whole.read:
        raise SettingsError("E555 the groups name", n=len(groups), sentences=whole.read)
    parts: dict[str, list[RepairedSentence]] = {}
    for sentence in whole.sentences:
        parts.setdefault(groups[sentence.sentence - 1], []).append(sentence)
    return {name: whole.only(sentences) for name, sentences in parts.items()}
