"""What a sentence says, however it is tokenised and escaped."""

from __future__ import annotations

from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.transform.labels import default_labels

# One text may be escaped as the Penn Treebank does, the other not.
_ESCAPED = {
    **{"-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{"},
    **{"-RCB-": "}", "``": '"', "''": '"', "“": '"', "”": '"', "’": "'", "‘": "'"},
}
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


def text_of(bank: Treebank, tree: int) -> str:
    """All that a sentence says, without traces and white space."""
    first, last = bank.leaf_start[tree : tree + 2].tolist()
    empty = {SYMBOLS.id(tag) for tag in default_labels().empty}
    tags = bank.label[bank.leaf_node[first:last]].tolist()
    forms = bank.forms(slice(first, last))
    words = zip(tags, forms, strict=True)
    kept = [_ESCAPED.get(form, form) for tag, form in words if tag not in empty]
    return _unescaped("".join(kept))


def plain_words(bank: Treebank) -> list[str]:
    """What each leaf says, without escapes and white space; of traces, nothing."""
    empty = {SYMBOLS.id(tag) for tag in default_labels().empty}
    tags = bank.label[bank.leaf_node].tolist()
    both = zip(tags, bank.forms(slice(None)), strict=True)
    return ["" if tag in empty else plain(form) for tag, form in both]


def text_number(bank: Treebank, tree: int) -> int:
    """A number that only sentences with the same text have, in any process.

    0 for texts so short that others may have them by chance.
    """
    text = text_of(bank, tree)
    if len(text) < _LEAST_CHARACTERS:
        return 0
    from zlib import crc32  # sooner there than hashlib

    return crc32(text.encode()) << 32 | crc32(text[::-1].encode())
