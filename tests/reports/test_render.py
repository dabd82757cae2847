"""Tables in every format: tabulate lays them out as is written down here."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from analyzer.safe_text import display_width
from reports.model import Column, Table
from reports.render import render

CELLS = st.text(alphabet="ab1 .-≤…é×", max_size=8)


@given(
    st.integers(1, 3).flatmap(
        lambda width: st.tuples(
            st.lists(CELLS.filter(bool), min_size=width, max_size=width),
            st.lists(
                st.lists(CELLS, min_size=width, max_size=width), min_size=1, max_size=4
            ),
            st.lists(st.booleans(), min_size=width, max_size=width),
        )
    )
)
def test_the_layout_of_text(
    table: tuple[list[str], list[list[str]], list[bool]],
) -> None:
    """A column leaves room for two more characters than its title has."""
    titles, rows, numeric = table
    columns = [
        Column(title, unit="count" if is_count else "text")
        for title, is_count in zip(titles, numeric, strict=True)
    ]
    expected = []
    for place, title in enumerate(titles):
        cells = [row[place].strip() for row in rows]
        width = max([len(title) + 2, *map(len, cells)])
        pad = str.rjust if numeric[place] else str.ljust
        padded = [pad(text, width) for text in (title, *cells)]
        expected.append([padded[0], "-" * width, *padded[1:]])
    lines = ["  ".join(line).rstrip() for line in zip(*expected, strict=True)]
    assert render(Table("t", columns, rows), "text").split("\n") == [*lines, ""]


def test_columns_line_up_beside_wide_characters() -> None:
    table = Table(
        "words",
        [Column("word"), Column("count", unit="count")],
        [["猫", 12], ["キャット", 3], ["cat", 1234]],
    )
    lines = render(table, "text").splitlines()
    assert len({display_width(line) for line in lines}) == 1


def test_cells_of_markup_are_as_wide_as_they_are() -> None:
    columns = [Column("label", "a label"), Column("gold", unit="count")]
    table = Table("t", columns, [["[x", 1234], ["", None]], "Title", ["a note"])
    assert render(table, "markdown") == (
        "**Title**\n\n"
        "| a label | gold |\n| :--- | ---: |\n| \\[x | 1,234 |\n|  | - |\n\n"
        "a note\n"
    )
    assert render(table, "latex") == (
        "% Title\n\\begin{tabular}{lr}\n\\toprule\na label & gold \\\\\n\\midrule\n"
        "{}[x & 1,234 \\\\\n & - \\\\\n\\bottomrule\n\\end{tabular}\n% a note\n"
    )


def test_tables_without_rows() -> None:
    table = Table("t", [Column("label"), Column("gold", unit="count")], [])
    assert render(table, "text") == "(no rows)\n"
    assert render(table, "markdown") == "| label | gold |\n| :--- | ---: |\n"
    assert render(table, "latex") == (
        "\\begin{tabular}{lr}\n\\toprule\nlabel & gold \\\\\n\\midrule\n"
        "\\bottomrule\n\\end{tabular}\n"
    )


def test_headings_are_no_formulas() -> None:
    """They may be names that people chose: of groups, of systems."""
    table = Table("t", [Column("=cmd|x"), Column("a")], [["=1", 2]])
    assert render(table, "csv").splitlines()[:2] == ["'=cmd|x,a", "'=1,2"]


@given(
    st.lists(
        st.tuples(st.text("ab 日é", min_size=1, max_size=60), st.integers(0, 10**6)),
        min_size=1,
        max_size=4,
    ),
    st.integers(1, 12),
    st.integers(40, 120),
)
def test_text_within_a_width(
    rows: list[tuple[str, int]], columns: int, width: int
) -> None:
    """No line is longer, no number is cut, and what has no room is named."""
    fields = [
        Column("name"),
        *(Column(f"n{at}", unit="count") for at in range(columns)),
    ]
    cells = [[name.strip() or "x", *[number] * columns] for name, number in rows]
    note = "a note that is longer than most terminals are wide " * 3
    text = render(Table("t", fields, cells, notes=[note]), "text", width)
    assert all(display_width(line) <= width for line in text.split("\n"))
    gone = re.search(r"no room for (.*?);", " ".join(text.split()))
    shown = columns - (len(gone[1].split(", ")) if gone else 0)
    for _, number in rows:
        assert text.count(f"{number:,}") >= shown
    for at in range(columns):
        assert f"n{at}" in text
