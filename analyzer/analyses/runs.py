"""Several runs of each system: is one better than the other, or was it the seed?

A system whose training is random is as good as its runs are on the average. Two things
could have come out otherwise: which runs were made, and which text they were tried on.
Both are resampled, one within the other:

* Documents (or sentences) are given random weights (`metrics.intervals`), the same for
  all runs of all systems, since all were tried on the same text. The scores of each
  run are computed anew, and averaged over the runs of a system.
* To each system's average, what other runs would have made of it is added: a random
  number of Student's distribution, as wide as the runs' standard deviation over the
  root of their number, with one degree of freedom less than there are runs.

Runs drawn with replacement would be too much alike where they are few: of two runs,
half of all draws have but one of them, and the variance would come out at half of what
it is. Student's distribution is what the mean of a few normal numbers has, and two runs
are enough for it, if with a wide interval. Of one run nothing is known, and is said.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import Result, frame_of
from analyzer.analyses.opening import ScoringOptions, Trees, scoring_keywords
from analyzer.analyses.rst_scores import COUNT_FIELDS, MICRO_F1, metric_units
from analyzer.analyses.systems import SystemComparison, compare_systems
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import COUNTS, MEASURES
from analyzer.metrics.intervals import (
    RESAMPLES,
    SEED,
    UNKNOWN,
    Interval,
    Units,
    gap_text,
    percentiles,
    uniform,
)
from analyzer.metrics.measures import TOTAL, Measure, measure_named
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Floats
from analyzer.model.settings import misuse, named_systems, require_number
from analyzer.pairing.ledger import Ledger
from analyzer.runtime.executor import Backend

if TYPE_CHECKING:
    import pandas as pd


class RunRow(NamedTuple):
    """A score of a system, over its runs; None where it is undefined."""

    system: str
    name: str  # a construction, or a metric of discourse
    gold: int
    runs: int
    mean: float | None
    sd: float | None  # of one run, none is known
    best: float | None
    worst: float | None
    low: float | None  # the interval of the mean, over runs and text
    high: float | None


class RunDifference(NamedTuple):
    """A system's mean less that of the first system."""

    system: str
    name: str
    gold: int
    baseline: float | None
    score: float | None
    difference: float | None
    low: float | None
    high: float | None

    @property
    def interval(self) -> Interval:
        return Interval(self.low, self.high)


