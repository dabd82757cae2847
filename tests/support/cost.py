"""What something costs, told without a clock: by counting."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def calls(work: Callable[[], object]) -> int:
    """How many functions are called: the same number on every machine
    (though not in every version of Python).

    >>> calls(lambda: abs(-1) + abs(-2))
    2
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
