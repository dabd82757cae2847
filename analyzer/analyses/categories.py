"""Which categories two annotators chose for the same thing, pair by pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np

from analyzer.analyses.disagreements import Side
from analyzer.analyses.errors import Kind, error_rows
from analyzer.metrics.constructions import Comparison
from analyzer.metrics.join import Key, match
from analyzer.metrics.kappa import CategoryPairs
from analyzer.model.arrays import Ids, Ints
from analyzer.model.symbols import SYMBOLS
from analyzer.transform.labels import LabelSet

_LONGEST = 10_000  # characters of a governor that are told apart
_NOT_A_WORD = -(1 << 60)  # ROOT and null: further away than any word


def tag_pairs(sides: tuple[Side, Side], words: tuple[Ints, Ints]) -> CategoryPairs:
    """Per word that both sides have: which tag."""
    tags = (sides[0].tags[words[0]], sides[1].tags[words[1]])
    return named_pairs(tags[0], tags[1], SYMBOLS.name)


def _paired(exact: tuple[Key, Key], loose: tuple[Key, Key]) -> tuple[Ints, Ints]:
    """Rows that agree, then what is left with the same loose key, in order."""
    same = match(*exact)
    left, right = np.flatnonzero(~same.gold), np.flatnonzero(~same.parsed)
    rest = match([c[left] for c in loose[0]], [c[right] for c in loose[1]])
    return (
        np.concatenate([np.flatnonzero(same.gold), left[rest.gold]]),
        np.concatenate([same.partner[same.gold], right[rest.partner[rest.gold]]]),
    )


def label_pairs(comparison: Comparison) -> CategoryPairs:
    """Per span that both sides have: which label."""
    a, b = comparison.gold, comparison.parsed
    spans: tuple[Key, Key] = ([a.first, -a.last], [b.first, -b.last])
    exact: tuple[Key, Key] = ([*spans[0], a.key_label], [*spans[1], b.key_label])
    left, right = _paired(exact, spans)
    return named_pairs(a.key_label[left], b.key_label[right], SYMBOLS.name)


def function_names(side: Side, rows: Ints, labels: LabelSet) -> list[str]:
    """The function tags of some brackets, in the order of the alphabet."""
    used, which = np.unique(
        side.bank.label[side.derivation.row[rows]], return_inverse=True
    )
    names = [
        "-".join(sorted(labels.function_tags(SYMBOLS.name(int(number)))))
        for number in used
    ]
    return [names[at] for at in which.tolist()]


def construction_pairs(comparison: Comparison, *, apart: bool) -> CategoryPairs:
    """Per span that both sides have: which construction.

    With `apart`, recursive constructions are paired with recursive ones only: a link
    and a schema over the same EDUs are two things, not two names of one.
    """
    sides = (comparison.gold, comparison.parsed)
    spans: list[Key] = [[side.first, -side.last] for side in sides]
    if apart:
        is_recursive = comparison.constructions.is_recursive.astype(np.int64)
        for span, side in zip(spans, sides, strict=True):
            span.append(is_recursive[side.construction])
    names = (sides[0].construction, sides[1].construction)
    left, right = _paired(
        ([*spans[0], names[0]], [*spans[1], names[1]]), (spans[0], spans[1])
    )
    name = comparison.constructions.__getitem__
    return named_pairs(names[0][left], names[1][right], name)


def attachment_pairs(
    comparison: Comparison, sides: tuple[Side, Side]
) -> dict[str, CategoryPairs]:
    """Per match of head and construction: how far the governor is, on each side.

    Governors are words, and every sentence has others; how far away one is, is a
    category that all sentences share, and it is the same exactly if the word is.
    """
    simple = ~comparison.constructions.is_recursive[comparison.gold.construction]
    exact = comparison.by_attachment
    chosen = np.flatnonzero(exact.gold & simple)
    others = error_rows(comparison, Kind.ATTACHMENT)
    left = np.concatenate([chosen, others[0]])
    right = np.concatenate([exact.partner[chosen], others[1]])
    number = comparison.gold.construction[left]
    found: dict[str, CategoryPairs] = {}
    if not left.size:
        return found
    columns = [number, _distance(sides[0], left), _distance(sides[1], right)]
    distinct, counts = np.unique(
        np.column_stack(columns).astype(np.int64), axis=0, return_counts=True
    )
    for (name, one, other), count in zip(
        distinct.tolist(), counts.tolist(), strict=True
    ):
        pairs = found.setdefault(comparison.constructions[name], Counter())
        pairs[one, other] = count
    return found


def _distance(side: Side, rows: Ints) -> Ints:
    """From head to governor, and how long the governor is: in one number."""
    governor = side.derivation.attachment[rows]
    start, end = side.places.start, side.places.end
    word = np.maximum(governor, 0)
    width = np.minimum(end[word] - start[word], _LONGEST - 1)
    distance = (start[word] - start[side.derivation.head[rows]]) * _LONGEST + width
    return np.where(governor >= 0, distance, _NOT_A_WORD + governor)


def named_pairs(
    left: Ints | Ids, right: Ints | Ids, name: Callable[[int], str]
) -> CategoryPairs:
    """How often each pair of names occurs."""
    if not left.size:
        return Counter()
    both = np.column_stack([left, right]).astype(np.int64)
    distinct, counts = np.unique(both, axis=0, return_counts=True)
    return Counter(
        {
            (name(one), name(other)): count
            for (one, other), count in zip(
                distinct.tolist(), counts.tolist(), strict=True
            )
        }
    )
