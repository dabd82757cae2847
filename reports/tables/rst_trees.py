"""Discourse trees: similarity of parsers, ambiguity, trained parsers, segmentations."""

from __future__ import annotations

from functools import partial
from math import log10
from typing import Any

from analyzer.analyses.rst_trees import AmbiguityCounts, AmbiguityRow
from analyzer.analyses.similarity import (
    Cluster,
    Similarities,
    Similarity,
    clustered,
    metric_name,
    parts_first,
)
from analyzer.rst_parser.parser import RstParser
from analyzer.rst_parser.segmenter import SegmentScores
from analyzer.safe_text import counted, display_width, drawable
from reports.drawing.tree_text import BoxGrid
from reports.model import Column, Figures, Table, Value, View, table_of

_SHADES = " ░▒▓█"
_JOIN_COLUMNS = 8


def similarity_view(
    result: Similarities, *, form: str = "", all_tables: bool = False
) -> View:
    """Tables of pairs, a map and clusters of each metric; text has them drawn."""
    documents, is_text = len(result.documents), form == "text"
    pairs = pair_table(result)
    tables = [similarity_table(table, documents=documents) for table in result.tables]
    drawn = [
        draw(table)
        for table in result.tables
        for draw in (heat_map_text, dendrogram_text)
    ]
    text = "\n\n".join([*drawn, result.scored_text()]) if is_text else None
    return View(
        [] if is_text and not all_tables else [*tables, pairs],
        partial(similarity_json, result),
        pairs,
        drawn if is_text or all_tables else [],
        partial(_plots, result),
        text,
    )


def _plots(result: Similarities) -> Figures:
    from reports.plots.similarity import dendrogram_figure, heat_map_figure

    plots = {}
    for table in result.tables:
        plots[f"heat_map_{table.metric}"] = heat_map_figure(table)
        plots[f"dendrogram_{table.metric}"] = dendrogram_figure(table)
    return plots


def similarity_table(similarity: Similarity, *, documents: int = 0) -> Table:
    """One row and one column a system: micro F1."""
    note = "micro F1, each system in turn as the reference"
    fields = [Column(name, name, "percent", 1) for name in similarity.names]
    return table_of(
        f"similarity_{similarity.metric}",
        f"Similarity: {metric_name(similarity.metric)}",
        [Column("system"), *fields],
        [
            [name, *(pair.f1 for pair in pairs)]
            for name, pairs in zip(similarity.names, similarity.pairs, strict=True)
        ],
        f"{note}; {documents:,} documents" if documents else note,
    )


def pair_table(result: Similarities) -> Table:
    """One row a metric and pair, with counts: for programs."""
    return table_of(
        "similarity_pairs",
        "Similarity of pairs",
        "metric | reference | prediction | matched:count | n_reference:count | "
        "n_prediction:count | f1:percent.1=F1",
        result.rows,
    )


def heat_map_text(similarity: Similarity) -> str:
    """The table with shades: the darker, the more alike."""
    size = len(similarity.names)
    apart = [similarity.value(i, j) for i in range(size) for j in range(size) if i != j]
    low, high = min(apart, default=0.0), max(apart, default=1.0)

    def shade(value: float) -> str:
        share = (value - low) / (high - low) if high > low else 1.0
        return _SHADES[min(max(round(share * 4), 0), 4)] * 2

    names = [drawable(name) for name in similarity.names]
    first = max(map(display_width, names), default=0)
    widths = [max(display_width(name), 8) for name in names]
    heads = [
        _padded(name, w, right=True) for name, w in zip(names, widths, strict=True)
    ]
    lines = [
        f"{metric_name(similarity.metric)}, micro F1; shades from "
        f"{100 * low:.1f} to {100 * high:.1f}",
        "",
        "  ".join([" " * first, *heads]),
    ]
    for row, name in enumerate(names):
        cells = [
            _padded(f"{shade(value)} {100 * value:5.1f}", width, right=True)
            for value, width in zip(
                (similarity.value(row, column) for column in range(size)),
                widths,
                strict=True,
            )
        ]
        lines.append("  ".join([_padded(name, first), *cells]))
    return "\n".join(line.rstrip() for line in lines)


