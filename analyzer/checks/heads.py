"""Are the heads right? Those of derivations beside dependencies of the same sentences.

A constituent has a head in both if it has two or more words and more than one child,
and exactly one of its words has its governor outside: that word is the dependencies'
head.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

import patterns as shipped
from analyzer.checks.inventory import DeriverOptions, deriver_keywords
from analyzer.checks.word_stream import read_banks
from analyzer.constructions.inventory import Child, Inventory
from analyzer.constructions.labeller import Labeller
from analyzer.derivation.columns import Derivation
from analyzer.derivation.syntax import SyntaxDeriver, syntax_deriver
from analyzer.exceptions import PairingError, Place
from analyzer.formats.reading import Trees
from analyzer.formats.word_dependencies import (
    NO_GOVERNOR,
    Dependencies,
    DependencySource,
    DependentWord,
    open_dependencies,
)
from analyzer.metrics.ratios import ratio
from analyzer.model.arrays import Ints, Shown, flags_at
from analyzer.model.treebank import Treebank
from analyzer.pairing.characters import aligned_by_characters
from analyzer.pairing.ledger import Ledger
from analyzer.pairing.same_text import pairs_by_text
from analyzer.pairing.texts import plain, plain_words
from analyzer.pairing.words import Side
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.labels import DEFAULT_LABELS

if TYPE_CHECKING:
    import pandas as pd

_ESCAPES = ("-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-")
_JOINED = re.compile("[_$]|-[LR][RSC]B-")
COLLINS = "collins"


class Convention(NamedTuple):
    """Where schemes choose another head of the same words: `relations` lead from the
    one that constituents tend to have up to the one of Universal Dependencies."""

    name: str
    relations: frozenset[str]  # those without a subtype stand for all subtypes
    example: str  # our head in *asterisks*, theirs in _underscores_
    of: frozenset[str] = (
        frozenset()
    )  # what they must lead up to (UPOS); empty: anything


# The relations that may stand between our head and that of the dependencies; any other
# is a difference. docs/patterns.md has this table.
CONVENTIONS = (
    Convention("preposition", frozenset({"case"}), "*in* the _house_"),
    Convention("copula", frozenset({"cop"}), "she *is* _late_"),
    Convention("auxiliary", frozenset({"aux"}), "they *have* _left_"),
    Convention("complementiser", frozenset({"mark"}), "*that* it _rained_"),
    Convention("flat name", frozenset({"flat", "name"}), "_Jane_ *Smith*"),
    Convention("fixed expression", frozenset({"fixed", "mwe"}), "_as_ *well* as"),
    Convention("conjunction", frozenset({"cc"}), "*and* so _on_"),
    Convention(
        "free relative",
        frozenset({"acl:relcl", "advcl:relcl"}),
        "_what_ he *said*",
        frozenset({"PRON", "ADV", "DET"}),
    ),
    Convention("repair", frozenset({"reparandum"}), "he *has*, he _saw_"),
)
_CONVENTION_OF = {
    relation: convention
    for convention in CONVENTIONS
    for relation in convention.relations
}
SAME, OTHER = "same", "other"  # beside the names of conventions


# -- where dependencies stand in trees -------------------------------------------------


class WordsOfTree(NamedTuple):
    """The words of the dependencies that lie beside a tree, and the leaf of each."""

    words: Sequence[DependentWord]
    leaves: Sequence[int]  # of the treebank

    def head(self, first: int, last: int, kept: Sequence[bool]) -> int | None:
        """The only word of a span of leaves whose governor is outside of it.

        Words of leaves that are not kept, punctuation, are nobody's heads.
        """
        head = None
        for number, leaf in enumerate(self.leaves):
            if not first <= leaf < last or not kept[leaf]:
                continue
            governor = self.words[number].governor
            if governor != NO_GOVERNOR and first <= self.leaves[governor] < last:
                continue
            if head is not None:
                return None
            head = number
        return head

    def agreement(self, ours: int, theirs: int) -> str:
        """SAME, the name of a convention, or OTHER, of the leaf that is our head and
        the word that is the dependencies'."""
        if self.leaves[theirs] == ours:
            return SAME
        starts = [number for number, leaf in enumerate(self.leaves) if leaf == ours]
        names = (self._convention(word, theirs) for word in starts)
        return next((name for name in names if name != OTHER), OTHER)

    def _convention(self, word: int, theirs: int) -> str:
        """The last convention between a word and one above it; OTHER if there is more
        between them."""
        name = OTHER
        while word != theirs:
            relation, word = self.words[word].relation, self.words[word].governor
            bare = relation.partition(":")[0]
            convention = _CONVENTION_OF.get(relation) or _CONVENTION_OF.get(bare)
            if convention is None or word == NO_GOVERNOR:
                return OTHER
            if convention.of and self.words[word].part_of_speech not in convention.of:
                return OTHER
            name = convention.name
        return name


