"""What language models do to trees: form, words and labels of parses beside gold.

`faithfulness` counts trees that do not balance, and how they can be mended; words that
were changed, left out or added; labels that nobody knows (docs/generated.md).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import count_tasks, frame_of
from analyzer.analyses.opening import PairOptions, TreeReading, Trees
from analyzer.exceptions import Place
from analyzer.formats.penn.generated import Mend, is_extraction
from analyzer.metrics.counts import plus
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Flags, Shown
from analyzer.model.settings import keywords
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.edits import (
    WordCounts,
    word_counts,
    word_totals,
    words_are_equal,
    words_of,
)
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger, Reason
from analyzer.runtime.executor import Backend
from analyzer.transform.labels import LabelSet, load_labels

if TYPE_CHECKING:
    import pandas as pd


class Form(Enum):
    """Whether a parse is a tree."""

    WELL_FORMED = "well formed"
    EXTRACTED = "extracted"
    MENDED = "mended"
    MENDABLE = "malformed, can be mended"
    MALFORMED = "malformed"
    REFUSED = "answer without a tree"
    FAILED = "no tree"


class GeneratedRow(NamedTuple):
    """A sentence whose parse is not what was asked for."""

    sentence: int
    source: str
    line: int
    form: str
    mends: tuple[str, ...]
    equal: int  # words; all 0 where one side is no tree
    retokenized: int
    changed: int
    missing: int
    added: int
    unknown_labels: tuple[str, ...]

    @property
    def words(self) -> WordCounts:
        """What became of the words."""
        return WordCounts(
            self.equal, self.retokenized, self.changed, self.missing, self.added
        )


class GeneratedTotal(NamedTuple):
    """Sentences of each kind, and how many words or nodes they concern."""

    sentences: int = 0
    well_formed: int = 0
    extracted: int = 0
    mended: int = 0
    mendable: int = 0
    malformed: int = 0
    refused: int = 0
    failed: int = 0
    compared: int = 0  # both sides are trees
    faithful: int = 0  # with gold's words, and no others
    retokenized: int = 0
    changed: int = 0
    missing: int = 0
    added: int = 0
    words: int = 0  # of gold, in the sentences that are compared
    retokenized_words: int = 0
    changed_words: int = 0
    missing_words: int = 0
    added_words: int = 0
    unknown_labels: int = 0
    unknown_label_nodes: int = 0
    unknown_label_nodes_gold: int = 0


@dataclass
class GeneratedCounts:
    """What was found in a part of the input; parts add up."""

    total: GeneratedTotal = field(default_factory=GeneratedTotal)
    rows: list[GeneratedRow] = field(default_factory=list)
    labels: Counter[str] = field(default_factory=Counter)  # that are unknown


@dataclass
class GeneratedTrees(Shown):
    """What `faithfulness` returns: sentences that are not faithful, and totals."""

    labels: LabelSet
    is_mended: bool = False
    counts: GeneratedCounts = field(default_factory=GeneratedCounts)
    ledger: Ledger = field(default_factory=Ledger)  # what one side has more

    def __repr__(self) -> str:
        total = self.total
        return (
            f"<GeneratedTrees: {total.well_formed:,} of {total.sentences:,} well "
            f"formed, {total.extracted:,} extracted, {total.mended:,} mended, "
            f"{total.faithful:,} with gold's words>"
        )

    @property
    def work(self) -> GeneratedWork:
        """How its parts are counted."""
        return GeneratedWork(self.labels)

    def add(self, counts: GeneratedCounts) -> None:
        """Count what was found in the sentences that come next."""
        self.counts = plus(self.counts, counts)

    @property
    def rows(self) -> list[GeneratedRow]:
        """Sentences whose parse is mended or no tree, or has other words or labels."""
        return self.counts.rows

    @property
    def total(self) -> GeneratedTotal:
        """All sentences together."""
        return self.counts.total

    @property
    def left_out(self) -> list[GeneratedRow]:
        """Sentences whose words could not be compared."""
        trees = [form.value for form in (Form.WELL_FORMED, Form.EXTRACTED, Form.MENDED)]
        return [row for row in self.counts.rows if row.form not in trees]

    @property
    def mends(self) -> dict[str, int]:
        """How often each mend was made, or could be."""
        counts = Counter(mend for row in self.counts.rows for mend in row.mends)
        return {mend.value: counts[mend.value] for mend in Mend if counts[mend.value]}

    @property
    def unknown_labels(self) -> dict[str, int]:
        """Labels of the parse that are in no label set, most frequent first."""
        return dict(
            sorted(self.counts.labels.items(), key=lambda item: (-item[1], item))
        )

    @property
    def signature(self) -> Signature:
        reading = {"mend": self.is_mended} | self.ledger.settings
        return Signature.of(scorer="faithfulness", labels=self.labels.name, **reading)

    def told(self) -> list[str]:
        """The mends that were made, each with its place."""
        forms = (Form.EXTRACTED.value, Form.MENDED.value)
        return [
            f"{Place(row.source, row.line)}: sentence {row.sentence}: {row.form}: "
            f"{', '.join(row.mends)}"
            for row in self.counts.rows
            if row.form in forms
        ]

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, indexed by sentence."""
        return frame_of(self.rows, GeneratedRow._fields, "sentence")


