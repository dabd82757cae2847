"""What a suspicious place keeps in another version of its file, and who knows it.

A fingerprint is made of the file's name, the sentence, the words in it and how they are
annotated. Lines move when a treebank is edited, and counts and rivals change when
another place is mended; these do not. Files of decisions hold fingerprints; as a
baseline they let a treebank's CI complain of new findings only.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path, PurePath
from typing import NamedTuple, TypeVar

import numpy as np

from analyzer.checks.findings import (
    BETWEEN_PARTS,
    Finding,
    Name,
    Suspicion,
    fingerprint,
)
from analyzer.checks.word_stream import WordStream
from analyzer.exceptions import InputError, Place
from analyzer.files.small_files import read_text
from analyzer.model.arrays import flags_at, mix

IGNORE_FILE = ".spinalignore"
AnyFinding = TypeVar("AnyFinding", bound=Finding)


def names_of(
    stream: WordStream, suspicions: Iterable[Suspicion]
) -> dict[Suspicion, Name]:
    """The fingerprints of suspicious places of a treebank.

    Of places that nothing else tells apart (the same sentence twice in a file, with the
    same annotation) the second has another fingerprint than the first.
    """
    listed = sorted(set(suspicions))
    bank, files = stream.bank, [PurePath(path).name for path in stream.files]
    repeated = _numbers(stream, files, [suspicion.place.tree for suspicion in listed])
    sentences: dict[int, str] = {}  # what the fingerprints of each have in common
    seen: Counter[str] = Counter()
    names = {}
    for suspicion in listed:
        tree, first, last = suspicion.place
        if tree not in sentences:
            file, words = files[int(stream.file_of_tree[tree])], bank[tree].words
            parts = file, bank.id_of(tree), " ".join(words)
            sentences[tree] = BETWEEN_PARTS.join(parts)
        base = fingerprint(suspicion.kind, sentences[tree], first, last, suspicion.now)
        name = fingerprint(base, seen[base]) if seen[base] else base
        at = fingerprint(base, "sentence", repeated[tree]) if tree in repeated else ""
        names[suspicion] = Name(name, base, at)
        seen[base] += 1
    return names


def _numbers(stream: WordStream, files: list[str], trees: list[int]) -> dict[int, int]:
    """The number of each of these that has sentences like it, among them.

    Alike are the file's name, the words, and how the file calls the sentence, but not
    the annotation.
    """
    numbers = {name: number for number, name in enumerate(dict.fromkeys(files))}
    file = np.array([numbers[name] for name in files], np.uint64)
    keys = stream.sentences ^ mix(file[stream.file_of_tree])
    used, which = np.unique(keys, return_inverse=True)
    is_asked = flags_at(used.size, which[trees])
    is_asked &= np.bincount(which, minlength=used.size) > 1
    seen: Counter[tuple[int, str]] = Counter()
    repeated = {}
    for tree in np.flatnonzero(is_asked[which]).tolist():
        key = int(which[tree]), stream.bank.id_of(tree)
        repeated[tree] = seen[key]
        seen[key] += 1
    return repeated


def new_findings(
    findings: Sequence[AnyFinding], known: Collection[str]
) -> list[AnyFinding]:
    """The findings of which something is not known, even if it is one of many places.

    If there are more places that are alike than the baseline has, those are new that
    are in other sentences than before.
    """
    alike: dict[str, dict[str, Name]] = {}
    for finding in findings:
        for name in finding.known_as:
            alike.setdefault(name.base, {})[name.fingerprint] = name
    new: set[str] = set()
    for names in alike.values():
        more = sum(fingerprint not in known for fingerprint in names)
        last_first = reversed(names.values())
        if more:
            latest = sorted(last_first, key=lambda name: name.at in known)[:more]
            new.update(name.fingerprint for name in latest)
    return [
        finding
        for finding in findings
        if any(n.fingerprint in new for n in finding.known_as)
    ]


class Ignored(NamedTuple):
    """Codes that people do not want to see, and in which files."""

    codes: tuple[tuple[str, str], ...]  # how a code begins, and files as a glob
    folder: str = "."  # that globs start from

    def covers(self, finding: Finding) -> bool:
        return any(
            finding.code.startswith(code) and self._is_meant(finding.file, files)
            for code, files in self.codes
        )

    def _is_meant(self, path: str, glob: str) -> bool:
        """Whether a glob is of the name of a file, or of its path: from the folder, or
        as the path was given."""
        here = os.path.relpath(path, self.folder)
        names = path, here, os.path.basename(path)
        return any(fnmatch(PurePath(name).as_posix(), glob) for name in names)


def default_ignore_file() -> str | None:
    """The file `.spinalignore` of the folder at hand, if there is one."""
    return IGNORE_FILE if Path(IGNORE_FILE).is_file() else None


def read_ignored(path: str, known: Collection[str]) -> Ignored:
    """Lines `CODE FILES`; what stands after # is the reason.

    `known` are all codes that there are.
    """
    codes = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.partition("#")[0].split()
        if not words:
            continue
        place = Place(path, number)
        if len(words) != 2:
            raise InputError("E195 expected a code and files", place)
        if not any(code.startswith(words[0]) for code in known):
            raise InputError(
                "E275 no finding has the code", place, code_=words[0], there=known
            )
        codes.append((words[0], words[1]))
    return Ignored(tuple(codes), os.path.dirname(path) or os.curdir)
