"""Matches of a query: in context, as a table, as counts, as drawings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import Any

from analyzer.analyses.find import (
    CountRow,
    Found,
    FoundNode,
    Match,
    match_cells,
    match_columns,
)
from analyzer.safe_text import counted, numbered, painted, visible, with_ends
from reports.drawing.outline import Outline, outline
from reports.drawing.tree_text import paint_of
from reports.model import Column, Table, View, hidden, table_of

_CONTEXT = 6  # words on either side
_LONG_WORD = 60
_LIMIT = "--limit 0 shows all"


def find_view(
    result: Found, *, limit: int | None = 20, counts: bool | None = None
) -> View:
    """Matches one by one, and how many there are; in a notebook both."""
    notes = [result.scored_text(), str(result.signature)]
    rows = list(islice(result.matches(), limit))
    tables = []
    if not counts:
        tables.append(_match_table(result, rows, notes))
    if counts is not False:
        tables += _count_tables(result, () if tables else notes)

    def data() -> dict[str, Any]:
        records = [] if counts else [match_record(match) for match in result.matches()]
        return {
            "query": result.query.text,
            "names": list(result.names),
            "total": result.total,
            **({} if counts else {"matches": records}),
            "files": _count_records(result.counts_by_file()),
            "groups": _count_records(result.counts_by_group()),
            "ledger": result.ledger.as_json(),
            "signature": str(result.signature),
        }

    main = None if counts else _whole_table(result)
    return View(tables, data, main=main)


def counts_view(results: Mapping[str, Found]) -> View:
    """How often each query of a file matches."""
    rows = [
        [name, result.query.text, *row[1:]]
        for name, result in results.items()
        for row in [_all_of(result.counts_by_file())]
    ]
    first = next(iter(results.values()))
    fields = (
        f"query | text=matches of | sentences:count={first.deriver.noun}s | "
        "with_match:count=with a match | matches:count"
    )
    notes = [first.scored_text(), str(first.signature)]
    table = table_of("queries", "Queries", fields, rows, *notes)
    return View([table], lambda: {"queries": table.records()})


def _all_of(rows: Sequence[CountRow]) -> CountRow:
    sums = [sum(column) for column in zip(*(row[1:] for row in rows), strict=True)]
    return CountRow("all", *(sums or [0, 0, 0]))


def _match_table(result: Found, rows: Sequence[Match], notes: Sequence[str]) -> Table:
    """The matches in context."""
    return table_of(
        "matches",
        f"{counted(result.total, 'match')} of {result.query.text}",
        "file | sentence:count | match",
        [
            [match.file, match.sentence, in_context(match.nodes, match.tree.words)]
            for match in rows
        ],
        *notes,
        cut=hidden(result.total - len(rows), "match"),
        option=_LIMIT,
    )


def _whole_table(result: Found) -> Table:
    """A row a match, with all that is known of its nodes."""
    numbers = ("sentence", "_first", "_last")
    shown = [
        Column(name, unit="count" if name.endswith(numbers) else "text")
        for name in match_columns(result.names)
    ]
    rows = [match_cells(match) for match in result.matches()]
    cut = hidden(result.total - len(rows), "match")
    return Table("matches", shown, rows, cut=cut, option=_LIMIT)


def _count_tables(result: Found, notes: Sequence[str]) -> list[Table]:
    tables = []
    for name, rows in (
        ("file", result.counts_by_file()),
        ("group", result.counts_by_group()),
    ):
        if not rows:
            continue
        if len(rows) > 1:
            rows = [*rows, _all_of(rows)]
        noun = f"{result.deriver.noun}s"
        fields = (
            f"name={name} | sentences:count={noun} | with_match:count=with a match | "
            "matches:count"
        )
        tables.append(table_of(f"matches_by_{name}", "", fields, rows, *notes))
    return tables


def _count_records(rows: Sequence[CountRow]) -> list[dict[str, Any]]:
    return [row._asdict() for row in rows]


def match_record(match: Match) -> dict[str, Any]:
    """A match for programs."""
    return {
        "file": match.file,
        "sentence": match.sentence,
        "id": match.id or None,
        "group": match.group or None,
        "nodes": node_records(match.nodes),
        "text": " ".join(match.tree.words),
    }


def node_records(nodes: Mapping[str, FoundNode | None]) -> dict[str, Any]:
    """The nodes of a match for programs."""
    return {
        name: node
        and {key: value for key, value in node._asdict().items() if key != "node"}
        for name, node in nodes.items()
    }


def in_context(
    nodes: Mapping[str, FoundNode | None],
    words: Sequence[str],
    *,
    color: bool = False,
) -> str:
    """The words around a match, its nodes in brackets: [subject=NP I] see.

    The first node has no name unless the query gives it one.
    """
    paint = paint_of("red", color=color)
    bound = [(name, node) for name, node in nodes.items() if node]
    first = max(min(node.first for _, node in bound) - _CONTEXT, 0)
    last = min(max(node.last for _, node in bound) + _CONTEXT, len(words))
    # Around the same words, what is above comes first.
    ordered = sorted(
        bound, key=lambda item: (item[1].first, -item[1].last, item[1].node)
    )
    pieces = ["…"] if first else []
    for place in range(first, last):
        starts = [_opening(name, node) for name, node in ordered if node.first == place]
        ends = sum(node.last == place + 1 for _, node in ordered)
        word = with_ends(visible(words[place]), _LONG_WORD)
        opened = [painted(visible(start), paint) for start in starts]
        pieces += [*opened, word + painted("]" * ends, paint) if ends else word]
    return " ".join([*pieces, *(["…"] if last < len(words) else [])])


def _opening(name: str, node: FoundNode) -> str:
    shown = node.label if name == "match" else f"{name}={node.label}"
    return f"[{shown}"


def match_lines(result: Found, *, with_files: bool, color: bool) -> Iterator[str]:
    """A line a match, as grep has them."""
    for match in result.matches():
        where = numbered(match.sentence, match.id)
        file = f"{visible(match.file)}:" if with_files else ""
        yield f"{file}{where}: {in_context(match.nodes, match.tree.words, color=color)}"


def match_outlines(result: Found) -> Iterator[tuple[Match, int, Outline]]:
    """The trees with matches to draw, the nodes of all their matches marked."""
    for _, same in groupby(
        result.matches(), lambda match: (match.file, match.sentence)
    ):
        matches = list(same)
        marks = {
            node.node for match in matches for node in match.nodes.values() if node
        }
        yield matches[0], len(matches), outline(matches[0].tree, marks=marks)
