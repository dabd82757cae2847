"""Equality of results that hold arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np


class Value:
    """Base of data classes (`eq=False`) whose fields may hold arrays.

    Two are equal if they are of one class and all their fields are.
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        compared = [one.name for one in fields(self) if one.compare]  # type: ignore[arg-type]
        return all(
            same_value(getattr(self, name), getattr(other, name)) for name in compared
        )

    # They may be added to, and arrays have no hash.
    __hash__ = None  # type: ignore[assignment]


def same_value(a: Any, b: Any) -> bool:
    """Whether two values are equal, arrays within them included.

    >>> same_value([(1, np.arange(2))], [(1, np.arange(2))])
    True
    >>> same_value({"a": np.arange(2)}, {"a": np.arange(3)})
    False
    """
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and np.array_equal(
            a, b, equal_nan=a.dtype.kind == "f"
        )
    if isinstance(a, list | tuple):
        return type(a) is type(b) and len(a) == len(b) and all(map(same_value, a, b))
    if isinstance(a, Mapping):
        return (
            isinstance(b, Mapping)
            and a.keys() == b.keys()
            and all(same_value(value, b[key]) for key, value in a.items())
        )
    return bool(a == b)
