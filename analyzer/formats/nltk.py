"""Trees of NLTK as a treebank; `Tree.to_nltk` is the way back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from analyzer.model.treebank import Treebank, TreebankBuilder

if TYPE_CHECKING:
    import nltk


def from_nltk(trees: nltk.Tree | Iterable[nltk.Tree]) -> Treebank:
    """A treebank of `nltk.Tree`s.

    A leaf of the tree is a string under a tag; a string with sisters gets an
    empty tag of its own, and a pair (word, tag), as chunkers give, its tag.
    """
    from nltk import Tree as NltkTree

    given = [trees] if isinstance(trees, NltkTree) else list(trees)
    builder = TreebankBuilder("<nltk>")
    for number, tree in enumerate(given, start=1):
        pending: list[Any] = [tree]
        while pending:
            item = pending.pop()
            if item is None:
                builder.close()
            elif isinstance(item, tuple) and len(item) == 2:
                builder.leaf(str(item[1]), str(item[0]))
            elif not isinstance(item, NltkTree):
                builder.leaf("", str(item))
            elif len(item) == 1 and isinstance(item[0], str):
                builder.leaf(str(item.label()), item[0])
            else:
                builder.open(str(item.label()))
                pending.append(None)
                pending.extend(reversed(item))
        builder.end_tree(line=number)
    return builder.finish()
