"""Occurrences of the same words with different analyses -> a finding."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from analyzer.checks.findings import Analysis, Finding
from analyzer.checks.word_stream import WordStream

_PLACES_KEPT = 50
_COMPARED = 20  # occurrences whose context is compared; more change nothing


class Contrast(NamedTuple):
    """Occurrences of one n-gram (positions in the stream), analysis by analysis."""

    length: int
    by_analysis: dict[str, list[int]]  # most frequent first


def contrast(length: int, at: Sequence[int], texts: Sequence[str]) -> Contrast:
    counts = Counter(texts)
    by_analysis: dict[str, list[int]] = {
        text: [] for text in sorted(counts, key=lambda text: (-counts[text], text))
    }
    for position, text in zip(at, texts, strict=True):
        by_analysis[text].append(position)
    return Contrast(length, by_analysis)


def reliability(most: int, rest: int, context: int, length: int) -> float:
    """How likely the rarer analysis is a slip, from 0 to 1.

    Two things speak for it: that the others agree (with a pinch of doubt, so that
    two against one is less than twenty against one), and that much of what stands
    around is the same, since a reason for another analysis would have to be further
    away. Not a probability, but findings sort well by it (benchmarks/check.py).
    """
    agreement = (most - 0.5) / (most + rest)
    evidence: float = 1 - 0.5 ** (context + length - 1)
    return agreement * evidence


def finding_of(
    stream: WordStream,
    found: Contrast,
    *,
    code: str,
    group: Callable[[Sequence[str]], str],
    trust: float = 1.0,
) -> Finding:
    """The finding that a contrast is.

    `group` names the group, given the analyses; `trust` scales the reliability of
    kinds that are less so.
    """
    names = list(found.by_analysis)
    counts = [len(places) for places in found.by_analysis.values()]
    majority = found.by_analysis[names[0]]
    is_tie = counts[0] == counts[1]
    rarer = [at for name in names[1:] for at in found.by_analysis[name]]
    suspects = majority + rarer if is_tie else rarer
    context = max(
        stream.shared_context(one, other, found.length)
        for one in rarer[:_COMPARED]
        for other in majority[:_COMPARED]
    )
    words = stream.words(suspects[0], found.length)
    listed = ", ".join(
        f"{name} {count}x" for name, count in zip(names, counts, strict=True)
    )
    return Finding(
        code=code,
        reliability=trust
        * reliability(counts[0], sum(counts[1:]), context, found.length),
        message=listed,
        words=words,
        group=group(names),
        suspects=tuple(stream.span(at, found.length) for at in suspects),
        analyses=tuple(
            Analysis(
                name,
                len(places),
                tuple(stream.span(at, found.length) for at in places[:_PLACES_KEPT]),
            )
            for name, places in found.by_analysis.items()
        ),
    )
