"""Trees of other programs as a treebank: objects in, columns out, no text between.

An object is known by its shape: NLTK's trees are lists with a method `label`; Stanza's
have a `label` and `children`, and a word is a node without any. `Tree.to_nltk` is the
way back to NLTK.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from os import PathLike
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from analyzer.exceptions import SettingsError
from analyzer.model.tree import Tree, written
from analyzer.model.treebank import Treebank, TreebankBuilder

if TYPE_CHECKING:
    import nltk

# What no word of a file can hold; a bank that was read has it between words.
_MUST_BE_ESCAPED = re.compile(rb"[ \t\n\r\v\f()]")


class NltkTree(Protocol):
    """A tree as NLTK has it: a list of its children, with a label."""

    def label(self) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...


class StanzaTree(Protocol):
    """A tree as Stanza has it."""

    @property
    def label(self) -> str: ...

    @property
    def children(self) -> Sequence[Any]: ...


TreeObject = NltkTree | StanzaTree | Tree
# One tree, or several; None is a parse that failed.
TreeObjects = TreeObject | Iterable[TreeObject | None]


def from_nltk(trees: nltk.Tree | Iterable[nltk.Tree]) -> Treebank:
    """A treebank of `nltk.Tree`s.

    A leaf of the tree is a string under a tag; a string with sisters gets an
    empty tag of its own, and a pair (word, tag), as chunkers give, its tag.
    """
    given = [trees] if _is_nltk(trees) else list(trees)
    builder = TreebankBuilder("<nltk>")
    for number, tree in enumerate(given, start=1):
        _add(builder, tree, number)
    return builder.finish()


def as_treebank(given: Any) -> Treebank | None:
    """The treebank of objects that are trees, one or several; None if they are none.

    Words are as in a file: -LRB- for a bracket, `_` for a space.
    """
    if _is_tree(given):
        given = [given]
    if not isinstance(given, list | tuple):
        return None
    if not given or not all(item is None or _is_tree(item) for item in given):
        return None
    if all(isinstance(item, Tree) for item in given):
        bank = Treebank.join(
            [item.bank[item.index : item.index + 1] for item in given], ""
        )
        return escape_words(replace(bank, source="<trees>"))
    builder = TreebankBuilder("<trees>")
    for number, tree in enumerate(given, start=1):
        if isinstance(tree, Tree):
            raise SettingsError("E581 trees of a treebank among trees of other")
        _add(builder, tree, number)
    return escape_words(builder.finish())


def escape_words(bank: Treebank) -> Treebank:
    """The treebank with words as a file can hold them.

    Trees that were read from a file are so already.
    """
    if not _MUST_BE_ESCAPED.search(bank.text):
        return bank
    forms = [form.encode() for form in bank.forms(np.arange(bank.leaf_node.size))]
    escaped = [written(form.decode()).encode() for form in forms]
    if escaped == forms:
        return bank
    ends = np.array(list(accumulate(map(len, escaped))), np.int64)
    starts = np.append(0, ends[:-1])
    return replace(bank, text=b"".join(escaped), form_start=starts, form_end=ends)


def _is_tree(given: Any) -> bool:
    return isinstance(given, Tree) or _is_nltk(given) or _is_stanza(given)


def _is_nltk(given: Any) -> bool:
    return isinstance(given, list) and callable(getattr(given, "label", None))


def _is_stanza(given: Any) -> bool:
    return isinstance(getattr(given, "label", None), str) and isinstance(
        getattr(given, "children", None), list | tuple
    )


def _add(builder: TreebankBuilder, tree: Any, number: int) -> None:
    pending: list[Any] = [] if tree is None else [tree]
    nltk_type = type(tree) if _is_nltk(tree) else None  # most nodes are of this type
    while pending:
        item = pending.pop()
        if item is _CLOSE:
            builder.close()
            continue
        if type(item) is nltk_type:
            label, children = str(item.label()), item
        else:
            label, children = _taken_apart(item)
        if children is None:
            builder.leaf("", label)
        elif len(children) == 1 and isinstance(children[0], str):
            builder.leaf(label, children[0])
        else:
            builder.open(label)
            pending.append(_CLOSE)
            pending.extend(reversed(children))
    builder.end_tree(line=number)


_CLOSE = object()


def _taken_apart(item: Any) -> tuple[str, list[Any] | None]:
    """Label and children of a node; a word alone is a label without children."""
    if _is_nltk(item):
        return str(item.label()), list(item)
    if _is_stanza(item):
        if not item.children:
            return item.label, None
        # What stands below a tag is a word.
        return item.label, [
            child if child.children else child.label for child in item.children
        ]
    if isinstance(item, tuple) and len(item) == 2:  # a word and its tag
        return str(item[1]), [str(item[0])]
    return str(item), None


def listed(given: Any) -> Any:
    """A generator, a Series or the like as a list; anything else as it is."""
    is_one_thing = isinstance(given, str | bytes | PathLike) or _is_tree(given)
    if is_one_thing or hasattr(given, "read") or not isinstance(given, Iterable):
        return given
    return given if isinstance(given, list | tuple) else list(given)
