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

from analyzer.checks.findings import Finding, Suspicion
from analyzer.checks.word_stream import WordStream


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

    Of places that nothing else tells apart (the same sentence twice in a file, with the
    same annotation) the second has another fingerprint than the first.
    """

    def __init__(self, stream: WordStream, suspicions: Iterable[Suspicion]) -> None:
        self._stream = stream
        self._names = [PurePath(path).name for path in stream.files]
        alike: Counter[str] = Counter()
        self._all: dict[Suspicion, str] = {}
        for one in sorted(set(suspicions)):
            base = self._base(one)
            number = alike[base]
            alike[base] += 1
            self._all[one] = fingerprint(base, number) if number else base

    def __getitem__(self, one: Suspicion) -> str:
        return self._all[one]

    def _base(self, one: Suspicion) -> str:
        bank, (tree, first, last) = self._stream.bank, one.place
        return fingerprint(
            one.kind,
            self._names[int(self._stream.file_of_tree[tree])],
            bank.id_of(tree),
            " ".join(bank[tree].words),
            first,
            last,
            one.now,
        )

    def identified(self, finding: Finding) -> Finding:
        """The finding with its fingerprints."""
        known = tuple(dict.fromkeys(self._all[one] for one in finding.suspicions))
        return replace(finding, fingerprint=known[0], known_as=known)
