"""A finding: what is suspicious, where, and how far to trust that it is wrong."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from analyzer.exceptions import Place

ERROR, WARNING, INFO = "error", "warning", "info"
LEVELS = (ERROR, WARNING, INFO)  # gravest first
KINDS = ("shape", "pattern", "variation", "derivation", "tag")  # of sentences
_KIND_OF = {
    "S1": "shape",
    "P1": "inventory",
    "P2": "pattern",
    "V3": "variation",
    "D4": "derivation",
    "T5": "tag",
}
DISCOURSE = "discourse"

# From which reliability on a finding of the statistical kinds is what level.
_ERROR_FROM, _WARNING_FROM = 0.9, 0.6

CODES = {
    # sentences
    "S100": "a tree that cannot be read",
    "S101": "a phrase without words",
    "S102": "a phrase over one of its own label and nothing else",
    "S103": "an unknown phrase label",
    "S104": "an unknown part-of-speech tag",
    "S105": "a word tagged with a phrase label",
    "S106": "a phrase labelled with a part-of-speech tag",
    "S107": "a root wrapper in the middle of a tree",
    "S108": "no root wrapper, where the other trees have one",
    "S109": "punctuation without a punctuation tag",
    "S110": "several roots in one tree",
    "P201": "a production one child away from a pattern",
    "P202": "a production that no pattern is near",
    "V301": "the same words labelled differently",
    "V302": "the same words bracketed here, not bracketed there",
    "D401": "the same words built differently inside",
    "D402": "the same phrase attached differently",
    "T501": "the same word tagged differently",
    # pattern inventories
    "P101": "an example that does not hold",
    "P102": "a head that may or may not be of the node's own nonterminal",
    "P103": "a name for an unknown nonterminal",
    "P104": "a production that two patterns match",
    # discourse trees: the condition that is broken
    "R100": "cannot be read",
    "R101": "one nucleus with satellites, or nuclei of one relation (Constraint 1)",
    "R102": "one root",
    "R103": "units cover neighbouring EDUs",
    "R104": "no unit of one unit",
    "R105": "no gaps between EDUs",
    "R106": "no EDU twice",
    "R201": "relations are in the inventory",
    "R202": "relations have the nuclearity that the inventory gives",
    "R301": "a relation is mononuclear or multinuclear, not both",
    "R401": "the files of a document have the same text",
    "R501": "a connective and a relation class that rarely go together",
}


def kind_of(code: str) -> str:
    """The kind of check that a code is of."""
    return _KIND_OF.get(code[:2], DISCOURSE)


def codes_of(kinds: Collection[str]) -> list[str]:
    """The codes of some kinds of check.

    >>> codes_of(["tag", "inventory"])
    ['T501', 'P101', 'P102', 'P103', 'P104']
    """
    return [code for code in CODES if kind_of(code) in kinds]


class LeafSpan(NamedTuple):
    """A place in the bank: a tree, and a run of its leaves (half-open)."""

    tree: int
    first: int  # counted within the tree, traces included
    last: int


@dataclass(frozen=True)
class Analysis:
    """One of the competing analyses: how it looks, how often, where."""

    text: str
    count: int
    spans: tuple[LeafSpan, ...]  # the first few


@dataclass(frozen=True)
class Finding:
    """Something suspicious, in sentences, in a document or in an inventory.

    `suspects` are the places to look at: of the analyses that are rarer than the
    most frequent one, or of all if there is no such. `reliability` runs from 0 to 1,
    and gives the level unless `severity` does.
    """

    code: str
    message: str
    reliability: float = 1.0
    severity: str | None = None
    words: str = ""
    group: str = ""  # findings that one decision settles share it
    suspects: tuple[LeafSpan, ...] = ()
    analyses: tuple[Analysis, ...] = ()
    # Where it is, for people; in sentences the first suspect, filled in by `located`.
    file: str = ""
    line: int = 0  # 0 where a file has none
    sentence: int = 0
    context: str = ""
    merged: int = 0  # overlapping findings that this one stands for
    also: tuple[LeafSpan, ...] = field(default=(), repr=False)  # their suspects
    # In discourse trees: EDUs of a document, from 1.
    document: str = ""
    first: int = 0
    last: int = 0
    id: str = ""  # what the file calls the sentence

    @property
    def kind(self) -> str:
        return kind_of(self.code)

    @property
    def level(self) -> str:
        if self.severity is not None:
            return self.severity
        if self.reliability >= _ERROR_FROM:
            return ERROR
        return WARNING if self.reliability >= _WARNING_FROM else INFO

    @property
    def place(self) -> str:
        """File and line."""
        return str(Place(self.file, self.line or None))

    def is_at_least(self, level: str) -> bool:
        """Whether it is of this level or graver.

        >>> Finding("T501", "NN 9x, JJ 1x", 0.7).is_at_least("warning")
        True
        """
        return LEVELS.index(self.level) <= LEVELS.index(level)

    @property
    def fingerprint(self) -> str:
        """What a finding keeps in another version of the file.

        Made of what is said, not of where: lines move when a treebank is edited.
        Counts are left out too, so that a new occurrence of a known contradiction
        does not bring it back.
        """
        names = sorted(analysis.text for analysis in self.analyses)
        parts = [self.code, self.group, self.words, self.context, *names]
        if not self.analyses:
            parts.append(self.message)
        return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]

    def as_json(self) -> dict[str, Any]:
        """The finding as it stands in JSON; a unit of a document has less to tell."""
        if self.kind == DISCOURSE:
            names = ("code", "document", "first", "last", "line", "message", "level")
            return {name: getattr(self, name) for name in names}
        return {
            "code": self.code,
            "kind": self.kind,
            "level": self.level,
            "reliability": round(self.reliability, 4),
            "message": self.message,
            "file": self.file,
            "line": self.line,
            "sentence": self.sentence,
            **({"id": self.id} if self.id else {}),
            "words": self.words,
            "context": self.context,
            "group": self.group,
            "fingerprint": self.fingerprint,
            "merged": self.merged,
            "analyses": [
                {"analysis": one.text, "count": one.count} for one in self.analyses
            ],
        }


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Most reliable first; among equals, by kind, then the longest nucleus.

    Of fragments that differ inside the shortest comes first: all that hold it
    differ too.
    """

    def key(one: Finding) -> tuple[float, int, int, tuple[LeafSpan, ...], str]:
        length = one.suspects[0].last - one.suspects[0].first
        return (
            -round(one.reliability, 3),  # what is beyond is no evidence
            KINDS.index(one.kind),
            length if one.kind == "derivation" else -length,
            one.suspects[:1],
            one.code,
        )

    return sorted(findings, key=key)


