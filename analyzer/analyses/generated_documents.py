"""What language models do to the text of discourse documents, beside gold's.

`score_rst(..., faithfulness=True)` counts it as `faithfulness` does for sentences:
documents that are no trees or are missing, characters that were changed, left out or
added, the EDUs that have such characters, and EDUs that end elsewhere. White space and
case do not count, as where documents are aligned (`on_mismatch="align"`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from analyzer.analyses.compared import frame_of
from analyzer.metrics.signature import Signature
from analyzer.model.arrays import Flags, Ints
from analyzer.model.discourse import Documents
from analyzer.pairing.one_text import differences, squeezed
from analyzer.pairing.partners import (
    ENOUGH_TEXT,
    malformed_documents,
    names_to_pair,
)
from analyzer.pairing.same_text import shared_names

if TYPE_CHECKING:
    import pandas as pd


class DocumentFaithfulness(NamedTuple):
    """A document that both sides have: EDUs, and characters without white space."""

    document: str
    edus: int  # of gold
    predicted_edus: int
    changed_edus: int  # of gold, with characters that are changed or missing
    changed_predicted_edus: int  # with characters that are changed or added
    moved_boundaries: int  # between EDUs of gold, where the text is the same
    characters: int  # of gold
    changed: int  # of gold, in whose place there is other text
    missing: int
    added: int

    @property
    def has_text(self) -> bool:
        """Whether it has gold's text and no other."""
        return not (self.changed or self.missing or self.added)

    @property
    def is_faithful(self) -> bool:
        """Whether it has gold's text in gold's EDUs."""
        same_number = self.edus == self.predicted_edus
        return self.has_text and same_number and not self.moved_boundaries

    @property
    def is_alike(self) -> bool:
        """Whether it has other text, and enough of gold's for `align`."""
        lost = self.changed + self.missing
        is_enough = 1 - lost / max(self.characters, 1) >= ENOUGH_TEXT
        return is_enough and not self.has_text


@dataclass(frozen=True, repr=False)
class GeneratedDocuments:
    """What became of the text of gold's documents."""

    documents: int  # of gold
    malformed: int  # predicted, and no tree
    missing: int  # not predicted
    compared: list[DocumentFaithfulness]  # those that both sides have

    @property
    def rows(self) -> list[DocumentFaithfulness]:
        """The documents that are not gold's text in gold's EDUs."""
        return [row for row in self.compared if not row.is_faithful]

    @property
    def signature(self) -> Signature:
        return Signature.of(scorer="rst-faithfulness", case="ignored")

    def total(self, name: str) -> int:
        """The sum of a number of all documents."""
        return sum(getattr(row, name) for row in self.compared)

    def frame(self) -> pd.DataFrame:
        """All documents that both sides have, as a table of pandas."""
        fields = DocumentFaithfulness._fields
        return frame_of(self.compared, fields, "document")

    def __repr__(self) -> str:
        alike = sum(row.has_text for row in self.compared)
        return (
            f"<GeneratedDocuments: {alike:,} of {self.documents:,} with gold's text, "
            f"{self.malformed:,} malformed, {self.missing:,} missing>"
        )


def faithful_documents(gold: Documents, parsed: Documents) -> GeneratedDocuments:
    """What was changed in the text of gold's documents; both sides with their texts."""
    shared = shared_names(*names_to_pair(gold, parsed))
    compared = [
        _compared(gold.names[at], gold.texts_of(at), parsed.texts_of(beside))
        for at, beside in shared.places
    ]
    here = {at for at, _ in shared.places}
    others = [name for at, name in enumerate(gold.names) if at not in here]
    malformed = len({*others} & {*malformed_documents(parsed)})
    missing = len(others) - malformed
    return GeneratedDocuments(len(gold.names), malformed, missing, compared)


def _compared(name: str, gold: list[str], parsed: list[str]) -> DocumentFaithfulness:
    """The EDUs of a document on both sides.

    >>> _compared("a", ["He left,", "it rained."], ["He left, it", "poured."])
    DocumentFaithfulness(document='a', edus=2, predicted_edus=2, changed_edus=1, \
changed_predicted_edus=1, moved_boundaries=1, characters=16, changed=4, missing=0, \
added=0)
    """
    texts = [[squeezed(edu) for edu in edus] for edus in (gold, parsed)]
    ends = [np.cumsum([0, *map(len, edus)]) for edus in texts]
    sizes = [int(end[-1]) for end in ends]
    passages = differences("".join(texts[0]), "".join(texts[1]))
    is_same = [np.ones(size, np.bool_) for size in sizes]
    # Where each character of gold stands in what was predicted; behind it, the end.
    beside = np.full(sizes[0] + 1, -1, np.int64)
    at = other = changed = missing = added = 0
    for passage in (*passages, None):
        stop = sizes[0] if passage is None else passage.start
        beside[at:stop] = np.arange(other, other + stop - at)
        if passage is None:
            continue
        is_same[0][passage.start : passage.end] = False
        is_same[1][passage.other_start : passage.other_end] = False
        changed += passage.end - passage.start if passage.is_change else 0
        missing += 0 if passage.is_change else passage.end - passage.start
        added += 0 if passage.is_change else passage.other_end - passage.other_start
        at, other = passage.end, passage.other_end
    inner = ends[0][1:-1]
    placed = beside[inner]
    moved = (placed >= 0) & ~np.isin(placed, ends[1])
    return DocumentFaithfulness(
        document=name,
        edus=len(gold),
        predicted_edus=len(parsed),
        changed_edus=_touched(is_same[0], ends[0]),
        changed_predicted_edus=_touched(is_same[1], ends[1]),
        moved_boundaries=int(np.count_nonzero(moved)),
        characters=sizes[0],
        changed=changed,
        missing=missing,
        added=added,
    )


def _touched(is_same: Flags, ends: Ints) -> int:
    """How many EDUs have characters that the other side lacks."""
    lacking = np.append(0, np.cumsum(~is_same))
    return int(np.count_nonzero(lacking[ends[1:]] > lacking[ends[:-1]]))
