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

from analyzer.checks.findings import Finding, Name, Suspicion
from analyzer.checks.word_stream import WordStream
from analyzer.model.arrays import mix

_BETWEEN = "\x1f"  # parts of a fingerprint


def fingerprint(*parts: object) -> str:
    """Sixteen digits for what is given.

    >>> fingerprint("T", "a")
    '59149a792be8901e'
    """
    text = _BETWEEN.join(map(str, parts))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


def document_fingerprint(finding: Finding) -> str:
    """The fingerprint of units of a document."""
    what = finding.now or f"{finding.code} {finding.message}"
    place = finding.document, finding.first, finding.last
    return fingerprint(finding.kind, *place, finding.words, what)


class Identities:
    """The fingerprints of suspicious places of a treebank.

    Of places that nothing else tells apart (the same sentence twice in a file, with the
    same annotation) the second has another fingerprint than the first.
    """

    def __init__(self, stream: WordStream, suspicions: Iterable[Suspicion]) -> None:
        self._stream = stream
        self._names = [PurePath(path).name for path in stream.files]
        listed = sorted(set(suspicions))
        repeated = self._numbers([one.place.tree for one in listed])
        self._sentences: dict[int, str] = {}
        seen: Counter[str] = Counter()
        self._all: dict[Suspicion, Name] = {}
        for one in listed:
            base, at = self._base(one), repeated.get(one.place.tree)
            self._all[one] = Name(
                fingerprint(base, seen[base]) if seen[base] else base,
                base,
                "" if at is None else fingerprint(base, "sentence", at),
            )
            seen[base] += 1

    def __getitem__(self, one: Suspicion) -> Name:
        return self._all[one]

    def _numbers(self, trees: list[int]) -> dict[int, int]:
        """The number of each of these that has sentences like it, among them.

        Alike are the file's name, the words, and how the file calls the sentence, but
        not the annotation.
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

    def _base(self, one: Suspicion) -> str:
        tree, first, last = one.place
        if tree not in self._sentences:
            self._sentences[tree] = self._sentence(tree)
        return fingerprint(one.kind, self._sentences[tree], first, last, one.now)

    def _sentence(self, tree: int) -> str:
        """What the fingerprints of a sentence have in common."""
        bank, file = self._stream.bank, int(self._stream.file_of_tree[tree])
        words = " ".join(bank[tree].words)
        return _BETWEEN.join((self._names[file], bank.id_of(tree), words))

    def identified(self, finding: Finding) -> Finding:
        """The finding with its fingerprints."""
        known = tuple(dict.fromkeys(self._all[one] for one in finding.suspicions))
        return replace(finding, fingerprint=known[0].fingerprint, known_as=known)