def dendrogram_text(similarity: Similarity) -> str:
    """The clusters as a tree that lies on its side, with their mean similarities."""
    top = clustered(similarity)
    names = [drawable(name) for name in similarity.names]
    start = max(map(display_width, names), default=0) + 1
    grid = BoxGrid()
    row_of = {place: 2 * at for at, place in enumerate(top.members)}
    at: dict[int, tuple[int, int]] = {}  # row and column of each cluster
    for cluster in parts_first(top):
        if cluster.parts is None:
            at[id(cluster)] = row_of[cluster.members[0]], start
            continue
        (upper, left), (lower, right) = (at[id(part)] for part in cluster.parts)
        column = max(left, right) + _JOIN_COLUMNS
        grid.across(upper, left, column)
        grid.across(lower, right, column)
        grid.down(column, upper, lower)
        # Between two clusters there is a row on which nothing ends just before.
        row = (upper + lower) // 2
        number = f"{100 * (1 - cluster.height):.1f}"
        grid.write(row, column - 1 - len(number), number)
        at[id(cluster)] = row, column
    by_row = {row_of[place]: names[place] for place in top.members}
    grid_lines = grid.lines(2 * len(names) - 1, at[id(top)][1] + 1)
    drawing = [
        _padded(by_row.get(row, ""), start) + line[start:]
        for row, line in enumerate(grid_lines)
    ]
    title = f"{metric_name(similarity.metric)}: clusters, with their mean similarities"
    return "\n".join([title, "", *(line.rstrip() for line in drawing)])


def similarity_json(result: Similarities) -> dict[str, Any]:
    """The object that `spinal rst similarity --format json` writes."""
    hints = {name: hint._asdict() for name, hint in result.relation_hints.items()}
    return {
        "documents": result.documents,
        "left_out": [str(item) for item in result.left_out],
        "ledger": result.ledger.as_json(),
        "metrics": [
            {
                "metric": table.metric,
                "names": table.names,
                "f1": [[pair.f1 for pair in row] for row in table.pairs],
                "matched": [[pair.matched for pair in row] for row in table.pairs],
                "items": [table.pairs[i][i].gold for i in range(len(table.names))],
                "clusters": _joins(clustered(table), table.names),
            }
            for table in result.tables
        ],
        **({"relation_labels": hints} if hints else {}),
    }


def _joins(top: Cluster, names: list[str]) -> list[dict[str, Any]]:
    """The joins of the dendrogram, the nearest first."""
    return [
        {
            "joined": [[names[m] for m in part.members] for part in cluster.parts],
            "similarity": 1 - cluster.height,
        }
        for cluster in sorted(parts_first(top), key=lambda joined: joined.height)
        if cluster.parts is not None
    ]


def _padded(text: str, width: int, *, right: bool = False) -> str:
    space = " " * (width - display_width(text))
    return space + text if right else text + space


# -- how ambiguous dependency trees are --------------------------------------------

# Python writes integers of up to 4,300 digits; longer ones are given by logarithm only.
_MOST_DIGITS = 4000
_SHOWN_DIGITS = 15


def ambiguity_view(result: AmbiguityCounts, *, exact: bool = False) -> View:
    """How many constituent trees the dependency trees fit."""
    table = ambiguity_table(result, exact=exact)
    return View([table], partial(ambiguity_json, result))


def ambiguity_table(result: AmbiguityCounts, *, exact: bool = False) -> Table:
    """One row a document, and the product over all of them.

    Long numbers are rounded for people, exact for programs.
    """
    listed = [*result.rows, *([result.total] if len(result.rows) > 1 else [])]
    shown = in_full if exact else rounded
    rows: list[list[Value]] = [
        [
            *(row.document, row.edus, row.spiders),
            *(shown(row.binary), log10(row.binary), shown(row.all), log10(row.all), 1),
        ]
        for row in listed
    ]
    return table_of(
        "ambiguity",
        "Constituent trees of dependency trees without order",
        "document | edus:count=EDUs | spiders:count | binary:number=binary trees | "
        "binary_log10:number.1=log10 | all:number=n-ary too | "
        "all_log10:number.1=log10 | ordered:count=with order",
        rows,
        "spiders: heads with dependents on both sides; binary trees: Proposition 4; "
        "n-ary too: dependents of one kind may be attached together; for all "
        "documents, the product",
        result.ledger.text("counted"),
        str(result.signature),
    )


