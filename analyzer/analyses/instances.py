"""One row for each construction of gold and of the parser: `instances`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from analyzer.analyses.instance_rows import InstanceRows, frame_of, instance_rows
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
)
from analyzer.derivation.deriver import Deriver
from analyzer.metrics.constructions import compare
from analyzer.metrics.signature import Signature
from analyzer.pairing.in_step import NOTHING_MORE, Ending, PairTask
from analyzer.pairing.inputs import Blocks
from analyzer.pairing.ledger import Ledger, LeftOut
from analyzer.pairing.mismatches import OnMismatch, mismatch_setting
from analyzer.pairing.sidecar import GroupedPairs, group_tasks, groups_of
from analyzer.runtime.executor import Backend, run_tasks

if TYPE_CHECKING:
    import pandas as pd

Each = Callable[[InstanceRows], None]


class InstanceCounts(NamedTuple):
    """The rows of a task."""

    rows: list[InstanceRows]
    ledger: Ledger
    ending: Ending = NOTHING_MORE

    def change(self, item: Callable[[LeftOut], LeftOut]) -> InstanceCounts:
        """The counts, with each item of their ledger changed."""
        return self._replace(ledger=self.ledger.change(item))


@dataclass(frozen=True)
class InstanceWork:
    """How the rows of a task are made."""

    deriver: Deriver
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __call__(self, task: PairTask | GroupedPairs) -> InstanceCounts:
        rows: list[InstanceRows] = []
        ledger = Ledger()
        grouped = isinstance(task, GroupedPairs)
        pairs: Iterable[Any] = task.pairs()
        for one in pairs:
            pair, groups = one if grouped else (one, None)
            comparison = compare(pair, self.deriver, on_mismatch=self.on_mismatch)
            if comparison.left_out and self.on_mismatch == "error":
                raise comparison.left_out[0].error
            ledger = ledger.plus(comparison.ledger)
            rows.append(instance_rows(pair, comparison, self.deriver, groups))
        ending = task.task.ending if isinstance(task, GroupedPairs) else task.ending
        return InstanceCounts(rows, ledger, ending)


@dataclass
class Instances:
    """What `instances` returns: the rows, unless they were passed on."""

    deriver: Deriver
    on_mismatch: OnMismatch = OnMismatch.SKIP
    rows: list[InstanceRows] = field(default_factory=list)  # block by block
    total: int = 0
    ledger: Ledger = field(default_factory=Ledger)

    def __repr__(self) -> str:
        return f"<Instances: {self.total:,} rows, {self.ledger.text('looked at')}>"

    @property
    def left_out(self) -> list[LeftOut]:
        """Sentences that cannot be compared with gold, and why."""
        return self.ledger.mismatches

    @property
    def signature(self) -> Signature:
        """How the rows were made."""
        mismatch = mismatch_setting(self.on_mismatch)
        return Signature.of(scorer="instances", **self.deriver.settings, **mismatch)

    def frame(self) -> pd.DataFrame:
        """All rows as a DataFrame."""
        return frame_of(self.rows)

    def _repr_html_(self) -> str:
        return self.frame().head(20).to_html()


def instances(
    gold: Trees,
    parsed: Trees,
    *,
    group_by: str | Sequence[str] | None = None,
    each: Each | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Instances:
    """One row for each construction of gold and of the parser, with what matched.

    docs/instances.md explains the columns. With `each`, that is called with the
    rows of a block at a time (`block.frame()` is a DataFrame), and none are kept, so
    that any number of sentences fits. `group_by` gives the group of each sentence, or
    a file and its column. `ScoringOptions` lists the other options.

    >>> gold, parsed = "(S (NP (PRP I)) (VP (VBP see)))", "(S (PRP I) (VP (VBP see)))"
    >>> table = instances(gold, parsed).frame()
    >>> table[~table.matched_h][["side", "construction", "word"]].values.tolist()
    [['gold', 'NP-t', 'I']]
    """
    reading = TreeReading(**options)
    sides = reading.given(gold), reading.given(parsed)
    result = instances_read(
        *sides, reading, group_by=group_by, each=each, backend=Backend(jobs)
    )
    reading.finish(result.ledger, sides[1])
    return result


def instances_read(
    gold: OpenedTrees,
    parsed: OpenedTrees,
    reading: TreeReading,
    *,
    group_by: str | Sequence[str] | None = None,
    each: Each | None = None,
    backend: Backend | None = None,
) -> Instances:
    """The rows of trees that are opened, and settings that are made."""
    sides, backend = (gold, parsed), backend or Backend(1)
    deriver = reading.deriver_for(gold)
    groups = groups_of(group_by, 1)
    opened = reading.open(*sides, deriver, backend, by_number=True)
    assert isinstance(opened.tasks, Blocks)  # since sentences know their numbers
    result = Instances(deriver, reading.mismatch, ledger=Ledger(deriver.noun))
    work = InstanceWork(deriver, reading.mismatch)
    if groups is None:
        found = opened.tasks.counts(work, backend)
    else:
        tasks = group_tasks(opened.tasks.tasks, groups)
        found = run_tasks(work, tasks, backend=backend)
    for counts in found:
        result.ledger = result.ledger.plus(counts.ledger)
        result.total += sum(rows.size for rows in counts.rows)
        if each is None:
            result.rows += counts.rows
        else:
            for rows in counts.rows:
                each(rows)
    result.ledger = result.ledger.plus(opened.others())
    return result
