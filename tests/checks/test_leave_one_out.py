"""Choices judged by all others: the same as a plain count of them gives."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from analyzer.checks.leave_one_out import (
    best_sites,
    context,
    hashed,
    judged,
    numbered,
    pieces,
    verdict,
)
from tests.support.kernels import both_ways

Choices = tuple[list[list[int]], list[int]]  # contexts by expert, and what was chosen
CLASSES = 3
STEPS, RATE, SHRINK, FIRST = 60, 0.15, 0.002, 0.3


def choices(seed: int, size: int = 60) -> Choices:
    """A context that tells much, one that tells little, one that never recurs."""
    random = np.random.default_rng(seed)
    chosen = random.integers(0, CLASSES, size)
    telling = np.where(random.random(size) < 0.8, chosen, random.integers(0, 9, size))
    return [
        telling.tolist(),
        random.integers(0, 4, size).tolist(),
        list(range(100, 100 + size)),
    ], chosen.tolist()


def band(others: int) -> int:
    """How often a context was seen elsewhere: hardly, seldom, some times, often."""
    return sum(others >= edge for edge in (2, 5, 20))


def softmax(values: np.ndarray) -> np.ndarray:
    raised = np.exp(values - values.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True)


def naive(contexts: list[list[int]], chosen: list[int]) -> np.ndarray:
    """The chances of each class: the prior, raised by what each context saw elsewhere,
    as far as it is trusted; trust is what explains all choices best (Adam)."""
    size = len(chosen)
    prior = np.array([chosen.count(k) + 0.5 for k in range(CLASSES)])
    prior /= prior.sum()
    opinions = np.zeros((len(contexts), size, CLASSES))
    bands = np.zeros((len(contexts), size), int)
    for expert, values in enumerate(contexts):
        seen = Counter(zip(values, chosen, strict=True))
        times = Counter(values)
        for at, (value, own) in enumerate(zip(values, chosen, strict=True)):
            if times[value] == 1:
                continue
            bands[expert, at] = band(times[value] - 1)
            for k in range(CLASSES):
                elsewhere = seen[value, k] - (k == own)
                share = (elsewhere + prior[k]) / (times[value] + 1)
                opinions[expert, at, k] = np.log(share / prior[k])
    trust = np.full((len(contexts), 4), FIRST)
    mean, square = np.zeros_like(trust), np.zeros_like(trust)
    right = np.eye(CLASSES)[chosen]
    rows = np.arange(len(contexts))[:, None]

    def pooled() -> np.ndarray:
        weighed = trust[rows, bands][..., None] * opinions
        return softmax(np.log(prior) + weighed.sum(axis=0))

    for step in range(1, STEPS + 1):
        slope = ((right - pooled()) * opinions).sum(axis=2)
        gradient = np.zeros_like(trust)
        for expert in range(len(contexts)):
            for at in range(size):
                gradient[expert, bands[expert, at]] += slope[expert, at] / size
        gradient -= SHRINK * trust
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        move = (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.99**step)) + 1e-6)
        trust = np.clip(trust + RATE * (1 - step / (STEPS + 1)) * move, 0, 2)
    return pooled()


# Of others, contexts share a slot by chance.
@pytest.mark.parametrize("seed", [2, 3, 7])
def test_chances_are_those_of_plain_counts(seed: int) -> None:
    contexts, chosen = choices(seed)
    columns = [context(np.array(values)) for values in contexts]

    def chances() -> list[float]:
        found = judged(numbered([columns]), np.array(chosen), CLASSES)
        return np.exp(found).ravel().tolist()

    expected = naive(contexts, chosen).ravel()
    for found in both_ways(chances):
        assert np.allclose(found, expected, atol=1e-3)


def test_the_rival_is_the_best_of_the_others() -> None:
    contexts, chosen = choices(4)
    columns = [context(np.array(values)) for values in contexts]
    known = numbered([columns])
    rival, margin = verdict(known, np.array(chosen), CLASSES)
    expected = naive(contexts, chosen)
    for at, own in enumerate(chosen):
        others = [k for k in range(CLASSES) if k != own]
        best = max(others, key=lambda k, at=at: float(expected[at, k]))
        assert rival[at] == best
        assert margin[at] == pytest.approx(
            np.log(expected[at, best] / expected[at, own]), abs=0.02
        )


def test_the_best_other_site_of_each_mover() -> None:
    """Sites by what stands there: 1 is chosen nine times of ten, 2 hardly ever."""
    site = np.array([1, 2] * 9 + [2, 1, 3] + [1])
    is_annotated = np.array([True, False] * 9 + [True, False, False] + [True])
    mover = np.array([*np.repeat(np.arange(9), 2), 9, 9, 9, 10])
    known = numbered([[context(site)]])
    row, better = best_sites(known, mover, is_annotated)
    assert row.tolist() == [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, -1]
    assert (better[:9] < 0).all()  # where they are is best
    assert better[9] > 0
    assert better[10] == -np.inf


def test_a_context_is_what_its_columns_say_in_their_order() -> None:
    one, other = np.array([1, 1, 2]), np.array([5, 6, 5])

    def found() -> list[list[int]]:
        columns = {"a": one, "b": other}
        return [
            each.tolist() for each in hashed([["a"], ["a", "b"], ["b", "a"]], columns)
        ]

    numpy, kernel = both_ways(found)
    assert numpy == kernel
    alone, forward, backward = numpy
    assert alone[0] == alone[1] != alone[2]
    assert len({*forward, *backward}) == 6


def test_pieces_are_all_of_a_column() -> None:
    parts = [part.tolist() for part in pieces(np.arange(7), 3)]
    assert parts == [[0, 1, 2], [3, 4, 5], [6]]


def test_large_collections_teach_by_a_sample_that_order_does_not_change() -> None:
    random = np.random.default_rng(1)
    chosen = random.integers(0, 2, 3000)
    column = context(
        np.where(random.random(3000) < 0.7, chosen, 2), np.arange(3000) % 7
    )
    one = judged(numbered([[column]]), chosen, 2)
    order = random.permutation(3000)
    other = judged(numbered([[column[order]]]), chosen[order], 2)
    assert np.allclose(one[order], other, atol=1e-4)
    assert numbered([[column]])[1].size == 2000