def ambiguity_json(result: AmbiguityCounts) -> dict[str, Any]:
    """Exact numbers as strings: JSON readers round long integers."""
    return {
        "documents": [
            {"document": row.document, **_ambiguity_record(row)} for row in result.rows
        ],
        "all": _ambiguity_record(result.total),
        "ledger": result.ledger.as_json(),
        "signature": str(result.signature),
    }


def in_full(number: int) -> str | None:
    """All digits; None if there are thousands.

    >>> in_full(2**70)
    '1180591620717411303424'
    """
    return str(number) if log10(number) < _MOST_DIGITS else None


def rounded(number: int) -> str:
    """Exact if short, else to four digits.

    >>> rounded(1234567), rounded(2**100)
    ('1,234,567', '1.268e+30')
    """
    exponent = int(log10(number))
    if exponent < _SHOWN_DIGITS:
        return f"{number:,}"
    leading = number // 10 ** (exponent - 6)
    return f"{leading / 10**6:.3f}e+{exponent}"


def _ambiguity_record(row: AmbiguityRow) -> dict[str, Any]:
    return {
        "edus": row.edus,
        "spiders": row.spiders,
        "binary": in_full(row.binary),
        "all": in_full(row.all),
        "binary_log10": log10(row.binary),
        "all_log10": log10(row.all),
        "with_order": 1,
    }


# -- a trained parser, and segmentations -------------------------------------------


def parser_view(parser: RstParser) -> View:
    """The parts of a model, and what it was trained on."""
    return View([model_table(parser)], partial(model_json, parser))


def segments_view(scores: SegmentScores) -> View:
    """How well documents were segmented."""
    return View([segment_table(scores)], partial(segment_json, scores))


def model_table(parser: RstParser) -> Table:
    """One row a part of the model."""
    return table_of(
        "model",
        "Trained parser",
        "part | templates:count | features:count | weights:count",
        [list(row) for row in parser.parts()],
        *_model_notes(parser),
    )


def _model_notes(parser: RstParser) -> list[str]:
    corpus = parser.facts.get("corpus", {})
    return [
        *_model_scores(parser),
        f"trained on {counted(corpus.get('documents', 0), 'document')}, "
        f"{counted(corpus.get('edus', 0), 'EDU')}, "
        f"{counted(corpus.get('tokens', 0), 'token')}; "
        f"{corpus.get('with_syntax', 0):,} with syntax",
        f"signature: {parser.signature}",
    ]


def _model_scores(parser: RstParser) -> list[str]:
    scores = parser.facts.get("scores")
    if not scores:
        return []
    shown = ", ".join(
        f"{name} {100 * value:.1f}"
        for name, value in scores["micro_f1"].items()
        if name.rsplit(" ", 1)[1] in ("S", "N", "R", "F", "UAS", "LAS-F")
    )
    return [f"micro F1 on {scores['documents']:,} other documents: {shown}"]


def model_json(parser: RstParser) -> dict[str, Any]:
    return {
        "corpus": dict(parser.facts.get("corpus", {})),
        "scores": parser.facts.get("scores"),
        "parts": [row._asdict() for row in parser.parts()],
        "signature": str(parser.signature),
    }


def segment_table(scores: SegmentScores) -> Table:
    """One row a document that has a gold segmentation, and the total."""
    return table_of(
        "segmentation",
        "EDU boundaries",
        "document | gold:count | found:count | matched:count | precision:percent=P | "
        "recall:percent=R | f1:percent=F1",
        (*scores.rows, scores.total),
        "the first token of each EDU counts, including that of the document; places "
        "are characters without white space",
    )


def segment_json(scores: SegmentScores) -> dict[str, Any]:
    *documents, total = segment_table(scores).records()
    problems = [str(error) for error in scores.problems]
    return {"documents": documents, "total": total, "skipped": problems}
