"""What a suspicious place keeps in another version of its file: a fingerprint.

Made of the file's name, the sentence, the words in it and how they are annotated. Lines
move when a treebank is edited, and counts and rivals change when another place is
mended; these do not.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath

import numpy as np

from analyzer.checks.findings import Finding, Suspicion
from analyzer.checks.word_stream import WordStream
from analyzer.model.arrays import mix


def fingerprint(*parts: object) -> str:
    """Sixteen digits for what is given.

    >>> fingerprint("T", "a")
    '59149a792be8901e'
    """
    text = "\x1f".join(map(str, parts))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def document_fingerprint(finding: Finding) -> str:
    """The fingerprint of units of a document."""
    what = finding.now or f"{finding.code} {finding.message}"
    place = finding.document, finding.first, finding.last
    return fingerprint(finding.kind, *place, finding.words, what)


class Identities:
    """The fingerprints of suspicious places of a treebank.

    A sentence that occurs twice in a file has a fingerprint for each time: its number
    among those with the same words, however they are annotated. So no fingerprint
    changes when a sentence is mended.
    """

    def __init__(self, stream: WordStream, suspicions: Iterable[Suspicion]) -> None:
        self._stream = stream
        self._names = [PurePath(path).name for path in stream.files]
        listed = set(suspicions)
        number = self._numbers(sorted({one.place.tree for one in listed}))
        self._all = {
            one: self._of(one, number.get(one.place.tree, 0)) for one in listed
        }

    def __getitem__(self, one: Suspicion) -> str:
        return self._all[one]

    def _numbers(self, trees: list[int]) -> dict[int, int]:
        """The number of each sentence that is like one of these, from 0 in each file.

        Alike are the name of the file, the words and the sentence's own name.
        """
        stream = self._stream
        names = {name: number for number, name in enumerate(dict.fromkeys(self._names))}
        file = np.array([names[name] for name in self._names], np.uint64)
        keys = stream.sentences ^ mix(file[stream.file_of_tree])
        used, which = np.unique(keys, return_inverse=True)
        is_asked = np.zeros(used.size, np.bool_)
        is_asked[which[trees]] = True
        is_asked &= np.bincount(which, minlength=used.size) > 1
        seen: Counter[tuple[int, str]] = Counter()
        found = {}
        for tree in np.flatnonzero(is_asked[which]).tolist():
            key = int(which[tree]), stream.bank.id_of(tree)
            found[tree] = seen[key]
            seen[key] += 1
        return found

    def _of(self, one: Suspicion, number: int) -> str:
        bank, (tree, first, last) = self._stream.bank, one.place
        base = fingerprint(
            one.kind,
            self._names[int(self._stream.file_of_tree[tree])],
            bank.id_of(tree),
            " ".join(bank[tree].words),
            first,
            last,
            one.now,
        )
        return fingerprint(base, number) if number else base

    def identified(self, finding: Finding) -> Finding:
        """The finding with its fingerprints."""
        known = tuple(dict.fromkeys(self._all[one] for one in finding.suspicions))
        return replace(finding, fingerprint=known[0], known_as=known)
