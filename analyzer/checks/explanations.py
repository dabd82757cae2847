"""What a construction is: its pattern in words, an example, counts in a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple, Unpack

import numpy as np

from analyzer.checks.inventory import DeriverOptions, usage_of
from analyzer.checks.word_stream import read_banks
from analyzer.constructions.inventory import Inventory, Pattern, as_text
from analyzer.constructions.language import comment_above
from analyzer.derivation.columns import Derivation
from analyzer.derivation.syntax import SyntaxDeriver, syntax_deriver
from analyzer.exceptions import Place, SettingsError
from analyzer.formats.reading import Trees
from analyzer.metrics.ratios import ratio
from analyzer.model.tree import Tree
from analyzer.model.treebank import Treebank, TreebankBuilder
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import SENTENCE, Ledger, of_one_side
from analyzer.pairing.words import Side, align
from analyzer.transform.labels import LabelSet
from grammars import load

_MOST_PRODUCTIONS = 5  # of a treebank, that are shown
_BEST_LENGTH, _LONGEST = 5, 12  # of examples, in words
_BUILT_IN = ("TAG", "CONJ", "NT", "ANY")


class PhraseExample(NamedTuple):
    """A phrase as it is scored, and the way down to its head."""

    tree: Tree
    marks: list[int]  # the nodes of that way
    head: int  # which word
    place: Place | None = None  # None: a bare production, `…` for words


class ClassMeaning(NamedTuple):
    """A class or a mark that a pattern names."""

    name: str
    members: str  # as written
    comment: str


@dataclass(frozen=True)
class ConstructionExplanation:
    """A construction: what its pattern says, an example, and how often it occurs."""

    inventory: Inventory
    pattern: Pattern
    words: str  # the pattern in words
    classes: list[ClassMeaning]
    example: PhraseExample
    ledger: Ledger | None = None  # of the treebank, if one is given
    count: int = 0
    brackets: int = 0  # of all constructions
    productions: list[tuple[str, int]] = field(default_factory=list)  # most frequent

    @property
    def same_pattern(self) -> list[str]:
        """Other constructions that share its pattern."""
        line = self.pattern.expression, self.pattern.source
        patterns = self.inventory.patterns
        return [
            other.name
            for other in patterns
            if (other.expression, other.source) == line and other is not self.pattern
        ]

    @property
    def share(self) -> float | None:
        """Of all brackets of the treebank; None without one."""
        return ratio(self.count, self.brackets)

    def examples(self, *, positive: bool) -> list[str]:
        """Productions that the pattern must match, or must not."""
        return [
            f"{example.parent} -> {' '.join(example.children)}"
            for example in self.pattern.examples
            if example.is_positive == positive
            and example.parent == self.pattern.nonterminal
        ]


def explain_construction(
    name: str,
    *treebanks: Trees,
    encoding: str = "utf-8",
    strict: bool = False,
    **options: Unpack[DeriverOptions],
) -> ConstructionExplanation:
    """What a construction is, and how often it occurs in treebanks.

    Without any, or if they do not have it, its example is the first production that
    its pattern must match.

    >>> explain_construction("NP-modr").words
    'the head: NP, then any number of TAIL'
    """
    deriver = syntax_deriver(**options)
    inventory = deriver.inventory
    pattern = next((item for item in inventory.patterns if item.name == name), None)
    if pattern is None:
        names = [item.name for item in inventory.patterns]
        near = get_close_matches(name, names, n=5, cutoff=0.5) or names[:5]
        raise SettingsError(
            "E644 no construction", name=name, inventory=inventory.name, near=near
        )
    reader = _PatternReader(inventory)
    words, classes = reader.in_words(pattern), reader.classes(pattern)
    example = production_example(inventory, pattern)
    explained = inventory, pattern, words, classes
    if not treebanks:
        return ConstructionExplanation(*explained, example)
    labels = inventory.labels
    banks = list(read_banks(treebanks, labels, encoding=encoding, strict=strict))
    usage = usage_of(banks, deriver)
    examples = best_examples(banks, deriver, only=name)
    counts: Counter[str] = Counter()
    for number, times in usage.productions.items():
        production = deriver.labeller.productions[number]
        if production.matches and production.construction == name:
            counts[str(production)] += times
    return ConstructionExplanation(
        *explained,
        examples.get(name, example),
        of_one_side(SENTENCE, usage.trees, usage.unread),
        usage.constructions[name],
        usage.brackets,
        counts.most_common(_MOST_PRODUCTIONS),
    )


# -- a pattern in words ----------------------------------------------------------------


class _PatternReader:
    """Says what patterns of an inventory mean."""

    def __init__(self, inventory: Inventory) -> None:
        self._labels = inventory.labels
        self._definitions: dict[str, tuple[ClassMeaning, Any]] = {}
        self._marks = set()
        text = inventory.text
        parsed: Any = load("patterns").parse(text)
        for statement in parsed.iter_subtrees():
            if statement.data not in ("class_definition", "mark_definition"):
                continue
            token, name, _, *parts = statement.children
            last = max(t.end_pos for t in statement.scan_values(_is_token))
            _, _, members = text[token.start_pos : last].partition("=")
            comment = comment_above(text, token.line)
            meaning = ClassMeaning(str(name), " ".join(members.split()), comment)
            self._definitions[str(name)] = meaning, parts
            if statement.data == "mark_definition":
                self._marks.add(str(name))

    def in_words(self, pattern: Pattern) -> str:
        """What the pattern says, from the first child to the last."""
        return self._alternatives(_body(pattern))

    def classes(self, pattern: Pattern) -> list[ClassMeaning]:
        """The classes and marks that it names, and those that these are made of."""
        known: dict[str, ClassMeaning] = {}
        self._collect([_body(pattern)], known)
        return list(known.values())

    def _collect(self, trees: Iterable[Any], known: dict[str, ClassMeaning]) -> None:
        names = [
            str(token)
            for tree in trees
            if hasattr(tree, "scan_values")
            for token in tree.scan_values(_is_token)
        ]
        for name in dict.fromkeys(names):
            if name in known:
                continue
            if name in self._definitions:
                meaning, parts = self._definitions[name]
                known[name] = meaning
                self._collect(parts, known)
            elif name in _BUILT_IN:
                known[name] = ClassMeaning(name, _built_in(name, self._labels), "")

    def _alternatives(self, tree: Any) -> str:
        sequences = [part.children for part in tree.children if _is_tree(part)]
        texts = list(map(self._sequence, sequences))
        if len(texts) > 1 and any(len(pieces) > 1 for pieces in sequences):
            return "either " + ", or ".join(f"({text})" for text in texts)
        return " or ".join(texts)

    def _sequence(self, pieces: Iterable[Any]) -> str:
        text = ""
        for piece in pieces:
            is_place = getattr(piece, "data", "") == "lookahead"
            text += (" " if is_place else ", then ") if text else ""
            text += self._piece(piece)
        return text

    def _piece(self, piece: Any) -> str:
        kind = getattr(piece, "data", "label")
        if kind == "repeated":
            inner, quantifier = piece.children
            times, repeated = str(quantifier), self._piece(inner)
            if repeated == "any child" and times in "*+":
                return "any children" if times == "*" else "one or more children"
            often = _OFTEN.get(times) or f"{times.strip('{}').replace(',', ' to ')} of"
            return f"{often} {repeated}"
        children = piece.children if _is_tree(piece) else ()
        inside = next(filter(_is_tree, children), None)
        if kind == "group":
            return f"[{self._alternatives(inside)}]"
        if kind == "head":
            return f"the head: {self._alternatives(inside)}"
        if kind == "lookahead":
            text = self._alternatives(inside)
            is_negative = "!" in str(piece.children[0])
            if is_negative and text == "any child":
                return "at the end"
            return f"{'not before' if is_negative else 'before'} [{text}]"
        name = str(piece.children[0] if _is_tree(piece) else piece)
        if name in self._marks:
            return f"a {name}"
        return "any child" if name == "ANY" or name.startswith("[") else name.strip("'")


_OFTEN = {"*": "any number of", "+": "one or more of", "?": "optionally"}


def _built_in(name: str, labels: LabelSet) -> str:
    conjunctions = " or ".join(sorted(labels.conjunction))
    return {
        "TAG": f"any tag but {conjunctions}",
        "CONJ": conjunctions,
        "NT": f"any phrase but {' or '.join(sorted(labels.special))}",
        "ANY": "any child",
    }[name]


def _body(pattern: Pattern) -> Any:
    """The expression of a pattern, parsed."""
    tree: Any = load("patterns").parse(f"{pattern.name}: {pattern.source}")
    return next(
        node for node in tree.iter_subtrees_topdown() if node.data == "alternatives"
    )


def _is_tree(value: Any) -> bool:
    return hasattr(value, "data")


def _is_token(value: Any) -> bool:
    return hasattr(value, "end_pos")


# -- examples --------------------------------------------------------------------------


class _Derived(NamedTuple):
    """A treebank, its derivation, and the words that are compared."""

    bank: Treebank
    derivation: Derivation
    side: Side


def best_examples(
    banks: Iterable[Treebank], deriver: SyntaxDeriver, only: str | None = None
) -> dict[str, PhraseExample]:
    """For each construction of treebanks, its most legible phrase: one of some five
    words, the first of those."""
    best: dict[str, tuple[tuple[int, int, int], _Derived]] = {}
    for number, bank in enumerate(banks):
        side = align(Pair(bank, bank, 1), deriver.tables).gold
        derivation = deriver.derive(side)
        derived = _Derived(bank, derivation, side)
        wanted = derivation.is_covered
        if only is not None:
            wanted = wanted & (
                derivation.construction == deriver.constructions.find(only)
            )
        lengths = derivation.last - derivation.first
        for at in np.flatnonzero(wanted & (lengths <= _LONGEST)).tolist():
            name = deriver.constructions[int(derivation.construction[at])]
            rank = (abs(int(lengths[at]) - _BEST_LENGTH), number, at)
            if name not in best or rank < best[name][0]:
                best[name] = (rank, derived)
    labels = deriver.inventory.labels
    return {
        name: _phrase(derived, at, labels)
        for name, ((_, _, at), derived) in best.items()
    }


def _phrase(derived: _Derived, at: int, labels: LabelSet) -> PhraseExample:
    """A phrase as it is scored; the way down to its head is marked."""
    bank, derivation, side = derived
    first, last = int(derivation.first[at]), int(derivation.last[at])
    head = int(derivation.head[at])
    tree = int(np.searchsorted(derivation.starts, at, side="right")) - 1
    stop = int(derivation.starts[tree + 1])
    # Rows are in document order, so those of the phrase follow its own.
    inside = [row for row in range(at, stop) if derivation.first[row] < last]
    builder = TreebankBuilder("example")
    marks: list[int] = []
    ends: list[int] = []
    nodes = 0
    for word in range(first, last):
        while inside and derivation.first[inside[0]] == word:
            row = inside.pop(0)
            builder.open(labels.bare_phrase(bank.label_name(int(derivation.row[row]))))
            ends.append(int(derivation.last[row]))
            marks += [nodes] if derivation.head[row] == head else []
            nodes += 1
        leaf = int(side.word_leaves[word])
        builder.leaf(bank.label_name(int(bank.leaf_node[leaf])), bank.form(leaf))
        marks += [nodes] if word == head else []
        nodes += 1
        while ends and ends[-1] == word + 1:
            builder.close()
            ends.pop()
    builder.end_tree(line=1)
    place = Place(bank.source, int(bank.line[tree]))
    return PhraseExample(builder.finish()[0], marks, head - first, place)


def production_example(inventory: Inventory, pattern: Pattern) -> PhraseExample:
    """The first production that a pattern must match; if it names none, one child."""
    wanted = [
        example.children
        for example in pattern.examples
        if example.is_positive and example.parent == pattern.nonterminal
    ]
    labels, head = next(_heads(inventory, pattern, wanted), (["…"], 0))
    builder = TreebankBuilder("production")
    builder.open(pattern.nonterminal)
    for child in labels:
        builder.leaf(child, "…")
    builder.close()
    builder.end_tree(line=1)
    return PhraseExample(builder.finish()[0], [0, 1 + head], head)


def _heads(
    inventory: Inventory, pattern: Pattern, productions: Iterable[tuple[str, ...]]
) -> Iterator[tuple[list[str], int]]:
    """Children that the pattern matches, marks left out, and which is the head."""
    for given in productions:
        labels, marks = inventory.apart(given)
        marks = marks if pattern.sees_marks else ()
        for children in inventory.readings(labels):
            head = pattern.head_in(as_text(children, marks, inventory.marks))
            if head is not None:
                yield labels, head
