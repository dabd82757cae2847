"""What the page shows, as values: sections of facts, paragraphs, tables, pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from analyzer.analyses.error_data import ErrorSet
from analyzer.analyses.errors import LOSSES
from analyzer.exceptions import SettingsError
from reports.model import Table, Value
from reports.plots.files import figure_svg

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DATA_SET, PARSER = "data set", "parser"


class Cell(NamedTuple):
    """A cell of a heat map: its colour, what stands below its value, where it leads.

    Steps of colour: 1 to 8 where it is better, -1 to -8 where it is worse, 0 for none.
    """

    value: float | None
    step: int = 0
    detail: str = ""
    link: str = ""


# Of a cell: from its row, by the names of columns, and the name of its own column.
Link = Callable[[Mapping[str, Value], str], str]


@dataclass(frozen=True)
class PageTable:
    """A table of the page; how it behaves there.

    With `has_total` the last row stays at the bottom when the table is sorted.
    `error_links` are columns that hold constructions: each is linked to its errors
    in the data set `dataset`. `link` gives the address that any other cell leads to,
    from its row by the names of columns and the name of its own; "" for none. Values
    of the first column may have a mark beside them: what is to be said of them. `cells`
    make a heat map of it: by the first value of their row, and the name of a column.
    Two tables of half the width stand side by side.
    """

    table: Table
    has_total: bool = False
    error_links: Sequence[str] = ()
    dataset: str | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    link: Link | None = None
    cells: Mapping[tuple[str, str], Cell] = field(default_factory=dict)
    is_half: bool = False


@dataclass(frozen=True)
class Picture:
    """An SVG document, and what it shows in words.

    A plot becomes part of the page, in its colours; a drawing has colours of its own.
    One that was made for the page stands in it as it is.
    Small ones stand side by side, as many as there is room for.
    """

    svg: str
    caption: str
    is_plot: bool = False
    is_ours: bool = False
    is_small: bool = False


Plots = Mapping[str, Callable[[], "Figure"]]  # by their captions


def drawn_plots(plots: Plots) -> list[Picture]:
    """Plots as pictures; SettingsError without matplotlib."""
    return [
        Picture(figure_svg(plot()), caption, is_plot=True)
        for caption, plot in plots.items()
    ]


def pictures_of(plots: Plots) -> list[Picture]:
    """Plots as pictures; none without matplotlib, which the section of plots says."""
    try:
        return drawn_plots(plots)
    except SettingsError:
        return []


@dataclass(frozen=True)
class Fact:
    """A number worth a large font, what it is, and what it means."""

    value: str
    name: str
    hint: str = ""


@dataclass(frozen=True)
class Fold:
    """A part of a section that is unfolded when it is wanted."""

    summary: str
    paragraphs: Sequence[str] = ()
    tables: Sequence[PageTable] = ()
    pictures: Sequence[Picture] = ()
    is_open: bool = False


@dataclass(frozen=True)
class Section:
    """A part of the page. One with a data set is shown when that is chosen."""

    key: str
    heading: str
    dataset: str | None = None
    facts: Sequence[Fact] = ()
    paragraphs: Sequence[str] = ()
    tables: Sequence[PageTable] = ()
    pictures: Sequence[Picture] = ()
    has_glossary: bool = False  # the names of constructions are explained at its end
    in_navigation: bool = True
    folds: Sequence[Fold] = ()


@dataclass(frozen=True)
class Explanation:
    """What a construction is, and a production that it is the name of."""

    text: str
    example: str = ""


@dataclass(frozen=True)
class Wording:
    """What the page calls its things."""

    noun: str = DATA_SET  # what is chosen: a data set, or a parser
    sides: tuple[str, str] = ("Gold", "Parsed")
    tree: str = "sentence"
    leaf: str = "word"
    # Of error, if not as they are; and the parts of what is lost, in words.
    kinds: Mapping[str, str] = field(default_factory=dict)
    losses: Mapping[str, str] = field(default_factory=lambda: LOSSES)
    errors: str = "Errors"
    error: str = "error"


@dataclass(frozen=True)
class Page:
    """All that the page shows; signatures with the data sets that they are of."""

    title: str
    lead: str
    sections: Sequence[Section]
    errors: Sequence[ErrorSet] = ()
    signatures: Mapping[str, Sequence[str]] = field(default_factory=dict)
    explanations: Mapping[str, Explanation] = field(default_factory=dict)
    wording: Wording = Wording()
