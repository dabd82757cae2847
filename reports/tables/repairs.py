"""Errors by type: of a parser, of systems and data sets side by side, and what they
are worth, as tables and JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from analyzer.analyses.compared import shared_notes
from analyzer.analyses.repairs import (
    NO_EDIT,
    Classifier,
    ErrorRow,
    RepairedSentence,
    Repairs,
    Status,
    error_rows,
)
from analyzer.editing.search import MOST_EDITS
from analyzer.editing.types import EXPLANATIONS, SAME_UNARY, UNCLASSIFIED
from analyzer.safe_text import counted
from reports.model import (
    Column,
    Figures,
    Table,
    Value,
    View,
    cells,
    columns,
    differences_json,
    hidden,
    percent,
    sample_text,
    spread,
    table_of,
    with_ids,
)

if TYPE_CHECKING:
    from analyzer.analyses.repair_comparisons import RepairComparison, RepairDifference
    from analyzer.analyses.worth import Worth

_TYPE_COLUMNS = columns(
    "error_type=error type | errors:count | nodes:count=brackets | "
    "nodes_per_error:number=ratio | share:percent.1=%brackets | "
    "per_sentence:number=a sentence"
)
# The headings of Kummerfeld et al. (2012, Table 2), which has the first four.
_PAPER_COLUMNS = columns(
    "error_type=Error Type | errors:count=Occurrences | nodes:count=Nodes Involved | "
    "nodes_per_error:number.1=Ratio | share:percent.1=% Nodes | "
    "per_sentence:number=Nodes / Sentence"
)
_COUNTS = ("sentence", "step", "nodes")
_WORDS_WIDTH = 40  # of the words of an error in a table for a terminal
_HEADINGS = {"error_type": "error type", "nodes": "brackets"}
# Types whose names do not say what they are.
_NEEDS_WORDS = {SAME_UNARY, *(x for x in EXPLANATIONS if x.startswith(UNCLASSIFIED))}
_ONLY_OURS = ("construction", "head", "governor")


def repairs_view(
    repairs: Repairs,
    *,
    by_sentence: bool = False,
    listed: bool = False,
    crossed: bool = False,
    worth: Worth | None = None,
    limit: int | None = None,
    top: int | None = None,
    form: str = "",
) -> View:
    """Errors by type; if asked for, by sentence, one by one, by construction, by worth.

    LaTeX is for the paper's table, text for a terminal, where words are cut.
    """
    tables = [type_table(repairs, as_in_paper=form == "latex")]
    data = repairs_json(repairs, sentences=by_sentence or listed)
    if by_sentence:
        tables.append(sentence_table(repairs))
    if listed:
        width = _WORDS_WIDTH if form == "text" else None
        tables.append(error_table(repairs, limit=limit, width=width))
    if worth is not None:
        tables.append(worth_table(worth, top=top))
        data["worth"] = worth_json(worth)
    if crossed:
        by_type = crossed_tables(repairs, top=top)
        tables += by_type
        data["crossed"] = {table.name: table.records() for table in by_type}
    main = tables[-1]
    if not (by_sentence or listed or crossed):  # single errors, not counts of types
        main = _with_classifier(main, str(repairs.classifier))
    return View(tables, lambda: data, main, plots=partial(_plots, worth))


def worth_view(worth: Worth, *, top: int | None = 20) -> View:
    """What groups of errors are worth."""
    data, plots = partial(worth_json, worth), partial(_plots, worth)
    table = worth_table(worth, top=top)
    main = _with_classifier(table, worth.classifier)
    return View([table], data, main, plots=plots)


def _with_classifier(table: Table, classifier: str) -> Table:
    """The table for a file: a column says which classifier's rules name the types."""
    fields = [*table.columns, Column("classifier")]
    return replace(
        table, columns=fields, rows=[[*row, classifier] for row in table.rows]
    )


def _plots(worth: Worth | None) -> Figures:
    if worth is None:
        return {}
    from reports.plots.scores import waterfall_figure

    return {"waterfall": waterfall_figure(worth)}


