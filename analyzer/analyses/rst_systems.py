"""The metrics of discourse parsers compared: which differences are real.

Every metric is a ratio of sums, 2 matched / (gold + parsed), over documents, and as
well over decisions: the spans of a text that gold or a parser makes a unit of, or its
EDUs. Decisions are many, but those of one document hang together; documents do not,
but are few. So both are resampled, and both results given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from analyzer.analyses.rst_encodings import encode
from analyzer.analyses.rst_results import (
    DECISIONS,
    DEPENDENCY,
    PARSEVAL,
    RstScores,
    RstSettings,
)
from analyzer.exceptions import PairingError, Place, SettingsError
from analyzer.metrics.join import match
from analyzer.metrics.rst import UNIT_METRICS, MetricItems
from analyzer.metrics.signature import Signature
from analyzer.metrics.significance import (
    Difference,
    Progress,
    Statistics,
    bootstrap_interval,
    collapse,
    holm,
    randomization_p,
    settings_of_tests,
)
from analyzer.model.arrays import Floats, Ints
from analyzer.model.discourse import Documents
from analyzer.model.values import Value
from analyzer.pairing.by_name import check_documents, pair_documents
from analyzer.pairing.ledger import DOCUMENT, Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch
from analyzer.transform.documents import select_documents

if TYPE_CHECKING:
    import pandas as pd

Items = dict[tuple[str, str], MetricItems]  # by encoding and metric
PairedBy = Literal["document", "decision"]
COMPARED = {
    PARSEVAL: UNIT_METRICS,
    DECISIONS: UNIT_METRICS,
    DEPENDENCY: ("UAS", "LAS-N", "LAS-R", "LAS-F"),
}


class MetricDifference(NamedTuple):
    """A metric (micro F1) under two systems; None where it is undefined."""

    paired_by: PairedBy
    encoding: str
    metric: str
    gold: int
    score_a: float | None
    score_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_corrected: float | None


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
) -> CommonDocuments:
    """The documents that every system can be compared on, in gold's order."""
    left_out: list[tuple[str, LeftOut]] = []
    places: list[dict[int, int]] = []
    for name, parsed in systems:
        found = pair_documents(gold, parsed)
        check_documents(found.ledger, on_mismatch)
        if found.missed and on_mismatch == "zero":
            raise SettingsError(
                "documents are compared where all systems have them; "
                "--on-mismatch zero is for spinal rst score",
                code="E449",
            )
        places.append(dict(found.pairs))
        left_out += [(name, one) for one in found.ledger.items]
    shared = [at for at in range(len(gold)) if all(at in known for known in places)]
    if not shared:
        raise PairingError(
            "no document could be scored", Place(gold.bank.source), code="E404"
        )
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
        _unpaired([item for _, item in left_out]),
    )


def _unpaired(items: Sequence[LeftOut]) -> Ledger:
    """Each document of gold that some system lacks, once; and all that gold lacks."""
    of_gold = {item.document: item for item in reversed(items) if item.in_gold}
    others = {str(item): item for item in items if not item.in_gold}
    told = (*list(of_gold.values())[::-1], *others.values())
    return Ledger(DOCUMENT, gold=len(of_gold), parsed=len(others), items=told)


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
        return 2 * (1 + len(COMPARED))

    def differences(
        self, system: str, progress: Progress | None = None
    ) -> list[MetricDifference]:
        """A system minus the baseline: each metric, by document and by decision."""
        baseline = next(iter(self.scores))
        a, b = self.items[baseline], self.items[system]
        keys = [
            (encoding, name) for encoding in COMPARED for name in COMPARED[encoding]
        ]
        by_document = [
            _by_document([one[key] for key in keys], len(self.names)) for one in (a, b)
        ]
        by_decision = [
            collapse(*_by_decision([(a[encoding, n], b[encoding, n]) for n in names]))
            for encoding, names in COMPARED.items()
        ]
        tested: list[tuple[PairedBy, Difference]] = [
            ("document", self._test([(by_document[0], by_document[1])], progress)),
            ("decision", self._test(by_decision, progress)),
        ]
        golds = [int(a[key].gold_document.size) for key in keys]
        scores = by_document[0].scores, by_document[1].scores
        return [
            MetricDifference(
                paired_by,
                *keys[at],
                golds[at],
                *(_none_if_nan(column[at]) for column in (*scores, *found)),
            )
            for paired_by, found in tested
            for at in range(len(keys))
        ]

    def _test(
        self,
        groups: Sequence[tuple[Statistics, Statistics]],
        progress: Progress | None,
    ) -> Difference:
        """The tests of groups of metrics, corrected over all of them together."""
        columns: list[list[Floats]] = []
        for a, b in groups:
            low, high = bootstrap_interval(
                a, b, resamples=self.resamples, seed=self.seed, progress=progress
            )
            p_value = randomization_p(
                a, b, resamples=self.resamples, seed=self.seed, progress=progress
            )
            columns.append([b.scores - a.scores, low, high, p_value])
        found = [np.concatenate(parts) for parts in zip(*columns, strict=True)]
        return Difference(found[0], found[1], found[2], found[3], holm(found[3]))

    def frame(self) -> pd.DataFrame:
        """The differences of every system against the baseline."""
        import pandas as pd

        rows = [
            (system, *row)
            for system in list(self.scores)[1:]
            for row in self.differences(system)
        ]
        return pd.DataFrame(rows, columns=["system", *MetricDifference._fields])


def compare_documents(
    common: CommonDocuments,
    names: Sequence[str],
    settings: RstSettings,
    *,
    resamples: int,
    seed: int,
) -> DocumentComparison:
    """Systems under every metric, on the documents that all have."""
    encoded = {
        name: encode(common.gold, parsed, settings)
        for name, parsed in zip(names, common.systems, strict=True)
    }
    scores = {
        name: RstScores(settings, common.gold.names, one.counts, one.relation_rows)
        for name, one in encoded.items()
    }
    return DocumentComparison(
        common.gold.names,
        len(common.gold) + common.unpaired.gold,
        common.left_out,
        scores,
        {name: one.items() for name, one in encoded.items()},
        resamples,
        seed,
    )


def _by_document(metrics: Sequence[MetricItems], documents: int) -> Statistics:
    counts = [items.counts(documents) for items in metrics]
    return Statistics(
        np.column_stack([2.0 * one.matched for one in counts]),
        np.column_stack([one.gold + one.parsed for one in counts]).astype(np.float64),
    )


def _by_decision(
    metrics: Sequence[tuple[MetricItems, MetricItems]],
) -> tuple[Statistics, Statistics]:
    """The counts at each span or EDU; all metrics must be of one encoding."""
    first, second = metrics[0]
    columns = [first.gold_place, first.parsed_place, second.parsed_place]
    _, place = np.unique(np.concatenate(columns), return_inverse=True)
    size = int(place.max(initial=0)) + 1  # one that is empty, if there is none
    gold, *parsed = np.split(place, np.cumsum([one.size for one in columns])[:-1])

    def count(which: Ints) -> Floats:
        return np.bincount(which, minlength=size).astype(np.float64)

    sides = []
    for at in range(2):
        matched = [
            count(gold[match(items[at].gold, items[at].parsed).gold])
            for items in metrics
        ]
        den = count(gold) + count(parsed[at])
        num = 2 * np.column_stack(matched)
        sides.append(Statistics(num, np.repeat(den[:, None], len(metrics), axis=1)))
    return sides[0], sides[1]


def _none_if_nan(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
