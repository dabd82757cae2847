"""A table as values: what it says, not how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

Value = str | int | float | None
ColumnUnit = Literal["text", "count", "percent", "number", "points"]


@dataclass(frozen=True)
class Column:
    """A column: its name for programs, its heading for people, and its unit.

    `percent` values are ratios from 0 to 1 and shown times 100; `points` are
    differences of such percentages, shown with their sign. Of a score the low values
    are the bad ones: percentages are scores unless they are a share of something.
    """

    name: str
    heading: str = ""
    unit: ColumnUnit = "text"
    digits: int = 2
    is_score: bool | None = None  # None: as the unit and the name say

    @property
    def title(self) -> str:
        return self.heading or self.name

    @property
    def is_numeric(self) -> bool:
        return self.unit != "text"

    @property
    def is_worst_low(self) -> bool:
        """Whether the low values are the bad ones.

        >>> Column("f_s", unit="percent").is_worst_low
        True
        >>> Column("share_gold", unit="percent").is_worst_low
        False
        """
        if self.is_score is not None:
            return self.is_score
        return self.unit == "percent" and "share" not in self.name


@dataclass(frozen=True)
class Table:
    """Rows under columns, with a title and notes for people."""

    name: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Value]]
    title: str = ""
    notes: Sequence[str] = field(default_factory=tuple)

    def records(self) -> list[dict[str, Value]]:
        """The rows as dictionaries, by column name."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


def stack(tables: Sequence[tuple[str, Table]], column: Column) -> Table:
    """Tables with the same columns as one, and before those one that tells them apart.

    Notes that not all tables have are told with the name of theirs.

    >>> one = Table("x", [Column("gold")], [[1]], notes=["a note"])
    >>> other = Table("x", [Column("gold")], [[1]])
    >>> both = stack([("A", one), ("B", other)], Column("system"))
    >>> both.rows, both.notes
    ([['A', 1], ['B', 1]], ['A: a note'])
    """
    first = tables[0][1]
    shared = set(first.notes).intersection(*(table.notes for _, table in tables))
    notes = [
        note if note in shared else f"{name}: {note}"
        for name, table in tables
        for note in table.notes
    ]
    return Table(
        name=first.name,
        title=first.title,
        columns=(column, *first.columns),
        rows=[[name, *row] for name, table in tables for row in table.rows],
        notes=list(dict.fromkeys(notes)),
    )


def with_ids(table: Table, ids: Sequence[str]) -> Table:
    """The table with what files call the sentences of its rows, if they do."""
    if not any(ids):
        return table
    first, *columns = table.columns
    rows = [[row[0], id, *row[1:]] for row, id in zip(table.rows, ids, strict=True)]
    return replace(table, columns=(first, Column("id"), *columns), rows=rows)


def cells(row: object, columns: Sequence[Column]) -> list[Value]:
    """The fields of a row that the columns are named after."""
    return [getattr(row, column.name) for column in columns]


def percent(value: float | None, digits: int = 2) -> str:
    """A ratio as people read it in a sentence; '-' where there is none.

    >>> percent(0.98765), percent(None)
    ('98.77', '-')
    """
    return "-" if value is None else f"{100 * value:.{digits}f}"


def shown(value: Value, column: Column) -> str:
    """A value as people read it; '-' where there is none.

    >>> shown(0.98765, Column("recall", unit="percent"))
    '98.77'
    >>> shown(1234567, Column("gold", unit="count")), shown(None, Column("x"))
    ('1,234,567', '-')
    >>> shown(0.0123, Column("difference", unit="points"))
    '+1.23'
    >>> shown(-0.00001, Column("difference", unit="points"))
    '0.00'
    """
    if value is None:
        return "-"
    if isinstance(value, str) or column.unit == "text":
        return str(value)
    if column.unit == "count":
        return f"{int(value):,}"
    if column.unit == "percent":
        return percent(value, column.digits)
    if column.unit == "points":
        text = f"{100 * value:+.{column.digits}f}"
        return text if float(text) else text[1:]
    return f"{value:.{column.digits}f}"
