"""Why a head, an edge or an attachment is wrong: what lies between the two sides.

Each miss that the scores count has one cause, so the causes of a construction sum to
its misses. Of two brackets with the same head and construction that end at different
words, the longer holds *material* that the shorter does not. The cause is the largest
constituent of the longer side's tree that begins where the shorter bracket ends and
lies within that material (of left edges, that ends where the shorter one begins). If
the parser's bracket is the longer one, it has attached the material lower than gold,
inside the construction; else higher, outside. A conjunction is told with the
constituent after it; a word that begins no constituent there, by its tag.

The cause of a missed head is what the parser has for that word instead, and that of a
spurious one what gold has. The cause of a wrong attachment is where gold attaches it,
and where the parser does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.analyses.compared import frame_of
from analyzer.analyses.errors import NOTHING, confused_rows, paired_rows
from analyzer.analyses.instances import attached_at
from analyzer.derivation.columns import IN_SPINE, NULL, Derivation
from analyzer.derivation.deriver import Deriver
from analyzer.metrics.constructions import Comparison
from analyzer.model.arrays import Flags, Ints, Value
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.words import Side

if TYPE_CHECKING:
    import pandas as pd

# What is wrong -> what it is called, and the misses that its causes sum to.
KINDS: dict[str, tuple[str, str]] = {
    "missed": ("missed head", "gold - matched_h"),
    "spurious": ("spurious head", "parsed - matched_h"),
    "right": ("right edge", "matched_h - matched_span_right"),
    "left": ("left edge", "matched_h - matched_span_left"),
    "left_only": ("only the left edge", "matched_span_right - matched_s"),
    "attachment": ("attachment", "attachable - matched_att"),
}
LOWER, HIGHER = "attached lower", "attached higher"


class Cause(NamedTuple):
    """Why something is wrong with a construction."""

    construction: str
    kind: str  # of `KINDS`
    cause: str


class CauseRow(NamedTuple):
    """A cause, how often it is one, and its share of the misses of that kind."""

    construction: str
    kind: str
    cause: str
    misses: int
    share: float


@dataclass(eq=False)
class Causes(Value):
    """How often each cause makes something wrong."""

    counts: Counter[Cause]

    @property
    def rows(self) -> list[CauseRow]:
        """By construction and kind, most misses first; of each, most frequent first."""
        misses = {key: causes.total() for key, causes in self._by_kind.items()}
        rows = [
            CauseRow(*cause, count, count / misses[cause[:2]])
            for cause, count in self.counts.items()
        ]
        return sorted(rows, key=lambda row: (-misses[row[:2]], row[:2], -row[3], row))

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame."""
        return frame_of(self.rows, CauseRow._fields)

    @property
    def by_misses(self) -> dict[tuple[str, str], Counter[str]]:
        """By construction and kind, most misses first: how often each cause is one."""
        by_kind = self._by_kind.items()
        return dict(sorted(by_kind, key=lambda item: (-item[1].total(), item[0])))

    def by_kind(self, construction: str, kind: str) -> Counter[str]:
        """How often each cause makes that wrong with a construction."""
        return self._by_kind.get((construction, kind), Counter())

    @cached_property
    def _by_kind(self) -> dict[tuple[str, str], Counter[str]]:
        by_kind: dict[tuple[str, str], Counter[str]] = {}
        for cause, count in self.counts.items():
            by_kind.setdefault(cause[:2], Counter())[cause.cause] += count
        return by_kind

    def of(self, construction: str, kind: str) -> list[CauseRow]:
        """Those of one construction and one kind, most frequent first."""
        return [row for row in self.rows if row[:2] == (construction, kind)]


def count_causes(
    comparison: Comparison, deriver: Deriver, trees: Flags | None = None
) -> Counter[Cause]:
    """The causes in a block, or in some of its trees."""
    chosen = [
        None if trees is None else np.repeat(trees, np.diff(side.starts))
        for side in (comparison.gold, comparison.parsed)
    ]
    names = comparison.constructions.listed
    counts: Counter[Cause] = Counter()
    for kind, gold, parsed, causes in _all(comparison, deriver):
        for own, other, cause in zip(
            gold.tolist(), parsed.tolist(), causes, strict=True
        ):
            at, row = (0, own) if own >= 0 else (1, other)
            kept, side = chosen[at], (comparison.gold, comparison.parsed)[at]
            if kept is None or kept[row]:
                counts[Cause(names[side.construction[row]], kind, cause)] += 1
    return counts


def _all(
    comparison: Comparison, deriver: Deriver
) -> Iterator[tuple[str, Ints, Ints, list[str]]]:
    """Of each kind, rows of gold and of parsed, and their causes."""
    gold, parsed = comparison.gold, comparison.parsed
    names = comparison.constructions.listed
    of_gold, of_parsed = confused_rows(comparison)
    for kind, own, other, there in (
        ("missed", of_gold, of_parsed, parsed),
        ("spurious", of_parsed, of_gold, gold),
    ):
        is_own = own >= 0
        instead = [
            NOTHING if row < 0 else names[there.construction[row]]
            for row in other[is_own].tolist()
        ]
        rows, none = own[is_own], np.full(int(is_own.sum()), -1)
        sides = (rows, none) if kind == "missed" else (none, rows)
        yield kind, *sides, instead
    between = _Between(comparison, deriver)
    # Each pair is told by what it has in common: all, the right edge, the head.
    only_left, right = paired_rows(comparison, "matched_s", "matched_span_right")
    (left,) = paired_rows(comparison, "matched_span_left")
    yield "left_only", *only_left, between.left(*only_left)
    yield "right", *right, between.right(*right)
    yield "left", *left, between.left(*left)
    ((own, other),) = paired_rows(comparison, "matched_att")
    is_simple = ~comparison.constructions.is_recursive[gold.construction[own]]
    own, other = own[is_simple], other[is_simple]
    yield "attachment", own, other, _attachments(comparison, own, other)


