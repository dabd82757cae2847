"""Data sets side by side: the paper's Table 2, and where the gap comes from."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from analyzer.analyses.gap import Domain, Part, Split
from analyzer.analyses.score_rows import TOTAL
from analyzer.exceptions import SettingsError
from analyzer.pairing.ledger import NO_GROUP, NOTHING_LEFT_OVER, Ledger
from reports.model import Column, Table, Value, percent
from reports.tables.constructions import construction_json
from reports.tables.omissions import hidden_notes, zero_notes
from reports.tables.recurring import convention_lines

FIELDS = {
    "share_gold": "%gold",
    "f_h": "F-h",
    "f_s": "F-s",
    "att": "att",
    "span_right": "spanR",
}
_FEW = 3  # data sets that fit side by side with all columns
_MEASURE_NAMES = {"f_s": "F-s", "recall": "recall", "precision": "precision"}
_KIND_NAMES = {"head": "heads", "right": "right edges", "left": "left edges"}
_NAMED = 3  # constructions that the paragraph names


def domain_table(
    domains: Sequence[Domain],
    *,
    columns: Sequence[str] | None = None,
    min_share: float = 0.0,
    top: int | None = None,
    ungrouped: Ledger = NOTHING_LEFT_OVER,
) -> Table:
    """One block of columns per data set, constructions by the reference's frequency.

    Without a choice of columns, more than three data sets get one each: F-s.
    """
    chosen = columns or (tuple(FIELDS) if len(domains) <= _FEW else ("f_s",))
    for name in chosen:
        if name not in FIELDS:
            raise SettingsError(
                "no column {name!r}; there are {fields:list}",
                code="E706",
                name=name,
                fields=FIELDS,
            )
    fields = [(name, FIELDS[name]) for name in chosen]
    rows_of = [
        {row.construction: row for row in domain.scores.rows} for domain in domains
    ]
    names = list(dict.fromkeys(name for rows in rows_of for name in rows))
    shown = [
        name
        for name in names
        if any(
            100 * (_field(rows, name, "share_gold") or 0) >= min_share
            for rows in rows_of
        )
    ][:top]
    shown_columns = [Column("construction")]
    for domain in domains:
        for field, heading in fields:
            label = f"{domain.name} {heading}" if len(fields) > 1 else domain.name
            shown_columns.append(Column(f"{domain.name}_{field}", label, "percent", 1))
    table_rows: list[list[Value]] = [
        [name, *(_field(rows, name, f) for rows in rows_of for f, _ in fields)]
        for name in shown
    ]
    totals = [domain.scores.total for domain in domains]
    table_rows.append(
        [TOTAL, *(getattr(total, f) for total in totals for f, _ in fields)]
    )
    hidden = len(names) - len(shown)
    return Table(
        name="domains",
        title="Constructions by data set"
        + (f" ({fields[0][1]})" if len(fields) == 1 else ""),
        columns=shown_columns,
        rows=table_rows,
        notes=(
            *hidden_notes(hidden),
            *(f"{d.name}: {line}" for d in domains for line in _ledger_lines(d)),
            *([f"{NO_GROUP}: {ungrouped.text()}"] if ungrouped.items else []),
            *dict.fromkeys(str(d.scores.signature) for d in domains),
        ),
    )


def _ledger_lines(domain: Domain) -> list[str]:
    scores = domain.scores
    measure = scores.deriver.bracket_name
    moved = zero_notes(scores.tally.evalb.f1, scores.f1_if_zero, measure)
    return [scores.scored_text(), *moved, *convention_lines(scores)]


def _field(rows: dict[str, Any], name: str, field: str) -> Any:
    return getattr(rows[name], field) if name in rows else None


def overview_table(domains: Sequence[Domain]) -> Table:
    """The paper's Table 1: sizes, coverage and evalb of each data set."""
    deriver = domains[0].scores.deriver
    rows: list[list[Value]] = []
    for domain in domains:
        counts = domain.scores.tally
        gold, parsed = counts.gold_coverage, counts.parsed_coverage
        rows.append(
            [
                domain.name,
                counts.sentences,
                counts.scored,
                gold.brackets,
                gold.covered / gold.brackets if gold.brackets else None,
                parsed.brackets,
                parsed.covered / parsed.brackets if parsed.brackets else None,
                counts.evalb.f1,
                domain.scores.total.f_h,
                domain.scores.total.f_s,
            ]
        )
    return Table(
        name="overview",
        title="Data sets",
        columns=(
            Column("domain", "data set"),
            Column("sentences", unit="count"),
            Column("scored", unit="count"),
            Column("gold", unit="count"),
            Column("gold_coverage", "covered", "percent", 1),
            Column("parsed", unit="count"),
            Column("parsed_coverage", "covered", "percent", 1),
            Column("evalb_f1", f"{deriver.bracket_name} F1", "percent", 2),
            Column("f_h", "F-h", "percent", 1),
            Column("f_s", "F-s", "percent", 1),
        ),
        rows=rows,
    )


