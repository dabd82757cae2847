"""Several systems on the same sentences: scores, differences, and agreement.

Only sentences that every system can be compared on count, so that all are measured
on the same ground; the result says how many that leaves out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.constructions import Labeller
from analyzer.errors import PairingError, Place, SettingsError, counted
from analyzer.normalising import LabelTables
from analyzer.pairing import SentencePair, Surplus, open_pairs
from analyzer.parameters import EvalbParameters
from analyzer.scorers.constructions import (
    COUNTS,
    Comparison,
    by_sentence,
    compare,
    tally,
)
from analyzer.scoring import TOTAL, ConstructionScores, settings
from analyzer.signature import signature
from analyzer.significance import (
    DEFAULT_RESAMPLES,
    DEFAULT_SEED,
    Difference,
    Floats,
    Progress,
    Statistics,
    paired_tests,
)
from analyzer.symbols import Flags, Ints
from analyzer.treebank import Treebank

if TYPE_CHECKING:
    import pandas as pd

_GOLD, _PARSED, _HEAD, _SPAN, _ATT, _RIGHT, _LEFT = range(len(COUNTS))
METRICS = ("f_s", "f_h", "att", "span_right", "span_left")


@dataclass(frozen=True)
class System:
    """One parser's output and what was counted of it."""

    name: str
    pair: SentencePair
    comparison: Comparison
    counts: Ints  # sentences x constructions x COUNTS
    scores: ConstructionScores


class DifferenceRow(NamedTuple):
    """One construction under two systems; None where a score is undefined."""

    construction: str
    gold: int
    score_a: float | None
    score_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_corrected: float | None


class AgreementRow(NamedTuple):
    """Gold brackets of a construction, by which system finds them (F-s)."""

    construction: str
    both: int
    only_a: int
    only_b: int
    neither: int
    example_only_a: int | None  # a sentence's number
    example_only_b: int | None
    example_neither: int | None
    example_both: int | None


@dataclass(frozen=True)
class SystemComparison:
    """Systems that were scored on the same sentences; the first is the baseline."""

    systems: list[System]
    labeller: Labeller
    parameters: EvalbParameters
    is_common: Flags  # per sentence: every system can be compared on it
    resamples: int
    seed: int

    @property
    def baseline(self) -> System:
        return self.systems[0]

    @property
    def signature(self) -> str:
        return signature(
            scorer="derivation",
            patterns=f"{self.labeller.inventory.name}/{self.labeller.inventory.hash}",
            params=self.parameters.name,
            test="paired-bootstrap,approximate-randomisation",
            resamples=self.resamples,
            seed=self.seed,
            correction="holm",
            average="micro",
        )

    def _repr_html_(self) -> str:
        from reports.notebook import systems_html

        return systems_html(self)

    def coverage(self) -> str:
        common, total = int(np.count_nonzero(self.is_common)), self.is_common.size
        text = f"compared on {common:,} of {total:,} sentences"
        if common == total:
            return text
        return f"{text}; {total - common:,} left out: not every system can be scored"

    def statistics(self, system: System, metric: str) -> Statistics:
        """Numerators and denominators per sentence; the last score is the total."""
        counts = system.counts[self.is_common].astype(np.float64)
        simple = ~self.labeller.is_recursive
        num, den = _fractions(counts, metric)
        if metric == "att":
            num, den = num * simple, den * simple
        return Statistics(_with_total(num), _with_total(den))

    def differences(
        self, other: System, metric: str = "f_s", progress: Progress | None = None
    ) -> list[DifferenceRow]:
        """The other system minus the baseline, per construction; total last."""
        a = self.statistics(self.baseline, metric)
        b = self.statistics(other, metric)
        tested = paired_tests(
            a, b, resamples=self.resamples, seed=self.seed, progress=progress
        )
        gold = self.baseline.counts[self.is_common][:, :, _GOLD].sum(axis=0)
        names = [*self.labeller.names, TOTAL]
        totals = [*gold.tolist(), int(gold.sum())]
        rows = [
            _difference_row(name, totals[at], a.scores, b.scores, tested, at)
            for at, name in enumerate(names)
        ]
        occurring = [row for row in rows[:-1] if row.gold or row.score_a is not None]
        occurring.sort(key=lambda row: (-row.gold, row.construction))
        return [*occurring, rows[-1]]

    def agreement(self, other: System) -> list[AgreementRow]:
        """Which gold brackets both find, only one, or neither; total last."""
        ours, theirs = self.baseline.comparison, other.comparison
        # A gold row is known by its node and its construction: a discourse unit has
        # two, the schema that it is and the link by which it attaches.
        keys = [
            side.gold.row * len(self.labeller.names) + side.gold.construction
            for side in (ours, theirs)
        ]
        _, in_ours, in_theirs = np.intersect1d(
            keys[0], keys[1], assume_unique=True, return_indices=True
        )
        rows = ours.gold.row[in_ours]
        tree = np.searchsorted(self.baseline.pair.gold.node_start, rows, "right") - 1
        common = self.is_common[tree]
        construction = ours.gold.construction[in_ours][common]
        found_a = ours.by_span.gold[in_ours][common]
        found_b = theirs.by_span.gold[in_theirs][common]
        sentence = tree[common] + self.baseline.pair.first_sentence
        listed = [
            _agreement_row(name, construction == number, found_a, found_b, sentence)
            for number, name in enumerate(self.labeller.names)
        ]
        listed = [row for row in listed if sum(row[1:5])]
        listed.sort(key=lambda row: (-sum(row[1:5]), row.construction))
        everything = np.ones(construction.size, np.bool_)
        total = _agreement_row(TOTAL, everything, found_a, found_b, sentence)
        return [*listed, total]

    def frame(self, metric: str = "f_s") -> pd.DataFrame:
        """Differences of every system against the baseline."""
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
    gold: str | Treebank,
    systems: Sequence[tuple[str, str | Treebank]],
    *,
    patterns: str = "english",
    parameters: str | EvalbParameters = "collins",
    merge: dict[str, str] | None = None,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    strict: bool = False,
    encoding: str = "utf-8",
) -> SystemComparison:
    """Score systems, (name, output) each, against the same gold; the first is the
    baseline."""
    if len(systems) < 2:
        raise SettingsError("a comparison needs two systems or more")
    tables, labeller = settings(patterns=patterns, parameters=parameters, merge=merge)
    loaded = []
    for name, parsed in systems:
        source = parsed if isinstance(parsed, str) else parsed.source
        opened = open_pairs(gold, parsed, strict=strict, encoding=encoding)
        pair = whole(*opened, name=name, source=source)
        loaded.append((name, pair, compare(pair, tables, labeller)))
    return assemble(loaded, tables, labeller, resamples=resamples, seed=seed)


