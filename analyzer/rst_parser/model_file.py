"""A model as a file: arrays and JSON in one zip archive, as NumPy writes them (.npz).

Loading runs nothing: arrays are read without pickles, the JSON says what they are. The
same model has the same bytes, and a hash of them all stands in the JSON.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from analyzer.exceptions import InputError, Place
from analyzer.files.atomic import write_bytes

Arrays = dict[str, npt.NDArray[Any]]

FORMAT = "spinal-rst-parser"
VERSION = 2
_FACTS = "model.json"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)  # the oldest date that an archive can have
_LARGEST = 1 << 30  # bytes of all arrays
_KINDS = frozenset(("float16", "int32", "uint8"))
_MAGIC = b"PK\x03\x04"


def is_model(path: str) -> bool:
    """Whether a file may be a model: whether it is a zip archive."""
    try:
        with open(path, "rb") as stream:
            return stream.read(4) == _MAGIC
    except OSError:
        return False


def write_model(path: str | Path, facts: Mapping[str, Any], arrays: Arrays) -> str:
    """Write a model whole or not at all; gives back its hash."""
    data, digest = model_bytes(facts, arrays)
    write_bytes(path, data)
    return digest


def model_bytes(facts: Mapping[str, Any], arrays: Arrays) -> tuple[bytes, str]:
    """The file, and the hash of what is in it."""
    known = {**facts, "format": FORMAT, "version": VERSION}
    digest = _digest(known, arrays)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        text = json.dumps({**known, "sha256": digest}, indent=1, sort_keys=True)
        _put(archive, _FACTS, text.encode("utf-8"))
        for name in sorted(arrays):
            content = io.BytesIO()
            np.lib.format.write_array(
                content, np.ascontiguousarray(arrays[name]), allow_pickle=False
            )
            _put(archive, f"{name}.npy", content.getvalue())
    return buffer.getvalue(), digest


def _put(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _LONG_AGO)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = 3  # the same on every system
    archive.writestr(entry, data, compresslevel=6)


def _digest(facts: Mapping[str, Any], arrays: Arrays) -> str:
    found = hashlib.sha256(json.dumps(facts, sort_keys=True).encode("utf-8"))
    for name in sorted(arrays):
        array = np.ascontiguousarray(arrays[name])
        found.update(f"{name} {array.dtype} {array.shape}".encode())
        found.update(array.tobytes())
    return found.hexdigest()


def read_model(path: str | Path) -> tuple[dict[str, Any], Arrays]:
    """What is known of a model, and its arrays; InputError if it is none."""
    place = Place(str(path))
    try:
        with zipfile.ZipFile(path) as archive:
            facts = _facts(archive, place)
            arrays = _arrays(archive, place)
    except (OSError, zipfile.BadZipFile) as error:
        if isinstance(error, FileNotFoundError):
            raise InputError("no such file", place, code="E102") from None
        raise InputError(
            "is not a model of a discourse parser, or is damaged; `spinal rst train` "
            "makes one",
            place,
            code="E153",
        ) from None
    except Exception as error:  # damaged compression has errors of many kinds
        if isinstance(error, InputError):
            raise
        raise InputError(
            "the model is damaged: {what}", place, code="E154", what=str(error)[:80]
        ) from None
    told = facts.pop("sha256", "")
    if _digest(facts, arrays) != told:
        raise InputError(
            "the model is damaged: its hash is not the one that it was saved with",
            place,
            code="E155",
        )
    return {**facts, "sha256": told}, arrays


def model_hash(path: str | Path) -> str:
    """What a model that could be loaded says its hash is."""
    with zipfile.ZipFile(path) as archive:
        return str(json.loads(archive.read(_FACTS))["sha256"])


def _facts(archive: zipfile.ZipFile, place: Place) -> dict[str, Any]:
    sizes = sum(entry.file_size for entry in archive.infolist())
    if _FACTS not in archive.namelist() or sizes > _LARGEST:
        raise zipfile.BadZipFile
    facts = json.loads(archive.read(_FACTS))
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise zipfile.BadZipFile
    if facts.get("version") != VERSION:
        raise InputError(
            "a model of version {found}; this spinal reads version {version}: train "
            "it again",
            place,
            code="E156",
            found=str(facts.get("version"))[:20],
            version=VERSION,
        )
    return facts


def _arrays(archive: zipfile.ZipFile, place: Place) -> Arrays:
    found: Arrays = {}
    for entry in archive.infolist():
        if entry.filename == _FACTS:
            continue
        content = io.BytesIO(archive.read(entry))
        array = np.lib.format.read_array(content, allow_pickle=False)
        if str(array.dtype) not in _KINDS:
            raise InputError(
                "the model is damaged: {what}",
                place,
                code="E154",
                what=f"{entry.filename} holds {array.dtype}",
            )
        found[entry.filename.removesuffix(".npy")] = array
    return found
