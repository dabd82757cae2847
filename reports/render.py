"""A table as text, Markdown, LaTeX, CSV, TSV or HTML.

What stands in a treebank is data, never markup: it is escaped in each format, and
characters that would command a terminal are written out (`\\x1b`) in all of them. In
CSV and TSV a cell that a spreadsheet would run as a formula gets an apostrophe.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from analyzer.safe_text import (
    COLORS,
    display_width,
    painted,
    spreadsheet_cell,
    visible,
    visible_lines,
    wrapped,
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
    "∅": r"$\emptyset$",
    "⋯": r"$\cdots$",
}


def latex_text(text: str) -> str:
    """A text as LaTeX sets it: none of its characters is a command."""
    return "".join(_LATEX.get(character, character) for character in text)


def _visible(table: Table) -> Table:
    """The table with everything in it safe to show."""
    return replace(
        table,
        columns=[
            replace(column, name=visible(column.name), heading=visible(column.heading))
            for column in table.columns
        ],
        rows=[
            [visible(cell) if isinstance(cell, str) else cell for cell in row]
            for row in table.rows
        ],
        title=visible_lines(table.title),
        notes=[visible_lines(note) for note in table.all_notes],
        cut="",
    )


def _text(table: Table, width: int | None = None, color: bool = False) -> str:
    from tabulate import tabulate

    lines = [folded(table.title, width), ""] if table.title else []
    rows, heads = _texts(table, str)
    chosen, notes = [*range(len(heads))], list(table.notes)
    sizes: list[int] = []
    if width is not None and rows:
        chosen, sizes = _fitted(table, rows, heads, width)
        dropped = [head for at, head in enumerate(heads) if at not in chosen]
        if dropped:
            notes.insert(
                0, f"no room for {', '.join(dict.fromkeys(dropped))}; --wide shows all"
            )
    if rows:
        paints = _paints(table) if color else {}
        cells = [
            [_cell(row[at], at, sizes, paints.get((number, at))) for at in chosen]
            for number, row in enumerate(rows)
        ]
        titles = [_cell(heads[at], at, sizes, padding=_PADDING) for at in chosen]
        sides = ["right" if table.columns[at].is_numeric else "left" for at in chosen]
        lines.append(tabulate(cells, titles, colalign=sides, disable_numparse=True))
    else:
        lines.append("(no rows)")
    lines += ["", *(folded(note, width) for note in notes)] if notes else []
    return "\n".join(lines) + "\n"


# Columns of a terminal: what is left of a text, between two columns, beside a title.
_LEAST_TEXT, _BETWEEN, _PADDING = 10, 2, 2


def _fitted(
    table: Table, rows: list[list[str]], heads: list[str], width: int
) -> tuple[list[int], list[int]]:
    """Which columns fit into a width, and how wide each is: texts are in lines.

    Numbers are whole. Of what does not fit, the column of the highest rank goes first,
    of the same rank the last one; the first column of a table stays.
    """
    words = [max(map(display_width, head.split(" "))) + _PADDING for head in heads]
    natural = [max(map(display_width, cells)) for cells in zip(*rows, strict=True)]
    sizes = [
        max(word, size if column.is_numeric else min(size, _LEAST_TEXT))
        for column, word, size in zip(table.columns, words, natural, strict=True)
    ]
    natural = [
        max(size, display_width(head) + _PADDING)
        for size, head in zip(natural, heads, strict=True)
    ]
    kept = [*range(len(heads))]

    def spare() -> int:
        taken: int = sum(sizes[at] + _BETWEEN for at in kept)
        return width + _BETWEEN - taken

    while spare() < 0 and len(kept) > 1:
        kept.remove(max(kept[1:], key=lambda at: (table.columns[at].rank, at)))
    while spare() > 0:  # for those that want it most
        wanting = max(kept, key=lambda at: natural[at] / sizes[at])
        if natural[wanting] <= sizes[wanting]:
            break
        sizes[wanting] += 1
    return kept, sizes


def _cell(
    text: str, at: int, sizes: list[int], paint: int | None = None, padding: int = 0
) -> str:
    """A cell in lines as wide as its column, if that is known; a long word is cut."""
    lines = [text]
    if sizes and display_width(text) > (size := max(1, sizes[at] - padding)):
        lines = [
            piece
            for line in wrapped(text, size, display_width)
            for piece in _pieces(line, size)
        ]
    return "\n".join(painted(line, paint) for line in lines)


def _pieces(word: str, size: int) -> Iterator[str]:
    """A word in pieces that are not wider than this, cut behind a hyphen if it can be.

    >>> list(_pieces("head-spurious", 10)), list(_pieces("unhyphenated", 10))
    (['head-', 'spurious'], ['unhyphenat', 'ed'])
    """
    piece = ""
    for character in word:
        if piece and display_width(piece + character) > size:
            at = max(map(piece.rfind, "-/_|:")) + 1 or len(piece)
            yield piece[:at]
            piece = piece[at:]
        piece += character
    yield piece


def _paints(table: Table) -> dict[tuple[int, int], int]:
    """The colours of cells: differences by their sign, and the worst of each score.

    The last row may be a total. The numbers say the same without colours.
    """
    paints = {}
    for at, column in enumerate(table.columns):
        values = [row[at] for row in table.rows]
        numbers = [value for value in values[:-1] if isinstance(value, int | float)]
        worst = min(numbers) if column.is_worst_low and len(set(numbers)) > 1 else None
        for number, value in enumerate(values):
            if column.unit == "points" and isinstance(value, float) and value:
                paints[number, at] = COLORS["green" if value > 0 else "red"]
            elif column.unit == "percent" and worst is not None and value == worst:
                paints[number, at] = COLORS["red"]
    return paints


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

    def row(cells: Sequence[str], *_: object) -> str:
        line = " & ".join(cells)
        # After a row's end, TeX takes '[' and '*' for arguments of that end.
        protection = "{}" if line.startswith(("[", "*")) else ""
        return rf"{protection}{line} \\"

    align = "".join("r" if column.is_numeric else "l" for column in table.columns)
    body = _unpadded(
        table,
        latex_text,
        row=row,
        above=f"\\begin{{tabular}}{{{align}}}\n\\toprule",
        rule=r"\midrule",
        below="\\bottomrule\n\\end{tabular}",
    )
    lines = [latex_comment(table.title)] if table.title else []
    lines += [body, *map(latex_comment, table.notes)]
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


def latex_comment(text: str) -> str:
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


def _json_lines(table: Table) -> str:
    """A row a line, by the names of the columns; ratios from 0 to 1, as in JSON."""
    import json

    rows = (json.dumps(row, ensure_ascii=False) for row in table.records())
    return "".join(f"{row}\n" for row in rows)


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
        f"<tr>{''.join(cell(*content, row) for content in _cells(table, row))}</tr>"
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
    "jsonl": TableFormat("jsonl", _json_lines),
    "html": TableFormat("html", _html),
}


def render(
    table: Table, form: str, width: int | None = None, color: bool = False
) -> str:
    """The table in one of FORMATS, ending in a line end; text within a width."""
    if form == "text":
        return _text(_visible(table), width, color)
    return FORMATS[form].write(_visible(table))
