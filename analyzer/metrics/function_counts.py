"""How often function tags occur and are right: counts that add up."""

from __future__ import annotations

from dataclasses import dataclass, field
from operator import add
from typing import NamedTuple

from analyzer.metrics.ratios import MatchCounts


class TagCounts(NamedTuple):
    """How often a tag occurs: everywhere, on matched brackets, rightly."""

    gold: int = 0
    parsed: int = 0
    gold_on_matched: int = 0
    parsed_on_matched: int = 0
    matched: int = 0

    def plus(self, other: TagCounts) -> TagCounts:
        return TagCounts._make(map(add, self, other))


KINDS = len(TagCounts._fields)  # of counts


@dataclass
class LevelTally:
    """The counts of brackets, or of words; those of parts add up to the whole's."""

    brackets: MatchCounts = field(default_factory=MatchCounts)
    exact: int = 0  # matched ones whose sets of tags are equal, empty ones too
    tags: dict[str, TagCounts] = field(default_factory=dict)
    # What gold has, what the parser has instead, how often.
    confusions: dict[str, dict[str, int]] = field(default_factory=dict)

    def add(self, other: LevelTally) -> None:
        self.brackets = self.brackets.plus(other.brackets)
        self.exact += other.exact
        for tag, counts in other.tags.items():
            self.tags[tag] = self.tags.get(tag, TagCounts()).plus(counts)
        for gold, beside in other.confusions.items():
            known = self.confusions.setdefault(gold, {})
            for parsed, count in beside.items():
                known[parsed] = known.get(parsed, 0) + count

    @property
    def total(self) -> TagCounts:
        """All tags together."""
        return TagCounts(*map(sum, zip(*self.tags.values(), strict=True)))


@dataclass
class FunctionTally:
    """The counts of function tags in a corpus; those of parts add up to them."""

    phrases: LevelTally = field(default_factory=LevelTally)
    words: LevelTally = field(default_factory=LevelTally)
    # Of F-s matches: construction -> tag -> counts.
    constructions: dict[str, dict[str, TagCounts]] = field(default_factory=dict)

    def add(self, other: FunctionTally) -> None:
        self.phrases.add(other.phrases)
        self.words.add(other.words)
        for name, tags in other.constructions.items():
            known = self.constructions.setdefault(name, {})
            for tag, counts in tags.items():
                known[tag] = known.get(tag, TagCounts()).plus(counts)
