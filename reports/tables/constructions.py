"""Construction scores as tables and JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from operator import attrgetter
from typing import Any

from analyzer.analyses.score import ConstructionScores, SentenceRow
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import KEYS, MEASURES, measures_of
from analyzer.metrics.intervals import Interval
from analyzer.metrics.measures import Row
from analyzer.metrics.ratios import ratio
from analyzer.safe_text import counted
from reports.model import (
    Column,
    Figures,
    Table,
    Value,
    View,
    column_of,
    columns,
    interval_columns,
    interval_text,
    percent,
    table_of,
    with_ids,
)
from reports.tables.generated import generated_json, generated_table
from reports.tables.notes import (
    convention_lines,
    hidden_rows,
    left_out_records,
    relation_labels_json,
    zero_notes,
)

MIN_SHARE = 0.2  # percent of gold's brackets
_SURE = "f_s"  # the measure whose interval stands in the table
_MATCHES = {
    "matched_h": "match-h",
    "matched_s": "match-s",
    "matched_att": "match-att",
    "matched_span_right": "match-R",
    "matched_span_left": "match-L",
}


def construction_columns() -> dict[str, Column]:
    """All that a table of constructions can have, by name."""
    counts = [Column(name, _MATCHES.get(name, ""), "count") for name in KEYS]
    of_each = columns(
        "construction | share_gold:percent.1=%gold | gold:count | parsed:count"
    )
    shown = [*of_each, *counts, *map(column_of, MEASURES)]
    shown += [column for measure in MEASURES for column in interval_columns(measure)]
    return {column.name: column for column in shown}


def default_columns() -> list[str]:
    """The paper's Table 2, the counts behind it, and how sure F-s is."""
    measures = [measure.name for measure in measures_of(detail=1)]
    measures.insert(measures.index(_SURE) + 1, f"{_SURE}_interval")
    return ["share_gold", "gold", "parsed", *measures]


def chosen_columns(names: str | None) -> list[str]:
    """Column names from a comma-separated list; `all` for every one."""
    known = construction_columns()
    if names is None:
        return default_columns()
    if names == "all":
        ends = ("construction", "_low", "_high")  # which intervals have as well
        return [name for name in known if not name.endswith(ends)]
    given = [name.strip().replace("-", "_") for name in names.split(",")]
    for name in given:
        if name not in known:
            raise SettingsError("E705 there are", name=name, columns=known)
    return [name for name in given if name != "construction"]


def construction_table(
    scores: ConstructionScores,
    *,
    columns: Sequence[str] | None = None,
    min_share: float = 0.0,
    top: int | None = None,
    sort: str = "gold",
) -> Table:
    """The paper's Table 2 for one data set, and a total row.

    Sorted by a count or %gold, the largest come first; by a ratio, the worst.
    """
    known = construction_columns()
    if sort not in known:
        raise SettingsError("E704 cannot sort by", sort=sort, columns=known)
    everything = scores.rows
    rows = [row for row in everything if 100 * (row.share_gold or 0.0) >= min_share]
    rows = _sorted(rows, known[sort])[:top]
    chosen = default_columns() if columns is None else columns
    shown = [known[name] for name in ("construction", *chosen)]
    return table_of(
        "constructions",
        f"Constructions ({scores.deriver.inventory.name})",
        shown,
        cells_with_intervals(scores, (*rows, scores.total), chosen),
        *summary_lines(scores),
        *convention_lines(scores),
        str(scores.signature),
        cut=hidden_rows(everything, rows),
        option="--min-share 0 shows them" if top is None and min_share else "",
    )


