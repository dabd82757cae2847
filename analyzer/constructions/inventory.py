"""Pattern inventories: regular expressions over children that name constructions.

A child is written as its label (`NP`, `'PRP$'`) or as its class: `TAG` any
preterminal but conjunctions, `CONJ` a conjunction, `NT` any nonterminal but those that
stand for themselves, `ANY` any child; an inventory may define more. Which labels these
are, its label set says (transform/labels.py). Exactly one group is the `head:`. See
docs/patterns.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import NamedTuple

import regex

from analyzer.safe_text import counted
from analyzer.transform.labels import DEFAULT_LABELS, LabelSet, default_labels

_LABELS_LINE = rf"(?m)^[ \t]*labels[ \t]+{DEFAULT_LABELS}[ \t]*(?:\r?\n|$)"
SIMPLE_CASE = "t"  # the suffix under which uncovered nodes are scored


class Child(NamedTuple):
    """A child as patterns see it."""

    label: str
    is_leaf: bool

    @property
    def item(self) -> str:
        """Its place in the text that patterns are matched against."""
        return f"{'t' if self.is_leaf else 'n'}:{self.label} "


class Mark(NamedTuple):
    """Punctuation between the children of a node, which only some patterns see."""

    position: int  # so many children stand before it
    tag: str


# In the text that patterns are matched against, a mark is one of these characters, in
# the order of `Inventory.marks`; it stands after the blank of the child before it.
_FIRST_MARK, _LAST_MARK = 0xE000, 0xF8FF  # Unicode gives these no meaning
ANY_MARKS = f"[{chr(_FIRST_MARK)}-{chr(_LAST_MARK)}]*"


def mark_character(number: int) -> str:
    """What stands for a kind of mark in the text that patterns are matched against."""
    return chr(_FIRST_MARK + number)


def as_text(
    children: Sequence[Child], marks: Sequence[Mark] = (), known: Sequence[str] = ()
) -> str:
    """The text that patterns are matched against; with marks, for those that see them.

    `known` are the tags of marks that the inventory names.
    """
    items = [child.item for child in children]
    return marked_text(items, marks, known) if marks else "".join(items)


def marked_text(items: list[str], marks: Sequence[Mark], known: Sequence[str]) -> str:
    """The text of some children with the marks between them."""
    parts = ["", *items]
    for mark in marks:
        parts[mark.position] += mark_character(known.index(mark.tag))
    return "".join(parts)


# Labels of an example that nothing is known of and that are read both ways.
_MOST_STRANGE = 6
# One that no label set names, to see what a head group matches.
_STRANGE = "\x00"


def built_in_classes(labels: LabelSet) -> dict[str, str]:
    """What each class that needs no definition matches, among `Child.item`s."""
    conjunction, special = _one_of(labels.conjunction), _one_of(labels.special)
    return {
        "TAG": rf"t:(?!{conjunction} )[^ ]* ",
        "CONJ": rf"t:{conjunction} ",
        "NT": rf"n:(?!{special} )[^ ]* ",
        "ANY": r"[nt]:[^ ]* ",
        # Discourse units are written relation/nuclearity.
        "NUCLEUS": r"[nt]:[^ ]*/N ",
        "SATELLITE": r"[nt]:[^ ]*/S ",
    }


def _one_of(labels: frozenset[str]) -> str:
    """An expression for any of the labels; for none, one that never matches."""
    escaped = "|".join(regex.escape(label) for label in sorted(labels))
    return f"(?:{escaped})" if labels else "(?!)"


class Example(NamedTuple):
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
    sees_marks: bool = False  # whether it names punctuation
    examples: tuple[Example, ...] = ()

    @cached_property
    def compiled(self) -> regex.Pattern[str]:
        """The expression, ready to match."""
        return regex.compile(self.expression, regex.V1)

    @cached_property
    def is_recursive(self) -> bool:
        """Whether the head child has the node's own nonterminal."""
        return self._may_head(Child(self.nonterminal, is_leaf=False))

    def is_mixed(self, labels: LabelSet) -> bool:
        """Whether some heads are of the node's own nonterminal and some are not."""
        names = (*labels.known, _STRANGE)
        probes = {Child(label, leaf) for label in names for leaf in (True, False)}
        probes.discard(Child(self.nonterminal, is_leaf=False))
        return self.is_recursive and any(self._may_head(child) for child in probes)

    def _may_head(self, child: Child) -> bool:
        return any(regex.fullmatch(item, child.item) for item in self.head_items)

    def head_in(self, text: str) -> int | None:
        """Which child is the head, of children as `as_text` writes them."""
        match = self.compiled.fullmatch(text)
        return None if match is None else text.count(" ", 0, match.start("head"))