@dataclass(frozen=True, eq=False, repr=False)
class RunComparison(Result):
    """Systems by several runs each; the first is the baseline."""

    compared: SystemComparison  # all runs, one by one
    runs: Mapping[str, Sequence[str]]  # of each system, what its runs are called there
    metric: str
    resamples: int
    seed: int

    verb: ClassVar[str] = "compared on"

    def _shown(self) -> str:
        sizes = {name: len(runs) for name, runs in self.runs.items()}
        return ", ".join(f"{name} ({size} runs)" for name, size in sizes.items())

    @property
    def ledger(self) -> Ledger:
        return self.compared.ledger

    @property
    def notes(self) -> list[str]:
        lonely = [name for name, runs in self.runs.items() if len(runs) == 1]
        notes = [f"{name}: a single run says nothing of other seeds" for name in lonely]
        return [*self.compared.notes, *notes]

    @property
    def signature(self) -> Signature:
        scored = self.compared.baseline.scores.signature
        return scored.insert(
            "average",
            **self.ledger.settings,
            metric=self.metric,
            runs=tuple(f"{name}={len(runs)}" for name, runs in self.runs.items()),
            test="hierarchical-bootstrap",
            resamples=self.resamples,
            seed=self.seed,
        )

    @cached_property
    def scores(self) -> dict[str, RunScores]:
        """Of each system, what its runs score."""
        named = {scored.name: scored for scored in self.compared.systems}
        documents = self.compared.documents
        measure = measure_named(self.metric, MEASURES)
        by_system = {}
        for system, runs in self.runs.items():
            of_runs = []
            for run in runs:
                units = named[run].scores.units.named(self._names)
                score = self._ratios(units, measure, COUNTS)
                if documents is not None:
                    metrics = metric_units(documents.scores[run].counts)
                    score = [
                        np.append(left, right, axis=-1)
                        for left, right in zip(
                            score,
                            self._ratios(metrics, MICRO_F1, COUNT_FIELDS),
                            strict=True,
                        )
                    ]
                of_runs.append(score)
            by_system[system] = RunScores(*map(np.stack, zip(*of_runs, strict=True)))
        return by_system

    @property
    def _names(self) -> list[str]:
        """The constructions, most frequent in gold first."""
        counts = self.compared.baseline.scores.tally.constructions
        of_all = [system.scores.tally.constructions for system in self.compared.systems]
        names = {name for tallied in of_all for name in tallied}
        return sorted(names, key=lambda n: (-counts[n].gold if n in counts else 0, n))

    @property
    def names(self) -> list[str]:
        """What is scored: constructions, the total, metrics of discourse."""
        documents = self.compared.documents
        metrics = (
            [] if documents is None else next(iter(documents.scores.values())).counts
        )
        return [*self._names, TOTAL, *(f"{code}: {name}" for code, name in metrics)]

    def _ratios(
        self, units: Units, measure: Measure, fields: Sequence[str]
    ) -> list[Floats]:
        """The score of each name, as it is and in each resample."""
        numerator, denominator = measure.fraction(units.dense(fields).__getitem__)
        if measure is MICRO_F1:  # which are not parts of a whole
            numerator, denominator = numerator[:, :-1], denominator[:, :-1]
        both = np.hstack([numerator, denominator])
        sums = units.sums(both, self.resamples, self.seed)
        if sums is None:  # too little text
            sums = np.full((self.resamples, both.shape[1]), np.nan)
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = numerator.sum(axis=0) / denominator.sum(axis=0)
            size = numerator.shape[1]
            return [observed, sums[:, :size] / sums[:, size:]]

    @property
    def rows(self) -> list[RunRow]:
        """Each score of each system: mean, sd, best and worst run, an interval."""
        gold = self._gold
        rows = []
        for number, (system, scores) in enumerate(self.scores.items()):
            ends = _intervals(scores.resampled(number, self.seed))
            for at, name in enumerate(self.names):
                runs = scores.observed[:, at]
                known = runs[~np.isnan(runs)]
                if not known.size:
                    nothing = (None,) * 6
                    rows.append(RunRow(system, name, gold[at], runs.size, *nothing))
                    continue
                sd = float(known.std(ddof=1)) if known.size > 1 else None
                summary = (
                    float(known.mean()),
                    sd,
                    float(known.max()),
                    float(known.min()),
                )
                rows.append(
                    RunRow(system, name, gold[at], runs.size, *summary, *ends[at])
                )
        return rows

    @property
    def _gold(self) -> list[int]:
        first = self.compared.baseline.scores
        counts = first.tally.constructions
        sizes = [counts[n].gold if n in counts else 0 for n in self._names]
        sizes.append(first.total.gold)
        if self.compared.documents is not None:
            scores = next(iter(self.compared.documents.scores.values()))
            sizes += [
                int(metric_counts.gold.sum())
                for metric_counts in scores.counts.values()
            ]
        return sizes

    def differences(self, system: str) -> list[RunDifference]:
        """A system less the baseline: each score, its difference, the interval."""
        (first, baseline), *_ = self.scores.items()
        if system not in self.scores or system == first:
            raise SettingsError(
                "E246 no system", name=system, names=list(self.runs)[1:]
            )
        number, other = list(self.scores).index(system), self.scores[system]
        drawn = other.resampled(number, self.seed) - baseline.resampled(0, self.seed)
        ends, before, after = _intervals(drawn), baseline.means, other.means
        rows = []
        for at, (name, gold) in enumerate(zip(self.names, self._gold, strict=True)):
            scores = (
                _known(before[at]),
                _known(after[at]),
                _known(after[at] - before[at]),
            )
            rows.append(RunDifference(system, name, gold, *scores, *ends[at]))
        return rows

    def in_words(self, system: str) -> str:
        """Is it better than the first system, or was it the seed?"""
        first = next(iter(self.runs))
        [total] = [row for row in self.differences(system) if row.name == TOTAL]
        title = measure_named(self.metric, MEASURES).title
        if total.difference is None or total.interval == UNKNOWN:
            return f"{system} and {first} cannot be compared: there is too little text."
        points, where = abs(100 * total.difference), "above"
        if total.difference < 0:
            where = "below"
        ends = gap_text(total.interval)
        sds = {row.system: row.sd for row in self.rows if row.name == TOTAL}
        spread = ", ".join(
            f"{name} {100 * sd:.1f}"
            for name, sd in sds.items()
            if sd is not None and name in (first, system)
        )
        seeds = f"; standard deviation of runs: {spread}" if spread else ""
        mean = f"the mean of {system} is {points:.1f} points {where} that of {first}"
        if any(name in self.compared.relation_hints for name in self.runs[system]):
            mean = f"where relations have other labels than gold's, {mean}"
            return f"{mean[:1].upper()}{mean[1:]} ({ends}{seeds}); see the notes."
        if total.interval.excludes_zero:
            better = "better" if total.difference > 0 else "worse"
            if any(sds[name] is None for name in (first, system)):
                return (
                    f"On this text, {system} is {better} than {first} in {title}: "
                    f"{mean} ({ends}{seeds}). One of them has a single run: another "
                    "seed may give another result."
                )
            return (
                f"{system} is {better} than {first} in {title}, and it was not the "
                f"seed: {mean} ({ends}{seeds})."
            )
        return (
            f"It cannot be shown that {system} and {first} differ in {title}: {mean} "
            f"({ends}{seeds}), which other seeds or another text may turn around."
        )

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        return frame_of(self.rows, RunRow._fields)


