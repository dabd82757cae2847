"""Candidates for findings: one suspicious place, its evidence, and what would mend it.

Several checks may suspect the same slip. Each hands in a candidate with the nodes that
it is about; `calibration` turns its evidence into the chance that it is an error, and
`settling` keeps, of those that one edit would settle, the surest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from analyzer.checks.findings import (
    Analysis,
    Edit,
    LeafSpan,
    Suspicion,
    kind_of,
)
from analyzer.checks.items import Items
from analyzer.checks.surroundings import Surroundings


class Candidate(NamedTuple):
    """One suspicious place."""

    code: str
    evidence: tuple[float, ...]  # what `calibration` weighs for this code
    places: tuple[LeafSpan, ...]  # the first is the one to look at
    nodes: tuple[int, ...]  # items that are suspected
    message: str
    group: str
    edit: Edit | None = None
    analyses: tuple[Analysis, ...] = ()
    now: str = ""  # what is annotated: part of the fingerprint
    rivals: tuple[
        tuple[LeafSpan, str], ...
    ] = ()  # places as suspicious; their analyses

    bystanders: tuple[tuple[LeafSpan, str], ...] = ()  # suspicious if counts change
    edits: tuple[Edit | None, ...] = ()  # of the rivals, as far as they are known

    def turned(self, place: LeafSpan) -> Candidate:
        """The candidate with one of its rivals as the place to look at."""
        at = [span for span, _ in self.rivals].index(place)
        rivals = [*self.rivals]
        _, now = rivals.pop(at)
        rivals.insert(0, (self.places[0], self.now))
        edits = [*self.edits, *[None] * (len(self.rivals) - len(self.edits))]
        edit = edits.pop(at)
        return self._replace(
            places=(place, *(one for one in self.places if one != place)),
            edit=edit,
            now=now,
            rivals=tuple(rivals),
            edits=(self.edit, *edits),
        )

    @property
    def quiet(self) -> list[Suspicion]:
        """What is suspicious now, or may become so when other places are mended."""
        kind = kind_of(self.code)
        return [*self.suspicions, *(Suspicion(kind, *one) for one in self.bystanders)]

    @property
    def suspicions(self) -> list[Suspicion]:
        """The places that are suspicious by themselves."""
        kind = kind_of(self.code)
        own = Suspicion(kind, self.places[0], self.now)
        return [own, *(Suspicion(kind, *one) for one in self.rivals)]


def place(items: Items, item: int) -> LeafSpan:
    """Where an item is."""
    bank = items.stream.bank
    row, tree = int(items.row[item]), int(items.tree[item])
    start = int(bank.leaf_start[tree])
    return LeafSpan(tree, int(bank.first[row]) - start, int(bank.last[row]) - start)


def chain_items(around: Surroundings, base: int) -> list[int]:
    """The phrases over exactly the words of an item, the topmost first."""
    items, top = around.items, int(around.chain[0][base])
    found = []
    while top != base:
        found.append(top)
        top = int(items.first_child[top])
    if not items.is_word[base]:
        found.append(base)
    return found


def _tags_of(items: Items) -> Callable[[int], int]:
    """How many function tags a row's label has."""
    bank, labels = items.stream.bank, items.stream.labels
    return lambda row: len(labels.function_tags(bank.label_name(row)))


def chain_edit(around: Surroundings, base: int, wanted: str) -> Edit | None:
    """The edit that makes the phrases over an item those wanted, if one does."""
    items = around.items
    nodes = chain_items(around, base)
    row = [int(items.row[node]) for node in nodes]
    labels = [part for part in around.chain_name(base).split("/") if part]
    parts = [part for part in wanted.split("/") if part]
    if len(labels) == len(parts):
        odd = [at for at in range(len(parts)) if labels[at] != parts[at]]
        if len(odd) == 1:
            return Edit("relabel", row[odd[0]], label=parts[odd[0]])
    elif len(labels) == len(parts) + 1:
        able = [
            at for at in range(len(labels)) if labels[:at] + labels[at + 1 :] == parts
        ]
        if able:  # of NP-SBJ over NP the one without function tags
            return Edit("drop", min((row[at] for at in able), key=_tags_of(items)))
    elif len(labels) + 1 == len(parts):
        for at in range(len(parts)):
            if parts[:at] + parts[at + 1 :] == labels:
                below = row[at] if at < len(row) else int(items.row[base])
                return Edit("add", below, label=parts[at])
    return None


def listed(counts: Sequence[tuple[str, int]]) -> str:
    """Analyses and how often each occurs: `NN 9x, NNP 1x`."""
    return ", ".join(f"{name} {count:,}x" for name, count in counts)
