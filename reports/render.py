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
from typing import NamedTuple

from analyzer.safe_text import visible, visible_lines
from reports.model import Column, Table, Value, shown

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
_SIGNS = frozenset("≤…→×−–—·")  # of our own, each one column wide
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
        notes=[visible_lines(note) for note in table.notes],
    )


def _text(table: Table) -> str:
    lines = [table.title, ""] if table.title else []
    if table.rows:
        rows = [[shown(*cell) for cell in _cells(table, row)] for row in table.rows]
        titles = [column.title for column in table.columns]
        cells = (cell for row in (titles, *rows) for cell in row)
        lay_out = _plain_layout if all(map(_is_plain, cells)) else _wide_layout
        lines.append(lay_out(titles, rows, _alignment(table.columns)))
    else:
        lines.append("(no rows)")
    lines += ["", *table.notes] if table.notes else []
    return "\n".join(lines) + "\n"


def _is_plain(cell: str) -> bool:
    """Whether it is sure that each character takes one column."""
    return cell.isascii() or all(
        c.isascii() or "À" <= c <= "ɏ" or c in _SIGNS for c in cell
    )


def _wide_layout(
    titles: Sequence[str], rows: Sequence[Sequence[str]], alignment: Sequence[str]
) -> str:
    from tabulate import tabulate

    return tabulate(rows, titles, colalign=alignment, disable_numparse=True)


def _plain_layout(
    titles: Sequence[str], rows: Sequence[Sequence[str]], alignment: Sequence[str]
) -> str:
    """What tabulate makes of cells that take a column a character.

    Most tables are such, and to import tabulate takes as long as to score a thousand
    sentences.
    """
    columns = []
    for column, side in zip(zip(titles, *rows, strict=True), alignment, strict=True):
        cells = [column[0], *(cell.strip() for cell in column[1:])]
        # tabulate leaves room for two more characters than a title has
        width = max([len(cells[0]) + 2, *map(len, cells[1:])])
        pad = str.rjust if side == "right" else str.ljust
        padded = [pad(cell, width) for cell in cells]
        columns.append([padded[0], "-" * width, *padded[1:]])
    return "\n".join("  ".join(line).rstrip() for line in zip(*columns, strict=True))


def _markdown(table: Table) -> str:
    def escaped(text: str) -> str:
        for special in "\\`*_[]<>|":
            text = text.replace(special, "\\" + special)
        return text.replace("\n", " ")

    lines = [f"**{escaped(table.title)}**", ""] if table.title else []
    lines.append(_bar([escaped(column.title) for column in table.columns]))
    lines.append(
        _bar(["---:" if column.is_numeric else ":---" for column in table.columns])
    )
    for row in table.rows:
        lines.append(_bar([escaped(shown(*cell)) for cell in _cells(table, row)]))
    for note in table.notes:
        lines += ["", escaped(note)]
    return "\n".join(lines) + "\n"


def _bar(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _latex(table: Table) -> str:
    """Needs only the package booktabs."""

    def escaped(text: str) -> str:
        return "".join(_LATEX.get(character, character) for character in text)

    align = "".join("r" if c.is_numeric else "l" for c in table.columns)
    lines = [_latex_comment(table.title)] if table.title else []
    lines += [rf"\begin{{tabular}}{{{align}}}", r"\toprule"]
    lines.append(" & ".join(escaped(column.title) for column in table.columns) + r" \\")
    lines.append(r"\midrule")
    for row in table.rows:
        line = " & ".join(escaped(shown(*cell)) for cell in _cells(table, row))
        # After a row's end, TeX takes '[' and '*' for arguments of that end.
        protection = "{}" if line.startswith(("[", "*")) else ""
        lines.append(protection + line + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    lines += [_latex_comment(note) for note in table.notes]
    return "\n".join(lines) + "\n"


def _latex_comment(text: str) -> str:
    """On one line, whatever the text holds: after a line end it would be typeset."""
    return f"% {' '.join(text.split())}".rstrip()


def _separated(table: Table, delimiter: str) -> str:
    """Plain values: counts as integers, ratios from 0 to 1, nothing for no value."""
    names = [column.name for column in table.columns]
    rows = ([spreadsheet_cell(value) for value in row] for row in table.rows)
    return separated([names, *rows], delimiter)


def separated(rows: Iterable[Sequence[Value]], delimiter: str) -> str:
    """Rows of cells that are safe already, with quotes where they are needed."""
    import csv

    output = io.StringIO()
    csv.writer(output, delimiter=delimiter, lineterminator="\n").writerows(rows)
    return output.getvalue()


def spreadsheet_cell(value: Value) -> str | int | float:
    """A value as CSV has it.

    >>> spreadsheet_cell("=1+1"), spreadsheet_cell(None), spreadsheet_cell(0.5)
    ("'=1+1", '', 0.5)
    """
    if value is None:
        return ""
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return "'" + value
    return value


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
        cell=lambda value, column: cell("td", shown(value, column), column),
    )
    lines += [f"<p>{html.escape(note)}</p>" for note in table.notes]
    return "\n".join(lines) + "\n"


def html_table(
    table: Table,
    *,
    attributes: str,
    escape: Callable[[str], str],
    head: Callable[[Column], str],
    cell: Callable[[Value, Column], str],
    has_total: bool = False,
) -> list[str]:
    """The lines of a table element; `head` and `cell` give its cells as HTML.

    With `has_total` the last row is the table's foot.
    """
    rows = [
        f"<tr>{''.join(cell(*one) for one in _cells(table, row))}</tr>"
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


def _alignment(columns: Sequence[Column]) -> list[str]:
    return ["right" if column.is_numeric else "left" for column in columns]


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


def render(table: Table, form: str) -> str:
    """The table in one of FORMATS, ending in a line end."""
    return FORMATS[form].write(_visible(table))
