"""Cells of a breakdown: which rows fall into each, and what is counted of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from analyzer.analyses.instance_rows import GOLD, InstanceRows
from analyzer.metrics.ratios import ratio
from analyzer.metrics.significance import Statistics, bootstrap_interval
from analyzer.pairing.ledger import Ledger

Cell = tuple[str, ...]
# Where buckets of numbers begin.
_BUCKETS = {
    "length": (1, 2, 3, 5, 9, 17, 33),
    "distance": (1, 2, 3, 5, 9, 17, 33),
    "depth": (0, 1, 2, 3, 5, 8, 12),
    "sentence-length": (1, 11, 21, 31, 41, 51),
}
# Keys that are columns of instances, and what is said where there is none.
_MISSING = {
    "word": "",
    "tag": "(no tag)",
    "label": "(no label)",
    "construction": "",
    "functions": "(none)",
    "governor": "ROOT",
    "governor-tag": "ROOT",
    "attached-at": "ROOT",
    "direction": "ROOT",
    "group": "(no group)",
    "length": "",
    "distance": "ROOT",
    "depth": "",
    "sentence-length": "",
}
KEYS = (*_MISSING, "known")
KNOWN, UNKNOWN = "known", "unknown"


class CellCounts(NamedTuple):
    """What all ratios of a cell are made of; counts of sentences add up."""

    gold: int = 0
    parsed: int = 0
    matched_h: int = 0  # of gold's rows
    matched_h_parsed: int = 0  # of the parser's
    matched_s: int = 0
    matched_s_parsed: int = 0
    matched_att: int = 0
    heads: int = 0  # matched heads of gold that have an attachment of their own


class Interval(NamedTuple):
    """95 % of resampled sentences give a score in here; None where undefined."""

    low: float | None
    high: float | None


class BreakdownRow(NamedTuple):
    """A cell of one system."""

    system: str
    cell: Cell
    gold: int
    parsed: int
    f_h: float | None
    f_h_interval: Interval
    f_s: float | None
    f_s_interval: Interval
    att: float | None
    att_interval: Interval


class CellOf(NamedTuple):
    """Which cell each row falls into."""

    keys: tuple[str, ...]
    construction: str | None
    known: frozenset[str] | None

    def __call__(self, columns: Mapping[str, list[Any]]) -> list[Cell | None]:
        """The cell of each row; None for rows of other constructions."""
        values = [self._values(columns, key) for key in self.keys]
        cells: list[Cell | None] = list(zip(*values, strict=True))
        if self.construction is None:
            return cells
        return [
            cell if name == self.construction else None
            for cell, name in zip(cells, columns["construction"], strict=True)
        ]

    def _values(self, columns: Mapping[str, list[Any]], key: str) -> list[str]:
        if key == "known":
            assert self.known is not None
            return [
                KNOWN if word in self.known else UNKNOWN for word in columns["word"]
            ]
        missing = _MISSING[key]
        values = columns[key.replace("-", "_")]
        if key in _BUCKETS:
            names = {one: bucket(one, _BUCKETS[key]) for one in {*values} - {None}}
            return [missing if one is None else names[one] for one in values]
        if key == "word":
            return [one.lower() for one in values]
        return [missing if one is None else one for one in values]


def bucket(value: int, starts: Sequence[int]) -> str:
    """The name of the bucket that a number falls into.

    >>> [bucket(value, (1, 2, 3, 5)) for value in (1, 4, 9)]
    ['1', '3–4', '5+']
    """
    at = int(np.searchsorted(starts, value, side="right")) - 1
    if at + 1 == len(starts):
        return f"{starts[at]}+"
    first, last = starts[at], starts[at + 1] - 1
    return str(first) if first == last else f"{first}–{last}"


def is_ordered(key: str) -> bool:
    """Whether the cells of a key have an order of their own."""
    return key in _BUCKETS


def bucket_place(name: str) -> int:
    """Where a bucket comes among those of its key; what has no number comes first."""
    digits = name.rstrip("+").partition("–")[0]
    return int(digits) if digits.isdigit() else -1


@dataclass
class SystemCells:
    """The counts of each cell of a system: distinct ones, and how often they occur.

    A sentence without rows in a cell is not among them.
    """

    name: str
    cells: dict[Cell, Counter[CellCounts]] = field(default_factory=dict)
    ledger: Ledger = field(default_factory=Ledger)

    def add(self, rows: InstanceRows, cell_of: CellOf) -> None:
        """Count the rows of a block, which has whole sentences."""
        columns = rows.columns
        found: dict[tuple[int, Cell], list[int]] = {}
        flags = zip(
            *(columns["side"], columns["matched_h"], columns["matched_s"]),
            *(columns["matched_att"], columns["sentence"]),
            strict=True,
        )
        cells = cell_of(columns)
        for cell, (side, is_h, is_s, is_att, sentence) in zip(
            cells, flags, strict=True
        ):
            if cell is None:
                continue
            counts = found.setdefault((sentence, cell), [0] * len(CellCounts._fields))
            if side == GOLD:
                counts[0] += 1
                counts[2] += is_h
                counts[4] += is_s
                if is_att is not None:
                    counts[6] += is_att
                    counts[7] += is_h
            else:
                counts[1] += 1
                counts[3] += is_h
                counts[5] += is_s
        for (_, cell), counts in found.items():
            self.cells.setdefault(cell, Counter())[CellCounts(*counts)] += 1

    def total(self, cell: Cell) -> CellCounts:
        """The counts of a cell over all sentences."""
        sums = np.zeros(len(CellCounts._fields), np.int64)
        for counts, times in self.cells.get(cell, {}).items():
            sums += times * np.array(counts)
        return CellCounts(*sums.tolist())

    def row(self, cell: Cell, resamples: int, seed: int) -> BreakdownRow:
        """The scores of a cell, with intervals."""
        all_of_it = self.total(cell)
        f_h, f_s, att = (ratio(*pair) for pair in _ratios(all_of_it))
        intervals = self._intervals(cell, resamples, seed)
        return BreakdownRow(
            self.name,
            cell,
            all_of_it.gold,
            all_of_it.parsed,
            f_h,
            intervals[0],
            f_s,
            intervals[1],
            att,
            intervals[2],
        )

    def _intervals(self, cell: Cell, resamples: int, seed: int) -> list[Interval]:
        """Of F-h, F-s and att, by drawing sentences with replacement."""
        counts = self.cells.get(cell, Counter())
        others = self.ledger.scored - counts.total()  # sentences without such rows
        rows = [*counts, CellCounts()]
        times = np.array([*counts.values(), max(0, others)], np.int64)
        pairs = np.array([_ratios(row) for row in rows], np.float64)
        found = Statistics(pairs[:, :, 0], pairs[:, :, 1], times)
        # An interval of the difference to nothing is one of the score.
        nothing = Statistics(np.zeros_like(found.num), np.ones_like(found.den), times)
        low, high = bootstrap_interval(nothing, found, resamples=resamples, seed=seed)
        return [
            Interval(*(None if np.isnan(x) else float(x) for x in both))
            for both in zip(low, high, strict=True)
        ]


def _ratios(counts: CellCounts) -> list[tuple[int, int]]:
    """F-h, F-s and att as numerator and denominator.

    F is what is matched on both sides over what there is on both sides: 2m / (g + p),
    where gold's matched rows and the parser's fall into the same cell.
    """
    both = counts.gold + counts.parsed
    return [
        (counts.matched_h + counts.matched_h_parsed, both),
        (counts.matched_s + counts.matched_s_parsed, both),
        (counts.matched_att, counts.heads),
    ]
