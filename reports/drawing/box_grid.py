"""Lines that meet, in a terminal: horizontal and vertical strokes on a grid.

Where strokes cross or join, the box character for it is drawn.
"""

from __future__ import annotations

_UP, _DOWN, _LEFT, _RIGHT = 1, 2, 4, 8
# By which of up, down, left and right a stroke leaves the cell.
_CHARACTERS = " │││─┘┐┤─└┌├─┴┬┼"


class BoxGrid:
    """Strokes by row and column, both from 0.

    >>> grid = BoxGrid()
    >>> grid.across(0, 0, 3); grid.across(2, 0, 3); grid.down(3, 0, 2)
    >>> grid.across(1, 3, 4)
    >>> print("\\n".join(grid.lines()))
    ───┐
       ├─
    ───┘
    """

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], int] = {}
        self._over: dict[tuple[int, int], str] = {}

    def across(self, row: int, start: int, end: int) -> None:
        """A stroke between two columns of a row."""
        start, end = min(start, end), max(start, end)
        for column in range(start, end + 1):
            self._add(row, column, _LEFT if column > start else 0)
            self._add(row, column, _RIGHT if column < end else 0)

    def down(self, column: int, start: int, end: int) -> None:
        """A stroke between two rows of a column."""
        start, end = min(start, end), max(start, end)
        for row in range(start, end + 1):
            self._add(row, column, _UP if row > start else 0)
            self._add(row, column, _DOWN if row < end else 0)

    def write(self, row: int, column: int, text: str) -> None:
        """A text over what is drawn there; its characters take a column each."""
        for offset, character in enumerate(text):
            self._over[row, column + offset] = character

    def lines(self, rows: int | None = None, width: int = 0) -> list[str]:
        """The drawing; each line is at least so wide."""
        cells = {at: _CHARACTERS[mask] for at, mask in self._cells.items()} | self._over
        by_row: dict[int, dict[int, str]] = {}
        for (row, column), character in cells.items():
            by_row.setdefault(row, {})[column] = character
        count = max(by_row, default=-1) + 1 if rows is None else rows
        drawn = []
        for row in range(count):
            line = by_row.get(row, {})
            end = max(line, default=-1) + 1
            text = "".join(line.get(column, " ") for column in range(end))
            drawn.append(text.ljust(width))
        return drawn

    def _add(self, row: int, column: int, stroke: int) -> None:
        self._cells[row, column] = self._cells.get((row, column), 0) | stroke
