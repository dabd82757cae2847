"""Pattern inventories as tables: listed, checked, explained."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.checks.inventory import Explanation, Seen, Usage
from analyzer.constructions.inventory import Inventory
from analyzer.metrics.ratios import ratio
from analyzer.safe_text import counted, shortened
from analyzer.transform.labels import HeadRule, LabelSet
from reports.model import Column, Table, Value, percent

_LONGEST = 100


def inventory_table(inventory: Inventory, usage: Usage | None) -> Table:
    """All patterns; with a treebank, how often each occurs."""
    columns = [Column("construction"), Column("recursive"), Column("pattern")]
    if usage is not None:
        columns[1:1] = [
            Column("count", unit="count"),
            Column("share", "%", "percent", 2),
        ]
    columns.append(Column("structure"))
    rows: list[list[Value]] = []
    for pattern in inventory.patterns:
        row: list[Value] = [pattern.name]
        if usage is not None:
            count = usage.constructions[pattern.name]
            row += [count, ratio(count, usage.brackets)]
        row += ["yes" if pattern.is_recursive else "no", pattern.source]
        rows.append([*row, shortened(pattern.comment, _LONGEST)])
    return Table(
        name="patterns",
        title=f"{inventory.name}: {len(inventory.patterns)} patterns for "
        f"{len(inventory.nonterminals)} nonterminals",
        columns=columns,
        rows=rows,
        notes=() if usage is None else (_coverage(usage),),
    )


def uncovered_table(found: Sequence[Seen], usage: Usage, *, limit: int | None) -> Table:
    """The most frequent productions that no pattern matches, with an example each."""
    return Table(
        name="uncovered",
        title="Productions that no pattern matches, most frequent first",
        columns=(
            Column("production"),
            Column("count", unit="count"),
            Column("place"),
            Column("example"),
        ),
        rows=[
            [
                str(one.production),
                one.times,
                str(one.place),
                shortened(one.example, _LONGEST),
            ]
            for one in found[:limit]
        ],
        notes=(
            f"{counted(len(found), 'uncovered production')}, "
            f"{counted(usage.uncovered, 'bracket')}",
            _coverage(usage),
        ),
    )


def explanation(explained: Explanation) -> str:
    """Which pattern matches a production, which child is the head, and why."""
    production, inventory = explained
    children = production.children
    head = children[production.head]
    lines = [
        str(production),
        "read as: "
        + " ".join(f"{c.label}{' (tag)' if c.is_leaf else ''}" for c in children),
        "",
    ]
    if production.matches:
        lines.append(f"construction: {production.construction}")
    else:
        lines.append(
            f"no pattern of {production.parent} matches: uncovered, scored as "
            f"{production.construction}"
        )
    lines.append(f"head: {head.label}, child {production.head + 1} of {len(children)}")
    lines.append("")
    candidates = inventory.by_nonterminal.get(production.parent, [])
    if not candidates:
        lines.append(f"the inventory has no patterns for {production.parent}")
    for pattern in candidates:
        verdict = "matches" if pattern.name in production.matches else "no"
        lines.append(f"  {verdict:8} {pattern.name:10} {pattern.source}")
    chosen = [p for p in candidates if p.name == production.construction]
    if production.matches and chosen and chosen[0].comment:
        lines += ["", f"{chosen[0].name}: {chosen[0].comment}"]
    if not production.matches:
        rules = [_in_words(rule, inventory.labels) for rule in inventory.labels.head]
        lines += ["", f"default head: {', else '.join(rules)}"]
    if len(production.matches) > 1:
        lines += ["", f"{' and '.join(production.matches)} overlap: the first counts"]
    return "\n".join(lines)


def _in_words(rule: HeadRule, labels: LabelSet) -> str:
    """A rule of default heads, for people."""
    what = {
        "same": "child with the parent's own label",
        "tag": f"tag that is not {' or '.join(sorted(labels.conjunction))}",
        "phrase": "phrase",
        "any": "child",
    }
    return f"the {rule.side} {what[rule.what]}"


def _coverage(usage: Usage) -> str:
    covered = usage.brackets - usage.uncovered
    share = ratio(covered, usage.brackets)
    return f"coverage: {covered:,} of {usage.brackets:,} brackets ({percent(share)} %)"
