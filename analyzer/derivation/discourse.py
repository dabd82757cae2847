"""Constructions of discourse: schemas and links (DESIGN, section 3).

A *schema* is a unit with two or more children, named by relation and shape
(`elaboration-modr`, `list-crd`); it is recursive and has no attachment. A *link* is how
the highest unit that an EDU heads plugs in: `elaboration-s` as a satellite, `list-n` as
a further nucleus, or `root`; its attachment is the EDU it depends on. With these rows,
F-h, F-s, att and spanR are computed as for syntax.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from analyzer.constructions.inventory import Inventory
from analyzer.constructions.labeller import Labeller, Production
from analyzer.constructions.language import load_inventory
from analyzer.constructions.names import ConstructionNames, Merge, merged_names
from analyzer.derivation.brackets import Wrappers
from analyzer.derivation.columns import NULL, ROOT, Derivation
from analyzer.derivation.deriver import naming_settings
from analyzer.derivation.units import ROOT_EDU, UnitColumns, dependencies, unit_columns
from analyzer.formats.registry import Family
from analyzer.model.arrays import Flags, Ids, Ints
from analyzer.model.discourse import NUCLEUS, SATELLITE, Documents, split_label
from analyzer.model.symbols import SYMBOLS
from analyzer.model.treebank import Treebank
from analyzer.pairing.words import Side
from analyzer.transform.label_tables import LabelTables
from analyzer.transform.parameters import BUILT_IN

ROOT_LINK = "root"
WITHIN, ACROSS = "sentence", "document"  # levels
_UNIT = "U"  # what the shapes of rst.pat are patterns of


@dataclass(frozen=True, eq=False)
class DiscourseDeriver:
    """Derives schemas and links. `discourse_deriver` makes one."""

    tables: LabelTables
    labeller: Labeller  # of shapes
    constructions: ConstructionNames  # schemas and links
    shape: Mapping[str, object]  # what was done to the trees, for the signature
    sentences: Ints | None = None  # of each EDU: tells two levels apart
    _schema_of: dict[int, int] = field(default_factory=dict, repr=False)

    family: ClassVar[Family] = Family.DISCOURSE
    noun: ClassVar[str] = "document"
    bracket_name: ClassVar[str] = "labelled spans"
    has_tags: ClassVar[bool] = False
    function_tags: ClassVar[None] = None
    label_hint: ClassVar[None] = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Numbers are of this process: what names constructions is pickled instead."""
        names = self.constructions
        shape = dict(self.shape)
        return _made, (names.merged, shape, self.sentences, names.recursive)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DiscourseDeriver) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(tuple(self.shape.items()))

    @property
    def inventory(self) -> Inventory:
        return self.labeller.inventory

    @property
    def settings(self) -> Mapping[str, object]:
        naming = naming_settings(self.inventory, self.constructions, self.tables)
        levels = {} if self.sentences is None else {"levels": f"{WITHIN} {ACROSS}"}
        return {**self.shape, **levels, **naming}

    @property
    def identity(self) -> tuple[object, ...]:
        sentences = None if self.sentences is None else self.sentences.tobytes()
        return (
            self.tables.identity,
            self.labeller.identity,
            self.constructions.merged,
            tuple(self.shape.items()),
            sentences,
        )

    def derive(self, side: Side) -> Derivation:
        """Schemas and links of the documents that are compared, in document order."""
        bank = side.bank
        units = unit_columns(Documents([], bank))
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
        if self.sentences is not None:
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
        derivation = Derivation(
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
            wrappers=Wrappers.none(len(bank)),
        )
        if side.is_compared.all():
            return derivation
        return derivation.only(np.repeat(side.is_compared, np.diff(derivation.starts)))

    def _are_together(self, left: Ints, right: Ints) -> Flags:
        """Whether two EDUs are in the same sentence; ROOT is in none."""
        assert self.sentences is not None
        same: Flags = self.sentences[left] == self.sentences[np.maximum(right, 0)]
        return same & (right >= 0)

    def _with_level(self, construction: Ids, within: Flags) -> Ids:
        """Constructions named apart by level: within a sentence, or across."""
        names, result = self.constructions, construction.copy()
        for number in np.unique(construction).tolist():
            name = names[number]
            for is_within, suffix in ((True, WITHIN), (False, ACROSS)):
                names.declare(f"{name}:{suffix}", is_recursive=names.recurs(name))
                chosen = (construction == number) & (within == is_within)
                if chosen.any():
                    result[chosen] = names.number(f"{name}:{suffix}")
        return result

    def _schemas(
        self, units: UnitColumns, bank: Treebank
    ) -> tuple[Ints, Ids, Ints, Flags]:
        starts = np.flatnonzero(
            np.append(True, np.diff(units.parent[units.children]) != 0)
            if units.children.size
            else np.zeros(0, np.bool_)
        )
        rows = units.parent[units.children[starts]]
        parents = np.full(rows.size, SYMBOLS.id(_UNIT), np.int32)
        numbers = self.labeller.productions_of(
            parents,
            bank.label[units.children],
            bank.is_leaf[units.children],
            starts,
        )
        for number in np.unique(numbers).tolist():
            if number not in self._schema_of:
                name = schema_name(self.labeller.productions[number])
                self.constructions.declare(name, is_recursive=True)
                self._schema_of[number] = self.constructions.number(name)
        size = max(self._schema_of, default=-1) + 1
        schema_of = np.zeros(size, np.int32)
        schema_of[list(self._schema_of)] = list(self._schema_of.values())
        covered = self.labeller.columns()[2]
        order = np.argsort(rows)
        numbers = numbers[order]
        return rows[order], schema_of[numbers], numbers, covered[numbers]

    def _links(self, units: UnitColumns) -> tuple[Ints, Ids, Ints]:
        arcs, names = dependencies(units), self.constructions
        satellite = SYMBOLS.id(SATELLITE)
        is_root = arcs.governor == ROOT_EDU
        suffix = arcs.nuclearity == satellite
        numbers = np.zeros(arcs.governor.size, np.int32)
        keys = arcs.relation.astype(np.int64) * 2 + suffix
        for key in np.unique(keys[~is_root]).tolist():
            name = f"{SYMBOLS.name(key // 2)}-{'s' if key % 2 else 'n'}"
            names.declare(name, is_recursive=False)
            numbers[keys == key] = names.number(name)
        names.declare(ROOT_LINK, is_recursive=False)
        numbers[is_root] = names.number(ROOT_LINK)
        governor = np.where(is_root, ROOT, arcs.governor)
        return arcs.top, numbers, governor


def discourse_deriver(
    *,
    binarize: str = "right",
    relations: str = "fine",
    roots: str = "join",
    merge: Merge | None = None,
    sentences: Ints | None = None,
) -> DiscourseDeriver:
    """A deriver of documents that were binarised and mapped in this way.

    `sentences`, the sentence of each EDU, names constructions within a sentence and
    those across sentences apart.
    """
    shape = {"binarize": binarize, "relations": relations}
    # A signature does not say what is usual.
    return _made(
        merged_names(merge),
        shape | ({} if roots == "join" else {"roots": roots}),
        sentences,
    )


def _made(
    merge: Mapping[str, str] | None,
    shape: Mapping[str, object],
    sentences: Ints | None,
    recursive: Mapping[str, bool] | None = None,
) -> DiscourseDeriver:
    return DiscourseDeriver(
        # Nothing is deleted, and the texts of units need not be the same.
        LabelTables(BUILT_IN["none"], compares_words=False),
        Labeller(load_inventory("rst")),
        ConstructionNames(recursive, merge),
        shape,
        sentences,
    )


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
