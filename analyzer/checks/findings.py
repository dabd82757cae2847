"""A finding: what is suspicious, where, and the chance that it is an error."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from analyzer.exceptions import Place

ERROR, WARNING, INFO = "error", "warning", "info"
LEVELS = (ERROR, WARNING, INFO)  # gravest first
KINDS = (  # of sentences
    "shape",
    "pattern",
    "variation",
    "derivation",
    "tag",
    "model",
    "function",
)
_KIND_OF = {
    "S1": "shape",
    "P1": "inventory",
    "P2": "pattern",
    "V3": "variation",
    "D4": "derivation",
    "T5": "tag",
    "M6": "model",
    "F7": "function",
}
DISCOURSE = "discourse"

# From which confidence on a finding of the statistical kinds is what level.
_ERROR_FROM, _WARNING_FROM = 0.9, 0.5

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
    "T501": "the same word tagged differently",
    "T502": "a tag that contradicts the rest of the treebank",
    "M601": "a label that contradicts the rest of the treebank",
    "M602": "a bracket too many or missing, judged by the rest of the treebank",
    "M603": "an attachment that contradicts the rest of the treebank",
    "M604": "a label that these children never have here",
    "F701": "the same phrase with different function tags",
    "F702": "function tags that contradict the rest of the treebank",
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
    "R601": "the parts of a same-unit are apart",
    "R602": "the parts of a same-unit are in one sentence",
    "R603": "a satellite on the side where its relation does not have it",
    "R604": "a satellite that joins a larger or smaller unit than others",
    "R605": "a relation that is unusual for its words and sentences",
}


def kind_of(code: str) -> str:
    """The kind of check that a code is of."""
    return _KIND_OF.get(code[:2], DISCOURSE)


def codes_of(kinds: Collection[str]) -> list[str]:
    """The codes of some kinds of check.

    >>> codes_of(["tag", "inventory"])
    ['T501', 'T502', 'P101', 'P102', 'P103', 'P104']
    """
    return [code for code in CODES if kind_of(code) in kinds]


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
    `label`, a bracket of that name is put around both.
    """

    action: str
    row: int
    other: int = -1
    label: str = ""


class Name(NamedTuple):
    """The fingerprint of a suspicious place."""

    fingerprint: str
    base: str  # that of the first place like it
    at: str = (
        ""  # one that says which of the equal sentences it is in, if there are any
    )


@dataclass(frozen=True)
class Analysis:
    """One of the competing analyses: how it looks, how often, where."""

    text: str
    count: int
    spans: tuple[LeafSpan, ...]  # the first few


@dataclass(frozen=True)
class Finding:
    """Something suspicious, in sentences, in a document or in an inventory.

    `suspects` are its places, the one to look at first: of two analyses that are
    equally frequent, both. `confidence` is the chance that it is an error, and gives
    the level unless `severity` does.
    """

    code: str
    message: str
    confidence: float = 1.0
    severity: str | None = None
    words: str = ""
    group: str = ""  # findings that one decision settles share it
    suspects: tuple[LeafSpan, ...] = ()
    analyses: tuple[Analysis, ...] = ()
    edit: Edit | None = None  # what would mend it
    now: str = ""  # what is annotated
    # Where it is, for people; in sentences the first suspect, filled in by `located`.
    file: str = ""
    line: int = 0  # 0 where a file has none
    sentence: int = 0
    context: str = ""
    merged: int = 0  # findings that the same edit would settle
    codes: tuple[str, ...] = ()  # theirs
    also: tuple[LeafSpan, ...] = field(default=(), repr=False)  # their places
    # In discourse trees: EDUs of a document, from 1.
    document: str = ""
    first: int = 0
    last: int = 0
    id: str = ""  # what the file calls the sentence
    # What it keeps in another version of the files, filled in by `identity`; and all
    # fingerprints that a baseline must have to know it.
    fingerprint: str = ""
    known_as: tuple[Name, ...] = field(default=(), repr=False)
    others: tuple[Suspicion, ...] = field(default=(), repr=False)  # the rest of them

    @property
    def kind(self) -> str:
        return kind_of(self.code)

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

    def is_at_least(self, level: str) -> bool:
        """Whether it is of this level or graver.

        >>> Finding("T501", "NN 9x, JJ 1x", 0.7).is_at_least("warning")
        True
        """
        return LEVELS.index(self.level) <= LEVELS.index(level)

    @property
    def suspicions(self) -> tuple[Suspicion, ...]:
        """All that a baseline must know to know this finding; its own place first."""
        now = self.now or (self.message if self.code == "S100" else self.group)
        own = [Suspicion(self.kind, place, now) for place in self._own_places]
        return tuple(dict.fromkeys([*own, *self.others]))

    @property
    def _own_places(self) -> tuple[LeafSpan, ...]:
        """The first; of findings that no `others` are known of, all."""
        return self.suspects[:1] if self.others or self.now else self.suspects


def ranked(findings: Iterable[Finding]) -> list[Finding]:
    """Surest first; among equals by code, then in the order of the sentences."""

    def key(one: Finding) -> tuple[float, int, str, tuple[LeafSpan, ...]]:
        return (
            -round(one.confidence, 3),  # what is beyond is no evidence
            LEVELS.index(one.level),
            one.code,
            one.suspects[:1],
        )

    return sorted(findings, key=key)


def grouped(findings: Sequence[Finding]) -> list[tuple[str, list[Finding]]]:
    """Findings by group, in the order of each group's surest one."""
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.group, []).append(finding)
    return list(groups.items())