@dataclass(frozen=True, eq=False)
class Inventory:
    """The patterns of a language or a treebank, by nonterminal."""

    name: str
    text: str
    patterns: tuple[Pattern, ...]
    source: str = "<text>"
    labels: LabelSet = field(default_factory=default_labels)
    is_built_in: bool = False
    marks: tuple[str, ...] = ()  # tags of punctuation that patterns name

    def __repr__(self) -> str:
        return f"<Inventory {self.name}: {counted(len(self.patterns), 'pattern')}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Inventory) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @cached_property
    def hash(self) -> str:
        """Eight digits that change with the patterns, for the signature.

        `labels penn` is what is meant without it, so it does not count.
        """
        import hashlib

        text = regex.sub(_LABELS_LINE, "", self.text, count=1)
        if not self.labels.is_default:
            text += self.labels.text
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    @property
    def identity(self) -> tuple[object, ...]:
        """What determines the names of constructions, to distinguish inventories."""
        return self.name, self.text, self.labels.text

    @cached_property
    def by_nonterminal(self) -> dict[str, list[Pattern]]:
        """The patterns of each nonterminal, in order."""
        patterns: dict[str, list[Pattern]] = {}
        for pattern in self.patterns:
            patterns.setdefault(pattern.nonterminal, []).append(pattern)
        return patterns

    @property
    def nonterminals(self) -> list[str]:
        return list(self.by_nonterminal)

    @cached_property
    def seeing(self) -> frozenset[str]:
        """The nonterminals that have patterns which see punctuation."""
        return frozenset(
            pattern.nonterminal for pattern in self.patterns if pattern.sees_marks
        )

    def matches(
        self, parent: str, children: Sequence[Child], marks: Sequence[Mark] = ()
    ) -> list[tuple[Pattern, int]]:
        """The patterns that match a production, each with its head child.

        In a good inventory that is at most one.
        """
        marked = as_text(children, marks, self.marks)
        return list(self.matches_in(parent, as_text(children), marked))

    def matches_in(
        self, parent: str, text: str, marked: str | None = None
    ) -> Iterator[tuple[Pattern, int]]:
        """The `matches` one by one, of children as `as_text` writes them.

        `marked` is the text with marks, for the patterns that see them.
        """
        for pattern in self.by_nonterminal.get(parent, ()):
            head = pattern.head_in(marked if marked and pattern.sees_marks else text)
            if head is not None:
                yield pattern, head

    def apart(self, labels: Sequence[str]) -> tuple[list[str], tuple[Mark, ...]]:
        """Labels of children, and the marks among them."""
        children: list[str] = []
        marks = []
        for label in labels:
            if label in self.marks:
                marks.append(Mark(len(children), label))
            else:
                children.append(label)
        return children, tuple(marks)

    def children(self, labels: Sequence[str]) -> list[Child]:
        """Children from labels alone, function tags and all: what the inventory has
        patterns for, or its label set lists as a phrase, is a phrase; all else is a
        tag."""
        phrases = {*self.by_nonterminal, *self.labels.phrase}
        tags = self.labels.tag
        children = []
        for label in labels:
            bare, tag = self.labels.bare_phrase(label), self.labels.bare_tag(label)
            is_phrase = bare in phrases and tag not in tags
            if not is_phrase and bare in tags:
                tag = bare
            children.append(Child(bare if is_phrase else tag, not is_phrase))
        return children

    def readings(self, labels: Sequence[str]) -> Iterator[list[Child]]:
        """The possible meanings of labels: unknown labels may be phrases or tags, each
        the same in all places."""
        children = self.children(labels)
        known = {*self.by_nonterminal, *self.labels.known, *self.labels.conjunction}
        strange = sorted({child.label for child in children} - known)[:_MOST_STRANGE]
        for choice in product((True, False), repeat=len(strange)):
            is_leaf = dict(zip(strange, choice, strict=True))
            yield [
                Child(child.label, is_leaf.get(child.label, child.is_leaf))
                for child in children
            ]

    def default_head(self, parent: str, children: Sequence[Child]) -> int:
        """The head of a production that no pattern matches, by the label set's rules.

        >>> from analyzer.constructions.language import load_inventory
        >>> np_, cc = Child("NP", False), Child("CC", True)
        >>> load_inventory("english").default_head("NP", [np_, cc, np_])
        0
        """
        for side, what in self.labels.head:
            are = [self._is_a(child, what, parent) for child in children]
            places = [at for at, is_one in enumerate(are) if is_one]
            if places:
                return places[0] if side == "first" else places[-1]
        return len(children) - 1

    def _is_a(self, child: Child, what: str, parent: str) -> bool:
        if what == "same":
            return child == Child(parent, is_leaf=False)
        if what in ("tag", "word"):
            others = self.labels.conjunction
            others |= self.labels.punctuation if what == "word" else frozenset()
            return child.is_leaf and child.label not in others
        return what == "any" or (not child.is_leaf and what in ("phrase", child.label))

    def failed_examples(self) -> Iterator[tuple[Pattern, Example]]:
        """Examples that do not hold."""
        for pattern in self.patterns:
            for example in pattern.examples:
                if example.parent != pattern.nonterminal:
                    continue
                labels, marks = self.apart(example.children)
                marks = marks if pattern.sees_marks else ()
                matched = [
                    pattern.head_in(as_text(children, marks, self.marks)) is not None
                    for children in self.readings(labels)
                ]
                if example.is_positive not in matched:
                    yield pattern, example
