"""What a sentence says, however it is tokenised and escaped."""

from __future__ import annotations

from itertools import compress

import numpy as np

from analyzer.model.arrays import Flags
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import default_labels

# One text may be escaped as the Penn Treebank does, the other not.
_ESCAPED = {
    **{"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{"},
    **{"-RCB-": "}", "``": '"', "''": '"', "“": '"', "”": '"', "’": "'", "‘": "'"},
}
ALL = slice(None)  # leaves of a treebank
_LEAST_CHARACTERS = 10  # that other sentences are unlikely to share


def plain(word: str) -> str:
    """A word without escapes and white space.

    >>> plain("-LRB-"), plain("1\\\\/2"), plain("R&amp;D")
    ('(', '1/2', 'R&D')
    """
    return _unescaped(_ESCAPED.get(word, word))


def _unescaped(text: str) -> str:
    if "\\" in text:
        text = text.replace("\\/", "/").replace("\\*", "*")
    if "&" in text and ";" in text:  # as HTML writes it
        from html import unescape

        text = unescape(text)
    return "".join(text.split())


def are_words(bank: Treebank, leaves: slice = ALL) -> Flags:
    """Which leaves are words: all but empty elements, such as traces."""
    labels = bank.label[bank.leaf_node[leaves]]
    are_so: Flags = np.ones(labels.shape, np.bool_)
    for tag in default_labels().empty:  # of one sentence, quicker than np.isin
        are_so &= labels != SYMBOLS.id(tag)
    return are_so


def text_of(bank: Treebank, tree: int) -> str:
    """All that a sentence says, without traces and white space."""
    leaves = slice(*bank.leaf_start[tree : tree + 2].tolist())
    words = compress(bank.forms(leaves), are_words(bank, leaves).tolist())
    return _unescaped("".join(_ESCAPED.get(word, word) for word in words))


def plain_words(bank: Treebank, leaves: slice = ALL) -> list[str]:
    """What each leaf says, without escapes and white space; of traces, nothing."""
    both = zip(bank.forms(leaves), are_words(bank, leaves).tolist(), strict=True)
    return [plain(form) if is_word else "" for form, is_word in both]


def text_number(bank: Treebank, tree: int) -> int:
    """A number that only sentences with the same text have, in any process.

    0 for texts so short that others may have them by chance.
    """
    text = text_of(bank, tree)
    if len(text) < _LEAST_CHARACTERS:
        return 0
    from zlib import crc32  # imported faster than hashlib

    return crc32(text.encode()) << 32 | crc32(text[::-1].encode())
