"""The metrics of discourse parsers compared: which differences are real.

Every metric is a ratio of sums, 2 matched / (gold + parsed), over documents, and as
well over decisions: the spans of a text that gold or a parser makes a unit of, or its
EDUs. Decisions are many, but those of one document hang together; documents do not,
but are few. So both are resampled, and both results given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from analyzer.analyses.compared import frame_of
from analyzer.analyses.opening import TreeReading
from analyzer.analyses.rst_scores import RstScores, relation_rows
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.metrics.join import match
from analyzer.metrics.measures import Row, row_type
from analyzer.metrics.rst import (
    DECISIONS,
    DEPENDENCY,
    PARSEVAL,
    UNIT_METRICS,
    MetricItems,
    RstSettings,
    encode,
)
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import (
    DIFFERENCE,
    Pool,
    Progress,
    dense_pools,
    paired_tests,
    settings_of_tests,
)
from analyzer.model.arrays import Value
from analyzer.model.discourse import Documents
from analyzer.pairing.ledger import DOCUMENT, Ledger, LeftOut, SidedReading
from analyzer.pairing.mismatches import OnMismatch
from analyzer.pairing.partners import check_documents, pair_documents, rooted_alike
from analyzer.transform.documents import Roots, select_documents

if TYPE_CHECKING:
    import pandas as pd

Items = dict[tuple[str, str], MetricItems]  # by encoding and metric
PairedBy = Literal["document", "decision"]
COMPARED = {
    PARSEVAL: UNIT_METRICS,
    DECISIONS: UNIT_METRICS,
    DEPENDENCY: ("UAS", "LAS-N", "LAS-R", "LAS-F"),
}


# A metric (micro F1) under two systems; None where it is undefined.
MetricDifference = row_type(
    *("MetricDifference", "paired_by", "encoding", "metric", *DIFFERENCE),
    module=__name__,
)


class CommonDocuments(NamedTuple):
    """What gold and all systems have, and what not all have."""

    gold: Documents
    systems: list[Documents]  # named and ordered as gold is
    left_out: list[tuple[str, LeftOut]]  # system, document
    unpaired: Ledger  # of all documents that not all can be compared on


def common_documents(
    gold: Documents,
    systems: Sequence[tuple[str, Documents]],
    on_mismatch: OnMismatch = OnMismatch.SKIP,
    roots: Roots | str = Roots.JOIN,
) -> CommonDocuments:
    """The documents that every system can be compared on, in gold's order."""
    gold, *rooted = rooted_alike(
        [gold, *(documents for _, documents in systems)], roots
    )
    systems = [
        (name, documents) for (name, _), documents in zip(systems, rooted, strict=True)
    ]
    left_out: list[tuple[str, LeftOut]] = []
    readings: dict[SidedReading, None] = {}
    places: list[dict[int, int]] = []
    for name, parsed in systems:
        paired = pair_documents(gold, parsed)
        check_documents(paired.ledger, on_mismatch)
        if paired.missed and on_mismatch == "zero":
            raise SettingsError("E449 documents are compared where all systems have")
        places.append(dict(paired.pairs))
        readings.update(dict.fromkeys(paired.ledger.readings))
        left_out += [(name, item) for item in paired.ledger.items]
    shared = [at for at in range(len(gold)) if all(at in known for known in places)]
    if not shared:
        raise PairingError("E404 no document could be scored", Place(gold.bank.source))
    chosen = select_documents(gold, shared)
    return CommonDocuments(
        chosen,
        [
            Documents(
                chosen.names,
                select_documents(parsed, [known[at] for at in shared]).bank,
            )
            for (_, parsed), known in zip(systems, places, strict=True)
        ],
        left_out,
        replace(_unpaired([item for _, item in left_out]), readings=tuple(readings)),
    )


def _unpaired(items: Sequence[LeftOut]) -> Ledger:
    """Each document of gold that some system lacks, once; and all that gold lacks."""
    of_gold = {item.document: item for item in reversed(items) if item.in_gold}
    others = {str(item): item for item in items if not item.in_gold}
    listed = (*list(of_gold.values())[::-1], *others.values())
    return Ledger(DOCUMENT, gold=len(of_gold), parsed=len(others), items=listed)


