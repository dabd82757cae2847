"""How much one input may ask of the machine, wherever it is read.

The command line sets the limits once; whoever reads asks `limits()`. A worker on
another machine is sent them with its work.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What is refused, so that a hostile or broken file cannot take all memory.

    `tree_nodes`: nodes of one tree. `expansion`: how many times larger than its
    compressed form a file may become.
    """

    tree_nodes: int = 250_000
    expansion: int = 250


_DEFAULT = Limits()
_CURRENT: ContextVar[Limits] = ContextVar("limits", default=_DEFAULT)


def limits() -> Limits:
    """The limits in force."""
    return _CURRENT.get()


@contextmanager
def limited(to: Limits) -> Iterator[None]:
    """Other limits, for as long as the block runs.

    >>> with limited(Limits(tree_nodes=10)):
    ...     limits().tree_nodes
    10
    """
    token = _CURRENT.set(to)
    try:
        yield
    finally:
        _CURRENT.reset(token)