def assemble(
    loaded: Sequence[tuple[str, SentencePair, Comparison]],
    tables: LabelTables,
    labeller: Labeller,
    *,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
) -> SystemComparison:
    """Bring systems that were scored apart onto common ground."""
    first = loaded[0][1]
    for name, pair, _ in loaded[1:]:
        if len(pair.gold) != len(first.gold):
            raise PairingError(
                f"{name} has {len(pair.gold):,} sentences, {loaded[0][0]} has "
                f"{len(first.gold):,}",
                Place(pair.parsed.source),
            )
    common = np.logical_and.reduce(
        [comparison.alignment.is_comparable for _, _, comparison in loaded]
    )
    if not common.any():
        raise PairingError("there is no sentence that every system can be scored on")
    systems = []
    for name, pair, comparison in loaded:
        scores = ConstructionScores(labeller, tables.parameters)
        scores.tally.add(tally(comparison, labeller, common))
        counts = by_sentence(comparison, labeller)
        systems.append(System(name, pair, comparison, counts, scores))
    return SystemComparison(
        systems, labeller, tables.parameters, common, resamples, seed
    )


def whole(
    pairs: Iterator[SentencePair],
    surplus: Callable[[], Surplus],
    *,
    name: str,
    source: str,
) -> SentencePair:
    """Both sides of a system, read to the end."""
    runs = list(pairs)
    if any(surplus()):
        raise PairingError(
            f"{name} and gold differ in length by "
            f"{counted(max(surplus()), 'sentence')}",
            Place(source),
        )
    return SentencePair(
        Treebank.joined([run.gold for run in runs]),
        Treebank.joined([run.parsed for run in runs]),
        1,
    )


def _fractions(counts: Floats, metric: str) -> tuple[Floats, Floats]:
    """A metric as numerator and denominator, from the last axis of counts."""
    if metric in ("f_s", "f_h"):
        matched = counts[:, :, _SPAN if metric == "f_s" else _HEAD]
        return 2 * matched, counts[:, :, _GOLD] + counts[:, :, _PARSED]
    column = {"att": _ATT, "span_right": _RIGHT, "span_left": _LEFT}.get(metric)
    if column is None:
        raise SettingsError(f"no metric {metric!r}; there are {', '.join(METRICS)}")
    return counts[:, :, column], counts[:, :, _HEAD]


def _with_total(columns: Floats) -> Floats:
    return np.column_stack([columns, columns.sum(axis=1)])


def _difference_row(
    name: str, gold: int, a: Floats, b: Floats, tested: Difference, at: int
) -> DifferenceRow:
    values = (a[at], b[at], *(column[at] for column in tested))
    return DifferenceRow(
        name, gold, *(None if np.isnan(value) else float(value) for value in values)
    )


def _agreement_row(
    name: str, chosen: Flags, found_a: Flags, found_b: Flags, sentence: Ints
) -> AgreementRow:
    groups = [
        chosen & found_a & found_b,
        chosen & found_a & ~found_b,
        chosen & ~found_a & found_b,
        chosen & ~found_a & ~found_b,
    ]
    counts = [int(np.count_nonzero(group)) for group in groups]
    first = [int(sentence[group][0]) if group.any() else None for group in groups]
    return AgreementRow(
        name,
        both=counts[0],
        only_a=counts[1],
        only_b=counts[2],
        neither=counts[3],
        example_only_a=first[1],
        example_only_b=first[2],
        example_neither=first[3],
        example_both=first[0],
    )
