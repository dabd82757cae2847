"""Everything about parsers' errors as one page: `write_report`, `write_comparison`."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Unpack

from analyzer.analyses.domains import Dataset
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    name_of,
)
from analyzer.analyses.overview import overview
from analyzer.analyses.repair_comparisons import repairs_by_domain
from analyzer.analyses.repair_search import CHINESE
from analyzer.analyses.repairs import Repairs
from analyzer.analyses.score import ConstructionScores
from analyzer.analyses.systems import compare_systems
from analyzer.exceptions import InputWarning, LeftOutWarning, SettingsError
from analyzer.files.inputs import Input
from analyzer.formats.registry import Family
from analyzer.metrics.significance import DEFAULT_RESAMPLES, DEFAULT_SEED
from analyzer.pairing.ledger import Ledger, total
from analyzer.safe_text import counted
from reports.page.error_data import ErrorCollector
from reports.page.html import BUDGET, write_page
from reports.page.sections import ScoredData, report_page

MAX_INSTANCES = 10_000
_MOST_SEARCHED = 2_500  # sentences of a data set whose edits are counted
_LONGEST_TITLE = 60


@dataclass(frozen=True)
class Report:
    """What `write_report` returns: where the page is, and what it shows."""

    path: str
    size: int  # in bytes
    datasets: list[ScoredData]

    def __repr__(self) -> str:
        return f"<Report {self.path}: {', '.join(one.name for one in self.datasets)}>"

    @property
    def names(self) -> list[str]:
        """The names of the data sets, the reference first."""
        return [one.name for one in self.datasets]

    @property
    def ledger(self) -> Ledger:
        """What was scored of all data sets, what was left out and why."""
        of_each = (one.scores.ledger.plus(one.ungrouped) for one in self.datasets)
        return total(of_each)

    @property
    def scores(self) -> list[ConstructionScores]:
        """The scores of each data set."""
        return [one.scores for one in self.datasets]


def require_instances(number: int) -> None:
    """SettingsError unless a page can have so many errors of a data set."""
    if number < 0:
        raise SettingsError("--max-instances must be 0 or more", code="E829")


def write_report(
    datasets: Sequence[Dataset],
    path: str,
    *,
    title: str | None = None,
    group_by: str | Sequence[str] | None = None,
    reference: str | None = None,
    max_instances: int = MAX_INSTANCES,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Report:
    """Write a page about data sets, (name, gold, parsed) each, the reference first.

    The page is one HTML file that loads nothing. `group_by` makes several data sets of
    one, as in `compare_domains`; at most `max_instances` errors of each are in the
    page. `analyzer.ScoringOptions` lists the other options. `write_comparison` is for
    several parsers on the same sentences.
    """
    require_instances(max_instances)
    reading = TreeReading(**options)
    opened = [
        (name, reading.given(gold), reading.given(parsed))
        for name, gold, parsed in datasets
    ]
    scored = score_for_page(
        opened,
        group_by=group_by,
        reference=reference,
        max_instances=max_instances,
        jobs=jobs,
        **options,
    )
    heading = f"Parser errors: {_listed([one.name for one in scored], 'data set')}"
    lead = _lead(opened, scored)
    page = report_page(scored, title=title or heading, lead=lead)
    return Report(path, write_page(page, path), scored)


def write_comparison(
    gold: Trees,
    systems: Mapping[str, Trees] | Iterable[tuple[str, Trees]],
    path: str,
    *,
    title: str | None = None,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    max_instances: int = MAX_INSTANCES,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Report:
    """Write a page about two parsers or more, by name, on the same gold trees.

    The first one is what the others are compared with, as in `compare_systems`, with
    the same tests and numbers. The other options are those of `write_report`.
    """
    require_instances(max_instances)
    reading = TreeReading(**options)
    given = systems.items() if isinstance(systems, Mapping) else systems
    reference = reading.given(gold)
    outputs = [(name, reading.given(parsed)) for name, parsed in given]
    for side in (reference, *(parsed for _, parsed in outputs)):
        if isinstance(side, Input):
            side.keep()  # it is read for each of the views
    comparison = compare_systems(
        reference, outputs, resamples=resamples, seed=seed, jobs=jobs, **options
    )
    with told_before():
        scored = score_for_page(
            [(name, reference, parsed) for name, parsed in outputs],
            max_instances=max_instances,
            jobs=jobs,
            **options,
        )
    names = [name for name, _ in outputs]
    heading = f"Parsers compared: {_listed(names, 'parser')}"
    lead = f"{', '.join(names)} against {name_of(reference)}"
    page = report_page(scored, title=title or heading, lead=lead, comparison=comparison)
    return Report(path, write_page(page, path), scored)


@contextmanager
def told_before() -> Iterator[None]:
    """What readers warn of was told when the same files were read before."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)
        warnings.simplefilter("ignore", LeftOutWarning)
        yield