def without_overlap(findings: Sequence[Finding]) -> list[Finding]:
    """Findings about overlapping words, merged into the most reliable of them.

    A bracket that is missing shows in every n-gram that holds it: a reader wants to
    see it once. A finding goes when each of its suspects overlaps a suspect of one
    that stays.
    """
    also: dict[int, list[Finding]] = {}
    owner: dict[tuple[int, int], int] = {}  # tree and leaf -> the finding that stays
    kept: list[Finding] = []
    for finding in findings:
        owners = {
            next(
                (
                    owner[span.tree, leaf]
                    for leaf in range(span.first, span.last)
                    if (span.tree, leaf) in owner
                ),
                -1,
            )
            for span in finding.suspects
        }
        if len(owners) == 1 and -1 not in owners:
            also.setdefault(owners.pop(), []).append(finding)
            continue
        for span in finding.suspects:
            for leaf in range(span.first, span.last):
                owner.setdefault((span.tree, leaf), len(kept))
        kept.append(finding)
    for at, others in also.items():
        spans = (span for one in others for span in one.suspects + one.also)
        kept[at] = replace(
            kept[at],
            merged=kept[at].merged + sum(1 + one.merged for one in others),
            also=(*kept[at].also, *spans),
        )
    return kept


def grouped(findings: Sequence[Finding]) -> list[tuple[str, list[Finding]]]:
    """Findings by group, in the order of each group's most reliable one."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.group, []).append(finding)
    return list(groups.items())
