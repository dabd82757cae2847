"""Everything about parsers' errors as one page: `report`, `write_comparison`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Unpack

from analyzer.analyses.compared import shared_notes
from analyzer.analyses.domain_gap import Datasets, datasets_of
from analyzer.analyses.opening import (
    OpenedTrees,
    ScoringOptions,
    TreeReading,
    Trees,
    name_of,
    scoring_keywords,
)
from analyzer.analyses.report import (
    MAX_INSTANCES,
    ScoredData,
    report_systems,
    score_for_page,
)
from analyzer.analyses.score import ConstructionScores
from analyzer.exceptions import SettingsError
from analyzer.metrics.significance import DEFAULT_RESAMPLES, DEFAULT_SEED
from analyzer.pairing.ledger import Ledger, total
from analyzer.queries.named import Queries
from analyzer.safe_text import counted, visible
from reports.page.html import write_page
from reports.page.sections import report_page

_LONGEST_TITLE = 60


@dataclass(frozen=True)
class Report:
    """What `report` returns: where the page is, and what it shows."""

    path: str
    size: int  # in bytes
    datasets: list[ScoredData]

    def __repr__(self) -> str:
        return f"<Report {self.path}: {', '.join(data.name for data in self.datasets)}>"

    @property
    def names(self) -> list[str]:
        """The names of the data sets, the reference first."""
        return [data.name for data in self.datasets]

    @property
    def ledger(self) -> Ledger:
        """What was scored of all data sets, what was left out and why."""
        of_each = (data.scores.ledger + data.ungrouped for data in self.datasets)
        return total(of_each)

    @property
    def notes(self) -> list[str]:
        """What changes the meaning of the numbers, beside what was left out."""
        texts = {data.scores.scored_text() for data in self.datasets}
        of_each = {
            data.name: [note for note in data.scores.notes if note not in texts]
            for data in self.datasets
        }
        return shared_notes(of_each)

    @property
    def scores(self) -> list[ConstructionScores]:
        """The scores of each data set."""
        return [data.scores for data in self.datasets]


def require_instances(number: int) -> None:
    """SettingsError unless a page can have so many errors of a data set."""
    if number < 0:
        raise SettingsError("E829 --max-instances must be 0 or more")


@scoring_keywords
def report(
    datasets: Datasets,
    path: str,
    *,
    title: str | None = None,
    group_by: str | Sequence[str] | None = None,
    reference: str | None = None,
    max_instances: int = MAX_INSTANCES,
    queries: str | Queries | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Report:
    """Write a page about data sets, (name, gold, parsed) each, the reference first.

    The page is one HTML file that loads nothing. `group_by` makes several data sets of
    one, as in `domains`. At most `max_instances` errors of each are in the
    page: if there are more, those of one sentence in 2, 4, … `queries`, a file of them
    or a mapping, have a section of their own (docs/queries.md).
    `analyzer.ScoringOptions` lists the other options. `write_comparison` is for several
    parsers on the same sentences.
    """
    require_instances(max_instances)
    reading = TreeReading(**options)
    opened = [
        (visible(name), reading.resolve(gold), reading.resolve(parsed))
        for name, gold, parsed in datasets_of(datasets)
    ]
    scored = score_for_page(
        opened,
        group_by=group_by,
        reference=reference,
        max_instances=max_instances,
        queries=queries,
        jobs=jobs,
        **options,
    )
    heading = f"Parser errors: {_listed([data.name for data in scored], 'data set')}"
    lead = _lead(opened, scored)
    page = report_page(scored, title=title or heading, lead=lead)
    return Report(path, write_page(page, path), scored)


write_report = report  # its name before


@scoring_keywords
def write_comparison(
    gold: Trees,
    systems: Mapping[str, Trees] | Iterable[tuple[str, Trees]],
    path: str,
    *,
    title: str | None = None,
    resamples: int = DEFAULT_RESAMPLES,
    seed: int = DEFAULT_SEED,
    max_instances: int = MAX_INSTANCES,
    queries: str | Queries | None = None,
    jobs: int | None = 1,
    **options: Unpack[ScoringOptions],
) -> Report:
    """Write a page about two parsers or more, by name, on the same gold trees.

    The first one is what the others are compared with, as in `compare`, with
    the same tests and numbers. The other options are those of `report`.
    """
    require_instances(max_instances)
    given = list(systems.items() if isinstance(systems, Mapping) else systems)
    reading = TreeReading(**options)
    reference = reading.resolve(gold)
    outputs = [(visible(name), reading.resolve(parsed)) for name, parsed in given]
    comparison, scored = report_systems(
        reference,
        outputs,
        resamples=resamples,
        seed=seed,
        max_instances=max_instances,
        queries=queries,
        jobs=jobs,
        **options,
    )
    names = [name for name, _ in outputs]
    heading = f"Parsers compared: {_listed(names, 'parser')}"
    lead = f"{', '.join(names)} against {name_of(reference)}"
    page = report_page(scored, title=title or heading, lead=lead, comparison=comparison)
    return Report(path, write_page(page, path), scored)


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
