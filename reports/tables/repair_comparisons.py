"""Types of error of systems and of data sets side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analyzer.analyses.repair_comparisons import RepairComparison, RepairDifference
from analyzer.analyses.repair_records import TypeCounts
from analyzer.analyses.repairs import Repairs
from analyzer.metrics.ratios import ratio
from reports.model import Column, Table, Value, cells


def repair_difference_table(
    found: RepairComparison, other: str, rows: Sequence[RepairDifference]
) -> Table:
    """By type: errors of both systems, the difference, its interval and p-values."""
    columns = (
        Column("error_type", "error type"),
        Column("errors_a", f"{found.baseline}, errors", "count"),
        Column("errors_b", f"{other}, errors", "count"),
        Column("rate_a", found.baseline, "number", 1),
        Column("rate_b", other, "number", 1),
        Column("difference", unit="number", digits=1),
        Column("low", "from", "number", 1),
        Column("high", "to", "number", 1),
        Column("p_value", "p", "number", 4),
        Column("p_corrected", "p corrected", "number", 4),
    )
    return Table(
        name=f"repairs_{other}",
        title=f"Errors per 100 sentences: {found.baseline} and {other}",
        columns=columns,
        rows=[cells(row, columns) for row in rows],
        notes=[
            f"{other} minus {found.baseline}; interval: paired bootstrap, 95 %; p: "
            f"approximate randomisation, {found.resamples:,} resamples; corrected: "
            "Holm over the types",
            found.ledger.text("compared on"),
            str(found.signature),
        ],
    )


def repair_domain_table(found: Mapping[str, Repairs]) -> Table:
    """Errors per 100 sentences, by type and data set."""
    types: dict[str, int] = {}
    for one in found.values():
        for name, counts in one.types.items():
            types[name] = types.get(name, 0) + counts.errors
    order = sorted(types, key=lambda name: (-types[name], name))
    rows: list[list[Value]] = [
        [
            name,
            *(_rate(one, one.types.get(name, TypeCounts())) for one in found.values()),
        ]
        for name in order
    ]
    totals = [
        _rate(one, TypeCounts(one.total.errors, one.total.nodes))
        for one in found.values()
    ]
    first = next(iter(found.values()))
    return Table(
        name="repairs_by_domain",
        title=f"Errors per 100 sentences, by type ({first.classifier})",
        columns=(
            Column("error_type", "error type"),
            *(Column(name, unit="number", digits=1) for name in found),
        ),
        rows=[*rows, ["total", *totals]],
        notes=[
            *(f"{name}: {one.scored_text()}" for name, one in found.items()),
            str(first.signature),
        ],
    )


def _rate(found: Repairs, counts: TypeCounts) -> float | None:
    rate = ratio(counts.errors, found.ledger.scored)
    return None if rate is None else 100 * rate


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
_OTHER = "Other"


def repair_system_table(found: RepairComparison) -> Table:
    """Bracket errors a sentence, by system and type, as parsers are compared there."""
    means = {name: found.brackets_per_sentence(name) for name in found.systems}
    sums: dict[str, float] = {}
    for one in means.values():
        for kind, mean in one.items():
            sums[kind] = sums.get(kind, 0.0) + mean
    types: Sequence[str] = [kind for kind in _OF_THE_PAPER if kind in sums]
    if not types:  # of Chinese, by the reference's rules
        types = sorted(sums, key=lambda kind: (-sums[kind], kind))[: len(_OF_THE_PAPER)]
    rows: list[list[Value]] = []
    for name, one in means.items():
        shown = [one.get(kind, 0.0) for kind in types]
        total = sum(one.values())
        rows.append([name, *shown, total - sum(shown), total])
    columns = [Column(name, unit="number") for name in (*types, _OTHER, "total")]
    return Table(
        name="repairs_by_system",
        title="Bracket errors per sentence, by type",
        columns=[Column("system"), *columns],
        rows=rows,
        notes=[found.ledger.text("compared on"), str(found.signature)],
    )
