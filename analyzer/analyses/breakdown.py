"""Scores by what a construction is like: its word, length, governor …: `breakdown`.

A cell holds the constructions that agree in one or two keys. Gold's rows fall into
cells by what gold has, the parser's by what the parser has, as MaltEval groups arcs: so
recall is of gold's cell and precision of the parser's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from analyzer.analyses.cells import (
    KEYS,
    BreakdownRow,
    Cell,
    CellOf,
    SystemCells,
    bucket_place,
    is_ordered,
)
from analyzer.analyses.instance_rows import InstanceRows
from analyzer.analyses.instances import Instances, instances
from analyzer.analyses.opening import ScoringOptions, TreeReading, Trees
from analyzer.exceptions import SettingsError
from analyzer.files.inputs import Input
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import DEFAULT_SEED
from analyzer.model.settings import require_choice, require_number
from analyzer.pairing.ledger import Ledger, LeftOut, total
from analyzer.transform.label_hints import LabelHint

if TYPE_CHECKING:
    import pandas as pd

RESAMPLES = 1000


@dataclass
class Breakdown:
    """What `breakdown` returns: cells by keys, for each system."""

    keys: tuple[str, ...]
    construction: str | None
    systems: list[SystemCells]
    settings: Signature
    resamples: int = RESAMPLES
    seed: int = DEFAULT_SEED
    label_hint: LabelHint | None = None  # whose labels gold seems to have, if others

    def __repr__(self) -> str:
        return (
            f"<Breakdown: {self.construction or 'all constructions'} by "
            f"{', '.join(self.keys)}, {len(self.cells):,} cells, "
            f"{self.ledger.text('looked at')}>"
        )

    @property
    def cells(self) -> list[Cell]:
        """All cells: in the order of their buckets, or most frequent in gold first."""
        found = dict.fromkeys(cell for one in self.systems for cell in one.cells)
        sizes = {cell: self.systems[0].total(cell).gold for cell in found}

        def place(cell: Cell) -> tuple[Any, ...]:
            if all(map(is_ordered, self.keys)):
                return tuple(bucket_place(name) for name in cell)
            return (-sizes[cell], cell)

        return sorted(found, key=place)

    @property
    def rows(self) -> list[BreakdownRow]:
        """A row for each cell and system, with intervals."""
        return self.chosen_rows(self.cells)

    def chosen_rows(self, cells: Iterable[Cell]) -> list[BreakdownRow]:
        """The rows of some cells: intervals take time."""
        return [
            one.row(cell, self.resamples, self.seed)
            for cell in cells
            for one in self.systems
        ]

    @property
    def ledger(self) -> Ledger:
        """What was left out, of all systems."""
        return total(one.ledger for one in self.systems)

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that cannot be compared with gold, and why."""
        return self.ledger.mismatches

    @property
    def signature(self) -> Signature:
        return self.settings.replace(
            scorer="breakdown",
            construction=self.construction or "all",
            by=self.keys,
            resamples=self.resamples,
            seed=self.seed,
        )

    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, a column for each key."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "system": row.system,
                    **dict(zip(self.keys, row.cell, strict=True)),
                    "gold": row.gold,
                    "parsed": row.parsed,
                    **{
                        name: value
                        for score in ("f_h", "f_s", "att")
                        for name, value in (
                            (score, getattr(row, score)),
                            (f"{score}_low", getattr(row, f"{score}_interval").low),
                            (f"{score}_high", getattr(row, f"{score}_interval").high),
                        )
                    },
                }
                for row in self.rows
            ]
        )

    def _repr_html_(self) -> str:
        return self.frame().head(30).to_html()


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
    needs `train`, the treebank that the parser was trained on, and `group` needs
    `group_by`. Numbers (length, distance, depth) fall into buckets. `ScoringOptions`
    lists the other options.

    >>> gold = "(S (NP (PRP I)) (VP (VBP see) (NP (NNS birds))))"
    >>> parsed = "(S (PRP I) (VP (VBP see) (NP (NNS birds))))"
    >>> found = breakdown(gold, parsed, by="tag", construction="NP-t", resamples=10)
    >>> [(row.cell, row.gold, row.f_h) for row in found.rows]
    [(('NNS',), 1, 1.0), (('PRP',), 1, 0.0)]
    """
    keys = _checked_keys(by, train is not None, group_by is not None)
    require_number("resamples", resamples, least=1)
    require_number("seed", seed, least=0)
    systems = parsed if isinstance(parsed, Mapping) else {"parsed": parsed}
    if not systems:
        raise SettingsError("no system is given", code="E873")
    reading = TreeReading(**options)
    cell_of = CellOf(keys, construction, _words(train, reading))
    reference = reading.given(gold)
    if isinstance(reference, Input):
        reference.keep()  # a pipe, too, is read for each of the systems
    found: list[SystemCells] = []
    made: Instances | None = None
    occurring: set[str] = set()
    for name, output in systems.items():
        one = SystemCells(name)

        def each(rows: InstanceRows, into: SystemCells = one) -> None:
            occurring.update(rows.columns["construction"])
            into.add(rows, cell_of)

        made = instances(
            reference, output, group_by=group_by, each=each, jobs=jobs, **options
        )
        one.ledger = made.ledger
        found.append(one)
    assert made is not None
    _check_construction(construction, occurring, made)
    hint = made.deriver.label_hint
    return Breakdown(keys, construction, found, made.signature, resamples, seed, hint)


def _checked_keys(
    by: str | Sequence[str], has_train: bool, has_groups: bool
) -> tuple[str, ...]:
    keys = (by,) if isinstance(by, str) else tuple(by)
    if not 1 <= len(keys) <= 2 or len(set(keys)) < len(keys):
        raise SettingsError(
            "a breakdown is by one key or by two different ones, not {count}",
            code="E870",
            count=len(set(keys)),
        )
    for key in keys:
        require_choice("key", key, KEYS)
    if "known" in keys and not has_train:
        raise SettingsError(
            "'known' needs the treebank that the parser was trained on: --train",
            code="E871",
        )
    if "group" in keys and not has_groups:
        raise SettingsError(
            "'group' needs the group of each sentence: --group-by", code="E872"
        )
    return keys


def _check_construction(name: str | None, occurring: set[str], made: Instances) -> None:
    known = {pattern.name for pattern in made.deriver.inventory.patterns}
    if name is not None and name not in known | occurring:
        raise SettingsError(
            "no construction {construction!r}; in this data there are {occurring:list}",
            code="E809",
            construction=name,
            occurring=sorted(occurring),
        )


def _words(train: Trees | None, reading: TreeReading) -> frozenset[str] | None:
    """The words of the treebank that a parser learnt from."""
    if train is None:
        return None
    given = reading.given(train)
    labels = reading.deriver_for(given).inventory.labels
    banks = reading.sentences(given, labels)
    return frozenset(
        word for bank in banks for word in bank.forms(np.arange(bank.leaf_node.size))
    )
