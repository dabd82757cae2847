"""Derivation trees and their scores, slowly, straight from the definitions.

The twin of `analyzer.score`, after DESIGN section 2 and Kulick et al. (2014): node
objects and recursion, one `Counter` a score. It shares the reader and the pattern
language with the program, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from analyzer.constructions.inventory import Child, Inventory, Mark
from analyzer.model.tree import Node as View
from analyzer.model.tree import Tree

# COLLINS.prm: such a tag goes with its word, such a phrase leaves its children.
DELETED = {"TOP", "-NONE-", ",", ":", "``", "''", "."}
WRAPPERS = {"ROOT", "S1", "VROOT", "PSEUDO", ""}
EQUAL = {"PRT": "ADVP"}  # evalb's EQ_LABEL
ROOT = "ROOT"
PUNCTUATION = {
    "``",
    "''",
    *[".", ",", ":", "-LRB-", "-RRB-", "HYPH", "SYM", "NFP", "LS", "$", "#", "POS"],
}


@dataclass(eq=False)
class Node:
    """A word (with its place and form) or a phrase (with its children)."""

    label: str
    form: str | None = None
    children: list[Node] = field(default_factory=list)
    parent: Node | None = None
    place: int = -1  # of a word, among the words that are left
    construction: str = ""
    is_recursive: bool = False
    is_covered: bool = False
    head_child: Node | None = None
    marks: tuple[Mark, ...] = ()  # commas right below a phrase, between its children

    @property
    def is_word(self) -> bool:
        return self.form is not None

    def words(self) -> Iterator[Node]:
        if self.is_word:
            yield self
        for child in self.children:
            yield from child.words()

    def phrases(self) -> Iterator[Node]:
        if not self.is_word:
            yield self
        for child in self.children:
            yield from child.phrases()

    @property
    def first(self) -> int:
        return next(self.words()).place

    @property
    def last(self) -> int:
        return [*self.words()][-1].place

    @property
    def head(self) -> Node:
        """The word at the end of the line of head children."""
        return self if self.head_child is None else self.head_child.head


# -- 1. normalise ------------------------------------------------------------------


def cut(label: str) -> str:
    """A phrase label without function tags and indices."""
    return label.split("-")[0].split("=")[0]


COMMA = Node(",", form=",")  # stands where a comma was deleted


def normalised(view: View) -> list[Node]:
    """What is left of a node: nothing, itself, or (its label deleted) its children.

    A comma goes to the phrase that it stands right below, once others are deleted.
    """
    if view.is_leaf and view.label == ",":
        return [COMMA]
    if view.is_leaf:
        return [] if view.label in DELETED else [Node(view.label, form=view.form or "")]
    found = [node for child in view.children for node in normalised(child)]
    children = [node for node in found if node is not COMMA]
    label = cut(view.label)
    if not children or label in DELETED | WRAPPERS:
        return found
    places = [at for at, node in enumerate(found) if node is COMMA]
    marks = tuple(Mark(at - before, ",") for before, at in enumerate(places))
    return [Node(label, children=children, marks=marks)]


Bracket = tuple[str, int, int]  # label, first word, the word after the last


def wrappers_of(tree: Tree) -> list[Bracket]:
    """The brackets that evalb counts although they have no construction."""
    found: list[Bracket] = []
    words = 0

    def walk(view: View) -> None:
        nonlocal words
        if view.is_leaf:
            words += view.label not in DELETED
            return
        first = words
        for child in view.children:
            walk(child)
        if cut(view.label) in WRAPPERS and words > first:
            found.append((cut(view.label), first, words))

    for root in tree.roots:
        walk(root)
    return found


def sentence(tree: Tree) -> list[Node]:
    """The normalised roots of a tree, parents and places filled in."""
    found = [node for root in tree.roots for node in normalised(root)]
    roots = [node for node in found if node is not COMMA]
    for place, word in enumerate(words_of(roots)):
        word.place = place
    for phrase in phrases_of(roots):
        for child in phrase.children:
            child.parent = phrase
    return roots


def words_of(roots: list[Node]) -> list[Node]:
    return [word for root in roots for word in root.words()]


def phrases_of(roots: list[Node]) -> list[Node]:
    return [phrase for root in roots for phrase in root.phrases()]


# -- 2. label ------------------------------------------------------------------------


def default_head(phrase: Node) -> Node:
    """The head of a phrase that no pattern covers."""
    same = [c for c in phrase.children if not c.is_word and c.label == phrase.label]
    verbs = [c for c in phrase.children if not c.is_word and c.label == "VP"]
    tags = [c for c in phrase.children if c.is_word and c.label != "CC"]
    words = [c for c in tags if c.label not in PUNCTUATION]
    return (same[:1] or verbs[-1:] or words[-1:] or tags[-1:] or phrase.children[-1:])[
        0
    ]


def label_sentence(
    roots: list[Node], inventory: Inventory, matches: Any, merge: Mapping[str, str]
) -> None:
    """Name every phrase; `merge` gives each folded construction its new name."""
    recursive = {p.name for p in inventory.patterns if p.is_recursive}
    for phrase in phrases_of(roots):
        production = tuple(Child(c.label, c.is_word) for c in phrase.children)
        found = matches(phrase.label, production, phrase.marks)
        if found:
            pattern, at = found[0]
            phrase.construction = pattern.name
            phrase.head_child = phrase.children[at]
            phrase.is_covered = True
        else:
            phrase.construction = f"{phrase.label}-t"
            phrase.head_child = default_head(phrase)
        phrase.construction = merge.get(phrase.construction, phrase.construction)
        phrase.is_recursive = phrase.construction in recursive


# -- 3. and 4. spines and attachments --------------------------------------------------


class Instance(NamedTuple):
    """A construction that a word projects: a row of the table that is scored."""

    sentence: int
    head: int
    construction: str
    first: int
    last: int
    attachment: int | str | None  # a word, ROOT, or null
    is_recursive: bool
    label: str
    is_covered: bool


def spines(roots: list[Node]) -> dict[int, list[Node]]:
    """Of each word, the phrases it heads, bottom up."""
    found: dict[int, list[Node]] = {word.place: [] for word in words_of(roots)}
    for phrase in reversed(phrases_of(roots)):  # children come before parents
        found[phrase.head.place].append(phrase)
    return found


def attachment_of(spine: list[Node]) -> int | str:
    """The word to whose spine the top of this spine attaches."""
    above = spine[-1].parent
    return ROOT if above is None else above.head.place


def instances(number: int, roots: list[Node]) -> Iterator[Instance]:
    for head, spine in spines(roots).items():
        plain = [phrase for phrase in spine if not phrase.is_recursive]
        for phrase in spine:
            is_bearer = bool(plain) and phrase is plain[-1]
            yield Instance(
                number,
                head,
                phrase.construction,
                phrase.first,
                phrase.last,
                attachment_of(spine) if is_bearer else None,
                phrase.is_recursive,
                EQUAL.get(phrase.label, phrase.label),
                phrase.is_covered,
            )


# -- 5. and 6. scores ------------------------------------------------------------------


class Row(NamedTuple):
    """The counts of one construction."""

    gold: int
    parsed: int
    matched_h: int
    matched_s: int
    matched_att: int | None
    matched_span_right: int
    matched_span_left: int


class Scores(NamedTuple):
    rows: dict[str, Row]
    evalb: tuple[int, int, int]  # gold, parsed, matched
    reconciliation: tuple[int, int, int, int]
    coverage: dict[str, tuple[int, int]]  # brackets, covered
    sentences: int  # how many were compared

    @property
    def total(self) -> Row:
        columns = [*zip(*self.rows.values(), strict=True)] or [()] * 7
        return Row(*(sum(value or 0 for value in column) for column in columns))


Key = Callable[[Instance], Any]


def by_head(row: Instance) -> Any:
    return row.sentence, row.head, row.construction


def by_bracket(row: Instance) -> Any:
    """evalb's key."""
    return row.sentence, row.label, row.first, row.last


