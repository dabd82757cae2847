"""How far two annotations agree, as tables and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any

from analyzer.analyses.agreement import Agreement, AgreementRow
from analyzer.analyses.disagreements import Example, Group, GroupKey
from analyzer.analyses.factors import FactorRow
from analyzer.safe_text import counted, numbered, printable, with_ends
from reports.model import Column, Table, Value, cells, percent
from reports.tables.omissions import (
    hidden_notes,
    left_out_records,
    relation_labels_json,
)

_COLUMNS = (
    Column("construction"),
    Column("a", "A", "count"),
    Column("b", "B", "count"),
    Column("f_h", "F-h", "percent", 1),
    Column("f_s", "F-s", "percent", 1),
    Column("att", unit="percent", digits=1),
    Column("span_right", "spanR", "percent", 1),
    Column("kappa_construction", "κ name", "number", 3, is_score=True),
    Column("kappa_att", "κ att", "number", 3, is_score=True),
)
_LONG = 48  # characters of an example
_CHOICES = {
    "label": "label, the span being the same",
    "construction": "construction, the span being the same",
    "attachment": "attachment, head and construction being the same",
    "tag": "tag of a word",
    "function": "function tags, span and label being the same",
}


def agreement_tables(
    result: Agreement, *, top: int | None, limit: int | None, examples: int
) -> list[Table]:
    """What the command prints: constructions, kappas, factors, disagreements."""
    found = [construction_table(result, top=top), kappa_table(result)]
    if result.documents is not None:
        found.append(factor_table(result.documents.factors))
    found.append(disagreement_table(result, limit=limit, examples=examples))
    return found


def construction_table(result: Agreement, *, top: int | None = None) -> Table:
    """Agreement on each construction, and in total."""
    rows = result.rows
    shown = [*rows[:top], result.total]
    hidden = len(rows) - len(rows[:top])
    return Table(
        name="agreement",
        title="Agreement by construction",
        columns=_COLUMNS,
        rows=[cells(row, _COLUMNS) for row in shown],
        notes=(
            *hidden_notes(hidden),
            _brackets(result),
            result.scored_text(),
            str(result.signature),
        ),
    )


def _brackets(result: Agreement) -> str:
    counts = result.scores.tally
    f1 = counts.brackets.f1
    what = "brackets (label and span)"
    if result.documents is not None:
        what = "constructions with the same span"
    return (
        f"{what}: A {counts.brackets.gold:,}, B {counts.brackets.parsed:,}, both "
        f"{counts.brackets.matched:,}, F1 {percent(f1)}"
    )


def kappa_table(result: Agreement) -> Table:
    """Agreement beyond chance on each choice that annotators make."""
    return Table(
        name="kappa",
        title="Agreement beyond chance (Cohen's kappa)",
        columns=(
            Column("choice"),
            Column("n", unit="count"),
            Column("observed", unit="percent", digits=1),
            Column("expected", unit="percent", digits=1),
            Column("kappa", "κ", "number", 3, is_score=True),
        ),
        rows=[[_CHOICES[name], *kappa] for name, kappa in result.kappas.items()],
    )


def factor_table(factors: Sequence[FactorRow]) -> Table:
    """Agreement on discourse relations, factor by factor."""
    return Table(
        name="factors",
        title="Relations by factor (Iruskieta et al. 2015, RST-Tace)",
        columns=(
            Column("factor"),
            Column("a", "A", "count"),
            Column("b", "B", "count"),
            Column("matched", "both", "count"),
            Column("f1", "F1", "percent", 1),
            Column("kappa", "κ", "number", 3, is_score=True),
        ),
        rows=[[*row[:-1], row.kappa.kappa if row.kappa else None] for row in factors],
        notes=(
            "attachment, nuclearity, relation: of the constituents that both have; "
            "κ of constituents: among all spans of EDUs",
        ),
    )


def ranked(result: Agreement) -> list[tuple[GroupKey, Group]]:
    """Groups of disagreements, the largest first."""
    return sorted(result.groups.items(), key=lambda item: (-item[1].count, item[0]))


def disagreement_table(result: Agreement, *, limit: int | None, examples: int) -> Table:
    """Groups of disagreements, the largest first, with examples."""
    groups = ranked(result)
    total = sum(group.count for _, group in groups)
    shown = groups[:limit]
    rows: list[list[Value]] = []
    for key, group in shown:
        listed: Sequence[Example | None] = group.examples[:examples] or [None]
        for at, example in enumerate(listed):
            start: list[Value] = [group.count, *key] if at == 0 else [None] * 4
            rows.append([*(_blank(v) for v in start), *_example(result, example)])
    hidden = len(groups) - len(shown)
    kinds: Counter[str] = Counter()
    for key, group in groups:
        kinds[key.kind] += group.count
    by_kind = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
    return Table(
        name="disagreements",
        title=f"{counted(total, 'disagreement')} in {counted(len(groups), 'group')}",
        columns=(
            Column("count", unit="count"),
            Column("kind"),
            Column("a", "A"),
            Column("b", "B"),
            Column("place", "sentence"),
            Column("word"),
            Column("example_a", "example A"),
            Column("example_b", "example B"),
        ),
        rows=rows,
        notes=(
            *([f"by kind: {by_kind}"] if by_kind else []),
            *(
                [f"{hidden:,} smaller groups not shown; --limit shows more"]
                if hidden
                else []
            ),
        ),
    )


def _blank(value: Value) -> Value:
    return "" if value is None else value


def _example(result: Agreement, example: Example | None) -> list[Value]:
    if example is None:
        return ["", "", "", ""]
    return [
        _place(result, example),
        with_ends(example.word, _LONG),
        with_ends(example.a or "-", _LONG),
        with_ends(example.b or "-", _LONG),
    ]


def _place(result: Agreement, example: Example) -> str:
    if result.documents is not None:
        return result.documents.names[example.sentence - 1]
    if _has_files(result) and example.file:
        named = f" ({printable(example.id)})" if example.id else ""
        return f"{PurePath(example.file).name}:{example.line}{named}"
    return numbered(example.sentence, example.id)


def _has_files(result: Agreement) -> bool:
    """Whether sentences are of several files, so that a number does not name one."""
    groups = result.groups.values()
    files = {one.file for group in groups for one in group.examples[:3]}
    return len(files) > 1 and all(PurePath(file).suffix for file in files)


def agreement_json(result: Agreement) -> dict[str, Any]:
    """The object that `spinal agree --format json` writes; see docs/json.md."""
    counts = result.scores.tally
    data: dict[str, Any] = {
        "constructions": [_record(row) for row in result.rows],
        "total": _record(result.total),
        "kappas": {name: kappa._asdict() for name, kappa in result.kappas.items()},
        "brackets": {
            "a": counts.brackets.gold,
            "b": counts.brackets.parsed,
            "matched": counts.brackets.matched,
            "f1": counts.brackets.f1,
        },
        "disagreements": [
            {
                **key._asdict(),
                "count": group.count,
                "examples": [_example_record(result, one) for one in group.examples],
            }
            for key, group in ranked(result)
        ],
        "sentences_total": result.ledger.gold,
        "sentences_scored": result.ledger.scored,
        "skipped": left_out_records(result.left_out),
        "surplus": {
            "in_a": result.scores.surplus.in_gold,
            "in_b": result.scores.surplus.in_parsed,
        },
        "ledger": result.ledger.as_json(),
        "signature": str(result.signature),
    }
    data |= relation_labels_json(result.scores.relation_hint)
    if result.documents is not None:
        data["factors"] = [
            {
                **row._asdict(),
                "kappa": row.kappa._asdict() if row.kappa else None,
            }
            for row in result.documents.factors
        ]
    return data


def _example_record(result: Agreement, example: Example) -> dict[str, Any]:
    found = {**example._asdict(), "place": _place(result, example)}
    return found if example.id else {k: v for k, v in found.items() if k != "id"}


def _record(row: AgreementRow) -> dict[str, Any]:
    return row._asdict()