class RunScores(NamedTuple):
    """What the runs of a system score."""

    observed: Floats  # runs x names
    by_text: Floats  # runs x resamples x names

    @property
    def means(self) -> list[float]:
        means: list[float] = self.observed.mean(axis=0).tolist()
        return means

    def resampled(self, number: int, seed: int) -> Floats:
        """The mean over runs, had text and runs been others: resamples x names.

        `number` tells systems apart, whose runs are drawn each by itself.
        """
        runs, resamples, _ = self.by_text.shape
        means: Floats = self.by_text.mean(axis=0)
        if runs == 1:
            return means
        error = self.observed.std(axis=0, ddof=1) / np.sqrt(runs)
        drawn: Floats = means + error * _student_numbers(
            runs - 1, resamples, number, seed
        )
        return drawn


def _student_numbers(freedom: int, size: int, number: int, seed: int) -> Floats:
    """Random numbers of Student's distribution, as a column."""
    normal = np.stack(
        [
            np.sqrt(-2 * np.log(uniform(seed, -10 - at, size)))
            * np.cos(2 * np.pi * uniform(seed, -11 - at, size))
            for at in range(1000 * number, 1000 * number + 2 * freedom + 1, 2)
        ]
    )
    spread = np.sqrt((normal[1:] ** 2).sum(axis=0) / freedom)
    column: Floats = (normal[0] / spread)[:, None]
    return column


def _intervals(drawn: Floats) -> list[Interval]:
    """The interval of each column; none where some resamples are undefined."""
    is_known: list[bool] = np.logical_not(np.isnan(drawn).any(axis=0)).tolist()
    low, high = (ends.tolist() for ends in percentiles(np.nan_to_num(drawn)))
    return [
        Interval(low[at], high[at]) if known else UNKNOWN
        for at, known in enumerate(is_known)
    ]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else value


@scoring_keywords
def compare_runs(
    gold: Trees,
    systems: Mapping[str, Sequence[Trees]],
    *,
    metric: str = "f_s",
    resamples: int = RESAMPLES,
    seed: int = SEED,
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[ScoringOptions],
) -> RunComparison:
    """Systems by name, each with the outputs of its runs; the first is the baseline.

    `ScoringOptions` lists the other options.

    >>> good, bad = "(S (NP (PRP I)) (VP (VBP go)))", "(S (PRP I) (VP (VBP go)))"
    >>> runs = compare_runs(good, {"a": [bad, good], "b": [good, good]}, resamples=10)
    >>> [(row.system, round(row.mean, 2)) for row in runs.rows if row.name == "total"]
    [('a', 0.9), ('b', 1.0)]
    """
    measure_named(metric, MEASURES)
    require_number("seed", seed, least=0)
    given = named_systems(systems, "compare_runs")
    for name, outputs in given:
        if not outputs or isinstance(outputs, str) or not isinstance(outputs, Sequence):
            raise misuse("compare_runs", f"{name!r} has no list of runs")
    runs = {
        name: [f"{name}#{at}" for at in range(1, len(outputs) + 1)]
        for name, outputs in given
    }
    flat = [
        (run, output)
        for name, outputs in given
        for run, output in zip(runs[name], outputs, strict=True)
    ]
    compared = compare_systems(
        gold, flat, resamples=resamples, jobs=jobs, backend=backend, **options
    )
    return RunComparison(compared, runs, metric, resamples, seed)
