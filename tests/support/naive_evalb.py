"""EVALB's counts, one sentence at a time, for comparison."""

from __future__ import annotations

import re

from analyzer.metrics.brackets import ERROR, OK, SKIPPED
from analyzer.model.tree import Tree
from analyzer.transform.parameters import EvalbParameters


class SlowEvalb:
    """EVALB, one sentence at a time, the way one would write it down."""

    def __init__(self, parameters: EvalbParameters) -> None:
        self.given = parameters
        self.equal = {frozenset(pair) for pair in parameters.equal_labels}
        self.equal_words = {frozenset(pair) for pair in parameters.equal_words}

    def same(self, one: str, other: str) -> bool:
        return one == other or frozenset((one, other)) in self.equal

    def is_deleted(self, label: str) -> bool:
        return any(self.same(label, deleted) for deleted in self.given.delete)

    def words(self, tree: Tree) -> list[tuple[str, str]]:
        """Tags and words that are left after deletion."""
        return [
            (leaf.label, leaf.form or "")
            for leaf in tree.leaves
            if leaf.label not in self.given.delete
        ]

    def brackets(self, tree: Tree) -> list[tuple[str, int, int]]:
        before = [0]
        for leaf in tree.leaves:
            before.append(before[-1] + (leaf.label not in self.given.delete))
        found = []
        for node in tree.nodes:
            label = re.split("[-=]", node.label)[0]
            first, last = (before[place] for place in node.span)
            if not node.is_leaf and first < last and not self.is_deleted(label):
                found.append((label, first, last))
        return found

    def matched(self, gold: list, parsed: list) -> list[tuple[int, int]]:
        """Greedily: each gold bracket takes the first free one that equals it."""
        taken: dict[int, int] = {}
        for at, (label, *span) in enumerate(gold):
            for candidate, (other, *other_span) in enumerate(parsed):
                fits = not self.given.labeled or self.same(label, other)
                if candidate not in taken and span == other_span and fits:
                    taken[candidate] = at
                    break
        return [(at, candidate) for candidate, at in taken.items()]

    def sentence(self, gold: Tree, parsed: Tree) -> tuple[int, ...]:
        """evalb's columns, in the order of SentenceCounts."""
        ignored = self.given.delete_for_length
        length = sum(leaf.label not in ignored for leaf in gold.leaves)
        words = self.words(gold), self.words(parsed)
        if not words[1]:
            return (SKIPPED, length, 0, 0, 0, 0, 0, 0)
        if len(words[0]) != len(words[1]) or any(
            one != other and frozenset((one, other)) not in self.equal_words
            for (_, one), (_, other) in zip(*words, strict=True)
        ):
            return (ERROR, length, 0, 0, 0, 0, 0, 0)
        in_gold, in_parsed = self.brackets(gold), self.brackets(parsed)
        crossing = sum(
            any(s < first < e < last or first < s < last < e for _, s, e in in_gold)
            for _, first, last in in_parsed
        )
        tags = sum(self.same(g, p) for (g, _), (p, _) in zip(*words, strict=True))
        matched = len(self.matched(in_gold, in_parsed))
        sizes = len(in_gold), len(in_parsed)
        return (OK, length, matched, *sizes, crossing, len(words[0]), tags)
