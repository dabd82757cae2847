"""A finding: what is suspicious, where, and the chance that it is an error."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from analyzer.checks.registry import CHECKS, ERROR, INFO, LEVELS, WARNING, Check
from analyzer.exceptions import AnalyzerError, Place
from analyzer.model.arrays import Shown
from analyzer.model.treebank import Treebank
from analyzer.pairing.ledger import Ledger

# From which confidence on a finding of the statistical kinds is what level.
_ERROR_FROM, _WARNING_FROM = 0.9, 0.5
BETWEEN_PARTS = "\x1f"  # of a fingerprint
_WORDS_NAMED = 4


class LeafSpan(NamedTuple):
    """A place in the bank: a tree, and a run of its leaves (half-open)."""

    tree: int
    first: int  # counted within the tree, traces included
    last: int


class Suspicion(NamedTuple):
    """A place that is suspicious, and how it is annotated."""

    kind: str
    place: LeafSpan
    now: str


class Edit(NamedTuple):
    """What would mend a tree; rows are those of the treebank.

    `relabel`: the phrase `row` becomes `label`; its function tags stay. `functions`:
    its function tags become `label`. `retag`: the word of `row`. `add`: a bracket
    `label` around the sisters from `row` to `other`, or around `row` alone. `drop`: the
    bracket `row` goes, its children stay. `move`: `row` becomes the last child of
    `other` or, if it is in there already, comes after the child that holds it; with
    `label`, a bracket of that name is put around both. Of units, see `unit_edits`.
    """

    action: str
    row: int
    other: int = -1
    label: str = ""


def edit_text(bank: Treebank, edit: Edit) -> str:
    """What would be done, in words."""
    action, row, other, label = edit
    if action == "move":
        around = f", with a new {label} around both" if label else ""
        return f"attach {_named(bank, row)} to {_named(bank, other)}{around}"
    now = bank.label_name(row)
    return {
        "retag": f"tag {bank.form(int(bank.first[row]))} {label}, not {now}",
        "relabel": f"label it {label}, not {now}",
        "functions": f"give {now} the function {label}"
        if label
        else f"take the function tags off {now}",
        "drop": f"drop the bracket {now}",
        "add": f"add a bracket {label}",
    }[action]


def _named(bank: Treebank, row: int) -> str:
    """A phrase by its label and words, of many the first and last: NP (the … cat)."""
    words = bank.forms(np.arange(bank.first[row], bank.last[row]))
    if len(words) > _WORDS_NAMED:
        words = [*words[:2], "…", *words[-1:]]
    return f"{bank.label_name(row)} ({' '.join(words)})"


@dataclass(frozen=True)
class Analysis:
    """One of the competing analyses: how it looks, how often, where."""

    text: str
    count: int
    spans: tuple[LeafSpan, ...]  # the first few

    @property
    def title(self) -> str:
        """How it looks, and how often it occurs if that is known."""
        return f"{self.text} {self.count:,}×" if self.count else self.text


class Suspect(NamedTuple):
    """What a check suspects: places, the evidence, and what would mend it.

    Several checks may suspect the same slip. `merging` turns evidence into the chance
    that it is an error, and keeps, of suspects that one edit would settle, the surest.
    """

    code: str
    places: tuple[LeafSpan, ...]  # the first is the one to look at
    message: str
    group: str  # findings that one decision settles share it
    confidence: float = 1.0  # of checks without weights
    evidence: tuple[float, ...] = ()  # of others: what their weights are for
    nodes: tuple[int, ...] = ()  # that are suspected
    edit: Edit | None = None
    analyses: tuple[Analysis, ...] = ()
    now: str = ""  # what is annotated: part of the fingerprint
    support: str = ""  # what speaks for it beside, or in place of, a chance
    # Places that are as suspicious; their analyses, and their edits if they are known.
    rivals: tuple[tuple[LeafSpan, str, Edit | None], ...] = ()
    bystanders: tuple[tuple[LeafSpan, str], ...] = ()  # suspicious if counts change

    @property
    def check(self) -> Check:
        return CHECKS[self.code]

    @property
    def kind(self) -> str:
        return self.check.kind

    def with_lead(self, place: LeafSpan) -> Suspect:
        """The same with one of its rivals as the place to look at."""
        rivals = [*self.rivals]
        _, now, edit = rivals.pop([span for span, *_ in rivals].index(place))
        return self._replace(
            places=(place, *(other for other in self.places if other != place)),
            edit=edit,
            now=now,
            rivals=((self.places[0], self.now, self.edit), *rivals),
        )

    @property
    def suspicions(self) -> list[Suspicion]:
        """The places that are suspicious by themselves: where nothing competes, all."""
        if not self.evidence:
            now = self.now or self.group
            return [Suspicion(self.kind, place, now) for place in self.places]
        places = ((self.places[0], self.now, self.edit), *self.rivals)
        return [Suspicion(self.kind, place, now) for place, now, _ in places]


def fingerprint(*parts: object) -> str:
    """Sixteen digits for what is given.

    >>> fingerprint("T", "a")
    '59149a792be8901e'
    """
    text = BETWEEN_PARTS.join(map(str, parts))
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:16]


class Name(NamedTuple):
    """The fingerprint of a suspicious place."""

    fingerprint: str
    base: str  # that of the first place like it
    at: str = ""  # which of the equal sentences it is in, if there are any


@dataclass(frozen=True)
class Finding:
    """Something suspicious, in an inventory or, as a subclass, elsewhere.

    `confidence` is the chance that it is an error, and gives the level unless
    `severity` does.
    """

    code: str
    message: str
    confidence: float = 1.0
    severity: str | None = None
    words: str = ""
    group: str = ""
    now: str = ""
    file: str = ""
    line: int = 0  # 0 where a file has none
    support: str = ""  # such as "2 of 2 parsers"
    edit: Edit | None = None  # what would mend it
    suggestion: str = ""  # the edit in words
    evidence: tuple[float, ...] = field(default=(), repr=False)  # see `calibration`

    @property
    def chance(self) -> float | None:
        """The confidence; None where nobody knows the chance, and it is but a rank."""
        is_known = not CHECKS[self.code].is_without_chance
        return round(self.confidence, 4) if is_known else None

    @property
    def how_sure(self) -> str:
        """The chance, and what else supports it, in words."""
        chance = "" if self.chance is None else f"{self.chance:.2f}"
        return ", ".join(filter(None, (chance, self.support)))

    @property
    def known_as(self) -> tuple[Name, ...]:
        """All fingerprints that a baseline must have to know it."""
        return ()

    @property
    def fingerprint(self) -> str:
        """What it keeps in another version of the files."""
        return self.known_as[0].fingerprint if self.known_as else ""

    @property
    def kind(self) -> str:
        return CHECKS[self.code].kind

    @property
    def level(self) -> str:
        if self.severity is not None:
            return self.severity
        if self.confidence >= _ERROR_FROM:
            return ERROR
        return WARNING if self.confidence >= _WARNING_FROM else INFO

    @property
    def place(self) -> str:
        """File and line."""
        return str(Place(self.file, self.line or None))

    def __str__(self) -> str:
        """As a line of a compiler's, with the words below it.

        >>> print(Finding("S101", "NP has no words", words="it", file="a.mrg", line=3))
        a.mrg:3: error S101 (1.00) NP has no words
            it
        """
        text = f"{self.place}: {self.level} {self.code} ({self.confidence:.2f}) "
        words = getattr(self, "context", "") or self.words
        return text + self.message + (f"\n    {words}" if words else "")

    def _repr_html_(self) -> str:
        from html import escape

        first, *words = escape(str(self)).split("\n")
        return f"<div>{first}<blockquote>{''.join(words)}</blockquote></div>"

    def is_at_least(self, level: str) -> bool:
        """Whether it is of this level or graver.

        >>> Finding("T501", "NN 9x, JJ 1x", 0.7).is_at_least("warning")
        True
        """
        return LEVELS.index(self.level) <= LEVELS.index(level)


@dataclass(frozen=True)
class Checked(Shown):
    """What results of checks have in common; the ledger has what cannot be read."""

    findings: list[Any]
    ledger: Ledger

    @property
    def left_out(self) -> list[AnalyzerError]:
        """What cannot be read."""
        return self.ledger.unread

    @property
    def rows(self) -> list[Any]:
        return self.findings


@dataclass(frozen=True)
class TreeFinding(Finding):
    """Something suspicious in sentences.

    `suspects` are its places, the one to look at first: of two analyses that are
    equally frequent, both.
    """

    suspects: tuple[LeafSpan, ...] = ()
    analyses: tuple[Analysis, ...] = ()
    sentence: int = 0  # that of the first suspect, in its file
    id: str = ""  # what the file calls it
    context: str = ""
    merged: int = 0  # suspects that the same edit would settle
    codes: tuple[str, ...] = ()  # theirs
    also: tuple[LeafSpan, ...] = field(default=(), repr=False)  # their places
    known_as: tuple[Name, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class DocumentFinding(Finding):
    """Something suspicious in discourse trees: EDUs of a document, from 1.

    The rows of its edit are units, parents first.
    """

    document: str = ""
    first: int = 0
    last: int = 0

    @property
    def known_as(self) -> tuple[Name, ...]:
        what = self.now or f"{self.code} {self.message}"
        place = self.document, self.first, self.last
        name = fingerprint(self.kind, *place, self.words, what)
        return (Name(name, name),)


def ranked(findings: Iterable[TreeFinding]) -> list[TreeFinding]:
    """Surest first; among equals by code, then in the order of the sentences."""

    def key(item: TreeFinding) -> tuple[float, int, str, tuple[LeafSpan, ...]]:
        confidence = -round(item.confidence, 3)  # what is beyond is no evidence
        return confidence, LEVELS.index(item.level), item.code, item.suspects[:1]

    return sorted(findings, key=key)
