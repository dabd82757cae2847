"""Fix lists: a table with tabs, one line an edit, to be ticked by people.

People write `yes` in its first column; `--apply` then makes these edits, after it has
made sure that the tree in the file is still the one that the edit was made for.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from analyzer.checks.fixes import Fix
from analyzer.exceptions import InputError, Place
from analyzer.files.small_files import LARGEST_FILE, read_text


def written_fixes(fixes: Iterable[Fix]) -> str:
    """A fix list: a heading, and a line a fix."""
    stream = io.StringIO()
    writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
    writer.writerow(Fix._fields)
    for fix in fixes:
        writer.writerow(fix)
    return stream.getvalue()


_NUMBERS = ("line", "tree", "sentence", "node", "other")


def read_fixes(path: str) -> list[Fix]:
    """The fixes of a list; the columns may be in any order."""
    text = read_text(path, largest=LARGEST_FILE)
    rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
    names = rows[0] if rows else []
    if missing := [name for name in Fix._fields if name not in names]:
        raise InputError(
            "is not a fix list (--fix-list writes one): no column {name}",
            Place(path, 1),
            code="E196",
            name=missing[0],
        )
    found = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(row):
            continue
        values = dict(zip(names, row, strict=False))
        try:
            columns: dict[str, str | int] = {name: values[name] for name in Fix._fields}
            for name in _NUMBERS:
                columns[name] = int(values[name])
        except (KeyError, ValueError) as error:
            raise InputError(
                "is not a line of a fix list", Place(path, number), code="E197"
            ) from error
        found.append(Fix(**columns))  # type: ignore[arg-type]
    return found
