"""Brackets whose words have lemmas: `(da0ms0 El el)`, as in AnCora and CESS.

The lemma is made white space, so that the text is one of Penn brackets with all else in
its place.
"""

from __future__ import annotations

import re

from analyzer.files.changed_lines import ChangedLines
from analyzer.files.sources import Readable

_LEAF = re.compile(rb"(\([^\s()]+[ \t]+[^\s()]+)([ \t]+[^\s()]+)(?=[ \t]*\))")
_ANY_LEAF = re.compile(r"\([^\s()]+\s+[^()]*[^\s()]\s*\)")
_WITH_LEMMA = re.compile(r"\([^\s()]+\s+[^\s()]+\s+[^\s()]+\s*\)")
_MOST = 0.9


def has_lemmas(start: str) -> bool:
    """Whether nearly all words of a file that starts like this have lemmas.

    >>> has_lemmas("(S (sn (da0ms0 El el) (nc perro perro)))"), has_lemmas("(S (A a))")
    (True, False)
    """
    leaves = _ANY_LEAF.findall(start)
    with_lemma = [leaf for leaf in leaves if _WITH_LEMMA.fullmatch(leaf)]
    return len(with_lemma) > _MOST * len(leaves)


def without_lemmas(stream: Readable) -> Readable:
    """A stream without the lemmas of words.

    >>> import io
    >>> without_lemmas(io.BytesIO(b"(sn (da0ms0 El el))")).read(99)
    b'(sn (da0ms0 El   ))'
    """
    return ChangedLines(stream, _without)


def _without(lines: bytes) -> bytes:
    return _LEAF.sub(lambda leaf: leaf[1] + b" " * len(leaf[2]), lines)
