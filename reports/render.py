"""A table as text, Markdown, LaTeX, CSV, TSV or HTML.

What stands in a treebank is data, never markup: it is escaped in each format, and
characters that would command a terminal are written out (`\\x1b`) in all of them. In
CSV and TSV a cell that a spreadsheet would run as a formula gets an apostrophe.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import NamedTuple

from analyzer.safe_text import (
    display_width,
    spreadsheet_cell,
    visible,
    visible_lines,
)
from reports.model import Column, Table, Value, shown

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    # \textquotedbl would need a font encoding that is not the default one.
    '"': r"\symbol{34}",
    "≤": r"$\leq$",
    "…": r"\dots{}",
    "→": r"$\rightarrow$",
    "×": r"$\times$",
    "−": r"$-$",
}


def _visible(table: Table) -> Table:
    """The table with everything in it safe to show."""
    return replace(
        table,
        columns=[
            replace(one, name=visible(one.name), heading=visible(one.heading))
            for one in table.columns
        ],
        rows=[
            [visible(cell) if isinstance(cell, str) else cell for cell in row]
            for row in table.rows
        ],
        title=visible_lines(table.title),
        notes=[visible_lines(note) for note in table.all_notes],
        cut="",
    )


def _text(table: Table, width: int | None = None) -> str:
    from tabulate import tabulate

    lines = [table.title, ""] if table.title else []
    rows, heads = _texts(table, str)
    are_numbers = [column.is_numeric for column in table.columns]
    parts = [list(range(len(heads)))]
    if width is not None and rows:
        rows, parts = _fitted(rows, heads, are_numbers, width)
    for number, part in enumerate(parts if rows else []):
        alignment = ["right" if are_numbers[at] else "left" for at in part]
        cells = [[row[at] for at in part] for row in rows]
        titles = [heads[at] for at in part]
        lines += [""] if number else []
        lines.append(tabulate(cells, titles, colalign=alignment, disable_numparse=True))
    if not rows:
        lines.append("(no rows)")
    notes = [folded(note, width) for note in table.notes]
    lines += ["", *notes] if notes else []
    return "\n".join(lines) + "\n"


# Columns of a terminal: what is left of a text, between two columns, beside a title.
_LEAST_TEXT, _BETWEEN, _PADDING = 16, 2, 2


def _fitted(
    rows: list[list[str]], heads: list[str], are_numbers: list[bool], width: int
) -> tuple[list[list[str]], list[list[int]]]:
    """Rows with texts cut to a width, and which columns stand side by side.

    Numbers are never cut. What does not fit goes below, beside the first column.
    """
    least = [display_width(head) + _PADDING for head in heads]  # as tabulate has it
    natural = [
        max(size, *map(display_width, column))
        for size, column in zip(least, zip(*rows, strict=True), strict=True)
    ]
    sizes = [
        size if is_number else max(smallest, min(size, _LEAST_TEXT))
        for size, smallest, is_number in zip(natural, least, are_numbers, strict=True)
    ]
    parts = [[0]]
    for at in range(1, len(sizes)):
        part = [*parts[-1], at]
        if len(part) > 2 and _together(sizes, part) > width:
            parts.append([0])
        parts[-1].append(at)
    for part in parts:  # texts take what is left; the first column is in all parts
        growing = part if len(parts) == 1 else part[1:]
        for at in sorted(growing, key=lambda at: natural[at]):
            spare = width - _together(sizes, part)
            sizes[at] += max(0, min(spare, natural[at] - sizes[at]))
    cut = [
        [
            cell if display_width(cell) <= size else _cut(cell, size)
            for cell, size in zip(row, sizes, strict=True)
        ]
        for row in rows
    ]
    return cut, parts


def _cut(text: str, size: int) -> str:
    """As much of a text as fits, with a mark that there is more."""
    widths = accumulate(map(display_width, text))
    return text[: sum(1 for width in widths if width < size)] + "…"


def _together(sizes: list[int], part: list[int]) -> int:
    """The width of some columns side by side."""
    return sum(sizes[at] + _BETWEEN for at in part) - _BETWEEN


def folded(text: str, width: int | None) -> str:
    """A text in lines of this width, if one is given."""
    if width is None:
        return text
    from textwrap import fill

    return "\n".join(
        fill(
            line,
            max(width, _LEAST_TEXT),
            break_on_hyphens=False,
            subsequent_indent="  ",
        )
        for line in text.split("\n")
    )


def _markdown(table: Table) -> str:
    def escaped(text: str) -> str:
        for special in "\\`*_[]<>|":
            text = text.replace(special, "\\" + special)
        return text.replace("\n", " ")

    def bar(cells: Sequence[str], *_: object) -> str:
        return f"| {' | '.join(cells)} |"

    rule = bar(["---:" if column.is_numeric else ":---" for column in table.columns])
    lines = [f"**{escaped(table.title)}**", ""] if table.title else []
    lines.append(_unpadded(table, escaped, row=bar, rule=rule))
    for note in table.notes:
        lines += ["", escaped(note)]
    return "\n".join(lines) + "\n"


def _latex(table: Table) -> str:
    """Needs only the package booktabs."""

    def escaped(text: str) -> str:
        return "".join(_LATEX.get(character, character) for character in text)

    def row(cells: Sequence[str], *_: object) -> str:
        line = " & ".join(cells)
        # After a row's end, TeX takes '[' and '*' for arguments of that end.
        protection = "{}" if line.startswith(("[", "*")) else ""
        return rf"{protection}{line} \\"

    align = "".join("r" if column.is_numeric else "l" for column in table.columns)
    body = _unpadded(
        table,
        escaped,
        row=row,
        above=f"\\begin{{tabular}}{{{align}}}\n\\toprule",
        rule=r"\midrule",
        below="\\bottomrule\n\\end{tabular}",
    )
    lines = [_latex_comment(table.title)] if table.title else []
    lines += [body, *map(_latex_comment, table.notes)]
    return "\n".join(lines) + "\n"


def _unpadded(
    table: Table,
    escaped: Callable[[str], str],
    *,
    row: Callable[..., str],
    rule: str,
    above: str = "",
    below: str = "",
) -> str:
    """Titles and rows in a format of our own, whose cells are as wide as they are."""
    from tabulate import Line, TableFormat, tabulate

    first, second, last = (
        Line(text, "", "", "") if text else None for text in (above, rule, below)
    )
    form = TableFormat(first, second, None, last, row, row, 0, None)
    return tabulate(*_texts(table, escaped), form, stralign=None, disable_numparse=True)


def _texts(
    table: Table, escaped: Callable[[str], str]
) -> tuple[list[list[str]], list[str]]:
    """The rows and the titles as people read them."""
    rows = [
        [escaped(shown(*cell)) for cell in _cells(table, row)] for row in table.rows
    ]
    return rows, [escaped(column.title) for column in table.columns]


def _latex_comment(text: str) -> str:
    """On one line, whatever the text holds: after a line end it would be typeset."""
    return f"% {' '.join(text.split())}".rstrip()


def _separated(table: Table, delimiter: str) -> str:
    """Plain values: counts as integers, ratios from 0 to 1, nothing for no value."""
    names = [spreadsheet_cell(column.name) for column in table.columns]
    rows = ([spreadsheet_cell(value) for value in row] for row in table.rows)
    return separated([names, *rows], delimiter)


def separated(rows: Iterable[Sequence[Value]], delimiter: str) -> str:
    """Rows of cells that are safe already, with quotes where they are needed."""
    import csv

    output = io.StringIO()
    csv.writer(output, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return output.getvalue()


def _html(table: Table) -> str:
    import html

    def cell(tag: str, text: str, column: Column) -> str:
        style = ' style="text-align:right"' if column.is_numeric else ""
        return f"<{tag}{style}>{html.escape(text)}</{tag}>"

    lines = html_table(
        table,
        attributes=f'class="spinal" id="{html.escape(table.name)}"',
        escape=html.escape,
        head=lambda column: cell("th", column.title, column),
        cell=lambda value, column, _: cell("td", shown(value, column), column),
    )
    lines += [f"<p>{html.escape(note)}</p>" for note in table.notes]
    return "\n".join(lines) + "\n"


def html_table(
    table: Table,
    *,
    attributes: str,
    escape: Callable[[str], str],
    head: Callable[[Column], str],
    cell: Callable[[Value, Column, Sequence[Value]], str],
    has_total: bool = False,
) -> list[str]:
    """The lines of a table element; `head` and `cell` give its cells as HTML.

    A cell is given its value, its column and its row.

    With `has_total` the last row is the table's foot.
    """
    rows = [
        f"<tr>{''.join(cell(*one, row) for one in _cells(table, row))}</tr>"
        for row in table.rows
    ]
    foot = [f"<tfoot>{rows.pop()}</tfoot>"] if has_total and rows else []
    return [
        f"<table {attributes}>",
        *([f"<caption>{escape(table.title)}</caption>"] if table.title else []),
        f"<thead><tr>{''.join(map(head, table.columns))}</tr></thead>",
        "<tbody>",
        *rows,
        "</tbody>",
        *foot,
        "</table>",
    ]


def _cells(table: Table, row: Sequence[Value]) -> list[tuple[Value, Column]]:
    return list(zip(row, table.columns, strict=True))


class TableFormat(NamedTuple):
    """How files in a format end, and what writes a table in it."""

    ending: str
    write: Callable[[Table], str]


# A new format is one line here, and its name in `cli/options.FORMATS`.
FORMATS = {
    "text": TableFormat("txt", _text),
    "markdown": TableFormat("md", _markdown),
    "latex": TableFormat("tex", _latex),
    "csv": TableFormat("csv", partial(_separated, delimiter=",")),
    "tsv": TableFormat("tsv", partial(_separated, delimiter="\t")),
    "html": TableFormat("html", _html),
}


def render(table: Table, form: str, width: int | None = None) -> str:
    """The table in one of FORMATS, ending in a line end; text within a width."""
    if form == "text" and width is not None:
        return _text(_visible(table), width)
    return FORMATS[form].write(_visible(table))
