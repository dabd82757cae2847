"""What people decided on findings: one kind of file, for all that reads or writes them.

A line is a JSON object, and its fingerprint says which finding it is about:

    {"fingerprint":"9fd3a1b2c4d5e6f7","verdict":"error","annotator":"kim", …}

Lines are in the order of their fingerprints, so that git merges two people's files.
Only `fingerprint` must be there. `verdict` is `error`, `fine` or `undecided` (which it
is if it is not there); `comment`, `annotator` and `date` are the annotator's; `code`,
`confidence`, `file`, `context` and `message` tell people what the finding was; `edit`
is what `--apply` does if the verdict is `error`, and may be left out: an error that is
to be mended otherwise. `also` are further fingerprints that the finding is known by. A
baseline is such a file: whatever stands in it is known.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import combinations
from typing import Any

from analyzer.checks.findings import Finding, Name
from analyzer.exceptions import InputError, Place
from analyzer.files.atomic import write_bytes
from analyzer.files.small_files import parse_json, read_lines
from analyzer.metrics.ratios import Kappa, cohen

WRONG, FINE, UNDECIDED = VERDICTS = ("error", "fine", "undecided")
Edits = Mapping[str, Mapping[str, Any]]  # of findings, by their fingerprints


@dataclass(frozen=True)
class Decision:
    """A line of a file of decisions: a finding, and what was decided on it."""

    fingerprint: str
    verdict: str = UNDECIDED
    comment: str = ""
    annotator: str = ""
    date: str = ""  # as the browser gave it
    code: str = ""
    confidence: float | None = None  # that the finding had
    file: str = ""
    context: str = ""
    message: str = ""
    edit: Mapping[str, Any] | None = None
    also: tuple[str, ...] = ()  # other fingerprints that it is known by
    line: int = field(default=0, compare=False)  # where it was read

    @property
    def is_made(self) -> bool:
        """Whether somebody decided."""
        return self.verdict != UNDECIDED

    @property
    def choice(self) -> str:
        """The verdict, and what becomes of an error."""
        if self.verdict != WRONG or self.edit is None:
            return self.verdict
        made = (str(self.edit.get(name, "")) for name in ("action", "label"))
        return " ".join(filter(None, (WRONG, *made)))

    @property
    def known(self) -> tuple[str, ...]:
        """All fingerprints that a finding is known by."""
        return self.fingerprint, *self.also

    def as_json(self) -> dict[str, Any]:
        """What stands in its line: all that it has."""
        values = {name: getattr(self, name) for name in FIELDS}
        if self.confidence == 1:
            values["confidence"] = 1  # as browsers write it
        return {name: value for name, value in values.items() if value or name in _KEPT}


_KEPT = ("fingerprint", "verdict")
_OF_FINDING = ("code", "confidence", "file", "context", "message")
FIELDS = tuple(one.name for one in fields(Decision) if one.name != "line")
Decisions = Mapping[str, Decision]  # by fingerprint


def decisions_of(
    findings: Iterable[Finding],
    edits: Edits,
    earlier: Decisions | None = None,
    below_threshold: Iterable[Name] = (),
) -> list[Decision]:
    """A line for each finding, with what was decided `earlier`; and all that was.

    `below_threshold` is hardly suspicious, and has a line without a verdict: it may
    become more so when other places are mended, but then it is not new.
    """
    lines = dict(earlier or {})
    for finding in findings:
        known = {
            key for name in finding.known_as for key in (name.fingerprint, name.at)
        }
        now = Decision(
            finding.fingerprint,
            code=finding.code,
            confidence=round(finding.confidence, 3),
            file=finding.file,
            context=getattr(finding, "context", finding.words),
            message=finding.message,
            edit=edits.get(finding.fingerprint),
            also=tuple(sorted(known - {"", finding.fingerprint})),
        )
        lines[finding.fingerprint] = _renewed(lines.get(finding.fingerprint), now)
    names = (key for name in below_threshold for key in (name.fingerprint, name.at))
    listed = {key for line in lines.values() for key in line.known}
    more = sorted({key for key in names if key} - listed)
    return [*lines.values(), *map(Decision, more)]


def _renewed(earlier: Decision | None, now: Decision) -> Decision:
    """What was decided on a finding as it is now; an edit that was decided on stays."""
    if earlier is None:
        return now
    kept = {name: getattr(earlier, name) for name in _KEPT[1:] + _ANNOTATORS}
    renewed = replace(now, **kept)
    if earlier.verdict == WRONG and renewed.choice != earlier.choice:
        return replace(renewed, edit=earlier.edit)
    return renewed


_ANNOTATORS = ("comment", "annotator", "date")

# -- files ----------------------------------------------------------------------------


def written_decisions(decisions: Iterable[Decision]) -> str:
    """The text of a file: a line each, in the order of the fingerprints.

    >>> print(written_decisions([Decision("b2", "fine"), Decision("a1")]), end="")
    {"fingerprint":"a1","verdict":"undecided"}
    {"fingerprint":"b2","verdict":"fine"}
    """
    ordered = sorted(decisions, key=lambda decision: decision.fingerprint)
    # As browsers write them: a file is the same, whoever saved it.
    write = partial(json.dumps, ensure_ascii=False, separators=(",", ":"))
    return "".join(f"{write(decision.as_json())}\n" for decision in ordered)


def write_decisions(decisions: Iterable[Decision], path: str) -> None:
    """Write a file of decisions, whole or not at all."""
    # Names of files are bytes, and need not be UTF-8: JSON writes them as \udc80.
    write_bytes(path, written_decisions(decisions).encode("utf-8", "backslashreplace"))


def read_decisions(path: str) -> dict[str, Decision]:
    """The decisions of a file, by fingerprint, in the order of its lines.

    A finding may stand in two lines, as when git joined two files; if these decide
    differently, that is an error.
    """
    decisions: dict[str, Decision] = {}
    for number, line in enumerate(read_lines(path), start=1):
        if not line.strip():
            continue
        read = _read_line(line, Place(path, number))
        other = decisions.setdefault(read.fingerprint, read)
        if other.is_made and read.is_made and other.choice != read.choice:
            raise InputError(
                "E677 is decided on as", Place(path, number), name=read.fingerprint,
                choice=read.choice, other=other.choice, line=other.line,
            )  # fmt: skip
        if read.is_made and not other.is_made:
            decisions[read.fingerprint] = read
    return decisions


def _read_line(line: str, place: Place) -> Decision:
    try:
        data = parse_json(line, str(place.source))
        values = {name: data.pop(name) for name in FIELDS if name in data}
        also = tuple(values.pop("also", ()))
        texts = [
            value
            for name, value in values.items()
            if name not in ("confidence", "edit")
        ]
        is_text = all(isinstance(text, str) for text in (*texts, *also))
        edit, confidence = values.get("edit"), values.get("confidence")
        is_edit = edit is None or isinstance(edit, dict)
        is_chance = confidence is None or (
            isinstance(confidence, int | float) and 0 <= confidence <= 1
        )
        if data or not (is_text and is_edit and is_chance and values["fingerprint"]):
            raise InputError("E188 is not a decision", place)
        decision = Decision(**values, also=also, line=place.line or 0)
    except (InputError, AttributeError, KeyError, TypeError) as error:
        raise InputError("E188 is not a decision", place) from error
    if decision.verdict not in VERDICTS:
        raise InputError(
            "E676 the verdict", place, verdict=decision.verdict, there=VERDICTS
        )
    return decision


def read_known(path: str) -> frozenset[str]:
    """The fingerprints that a baseline knows: all in a file, whatever was decided."""
    return known_in(read_decisions(path).values())


def known_in(decisions: Iterable[Decision]) -> frozenset[str]:
    """All fingerprints that some decisions are about."""
    return frozenset(key for decision in decisions for key in decision.known)


# -- of several annotators ------------------------------------------------------------


@dataclass(frozen=True)
class MergedDecisions:
    """The decisions of several files as one, and how far they agree.

    `kappa` is Cohen's of each two files, by their places, over the verdicts on
    findings that both decided on. A conflict is a line of the merged file, and what
    was chosen file by file, "" where nothing was.
    """

    names: tuple[str, ...]
    decisions: list[Decision]
    kappa: Mapping[tuple[int, int], Kappa]
    conflicts: list[tuple[Decision, tuple[str, ...]]]


def merged_decisions(files: Mapping[str, Decisions]) -> MergedDecisions:
    """Files as one: what was decided in any; on what conflicts nobody has decided.

    Who said what then stands in the comment.
    """
    names, listed = tuple(files), list(files.values())
    kappa = {
        (a, b): cohen(
            Counter(
                (decision.verdict, listed[b][key].verdict)
                for key, decision in listed[a].items()
                if decision.is_made and key in listed[b] and listed[b][key].is_made
            )
        )
        for a, b in combinations(range(len(listed)), 2)
    }
    merged, conflicts = [], []
    for key in sorted({key for file in listed for key in file}):
        lines = [file.get(key) for file in listed]
        decision = _merged(names, lines)
        merged.append(decision)
        choices = tuple(line.choice if line and line.is_made else "" for line in lines)
        if len(set(filter(None, choices))) > 1:
            conflicts.append((decision, choices))
    return MergedDecisions(names, merged, kappa, conflicts)


def _merged(names: Sequence[str], lines: Sequence[Decision | None]) -> Decision:
    there = [row for row in lines if row is not None]
    made = [row for row in there if row.is_made] or there
    also = tuple(sorted({key for row in there for key in row.also}))
    if len({row.choice for row in made}) == 1:
        comments, annotators = (
            "; ".join(dict.fromkeys(filter(None, given)))
            for given in zip(
                *((row.comment, row.annotator) for row in made), strict=True
            )
        )
        return replace(made[0], comment=comments, annotator=annotators, also=also)
    choices = [
        f"{row.annotator or name}: {row.choice}{row.comment and f' ({row.comment})'}"
        for name, row in zip(names, lines, strict=True)
        if row is not None and row.is_made
    ]
    edit = next((row.edit for row in made if row.edit is not None), None)
    bare = Decision(
        made[0].fingerprint, comment="; ".join(choices), edit=edit, also=also
    )
    kept = {name: getattr(made[0], name) for name in _OF_FINDING}
    return replace(bare, **kept)
