"""A sentence's derivation tree as dependencies: a head and a relation for each word.

The head of a word is the word that its spine attaches to; the relation is the
construction in which it attaches. Words that are deleted before anything is compared,
punctuation, head nothing: each depends on the head of the bracket that it stands in.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.derivation.columns import Derivation
from analyzer.derivation.spines import Spine, rows_above
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.words import Side
from analyzer.transform.labels import LabelSet

ROOT_RELATION, PUNCTUATION, OTHER = "root", "punct", "dep"


class Outside(NamedTuple):
    """A word that is in no construction, as its tag is deleted."""

    before: int  # so many words with spines stand before it
    word: str
    tag: str
    governor: int | None  # position of the head of its bracket; None: in no bracket


class Dependency(NamedTuple):
    """A word with its head and its relation; counted from 1, 0 is the root."""

    number: int
    word: str
    tag: str
    head: int
    relation: str
    constructions: tuple[str, ...]  # of its spine, bottom up


class OutsideWords:
    """The words of a block's trees that are in no construction; empty elements, which
    are no words, are left out."""

    def __init__(self, side: Side, derivation: Derivation, labels: LabelSet) -> None:
        bank = side.bank
        is_outside = np.ones(bank.leaf_node.size, np.bool_)
        is_outside[side.leaves] = False
        leaf = np.flatnonzero(is_outside)
        row = rows_above(bank, derivation, bank.leaf_node[leaf])
        head = np.append(derivation.head, -1)[row]
        tree = np.searchsorted(bank.leaf_start, leaf, side="right") - 1
        before = np.searchsorted(side.leaves, leaf) - side.starts[tree]
        governor = (head - side.offset[tree]).astype(object)
        governor[row < 0] = None
        tags = [
            SYMBOLS.name(label) for label in bank.label[bank.leaf_node[leaf]].tolist()
        ]
        given = before.tolist(), bank.forms(leaf), tags, governor.tolist()
        self._labels = labels
        self._words = list(map(Outside, *given))
        self._starts = np.searchsorted(tree, np.arange(len(bank) + 1)).tolist()

    def of_tree(self, tree: int) -> list[Outside]:
        """In order."""
        words = self._words[self._starts[tree] : self._starts[tree + 1]]
        empty, is_empty = self._labels.empty, self._labels.is_empty_word
        return [
            word for word in words if word.tag not in empty and not is_empty(word.word)
        ]


def dependencies(
    spines: Sequence[Spine], outside: Sequence[Outside], labels: LabelSet
) -> list[Dependency]:
    """One dependency a word; exactly one depends on the root, and none on itself.

    If several spines attach to nothing, as below a bracket that has no construction,
    the first is the root, and the others depend on it (`dep`). So do words in no
    bracket.

    >>> from analyzer.transform.labels import default_labels
    >>> spines = [
    ...     Spine(0, "I", "PRP", ("NP-t",), 1, "S-vp"),
    ...     Spine(1, "see", "VBP", ("VP-t", "S-vp"), None, None),
    ... ]
    >>> for row in dependencies(spines, [Outside(2, ".", ".", 1)], default_labels()):
    ...     print(row.number, row.word, row.head, row.relation)
    1 I 2 S-vp
    2 see 0 root
    3 . 2 punct
    """
    before = [word.before for word in outside]
    # Where each spine's word stands among all words, from 1.
    numbers = [
        spine.position + 1 + bisect_right(before, spine.position) for spine in spines
    ]
    top = next((spine.position for spine in spines if spine.governor is None), None)
    root = 1 if top is None else numbers[top]
    rows = []
    for number, spine in zip(numbers, spines, strict=True):
        governor = spine.governor
        if governor is not None:
            head, relation = numbers[governor], spine.at or OTHER
        else:
            is_root = number == root
            head, relation = (0, ROOT_RELATION) if is_root else (root, OTHER)
        word = number, spine.word, spine.tag, head, relation, spine.constructions
        rows.append(Dependency(*word))
    for earlier, given in enumerate(outside):
        number = given.before + earlier + 1
        is_mark = labels.bare_tag(given.tag) in labels.punctuation
        relation = PUNCTUATION if is_mark else OTHER
        head = root if given.governor is None else numbers[given.governor]
        if number == root:  # nothing but such words
            head, relation = 0, ROOT_RELATION
        rows.append(Dependency(number, given.word, given.tag, head, relation, ()))
    return sorted(rows)


def conllu_lines(words: Sequence[Dependency], name: str) -> Iterator[str]:
    """A sentence in CoNLL-U, an empty line after it.

    The construction of each arc is the relation, the tag of the treebank is XPOS, and
    MISC has the constructions of the word's spine, bottom up.
    """
    if not words:
        return
    yield f"# sent_id = {_field(name)}"
    yield f"# text = {' '.join(_field(word.word) for word in words)}"
    for word in words:
        spine = f"Spine={','.join(word.constructions)}" if word.constructions else "_"
        known = _field(word.word), "_", "_", _field(word.tag), "_"
        arc = str(word.head), word.relation, "_", spine
        yield "\t".join((str(word.number), *known, *arc))
    yield ""


def _field(text: str) -> str:
    """A text as a field may have it: on one line, not empty, without tabs."""
    return " ".join(text.split()) or "_"
