"""How far two annotations agree, or more, as tables and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import PurePath
from typing import Any

from analyzer.analyses.agreement import Agreement, Annotators
from analyzer.analyses.cgel_agreement import CgelAgreement
from analyzer.analyses.disagreements import Example, FactorRow, Group, GroupKey
from analyzer.analyses.tace import TaceAgreement
from analyzer.metrics.constructions import measures_of
from analyzer.safe_text import counted, numbered, printable, with_ends
from reports.model import (
    Table,
    Value,
    View,
    column_of,
    columns,
    hidden,
    percent,
    table_of,
)
from reports.tables.notes import hidden_rows, left_out_records, relation_labels_json

_LONG = 48  # characters of an example
_CHOICES = {
    "label": "label, the span being the same",
    "construction": "construction, the span being the same",
    "attachment": "attachment, head and construction being the same",
    "tag": "tag of a word",
    "function": "function tags, span and label being the same",
}


def agreement_view(
    result: Agreement,
    *,
    top: int | None = 20,
    limit: int | None = 20,
    examples: int = 1,
) -> View:
    """Constructions, kappas, factors, and the largest groups of disagreements."""
    tables = [construction_table(result, top=top), kappa_table(result)]
    if result.documents is not None:
        tables.append(factor_table(result.documents.factors))
        tables.append(tace_table(result.documents.tace))
    tables.append(disagreement_table(result, limit=limit, examples=examples))
    return View(tables, partial(agreement_json, result), main=tables[0])


def construction_table(result: Agreement, *, top: int | None = None) -> Table:
    """Agreement on each construction, and in total."""
    rows = result.rows
    shown = (
        *columns("construction | a:count=A | b:count=B"),
        *map(column_of, measures_of(detail=1)),
        *columns("kappa_construction:number.3=κ name! | kappa_att:number.3=κ att!"),
    )
    return table_of(
        "agreement",
        "Agreement by construction",
        shown,
        (*rows[:top], result.total),
        _brackets(result),
        result.scored_text(),
        str(result.signature),
        cut=hidden_rows(rows, rows[:top]),
        option=_TOP,
    )


def _brackets(result: Agreement) -> str:
    counts = result.scores.tally.brackets
    what = "brackets (label and span)"
    if result.documents is not None:
        what = "constructions with the same span"
    return (
        f"{what}: A {counts.gold:,}, B {counts.parsed:,}, both {counts.matched:,}, "
        f"F1 {percent(counts.f1)}"
    )


def kappa_table(result: Agreement) -> Table:
    """Agreement beyond chance on each choice that annotators make."""
    return table_of(
        "kappa",
        "Agreement beyond chance (Cohen's kappa)",
        "choice | n:count | observed:percent.1 | expected:percent.1 | "
        "kappa:number.3=κ!",
        [[_CHOICES[name], *kappa] for name, kappa in result.kappas.items()],
    )


def tace_table(agreement: TaceAgreement) -> Table:
    """The factors as RST-Tace counts them."""
    count = len(agreement.documents)
    apart = sum(not document.has_same_edus for document in agreement.documents)
    notes = [
        "ratio: pairs that agree in the factor; relations are paired by their central "
        f"subconstituents; mean over {counted(count, 'document')}"
    ]
    if apart:
        notes.append(
            f"{counted(apart, 'document')} with another number of EDUs on each side: "
            "EDUs are compared by their numbers all the same, as RST-Tace does"
        )
    return table_of(
        "tace",
        "Relations by factor: RST-Tace",
        "factor | ratio:percent.1 | ratio_std:percent.1=std | "
        "ratio_min:percent.1=min | ratio_max:percent.1=max | kappa:number.3=κ | "
        "kappa_std:number.3=std | kappa_min:number.3=min | kappa_max:number.3=max",
        agreement.rows,
        *notes,
    )


def factor_table(factors: Sequence[FactorRow]) -> Table:
    """Agreement on discourse relations, factor by factor."""
    return table_of(
        "factors",
        "Relations by factor: constituents with the same span",
        "factor | a:count=A | b:count=B | matched:count=both | f1:percent.1=F1 | "
        "kappa:number.3=κ!",
        [[*row[:-1], row.kappa.kappa if row.kappa else None] for row in factors],
        "attachment, nuclearity, relation: of the constituents that both have; "
        "κ of constituents: among all spans of EDUs",
    )


_TOP = "--top shows more"
_LIMIT = "--limit 0 shows all"


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
            start = (
                [group.count, *(part or "" for part in key)] if at == 0 else [""] * 4
            )
            rows.append([*start, *_example(result, example)])
    kinds: Counter[str] = Counter()
    for key, group in groups:
        kinds[key.kind] += group.count
    by_kind = ", ".join(f"{kind} {count:,}" for kind, count in kinds.most_common())
    notes = [f"by kind: {by_kind}"] if by_kind else []
    return table_of(
        "disagreements",
        f"{counted(total, 'disagreement')} in {counted(len(groups), 'group')}",
        "count:count | kind | a=A | b=B | place=sentence | word | "
        "example_a=example A | example_b=example B",
        rows,
        *notes,
        cut=hidden(len(groups) - len(shown), "smaller group"),
        option=_LIMIT,
    )


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
    files = {example.file for group in groups for example in group.examples[:3]}
    return len(files) > 1 and all(PurePath(file).suffix for file in files)


def agreement_json(result: Agreement) -> dict[str, Any]:
    """The object that `spinal agree --format json` writes; see docs/json.md."""
    brackets = result.scores.tally.brackets
    data: dict[str, Any] = {
        "constructions": [row._asdict() for row in result.rows],
        "total": result.total._asdict(),
        "kappas": {name: kappa._asdict() for name, kappa in result.kappas.items()},
        "brackets": {
            "a": brackets.gold,
            "b": brackets.parsed,
            "matched": brackets.matched,
            "f1": brackets.f1,
        },
        "disagreements": [
            {
                **key._asdict(),
                "count": group.count,
                "examples": [
                    _example_record(result, example) for example in group.examples
                ],
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
            {**row._asdict(), "kappa": row.kappa._asdict() if row.kappa else None}
            for row in result.documents.factors
        ]
        tace = result.documents.tace
        data["tace"] = {
            "factors": [row._asdict() for row in tace.rows],
            "documents": [document._asdict() for document in tace.documents],
        }
    return data


def _example_record(result: Agreement, example: Example) -> dict[str, Any]:
    record = {**example._asdict(), "place": _place(result, example)}
    return record if example.id else {k: v for k, v in record.items() if k != "id"}


# -- more than two annotators ------------------------------------------------------


def annotators_view(result: Annotators) -> View:
    """Each pair of annotators; all of them together."""
    first = next(iter(result.pairs.values()))
    pairs = table_of(
        "pairs",
        "Agreement of each pair",
        "a=A | b=B | brackets_f1:percent.1=brackets F1 | f_h:percent.1=F-h | "
        "f_s:percent.1=F-s | att:percent.1 | kappa_label:number.3=κ label | "
        "kappa_construction:number.3=κ construction | kappa_tag:number.3=κ tag",
        result.rows,
        str(first.signature),
    )
    alpha = table_of(
        "alpha",
        "Agreement of all beyond chance (Krippendorff's alpha, nominal)",
        "choice | judgements:count | alpha:number.3=α",
        result.alphas,
    )
    return View([pairs, alpha], partial(annotators_json, result))


def annotators_json(result: Annotators) -> dict[str, Any]:
    """The object that `spinal agree --format json` writes for three and more."""
    return {
        "annotators": result.names,
        "pairs": [row._asdict() for row in result.rows],
        "alpha": [row._asdict() for row in result.alphas],
        "signatures": [str(pair.signature) for pair in result.pairs.values()],
    }


# -- CGELBank's measures -----------------------------------------------------------

_MEASURES = (
    "measure | f1:percent.1=F1 | precision:percent.1 | recall:percent.1 | "
    "cost:number=cost of a tree | precision_cost:number=against precision | "
    "recall_cost:number=against recall"
)


def cgel_view(result: CgelAgreement, *, limit: int | None = 20) -> View:
    """The measures, what costs come from, and what aligned nodes differ in."""
    counts = result.counts
    changes = sorted(result.changes, key=lambda row: -row.nodes)
    shown = changes[:limit]
    tables = [
        table_of(
            "cgel",
            "Agreement by tree edit distance (CGELBank)",
            _MEASURES,
            result.rows,
            f"equal trees: {percent(result.tree_accuracy, 1)} % ({counts.equal:,} of "
            f"{counts.trees:,})",
            f"nodes: A {counts.a_nodes:,} with {counted(counts.a_gaps, 'gap')}, B "
            f"{counts.b_nodes:,} with {counted(counts.b_gaps, 'gap')}; "
            f"{counted(counts.gaps, 'gap')} aligned, {counts.other_fillers:,} of them "
            "with other antecedents",
            result.scored_text(),
            str(result.signature),
        ),
        table_of(
            "costs",
            "What the cost of flex is made of, in all trees",
            "edit | each:number=at | cost:number",
            result.cost_rows,
        ),
        table_of(
            "changes",
            f"{counted(len(changes), 'difference')} of aligned nodes",
            "part=what | a=A | b=B | nodes:count",
            shown,
            cut=hidden(len(changes) - len(shown), "less frequent one"),
            option=_LIMIT,
        ),
    ]
    return View(tables, partial(cgel_json, result), main=tables[0])


def cgel_json(result: CgelAgreement) -> dict[str, Any]:
    """The object that `spinal agree --metric cgel --format json` writes."""
    counts = result.counts
    return {
        "measures": [row._asdict() for row in result.rows],
        "tree_accuracy": result.tree_accuracy,
        "trees": {"compared": counts.trees, "equal": counts.equal},
        "nodes": {"a": counts.a_nodes, "b": counts.b_nodes},
        "gaps": {
            **{"a": counts.a_gaps, "b": counts.b_gaps, "aligned": counts.gaps},
            "other_antecedents": counts.other_fillers,
        },
        "costs": [row._asdict() for row in result.cost_rows],
        "changes": [row._asdict() for row in result.changes],
        "ledger": result.ledger.as_json(),
        "signature": str(result.signature),
    }


def cgel_pairs_view(pairs: Mapping[tuple[str, str], CgelAgreement]) -> View:
    """The F1 of each pair of annotators, by measure."""
    first = next(iter(pairs.values()))
    measures = [row.measure for row in first.rows]
    shown = " | ".join(f"{measure}:percent.1" for measure in measures)
    table = table_of(
        "pairs",
        "Agreement of each pair by tree edit distance (CGELBank), F1",
        f"a=A | b=B | {shown} | equal:percent.1=equal trees",
        [
            [*names, *(row.f1 for row in result.rows), result.tree_accuracy]
            for names, result in pairs.items()
        ],
        str(first.signature),
    )

    def data() -> dict[str, Any]:
        named = [
            {"a": a, "b": b, **cgel_json(result)} for (a, b), result in pairs.items()
        ]
        return {"pairs": named}

    return View([table], data)