def type_table(repairs: Repairs, *, as_in_paper: bool = False) -> Table:
    """Types of error, the most frequent first.

    As in the paper: under its headings, and what no rule classifies comes last.
    """
    shown, rows = _TYPE_COLUMNS, repairs.rows
    if as_in_paper:
        shown = _PAPER_COLUMNS
        rows = sorted(rows, key=lambda row: row.error_type.startswith(UNCLASSIFIED))
    title, listed = f"Errors by type ({repairs.classifier})", [*rows, repairs.total]
    named = [row.error_type for row in rows if row.error_type in _NEEDS_WORDS]
    explained = [f"{name}: {EXPLANATIONS[name]}" for name in sorted(named)]
    return table_of("error_types", title, shown, listed, *explained, *_notes(repairs))


def _notes(repairs: Repairs) -> list[str]:
    """What stands below every table of repairs."""
    notes = [repairs.scored_text()]
    if repairs.classifier is Classifier.KUMMERFELD:
        notes.append(
            "only the number of words is compared, as in the original program; "
            "--classifier spinal compares the words"
        )
    return [*notes, str(repairs.signature)]


def sentence_table(repairs: Repairs) -> Table:
    """What was found in each sentence."""
    table = table_of(
        "repaired_sentences",
        "Sentences",
        "sentence:count | status | words:count | initial_errors:count=bracket errors | "
        "steps:count=edits | error_types=error types",
        [_sentence_row(sentence) for sentence in repairs.sentences],
        *_notes(repairs),
    )
    return with_ids(table, [sentence.id for sentence in repairs.sentences])


def _sentence_row(sentence: RepairedSentence) -> list[Value]:
    """A sentence and its edits; of a search that was given up, the limit and one."""
    row: list[Value] = [sentence.sentence, str(sentence.status), None, None, None]
    if sentence.status is not Status.REFUSED:
        steps = (
            len(sentence.repairs) if sentence.status is Status.OK else MOST_EDITS + 1
        )
        row[2:] = [sentence.words, sentence.errors, steps]
    return [*row, "; ".join(error.error_type for error in sentence.repairs)]


def error_table(
    repairs: Repairs, *, limit: int | None = None, width: int | None = None
) -> Table:
    """All errors, in the order in which they are corrected; words cut at a `width`.

    The first columns are those of the reference program's lists; others follow.
    """
    listed = [
        (sentence.id, row)
        for sentence in repairs.sentences
        for row in error_rows(sentence)
    ]
    fields = [
        Column(name, _HEADINGS.get(name, ""), "count" if name in _COUNTS else "text")
        for name in ErrorRow._fields
        if repairs.classifier is Classifier.SPINAL or name not in _ONLY_OURS
    ]
    rows: list[list[Value]] = []
    for name, row in spread(listed, limit):
        words = _cut(row.words, width) if width else row.words
        shown = cells(row._replace(words=words), fields)
        rows.append([*shown, name] if repairs.has_ids else shown)
    return table_of(
        "repairs",
        f"{counted(len(listed), 'error')}, in the order in which they are corrected",
        [*fields, Column("id")] if repairs.has_ids else fields,
        rows,
        *_notes(repairs),
        cut=sample_text(len(rows), len(listed), "error"),
        option="--limit 0 shows all",
    )


def _cut(text: str, width: int) -> str:
    """Words up to a width.

    >>> _cut("all of these words", 12), _cut("all", 12)
    ('all of thes…', 'all')
    """
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


_CROSSED = {
    "brackets": "Wrong and missing brackets, by construction and type of error",
    "heads": "F-h errors, by construction and type of the edit that corrects them",
}


def crossed_tables(repairs: Repairs, *, top: int | None = None) -> list[Table]:
    """Constructions by type of error: wrong brackets, and what F-h counts."""
    return [_crossed(repairs, what, title, top) for what, title in _CROSSED.items()]