def score_for_page(
    datasets: Sequence[Dataset],
    *,
    group_by: str | Sequence[str] | None = None,
    reference: str | None = None,
    max_instances: int = MAX_INSTANCES,
    budget: int = BUDGET,
    has_edits: bool = True,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> list[ScoredData]:
    """All that the page shows; the trees of all errors take about `budget` bytes.

    Of syntax, the edits that mend errors are looked for, unless `has_edits` is false.
    """
    collectors: dict[str, ErrorCollector] = {}
    reading = TreeReading(**options)
    opened = [
        (name, reading.given(gold), reading.given(parsed))
        for name, gold, parsed in datasets
    ]
    deriver = reading.deriver_for(opened[0][1])
    is_syntax = deriver.family is Family.SYNTAX
    if is_syntax and has_edits:
        for side in (side for _, *both in opened for side in both):
            if isinstance(side, Input):
                side.keep()  # it is read once for scores, once for edits
    tables = deriver.tables if is_syntax and has_edits else None
    is_chinese = deriver.inventory.labels.name == CHINESE

    def collector(name: str, names: int) -> ErrorCollector:
        share = budget // names
        collectors[name] = ErrorCollector(
            name,
            limit=max_instances,
            budget=share,
            tables=tables,
            is_chinese=is_chinese,
            is_discourse=not is_syntax,
        )
        return collectors[name]

    found = overview(
        opened,
        group_by=group_by,
        reference=reference,
        sink=collector,
        jobs=jobs,
        **options,
    )
    edits: dict[str, Repairs] = {}
    largest = max(one.scores.ledger.gold for one in found)
    every = max(1, -(-largest // _MOST_SEARCHED))
    if is_syntax and has_edits:
        settings = options.copy()
        settings["on_mismatch"] = "skip"
        settings["max_left_out"] = None  # all sentences were judged, not some of them
        with told_before():
            edits = repairs_by_domain(
                opened,
                group_by=group_by,
                keep_trees=True,
                every=every,
                # What other processes find of so little takes longer to send.
                jobs=jobs if every > 1 else 1,
                **settings,
            )
    return [
        ScoredData(
            one.name,
            one.scores,
            one.confusions,
            collectors[one.name].finish(),
            one.ungrouped,
            edits.get(one.name),
            every,
        )
        for one in found
    ]


def _lead(
    datasets: Sequence[tuple[str, OpenedTrees, OpenedTrees]],
    scored: Sequence[ScoredData],
) -> str:
    if len(scored) == 1:
        _, gold, parsed = datasets[0]
        return f"{name_of(parsed)} against {name_of(gold)}"
    return f"{counted(len(scored), 'data set')}; {scored[0].name} is the reference"


def _listed(names: Sequence[str], noun: str) -> str:
    """The names if they fit into a heading, else how many there are."""
    together = ", ".join(names)
    return together if len(together) <= _LONGEST_TITLE else counted(len(names), noun)
