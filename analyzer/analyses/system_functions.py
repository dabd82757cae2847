"""Function tags of systems on the same sentences: which differences are real."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.analyses.system_rows import System
from analyzer.analyses.systems import SystemComparison
from analyzer.exceptions import SettingsError
from analyzer.metrics.function_counts import TagCounts
from analyzer.metrics.functions import SentenceFunctions
from analyzer.metrics.significance import Progress, Statistics, paired_tests, pools_of
from analyzer.model.arrays import Floats

_GOLD, _PARSED, _GOLD_ON, _PARSED_ON, _RIGHT = range(len(TagCounts._fields))
_MATCHED, _GOLD_BRACKETS, _PARSED_BRACKETS, _EXACT = range(4)
# What stands after the tags; the last is the total, which takes no correction.
MEASURES = ("exact set", "strict F", "end-to-end F", "F-fn")


class FunctionDifference(NamedTuple):
    """A tag's F-fn, or a measure of all tags, under two systems."""

    tag: str
    gold: int
    score_a: float | None
    score_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_corrected: float | None


def function_differences(
    result: SystemComparison, other: System, progress: Progress | None = None
) -> list[FunctionDifference]:
    """The other system minus the baseline: F-fn of each tag, then the measures.

    Tests as those of constructions: see `SystemComparison.differences`.
    """
    sides = []
    for system in (result.baseline, other):
        if system.counted.functions is None:
            raise SettingsError(
                "function tags were not scored: pass functions=True", code="E593"
            )
        sides.append(system.counted.functions)
    names = list(dict.fromkeys(name for side in sides for name in side.names))
    chosen = np.flatnonzero(result.is_common)
    a, b = (_statistics(side, names, chosen) for side in sides)
    tested = paired_tests(
        pools_of(a, b),
        [*(f"tag {name}" for name in names), *MEASURES],
        resamples=result.resamples,
        seed=result.seed,
        progress=progress,
    )
    counts = sides[0].tally(result.is_common).phrases
    gold = [counts.tags.get(name, TagCounts()).gold for name in names]
    columns = (a.scores, b.scores, *tested)
    rows = [
        FunctionDifference(name, count, *(_number(column[at]) for column in columns))
        for at, (name, count) in enumerate(
            zip((*names, *MEASURES), (*gold, *[sum(gold)] * 4), strict=True)
        )
    ]
    by_frequency = sorted(rows[: len(names)], key=lambda row: (-row.gold, row.tag))
    return [*by_frequency, *rows[len(names) :]]


def _statistics(
    side: SentenceFunctions, names: list[str], chosen: np.ndarray
) -> Statistics:
    whole = SentenceFunctions.join([SentenceFunctions(names, *_nothing(names)), side])
    counts, brackets = whole.counts[chosen], whole.brackets[chosen]
    all_tags = counts.sum(axis=1)
    num = [
        2 * counts[:, :, _RIGHT],
        brackets[:, [_EXACT]],
        2 * brackets[:, [_EXACT]],
        2 * all_tags[:, [_RIGHT]],
        2 * all_tags[:, [_RIGHT]],
    ]
    den = [
        counts[:, :, _GOLD_ON] + counts[:, :, _PARSED_ON],
        brackets[:, [_MATCHED]],
        brackets[:, [_GOLD_BRACKETS]] + brackets[:, [_PARSED_BRACKETS]],
        all_tags[:, [_GOLD]] + all_tags[:, [_PARSED]],
        all_tags[:, [_GOLD_ON]] + all_tags[:, [_PARSED_ON]],
    ]
    return Statistics(_floats(num), _floats(den))


def _nothing(names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """No sentence at all: so that tags get the numbers of `names`."""
    tags = np.zeros((0, len(names), len(TagCounts._fields)), np.int64)
    return tags, np.zeros((0, 4), np.int64)


def _floats(columns: list[np.ndarray]) -> Floats:
    return np.hstack(columns).astype(np.float64)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
