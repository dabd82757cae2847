"""Two annotations of a block side by side: what `agree` counts of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from analyzer.analyses.categories import (
    attachment_pairs,
    construction_pairs,
    function_names,
    label_pairs,
    tag_pairs,
)
from analyzer.analyses.disagreements import (
    EXAMPLES,
    Group,
    Groups,
    Side,
    add,
    disagreements,
    function_disagreements,
    tag_disagreements,
)
from analyzer.derivation.characters import derivation_by_characters
from analyzer.derivation.deriver import Deriver
from analyzer.metrics.constructions import Comparison, Tally, join, tally
from analyzer.metrics.join import match
from analyzer.metrics.kappa import CategoryPairs
from analyzer.pairing.characters import CharSpans, aligned_by_characters
from analyzer.pairing.in_step import NOTHING_MORE, Ending, PairTask, SentencePair
from analyzer.pairing.ledger import LeftOut
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.placing import set_apart
from analyzer.pairing.words import align


@dataclass
class AgreementCounts:
    """What two annotations have in common and where they differ; parts add up."""

    tally: Tally = field(default_factory=Tally)
    labels: CategoryPairs = field(default_factory=Counter)
    constructions: CategoryPairs = field(default_factory=Counter)
    attachments: dict[str, CategoryPairs] = field(default_factory=dict)
    tags: CategoryPairs = field(default_factory=Counter)
    functions: CategoryPairs = field(default_factory=Counter)
    groups: Groups = field(default_factory=dict)
    ending: Ending = NOTHING_MORE

    def change(self, item: Callable[[LeftOut], LeftOut]) -> AgreementCounts:
        """The counts, with each item of their ledger changed."""
        changed = replace(self.tally, ledger=self.tally.ledger.change(item))
        return replace(self, tally=changed)

    def plus(self, other: AgreementCounts) -> None:
        """Count what comes after this as well."""
        self.tally.add(other.tally)
        self.labels.update(other.labels)
        self.constructions.update(other.constructions)
        for name, pairs in other.attachments.items():
            self.attachments.setdefault(name, Counter()).update(pairs)
        self.tags.update(other.tags)
        self.functions.update(other.functions)
        for key, group in other.groups.items():
            known = self.groups.setdefault(key, Group())
            known.count += group.count
            known.examples += group.examples[: EXAMPLES - len(known.examples)]


@dataclass(frozen=True)
class AgreementWork:
    """How the pairs of a task are compared."""

    deriver: Deriver
    by_characters: bool = False
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __call__(self, task: PairTask) -> AgreementCounts:
        found = AgreementCounts()
        for pair in task.pairs():
            found.plus(self._count(pair))
        found.ending = task.ending
        return found

    def _count(self, pair: SentencePair) -> AgreementCounts:
        comparison, sides = self._compare(pair)
        has_tags, sentence = self.deriver.has_tags, pair.first_sentence
        found = AgreementCounts(
            tally(comparison),
            constructions=construction_pairs(comparison, apart=not has_tags),
            attachments=attachment_pairs(comparison, sides),
        )
        add(found.groups, disagreements(*sides, comparison, sentence))
        if has_tags:
            found.labels = label_pairs(comparison)
            both = match([sides[0].places.number], [sides[1].places.number])
            words = (np.flatnonzero(both.gold), both.partner[both.gold])
            found.tags = tag_pairs(sides, words)
            add(found.groups, tag_disagreements(*sides, words, sentence))
            self._count_functions(found, comparison, sides, sentence)
        return found

    def _count_functions(
        self,
        found: AgreementCounts,
        comparison: Comparison,
        sides: tuple[Side, Side],
        sentence: int,
    ) -> None:
        same = comparison.by_bracket
        rows = np.flatnonzero(same.gold), same.partner[same.gold]
        labels = self.deriver.inventory.labels
        one, other = (
            function_names(side, of, labels)
            for side, of in zip(sides, rows, strict=True)
        )
        if not (any(one) and any(other)):
            return  # a side that is annotated without them
        found.functions = Counter(zip(one, other, strict=True))
        told = function_disagreements(*sides, rows, (one, other), sentence)
        add(found.groups, told)

    def _compare(self, pair: SentencePair) -> tuple[Comparison, tuple[Side, Side]]:
        deriver, tables = self.deriver, self.deriver.tables
        if self.by_characters:
            alignment, *places = aligned_by_characters(pair, tables)
        else:
            alignment = align(pair, tables)
            sizes = np.diff(alignment.gold_starts)[alignment.is_comparable]
            places = [CharSpans.of_words(int(sizes.sum()))] * 2
        is_apart = bool(alignment.left_out) and self.on_mismatch == "zero"
        if is_apart:
            alignment, *places = set_apart(alignment, places[0], places[1])
        elif alignment.left_out and self.on_mismatch == "error":
            raise alignment.left_out[0].error.with_sides("A", "B")
        sides = []
        for at, bank in enumerate((pair.gold, pair.parsed)):
            derivation = deriver.derive(bank, alignment, of_gold=at == 0)
            leaves, starts = alignment.leaves(of_gold=at == 0)
            leaves = leaves[np.repeat(alignment.is_comparable, np.diff(starts))]
            tags = tables.tag_class(bank.label[bank.leaf_node[leaves]])
            has_tags = deriver.has_tags
            sides.append(Side(bank, derivation, leaves, tags, places[at], has_tags))
        a, b = (side.derivation for side in sides)
        if self.by_characters or is_apart:
            a = derivation_by_characters(a, places[0])
            b = derivation_by_characters(b, places[1])
        return join(a, b, alignment, deriver.constructions), (sides[0], sides[1])