class Beside(NamedTuple):
    """A block of trees, what stands beside each (None: nothing), and who is missing."""

    side: Side
    words: list[WordsOfTree | None]
    ledger: Ledger


def trees_beside(
    banks: Sequence[Treebank], dependencies: Dependencies, tables: LabelTables
) -> Iterator[Beside]:
    """Trees with the dependencies of the same text, whatever the tokens of either."""
    sentence_at = {
        (bank.source, int(line)): words
        for bank, block in zip(dependencies.banks, dependencies.words, strict=True)
        for line, words in zip(bank.line.tolist(), block, strict=True)
    }
    sides = (list(map(as_written, some)) for some in (banks, dependencies.banks))
    pairs, _ = pairs_by_text(*sides)
    for pair in pairs:
        alignment = aligned_by_characters(pair, tables)
        is_compared = alignment.gold.is_compared.tolist()
        spans = _spans(pair.gold), _spans(pair.parsed)
        words: list[WordsOfTree | None] = []
        for tree, is_beside in enumerate(is_compared):
            if not is_beside:
                words.append(None)
                continue
            listed = sentence_at[pair.parsed.source, int(pair.parsed.line[tree])]
            of_token = _leaves_of_tokens(pair.gold, pair.parsed, tree, spans)
            words.append(WordsOfTree(listed, [of_token[word.token] for word in listed]))
        ledger = Ledger(
            gold=len(words), scored=sum(is_compared), items=tuple(alignment.left_out)
        )
        yield Beside(alignment.gold, words, ledger)


def as_written(bank: Treebank) -> Treebank:
    """The trees with words as a text has them: no marks of where words were joined
    (`parce_que`) or cut apart (`tungur$`, `$nar`), no escapes of brackets.

    >>> from analyzer.formats.reading import read_trees
    >>> as_written(read_trees("(X (A parce_que) (B tungur$) (C $nar) (D $))"))[0].words
    ['parceque', 'tungur', 'nar', '$']
    """
    forms = [_as_written(form).encode() for form in bank.forms(slice(None))]
    ends = np.cumsum([len(form) for form in forms], dtype=np.int64)
    starts = ends - np.array([len(form) for form in forms], np.int64)
    return bank.reshaped(text=b"".join(forms), form_start=starts, form_end=ends)


def _as_written(form: str) -> str:
    if not _JOINED.search(form):
        return form
    for escape in _ESCAPES:
        form = form.replace(escape, plain(escape))
    return form.replace("_", "").strip("$") or form


def _spans(bank: Treebank) -> Ints:
    """Where each leaf begins in the characters of the bank."""
    sizes = np.array([len(word) for word in plain_words(bank)], np.int64)
    return np.cumsum(sizes) - sizes


def _leaves_of_tokens(
    bank: Treebank, tokens: Treebank, tree: int, spans: tuple[Ints, Ints]
) -> list[int]:
    """For each token the leaf that it begins in; the texts are the same."""
    first, last = bank.leaf_start[tree : tree + 2].tolist()
    begin, end = tokens.leaf_start[tree : tree + 2].tolist()
    starts = spans[0][first:last] - spans[0][first]
    places = spans[1][begin:end] - spans[1][begin]
    # Of leaves that begin at the same place, only the last is not empty.
    at = np.searchsorted(starts, places, side="right") - 1
    leaves: list[int] = (first + at).tolist()
    return leaves


# -- Collins' rules --------------------------------------------------------------------


class HeadRuleLine(NamedTuple):
    """Where the search starts, whether all labels are looked for at once, and these."""

    is_last: bool
    at_once: bool
    labels: tuple[str, ...]


class CollinsInventory(Inventory):
    """No pattern matches, and heads are those of the rules."""

    def default_head(self, parent: str, children: Sequence[Child]) -> int:
        return collins_head(parent, [child.label for child in children])


