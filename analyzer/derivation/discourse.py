"""Constructions of discourse: schemas and links (DESIGN, section 3).

A *schema* is a unit with two or more children, named by relation and shape
(`elaboration-modr`, `list-crd`); it is recursive and has no attachment. A *link* is how
the highest unit that an EDU heads plugs in: `elaboration-s` as a satellite, `list-n` as
a further nucleus, or `root`; its attachment is the EDU it depends on. With these rows,
F-h, F-s, att and spanR are computed as for syntax.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from analyzer.constructions.labeller import DISCOURSE, Labeller, Production
from analyzer.constructions.language import load_inventory
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.derivation.units import ROOT_EDU, UnitColumns, dependencies, unit_columns
from analyzer.model.discourse import NUCLEUS, SATELLITE, Corpus, split_label
from analyzer.model.symbols import SYMBOLS, Flags, Ids, Ints
from analyzer.model.treebank import Treebank

ROOT_LINK = "root"
WITHIN, ACROSS = "sentence", "document"  # levels
_UNIT = "U"  # what the shapes of rst.pat are patterns of


class RstLabeller(Labeller):
    """Names schemas and links; derives discourse trees instead of syntactic ones."""

    kind = DISCOURSE

    def __init__(
        self, merged: dict[str, str] | None = None, *, sentences: Ints | None = None
    ) -> None:
        """`sentences`, the sentence of each EDU, tells two levels apart."""
        super().__init__(load_inventory("rst"), merged)
        self._schema_of: dict[int, int] = {}
        self._sentences = sentences

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(RstLabeller, sentences=self._sentences), (self.merged,)

    def derivation(self, bank: Treebank) -> Derivation:
        """Schemas and links of documents, in document order."""
        units = unit_columns(Corpus([], bank))
        schema_rows, schemas, productions, covered = self._schemas(units, bank)
        link_rows, links, governor = self._links(units)
        row = np.concatenate([link_rows, schema_rows])
        # A link stands before the schema of the same unit: it is above it.
        order = np.argsort(row, kind="stable")
        row = row[order]
        edus = np.flatnonzero(units.is_edu)
        head = np.concatenate([units.first[edus], units.head[schema_rows]])[order]
        governor_of_edu = np.full(edus.size, ROOT, np.int64)
        governor_of_edu[units.first[edus]] = governor
        nothing = np.full(schema_rows.size, NULL, np.int64)
        construction = np.concatenate([links, schemas])
        if self._sentences is not None:
            within = np.concatenate(
                [
                    self._are_together(units.first[edus], governor),
                    self._are_together(
                        units.first[schema_rows], units.last[schema_rows] - 1
                    ),
                ]
            )
            construction = self._with_level(construction, within)
        construction = construction[order]
        return Derivation(
            row=row,
            starts=np.searchsorted(row, bank.node_start),
            first=units.first[row],
            last=units.last[row],
            key_label=construction.astype(np.int32),  # what evalb would compare
            construction=construction.astype(np.int32),
            head=head,
            attachment=np.concatenate([governor, nothing])[order],
            governor=governor_of_edu[head],
            production=np.concatenate([np.full(edus.size, -1), productions])[order],
            is_covered=np.concatenate([np.ones(edus.size, np.bool_), covered])[order],
        )

    def _are_together(self, one: Ints, other: Ints) -> Flags:
        """Whether two EDUs are in the same sentence; ROOT is in none."""
        assert self._sentences is not None
        same: Flags = self._sentences[one] == self._sentences[np.maximum(other, 0)]
        return same & (other >= 0)

    def _with_level(self, construction: Ids, within: Flags) -> Ids:
        """Constructions named apart by level: within a sentence, or across."""
        found = construction.copy()
        for number in np.unique(construction).tolist():
            name = self.names[number]
            for is_within, suffix in ((True, WITHIN), (False, ACROSS)):
                self.declare(f"{name}:{suffix}", is_recursive=self.is_schema(name))
                chosen = (construction == number) & (within == is_within)
                if chosen.any():
                    found[chosen] = self.number(f"{name}:{suffix}")
        return found

    def is_schema(self, name: str) -> bool:
        return self._recursive.get(name, False)

    def _schemas(
        self, units: UnitColumns, bank: Treebank
    ) -> tuple[Ints, Ids, Ints, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        starts = np.flatnonzero(
            np.append(True, np.diff(units.parent[units.children]) != 0)
            if units.children.size
            else np.zeros(0, np.bool_)
        )
        rows = units.parent[units.children[starts]]
        parents = np.full(rows.size, SYMBOLS.id(_UNIT), np.int32)
        numbers = self.productions_of(
            parents,
            bank.label[units.children],
            bank.is_leaf[units.children],
            starts,
        )
        for number in np.unique(numbers).tolist():
            if number not in self._schema_of:
                name = schema_name(self.productions[number])
                self.declare(name, is_recursive=True)
                self._schema_of[number] = self.number(name)
        size = max(self._schema_of, default=-1) + 1
        schema_of = np.zeros(size, np.int32)
        schema_of[list(self._schema_of)] = list(self._schema_of.values())
        covered = self.columns()[2]
        order = np.argsort(rows)
        numbers = numbers[order]
        return rows[order], schema_of[numbers], numbers, covered[numbers]

    def _links(self, units: UnitColumns) -> tuple[Ints, Ids, Ints]:
        found = dependencies(units)
        satellite = SYMBOLS.id(SATELLITE)
        is_root = found.governor == ROOT_EDU
        suffix = found.nuclearity == satellite
        numbers = np.zeros(found.governor.size, np.int32)
        keys = found.relation.astype(np.int64) * 2 + suffix
        for key in np.unique(keys[~is_root]).tolist():
            name = f"{SYMBOLS.name(key // 2)}-{'s' if key % 2 else 'n'}"
            self.declare(name, is_recursive=False)
            numbers[keys == key] = self.number(name)
        self.declare(ROOT_LINK, is_recursive=False)
        numbers[is_root] = self.number(ROOT_LINK)
        governor = np.where(is_root, ROOT, found.governor)
        return found.top, numbers, governor


def schema_name(production: Production) -> str:
    """Relation and shape of a unit: `elaboration-modr`.

    >>> from analyzer.constructions.inventory import Child
    >>> children = (Child("span/N", True), Child("cause/S", True))
    >>> schema_name(Labeller(load_inventory("rst")).label("U", children))
    'cause-modr'
    """
    parts = [split_label(child.label) for child in production.children]
    shape = production.construction.partition("-")[2]
    nuclei = [at for at, part in enumerate(parts) if part[1] == NUCLEUS]
    satellites = [at for at, part in enumerate(parts) if part[1] == SATELLITE]
    if not satellites or not nuclei:
        return f"{parts[0][0]}-{shape}"
    # The satellite that attaches first: the nearest, the right one first.
    nearest = min(
        satellites,
        key=lambda at: (
            (nuclei[0] - at, 1) if at < nuclei[0] else (abs(at - nuclei[-1]), 0)
        ),
    )
    return f"{parts[nearest][0]}-{shape}"
