"""Pattern inventories: regular expressions over children that name constructions.

A child is written as its label (`NP`, `'PRP$'`) or as its class: `TAG` any
preterminal except CC, `CONJ` the preterminal CC, `NT` any nonterminal except
CONJP and NML, `ANY` any child; an inventory may define more. Exactly one group
is the `head:`. See docs/patterns.md.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import regex

SIMPLE_CASE = "t"  # the suffix under which uncovered nodes are scored


class Child(NamedTuple):
    """A child as patterns see it."""

    label: str
    is_leaf: bool

    @property
    def item(self) -> str:
        """Its place in the text that patterns are matched against."""
        return f"{'t' if self.is_leaf else 'n'}:{self.label} "


def as_text(children: Sequence[Child]) -> str:
    """The text that patterns are matched against."""
    return "".join(child.item for child in children)


def _labels(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Penn Treebank labels, to tell a phrase from a tag where only labels are given, and
# a label from a slip of the pen. A file may name others in quotes.
PHRASE_LABELS = _labels(
    "S SBAR SBARQ SINV SQ ADJP ADVP CONJP FRAG INTJ LST NAC NML NP NX PP PRN PRT QP "
    "RRC UCP VP WHADJP WHADVP WHNP WHPP X EDITED META TYPO EMBED"
)
_TAGS = _labels(
    "CC CD DT EX FW IN JJ JJR JJS LS MD NN NNS NNP NNPS PDT POS PRP RB RBR RBS RP SYM "
    "TO UH VB VBD VBG VBN VBP VBZ WDT WP WRB AFX GW HYPH ADD NFP XX"
)
KNOWN_LABELS = PHRASE_LABELS | _TAGS
# All labels, and one that no inventory names, to see what a head group matches.
_PROBES = (*KNOWN_LABELS, "\x00")

# What each built-in class matches, in the text made of `Child.item`s.
BUILT_IN_CLASSES = {
    "TAG": r"t:(?!CC )[^ ]* ",
    "CONJ": r"t:CC ",
    "NT": r"n:(?!(?:CONJP|NML) )[^ ]* ",
    "ANY": r"[nt]:[^ ]* ",
    # Discourse units are written relation/nuclearity.
    "NUCLEUS": r"[nt]:[^ ]*/N ",
    "SATELLITE": r"[nt]:[^ ]*/S ",
}


@dataclass(frozen=True)
class Example:
    """A production that a pattern must (or must not) match."""

    line: int
    is_positive: bool
    parent: str
    children: tuple[str, ...]


@dataclass(frozen=True)
class Pattern:
    """One named construction of one nonterminal."""

    name: str
    nonterminal: str
    source: str  # as written
    expression: str  # as compiled
    head_items: tuple[str, ...]  # the expressions of what may be the head
    line: int
    comment: str = ""
    examples: tuple[Example, ...] = ()

    @cached_property
    def _compiled(self) -> regex.Pattern[str]:
        return regex.compile(self.expression, regex.V1)

    @cached_property
    def is_recursive(self) -> bool:
        """Whether the head child has the node's own nonterminal."""
        return self._may_head(Child(self.nonterminal, is_leaf=False))

    @cached_property
    def is_mixed(self) -> bool:
        """Whether some heads are of the node's own nonterminal and some are not."""
        probes = {Child(label, leaf) for label in _PROBES for leaf in (True, False)}
        probes.discard(Child(self.nonterminal, is_leaf=False))
        return self.is_recursive and any(self._may_head(child) for child in probes)

    def _may_head(self, child: Child) -> bool:
        return any(regex.fullmatch(item, child.item) for item in self.head_items)

    def head_of(self, children: Sequence[Child]) -> int | None:
        """Which child is the head, or None if the pattern does not match."""
        return self.head_in(as_text(children))

    def head_in(self, text: str) -> int | None:
        """The same, of children as the text that patterns are matched against."""
        found = self._compiled.fullmatch(text)
        return None if found is None else text.count(" ", 0, found.start("head"))


@dataclass(frozen=True)
class Inventory:
    """The patterns of a language or a treebank, by nonterminal."""

    name: str
    text: str
    patterns: tuple[Pattern, ...]
    source: str = "<text>"
    by_nonterminal: dict[str, list[Pattern]] = field(default_factory=dict)

    @property
    def hash(self) -> str:
        """Eight digits that change with the patterns, for the signature."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:8]

    @property
    def nonterminals(self) -> list[str]:
        return list(self.by_nonterminal)

    def matches(
        self, parent: str, children: Sequence[Child]
    ) -> list[tuple[Pattern, int]]:
        """The patterns that match a production, each with its head child.

        In a good inventory that is at most one.
        """
        found = []
        text = as_text(children)
        for pattern in self.by_nonterminal.get(parent, ()):
            head = pattern.head_in(text)
            if head is not None:
                found.append((pattern, head))
        return found

    def children(self, labels: Sequence[str]) -> list[Child]:
        """Children from labels alone: what the inventory has patterns for, or
        mentions as a phrase, is a phrase; all else is a tag."""
        phrases = {*self.by_nonterminal, *PHRASE_LABELS}
        return [Child(label, label not in phrases) for label in labels]

    def failed_examples(self) -> Iterator[tuple[Pattern, Example]]:
        """Examples that do not hold."""
        for pattern in self.patterns:
            for example in pattern.examples:
                if example.parent != pattern.nonterminal:
                    continue
                head = pattern.head_of(self.children(example.children))
                if (head is not None) != example.is_positive:
                    yield pattern, example
