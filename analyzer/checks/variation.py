"""Variation n-grams: the same words, bracketed or labelled differently.

Dickinson and Meurers 2003, 2005. A *nucleus* is a run of words that is a phrase
somewhere; where the same run, between the same neighbours, is another phrase or
none (NIL), one of them is likely wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analyzer.checks.contrast import contrast, finding_of
from analyzer.checks.findings import Finding, ranked, without_overlap
from analyzer.checks.word_stream import LONGEST, Repeats, WordStream, varying
from analyzer.model.arrays import Ints


def check_variation(stream: WordStream, *, longest: int = LONGEST) -> list[Finding]:
    """V301, V302, overlapping nuclei merged."""
    found = []
    for repeats in stream.repeats(longest):
        chain, _ = stream.chains_at(repeats.at, repeats.length)
        for at, values in groups_that_vary(repeats, chain):
            texts = [stream.chain_names[value] for value in values]
            code = "V302" if "NIL" in texts else "V301"
            one = finding_of(
                stream,
                contrast(repeats.length, at, texts),
                code=code,
                group=lambda names: pair_name("variation", names),
            )
            found.append(one)
    return without_overlap(ranked(found))


def groups_that_vary(
    repeats: Repeats, values: Ints
) -> Iterator[tuple[list[int], list[int]]]:
    """For each group whose values differ: its positions, and their values."""
    rows = np.flatnonzero(varying(repeats.group, values))
    if not rows.size:
        return
    group = repeats.group[rows]
    starts = np.flatnonzero(np.append(True, group[1:] != group[:-1]))
    ends = np.append(starts[1:], rows.size)
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        run = rows[start:end]
        yield repeats.at[run].tolist(), values[run].tolist()


def pair_name(kind: str, names: Sequence[str]) -> str:
    """The group of a contrast: what stands against what."""
    return f"{kind}: {' | '.join(sorted(names))}"
