"""Everything about a parser's errors as one page: `write_report`."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from analyzer.analyses.domains import Dataset
from analyzer.analyses.opening import OpenedTrees, ScoringOptions, TreeReading, name_of
from analyzer.analyses.overview import overview
from analyzer.analyses.repair_comparisons import repairs_by_domain
from analyzer.analyses.repair_search import CHINESE
from analyzer.analyses.repairs import Repairs
from analyzer.analyses.score import ConstructionScores
from analyzer.exceptions import InputWarning, LeftOutWarning, SettingsError
from analyzer.files.inputs import Input
from analyzer.formats.registry import Family
from analyzer.pairing.ledger import Ledger, total
from analyzer.safe_text import counted
from reports.page.error_data import ErrorCollector
from reports.page.html import BUDGET, write_page
from reports.page.sections import ScoredData, report_page

MAX_INSTANCES = 10_000


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
        raise SettingsError("--max-instances is a number from 0 on", code="E829")


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
    page. `analyzer.ScoringOptions` lists the other options.
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
    heading = f"Parser errors: {', '.join(name for name, *_ in datasets)}"
    lead = _lead(opened, scored[0].name)
    page = report_page(scored, title=title or heading, lead=lead)
    return Report(path, write_page(page, path), scored)


def score_for_page(
    datasets: Sequence[Dataset],
    *,
    group_by: str | Sequence[str] | None = None,
    reference: str | None = None,
    max_instances: int = MAX_INSTANCES,
    budget: int = BUDGET,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> list[ScoredData]:
    """All that the page shows; the trees of all errors take about `budget` bytes."""
    collectors: dict[str, ErrorCollector] = {}
    reading = TreeReading(**options)
    opened = [
        (name, reading.given(gold), reading.given(parsed))
        for name, gold, parsed in datasets
    ]
    deriver = reading.deriver_for(opened[0][1])
    is_syntax = deriver.family is Family.SYNTAX
    if is_syntax:
        for side in (side for _, *both in opened for side in both):
            if isinstance(side, Input):
                side.keep()  # it is read once for scores, once for edits
    tables = deriver.tables if is_syntax else None
    is_chinese = deriver.inventory.labels.name == CHINESE

    def collector(name: str, names: int) -> ErrorCollector:
        share = budget // names
        collectors[name] = ErrorCollector(
            name,
            limit=max_instances,
            budget=share,
            tables=tables,
            is_chinese=is_chinese,
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
    if is_syntax:
        settings = options.copy()
        settings["on_mismatch"] = "skip"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", InputWarning)  # told when they were scored
            warnings.simplefilter("ignore", LeftOutWarning)
            edits = repairs_by_domain(
                opened,
                group_by=group_by,
                keep_trees=True,
                jobs=jobs,
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
        )
        for one in found
    ]


def _lead(
    datasets: Sequence[tuple[str, OpenedTrees, OpenedTrees]], reference: str
) -> str:
    if len(datasets) == 1:
        _, gold, parsed = datasets[0]
        return f"{name_of(parsed)} against {name_of(gold)}"
    return f"{counted(len(datasets), 'data set')}; {reference} is the reference"
