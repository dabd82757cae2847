"""Scores by what a construction is like: its word, length, governor …: `breakdown`.

A cell holds the constructions that agree in one or two keys. Gold's rows fall into
cells by what gold has, the parser's by what the parser has, as MaltEval groups arcs: so
recall is of gold's cell and precision of the parser's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Unpack

import numpy as np

from analyzer.analyses.compared import (
    OfSystems,
    count_systems,
    documents_of,
    frame_of,
    require_draws,
    texts_of,
    units_of,
)
from analyzer.analyses.errors import require_construction
from analyzer.analyses.instances import (
    KNOWN,
    Coded,
    Training,
    instance_rows,
    training_of,
)
from analyzer.analyses.opening import (
    ScoringOptions,
    TreeReading,
    Trees,
    scoring_keywords,
)
from analyzer.derivation.deriver import Deriver
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import (
    COUNTS,
    Comparison,
    ConstructionCounts,
    measures_of,
)
from analyzer.metrics.constructions import KEYS as MATCH_KEYS
from analyzer.metrics.counts import Counts
from analyzer.metrics.intervals import UNKNOWN, Interval, UnitCounts, Units
from analyzer.metrics.measures import Measure, Row, row_type
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import DEFAULT_SEED
from analyzer.model.arrays import Flags, Value, number_densely
from analyzer.model.settings import require_choice
from analyzer.pairing.in_step import Pair
from analyzer.pairing.ledger import Ledger
from analyzer.pairing.mismatches import mismatch_setting
from analyzer.runtime.executor import Backend

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES = 1000
_SEPARATOR = "\0"  # between the parts of a cell's name
_AT_ONCE = 500  # cells whose intervals are sought together: to bound memory
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
    "tag-right": "(no tag)",
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
# Keys that training data has an answer to.
OF_TRAINING = tuple(name.replace("_", "-") for name in KNOWN)
KEYS = (*_MISSING, *OF_TRAINING)


def shown_measures() -> list[Measure]:
    """What is told of a cell beside its counts; an interval follows each."""
    return measures_of(detail=0)


def matched_columns() -> list[str]:
    """The counts that measures are made of: of gold's rows, then of the parser's."""
    _, _, *matches = COUNTS
    return [*matches, *(f"parsed_{name}" for name in MATCH_KEYS)]


def _row(system: str, cell: Cell, *values: object) -> Row:
    """A cell of one system: gold, parsed, the measures and their intervals, counts."""
    names = [measure.name for measure in shown_measures()]
    scores = [field for name in names for field in (name, f"{name}_interval")]
    fields = ("system", "cell", "gold", "parsed", *scores, *matched_columns())
    make = row_type("BreakdownRow", *fields, module=__name__)
    return make(system, cell, *values)


def flat(row: Row) -> list[Any]:
    """The values of a row: of its keys, its counts, its measures and their ends."""
    values: list[Any] = [row.system, *row.cell, row.gold, row.parsed]
    for measure in shown_measures():
        ends: Interval = getattr(row, f"{measure.name}_interval")
        values += [getattr(row, measure.name), *ends]
    return [*values, *(getattr(row, name) for name in matched_columns())]


class CellOf(NamedTuple):
    """Which cell each row falls into."""

    keys: tuple[str, ...]
    construction: str | None

    def __call__(self, columns: Mapping[str, Coded]) -> Coded:
        """The cell of each row; None for rows of other constructions."""
        cells = Coded(np.zeros(len(columns["side"]), np.int64), [()])
        for key in self.keys:
            values = columns[self._column(key)]
            names = Coded.of_texts(self._names(values.values, key))
            which = names.codes[values.codes]
            both, codes = number_densely(cells.codes * len(names.values) + which)
            ends = (end.tolist() for end in np.divmod(both, len(names.values)))
            pairs = zip(*ends, strict=True)
            cells = Coded(
                codes, [(*cells.values[a], names.values[b]) for a, b in pairs]
            )
        if self.construction is None:
            return cells
        of_rows = columns["construction"]
        is_other = np.array([name != self.construction for name in of_rows.values])
        return cells.without(is_other[of_rows.codes])

    def _column(self, key: str) -> str:
        if key == "tag-right":
            return "matched_tag"
        # Of all constructions of a spine, not only of the one that is attached.
        of_spine = "spine_" if key.startswith("governor") else ""
        return of_spine + key.replace("-", "_")

    def _names(self, values: Iterable[Any], key: str) -> list[str]:
        if key in OF_TRAINING:
            return ["known" if is_known else "unknown" for is_known in values]
        missing = _MISSING[key]
        if key == "tag-right":
            words = {True: "right", False: "wrong", None: missing}
            return [words[value] for value in values]
        if key in _BUCKETS:
            starts = _BUCKETS[key]
            return [
                missing if value is None else bucket(value, starts) for value in values
            ]
        if key == "word":
            return [value.lower() for value in values]
        return [missing if value is None else value for value in values]


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


class CellCounts(NamedTuple):
    """The rows of some sentences, counted by the cells that they fall into.

    A name is a cell, its parts joined; the values are `COUNTS` of gold's rows, then
    those of the parser's.
    """

    units: UnitCounts
    occurring: Counter[str]  # constructions


@dataclass(frozen=True)
class CellCounter:
    """Counts the rows of a pair."""

    deriver: Deriver
    cell_of: CellOf
    training: Training | None = None

    def __call__(self, pair: Pair, comparison: Comparison) -> CellCounts:
        rows_of = pair, comparison, self.deriver, self.training
        columns = instance_rows(*rows_of).columns
        cells = self.cell_of(columns)
        names = [cell for cell in cells.values if cell is not None]
        number = np.where(cells.codes < len(names), cells.codes, -1)
        sides = comparison.gold, comparison.parsed
        sentences = len(pair.gold)
        tree = np.concatenate(
            [np.repeat(np.arange(sentences), np.diff(side.starts)) for side in sides]
        )
        kept = np.flatnonzero(number >= 0)
        key, which = number_densely(tree[kept] * max(1, len(names)) + number[kept])
        rows = _flags(comparison)[kept]
        values = np.stack(
            [np.bincount(which, column, minlength=key.size) for column in rows.T],
            axis=1,
        )
        sentence, name = np.divmod(key, max(1, len(names)))
        texts = [_SEPARATOR.join(cell) for cell in names]
        counts = Counts(texts, sentences, sentence, name, values.astype(np.int32))
        documents = documents_of(self.deriver, pair.documents)
        units = UnitCounts.of(counts, documents)
        return CellCounts(units, Counter(columns["construction"]))


def _flags(comparison: Comparison) -> Flags:
    """What each row counts for: `COUNTS` of gold's rows, then those of the parser's."""
    sides = comparison.gold, comparison.parsed
    sizes = [side.row.size for side in sides]
    flags = np.zeros((sum(sizes), 2 * len(COUNTS)), np.bool_)
    starts = 0, sizes[0]
    for at, side in enumerate(sides):
        rows = slice(starts[at], starts[at] + sizes[at])
        has_attachment = ~comparison.constructions.is_recursive[side.construction]
        for place, name in enumerate(COUNTS, start=at * len(COUNTS)):
            if name in comparison.by:
                column = comparison.by[name][at]
            elif name == "attachable":
                column = comparison.by_head[at]
            else:
                column = np.full(sizes[at], name == ("gold", "parsed")[at])
            if name in ("matched_att", "attachable"):
                column = column & has_attachment
            flags[rows, place] = column
    return flags


@dataclass(eq=False)
class SystemCells(Value):
    """The counts of each cell of a system, by what is resampled."""

    name: str
    units: Units
    ledger: Ledger

    @cached_property
    def cells(self) -> dict[Cell, int]:
        """The cells, and their numbers in the counts."""
        names = self.units.counts.names
        return {tuple(text.split(_SEPARATOR)): at for at, text in enumerate(names)}

    @cached_property
    def _sums(self) -> Any:
        return self.units.counts.sums()

    def total(self, cell: Cell) -> ConstructionCounts:
        """The rows of a cell over all sentences: gold's, and how many the parser's."""
        gold, parsed = self._of_sides(cell)
        return gold._replace(parsed=parsed.parsed)

    def _of_sides(self, cell: Cell) -> tuple[ConstructionCounts, ConstructionCounts]:
        """Gold's rows of a cell, and the parser's."""
        if cell not in self.cells:
            return ConstructionCounts(), ConstructionCounts()
        sums = self._sums[self.cells[cell]].tolist()
        sides = sums[: len(COUNTS)], sums[len(COUNTS) :]
        return ConstructionCounts(*sides[0]), ConstructionCounts(*sides[1])

    def rows(self, cells: Sequence[Cell], resamples: int, seed: int) -> list[Row]:
        """The scores of some cells, with intervals.

        A cell of one side has a recall or a precision, but no F, if what is in it is
        matched by rows of other cells; what nothing matches is 0 all the same.
        """
        known = {
            measure.name: self._intervals(measure, cells, resamples, seed)
            for measure in shown_measures()
        }
        return [
            self._row(cell, {n: of[at] for n, of in known.items()})
            for at, cell in enumerate(cells)
        ]

    def _row(self, cell: Cell, intervals: Mapping[str, Interval]) -> Row:
        gold, parsed = self._of_sides(cell)
        is_elsewhere = not (gold.gold and parsed.parsed) and (
            gold.matched_h or parsed.matched_h
        )
        scored: list[Any] = []
        for measure in shown_measures():
            counts: Any = gold
            if "parsed" in measure.counts:
                counts = _of_both(np.array(gold), np.array(parsed)).tolist()
            score = measure.of(dict(zip(COUNTS, counts, strict=True)))
            if is_elsewhere and "parsed" in measure.counts:
                score = None
            scored += [score, UNKNOWN if score is None else intervals[measure.name]]
        matched = *gold[2:], *(getattr(parsed, name) for name in MATCH_KEYS)
        return _row(self.name, cell, gold.gold, parsed.parsed, *scored, *matched)

    def _intervals(
        self, measure: Measure, cells: Sequence[Cell], resamples: int, seed: int
    ) -> list[Interval]:
        """Where a measure lies, of each of some cells."""
        gold, parsed = np.split(self.units.counts.values, 2, axis=1)
        values = _of_both(gold, parsed) if "parsed" in measure.counts else gold
        units = self.units._replace(counts=self.units.counts._replace(values=values))
        known: list[Interval] = []
        for start in range(0, len(cells), _AT_ONCE):
            names = [_SEPARATOR.join(cell) for cell in cells[start : start + _AT_ONCE]]
            *of_names, _ = units.named(names).intervals(
                measure, COUNTS, resamples, seed
            )
            known += of_names
        return known


def _of_both(gold: Any, parsed: Any) -> Any:
    """What an F is made of: what is matched on both sides, and what there is on both.

    Gold's matched rows and the parser's need not fall into the same cell. What is a
    share of matches is of gold's.
    """
    both = gold + parsed
    for name in ("gold", "parsed"):  # each on one side, matches on two
        both[..., COUNTS.index(name)] *= 2
    return both


@dataclass(eq=False, repr=False)
class Breakdown(OfSystems):
    """What `breakdown` returns: cells by keys, for each system."""

    systems: list[SystemCells]
    keys: tuple[str, ...]
    construction: str | None

    verb: ClassVar[str] = "looked at"

    @property
    def notes(self) -> list[str]:
        return [*super().notes, *texts_of(self.label_hint)]

    def _shown(self) -> str:
        what, by = self.construction or "all constructions", ", ".join(self.keys)
        return f"{what} by {by}, {len(self.cells):,} cells"

    @property
    def cells(self) -> list[Cell]:
        """All cells: in the order of their buckets, or most frequent in gold first."""
        cells = dict.fromkeys(cell for system in self.systems for cell in system.cells)
        sizes = {cell: self.systems[0].total(cell).gold for cell in cells}

        def place(cell: Cell) -> tuple[Any, ...]:
            if all(map(is_ordered, self.keys)):
                return tuple(bucket_place(name) for name in cell)
            return (-sizes[cell], cell)

        return sorted(cells, key=place)

    @property
    def rows(self) -> list[Row]:
        """A row for each cell and system, with intervals."""
        return self.chosen_rows(self.cells)

    def chosen_rows(self, cells: Iterable[Cell]) -> list[Row]:
        """The rows of some cells: intervals take time."""
        listed = list(cells)
        rows_of = [
            system.rows(listed, self.resamples, self.seed) for system in self.systems
        ]
        return [row for of_cell in zip(*rows_of, strict=True) for row in of_cell]

    @property
    def signature(self) -> Signature:
        return self.settings.replace(
            scorer="breakdown",
            construction=self.construction or "all",
            by=self.keys,
            intervals=self.systems[0].units.setting,
            resamples=self.resamples,
            seed=self.seed,
        )

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, a column for each key."""
        names = [measure.name for measure in shown_measures()]
        scores = [f"{name}{end}" for name in names for end in ("", "_low", "_high")]
        counts = matched_columns()
        columns = ("system", *self.keys, "gold", "parsed", *scores, *counts)
        return frame_of([flat(row) for row in self.rows], columns)

    def _repr_html_(self) -> str:
        return self.frame().head(30).to_html()