@dataclass(frozen=True, eq=False)
class DocumentComparison(Value):
    """Every metric of `score_rst` for systems on the same documents."""

    names: list[str]  # of the documents
    total: int  # documents of gold, those included that not every system has
    left_out: list[tuple[str, LeftOut]]  # system, document
    scores: dict[str, RstScores]  # by system, the baseline first
    items: dict[str, Items]  # by system: what each metric counts
    resamples: int
    seed: int

    @property
    def signature(self) -> Signature:
        scored = next(iter(self.scores.values())).signature
        return scored.insert("average", **settings_of_tests(self.resamples, self.seed))

    @property
    def passes(self) -> int:
        """How often `differences` goes through all resamples."""
        return 4

    def differences(self, system: str, progress: Progress | None = None) -> list[Row]:
        """A system minus the baseline: each metric, by document and by decision."""
        baseline = next(iter(self.scores))
        a, b = self.items[baseline], self.items[system]
        keys = [
            (encoding, name) for encoding in COMPARED for name in COMPARED[encoding]
        ]
        pools: dict[PairedBy, list[Pool]] = {
            "document": _by_document(
                [(a[key], b[key]) for key in keys], len(self.names)
            ),
            "decision": [
                pool
                for encoding, names in COMPARED.items()
                for pool in _by_decision(
                    [(a[encoding, n], b[encoding, n]) for n in names]
                )
            ],
        }
        rows = []
        for paired_by, of_metrics in pools.items():
            tested = paired_tests(
                of_metrics,
                [f"{paired_by} {encoding} {name}" for encoding, name in keys],
                resamples=self.resamples,
                seed=self.seed,
                progress=progress,
                has_total=False,
            )
            for at, key in enumerate(keys):
                gold = int(a[key].gold.document.size)
                rows.append(MetricDifference(paired_by, *key, gold, *tested.row(at)))
        return rows

    def frame(self) -> pd.DataFrame:
        """The differences of every system against the baseline."""
        rows = [
            (system, *row)
            for system in list(self.scores)[1:]
            for row in self.differences(system)
        ]
        names = ("system", "paired_by", "encoding", "metric", *DIFFERENCE)
        return frame_of(rows, names)


def compare_documents(
    gold: Documents,
    systems: Sequence[tuple[str, Documents]],
    reading: TreeReading,
    *,
    resamples: int,
    seed: int,
    binarize_parsed: bool = True,
) -> tuple[DocumentComparison, CommonDocuments]:
    """Systems under every metric, on the documents that all have."""
    shape = reading.shape
    common = common_documents(gold, systems, reading.mismatch, shape.roots)
    settings = RstSettings(
        *(shape.binarize, shape.relations, shape.roots), binarize_parsed=binarize_parsed
    )
    scores: dict[str, RstScores] = {}
    items: dict[str, Items] = {}
    for (name, _), parsed in zip(systems, common.systems, strict=True):
        encoded = encode(common.gold, parsed, settings)
        rows = encoded.counts, relation_rows(encoded)
        scores[name] = RstScores(
            settings, common.gold.names, *rows, wide_units=encoded.sides[1].wide_units
        )
        items[name] = encoded.items()
    total = len(common.gold) + common.unpaired.gold
    names, left_out = common.gold.names, common.left_out
    comparison = DocumentComparison(
        names, total, left_out, scores, items, resamples, seed
    )
    return comparison, common


def _by_document(
    metrics: Sequence[tuple[MetricItems, MetricItems]], documents: int
) -> list[Pool]:
    """The counts of two systems in each document, metric by metric."""
    counts = [[items.counts(documents) for items in both] for both in metrics]
    fractions = [
        [
            part
            for system_counts in both
            for part in (
                2 * system_counts.matched,
                system_counts.gold + system_counts.parsed,
            )
        ]
        for both in counts
    ]
    return dense_pools(np.array(fractions, np.int64).transpose(1, 2, 0))


def _by_decision(metrics: Sequence[tuple[MetricItems, MetricItems]]) -> list[Pool]:
    """The counts at each span or EDU; all metrics must be of one encoding."""
    first, second = metrics[0]
    columns = [first.gold.place, first.parsed.place, second.parsed.place]
    _, place = np.unique(np.concatenate(columns), return_inverse=True)
    size = int(place.max(initial=0)) + 1  # one that is empty, if there is none
    gold, *parsed = np.split(place, np.cumsum([column.size for column in columns])[:-1])
    fractions = np.zeros((4, size, len(metrics)), np.int64)
    for at in range(2):
        both = np.bincount(gold, minlength=size) + np.bincount(
            parsed[at], minlength=size
        )
        for metric, items in enumerate(metrics):
            matched = gold[match(items[at].gold.key, items[at].parsed.key).gold]
            fractions[2 * at, :, metric] = 2 * np.bincount(matched, minlength=size)
            fractions[2 * at + 1, :, metric] = both
    return dense_pools(fractions)