@cache
def collins_rules() -> dict[str, list[HeadRuleLine]]:
    """The head rules of Collins (1999), by label."""
    rules: dict[str, list[HeadRuleLine]] = {}
    for line in (shipped.text("collins.heads") or "").splitlines():
        if line.strip() and not line.startswith("#"):
            parent, where, *labels = line.split()
            kind = where.removeprefix("any-")
            rule = HeadRuleLine(kind == "last", kind != where, tuple(labels))
            rules.setdefault(parent, []).append(rule)
    return rules


def collins_head(parent: str, children: Sequence[str]) -> int:
    """Which child is the head by the rules of Collins (1999).

    >>> collins_head("NP", ["DT", "NN", "NN"]), collins_head("NP", ["NP", "CC", "NP"])
    (2, 0)
    >>> collins_head("VP", ["MD", "VP"]), collins_head("VP", ["VBD", "CC", "VBD"])
    (0, 0)
    """
    head = len(children) - 1
    for rule in collins_rules().get(parent, ()):
        order = range(len(children))
        places = list(reversed(order) if rule.is_last else order)
        if rule.at_once:
            candidates = [at for at in places if children[at] in rule.labels]
        else:
            candidates = [
                at for label in rule.labels for at in places if children[at] == label
            ]
            candidates.append(places[0])
        if candidates:
            head = candidates[0]
            break
    is_second = head >= 2 and children[head - 1] == "CC"
    return head - 2 if is_second else head


# -- agreement ---------------------------------------------------------------------


class HeadRow(NamedTuple):
    """The heads of a construction: how many, and how they agree."""

    construction: str
    constituents: int
    same: int
    convention: int
    other: int
    same_share: float | None
    agreement: float | None  # same or by a convention
    collins: float | None = None  # the same of Collins' rules


class HeadDifference(NamedTuple):
    """A constituent whose heads differ, and not by a convention."""

    construction: str
    ours: str
    theirs: str
    place: Place
    tree: str  # the constituent in brackets