KEYS: dict[str, Key] = {
    "h": by_head,
    "s": lambda row: (*by_head(row), row.first, row.last),
    "att": lambda row: (*by_head(row), row.attachment),
    "right": lambda row: (*by_head(row), row.last),
    "left": lambda row: (*by_head(row), row.first),
}


def matched(gold: Iterable[Instance], parsed: Iterable[Instance], key: Key) -> int:
    return (Counter(map(key, gold)) & Counter(map(key, parsed))).total()


class Derived(NamedTuple):
    """A sentence: its words, the table of constructions, and its wrappers."""

    words: list[str]
    rows: list[Instance]
    wrappers: list[Bracket]


Side = list[Derived]


def derive_all(
    trees: Iterable[Tree],
    inventory: Inventory,
    merge: Mapping[str, str] | None = None,
    matches: Any = None,
) -> Side:
    """Each sentence: what is left of it, and its constructions.

    `matches` may be a remembered `inventory.matches`.
    """
    found = []
    for number, tree in enumerate(trees):
        roots = sentence(tree)
        label_sentence(roots, inventory, matches or inventory.matches, merge or {})
        words = [word.form or "" for word in words_of(roots)]
        rows = [*instances(number, roots)]
        found.append(Derived(words, rows, wrappers_of(tree)))
    return found


