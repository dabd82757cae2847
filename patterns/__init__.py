"""What constructions, labels and relations are: texts, no logic but reading them."""

from __future__ import annotations

import os
from typing import Protocol, cast

__all__ = ["names", "text"]


class _Loader(Protocol):
    def get_data(self, path: str) -> bytes: ...


def text(name: str) -> str | None:
    """What is in a file of this package; None if there is no such file.

    Read by what loaded the package, so that it may lie in an archive, and without
    `importlib.resources`, which takes some milliseconds to import.
    """
    if os.path.basename(name) != name or not __spec__:
        return None
    try:
        data = cast("_Loader", __spec__.loader).get_data(
            os.path.join(__path__[0], name)
        )
    except OSError:
        return None
    return data.decode("utf-8")


def names(ending: str) -> list[str]:
    """The files of this package that end so, without the ending, sorted."""
    try:
        files = os.listdir(__path__[0])
    except OSError:  # in an archive
        from importlib import resources

        files = [file.name for file in resources.files(__name__).iterdir()]
    return sorted(name.removesuffix(ending) for name in files if name.endswith(ending))
