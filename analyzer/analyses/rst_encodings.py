"""Gold and parsed documents under every encoding, and what each metric counts."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

from analyzer.analyses.rst_results import (
    DECISIONS,
    DEPENDENCY,
    PARSEVAL,
    SEGMENTATION,
    RelationRow,
    RstSettings,
)
from analyzer.derivation.characters import (
    dependencies_by_characters,
    units_by_characters,
)
from analyzer.derivation.units import (
    Dependencies,
    UnitColumns,
    dependencies,
    unit_columns,
)
from analyzer.exceptions import InputWarning
from analyzer.metrics.join import match
from analyzer.metrics.ratios import ratio
from analyzer.metrics.rst import (
    CONSTITUENT_METRICS,
    DEPENDENCY_METRICS,
    Constituents,
    DocumentCounts,
    MetricItems,
    attachment_decisions,
    dependency_key,
    rst_parseval,
    segmentation_counts,
)
from analyzer.model.arrays import number_densely
from analyzer.model.discourse import Documents
from analyzer.model.symbols import SYMBOLS
from analyzer.pairing.characters import edu_spans
from analyzer.safe_text import counted
from analyzer.transform.binarize import Direction, binarize_documents
from analyzer.transform.documents import map_documents


@dataclass(frozen=True)
class EncodedPairs:
    """Documents beside each other under every encoding."""

    settings: RstSettings
    size: int  # how many documents
    units: dict[str, tuple[Constituents, Constituents]]
    arcs: tuple[Dependencies, Dependencies]
    segmentation: DocumentCounts | None

    def items(self) -> dict[tuple[str, str], MetricItems]:
        """What each metric counts, by encoding and metric."""
        found = {}
        for encoding, (left, right) in self.units.items():
            for metric in CONSTITUENT_METRICS:
                # The released program forgets the head in F+H.
                released = self.settings.as_released and metric == "F+H"
                key = "F" if released else metric
                found[encoding, metric] = MetricItems(
                    left.key(key),
                    right.key(key),
                    left.document,
                    right.document,
                    left.place,
                    right.place,
                )
        for metric in DEPENDENCY_METRICS:
            found[DEPENDENCY, metric] = self._arcs(metric)
        return found

    def _arcs(self, metric: str) -> MetricItems:
        # The released program asks for the order of attachment in its F.
        released = self.settings.as_released and metric == "LAS-F"
        name = "LAS-F+order" if released else metric
        left, right = self.arcs
        chosen = [(side.governor >= 0) | self.settings.count_root for side in self.arcs]
        keys = [
            [column[rows] for column in dependency_key(side, name)]
            for side, rows in zip(self.arcs, chosen, strict=True)
        ]
        return MetricItems(
            keys[0],
            keys[1],
            left.document[chosen[0]],
            right.document[chosen[1]],
            left.edu[chosen[0]],
            right.edu[chosen[1]],
        )

    @property
    def counts(self) -> dict[tuple[str, str], DocumentCounts]:
        """Matched, gold and parsed items of each metric, by document."""
        found = {key: items.counts(self.size) for key, items in self.items().items()}
        if self.segmentation is None:
            return found
        return {(SEGMENTATION, "boundaries"): self.segmentation, **found}

    @property
    def relation_rows(self) -> list[RelationRow]:
        """Micro scores of each relation class under F (span, nuclearity, relation)."""
        return _relation_rows(self.units)


def encode(gold: Documents, parsed: Documents, settings: RstSettings) -> EncodedPairs:
    """Documents that are pairs, one beside the other, under every encoding."""
    gold = map_documents(gold, settings.relation_map)
    parsed = map_documents(parsed, settings.relation_map)
    # The reference is binarised as asked; what is parsed is scored as it is. Only
    # attachment decisions need binary trees on both sides.
    shaped = binarize_documents(gold, settings.binarize)
    units = [unit_columns(shaped), unit_columns(parsed)]
    _warn_of_wide_units(units[1], parsed.bank.source, settings.binarize)
    binary = []
    for documents, columns in zip((shaped, parsed), units, strict=True):
        in_twos = binarize_documents(documents, _binary(settings.binarize))
        binary.append(columns if in_twos is documents else unit_columns(in_twos))
    arcs = [dependencies(columns) for columns in units]
    segmentation = None
    if settings.by_offsets:
        spans = edu_spans(gold, parsed)
        for at, of_edus in enumerate(spans):
            units[at] = units_by_characters(units[at], of_edus)
            binary[at] = units_by_characters(binary[at], of_edus)
            arcs[at] = dependencies_by_characters(arcs[at], of_edus)
        segmentation = segmentation_counts(gold, parsed, spans)
    with_root = settings.parseval_root
    encodings: dict[str, tuple[Constituents, Constituents]] = {
        PARSEVAL: (
            rst_parseval(units[0], with_root=with_root),
            rst_parseval(units[1], with_root=with_root),
        ),
        DECISIONS: (attachment_decisions(binary[0]), attachment_decisions(binary[1])),
    }
    return EncodedPairs(
        settings, len(gold), encodings, (arcs[0], arcs[1]), segmentation
    )


def _warn_of_wide_units(
    parsed: UnitColumns, source: str, direction: Direction | str
) -> None:
    """Say that predictions are not binary though the reference is made so.

    Even the reference itself would not get 100 then.
    """
    wide = int(np.count_nonzero(parsed.child_count > 2))
    if wide and direction != Direction.NONE:
        note = (
            f"{counted(wide, 'predicted unit')} of more than two parts: the reference "
            f"is binarised (--binarize {Direction(direction)}), predictions are "
            "scored as they are; --binarize none leaves both as they are"
        )
        warnings.warn(InputWarning(source, note), stacklevel=3)


def _binary(direction: Direction | str) -> Direction | str:
    return Direction.RIGHT if direction == Direction.NONE else direction


def _relation_rows(
    encodings: dict[str, tuple[Constituents, Constituents]],
) -> list[RelationRow]:
    rows = []
    for encoding, (left, right) in encodings.items():
        found = match(left.key("F"), right.key("F"))
        used, which = number_densely(np.concatenate([left.relation, right.relation]))
        in_gold, in_parsed = which[: left.relation.size], which[left.relation.size :]
        matched, gold, parsed = (
            np.bincount(chosen, minlength=used.size).tolist()
            for chosen in (in_gold[found.gold], in_gold, in_parsed)
        )
        names = [SYMBOLS.name(number) for number in used.tolist()]
        for at in sorted(range(len(names)), key=lambda n: (-gold[n], names[n])):
            m, g, p = matched[at], gold[at], parsed[at]
            precision, recall = ratio(m, p), ratio(m, g)
            rows.append(
                RelationRow(
                    encoding,
                    names[at],
                    m,
                    g,
                    p,
                    precision,
                    recall,
                    ratio(2 * m, g + p),
                )
            )
    return rows