@scoring_keywords
def breakdown(
    gold: Trees,
    parsed: Trees | Mapping[str, Trees],
    *,
    by: str | Sequence[str],
    construction: str | None = None,
    train: Trees | None = None,
    group_by: str | Sequence[str] | None = None,
    resamples: int = RESAMPLES,
    seed: int = DEFAULT_SEED,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Breakdown:
    """Scores by one or two keys (`KEYS`), of one construction or of all.

    `parsed` is a parser's output, or a mapping from names of parsers to theirs. `known`
    and its like need `train`, the treebank that the parser was trained on, and `group`
    needs `group_by`. Numbers (length, distance, depth) fall into buckets.
    `ScoringOptions` lists the other options.

    >>> gold = "(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds))))"
    >>> parsed = "(S (PRP I) (VP (VBP see) (NP (NNS birds))))"
    >>> scores = breakdown(gold, parsed, by="tag", construction="NP-t", resamples=10)
    >>> [(row.cell, row.gold, row.f_h) for row in scores.rows]
    [(('NNS',), 1, 1.0), (('PRP',), 1, 0.0)]
    """
    keys = _checked_keys(by, train is not None, group_by is not None)
    require_draws(resamples, seed, parsed)
    reading, backend = TreeReading(**options), Backend(jobs)
    reference = reading.resolve(gold, again=True)
    deriver = reading.deriver_for(reference)
    # Only where it is asked for: it takes time.
    is_asked = not {*keys}.isdisjoint(OF_TRAINING)
    training = None
    if train is not None and is_asked:
        training = training_of(train, reading, deriver)
    counter = CellCounter(deriver, CellOf(keys, construction), training)
    systems: list[SystemCells] = []
    occurring: Counter[str] = Counter()
    for name, outcome in count_systems(
        *(reference, parsed, reading, deriver, counter),
        backend=backend,
        group_by=group_by,
    ):
        reading.warn_left_out(outcome.ledger, outcome.names[1])
        counts = outcome.counts or CellCounts(UnitCounts(), Counter())
        occurring.update(counts.occurring)
        units = units_of(deriver, counts.units)
        systems.append(SystemCells(name, units, outcome.ledger))
    if construction is not None:
        require_construction(construction, deriver, occurring)
    settings = Signature.of(
        scorer="instances",
        **deriver.settings,
        **mismatch_setting(reading.mismatch),
        **systems[0].ledger.settings,
    )
    how = settings, resamples, seed, deriver.label_hint
    return Breakdown(systems, *how, keys, construction)


def _checked_keys(
    by: str | Sequence[str], has_train: bool, has_groups: bool
) -> tuple[str, ...]:
    keys = tuple(by.split(",") if isinstance(by, str) else by)
    if not 1 <= len(keys) <= 2 or len(set(keys)) < len(keys):
        raise SettingsError(
            "E870 a breakdown is by one key or by two different", count=len(set(keys))
        )
    for key in keys:
        require_choice("key", key, KEYS)
    for key in keys:
        if key in OF_TRAINING and not has_train:
            raise SettingsError("E871 needs the treebank that the parser was", key=key)
    if "group" in keys and not has_groups:
        raise SettingsError("E872 group' needs the group of each sentence")
    return keys