def _crossed(repairs: Repairs, what: str, title: str, top: int | None) -> Table:
    counts = repairs.crossed(what)
    by_name: Counter[str] = Counter()
    by_type: Counter[str] = Counter()
    for (name, kind), count in counts.items():
        by_name[name] += count
        by_type[kind] += count
    names = sorted(by_name, key=lambda name: (-by_name[name], name))
    # What no edit explains comes last.
    types = sorted(by_type, key=lambda kind: (kind == NO_EDIT, -by_type[kind], kind))
    rows: list[list[Value]] = [
        [name, *(counts.get((name, kind), 0) for kind in types), by_name[name]]
        for name in names[:top]
    ]
    cut = hidden(len(names) - len(rows), "rarer construction")
    rows.append(["total", *(by_type[kind] for kind in types), by_type.total()])
    counts_of = [Column(kind, unit="count") for kind in (*types, "all")]
    fields = [Column("construction"), *counts_of]
    return table_of(f"crossed_{what}", title, fields, rows, *_notes(repairs), cut=cut)


def repairs_json(repairs: Repairs, *, sentences: bool = True) -> dict[str, Any]:
    """The result for programs; with all errors if they were kept."""
    data: dict[str, Any] = {
        "classifier": str(repairs.classifier),
        "types": [row._asdict() for row in repairs.rows],
        "total": repairs.total._asdict(),
    }
    if repairs.kept is not None and sentences:
        data["sentences"] = sentence_table(repairs).records()
        data["errors"] = [
            row._asdict() for sentence in repairs.kept for row in error_rows(sentence)
        ]
    ends = {"ledger": repairs.ledger.as_json(), "signature": str(repairs.signature)}
    return data | ends


# -- what errors are worth -----------------------------------------------------------

_WORTH_COLUMNS = columns(
    "errors:count | nodes:count=brackets | f1:percent=F1 | worth:points | "
    "f_s:percent=F-s | worth_s:points=worth F-s | "
    "f1_in_a_row:percent=cumulative F1 | gain:points | "
    "f_s_in_a_row:percent=cumulative F-s | gain_s:points=gain F-s"
)
_BY = {
    "type": "error type",
    "construction": "construction",
    "governor": "construction and phrase",
}


def worth_table(worth: Worth, *, top: int | None = None) -> Table:
    """What groups of errors are worth, alone and one after the other."""
    fields = (Column("group", _BY[worth.by]), *_WORTH_COLUMNS)
    scores: list[Value] = [worth.f1, None, worth.f_s, None]
    rows = [cells(row, fields) for row in worth.rows[:top]]
    more = len(worth.rows) - len(rows)
    others: list[list[Value]] = [
        [row.group, None, None, *cells(row, fields)[3:]]
        for row in worth.others
        if (row.gain or row.gain_s) and not more
    ]
    return table_of(
        f"worth_by_{worth.by}",
        f"What each {_BY[worth.by]} is worth ({worth.classifier})",
        fields,
        [["as parsed", None, None, *scores, *scores], *rows, *others],
        "worth: points of evalb F1 (and of F-s) gained if only these errors are "
        f"corrected; they add up to {percent(worth.alone)}, but correcting all errors "
        f"gains {percent(worth.together)}",
        "cumulative: if the errors of all rows above are corrected, too",
        worth.ledger.text("searched"),
        str(worth.signature),
        cut=hidden(more, "more row"),
    )


def worth_json(worth: Worth) -> dict[str, Any]:
    """Worths for programs."""
    return {
        "by": str(worth.by),
        "classifier": worth.classifier,
        "f1": worth.f1,
        "f_s": worth.f_s,
        "groups": [row._asdict() for row in worth.rows],
        "others": [row._asdict() for row in worth.others],
        "alone": worth.alone,
        "together": worth.together,
        "signature": str(worth.signature),
    }


# -- side by side --------------------------------------------------------------------


def comparison_view(
    comparison: RepairComparison,
    *,
    differences: Mapping[str, Sequence[RepairDifference]] | None = None,
) -> View:
    """Errors of all systems by type, and in which types they differ."""
    if differences is None:
        differences = {
            name: comparison.differences(name) for name in [*comparison.systems][1:]
        }
    by_system = repair_system_table(comparison)
    data = {
        "repairs": differences_json(comparison.baseline, differences),
        "repairs_by_system": by_system.records(),
        "repairs_signature": str(comparison.signature),
    }
    tables = [
        repair_difference_table(comparison, name, rows)
        for name, rows in differences.items()
    ]
    return View([by_system, *tables], lambda: data)