def naive_score(
    gold: Iterable[Tree],
    parsed: Iterable[Tree],
    inventory: Inventory,
    merge: Mapping[str, str] | None = None,
) -> Scores:
    """Everything that `spinal score` counts."""
    matches = cache(inventory.matches)
    sides = [derive_all(side, inventory, merge, matches) for side in (gold, parsed)]
    return compare(*sides)


def compare(gold_side: Side, parsed_side: Side) -> Scores:
    """The scores of the sentences that have the same words on both sides."""
    gold: list[Instance] = []
    parsed: list[Instance] = []
    compared = 0
    wrappers = [0, 0, 0]  # in gold, in parsed, in both
    for ours, theirs in zip(gold_side, parsed_side, strict=False):
        if theirs.words and ours.words == theirs.words:
            compared += 1
            gold += ours.rows
            parsed += theirs.rows
            both = Counter(ours.wrappers) & Counter(theirs.wrappers)
            wrappers[0] += len(ours.wrappers)
            wrappers[1] += len(theirs.wrappers)
            wrappers[2] += both.total()
    gold_rows, parsed_rows = by_construction(gold), by_construction(parsed)
    brackets = matched(gold, parsed, by_bracket)
    same_head = matched(gold, parsed, lambda row: (*by_bracket(row), row.head))
    same_construction = matched(
        gold, parsed, lambda row: (*by_bracket(row), row.head, row.construction)
    )
    return Scores(
        {
            name: row_of(gold_rows.get(name, []), parsed_rows.get(name, []))
            for name in {*gold_rows, *parsed_rows}
        },
        (
            len(gold) + wrappers[0],
            len(parsed) + wrappers[1],
            brackets + wrappers[2],
        ),
        (
            same_construction,
            same_head - same_construction,
            brackets - same_head,
            wrappers[2],
        ),
        {
            "gold": (len(gold), sum(row.is_covered for row in gold)),
            "parsed": (len(parsed), sum(row.is_covered for row in parsed)),
        },
        compared,
    )


def by_construction(rows: list[Instance]) -> dict[str, list[Instance]]:
    found: dict[str, list[Instance]] = {}
    for row in rows:
        found.setdefault(row.construction, []).append(row)
    return found


def row_of(gold: list[Instance], parsed: list[Instance]) -> Row:
    """The counts of one construction from its instances."""
    counts = {name: matched(gold, parsed, key) for name, key in KEYS.items()}
    is_recursive = (gold or parsed)[0].is_recursive
    return Row(
        len(gold),
        len(parsed),
        counts["h"],
        counts["s"],
        None if is_recursive else counts["att"],
        counts["right"],
        counts["left"],
    )
