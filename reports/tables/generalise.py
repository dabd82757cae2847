"""What a parser has not learnt, does not generalise, loses: tables, words and JSON."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from analyzer.analyses.generalise import (
    KINDS,
    WHOLE,
    Correlation,
    Generalisation,
    Points,
    Target,
)
from analyzer.metrics.measures import TOTAL
from analyzer.safe_text import counted
from reports.model import Column, Table, Value, View, columns, percent, table_of
from reports.tables.constructions import construction_json
from reports.tables.domains import KIND_NAMES, ledger_lines, overview_table
from reports.tables.notes import hidden_rows

_STAGE_NAMES = {
    "not_learnt": "not learnt",
    "not_generalised": "not generalised",
    "lost": "lost here",
    WHOLE: "missing",
}
_NAMED = 3  # constructions that a sentence names


def generalisation_view(result: Generalisation, *, top: int | None = 12) -> View:
    """The data sets, how their F-h correlate, and what is missing where."""
    tables = [overview_table(result.domains), correlation_table(result)]
    tables += [target_table(result, target, top) for target in result.targets]
    lines = [
        f"{domain.name}: {line}"
        for domain in result.domains
        for line in ledger_lines(domain)
    ]
    drawn = ", ".join(
        f"{counted(size, noun)} of {name}"
        for name, (size, noun) in result.units.items()
    )
    sampling = f"95 %: {result.resamples:,} bootstrap samples of {drawn}"
    notes = [*tables[-1].notes, *lines, sampling, str(result.signature)]
    tables[-1] = replace(tables[-1], notes=notes)
    words = [paragraph(result, target) for target in result.targets]
    return View(tables, lambda: generalisation_json(result), flat_table(result), words)


def correlation_table(result: Generalisation) -> Table:
    """Whether what is hard in one data set is hard in the others."""
    return table_of(
        "correlations",
        "Correlation of F-h between data sets, over constructions (Pearson's r)",
        "first=data set | second=and | constructions:count | r:number.2 | "
        "low:number.2=from | high:number.2=to",
        result.correlations,
        f"of constructions with at least {result.min_gold} in gold of both",
    )


def target_table(result: Generalisation, target: Target, top: int | None) -> Table:
    """What is missing on one data set, that which most is missing of first."""
    stages = (*target.stages, WHOLE)
    path = [*result.domains[:2], *_of(result, target)]
    fields = [Column("construction"), *columns("share_gold:percent.1=%gold")]
    fields += [
        Column(f"{domain.name}_f_s", f"F-s {domain.name}", "percent", 1)
        for domain in path
    ]
    for stage in stages:
        fields.append(Column(stage, _STAGE_NAMES[stage], "number", 2))
        fields.append(Column(f"{stage}_interval", "95 %"))
    rows_of = [{row.construction: row for row in domain.scores.rows} for domain in path]
    totals = [domain.scores.total for domain in path]
    shown = target.constructions[:top]
    rows: list[list[Value]] = []
    for name in (*shown, TOTAL):
        here = [
            total if name == TOTAL else of_set.get(name)
            for of_set, total in zip(rows_of, totals, strict=True)
        ]
        share = None if here[-1] is None else here[-1].share_gold
        row: list[Value] = [name, share]
        row += [None if scores is None else scores.f_s for scores in here]
        for stage in stages:
            points = target.at(name, stage)
            row += [100 * float(points.points), _interval(points)]
        rows.append(row)
    before = path[-2].name
    return table_of(
        f"missing_{target.name}",
        f"What is missing on {target.name}, in points of F-s",
        fields,
        rows,
        "not learnt: missed on the training data; not generalised: found there, missed "
        f"on {path[1].name}"
        + (f"; lost here: found on {before}, missed here" if len(path) > 2 else ""),
        *_not_in_training(target, path[0].name, set(rows_of[0])),
        cut=hidden_rows(target.constructions, shown),
        option="--top shows more",
    )


def _of(result: Generalisation, target: Target) -> list[Any]:
    """The target itself, if it is not the second data set."""
    return [domain for domain in result.domains[2:] if domain.name == target.name]


def _not_in_training(target: Target, train: str, known: set[str]) -> list[str]:
    """What is said of constructions that the training data does not have."""
    new = [name for name in target.constructions if name not in known]
    if not new:
        return []
    points = sum(target.at(name, "not_learnt").points for name in new)
    return [
        f"{counted(len(new), 'construction')} absent from {train} count as not learnt "
        f"({100 * float(points):.2f} points)"
    ]


def paragraph(result: Generalisation, target: Target) -> str:
    """What can be said for certain of a data set, in plain words.

    A part is named only if its interval excludes 0.
    """
    train, dev = (domain.name for domain in result.domains[:2])
    what = {
        "not_learnt": f"not learnt (missed on {train}, too)",
        "not_generalised": f"learnt, but not generalised to {dev}",
        "lost": f"lost on {target.name}",
    }
    whole = target.at()
    sentences = [
        f"On {target.name}, {_size(whole)} of 100 points of F-s are missing "
        f"({_interval(whole)})."
    ]
    for stage in target.stages:
        points = target.at(TOTAL, stage)
        if not points.is_certain:
            sentences.append(
                f"That anything is {what[stage]} cannot be shown: {_signed(points)} "
                f"points ({_interval(points)})."
            )
            continue
        gained = "gained, not " if points.points < 0 else ""
        sentences.append(
            f"{_size(points)} ({_interval(points)}) are {gained}{what[stage]}"
            f"{_kinds(target, stage)}{_constructions(target, stage)}."
        )
    if target.distribution.is_certain:
        sentences.append(
            f"The frequencies of {target.name} alone make the F-s of {target.before} "
            f"{_size(target.distribution)} points "
            f"{'lower' if target.distribution.points < 0 else 'higher'} "
            f"({_interval(target.distribution)})."
        )
    sentences += _carried(result, train, target.name)
    return " ".join(sentences)


def _kinds(target: Target, stage: str) -> str:
    """The kinds of error that certainly add to a stage, the largest first."""
    certain = [(target.at(TOTAL, stage, kind), kind) for kind in KINDS]
    named = sorted(
        (-abs(part.points), part, kind) for part, kind in certain if part.is_certain
    )
    listed = ", ".join(f"{KIND_NAMES[kind]} {_signed(part)}" for _, part, kind in named)
    return f" ({listed})" if listed else ""


def _constructions(target: Target, stage: str) -> str:
    """The constructions that certainly add most to a stage, in its direction."""
    total = target.at(TOTAL, stage).points
    parts = [(target.at(name, stage), name) for name in target.constructions]
    certain = [
        (-abs(part.points), name, part)
        for part, name in parts
        if part.is_certain and part.points * total > 0
    ]
    named = [f"{name} {_signed(part)}" for _, name, part in sorted(certain)[:_NAMED]]
    return f", most of all {', '.join(named)}" if named else ""


def _carried(result: Generalisation, train: str, name: str) -> list[str]:
    """Whether what is hard in training is hard here."""
    for pair in result.correlations:
        if (pair.first, pair.second) == (train, name) and _is_certain(pair):
            return [
                f"What is hard on {train} is hard on {name}: the F-h of "
                f"{pair.constructions} constructions correlate with r = {pair.r:.2f} "
                f"({pair.low:.2f} to {pair.high:.2f})."
            ]
    return []


def _is_certain(correlation: Correlation) -> bool:
    return correlation.low is not None and correlation.low > 0


def flat_table(result: Generalisation) -> Table:
    """A row for each data set, construction and stage: for programs."""
    fields = (
        "data_set | construction | stage | points:number.6 | low:number.6 | "
        "high:number.6 | head:number.6 | right:number.6 | left:number.6"
    )
    rows = [
        [
            target.name,
            name,
            stage,
            float(target.at(name, stage).points),
            *target.at(name, stage)[1:],
            *_by_kind(target, name, stage),
        ]
        for target in result.targets
        for name in (*target.constructions, TOTAL)
        for stage in (*target.stages, WHOLE)
    ]
    return table_of("generalise", "", fields, rows)


def _by_kind(target: Target, name: str, stage: str) -> list[float]:
    return [float(target.at(name, stage, kind).points) for kind in KINDS]


def generalisation_json(result: Generalisation) -> dict[str, Any]:
    """The object that `spinal generalise --format json` writes; see docs/json.md."""
    return {
        "ledger": result.ledger.as_json(),
        "domains": [
            {"name": item.name, **construction_json(item.scores)}
            for item in result.domains
        ],
        "targets": [_target_json(result, item) for item in result.targets],
        "correlations": [item._asdict() for item in result.correlations],
        "resampled": {
            name: {"units": size, "of": noun}
            for name, (size, noun) in result.units.items()
        },
        "signature": str(result.signature),
    }


def _target_json(result: Generalisation, target: Target) -> dict[str, Any]:
    def record(points: Points) -> dict[str, float | None]:
        return {**points._asdict(), "points": float(points.points)}

    def stages(construction: str) -> dict[str, Any]:
        return {
            stage: {
                **record(target.at(construction, stage)),
                **dict(zip(KINDS, _by_kind(target, construction, stage), strict=True)),
            }
            for stage in (*target.stages, WHOLE)
        }

    return {
        "data_set": target.name,
        "before": target.before,
        "total": stages(TOTAL),
        "constructions": [
            {"construction": name, **stages(name)} for name in target.constructions
        ],
        "distribution": record(target.distribution),
        "in_words": paragraph(result, target),
    }


def _interval(points: Points) -> str:
    if points.low is None or points.high is None:
        return "-"
    return f"{100 * points.low:.2f} to {100 * points.high:.2f}"


def _size(points: Points) -> str:
    return percent(abs(float(points.points)), 1)


def _signed(points: Points) -> str:
    text = f"{100 * float(points.points):.1f}"
    return text if float(text) else "0.0"
