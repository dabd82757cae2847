"""Threads that score at the same time: tables of numbers are shared, results are not.

Threads change as often as Python lets them, and every round brings labels that nobody
has seen: so tables grow under the others' eyes all the time.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest

from analyzer import evalb, score
from analyzer.constructions.labeller import Labeller
from analyzer.constructions.language import load_inventory
from analyzer.model.arrays import KeyTable
from analyzer.model.symbols import Symbols

THREADS = 4
ROUNDS = 100
LABELS = 20
SECONDS = 60  # to wait for threads that may have failed


@pytest.fixture
def _hasty() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


pytestmark = pytest.mark.usefixtures("_hasty")


def side(name: str, *, wrong: int) -> str:
    """A tree for each label; the first ones have another label than they should."""
    labels = [
        f"{name}.{at}" if at >= wrong else f"{name}.{at}.wrong" for at in range(LABELS)
    ]
    return "\n".join(f"(S (NP (NN a)) ({label} (VB b)))" for label in labels)


@pytest.mark.slow
def test_scores_of_other_label_sets_at_the_same_time() -> None:
    start = Barrier(THREADS, timeout=SECONDS)
    inventory = load_inventory("english")

    def rounds(thread: int) -> list[tuple[int, int, int, dict[str, int]]]:
        found = []
        for at in range(ROUNDS):
            name = f"{'T' * (1 + 5 * (at % 2))}{thread}.{at}"
            gold, parsed = side(name, wrong=0), side(name, wrong=thread)
            start.wait()
            total = score(gold, parsed, patterns=inventory).total
            labels = evalb(gold, parsed, by_label=True).labels
            matched = {
                label: counts.gold
                for label, counts in labels.items()
                if label.startswith(name)
            }
            found.append((total.gold, total.parsed, total.matched_s, matched))
        return found

    with ThreadPoolExecutor(THREADS) as threads:
        results = list(threads.map(rounds, range(THREADS)))
    for thread, found in enumerate(results):
        for at, (gold, parsed, matched, labels) in enumerate(found):
            assert (gold, parsed, matched) == (
                3 * LABELS,
                3 * LABELS,
                3 * LABELS - thread,
            ), f"thread {thread}, round {at}"
            assert len(labels) == LABELS + thread
            assert sum(labels.values()) == LABELS


def test_a_name_has_one_number_in_all_threads() -> None:
    """Numbers are as many as names, and each leads back to its name."""
    for at in range(5):
        symbols, start = Symbols(), Barrier(THREADS, timeout=SECONDS)
        names = [f"n{at}.{number}" for number in range(300)]
        text = " ".join(names).encode()
        lengths = np.array([len(name) for name in names])
        starts = np.cumsum(lengths + 1) - lengths - 1

        def numbers(
            _: int,
            symbols: Symbols = symbols,
            start: Barrier = start,
            given: tuple[bytes, np.ndarray, np.ndarray] = (text, starts, lengths),
        ) -> list[int]:
            start.wait()
            return [
                number
                for first in range(0, 300, 25)
                for number in symbols.ids_in(
                    given[0],
                    given[1][first : first + 25],
                    given[2][first : first + 25],
                ).tolist()
            ]

        with ThreadPoolExecutor(THREADS) as threads:
            found = list(threads.map(numbers, range(THREADS)))
        assert len(symbols) == len(names)
        for listed in found:
            assert [symbols.name(number) for number in listed] == names


def test_keys_are_looked_up_while_others_are_added() -> None:
    table, keys = KeyTable(), [1 + 7919 * number for number in range(5_000)]
    known = np.array(keys, np.uint64)

    def look_up() -> int:
        wrong = 0
        for _ in range(50):
            numbers, unknown = table.look_up(known)
            wrong += np.count_nonzero(numbers[~unknown] != np.flatnonzero(~unknown))
        return wrong

    def add() -> int:
        for number, key in enumerate(keys):
            table.add(key, number)
        return 0

    with ThreadPoolExecutor(3) as threads:
        tasks = [threads.submit(look_up), threads.submit(add), threads.submit(look_up)]
        assert [task.result() for task in tasks] == [0, 0, 0]


def test_threads_that_share_a_labeller() -> None:
    """As the workers of a cluster may: a production has one number."""
    labeller = Labeller(load_inventory("english"))
    symbols = np.arange(30, dtype=np.int32)
    from analyzer.model.symbols import SYMBOLS

    for number in range(30):
        SYMBOLS.id(f"shared{number}")
    start = Barrier(THREADS, timeout=SECONDS)

    def numbers(_: int) -> list[int]:
        start.wait()
        found = []
        for at in range(30):
            children = np.roll(symbols, at)
            each = labeller.productions_of(
                symbols, children, np.zeros(30, np.bool_), np.arange(30)
            )
            construction, *_ = labeller.columns()
            assert construction.size > each.max()
            found += each.tolist()
        return found

    with ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(numbers, range(THREADS)))
    assert all(one == found[0] for one in found)
    assert len(labeller.productions) == len(set(found[0])) == 900
