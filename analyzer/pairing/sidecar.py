"""One corpus as several: sentences grouped by a column of a file beside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.exceptions import InputError, Place
from analyzer.files.small_files import read_lines
from analyzer.pairing.in_step import SentencePair


def pairs_by_group(
    pairs: Iterator[SentencePair], groups: Sequence[str]
) -> dict[str, list[SentencePair]]:
    """The sentences of each group, in blocks of neighbours."""
    found: dict[str, list[SentencePair]] = {}
    for pair in pairs:
        first = pair.first_sentence - 1
        names = groups[first : first + len(pair.gold)]
        starts = [
            at for at, name in enumerate(names) if at == 0 or names[at - 1] != name
        ]
        for start, end in zip(starts, [*starts[1:], len(names)], strict=True):
            block = SentencePair(
                pair.gold[start:end],
                pair.parsed[start:end],
                pair.first_sentence + start,
            )
            found.setdefault(names[start], []).append(block)
    return found


def read_groups(path: str, column: str) -> list[str]:
    """A column of a tab-separated sidecar file, one line a sentence.

    The first line names the columns. If there is a column `line`, the sentences are
    put in its order.
    """
    rows = [line.split("\t") for line in read_lines(path) if line.strip()]
    if not rows:
        raise InputError(
            "is empty; expected a line of column names", Place(path, 1), code="E130"
        )
    header = rows[0]
    if column not in header:
        names = ", ".join(header)
        raise InputError(
            "no column {column!r}; there are {names}",
            Place(path, 1),
            code="E131",
            column=column,
            names=names,
        )
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise InputError(
                "found {count} fields, expected {count_2}",
                Place(path, number),
                code="E133",
                count=len(row),
                count_2=len(header),
            )
    values = [row[header.index(column)] for row in rows[1:]]
    if "line" not in header:
        return values
    numbers = [row[header.index("line")] for row in rows[1:]]
    if sorted(numbers, key=lambda n: (len(n), n)) != [
        str(n) for n in range(1, len(numbers) + 1)
    ]:
        raise InputError(
            "the column 'line' does not count from 1 to {count}",
            Place(path, 2),
            code="E132",
            count=len(numbers),
        )
    by_number = {int(n): value for n, value in zip(numbers, values, strict=True)}
    return [by_number[n] for n in range(1, len(values) + 1)]
