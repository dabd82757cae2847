"""Data sets side by side: the paper's Table 2, and where the gap comes from."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from typing import Any

from analyzer.analyses.domain_gap import (
    Domain,
    DomainComparison,
    Measure,
    Part,
    Split,
    cumulative,
    drawn_units,
)
from analyzer.exceptions import SettingsError
from analyzer.metrics.constructions import MEASURES, measures_of
from analyzer.metrics.intervals import UNKNOWN, gap_text
from analyzer.metrics.measures import TOTAL, measure_named
from analyzer.metrics.ratios import ratio
from analyzer.pairing.ledger import NO_GROUP, NOTHING_LEFT_OVER, Ledger
from reports.model import (
    Column,
    Figures,
    Table,
    Value,
    View,
    beside,
    columns,
    interval_text,
    percent,
    table_of,
)
from reports.tables.causes import gap_causes_table
from reports.tables.constructions import construction_json
from reports.tables.notes import convention_lines, hidden_rows, zero_notes

_F_S = measure_named("f_s", MEASURES)
_WORTH_NAMING = Fraction(1, 20)  # of the gap
_FEW = 3  # data sets that fit side by side with all columns
_MEASURE_NAMES = {"f_s": "F-s", "recall": "recall", "precision": "precision"}
KIND_NAMES = {"head": "heads", "right": "right edges", "left": "left edges"}
_FIELDS = {
    "its frequency": "distribution",
    "its heads": "head",
    "its right edge": "right",
    "its left edge": "left",
}
_NAMED = 3  # constructions that the paragraph names


def domains_view(
    result: DomainComparison,
    *,
    measures: Sequence[Measure] = ("f_s",),
    columns: Sequence[str] | None = None,
    min_share: float = 0.5,
    top: int | None = 12,
) -> View:
    """Data sets side by side, and where the gaps to the first come from."""
    domains, splits = result.domains, result.splits(measures)
    by_construction = domain_table(
        domains, columns=columns, min_share=min_share, ungrouped=result.ungrouped
    )
    tables = [overview_table(domains), by_construction]
    for split in splits:
        tables.append(split_table(split, top=top))
        if split.causes:
            tables.append(gap_causes_table(split, top=top))
    if domains[0].scores.functions is not None:
        from reports.tables.functions import functions_overview, tags_side_by_side

        named = [(domain.name, domain.scores.functions) for domain in domains]
        functions = [(name, scores) for name, scores in named if scores is not None]
        tables.append(functions_overview(functions, what="data set"))
        tables.append(tags_side_by_side(functions))

    def plots() -> Figures:
        from reports.plots.scores import cumulative_figure, split_figure

        counts = {
            domain.name: {row.construction: row.gold for row in domain.scores.rows}
            for domain in domains
        }
        gaps = {
            f"gap_{split.measure}_{split.domain}": split_figure(
                split, counts[split.domain]
            )
            for split in splits
        }
        return {"cumulative": cumulative_figure(domains), **gaps}

    data = partial(domains_json, domains, splits, result.ledger)
    words = [paragraph(split) for split in splits]
    files = [cumulative_table(domains)]
    return View(tables, data, by_construction, words, plots, files=files)


def domain_table(
    domains: Sequence[Domain],
    *,
    columns: Sequence[str] | None = None,
    min_share: float = 0.0,
    ungrouped: Ledger = NOTHING_LEFT_OVER,
) -> Table:
    """One block of columns per data set, constructions by the reference's frequency.

    Without a choice of columns, more than three data sets get one each: F-s.
    """
    known = {"share_gold": "%gold"}
    known |= {measure.name: measure.title for measure in measures_of(detail=1)}
    chosen = columns or (tuple(known) if len(domains) <= _FEW else ("f_s",))
    for name in chosen:
        if name not in known:
            raise SettingsError("E706 there are", name=name, fields=known)
    rows_of = [
        {row.construction: row for row in domain.scores.rows} for domain in domains
    ]
    names = list(dict.fromkeys(name for rows in rows_of for name in rows))
    shown = [
        name
        for name in names
        if any(
            100 * (rows[name].share_gold or 0) >= min_share
            for rows in rows_of
            if name in rows
        )
    ]
    fields = [Column("construction")]
    for domain in domains:
        for name in chosen:
            heading = f"{domain.name} {known[name]}" if len(chosen) > 1 else domain.name
            fields.append(Column(f"{domain.name}_{name}", heading, "percent", 1))
    totals = [
        getattr(domain.scores.total, name) for domain in domains for name in chosen
    ]
    title = "Constructions by data set"
    return table_of(
        "domains",
        title if len(chosen) > 1 else f"{title} ({known[chosen[0]]})",
        fields,
        [*beside(rows_of, shown, chosen), [TOTAL, *totals]],
        *(
            f"{domain.name}: {line}"
            for domain in domains
            for line in ledger_lines(domain)
        ),
        *([f"{NO_GROUP}: {ungrouped.text()}"] if ungrouped.items else []),
        *dict.fromkeys(
            str(domain.scores.signature.replace(intervals=drawn_units(domains)))
            for domain in domains
        ),
        cut=hidden_rows(names, shown),
    )


def ledger_lines(domain: Domain) -> list[str]:
    """What was scored of a data set, and what may be its annotation."""
    scores = domain.scores
    measure = scores.deriver.bracket_name
    moved = zero_notes(scores.tally.evalb.f1, scores.f1_if_zero, measure)
    return [scores.scored_text(), *moved, *convention_lines(scores)]


def overview_table(domains: Sequence[Domain]) -> Table:
    """The paper's Table 1: sizes, coverage and evalb of each data set."""
    rows: list[list[Value]] = []
    for domain in domains:
        scores, counts = domain.scores, domain.scores.tally
        row: list[Value] = [domain.name, scores.ledger.gold, scores.ledger.scored]
        row.append(counts.tokens)
        for part in (counts.gold_coverage, counts.parsed_coverage):
            row += [*part, ratio(part.covered, part.brackets)]
        total, interval = scores.total, scores.intervals(_F_S)[TOTAL]
        row += [counts.evalb.f1, total.f_h, total.f_s, interval_text(interval)]
        rows.append(row)
    fields = columns(
        "domain=data set | sentences:count={noun}s | scored:count | "
        "tokens:count={leaf} | gold:count | gold_covered:count=covered | "
        "gold_coverage:percent.1=% | parsed:count | parsed_covered:count=covered | "
        "parsed_coverage:percent.1=% | evalb_f1:percent={evalb} F1 | "
        "f_h:percent.1=F-h | f_s:percent.1=F-s | f_s_interval=95 %",
        noun=domains[0].scores.deriver.noun,
        leaf="tokens" if domains[0].scores.deriver.has_tags else "EDUs",
        evalb=domains[0].scores.deriver.bracket_name,
    )
    return table_of("overview", "Data sets", fields, rows)


