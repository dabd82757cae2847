"""What `spinal check` and `spinal patterns` print: lines for people, and tables."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from analyzer.checks.decisions import MergedDecisions
from analyzer.checks.evidence import Exhibit, group_counts
from analyzer.checks.findings import DocumentFinding, Finding, TreeFinding
from analyzer.checks.fingerprints import AnyFinding
from analyzer.checks.inventory import Explanation, Seen, Usage
from analyzer.checks.registry import CHECKS, LEVELS
from analyzer.checks.sources import Sources
from analyzer.constructions.inventory import Inventory
from analyzer.metrics.ratios import ratio
from analyzer.safe_text import counted, display_width, shortened, with_ends
from analyzer.transform.labels import HeadRule, LabelSet
from reports.model import (
    Column,
    Table,
    Value,
    View,
    columns,
    hidden,
    percent,
    table_of,
)

if TYPE_CHECKING:
    from analyzer.checks.explanations import ConstructionExplanation
    from analyzer.checks.inventory import InventoryCheck
    from analyzer.checks.run import CheckResult

_WORDS_SHOWN = 60  # characters
_ONE_TABLE = ("csv", "tsv", "jsonl")
_NO_TABLES = ("text", "json", "sarif", "html")

Summary = Mapping[str, int]


def check_view(
    result: CheckResult,
    *,
    form: str = "",
    limit: int | None = 20,
    all_tables: bool = False,
) -> View:
    """The findings, those of tables in full; text is as compilers write it.

    A finding may have thousands of places, and each is looked up in its file: so there
    are only the tables that the format needs, unless all are asked for.
    """
    findings, read = result.findings, result.ledger.text("read")
    shown, total, main, text = findings[:limit], len(findings), None, None

    def data() -> dict[str, Any]:
        return {
            "summary": result.summary,
            "findings": result.as_json(),
            "ledger": result.ledger.as_json(),
            **({"compared": result.compared} if result.compared else {}),
        }

    if form == "text":
        listed = finding_text(shown, result)
        notes = "".join(f"{note}\n\n" for note in result.notes)
        text = f"{notes}{listed}\n{read}"
    if result.is_discourse:
        table = document_finding_table(shown, total)
        if form in _ONE_TABLE:
            main = document_finding_table(findings, total)
        return View([replace(table, notes=(*table.notes, read))], data, main, text=text)
    tables, sources = [], result.sources
    if all_tables or form not in _NO_TABLES:
        cut = first_findings(len(shown), total)
        table = concordance_table(shown, sources)
        tables.append(replace(table, cut=cut, option=_LIMIT))
    if form in _ONE_TABLE:
        main = finding_table(findings, sources)
    words = () if form else [repr(result)[1:-1]]
    return View(tables, data, main, words, text=text)


_LIMIT = "--limit 0 shows all"


def first_findings(shown: int, total: int, order: str = "surest") -> str:
    """What is said where not all findings are shown: which ones are."""
    if shown == total:
        return ""
    return f"the {order} {shown:,} of {counted(total, 'finding')}"


def summary_line(counts: Summary) -> str:
    """The summary in words."""
    levels = ", ".join(counted(counts[level], level) for level in LEVELS[:2])
    known = f"; {counts['known']:,} known left out" if counts["known"] else ""
    below = counts["below_level"]
    hidden = f"; {below:,} below the level left out (--level info)" if below else ""
    sizes = ("document", "tree", "word")
    size = (counted(counts[f"{noun}s"], noun) for noun in sizes if f"{noun}s" in counts)
    return (
        f"{counted(counts['findings'], 'finding')} in "
        f"{counted(counts['groups'], 'group')} ({levels}, {counts['info']:,} info) in "
        f"{', '.join(size)}{known}{hidden}"
    )


def finding_text(shown: Sequence[Finding], result: CheckResult) -> str:
    """Groups of findings, each with its words as they are used here and elsewhere.

    A group tells how many findings it has, shown or not. Groups come in the order of
    their surest findings. The folder of all files is named once.
    """
    folder, lines, exhibit = folder_of(result.files), [], result.exhibit
    if folder and shown:
        lines += [f"files in {folder}", ""]
    members, groups = grouped(result.findings), grouped(shown)
    for group, findings in groups.items():
        lines.append(group_heading(members[group]))
        for finding in findings:
            lines += _finding_lines(finding, exhibit(finding), len(folder))
        lines.append("")
    total = len(result.findings)
    if len(shown) < total:
        order = "gravest" if result.is_discourse else "surest"
        lines.append(f"{first_findings(len(shown), total, order)}; {_LIMIT}")
    codes = Counter(finding.code for finding in result.findings).most_common()
    width = max((len(f"{count:,}") for _, count in codes), default=0)
    lines += [f"{code} {count:{width},}  {CHECKS[code].text}" for code, count in codes]
    lines.append(summary_line(result.summary))
    return "\n".join(lines)


def grouped(findings: Iterable[AnyFinding]) -> dict[str, list[AnyFinding]]:
    """Findings that one decision settles, under the name of their group."""
    groups: dict[str, list[AnyFinding]] = {}
    for finding in findings:
        groups.setdefault(finding.group or finding.message, []).append(finding)
    return groups


def folder_of(files: Sequence[str]) -> str:
    """How all names of files begin, up to their folder.

    >>> folder_of(["wsj/00/one.mrg", "wsj/01/two.mrg"]), folder_of(["one.mrg"])
    ('wsj/', '')
    """
    first, last = min(files, default=""), max(files, default="")
    pairs = takewhile(lambda two: two[0] == two[1], zip(first, last, strict=False))
    same = "".join(letter for letter, _ in pairs)
    return same[: same.rfind(os.sep) + 1]


def group_heading(findings: Sequence[Finding]) -> str:
    """What competes, how often each occurs, and how many findings that settles."""
    group, counts = findings[0].group or findings[0].message, group_counts(findings)
    if counts:
        listed = (f"{name} {count:,}×" if count else name for name, count in counts)
        group = f"{group.partition(':')[0]}: {', '.join(listed)}"
    if len(findings) == 1:
        return group
    once = "decide once, " if counts else ""
    return f"{group}: {once}{counted(len(findings), 'finding')}"


_BESIDE, _INSIDE = 34, 40  # characters of a line of a concordance


def _finding_lines(finding: Finding, exhibit: Exhibit, folder: int) -> Iterator[str]:
    sure = f" ({finding.how_sure})" if finding.how_sure else ""
    yield (
        f"  {exhibit.place[folder:]}: {finding.level} {finding.code}{sure}, "
        f"{exhibit.within}"
    )
    # The heading says what the whole group has in common.
    message = exhibit.message.removeprefix(finding.group).removeprefix("; ")
    if message:
        yield f"      {message}"
    width = max((display_width(title) for title, _ in exhibit.uses), default=0)
    width = max(width, len("also")) if exhibit.also else width
    here = True
    for title, uses in (*exhibit.uses, ("also", exhibit.also)):
        for before, words, after, where in uses:
            start = before if len(before) <= _BESIDE else f"…{before[1 - _BESIDE :]}"
            yield (
                f"      {_padded(title, width)}{'  ' * bool(width)}"
                f"{_padded(start, -_BESIDE)} [{with_ends(words, _INSIDE)}] "
                f"{shortened(after, _BESIDE)}"
            ) + ("" if here else f"  ({where[folder:]})")
            title, here = "", False
        if not uses and title != "also":
            yield f"      {_padded(title, width)}  (not in this treebank)"
    if exhibit.more:
        yield f"      and {counted(exhibit.more, 'more place')}"
    if finding.suggestion:
        yield f"      edit: {finding.suggestion}"


def _padded(text: str, width: int) -> str:
    """A text with spaces after it or, if the width is negative, before it."""
    spaces = " " * (abs(width) - display_width(text))
    return f"{spaces}{text}" if width < 0 else f"{text}{spaces}"


def concordance_table(findings: Sequence[TreeFinding], sources: Sources) -> Table:
    """Findings as a concordance, a row a use: those of one finding share its number."""
    folder = folder_of(sources.stream.files)
    rows: list[list[Value]] = []
    for number, finding in enumerate(findings, start=1):
        comment = finding.message, finding.suggestion
        for title, uses in sources.exhibit(finding).uses:
            for before, words, after, where in uses:
                row: list[Value] = [
                    number,
                    finding.code,
                    finding.chance,
                    where[len(folder) :],
                ]
                row += [title, before, shortened(words, _WORDS_SHOWN), after]
                rows.append([*row, *comment])
            comment = "", ""
    return table_of(
        "findings",
        "Findings",
        "finding:count | code | confidence:number | place | annotated | before | words "
        "| after | message | edit",
        rows,
        *([f"files in {folder}"] if folder else []),
    )


_IN_SENTENCE = ("line", "sentence", "first", "last", "start", "end")
_IN_FILE = (
    *("first_line", "first_column", "last_line", "last_column"),
    *("file_start", "file_end"),
)


def finding_table(findings: Sequence[TreeFinding], sources: Sources) -> Table:
    """Findings for programs, a row a place; those of one finding share its number."""
    rows: list[list[Value]] = []
    numbers = (*_IN_SENTENCE, *_IN_FILE)
    has_ids = bool(sources.stream.bank.ids)
    for number, finding in enumerate(findings, start=1):
        for place in map(sources.location, finding.suspects):
            row: list[Value] = [number, finding.code, finding.level]
            row += [finding.chance, place.file]
            row += [getattr(place, name) for name in numbers]
            row += [place.id] if has_ids else []
            texts = (place.words, finding.message, finding.suggestion)
            rows.append([*row, *texts, finding.group, finding.fingerprint])
    places = "".join(f" | {name}:count" for name in numbers)
    heading = (
        f"finding:count | code | level | confidence:number | file{places}"
        f"{' | id' if has_ids else ''} | words | analyses | edit | group | fingerprint"
    )
    return Table("findings", columns(heading), rows)


def merged_view(merged: MergedDecisions) -> View:
    """How far annotators agree, and the findings on which they do not."""
    folder = folder_of(merged.names)
    names = [path[len(folder) :] for path in merged.names]
    agreement = table_of(
        "agreement",
        "Agreement",
        "annotators | both:count=both decided | agree:percent=agree % | kappa:number",
        [
            (f"{names[a]}, {names[b]}", kappa.n, kappa.observed, kappa.kappa)
            for (a, b), kappa in merged.kappa.items()
        ],
        "Verdicts on findings that both decided on; kappa is Cohen's",
    )
    decided = sum(decision.is_made for decision in merged.decisions)
    conflicts = table_of(
        "conflicts",
        "Conflicts: undecided in the merged file, with who said what as the comment",
        (*columns("fingerprint | code | context | message"), *map(Column, names)),
        [
            (
                *(
                    decision.fingerprint,
                    decision.code,
                    shortened(decision.context, _WORDS_SHOWN),
                ),
                *(decision.message, *choices),
            )
            for decision, choices in merged.conflicts
        ],
        f"{counted(len(merged.conflicts), 'conflict')}; {decided:,} of "
        f"{counted(len(merged.decisions), 'finding')} decided",
    )

    def data() -> dict[str, Any]:
        listed = [
            decision.as_json() | {"choices": dict(zip(names, choices, strict=True))}
            for decision, choices in merged.conflicts
        ]
        return {"agreement": agreement.records(), "conflicts": listed}

    return View([agreement, conflicts], data)


def document_finding_table(shown: Sequence[DocumentFinding], total: int) -> Table:
    """Findings in discourse trees; a document is named, and its units."""
    return table_of(
        "findings",
        "Findings",
        "code | level | confidence:number | document | line:count | message | edit "
        "| text",
        [
            (
                *(finding.code, finding.level, finding.chance, finding.document),
                *(finding.line or None, finding.message, finding.suggestion),
                shortened(finding.words, _WORDS_SHOWN),
            )
            for finding in shown
        ],
        *([counted(total, "finding")] if len(shown) == total else []),
        cut=first_findings(len(shown), total, "gravest"),
        option=_LIMIT,
    )


def inventory_finding_table(findings: Sequence[Finding]) -> Table:
    """Findings in an inventory."""
    title = counted(len(findings), "finding")
    return table_of("findings", title, "code | place | message", findings)


def inventory_view(
    result: InventoryCheck,
    *,
    action: str = "",
    has_treebank: bool | None = None,
    limit: int | None = None,
) -> View:
    """`list`: the patterns; `check`: what is wrong with them; in a notebook both.

    With a treebank, how often patterns occur there, and what none of them matches.
    """
    usage, read = result.usage, result.ledger.text("read")
    if has_treebank is None:
        has_treebank = bool(usage.brackets)
    findings = inventory_finding_table(result.findings)
    tables: list[Table] = [findings] if result.findings and action != "list" else []
    if action == "check":
        if has_treebank:
            tables.append(uncovered_table(result.uncovered, usage, limit=limit))
    else:
        counted_in = usage if has_treebank else None
        tables.append(inventory_table(result.inventory, counted_in))
    if has_treebank:
        tables[-1] = replace(tables[-1], notes=(*tables[-1].notes, read))

    def data() -> dict[str, Any]:
        ledger: dict[str, Any] = {}
        if has_treebank:
            ledger["ledger"] = result.ledger.as_json()
        if action != "check":
            return {"patterns": tables[-1].records(), **ledger}
        if has_treebank:
            ledger["coverage"] = {"brackets": usage.brackets, "covered": result.covered}
            ledger["uncovered"] = tables[-1].records()
        return {**ledger, "findings": findings.records()}

    return View(tables, data)


# -- pattern inventories: listed, checked, explained -------------------------------

_LONGEST = 100


def inventory_table(inventory: Inventory, usage: Usage | None) -> Table:
    """All patterns; with a treebank, how often each occurs."""
    counts = "" if usage is None else "count:count | share:percent=% | "
    rows: list[list[Value]] = []
    for pattern in inventory.patterns:
        row: list[Value] = [pattern.name]
        if usage is not None:
            count = usage.constructions[pattern.name]
            row += [count, ratio(count, usage.brackets)]
        row += ["yes" if pattern.is_recursive else "no", pattern.source]
        rows.append([*row, shortened(pattern.comment, _LONGEST)])
    return table_of(
        "patterns",
        f"{inventory.name}: {len(inventory.patterns)} patterns for "
        f"{len(inventory.nonterminals)} nonterminals",
        f"construction | {counts}recursive | pattern | structure",
        rows,
        *([] if usage is None else [_coverage(usage)]),
    )


def uncovered_table(items: Sequence[Seen], usage: Usage, *, limit: int | None) -> Table:
    """The most frequent productions that no pattern matches, with an example each."""
    rows: list[list[Value]] = []
    for item in items[:limit]:
        rows.append([str(item.production), item.times, str(item.place)])
        rows[-1].append(shortened(item.example, _LONGEST))
    return table_of(
        "uncovered",
        "Productions that no pattern matches, most frequent first",
        "production | count:count | place | example",
        rows,
        f"{counted(len(items), 'uncovered production')}, "
        f"{counted(usage.uncovered, 'bracket')}",
        _coverage(usage),
        cut=hidden(len(items) - len(rows), "rarer production"),
        option=_LIMIT,
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


def construction_explanation(
    explained: ConstructionExplanation, *, width: int = 80
) -> str:
    """What a construction is: its pattern in words, an example drawn, its counts."""
    from reports.drawing.outline import outline
    from reports.drawing.tree_text import draw

    pattern, example = explained.pattern, explained.example
    own = f"of its own category ({pattern.nonterminal}): it has no attachment score"
    others = "of another category: it has an attachment score (att)"
    facts = [
        ("pattern", pattern.source),
        ("in words", explained.words),
        ("head", own if pattern.is_recursive else others),
        ("matches", ", ".join(explained.examples(positive=True))),
        ("not", ", ".join(explained.examples(positive=False))),
        ("same pattern", ", ".join(explained.same_pattern)),
    ]
    if explained.ledger is not None:
        share = "" if explained.share is None else f" ({100 * explained.share:.2f} %)"
        brackets = f"{explained.count:,} of {explained.brackets:,} brackets{share}"
        facts.append(("counts", brackets))
        listed = [
            f"{production} ({times:,})" for production, times in explained.productions
        ]
        facts.append(("mostly", ", ".join(listed)))
    left = max(len(name) for name, text in facts if text) + 2
    lines = [f"{pattern.name} ({explained.inventory.name})"]
    lines += ["", *wrap(pattern.comment, width), ""] if pattern.comment else [""]
    for name, text in facts:
        given = wrap(text, max(30, width - left), break_on_hyphens=False)
        starts = [name.ljust(left), *(" " * left for _ in given[1:])]
        lines += [f"{start}{line}" for start, line in zip(starts, given, strict=False)]
    if explained.classes:
        lines += ["", "classes"]
        names = max(len(leaf_class.name) for leaf_class in explained.classes) + 2
        for leaf_class in explained.classes:
            text = (
                f"{leaf_class.members}  # {leaf_class.comment}"
                if leaf_class.comment
                else leaf_class.members
            )
            given = wrap(text, max(30, width - names - 2), break_on_hyphens=False)
            starts = [leaf_class.name.ljust(names), *(" " * names for _ in given[1:])]
            lines += [f"  {a}{b}" for a, b in zip(starts, given, strict=True)]
    of = f"example, {example.place}" if example.place else "example: a production"
    drawing = draw(outline(example.tree, marks=example.marks), width=width)
    return "\n".join([*lines, "", f"{of}; * marks the way to the head", "", drawing])


def construction_data(explained: ConstructionExplanation) -> dict[str, object]:
    """What JSON has of a construction."""
    pattern = explained.pattern
    data: dict[str, object] = {
        "construction": pattern.name,
        "nonterminal": pattern.nonterminal,
        "structure": pattern.comment,
        "pattern": pattern.source,
        "in_words": explained.words,
        "recursive": pattern.is_recursive,
        "same_pattern": explained.same_pattern,
        "classes": [word_class._asdict() for word_class in explained.classes],
        "matches": explained.examples(positive=True),
        "does_not_match": explained.examples(positive=False),
        "example": str(explained.example.tree),
        "head_word": explained.example.head,
    }
    if explained.ledger is not None:
        data |= {"count": explained.count, "brackets": explained.brackets}
        data["productions"] = dict(explained.productions)
    return data


def _in_words(rule: HeadRule, labels: LabelSet) -> str:
    """A rule of default heads, for people."""
    what = {
        "same": "child with the parent's own label",
        "word": f"tag that is not {' or '.join(sorted(labels.conjunction))}, "
        "nor punctuation",
        "tag": f"tag that is not {' or '.join(sorted(labels.conjunction))}",
        "phrase": "phrase",
        "any": "child",
    }
    return f"the {rule.side} {what.get(rule.what, rule.what)}"


def _coverage(usage: Usage) -> str:
    covered = usage.brackets - usage.uncovered
    share = ratio(covered, usage.brackets)
    return f"coverage: {covered:,} of {usage.brackets:,} brackets ({percent(share)} %)"