def split_table(split: Split, *, top: int | None = None) -> Table:
    """The gap, construction by construction, biggest contributors first."""
    measure = _MEASURE_NAMES[split.measure]
    shown = split.parts[:top]
    hidden = len(split.parts) - len(shown)
    return Table(
        name=f"gap_{split.measure}_{split.domain}",
        title=f"Where the gap in {measure} comes from: {split.domain} against "
        f"{split.reference} ({_points(split.reference_score)} to "
        f"{_points(split.domain_score)})",
        columns=(
            Column("construction"),
            Column("difference", unit="points", is_score=True),
            Column("distribution", unit="points", is_score=True),
            Column("accuracy", unit="points", is_score=True),
            Column("interaction", unit="points", is_score=True),
            Column("head", "acc: head", unit="points", is_score=True),
            Column("right", "acc: right edge", unit="points", is_score=True),
            Column("left", "acc: left edge", unit="points", is_score=True),
        ),
        rows=[
            [part.construction, *(float(value) for value in part[1:])]
            for part in (*shown, split.total)
        ],
        notes=hidden_notes(hidden),
    )


def paragraph(split: Split) -> str:
    """The split in plain words."""
    measure = _MEASURE_NAMES[split.measure]
    total = split.total
    if split.domain_score is None or split.reference_score is None:
        return f"{split.domain} and {split.reference} cannot be compared: one is empty."
    gap = total.difference
    direction = "lower" if gap < 0 else "higher"
    sentences = [
        f"{measure} is {_size(gap)} points {direction} on {split.domain} "
        f"({_points(split.domain_score)}) than on {split.reference} "
        f"({_points(split.reference_score)})."
    ]
    if gap:
        sentences.append(
            f"Of that, {_signed(total.accuracy)} is accuracy (the parser does the same "
            f"constructions {'worse' if total.accuracy < 0 else 'better'}), "
            f"{_signed(total.distribution)} distribution (constructions are more or "
            f"less frequent), {_signed(total.interaction)} both together."
        )
        sentences += _kinds(total)
        sentences += _named_parts(split, gap)
    return " ".join([*sentences, *_without_conventions(split)])


def _without_conventions(split: Split) -> list[str]:
    """What the gap is without what looks like a difference of annotation."""
    sides = (split.reference, split.domain)
    named = [
        f"{', '.join(names)} on {side}"
        for side, names in zip(sides, split.conventions, strict=True)
        if names
    ]
    if not named or split.gap_without is None:
        return []
    domain, reference = _points(split.without[1]), _points(split.without[0])
    return [
        f"Some of it looks like a difference of annotation ({'; '.join(named)}): "
        f"without it the gap is {_signed(split.gap_without)} points ({domain} against "
        f"{reference}), not {_signed(split.total.difference)}."
    ]


def _kinds(total: Part) -> list[str]:
    kinds = {kind: getattr(total, kind) for kind in _KIND_NAMES}
    ordered = sorted(kinds.items(), key=lambda item: -abs(item[1]))
    listed = ", ".join(
        f"{_KIND_NAMES[kind]} {_signed(value)}" for kind, value in ordered
    )
    return [f"By kind of error, the accuracy part is {listed}."]


def _named_parts(split: Split, gap: Fraction) -> list[str]:
    """The constructions that weigh most in the direction of the gap."""
    verb = "costs" if gap < 0 else "gains"
    same = [part for part in split.parts if part.difference * gap > 0][:_NAMED]
    sentences = []
    for part in same:
        reasons = {
            "its frequency": part.distribution,
            "its heads": part.head,
            "its right edge": part.right,
            "its left edge": part.left,
        }
        main, value = max(
            reasons.items(), key=lambda item: item[1] if gap > 0 else -item[1]
        )
        mostly = f", {_size(value)} of it by {main}" if value * gap > 0 else ""
        sentences.append(
            f"{part.construction} {verb} {_size(part.difference)} of the {_size(gap)} "
            f"points{mostly}."
        )
    return sentences


def domains_json(
    domains: Sequence[Domain], splits: Sequence[Split], ledger: Ledger
) -> dict[str, Any]:
    """The object that `spinal domains --format json` writes; see docs/json.md."""
    return {
        "ledger": ledger.as_json(),
        "domains": [
            {"name": domain.name, **construction_json(domain.scores)}
            for domain in domains
        ],
        "splits": [
            {
                "measure": split.measure,
                "reference": split.reference,
                "domain": split.domain,
                "reference_score": _number(split.reference_score),
                "domain_score": _number(split.domain_score),
                "total": _record(split.total),
                "without_conventions": {
                    "reference_score": _number(split.without[0]),
                    "domain_score": _number(split.without[1]),
                    "difference": _number(split.gap_without),
                },
                "parts": [_record(part) for part in split.parts],
                "in_words": paragraph(split),
            }
            for split in splits
        ],
    }


def _record(part: Part) -> dict[str, Any]:
    return {
        name: value if isinstance(value, str) else float(value)
        for name, value in part._asdict().items()
    }


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _points(value: Fraction | None) -> str:
    return percent(_number(value), 1)


def _size(value: Fraction) -> str:
    return f"{abs(100 * float(value)):.1f}"


def _signed(value: Fraction) -> str:
    text = f"{100 * float(value):+.1f}"
    return text if float(text) else "0.0"