def cells_with_intervals(
    scores: ConstructionScores,
    rows: Sequence[Row],
    columns: Sequence[str],
    only: Callable[[str], bool] | None = None,
) -> list[list[Value]]:
    """The cells of rows; some columns are of the intervals of a measure.

    The total is of all constructions, or `only` of some.
    """
    intervals = {
        measure.name: scores.intervals(measure, only)
        for measure in MEASURES
        if any(column.name in columns for column in interval_columns(measure))
    }
    table: list[list[Value]] = []
    for row in rows:
        values = row._asdict()
        for name, known in intervals.items():
            ends = known[row.construction]
            values[f"{name}_interval"] = interval_text(ends)
            values[f"{name}_low"], values[f"{name}_high"] = ends
        table.append([values[name] for name in ("construction", *columns)])
    return table


def _sorted(rows: list[Row], by: Column) -> list[Row]:
    value = attrgetter(by.name)
    known = [row for row in rows if value(row) is not None]
    unknown = [row for row in rows if value(row) is None]
    is_reversed = by.is_numeric and not by.is_worst_low
    return sorted(known, key=value, reverse=is_reversed) + unknown


def summary_lines(scores: ConstructionScores) -> list[str]:
    """Coverage, evalb and the reconciliation with it, in words."""
    counts, parts = scores.tally, scores.reconciliation
    evalb, measure = counts.evalb, scores.deriver.bracket_name
    sides = {"gold": counts.gold_coverage, "parsed": counts.parsed_coverage}
    covered = ", ".join(
        f"{side} {part.covered:,} of {part.brackets:,} brackets "
        f"({percent(ratio(part.covered, part.brackets))} %)"
        for side, part in sides.items()
    )
    wrappers = ""
    if parts.wrapper:
        wrappers = f", {parts.wrapper:,} are wrappers, which have no construction"
    return [
        f"coverage: {covered}",
        f"{measure}: recall {percent(evalb.recall)}, precision "
        f"{percent(evalb.precision)}, F1 {percent(evalb.f1)}",
        f"of {evalb.matched:,} {measure} matches, "
        f"{parts.same_head_same_construction:,} have the same head and construction "
        f"(F-s), {parts.same_head_other_construction:,} the same head but another "
        f"construction, {parts.other_head:,} another head{wrappers}",
        *_tag_lines(scores),
        scores.scored_text(),
        *zero_notes(evalb.f1, scores.f1_if_zero, measure),
    ]


def _tags_json(scores: ConstructionScores) -> dict[str, Any] | None:
    if scores.by_tags is None:
        return None
    return {
        name: {
            "gold": counts.gold,
            "parsed": counts.parsed,
            "matched_s": counts.matched,
            "f_s": counts.f1,
        }
        for name, counts in zip(("right", "wrong"), scores.by_tags, strict=True)
    }


def _tag_lines(scores: ConstructionScores) -> list[str]:
    """F-s where tags are right, if some are not."""
    if scores.by_tags is None:
        return []
    right, wrong = scores.by_tags
    share = ratio(wrong.gold, right.gold + wrong.gold)
    return [
        f"tags: where the head's tag is right, F-s is {percent(right.f1, 1)}; where it "
        f"is wrong ({counted(wrong.gold, 'bracket')} of gold, {percent(share, 1)} %), "
        f"{percent(wrong.f1, 1)}"
    ]


def sentence_table(scores: ConstructionScores) -> Table:
    """The counts of each sentence."""
    fields = [
        Column(name, name.replace("_", " "), "count") for name in SentenceRow._fields
    ]
    table = table_of("sentences", "By sentence", fields, scores.sentence_rows)
    return with_ids(table, scores.sentence_ids)


