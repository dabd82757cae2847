"""Scores of function tags as tables."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.analyses.functions import FunctionScores, LevelScores
from analyzer.metrics.measures import Row
from reports.model import (
    Column,
    Table,
    beside,
    columns,
    difference_columns,
    hidden,
    percent,
    table_of,
    verdict,
)

_TAGS = columns(
    "tag | gold:count | parsed:count | gold_on_matched:count=gold, matched | "
    "parsed_on_matched:count=parsed, matched | matched:count=right | "
    "precision:percent.1=P-fn | recall:percent.1=R-fn | f_fn:percent.1=F-fn | "
    "end_to_end_f:percent.1=end-to-end F"
)
_MOST_TAGS = 40
_MOST_ROWS = 20


def function_tables(scores: FunctionScores, *, top: int | None = None) -> list[Table]:
    """All that is known of function tags; the first is the one of tags."""
    limit = top or _MOST_ROWS
    tables = [tag_table(scores, top=top or _MOST_TAGS)]
    if scores.tags.groups:
        fields = [Column("tag", "group"), *_TAGS[1:]]
        title = "Groups of tags"
        tables.append(table_of("function_groups", title, fields, scores.groups))
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
    rows = (*scores.rows[:top], scores.total)
    lines, cut = function_lines(scores), _hidden(scores.rows, top)
    title = "Function tags"
    return table_of("functions", title, _TAGS, rows, *lines, cut=cut, option=_IN_JSON)


def word_tag_table(scores: LevelScores, *, top: int | None = None) -> Table:
    """One row a tag of words: case, or the labels of edges."""
    lines = function_lines(scores, "words whose tag is right")
    rows, cut = (*scores.rows[:top], scores.total), _hidden(scores.rows, top)
    name, title = "word_functions", "Function tags of words"
    return table_of(name, title, _TAGS, rows, *lines, cut=cut, option=_IN_JSON)


def construction_tag_table(scores: FunctionScores, *, top: int | None = None) -> Table:
    """Per construction and tag, on the brackets that F-s matches."""
    rows = scores.construction_rows
    return table_of(
        "construction_functions",
        "Function tags by construction, on its F-s matches",
        "construction | tag | gold:count | parsed:count | matched:count=right | "
        "precision:percent.1=P-fn | recall:percent.1=R-fn | f_fn:percent.1=F-fn",
        rows[:top],
        cut=_hidden(rows, top),
        option=_IN_JSON,
    )


def tag_confusion_table(
    scores: LevelScores, *, top: int | None = None, of_words: bool = False
) -> Table:
    """What gold has, what the parser has instead."""
    rows = scores.confusions
    where = "words whose tag is right" if of_words else "matched brackets"
    return table_of(
        "word_function_confusions" if of_words else "function_confusions",
        f"Wrong tags on {where}",
        "gold | parsed | count:count",
        [list(row) for row in rows[:top]],
        cut=_hidden(rows, top),
        option=_IN_JSON,
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
    rows = []
    for name, scores in named:
        of_brackets = [scores.exact_set, scores.strict_f]
        total = scores.total
        rows.append(
            [name, scores.matched, total.f_fn, *of_brackets, total.end_to_end_f]
        )
    return table_of(
        "functions_overview",
        "Function tags",
        columns(
            "name={what} | matched:count=matched brackets | f_fn:percent=F-fn | "
            "exact_set:percent=exact set | strict_f:percent=strict F | "
            "end_to_end_f:percent=end-to-end F",
            what=what,
        ),
        rows,
    )


def tags_side_by_side(named: Sequence[tuple[str, FunctionScores]]) -> Table:
    """F-fn of each tag, a column each; the most frequent of the first come first."""
    rows_of = [{row.tag: row for row in scores.rows} for _, scores in named]
    tags = list(dict.fromkeys(tag for rows in rows_of for tag in rows))
    rows = beside(rows_of, tags[:_MOST_TAGS], ["f_fn"])
    rows.append(["total", *(scores.total.f_fn for _, scores in named)])
    fields = [Column(f"{name}_f_fn", name, "percent", 1) for name, _ in named]
    return table_of(
        "functions_by_tag",
        "F-fn by tag",
        [Column("tag"), *fields],
        rows,
        cut=_hidden(tags, _MOST_TAGS),
        option=_IN_JSON,
    )


def function_difference_table(rows: Sequence[Row], *, a: str, b: str) -> Table:
    """F-fn of each tag, and all tags together, under two systems."""
    return table_of(
        f"differences_functions_{b}",
        f"F-fn by tag: {a} and {b}",
        [Column("tag", "tag or measure"), *difference_columns(a, b)],
        [[*row, verdict(row)] for row in rows],
        f"{b} minus {a}; tests as above, Holm over the tags and measures except F-fn",
    )


_IN_JSON = "--format json has all"


def _hidden(rows: Sequence[object], top: int | None) -> str:
    return hidden(len(rows[top:]) if top else 0, "more row")
