"""Scores of function tags as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analyzer.analyses.functions import FunctionScores, LevelScores, TagRow
from analyzer.analyses.system_functions import FunctionDifference
from analyzer.safe_text import counted
from reports.model import Column, Table, Value, cells, percent
from reports.tables.systems import difference_columns, verdict

_TAGS = (
    Column("tag"),
    Column("gold", unit="count"),
    Column("parsed", unit="count"),
    Column("gold_on_matched", "gold, matched", "count"),
    Column("parsed_on_matched", "parsed, matched", "count"),
    Column("matched", "right", "count"),
    Column("precision", "P-fn", "percent", 1),
    Column("recall", "R-fn", "percent", 1),
    Column("f_fn", "F-fn", "percent", 1),
    Column("end_to_end_f", "end-to-end F", "percent", 1),
)
_BY_CONSTRUCTION = (
    Column("construction"),
    Column("tag"),
    Column("gold", unit="count"),
    Column("parsed", unit="count"),
    Column("matched", "right", "count"),
    Column("precision", "P-fn", "percent", 1),
    Column("recall", "R-fn", "percent", 1),
    Column("f_fn", "F-fn", "percent", 1),
)
_CONFUSIONS = (Column("gold"), Column("parsed"), Column("count", unit="count"))
_MOST_TAGS = 40
_MOST_ROWS = 20


def function_tables(scores: FunctionScores, *, top: int | None = None) -> list[Table]:
    """All that is known of function tags; the first is the one of tags."""
    limit = top or _MOST_ROWS
    tables = [tag_table(scores, top=top or _MOST_TAGS)]
    if scores.tags.groups:
        groups = _rows("function_groups", "Groups of tags", scores.groups)
        columns = (Column("tag", "group"), *groups.columns[1:])
        tables.append(replace(groups, columns=columns))
    tables.append(construction_tag_table(scores, top=limit))
    if scores.confusions:
        tables.append(tag_confusion_table(scores, top=limit))
    if scores.words is not None:
        tables.append(word_tag_table(scores.words, top=top or _MOST_TAGS))
        if scores.words.confusions:
            tables.append(tag_confusion_table(scores.words, top=limit, of_words=True))
    return tables


def tag_table(scores: LevelScores, *, top: int | None = None) -> Table:
    """One row a tag, and what all have in common."""
    rows = scores.rows
    table = _rows("functions", "Function tags", [*rows[:top], scores.total])
    return _noted(table, [*_hidden(len(rows), top), *function_lines(scores)])


def word_tag_table(scores: LevelScores, *, top: int | None = None) -> Table:
    """One row a tag of words: case, or the labels of edges."""
    rows = scores.rows
    title = "Function tags of words"
    table = _rows("word_functions", title, [*rows[:top], scores.total])
    lines = function_lines(scores, "words whose tag is right")
    return _noted(table, [*_hidden(len(rows), top), *lines])


def construction_tag_table(scores: FunctionScores, *, top: int | None = None) -> Table:
    """Per construction and tag, on the brackets that F-s matches."""
    rows = scores.construction_rows
    return Table(
        name="construction_functions",
        title="Function tags by construction, on its F-s matches",
        columns=_BY_CONSTRUCTION,
        rows=[cells(row, _BY_CONSTRUCTION) for row in rows[:top]],
        notes=_hidden(len(rows), top),
    )


def tag_confusion_table(
    scores: LevelScores, *, top: int | None = None, of_words: bool = False
) -> Table:
    """What gold has, what the parser has instead."""
    rows = scores.confusions
    where = "words whose tag is right" if of_words else "matched brackets"
    return Table(
        name="word_function_confusions" if of_words else "function_confusions",
        title=f"Wrong tags on {where}",
        columns=_CONFUSIONS,
        rows=[list(row) for row in rows[:top]],
        notes=_hidden(len(rows), top),
    )


def function_lines(
    scores: LevelScores, what: str = "brackets that both sides have"
) -> list[str]:
    """The four scores in a sentence each."""
    return [
        f"on {scores.matched:,} {what}: F-fn {percent(scores.total.f_fn)}, exact set "
        f"of tags {percent(scores.exact_set)} %",
        f"strict F (all tags right, or it does not count) {percent(scores.strict_f)}, "
        f"end-to-end F (over all tags of both sides) "
        f"{percent(scores.total.end_to_end_f)}",
    ]


def functions_overview(
    named: Sequence[tuple[str, FunctionScores]], *, what: str
) -> Table:
    """The scores of several, a row each; `what` they are: systems, data sets."""
    return Table(
        name="functions_overview",
        title="Function tags",
        columns=(
            Column("name", what),
            Column("matched", "matched brackets", "count"),
            Column("f_fn", "F-fn", "percent", 2),
            Column("exact_set", "exact set", "percent", 2),
            Column("strict_f", "strict F", "percent", 2),
            Column("end_to_end_f", "end-to-end F", "percent", 2),
        ),
        rows=[
            [
                name,
                one.matched,
                one.total.f_fn,
                one.exact_set,
                one.strict_f,
                one.total.end_to_end_f,
            ]
            for name, one in named
        ],
    )


def tags_side_by_side(
    named: Sequence[tuple[str, FunctionScores]], *, top: int | None = _MOST_TAGS
) -> Table:
    """F-fn of each tag, a column each; the most frequent of the first come first."""
    rows_of = [{row.tag: row for row in one.rows} for _, one in named]
    tags = list(dict.fromkeys(tag for rows in rows_of for tag in rows))
    rows: list[list[Value]] = [
        [tag, *(rows[tag].f_fn if tag in rows else None for rows in rows_of)]
        for tag in tags[:top]
    ]
    rows.append(["total", *(one.total.f_fn for _, one in named)])
    return Table(
        name="functions_by_tag",
        title="F-fn by tag",
        columns=(
            Column("tag"),
            *(Column(f"{name}_f_fn", name, "percent", 1) for name, _ in named),
        ),
        rows=rows,
        notes=_hidden(len(tags), top),
    )


def function_difference_table(
    rows: Sequence[FunctionDifference], *, a: str, b: str
) -> Table:
    """F-fn of each tag, and all tags together, under two systems."""
    return Table(
        name=f"differences_functions_{b}",
        title=f"F-fn by tag: {a} and {b}",
        columns=(
            Column("tag", "tag or measure"),
            *difference_columns(a, b),
        ),
        rows=[[*row, verdict(row)] for row in rows],
        notes=(
            f"{b} minus {a}; tests as above, Holm over the tags and measures except "
            "F-fn",
        ),
    )


def _rows(name: str, title: str, rows: Sequence[TagRow]) -> Table:
    return Table(
        name=name,
        title=title,
        columns=_TAGS,
        rows=[cells(row, _TAGS) for row in rows],
    )


def _noted(table: Table, notes: Sequence[str]) -> Table:
    return Table(table.name, table.columns, table.rows, table.title, notes)


def _hidden(rows: int, top: int | None) -> list[str]:
    hidden = rows - (top or rows)
    return [f"{counted(hidden, 'more row')} in --format json"] if hidden > 0 else []
