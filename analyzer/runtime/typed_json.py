"""Values as JSON and back, without pickle: a file may come from anyone.

What a value becomes is told by its type alone. Reading follows the type hints of
what is expected, and nothing else can come out of it.
"""

from __future__ import annotations

import sys
import types
from collections import Counter
from contextlib import suppress
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from analyzer import exceptions
from analyzer.exceptions import AnalyzerError, Facts, error_of

_PLAIN = (int, str, float, bool, type(None))


def to_plain(value: Any) -> Any:
    """A value as JSON has it: lists, dictionaries with names, numbers, strings."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, np.ndarray):
        if value.dtype != np.int64 or value.ndim != 1:
            raise TypeError(f"only columns of int64 are kept, not {value.dtype}")
        return value.tolist()
    if isinstance(value, AnalyzerError):
        return [type(value).__name__, to_plain(value.facts)]
    if isinstance(value, list | tuple):
        return [to_plain(item) for item in value]
    if isinstance(value, dict) and all(type(key) is str for key in value):
        return {key: to_plain(item) for key, item in value.items()}
    if is_dataclass(value):
        return [to_plain(getattr(value, field.name)) for field in fields(value)]
    raise TypeError(f"cannot be kept: {type(value).__name__}")


def from_plain(kind: Any, data: Any) -> Any:
    """The value of this type; ValueError if the data is not of one.

    >>> from_plain(tuple[str, int | None], ["a", None])
    ('a', None)
    """
    if kind in _PLAIN:
        return _checked(data, type(data) is kind)
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        others = [one for one in arguments if one is not type(None)]
        if data is None and len(others) < len(arguments):
            return None
        for other in others:
            with suppress(ValueError):
                return from_plain(other, data)
        raise _unexpected(data)
    if origin is Literal:
        return _checked(data, data in arguments)
    if origin is np.ndarray:
        _checked(data, type(data) is list and all(type(item) is int for item in data))
        return np.array(data, np.int64)
    if origin is tuple and arguments[-1] is not Ellipsis:
        return tuple(_each(arguments, data))
    if origin in (list, tuple):
        _checked(data, type(data) is list)
        return origin(from_plain(arguments[0], item) for item in data)
    if origin in (dict, Counter):
        of_values = arguments[1] if origin is dict else int
        _checked(data, type(data) is dict)
        return origin({key: from_plain(of_values, item) for key, item in data.items()})
    return _from_class(kind, data)


def _from_class(kind: Any, data: Any) -> Any:
    if issubclass(kind, Enum):
        return kind(data)
    if issubclass(kind, AnalyzerError):
        name, facts = _each((str, Facts), data)
        found: Any = getattr(exceptions, name, None)
        _checked(data, isinstance(found, type) and issubclass(found, AnalyzerError))
        return error_of(found, facts)
    hints = _type_hints(kind)
    names = kind._fields if issubclass(kind, tuple) else [f.name for f in fields(kind)]
    return kind(*_each([hints[name] for name in names], data))


@cache
def _type_hints(kind: Any) -> dict[str, Any]:
    # A module may import types of fields only when they are asked for.
    late = getattr(sys.modules.get(kind.__module__), "late_types", None)
    return get_type_hints(kind, localns=late() if late else None)


def _each(kinds: Any, data: Any) -> list[Any]:
    _checked(data, type(data) is list and len(data) == len(kinds))
    return [from_plain(kind, item) for kind, item in zip(kinds, data, strict=True)]


def _checked(data: Any, is_right: bool) -> Any:
    if not is_right:
        raise _unexpected(data)
    return data


def _unexpected(data: Any) -> ValueError:
    return ValueError(f"did not expect {str(data)[:40]!r} here")


def describe(value: Any) -> Any:
    """A value told by JSON that differs wherever the value does.

    Text is told by its digest. An object tells itself by its `identity`; a data class
    by all of its fields, so that none can be forgotten.

    >>> describe((1, b"text"))
    [1, 'd732c6be860e019351f99173fa6ae612']
    """
    if type(value) in _PLAIN:
        return value
    if isinstance(value, bytes):
        return blake2b(value, digest_size=16).hexdigest()
    if isinstance(value, Enum):
        return str(value)
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    if hasattr(value, "identity"):
        return [kind, describe(value.identity)]
    if is_dataclass(value):
        told = {field.name: getattr(value, field.name) for field in fields(value)}
        return [kind, describe(told)]
    if isinstance(value, list | tuple):
        return [describe(item) for item in value]
    if isinstance(value, dict):
        return [[describe(key), describe(item)] for key, item in value.items()]
    raise TypeError(f"cannot be told from others: {kind}")