def repair_domains_view(repairs_of: Mapping[str, Repairs]) -> View:
    """Errors by type and data set."""
    table = repair_domain_table(repairs_of)
    signature = str(next(iter(repairs_of.values())).signature)
    data = {"repairs": table.records(), "repairs_signature": signature}
    notes = shared_notes({name: repairs.notes for name, repairs in repairs_of.items()})
    return View([table], lambda: data).with_notes(notes)


def repair_difference_table(
    comparison: RepairComparison, other: str, rows: Sequence[RepairDifference]
) -> Table:
    """By type: errors of both systems, the difference, its interval and p-values."""
    a = comparison.baseline
    return table_of(
        f"repairs_{other}",
        f"Errors per 100 sentences: {a} and {other} ({comparison.classifier})",
        columns(
            "error_type=error type | errors_a:count={a}, errors | "
            "errors_b:count={b}, errors | rate_a:number.1={a} | rate_b:number.1={b} | "
            "difference:number.1 | low:number.1=from | high:number.1=to | "
            "p_value:number.4=p | p_corrected:number.4=p corrected",
            a=a,
            b=other,
        ),
        rows,
        f"{other} minus {a}; interval: paired bootstrap, 95 %; p: approximate "
        f"randomisation, {comparison.resamples:,} resamples; corrected: Holm over the "
        "types",
        comparison.ledger.text("compared on"),
        str(comparison.signature),
    )


def repair_domain_table(repairs_of: Mapping[str, Repairs]) -> Table:
    """Errors per 100 sentences, by type and data set."""
    every = Counter[str]()
    for repairs in repairs_of.values():
        every.update(repairs.errors)
    types = sorted(every, key=lambda name: (-every[name], name))
    first = next(iter(repairs_of.values()))
    rates = [_rates(repairs, types) for repairs in repairs_of.values()]
    return table_of(
        "repairs_by_domain",
        f"Errors per 100 sentences, by type ({first.classifier})",
        [
            Column("error_type", "error type"),
            *(Column(name, unit="number", digits=1) for name in repairs_of),
        ],
        zip([*types, "total"], *rates, strict=True),
        *(f"{name}: {repairs.scored_text()}" for name, repairs in repairs_of.items()),
        str(first.signature),
    )


def _rates(repairs: Repairs, types: Sequence[str]) -> list[float | None]:
    """Errors per 100 sentences, of each type and of all."""
    scored = repairs.ledger.scored
    errors = [*(repairs.errors[name] for name in types), repairs.errors.total()]
    return [100 * (count / scored) if scored else None for count in errors]


# The order of Kummerfeld et al. (2012, Table 3); what else there is comes last.
_OF_THE_PAPER = (
    "PP Attachment",
    "Clause Attachment",
    "Different label",
    "Modifier Attachment",
    "NP Attachment",
    "Co-ordination",
    "Single Word Phrase",
    "Unary",
    "NP Internal Structure",
)


def repair_system_table(comparison: RepairComparison) -> Table:
    """Bracket errors a sentence, by system and type, as parsers are compared there."""
    means = {
        name: comparison.brackets_per_sentence(name) for name in comparison.systems
    }
    sums: dict[str, float] = {}
    for by_type in means.values():
        for kind, mean in by_type.items():
            sums[kind] = sums.get(kind, 0.0) + mean
    types: Sequence[str] = [kind for kind in _OF_THE_PAPER if kind in sums]
    if not types:  # of Chinese, by the reference's rules
        types = sorted(sums, key=lambda kind: (-sums[kind], kind))[: len(_OF_THE_PAPER)]
    rows: list[list[Value]] = []
    for name, by_type in means.items():
        shown = [by_type.get(kind, 0.0) for kind in types]
        total = sum(by_type.values())
        rows.append([name, *shown, total - sum(shown), total])
    rest = [Column(name, unit="number") for name in (*types, "Other", "total")]
    return table_of(
        "repairs_by_system",
        f"Bracket errors per sentence, by type ({comparison.classifier})",
        [Column("system"), *rest],
        rows,
        comparison.ledger.text("compared on"),
        str(comparison.signature),
    )
