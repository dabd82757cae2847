"""Tables in every format."""

from __future__ import annotations

from reports.drawing.lines import display_width
from reports.model import Column, Table
from reports.render import render


def test_columns_line_up_beside_wide_characters() -> None:
    table = Table(
        "words",
        [Column("word"), Column("count", unit="count")],
        [["猫", 12], ["キャット", 3], ["cat", 1234]],
    )
    lines = render(table, "text").splitlines()
    assert len({display_width(line) for line in lines}) == 1
