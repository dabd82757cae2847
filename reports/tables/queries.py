"""Scores of queries, what one side has alone, and drawings of both trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from analyzer.analyses.find_pairs import (
    F1,
    FIELDS,
    INVENTED,
    KINDS,
    MEASURES,
    MISSED,
    FoundPairs,
    PairedMatch,
)
from analyzer.metrics.measures import Row
from analyzer.safe_text import with_ends
from reports.drawing.outline import Outline, outline
from reports.drawing.tree_svg import pair_svg
from reports.drawing.tree_text import side_by_side
from reports.model import (
    Column,
    Table,
    Value,
    View,
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

_LIMIT = "--limit 0 shows all"
_LONG = 60  # characters of the words of a node
_CONTEXT = 8  # words on either side
_TITLES = {
    MISSED: "Missed: in gold, not in the parse",
    INVENTED: "Invented: in the parse, not in gold",
}
_INSTEAD = {
    MISSED: "What the parse has over the words of missed matches",
    INVENTED: "What gold has over the words of invented matches",
}
_OVERLAP = "no total: the queries may match the same words"


def queries_view(found: FoundPairs, *, limit: int | None = 10) -> View:
    """Scores; differences of systems; what one side has alone, and instead of what."""
    differences = _differences(found)
    tables = [score_table(found)]
    for name, rows in differences.items():
        tables.append(_difference_table(found.systems[0].name, name, rows))
    for kind in KINDS:
        tables += [instead_table(found, kind, limit=limit)]
        tables += [match_table(found, kind, limit=limit)]
    tables = [table for at, table in enumerate(tables) if table.rows or not at]
    data = queries_json(found)
    first = found.systems[0].name
    data["comparisons"] = differences_json(first, differences)
    return View(tables, lambda: data, flat_table(found))


def match_view(found: PairedMatch) -> View:
    """A match that only one side has, drawn: for a notebook."""
    return View([], lambda: match_record(found), text=match_text(found, width=100))


# -- scores ----------------------------------------------------------------------------


def score_table(found: FoundPairs, *, title: str = "") -> Table:
    """A row for each query, group and system, with intervals."""
    keys = _keys(found)
    shown = [*map(Column, keys), *(Column(name, unit="count") for name in FIELDS)]
    for measure in MEASURES:
        shown += [column_of(measure), Column(f"{measure.name}_interval", "95 %")]
    rows: list[list[Value]] = []
    for row in _in_order(found):
        rows.append([_key(row, key) for key in keys])
        rows[-1] += [getattr(row, name) for name in FIELDS]
        for measure in MEASURES:
            low, high = (getattr(row, f"{measure.name}_{end}") for end in ("low", "high"))
            both = "" if low is None else f"{100 * low:.0f}–{100 * high:.0f}"
            rows[-1] += [getattr(row, measure.name), both]
    many = len(found.queries) > 1
    [query, *_] = found.queries
    of_all = "Queries" if many else query.query.text
    notes = [_OVERLAP] if many else []
    notes += [_key_text(found), _scored_text(found), str(found.signature)]
    return Table("queries", shown, rows, title or of_all, notes)


def flat_table(found: FoundPairs) -> Table:
    """The same with all numbers apart: for programs."""
    shown = columns("query | system | group")
    shown += tuple(Column(name, unit="count") for name in FIELDS)
    for measure in MEASURES:
        column = column_of(measure)
        ends = (replace(column, name=f"{measure.name}_{e}") for e in ("low", "high"))
        shown += (column, *ends)
    return table_of("queries", "", shown, _in_order(found))


def _keys(found: FoundPairs) -> list[str]:
    """What tells rows apart."""
    has_several = {
        "query": len(found.queries) > 1,
        "group": bool(found.groups),
        "system": len(found.systems) > 1,
    }
    return [key for key, are_there in has_several.items() if are_there] or ["system"]


def _key(row: Row, key: str) -> str:
    value: str | None = getattr(row, key)
    return "(all)" if value is None else value


def _in_order(found: FoundPairs) -> list[Row]:
    """Rows query by query, in these group by group; first all groups together."""
    places = [found.rows.index(row) for row in found.rows]
    names = [named.name for named in found.queries]
    order = sorted(places, key=lambda at: names.index(found.rows[at].query))
    return [found.rows[at] for at in order]


def _key_text(found: FoundPairs) -> str:
    """What of matches is compared."""
    told = dict.fromkeys(
        f"the {'heads' if named.key == 'head' else 'words'} of "
        + (
            f"the named nodes ({', '.join(named.key_names)})"
            if len(found.queries) == 1 and named.key_names != ("match",)
            else "the node that the query begins with"
            if len(found.queries) == 1
            else "what each query names"
        )
        for named in found.queries
    )
    return f"matches are the same if they have {', or '.join(told)} in common"


def _scored_text(found: FoundPairs) -> str:
    texts = {one.name: one.ledger.text("compared") for one in found.systems}
    if len({*texts.values()}) == 1:
        return next(iter(texts.values()))
    return "; ".join(f"{name}: {text}" for name, text in texts.items())


def _differences(found: FoundPairs) -> Mapping[str, Sequence[Row]]:
    first, *others = found.systems
    same = [o for o in others if o.is_comparable.size == first.is_comparable.size]
    return {one.name: found.differences(one) for one in same}


def _difference_table(a: str, b: str, rows: Sequence[Row]) -> Table:
    shown = (Column("query"), *difference_columns(a, b))
    listed = [[*row, verdict(row)] for row in rows]
    told = "on the sentences that both can be compared on; p corrected over the queries"
    return Table("differences", shown, listed, f"F1 of {b} minus that of {a}", [told])


# -- what one side has alone -----------------------------------------------------------


def instead_table(found: FoundPairs, kind: str, *, limit: int | None = None) -> Table:
    """What stands there instead, counted; of each query the most frequent."""
    keys = [key for key in _keys(found) if key != "group"] or ["system"]
    rows, left = [], 0
    for one in found.systems:
        for named in found.queries:
            of_query = [
                row
                for row in found.instead
                if (row.system, row.query, row.kind) == (one.name, named.name, kind)
            ]
            rows += of_query[:limit]
            left += len(of_query) - len(of_query[:limit])
    shown = (
        *map(Column, keys),
        *columns("instead=there instead | count:count | share:percent.1=%"),
    )
    cut = hidden(left, "rarer row")
    name, title = f"instead_of_{kind}", _INSTEAD[kind]
    return table_of(name, title, _plain(shown), rows, cut=cut, option=_LIMIT)


def _plain(shown: Sequence[Column]) -> Sequence[Column]:
    return tuple(shown)


def match_table(found: FoundPairs, kind: str, *, limit: int | None = None) -> Table:
    """Matches of one side alone, in context."""
    of_systems = [
        (one.name, match)
        for one in found.systems
        for match in found.matches_of(one.name)
        if match.kind == kind
    ]
    total = sum(
        found_of.total()
        for one in found.systems
        for (_, of_kind), found_of in one.instead.items()
        if of_kind == kind
    )
    listed = spread(of_systems, limit)
    keys = [key for key in _keys(found) if key != "group"]
    has_ids = any(match.id for _, match in listed)
    shown = [Column("sentence", unit="count"), *([Column("id")] if has_ids else [])]
    shown += [Column(key) for key in keys if _several(found, key)]
    shown += columns("instead=there instead | context")
    rows: list[list[Value]] = []
    for system, match in listed:
        rows.append([match.sentence, *([match.id] if has_ids else [])])
        of = {"query": match.query, "system": system}
        rows[-1] += [of[key] for key in keys if _several(found, key)]
        rows[-1] += [match.instead, context_of(match)]
    cut = sample_text(len(listed), total, "match")
    return Table(kind, shown, rows, _TITLES[kind], (), cut, _LIMIT)


def _several(found: FoundPairs, key: str) -> bool:
    return len(found.queries if key == "query" else found.systems) > 1


def context_of(match: PairedMatch) -> str:
    """The words around a match; in brackets, those of the nodes that it names.

    A name stands before its bracket if there are several.
    """
    nodes = [(name, node) for name, node in match.nodes.items()]
    has_names = len(nodes) > 1
    opens: dict[int, list[str]] = {}
    closes: dict[int, int] = {}
    for name, node in sorted(nodes, key=lambda one: -one[1].last):
        opens.setdefault(node.first, []).append(f"[{name} " if has_names else "[")
        closes[node.last] = closes.get(node.last, 0) + 1
    first = min((node.first for _, node in nodes), default=0)
    last = max((node.last for _, node in nodes), default=0)
    start, end = max(0, first - _CONTEXT), min(len(match.words), last + _CONTEXT)
    parts = []
    for at in range(start, end + 1):
        before = "".join(opens.get(at, ())) if at < end or at in opens else ""
        if at == end and not before:
            break
        word = with_ends(match.words[at], _LONG) if at < end else ""
        parts.append(before + word + "]" * closes.get(at + 1, 0))
    ends = "… " if start else "", " …" if end < len(match.words) else ""
    return ends[0] + " ".join(filter(None, parts)) + ends[1]


# -- both trees ------------------------------------------------------------------------


def match_text(match: PairedMatch, *, width: int, color: bool = False) -> str:
    """Both trees in text: the match marked, and what stands over the same words."""
    sides = _outlines(match)
    return side_by_side(*sides, width=width, color=color, legend=False)


def match_svg(match: PairedMatch) -> str:
    """The same as a picture."""
    told = [f"{match.kind}: {match.query}", f"there instead: {match.instead}"]
    return pair_svg(*_outlines(match), told=told)


def _outlines(match: PairedMatch) -> tuple[Outline, Outline]:
    gold, parsed = (
        outline(bank[0], marks=marks)
        for bank, marks in zip(match.trees, match.marks, strict=True)
    )
    return gold, parsed


# -- JSON ------------------------------------------------------------------------------


def queries_json(found: FoundPairs) -> dict[str, Any]:
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
            for named in found.queries
        ],
        "rows": [row._asdict() for row in found.rows],
        "instead": [row._asdict() for row in found.instead],
        "matches": [
            {"system": one.name, **match_record(match)}
            for one in found.systems
            for match in found.matches_of(one.name)
        ],
        "ledger": found.ledger.as_json(),
        "signature": str(found.signature),
    }


def match_record(match: PairedMatch) -> dict[str, Any]:
    """A match with everything known of it, for programs."""
    return {
        "query": match.query,
        "kind": match.kind,
        "sentence": match.sentence,
        **({"id": match.id} if match.id else {}),
        **({"group": match.group} if match.group else {}),
        "nodes": {name: node._asdict() for name, node in match.nodes.items()},
        "instead": match.instead,
        "words": match.words,
        "gold": str(match.trees[0][0]),
        "parsed": str(match.trees[1][0]),
    }
