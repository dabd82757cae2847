"""Which spinal this is, to the last line of its code.

Counts from another version must never be mixed in: workers of a cluster and files of a
checkpoint say which spinal they are of.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from importlib.resources import files
from importlib.resources.abc import Traversable

from analyzer import __version__

_PACKAGES = ("analyzer", "grammars", "patterns")


@cache
def version() -> str:
    """The version, and a digest of the code: between releases the former stays.

    >>> version() == version(), version().startswith(__version__)
    (True, True)
    """
    digest = blake2b(digest_size=6)
    for package in _PACKAGES:
        _add(files(package), digest)
    return f"{__version__}+{digest.hexdigest()}"


def _add(folder: Traversable, digest: blake2b) -> None:
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir() and not item.name.startswith(("_", ".")):
            _add(item, digest)
        # Compiled code follows from its source, and differs between machines.
        elif item.is_file() and not item.name.endswith((".pyc", ".so", ".dll")):
            digest.update(item.name.encode())
            digest.update(item.read_bytes())
