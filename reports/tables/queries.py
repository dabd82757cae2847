"""Scores of queries, what one side has alone, and drawings of both trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from analyzer.analyses.find_pairs import (
    FIELDS,
    INVENTED,
    KINDS,
    MEASURES,
    MISSED,
    FoundPairs,
    PairedMatch,
)
from analyzer.metrics.measures import Row
from analyzer.queries.language import ROOT_NAME
from reports.drawing.latex import Picture
from reports.drawing.outline import Outline, outline
from reports.drawing.tree_svg import pair_picture
from reports.drawing.tree_text import side_by_side
from reports.model import (
    Column,
    Table,
    Value,
    View,
    cells,
    column_of,
    columns,
    difference_columns,
    differences_json,
    hidden,
    sample_text,
    spread,
    table_of,
    verdict,
)
from reports.tables.find import in_context, node_records

_LIMIT = "--limit 0 shows all"
_TITLES = {
    MISSED: "Missed: in gold, not in the parse",
    INVENTED: "Invented: in the parse, not in gold",
}
_INSTEAD = {
    MISSED: "What the parse has over the words of missed matches",
    INVENTED: "What gold has over the words of invented matches",
}
_OVERLAP = "no total: the queries may match the same words"


def queries_view(
    pairs: FoundPairs, *, limit: int | None = 10, lists: bool = True
) -> View:
    """Scores; differences of systems; what one side has alone, and instead of what.

    `lists`: also the matches themselves.
    """
    differences = _differences(pairs)
    tables = [score_table(pairs)]
    for name, rows in differences.items():
        tables.append(_difference_table(pairs.systems[0].name, name, rows))
    for kind in KINDS:
        alone = match_table(pairs, kind, limit=limit)
        if alone.rows:
            tables.append(instead_table(pairs, kind, limit=limit))
            tables += [alone] if lists else []

    def data() -> dict[str, Any]:
        first = pairs.systems[0].name
        return {
            **queries_json(pairs),
            "comparisons": differences_json(first, differences),
        }

    return View(tables, data, flat_table(pairs))


# -- scores ----------------------------------------------------------------------------


def score_table(pairs: FoundPairs, *, with_texts: bool = False) -> Table:
    """A row for each query, group and system, with intervals.

    `with_texts`: with what each query is, and is for.
    """
    keys = ["query", "text"] if with_texts else _keys(pairs)
    shown = [Column(key, "matches of" if key == "text" else "") for key in keys]
    shown += [Column(name, unit="count") for name in FIELDS]
    for measure in MEASURES:
        shown += [column_of(measure), Column(f"{measure.name}_interval", "95 %")]
    texts = {
        named.name: named.query.text
        + (f" ({named.description})" if named.description else "")
        for named in pairs.queries
    }
    rows: list[list[Value]] = []
    for row in _in_order(pairs):
        cell_of = {
            **row._asdict(),
            "group": row.group or "(all)",
            "text": texts[row.query],
        }
        rows.append([cell_of[key] for key in (*keys, *FIELDS)])
        for measure in MEASURES:
            low, high = cell_of[f"{measure.name}_low"], cell_of[f"{measure.name}_high"]
            both = "" if low is None else f"{100 * low:.0f}–{100 * high:.0f}"
            rows[-1] += [cell_of[measure.name], both]
    has_many, first = len(pairs.queries) > 1, pairs.queries[0]
    title = "Queries" if has_many else first.query.text
    notes = [_OVERLAP] if has_many else []
    notes += [_key_text(pairs), *_scored_texts(pairs), str(pairs.signature)]
    return Table("queries", shown, rows, title, notes)


def flat_table(pairs: FoundPairs) -> Table:
    """The same with all numbers apart: for programs."""
    shown = columns("query | system | group")
    shown += tuple(Column(name, unit="count") for name in FIELDS)
    for measure in MEASURES:
        column = column_of(measure)
        ends = (replace(column, name=f"{measure.name}_{e}") for e in ("low", "high"))
        shown += (column, *ends)
    return table_of("queries", "", shown, _in_order(pairs))


def _keys(pairs: FoundPairs, *others: str) -> list[str]:
    """What tells rows apart."""
    is_there = {
        "query": len(pairs.queries) > 1,
        "group": bool(pairs.groups),
        "system": len(pairs.systems) > 1,
    }
    return [key for key in is_there if is_there[key] and key not in others]


def _in_order(pairs: FoundPairs) -> list[Row]:
    """Rows query by query, in these group by group; first all groups together."""
    names = [named.name for named in pairs.queries]
    return sorted(pairs.rows, key=lambda row: names.index(row.query))


def _key_text(pairs: FoundPairs) -> str:
    """What makes two matches the same."""
    kinds = [named.key.value for named in pairs.queries]
    words = "head words" if {*kinds} == {"head"} else "words"
    if len({*kinds}) > 1:
        words = "words or head words"
    if len(pairs.queries) > 1:
        nodes = "named nodes (or else first nodes)"
    elif pairs.queries[0].key_names == (ROOT_NAME,):
        nodes = "first nodes"
    else:
        nodes = " and ".join(f"={name}" for name in pairs.queries[0].key_names)
    return f"two matches are the same if their {nodes} have the same {words}"


def _scored_texts(pairs: FoundPairs) -> list[str]:
    texts = {system.name: system.ledger.text("compared") for system in pairs.systems}
    if len(texts) == 1:
        return [*texts.values()]
    return [f"{name}: {text}" for name, text in texts.items()]


def _differences(pairs: FoundPairs) -> Mapping[str, Sequence[Row]]:
    first, *others = pairs.systems
    same = [o for o in others if o.is_comparable.size == first.is_comparable.size]
    return {system.name: pairs.differences(system) for system in same}


def _difference_table(a: str, b: str, rows: Sequence[Row]) -> Table:
    shown = (Column("query"), *difference_columns(a, b))
    listed = [[*row, verdict(row)] for row in rows]
    note = "on the sentences that both can be compared on; p corrected over the queries"
    return Table("differences", shown, listed, f"F1 of {b} minus that of {a}", [note])


# -- what one side has alone -----------------------------------------------------------


def instead_table(pairs: FoundPairs, kind: str, *, limit: int | None = None) -> Table:
    """What stands there instead, counted; of each query the most frequent."""
    rows, left = [], 0
    for named in pairs.queries:
        for system in pairs.systems:
            of_query = [
                row
                for row in pairs.instead
                if (row.query, row.system, row.kind) == (named.name, system.name, kind)
            ]
            rows += of_query[:limit]
            left += len(of_query) - len(of_query[:limit])
    keys = [Column(key) for key in _keys(pairs, "group")]
    shown = columns("instead=there instead | times:count | share:percent.1=%")
    listed = [cells(row, (*keys, *shown)) for row in rows]
    name, cut = f"instead_of_{kind}", hidden(left, "rarer row")
    return Table(name, (*keys, *shown), listed, _INSTEAD[kind], (), cut, _LIMIT)


def match_table(pairs: FoundPairs, kind: str, *, limit: int | None = None) -> Table:
    """Matches of one side alone, in context; of each query so many."""
    rows: list[list[Value]] = []
    keys, total = _keys(pairs, "group"), 0
    has_ids = any(match.id for match in pairs.matches)
    for named in pairs.queries:
        for system in pairs.systems:
            total += system.instead[named.name, kind].total() if system.instead else 0
            for match in spread(system.sample.of(named.name, kind), limit):
                rows.append([match.sentence, *([match.id] if has_ids else [])])
                known = {"query": named.name, "system": system.name}
                rows[-1] += [known[key] for key in keys]
                rows[-1] += [match.instead, in_context(match.nodes, match.words)]
    shown = [Column("sentence", unit="count"), *([Column("id")] if has_ids else [])]
    shown += [*map(Column, keys), *columns("instead=there instead | context")]
    cut = sample_text(len(rows), total, "match")
    return Table(kind, shown, rows, _TITLES[kind], (), cut, _LIMIT)


# -- both trees ------------------------------------------------------------------------


def match_text(match: PairedMatch, *, width: int, color: bool = False) -> str:
    """Both trees in text: the match marked, and what stands over the same words."""
    sides = _outlines(match)
    return side_by_side(*sides, width=width, color=color, legend=False)


def match_picture(match: PairedMatch) -> Picture:
    """The same as a picture."""
    captions = [f"{match.kind}: {match.query}", f"there instead: {match.instead}"]
    return pair_picture(
        *_outlines(match), captions=captions if match.kind == MISSED else captions[::-1]
    )


def _outlines(match: PairedMatch) -> tuple[Outline, Outline]:
    gold, parsed = (
        outline(bank[0], marks=marks)
        for bank, marks in zip(match.trees, match.marks, strict=True)
    )
    return gold, parsed


# -- JSON ------------------------------------------------------------------------------


def queries_json(pairs: FoundPairs) -> dict[str, Any]:
    """The object that `spinal find --gold … --format json` writes; docs/json.md."""
    return {
        "queries": [
            {
                "name": named.name,
                "query": named.query.text,
                "key": named.key.value,
                "compared": list(named.key_names),
                "description": named.description,
            }
            for named in pairs.queries
        ],
        "rows": [row._asdict() for row in pairs.rows],
        "instead": [row._asdict() for row in pairs.instead],
        "matches": [
            {"system": system.name, **match_record(match)}
            for system in pairs.systems
            for match in pairs.matches_of(system.name)
        ],
        "ledger": pairs.ledger.as_json(),
        "signature": str(pairs.signature),
    }


def match_record(match: PairedMatch) -> dict[str, Any]:
    """A match with everything known of it, for programs."""
    return {
        "query": match.query,
        "kind": match.kind,
        "sentence": match.sentence,
        **({"id": match.id} if match.id else {}),
        **({"group": match.group} if match.group else {}),
        "nodes": node_records(match.nodes),
        "instead": match.instead,
        "words": match.words,
        "gold": str(match.trees[0][0]),
        "parsed": str(match.trees[1][0]),
    }
