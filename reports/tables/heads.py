"""What `spinal patterns heads` and `spinal patterns draft` print."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from analyzer.checks.heads import CONVENTIONS, OTHER, SAME
from analyzer.metrics.ratios import ratio
from analyzer.safe_text import counted, shortened
from reports.model import Table, View, sample_text, spread, table_of

if TYPE_CHECKING:
    from analyzer.checks.draft import DraftedInventory
    from analyzer.checks.heads import HeadAgreement

_TREE_SHOWN = 90  # characters
_EXAMPLES = 10


def heads_view(result: HeadAgreement, *, limit: int | None = 25) -> View:
    """How far heads agree: by kind, by construction, and where they do not."""
    rows, has_collins = result.rows, result.collins is not None
    collins = " | collins:percent.1=Collins" if has_collins else ""
    fields = (
        "construction | constituents:count | same_share:percent.1=% same | "
        "convention:count | other:count | "
        f"agreement:percent.1=% same or convention!{collins}"
    )
    cut = ""
    if limit is not None and limit < len(rows):
        cut = f"the {limit:,} of {len(rows):,} constructions that differ most often"
    title = f"Heads by construction ({result.inventory.name})"
    shown = [*rows[:limit], result.total]
    table = table_of(
        "heads", title, fields, shown, *result.notes, cut=cut, option=_LIMIT
    )
    main = table_of("heads", title, fields, [*rows, result.total], *result.notes)
    return View([_kinds(result), _examples(result, limit), table], _data(result), main)


_LIMIT = "--limit 0 shows all"


def _kinds(result: HeadAgreement) -> Table:
    """How often heads are the same, differ by each convention, differ otherwise."""
    kinds = result.kinds
    named = [SAME, *(convention.name for convention in CONVENTIONS), OTHER]
    rows = [[name, kinds[name], ratio(kinds[name], kinds.total())] for name in named]
    title = f"Our heads beside those of dependencies ({result.inventory.name})"
    return table_of(
        "kinds", title, "head | constituents:count | share:percent.1=%", rows
    )


def _examples(result: HeadAgreement, limit: int | None) -> Table:
    most = None if limit is None else min(limit, _EXAMPLES)
    chosen = spread(result.differences, most)
    rows = [
        [
            row.construction,
            row.ours,
            row.theirs,
            str(row.place),
            row.tree if limit is None else shortened(row.tree, _TREE_SHOWN),
        ]
        for row in chosen
    ]
    sample = sample_text(len(rows), len(result.differences), "difference")
    return table_of(
        "differences",
        "Heads that differ, and not by a convention",
        "construction | ours | theirs | place | tree",
        rows,
        cut=sample,
        option=_LIMIT,
    )


def _data(result: HeadAgreement) -> Any:
    def data() -> dict[str, Any]:
        return {
            "inventory": result.inventory.name,
            "total": result.total._asdict(),
            "kinds": dict(result.kinds),
            "constructions": [row._asdict() for row in result.rows],
            "differences": [
                row._asdict() | {"place": str(row.place)} for row in result.differences
            ],
            "ledger": result.ledger.as_json(),
        }

    return data


def draft_view(result: DraftedInventory, *, files: Sequence[str] = ()) -> View:
    """The labels of a draft, how many patterns each has, where heads are from."""
    findings = [finding.message for finding in result.check.findings]
    notes = [*result.notes, *([f"wrote {' and '.join(files)}"] if files else [])]
    if findings:
        notes.append(f"{counted(len(findings), 'finding')}: {findings[0]}")
    table = table_of(
        "draft",
        f"{result.name}: a draft, {counted(len(result.inventory.patterns), 'pattern')}",
        "label | brackets:count | share:percent.1=% | patterns:count | "
        "heads=heads from | agreement:percent.1=% as there!",
        result.rows,
        *notes,
    )

    def data() -> dict[str, Any]:
        return {
            "name": result.name,
            "files": list(files),
            "patterns": len(result.inventory.patterns),
            "coverage": {
                "brackets": result.check.usage.brackets,
                "covered": result.check.covered,
            },
            "labels": [row._asdict() for row in result.rows],
            "findings": findings,
            "ledger": result.check.ledger.as_json(),
        }

    return View([table], data)
