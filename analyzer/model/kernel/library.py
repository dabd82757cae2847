"""The library that was compiled from the C files beside this one, if it can be used."""

from __future__ import annotations

import ctypes
import os
import sys
from binascii import crc32
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from analyzer.model.arrays import KeyColumns

SOURCES = os.path.dirname(__file__)
LIBRARY = os.path.join(SOURCES, "libkernel.dll" if os.name == "nt" else "libkernel.so")

INT32, INT64, ARRAY = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p


def checksum(folder: str) -> int:
    """Of the C files: a library that was compiled from others is not used."""
    found = 0
    for name in sorted(os.listdir(folder)):
        if name.endswith((".c", ".h")):
            with open(os.path.join(folder, name), "rb") as stream:
                found = crc32(stream.read(), found)
    return found


class UnusableError(Exception):
    """Why a library is not used: it says so in a few words."""


def load(path: str) -> ctypes.CDLL:
    """The library at that place; UnusableError if it cannot be used here."""
    if os.environ.get("SPINAL_KERNEL") == "numpy":
        raise UnusableError("as SPINAL_KERNEL says")
    if sys.byteorder != "little" or not os.path.exists(path):
        raise UnusableError("nothing is compiled")
    try:
        library = ctypes.CDLL(path)
        library.spinal_source.restype = ctypes.c_uint32
        if library.spinal_source() != checksum(SOURCES):
            raise UnusableError(f"{path} was compiled from other sources")
    except (OSError, AttributeError):
        raise UnusableError(f"{path} cannot be loaded") from None
    text = (ctypes.c_char_p, INT64)
    library.spinal_census.argtypes = (*text, ARRAY)
    library.spinal_is_utf8.argtypes = text
    library.spinal_may_comment.argtypes = text
    library.spinal_has_bracket_word.argtypes = text
    library.spinal_line_ends.argtypes = (*text, ARRAY)
    library.spinal_line_ends.restype = INT64
    library.spinal_scan.argtypes = (*text, ARRAY, ARRAY, ctypes.c_int, ARRAY)
    library.spinal_faults.argtypes = (*text, ARRAY, ARRAY, ARRAY)
    library.spinal_faults.restype = INT64
    return library


class Library:
    """What is loaded; tests put another in its place.

    >>> str(Library("no-such-library.so"))
    'NumPy (nothing is compiled)'
    """

    def __init__(self, path: str = LIBRARY) -> None:
        self.path = path
        self.functions: Any = None
        self._why_not = "as asked"
        try:
            self.functions = load(path)
        except UnusableError as why:
            self._why_not = str(why)

    def __str__(self) -> str:
        if self.functions:
            return f"compiled ({self.path})"
        return f"NumPy ({self._why_not})"


CURRENT = Library()


def functions() -> Any:
    """The compiled functions; None where there are none."""
    return CURRENT.functions


def has_kernel() -> bool:
    """Whether there are compiled functions; else NumPy does their work."""
    return CURRENT.functions is not None


# What arrays of a structure hold; where nothing is said, it is a number.
INTS, IDS, FLAGS, WORDS = np.int64, np.int32, np.bool_, np.uint64
FLOATS = np.float64
NUMBERS, NUMBERS_32, TEXT = INT64, INT32, ctypes.c_char_p


class Structure(ctypes.Structure):
    """A structure of the C source; arrays given to it are kept as long as it is."""

    types: ClassVar[dict[str, type[np.generic]]]  # of the arrays

    def __init__(self, **given: Any) -> None:
        # Columns that are views with gaps, or hold something else, are copied; what is
        # written to is neither.
        self.given = {
            name: np.ascontiguousarray(given[name], kind)
            for name, kind in self.types.items()
        }
        given |= {name: address(array) for name, array in self.given.items()}
        super().__init__(**given)


def structure(name: str, *parts: tuple[Any, str]) -> type[Structure]:
    """A structure of the C source: what its fields hold, and their names, in order."""
    fields: list[tuple[str, Any]] = []
    types: dict[str, type[np.generic]] = {}
    for kind, names in parts:
        is_array = isinstance(kind, type) and issubclass(kind, np.generic)
        fields += [(one, ARRAY if is_array else kind) for one in names.split()]
        if is_array:
            types |= dict.fromkeys(names.split(), kind)
    return type(name, (Structure,), {"_fields_": fields, "types": types})


class Table(ctypes.Structure):
    """A `KeyTable` as C sees it."""

    _fields_ = [
        ("slots", ARRAY),
        ("keys", ARRAY),
        ("size", INT64),
        ("slot_bits", INT32),
        ("first_has_key", INT32),
    ]


def table_of(columns: KeyColumns) -> Table:
    """The table as C sees it; whoever calls keeps the columns meanwhile."""
    slots, keys = address(columns.slots), address(columns.keys)
    has_first = int(columns.has_key[0])
    return Table(slots, keys, columns.keys.size, columns.slot_bits, has_first)


def address(array: npt.NDArray[Any]) -> int:
    """Where an array without gaps begins."""
    return int(array.__array_interface__["data"][0])


def pointer(array: npt.NDArray[Any]) -> ctypes.c_void_p:
    """Where an array begins, for functions that have no types of arguments."""
    return ARRAY(address(array))
