"""What `spinal check` prints: lines for people, and tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from analyzer.checks.findings import LEVELS, Finding, LeafSpan, grouped
from analyzer.checks.places import edit_text, place_json
from analyzer.checks.sources import Sources
from analyzer.safe_text import counted, shortened
from reports.model import Column, Table

_WORDS_SHOWN = 60  # characters
_PLACES_SHOWN = 20  # of a finding; JSON has all

Summary = Mapping[str, int]


def summary_line(counts: Summary) -> str:
    """The summary in words."""
    levels = ", ".join(counted(counts[level], level) for level in LEVELS[:2])
    known = f"; {counts['known']:,} known left out" if counts["known"] else ""
    return (
        f"{counted(counts['findings'], 'finding')} in "
        f"{counted(counts['groups'], 'group')} ({levels}, {counts['info']:,} info) in "
        f"{counted(counts['trees'], 'tree')}, {counted(counts['words'], 'word')}{known}"
    )


def finding_text(
    shown: Sequence[Finding],
    all_of_them: Sequence[Finding],
    counts: Summary,
    sources: Sources,
) -> str:
    """Groups of findings, a place a line as compilers write it.

    A group tells how many findings it has, shown or not.
    """
    lines = []
    total = len(all_of_them)
    sizes = Counter(one.group for one in all_of_them)
    for group, findings in grouped(shown):
        lines.append(f"{group} ({counted(sizes[group], 'finding')})")
        for one in findings:
            lines += [
                f"  {_where(one.suspects[0], sources)}: {one.level} {one.code} "
                f"({one.confidence:.2f}) {_sentence(one.suspects[0], sources)}",
                f"      {shortened(one.context, 100)}",
                f"      {one.message}",
            ]
            if one.edit:
                lines.append(f"      edit: {edit_text(sources, one.edit)}")
            lines += [
                f"      also {_where(place, sources)}: {_sentence(place, sources)}"
                for place in one.suspects[1:_PLACES_SHOWN]
            ]
            if more := len(one.suspects[_PLACES_SHOWN:]):
                lines.append(f"      and {counted(more, 'more place')}")
        lines.append("")
    if len(shown) < total:
        lines.append(f"the first {len(shown):,} of {total:,}; --limit shows more")
    lines.append(summary_line(counts))
    return "\n".join(lines)


def _where(place: LeafSpan, sources: Sources) -> str:
    """File, line and column of the first word, as far as they are known."""
    found = place_json(sources, place)
    line, column = found.get("first_line", found["line"]), found.get("first_column")
    return f"{found['file']}:{line}:{column}" if column else f"{found['file']}:{line}"


def _sentence(place: LeafSpan, sources: Sources) -> str:
    found = place_json(sources, place)
    name = f" ({found['id']})" if "id" in found else ""
    if found["start"] is None:
        return f"sentence {found['sentence']}{name}"
    words = str(found["first"])
    if found["last"] > found["first"]:
        words += f"-{found['last']}"
    noun = "words" if found["last"] > found["first"] else "word"
    characters = f"characters {found['start']}-{found['end']}"
    return f"sentence {found['sentence']}{name}, {noun} {words}, {characters}"


_PLACE_COLUMNS = ("line", "sentence", "first", "last", "start", "end")
_FILE_COLUMNS = (  # of tables that no page has to hold
    "first_line",
    "first_column",
    "last_line",
    "last_column",
    "file_start",
    "file_end",
)


def finding_table(
    findings: Sequence[Finding], sources: Sources, *, wide: bool = False
) -> Table:
    """Findings in sentences, a row a place; those of one finding share its number.

    `wide`: with all words, and where they are in the file.
    """
    rows = []
    columns = (*_PLACE_COLUMNS, *(_FILE_COLUMNS if wide else ()))
    has_ids = bool(sources.stream.bank.ids)
    for number, one in enumerate(findings, start=1):
        for place in one.suspects:
            found = place_json(sources, place)
            words = found["words"]
            rows.append(
                (
                    number,
                    one.code,
                    one.level,
                    round(one.confidence, 4),
                    found["file"],
                    *(found.get(name) for name in columns),
                    *([found.get("id", "")] if has_ids else []),
                    words if wide else shortened(words, _WORDS_SHOWN),
                    one.message,
                    edit_text(sources, one.edit) if one.edit else "",
                    one.group,
                    one.fingerprint,
                )
            )
    return Table(
        "findings",
        [
            Column("finding", unit="count"),
            Column("code"),
            Column("level"),
            Column("confidence", unit="number"),
            Column("file"),
            *(Column(name, unit="count") for name in columns),
            *([Column("id")] if has_ids else []),
            Column("words"),
            Column("analyses"),
            Column("edit"),
            Column("group"),
            Column("fingerprint"),
        ],
        rows,
    )


def document_finding_table(shown: Sequence[Finding], total: int) -> Table:
    """Findings in discourse trees; a document is named, and its units."""
    rest = f"the first {len(shown):,} of {total:,}; --limit shows more"
    return Table(
        "findings",
        [
            Column("code"),
            Column("level"),
            Column("confidence", unit="number"),
            Column("document"),
            Column("line", unit="count"),
            Column("message"),
            Column("text"),
        ],
        [
            (
                one.code,
                one.level,
                round(one.confidence, 2),
                one.document,
                one.line or None,
                one.message,
                shortened(one.words, _WORDS_SHOWN),
            )
            for one in shown
        ],
        title="Findings",
        notes=[rest if len(shown) < total else counted(total, "finding")],
    )


def inventory_finding_table(findings: Sequence[Finding]) -> Table:
    """Findings in an inventory."""
    return Table(
        name="findings",
        title=counted(len(findings), "finding"),
        columns=(Column("code"), Column("place"), Column("message")),
        rows=[[one.code, one.place, one.message] for one in findings],
    )
