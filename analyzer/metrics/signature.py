"""Every setting that can move a number, as one line to paste beside it."""

from __future__ import annotations

from analyzer import __version__


def signature(**settings: object) -> str:
    """Settings as `name:value|name:value|…`, the version last.

    >>> signature(scorer="evalb", labeled=True)  # doctest: +ELLIPSIS
    'scorer:evalb|labeled:yes|spinal:...'
    """
    parts = [f"{name}:{_shown(value)}" for name, value in settings.items()]
    return "|".join([*parts, f"spinal:{__version__}"])


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list | frozenset):
        return " ".join(str(item) for item in value) or "-"
    return str(value)
