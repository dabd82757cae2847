"""The files of two folders beside each other: by their names.

Sentences are paired in order, so a file that one folder lacks would set all that
follow beside others. Files of the same name go together, then; what has no partner is
named.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from analyzer.files.finding import TREE_ENDINGS, Origin
from analyzer.files.inputs import Input, InputFile

_MAGIC = re.compile(r"[*?[]")
_PACKED = frozenset({".gz", ".bz2", ".xz"})


class PairedFiles(NamedTuple):
    """Files that go together, in gold's order, and those without partner."""

    pairs: list[tuple[InputFile, InputFile]]
    only_gold: list[InputFile]
    only_parsed: list[InputFile]


def paired_files(gold: Input, parsed: Input) -> PairedFiles | None:
    """The files of two folders, or globs, by name; None if no name is on both sides.

    Names are compared with their endings, without those of tree files (`a.mrg` and
    `a.parse`), and up to their first dot (`a.gold.mrg` and `a.out.mrg`): in the way
    that pairs most files and never makes two names of a side one.
    """
    if not all(side.origin in (Origin.FOLDER, Origin.GLOB) for side in (gold, parsed)):
        return None
    names = _names(gold), _names(parsed)
    found: list[list[tuple[int, int]]] = []
    for shortened in (str, _without_endings, _up_to_first_dot):
        places = [_places(side, shortened) for side in names]
        if places[0] is not None and places[1] is not None:
            others = places[1]
            found.append(
                [(at, others[n]) for n, at in places[0].items() if n in others]
            )
    pairs = max(found, key=len, default=[])
    if not pairs:
        return None
    of_gold, of_parsed = {at for at, _ in pairs}, {at for _, at in pairs}
    return PairedFiles(
        [(gold.files[left], parsed.files[right]) for left, right in pairs],
        [file for at, file in enumerate(gold.files) if at not in of_gold],
        [file for at, file in enumerate(parsed.files) if at not in of_parsed],
    )


def _names(side: Input) -> list[str]:
    """The files' names, from the folder on that all are in."""
    top = side.name
    if side.origin is Origin.GLOB:  # the folders before the first `*`
        top = _MAGIC.split(top)[0].rpartition("/")[0]
    folder = os.path.join(top, "") if top else ""
    names = [file.name for file in side.files]
    if not all(name.startswith(folder) for name in names):  # URLs may be rewritten
        return [os.path.basename(name) for name in names]
    return [name.removeprefix(folder) for name in names]


def _places(
    names: Sequence[str], shortened: Callable[[str], str]
) -> dict[str, int] | None:
    """Where each name stands; None if two are the same."""
    places = {shortened(name): at for at, name in enumerate(names)}
    return places if len(places) == len(names) else None


def _without_endings(name: str) -> str:
    """A name without what says which kind of file it is.

    >>> _without_endings("00/wsj_0001.mrg.gz")
    '00/wsj_0001'
    """
    stem, ending = os.path.splitext(name)
    if ending.lower() in TREE_ENDINGS | _PACKED:
        return _without_endings(stem)
    return name


def _up_to_first_dot(name: str) -> str:
    folder, last = os.path.split(name)
    return os.path.join(folder, last.partition(".")[0])
