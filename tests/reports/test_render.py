"""Tables in every format."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tabulate import tabulate

from reports.drawing.lines import display_width
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
def test_a_table_looks_as_tabulate_lays_it_out(
    table: tuple[list[str], list[list[str]], list[bool]],
) -> None:
    """Which is imported only where characters are wide."""
    titles, rows, numeric = table
    columns = [
        Column(title, unit="count" if is_count else "text")
        for title, is_count in zip(titles, numeric, strict=True)
    ]
    aligned = ["right" if is_count else "left" for is_count in numeric]
    expected = tabulate(rows, titles, colalign=aligned, disable_numparse=True)
    assert render(Table("t", columns, rows), "text") == expected + "\n"


def test_columns_line_up_beside_wide_characters() -> None:
    table = Table(
        "words",
        [Column("word"), Column("count", unit="count")],
        [["猫", 12], ["キャット", 3], ["cat", 1234]],
    )
    lines = render(table, "text").splitlines()
    assert len({display_width(line) for line in lines}) == 1
