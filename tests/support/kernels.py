"""The compiled kernel and NumPy in turns, for tests that hold them equal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeVar

import pytest

from analyzer.model.kernel import library as kernel
from hatch_build import compile_kernel

T = TypeVar("T")


def compiled() -> kernel.Library:
    """The kernel, compiled now if it was not before; the test is skipped without."""
    if kernel.CURRENT.functions is not None:
        return kernel.CURRENT
    path = Path(mkdtemp()) / Path(kernel.LIBRARY).name
    said = compile_kernel(Path(kernel.SOURCES), path)
    library = kernel.Library(str(path))
    if library.functions is None:
        pytest.skip(f"NOT RUN: kernel {said}")
    return library


@contextmanager
def using(functions: object) -> Iterator[None]:
    """Everything done by these functions; by NumPy if None."""
    before = kernel.CURRENT.functions
    kernel.CURRENT.functions = functions
    try:
        yield
    finally:
        kernel.CURRENT.functions = before


def both_ways(work: Callable[[], T]) -> tuple[T, T]:
    """What NumPy makes of it, and what the kernel does."""
    with using(None):
        first = work()
    with using(compiled().functions):
        return first, work()
