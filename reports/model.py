"""A table as values: what it says, not how it looks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar, cast

from analyzer.metrics.intervals import interval_text as interval_text
from analyzer.metrics.measures import Measure, Row
from analyzer.metrics.measures import Unit as ColumnUnit
from analyzer.safe_text import counted

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Value = str | int | float | None
Item = TypeVar("Item")
_LEVEL = 0.05  # of significance
# Columns that a narrow terminal does without, in this order: examples and counts of
# matches; precision and recall, of which F1 is made; shares; ends of intervals. Then
# other numbers, then texts (docs/commands.md).
_FIRST_TO_GO = (
    r"(.*_)?(example_.*|matched.*|min|max|std)|word|id|step|nodes",
    r"(.*_)?(precision|recall|p_value|correct_tags)(_.*)?",
    r"(.*_)?(share|coverage|covered)(_.*)?",
    r"(.*_)?(interval|low|high)",
)


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
    def rank(self) -> int:
        """How soon it goes where a terminal has no room: the highest rank first.

        >>> [Column(one).rank for one in ("matched_h", "precision", "f_s_low", "word")]
        [5, 4, 2, 5]
        """
        for number, names in enumerate(_FIRST_TO_GO):
            if re.fullmatch(names, self.name):
                return len(_FIRST_TO_GO) + 1 - number
        return int(self.is_numeric)

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
    cut: str = ""  # which rows are not shown, if some are not
    option: str = ""  # the option of a command that shows more of them

    @property
    def all_notes(self) -> list[str]:
        """The notes below the table; the first one says which rows are not shown."""
        cut = "; ".join(filter(None, (self.cut, self.option))) if self.cut else ""
        return [*([cut] if cut else []), *self.notes]

    def records(self) -> list[dict[str, Value]]:
        """The rows as dictionaries, by column name."""
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows]


_SPEC = re.compile(r"(\w+)(?::([a-z]+)(?:\.(\d))?)?(?:=(.*?))?(!?)")


def columns(text: str, **words: str) -> tuple[Column, ...]:
    """Columns as a line of text: `name:unit.digits=heading`, with `|` between them.

    Only the name has to be given; `!` at the end says that low values are bad. What
    stands in braces in a heading is one of `words`.

    >>> columns("tag | gold:count | f_fn:percent.1={a} F-fn | kappa:number.3=κ!", a="A")
    ... # doctest: +NORMALIZE_WHITESPACE
    (Column(name='tag', heading='', unit='text', digits=2, is_score=None),
     Column(name='gold', heading='', unit='count', digits=2, is_score=None),
     Column(name='f_fn', heading='A F-fn', unit='percent', digits=1, is_score=None),
     Column(name='kappa', heading='κ', unit='number', digits=3, is_score=True))
    """
    listed = []
    for spec in text.split("|"):
        match = _SPEC.fullmatch(spec.strip())
        assert match is not None, spec
        name, unit, digits, heading, is_score = match.groups()
        title, kind = (heading or "").format(**words), cast(ColumnUnit, unit or "text")
        decimals = 2 if digits is None else int(digits)
        listed.append(Column(name, title, kind, decimals, bool(is_score) or None))
    return tuple(listed)


def table_of(
    name: str,
    title: str,
    fields: str | Sequence[Column],
    rows: Iterable[Any],
    *notes: str,
    cut: str = "",
    option: str = "",
) -> Table:
    """A table of rows: lists, or records with what the columns are named after.

    >>> table_of("headings", "", "heading", [Column("a", "A"), ["B"]]).rows
    [['A'], ['B']]
    """
    shown = columns(fields) if isinstance(fields, str) else fields
    listed = [row if type(row) in (list, tuple) else cells(row, shown) for row in rows]
    return Table(name, shown, listed, title, notes, cut, option)


def spread(items: Sequence[Item], most: int | None) -> list[Item]:
    """So many items, at even distances from the first on; all if they are not more.

    >>> spread("abcdefgh", 3), spread("ab", 3), spread("ab", None)
    (['a', 'c', 'f'], ['a', 'b'], ['a', 'b'])
    """
    if most is None or most >= len(items):
        return list(items)
    return [items[at * len(items) // most] for at in range(most)]


def sample_text(shown: int, total: int, noun: str) -> str:
    """What is said of a sample; nothing if all is shown.

    >>> sample_text(3, 1200, "error"), sample_text(3, 3, "error")
    ('a sample: 3 of 1,200 errors, from all over the input', '')
    """
    if shown == total:
        return ""
    return f"a sample: {shown:,} of {counted(total, noun)}, from all over the input"


def hidden(count: int, noun: str) -> str:
    """What is not shown of a table, in words; nothing if all of it is.

    >>> hidden(2, "rarer pair"), hidden(0, "rarer pair")
    ('2 rarer pairs not shown', '')
    """
    return f"{counted(count, noun)} not shown" if count else ""


def column_of(measure: Measure, digits: int | None = None) -> Column:
    """The column of a measure."""
    decimals = measure.digits if digits is None else digits
    name, title, unit = measure.name, measure.title, measure.unit
    return Column(name, title, unit, decimals, measure.is_score)


def interval_columns(measure: Measure) -> tuple[Column, Column, Column]:
    """The interval of a measure: as a text, its low end, its high end."""
    column, name, title = column_of(measure), measure.name, measure.title
    low, high = (
        replace(column, name=f"{name}_{end}", heading=f"{title} {end}", is_score=False)
        for end in ("low", "high")
    )
    return Column(f"{name}_interval", "95 %"), low, high


Figures = Mapping[str, "Figure"]


@dataclass(frozen=True)
class View:
    """All that is shown of a result: by a command, in a notebook, on a page."""

    tables: Sequence[Table]
    data: Callable[[], Any]  # what JSON is made of; it may take time
    main: Table | None = None  # the one of a CSV, if not the last; may be its own
    words: Sequence[str] = ()  # paragraphs that stand before the tables
    plots: Callable[[], Figures] | None = None
    text: str | None = None  # printed instead, in a format of the command's own
    notes: Sequence[str] = ()  # what changes the meaning of the numbers
    files: Sequence[Table] = ()  # written to a directory, but not shown

    def with_notes(self, notes: Sequence[str]) -> View:
        """The view with notes on what changes the meaning of its numbers.

        They stand below its first table, and in the data under `notes`, which is always
        there.
        """
        tables, main = list(self.tables), self.main
        already = {note for table in tables for note in table.notes}
        unsaid = [note for note in notes if note not in already]
        if tables and unsaid:
            first = replace(tables[0], notes=[*unsaid, *tables[0].notes])
            main = first if main is tables[0] else main
            tables[0] = first

        def data() -> Any:
            content = self.data()
            if not isinstance(content, dict):
                return content
            all_notes = [*content.get("notes", ()), *notes]
            return {**content, "notes": list(dict.fromkeys(all_notes))}

        all_notes = (*self.notes, *notes)
        return replace(self, tables=tables, main=main, data=data, notes=all_notes)


def joined(*views: View) -> View:
    """The first view, with the tables and the data of the others after its own."""

    notes = list(dict.fromkeys(note for view in views for note in view.notes))

    def data() -> dict[str, Any]:
        content = {key: value for view in views for key, value in view.data().items()}
        return {**content, "notes": notes}

    tables = [table for view in views for table in view.tables]
    return replace(views[0], tables=tables, data=data, notes=notes)


def is_significant(row: Row) -> bool:
    """Whether a difference would be rare by chance, over all that were tested."""
    return row.p_corrected is not None and row.p_corrected < _LEVEL


def difference_columns(a: str, b: str) -> tuple[Column, ...]:
    """What a table says of a score under two systems, and whether they differ."""
    return columns(
        "gold:count | score_a:percent.1={a} | score_b:percent.1={b} | "
        "difference:points! | low:points=from! | high:points=to! | "
        "p_value:number.4=p! | p_corrected:number.4=p corrected! | verdict",
        a=a,
        b=b,
    )


def verdict(row: Row) -> str:
    """Whether a system is better or worse than the baseline, if that is certain."""
    if row.difference is None or not is_significant(row):
        return ""
    return "better" if row.difference > 0 else "worse"


def differences_json(
    baseline: str, differences: Mapping[str, Sequence[Any]]
) -> list[dict[str, Any]]:
    """What differs between each system and the baseline, for programs."""
    return [
        {
            "baseline": baseline,
            "system": name,
            "differences": [row._asdict() for row in rows],
        }
        for name, rows in differences.items()
    ]


def stack(tables: Sequence[tuple[str, Table]], column: Column) -> Table:
    """Tables with the same columns as one, and before those one that tells them apart.

    A note that not all tables have gets the name of its table.

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
        for note in table.all_notes
    ]
    return Table(
        name=first.name,
        title=first.title,
        columns=(column, *first.columns),
        rows=[[name, *row] for name, table in tables for row in table.rows],
        notes=list(dict.fromkeys(notes)),
    )


def beside(
    rows_of: Sequence[Mapping[str, Any]], names: Sequence[str], fields: Sequence[str]
) -> list[list[Value]]:
    """Rows of several results one beside the other: the same fields of each."""
    return [
        [
            name,
            *(
                getattr(rows[name], field) if name in rows else None
                for rows in rows_of
                for field in fields
            ),
        ]
        for name in names
    ]


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