@dataclass(frozen=True)
class GeneratedWork:
    """How a part of the input is looked at: what another process has to know."""

    labels: LabelSet

    def __call__(self, pair: Pair) -> tuple[GeneratedCounts, Ledger]:
        return self.of(pair), Ledger()

    def of(self, pair: Pair) -> GeneratedCounts:
        """What there is to say about a block."""
        gold, parsed = pair.gold, pair.parsed
        unknown = _unknown_labels(parsed, self.labels)
        unknown_in_gold = _unknown_labels(gold, self.labels)
        is_equal = words_are_equal(gold, parsed)
        is_fine = is_equal & _has_leaves(gold) & _has_leaves(parsed)
        is_fine[list(parsed.mends)] = False
        fine = int(np.count_nonzero(is_fine))
        total = GeneratedTotal(
            sentences=fine,
            well_formed=fine,
            compared=fine,
            faithful=fine,
            words=int(word_totals(gold)[is_fine].sum()),
            unknown_labels=len(unknown),
            unknown_label_nodes=sum(map(len, unknown.values())),
            unknown_label_nodes_gold=sum(map(len, unknown_in_gold.values())),
        )
        rows: list[GeneratedRow] = []
        for tree in sorted({*np.flatnonzero(~is_fine).tolist(), *unknown}):
            form, words = _form(parsed, tree), _words(pair, tree)
            if not is_fine[tree]:
                total = plus(total, _total_of(form, words))
            if (
                tree in unknown
                or form is not Form.WELL_FORMED
                or not (words is None or words.is_faithful)
            ):
                rows.append(
                    GeneratedRow(
                        pair.number(tree),
                        parsed.source,
                        int(parsed.line[tree]),
                        form.value,
                        parsed.mends.get(tree, ()),
                        *(words or WordCounts()),
                        tuple(sorted(set(unknown.get(tree, ())))),
                    )
                )
        labels = Counter(
            label for labels_of_tree in unknown.values() for label in labels_of_tree
        )
        return GeneratedCounts(total, rows, labels)


@keywords(PairOptions.__annotations__, TreeReading)
def faithfulness(
    gold: Trees,
    parsed: Trees,
    *,
    labels: str | LabelSet = "penn",
    jobs: int | None = 1,
    backend: Backend | None = None,
    **options: Unpack[PairOptions],
) -> GeneratedTrees:
    """Which parses are no trees, or have other words than gold, or unknown labels.

    Both are given as on the command line (file, glob, directory), as text, or as a
    Treebank. With `mend`, parses are mended where it is certain what they mean.
    The other options are those of `evalb` that are about reading and pairing.

    >>> gold = "(S (NP (PRP I)) (VP (VBP see) (NP (NN it))))"
    >>> trees = faithfulness(gold, "(S (NP (PRP I)) (VP (VBP saw))", mend=True)
    >>> trees
    <GeneratedTrees: 0 of 1 well formed, 0 extracted, 1 mended, 0 with gold's words>
    >>> trees.rows[0].mends, trees.rows[0].changed, trees.rows[0].missing
    (('missing bracket at the end',), 1, 1)
    """
    if isinstance(labels, str):
        labels = load_labels(labels)
    reading = TreeReading(**options)
    sides = reading.resolve(gold), reading.resolve(parsed)
    blocks = reading.open_sentences(*sides)
    counts, _ = count_tasks(blocks, GeneratedWork(labels), backend or Backend(jobs))
    counted = counts or GeneratedCounts()
    result = GeneratedTrees(labels, reading.mend, counted, blocks.ledger())
    result.ledger.check(blocks.names[1], reading.max_left_out)
    return result


def _form(parsed: Treebank, tree: int) -> Form:
    if tree in parsed.problems:
        if tree in parsed.mends:
            return Form.MENDABLE
        is_refusal = Reason.of_parse(parsed.problems[tree]) is Reason.NO_TREE
        return Form.REFUSED if is_refusal else Form.MALFORMED
    if parsed.leaf_start[tree + 1] == parsed.leaf_start[tree]:
        return Form.FAILED
    if tree not in parsed.mends:
        return Form.WELL_FORMED
    return Form.EXTRACTED if is_extraction(parsed.mends[tree]) else Form.MENDED


def _has_leaves(bank: Treebank) -> Flags:
    """Per tree: whether there is one with words."""
    has_leaves: Flags = np.diff(bank.leaf_start) > 0
    return has_leaves


def _words(pair: Pair, tree: int) -> WordCounts | None:
    """What became of a sentence's words; None where one side is no tree."""
    banks = (pair.gold, pair.parsed)
    if not all(bank.leaf_start[tree + 1] > bank.leaf_start[tree] for bank in banks):
        return None
    return word_counts(*(words_of(bank, tree) for bank in banks))


def _total_of(form: Form, words: WordCounts | None) -> GeneratedTotal:
    total = GeneratedTotal(1)._replace(**{form.name.lower(): 1})
    if words is None:
        return total
    return total._replace(
        compared=1,
        faithful=int(words.is_faithful),
        retokenized=int(words.retokenized > 0),
        changed=int(words.changed > 0),
        missing=int(words.missing > 0),
        added=int(words.added > 0),
        words=sum(words) - words.added,
        retokenized_words=words.retokenized,
        changed_words=words.changed,
        missing_words=words.missing,
        added_words=words.added,
    )


def _unknown_labels(bank: Treebank, labels: LabelSet) -> dict[int, list[str]]:
    """The labels of each tree that the label set does not have, once for each node."""
    known = labels.known | labels.empty | labels.wrapper | labels.punctuation
    used = np.unique(bank.label)
    names = [SYMBOLS.name(label) for label in used.tolist()]
    unknown = [
        known.isdisjoint((name, labels.bare_phrase(name), labels.bare_tag(name)))
        for name in names
    ]
    nodes = np.flatnonzero(np.isin(bank.label, used[np.array(unknown, np.bool_)]))
    by_tree: dict[int, list[str]] = {}
    trees = bank.tree_of_node[nodes].tolist()
    for node, tree in zip(nodes.tolist(), trees, strict=True):
        by_tree.setdefault(tree, []).append(bank.label_name(node))
    return by_tree