def scores_view(
    scores: ConstructionScores,
    *,
    columns: Sequence[str] | None = None,
    min_share: float | None = None,
    top: int | None = 20,
    sort: str = "gold",
    by_sentence: bool = False,
    faithfulness: bool = False,
) -> View:
    """Constructions; if they were scored, function tags, form and sentences.

    Without `min_share`, people are shown those that are not rare, programs all.
    """
    least = MIN_SHARE if min_share is None else min_share
    table = construction_table(
        scores, columns=columns, min_share=least, top=top, sort=sort
    )
    tables = [table]
    if columns is None or tuple(columns) == tuple(default_columns()):
        # Programs read two numbers more easily than a text.
        ends = [f"{_SURE}_low", f"{_SURE}_high"]
        at = default_columns().index(f"{_SURE}_interval")
        flat = [*default_columns()[:at], *ends, *default_columns()[at + 1 :]]
    else:
        flat = list(columns)
    main = construction_table(
        scores, columns=flat, min_share=min_share or 0.0, top=top, sort=sort
    )
    if scores.functions is not None:
        from reports.tables.functions import function_tables

        tables += function_tables(scores.functions, top=top)
        main = tables[1]
    if scores.faithfulness is not None:
        tables.append(generated_table(scores.faithfulness))
        main = tables[-1] if faithfulness else main
    files = []
    if scores.causes is not None:
        from reports.tables.causes import cause_rows_table, causes_table

        tables.append(causes_table(scores.causes, top=top))
        files = [main := cause_rows_table(scores.causes)]
    if scores.queries is not None:
        from reports.tables.queries import flat_table, score_table

        tables.append(score_table(scores.queries))
        main = flat_table(scores.queries)
    if by_sentence:
        main = sentence_table(scores)
        tables.append(main)
    data, plots = partial(construction_json, scores), partial(_plots, scores)
    return View(tables, data, main, plots=plots, files=files)


def _plots(scores: ConstructionScores) -> Figures:
    from analyzer.analyses.domain_gap import Domain
    from reports.plots.scores import cumulative_figure

    return {"cumulative": cumulative_figure([Domain("", scores)])}


def _record(
    row: Row, intervals: Mapping[str, Mapping[str, Interval]]
) -> dict[str, Any]:
    """A row, and the interval of each measure."""
    of_row = {
        name: known[row.construction]._asdict() for name, known in intervals.items()
    }
    return {**row._asdict(), "intervals": of_row}


def construction_json(scores: ConstructionScores) -> dict[str, Any]:
    """The object that `spinal score --format json` writes; see docs/json.md."""
    counts, evalb = scores.tally, scores.tally.evalb
    intervals = {
        measure.name: scores.intervals(measure) for measure in measures_of(detail=2)
    }
    data: dict[str, Any] = {
        "constructions": [_record(row, intervals) for row in scores.rows],
        "total": _record(scores.total, intervals),
        "tokens": counts.tokens,
        "coverage": {
            "gold": counts.gold_coverage._asdict(),
            "parsed": counts.parsed_coverage._asdict(),
        },
        "evalb": {
            "gold": evalb.gold,
            "test": evalb.parsed,
            "matched": evalb.matched,
            **{name: getattr(evalb, name) for name in ("recall", "precision", "f1")},
            "f1_if_zero": scores.f1_if_zero,
        },
        "reconciliation": scores.reconciliation._asdict(),
        "by_tags": _tags_json(scores),
        "conventions": scores.conventions.as_json(),
        "sentences_total": scores.ledger.gold,
        "sentences_scored": scores.ledger.scored,
        "skipped": left_out_records(scores.left_out),
        "surplus": scores.surplus._asdict(),
        "ledger": scores.ledger.as_json(),
        "signature": str(scores.signature),
    }
    data |= relation_labels_json(scores.relation_hint)
    if scores.functions is not None:
        data["functions"] = scores.functions.as_json()
    if scores.causes is not None:
        data["causes"] = [row._asdict() for row in scores.causes.rows]
    if scores.faithfulness is not None:
        data["faithfulness"] = generated_json(scores.faithfulness)
    if scores.queries is not None:
        from reports.tables.queries import queries_json

        queries = queries_json(scores.queries)
        data["queries"] = {key: queries[key] for key in ("queries", "rows", "instead")}
    if scores.sentence_columns is not None:
        data["sentences"] = sentence_table(scores).records()
    return data
