"""Is an inventory any good? Well-formedness, overlap and coverage on a treebank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, TypedDict, Unpack

import numpy as np

from analyzer.checks.findings import Checked, Finding
from analyzer.checks.registry import INVENTORY, check
from analyzer.checks.word_stream import read_banks
from analyzer.constructions.inventory import Inventory
from analyzer.constructions.labeller import Labeller, Production
from analyzer.derivation.deriver import Deriver, derive_alone
from analyzer.derivation.syntax import syntax_deriver
from analyzer.exceptions import AnalyzerError, Place, SettingsError
from analyzer.formats.reading import Trees
from analyzer.metrics.ratios import ratio
from analyzer.model.settings import keywords
from analyzer.model.treebank import Treebank
from analyzer.pairing.ledger import SENTENCE, of_one_side
from analyzer.safe_text import counted
from analyzer.transform.labels import LabelHint, label_hint
from analyzer.transform.parameters import EvalbParameters

if TYPE_CHECKING:
    import pandas as pd


class Seen(NamedTuple):
    """A production in a treebank: how often, and where first."""

    production: Production
    times: int
    place: Place
    example: str


@dataclass
class Usage:
    """What an inventory does with a treebank."""

    constructions: Counter[str] = field(default_factory=Counter)  # covered ones
    productions: Counter[int] = field(default_factory=Counter)
    first_seen: dict[int, tuple[Place, str]] = field(default_factory=dict)
    uncovered: int = 0
    trees: int = 0
    unread: list[AnalyzerError] = field(default_factory=list)

    @property
    def brackets(self) -> int:
        return sum(self.constructions.values()) + self.uncovered


@dataclass(frozen=True)
class InventoryCheck(Checked):
    """An inventory, what a treebank makes of it, and what is wrong with it."""

    labeller: Labeller
    usage: Usage

    @property
    def inventory(self) -> Inventory:
        return self.labeller.inventory

    @property
    def covered(self) -> int:
        """Brackets that a pattern matches."""
        return self.usage.brackets - self.usage.uncovered

    @property
    def coverage(self) -> float | None:
        """The share of brackets that a pattern matches; None if there are none."""
        return ratio(self.covered, self.usage.brackets)

    @property
    def label_hint(self) -> LabelHint | None:
        """Whose labels the trees seem to have, if not those of the inventory."""
        return label_hint(labels_of(self.usage, self.labeller), self.inventory.labels)

    @property
    def uncovered(self) -> list[Seen]:
        """Productions that no pattern matches, most frequent first."""
        return seen(self.usage, self.labeller, covered=False)

    def frame(self) -> pd.DataFrame:
        """The patterns, and how often each occurs."""
        import pandas as pd

        counts = self.usage.constructions
        columns = ["construction", "count", "recursive", "pattern", "structure"]
        rows = [
            [
                pattern.name,
                counts[pattern.name],
                pattern.is_recursive,
                pattern.source,
                pattern.comment,
            ]
            for pattern in self.inventory.patterns
        ]
        return pd.DataFrame(rows, columns=columns)

    def __repr__(self) -> str:
        findings = counted(len(self.findings), "finding") if self.findings else ""
        return (
            f"<InventoryCheck {self.inventory.name}: {findings or 'no findings'}, "
            f"{self.covered:,} of {self.usage.brackets:,} brackets covered>"
        )


class Explanation(NamedTuple):
    """A production as an inventory sees it."""

    production: Production
    inventory: Inventory


def usage_of(banks: Iterable[Treebank], deriver: Deriver) -> Usage:
    """Count constructions and productions over a treebank."""
    usage = Usage()
    for bank in banks:
        usage.trees += len(bank)
        usage.unread += bank.problems.values()
        derivation = derive_alone(bank, deriver)
        numbers, first, counts = np.unique(
            derivation.production, return_index=True, return_counts=True
        )
        trees = np.searchsorted(derivation.starts, first, side="right") - 1
        columns = numbers, derivation.row[first], counts, trees
        for number, row, count, tree in zip(
            *(c.tolist() for c in columns), strict=True
        ):
            usage.productions[number] += count
            if number not in usage.first_seen:
                example = bank[tree].brackets([row])
                place = Place(bank.source, int(bank.line[tree]))
                usage.first_seen[number] = (place, example)
        used = np.bincount(derivation.construction[derivation.is_covered])
        for number in np.flatnonzero(used).tolist():
            usage.constructions[deriver.constructions[number]] += int(used[number])
        usage.uncovered += int(np.count_nonzero(~derivation.is_covered))
    return usage


def seen(usage: Usage, labeller: Labeller, *, covered: bool) -> list[Seen]:
    """Productions that are covered or not, most frequent first."""
    chosen = [
        Seen(labeller.productions[number], count, *usage.first_seen[number])
        for number, count in usage.productions.items()
        if bool(labeller.productions[number].matches) == covered
    ]
    return sorted(chosen, key=lambda row: (-row.times, str(row.production)))


@check("P101", "an example that does not hold", kind=INVENTORY)
@check(
    "P102",
    "a head that may or may not be of the node's own nonterminal",
    kind=INVENTORY,
)
@check("P103", "a name for an unknown nonterminal", kind=INVENTORY)
def check_inventory(
    inventory: Inventory, labels: Iterable[str] = ()
) -> Iterator[Finding]:
    """What can be said of the inventory alone; `labels` are phrase labels in use."""
    known = {*inventory.labels.known, *labels}
    file = inventory.source
    for pattern, example in inventory.failed_examples():
        wanted = "match" if example.is_positive else "not match"
        production = f"{example.parent} -> {' '.join(example.children)}"
        message = f"{pattern.name} should {wanted} {production}"
        yield Finding("P101", message, file=file, line=example.line)
    for pattern in inventory.patterns:
        if pattern.is_mixed(inventory.labels):
            message = (
                f"the head of {pattern.name} may be {pattern.nonterminal} or something "
                "else; split the pattern, or except one of them"
            )
            yield Finding("P102", message, file=file, line=pattern.line)
        if pattern.nonterminal not in known:
            message = (
                f"{pattern.name} is for {pattern.nonterminal}, which is not a phrase "
                f"label of the {inventory.labels.title} or of the data"
            )
            yield Finding("P103", message, file=file, line=pattern.line)


def labels_of(usage: Usage, labeller: Labeller) -> Counter[str]:
    """The phrase labels of a treebank, and how often each occurs."""
    phrases: Counter[str] = Counter()
    for number, count in usage.productions.items():
        phrases[labeller.productions[number].parent] += count
    return phrases


@check("P104", "a production that two patterns match", kind=INVENTORY)
def check_overlap(usage: Usage, labeller: Labeller) -> Iterator[Finding]:
    """Productions of a treebank that two patterns match."""
    for row in seen(usage, labeller, covered=True):
        if len(row.production.matches) > 1:
            yield Finding(
                "P104",
                f"{row.production} is matched by {' and '.join(row.production.matches)}"
                f" ({row.times:,} times): {row.example}",
                file=row.place.source or "",
                line=row.place.line or 0,
            )


class DeriverOptions(TypedDict, total=False):
    """How derivation trees are made, as in `analyses.opening.TreeOptions`."""

    patterns: str | Inventory
    params: str | EvalbParameters | None
    delete_label: Sequence[str]
    function_separator: str | None
    warn: Callable[[str], object]


deriver_keywords = keywords(DeriverOptions.__annotations__, syntax_deriver)


@deriver_keywords
def check_patterns(
    *treebanks: Trees,
    strict: bool = False,
    encoding: str = "utf-8",
    **options: Unpack[DeriverOptions],
) -> InventoryCheck:
    """What an inventory is like, alone or on treebanks: what `spinal patterns` shows.

    Options are `patterns`, `params`, `delete_label`, `function_separator`.

    >>> check_patterns("(S (NP (PRP I)) (VP (VBP see)))")
    <InventoryCheck english: no findings, 3 of 3 brackets covered>
    """
    deriver = syntax_deriver(**options)
    labeller = deriver.labeller
    labels = labeller.inventory.labels
    banks = read_banks(treebanks, labels, encoding=encoding, strict=strict)
    usage = usage_of(banks, deriver)
    findings = [
        *check_inventory(labeller.inventory, labels_of(usage, labeller)),
        *check_overlap(usage, labeller),
    ]
    ledger = of_one_side(SENTENCE, usage.trees, usage.unread)
    ledger.check("the treebank")
    return InventoryCheck(findings, ledger, labeller, usage)


def explain(production: str, **options: Unpack[DeriverOptions]) -> Explanation:
    """What an inventory makes of a production, given as `NP -> NP CC NP`.

    >>> explain("NP-SBJ -> NP , NP CC NP").production.construction
    'NP-crd'
    """
    parent, arrow, labels = production.partition("->")
    children = labels.split()
    if not arrow or not parent.strip() or not children:
        raise SettingsError("E574 cannot read the production", given=production)
    deriver = syntax_deriver(**options)
    of, labeller = deriver.tables.parameters, deriver.labeller
    deleted = {*of.delete, *of.labels.no_text}
    inventory = labeller.inventory
    children, marks = inventory.apart(children)
    bare = [label for label in children if label not in deleted]
    if options.get("function_separator") is not None:
        bare = [of.labels.bare_phrase(label) or label for label in bare]
    if not bare:
        names = " ".join(sorted(deleted))
        raise SettingsError("E575 nothing is left of", given=production, deleted=names)
    label = of.labels.bare_phrase(parent.strip())
    # Labels that nothing is known of are read as whatever makes a pattern match.
    readings = [
        labeller.label(label, reading, marks) for reading in inventory.readings(bare)
    ]
    readings.sort(key=lambda reading: not reading.matches)
    return Explanation(readings[0], labeller.inventory)
