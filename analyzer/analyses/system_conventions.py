"""Annotation or parser? What several systems say about it.

A difference that recurs (`metrics.recurring`) may be one of annotation, or a habit of a
parser. If two systems or more differ from gold in the same way, and on the same words,
it is rather gold that follows another rule; if only one does while the others do as
gold does, it is rather an error of that one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from analyzer.analyses.system_rows import System
from analyzer.metrics.spine_differences import SpineDifference
from analyzer.model.arrays import Flags


class SharedConvention(NamedTuple):
    """A recurring difference, and the systems that differ from gold in it."""

    constructions: tuple[str, ...]
    difference: SpineDifference
    systems: dict[str, int]  # those that it recurs in: how many words each
    others: tuple[str, ...]  # those that it does not recur in
    words: int  # that all of `systems` have it on

    @property
    def is_shared(self) -> bool:
        """Whether two systems or more agree against gold."""
        return len(self.systems) > 1

    def as_json(self) -> dict[str, object]:
        """As `conventions` in the JSON of `compare`; see docs/json.md."""
        return {
            "constructions": list(self.constructions),
            "difference": {
                side: list(names) for side, names in self.difference._asdict().items()
            },
            "systems": dict(self.systems),
            "others": list(self.others),
            "words": self.words,
            "is_shared": self.is_shared,
        }


def shared_conventions(
    systems: Sequence[System], common: Flags
) -> list[SharedConvention]:
    """The recurring differences of all systems, those of most systems first.

    `common`: the sentences that all of them are scored on.
    """
    found: dict[SpineDifference, dict[str, int]] = {}
    names: dict[SpineDifference, set[str]] = {}
    for system in systems:
        for row in system.scores.conventions.rows:
            found.setdefault(row.difference, {})[system.name] = row.words
            names.setdefault(row.difference, set()).add(row.construction)
    shared = []
    for difference, agreeing in found.items():
        words = [
            one.counted.differing.of(difference, common)
            for one in systems
            if one.name in agreeing
        ]
        others = (one.name for one in systems if one.name not in agreeing)
        shared.append(
            SharedConvention(
                tuple(sorted(names[difference])),
                difference,
                agreeing,
                tuple(others),
                len(set.intersection(*words)),
            )
        )
    return sorted(shared, key=lambda one: (-len(one.systems), -one.words))
