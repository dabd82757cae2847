"""The compiled kernel and NumPy in turns, for tests that hold them equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

import pytest

from analyzer import _native
from hatch_build import compile_kernel

T = TypeVar("T")


def compiled() -> _native.Library:
    """The kernel, compiled now if it was not before; the test is skipped without."""
    if _native.CURRENT.kernel is not None:
        return _native.CURRENT
    path = Path(mkdtemp()) / Path(_native.LIBRARY).name
    said = compile_kernel(Path(_native.SOURCES), path)
    library = _native.Library(str(path))
    if library.kernel is None:
        pytest.skip(f"NOT RUN: kernel {said}")
    return library


@contextmanager
def using(functions: object) -> Iterator[None]:
    """Everything done by these functions; by NumPy if None."""
    before = _native.CURRENT.kernel
    _native.CURRENT.kernel = functions
    try:
        yield
    finally:
        _native.CURRENT.kernel = before


def both_ways(work: Callable[[], T]) -> tuple[T, T]:
    """What NumPy makes of it, and what the kernel does."""
    with using(None):
        first = work()
    with using(compiled().kernel):
        return first, work()
