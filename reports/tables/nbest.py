"""Scores of n-best lists as tables and JSON."""

from __future__ import annotations

from typing import Any

from analyzer.analyses.nbest import NbestScores
from analyzer.metrics.ratios import ratio
from reports.model import Table, View, columns, table_of
from reports.tables.constructions import MIN_SHARE, construction_json
from reports.tables.notes import hidden_rows

# Ranks that have a row of their own; others share a row, up to these.
_ALONE = 5
_UP_TO = (10, 20, 50, 100)


def nbest_view(
    scores: NbestScores,
    *,
    min_share: float | None = None,
    top: int | None = 20,
    by_sentence: bool = False,
) -> View:
    """First best and oracle, the ranks of the best, constructions; also sentences."""
    everything = scores.rows
    gold = scores.total.gold
    least = MIN_SHARE if min_share is None else min_share
    rows = [row for row in everything if 100 * row.gold >= least * gold][:top]
    constructions = table_of(
        "constructions",
        f"Constructions ({scores.first.deriver.inventory.name})",
        "construction | gold:count | f_s_first:percent.1=F-s first | "
        "f_s_oracle:percent.1=F-s oracle | recall_first:percent.1=recall first | "
        "recall_oracle:percent.1=oracle | recall_any:percent.1=in any parse",
        (*rows, scores.total),
        "recall: same head, construction and span as in gold; in any parse: in one of "
        "the list at least",
        str(scores.signature),
        cut=hidden_rows(everything, rows),
    )
    tables = [_summary(scores), _ranks(scores), constructions]
    if by_sentence:
        fields = columns(
            "sentence:count | id | parses:count | rank:count=rank of the best | "
            "f1_first:percent=F1 first | f1_best:percent=F1 best"
        )
        shown = fields if scores.ids else (fields[0], *fields[2:])
        tables.append(table_of("sentences", "By sentence", shown, scores.list_rows))

    def data() -> dict[str, Any]:
        content = _json(scores)
        if by_sentence:
            content["sentences"] = [row._asdict() for row in scores.list_rows]
        return content

    return View(tables, data, tables[-1])


def _summary(scores: NbestScores) -> Table:
    rows = []
    for name, choice in (("first best", scores.first), ("oracle", scores.oracle)):
        evalb, total = choice.tally.evalb, choice.total
        brackets = [evalb.recall, evalb.precision, evalb.f1]
        rows.append([name, choice.ledger.scored, *brackets, total.f_h, total.f_s])
    return table_of(
        "nbest",
        f"n-best lists (up to {scores.n} parses a sentence)",
        "parse | sentences:count | recall:percent | precision:percent | "
        "f1:percent=F1 | f_h:percent.1=F-h | f_s:percent.1=F-s",
        rows,
        "oracle: of each sentence the parse with the highest F1 of brackets, of equal "
        "ones the first",
        scores.scored_text(),
    )


def _ranks(scores: NbestScores) -> Table:
    """In how many sentences the best parse has a rank, or one up to it."""
    counts = scores.rank_counts
    known = sum(counts.values())
    ends = [*range(1, _ALONE + 1), *_UP_TO, max(_UP_TO[-1] + 1, scores.n)]
    rows, before, so_far = [], 0, 0
    for end in ends:
        count = sum(n for rank, n in counts.items() if before < rank <= end)
        so_far += count
        name = str(end) if end == before + 1 else f"{before + 1}–{min(end, scores.n)}"
        if before < scores.n:
            rows.append([name, count, ratio(count, known), ratio(so_far, known)])
        before = end
    fields = "rank | sentences:count | share:percent.1=% | share_up_to:percent.1=up to"
    return table_of("ranks", "Rank of the best parse", fields, rows)


def _json(scores: NbestScores) -> dict[str, Any]:
    """The object that `spinal score --nbest --format json` writes; see docs/json.md."""
    return {
        "n": scores.n,
        "first": construction_json(scores.first),
        "oracle": construction_json(scores.oracle),
        "ranks": [
            {"rank": rank, "sentences": count}
            for rank, count in scores.rank_counts.items()
        ],
        "constructions": [row._asdict() for row in scores.rows],
        "total": scores.total._asdict(),
        "parses": int(scores.parses.sum()),
        "fewer_parses": sum(1 for n in scores.parses.tolist() if n < scores.n),
        "ledger": scores.ledger.as_json(),
        "signature": str(scores.signature),
    }
