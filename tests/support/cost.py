"""What something costs, told without a clock: by counting, or by comparing."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls(work: Callable[[], object]) -> int:
    """How many functions are called: the same number on every machine.

    >>> calls(lambda: [abs(number) for number in range(10)])
    11
    """
    counted = 0

    def count(_frame: FrameType, event: str, _argument: Any) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return counted - 2  # `work` itself, and `sys.setprofile`


def growth(work: Callable[[int], object], size: int) -> float:
    """How much more processor time twice the size takes; the best of several."""
    return _least(work, 2 * size) / _least(work, size)


def _least(work: Callable[[int], object], size: int) -> float:
    """The least time of several runs: what others do on the machine only adds."""
    found = []
    for _ in range(5):
        started = time.process_time_ns()
        work(size)
        found.append(time.process_time_ns() - started)
    return max(min(found), 1)