def cumulative_table(domains: Sequence[Domain]) -> Table:
    """The paper's Figure 6 as numbers: each row adds the next construction."""
    fields = "data_set | construction | share:percent.1 | f_h:percent.1 | f_s:percent.1"
    rows = [
        [domain.name, *point]
        for domain in domains
        for point in cumulative(domain.scores)
    ]
    return table_of("cumulative", "Cumulative scores", fields, rows)


def split_table(split: Split, *, top: int | None = None) -> Table:
    """The gap, construction by construction, biggest contributors first."""
    measure = _MEASURE_NAMES[split.measure]
    shown = split.parts[:top]
    return table_of(
        f"gap_{split.measure}_{split.domain}",
        f"Where the gap in {measure} comes from: {split.domain} against "
        f"{split.reference} ({_points(split.reference_score)} to "
        f"{_points(split.domain_score)})",
        "construction | difference:points! | interval=95 % | distribution:points! | "
        "accuracy:points! | interaction:points! | head:points=acc: head! | "
        "right:points=acc: right edge! | left:points=acc: left edge!",
        [
            [
                part.construction,
                float(part.difference),
                interval_text(split.interval(part), sign="+"),
                *(float(value) for value in part[2:]),
            ]
            for part in (*shown, split.total)
        ],
        *_chance_notes(split, shown),
        cut=hidden_rows(split.parts, shown),
        option="--top shows more",
    )


