"""Sections of the page that show data sets beside each other: tables and plots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analyzer.analyses.gap import Domain, split_gap
from analyzer.exceptions import SettingsError
from reports.page.model import PageTable, Picture, Section
from reports.plots.files import figure_svg
from reports.plots.scores import cumulative_figure, split_figure
from reports.tables.domains import (
    domain_table,
    overview_table,
    paragraph,
    split_table,
)

_MANY_DOMAINS = 4
_ROWS_OF_MANY = 12


def domain_sections(domains: Sequence[Domain]) -> list[Section]:
    """Data sets side by side, and where the gap to the first comes from."""
    splits = [split_gap(domains[0], domain) for domain in domains[1:]]
    top = _ROWS_OF_MANY if len(domains) > _MANY_DOMAINS else None
    side_by_side = replace(domain_table(domains), notes=())
    return [
        Section(
            "datasets",
            "Data sets",
            tables=[
                PageTable(replace(overview_table(domains), title="")),
                PageTable(side_by_side, has_total=True),
            ],
        ),
        Section(
            "gap",
            "The gap",
            paragraphs=[paragraph(split) for split in splits],
            tables=[
                PageTable(split_table(split, top=top), has_total=True)
                for split in splits
            ],
        ),
    ]


def plot_sections(domains: Sequence[Domain], *, gaps: bool = True) -> list[Section]:
    """Plots, of the gaps too; without matplotlib, what to do about it."""
    try:
        pictures = [
            Picture(
                figure_svg(cumulative_figure(domains)),
                "Cumulative F-h and F-s, most frequent constructions first",
                is_plot=True,
            )
        ]
        for domain in domains[1:_MANY_DOMAINS] if gaps else ():
            pictures.append(
                Picture(
                    figure_svg(split_figure(split_gap(domains[0], domain))),
                    f"What makes the difference in F-s between {domains[0].name} and "
                    f"{domain.name}",
                    is_plot=True,
                )
            )
    except SettingsError as error:  # the extra `plots` is not installed
        return [Section("plots", "Plots", paragraphs=[f"No plots: {error.message}."])]
    return [Section("plots", "Plots", pictures=pictures)]
