"""What is kept of each sentence of a system: enough to bring systems together.

Systems are counted apart, block by block. Which sentences all of them can be compared
on is known only at the end, and resampling draws sentences: so counts are kept for
each sentence, a row for each construction that it has.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from analyzer.constructions.names import ConstructionNames
from analyzer.derivation.deriver import Deriver
from analyzer.metrics.constructions import (
    COUNTS,
    Cells,
    Comparison,
    ConstructionCounts,
    Coverage,
    Tally,
    by_sentence,
    compare,
)
from analyzer.metrics.functions import SentenceFunctions
from analyzer.metrics.ratios import MatchCounts
from analyzer.metrics.spine_differences import (
    DifferingWords,
    concatenated,
    differing_words,
)
from analyzer.model.arrays import Flags, Ids, Ints, sums_between
from analyzer.pairing.in_step import PairTask, SentencePair
from analyzer.pairing.ledger import Ledger, total
from analyzer.pairing.mismatches import OnMismatch

_GOLD, _PARSED = COUNTS.index("gold"), COUNTS.index("parsed")
# Per sentence, what evalb and the coverage count.
_GOLD_COVERED, _PARSED_COVERED, _MATCHED, _SAME_HEAD, _SAME_CONSTRUCTION = range(5)
_WRAPPERS = slice(5, 8)  # matched, in gold, in parsed


class GoldBrackets(NamedTuple):
    """The gold brackets of a block, and which of them a system found."""

    sentence: Ids  # from 0
    node: Ids  # within the sentence's tree
    construction: Ids
    is_found: Flags  # F-s


class SystemCounts(NamedTuple):
    """What is kept of each sentence of a system, of all blocks or of one."""

    names: Sequence[str]  # of the constructions, by number
    is_comparable: Flags
    cells: Cells
    bracket_counts: Ints  # sentences x the eight counts above
    gold: GoldBrackets
    differing: DifferingWords  # words within their sentences
    ledger: Ledger
    functions: SentenceFunctions | None = None  # if asked for
    ids: tuple[str, ...] = ()  # what gold's file calls them; none: nothing


@dataclass(frozen=True)
class SystemWork:
    """How a block of a system's output is counted, sentence by sentence."""

    deriver: Deriver
    on_mismatch: OnMismatch = OnMismatch.SKIP

    def __call__(self, task: PairTask) -> SystemCounts:
        found = [self._counts(pair) for pair in task.pairs()]
        if len(found) == 1:
            return found[0]
        return concatenate(found, self.deriver.constructions)

    def _counts(self, pair: SentencePair) -> SystemCounts:
        comparison = compare(pair, self.deriver, on_mismatch=self.on_mismatch)
        if comparison.left_out and self.on_mismatch == "error":
            raise comparison.left_out[0].error
        gold, parsed = comparison.gold, comparison.parsed
        sentence = np.repeat(np.arange(len(pair.gold)), np.diff(gold.starts))
        return SystemCounts(
            comparison.constructions.listed,
            comparison.alignment.is_comparable,
            by_sentence(comparison),
            np.column_stack(
                [
                    sums_between(gold.is_covered, gold.starts),
                    sums_between(parsed.is_covered, parsed.starts),
                    sums_between(comparison.by_bracket.gold, gold.starts),
                    sums_between(comparison.by_bracket_and_head.gold, gold.starts),
                    sums_between(
                        comparison.by_bracket_and_construction.gold, gold.starts
                    ),
                    comparison.wrappers_matched,
                    np.diff(gold.wrappers.starts),
                    np.diff(parsed.wrappers.starts),
                ]
            ),
            GoldBrackets(
                sentence.astype(np.int32),
                (gold.row - pair.gold.node_start[sentence]).astype(np.int32),
                gold.construction,
                comparison.by_span.gold,
            ),
            _differing(comparison),
            comparison.ledger,
            comparison.functions.phrases.by_sentence()
            if comparison.functions
            else None,
            pair.gold.ids,
        )


def _differing(comparison: Comparison) -> DifferingWords:
    """The words whose spines differ, counted from the start of their sentences."""
    found = differing_words(
        comparison.gold,
        comparison.parsed,
        comparison.by_head,
        comparison.constructions,
    )
    alignment = comparison.alignment
    words = np.diff(alignment.leaves(of_gold=True)[1])
    before = np.append(0, np.cumsum(np.where(alignment.is_comparable, words, 0)))
    return found._replace(word=found.word - before[found.tree])


def concatenate(
    parts: Sequence[SystemCounts], constructions: ConstructionNames
) -> SystemCounts:
    """The counts of blocks one after another, all by the same numbers."""
    if len(parts) == 1 and list(parts[0].names) == constructions.listed:
        return parts[0]
    numbers = [
        np.array([constructions.number(name) for name in part.names], np.int32)
        for part in parts
    ]
    sizes = [part.is_comparable.size for part in parts]
    starts = [0, *accumulate(sizes)]
    names = constructions.listed
    functions = [part.functions for part in parts if part.functions is not None]
    return SystemCounts(
        names,
        np.concatenate([part.is_comparable for part in parts]),
        Cells(
            np.concatenate(
                [
                    part.cells.sentence + start
                    for part, start in zip(parts, starts, strict=False)
                ]
            ),
            np.concatenate(
                [
                    number[part.cells.construction]
                    for part, number in zip(parts, numbers, strict=True)
                ]
            ),
            np.concatenate([part.cells.counts for part in parts]),
        ),
        np.concatenate([part.bracket_counts for part in parts]),
        GoldBrackets(
            np.concatenate(
                [
                    part.gold.sentence + start
                    for part, start in zip(parts, starts, strict=False)
                ]
            ),
            np.concatenate([part.gold.node for part in parts]),
            np.concatenate(
                [
                    number[part.gold.construction]
                    for part, number in zip(parts, numbers, strict=True)
                ]
            ),
            np.concatenate([part.gold.is_found for part in parts]),
        ),
        concatenated([part.differing for part in parts], sizes),
        total(part.ledger for part in parts),
        SentenceFunctions.join(functions) if functions else None,
        tuple(
            id
            for part, size in zip(parts, sizes, strict=True)
            for id in part.ids or ("",) * size
        )
        if any(part.ids for part in parts)
        else (),
    )


def tally_of(system: SystemCounts, common: Flags) -> Tally:
    """The counts of some sentences, summed."""
    sums = system.cells.only(common).sums(len(system.names))
    brackets = system.bracket_counts[common].sum(axis=0).tolist()
    scored = int(np.count_nonzero(common))
    mismatches = system.ledger.mismatches
    settled = tuple(item for item in mismatches if common[item.sentence - 1])
    gold, parsed = sums[:, [_GOLD, _PARSED]].sum(axis=0).tolist()
    return Tally(
        constructions={
            system.names[number]: ConstructionCounts(*sums[number].tolist())
            for number in np.flatnonzero(sums.any(axis=1)).tolist()
        },
        gold_coverage=Coverage(gold, brackets[_GOLD_COVERED]),
        parsed_coverage=Coverage(parsed, brackets[_PARSED_COVERED]),
        brackets=MatchCounts(brackets[_MATCHED], gold, parsed),
        wrappers=MatchCounts(*brackets[_WRAPPERS]),
        same_head=brackets[_SAME_HEAD],
        same_construction=brackets[_SAME_CONSTRUCTION],
        ledger=Ledger(gold=scored, parsed=scored, scored=scored, items=settled),
        functions=system.functions.tally(common) if system.functions else None,
        differences=system.differing.counted(common),
    )
