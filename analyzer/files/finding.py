"""Which files a name stands for: a file, a glob, a folder, a URL, standard input."""

from __future__ import annotations

import glob
import os
from enum import Enum
from pathlib import Path
from typing import NamedTuple

from analyzer.exceptions import InputError, Place
from analyzer.files.sources import STDIN
from analyzer.files.urls import files_at, is_url

# What editors and systems leave beside the files that people made.
_LEFT_BEHIND = frozenset({"Thumbs.db", "desktop.ini"})
_BACKUPS = ("~", ".orig", ".bak", ".swp")
# What names of tree files end in; a file so called that holds no trees is a loss.
TREE_ENDINGS = frozenset(
    (
        *(".mrg", ".ptb", ".psd", ".tree", ".trees", ".parse", ".pred", ".brackets"),
        *(".dis", ".doc_dis", ".sen_dis", ".rs3", ".rs4", ".rsd", ".conllu", ".conll"),
        *(".dep", ".xml"),
    )
)


class UnreadFile(NamedTuple):
    """A file of a folder that was not read, and why."""

    path: str
    error: InputError
    is_loss: bool  # False: nothing tells that it was meant to hold trees (a README)


class Origin(Enum):
    """How the files of an input were named."""

    LISTED = "each by its name"
    GLOB = "by a pattern"
    FOLDER = "by the folder that they are in"
    TEXT = "not at all: a text that is in memory"


def is_called_trees(path: str) -> bool:
    """Whether a file is called as files of trees are: `a.mrg`, `a.dis.gz`."""
    return any(ending.lower() in TREE_ENDINGS for ending in Path(path).suffixes)


def is_left_out(name: str) -> bool:
    """Whether a file or folder is hidden, or what an editor or a system left behind.

    >>> [is_left_out(name) for name in (".DS_Store", "a.mrg~", "#a.mrg#", "a.mrg")]
    [True, True, True, False]
    """
    return (
        name.startswith(".")
        or name.endswith(_BACKUPS)
        or (name.startswith("#") and name.endswith("#"))
        or name in _LEFT_BEHIND
    )


def _is_left_out_below(url: str, folder: str) -> bool:
    """Whether a file, or a folder that it is in, is left out."""
    depth = folder.rstrip("/").count("/")
    return any(map(is_left_out, url.split("/")[depth + 1 :]))


def find_files(spec: str) -> tuple[list[str], Origin, list[UnreadFile]]:
    if spec == STDIN:
        return [STDIN], Origin.LISTED, []
    if is_url(spec):
        found, is_folder = files_at(spec)
        if is_folder:
            kept = [url for url in found if not _is_left_out_below(url, spec)]
            return kept, Origin.FOLDER, []
        return found, Origin.LISTED if found == [spec] else Origin.GLOB, []
    if os.path.isdir(spec):
        below, unread = _files_below(spec)
        return below, Origin.FOLDER, unread
    if os.path.lexists(spec):
        return [spec], Origin.LISTED, []
    if any(character in spec for character in "*?["):
        matches = sorted(glob.glob(spec, recursive=True))
        files = [path for path in matches if not os.path.isdir(path)]
        if files:
            return files, Origin.GLOB, []
        raise InputError("no file matches this pattern", Place(spec), code="E112")
    raise InputError("no such file", Place(spec), code="E102")


def _files_below(folder: str) -> tuple[list[str], list[UnreadFile]]:
    """All files that can be opened, sorted by their paths; and the others."""
    found: list[str] = []
    unread: list[UnreadFile] = []

    def refuse(path: str, error: InputError) -> None:
        unread.append(UnreadFile(path, error.at(Place(path)), is_loss=True))

    def refuse_folder(error: OSError) -> None:
        refuse(
            str(error.filename),
            InputError(
                "cannot be listed: {reason}", code="E146", reason=error.strerror
            ),
        )

    for place, folders, names in os.walk(folder, onerror=refuse_folder):
        folders[:] = [name for name in folders if not is_left_out(name)]
        for name in folders:
            path = os.path.join(place, name)
            if os.path.islink(path):
                refuse(
                    path,
                    InputError(
                        "is a link to a folder, and these are not followed", code="E136"
                    ),
                )
        for name in names:
            path = os.path.join(place, name)
            if is_left_out(name):
                continue
            if os.path.isfile(path):
                found.append(path)
            elif os.path.exists(path):
                refuse(
                    path,
                    InputError(
                        "is a pipe, a socket or a device, not a file", code="E144"
                    ),
                )
            else:
                refuse(
                    path,
                    InputError("is a link to a file that does not exist", code="E145"),
                )
    return sorted(found), sorted(unread, key=lambda one: one.path)