@dataclass(frozen=True, repr=False)
class HeadAgreement(Shown):
    """How far the heads of an inventory agree with dependencies."""

    inventory: Inventory
    ledger: Ledger
    counts: dict[str, Counter[str]]  # of each construction, by kind of agreement
    differences: list[HeadDifference] = field(default_factory=list)
    collins: dict[str, Counter[str]] | None = None  # by our constructions
    dependencies: int = 0  # sentences

    @property
    def total(self) -> HeadRow:
        return self._row("total", self.kinds, _summed(self.collins))

    @property
    def kinds(self) -> Counter[str]:
        """How often heads are the same, differ by each convention, differ."""
        return _summed(self.counts)

    @property
    def rows(self) -> list[HeadRow]:
        """Those with the most differences first."""
        rows = [
            self._row(name, counts, (self.collins or {}).get(name))
            for name, counts in self.counts.items()
        ]
        return sorted(rows, key=lambda row: (-row.other, -row.constituents, row[0]))

    def _row(
        self, name: str, counts: Counter[str], collins: Counter[str] | None
    ) -> HeadRow:
        every, same, other = counts.total(), counts[SAME], counts[OTHER]
        theirs = ratio(collins.total() - collins[OTHER], every) if collins else None
        agreed = ratio(every - other, every)
        kinds = same, every - same - other, other
        return HeadRow(name, every, *kinds, ratio(same, every), agreed, theirs)

    def frame(self) -> pd.DataFrame:
        """A row a construction."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=HeadRow._fields).set_index(
            "construction"
        )

    @property
    def notes(self) -> list[str]:
        """What was compared, and what was not found."""
        count, every = self.ledger.scored, self.ledger.gold
        notes = [f"{count:,} of {every:,} sentences have dependencies of the same text"]
        if self.ledger.items:
            notes.append(f"the first without: {self.ledger.items[0].error}")
        return notes

    def __repr__(self) -> str:
        agreement = self.total.agreement
        share = "no heads" if agreement is None else f"{100 * agreement:.1f} % of heads"
        return (
            f"<HeadAgreement {self.inventory.name}: {share} the same or by convention, "
            f"{self.total.constituents:,} constituents>"
        )


def _summed(counts: dict[str, Counter[str]] | None) -> Counter[str]:
    return sum((counts or {}).values(), Counter[str]())


@deriver_keywords
def head_agreement(
    *treebanks: Trees,
    dependencies: DependencySource,
    strict: bool = False,
    encoding: str = "utf-8",
    **options: Unpack[DeriverOptions],
) -> HeadAgreement:
    """How far heads agree with dependencies: what `spinal patterns heads` shows.

    Sentences are found by their text. Options are `patterns`, `parameters`, `delete`,
    `function_separator`.

    >>> rows = ["1 Rain _ _ _ _ 2 nsubj _ _", "2 falls _ _ _ _ 0 root _ _"]
    >>> text = "\\n".join("\\t".join(row.split()) for row in rows) + "\\n"
    >>> head_agreement("(S (NP (NN Rain)) (VP (VBZ falls)))", dependencies=text)
    <HeadAgreement english: 100.0 % of heads the same or by convention, 1 constituents>
    """
    deriver = syntax_deriver(**options)
    beside = open_dependencies(dependencies, encoding=encoding)
    labels = deriver.inventory.labels
    banks = list(read_banks(treebanks, labels, encoding=encoding, strict=strict))
    result = agreement_of(banks, beside, deriver)
    if not result.ledger.scored:
        first = result.ledger.items[0].error if result.ledger.items else None
        names = ", ".join(bank.source for bank in beside.banks[:3])
        place = first.place if first is not None else None
        raise PairingError("E632 no sentence of the trees is in", place, names=names)
    return result


def agreement_of(
    banks: Sequence[Treebank], dependencies: Dependencies, deriver: SyntaxDeriver
) -> HeadAgreement:
    """The agreement of trees that were read."""
    counts: dict[str, Counter[str]] = {}
    by_collins: dict[str, Counter[str]] = {}
    differences: list[HeadDifference] = []
    collins = _collins(deriver)
    ledger = Ledger(paired_by="text")
    for block in trees_beside(banks, dependencies, deriver.tables):
        ledger += block.ledger
        derivation = deriver.derive(block.side)
        heads = _head_leaves(block.side, derivation)
        others = _head_leaves(block.side, collins.derive(block.side)) if collins else []
        for number, tree, words, theirs in _constituents(block, derivation, deriver):
            name = deriver.constructions[int(derivation.construction[number])]
            kind = words.agreement(heads[number], theirs)
            counts.setdefault(name, Counter())[kind] += 1
            if others:
                kind_of_collins = words.agreement(others[number], theirs)
                by_collins.setdefault(name, Counter())[kind_of_collins] += 1
            if kind == OTHER:
                bank, row = block.side.bank, int(derivation.row[number])
                differences.append(
                    HeadDifference(
                        name,
                        bank.form(heads[number]),
                        bank.form(words.leaves[theirs]),
                        Place(bank.source, int(bank.line[tree])),
                        bank[tree].brackets([row]),
                    )
                )
    return HeadAgreement(
        deriver.inventory,
        ledger,
        counts,
        differences,
        by_collins if collins else None,
        sum(map(len, dependencies.banks)),
    )


def _collins(deriver: SyntaxDeriver) -> SyntaxDeriver | None:
    """The deriver by Collins' rules of the same brackets; for Penn labels only."""
    inventory = deriver.inventory
    if inventory.labels.name != DEFAULT_LABELS:
        return None
    rules = CollinsInventory(COLLINS, COLLINS, (), COLLINS, inventory.labels)
    return SyntaxDeriver(deriver.tables, Labeller(rules))


def _head_leaves(side: Side, derivation: Derivation) -> list[int]:
    """The leaf that heads each bracket."""
    leaves: list[int] = side.word_leaves[derivation.head].tolist()
    return leaves


def _constituents(
    block: Beside, derivation: Derivation, deriver: SyntaxDeriver
) -> Iterable[tuple[int, int, WordsOfTree, int]]:
    """The brackets that are compared: number, tree, words beside it, their head."""
    bank = block.side.bank
    kept = flags_at(bank.leaf_node.size, block.side.leaves)
    is_kept = kept.tolist()
    sizes = np.array([len(children) for _, children, _ in deriver.labeller.coverage])
    is_chosen = (derivation.last - derivation.first > 1) & (
        sizes[derivation.production] > 1
    )
    starts = derivation.starts.tolist()
    first, last = bank.first[derivation.row], bank.last[derivation.row]
    for tree, words in enumerate(block.words):
        if words is None:
            continue
        for number in range(starts[tree], starts[tree + 1]):
            if is_chosen[number]:
                span = int(first[number]), int(last[number])
                theirs = words.head(*span, is_kept)
                if theirs is not None:
                    yield number, tree, words, theirs
