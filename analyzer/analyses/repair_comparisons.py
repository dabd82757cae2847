"""In which types of error parsers, or data sets, differ.

`compare_repairs` sets systems side by side on the same sentences, with the tests that
`compare_systems` has for constructions; `repairs_by_domain` data sets, or groups of
one.
What is compared are errors a 100 sentences.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.domains import Dataset
from analyzer.analyses.opening import ScoringOptions, Trees
from analyzer.analyses.repair_records import (
    Classifier,
    RepairedSentence,
    Status,
    TypeCounts,
)
from analyzer.analyses.repairs import TOTAL, Repairs, searched
from analyzer.exceptions import PairingError, SettingsError
from analyzer.files.inputs import Input
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Progress,
    Statistics,
    paired_tests,
    pools_of,
    settings_of_tests,
)
from analyzer.model.arrays import Flags
from analyzer.model.settings import require_number
from analyzer.model.values import Value
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.sidecar import groups_of
from analyzer.runtime.executor import Backend

if TYPE_CHECKING:
    import pandas as pd

_HUNDRED = 100


class RepairDifference(NamedTuple):
    """A type of error under two systems: how often a 100 sentences have it."""

    error_type: str
    errors_a: int
    errors_b: int
    rate_a: float | None  # errors a 100 sentences
    rate_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_corrected: float | None


@dataclass(frozen=True, eq=False)
class RepairComparison(Value):
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
    def ledger(self) -> Ledger:
        """What all systems were compared on, what was left out and why."""
        lost = {
            item.sentence: item
            for one in reversed(self.systems.values())
            for item in one.ledger.left_out
        }
        size = self.is_common.size
        common = int(np.count_nonzero(self.is_common))
        items = tuple(lost[sentence] for sentence in sorted(lost))
        return Ledger(gold=size, parsed=size, scored=common, items=items)

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that some system's errors are not known of, system by system."""
        return [item for one in self.systems.values() for item in one.left_out]

    @property
    def signature(self) -> Signature:
        signature = self.systems[self.baseline].signature
        return signature.replace(**settings_of_tests(self.resamples, self.seed))

    def _counts(self, name: str, types: Sequence[str]) -> Statistics:
        """Errors of each type a sentence; the last column has all of them."""
        place = {error_type: at for at, error_type in enumerate(types)}
        chosen = np.flatnonzero(self.is_common).tolist()
        num = np.zeros((len(chosen), len(types) + 1))
        sentences = self.systems[name].sentences
        for row, sentence in enumerate(chosen):
            for one in sentences[sentence].repairs:
                num[row, place[one.error_type]] += _HUNDRED
                num[row, -1] += _HUNDRED
        return Statistics(num, np.ones_like(num))

    def brackets_per_sentence(self, name: str) -> dict[str, float]:
        """The wrong and missing brackets of a system a sentence, by type of error.

        Of the sentences that every system can be compared on.
        """
        chosen = np.flatnonzero(self.is_common).tolist()
        sentences = self.systems[name].sentences
        found: dict[str, int] = {}
        for sentence in chosen:
            for one in sentences[sentence].repairs:
                known = found.get(one.error_type, 0)
                found[one.error_type] = known + one.edit.nodes
        return {kind: nodes / len(chosen) for kind, nodes in found.items()}

    def differences(
        self, other: str, progress: Progress | None = None
    ) -> list[RepairDifference]:
        """The other system minus the baseline, by type, frequent first; total last.

        Tests as those of constructions: see `SystemComparison.differences`.
        """
        both = (self.baseline, other)
        types = sorted({kind for name in both for kind in self.systems[name].types})
        a, b = (self._counts(name, types) for name in both)
        tested = paired_tests(
            pools_of(a, b),
            [*types, TOTAL],
            resamples=self.resamples,
            seed=self.seed,
            progress=progress,
        )
        columns = (a.scores, b.scores, *tested)
        errors = [(side.sums[0] / _HUNDRED).astype(int).tolist() for side in (a, b)]
        rows = [
            RepairDifference(
                name,
                errors[0][at],
                errors[1][at],
                *(None if np.isnan(c[at]) else float(c[at]) for c in columns),
            )
            for at, name in enumerate([*types, TOTAL])
        ]
        rows[:-1] = sorted(
            rows[:-1], key=lambda row: (-row.errors_a - row.errors_b, row.error_type)
        )
        return rows

    def frame(self) -> pd.DataFrame:
        """Differences of every system against the baseline."""
        import pandas as pd

        rows = [
            (name, *row)
            for name in list(self.systems)[1:]
            for row in self.differences(name)
        ]
        return pd.DataFrame(rows, columns=["system", *RepairDifference._fields])

    def _repr_html_(self) -> str:
        from reports.notebook import repair_comparison_html

        return repair_comparison_html(self)


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
    >>> found = compare_repairs(good, [("a", good), ("b", bad)], resamples=10)
    >>> [(row.error_type, row.difference) for row in found.differences("b")]
    [('Single Word Phrase', 100.0), ('total', 100.0)]
    """
    require_number("resamples", resamples, least=1)
    require_number("seed", seed, least=0)
    chosen = list(systems.items() if isinstance(systems, Mapping) else systems)
    if len(chosen) < 2:
        raise SettingsError("expected two or more systems, found one", code="E804")
    if isinstance(gold, Input):
        gold.keep()  # a pipe, too, is read for each of the systems
    found: dict[str, Repairs] = {}
    for name, parsed in chosen:
        found[name], warn = searched(
            gold,
            parsed,
            classifier=classifier,
            by_sentence=True,
            keep_trees=False,
            backend=backend or Backend(jobs),
            **options,
        )
        warn()
    sizes = {len(one.sentences) for one in found.values()}
    if len(sizes) > 1:
        raise PairingError(
            "systems differ in length: {sizes:list} sentences", code="E462", sizes=sizes
        )
    known = [
        [sentence.status is Status.OK for sentence in one.sentences]
        for one in found.values()
    ]
    return RepairComparison(found, np.all(np.array(known), axis=0), resamples, seed)


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

    `group_by` makes several of one, as in `compare_domains`; `keep_trees` as in
    `repairs`. Of `every` so many sentences one is searched.

    >>> two, bad = "(S (NP (PRP I)))\\n" * 2, "(S (NP (PRP I)))\\n(S (PRP I))"
    >>> found = repairs_by_domain([("all", two, bad)], group_by=["a", "b"])
    >>> {name: one.total.errors for name, one in found.items()}
    {'a': 0, 'b': 1}
    """
    groups = groups_of(group_by, len(datasets))
    found: dict[str, Repairs] = {}
    for name, gold, parsed in datasets:
        found[name], warn = searched(
            gold,
            parsed,
            classifier=classifier,
            by_sentence=groups is not None,
            keep_trees=keep_trees,
            backend=backend or Backend(jobs),
            every=every,
            **options,
        )
        warn()
    if groups is None:
        return found
    whole = next(iter(found.values()))
    if len(groups) != whole.read:
        raise SettingsError(
            "the groups name {n:sentence}, but there are {sentences}",
            code="E555",
            n=len(groups),
            sentences=whole.read,
        )
    parts: dict[str, list[RepairedSentence]] = {}
    for sentence in whole.sentences:
        parts.setdefault(groups[sentence.sentence - 1], []).append(sentence)
    return {name: _part(whole, sentences) for name, sentences in parts.items()}


def _part(whole: Repairs, sentences: list[RepairedSentence]) -> Repairs:
    """The errors of some sentences."""
    types: dict[str, TypeCounts] = {}
    for sentence in sentences:
        for one in sentence.repairs:
            known = types.get(one.error_type, TypeCounts())
            types[one.error_type] = known.plus(TypeCounts(1, one.edit.nodes))
    numbers = {sentence.sentence for sentence in sentences}
    items = tuple(item for item in whole.ledger.items if item.sentence in numbers)
    scored = sum(sentence.status is Status.OK for sentence in sentences)
    size = len(sentences)
    ledger = Ledger(gold=size, parsed=size, scored=scored, items=items)
    return Repairs(
        whole.classifier, whole.settings, whole.deriver, types, ledger, sentences
    )
