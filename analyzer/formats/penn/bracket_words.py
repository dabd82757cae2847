"""Words that are round brackets, written as such: `(-LRB- ()`, `(-RRB- ))`, `(( ()`.

The Penn Treebank writes -LRB- and -RRB- for them. Programs that do not know this (the
printer of NLTK, say) write trees in which words are taken for brackets; such trees can
balance, and would be read as others silently. So these words are brought into the
Treebank's form before a text is divided into trees. `(-LRB- ()` can mean nothing else.
`(-RRB- ))` may also be an empty word at the end of a phrase; which it is, the tree's
balance tells.
"""

from __future__ import annotations

import re

import numpy as np

from analyzer.model.kernel import texts as kernel
from analyzer.model.kernel.library import has_kernel

_SPACE, _OPEN, _CLOSE = b" ()"
_LEFT = re.compile(rb"\((-[LR]RB-|\() +\(\)")
_RIGHT = re.compile(rb"\((-[LR]RB-|\)) +\)\)")
_LEFT_FOR_SURE = re.compile(rb"\(-[LR]RB- +\(\)")
_NO_BRACKET = re.compile(rb"[^()]+")
_TAGS = {b"(": b"-LRB-", b")": b"-RRB-"}


def escape_bracket_words(text: bytes) -> bytes:
    """The text with -LRB- and -RRB- for words that are brackets.

    >>> escape_bracket_words(b"(NP (-LRB- () (NN a) (-RRB- )))")
    b'(NP (-LRB- -LRB-) (NN a) (-RRB- -RRB-))'
    >>> escape_bracket_words(b"(NP (NN a) (-RRB- ))")  # an empty word
    b'(NP (NN a) (-RRB- ))'
    """
    if not _may_have_some(text):
        return text
    # A bracket in the first column begins a tree, in nearly all files.
    first, *others = text.split(b"\n(")
    trees = [first, *(b"(" + tree for tree in others)]
    return b"\n".join(
        _escape_in_tree(tree) if _may_have_some(tree) else tree for tree in trees
    )


def _may_have_some(text: bytes) -> bool:
    """Whether ' ()' or ' ))' is in the text: quicker than to search for each."""
    if has_kernel():
        return kernel.has_bracket_word(text)
    given = np.frombuffer(text, np.uint8)
    place = np.flatnonzero((given[:-2] == _SPACE) & (given[2:] == _CLOSE)) + 1
    return bool(np.any((given[place] == _OPEN) | (given[place] == _CLOSE)))


def _escape_in_tree(tree: bytes) -> bytes:
    left = _LEFT.sub(lambda found: _leaf(found[1], b"-LRB-"), tree)
    both = _RIGHT.sub(lambda found: _leaf(found[1], b"-RRB-"), left)
    for reading in (both, left):
        if reading is not tree and _is_balanced(reading):
            return reading
    # Left brackets that are words for sure, and a tree that does not balance: it is to
    # be malformed, not another tree.
    return left if _LEFT_FOR_SURE.search(tree) else tree


def _leaf(tag: bytes, word: bytes) -> bytes:
    return b"(%s %s)" % (_TAGS.get(tag, tag), word)


def _is_balanced(tree: bytes) -> bool:
    depth = 0
    for bracket in _NO_BRACKET.sub(b"", tree):
        depth += 1 if bracket == ord("(") else -1
        if depth < 0:
            return False
    return depth == 0