def paragraph(split: Split) -> str:
    """The split in plain words."""
    measure = _MEASURE_NAMES[split.measure]
    total = split.total
    if split.domain_score is None or split.reference_score is None:
        return f"{split.domain} and {split.reference} cannot be compared: one is empty."
    gap, interval = total.difference, split.interval(total)
    if interval == UNKNOWN:
        return (
            f"{measure} is {_points(split.domain_score)} on {split.domain} and "
            f"{_points(split.reference_score)} on {split.reference}; there is too "
            "little text to say whether they differ."
        )
    if not interval.excludes_zero:
        return (
            f"No difference in {measure} can be shown between {split.domain} "
            f"({_points(split.domain_score)}) and {split.reference} "
            f"({_points(split.reference_score)}): the gap is {_signed(gap)} points "
            f"({gap_text(interval)})."
        )
    direction = "lower" if gap < 0 else "higher"
    sentences = [
        f"{measure} is {_size(gap)} points {direction} on {split.domain} "
        f"({_points(split.domain_score)}) than on {split.reference} "
        f"({_points(split.reference_score)}; {gap_text(interval)})."
    ]
    worse = "worse" if total.accuracy < 0 else "better"
    meanings = {
        "accuracy": f"the parser does the same constructions {worse}",
        "distribution": "constructions are more or less frequent",
        "interaction": "both together",
    }
    parts = [
        f"{_signed(getattr(total, name))} is {name} ({meaning})"
        for name, meaning in meanings.items()
        if split.interval(total, name).excludes_zero
    ]
    if parts:
        sentences.append(f"Of that, {', '.join(parts)}.")
    sentences += _kinds(split)
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
        f"{reference}), not {_signed(split.total.difference)}. The correction "
        "leaves it out of both data sets."
    ]


def _chance_notes(split: Split, shown: Sequence[Part]) -> list[str]:
    """How many of the shown parts may be chance."""
    if not split.intervals:
        return ["too little text for intervals"]
    sure = sum(split.interval(part).excludes_zero for part in shown)
    return [
        f"the interval of the difference excludes 0 for {sure} of {len(shown)} "
        "constructions; one of twenty would do so by chance"
    ]


def _kinds(split: Split) -> list[str]:
    total = split.total
    kinds = {
        kind: getattr(total, kind)
        for kind in KIND_NAMES
        if split.interval(total, kind).excludes_zero
    }
    if not kinds:
        return []
    ordered = sorted(kinds.items(), key=lambda item: -abs(item[1]))
    listed = ", ".join(
        f"{KIND_NAMES[kind]} {_signed(value)}" for kind, value in ordered
    )
    return [f"Kinds of error in the accuracy part whose interval excludes 0: {listed}."]


def _named_parts(split: Split, gap: Fraction) -> list[str]:
    """The constructions that surely weigh most in the direction of the gap."""
    verb = "costs" if gap < 0 else "gains"
    same = [
        part
        for part in split.parts
        if part.difference * gap > 0
        and abs(part.difference) >= abs(gap) * _WORTH_NAMING
        and split.interval(part).excludes_zero
    ][:_NAMED]
    sentences = []
    for part in same:
        reasons = {name: getattr(part, field) for name, field in _FIELDS.items()}
        main, value = max(
            reasons.items(), key=lambda item: item[1] if gap > 0 else -item[1]
        )
        is_sure = split.interval(part, _FIELDS[main]).excludes_zero
        mostly = f", {_size(value)} of it by {main}" if is_sure else ""
        sentences.append(
            f"{part.construction} {verb} {_size(part.difference)} of the {_size(gap)} "
            f"points{mostly}."
        )
    return sentences


def domains_json(
    domains: Sequence[Domain], splits: Sequence[Split], ledger: Ledger
) -> dict[str, Any]:
    """The object that `spinal domains --format json` writes; see docs/json.md."""
    scored = [
        {
            "name": domain.name,
            **construction_json(domain.scores),
            "cumulative": [point._asdict() for point in cumulative(domain.scores)],
        }
        for domain in domains
    ]
    return {
        "ledger": ledger.as_json(),
        "domains": scored,
        "splits": [_split_json(split) for split in splits],
    }


def _split_json(split: Split) -> dict[str, Any]:
    return {
        "measure": split.measure,
        "reference": split.reference,
        "domain": split.domain,
        "reference_score": _number(split.reference_score),
        "domain_score": _number(split.domain_score),
        "total": _record(split, split.total),
        "without_conventions": {
            "reference_score": _number(split.without[0]),
            "domain_score": _number(split.without[1]),
            "difference": _number(split.gap_without),
        },
        "parts": [_record(split, part) for part in split.parts],
        "causes": [
            {**cause._asdict(), "points": float(cause.points)} for cause in split.causes
        ],
        "in_words": paragraph(split),
    }


def _record(split: Split, part: Part) -> dict[str, Any]:
    numbers = {name: float(getattr(part, name)) for name in Part._fields[1:]}
    intervals = {name: split.interval(part, name)._asdict() for name in numbers}
    return {"construction": part.construction, **numbers, "intervals": intervals}


def _number(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _points(value: Fraction | None) -> str:
    return percent(_number(value), 1)


def _size(value: Fraction) -> str:
    return f"{abs(100 * float(value)):.1f}"


def _signed(value: Fraction) -> str:
    text = f"{100 * float(value):+.1f}"
    return text if float(text) else "0.0"
