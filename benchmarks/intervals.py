"""How often the intervals of `score` hold the truth, on simulated data.

Documents, or sentences, are drawn with a share of right brackets that is known, and
that differs between them as much as is asked for (the correlation of brackets of the
same unit). An interval of 95 % should hold the truth in 93 to 97 of 100 runs; of few
or rare brackets, whose intervals cannot be exact, in at least as many.
See benchmarks/README.md and docs/scores.md.
"""

from __future__ import annotations

import argparse

import numpy as np
from tabulate import tabulate

from analyzer.metrics.counts import Counts
from analyzer.metrics.intervals import Units
from analyzer.metrics.measures import Measure
from analyzer.model.arrays import Ints

RECALL = Measure("recall", "matched", "gold", "recall")
UNITS = (15, 30, 100, 500)
SIZES = (0.1, 1, 20)  # brackets a unit
TRUTHS = (0.6, 0.9)
CORRELATIONS = (0.0, 0.1)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    args = parser.parse_args()
    rows = []
    for units in UNITS:
        for size in SIZES:
            shares = [
                coverage(units, size, truth, correlation, args.runs)
                for truth in TRUTHS
                for correlation in CORRELATIONS
            ]
            rows.append([f"{units}", f"{size:g}", *(f"{s:.1f}" for s in shares)])
    headers = ["units", "brackets a unit"]
    headers += [
        f"truth {truth:g}, correlation {correlation:g}"
        for truth in TRUTHS
        for correlation in CORRELATIONS
    ]
    print(tabulate(rows, headers, tablefmt="github", disable_numparse=True))
    return 0


def coverage(
    units: int, size: float, truth: float, correlation: float, runs: int
) -> float:
    """The share of runs, in percent, whose interval holds the truth."""
    random = np.random.default_rng([units, int(100 * size), int(100 * truth)])
    held = counted = 0
    while counted < runs:
        gold, matched = drawn(random, units, size, truth, correlation)
        if not gold.any():
            continue  # nothing to judge by
        low, high = interval_of(gold, matched)
        held += low <= truth <= high
        counted += 1
    return 100 * held / runs


def drawn(
    random: np.random.Generator,
    units: int,
    size: float,
    truth: float,
    correlation: float,
) -> tuple[Ints, Ints]:
    """Gold brackets of each unit, and those that are found."""
    gold = random.poisson(size, units)
    rates = np.full(units, truth)
    if correlation:
        spread = 1 / correlation - 1
        rates = random.beta(truth * spread, (1 - truth) * spread, units)
    return gold, random.binomial(gold, rates)


def interval_of(gold: Ints, matched: Ints) -> tuple[float, float]:
    """The interval of recall."""
    number = np.arange(gold.size)
    values = np.column_stack([gold, matched])
    counts = Counts(["NP"], gold.size, number, np.zeros_like(number), values)
    units = Units("sentences", gold.size, counts)
    low, high = units.intervals(RECALL, ("gold", "matched"))[0]
    assert low is not None
    assert high is not None
    return low, high


if __name__ == "__main__":
    raise SystemExit(main())