class _Between:
    """Names what lies between edges."""

    def __init__(self, comparison: Comparison, deriver: Deriver) -> None:
        self._rows = comparison.gold, comparison.parsed
        sides = comparison.alignment.gold, comparison.alignment.parsed
        # By places in a text, words have no numbers that tags could be found by.
        by_words = comparison.own_words is None and deriver.has_tags
        self._materials = [
            _Material(rows, side if by_words else None, deriver)
            for rows, side in zip(self._rows, sides, strict=True)
        ]

    def right(self, gold: Ints, parsed: Ints) -> list[str]:
        ends = [rows.last[at].tolist() for rows, at in self._sides(gold, parsed)]
        return [
            self._materials[1].after(own, other) + f" {LOWER}"
            if other > own
            else self._materials[0].after(other, own) + f" {HIGHER}"
            for own, other in zip(*ends, strict=True)
        ]

    def left(self, gold: Ints, parsed: Ints) -> list[str]:
        starts = [rows.first[at].tolist() for rows, at in self._sides(gold, parsed)]
        return [
            self._materials[1].before(own, other) + f" {LOWER}"
            if other < own
            else self._materials[0].before(other, own) + f" {HIGHER}"
            for own, other in zip(*starts, strict=True)
        ]

    def _sides(self, gold: Ints, parsed: Ints) -> list[tuple[Derivation, Ints]]:
        return [(self._rows[0], gold), (self._rows[1], parsed)]


class _Material:
    """The constituents of one side, by where they begin and where they end."""

    def __init__(self, rows: Derivation, side: Side | None, deriver: Deriver) -> None:
        self._first, self._last = rows.first.tolist(), rows.last.tolist()
        # Those that begin or end at one place, the largest first.
        self._by_first: dict[int, list[int]] = {}
        self._by_last: dict[int, list[int]] = {}
        for row, (first, last) in enumerate(zip(self._first, self._last, strict=True)):
            self._by_first.setdefault(first, []).append(row)
            self._by_last.setdefault(last, []).append(row)
        self._construction = rows.construction.tolist()
        self._names = deriver.constructions.listed
        self._side, self._leaves = side, None if side is None else side.word_leaves
        self._conjunctions = deriver.inventory.labels.conjunction

    def after(self, start: int, end: int) -> str:
        """What begins at `start` and ends at `end` or before."""
        for row in self._by_first.get(start, ()):
            if self._last[row] <= end:
                return self._label(row)
        tag = self._tag(start)
        if tag not in self._conjunctions or start + 1 >= end:
            return tag
        return f"{tag} and {self.after(start + 1, end)}"

    def before(self, end: int, start: int) -> str:
        """What ends at `end` and begins at `start` or after."""
        for row in self._by_last.get(end, ()):
            if self._first[row] >= start:
                return self._label(row)
        return self._tag(end - 1)

    def _label(self, row: int) -> str:
        name: str = self._names[self._construction[row]]
        return name.rpartition("-")[0] or name

    def _tag(self, word: int) -> str:
        if self._side is None or self._leaves is None:
            return "a word"
        bank = self._side.bank
        return SYMBOLS.name(int(bank.label[bank.leaf_node[self._leaves[word]]]))


def _attachments(comparison: Comparison, gold: Ints, parsed: Ints) -> list[str]:
    """Where the parser attaches rows, and where gold does."""
    places = []
    banks = comparison.alignment.gold.bank, comparison.alignment.parsed.bank
    names = comparison.constructions.listed
    for side, bank, at in zip(
        (comparison.gold, comparison.parsed), banks, (gold, parsed), strict=True
    ):
        above = attached_at(bank, side)[at].tolist()
        is_null = (side.attachment[at] == NULL).tolist()
        labels = [
            IN_SPINE
            if null
            else "the root"
            if row < 0
            else f"at {names[side.construction[row]].rpartition('-')[0]}"
            for row, null in zip(above, is_null, strict=True)
        ]
        places.append(labels)
    own, other = comparison.gold, comparison.parsed
    far = [
        np.abs(side.governor[at] - side.head[at])
        for side, at in ((own, gold), (other, parsed))
    ]
    nearer = np.sign(far[1] - far[0]).tolist()
    causes = []
    for here, there, sign in zip(*places, nearer, strict=True):
        difference = (
            f"at another {here[3:]}" if here == there else f"{there}, not {here}"
        )
        is_of_words = here.startswith("at ") and there.startswith("at ")
        where = {-1: ", nearer", 1: ", farther"}.get(sign, "") if is_of_words else ""
        causes.append(difference + where)
    return causes
