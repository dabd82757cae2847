"""One data set as several: sentences grouped by a column of a file beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from analyzer.exceptions import InputError, Place, SettingsError
from analyzer.files.small_files import read_lines
from analyzer.pairing.in_step import CountedTask, PairTask, SentencePair


class GroupedPairs(NamedTuple):
    """A task, and the group of each of its sentences."""

    task: PairTask
    groups: Sequence[str]

    def pairs(self) -> Iterator[tuple[SentencePair, Sequence[str]]]:
        """Its blocks, each with the groups of its sentences."""
        start = 0
        for pair in self.task.pairs():
            end = start + len(pair.gold)
            yield pair, self.groups[start:end]
            start = end

    def by_group(self) -> Iterator[tuple[str, SentencePair]]:
        """Its blocks cut where the group changes, each with its group."""
        for pair, groups in self.pairs():
            starts = [
                at
                for at, name in enumerate(groups)
                if at == 0 or groups[at - 1] != name
            ]
            for start, end in zip(starts, [*starts[1:], len(groups)], strict=True):
                yield groups[start], _between(pair, start, end)


def _between(pair: SentencePair, start: int, end: int) -> SentencePair:
    if (start, end) == (0, len(pair.gold)):
        return pair
    known = {tree - start: why for tree, why in pair.known.items() if tree >= start}
    first = pair.first_sentence + start
    return SentencePair(pair.gold[start:end], pair.parsed[start:end], first, known)


def group_tasks(
    tasks: Iterable[CountedTask], groups: Sequence[str]
) -> Iterator[GroupedPairs]:
    """Tasks with the groups of their sentences; there must be as many of both."""
    start = 0
    for task in tasks:
        names = groups[start : start + task.sentences]
        start += task.sentences
        if len(names) < task.sentences:
            raise SettingsError(
                "the groups name {n:sentence}, but there are more",
                code="E505",
                n=len(groups),
            )
        yield GroupedPairs(task, names)
    if start < len(groups):
        raise SettingsError(
            "the groups name {n:sentence}, but there are {start:,}",
            code="E504",
            n=len(groups),
            start=start,
        )


def groups_of(given: str | Sequence[str] | None, datasets: int) -> Sequence[str] | None:
    """The group of each sentence, if asked for: as they are, or FILE.tsv:COLUMN.

    Only of one data set can several be made.
    """
    if given is not None and datasets > 1:
        raise SettingsError(
            "--group-by makes data sets of one pair of files, not more", code="E807"
        )
    return _column(given) if isinstance(given, str) else given


def _column(spec: str) -> list[str]:
    path, separator, column = spec.rpartition(":")
    if not separator or not path or not column:
        raise SettingsError(
            "cannot read --group-by {spec!r}; expected FILE.tsv:COLUMN",
            code="E817",
            spec=spec,
        )
    return read_groups(path, column)


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
