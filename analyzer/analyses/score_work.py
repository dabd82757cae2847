"""A task of `score`: what is counted in some sentences, in this process or another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.derivation.deriver import Deriver
from analyzer.metrics.constructions import Comparison, Tally, compare, tally
from analyzer.model.arrays import Ints, sums_between
from analyzer.pairing.in_step import NOTHING_MORE, Ending, PairTask
from analyzer.pairing.ledger import LeftOut
from analyzer.pairing.mismatches import OnMismatch

if TYPE_CHECKING:
    from analyzer.analyses.generated import GeneratedCounts, GeneratedWork
    from analyzer.analyses.instance_rows import InstanceRows


def late_types() -> dict[str, object]:
    """Types of fields that are imported only where a checkpoint is read."""
    from analyzer.analyses.generated import GeneratedCounts
    from analyzer.analyses.instance_rows import InstanceRows

    return {"GeneratedCounts": GeneratedCounts, "InstanceRows": InstanceRows}


class ScoreCounts(NamedTuple):
    """The counts of a task."""

    tally: Tally
    sentences: list[tuple[Ints, ...]] | None = None  # columns of SentenceRow
    generated: GeneratedCounts | None = None  # if asked for
    instances: list[InstanceRows] | None = None  # if asked for
    ending: Ending = NOTHING_MORE
    ids: tuple[str, ...] = ()  # of `sentences`, as files name them

    def change(self, item: Callable[[LeftOut], LeftOut]) -> ScoreCounts:
        """The counts, with each item of their ledger changed."""
        changed = replace(self.tally, ledger=self.tally.ledger.change(item))
        return self._replace(tally=changed)


@dataclass(frozen=True)
class ScoreWork:
    """How a task is scored: what another process has to know."""

    deriver: Deriver
    by_sentence: bool = False
    on_mismatch: OnMismatch = OnMismatch.SKIP
    generated: GeneratedWork | None = None
    instances: bool = False

    def __call__(self, task: PairTask) -> ScoreCounts:
        counts = ScoreCounts(
            Tally(),
            [] if self.by_sentence else None,
            instances=[] if self.instances else None,
        )
        for pair in task.pairs():
            comparison = compare(pair, self.deriver, on_mismatch=self.on_mismatch)
            if comparison.left_out and self.on_mismatch == "error":
                raise comparison.left_out[0].error
            counts.tally.add(tally(comparison))
            if counts.sentences is not None:
                counts.sentences.append(_by_sentence(comparison))
                ids = [pair.id_of(tree) for tree in range(pair.sentences)]
                counts = counts._replace(ids=(*counts.ids, *ids))
            if self.generated is not None:
                generated = self.generated.add(counts.generated, pair)
                counts = counts._replace(generated=generated)
            if counts.instances is not None:
                from analyzer.analyses.instance_rows import instance_rows

                rows = instance_rows(pair, comparison, self.deriver)
                counts.instances.append(rows)
        return counts._replace(ending=task.ending)


def _by_sentence(comparison: Comparison) -> tuple[Ints, ...]:
    starts = comparison.gold.starts
    return (
        comparison.alignment.is_comparable.astype(np.int64),
        np.diff(starts),
        np.diff(comparison.parsed.starts),
        sums_between(comparison.by_head.gold, starts),
        sums_between(comparison.by_span.gold, starts),
        comparison.evalb_matched,
    )
